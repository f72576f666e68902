// SPDX-License-Identifier: MIT OR Apache-2.0
//! 64-bit columns of A and B as 32-bit ones, which hold them where a matrix has fewer than 2^31 columns; others were
//! refused. The copies come from the handle's allocator and stay for all steps of a product.

use super::{Operands, Place};
use crate::csr::{Csr, IndexType};
use crate::error::Result;
use crate::memory::{Allocation, Span};

/// Copies of A's and B's columns, where those are of 64 bits.
#[derive(Debug)]
pub struct Narrowed {
    a: Option<Allocation>,
    /// None also where B has the pattern of A.
    b: Option<Allocation>,
}

impl Narrowed {
    /// Copies what has to be copied.
    pub fn new(place: Place<'_>, operands: &Operands) -> Result<Self> {
        let Operands { a, b, .. } = operands;
        let copy_of_a = narrowed(place, a, "32-bit copies of matA's columns")?;
        let copy_of_b = if a.same_pattern(b) { None } else { narrowed(place, b, "32-bit copies of matB's columns")? };
        Ok(Self { a: copy_of_a, b: copy_of_b })
    }

    /// Copies again, in checking mode: the pattern may have changed.
    pub fn read_again(&self, place: Place<'_>, operands: &Operands) -> Result<()> {
        for (copy, csr) in [(&self.a, &operands.a), (&self.b, &operands.b)] {
            if let Some(copy) = copy.as_ref().filter(|_| csr.column_type == IndexType::I64) {
                let csr = Csr { nnz: csr.nnz.min(entries(copy)), ..*csr };
                place.on.narrow_columns(&csr, Span::new(copy.address(), csr.nnz as usize))?;
            }
        }
        Ok(())
    }

    /// A and B with the copies in place of their own columns.
    pub fn operands(&self, operands: &Operands) -> Operands {
        Operands {
            a: with_columns(&operands.a, self.a.as_ref()),
            b: with_columns(&operands.b, self.b.as_ref().or(self.a.as_ref())),
            ..*operands
        }
    }
}

/// A copy of a matrix's columns, if it needs one.
pub fn narrowed(place: Place<'_>, matrix: &Csr, purpose: &'static str) -> Result<Option<Allocation>> {
    if matrix.column_type == IndexType::I32 {
        return Ok(None);
    }
    let count = matrix.nnz as usize;
    let copy = Allocation::new(place.memory, count * size_of::<i32>(), purpose)?;
    place.on.narrow_columns(matrix, Span::new(copy.address(), count))?;
    Ok(Some(copy))
}

fn entries(copy: &Allocation) -> i64 {
    (copy.bytes() / size_of::<i32>()) as i64
}

/// A matrix with such a copy, and no more entries than it has.
pub fn with_columns(matrix: &Csr, copy: Option<&Allocation>) -> Csr {
    match copy.filter(|_| matrix.column_type == IndexType::I64) {
        Some(copy) => {
            let nnz = matrix.nnz.min(entries(copy));
            Csr { nnz, columns: copy.address(), column_type: IndexType::I32, ..*matrix }
        }
        None => *matrix,
    }
}
