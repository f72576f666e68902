// SPDX-License-Identifier: MIT OR Apache-2.0
//
// alike: rows of C that are as long as others, so that only those need be counted.
//
// Meshes with several unknowns a node, and cliques, have neighbouring rows of A with equal columns; numbering may have
// torn them apart. On a structured grid a row of A is the one before moved by one column, and so are the rows of B that
// it names: then the row of C is the one before moved by one column.
//
// A warp looks at 32 rows: first, a lane a row, at what is cheap; then, several lanes a row, at all columns of those
// that are left. A run of equal or moved rows ends where the next warp's rows begin, so no row is far from its head.
//
// Reads   A's pattern; of moved rows B's pattern, too. Columns in any order, as stored. Products of the rows.
// Writes  for each row of C one that is as long, which stands for itself; the products of those.
// Cost    O(rows) where nothing is alike, O(nnz) where all is.
// Source  ours.
#include "common/csr.cuh"
#include "common/warp.cuh"
#include "ocean_kernels.h"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;
constexpr int kLanes = 8;  // that compare one row
constexpr int kAtOnce = kWarp / kLanes;
constexpr int64_t kLongest = tuning::kAlikeRow;

// Which of the warp's rows, a lane's each, of those in `todo`, differ from no other: `differs(row, other, lane)` of
// none of kLanes lanes, with what the row's lane has in `other`. Every lane of the warp calls.
template <class Differs>
__device__ __forceinline__ unsigned those_alike(unsigned todo, int32_t other, Differs differs) {
  unsigned alike = todo;
  while (todo != 0) {
    int mine = -1;  // the row of this lane's group
#pragma unroll
    for (int group = 0; group < kAtOnce; ++group) {
      const int next = todo != 0 ? __ffs(todo) - 1 : -1;
      if (lane() / kLanes == group) mine = next;
      todo &= todo - 1;
    }
    const int32_t from = __shfl_sync(kAllLanes, other, most(mine, 0));
    const bool differ = mine >= 0 && differs(mine, from, lane() % kLanes);
    const unsigned votes = __ballot_sync(kAllLanes, differ);
#pragma unroll
    for (int group = 0; group < kAtOnce; ++group) {
      const int row = __shfl_sync(kAllLanes, mine, group * kLanes);
      if (row >= 0 && (votes >> group * kLanes & ((1u << kLanes) - 1)) != 0) alike &= ~(1u << row);
    }
  }
  return alike;
}

// Entries of a row.
struct Extent {
  int64_t begin;
  int64_t length;

  __device__ __forceinline__ Extent(const Csr& m, int64_t row) : begin(m.begin(row)), length(m.end(row) - begin) {}
};

// Whether two rows may be alike but for `moved` columns: by what one lane can see.
__device__ __forceinline__ bool may_be_alike(const Csr& m, Extent one, Extent other, int moved) {
  return one.length > 0 && one.length <= kLongest && one.length == other.length &&
         m.column(one.begin) == m.column(other.begin) + moved &&
         m.column(one.begin + one.length - 1) == m.column(other.begin + one.length - 1) + moved;
}

// Whether, in a lane's share, a row differs from one as long by more than `moved` columns.
__device__ __forceinline__ bool differs(const Csr& m, int64_t row, int64_t other, int moved, int lane) {
  const Extent extent(m, row);
  const int64_t to = m.begin(other);
  bool differ = false;
#pragma unroll 4
  for (int64_t i = lane; i < extent.length; i += kLanes) {
    differ |= m.column(extent.begin + i) != m.column(to + i) + moved;
  }
  return differ;
}

// A bit for each of the 32 rows from `first` on: whether it is the row before, moved so many columns.
__device__ __forceinline__ unsigned rows_like_the_last(const Csr& m, int64_t first, int moved) {
  const int64_t row = first + lane();
  bool candidate = false;
  if (row > 0 && row < m.rows) candidate = may_be_alike(m, Extent(m, row), Extent(m, row - 1), moved);
  return those_alike(__ballot_sync(kAllLanes, candidate), static_cast<int32_t>(row - 1),
                     [&](int place, int32_t last, int share) { return differs(m, first + place, last, moved, share); });
}

// The first row of a run, of which `alike` says who continues it.
__device__ __forceinline__ int32_t head_of(int64_t first, unsigned alike) {
  const unsigned heads = (~alike | 1u) & (~0u >> (kWarp - 1 - lane()));
  return static_cast<int32_t>(first) + kWarp - 1 - __clz(static_cast<int>(heads));
}

__global__ void __launch_bounds__(kThreads) alike_neighbours(OceanAlike p) {
  const Csr a(p.a);
  const int64_t first = global_warp() * kWarp;
  if (first >= a.rows) return;  // the whole warp leaves together
  const unsigned alike = rows_like_the_last(a, first, 0);
  if (first + lane() < a.rows) p.heads[first + lane()] = head_of(first, alike);
}

