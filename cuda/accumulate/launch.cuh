// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the launchers of accumulators share: the choice of the template's arguments, and shared memory beyond 48 KiB.
#pragma once
#include <type_traits>

#include "common/values.cuh"
#include "ocean_kernels.h"

namespace ocean {

// Calls `launch` with a value of the type that is computed in and the lanes that share a row.
template <class Launch>
int32_t by_value_and_lanes(const OceanAccumulate& p, Launch launch) {
  return by_value(p.value_type, [&](auto value) {
    switch (p.lanes) {
      case 4:
        return launch(value, std::integral_constant<int, 4>{});
      case 8:
        return launch(value, std::integral_constant<int, 8>{});
      case 16:
        return launch(value, std::integral_constant<int, 16>{});
      default:
        return launch(value, std::integral_constant<int, 32>{});
    }
  });
}

// Lets a kernel have so many bytes of dynamic shared memory; the runtime's number if it can't.
template <class Kernel>
int32_t allow_shared(Kernel* kernel, size_t bytes) {
#ifndef OCEAN_EMU
  constexpr size_t kWithoutAsking = 24 << 10;  // 48 KiB with what the kernel has beside it
  if (bytes > kWithoutAsking) {
    const auto code =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (code != cudaSuccess) return last_launch_error();
  }
#else
  (void)kernel, (void)bytes;
#endif
  return 0;
}

// Asks for so many percent of an SM's fast memory as shared memory; the rest is cache.
template <class Kernel>
int32_t prefer_shared(Kernel* kernel, unsigned percent) {
#ifndef OCEAN_EMU
  const auto code =
      cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, static_cast<int>(percent));
  if (code != cudaSuccess) return last_launch_error();
#else
  (void)kernel, (void)percent;
#endif
  return 0;
}

}  // namespace ocean
