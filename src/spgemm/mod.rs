// SPDX-License-Identifier: MIT OR Apache-2.0
//! The product C = A * B on any backend: analysis, plan, row sizes, accumulation, finish. No device code here.
//!
//! [`Staged`] is cuSPARSE's protocol, [`Reuse`] its variant for one pattern and many values, [`multiply`] the
//! one-call form. All three share [`rows`] (analysis and sizes) and [`product`] (accumulation and finish).

mod ablation;
mod alike;
mod analysis;
mod bins;
mod budget;
mod fingerprints;
pub mod hyperloglog;
mod merged;
mod narrowed;
mod one_call;
mod operation;
mod options;
mod patterns;
mod plan;
mod product;
mod profile;
mod report;
mod reuse;
mod rows;
mod shape;
mod slices;
mod staged;
mod sum;
mod transposed;
mod widened;

pub use ablation::Ablation;
pub use alike::{Alike, Likeness};
pub use analysis::{Analysis, Inspection, Sample, Totals, rows_to_sample};
pub use bins::{Accumulator, Allowed, Bin, BinCounts, MOST_BINS, Most, home};
use budget::Budget;
pub use narrowed::{narrowed, with_columns};
pub use one_call::{OwnedArrays, multiply};
pub use operation::Operation;
pub use options::{Options, Workflow};
pub use plan::{Limits, Plan};
pub use profile::{Profile, Times};
pub use report::Report;
pub use reuse::Reuse;
pub use rows::{Analysed, Operands, RowArrays};
pub use staged::{Staged, Wanted};
pub use sum::multiply_add;

/// Where a product is computed: the steps, and the memory that they may take beyond the caller's buffers.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The steps.
    pub on: &'a dyn crate::backend::Backend,
    /// The handle's allocator.
    pub memory: &'a std::sync::Arc<dyn crate::memory::Memory>,
}
