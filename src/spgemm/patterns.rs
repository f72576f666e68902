// SPDX-License-Identifier: MIT OR Apache-2.0
//! The patterns of A and B as products read them: 32-bit columns, and no operation left to do.

use super::narrowed::Narrowed;
use super::transposed::Transposed;
use super::widened::Widened;
use super::{Operands, Place};
use crate::error::Result;

/// What was copied to get there.
#[derive(Debug)]
pub struct Patterns {
    narrowed: Narrowed,
    transposed: Transposed,
}

impl Patterns {
    /// Copies what has to be copied.
    ///
    /// # Errors
    /// [`crate::Error::BadMatrix`] for a pattern that can't be transposed.
    pub fn new(place: Place<'_>, operands: &Operands, check: bool) -> Result<Self> {
        let narrowed = Narrowed::new(place, operands)?;
        let transposed = Transposed::new(place, &narrowed.operands(operands), check)?;
        Ok(Self { narrowed, transposed })
    }

    /// A and B as stored, with columns of 32 bits.
    pub fn stored(&self, operands: &Operands) -> Operands {
        self.narrowed.operands(operands)
    }

    /// The same as they stand now, in checking mode: the patterns may have changed.
    pub fn stored_now(&self, place: Place<'_>, operands: &Operands) -> Result<Operands> {
        self.narrowed.read_again(place, operands)?;
        Ok(self.stored(operands))
    }

    /// op(A) and op(B), without values where they were transposed.
    pub fn operands(&self, operands: &Operands) -> Operands {
        self.transposed.operands(&self.stored(operands))
    }

    /// op(A) and op(B) with the values that A and B have now; they have so many entries.
    pub fn read_values(
        &mut self,
        place: Place<'_>,
        operands: &Operands,
        widened: &mut Widened,
        nnz: [i64; 2],
    ) -> Result<Operands> {
        let wide = widened.read(place, &self.stored(operands), nnz)?;
        self.transposed.read_values(place, &wide)
    }
}
