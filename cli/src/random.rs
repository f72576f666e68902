// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers that look random and are the same on every machine.
//!
//! The generated matrices are what published timings refer to: a change here changes all of them.

/// SplitMix64's step and finaliser (Steele, Lea and Flood, OOPSLA 2014).
pub fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The upper 53 bits as a number in [0, 1).
pub fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// The value of entry (row, column): between 0.25 and 1.25 in size, of either sign.
pub fn value(row: u64, column: u64) -> f64 {
    let bits = mix(mix(row.wrapping_mul(1_000_003).wrapping_add(17)).wrapping_add(column));
    let x = 2.0 * unit(bits) - 1.0;
    if x >= 0.0 { x + 0.25 } else { x - 0.25 }
}

/// A stream of numbers of its own for each (seed, stream), so that rows can be made in any order.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64, stream: u64) -> Self {
        Self(mix(seed.wrapping_mul(0x2545_F491_4F6C_DD1D).wrapping_add(stream)))
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        unit(self.bits())
    }

    /// A whole number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(end)) >> 64) as u64
    }
}
