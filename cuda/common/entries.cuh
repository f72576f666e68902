// SPDX-License-Identifier: MIT OR Apache-2.0
//
// All entries of a matrix with their rows, balanced over entries: a warp takes tiles of neighbours wherever rows begin
// and end in them, so a row of a million entries is the work of thousands of warps, and loads of neighbours coalesce.
// Cost beside `each`: one search for a tile's rows, and for each entry one among the rows of its tile (one step for
// entries of one row, 7 for rows of three), in offsets that the first cache holds.
#pragma once
#include "common/csr.cuh"
#include "tuning.cuh"

namespace ocean {

constexpr int kEntryTile = kWarp * tuning::kEntryRounds;

// Calls each(entry, row) for every entry of `m` in some lane. All lanes of a warp call together, with neighbouring
// entries; those past the end of a tile have row -1.
template <class Each>
__device__ __forceinline__ void each_entry(const Csr& m, Each each) {
  const int64_t entries = m.begin(m.rows);
  for (int64_t first = global_warp() * kEntryTile; first < entries; first += grid_threads() / kWarp * kEntryTile) {
    const int64_t last = least(first + kEntryTile, entries);
    const RowRange rows = warp_rows_of(m, first, last - 1);
    int64_t row = rows.first;
    for (int64_t round = first; round < last; round += kWarp) {
      const int64_t entry = round + lane();
      if (entry < last) row = m.row_of(entry, row, rows.last);
      each(entry, entry < last ? row : -1);
    }
  }
}

// Blocks for each_entry over `nnz` entries; more entries than that take longer, and are not missed.
inline unsigned blocks_for_entries(int64_t nnz, unsigned block) {
  return blocks_for((nnz + tuning::kEntryRounds - 1) / tuning::kEntryRounds, block);
}

}  // namespace ocean
