// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A few rows of B, merged by one thread: a cursor in registers for each.
#pragma once
#include "accumulate/sums.cuh"
#include "accumulate/terms.cuh"
#include "tuning.cuh"

namespace ocean {

constexpr int kMostCursors = tuning::kMergedRows;

// Calls `each(column, sum)` by ascending column for the row of C that A's entries from `begin` on give, at most `kRows`
// of them. Terms of one column meet in A's order. Without `kValues` sums are nothing; with it, A and B have values.
// `At` counts B's entries.
template <int kRows, bool kValues, class At, class V, class Each>
__device__ __forceinline__ void merge_rows(const Factors<V>& f, int64_t begin, int entries, Each each) {
  constexpr int32_t kEnd = INT32_MAX;  // no column: they are below it
  At at[kRows];
  int left_over[kRows];
  int32_t heads[kRows];
  V lefts[kRows], rights[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    heads[i] = kEnd;
    at[i] = left_over[i] = 0;
    lefts[i] = rights[i] = V(0);
    if (i < entries) {
      const int32_t row = f.a.column(begin + i);
      at[i] = static_cast<At>(f.b.begin(row));
      left_over[i] = static_cast<int>(f.b.end(row) - at[i]);
      if (kValues) lefts[i] = read_only(f.a_values + begin + i);
    }
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    if (left_over[i] > 0) {
      heads[i] = f.b.column(at[i]);
      if (kValues) rights[i] = read_only(f.b_values + at[i]);
    }
  }
  while (true) {
    int32_t column = heads[0];
#pragma unroll
    for (int i = 1; i < kRows; ++i) column = least(column, heads[i]);
    if (column == kEnd) return;
    V sum = V(-0.0);  // with any first term, that term itself
    if (kValues) {
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const V more = added(sum, multiplied(lefts[i], rights[i]));
        sum = heads[i] == column ? more : sum;
      }
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      if (kValues) {
        // Short bodies, so that loads are predicated and go side by side: a branch around each would wait for it.
        if (heads[i] == column) {
          ++at[i];
          --left_over[i];
          heads[i] = kEnd;
        }
        if (heads[i] == kEnd && left_over[i] > 0) {
          heads[i] = f.b.column(at[i]);
          rights[i] = read_only(f.b_values + at[i]);
        }
      } else if (heads[i] == column) {
        ++at[i];
        heads[i] = --left_over[i] > 0 ? f.b.column(at[i]) : kEnd;
      }
    }
    each(column, sum);
  }
}

// The same, unrolled for the longest row of the warp. A kernel has the registers that kMost rows take.
template <int kMost, bool kValues, class At, class V, class Each>
__device__ __forceinline__ void merge_by_longest(const Factors<V>& f, int64_t begin, int entries, Each each) {
  const int longest = Group<kWarp>::reduce(entries, [](int x, int y) { return most(x, y); });
  if constexpr (kMost > 2) {
    if (longest <= 2) return merge_rows<2, kValues, At>(f, begin, entries, each);
  }
  if constexpr (kMost > 4) {
    if (longest <= 4) return merge_rows<4, kValues, At>(f, begin, entries, each);
  }
  if constexpr (kMost > 5) {
    if (longest <= 5) return merge_rows<5, kValues, At>(f, begin, entries, each);
  }
  merge_rows<kMost, kValues, At>(f, begin, entries, each);
}

}  // namespace ocean
