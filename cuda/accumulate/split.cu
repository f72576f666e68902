// SPDX-License-Identifier: MIT OR Apache-2.0
//
// split: rows of A beyond kSumBlock entries as two products of ordinary rows. The promised sums of such a row restart
// at every kSumBlock entries and are then added up block by block, so the row is a product of ones and of blocks times
// B.
//
// Reads   A's offsets, the listed rows, and how many blocks lie before each of them.
// Writes  the blocks as rows of A's entries (with a row more after each listed row, for the entries between them), and
//         the listed rows as rows of ones over the blocks.
// Cost    O(rows + blocks).
// Source  ours.
#include "common/csr.cuh"
#include "common/values.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;

__global__ void __launch_bounds__(kThreads) count_blocks_of(OceanSplit p) {
  const Csr a(p.a);
  const int64_t i = global_thread();
  if (i >= p.count) return;
  const int64_t entries = a.end(p.rows[i]) - a.begin(p.rows[i]);
  p.before[i] = (entries + tuning::kSumBlock - 1) / tuning::kSumBlock;
}

// How many of `count` ascending values are below `value`.
template <class T>
__device__ __forceinline__ int64_t count_below(const T* values, int64_t count, int64_t value) {
  int64_t first = 0;
  while (first < count) {
    const int64_t middle = first + (count - first) / 2;
    if (values[middle] < value) {
      first = middle + 1;
    } else {
      count = middle;
    }
  }
  return first;
}

template <class V>
__global__ void __launch_bounds__(kThreads) split(OceanSplit p) {
  const Csr a(p.a);
  const int64_t blocks = p.before[p.count];
  const int64_t rows = p.most_blocks + p.count + 1;  // of the first product, of which the last is empty
  const int64_t end = a.end(a.rows - 1) + a.base;
  for (int64_t i = global_thread(); i <= most(a.rows, rows); i += grid_threads()) {
    if (i <= a.rows) p.row_blocks[i] = p.before[count_below(p.rows, p.count, i)];
    if (i <= rows) p.sizes[i] = 0;
    if (i >= blocks + p.count && i <= rows) p.offsets[i] = end;
    if (i >= p.most_blocks) continue;
    static_cast<V*>(p.ones)[i] = V(1);
    p.blocks[i] = static_cast<int32_t>(rows - 1);
    if (i >= blocks) continue;
    const int64_t listed = count_below(p.before, p.count + 1, i + 1) - 1;
    const int64_t first = i - p.before[listed];  // of the row's blocks
    const int64_t row = p.rows[listed];
    p.blocks[i] = static_cast<int32_t>(i + listed);
    p.offsets[i + listed] = a.begin(row) + first * tuning::kSumBlock + a.base;
    if (i + 1 == p.before[listed + 1]) p.offsets[i + listed + 1] = a.end(row) + a.base;
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_split_blocks(const OceanSplit* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(count_blocks_of, blocks_for(p->count, kThreads), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_split(const OceanSplit* p, OceanStream stream) {
  using namespace ocean;
  const int64_t threads = p->a.rows + p->most_blocks + p->count + 2;
  const unsigned blocks = blocks_for(threads, kThreads, tuning::kStreamBlocks);
  return by_value(p->value_type, [&](auto value) {
    OCN_LAUNCH((split<decltype(value)>), blocks, kThreads, 0, stream, *p);
    return last_launch_error();
  });
}
