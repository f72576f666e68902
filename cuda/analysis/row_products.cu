// SPDX-License-Identifier: MIT OR Apache-2.0
//
// row_products: how many multiplications each row of C = A * B takes, and how many columns it can touch.
//
//   products[i] = sum over k in A(i,:) of nnz(B(k,:))
//   spans[i]    = last - first + 1, over the first and last entries of these rows of B: the columns that C(i,:) can
//                 touch, if the rows of B ascend
//
// Reads   A's offsets and columns, B's offsets, and two columns of each row of B that A names; no values.
// Writes  products[a.rows], spans[a.rows], totals. 64-bit products: one dense row can pass 2^31 of them.
// Cost    O(nnz(A) + rows), bound by the scattered reads of B. Balanced over the entries of A: a warp takes a tile of
//         them wherever rows begin and end in it, so a row of a million entries is the work of 4,000 warps.
// Source  Gustavson 1978, "Two Fast Algorithms for Sparse Matrices", ACM TOMS 4(3), for what is counted; cutting the
//         work at entries and not at rows: Merrill and Garland 2016, "Merge-based parallel SpMV", SC16.
#include "analysis/ahead.cuh"
#include "common/csr.cuh"
#include "common/warp.cuh"
#include "ocean_kernels.h"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kRowProductsThreads;
constexpr int kWarps = kThreads / kWarp;
constexpr int kEntries = tuning::kRowProductsEntries;  // of one lane, neighbours
constexpr int kTile = kWarp * kEntries;                // of one warp
constexpr int kAhead = 4;                              // 4 rounds of loads fit the registers of 48 warps an SM
static_assert(kEntries % kAhead == 0, "a tile is whole batches of loads");
static_assert(kThreads % kWarp == 0, "a tile belongs to one whole warp");

// Products and columns of a part of a row of C. Neutral: no products, and columns that lose against any.
struct alignas(16) Piece {
  int64_t products;
  int32_t first;
  int32_t last;
};

__device__ __forceinline__ Piece nothing() { return {0, INT32_MAX, -1}; }

__device__ __forceinline__ Piece combined(Piece a, Piece b) {
  return {a.products + b.products, least(a.first, b.first), most(a.last, b.last)};
}

__device__ __forceinline__ Piece from_lane_below(Piece piece, int delta) {
  return {__shfl_up_sync(kAllLanes, piece.products, delta), __shfl_up_sync(kAllLanes, piece.first, delta),
          __shfl_up_sync(kAllLanes, piece.last, delta)};
}

// Lanes read their own eight pieces, which would lie in one bank: a gap after each lane's share spreads them.
__device__ __forceinline__ int slot(int entry) { return entry + entry / kEntries; }
constexpr int kTileSlots = kTile + kTile / kEntries;

// A whole row, known to one lane.
__device__ __forceinline__ void store(const OceanRowProducts& p, int64_t row, Piece piece) {
  p.products[row] = piece.products;
  p.spans[row] = piece.first;
  p.last_columns[row] = piece.last;
}

// A part of a row that runs over several tiles.
__device__ __forceinline__ void add(const OceanRowProducts& p, int64_t row, Piece piece) {
  atomic_add(&p.products[row], piece.products);
  atomic_least(&p.spans[row], piece.first);
  atomic_most(&p.last_columns[row], piece.last);
}

// Readies the rows, and finds how long the longest row of A is: that decides which of the next two kernels works.
__global__ void __launch_bounds__(tuning::kStreamThreads) row_products_begin(OceanRowProducts p) {
  if (!wants_products(p.ahead, p.a, p.b)) return;
  const Csr a(p.a);
  int64_t longest = 0;
  for (int64_t row = global_thread(); row < a.rows; row += grid_threads()) {
    store(p, row, nothing());
    longest = most(longest, a.end(row) - a.begin(row));
  }
  longest = warp_most(longest);
  if (lane() == 0) atomic_most(&p.totals->longest_row, longest);
}

// Where all rows of A are short, a thread takes each: no tile, no search, no scan.
__global__ void __launch_bounds__(kThreads) row_products_short(OceanRowProducts p) {
  if (p.totals->longest_row > tuning::kShortRow || !wants_products(p.ahead, p.a, p.b)) return;
  const Csr a(p.a), b(p.b);
  const int64_t row = global_thread();
  if (row >= a.rows) return;
  Piece piece = nothing();
  const int64_t end = a.end(row);
#pragma unroll 4
  for (int64_t entry = a.begin(row); entry < end; ++entry) {
    const int32_t row_of_b = a.column(entry);
    const int64_t from = b.begin(row_of_b), to = b.end(row_of_b);
    if (from < to) piece = combined(piece, {to - from, b.column(from), b.column(to - 1)});
  }
  store(p, row, piece);
}

// What each entry of the tile adds to its row, into shared memory. `kAhead` rounds of loads are under way at once: so
// there are no branches around loads, and a lane with nothing to read reads something harmless.
__device__ __forceinline__ void fill_tile(const Csr& a, const Csr& b, int64_t b_entries, int64_t first, int64_t last,
                                          Piece* tile) {
#pragma unroll
  for (int batch = 0; batch < kEntries; batch += kAhead) {
    int64_t begin[kAhead], end[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int32_t row = a.column(least(first + (batch + i) * kWarp + lane(), last - 1));
      begin[i] = b.begin(row);
      end[i] = b.end(row);
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int32_t first_column = b.column(least(begin[i], b_entries - 1));
      const int32_t last_column = b.column(most(end[i] - 1, int64_t{0}));
      const Piece piece = {end[i] - begin[i], first_column, last_column};
      tile[slot((batch + i) * kWarp + lane())] = piece.products > 0 ? piece : nothing();
    }
  }
}

