// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cuda/ocean_kernels.h` in Rust: the structs that launchers take, and the launchers. What each field means is said
//! there. The crate in `seam/` compares both, so this file needs nothing of this crate.

use std::ffi::{c_char, c_void};

/// `cudaStream_t`.
pub type OceanStream = *mut c_void;

/// No row, no entry.
pub const OCEAN_NONE: i64 = i64::MAX;

/// A pattern in compressed sparse rows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanCsr {
    /// Rows.
    pub rows: i64,
    /// Columns.
    pub cols: i64,
    /// Entries as declared.
    pub nnz: i64,
    /// Start of each row and the end of the last.
    pub offsets: *const c_void,
    /// Column of each entry.
    pub columns: *const i32,
    /// 4 or 8.
    pub offset_bytes: i32,
    /// 0 or 1.
    pub base: i32,
}

/// Whether a matrix keeps the rules.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct OceanOrder {
    /// Where the last row ends.
    pub nnz: i64,
    /// First row with bad offsets.
    pub bad_row: i64,
    /// First entry with a column outside the matrix.
    pub bad_entry: i64,
    /// Entries that do not ascend over the one before.
    pub disordered: i64,
    /// Its entries.
    pub longest_row: i64,
    /// Rows that look like the one before.
    pub repeats: i64,
    /// Likewise with columns one higher.
    pub shifts: i64,
}

/// Parameters of [`ocean_rows_ascend`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanRowsAscend {
    /// The matrices.
    pub matrices: [OceanCsr; 2],
    /// The answers.
    pub orders: *mut OceanOrder,
    /// How many there are.
    pub count: i32,
}

/// What a step sees for itself that is queued ahead.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanAhead {
    /// The left factor's order, or NULL.
    pub of_a: *const OceanOrder,
    /// The right factor's.
    pub of_b: *const OceanOrder,
    /// Entries of a row of A where rows of C are short.
    pub short_entries: i64,
    /// Products of a row of C likewise.
    pub short_size: i64,
}

/// Parameters of [`ocean_first_unordered`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanFirstUnordered {
    /// The matrix.
    pub matrix: OceanCsr,
    /// The answer.
    pub row: *mut i64,
}

/// A's row has the columns of the one before.
pub const OCEAN_ALIKE_NEIGHBOURS: i32 = 0;

/// It has them one higher, and so has each row of B that it names.
pub const OCEAN_ALIKE_SHIFTED: i32 = 1;

/// It has the columns of some other.
pub const OCEAN_ALIKE_ANYWHERE: i32 = 2;

/// Parameters of [`ocean_alike`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanAlike {
    /// Left factor.
    pub a: OceanCsr,
    /// Right factor.
    pub b: OceanCsr,
    /// One of the three above.
    pub likeness: i32,
    /// For each row of C one that is as long.
    pub heads: *mut i32,
    /// Scratch of shifted.
    pub shifted: *mut u32,
    /// Scratch of anywhere.
    pub table: *mut i32,
    /// How much that is.
    pub table_size: i64,
    /// Products of each row.
    pub products: *const i64,
    /// Those of heads.
    pub counted: *mut i64,
}

/// Parameters of [`ocean_alike_sizes`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanAlikeSizes {
    /// For each row of C one that is as long.
    pub heads: *const i32,
    /// Sizes of the rows.
    pub sizes: *mut i64,
    /// How many there are.
    pub count: i64,
}

/// Sums over the rows of A * B.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct OceanTotals {
    /// Scalar products.
    pub products: i64,
    /// Products of the row that has most.
    pub most_products: i64,
    /// Entries of the longest row of A.
    pub longest_row: i64,
    /// Rows without a product.
    pub empty_rows: i64,
    /// Span of a row.
    pub widest: i64,
}

/// Parameters of [`ocean_row_products`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanRowProducts {
    /// Left factor.
    pub a: OceanCsr,
    /// Right factor.
    pub b: OceanCsr,
    /// Products of each row.
    pub products: *mut i64,
    /// Columns that each row can touch.
    pub spans: *mut i32,
    /// Scratch.
    pub last_columns: *mut i32,
    /// The sums.
    pub totals: *mut OceanTotals,
    /// Whether it is wanted.
    pub ahead: OceanAhead,
}

