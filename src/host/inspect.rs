// SPDX-License-Identifier: MIT OR Apache-2.0
//! inspect: reads a pattern once, before anything relies on it.

use rayon::prelude::*;

use super::view::Pattern;
use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::spgemm::Inspection;

/// Rows that one task looks at.
const ROWS: usize = 4_096;

/// See [`crate::backend::Backend::inspect`]. Reads every offset and column: O(rows + nnz).
pub fn inspect(matrix: &Csr, name: &'static str) -> Result<Inspection> {
    let bad = |row: usize, problem: String| Error::BadMatrix { matrix: name, row: row as i64, problem };
    // SAFETY: the caller of the C API vouches for its arrays; `new` bounds the columns by `nnz`.
    let pattern = unsafe { Pattern::new(matrix) }.map_err(|error| match error {
        Error::BadMatrix { row, problem, .. } => Error::BadMatrix { matrix: name, row, problem },
        other => other,
    })?;
    if pattern.offset(0) != 0 {
        let (first, base) = (pattern.offset(0) + i64::from(matrix.base), matrix.base);
        return Err(bad(0, format!("offsets start at {first}, but the index base is {base}")));
    }
    let nnz = pattern.nnz() as i64;
    let first_unordered = (0..pattern.rows.div_ceil(ROWS))
        .into_par_iter()
        .map(|task| {
            let mut unordered = None;
            for row in task * ROWS..((task + 1) * ROWS).min(pattern.rows) {
                let (start, end) = (pattern.offset(row), pattern.offset(row + 1));
                if start < 0 || start > end || end > nnz {
                    let base = i64::from(matrix.base);
                    return Err(bad(row, format!("offsets go from {} to {} in {nnz} entries", start + base, end + base)));
                }
                let mut before = -1;
                for (entry, &stored) in pattern.stored(start as usize..end as usize).iter().enumerate() {
                    let column = i64::from(stored) - i64::from(matrix.base);
                    if column < 0 || column >= matrix.cols {
                        let (cols, base) = (matrix.cols, matrix.base);
                        return Err(bad(row, format!("entry {entry} has column {stored}, of {cols} columns from {base}")));
                    }
                    if column <= before {
                        unordered = unordered.or(Some(row as i64));
                    }
                    before = column;
                }
            }
            Ok(unordered)
        })
        // The fault of the first row is reported, whichever thread finds one first.
        .collect::<Vec<Result<Option<i64>>>>()
        .into_iter()
        .try_fold(None, |first: Option<i64>, part| part.map(|unordered| first.or(unordered)))?;
    Ok(Inspection { nnz, first_unordered })
}
