// SPDX-License-Identifier: MIT OR Apache-2.0
//! 16-bit values of A and B as the 32-bit numbers that they are computed in. They hold them exactly, and accumulators
//! then know fewer types. The copies come from the handle's allocator and are kept for the next compute.

use super::{Operands, Place};
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::Allocation;

/// Copies of A's and B's values, where those are of 16 bits.
#[derive(Debug, Default)]
pub struct Widened {
    a: Option<Allocation>,
    b: Option<Allocation>,
}

impl Widened {
    /// A and B with values to compute with; they have so many entries.
    pub fn read(&mut self, place: Place<'_>, operands: &Operands, [a_nnz, b_nnz]: [i64; 2]) -> Result<Operands> {
        let Operands { a, b, .. } = operands;
        let wide_a = widened(&mut self.a, place, a, a_nnz, "32-bit copies of matA's values")?;
        let one = a.values == b.values && a.data_type == b.data_type && a_nnz == b_nnz;
        let wide_b = if one {
            Csr { nnz: wide_a.nnz, values: wide_a.values, data_type: wide_a.data_type, ..*b }
        } else {
            widened(&mut self.b, place, b, b_nnz, "32-bit copies of matB's values")?
        };
        Ok(Operands { a: wide_a, b: wide_b, ..*operands })
    }
}

/// A matrix with values to compute with, in `copy` if they have to be copied.
pub fn widened(
    copy: &mut Option<Allocation>,
    place: Place<'_>,
    matrix: &Csr,
    nnz: i64,
    purpose: &'static str,
) -> Result<Csr> {
    let Some(kind) = matrix.value_type().filter(|kind| kind.computed_in() != *kind) else { return Ok(*matrix) };
    // A descriptor may have another nnz now, but neither array is read past its end.
    let nnz = nnz.min(matrix.nnz);
    let (wide, count) = (kind.computed_in(), nnz as usize);
    let copy = match copy {
        Some(copy) => copy,
        None => copy.insert(Allocation::new(place.memory, count * wide.bytes(), purpose)?),
    };
    place.on.widen(kind, count, matrix.values, copy.address())?;
    Ok(Csr { nnz, values: copy.address(), data_type: wide.data_type(), ..*matrix })
}
