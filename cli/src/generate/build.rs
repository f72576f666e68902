// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row by row, or edge by edge, into CSR.

use ocean_market::Csr;
use rayon::prelude::*;

use crate::failure::{Failure, Result};
use crate::progress::Meter;

/// More entries than this need offsets wider than the library multiplies with.
const MOST_ENTRIES: u128 = i32::MAX as u128;

/// Sizes that a CSR matrix with 32-bit indices can have, or why not.
pub fn check_size(rows: u128, cols: u128, entries: u128) -> Result<(usize, usize)> {
    const MOST: u128 = i32::MAX as u128;
    if rows > MOST || cols > MOST {
        return Err(Failure::refused(format!("{rows} x {cols}: 32-bit indices end at {MOST} rows and columns")));
    }
    if entries > MOST_ENTRIES {
        return Err(Failure::refused(format!("about {entries} entries: 32-bit offsets end at {MOST_ENTRIES}")));
    }
    Ok((rows as usize, cols as usize))
}

/// Rows that one thread makes at a time.
const PART_ROWS: usize = 1 << 12;

/// Makes each row from the columns that `row` names, in any order and with repeats, and from `value`. Rows are made
/// by several threads; the matrix is the same for any number of them.
pub fn by_rows(
    (rows, cols): (usize, usize),
    expected_entries: u128,
    row: impl Fn(u64, &mut Vec<i32>) + Sync,
    value: impl Fn(u64, u64) -> f64 + Sync,
) -> Result<Csr<f64>> {
    let mut csr = Csr { rows, cols, offsets: reserve(rows + 1)?, columns: vec![], values: vec![] };
    csr.columns = reserve(expected_entries as usize)?;
    csr.values = reserve(expected_entries as usize)?;
    csr.offsets.push(0);

    let part = |first: usize| {
        let (mut lengths, mut columns, mut values, mut names) = (vec![], vec![], vec![], vec![]);
        for i in first as u64..rows.min(first + PART_ROWS) as u64 {
            names.clear();
            row(i, &mut names);
            names.sort_unstable();
            names.dedup();
            lengths.push(names.len() as i64);
            values.extend(names.iter().map(|&column| value(i, column as u64)));
            columns.extend_from_slice(&names);
        }
        (lengths, columns, values)
    };

    // In waves, so that the parts that wait to be joined stay a small share of the matrix.
    let wave = PART_ROWS * 8 * rayon::current_num_threads();
    let mut meter = Meter::new("generating");
    for begin in (0..rows).step_by(wave) {
        meter.update(begin as u64, rows as u64);
        let firsts: Vec<usize> = (begin..rows.min(begin + wave)).step_by(PART_ROWS).collect();
        let parts: Vec<_> = firsts.into_par_iter().map(part).collect();
        for (lengths, columns, values) in parts {
            let mut end = csr.columns.len() as i64;
            csr.offsets.extend(lengths.into_iter().map(|length| {
                end += length;
                end
            }));
            csr.columns.extend(columns);
            csr.values.extend(values);
        }
    }
    Ok(csr)
}

/// Makes an n by n matrix from edges `row << 32 | column`, in any order and with repeats.
pub fn by_edges(n: usize, mut edges: Vec<u64>, value: impl Fn(u64, u64) -> f64) -> Result<Csr<f64>> {
    edges.par_sort_unstable();
    edges.dedup();
    let mut csr = Csr { rows: n, cols: n, offsets: reserve(n + 1)?, columns: vec![], values: vec![] };
    csr.columns = reserve(edges.len())?;
    csr.values = reserve(edges.len())?;
    csr.offsets.resize(n + 1, 0);
    for edge in edges {
        let (row, column) = (edge >> 32, edge & u64::from(u32::MAX));
        csr.offsets[row as usize + 1] += 1;
        csr.columns.push(column as i32);
        csr.values.push(value(row, column));
    }
    for i in 0..n {
        csr.offsets[i + 1] += csr.offsets[i];
    }
    Ok(csr)
}

pub fn reserve<T>(room: usize) -> Result<Vec<T>> {
    let mut vector = Vec::new();
    let bytes = (room as u64).saturating_mul(size_of::<T>() as u64);
    vector.try_reserve_exact(room).map_err(|_| Failure::memory(bytes, "the matrix"))?;
    Ok(vector)
}
