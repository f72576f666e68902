// SPDX-License-Identifier: MIT OR Apache-2.0
//
// blocks: rows of A beyond kSumBlock entries, whose blocks are summed apart. In slices of C's columns, each an array of
// sums as in window. For steps of a reuse, which only enqueue, and rows that outgrew their slots; others are split.
//
// A block owns a row, or a part of its columns; its warps take neighbouring slices and cut the rows of B by search.
// Slices go to C as soon as their lengths are known. Blocks that share a row know what lies before their part from a
// bitmap of the row, set beforehand.
//
// Reads   A's and B's rows for the listed rows of C once for each slice, as far as they lie in it, with values.
// Writes  the rows of C, in slots or in place; in slots, their lengths.
// Cost    O(products + entries of A * slices) a row.
// Source  Ocean (ICS 2026), sec. 3.3, for several passes over a span that does not fit.
#include "accumulate/bitmap.cuh"
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "accumulate/terms.cuh"
#include "common/warp.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * kWarp;
// So that the sums of a block are as many bytes for complex numbers as for others.
template <class V>
constexpr int kWidthOf = tuning::kSliceColumns / (sizeof(V) > 8 ? 2 : 1);
constexpr int kAhead = 4;

// The sums of a slice, by one warp. Where A's row has more than one block, `sums` hold one block at a time, and
// `totals` what the blocks before came to.
template <class V>
__device__ __forceinline__ void sum_slice(const Factors<V>& f, int64_t begin, int64_t end, Columns cut, V* sums,
                                          V* totals, Stage<V>& stage) {
  const int width = static_cast<int>(cut.end - cut.first);
  const int32_t first = static_cast<int32_t>(cut.first);
  if (sums != totals || begin == end) {
    for (int i = lane(); i < width; i += kWarp) totals[i] = nothing<V>();
  }
  for (int64_t block = begin; block < end; block += tuning::kSumBlock) {
    for (int i = lane(); i < width; i += kWarp) sums[i] = nothing<V>();
    __syncwarp();
    const int64_t block_end = least(block + tuning::kSumBlock, end);
    for_each_term<kWarp, kAhead, true>(f, block, block_end, cut, stage, [&](int32_t column, V term) {
      if (column >= 0) sums[column - first] = summed(sums[column - first], term);
    });
    if (sums == totals) return;
    for (int i = lane(); i < width; i += kWarp) {
      if (!is_nothing(sums[i])) totals[i] = summed(totals[i], sums[i]);
    }
    __syncwarp();
  }
}

// Marks of a row in so many words. Every thread of the block calls.
__device__ __forceinline__ int64_t count_marks(const uint32_t* marks, int64_t words, int* of_warp) {
  int count = 0;
  for (int64_t i = threadIdx.x; i < words; i += kThreads) count += __popc(read_only(marks + i));
  count = warp_sum(count);
  if (lane() == 0) of_warp[warp_in_block()] = count;
  __syncthreads();
  int64_t all = 0;
  for (int warp = 0; warp < kWarps; ++warp) all += of_warp[warp];
  __syncthreads();  // `of_warp` is read
  return all;
}

template <class V>
__global__ void __launch_bounds__(kThreads) blocks(OceanAccumulate p) {
  OCN_DYNAMIC_SHARED(V, windows);
  OCN_SHARED(Stage<V>, stages, kWarps);
  OCN_SHARED(int, lengths, kWarps);
  const Factors<V> f(p.factors);
  const Output<V> output(p);
  const int part = static_cast<int>(blockIdx.x % p.parts);
  const Room room = output.room(blockIdx.x / p.parts);
  const int64_t begin = f.a.begin(room.row), end = f.a.end(room.row);
  if (end - begin < p.least_entries || end - begin > p.most_entries) return;  // the whole block leaves together
  Columns span = span_of<kWarp>(f.a, f.b, begin, end);
  constexpr int kWidth = kWidthOf<V>;
  const bool in_blocks = end - begin > tuning::kSumBlock;
  const int width = in_blocks ? kWidth / 2 : kWidth;
  V* totals = windows + warp_in_block() * kWidth;
  V* sums = in_blocks ? totals + width : totals;

  int64_t length = 0;
  if (p.parts > 1) {
    constexpr int64_t kWhole = kWarps * kWidth;  // parts are whole rounds, and whole words
    const int64_t columns = (f.b.cols + p.parts * kWhole - 1) / (p.parts * kWhole) * kWhole;
    const int64_t first = most(span.first, part * columns);
    span = {first, most(least(span.end, (part + 1) * columns), first)};
    length = count_marks(p.marks + blockIdx.x / p.parts * p.mark_words, least(part * columns / kWordBits, p.mark_words),
                         lengths);
  }
  for (int64_t round = span.first; round < span.end; round += int64_t{kWarps} * width) {
    const int64_t first = least(round + int64_t{warp_in_block()} * width, span.end);
    const Columns cut = {first, least(first + width, span.end)};
    const int columns = static_cast<int>(cut.end - cut.first);
    sum_slice(f, begin, end, cut, sums, totals, stages[warp_in_block()]);
    int mine = 0;
    for (int i = lane(); i < columns; i += kWarp) mine += !is_nothing(totals[i]);
    mine = warp_sum(mine);
    if (lane() == 0) lengths[warp_in_block()] = mine;
    __syncthreads();
    int64_t rank = length;
    for (int warp = 0; warp < kWarps; ++warp) {
      if (warp < warp_in_block()) rank += lengths[warp];
      length += lengths[warp];
    }
    for (int i = 0; i < columns; i += kWarp) {
      const int at = i + lane();
      const V sum = at < columns ? totals[at] : nothing<V>();
      const bool here = !is_nothing(sum);
      const unsigned votes = __ballot_sync(kAllLanes, here);
      if (here) output.put(room, rank + Group<kWarp>::before(votes), static_cast<int32_t>(cut.first) + at, sum);
      rank += __popc(votes);
    }
    __syncthreads();  // `lengths` are read
  }
  if (threadIdx.x == 0 && part == p.parts - 1) output.finish(room, length);
}

template <class V>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  constexpr size_t kShared = kWarps * kWidthOf<V> * sizeof(V);
  if (const int32_t code = allow_shared(blocks<V>, kShared)) return code;
  OCN_LAUNCH((blocks<V>), blocks_for(p.count * p.parts, 1), kThreads, kShared, stream, p);
  return last_launch_error();
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_accumulate_blocks(const OceanAccumulate* p, OceanStream stream) {
  using namespace ocean;
  return by_value(p->value_type, [&](auto value) { return launch<decltype(value)>(*p, stream); });
}
