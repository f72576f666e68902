// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value for every column that the row spans, and a bitmap of those in use: no search, no sort.

use super::RowSum;
use crate::scalar::Sum;

/// Between rows, every value is EMPTY and every bit 0.
pub struct Dense<V> {
    values: Vec<V>,
    bitmap: Vec<u64>,
    first: usize,
    words: usize,
}

impl<V> Default for Dense<V> {
    fn default() -> Self {
        Self { values: Vec::new(), bitmap: Vec::new(), first: 0, words: 0 }
    }
}

impl<V: Sum> RowSum<V> for Dense<V> {
    fn start(&mut self, first: usize, span: usize, _: usize) {
        self.first = first;
        self.words = span.div_ceil(64);
        if self.bitmap.len() < self.words {
            self.bitmap.resize(self.words, 0);
            self.values.resize(self.words * 64, V::EMPTY);
        }
    }

    #[inline]
    fn add(&mut self, column: usize, value: V) {
        let at = column - self.first;
        self.bitmap[at / 64] |= 1 << (at % 64);
        self.values[at] = self.values[at].plus(value);
    }

    fn drain(&mut self, mut each: impl FnMut(usize, V)) {
        for (word, bits) in self.bitmap[..self.words].iter_mut().enumerate() {
            let mut left = std::mem::take(bits);
            while left != 0 {
                let at = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                each(self.first + at, std::mem::replace(&mut self.values[at], V::EMPTY));
            }
        }
    }

    fn count(&mut self) -> usize {
        let mut count = 0;
        if size_of::<V>() == 0 {
            // Without values there is nothing to reset but the bits.
            for bits in &mut self.bitmap[..self.words] {
                count += std::mem::take(bits).count_ones() as usize;
            }
        } else {
            self.drain(|_, _| count += 1);
        }
        count
    }
}
