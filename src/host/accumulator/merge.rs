// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows of a few entries of A: their rows of B ascend, so they are merged like sorted lists. No memory, no sort, and
//! terms of one column meet in A's order by themselves.

use crate::host::view::{Pattern, Products};
use crate::scalar::Sum;
use crate::tuning::MERGED_ROWS;

/// No column: they are below 2^31 - 1.
const END: i32 = i32::MAX;

/// Where one row of B stands.
#[derive(Clone, Copy)]
struct Cursor {
    /// Column at `next`, from 0, or END.
    head: i32,
    /// Entry of A that multiplies the row.
    left: usize,
    next: usize,
    end: usize,
}

impl Cursor {
    #[inline]
    fn look(&mut self, b: &Pattern<'_>) {
        self.head = if self.next < self.end { b.index(b.stored(self.next..self.end)[0]) as i32 } else { END };
    }
}

/// Hands the sums of `row`, which has at most [`MERGED_ROWS`] entries in A, to `each`.
pub fn merge<P: Products>(
    a: &Pattern<'_>,
    b: &Pattern<'_>,
    products: P,
    row: usize,
    mut each: impl FnMut(usize, P::Sum),
) {
    let mut cursors = [Cursor { head: END, left: 0, next: 0, end: 0 }; MERGED_ROWS];
    let entries = a.range(row);
    let cursors = &mut cursors[..entries.len()];
    for ((cursor, left), &stored) in cursors.iter_mut().zip(entries.clone()).zip(a.stored(entries)) {
        let range = b.range(a.index(stored));
        *cursor = Cursor { head: END, left, next: range.start, end: range.end };
        cursor.look(b);
    }
    loop {
        let column = cursors.iter().map(|cursor| cursor.head).min().unwrap_or(END);
        if column == END {
            return;
        }
        let mut sum = P::Sum::EMPTY;
        for cursor in &mut *cursors {
            if cursor.head == column {
                sum = sum.plus(products.one(cursor.left, cursor.next));
                cursor.next += 1;
                cursor.look(b);
            }
        }
        each(column as usize, sum);
    }
}