unsafe extern "C" {
    /// Readies what an analysis finds.
    pub fn ocean_begin_analysis(params: *const OceanBeginAnalysis, stream: OceanStream) -> i32;
    /// Checks patterns.
    pub fn ocean_rows_ascend(params: *const OceanRowsAscend, stream: OceanStream) -> i32;
    /// Finds the first row out of order.
    pub fn ocean_first_unordered(params: *const OceanFirstUnordered, stream: OceanStream) -> i32;
    /// Finds rows of C that are as long as others.
    pub fn ocean_alike(params: *const OceanAlike, stream: OceanStream) -> i32;
    /// Gives them their sizes.
    pub fn ocean_alike_sizes(params: *const OceanAlikeSizes, stream: OceanStream) -> i32;
    /// Counts products and spans of rows.
    pub fn ocean_row_products(params: *const OceanRowProducts, stream: OceanStream) -> i32;
    /// Names what a launcher returned.
    pub fn ocean_launch_error_name(code: i32) -> *const c_char;
}

/// Parameters of [`ocean_scan`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanScan {
    /// Values.
    pub values: *mut i64,
    /// How many.
    pub count: i64,
    /// Scratch.
    pub temp: *mut c_void,
    /// Its size.
    pub temp_bytes: u64,
}

/// Parameters of [`ocean_cap`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanCap {
    /// Sizes.
    pub sizes: *mut i64,
    /// How many.
    pub count: i64,
    /// What they are lowered to.
    pub most: i64,
}

/// alpha and beta of one call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanScalars {
    /// Where alpha lies, or NULL.
    pub alpha: *const c_void,
    /// Where beta lies, or NULL.
    pub beta: *const c_void,
    /// Else its parts.
    pub alpha_value: [f64; 2],
    /// Else its parts.
    pub beta_value: [f64; 2],
    /// Of what they point to.
    pub value_type: i32,
}

/// Parameters of [`ocean_compact`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanCompact {
    /// Offsets.
    pub offsets: OceanCsr,
    /// Start of each row in the slots.
    pub starts: *const i64,
    /// Columns in both pieces of slots.
    pub from_columns: [*const i32; 2],
    /// Values in both.
    pub from_values: [*const c_void; 2],
    /// Positions in the first.
    pub first_piece: i64,
    /// Columns.
    pub columns: *mut c_void,
    /// Values.
    pub values: *mut c_void,
    /// alpha and beta.
    pub scalars: OceanScalars,
    /// C's.
    pub value_type: i32,
    /// 4 or 8.
    pub column_bytes: i32,
    /// 0 or 1.
    pub base: i32,
}

/// Parameters of [`ocean_round`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanRound {
    /// Sums.
    pub from: *const c_void,
    /// C's values.
    pub to: *mut c_void,
    /// How many.
    pub count: i64,
    /// alpha and beta.
    pub scalars: OceanScalars,
    /// C's.
    pub value_type: i32,
}

/// Parameters of [`ocean_move_offsets`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanMoveOffsets {
    /// Offsets; NULL: all are 0.
    pub from: *const c_void,
    /// Where they go.
    pub to: *mut c_void,
    /// How many.
    pub count: i64,
    /// Added to each.
    pub added: i64,
    /// 4 or 8.
    pub from_bytes: i32,
    /// 4 or 8.
    pub to_bytes: i32,
}

/// Parameters of [`ocean_sort_entries`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanSortEntries {
    /// Sort keys.
    pub keys: *const u64,
    /// The same, sorted.
    pub sorted_keys: *mut u64,
    /// Entries.
    pub entries: *const i64,
    /// The same, sorted.
    pub sorted_entries: *mut i64,
    /// How many.
    pub count: i64,
    /// Scratch.
    pub temp: *mut c_void,
    /// Its size.
    pub temp_bytes: u64,
    /// Lowest bit to sort by.
    pub first_bit: i32,
    /// One past the highest.
    pub end_bit: i32,
}

/// Parameters of [`ocean_entry_keys`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanEntryKeys {
    /// The matrix.
    pub matrix: OceanCsr,
    /// Sort keys.
    pub keys: *mut u64,
    /// Entries.
    pub entries: *mut i64,
    /// Number of the first.
    pub first: i64,
    /// Bits of a column, or of a row.
    pub low_bits: i32,
    /// Whether columns come first.
    pub by_column: i32,
}

