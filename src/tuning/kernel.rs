// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tuned numbers that kernels need too: build.rs prints them into tuning.cuh, and understands only lines like these.

/// Threads of a block of `row_products`. Its shared memory (18 bytes for each entry of its tiles) allows six blocks
/// of this size an SM on Hopper. Not tuned yet.
pub const ROW_PRODUCTS_THREADS: u32 = 256;

/// Entries of A that one lane of `row_products` adds up by itself; a warp's tile is 32 times as many. Not tuned yet.
pub const ROW_PRODUCTS_ENTRIES: u32 = 8;

/// Threads of a block of the kernels that stream over rows or entries.
pub const STREAM_THREADS: u32 = 256;

/// Most blocks of such a kernel: enough to fill any GPU of today a few times (the H200 holds 8 of them on each of its
/// 132 SMs), few enough that one atomic for each block and total costs nothing.
pub const STREAM_BLOCKS: u32 = 1_024;

/// Entries of A's row whose terms are one chain of sums: the promised order.
pub const SUM_BLOCK: i64 = 8_192;

/// Threads of a block of `merge`, one a row.
pub const MERGE_THREADS: u32 = 64;

/// Entries that a block of `merge` gathers before it stores them side by side, at most and at least.
pub const MERGE_STAGED: i32 = 1_600;

/// See above.
pub const MERGE_STAGED_LEAST: i32 = 256;

/// The same for rows of up to four entries of A among longer ones.
pub const MERGE_STAGED_FEW: i32 = 1_024;

/// Threads of a block of `window`.
pub const WINDOW_THREADS: u32 = 64;

/// Threads of a block of `hash`.
pub const HASH_THREADS: u32 = 64;

/// Places of a hash table for each of its slots: a search then rarely takes a second step.
pub const TABLE_PLACES: i32 = 4;

/// Bits of a table's word that say the slot; the others say the column.
pub const TABLE_SLOT_BITS: u32 = 9;

/// Columns that a word can tell apart, but for the one that would make it look empty.
pub const TABLE_COLUMNS: i64 = 8_388_607;

/// Threads of a block of `rank`.
pub const RANK_THREADS: u32 = 256;

/// Columns that `rank` has bits for at most: with more, hardly a block would fit an SM.
pub const RANK_COLUMNS: i32 = 262_144;

/// Threads of a block that plans the slices of a row, or counts a long one.
pub const SLICE_PLAN_THREADS: u32 = 256;

/// Columns that such a block has bits for at a time, at most; fewer where B is not as wide, so that more blocks fit an
/// SM.
pub const SEGMENT_COLUMNS: i32 = 262_144;

/// Entries of a slice at most whose sums lie in a table; neighbours share one up to as many.
pub const SLICE_TABLE: i32 = 256;

/// Lanes that share such a table: rows of B have few columns in it. Not tuned yet.
pub const SLICE_LANES: i32 = 16;

/// Lanes where few rows are so summed: then it takes longest to go through A's entries. H200, web_1m: 0.40 ms with 16.
pub const SLICE_LANES_OF_FEW: i32 = 32;

/// Blocks that take slices in turn, at most: all that the H200 holds at once.
pub const SLICE_BLOCKS: i64 = 1_584;

/// Columns of a slice at most. H200, prototype: the best of 1,280 to 6,560 for er_20k_200 and both R-MATs.
pub const SLICE_COLUMNS: i32 = 2_048;

/// Threads of a block that counts rows.
pub const COUNT_THREADS: u32 = 128;

/// Rows of B shorter than this have no sketch: inserting their columns costs no more than merging one, and rows
/// of at least so many entries own distinct sketches at `first entry / SKETCHED_ROW`, with no index.
pub const SKETCHED_ROW: usize = 8;

/// Rows of so many products are not worth an estimate: they have room for each. The paper's ESC rows (sec. 3.4).
pub const BOUNDED_PRODUCTS: i64 = 32;

/// Rounds of a warp over a tile of entries, one entry a lane each, in the kernels that stream over the entries of a
/// matrix and need their rows: what the search for the tile's rows is spread over. Not tuned yet.
pub const ENTRY_ROUNDS: u32 = 8;

/// Neighbouring rows of C that one warp estimates, each from the columns that all its lanes merge; the estimates
/// themselves then take one lane each, side by side. Not tuned yet.
pub const ESTIMATE_ROWS: u32 = 8;

/// Entries of A that one warp merges by itself; longer rows are shared out in parts of so many. Not tuned yet.
pub const ESTIMATE_TILE: i64 = 1_024;

/// Warps that share each row of the sample: few rows, of which some are very long. Not tuned yet.
pub const SAMPLE_WARPS: u32 = 16;

/// Where no more rows are sampled than this, more warps share each: they were few because they are long.
pub const SAMPLE_FEW_ROWS: i64 = 1_024;

/// The same where a row has more products than this, or one that is sampled could keep all others waiting. H200,
/// dense_rc_1m (6 million): 1.7 ms with 16 warps.
pub const SAMPLE_LONG_ROW: i64 = 65_536;

/// See above.
pub const SAMPLE_WARPS_OF_FEW: u32 = 128;

/// Percent of an SM's fast memory that `merge` asks for as shared memory, at least and at most: neighbouring rows share
/// rows of B in the rest. H200, prototype of this kernel: 0.36 ms at 50 for p2d_2000 and 0.44 ms at 70 for p3d7_128,
/// 0.48 and 0.70 with the driver's choice.
pub const MERGE_CARVE_OUT: u32 = 40;

/// See above.
pub const MERGE_CARVE_OUT_MOST: u32 = 70;

/// Blocks of `merge` that are to fit an SM's shared memory within these bounds.
pub const MERGE_BLOCKS: u32 = 10;

/// Where no row of A is longer, `row_products` gives each to a thread: rows of so many entries keep a warp together.
/// H200, p2d_2000 (5 entries a row): the kernel that balances over entries takes 0.41 ms.
pub const SHORT_ROW: i64 = 32;

/// Rows of B at most that `merge` has a cursor in registers for.
pub const MERGED_ROWS: i64 = 8;

/// Longer rows of A are not compared with others: a few lanes would take too long over one.
pub const ALIKE_ROW: i64 = 2_048;

/// Rows of B at most among which `search` looks for places.
pub const SEARCHED_ROWS: i64 = 8;

/// Threads of a block of `search`; four times as many for rows of more than 512 entries. Not tuned yet.
pub const SEARCH_THREADS: u32 = 64;

/// Threads of a block of `sort`, for up to 2,048 terms.
pub const SORT_THREADS: u32 = 256;

/// The same for up to 8,192 terms, of which few fit an SM. H200, web_1m: 0.41 ms, and 0.75 ms with 256.
pub const SORT_THREADS_OF_MANY: u32 = 1_024;
