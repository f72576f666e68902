// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value for every column that the row may have, and a bitmap of those in use: no search and no sort.
//!
//! A second bitmap has a bit for each word of the first that is not zero, so handing a row over costs a step for
//! each of its entries and one for each 4,096 columns between its ends, however wide the matrix is.

use super::{Expected, RowSum, SCRATCH};
use crate::heap;
use crate::scalar::Sum;

/// Columns of one word of the bitmap.
const WORD: usize = u64::BITS as usize;

/// Between rows, every value is EMPTY and every bit 0.
pub struct Dense<V> {
    values: Vec<V>,
    bitmap: Vec<u64>,
    summary: Vec<u64>,
    first: usize,
    /// Words of the summary that the row has touched: from `low` to before `high`.
    low: usize,
    high: usize,
    /// Whether most columns are met again and again, so that their bits are looked at before they are set.
    query: bool,
}

impl<V> Default for Dense<V> {
    fn default() -> Self {
        Self { values: vec![], bitmap: vec![], summary: vec![], first: 0, low: usize::MAX, high: 0, query: false }
    }
}

impl<V: Sum> Dense<V> {
    #[inline]
    fn add_all<const QUERY: bool>(&mut self, columns: &[i32], base: i32, terms: impl Iterator<Item = V>) {
        let first = self.first as i64 + i64::from(base);
        let place = |column: i32| (i64::from(column) - first) as usize;
        if let (Some(&low), Some(&high)) = (columns.first(), columns.last()) {
            self.low = self.low.min(place(low) / (WORD * WORD));
            self.high = self.high.max(place(high) / (WORD * WORD) + 1);
        }
        // Slices of their own, so that nothing is loaded again after each store.
        let (values, bitmap, summary) = (&mut self.values[..], &mut self.bitmap[..], &mut self.summary[..]);
        for (&column, term) in columns.iter().zip(terms) {
            let at = place(column);
            let word = at / WORD;
            values[at] = values[at].plus(term);
            // Where a column is new can't be guessed at low compression, and setting a bit in vain costs less than a
            // wrong guess; at high compression a store after each store to the same word costs more than a look.
            if !QUERY || bitmap[word] & 1 << (at % WORD) == 0 {
                bitmap[word] |= 1 << (at % WORD);
                summary[word / WORD] |= 1 << (word % WORD);
            }
        }
    }

    /// Visits the words of the bitmap that are not zero, in order, and leaves zeros.
    #[inline]
    fn take_words(&mut self, mut each: impl FnMut(&mut [V], usize, u64)) {
        for block in self.low..self.high {
            let mut words = std::mem::take(&mut self.summary[block]);
            while words != 0 {
                let word = block * WORD + words.trailing_zeros() as usize;
                words &= words - 1;
                each(&mut self.values, word * WORD, std::mem::take(&mut self.bitmap[word]));
            }
        }
        (self.low, self.high) = (usize::MAX, 0);
    }
}

impl<V: Sum> RowSum<V> for Dense<V> {
    fn start(&mut self, row: &Expected) {
        self.first = row.columns.start;
        self.query = row.repeats;
        let blocks = row.columns.len().div_ceil(WORD * WORD);
        if self.summary.len() < blocks {
            heap::grow(&mut self.summary, blocks, 0, SCRATCH);
            heap::grow(&mut self.bitmap, blocks * WORD, 0, SCRATCH);
            heap::grow(&mut self.values, blocks * WORD * WORD, V::EMPTY, SCRATCH);
        }
    }

    #[inline]
    fn add(&mut self, columns: &[i32], base: i32, values: impl Iterator<Item = V>) {
        if self.query {
            self.add_all::<true>(columns, base, values)
        } else {
            self.add_all::<false>(columns, base, values)
        }
    }

    fn drain(&mut self, mut each: impl FnMut(usize, V)) {
        let first = self.first;
        self.take_words(|values, start, mut bits| {
            while bits != 0 {
                let at = start + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                each(first + at, std::mem::replace(&mut values[at], V::EMPTY));
            }
        });
    }
}