/// Parameters of [`ocean_new_columns`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanNewColumns {
    /// The same, sorted.
    pub sorted_keys: *const u64,
    /// How many.
    pub count: i64,
    /// 1 where no repeat.
    pub marks: *mut i64,
}

/// Parameters of [`ocean_merged_rows`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanMergedRows {
    /// The same, sorted.
    pub sorted_keys: *const u64,
    /// Place of each entry among the merged.
    pub places: *const i64,
    /// How many.
    pub count: i64,
    /// Rows.
    pub rows: i64,
    /// Offsets.
    pub offsets: *mut i64,
    /// Columns.
    pub columns: *mut i32,
    /// Start of each run.
    pub runs: *mut i64,
    /// Bits of a column.
    pub column_bits: i32,
}

/// Parameters of [`ocean_narrow_columns`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanNarrowColumns {
    /// Without columns.
    pub matrix: OceanCsr,
    /// Its columns.
    pub from: *const i64,
    /// Where they go.
    pub to: *mut i32,
}

/// Parameters of [`ocean_widen_columns`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanWidenColumns {
    /// Columns.
    pub from: *const i32,
    /// Where they go.
    pub to: *mut i64,
    /// How many.
    pub count: i64,
}

/// Parameters of [`ocean_widen`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanWiden {
    /// Numbers.
    pub from: *const c_void,
    /// Where they go.
    pub to: *mut c_void,
    /// How many.
    pub count: i64,
    /// Theirs.
    pub value_type: i32,
    /// 1: a zero goes behind each.
    pub into_complex: i32,
}

/// Parameters of [`ocean_transposed_rows`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanTransposedRows {
    /// The same, sorted.
    pub sorted_keys: *const u64,
    /// How many.
    pub count: i64,
    /// Rows of the transpose.
    pub rows: i64,
    /// Offsets.
    pub offsets: *mut i64,
    /// Columns.
    pub columns: *mut i32,
    /// Bits of a row of the matrix.
    pub low_bits: i32,
}

/// Parameters of [`ocean_gathered_values`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanGatheredValues {
    /// Stored entries.
    pub sources: *const i64,
    /// Stored values.
    pub stored: *const c_void,
    /// Values.
    pub values: *mut c_void,
    /// How many.
    pub count: i64,
    /// One that is computed in.
    pub value_type: i32,
    /// Whether to conjugate.
    pub conjugate: i32,
}

/// Parameters of [`ocean_merged_values`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanMergedValues {
    /// Entries.
    pub entries: *const i64,
    /// Start of each run.
    pub runs: *const i64,
    /// Stored entries, run by run.
    pub sources: *const i64,
    /// Stored values.
    pub stored: *const c_void,
    /// Values.
    pub values: *mut c_void,
    /// For the launch.
    pub most_entries: i64,
    /// One that is computed in.
    pub value_type: i32,
}

/// Parameters of [`ocean_fingerprint`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanFingerprint {
    /// The matrix.
    pub matrix: OceanCsr,
    /// Rows.
    pub rows: *mut u64,
    /// Scratch.
    pub good_rows: *mut i64,
}

/// Parameters of [`ocean_first_difference`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanFirstDifference {
    /// One array.
    pub one: *const u64,
    /// The other.
    pub other: *const u64,
    /// How many.
    pub count: i64,
    /// The answer.
    pub place: *mut i64,
}

/// How distinct columns are counted.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanHyperLogLog {
    /// Registers of a sketch.
    pub registers: i64,
    /// Correction of estimates.
    pub bias: f64,
}

/// Parameters of [`ocean_sketch`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanSketch {
    /// Right factor.
    pub b: OceanCsr,
    /// Sketches.
    pub sketches: *mut u8,
    /// How many.
    pub sketch_count: i64,
    /// Registers of a sketch.
    pub registers: i64,
}

/// Parameters of [`ocean_estimate`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanEstimate {
    /// Left factor.
    pub a: OceanCsr,
    /// Right factor.
    pub b: OceanCsr,
    /// Sketches.
    pub sketches: *const u8,
    /// Scratch.
    pub long_sketches: *mut u8,
    /// Sizes.
    pub sizes: *mut i64,
    /// Factor on estimates.
    pub coefficient: f64,
    /// How columns are counted.
    pub counter: OceanHyperLogLog,
}

