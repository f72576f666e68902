// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transposed copies of factors. Their memory comes from the handle's allocator, and they stay for all steps of a product:
//! a repeat gathers values into them and sorts nothing.
//!
//! Row i of the copy has the entries of column i as they are stored, row by row; so the order of sums is that of a factor
//! that the caller had transposed by a stable sort.

use super::operation::Operation;
use super::{Operands, Place};
use crate::backend::TransposedRows;
use crate::csr::{Csr, IndexType};
use crate::error::Result;
use crate::memory::{Address, Allocation, Carver};
use crate::scalar::ValueType;

/// Copies of A and B, where their operations ask for such.
#[derive(Debug, Default)]
pub struct Transposed {
    a: Option<Transpose>,
    b: Option<Transpose>,
}

impl Transposed {
    /// Transposes patterns. In checking mode their declared nnz must be right.
    ///
    /// # Errors
    /// [`crate::Error::BadMatrix`] names the first row of the caller's matrix that breaks a rule.
    pub fn new(place: Place<'_>, operands: &Operands, check: bool) -> Result<Self> {
        let Operands { a, b, operations: [of_a, of_b] } = operands;
        Ok(Self {
            a: Transpose::new(place, a, "matA", *of_a, check)?,
            b: Transpose::new(place, b, "matB", *of_b, check)?,
        })
    }

    /// A and B with the copies in their place.
    pub fn operands(&self, operands: &Operands) -> Operands {
        let of = |copy: &Option<Transpose>, stored: &Csr| copy.as_ref().map_or(*stored, |copy| copy.csr);
        Operands::plain(of(&self.a, &operands.a), of(&self.b, &operands.b))
    }

    /// The same with the values that A and B have now, which have a type that is computed in.
    pub fn read_values(&mut self, place: Place<'_>, operands: &Operands) -> Result<Operands> {
        for (copy, stored) in [(&mut self.a, &operands.a), (&mut self.b, &operands.b)] {
            if let Some(copy) = copy {
                copy.read_values(place, stored)?;
            }
        }
        Ok(self.operands(operands))
    }
}

#[derive(Debug)]
struct Transpose {
    rows: TransposedRows,
    /// Values are there only after [`Transpose::read_values`].
    csr: Csr,
    conjugate: bool,
    _pattern: Allocation,
    values: Option<Allocation>,
}

impl Transpose {
    fn new(
        place: Place<'_>,
        matrix: &Csr,
        name: &'static str,
        operation: Operation,
        check: bool,
    ) -> Result<Option<Self>> {
        if operation == Operation::None {
            return Ok(None);
        }
        // Columns are places in the copy: none may be out of range.
        let facts = place.on.inspect(matrix, name)?;
        if check {
            facts.matches(matrix, name)?;
        }
        let (rows, nnz) = (matrix.cols as usize, facts.nnz as usize);
        let carve = |buffer| {
            let mut carver = Carver::new(buffer);
            let to =
                TransposedRows { offsets: carver.take(rows + 1), columns: carver.take(nnz), sources: carver.take(nnz) };
            (to, carver.bytes())
        };
        let pattern = Allocation::new(place.memory, carve(Address::NULL).1, "a transposed pattern")?;
        let rows = carve(pattern.address()).0;
        place.on.transpose(matrix, &rows)?;
        let csr = Csr {
            rows: matrix.cols,
            cols: matrix.rows,
            nnz: facts.nnz,
            offsets: rows.offsets.address,
            columns: rows.columns.address,
            values: Address::NULL,
            offset_type: IndexType::I64,
            column_type: IndexType::I32,
            base: 0,
            data_type: matrix.data_type,
        };
        // Real values of a complex product keep the zeros that become their imaginary parts.
        let conjugate =
            operation == Operation::ConjugateTranspose && matrix.value_type().is_some_and(ValueType::is_complex);
        Ok(Some(Self { rows, csr, conjugate, _pattern: pattern, values: None }))
    }

    fn read_values(&mut self, place: Place<'_>, stored: &Csr) -> Result<()> {
        let kind = stored.computed_in()?;
        if self.values.is_none() {
            let bytes = self.rows.sources.len * kind.bytes();
            let values = Allocation::new(place.memory, bytes, "transposed values")?;
            self.csr.values = values.address();
            self.csr.data_type = kind.data_type();
            self.values = Some(values);
        }
        place.on.gather(kind, self.rows.sources, self.conjugate, stored.values, self.csr.values)
    }
}
