// SPDX-License-Identifier: MIT OR Apache-2.0
//! sizes: room for each row of C, by bound or estimate; offsets and bins.

use rayon::prelude::*;

use super::disjoint::Disjoint;
use super::tasks::ROWS;
use super::view::Pattern;
use crate::csr::Csr;
use crate::error::Result;
use crate::heap;
use crate::memory::Span;
use crate::spgemm::{Allowed, BinCounts, Most, home, hyperloglog};
use crate::tuning::{BOUNDED_PRODUCTS, HOST_BINS, SKETCHED_ROW};

/// See [`crate::backend::Backend::cap`].
pub fn cap(sizes: Span<i64>, most: i64) {
    // SAFETY: the driver's array, which only this step uses now.
    let sizes = unsafe { sizes.slice_mut() };
    let rows = sizes.len() - 1;
    sizes[..rows].iter_mut().for_each(|size| *size = (*size).min(most));
}

/// See [`crate::backend::Backend::sketch`]. O(nnz(B)).
pub fn sketch(b: &Csr, registers: usize, sketches: Span<u8>) -> Result<()> {
    // SAFETY: B was inspected; the sketches are the driver's, and only this step uses them now.
    let (b, sketches) = unsafe { (Pattern::new(b, "matB")?, sketches.slice_mut()) };
    let sketches = Disjoint::new(sketches);
    (0..b.rows).into_par_iter().with_min_len(ROWS).filter(|&row| b.len(row) >= SKETCHED_ROW).for_each(|row| {
        // SAFETY: rows of at least SKETCHED_ROW entries start in different stretches of so many entries.
        let sketch = unsafe { sketches.part(place(&b, row, registers)) };
        sketch.fill(0);
        b.stored(b.range(row)).iter().for_each(|&c| hyperloglog::insert(sketch, b.index(c) as u32));
    });
    Ok(())
}

/// Where the sketch of a row of B lies.
fn place(b: &Pattern<'_>, row: usize, registers: usize) -> std::ops::Range<usize> {
    let first = b.range(row).start / SKETCHED_ROW * registers;
    first..first + registers
}

/// See [`crate::backend::Backend::estimate`]. O(nnz(A) * registers) at most.
pub fn estimate(
    a: &Csr,
    b: &Csr,
    sketches: Span<u8>,
    registers: usize,
    coefficient: f64,
    sizes: Span<i64>,
) -> Result<()> {
    // SAFETY: both matrices were inspected; the arrays are the driver's, and only this step uses them now.
    let (a, b, sketches, sizes) =
        unsafe { (Pattern::new(a, "matA")?, Pattern::new(b, "matB")?, sketches.slice(), sizes.slice_mut()) };
    sizes[..a.rows].par_chunks_mut(ROWS).enumerate().for_each(|(task, sizes)| {
        let mut merged = vec![0; registers];
        for (i, size) in sizes.iter_mut().enumerate().filter(|(_, size)| **size > BOUNDED_PRODUCTS) {
            merged.fill(0);
            for &stored in a.stored(a.range(task * ROWS + i)) {
                let row = a.index(stored);
                if b.len(row) >= SKETCHED_ROW {
                    hyperloglog::merge(&mut merged, &sketches[place(&b, row, registers)]);
                } else {
                    b.stored(b.range(row)).iter().for_each(|&c| hyperloglog::insert(&mut merged, b.index(c) as u32));
                }
            }
            *size = (*size).min((hyperloglog::estimate(&merged) * coefficient).ceil() as i64);
        }
    });
    Ok(())
}

/// See [`crate::backend::Backend::scan`].
pub fn scan(sizes: Span<i64>) -> i64 {
    // SAFETY: the driver's array, which only this step uses now.
    let sizes = unsafe { sizes.slice_mut() };
    let (last, rows) = sizes.split_last_mut().expect("one more than there are rows");
    let mut total = 0;
    for size in rows {
        total += std::mem::replace(size, total);
    }
    *last = total;
    total
}

/// See [`crate::backend::Backend::bin`].
pub fn bin(rows: usize, offsets: Span<i64>, spans: Span<i32>, allowed: Allowed, order: Span<i32>) -> BinCounts {
    // SAFETY: the driver's arrays, which only this step uses now.
    let (offsets, spans, order) = unsafe { (offsets.slice(), spans.slice(), order.slice_mut()) };
    let mut homes = heap::filled(rows, 0u8, "the bins of rows");
    homes.par_iter_mut().enumerate().with_min_len(ROWS).for_each(|(row, bin)| {
        let (size, span) = (offsets[row + 1] - offsets[row], i64::from(spans[row]));
        // Entries of A's row make no difference here.
        *bin = home(&HOST_BINS, Most { entries: 0, size, span }, allowed) as u8;
    });
    let mut counts = BinCounts::default();
    homes.iter().for_each(|&home| counts[home as usize] += 1);
    let mut next = BinCounts::default();
    for bin in 1..next.len() {
        next[bin] = next[bin - 1] + counts[bin - 1];
    }
    for (row, &home) in homes.iter().enumerate() {
        let at = &mut next[home as usize];
        order[*at] = row as i32;
        *at += 1;
    }
    counts
}
