// SPDX-License-Identifier: MIT OR Apache-2.0
//! C = alpha * A * B + beta * D: the product, then the union of its pattern with D's.

use super::merged::Merged;
use super::narrowed::{narrowed, with_columns};
use super::one_call::{OwnedArrays, multiply};
use super::widened::widened;
use super::{Operands, Options, Place};
use crate::backend::{Scalars, Slots};
use crate::csr::{Csr, IndexType};
use crate::error::{Error, Result};
use crate::memory::{Address, Allocation, Span};
use crate::scalar::ValueType;

/// alpha * A * B + beta * D into new arrays for `c`, as [`multiply`]. Every entry of D is an entry of C, whatever beta is;
/// D may be unsorted, and its repeats are added one by one.
pub fn multiply_add(
    place: Place<'_>,
    operands: &Operands,
    d: &Csr,
    c: &Csr,
    scalars: &Scalars,
    options: &Options,
) -> Result<OwnedArrays> {
    let columns = narrowed(place, d, "32-bit copies of matD's columns")?;
    let narrow = with_columns(d, columns.as_ref());
    let facts = place.on.inspect(&narrow, "matD")?;
    if options.check {
        facts.matches(&narrow, "matD")?;
    }
    let d = Csr { nnz: facts.nnz, ..narrow };
    let kind = c.computed_in()?;
    let plain =
        Csr { offset_type: IndexType::I64, column_type: IndexType::I32, base: 0, data_type: kind.data_type(), ..*c };
    let alone = Scalars { beta: Address::NULL, ..*scalars };
    let product = multiply(place, operands, &plain, &alone, options)?;
    let product_csr = product.in_matrix(&plain);
    let mut merged = Merged::new(place, &[product_csr, d], kind, "the union of the product's pattern and matD's")?;
    // An empty product has values if D has.
    let values = if operands.no_product() { !d.values.is_null() } else { operands.have_values() };
    if values {
        let stored = side_by_side(place, &product_csr, &d, kind, scalars)?;
        drop(product);
        merged.read_values(place, stored.address())?;
    }
    let sum = merged.csr();
    let arrays = OwnedArrays::allocate(place, c, sum.nnz, values)?;
    let (offsets, of_sum) = (Span::new(sum.offsets, sum.rows as usize + 1), Span::new(sum.columns, sum.nnz as usize));
    let slots = Slots { columns: of_sum, values: if values { sum.values } else { Address::NULL }, more: None };
    let c = arrays.in_matrix(c);
    place.on.compact(offsets, &slots, offsets, &c, &Scalars::one(kind))?;
    place.on.write_offsets(Some(offsets), 0, &c)?;
    Ok(arrays)
}

/// The product's values, and behind them beta times D's.
fn side_by_side(place: Place<'_>, product: &Csr, d: &Csr, kind: ValueType, scalars: &Scalars) -> Result<Allocation> {
    let (before, count) = (product.nnz as usize * kind.bytes(), d.nnz as usize);
    let both = Allocation::new(place.memory, before + count * kind.bytes(), "values of the product and of matD")?;
    if before > 0 {
        place.on.copy(product.values, both.address(), before)?;
    }
    let mut copy = None;
    let wide = widened(&mut copy, place, (d, kind), d.nnz, "wider copies of matD's values")?;
    if wide.value_type() != Some(kind) {
        return Err(Error::Internal("matD's values are not of matC's type".into()));
    }
    let scaled = Csr { values: Address(both.address().0 + before), ..wide };
    let of_d = Scalars { alpha: scalars.beta, beta: Address::NULL, ..*scalars };
    place.on.round(wide.values, count, &scaled, &of_d)?;
    Ok(both)
}
