// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sums of one row of C. Each accumulator adds in the order it is given, so all of them give the same bits.

mod dense;
mod hash;
mod short;

pub use dense::Dense;
pub use hash::Hash;
pub use short::Short;

/// One row of C in the making.
pub trait RowSum<V> {
    /// Readies for a row of about `entries` entries whose columns lie in `first..first + span`.
    fn start(&mut self, first: usize, span: usize, entries: usize);
    /// Adds to a column.
    fn add(&mut self, column: usize, value: V);
    /// Hands over the row in ascending order of columns, and empties itself.
    fn drain(&mut self, each: impl FnMut(usize, V));
    /// How many columns the row has; empties itself.
    fn count(&mut self) -> usize;
}
