// SPDX-License-Identifier: MIT OR Apache-2.0
//! analysis: products and spans of the rows, and the sample.

use rayon::prelude::*;

use super::tasks::ROWS;
use super::view::Pattern;
use crate::csr::Csr;
use crate::error::Result;
use crate::heap;
use crate::memory::Span;
use crate::spgemm::{Sample, Totals, hyperloglog};
use crate::tuning::DENSE_COLUMNS;

/// See [`crate::backend::Backend::row_products`]. O(nnz(A)) scattered reads of B's offsets; of its row ends too where
/// C is so wide that spans matter.
pub fn row_products(a: &Csr, b: &Csr, products: Span<i64>, spans: Span<i32>) -> Result<Totals> {
    // SAFETY: both matrices were inspected; the arrays are the driver's and nobody else's.
    let (a, b, products, spans) =
        unsafe { (Pattern::new(a, "matA")?, Pattern::new(b, "matB")?, products.slice_mut(), spans.slice_mut()) };
    let wide = b.cols > DENSE_COLUMNS;
    let totals = products[..a.rows]
        .par_chunks_mut(ROWS)
        .zip(spans.par_chunks_mut(ROWS))
        .enumerate()
        .map(|(task, (products, spans))| {
            let mut totals = Totals::default();
            for (i, (products, span)) in products.iter_mut().zip(spans).enumerate() {
                let entries = a.range(task * ROWS + i);
                totals.longest_row = totals.longest_row.max(entries.len() as i64);
                let (mut sum, mut first, mut last) = (0i64, 0, b.cols);
                if wide {
                    (first, last) = (usize::MAX, 0);
                }
                for &stored in a.stored(entries) {
                    let row = a.index(stored);
                    sum += b.len(row) as i64;
                    if wide && let Some((low, high)) = b.ends(row) {
                        (first, last) = (first.min(low), last.max(high + 1));
                    }
                }
                *products = sum;
                *span = if sum > 0 { last.saturating_sub(first) as i32 } else { 0 };
                totals.products += sum;
                totals.most_products = totals.most_products.max(sum);
                totals.empty_rows += i64::from(sum == 0);
                totals.counted += sum;
                totals.widest = totals.widest.max(i64::from(*span));
            }
            totals
        })
        .reduce(Totals::default, |one, other| one.with(&other));
    Ok(totals)
}

/// See [`crate::backend::Backend::sample`].
pub fn sample(a: &Csr, b: &Csr, rows: &[i32], registers: usize) -> Result<Sample> {
    // SAFETY: both matrices were inspected.
    let (a, b) = unsafe { (Pattern::new(a, "matA")?, Pattern::new(b, "matB")?) };
    let row = |&row: &i32| {
        let mut sketch = vec![0; registers];
        let mut products = 0;
        for &stored in a.stored(a.range(row as usize)) {
            let columns = b.stored(b.range(a.index(stored)));
            products += columns.len() as i64;
            columns.iter().for_each(|&c| hyperloglog::insert(&mut sketch, b.index(c) as u32));
        }
        (products, hyperloglog::estimate(&sketch).min(products as f64))
    };
    let mut sample = Sample { rows: rows.len(), registers, ..Sample::default() };
    // Summed in order, so that the plan does not depend on the number of threads.
    let mut found = heap::filled(rows.len(), (0, 0.0), "the sample");
    found.par_iter_mut().zip(rows).for_each(|(found, at)| *found = row(at));
    for (products, entries) in found {
        sample.products += products;
        sample.entries += entries;
        sample.squares += entries * entries;
    }
    Ok(sample)
}
