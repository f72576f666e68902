// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A pattern in compressed sparse rows: offsets of either width and both bases read through one accessor.
#pragma once
#include "common/device.cuh"
#include "ocean_kernels.h"

namespace ocean {

// Rows, entries and columns count from 0 whatever the caller's base.
struct Csr : OceanCsr {
  __device__ __forceinline__ explicit Csr(const OceanCsr& described) : OceanCsr(described) {}

  // First entry of a row; of row `rows`, the end of the last.
  __device__ __forceinline__ int64_t begin(int64_t row) const {
    // The width is the same for all threads, so this branch never splits a warp.
    const int64_t offset = offset_bytes == 8 ? read_only(static_cast<const int64_t*>(offsets) + row)
                                             : read_only(static_cast<const int32_t*>(offsets) + row);
    return offset - base;
  }

  __device__ __forceinline__ int64_t end(int64_t row) const { return begin(row + 1); }

  __device__ __forceinline__ int32_t column(int64_t entry) const { return read_only(columns + entry) - base; }

  // First entries and lengths of several rows, whose loads go side by side.
  template <int kRows>
  __device__ __forceinline__ void extents(const int32_t (&of)[kRows], int64_t (&begins)[kRows],
                                          int32_t (&counts)[kRows]) const {
    if (offset_bytes == 8) {
      const int64_t* const starts = static_cast<const int64_t*>(offsets);
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        begins[i] = read_only(starts + of[i]) - base;
        counts[i] = static_cast<int32_t>(read_only(starts + of[i] + 1) - base - begins[i]);
      }
    } else {
      const int32_t* const starts = static_cast<const int32_t*>(offsets);
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const int32_t start = read_only(starts + of[i]);
        counts[i] = read_only(starts + of[i] + 1) - start;
        begins[i] = start - base;
      }
    }
  }

  // The row of an entry, which must lie in first..=last. Many rows before it may be empty.
  __device__ __forceinline__ int64_t row_of(int64_t entry, int64_t first, int64_t last) const {
    while (first < last) {
      const int64_t middle = last - (last - first) / 2;
      if (begin(middle) <= entry) {
        first = middle;
      } else {
        last = middle - 1;
      }
    }
    return first;
  }
};

// Rows of two entries, found by a whole warp: half of it looks for each, in 16 places at once.
struct RowRange {
  int64_t first;
  int64_t last;
};

__device__ __forceinline__ RowRange warp_rows_of(const Csr& a, int64_t first_entry, int64_t last_entry) {
  constexpr int kHalf = kWarp / 2;
  const int place = lane() % kHalf;
  const int shift = lane() - place;
  const int64_t entry = shift == 0 ? first_entry : last_entry;
  int64_t low = 0;         // begins at or before the entry
  int64_t count = a.rows;  // the row lies in low..low + count
  while (__ballot_sync(kAllLanes, count > 1) != 0) {
    const int64_t step = (count + kHalf - 1) / kHalf;
    const bool reached = place * step < count && a.begin(low + place * step) <= entry;
    // Offsets ascend, so the places that are not past the entry come first, and place 0 is one of them.
    const unsigned hits = __ballot_sync(kAllLanes, reached) >> shift & 0xffffu;
    const int64_t skipped = (__popc(hits) - 1) * step;
    low += skipped;
    count = least(step, count - skipped);
  }
  return {__shfl_sync(kAllLanes, low, 0), __shfl_sync(kAllLanes, low, kHalf)};
}

}  // namespace ocean
