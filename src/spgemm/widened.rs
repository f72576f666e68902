// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of A and B as the numbers that they are computed in: 16-bit ones as 32-bit ones, and real ones as complex ones
//! beside a complex factor. Those hold them exactly, and accumulators then know fewer types. The copies come from the
//! handle's allocator and are kept for the next compute.

use super::{Operands, Place};
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::Allocation;
use crate::scalar::ValueType;

/// Copies of A's and B's values, where those are not of the type that is computed in.
#[derive(Debug, Default)]
pub struct Widened {
    a: Option<Allocation>,
    b: Option<Allocation>,
}

impl Widened {
    /// A and B with values to compute with; they have so many entries.
    pub fn read(&mut self, place: Place<'_>, operands: &Operands, [a_nnz, b_nnz]: [i64; 2]) -> Result<Operands> {
        let Operands { a, b, .. } = operands;
        let kind = operands.computed_in()?;
        let wide_a = widened(&mut self.a, place, (a, kind), a_nnz, "wider copies of matA's values")?;
        let one = a.values == b.values && a.data_type == b.data_type && a_nnz == b_nnz;
        let wide_b = if one {
            Csr { nnz: wide_a.nnz, values: wide_a.values, data_type: wide_a.data_type, ..*b }
        } else {
            widened(&mut self.b, place, (b, kind), b_nnz, "wider copies of matB's values")?
        };
        Ok(Operands { a: wide_a, b: wide_b, ..*operands })
    }
}

/// A matrix with values of the type `to`, in `copy` if they have to be copied.
pub fn widened(
    copy: &mut Option<Allocation>,
    place: Place<'_>,
    (matrix, to): (&Csr, ValueType),
    nnz: i64,
    purpose: &'static str,
) -> Result<Csr> {
    let Some(from) = matrix.value_type().filter(|from| *from != to) else { return Ok(*matrix) };
    // A descriptor may have another nnz now, but neither array is read past its end.
    let nnz = nnz.min(matrix.nnz);
    let count = nnz as usize;
    let copy = match copy {
        Some(copy) => copy,
        None => copy.insert(Allocation::new(place.memory, count * to.bytes(), purpose)?),
    };
    place.on.widen([from, to], count, matrix.values, copy.address())?;
    Ok(Csr { nnz, values: copy.address(), data_type: to.data_type(), ..*matrix })
}
