// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts the columns of a row: each column keeps the number of the last row that had it, so nothing is cleared
//! between rows and nothing is read back.

use super::SCRATCH;
use crate::heap;

/// The last row that had each column, and the number of the current one.
#[derive(Default)]
pub struct Stamps {
    rows: Vec<u32>,
    current: u32,
    count: usize,
}

impl Stamps {
    /// Readies for a row of up to `columns`.
    pub fn start(&mut self, columns: usize) {
        if self.rows.len() < columns {
            heap::grow(&mut self.rows, columns, 0, SCRATCH);
        }
        self.count = 0;
        self.current = self.current.checked_add(1).unwrap_or_else(|| {
            self.rows.fill(0);
            1
        });
    }

    /// Counts those of `columns`, counted from `first`, that the row had not.
    #[inline]
    pub fn add(&mut self, columns: &[i32], first: i32) {
        let (rows, current) = (&mut self.rows[..], self.current);
        let mut count = 0;
        for &column in columns {
            let row = &mut rows[(column - first) as usize];
            // No branch: whether a column is new can't be guessed.
            count += usize::from(*row != current);
            *row = current;
        }
        self.count += count;
    }

    /// Columns of the row so far.
    pub fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_once_a_row_also_when_the_numbers_of_rows_wrap() {
        let mut stamps = Stamps { current: u32::MAX - 2, ..Stamps::default() };
        for _ in 0..5 {
            stamps.start(10);
            stamps.add(&[3, 5, 12], 3);
            stamps.add(&[4, 5, 12], 3);
            assert_eq!(stamps.count(), 4);
        }
    }
}