__global__ void __launch_bounds__(kThreads) row_products(OceanRowProducts p) {
  OCN_SHARED(Piece, pieces, kWarps * kTileSlots);
  if (!wants_products(p.ahead, p.a, p.b)) return;
  const Csr a(p.a), b(p.b);
  const int64_t first = a.begin(0) + global_warp() * kTile;
  const int64_t last = least(first + kTile, a.begin(a.rows));
  const int64_t b_entries = b.begin(b.rows);
  if (first >= last || b_entries == 0) return;  // the whole warp leaves together
  if (p.totals->longest_row <= tuning::kShortRow) return;

  const RowRange rows = warp_rows_of(a, first, last - 1);
  Piece* tile = pieces + warp_in_block() * kTileSlots;
  fill_tile(a, b, b_entries, first, last, tile);
  __syncwarp();  // lanes read what others wrote

  // From here on, places in the tile: -1 is before it, kTile + 1 past it.
  const auto place_of = [&](int64_t entry) {
    return static_cast<int>(least(most(entry - first, int64_t{-1}), int64_t{kTile + 1}));
  };
  const int places = static_cast<int>(last - first);
  const int mine = lane() * kEntries;
  const int mine_end = least(mine + kEntries, places);

  // Each lane adds up its own neighbours, row by row.
  int64_t row = mine < places ? a.row_of(first + mine, rows.first, rows.last) : rows.last;
  int begin = place_of(a.begin(row)), end = place_of(a.end(row));
  Piece run = nothing();
  Piece head = nothing();  // of the row that began before this lane's share and ends in it
  int64_t head_row = -1;
  bool head_in_tile = false;
  bool closed = false;  // some row ends in this lane's share
  for (int place = mine; place < mine_end; ++place) {
    run = combined(run, tile[slot(place)]);
    if (place + 1 < end) continue;
    if (begin >= mine) {
      store(p, row, run);
    } else {
      head = run;
      head_row = row;
      head_in_tile = begin >= 0;
    }
    closed = true;
    run = nothing();
    if (place + 1 < mine_end) {
      row = a.row_of(first + place + 1, row + 1, rows.last);
      begin = place + 1;
      end = place_of(a.end(row));
    }
  }

  // Rows over several lanes: what the lanes before have of the row that this one ends.
  const Piece so_far = warp_segmented_scan(run, closed, combined, from_lane_below);
  Piece carried = from_lane_below(so_far, 1);
  if (lane() == 0) carried = nothing();
  if (head_row >= 0) {
    const Piece whole = combined(carried, head);
    if (head_in_tile) {
      store(p, head_row, whole);
    } else {
      add(p, head_row, whole);
    }
  }
  // The row that the tile leaves open.
  if (lane() == kWarp - 1 && end > places) add(p, row, so_far);
}

// Of all rows: their spans in place of their columns, and the sums.
__global__ void __launch_bounds__(tuning::kStreamThreads) row_totals(OceanRowProducts p) {
  constexpr int kStreamWarps = tuning::kStreamThreads / kWarp;
  OCN_SHARED(OceanTotals, of_warp, kStreamWarps);
  if (!wants_products(p.ahead, p.a, p.b)) return;
  const Csr a(p.a);
  OceanTotals mine = {};
  for (int64_t row = global_thread(); row < a.rows; row += grid_threads()) {
    const int64_t products = p.products[row];
    const int32_t beyond_first = most(p.last_columns[row] - p.spans[row], 0);
    const int32_t span = products == 0 ? 0 : beyond_first + 1;
    p.spans[row] = span;
    mine.products += products;
    mine.most_products = most(mine.most_products, products);
    mine.longest_row = most(mine.longest_row, a.end(row) - a.begin(row));
    mine.empty_rows += products == 0;
    mine.widest = most(mine.widest, int64_t{span});
  }
  mine.products = warp_sum(mine.products);
  mine.most_products = warp_most(mine.most_products);
  mine.longest_row = warp_most(mine.longest_row);
  mine.empty_rows = warp_sum(mine.empty_rows);
  mine.widest = warp_most(mine.widest);
  if (lane() == 0) of_warp[warp_in_block()] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < kStreamWarps; ++warp) {
    mine.products += of_warp[warp].products;
    mine.most_products = most(mine.most_products, of_warp[warp].most_products);
    mine.longest_row = most(mine.longest_row, of_warp[warp].longest_row);
    mine.empty_rows += of_warp[warp].empty_rows;
    mine.widest = most(mine.widest, of_warp[warp].widest);
  }
  atomic_add(&p.totals->products, mine.products);
  atomic_most(&p.totals->most_products, mine.most_products);
  atomic_most(&p.totals->longest_row, mine.longest_row);
  atomic_add(&p.totals->empty_rows, mine.empty_rows);
  atomic_most(&p.totals->widest, mine.widest);
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_row_products(const OceanRowProducts* p, OceanStream stream) {
  using namespace ocean;
  const unsigned over_rows = blocks_for(p->a.rows, tuning::kStreamThreads, tuning::kStreamBlocks);
  OCN_LAUNCH(row_products_begin, over_rows, tuning::kStreamThreads, 0, stream, *p);
  if (p->a.rows > 0 && p->a.nnz > 0 && p->b.nnz > 0) {
    const int64_t tiles = (p->a.nnz + kTile - 1) / kTile;
    OCN_LAUNCH(row_products_short, blocks_for(p->a.rows, kThreads), kThreads, 0, stream, *p);
    OCN_LAUNCH(row_products, blocks_for(tiles * kWarp, kThreads), kThreads, 0, stream, *p);
  }
  OCN_LAUNCH(row_totals, over_rows, tuning::kStreamThreads, 0, stream, *p);
  return last_launch_error();
}
