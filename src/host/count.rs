// SPDX-License-Identifier: MIT OR Apache-2.0
//! count: how many entries each row of C has.

use rayon::prelude::*;

use super::accumulate::Work;
use super::accumulator::{Expected, Hash, RowSum, Stamps};
use super::tasks::{Pool, rows_per_task};
use super::view::Structure;
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::Span;
use crate::spgemm::Accumulator;
use crate::tuning::DENSE_COLUMNS;

/// What one thread counts with.
#[derive(Default)]
pub struct Counter {
    stamps: Stamps,
    hash: Hash<()>,
}

impl Work<'_, Structure> {
    /// The length of one row of C; `entries` is a guess.
    pub fn count(&self, counter: &mut Counter, kind: Accumulator, row: usize, entries: usize) -> usize {
        let Counter { stamps, hash } = counter;
        let columns = self.a.stored(self.a.range(row));
        let rows_of_b = columns.iter().map(|&k| self.b.stored(self.b.range(self.a.index(k))));
        if kind == Accumulator::Dense {
            let span = self.span(row);
            let first = span.start as i32 + self.b.base;
            stamps.start(span.len());
            rows_of_b.for_each(|columns| stamps.add(columns, first));
            return stamps.count();
        }
        hash.start(&Expected { columns: 0..0, entries, repeats: false });
        rows_of_b.for_each(|columns| hash.add(columns, self.b.base, columns.iter().map(|_| ())));
        hash.count()
    }
}

/// See [`crate::backend::Backend::count`]. O(products), less where neighbouring rows of A are equal. With `tables`, every
/// row is counted, in a hash table.
pub fn count(a: &Csr, b: &Csr, (compression, tables): (f64, bool), spans: Span<i32>, sizes: Span<i64>) -> Result<()> {
    let work = Work::pattern(a, b)?;
    // SAFETY: the driver's arrays, which only this step uses now.
    let (spans, sizes) = unsafe { (spans.slice(), sizes.slice_mut()) };
    let pool = Pool::<Counter>::new();
    let rows = work.a.rows;
    let rows_per_task = rows_per_task(rows, work.products());
    sizes[..rows].par_chunks_mut(rows_per_task).enumerate().for_each(|(task, sizes)| {
        pool.lend(|counter| {
            let columns = |row: usize| work.a.stored(work.a.range(row));
            let mut before = None;
            for (i, size) in sizes.iter_mut().enumerate() {
                let row = task * rows_per_task + i;
                *size = match before {
                    _ if columns(row).len() < 2 => *size,
                    Some((last, count)) if !tables && columns(last) == columns(row) => count,
                    _ => {
                        let guess = ((*size as f64 / compression) as i64).min(work.b.cols as i64);
                        let dense = !tables && spans[row] as usize <= DENSE_COLUMNS;
                        let kind = if dense { Accumulator::Dense } else { Accumulator::Hash };
                        work.count(counter, kind, row, guess as usize) as i64
                    }
                };
                before = Some((row, *size));
            }
        });
    });
    Ok(())
}
