// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the 32 lanes of a warp do together. Every lane calls; every lane gets the answer.
#pragma once
#include "common/device.cuh"

namespace ocean {

template <class T, class Combine>
__device__ __forceinline__ T warp_reduce(T value, Combine combine) {
  for (int step = kWarp / 2; step > 0; step /= 2) value = combine(value, __shfl_xor_sync(kAllLanes, value, step));
  return value;
}

template <class T>
__device__ __forceinline__ T warp_sum(T value) {
  return warp_reduce(value, [](T a, T b) { return a + b; });
}

template <class T>
__device__ __forceinline__ T warp_most(T value) {
  return warp_reduce(value, [](T a, T b) { return most(a, b); });
}

// The sum up to and with each lane.
template <class T>
__device__ __forceinline__ T warp_running_sum(T value) {
  for (int step = 1; step < kWarp; step *= 2) {
    const T below = __shfl_up_sync(kAllLanes, value, step);
    if (lane() >= step) value += below;
  }
  return value;
}

// Runs over segments: a lane with `starts` begins a new one. Each lane gets the combination of its segment up to and
// with itself. `from_lane(value, delta)` is `value` of the lane `delta` below, since values need not be numbers.
template <class T, class Combine, class FromLane>
__device__ __forceinline__ T warp_segmented_scan(T value, bool starts, Combine combine, FromLane from_lane) {
  for (int step = 1; step < kWarp; step *= 2) {
    const T below = from_lane(value, step);
    const bool below_starts = __shfl_up_sync(kAllLanes, static_cast<int>(starts), step) != 0;
    if (lane() >= step && !starts) {
      value = combine(below, value);
      starts = below_starts;
    }
  }
  return value;
}

// The sum over the threads of the block before each one, on top of `total`, which grows by all of them. Every thread of
// the block calls; `of_warp` is the block's.
template <int kWarps>
__device__ __forceinline__ int32_t before_in_block(int32_t value, int32_t* of_warp, int32_t& total) {
  const int32_t sum = warp_running_sum(value);
  __syncthreads();  // after the last call's reads
  if (lane() == kWarp - 1) of_warp[warp_in_block()] = sum;
  __syncthreads();
  int32_t before = total + sum - value;
  for (int warp = 0; warp < kWarps; ++warp) {
    if (warp < warp_in_block()) before += of_warp[warp];
    total += of_warp[warp];
  }
  return before;
}

}  // namespace ocean
