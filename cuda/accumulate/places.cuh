// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Places of a hash table of columns, a power of two, with linear probing.
#pragma once
#include "common/device.cuh"

namespace ocean {

constexpr int32_t kFree = -1;  // no column

struct Places {
  int count;
  int shift;

  __device__ __forceinline__ explicit Places(int places) {
    count = places;
    shift = 32 - (__ffs(static_cast<unsigned>(places)) - 1);
  }

  // Fibonacci hashing: the high bits of the product are the well-mixed ones.
  __device__ __forceinline__ unsigned first(int32_t column) const {
    return static_cast<uint32_t>(column) * 0x9e3779b9u >> shift;
  }

  __device__ __forceinline__ unsigned next(unsigned place) const { return (place + 1) & (count - 1); }
};

}  // namespace ocean
