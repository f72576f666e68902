// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Which columns a row of C has, as bits: set by a warp, a block or many blocks, in any order.
#pragma once
#include "accumulate/terms.cuh"
#include "common/warp.cuh"

namespace ocean {

constexpr int kWordBits = 32;

// Sets the bit of a column that lies so far from the first. Most columns of a dense row are there already, and a look
// costs less than an atomic in vain.
__device__ __forceinline__ void set_bit(const Shared<uint32_t>& bits, uint32_t place) {
  const int word = static_cast<int>(place / kWordBits);
  const uint32_t bit = 1u << place % kWordBits;
  if ((bits.get(word) & bit) == 0) bits.atomic_or(word, bit);
}

// The same; says whether the bit was not there.
__device__ __forceinline__ bool set_new_bit(const Shared<uint32_t>& bits, uint32_t place) {
  const int word = static_cast<int>(place / kWordBits);
  const uint32_t bit = 1u << place % kWordBits;
  return (bits.get(word) & bit) == 0 && (bits.atomic_or_take(word, bit) & bit) == 0;
}

__device__ __forceinline__ void set_bit(uint32_t* bits, uint32_t place) {
  uint32_t* word = bits + place / kWordBits;
  const uint32_t bit = 1u << place % kWordBits;
  if ((*word & bit) == 0) atomic_or(word, bit);
}

// Sets the bits of the columns that A's entries from `begin` to before `end` give, counted from the cut's first;
// `workers` groups of `lanes` take the entries in turn, of which the caller's is number `worker`; each lane of a group
// takes a column.
template <class Bits>
__device__ __forceinline__ void set_bits(const Csr& a, const Csr& b, int64_t begin, int64_t end, Columns cut,
                                         int worker, int workers, Bits bits, int lanes = kWarp) {
  for (int64_t entry = begin + worker; entry < end; entry += workers) {
    const int32_t row = a.column(entry);
    const int64_t to = b.end(row);
#pragma unroll 4
    for (int64_t at = b.begin(row) + static_cast<int>(threadIdx.x % lanes); at < to; at += lanes) {
      set_bit(bits, static_cast<uint32_t>(b.column(at) - cut.first));
    }
  }
}

// The part of a row of B that lies in a cut; all of it, without `kSearch`.
template <bool kSearch>
__device__ __forceinline__ int32_t part_of(const Csr& b, int32_t row, Columns cut, int64_t& from) {
  from = b.begin(row);
  int64_t to = b.end(row);
  if (kSearch) {
    from = lower_bound(b, from, to, cut.first);
    to = lower_bound(b, from, to, cut.end);
  }
  return static_cast<int32_t>(to - from);
}

// Calls `each(place, entry, at)` for the terms of A's entries from `begin` to before `end` whose columns lie in `cut`,
// in any order: the column counted from the cut's first, and the entries of A and B. `workers` warps take the entries
// in turn, so that a few long rows of B fall to different ones, and look several up ahead. Only rows of B of more than
// `above` entries; returns whether there are any of more than `most_count`, which are left out. Every lane of the warp
// calls.
template <bool kSearch, class Each>
__device__ __forceinline__ bool for_each_place_of_warp(const Csr& a, const Csr& b, int64_t begin, int64_t end,
                                                       Columns cut, int worker, int workers, int32_t above,
                                                       int32_t most_count, Each each) {
  constexpr int kAhead = 4;
  const int32_t first = static_cast<int32_t>(cut.first) + b.base;
  bool left_out = false;
  for (int64_t chunk = begin + worker; chunk < end; chunk += int64_t{workers} * kWarp) {
    const int64_t mine = chunk + int64_t{lane()} * workers;
    int64_t from = 0;
    int32_t count = mine < end ? part_of<kSearch>(b, a.column(mine), cut, from) : 0;
    left_out = left_out || count > most_count;
    if (count <= above || count > most_count) count = 0;
    unsigned todo = __ballot_sync(kAllLanes, count > 0);
    while (todo != 0) {
      int64_t entries[kAhead], starts[kAhead];
      int32_t counts[kAhead], columns[kAhead];
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        const int owner = todo != 0 ? __ffs(todo) - 1 : 0;
        entries[i] = chunk + int64_t{owner} * workers;
        starts[i] = __shfl_sync(kAllLanes, from, owner) + lane();
        counts[i] = __shfl_sync(kAllLanes, count, owner);
        if (todo == 0) counts[i] = 0;
        todo &= todo - 1;
        columns[i] = lane() < counts[i] ? read_only(b.columns + starts[i]) : -1;
      }
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        if (columns[i] >= 0) each(static_cast<uint32_t>(columns[i] - first), entries[i], starts[i]);
      }
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
#pragma unroll 4
        for (int32_t more = kWarp; lane() + more < counts[i]; more += kWarp) {
          each(static_cast<uint32_t>(read_only(b.columns + starts[i] + more) - first), entries[i], starts[i] + more);
        }
      }
    }
  }
  return left_out;
}

