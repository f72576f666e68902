// SPDX-License-Identifier: MIT OR Apache-2.0
//
// mark: which columns a few long rows of C have, as bits in global memory. Many blocks share each row, since its
// products may be millions.
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
constexpr int kFewEntries = 128;  // of A: fewer than there are blocks

__global__ void __launch_bounds__(kThreads) mark_begin(OceanMark p) {
  for (int64_t i = global_thread(); i < p.count * p.mark_words; i += grid_threads()) p.marks[i] = 0;
}

__global__ void __launch_bounds__(kThreads) mark(OceanMark p) {
  const Csr a(p.a), b(p.b);
  const int64_t index = blockIdx.x / p.blocks;
  const int64_t row = p.rows[index];
  const int64_t begin = a.begin(row), end = a.end(row);
  uint32_t* const marks = p.marks + index * p.mark_words;
  const auto set = [&](uint32_t place, int64_t, int64_t) { set_bit(marks, place); };
  const int member = static_cast<int>(blockIdx.x % p.blocks);
  if (end - begin <= kFewEntries) {
    // All blocks share each row of B.
    for (int64_t entry = begin; entry < end; ++entry) {
      const int32_t row_of_b = a.column(entry);
      const int64_t from = b.begin(row_of_b), to = b.end(row_of_b);
      const int64_t step = int64_t{p.blocks} * kThreads;
      for (int64_t at = from + int64_t{member} * kThreads + threadIdx.x; at < to; at += step) {
        set(static_cast<uint32_t>(b.column(at)), entry, at);
      }
    }
    return;
  }
  const int64_t part = (end - begin + p.blocks - 1) / p.blocks;
  const int64_t first = least(begin + part * member, end);
  for_each_place_of_block<kThreads, false>(a, b, first, least(first + part, end), Columns{0, b.cols}, p.lanes, set);
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_mark(const OceanMark* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(mark_begin, blocks_for(p->count * p->mark_words, kThreads, tuning::kStreamBlocks), kThreads, 0, stream,
             *p);
  OCN_LAUNCH(mark, blocks_for(p->count * p->blocks, 1), kThreads, 0, stream, *p);
  return last_launch_error();
}
