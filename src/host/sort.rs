// SPDX-License-Identifier: MIT OR Apache-2.0
//! sort: a copy of B in which every row ascends, for inputs that are unsorted or repeat columns.

use rayon::prelude::*;

use super::disjoint::Disjoint;
use super::view::Pattern;
use crate::backend::SortedRows;
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::{Address, Span};
use crate::scalar::{Scalar, with_computed};

/// Rows that one task sorts.
const ROWS: usize = 256;

/// See [`crate::backend::Backend::sort_rows`]. O(nnz(B) log(longest row)).
pub fn sort_rows(b: &Csr, sorted: &SortedRows) -> Result<i64> {
    // SAFETY: B was inspected; the arrays are the driver's, and only this step uses them now.
    let (b, sources, offsets, columns, runs) = unsafe {
        let (offsets, columns, runs) =
            (sorted.offsets.slice_mut(), sorted.columns.slice_mut(), sorted.runs.slice_mut());
        (Pattern::new(b, "matB")?, sorted.sources.slice_mut(), offsets, columns, runs)
    };
    let all = b.stored(0..b.nnz());
    let places = Disjoint::new(sources);
    (0..b.rows).into_par_iter().with_min_len(ROWS).for_each(|row| {
        let range = b.range(row);
        // SAFETY: rows of B are disjoint.
        let sources = unsafe { places.part(range.clone()) };
        sources.iter_mut().zip(range).for_each(|(source, entry)| *source = entry as i64);
        // The entry breaks ties, so repeats keep their stored order.
        sources.sort_unstable_by_key(|&entry| (all[entry as usize], entry));
    });
    let mut merged = 0;
    offsets[0] = 0;
    for row in 0..b.rows {
        let first = merged;
        for entry in b.range(row) {
            let column = b.index(all[sources[entry] as usize]) as i32;
            if merged == first || columns[merged - 1] != column {
                columns[merged] = column;
                runs[merged] = entry as i64;
                merged += 1;
            }
        }
        offsets[row + 1] = merged as i64;
    }
    runs[merged] = b.nnz() as i64;
    Ok(merged as i64)
}

/// See [`crate::backend::Backend::sort_values`]. O(nnz(B)).
pub fn sort_values(b: &Csr, sorted: &SortedRows, values: Address) -> Result<()> {
    with_computed!(b.value_type(), V => gather::<V>(b, sorted, values))
}

fn gather<V: Scalar>(b: &Csr, sorted: &SortedRows, values: Address) -> Result<()> {
    // SAFETY: B was inspected; the arrays are the driver's: `offsets` ends with the number of merged entries, and
    // `values` has room for so many.
    let (stored, runs, sources, values) = unsafe {
        let offsets = sorted.offsets.slice();
        let merged = offsets[offsets.len() - 1] as usize;
        let stored = Span::<V>::new(b.values, Pattern::new(b, "matB")?.nnz()).slice();
        let runs = sorted.runs.part(0..merged + 1).slice();
        (stored, runs, sorted.sources.slice(), Span::<V>::new(values, merged).slice_mut())
    };
    values.par_iter_mut().enumerate().with_min_len(ROWS).for_each(|(entry, value)| {
        let run = &sources[runs[entry] as usize..runs[entry + 1] as usize];
        let mut terms = run.iter().map(|&source| stored[source as usize]);
        let first = terms.next().unwrap_or(V::EMPTY);
        *value = terms.fold(first, V::plus);
    });
    Ok(())
}