/// Parameters of [`ocean_sample`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanSample {
    /// Left factor.
    pub a: OceanCsr,
    /// Right factor.
    pub b: OceanCsr,
    /// Rows.
    pub rows: *const i32,
    /// How many.
    pub count: i64,
    /// Of a row of C.
    pub most_products: i64,
    /// Sketches.
    pub sketches: *mut u8,
    /// Products of each row.
    pub products: *mut i64,
    /// Entries.
    pub entries: *mut f64,
    /// Products of the rows that stand for all others, or NULL.
    pub counted: *const i64,
    /// No more of them, and nothing is sampled.
    pub most_counted: i64,
    /// How columns are counted.
    pub counter: OceanHyperLogLog,
}

unsafe extern "C" {
    /// Sums up.
    pub fn ocean_scan(params: *const OceanScan, stream: OceanStream) -> i32;
    /// Scratch of [`ocean_scan`].
    pub fn ocean_scan_bytes(count: i64, temp_bytes: *mut u64) -> i32;
    /// Lowers sizes.
    pub fn ocean_cap(params: *const OceanCap, stream: OceanStream) -> i32;
    /// Moves rows into C.
    pub fn ocean_compact(params: *const OceanCompact, stream: OceanStream) -> i32;
    /// Rounds sums.
    pub fn ocean_round(params: *const OceanRound, stream: OceanStream) -> i32;
    /// Writes offsets in another width, counted from elsewhere.
    pub fn ocean_move_offsets(params: *const OceanMoveOffsets, stream: OceanStream) -> i32;
    /// Sorts entries.
    pub fn ocean_sort_entries(params: *const OceanSortEntries, stream: OceanStream) -> i32;
    /// Scratch of [`ocean_sort_entries`].
    pub fn ocean_sort_entries_bytes(count: i64, first_bit: i32, end_bit: i32, temp_bytes: *mut u64) -> i32;
    /// Makes keys.
    pub fn ocean_entry_keys(params: *const OceanEntryKeys, stream: OceanStream) -> i32;
    /// Marks repeats.
    pub fn ocean_new_columns(params: *const OceanNewColumns, stream: OceanStream) -> i32;
    /// Merges repeats.
    pub fn ocean_merged_rows(params: *const OceanMergedRows, stream: OceanStream) -> i32;
    /// Makes 64-bit columns 32-bit ones.
    pub fn ocean_narrow_columns(params: *const OceanNarrowColumns, stream: OceanStream) -> i32;
    /// Makes 32-bit columns 64-bit ones.
    pub fn ocean_widen_columns(params: *const OceanWidenColumns, stream: OceanStream) -> i32;
    /// Makes values those that they are computed in.
    pub fn ocean_widen(params: *const OceanWiden, stream: OceanStream) -> i32;
    /// Transposes a pattern.
    pub fn ocean_transposed_rows(params: *const OceanTransposedRows, stream: OceanStream) -> i32;
    /// Moves values.
    pub fn ocean_gathered_values(params: *const OceanGatheredValues, stream: OceanStream) -> i32;
    /// Sums repeats.
    pub fn ocean_merged_values(params: *const OceanMergedValues, stream: OceanStream) -> i32;
    /// Numbers rows.
    pub fn ocean_fingerprint(params: *const OceanFingerprint, stream: OceanStream) -> i32;
    /// Compares arrays.
    pub fn ocean_first_difference(params: *const OceanFirstDifference, stream: OceanStream) -> i32;
    /// Sketches rows.
    pub fn ocean_sketch(params: *const OceanSketch, stream: OceanStream) -> i32;
    /// Estimates lengths of rows.
    pub fn ocean_estimate(params: *const OceanEstimate, stream: OceanStream) -> i32;
    /// Estimates lengths of some rows.
    pub fn ocean_sample(params: *const OceanSample, stream: OceanStream) -> i32;
}

/// A and B with their values.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanFactors {
    /// Left factor.
    pub a: OceanCsr,
    /// Right factor.
    pub b: OceanCsr,
    /// Its values.
    pub a_values: *const c_void,
    /// Likewise.
    pub b_values: *const c_void,
}

/// Where multiples of a power of two would stand in each row of a matrix.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanCuts {
    /// Row by row.
    pub at: *mut i32,
    /// How many a row has.
    pub count: i32,
    /// Of 1, for the power.
    pub shift: i32,
}

