// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checking mode: later steps take the patterns of A and B to be those of the analysis; with fingerprints of their
//! rows kept, a step can tell that one is not.

use super::{Operands, Place};
use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::memory::{Allocation, Span};

/// One number for each row of A and of B.
#[derive(Debug)]
pub struct Fingerprints {
    a: Allocation,
    b: Allocation,
}

impl Fingerprints {
    /// Reads both patterns.
    pub fn take(place: Place<'_>, operands: &Operands) -> Result<Self> {
        Ok(Self { a: read(place, &operands.a)?, b: read(place, &operands.b)? })
    }

    /// Reads both patterns again.
    ///
    /// # Errors
    /// [`Error::BadMatrix`] names the first row that has changed.
    pub fn compare(&self, place: Place<'_>, operands: &Operands) -> Result<()> {
        let now = Self::take(place, operands)?;
        for (then, now, csr, matrix) in [(&self.a, &now.a, &operands.a, "matA"), (&self.b, &now.b, &operands.b, "matB")]
        {
            if let Some(row) = place.on.first_difference(rows(then, csr), rows(now, csr))? {
                let problem = "its pattern changed since workEstimation".into();
                return Err(Error::BadMatrix { matrix, row: row as i64, problem });
            }
        }
        Ok(())
    }
}

fn read(place: Place<'_>, csr: &Csr) -> Result<Allocation> {
    let allocation = Allocation::new(place.memory, csr.rows as usize * size_of::<u64>(), "fingerprints of a pattern")?;
    place.on.fingerprint(csr, rows(&allocation, csr))?;
    Ok(allocation)
}

fn rows(allocation: &Allocation, csr: &Csr) -> Span<u64> {
    Span::new(allocation.address(), csr.rows as usize)
}
