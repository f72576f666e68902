// SPDX-License-Identifier: MIT OR Apache-2.0
//! transpose: a factor by columns, for products of A^T and A^H.

use rayon::prelude::*;

use super::tasks::ROWS;
use super::view::Pattern;
use crate::backend::TransposedRows;
use crate::csr::Csr;
use crate::error::Result;
use crate::heap;
use crate::memory::{Address, Span};
use crate::scalar::{Scalar, ValueType, with_computed};

/// See [`crate::backend::Backend::transpose`]. A counting sort on one thread: O(rows + columns + nnz).
pub fn transpose(matrix: &Csr, to: &TransposedRows) -> Result<()> {
    // SAFETY: the matrix was inspected; the arrays are the driver's, and only this step uses them now.
    let (matrix, offsets, columns, sources) = unsafe {
        (Pattern::new(matrix, "matrix")?, to.offsets.slice_mut(), to.columns.slice_mut(), to.sources.slice_mut())
    };
    let all = matrix.stored(0..matrix.nnz());
    offsets.fill(0);
    all.iter().for_each(|&stored| offsets[matrix.index(stored) + 1] += 1);
    for row in 1..offsets.len() {
        offsets[row] += offsets[row - 1];
    }
    let mut next: Vec<i64> = heap::collected(offsets.iter().copied(), "where rows of a transpose go on");
    for row in 0..matrix.rows {
        for entry in matrix.range(row) {
            let place = &mut next[matrix.index(all[entry])];
            columns[*place as usize] = row as i32;
            sources[*place as usize] = entry as i64;
            *place += 1;
        }
    }
    Ok(())
}

/// See [`crate::backend::Backend::gather`].
pub fn gather(kind: ValueType, sources: Span<i64>, conjugate: bool, from: Address, to: Address) -> Result<()> {
    with_computed!(Some(kind), V => {
        gather_of::<V>(sources, conjugate, from, to);
        Ok(())
    })
}

fn gather_of<V: Scalar>(sources: Span<i64>, conjugate: bool, from: Address, to: Address) {
    // SAFETY: `sources` names every stored entry once, so `from` has as many as `to`; the arrays do not overlap.
    let (sources, from, to) = unsafe {
        (sources.slice(), Span::<V>::new(from, sources.len).slice(), Span::<V>::new(to, sources.len).slice_mut())
    };
    to.par_iter_mut().zip(sources).with_min_len(ROWS).for_each(|(to, &source)| {
        let value = from[source as usize];
        *to = if conjugate { value.conjugate() } else { value };
    });
}