/// Parameters of [`ocean_cut_rows`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanCutRows {
    /// The matrix.
    pub b: OceanCsr,
    /// The answer.
    pub cuts: OceanCuts,
}

/// A part of a row of C.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanTask {
    /// Of the row in the list.
    pub index: i32,
    /// Slice.
    pub first: i32,
    /// The slice after its last.
    pub end: i32,
    /// Of its first entry in the row.
    pub rank: i32,
}

/// How many tasks there are of either kind, and which of them is next.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanQueue {
    /// Tasks with a sum for each column.
    pub crowded: i32,
    /// Tasks with a table.
    pub sparse: i32,
    /// The first that nobody took.
    pub next_crowded: i32,
    /// Likewise.
    pub next_sparse: i32,
}

/// The length of a row that did not fit its slot.
#[allow(dead_code)] // kernels write it; Rust knows it as `backend::OVERFLOWED`
pub const OCEAN_OVERFLOWED: i32 = -1;

/// Rows of C to compute, and where they go.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanAccumulate {
    /// A and B.
    pub factors: OceanFactors,
    /// The rows.
    pub rows: *const i32,
    /// How many there are.
    pub count: i64,
    /// Where each row of C starts.
    pub starts: *const i64,
    /// Start and room of each listed row.
    pub places: *const i64,
    /// Columns.
    pub columns: *mut i32,
    /// Values.
    pub values: *mut c_void,
    /// Lengths.
    pub counts: *mut i64,
    /// Where the second piece begins.
    pub pieces_at: i64,
    /// Its columns.
    pub more_columns: *mut i32,
    /// Its values.
    pub more_values: *mut c_void,
    /// Rows of A with fewer entries are left alone.
    pub least_entries: i64,
    /// Likewise with more.
    pub most_entries: i64,
    /// Rows of C with fewer products are left alone by slices.
    pub least_terms: i64,
    /// alpha and beta.
    pub scalars: OceanScalars,
    /// Of B.
    pub cuts: OceanCuts,
    /// Scratch of slices.
    pub tasks: *mut OceanTask,
    /// How many there is room for.
    pub task_room: i64,
    /// Scratch of slices.
    pub queue: *mut OceanQueue,
    /// Of `mark`.
    pub marks: *const u32,
    /// How much of it a row has.
    pub mark_words: i64,
    /// Columns of a slice.
    pub slice_columns: i32,
    /// More entries are a crowd in one.
    pub crowded_from: i32,
    /// Entries that share a table at most.
    pub table_most: i32,
    /// Blocks that share each listed row in blocks.
    pub parts: i32,
    /// Added to columns.
    pub base: i32,
    /// One that is computed in.
    pub value_type: i32,
    /// Columns of a window or of a segment of slices, slots of a table, sums of rank, terms of search and of sort.
    pub capacity: i32,
    /// That rank has bits for.
    pub columns_at_once: i32,
    /// 4, 8, 16 or 32 share a row.
    pub lanes: i32,
    /// 1, 8 or 32 share a row of B.
    pub bit_lanes: i32,
    /// Of the listed rows of A, or more.
    pub longest_row: i32,
    /// Rows that window takes together.
    pub at_once: i32,
    /// For each row of C one that is as long.
    pub heads: *const i32,
}

/// Sums over all rows.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct OceanShortRows {
    /// Scalar products.
    pub products: i64,
    /// Without any.
    pub empty_rows: i64,
    /// Of C.
    pub entries: i64,
}

/// Parameters of [`ocean_count_short`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanCountShort {
    /// Left factor.
    pub a: OceanCsr,
    /// Right factor.
    pub b: OceanCsr,
    /// Lengths.
    pub sizes: *mut i64,
    /// The answer.
    pub totals: *mut OceanShortRows,
    /// Whether it is wanted.
    pub ahead: OceanAhead,
}

/// Rows of A of more than `SUM_BLOCK` entries, as two products.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanSplit {
    /// The matrix.
    pub a: OceanCsr,
    /// The rows.
    pub rows: *const i32,
    /// How many there are.
    pub count: i64,
    /// Blocks of each; then those before each.
    pub before: *mut i64,
    /// Blocks that there is room for.
    pub most_blocks: i64,
    /// Where each block begins.
    pub offsets: *mut i64,
    /// As many zeros.
    pub sizes: *mut i64,
    /// Which rows of the first product are blocks.
    pub blocks: *mut i32,
    /// Blocks before each row of A.
    pub row_blocks: *mut i64,
    /// A 1 for each block.
    pub ones: *mut c_void,
    /// One that is computed in.
    pub value_type: i32,
}

