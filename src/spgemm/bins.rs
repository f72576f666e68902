// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which accumulator builds which rows. Each backend has a table of its own.

use serde::Serialize;

/// A way to sum a row of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Accumulator {
    /// Merges a few rows of B.
    Merge,
    /// A sum for each column of the span, in fast memory.
    Window,
    /// A few rows of B, in each of which the columns of the others are searched for.
    Search,
    /// A hash table, sorted at the end.
    Hash,
    /// A hash table of columns alone, a block's: rows are counted in it, not summed.
    Table,
    /// All terms, sorted.
    Sort,
    /// A bitmap of the span, and a sum for each column in use.
    Rank,
    /// Windows and tables over parts of the span, side by side.
    Slices,
    /// Windows over one part of the span after another, a block of A's entries at a time.
    Blocks,
    /// A bitmap, and a sum for each column of the span.
    Dense,
}

/// What a row is at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// Entries of A's row.
    pub entries: i64,
    /// Its room.
    pub size: i64,
    /// Columns from its first to its last.
    pub span: i64,
}

impl Most {
    /// Any row.
    pub const ANY: Self = Self { entries: i64::MAX, size: i64::MAX, span: i64::MAX };

    /// Whether `row` stays within.
    pub fn holds(&self, row: Self) -> bool {
        row.entries <= self.entries && row.size <= self.size && row.span <= self.span
    }
}

/// One size of accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Its name in plans.
    pub name: &'static str,
    /// What it works with.
    pub accumulator: Accumulator,
    /// The rows that it takes.
    pub most: Most,
    /// Whether it suits only products whose columns hardly repeat.
    pub distinct: bool,
}

impl Bin {
    /// The same for rows of which none is more than `every`.
    pub fn within(self, every: Most) -> Self {
        let Most { entries, size, span } = self.most;
        let most = Most { entries: entries.min(every.entries), size: size.min(every.size), span: span.min(every.span) };
        Self { most, ..self }
    }
}

/// Bins of a backend at most.
pub const MOST_BINS: usize = 24;

/// Rows in each bin.
pub type BinCounts = [usize; MOST_BINS];

/// Which accumulators may be used: an ablation switch; the result has the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Allowed {
    /// Whatever suits the row.
    #[default]
    Auto,
    /// The same for rows whose columns hardly repeat: the planner's choice, nobody asks for it.
    Distinct,
    /// Hash tables and dense passes, as before the paper's hybrid accumulators.
    Plain,
    /// Hash tables, for rows that fit one.
    Hash,
    /// A place for each column of the span, for rows whose span allows it.
    Dense,
}

impl Allowed {
    /// Whether `bin` may be used. The last bin of a table takes what is left over in any case.
    pub fn allows(self, bin: &Bin) -> bool {
        use Accumulator::{Blocks, Hash, Merge, Search, Slices, Sort};
        match self {
            Self::Auto => !bin.distinct,
            Self::Distinct => true,
            Self::Plain => matches!(bin.accumulator, Hash | Slices | Blocks | Accumulator::Dense),
            Self::Hash => bin.accumulator == Hash,
            Self::Dense => !matches!(bin.accumulator, Hash | Merge | Search | Sort),
        }
    }
}

/// The bin that takes a row: the first that is allowed and holds it, or the last.
pub fn home(bins: &[Bin], row: Most, allowed: Allowed) -> usize {
    let takes = |bin: &Bin| allowed.allows(bin) && bin.most.holds(row);
    bins.iter().position(takes).unwrap_or(bins.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::{CUDA_BINS, CUDA_COUNT_BINS, CUDA_TABLE_BINS, HOST_BINS};

    #[test]
    fn every_row_has_a_home_that_holds_it() {
        for bins in [&HOST_BINS[..], &CUDA_BINS, &CUDA_COUNT_BINS, &CUDA_TABLE_BINS] {
            assert!(bins.len() <= MOST_BINS);
            assert_eq!(bins.last().unwrap().most, Most::ANY, "the last takes what is left over");
            for allowed in [Allowed::Auto, Allowed::Distinct, Allowed::Plain, Allowed::Hash, Allowed::Dense] {
                for bin in bins {
                    for more in [0, 1] {
                        let grown = |most: i64| most.saturating_add(more);
                        let Most { entries, size, span } = bin.most;
                        let row = Most { entries: grown(entries), size: grown(size), span: grown(span) };
                        let home = bins[home(bins, row, allowed)];
                        assert!(home.most.holds(row), "{row:?} in {}", home.name);
                    }
                }
            }
        }
    }

    #[test]
    fn rows_go_where_they_are_cheapest() {
        let name =
            |entries, size, span| CUDA_BINS[home(&CUDA_BINS, Most { entries, size, span }, Allowed::Distinct)].name;
        assert_eq!(name(5, 9, 1_000_000), "merge 8");
        assert_eq!(name(20, 200, 300), "window 512");
        assert_eq!(name(20, 200, 1_000_000), "hash 256");
        assert_eq!(name(8, 65, 1_000_000), "search 512");
        assert_eq!(name(20, 2_000, 200_000), "rank 4096");
        assert_eq!(name(20, 2_000, 1_000_000), "sort 2048");
        assert_eq!(name(2_000, 100_000, 1_000_000), "slices");
        assert_eq!(name(1_000_000, 1_000_000, 1_000_000), "blocks");
    }
}
