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
  constexpr uint32_t kEnd = UINT32_MAX;  // after any column
  const int32_t* const b_columns = in_register(f.b.columns);
  const V* const b_values = in_register(f.b_values);
  int32_t rows[kRows], counts[kRows];
  uint32_t heads[kRows];  // as stored: base and all
  int64_t begins[kRows];
  At at[kRows], ends[kRows];
  V lefts[kRows], rights[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    rows[i] = i < entries ? f.a.column(begin + i) : 0;  // there is a row 0, and nothing is made of it
    lefts[i] = kValues && i < entries ? read_only(f.a_values + begin + i) : V(0);
  }
  f.b.extents(rows, begins, counts);
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    heads[i] = kEnd;
    rights[i] = V(0);
    at[i] = static_cast<At>(begins[i]);
    ends[i] = i < entries ? static_cast<At>(begins[i] + counts[i]) : at[i];
    if (at[i] < ends[i]) {
      heads[i] = static_cast<uint32_t>(read_only(b_columns + at[i]));
      if (kValues) rights[i] = read_only(b_values + at[i]);
    }
  }
  while (true) {
    uint32_t column = heads[0];
#pragma unroll
    for (int i = 1; i < kRows; ++i) column = least(column, heads[i]);
    if (column == kEnd) return;
    V sum = Neutral<V>::value();  // with any first term, that term itself
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
        // No branch around each load, which would wait for it: the body is short, and nothing in the condition skipped.
        const bool hit = heads[i] == column;
        at[i] += hit;
        heads[i] = hit ? kEnd : heads[i];
        if (hit & (at[i] < ends[i])) {
          heads[i] = static_cast<uint32_t>(read_only(b_columns + at[i]));
          rights[i] = read_only(b_values + at[i]);
        }
      } else if (heads[i] == column) {
        heads[i] = ++at[i] < ends[i] ? static_cast<uint32_t>(read_only(b_columns + at[i])) : kEnd;
      }
    }
    each(static_cast<int32_t>(column) - f.b.base, sum);
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
