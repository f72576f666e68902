// SPDX-License-Identifier: MIT OR Apache-2.0
//! inspect: reads a pattern before anything relies on it, and tells in checking mode whether it is still the same.

use rayon::prelude::*;

use super::tasks::ROWS;
use super::view::Pattern;
use crate::csr::{Csr, column_text};
use crate::error::{Error, Result};
use crate::memory::Span;
use crate::spgemm::Inspection;

/// See [`crate::backend::Backend::inspect`]. Reads every offset and column: O(rows + nnz).
pub fn inspect(matrix: &Csr, name: &'static str) -> Result<Inspection> {
    let bad = |row: usize, problem: String| Error::BadMatrix { matrix: name, row: row as i64, problem };
    // SAFETY: the caller of the C API vouches for its arrays; `new` bounds the columns by `nnz`.
    let pattern = unsafe { Pattern::new(matrix, name) }?;
    let nnz = pattern.nnz() as i64;
    (0..pattern.rows.div_ceil(ROWS))
        .into_par_iter()
        .map(|task| {
            let mut found = Inspection { nnz, ..Inspection::default() };
            for row in task * ROWS..((task + 1) * ROWS).min(pattern.rows) {
                let (start, end) = (pattern.offset(row), pattern.offset(row + 1));
                if start < 0 || start > end || end > nnz {
                    let [start, end] = [start, end].map(|offset| offset.wrapping_add(matrix.base.into()));
                    return Err(bad(row, format!("offsets go from {start} to {end} in {nnz} entries")));
                }
                found.longest_row = found.longest_row.max(end - start);
                let columns = pattern.stored(start as usize..end as usize);
                if let Some(moved) = moved(&pattern, row, columns) {
                    found.repeats += i64::from(moved == 0);
                    found.shifts += i64::from(moved == 1);
                }
                let mut before = -1;
                for (entry, &stored) in columns.iter().enumerate() {
                    let column = i64::from(stored) - i64::from(matrix.base);
                    if column < 0 || column >= matrix.cols {
                        let (cols, base, stored) = (matrix.cols, matrix.base, column_text(stored));
                        return Err(bad(
                            row,
                            format!("entry {entry} has column {stored}, of {cols} columns from {base}"),
                        ));
                    }
                    if column <= before {
                        found.first_unordered = found.first_unordered.or(Some(row as i64));
                    }
                    before = column;
                }
            }
            Ok(found)
        })
        // The fault of the first row is reported, whichever thread finds one first.
        .reduce(
            || Ok(Inspection { nnz, ..Inspection::default() }),
            |before: Result<Inspection>, after| {
                let (before, after) = (before?, after?);
                Ok(Inspection {
                    nnz,
                    longest_row: before.longest_row.max(after.longest_row),
                    first_unordered: before.first_unordered.or(after.first_unordered),
                    repeats: before.repeats + after.repeats,
                    shifts: before.shifts + after.shifts,
                })
            },
        )
}

/// How many columns a row lies after the one before it, if both ends do so and it is as long.
fn moved(pattern: &Pattern<'_>, row: usize, columns: &[i32]) -> Option<i64> {
    let (start, end) = (pattern.offset(row.checked_sub(1)?), pattern.offset(row));
    if start < 0 || end - start != columns.len() as i64 {
        return None;
    }
    let before = pattern.stored(start as usize..end as usize);
    let moved = |one: Option<&i32>, other: Option<&i32>| Some(i64::from(*one?) - i64::from(*other?));
    let first = moved(columns.first(), before.first())?;
    (moved(columns.last(), before.last())? == first).then_some(first)
}

/// See [`crate::backend::Backend::fingerprint`]. O(rows + nnz).
pub fn fingerprint(matrix: &Csr, name: &'static str, rows: Span<u64>) -> Result<()> {
    // SAFETY: the caller of the C API vouches for its arrays; the fingerprints are the driver's.
    let (pattern, rows) = unsafe { (Pattern::new(matrix, name)?, rows.slice_mut()) };
    rows.par_iter_mut().enumerate().with_min_len(ROWS).try_for_each(|(row, fingerprint)| {
        let (start, end) = (pattern.offset(row), pattern.offset(row + 1));
        if start < 0 || start > end || end > pattern.nnz() as i64 {
            return Err(Error::BadMatrix {
                matrix: name,
                row: row as i64,
                problem: "its offsets are out of order".into(),
            });
        }
        let columns = pattern.stored(start as usize..end as usize);
        let mix = |hash: u64, &column: &i32| (hash.rotate_left(5) ^ column as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        *fingerprint = columns.iter().fold(columns.len() as u64, mix);
        Ok(())
    })
}

/// See [`crate::backend::Backend::first_difference`].
pub fn first_difference(one: Span<u64>, other: Span<u64>) -> Option<usize> {
    // SAFETY: the driver's arrays, which nobody writes now.
    let (one, other) = unsafe { (one.slice(), other.slice()) };
    one.iter().zip(other).position(|(one, other)| one != other)
}
