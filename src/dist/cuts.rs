// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a dimension is cut into parts. Sizes are global, hence 64-bit; any part may be empty.

use std::ops::Range;

/// Ascending offsets from 0 to the size: part p is `at[p]..at[p + 1]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cuts(Vec<u64>);

impl Cuts {
    /// `parts` parts whose sizes differ by at most one.
    pub fn even(size: u64, parts: usize) -> Self {
        Self((0..=parts).map(|part| share(size, part, parts)).collect())
    }

    /// As [`Self::even`], first into `outer` parts, then each of them into `inner`: the cuts of nodes are among those
    /// of their ranks, whatever the remainders.
    pub fn nested(size: u64, outer: usize, inner: usize) -> Self {
        let coarse = Self::even(size, outer);
        let fine = (0..outer).flat_map(|part| {
            let range = coarse.part(part);
            (0..inner).map(move |cut| range.start + share(range.end - range.start, cut, inner))
        });
        Self(fine.chain([size]).collect())
    }

    /// Everything in one part, all others empty.
    pub fn all_in(size: u64, owner: usize, parts: usize) -> Self {
        Self((0..=parts).map(|cut| if cut <= owner { 0 } else { size }).collect())
    }

    /// Takes ascending offsets from 0 on; `None` if they are not.
    pub fn from_offsets(at: Vec<u64>) -> Option<Self> {
        (at.first() == Some(&0) && at.is_sorted() && at.len() >= 2).then_some(Self(at))
    }

    /// Every `step`th cut: the parts of nodes, from those of their ranks.
    pub fn every(&self, step: usize) -> Self {
        Self(self.0.iter().step_by(step).copied().collect())
    }

    /// The size of the whole.
    pub fn size(&self) -> u64 {
        self.0[self.0.len() - 1]
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.0.len() - 1
    }

    /// From where to where a part reaches.
    pub fn part(&self, part: usize) -> Range<u64> {
        self.0[part]..self.0[part + 1]
    }

    /// From where to where several parts reach.
    pub fn span(&self, parts: Range<usize>) -> Range<u64> {
        self.0[parts.start]..self.0[parts.end]
    }

    /// The part that holds `index`, which must be below the size.
    pub fn part_of(&self, index: u64) -> usize {
        self.0.partition_point(|&cut| cut <= index) - 1
    }

    /// The parts that `range` meets; of an empty range none.
    pub fn parts_of(&self, range: &Range<u64>) -> Range<usize> {
        if range.is_empty() { 0..0 } else { self.part_of(range.start)..self.part_of(range.end - 1) + 1 }
    }

    /// The cuts of either, without empty parts: every part lies in one part of each. One empty part if the size is 0.
    pub fn union(&self, other: &Self) -> Self {
        let mut at: Vec<u64> = self.0.iter().chain(&other.0).copied().collect();
        at.sort_unstable();
        at.dedup();
        if at.len() == 1 {
            at.push(at[0]);
        }
        Self(at)
    }
}

/// Where part `part` of `parts` begins; in 128 bits, since sizes have up to 63.
fn share(size: u64, part: usize, parts: usize) -> u64 {
    (u128::from(size) * part as u128 / parts as u128) as u64
}

/// What two ranges share; empty, and of no certain place, if they share nothing.
pub fn overlap(one: &Range<u64>, other: &Range<u64>) -> Range<u64> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once_and_are_even() {
        for size in [0, 1, 2, 7, 64, 1_000, (1 << 62) + 5] {
            for parts in 1..=64 {
                let cuts = Cuts::even(size, parts);
                assert_eq!((cuts.parts(), cuts.size()), (parts, size));
                let lengths: Vec<u64> = (0..parts).map(|part| cuts.part(part)).map(|r| r.end - r.start).collect();
                assert!(lengths.iter().max().unwrap() - lengths.iter().min().unwrap() <= 1, "{size} {parts}");
                assert_eq!(lengths.iter().sum::<u64>(), size);
            }
        }
    }

    #[test]
    fn nested_cuts_hold_those_of_the_nodes() {
        for (size, outer, inner) in [(10, 3, 4), (0, 2, 2), (3, 5, 2), (1_000_003, 8, 4), (u64::MAX >> 1, 10, 4)] {
            let fine = Cuts::nested(size, outer, inner);
            assert_eq!(fine.parts(), outer * inner);
            assert_eq!(fine.every(inner), Cuts::even(size, outer));
        }
    }

    #[test]
    fn every_index_has_its_part() {
        let cuts = Cuts::from_offsets(vec![0, 0, 3, 3, 4, 9]).unwrap();
        for index in 0..9 {
            assert!(cuts.part(cuts.part_of(index)).contains(&index), "{index}");
        }
        assert_eq!(cuts.parts_of(&(2..4)), 1..4);
        assert_eq!(cuts.parts_of(&(5..5)), 0..0);
        assert_eq!(Cuts::all_in(5, 1, 3), Cuts(vec![0, 0, 5, 5]));
        assert!(Cuts::from_offsets(vec![0, 3, 2]).is_none() && Cuts::from_offsets(vec![1, 2]).is_none());
    }

    #[test]
    fn the_union_refines_both() {
        let union = Cuts::even(12, 3).union(&Cuts::even(12, 4));
        assert_eq!(union, Cuts(vec![0, 3, 4, 6, 8, 9, 12]));
        assert_eq!(Cuts::even(0, 3).union(&Cuts::even(0, 2)), Cuts(vec![0, 0]));
        assert_eq!(overlap(&(2..7), &(5..9)), 5..7);
        assert!(overlap(&(2..3), &(5..9)).is_empty());
    }
}
