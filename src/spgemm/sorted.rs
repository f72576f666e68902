// SPDX-License-Identifier: MIT OR Apache-2.0
//! A copy of B with ascending rows, for a B that is unsorted or repeats columns (promises PR5, PR6). Rare, so its
//! memory comes from the handle's allocator and not from the caller's buffers.

use super::Place;
use crate::backend::SortedRows;
use crate::csr::{Csr, IndexType};
use crate::error::Result;
use crate::memory::{Address, Allocation, Carver};

/// B with its rows sorted and merged. Values are there only after [`SortedB::read_values`].
#[derive(Debug)]
pub struct SortedB {
    rows: SortedRows,
    csr: Csr,
    _pattern: Allocation,
    values: Option<Allocation>,
}

impl SortedB {
    /// Sorts the pattern of `b`.
    pub fn new(place: Place<'_>, b: &Csr) -> Result<Self> {
        let (rows, nnz) = (b.rows as usize, b.nnz as usize);
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
        let pattern = Allocation::new(place.memory, carve(Address::NULL).1, "a sorted copy of matB's pattern")?;
        let sorted = carve(pattern.address()).0;
        let merged = place.on.sort_rows(b, &sorted)?;
        let csr = Csr {
            nnz: merged,
            offsets: sorted.offsets.address,
            columns: sorted.columns.address,
            values: Address::NULL,
            offset_type: IndexType::I64,
            column_type: IndexType::I32,
            base: 0,
            data_type: b.computed_in()?.data_type(),
            ..*b
        };
        Ok(Self { rows: sorted, csr, _pattern: pattern, values: None })
    }

    /// The sorted matrix.
    pub fn csr(&self) -> Csr {
        self.csr
    }

    /// Reads the values of `b`, whose pattern is the one sorted before, and whose type is one that is computed in.
    pub fn read_values(&mut self, place: Place<'_>, b: &Csr) -> Result<()> {
        if self.values.is_none() {
            let bytes = self.csr.nnz as usize * self.csr.computed_in()?.bytes();
            let values = Allocation::new(place.memory, bytes, "a sorted copy of matB's values")?;
            self.csr.values = values.address();
            self.values = Some(values);
        }
        place.on.sort_values(b, &self.rows, self.csr.values)
    }
}
