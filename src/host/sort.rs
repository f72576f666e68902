// SPDX-License-Identifier: MIT OR Apache-2.0
//! sort: copies in which every row ascends: of a B that is unsorted or repeats columns, and of sums of matrices.

use rayon::prelude::*;

use super::disjoint::Disjoint;
use super::view::Pattern;
use crate::backend::SortedRows;
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::{Address, Span};
use crate::scalar::{Scalar, ValueType, with_computed};

/// Rows that one task sorts.
const ROWS: usize = 256;

/// Patterns of one shape, whose entries are counted on from one to the next.
struct Stack<'a> {
    /// Each with the number of its first entry.
    patterns: Vec<(Pattern<'a>, usize)>,
}

impl Stack<'_> {
    /// The entries of a row.
    fn entries(&self, row: usize) -> impl Iterator<Item = usize> {
        self.patterns.iter().flat_map(move |(pattern, first)| pattern.range(row).map(move |entry| first + entry))
    }

    /// Entries before a row.
    fn before(&self, row: usize) -> usize {
        self.patterns.iter().map(|(pattern, _)| pattern.offset(row) as usize).sum()
    }

    /// Column of an entry.
    fn column(&self, entry: usize) -> i32 {
        let (pattern, first) = &self.patterns[self.patterns.partition_point(|(_, first)| *first <= entry) - 1];
        let at = entry - first;
        pattern.index(pattern.stored(at..at + 1)[0]) as i32
    }
}

/// See [`crate::backend::Backend::sort_rows`]. O(entries log(longest row)).
pub fn sort_rows(matrices: &[Csr], sorted: &SortedRows) -> Result<i64> {
    let mut first = 0;
    let patterns = matrices.iter().map(|matrix| {
        // SAFETY: the matrices were inspected, and nobody writes them now.
        let pattern = unsafe { Pattern::new(matrix, "matB or matD") }?;
        first += pattern.nnz();
        Ok((pattern, first - pattern.nnz()))
    });
    let stack = Stack { patterns: patterns.collect::<Result<_>>()? };
    let rows = matrices[0].rows as usize;
    // SAFETY: the arrays are the driver's, and only this step uses them now.
    let (sources, offsets, columns, runs) = unsafe {
        (sorted.sources.slice_mut(), sorted.offsets.slice_mut(), sorted.columns.slice_mut(), sorted.runs.slice_mut())
    };
    let places = Disjoint::new(sources);
    (0..rows).into_par_iter().with_min_len(ROWS).for_each(|row| {
        // SAFETY: rows are disjoint.
        let sources = unsafe { places.part(stack.before(row)..stack.before(row + 1)) };
        sources.iter_mut().zip(stack.entries(row)).for_each(|(source, entry)| *source = entry as i64);
        // The entry breaks ties, so repeats keep their stored order.
        sources.sort_unstable_by_key(|&entry| (stack.column(entry as usize), entry));
    });
    let mut merged = 0;
    offsets[0] = 0;
    for row in 0..rows {
        let first = merged;
        for (place, &source) in sources.iter().enumerate().take(stack.before(row + 1)).skip(stack.before(row)) {
            let column = stack.column(source as usize);
            if merged == first || columns[merged - 1] != column {
                columns[merged] = column;
                runs[merged] = place as i64;
                merged += 1;
            }
        }
        offsets[row + 1] = merged as i64;
    }
    runs[merged] = stack.before(rows) as i64;
    Ok(merged as i64)
}

/// See [`crate::backend::Backend::sort_values`]. O(entries).
pub fn sort_values(kind: ValueType, stored: Address, sorted: &SortedRows, values: Address) -> Result<()> {
    with_computed!(Some(kind), V => {
        gather::<V>(stored, sorted, values);
        Ok(())
    })
}

fn gather<V: Scalar>(stored: Address, sorted: &SortedRows, values: Address) {
    // SAFETY: the arrays are the driver's, or were inspected: `offsets` ends with the number of merged entries, `runs` with
    // that of the stored ones, and `values` has room for the merged.
    let (stored, runs, sources, values) = unsafe {
        let offsets = sorted.offsets.slice();
        let merged = offsets[offsets.len() - 1] as usize;
        let runs = sorted.runs.part(0..merged + 1).slice();
        let stored = Span::<V>::new(stored, runs[merged] as usize).slice();
        (stored, runs, sorted.sources.slice(), Span::<V>::new(values, merged).slice_mut())
    };
    values.par_iter_mut().enumerate().with_min_len(ROWS).for_each(|(entry, value)| {
        let run = &sources[runs[entry] as usize..runs[entry + 1] as usize];
        let mut terms = run.iter().map(|&source| stored[source as usize]);
        let first = terms.next().unwrap_or(V::EMPTY);
        *value = terms.fold(first, V::plus);
    });
}
