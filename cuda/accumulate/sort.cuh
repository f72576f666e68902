// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Keys in the registers of a group of lanes, brought into ascending order: Batcher's bitonic network (AFIPS 1968).
#pragma once
#include "accumulate/terms.cuh"

namespace ocean {

// Each lane has kKeys neighbours. What indexes them is known to the compiler, so they stay in registers.
template <int kLanes, int kKeys>
struct Sorter {
  uint32_t keys[kKeys];

  // Every lane of the warp calls.
  __device__ __forceinline__ void sort() {
    const int rank = Group<kLanes>::rank();
    sort_lane<2>((rank & 1) == 0);
    for (int size = 2; size <= kLanes; size *= 2) {  // in lanes
      const bool ascends = (rank & size) == 0;
      for (int step = size / 2; step > 0; step /= 2) {
        const bool keeps_less = ((rank & step) == 0) == ascends;
#pragma unroll
        for (int i = 0; i < kKeys; ++i) {
          const uint32_t other = __shfl_xor_sync(kAllLanes, keys[i], step, kLanes);
          keys[i] = keeps_less ? least(keys[i], other) : most(keys[i], other);
        }
      }
      merge_lane<kKeys / 2>(ascends);
    }
  }

 private:
  template <int kSize>
  __device__ __forceinline__ void sort_lane(bool ascends) {
    if constexpr (kSize <= kKeys) {
      step_lane<kSize, kSize / 2>(ascends);
      sort_lane<kSize * 2>(ascends);
    }
  }

  // All steps of one size, which alternate in direction but for the last.
  template <int kSize, int kStep>
  __device__ __forceinline__ void step_lane(bool ascends) {
    if constexpr (kStep > 0) {
#pragma unroll
      for (int i = 0; i < kKeys; ++i) {
        if ((i & kStep) == 0) order(keys[i], keys[i | kStep], kSize < kKeys ? (i & kSize) == 0 : ascends);
      }
      step_lane<kSize, kStep / 2>(ascends);
    }
  }

  template <int kStep>
  __device__ __forceinline__ void merge_lane(bool ascends) {
    if constexpr (kStep > 0) {
#pragma unroll
      for (int i = 0; i < kKeys; ++i) {
        if ((i & kStep) == 0) order(keys[i], keys[i | kStep], ascends);
      }
      merge_lane<kStep / 2>(ascends);
    }
  }

  __device__ __forceinline__ static void order(uint32_t& one, uint32_t& other, bool ascends) {
    const uint32_t less = least(one, other), more = most(one, other);
    one = ascends ? less : more;
    other = ascends ? more : less;
  }
};

// Sorts `count` keys in shared memory, at most `kMost * kLanes` in any group of the warp; `last` is after any key.
// Every lane of the warp calls.
template <int kLanes, int kMost, int kKeys = 1>
__device__ __forceinline__ void sort_keys(uint32_t* keys, int count, uint32_t last) {
  using G = Group<kLanes>;
  if constexpr (kKeys < kMost) {
    if (G::any_in_warp(count > kKeys * kLanes)) return sort_keys<kLanes, kMost, kKeys * 2>(keys, count, last);
  }
  Sorter<kLanes, kKeys> sorter;
#pragma unroll
  for (int i = 0; i < kKeys; ++i) {
    const int at = G::rank() * kKeys + i;
    sorter.keys[i] = at < count ? keys[at] : last;
  }
  __syncwarp();
  sorter.sort();
#pragma unroll
  for (int i = 0; i < kKeys; ++i) {
    const int at = G::rank() * kKeys + i;
    if (at < count) keys[at] = sorter.keys[i];
  }
  __syncwarp();
}

}  // namespace ocean
