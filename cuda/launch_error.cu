// SPDX-License-Identifier: MIT OR Apache-2.0
//
// launch_error: what the number that a launcher returned is called. No kernel.
#include "common/device.cuh"
#include "ocean_kernels.h"

extern "C" const char* ocean_launch_error_name(int32_t code) {
#ifdef OCEAN_EMU
  return code == ocean::emulation::kInvalidConfiguration ? "cudaErrorInvalidConfiguration" : "cudaErrorUnknown";
#else
  return cudaGetErrorName(static_cast<cudaError_t>(code));
#endif
}
