// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies of matrices in which rows ascend strictly: of a B that is unsorted or repeats columns (promises PR5, PR6), and of
//! a product and what is added to it. Rare, so their memory comes from the handle's allocator and not from the caller's
//! buffers.

use super::Place;
use crate::backend::SortedRows;
use crate::csr::{Csr, IndexType};
use crate::error::Result;
use crate::memory::{Address, Allocation, Carver};
use crate::scalar::ValueType;

/// Matrices of one shape, row by row in one: entries sorted, and those of one column merged. Values are there only after
/// [`Merged::read_values`].
#[derive(Debug)]
pub struct Merged {
    rows: SortedRows,
    csr: Csr,
    _pattern: Allocation,
    values: Option<Allocation>,
}

impl Merged {
    /// Sorts the patterns of `matrices`, at least one, all inspected. Values will be of `kind`.
    pub fn new(place: Place<'_>, matrices: &[Csr], kind: ValueType, purpose: &'static str) -> Result<Self> {
        let first = matrices[0];
        let (rows, nnz) = (first.rows as usize, matrices.iter().map(|matrix| matrix.nnz as usize).sum());
        let carve = |buffer| {
            let mut carver = Carver::new(buffer);
            let sorted = SortedRows {
                offsets: carver.take(rows + 1),
                columns: carver.take(nnz),
                runs: carver.take(nnz + 1),
                sources: carver.take(nnz),
            };
            (sorted, carver.bytes())
        };
        let pattern = Allocation::new(place.memory, carve(Address::NULL).1, purpose)?;
        let sorted = carve(pattern.address()).0;
        let merged = place.on.sort_rows(matrices, &sorted)?;
        let csr = Csr {
            nnz: merged,
            offsets: sorted.offsets.address,
            columns: sorted.columns.address,
            values: Address::NULL,
            offset_type: IndexType::I64,
            column_type: IndexType::I32,
            base: 0,
            data_type: kind.data_type(),
            ..first
        };
        Ok(Self { rows: sorted, csr, _pattern: pattern, values: None })
    }

    /// The merged matrix.
    pub fn csr(&self) -> Csr {
        self.csr
    }

    /// Sums the values at `stored`: those of the first matrix, then those of the next, in the type that they are computed
    /// in.
    pub fn read_values(&mut self, place: Place<'_>, stored: Address) -> Result<()> {
        let kind = self.csr.computed_in()?;
        if self.values.is_none() {
            let bytes = self.csr.nnz as usize * kind.bytes();
            let values = Allocation::new(place.memory, bytes, "values of sorted and merged rows")?;
            self.csr.values = values.address();
            self.values = Some(values);
        }
        place.on.sort_values(kind, stored, &self.rows, self.csr.values)
    }
}
