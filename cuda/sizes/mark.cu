// SPDX-License-Identifier: MIT OR Apache-2.0
//
// mark: which columns a few long rows of C have, as bits in global memory. Many blocks share each row, since its
// products may be millions. Where B is not too wide, each gathers its bits in shared memory first: atomics on few words
// would wait for one another.
//
// Reads   A's and B's rows for the listed rows of C; no values.
// Writes  a bit for each column of B, for each listed row.
// Cost    O(products + columns of B / 32) a row.
// Source  Ocean (ICS 2026), sec. 3.3, for bitmaps.
#include "accumulate/bitmap.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kCountThreads;
constexpr int kFewEntries = 128;          // of A: fewer than there are blocks
constexpr int64_t kGatheredWords = 4096;  // 16 KiB a block

__global__ void __launch_bounds__(kThreads) mark_begin(OceanMark p) {
  for (int64_t i = global_thread(); i < p.count * p.mark_words; i += grid_threads()) p.marks[i] = 0;
}

// Calls `set(column)` for this block's part of the row's terms.
template <class Set>
__device__ __forceinline__ void for_each_column(const OceanMark& p, int64_t row, int member, Set set) {
  const Csr a(p.a), b(p.b);
  const int64_t begin = a.begin(row), end = a.end(row);
  if (end - begin <= kFewEntries) {
    // All blocks share each row of B.
    for (int64_t entry = begin; entry < end; ++entry) {
      const int32_t row_of_b = a.column(entry);
      const int64_t from = b.begin(row_of_b), to = b.end(row_of_b);
      const int64_t step = int64_t{p.blocks} * kThreads;
      for (int64_t at = from + int64_t{member} * kThreads + threadIdx.x; at < to; at += step) {
        set(static_cast<uint32_t>(b.column(at)));
      }
    }
    return;
  }
  const int64_t part = (end - begin + p.blocks - 1) / p.blocks;
  const int64_t first = least(begin + part * member, end);
  for_each_place_of_block<kThreads, false>(a, b, first, least(first + part, end), Columns{0, b.cols}, p.lanes,
                                           [&](uint32_t place, int64_t, int64_t) { set(place); });
}

__global__ void __launch_bounds__(kThreads) mark(OceanMark p) {
  const int64_t index = blockIdx.x / p.blocks;
  uint32_t* const marks = p.marks + index * p.mark_words;
  for_each_column(p, p.rows[index], static_cast<int>(blockIdx.x % p.blocks),
                  [&](uint32_t column) { set_bit(marks, column); });
}

__global__ void __launch_bounds__(kThreads) mark_gathered(OceanMark p) {
  OCN_DYNAMIC_SHARED(uint32_t, words);
  const Shared<uint32_t> bits(words);
  const int64_t index = blockIdx.x / p.blocks;
  const int count = static_cast<int>(p.mark_words);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) bits.set(i, 0);
  __syncthreads();
  for_each_column(p, p.rows[index], static_cast<int>(blockIdx.x % p.blocks),
                  [&](uint32_t column) { set_bit(bits, column); });
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) {
    const uint32_t mine = bits.get(i);
    if (mine != 0) atomic_or(p.marks + index * p.mark_words + i, mine);
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_mark(const OceanMark* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(mark_begin, blocks_for(p->count * p->mark_words, kThreads, tuning::kStreamBlocks), kThreads, 0, stream,
             *p);
  const unsigned blocks = blocks_for(p->count * p->blocks, 1);
  if (p->mark_words <= kGatheredWords) {
    OCN_LAUNCH(mark_gathered, blocks, kThreads, p->mark_words * sizeof(uint32_t), stream, *p);
  } else {
    OCN_LAUNCH(mark, blocks, kThreads, 0, stream, *p);
  }
  return last_launch_error();
}
