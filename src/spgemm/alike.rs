// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows of C that are as long as others, so that only those need be counted.

use super::Inspection;
use crate::memory::Span;
use crate::tuning::ALIKE;

/// How rows of C come to be as long as others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// A's row has the columns of the row before.
    Neighbours,
    /// It has them one higher, and so has every row of B that it names.
    Shifted,
    /// It has the columns of some other row.
    Anywhere,
}

impl Likeness {
    /// What to look for in A of so many rows and B of so many, if anything: what inspecting them makes likely, or, where
    /// rows of C take many products, what they may hide.
    pub fn promised(a: &Inspection, rows_a: i64, b: &Inspection, rows_b: i64) -> Option<Self> {
        let many = |alike: i64, rows: i64| alike as f64 >= ALIKE.least_share * rows as f64;
        if a.nnz < ALIKE.least_entries {
            None
        } else if many(a.repeats, rows_a) {
            Some(Self::Neighbours)
        } else if many(a.shifts, rows_a) && many(b.shifts, rows_b) && b.ascending() {
            Some(Self::Shifted)
        } else if b.nnz as f64 >= ALIKE.anywhere_from * rows_b as f64 {
            Some(Self::Anywhere)
        } else {
            None
        }
    }
}

/// What was found.
#[derive(Clone, Copy, Debug)]
pub struct Alike {
    /// How they are alike.
    pub likeness: Likeness,
    /// For each row of C one that is as long, which stands for itself.
    pub heads: Span<i32>,
    /// Rows for each that stands for itself, on average, by what inspecting A made likely.
    pub mean: f64,
}

impl Alike {
    /// Of A in so many rows.
    pub fn new(likeness: Likeness, heads: Span<i32>, a: &Inspection, rows: i64) -> Self {
        Self { likeness, heads, mean: rows as f64 / (rows - a.repeats).max(1) as f64 }
    }

    /// Whether rows that are alike lie side by side, with equal columns of A: an accumulator can take several at once.
    pub fn are_neighbours(&self) -> bool {
        self.likeness == Likeness::Neighbours
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inspection(repeats: i64, shifts: i64, first_unordered: Option<i64>) -> Inspection {
        Inspection { nnz: 2_000_000, longest_row: 20, first_unordered, repeats, shifts }
    }

    #[test]
    fn inspecting_promises_what_is_worth_a_look() {
        let promised = |a: &Inspection, b: &Inspection, rows| Likeness::promised(a, rows, b, rows);
        let (plain, equal, moved) = (inspection(0, 0, None), inspection(50_000, 0, None), inspection(0, 90_000, None));
        let unsorted = inspection(0, 90_000, Some(3));
        assert_eq!(promised(&equal, &plain, 100_000), Some(Likeness::Neighbours));
        assert_eq!(promised(&moved, &moved, 100_000), Some(Likeness::Shifted));
        assert_eq!(promised(&plain, &plain, 100_000), Some(Likeness::Anywhere), "rows of B have 20 entries");
        assert_eq!(promised(&moved, &unsorted, 400_000), None, "columns of B are not where they seem");
        assert_eq!(promised(&plain, &plain, 400_000), None, "there is little to count");
        let small = Inspection { nnz: ALIKE.least_entries - 1, ..equal };
        assert_eq!(promised(&small, &small, 50_000), None, "a look costs what counting costs");
    }

    #[test]
    fn rows_of_a_group_are_counted_from_those_that_look_like_the_last() {
        let alike = |repeats| {
            let heads = Span::new(crate::memory::Address::NULL, 0);
            Alike::new(Likeness::Neighbours, heads, &inspection(repeats, 0, None), 90_000).mean
        };
        assert_eq!(alike(60_000), 3.0);
        assert_eq!(alike(0), 1.0);
    }
}
