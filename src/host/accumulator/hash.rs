// SPDX-License-Identifier: MIT OR Apache-2.0
//! A hash table of columns with linear probing, sorted at the end: for rows spread wide.

use super::{Expected, RowSum, SCRATCH};
use crate::heap;
use crate::scalar::Sum;
use crate::tuning::HASH_FULL;

const FREE: u32 = u32::MAX; // no column: they are below 2^31

/// Between rows, every slot is FREE.
pub struct Hash<V> {
    columns: Vec<u32>,
    values: Vec<V>,
    used: Vec<u32>,
    /// Slots in use of those allocated: a power of two, so that small rows stay in the cache.
    slots: usize,
    most: usize,
    order: Vec<u64>,
}

impl<V> Default for Hash<V> {
    fn default() -> Self {
        Self { columns: Vec::new(), values: Vec::new(), used: Vec::new(), slots: 0, most: 0, order: Vec::new() }
    }
}

impl<V: Sum> Hash<V> {
    fn resize(&mut self, slots: usize) {
        self.slots = slots;
        self.most = (slots as f64 * HASH_FULL) as usize;
        if self.columns.len() < slots {
            heap::grow(&mut self.columns, slots, FREE, SCRATCH);
            heap::grow(&mut self.values, slots, V::EMPTY, SCRATCH);
        }
        heap::reserve(&mut self.used, self.most, SCRATCH);
    }

    fn slot_of(&self, column: u32) -> usize {
        // Fibonacci hashing: the high bits of the product are the well-mixed ones.
        let mixed = u64::from(column).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.slots - 1)
    }

    fn grow(&mut self) {
        let used = std::mem::take(&mut self.used);
        let row: Vec<(u32, V)> = heap::collected(used.iter().map(|&slot| self.take(slot as usize)), SCRATCH);
        self.resize(self.slots * 2);
        for (column, value) in row {
            self.add_one(column, value);
        }
    }

    #[inline]
    fn add_one(&mut self, column: u32, value: V) {
        let mut slot = self.slot_of(column);
        loop {
            let found = self.columns[slot];
            if found == column {
                self.values[slot] = self.values[slot].plus(value);
                return;
            }
            if found == FREE {
                break;
            }
            slot = (slot + 1) & (self.slots - 1);
        }
        if self.used.len() == self.most {
            self.grow();
            return self.add_one(column, value);
        }
        self.columns[slot] = column;
        self.values[slot] = value;
        self.used.push(slot as u32);
    }

    /// How many columns the row has; empties itself.
    pub fn count(&mut self) -> usize {
        let count = self.used.len();
        for slot in self.used.drain(..) {
            self.columns[slot as usize] = FREE;
        }
        count
    }

    fn take(&mut self, slot: usize) -> (u32, V) {
        (std::mem::replace(&mut self.columns[slot], FREE), self.values[slot])
    }
}

impl<V: Sum> RowSum<V> for Hash<V> {
    fn start(&mut self, row: &Expected) {
        let slots = (row.entries as f64 / HASH_FULL) as usize + 1;
        self.resize(slots.next_power_of_two().max(64));
    }

    #[inline]
    fn add(&mut self, columns: &[i32], base: i32, values: impl Iterator<Item = V>) {
        for (&column, value) in columns.iter().zip(values) {
            self.add_one(column.wrapping_sub(base) as u32, value);
        }
    }

    fn drain(&mut self, mut each: impl FnMut(usize, V)) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        heap::reserve(&mut order, self.used.len(), SCRATCH);
        order.extend(self.used.iter().map(|&slot| u64::from(self.columns[slot as usize]) << 32 | u64::from(slot)));
        order.sort_unstable();
        for key in &order {
            let (column, value) = self.take(*key as u32 as usize);
            each(column as usize, value);
        }
        self.used.clear();
        self.order = order;
    }
}
