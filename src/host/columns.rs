// SPDX-License-Identifier: MIT OR Apache-2.0
//! columns: 64-bit columns as 32-bit ones, and back.

use rayon::prelude::*;

use super::tasks::ROWS;
use crate::csr::{Csr, Offsets};
use crate::memory::{Address, Span};

/// See [`crate::backend::Backend::narrow_columns`]. O(nnz).
pub fn narrow_columns(matrix: &Csr, to: Span<i32>) {
    let rows = matrix.rows as usize;
    // SAFETY: the caller of the C API vouches for its offsets.
    let end = unsafe {
        match matrix.offsets() {
            Offsets::I32(offsets) => i64::from(offsets.slice()[rows]),
            Offsets::I64(offsets) => offsets.slice()[rows],
        }
    };
    // They were not looked at yet, and may say anything.
    let entries = end.saturating_sub(matrix.base.into()).clamp(0, matrix.nnz) as usize;
    // SAFETY: as above, of columns within nnz; the copy is the driver's.
    let (from, to) = unsafe { (Span::<i64>::new(matrix.columns, entries).slice(), to.part(0..entries).slice_mut()) };
    to.par_iter_mut().zip(from).with_min_len(ROWS).for_each(|(to, &from)| {
        *to = from.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    });
}

/// See [`crate::backend::Backend::widen_columns`]. O(nnz).
pub fn widen_columns(from: Span<i32>, to: Address) {
    // SAFETY: the driver's columns, which nobody writes now, and the caller's array for as many.
    let (from, to) = unsafe { (from.slice(), Span::<i64>::new(to, from.len).slice_mut()) };
    to.par_iter_mut().zip(from).with_min_len(ROWS).for_each(|(to, &from)| *to = from.into());
}
