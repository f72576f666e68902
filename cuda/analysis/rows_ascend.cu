// SPDX-License-Identifier: MIT OR Apache-2.0
//
// rows_ascend: whether a matrix keeps the rules of CSR, and whether the columns of every row ascend strictly.
//
// An entry whose column is not above that of the entry before it is in order only where a row begins. So descents are
// counted up over all entries, and down over the rows that begin with one: what is left is in disorder. No entry has to
// know its row.
//
// Reads   columns, as one stream; offsets, and the two columns around the start of each row; no values.
// Writes  one OceanOrder. By the way it tells how many rows look like their neighbours, which alike.cu looks into.
// Cost    O(nnz + rows), one read of the columns. Naming the first row in disorder is a read of its own, with a search
//         at each descent, for matrices that have one.
#include "common/csr.cuh"
#include "common/warp.cuh"
#include "ocean_kernels.h"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;
constexpr int kWarps = kThreads / kWarp;

__device__ __forceinline__ bool descends(const Csr& m, int64_t entry) {
  return entry > 0 && m.column(entry) <= m.column(entry - 1);
}

__host__ __device__ __forceinline__ unsigned blocks_over(const OceanCsr& matrix) {
  const int64_t work = matrix.nnz < matrix.rows ? matrix.rows : matrix.nnz;
  return blocks_for(work, kThreads, tuning::kStreamBlocks);
}

__global__ void begin_analysis(OceanFacts* facts) {
  constexpr OceanOrder kSound = {0, OCEAN_NONE, OCEAN_NONE, 0, 0, 0, 0};
  *facts = {{kSound, kSound}, {}, 0, {}, {}};
}

__global__ void __launch_bounds__(kThreads) rows_ascend(OceanRowsAscend p) {
  OCN_SHARED(int64_t, of_warp, kWarps);
  OCN_SHARED(int64_t, longest_of_warp, kWarps);
  // The first blocks look at the first matrix, the others at the other.
  const unsigned of_first = blocks_over(p.matrices[0]);
  const bool other = blockIdx.x >= of_first;
  const Csr m(p.matrices[other]);
  OceanOrder* const order = p.orders + other;
  const int64_t thread = int64_t{blockIdx.x - (other ? of_first : 0)} * kThreads + threadIdx.x;
  const int64_t threads = int64_t{other ? gridDim.x - of_first : of_first} * kThreads;
  // The offsets are not to be trusted yet.
  const int64_t last_end = m.begin(m.rows);
  const int64_t entries = last_end <= m.nnz ? last_end : 0;
  int64_t disordered = 0, longest_row = 0, bad_entry = OCEAN_NONE, bad_row = OCEAN_NONE;
  int32_t repeats = 0, shifts = 0;
  if (thread == 0) order->nnz = last_end;

#pragma unroll 4
  for (int64_t entry = thread; entry < entries; entry += threads) {
    const int32_t column = m.column(entry);
    if (column < 0 || column >= m.cols) bad_entry = least(bad_entry, entry);
    disordered += descends(m, entry);
  }
#pragma unroll 4
  for (int64_t row = thread; row < m.rows; row += threads) {
    const int64_t begin = m.begin(row), end = m.end(row);
    if (begin < 0 || begin > end || end > entries || (row == 0 && begin != 0)) {
      bad_row = least(bad_row, row);
    } else if (begin < end) {
      disordered -= descends(m, begin);
      longest_row = most(longest_row, end - begin);
      const int64_t before = row > 0 ? m.begin(row - 1) : -1;
      if (before >= 0 && begin - before == end - begin) {
        const int64_t moved = int64_t{m.column(begin)} - m.column(before);
        const bool whole = int64_t{m.column(end - 1)} - m.column(begin - 1) == moved;
        repeats += whole && moved == 0;
        shifts += whole && moved == 1;
      }
    }
  }
  repeats = warp_sum(repeats);
  shifts = warp_sum(shifts);
  if (lane() == 0 && repeats > 0) atomic_add(&order->repeats, int64_t{repeats});
  if (lane() == 0 && shifts > 0) atomic_add(&order->shifts, int64_t{shifts});
  if (bad_entry != OCEAN_NONE) atomic_least(&order->bad_entry, bad_entry);
  if (bad_row != OCEAN_NONE) atomic_least(&order->bad_row, bad_row);

  disordered = warp_sum(disordered);
  longest_row = warp_most(longest_row);
  if (lane() == 0) {
    of_warp[warp_in_block()] = disordered;
    longest_of_warp[warp_in_block()] = longest_row;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < kWarps; ++warp) {
    disordered += of_warp[warp];
    longest_row = most(longest_row, longest_of_warp[warp]);
  }
  if (disordered != 0) atomic_add(&order->disordered, disordered);
  atomic_most(&order->longest_row, longest_row);
}

__global__ void first_unordered_begin(OceanFirstUnordered p) { *p.row = OCEAN_NONE; }

__global__ void __launch_bounds__(kThreads) first_unordered(OceanFirstUnordered p) {
  const Csr m(p.matrix);
  const int64_t entries = m.begin(m.rows);
  for (int64_t entry = global_thread(); entry < entries; entry += grid_threads()) {
    if (!descends(m, entry)) continue;
    const int64_t row = m.row_of(entry, 0, m.rows - 1);
    if (m.begin(row) == entry) continue;
    atomic_least(p.row, row);
    return;  // this thread's later entries lie in no earlier row
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_begin_analysis(const OceanBeginAnalysis* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(begin_analysis, 1, 1, 0, stream, p->facts);
  return last_launch_error();
}

extern "C" int32_t ocean_rows_ascend(const OceanRowsAscend* p, OceanStream stream) {
  using namespace ocean;
  unsigned blocks = 0;
  for (int32_t i = 0; i < p->count; ++i) blocks += blocks_over(p->matrices[i]);
  OCN_LAUNCH(rows_ascend, blocks, kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_first_unordered(const OceanFirstUnordered* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(first_unordered_begin, 1, 1, 0, stream, *p);
  OCN_LAUNCH(first_unordered, blocks_over(p->matrix), kThreads, 0, stream, *p);
  return last_launch_error();
}
