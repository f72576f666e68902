// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The terms of a row of C, in A's order, by a group of lanes: one row of B at a time, since the sums have one order;
// its columns side by side, since they are distinct.
#pragma once
#include "common/csr.cuh"

namespace ocean {

// A warp's lanes in groups of `kLanes`. Every lane of the warp calls; each group gets its own answer.
template <int kLanes>
struct Group {
  static_assert(kWarp % kLanes == 0, "a warp is whole groups");
  static constexpr unsigned kAll = kLanes == kWarp ? kAllLanes : (1u << kLanes % kWarp) - 1;

  __device__ __forceinline__ static int rank() { return static_cast<int>(threadIdx.x % kLanes); }
  __device__ __forceinline__ static int in_block() { return static_cast<int>(threadIdx.x / kLanes); }
  __device__ __forceinline__ static int64_t global() { return global_thread() / kLanes; }

  __device__ __forceinline__ static unsigned ballot(bool vote) {
    return __ballot_sync(kAllLanes, vote) >> (lane() - rank()) & kAll;
  }
  // Whether any lane of the warp votes so: loops go on for all groups until none has work.
  __device__ __forceinline__ static bool any_in_warp(bool vote) { return __ballot_sync(kAllLanes, vote) != 0; }

  template <class T>
  __device__ __forceinline__ static T from(T value, int rank) {
    return __shfl_sync(kAllLanes, value, rank, kLanes);
  }

  // How many of the lanes before this one are in `votes`.
  __device__ __forceinline__ static int before(unsigned votes) { return __popc(votes & ((1u << rank()) - 1)); }

  template <class T, class Combine>
  __device__ __forceinline__ static T reduce(T value, Combine combine) {
    for (int step = kLanes / 2; step > 0; step /= 2) {
      value = combine(value, __shfl_xor_sync(kAllLanes, value, step, kLanes));
    }
    return value;
  }
};

// A and B with their values; values that are not there count as 1.
template <class V>
struct Factors {
  Csr a, b;
  const V* a_values;
  const V* b_values;

  __device__ __forceinline__ explicit Factors(const OceanFactors& f)
      : a(f.a), b(f.b), a_values(static_cast<const V*>(f.a_values)), b_values(static_cast<const V*>(f.b_values)) {}

  __device__ __forceinline__ V left(int64_t entry) const { return a_values ? read_only(a_values + entry) : V(1); }
  __device__ __forceinline__ V right(int64_t entry) const { return b_values ? read_only(b_values + entry) : V(1); }
};

// The first of the entries from `begin` to before `end` whose column is not below `column`.
__device__ __forceinline__ int64_t lower_bound(const Csr& m, int64_t begin, int64_t end, int64_t column) {
  while (begin < end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (m.column(middle) < column) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

// Columns from `first` to before `end`.
struct Columns {
  int64_t first;
  int64_t end;
};

// The columns that a row of C can have: between the ends of the rows of B that the entries of A name. Every lane of a
// warp calls.
template <int kLanes>
__device__ __forceinline__ Columns span_of(const Csr& a, const Csr& b, int64_t begin, int64_t end) {
  int32_t first = INT32_MAX, last = -1;
  for (int64_t entry = begin + Group<kLanes>::rank(); entry < end; entry += kLanes) {
    const int32_t row = a.column(entry);
    const int64_t from = b.begin(row), to = b.end(row);
    if (from == to) continue;
    first = least(first, b.column(from));
    last = most(last, b.column(to - 1));
  }
  first = Group<kLanes>::reduce(first, [](int32_t x, int32_t y) { return least(x, y); });
  last = Group<kLanes>::reduce(last, [](int32_t x, int32_t y) { return most(x, y); });
  return {first, last < first ? int64_t{first} : int64_t{last} + 1};
}

// Calls `add(on, column, term)` for the terms of A's entries from `begin` to before `end`, by all lanes of the warp at
// once, with `on` for those that have one; after each call the lanes see what the others wrote. With `kCut`, only the
// terms whose columns lie in `cut`.
template <int kLanes, int kAhead, bool kCut, class V, class Add>
__device__ __forceinline__ void for_each_term(const Factors<V>& f, int64_t begin, int64_t end, Columns cut, Add add) {
  using G = Group<kLanes>;
  for (int64_t chunk = begin; G::any_in_warp(chunk < end); chunk += kLanes) {
    int64_t from = 0, to = 0;
    V left = V(0);
    if (chunk + G::rank() < end) {
      const int64_t entry = chunk + G::rank();
      const int32_t row = f.a.column(entry);
      left = f.left(entry);
      from = f.b.begin(row);
      to = f.b.end(row);
      if (kCut) {
        from = lower_bound(f.b, from, to, cut.first);
        to = lower_bound(f.b, from, to, cut.end);
      }
    }
    unsigned todo = G::ballot(from < to);
    int64_t at = 0, stop = 0;
    V x = V(0);
    while (G::any_in_warp(todo != 0 || at < stop)) {
      int32_t columns[kAhead];
      V lefts[kAhead], rights[kAhead];
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        const bool next = at >= stop && todo != 0;
        // Groups of a whole warp branch as one; smaller ones shuffle whether they need it or not.
        if (kLanes < kWarp || next) {
          const int source = todo != 0 ? __ffs(todo) - 1 : 0;
          const int64_t next_from = G::from(from, source), next_to = G::from(to, source);
          const V next_left = G::from(left, source);
          if (next) {
            at = next_from;
            stop = next_to;
            x = next_left;
            todo &= todo - 1;
          }
        }
        const bool on = at + G::rank() < stop;
        columns[i] = on ? f.b.column(at + G::rank()) : -1;
        rights[i] = on ? f.right(at + G::rank()) : V(0);
        lefts[i] = x;
        if (at < stop) at += kLanes;
      }
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        add(columns[i] >= 0, columns[i], multiplied(lefts[i], rights[i]));
        __syncwarp();
      }
    }
  }
}

}  // namespace ocean
