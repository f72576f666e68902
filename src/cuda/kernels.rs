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
}

/// Parameters of [`ocean_rows_ascend`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanRowsAscend {
    /// The matrix.
    pub matrix: OceanCsr,
    /// The answer.
    pub order: *mut OceanOrder,
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
}

unsafe extern "C" {
    /// Checks a pattern.
    pub fn ocean_rows_ascend(params: *const OceanRowsAscend, stream: OceanStream) -> i32;
    /// Finds the first row out of order.
    pub fn ocean_first_unordered(params: *const OceanFirstUnordered, stream: OceanStream) -> i32;
    /// Counts products and spans of rows.
    pub fn ocean_row_products(params: *const OceanRowProducts, stream: OceanStream) -> i32;
    /// Names what a launcher returned.
    pub fn ocean_launch_error_name(code: i32) -> *const c_char;
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

/// alpha and beta.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanScalars {
    /// alpha, if it is not on the device.
    pub alpha: f64,
    /// beta, likewise.
    pub beta: f64,
    /// Where alpha is.
    pub alpha_at: *const c_void,
    /// Where beta is.
    pub beta_at: *const c_void,
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
    /// alpha and beta.
    pub scalars: OceanScalars,
    /// Added to columns.
    pub base: i32,
    /// 4 or 8.
    pub value_bytes: i32,
    /// Columns of a window, slots of a table.
    pub capacity: i32,
    /// 8, 16 or 32 share a row.
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
    /// Columns of a window, products of a row with a table.
    pub capacity: i32,
    /// Whether `sizes` are those of the listed rows alone.
    pub by_index: i32,
}

/// Bins at most.
pub const OCEAN_MOST_BINS: i32 = 12;

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

/// Parameters of [`ocean_bin`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OceanBin {
    /// Left factor.
    pub a: OceanCsr,
    /// Sizes, or offsets.
    pub sizes: *const i64,
    /// Spans.
    pub spans: *const i32,
    /// The bins.
    pub bins: [OceanMost; 12],
    /// How many there are.
    pub bin_count: i32,
    /// Whether `sizes` are offsets.
    pub are_offsets: i32,
    /// Scratch.
    pub tallies: *mut i32,
    /// The rows, bin after bin.
    pub order: *mut i32,
    /// Where each bin starts.
    pub starts: *mut i32,
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
    /// Sums over one slice after another.
    pub fn ocean_accumulate_slices(params: *const OceanAccumulate, stream: OceanStream) -> i32;
    /// Counts by merging.
    pub fn ocean_count_merge(params: *const OceanCount, stream: OceanStream) -> i32;
    /// Counts bits over a narrow span.
    pub fn ocean_count_window(params: *const OceanCount, stream: OceanStream) -> i32;
    /// Counts in a table.
    pub fn ocean_count_hash(params: *const OceanCount, stream: OceanStream) -> i32;
    /// Counts bits over any span.
    pub fn ocean_count_rank(params: *const OceanCount, stream: OceanStream) -> i32;
    /// Lists rows by bin.
    pub fn ocean_bin(params: *const OceanBin, stream: OceanStream) -> i32;
    /// Sets where single rows start.
    pub fn ocean_place_rows(params: *const OceanPlaceRows, stream: OceanStream) -> i32;
}
