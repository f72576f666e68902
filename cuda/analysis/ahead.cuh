// SPDX-License-Identifier: MIT OR Apache-2.0
//
// ahead: what the host would decide once it had seen what rows_ascend found. Asked by steps that are queued before, so
// that the host waits once for them all.
#pragma once
#include "common/csr.cuh"
#include "ocean_kernels.h"

namespace ocean {

// Its rows can be walked, and its columns are those of the matrix.
__device__ __forceinline__ bool is_sound(const OceanOrder& order, const OceanCsr& m) {
  return order.bad_row == OCEAN_NONE && order.bad_entry == OCEAN_NONE && order.nnz >= 0 && order.nnz <= m.nnz;
}

__device__ __forceinline__ bool are_sound(const OceanAhead& ahead, const OceanCsr& a, const OceanCsr& b) {
  return is_sound(*ahead.of_a, a) && is_sound(*ahead.of_b, b);
}

__device__ __forceinline__ bool are_short(const OceanAhead& ahead) {
  const int64_t of_a = ahead.of_a->longest_row, of_b = ahead.of_b->longest_row;
  return ahead.of_b->disordered == 0 && of_a <= ahead.short_entries &&
         of_a * least(of_b, ahead.short_size + 1) <= ahead.short_size;
}

__device__ __forceinline__ bool wants_short(const OceanAhead& ahead, const OceanCsr& a, const OceanCsr& b) {
  return ahead.of_a == nullptr || (are_sound(ahead, a, b) && are_short(ahead));
}

__device__ __forceinline__ bool wants_products(const OceanAhead& ahead, const OceanCsr& a, const OceanCsr& b) {
  return ahead.of_a == nullptr || (are_sound(ahead, a, b) && !are_short(ahead));
}

}  // namespace ocean