__global__ void __launch_bounds__(kThreads) alike_shifts(OceanAlike p) {
  const Csr b(p.b);
  const int64_t first = global_warp() * kWarp;
  if (first >= b.rows) return;  // the whole warp leaves together
  const unsigned shifted = rows_like_the_last(b, first, 1);
  if (lane() == 0) p.shifted[global_warp()] = shifted;
}

__global__ void __launch_bounds__(kThreads) alike_shifted(OceanAlike p) {
  const Csr a(p.a);
  const int64_t first = global_warp() * kWarp;
  if (first >= a.rows) return;  // the whole warp leaves together
  const unsigned alike = those_alike(rows_like_the_last(a, first, 1), 0, [&](int place, int32_t, int share) {
    const Extent extent(a, first + place);
    bool differ = false;
#pragma unroll 4
    for (int64_t i = share; i < extent.length; i += kLanes) {
      const int32_t row = a.column(extent.begin + i);
      differ |= (read_only(p.shifted + row / kWarp) >> row % kWarp & 1) == 0;
    }
    return differ;
  });
  if (first + lane() < a.rows) p.heads[first + lane()] = head_of(first, alike);
}

__global__ void __launch_bounds__(kThreads) alike_begin(OceanAlike p) {
  for (int64_t i = global_thread(); i < p.table_size; i += grid_threads()) p.table[i] = -1;
}

// Rows that are alike meet in a table, under a number made of a few columns. One row waits in each place; who finds
// another there is its own head.
__global__ void __launch_bounds__(kThreads) alike_anywhere(OceanAlike p) {
  const Csr a(p.a);
  const int64_t first = global_warp() * kWarp;
  if (first >= a.rows) return;  // the whole warp leaves together
  const int64_t row = first + lane();
  int32_t other = -1;
  bool candidate = false;
  if (row < a.rows) {
    const Extent extent(a, row);
    if (extent.length > 0 && extent.length <= kLongest) {
      const auto column = [&](int64_t place) { return static_cast<uint32_t>(a.column(extent.begin + place)); };
      uint32_t key = static_cast<uint32_t>(extent.length);
      const int64_t places[] = {0, extent.length / 3, extent.length * 2 / 3, extent.length - 1};
      for (const int64_t place : places) key = (key ^ column(place)) * 0x9e3779b1u + (key >> 15);
      key ^= key >> 16;
      other = atomic_cas(p.table + (key & static_cast<uint32_t>(p.table_size - 1)), -1, static_cast<int32_t>(row));
      candidate = other >= 0 && may_be_alike(a, extent, Extent(a, other), 0);
    }
  }
  const unsigned alike =
      those_alike(__ballot_sync(kAllLanes, candidate), other,
                  [&](int place, int32_t head, int share) { return differs(a, first + place, head, 0, share); });
  if (row < a.rows) p.heads[row] = (alike >> lane() & 1) != 0 ? other : static_cast<int32_t>(row);
}

__global__ void __launch_bounds__(kThreads) alike_counted(OceanAlike p) {
  int64_t counted = 0;
  for (int64_t row = global_thread(); row < p.a.rows; row += grid_threads()) {
    if (p.heads[row] == row) counted += p.products[row];
  }
  counted = warp_sum(counted);
  if (lane() == 0 && counted > 0) atomic_add(p.counted, counted);
}

__global__ void __launch_bounds__(kThreads) alike_sizes(OceanAlikeSizes p) {
  for (int64_t row = global_thread(); row < p.count; row += grid_threads()) {
    const int32_t head = p.heads[row];
    if (head != row) p.sizes[row] = p.sizes[head];
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_alike(const OceanAlike* p, OceanStream stream) {
  using namespace ocean;
  const unsigned blocks = blocks_for(p->a.rows, kThreads);
  switch (p->likeness) {
    case OCEAN_ALIKE_NEIGHBOURS:
      OCN_LAUNCH(alike_neighbours, blocks, kThreads, 0, stream, *p);
      break;
    case OCEAN_ALIKE_SHIFTED:
      OCN_LAUNCH(alike_shifts, blocks_for(p->b.rows, kThreads), kThreads, 0, stream, *p);
      OCN_LAUNCH(alike_shifted, blocks, kThreads, 0, stream, *p);
      break;
    default:
      OCN_LAUNCH(alike_begin, blocks_for(p->table_size, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
      OCN_LAUNCH(alike_anywhere, blocks, kThreads, 0, stream, *p);
      break;
  }
  OCN_LAUNCH(alike_counted, blocks_for(p->a.rows, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_alike_sizes(const OceanAlikeSizes* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(alike_sizes, blocks_for(p->count, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}
