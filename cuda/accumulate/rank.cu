// SPDX-License-Identifier: MIT OR Apache-2.0
//
// rank: long rows of C over a wide span. A bitmap of the row's columns gives each of them its rank, so sums lie packed
// and in order, whatever the span: no search, no sort, and a hundred thousand columns in some ten KiB.
//
// A block owns a row. Bits are set in any order. Then the block's warps take a row of B each and look up ranks side by
// side, and add one after another, a barrier between: so sums have the promised order.
//
// Reads   A's and B's rows for the listed rows of C twice, values once. Rows of A have at most kSumBlock entries.
// Writes  the rows of C, in slots or in place; in slots, their lengths. Sums that don't fit shared memory are summed in
//         C's own place, so C's old values can't be read: beta is 0.
// Cost    O(products + span / 32) a row, and a barrier for each entry of A.
// Source  Ocean (ICS 2026), sec. 3.3, for the bitmap; ranks and turns are ours.
#include "accumulate/bitmap.cuh"
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kRankThreads;
constexpr int kWarps = kThreads / kWarp;
constexpr int kSegment = tuning::kRankSegment;  // columns at a time
constexpr int kWords = kSegment / kWordBits;
constexpr int kShare = kWords / kThreads;   // words of one thread
constexpr int kSums = tuning::kRankSums;    // entries of a segment that are summed in shared memory
constexpr int kChunks = 4;                  // of a row of B, whose loads are under way while other warps add
static_assert(kWords % kThreads == 0, "threads have equal shares of the bitmap");

struct Bitmap {
  uint32_t* bits;    // kWords
  int32_t* ranks;    // kWords: entries before the word, in this segment

  __device__ int rank(uint32_t place) const {
    const uint32_t word = bits[place / kWordBits];
    return ranks[place / kWordBits] + __popc(word & ((1u << place % kWordBits) - 1));
  }
};

// Fills `ranks`; returns all entries. Every thread of the block calls.
__device__ __forceinline__ int count_ranks(const Bitmap& bitmap, int32_t* of_warp) {
  const int first = static_cast<int>(threadIdx.x) * kShare;
  int mine = 0;
  for (int i = 0; i < kShare; ++i) mine += __popc(bitmap.bits[first + i]);
  int before = mine;  // up to and with this thread, within the warp
  for (int step = 1; step < kWarp; step *= 2) {
    const int below = __shfl_up_sync(kAllLanes, before, step);
    if (lane() >= step) before += below;
  }
  if (lane() == kWarp - 1) of_warp[warp_in_block()] = before;
  __syncthreads();
  before -= mine;
  int all = 0;
  for (int warp = 0; warp < kWarps; ++warp) {
    if (warp < warp_in_block()) before += of_warp[warp];
    all += of_warp[warp];
  }
  for (int i = 0; i < kShare; ++i) {
    bitmap.ranks[first + i] = before;
    before += __popc(bitmap.bits[first + i]);
  }
  __syncthreads();  // `of_warp` is read and `ranks` are written
  return all;
}

template <class V, bool kSearch>
__device__ __forceinline__ void add_in_turns(const Factors<V>& f, int64_t begin, int64_t end, Columns cut,
                                             const Bitmap& bitmap, V* sums) {
  for (int64_t batch = begin; batch < end; batch += kWarps) {
    const int64_t entry = batch + warp_in_block();
    int64_t from = 0, to = 0;
    V left = V(0);
    if (entry < end) {
      const int32_t row = f.a.column(entry);
      left = f.left(entry);
      from = f.b.begin(row);
      to = f.b.end(row);
      if (kSearch) {
        from = lower_bound(f.b, from, to, cut.first);
        to = lower_bound(f.b, from, to, cut.end);
      }
    }
    const auto place = [&](int64_t at) { return static_cast<uint32_t>(f.b.column(at) - cut.first); };
    int ranks[kChunks];
    V terms[kChunks];
#pragma unroll
    for (int i = 0; i < kChunks; ++i) {
      const int64_t at = from + i * kWarp + lane();
      ranks[i] = at < to ? bitmap.rank(place(at)) : -1;
      terms[i] = at < to ? multiplied(left, f.right(at)) : V(0);
    }
    for (int turn = 0; turn < kWarps; ++turn) {
      if (turn == warp_in_block()) {
#pragma unroll
        for (int i = 0; i < kChunks; ++i) {
          if (ranks[i] >= 0) sums[ranks[i]] = summed(sums[ranks[i]], terms[i]);
        }
        for (int64_t at = from + kChunks * kWarp + lane(); at < to; at += kWarp) {
          V& sum = sums[bitmap.rank(place(at))];
          sum = summed(sum, multiplied(left, f.right(at)));
        }
      }
      __syncthreads();  // the next warp adds to what this one wrote
    }
  }
}

