// SPDX-License-Identifier: MIT OR Apache-2.0
//! What targets read from their bytes. Bytes that have run out read as zeros, so that every input means something.

use arbitrary::Unstructured;

/// Bytes, read as numbers and choices.
pub struct Input<'a>(Unstructured<'a>);

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(Unstructured::new(bytes))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Below `end`, which is at most 256: one byte.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.0.arbitrary::<u8>().unwrap_or(0)) % end
    }

    pub fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    /// True once in `times`, and for no bytes at all false.
    pub fn rarely(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Any, the ends of ranges more often than others.
    pub fn number(&mut self) -> i64 {
        const ENDS: [i64; 6] = [i64::MIN, i64::MAX, i64::MIN + 1, i32::MIN as i64, i32::MAX as i64, -1];
        let which = self.below(12);
        ENDS.get(which).copied().unwrap_or_else(|| self.0.arbitrary().unwrap_or(0))
    }

    pub fn float(&mut self) -> f64 {
        self.0.arbitrary().unwrap_or(0.0)
    }

    /// 0 or more: small ones, sizes near limits, and any.
    pub fn size(&mut self) -> i64 {
        const LIMITS: [i64; 6] = [1 << 16, i32::MAX as i64, u32::MAX as i64, 1 << 40, i64::MAX / 16, i64::MAX];
        match self.below(8) {
            0..4 => self.below(40) as i64,
            4 | 5 => self.below(256) as i64 * self.below(256) as i64,
            6 => self.of(&LIMITS).saturating_sub(self.below(3) as i64),
            _ => self.number() & i64::MAX,
        }
    }
}
