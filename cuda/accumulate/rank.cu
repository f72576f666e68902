// SPDX-License-Identifier: MIT OR Apache-2.0
//
// rank: long rows of C over a wide span. A bitmap of the row's columns gives each of them its rank, so sums lie packed
// and in order, whatever the span: no search for slots, no sort, and a hundred thousand columns in some ten KiB.
//
// A block owns a row. Its warps set bits in any order; then each owns a stretch of ranks, cuts the rows of B to its
// columns, and takes one of them at a time: plain loads and stores in shared memory, the promised order, and no
// barrier.
//
// Reads   A's and B's rows for the listed rows of C twice, values once. Rows of A have at most kSumBlock entries.
// Writes  the rows of C, in slots or in place; in slots, their lengths.
// Cost    O(products + span / 32 + entries of A * stretches) a row.
// Source  Ocean (ICS 2026), sec. 3.3, for the bitmap; ranks and stretches are ours.
#include "accumulate/bitmap.cuh"
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "common/warp.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kRankThreads;
constexpr int kWarps = kThreads / kWarp;
constexpr int kPairBits = 2 * kWordBits;              // columns that share a rank
constexpr int kStretch = tuning::kRankSums / kWarps;  // ranks of one warp at a time
constexpr int kLeastStretch = tuning::kRankLeast;     // fewer are not worth a search of their own
constexpr int kAhead = 4;
static_assert(kStretch > 2 * kPairBits, "a stretch is several pairs, whose ends it keeps to");

// The columns of a segment, in words that lie in pairs.
struct Bitmap {
  uint32_t* bits;
  int32_t* ranks;  // of each pair: entries before it, in this segment

  __device__ int rank(uint32_t place) const {
    const uint32_t word = place / kWordBits;
    const int before = word % 2 == 0 ? 0 : __popc(bits[word - 1]);
    return ranks[place / kPairBits] + before + __popc(bits[word] & ((1u << place % kWordBits) - 1));
  }
};

// Fills the `ranks` of so many pairs; returns all entries. Every thread of the block calls.
__device__ __forceinline__ int count_ranks(const Bitmap& bitmap, int pairs, int32_t* of_warp) {
  // Each warp has neighbouring pairs, and its lanes take neighbours, so that few of them meet in a bank.
  const int share = (pairs + kThreads - 1) / kThreads * kWarp;
  const int first = warp_in_block() * share, end = least(first + share, pairs);
  int before = 0;
  for (int i = first; i < end; i += kWarp) {
    const int pair = i + lane();
    const int mine = pair < end ? __popc(bitmap.bits[2 * pair]) + __popc(bitmap.bits[2 * pair + 1]) : 0;
    const int sum = warp_running_sum(mine);
    if (pair < end) bitmap.ranks[pair] = before + sum - mine;
    before += __shfl_sync(kAllLanes, sum, kWarp - 1);
  }
  if (lane() == 0) of_warp[warp_in_block()] = before;
  __syncthreads();
  int others = 0, all = 0;
  for (int warp = 0; warp < kWarps; ++warp) {
    if (warp < warp_in_block()) others += of_warp[warp];
    all += of_warp[warp];
  }
  for (int pair = first + lane(); pair < end; pair += kWarp) bitmap.ranks[pair] += others;
  __syncthreads();  // `of_warp` is read and `ranks` are written
  return all;
}