/// Parameters of [`ocean_mark`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanMark {
    /// Left factor.
    pub a: OceanCsr,
    /// Right factor.
    pub b: OceanCsr,
    /// The rows.
    pub rows: *const i32,
    /// How many there are.
    pub count: i64,
    /// A bit for each column of each row.
    pub marks: *mut u32,
    /// How much of it a row has.
    pub mark_words: i64,
    /// That share a row.
    pub blocks: i32,
    /// Of a warp, for each row of B.
    pub lanes: i32,
}

/// Rows of C to count.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanCount {
    /// Left factor.
    pub a: OceanCsr,
    /// Right factor.
    pub b: OceanCsr,
    /// The rows.
    pub rows: *const i32,
    /// How many there are.
    pub count: i64,
    /// Their lengths.
    pub sizes: *mut i64,
    /// Columns of a window or segment, products of a row with a table, or places of a block's.
    pub capacity: i32,
    /// Of a warp, for each row of B.
    pub lanes: i32,
    /// Whether `sizes` are those of the listed rows alone.
    pub by_index: i32,
    /// Places of a block's table for one column.
    pub search: i32,
    /// Of `mark`.
    pub marks: *const u32,
    /// How much of it a row has.
    pub mark_words: i64,
}

/// Bins at most.
pub const OCEAN_MOST_BINS: i32 = 24;

/// What the rows of a bin are at most.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct OceanMost {
    /// Entries of A's row.
    pub entries: i64,
    /// Room.
    pub size: i64,
    /// Columns from the first to the last.
    pub span: i64,
}

/// Where each bin starts in the list.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct OceanBinned {
    /// Of all rows.
    pub room: i64,
    /// Of each bin, and the end of the last.
    pub starts: [i32; 26],
}

/// What the rows of a product came to.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct OceanFound {
    /// Rows that have outgrown their slots.
    pub overflowed: i64,
    /// Of C.
    pub entries: i64,
}

/// Parameters of [`ocean_lengths_overflowed`], [`ocean_lengths_total`] and [`ocean_lengths_again`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanLengths {
    /// Lengths, or offsets.
    pub lengths: *mut i64,
    /// A copy of the offsets.
    pub offsets: *const i64,
    /// How many there are.
    pub rows: i64,
    /// The answer.
    pub found: *mut OceanFound,
}

/// Parameters of [`ocean_bin`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanBin {
    /// Left factor.
    pub a: OceanCsr,
    /// Right factor, of steps ahead alone.
    pub b: OceanCsr,
    /// Sizes, or offsets.
    pub sizes: *const i64,
    /// Spans.
    pub spans: *const i32,
    /// The bins.
    pub bins: [OceanMost; 24],
    /// Rows with the same head of which the first is listed for all.
    pub at_once: [i32; 24],
    /// For each row of C one that is as long.
    pub heads: *const i32,
    /// Products of those that stand for all others, or NULL.
    pub counted: *const i64,
    /// More of them, and every row is listed.
    pub most_counted: i64,
    /// Bins that take rows only where they all have more than so much room.
    pub distinct: u32,
    /// Rounds of a block.
    pub rounds: i32,
    /// See `distinct`.
    pub distinct_above: i64,
    /// How many there are.
    pub bin_count: i32,
    /// Whether `sizes` are offsets.
    pub are_offsets: i32,
    /// Scratch.
    pub tallies: *mut i32,
    /// The rows, bin after bin.
    pub order: *mut i32,
    /// Where each bin starts.
    pub binned: *mut OceanBinned,
    /// Whether it is wanted.
    pub ahead: OceanAhead,
}

/// What an analysis finds.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct OceanFacts {
    /// Of A and B.
    pub orders: [OceanOrder; 2],
    /// Of the rows.
    pub totals: OceanTotals,
    /// Products of the rows that stand for all others.
    pub counted: i64,
    /// Of short rows.
    pub short_rows: OceanShortRows,
    /// Rows to count, by bin.
    pub binned: OceanBinned,
}

