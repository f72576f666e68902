// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expand, sort, compact: products of a short row are gathered, sorted by column with their order kept, and summed.

use super::{Expected, RowSum};
use crate::scalar::Sum;
use crate::tuning::SHORT_PRODUCTS;

/// Holds [`SHORT_PRODUCTS`] products at least.
pub struct Short<V> {
    products: Vec<V>,
    /// Column and place of each product: sorting these keeps the order of products of one column.
    keys: Vec<u64>,
}

impl<V> Default for Short<V> {
    fn default() -> Self {
        Self { products: Vec::with_capacity(SHORT_PRODUCTS), keys: Vec::with_capacity(SHORT_PRODUCTS) }
    }
}

impl<V: Sum> RowSum<V> for Short<V> {
    fn start(&mut self, _: &Expected) {}

    #[inline]
    fn add(&mut self, terms: impl Iterator<Item = (usize, V)>) {
        for (column, value) in terms {
            self.keys.push((column as u64) << 32 | self.products.len() as u64);
            self.products.push(value);
        }
    }

    fn drain(&mut self, mut each: impl FnMut(usize, V)) {
        self.keys.sort_unstable();
        let mut keys = self.keys.iter().peekable();
        while let Some(&key) = keys.next() {
            let column = key >> 32;
            let mut sum = self.products[key as u32 as usize];
            while let Some(&next) = keys.next_if(|&&next| next >> 32 == column) {
                sum = sum.plus(self.products[next as u32 as usize]);
            }
            each(column as usize, sum);
        }
        self.keys.clear();
        self.products.clear();
    }

    fn count(&mut self) -> usize {
        let mut count = 0;
        self.drain(|_, _| count += 1);
        count
    }
}
