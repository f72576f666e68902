// SPDX-License-Identifier: MIT OR Apache-2.0
//
// launch_error: what the number that a launcher returned is called. No kernel.
#include "common/device.cuh"
#include "ocean_kernels.h"

extern "C" const char* ocean_launch_error_name(int32_t code) {
#ifdef OCEAN_EMU
  switch (code) {  // its own, and those that tests plant
    case 2:
      return "cudaErrorMemoryAllocation";
    case ocean::emulation::kInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case 700:
      return "cudaErrorIllegalAddress";
    case 701:
      return "cudaErrorLaunchOutOfResources";
    default:
      return "cudaErrorUnknown";
  }
#else
  return cudaGetErrorName(static_cast<cudaError_t>(code));
#endif
}