// The same by a whole block: `lanes` share a short row of B, a warp a longer one, and all threads one that is very
// long. Every thread calls.
template <int kThreads, bool kSearch, class Each>
__device__ __forceinline__ void for_each_place_of_block(const Csr& a, const Csr& b, int64_t begin, int64_t end,
                                                        Columns cut, int lanes, Each each) {
  constexpr int32_t kRounds = 32;           // of `lanes` at most
  constexpr int32_t kVeryLong = 64 * 1024;  // would keep a warp longer than the block takes to get together
  OCN_SHARED(int32_t, longs, kThreads);
  OCN_SHARED(int32_t, long_count, 1);
  OCN_SHARED(bool, left_out, 2);
  const int thread = static_cast<int>(threadIdx.x);
  const int32_t first = static_cast<int32_t>(cut.first) + b.base;
  const int32_t of_lanes = lanes < kWarp ? kRounds * lanes : 0;
  if (thread < 2) left_out[thread] = thread == 0 && lanes == kWarp;
  __syncthreads();
  if (lanes < kWarp) {
    bool any_longer = false;
    for (int64_t entry = begin + thread / lanes; entry < end; entry += kThreads / lanes) {
      int64_t from = 0;
      const int32_t count = part_of<kSearch>(b, a.column(entry), cut, from);
      any_longer = any_longer || count > of_lanes;
      if (count > of_lanes) continue;
#pragma unroll 4
      for (int32_t i = thread % lanes; i < count; i += lanes) {
        each(static_cast<uint32_t>(read_only(b.columns + from + i) - first), entry, from + i);
      }
    }
    if (any_longer) left_out[0] = true;
    __syncthreads();
  }
  if (left_out[0]) {
    constexpr int kWarps = kThreads / kWarp;
    if (for_each_place_of_warp<kSearch>(a, b, begin, end, cut, warp_in_block(), kWarps, of_lanes, kVeryLong, each)) {
      left_out[1] = true;
    }
  }
  __syncthreads();
  if (!left_out[1]) return;
  for (int64_t chunk = begin; chunk < end; chunk += kThreads) {
    if (thread == 0) *long_count = 0;
    __syncthreads();
    int64_t from = 0;
    if (chunk + thread < end && part_of<kSearch>(b, a.column(chunk + thread), cut, from) > kVeryLong) {
      longs[atomic_take(long_count, 1)] = thread;
    }
    __syncthreads();
    for (int index = 0; index < *long_count; ++index) {
      const int64_t entry = chunk + longs[index];
      const int32_t count = part_of<kSearch>(b, a.column(entry), cut, from);
#pragma unroll 4
      for (int32_t i = thread; i < count; i += kThreads) {
        each(static_cast<uint32_t>(read_only(b.columns + from + i) - first), entry, from + i);
      }
    }
    __syncthreads();  // before the next chunk's list
  }
}

// Whether a row has at least so many products. Every thread of the block calls.
template <int kThreads>
__device__ __forceinline__ bool has_terms(const Csr& a, const Csr& b, int64_t begin, int64_t end, int64_t least) {
  OCN_SHARED(int64_t, products_of, kThreads / kWarp);
  int64_t products = 0;
  for (int64_t entry = begin + threadIdx.x; entry < end; entry += kThreads) {
    const int32_t row = a.column(entry);
    products += b.end(row) - b.begin(row);
  }
  products = warp_sum(products);
  if (lane() == 0) products_of[warp_in_block()] = products;
  __syncthreads();
  products = 0;
  for (int warp = 0; warp < kThreads / kWarp; ++warp) products += products_of[warp];
  return products >= least;
}

// The columns between which a long row of C lies. Every thread of the block calls.
template <int kThreads>
__device__ __forceinline__ Columns span_of_row(const Csr& a, const Csr& b, int64_t begin, int64_t end) {
  constexpr int kWarps = kThreads / kWarp;
  OCN_SHARED(Columns, spans, kWarps);
  // Each warp looks at its part of A's row.
  const int64_t part = (end - begin + kWarps - 1) / kWarps;
  const int64_t part_begin = least(begin + part * warp_in_block(), end);
  const Columns mine = span_of<kWarp>(a, b, part_begin, least(part_begin + part, end));
  if (lane() == 0) spans[warp_in_block()] = mine;
  __syncthreads();
  Columns span = {INT64_MAX, 0};
  for (int warp = 0; warp < kWarps; ++warp) {
    if (spans[warp].first == spans[warp].end) continue;
    span = {least(span.first, spans[warp].first), most(span.end, spans[warp].end)};
  }
  return span;
}

// Calls `each(cut)` for one part of a long row's span after another, at most `capacity` columns from a multiple of
// `align` on, with the bits of its columns set: from `marks`, if the row has them. The whole block calls, and is
// called.
template <int kThreads, class Each>
__device__ __forceinline__ void for_each_segment(const Csr& a, const Csr& b, int64_t begin, int64_t end, int capacity,
                                                 int align, int lanes, const uint32_t* marks,
                                                 const Shared<uint32_t>& bits, Each each) {
  const Columns span = span_of_row<kThreads>(a, b, begin, end);
  for (Columns cut = {span.first / align * align, 0}; cut.first < span.end; cut.first = cut.end) {
    cut.end = least(cut.first + capacity, span.end);
    const int words = static_cast<int>((cut.end - cut.first + align - 1) / align) * (align / kWordBits);
    if (marks != nullptr) {
      const int64_t first = cut.first / kWordBits, last = (b.cols - 1) / kWordBits;
      for (int i = static_cast<int>(threadIdx.x); i < words; i += kThreads) {
        bits.set(i, first + i <= last ? read_only(marks + first + i) : 0);
      }
      __syncthreads();
      each(cut);
      continue;
    }
    for (int i = static_cast<int>(threadIdx.x); i < words; i += kThreads) bits.set(i, 0);
    __syncthreads();
    const auto set = [&](uint32_t place, int64_t, int64_t) { set_bit(bits, place); };
    if (cut.first <= span.first && cut.end == span.end) {
      for_each_place_of_block<kThreads, false>(a, b, begin, end, cut, lanes, set);
    } else {
      for_each_place_of_block<kThreads, true>(a, b, begin, end, cut, lanes, set);
    }
    __syncthreads();
    each(cut);
  }
}

}  // namespace ocean
