// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which accumulator builds which rows.

use serde::Serialize;

use crate::tuning::{BINS, DENSE_COLUMNS, DENSE_SPAN_PER_ENTRY, HASH_FULL};

/// A way to sum a row of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Accumulator {
    /// Whatever suits rows of a few entries: a merge on the host, expand-sort-compact on a GPU.
    Short,
    /// A hash table, sorted at the end.
    Hash,
    /// A bitmap and a value for each column that the row spans.
    Dense,
}

/// One size of accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Its name in plans.
    pub name: &'static str,
    /// What it works with.
    pub accumulator: Accumulator,
    /// Entries of a short row, or slots of a hash table; `usize::MAX` grows with the row.
    pub capacity: usize,
}

impl Bin {
    /// Entries that a row here may have.
    pub fn holds(&self) -> i64 {
        match self.accumulator {
            Accumulator::Hash if self.capacity != usize::MAX => (self.capacity as f64 * HASH_FULL) as i64,
            _ => i64::try_from(self.capacity).unwrap_or(i64::MAX),
        }
    }

    /// The room of the largest row, narrow or not, that may go here; none goes where this is none.
    pub fn takes(&self, narrow: bool, allowed: Allowed) -> Option<i64> {
        match (self.accumulator, allowed) {
            (Accumulator::Short, Allowed::Auto) | (Accumulator::Hash, Allowed::Hash) => Some(self.holds()),
            (Accumulator::Hash, Allowed::Auto) if !narrow => Some(self.holds()),
            (Accumulator::Dense, Allowed::Auto | Allowed::Dense) => Some(i64::MAX),
            _ => None,
        }
    }
}

/// Rows in each bin.
pub type BinCounts = [usize; BINS.len()];

/// Which accumulators may be used: an ablation switch; the result has the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Allowed {
    /// Whatever suits the row.
    #[default]
    Auto,
    /// Hash tables for every row.
    Hash,
    /// Dense accumulators for every row.
    Dense,
}

/// The bin of a row with room for `size` entries whose columns span `span`.
pub fn bin_of(size: i64, span: i32, allowed: Allowed) -> usize {
    let narrow = span as usize <= DENSE_COLUMNS || i64::from(span) <= size.saturating_mul(DENSE_SPAN_PER_ENTRY);
    let fits = |bin: &Bin| bin.takes(narrow, allowed).is_some_and(|most| size <= most);
    BINS.iter().position(fits).expect("the last hash bin and the dense bin hold any row")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_exactly_one_home() {
        for allowed in [Allowed::Auto, Allowed::Hash, Allowed::Dense] {
            for size in BINS.iter().flat_map(|b| [b.holds().saturating_sub(1), b.holds(), b.holds().saturating_add(1)])
            {
                for span in [0, 1, 1_000, i32::MAX] {
                    let bin = BINS[bin_of(size.max(0), span, allowed)];
                    assert!(size <= bin.holds(), "{size} entries in {}", bin.name);
                    match allowed {
                        Allowed::Auto => {}
                        Allowed::Hash => assert_eq!(bin.accumulator, Accumulator::Hash),
                        Allowed::Dense => assert_eq!(bin.accumulator, Accumulator::Dense),
                    }
                }
            }
        }
    }

    #[test]
    fn narrow_rows_are_dense_and_wide_rows_are_hashed() {
        assert_eq!(BINS[bin_of(1_000, 2_000, Allowed::Auto)].accumulator, Accumulator::Dense);
        assert_eq!(BINS[bin_of(1_000, i32::MAX, Allowed::Auto)].accumulator, Accumulator::Hash);
        assert_eq!(BINS[bin_of(3, i32::MAX, Allowed::Auto)].accumulator, Accumulator::Short);
    }

    #[test]
    fn bins_of_one_kind_ascend() {
        for kind in [Accumulator::Short, Accumulator::Hash, Accumulator::Dense] {
            let sizes: Vec<_> = BINS.iter().filter(|b| b.accumulator == kind).map(|b| b.capacity).collect();
            assert!(sizes.is_sorted_by(|a, b| a < b));
        }
    }
}