template <class V>
__global__ void __launch_bounds__(kThreads) rank(OceanAccumulate p) {
  OCN_DYNAMIC_SHARED(V, few_sums);
  OCN_SHARED(int32_t, of_warp, kWarps);
  OCN_SHARED(Columns, spans, kWarps);
  const Bitmap bitmap = {reinterpret_cast<uint32_t*>(few_sums + kSums),
                         reinterpret_cast<int32_t*>(few_sums + kSums) + kWords};
  const Factors<V> f(p.factors);
  const Output<V> output(p);
  const Room room = output.room(blockIdx.x);
  const int64_t begin = f.a.begin(room.row), end = f.a.end(room.row);
  if (end - begin < p.least_entries || end - begin > p.most_entries) return;  // the whole block leaves together
  // Each warp looks at its part of A's row.
  const int64_t part = (end - begin + kWarps - 1) / kWarps;
  const int64_t part_begin = least(begin + part * warp_in_block(), end);
  const Columns mine = span_of<kWarp>(f.a, f.b, part_begin, least(part_begin + part, end));
  if (lane() == 0) spans[warp_in_block()] = mine;
  __syncthreads();
  Columns span = spans[0];
  for (int warp = 1; warp < kWarps; ++warp) {
    if (spans[warp].first == spans[warp].end) continue;
    span = span.first == span.end ? spans[warp]
                                  : Columns{least(span.first, spans[warp].first), most(span.end, spans[warp].end)};
  }

  int64_t length = 0;
  for (Columns cut = {span.first, 0}; cut.first < span.end; cut.first = cut.end) {
    cut.end = least(cut.first + kSegment, span.end);
    const bool whole = cut.first == span.first && cut.end == span.end;
    for (int i = static_cast<int>(threadIdx.x); i < kWords; i += kThreads) bitmap.bits[i] = 0;
    __syncthreads();
    if (whole) {
      set_bits<false>(f.a, f.b, begin, end, cut, warp_in_block(), kWarps, bitmap.bits);
    } else {
      set_bits<true>(f.a, f.b, begin, end, cut, warp_in_block(), kWarps, bitmap.bits);
    }
    __syncthreads();
    const int entries = count_ranks(bitmap, of_warp);
    if (length + entries > room.size) {
      length = INT64_MAX;
      break;
    }
    const bool few = entries <= kSums;
    V* sums = few || !p.values ? few_sums : output.value_at(room, length);
    for (int word = static_cast<int>(threadIdx.x); word < kWords; word += kThreads) {
      int64_t rank = length + bitmap.ranks[word];
      for (uint32_t left = bitmap.bits[word]; left != 0; left &= left - 1) {
        output.put_column(room, rank++, static_cast<int32_t>(cut.first) + word * kWordBits + __ffs(left) - 1);
      }
    }
    if (p.values) {
      for (int i = static_cast<int>(threadIdx.x); i < entries; i += kThreads) sums[i] = nothing<V>();
      __syncthreads();
      if (whole) {
        add_in_turns<V, false>(f, begin, end, cut, bitmap, sums);
      } else {
        add_in_turns<V, true>(f, begin, end, cut, bitmap, sums);
      }
      if (few || !output.plain()) {
        for (int i = static_cast<int>(threadIdx.x); i < entries; i += kThreads) {
          output.put_value(room, length + i, sums[i]);
        }
      }
    }
    length += entries;
    __syncthreads();  // before the next segment's bits
  }
  if (threadIdx.x == 0) output.finish(room, length);
}

template <class V>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  constexpr size_t kShared = kSums * sizeof(V) + kWords * (sizeof(uint32_t) + sizeof(int32_t));
  if (const int32_t code = allow_shared(rank<V>, kShared)) return code;
  OCN_LAUNCH((rank<V>), blocks_for(p.count, 1), kThreads, kShared, stream, p);
  return last_launch_error();
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_accumulate_rank(const OceanAccumulate* p, OceanStream stream) {
  using namespace ocean;
  return by_value(*p, [&](auto value) { return launch<decltype(value)>(*p, stream); });
}
