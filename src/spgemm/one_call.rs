// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one-call form: C's arrays are allocated at their exact size, and exact rows go straight into them.

use super::product::{Product, Room, accumulate_into};
use super::rows::{self, Operands, RowArrays};
use super::{Options, Place, Workflow};
use crate::backend::Scalars;
use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::memory::{Address, Allocation};
use crate::scalar::ValueType;

/// The arrays of a C that the library allocated.
#[derive(Debug)]
pub struct OwnedArrays {
    /// Row offsets.
    pub offsets: Allocation,
    /// Columns.
    pub columns: Allocation,
    /// Values, if A and B have any.
    pub values: Option<Allocation>,
    /// Entries.
    pub nnz: i64,
}

impl OwnedArrays {
    pub(super) fn allocate(place: Place<'_>, c: &Csr, nnz: i64, values: bool) -> Result<Self> {
        if nnz > c.most_entries() {
            return Err(Error::IndexOverflow { nnz });
        }
        let bytes = nnz as usize * c.value_type().map_or(0, ValueType::bytes);
        Ok(Self {
            offsets: Allocation::new(
                place.memory,
                (c.rows as usize + 1) * c.offset_type.bytes(),
                "matC's row offsets",
            )?,
            columns: Allocation::new(place.memory, nnz as usize * c.column_type.bytes(), "matC's columns")?,
            values: values.then(|| Allocation::new(place.memory, bytes, "matC's values")).transpose()?,
            nnz,
        })
    }

    /// `c` with these arrays.
    pub fn in_matrix(&self, c: &Csr) -> Csr {
        Csr {
            nnz: self.nnz,
            offsets: self.offsets.address(),
            columns: self.columns.address(),
            values: self.values.as_ref().map_or(Address::NULL, Allocation::address),
            ..*c
        }
    }
}

/// alpha * A * B into new arrays for `c`, which describes C's shape, types and base. Without values in A and B, C has
/// none either.
pub fn multiply(
    place: Place<'_>,
    operands: &Operands,
    c: &Csr,
    scalars: &Scalars,
    options: &Options,
) -> Result<OwnedArrays> {
    let values = operands.have_values();
    let empty = || {
        let arrays = OwnedArrays::allocate(place, c, 0, values)?;
        place.on.write_offsets(None, 0, &arrays.in_matrix(c))?;
        Ok(arrays)
    };
    if operands.no_product() {
        return empty();
    }
    let rows = operands.rows() as usize;
    let (_, bytes) = RowArrays::carve(Address::NULL, rows);
    let scratch = Allocation::new(place.memory, bytes, "row sizes")?;
    let (arrays, _) = RowArrays::carve(scratch.address(), rows);
    let mut analysed = rows::analyse(place, operands, &arrays, options)?;
    if analysed.analysis.totals.products == 0 {
        return empty();
    }
    let (slots, bins) = rows::size(place, operands, &arrays, &analysed)?;
    if analysed.plan.workflow == Workflow::Exact {
        let c_arrays = OwnedArrays::allocate(place, c, slots, values)?;
        let Operands { a, b, .. } = analysed.read_values(place, operands)?;
        let c = c_arrays.in_matrix(c);
        let (factors, rows) = ((&a, &b, &analysed.known()), (arrays.sizes, arrays.order, &bins));
        accumulate_into(place, factors, rows, (&c, slots, true), values.then_some(scalars), &mut None)?;
        place.on.write_offsets(Some(arrays.sizes), 0, &c)?;
        return Ok(c_arrays);
    }
    let room = Room::new(slots, &analysed.plan, scalars.kind, operands.rows());
    let buffer = Allocation::new(place.memory, room.bytes(), "slots for the rows of the product")?;
    let sizes = (arrays.sizes, arrays.order, &bins);
    let product = Product::compute(place, operands, &mut analysed, sizes, room, buffer.address())?;
    let c_arrays = OwnedArrays::allocate(place, c, product.nnz, values)?;
    product.write(place, &c_arrays.in_matrix(c), scalars)?;
    Ok(c_arrays)
}