// The first pair before which lie at least `rank` entries; `pairs` if fewer do. Any number of lanes calls.
__device__ __forceinline__ int pair_at(const Bitmap& bitmap, int pairs, int rank) {
  int first = 0, last = pairs;
  while (first < last) {
    const int middle = (first + last) / 2;
    if (bitmap.ranks[middle] < rank) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

// Sums of the entries whose ranks in the segment begin with `rank`, at most `stretch` of them, into C's row.
template <class V>
__device__ __forceinline__ void sum_stretch(const Factors<V>& f, const Output<V>& output, const Room& room,
                                            int64_t length, int64_t begin, int64_t end, Columns cut,
                                            const Bitmap& bitmap, int entries, int rank, int stretch, V* sums) {
  const int pairs = static_cast<int>((cut.end - cut.first + kPairBits - 1) / kPairBits);
  const int first_pair = pair_at(bitmap, pairs, rank), end_pair = pair_at(bitmap, pairs, rank + stretch);
  if (first_pair == end_pair) return;
  const int first = bitmap.ranks[first_pair];
  const int count = (end_pair < pairs ? bitmap.ranks[end_pair] : entries) - first;
  const Columns mine = {cut.first + int64_t{first_pair} * kPairBits,
                        least(cut.first + int64_t{end_pair} * kPairBits, cut.end)};
  for (int i = lane(); i < count; i += kWarp) sums[i] = nothing<V>();
  __syncwarp();
  for_each_term<kWarp, kAhead, true>(f, begin, end, mine, [&](bool on, int32_t column, V term) {
    if (!on) return;
    V& sum = sums[bitmap.rank(static_cast<uint32_t>(column - cut.first)) - first];
    sum = summed(sum, term);
  });
  for (int i = lane(); i < count; i += kWarp) output.put_value(room, length + first + i, sums[i]);
  __syncwarp();  // before the next stretch takes the sums
}

template <class V>
__global__ void __launch_bounds__(kThreads) rank(OceanAccumulate p) {
  OCN_DYNAMIC_SHARED(V, all_sums);
  OCN_SHARED(int32_t, of_warp, kWarps);
  OCN_SHARED(Columns, spans, kWarps);
  V* sums = all_sums + warp_in_block() * kStretch;
  auto* const bits = reinterpret_cast<uint32_t*>(all_sums + kWarps * kStretch);
  const int64_t segment = p.capacity;
  const Bitmap bitmap = {bits, reinterpret_cast<int32_t*>(bits + segment / kWordBits)};
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
    cut.end = least(cut.first + segment, span.end);
    const bool whole = cut.first == span.first && cut.end == span.end;
    const int pairs = static_cast<int>((cut.end - cut.first + kPairBits - 1) / kPairBits);
    for (int i = static_cast<int>(threadIdx.x); i < 2 * pairs; i += kThreads) bitmap.bits[i] = 0;
    __syncthreads();
    if (whole) {
      set_bits<false>(f.a, f.b, begin, end, cut, warp_in_block(), kWarps, bitmap.bits);
    } else {
      set_bits<true>(f.a, f.b, begin, end, cut, warp_in_block(), kWarps, bitmap.bits);
    }
    __syncthreads();
    const int entries = count_ranks(bitmap, pairs, of_warp);
    if (length + entries > room.size) {
      length = INT64_MAX;
      break;
    }
    for (int word = static_cast<int>(threadIdx.x); word < 2 * pairs; word += kThreads) {
      uint32_t left = bitmap.bits[word];
      if (left == 0) continue;
      int64_t rank = length + bitmap.rank(static_cast<uint32_t>(word) * kWordBits);
      for (; left != 0; left &= left - 1) {
        output.put_column(room, rank++, static_cast<int32_t>(cut.first) + word * kWordBits + __ffs(left) - 1);
      }
    }
    // A stretch keeps to whole pairs, so it may be a pair's entries longer than it was to be.
    const int even = (entries + kWarps - 1) / kWarps;
    const int stretch = least(most(even, kLeastStretch), kStretch - kPairBits);
    for (int rank = warp_in_block() * stretch; p.values && rank < entries; rank += kWarps * stretch) {
      sum_stretch(f, output, room, length, begin, end, cut, bitmap, entries, rank, stretch, sums);
    }
    length += entries;
    __syncthreads();  // before the next segment's bits
  }
  if (threadIdx.x == 0) output.finish(room, length);
}

template <class V>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  const size_t pairs = p.capacity / kPairBits;
  const size_t shared = kWarps * kStretch * sizeof(V) + pairs * (2 * sizeof(uint32_t) + sizeof(int32_t));
  if (const int32_t code = allow_shared(rank<V>, shared)) return code;
  OCN_LAUNCH((rank<V>), blocks_for(p.count, 1), kThreads, shared, stream, p);
  return last_launch_error();
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_accumulate_rank(const OceanAccumulate* p, OceanStream stream) {
  using namespace ocean;
  return by_value(*p, [&](auto value) { return launch<decltype(value)>(*p, stream); });
}
