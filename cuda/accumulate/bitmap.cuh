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

__device__ __forceinline__ void set_bit(uint32_t* bits, uint32_t place) {
  uint32_t* word = bits + place / kWordBits;
  const uint32_t bit = 1u << place % kWordBits;
  if ((*word & bit) == 0) atomic_or(word, bit);
}

// Sets the bits of the columns in `cut` that A's entries from `begin` to before `end` give; `workers` groups of `lanes`
// take the entries in turn, of which the caller's is number `worker`; each lane of a group takes a column. With
// `kSearch`, rows of B may reach out of the cut.
template <bool kSearch, class Bits>
__device__ __forceinline__ void set_bits(const Csr& a, const Csr& b, int64_t begin, int64_t end, Columns cut,
                                         int worker, int workers, Bits bits, int lanes = kWarp) {
  for (int64_t entry = begin + worker; entry < end; entry += workers) {
    const int32_t row = a.column(entry);
    int64_t from = b.begin(row), to = b.end(row);
    if (kSearch) {
      from = lower_bound(b, from, to, cut.first);
      to = lower_bound(b, from, to, cut.end);
    }
#pragma unroll 4
    for (int64_t at = from + static_cast<int>(threadIdx.x % lanes); at < to; at += lanes) {
      set_bit(bits, static_cast<uint32_t>(b.column(at) - cut.first));
    }
  }
}

// The same by whole warps, which look up several entries of A ahead: for long rows. Warps take entries in turn, so that
// a few long rows of B fall to different ones.
template <bool kSearch>
__device__ __forceinline__ void set_bits_by_warps(const Csr& a, const Csr& b, int64_t begin, int64_t end, Columns cut,
                                                  int worker, int workers, const Shared<uint32_t>& bits) {
  constexpr int kAhead = 4;
  const int32_t first = static_cast<int32_t>(cut.first) + b.base;
  for (int64_t chunk = begin + worker; chunk < end; chunk += int64_t{workers} * kWarp) {
    const int64_t entry = chunk + int64_t{lane()} * workers;
    int64_t from = 0;
    int32_t count = 0;
    if (entry < end) {
      const int32_t row = a.column(entry);
      from = b.begin(row);
      int64_t to = b.end(row);
      if (kSearch) {
        from = lower_bound(b, from, to, cut.first);
        to = lower_bound(b, from, to, cut.end);
      }
      count = static_cast<int32_t>(to - from);
    }
    const int entries = static_cast<int>(least<int64_t>((end - chunk + workers - 1) / workers, kWarp));
    for (int next = 0; next < entries; next += kAhead) {
      const int32_t* at[kAhead];
      int32_t counts[kAhead], columns[kAhead];
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        at[i] = b.columns + __shfl_sync(kAllLanes, from, (next + i) % kWarp);
        counts[i] = __shfl_sync(kAllLanes, count, (next + i) % kWarp);
        if (next + i >= entries) counts[i] = 0;
        columns[i] = lane() < counts[i] ? read_only(at[i] + lane()) : -1;
      }
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        if (columns[i] >= 0) set_bit(bits, static_cast<uint32_t>(columns[i] - first));
      }
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
#pragma unroll 4
        for (int32_t more = lane() + kWarp; more < counts[i]; more += kWarp) {
          set_bit(bits, static_cast<uint32_t>(read_only(at[i] + more) - first));
        }
      }
    }
  }
}

// Calls `each(cut)` for one part of a long row's span after another, at most `capacity` columns from a multiple of
// `kAlign` on, with the bits of its columns set. The whole block calls, and is called.
template <int kThreads, int kAlign, class Each>
__device__ __forceinline__ void for_each_segment(const Csr& a, const Csr& b, int64_t begin, int64_t end, int capacity,
                                                 const Shared<uint32_t>& bits, Each each) {
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
  for (Columns cut = {span.first / kAlign * kAlign, 0}; cut.first < span.end; cut.first = cut.end) {
    cut.end = least(cut.first + capacity, span.end);
    const int words = static_cast<int>((cut.end - cut.first + kAlign - 1) / kAlign) * (kAlign / kWordBits);
    for (int i = static_cast<int>(threadIdx.x); i < words; i += kThreads) bits.set(i, 0);
    __syncthreads();
    if (cut.first <= span.first && cut.end == span.end) {
      set_bits_by_warps<false>(a, b, begin, end, cut, warp_in_block(), kWarps, bits);
    } else {
      set_bits_by_warps<true>(a, b, begin, end, cut, warp_in_block(), kWarps, bits);
    }
    __syncthreads();
    each(cut);
  }
}

}  // namespace ocean
