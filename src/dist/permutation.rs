// SPDX-License-Identifier: MIT OR Apache-2.0
//! A random order of rows or columns that takes no memory, for any 64-bit size: every rank can look up any index.

/// A bijection of the numbers below `size`, another one for every seed.
///
/// A Feistel network over the next power of four, walked until it lands below the size again (Black and Rogaway 2002).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permutation {
    size: u64,
    seed: u64,
    /// Bits of each half.
    half: u32,
}

const ROUNDS: u64 = 6;

impl Permutation {
    /// For `size` numbers; the same for the same seed, everywhere.
    pub fn new(size: u64, seed: u64) -> Self {
        let bits = u64::BITS - size.saturating_sub(1).leading_zeros();
        Self { size, seed, half: bits.div_ceil(2).max(1) }
    }

    /// Where `index` goes.
    pub fn apply(&self, index: u64) -> u64 {
        self.walk(index, |at| {
            let (left, right) = self.halves(at);
            self.join(
                (0..ROUNDS).fold((left, right), |(left, right), round| (right, left ^ self.scramble(right, round))),
            )
        })
    }

    /// Where it came from.
    pub fn undo(&self, index: u64) -> u64 {
        self.walk(index, |at| {
            let halves = self.halves(at);
            let back = |(left, right), round| (right ^ self.scramble(left, round), left);
            self.join((0..ROUNDS).rev().fold(halves, back))
        })
    }

    fn walk(&self, index: u64, step: impl Fn(u64) -> u64) -> u64 {
        debug_assert!(index < self.size, "{index} of {}", self.size);
        let mut at = step(index);
        while at >= self.size {
            at = step(at);
        }
        at
    }

    fn mask(&self) -> u64 {
        (1 << self.half) - 1
    }

    fn halves(&self, at: u64) -> (u64, u64) {
        (at >> self.half, at & self.mask())
    }

    fn join(&self, (left, right): (u64, u64)) -> u64 {
        left << self.half | right
    }

    /// SplitMix64's finaliser over the half, the seed and the round.
    fn scramble(&self, half: u64, round: u64) -> u64 {
        let z = half ^ self.seed.wrapping_add(round + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) & self.mask()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once_and_comes_back() {
        for size in [1, 2, 3, 5, 64, 65, 1_000, 4_097] {
            let order = Permutation::new(size, 7);
            let mut seen = vec![false; size as usize];
            for index in 0..size {
                let to = order.apply(index);
                assert!(!std::mem::replace(&mut seen[to as usize], true), "{size}: {to} twice");
                assert_eq!(order.undo(to), index);
            }
        }
        let huge = Permutation::new((1 << 62) + 12_345, 1);
        for index in [0, 1, 1 << 40, (1 << 62) + 12_344] {
            assert_eq!(huge.undo(huge.apply(index)), index);
        }
    }

    /// Neighbours land in unrelated tenths: chi-squared over the pairs of tenths, 99 degrees of freedom, stays below its
    /// 99.99 % point.
    #[test]
    fn order_is_lost() {
        let (size, order) = (100_000, Permutation::new(100_000, 3));
        let mut pairs = [0f64; 100];
        for index in 0..size - 1 {
            let tenth = |index| order.apply(index) * 10 / size;
            pairs[(10 * tenth(index) + tenth(index + 1)) as usize] += 1.0;
        }
        let expected = (size - 1) as f64 / 100.0;
        let chi_squared: f64 = pairs.iter().map(|count| (count - expected).powi(2) / expected).sum();
        assert!(chi_squared < 160.0, "{chi_squared}");
        assert_ne!(order.apply(5), Permutation::new(size, 4).apply(5));
    }
}
