// SPDX-License-Identifier: MIT OR Apache-2.0
//! A set of small numbers, one bit each.

use std::ops::Range;

/// Which of the numbers below its length are in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    pub fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    pub fn get(&self, at: usize) -> bool {
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    pub fn set(&mut self, at: usize) {
        self.words[at / 64] |= 1 << (at % 64);
    }

    /// The part in `range`, counted from its start.
    pub fn part(&self, range: Range<usize>) -> Self {
        let mut part = Self::new(range.len());
        range.clone().filter(|&at| self.get(at)).for_each(|at| part.set(at - range.start));
        part
    }

    /// Adds what `bytes`, from [`Self::bytes`], hold, each number `offset` later. Numbers past the end are left out.
    pub fn add(&mut self, bytes: &[u8], offset: usize) {
        let room = self.len - offset.min(self.len);
        for at in (0..room.min(8 * bytes.len())).filter(|at| bytes[at / 8] >> (at % 8) & 1 == 1) {
            self.set(offset + at);
        }
    }

    /// One bit each, in whole words.
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// How long [`Self::bytes`] of so many numbers are.
    pub fn bytes_of(len: usize) -> usize {
        8 * len.div_ceil(64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_travel_as_bytes() {
        let mut bits = Bits::new(200);
        [0, 63, 64, 130, 199].into_iter().for_each(|at| bits.set(at));
        let part = bits.part(60..131);
        assert_eq!(part.bytes().len(), Bits::bytes_of(71));
        let mut again = Bits::new(200);
        again.add(&part.bytes(), 60);
        let set: Vec<usize> = (0..200).filter(|&at| again.get(at)).collect();
        assert_eq!(set, [63, 64, 130]);
        again.add(&part.bytes(), 199);
        assert!(!again.get(199));
    }
}