/// Parameters of [`ocean_begin_analysis`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanBeginAnalysis {
    /// What is readied.
    pub facts: *mut OceanFacts,
}

/// Parameters of [`ocean_list`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanList {
    /// The rows.
    pub order: *mut i32,
    /// How many there are.
    pub rows: i64,
}

/// Parameters of [`ocean_place_rows`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanPlaceRows {
    /// The rows.
    pub rows: *const i32,
    /// Start and room of each.
    pub places: *const i64,
    /// How many there are.
    pub count: i64,
    /// Where each row of C starts.
    pub starts: *mut i64,
}

unsafe extern "C" {
    /// Merges few rows of B.
    pub fn ocean_accumulate_merge(params: *const OceanAccumulate, stream: OceanStream) -> i32;
    /// Sums over a narrow span.
    pub fn ocean_accumulate_window(params: *const OceanAccumulate, stream: OceanStream) -> i32;
    /// Sums in a table.
    pub fn ocean_accumulate_hash(params: *const OceanAccumulate, stream: OceanStream) -> i32;
    /// Sums by rank in a bitmap.
    pub fn ocean_accumulate_rank(params: *const OceanAccumulate, stream: OceanStream) -> i32;
    /// Computes long rows from a few rows of B.
    pub fn ocean_accumulate_search(params: *const OceanAccumulate, stream: OceanStream) -> i32;
    /// Computes rows by sorting their terms.
    pub fn ocean_accumulate_sort(params: *const OceanAccumulate, stream: OceanStream) -> i32;
    /// Sums in slices of the columns.
    pub fn ocean_accumulate_slices(params: *const OceanAccumulate, stream: OceanStream) -> i32;
    /// Sums of long rows of A, block by block.
    pub fn ocean_accumulate_blocks(params: *const OceanAccumulate, stream: OceanStream) -> i32;
    /// Cuts rows.
    pub fn ocean_cut_rows(params: *const OceanCutRows, stream: OceanStream) -> i32;
    /// Marks the columns of a few long rows.
    pub fn ocean_mark(params: *const OceanMark, stream: OceanStream) -> i32;
    /// Counts rows that have outgrown their slots.
    pub fn ocean_lengths_overflowed(params: *const OceanLengths, stream: OceanStream) -> i32;
    /// Tells what all rows come to.
    pub fn ocean_lengths_total(params: *const OceanLengths, stream: OceanStream) -> i32;
    /// Takes lengths from offsets.
    pub fn ocean_lengths_again(params: *const OceanLengths, stream: OceanStream) -> i32;
    /// Counts by merging.
    pub fn ocean_count_merge(params: *const OceanCount, stream: OceanStream) -> i32;
    /// Counts bits over a narrow span.
    pub fn ocean_count_window(params: *const OceanCount, stream: OceanStream) -> i32;
    /// Counts in a table.
    pub fn ocean_count_hash(params: *const OceanCount, stream: OceanStream) -> i32;
    /// Those of `Table`.
    pub fn ocean_count_table(params: *const OceanCount, stream: OceanStream) -> i32;
    /// Counts bits over any span.
    pub fn ocean_count_slices(params: *const OceanCount, stream: OceanStream) -> i32;
    /// Counts rows that are all short.
    pub fn ocean_count_short(params: *const OceanCountShort, stream: OceanStream) -> i32;
    /// Takes the total of their offsets over.
    pub fn ocean_count_short_total(params: *const OceanCountShort, stream: OceanStream) -> i32;
    /// Counts long rows of A with many blocks each.
    pub fn ocean_count_blocks(params: *const OceanCount, stream: OceanStream) -> i32;
    /// Counts blocks.
    pub fn ocean_split_blocks(params: *const OceanSplit, stream: OceanStream) -> i32;
    /// Splits rows into blocks.
    pub fn ocean_split(params: *const OceanSplit, stream: OceanStream) -> i32;
    /// Lists rows by bin.
    pub fn ocean_bin(params: *const OceanBin, stream: OceanStream) -> i32;
    /// Lists all rows in order.
    pub fn ocean_list(params: *const OceanList, stream: OceanStream) -> i32;
    /// Sets where single rows start.
    pub fn ocean_place_rows(params: *const OceanPlaceRows, stream: OceanStream) -> i32;
}
