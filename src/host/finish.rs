// SPDX-License-Identifier: MIT OR Apache-2.0
//! finish: rows move out of their slots into C.

use rayon::prelude::*;

use super::accumulate::read_scalars;
use super::disjoint::Disjoint;
use super::tasks::{ROWS, rows_per_task};
use crate::backend::{Scalars, Slots};
use crate::csr::{Csr, IndexType, Offsets};
use crate::error::Result;
use crate::memory::{Address, Span};
use crate::scalar::{Scalar, Stored, scaled, with_stored};

/// See [`crate::backend::Backend::compact`]. O(nnz(C)).
pub fn compact(starts: Span<i64>, slots: &Slots, offsets: Span<i64>, c: &Csr, scalars: &Scalars) -> Result<()> {
    match c.column_type {
        IndexType::I32 => compact_to::<i32>(starts, slots, offsets, c, scalars),
        IndexType::I64 => compact_to::<i64>(starts, slots, offsets, c, scalars),
    }
}

/// The same into columns of this type.
fn compact_to<Index: From<i32> + Send>(
    starts: Span<i64>,
    slots: &Slots,
    offsets: Span<i64>,
    c: &Csr,
    scalars: &Scalars,
) -> Result<()> {
    if slots.values.is_null() {
        return move_rows::<Index, _, _>(starts, slots, offsets, c, |_: &mut [()], _: &[()]| {});
    }
    with_stored!(c.value_type(), V => {
        type Sum = <V as Stored>::Computed;
        let (alpha, beta) = read_scalars::<Sum>(scalars)?;
        let plain = alpha == Sum::ONE && beta.is_zero();
        move_rows::<Index, _, _>(starts, slots, offsets, c, |to: &mut [V], from: &[Sum]| {
            for (to, &from) in to.iter_mut().zip(from) {
                *to = V::rounded(if plain { from } else { scaled(alpha, from, beta, || to.widened()) });
            }
        })
    })
}

/// Moves columns, and values as `move_values` does it.
fn move_rows<Index: From<i32> + Send, Sum: Sync, Value: Send>(
    starts: Span<i64>,
    slots: &Slots,
    offsets: Span<i64>,
    c: &Csr,
    move_values: impl Fn(&mut [Value], &[Sum]) + Sync,
) -> Result<()> {
    // SAFETY: the driver's arrays, which nobody writes now.
    let (starts, offsets) = unsafe { (starts.slice(), offsets.slice()) };
    // SAFETY: as above; the two pieces have as many values as columns.
    let pieces: Vec<(&[i32], &[Sum])> = unsafe {
        [(slots.columns, slots.values)]
            .into_iter()
            .chain(slots.more)
            .map(|(columns, values)| (columns.slice(), Span::new(values, columns.len).slice()))
            .collect()
    };
    let rows = offsets.len() - 1;
    let nnz = offsets[rows] as usize;
    // SAFETY: the caller's arrays of at least nnz(C) entries, as the driver checked; only this step uses them now.
    let (columns, values) = unsafe {
        let values = Span::<Value>::new(c.values, nnz).slice_mut();
        (Disjoint::new(Span::<Index>::new(c.columns, nnz).slice_mut()), Disjoint::new(values))
    };
    (0..rows).into_par_iter().with_min_len(rows_per_task(rows, nnz as i64)).for_each(|row| {
        let to = offsets[row] as usize..offsets[row + 1] as usize;
        let start = starts[row] as usize;
        let (piece, start) = match start.checked_sub(pieces[0].0.len()) {
            Some(start) if !to.is_empty() => (1, start),
            _ => (0, start),
        };
        let from = start..start + to.len();
        let (old_columns, old_values) = (&pieces[piece].0[from.clone()], &pieces[piece].1[from]);
        // SAFETY: rows of C are disjoint.
        let (columns, values) = unsafe { (columns.part(to.clone()), values.part(to)) };
        for (to, from) in columns.iter_mut().zip(old_columns) {
            *to = Index::from(from + c.base);
        }
        move_values(values, old_values);
    });
    Ok(())
}

/// See [`crate::backend::Backend::round`].
pub fn round(from: Address, count: usize, c: &Csr, scalars: &Scalars) -> Result<()> {
    with_stored!(c.value_type(), V => {
        let (alpha, beta) = read_scalars::<<V as Stored>::Computed>(scalars)?;
        // SAFETY: the driver's sums, which nobody writes now, and the caller's array for as many.
        let (from, to) = unsafe {
            let to = Span::<V>::new(c.values, count).slice_mut();
            (Span::<<V as Stored>::Computed>::new(from, count).slice(), to)
        };
        to.par_iter_mut().zip(from).with_min_len(ROWS).for_each(|(to, &from)| {
            *to = V::rounded(scaled(alpha, from, beta, || to.widened()));
        });
        Ok(())
    })
}

/// See [`crate::backend::Backend::write_offsets`].
pub fn write_offsets(offsets: Option<Span<i64>>, before: i64, c: &Csr) {
    // SAFETY: the driver's array, which nobody writes now. An empty one stands for none.
    let offsets = unsafe { offsets.unwrap_or(Span::new(Address::NULL, 0)).slice() };
    let first = before + i64::from(c.base);
    // SAFETY: the caller's array of one more than C's rows, which only this step uses now.
    unsafe {
        match c.offsets() {
            // The driver refused products whose offsets do not fit.
            Offsets::I32(to) => write(to.slice_mut(), offsets, |offset| (offset + first) as i32),
            Offsets::I64(to) => write(to.slice_mut(), offsets, |offset| offset + first),
        }
    }
}

fn write<T: Copy>(to: &mut [T], offsets: &[i64], based: impl Fn(i64) -> T) {
    match offsets {
        [] => to.fill(based(0)),
        _ => to.iter_mut().zip(offsets).for_each(|(to, &offset)| *to = based(offset)),
    }
}

/// See [`crate::backend::Backend::offsets_alone`].
pub fn offsets_alone(rows: &Csr, before: i64, to: Address) {
    // SAFETY: the caller's offsets, and the driver's array for as many. Offsets that are none yet are found by whoever reads
    // the result, so they may wrap here.
    unsafe {
        match rows.offsets() {
            Offsets::I32(from) => {
                let to = Span::<i32>::new(to, from.len).slice_mut();
                to.iter_mut().zip(from.slice()).for_each(|(to, from)| *to = from.wrapping_sub(before as i32));
            }
            Offsets::I64(from) => {
                let to = Span::<i64>::new(to, from.len).slice_mut();
                to.iter_mut().zip(from.slice()).for_each(|(to, from)| *to = from.wrapping_sub(before));
            }
        }
    }
}
