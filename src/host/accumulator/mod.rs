// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sums of one row of C. Each accumulator adds in the order it is given, so all of them give the same bits.

use std::ops::Range;

mod dense;
mod hash;
mod stamps;

pub use dense::Dense;
pub use hash::Hash;
pub use stamps::Stamps;

/// What messages call a lack of memory for these.
const SCRATCH: &str = "a thread's sums of one row";

/// What is known of a row before it is summed.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Columns that it may have.
    pub columns: Range<usize>,
    /// About how many it has.
    pub entries: usize,
    /// Whether most of its terms meet a column that is there already.
    pub repeats: bool,
}

/// One row of C in the making.
pub trait RowSum<V> {
    /// Readies for a row.
    fn start(&mut self, row: &Expected);
    /// Adds a value to each of `columns`, which ascend and count from `base`.
    fn add(&mut self, columns: &[i32], base: i32, values: impl Iterator<Item = V>);
    /// Hands over the row in ascending order of columns, and empties itself.
    fn drain(&mut self, each: impl FnMut(usize, V));
}
