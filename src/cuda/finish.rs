// SPDX-License-Identifier: MIT OR Apache-2.0
//! finish: rows move out of their slots into C. Kernels: `cuda/finish`.

use std::ptr::null_mut;

use super::kernels::{
    OceanCompact, OceanCsr, OceanMoveOffsets, OceanRound, OceanScalars, ocean_compact, ocean_move_offsets, ocean_round,
};
use super::{Cuda, launched};
use crate::backend::{Scalars, Slots};
use crate::csr::{Csr, IndexType};
use crate::error::Result;
use crate::memory::{Address, Span};
use crate::scalar::{Stored, with_stored};

/// See [`crate::backend::Backend::compact`]. O(nnz(C)), balanced over entries.
pub fn compact(
    on: &Cuda,
    starts: Span<i64>,
    slots: &Slots,
    offsets: Span<i64>,
    c: &Csr,
    scalars: &Scalars,
) -> Result<()> {
    let (more_columns, more_values) = slots.more.unwrap_or((Span::new(Address::NULL, 0), Address::NULL));
    let params = OceanCompact {
        offsets: OceanCsr {
            rows: offsets.len as i64 - 1,
            cols: c.cols,
            nnz: c.nnz,
            offsets: offsets.address.pointer(),
            columns: std::ptr::null(),
            offset_bytes: size_of::<i64>() as i32,
            base: 0,
        },
        starts: starts.address.pointer(),
        from_columns: [slots.columns.address.pointer(), more_columns.address.pointer()],
        from_values: [slots.values.pointer(), more_values.pointer()],
        first_piece: slots.columns.len as i64,
        columns: c.columns.pointer(),
        values: if slots.values.is_null() { null_mut() } else { c.values.pointer() },
        scalars: described_scalars(scalars)?,
        value_type: c.data_type,
        column_bytes: c.column_type.bytes() as i32,
        base: c.base,
    };
    let _current = on.context.enter()?;
    // SAFETY: the driver's arrays; every row lies in one piece of the slots, and C has room for every entry.
    launched("compact", unsafe { ocean_compact(&raw const params, on.stream.0) })
}

/// See [`crate::backend::Backend::round`].
pub fn round(on: &Cuda, from: Address, count: usize, c: &Csr, scalars: &Scalars) -> Result<()> {
    let params = OceanRound {
        from: from.pointer(),
        to: c.values.pointer(),
        count: count as i64,
        scalars: described_scalars(scalars)?,
        value_type: c.data_type,
    };
    let _current = on.context.enter()?;
    // SAFETY: the driver's sums, and C has room for as many values.
    launched("round", unsafe { ocean_round(&raw const params, on.stream.0) })
}

/// See [`crate::backend::Backend::write_offsets`].
pub fn write_offsets(on: &Cuda, offsets: Option<Span<i64>>, before: i64, c: &Csr) -> Result<()> {
    let from = offsets.map_or(Address::NULL, |offsets| offsets.address);
    move_offsets(on, (from, IndexType::I64), (c.offsets, c.offset_type), c.rows + 1, before + i64::from(c.base))
}

/// See [`crate::backend::Backend::offsets_alone`].
pub fn offsets_alone(on: &Cuda, rows: &Csr, before: i64, to: Address) -> Result<()> {
    move_offsets(on, (rows.offsets, rows.offset_type), (to, rows.offset_type), rows.rows + 1, -before)
}

fn move_offsets(
    on: &Cuda,
    (from, from_type): (Address, IndexType),
    (to, to_type): (Address, IndexType),
    count: i64,
    added: i64,
) -> Result<()> {
    let params = OceanMoveOffsets {
        from: from.pointer(),
        to: to.pointer(),
        count,
        added,
        from_bytes: from_type.bytes() as i32,
        to_bytes: to_type.bytes() as i32,
    };
    let _current = on.context.enter()?;
    // SAFETY: both arrays have one more offset than the matrix has rows.
    launched("move_offsets", unsafe { ocean_move_offsets(&raw const params, on.stream.0) })
}

/// alpha and beta as kernels take them: from where they lie on the device, or as they are on the host now.
pub fn described_scalars(scalars: &Scalars) -> Result<OceanScalars> {
    let parts = |place: Address| {
        if scalars.on_device || place.is_null() {
            return Ok([0.0; 2]);
        }
        with_stored!(Some(scalars.kind), V => {
            // SAFETY: the C API asks for one value of the compute type behind each; alignment is not asked for.
            Ok(unsafe { place.pointer::<V>().read_unaligned() }.parts())
        })
    };
    let place = |place: Address| if scalars.on_device { place.pointer() } else { null_mut() };
    Ok(OceanScalars {
        alpha: place(scalars.alpha),
        beta: place(scalars.beta),
        alpha_value: parts(scalars.alpha)?,
        beta_value: parts(scalars.beta)?,
        value_type: scalars.kind.data_type(),
    })
}
