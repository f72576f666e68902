// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matrices as they come and go: entries in any order, on any rank; and the way into a layout.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::bits::Bits;
use super::route::Route;
use super::session::Session;
use super::{Layout, Permutation};
use crate::csr::OwnedCsr;
use crate::error::{Error, Result};
use crate::heap;
use crate::scalar::Scalar;

/// What memory for them is for.
const ENTRIES: &str = "a rank's entries";

/// One rank's share of a matrix: any entries, in any order. Those at one place count as stored, lower ranks first.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries<V> {
    /// Rows of the whole matrix.
    pub rows: u64,
    /// Columns of the whole matrix.
    pub cols: u64,
    /// Row of each entry in the whole matrix, from 0.
    pub row: Vec<u64>,
    /// Its column.
    pub col: Vec<u64>,
    /// Its value.
    pub values: Vec<V>,
}

/// One rank's block of a matrix in a layout, with sorted rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<V> {
    /// Which rank holds what.
    pub layout: Layout,
    /// What this rank holds, counted from the corner of its block.
    pub block: OwnedCsr<V>,
}

/// New orders of a matrix's rows and columns; none leaves them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Orders {
    pub rows: Option<Permutation>,
    pub cols: Option<Permutation>,
}

impl<V: Scalar> Entries<V> {
    /// Consecutive rows from `first_row` on, of a matrix of `rows` rows and as many columns as `part` has.
    pub fn from_rows(rows: u64, first_row: u64, part: &OwnedCsr<V>) -> Self {
        let mut row = heap::room(part.nnz(), ENTRIES);
        row.extend((0..part.rows).flat_map(|row| part.row(row).map(move |_| first_row + row as u64)));
        let col = heap::collected(part.columns.iter().map(|&column| column as u64), ENTRIES);
        let values = heap::collected(part.values.iter().copied(), ENTRIES);
        Self { rows, cols: part.cols as u64, row, col, values }
    }

    /// A number that tells this rank's places from others, whatever the values.
    pub fn pattern(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.rows, self.cols, &self.row, &self.col).hash(&mut hasher);
        hasher.finish()
    }

    pub(super) fn check(&self) -> Result<()> {
        let (rows, cols, count) = (self.row.len(), self.col.len(), self.values.len());
        if rows != count || cols != count {
            return Err(Error::invalid("entries", format!("have {rows} rows, {cols} columns and {count} values")));
        }
        let outside = |at: &usize| self.row[*at] >= self.rows || self.col[*at] >= self.cols;
        match (0..count).find(outside) {
            None => Ok(()),
            Some(at) => {
                let (row, col) = (self.row[at], self.col[at]);
                let problem = format!("have one at ({row}, {col}) of a matrix of {} x {}", self.rows, self.cols);
                Err(Error::invalid("entries", problem))
            }
        }
    }
}

/// Whether blocks of this layout fit 32-bit columns and row numbers.
pub(super) fn check_blocks(layout: &Layout) -> Result<()> {
    for (cuts, what) in [(&layout.rows, "rows"), (&layout.cols, "columns")] {
        let widest = (0..cuts.parts()).map(|part| cuts.part(part)).map(|part| part.end - part.start).max().unwrap_or(0);
        if widest > i32::MAX as u64 {
            let parts = cuts.parts();
            let what = format!("a block of {widest} {what}, more than 2147483647, on one of {parts} parts");
            return Err(Error::NotSupported { what, because: ": take more ranks, or another algorithm".into() });
        }
    }
    Ok(())
}

/// Everyone's entries to the ranks whose blocks they are in.
pub(super) fn distribute<V: Scalar>(
    session: &mut Session<'_>,
    entries: &Entries<V>,
    layout: &Layout,
    orders: Orders,
) -> Result<Matrix<V>> {
    Route::new(session, entries, layout, orders)?.carry(session, &entries.values)
}

impl<V: Scalar> Matrix<V> {
    /// The entries that `rank` holds, where they stand in the whole matrix.
    pub fn entries(&self, rank: usize) -> Entries<V> {
        self.entries_in(rank, Orders::default())
    }

    /// The same, in the order before.
    pub(super) fn entries_in(&self, rank: usize, orders: Orders) -> Entries<V> {
        let block = self.layout.block(rank);
        let row_of = |row: usize| {
            let row = block.rows.start + row as u64;
            orders.rows.map_or(row, |order| order.undo(row))
        };
        let col_of = |&column: &i32| {
            let column = block.cols.start + column as u64;
            orders.cols.map_or(column, |order| order.undo(column))
        };
        let mut row = heap::room(self.block.nnz(), ENTRIES);
        row.extend((0..self.block.rows).flat_map(|at| std::iter::repeat_n(row_of(at), self.block.row(at).len())));
        Entries {
            rows: self.layout.rows.size(),
            cols: self.layout.cols.size(),
            row,
            col: heap::collected(self.block.columns.iter().map(col_of), ENTRIES),
            values: heap::collected(self.block.values.iter().copied(), ENTRIES),
        }
    }

    /// A number that tells this rank's pattern from others.
    pub(super) fn pattern(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.block.offsets, &self.block.columns).hash(&mut hasher);
        hasher.finish()
    }

    /// Which of its rows have entries.
    pub(super) fn filled_rows(&self) -> Bits {
        let mut bits = Bits::new(self.block.rows);
        (0..self.block.rows).filter(|&row| !self.block.row(row).is_empty()).for_each(|row| bits.set(row));
        bits
    }

    /// Which of its columns have entries.
    pub(super) fn filled_cols(&self) -> Bits {
        let mut bits = Bits::new(self.block.cols);
        self.block.columns.iter().for_each(|&column| bits.set(column as usize));
        bits
    }
}
