// SPDX-License-Identifier: MIT OR Apache-2.0
//! overflow: rows that outgrew their slots are counted exactly and built again where there is room.

use rayon::prelude::*;

use super::accumulate::{Scratch, Work};
use super::count::Counter;
use super::disjoint::Disjoint;
use super::tasks::Pool;
use super::view::{Numeric, Products};
use crate::backend::{OVERFLOWED, OverflowedRow, Slots};
use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::heap;
use crate::memory::Span;
use crate::scalar::with_computed;
use crate::spgemm::Accumulator;

/// See [`crate::backend::Backend::overflowed`].
pub fn overflowed(a: &Csr, b: &Csr, counts: Span<i64>) -> Result<Vec<OverflowedRow>> {
    let work = Work::pattern(a, b)?;
    // SAFETY: the driver's array, which nobody writes now.
    let counts = unsafe { counts.slice() };
    let pool = Pool::<Counter>::new();
    let is_over = |&row: &usize| counts[row] == OVERFLOWED;
    let mut rows = heap::room((0..work.a.rows).filter(is_over).count(), "rows that outgrew their slots");
    let found = (0..work.a.rows).filter(is_over);
    rows.extend(found.map(|row| OverflowedRow { row: row as i32, count: 0, start: 0 }));
    rows.par_iter_mut().for_each(|OverflowedRow { row, count, .. }| {
        *count = pool.lend(|counter| work.count(counter, Accumulator::Hash, *row as usize, 0)) as i64;
    });
    Ok(rows)
}

/// See [`crate::backend::Backend::redo`].
pub fn redo(
    a: &Csr,
    b: &Csr,
    rows: &[OverflowedRow],
    starts: Span<i64>,
    slots: &Slots,
    counts: Span<i64>,
) -> Result<()> {
    // SAFETY: the driver's arrays, which only this step uses now.
    let (starts, counts) = unsafe { (starts.slice_mut(), counts.slice_mut()) };
    if slots.values.is_null() {
        build(&Work::pattern(a, b)?, rows, slots)?;
    } else {
        with_computed!(b.value_type(), V => build(&Work::<Numeric<'_, V>>::numeric(a, b)?, rows, slots))?;
    }
    for row in rows {
        starts[row.row as usize] = row.start;
        counts[row.row as usize] = row.count;
    }
    Ok(())
}

fn build<P: Products>(work: &Work<'_, P>, rows: &[OverflowedRow], slots: &Slots) -> Result<()> {
    // SAFETY: the driver's arrays, which only this step uses now. Rows have places of their own.
    let pieces = unsafe {
        [(slots.columns, slots.values)].into_iter().chain(slots.more).map(|(columns, values)| {
            let values = Span::<P::Sum>::new(values, columns.len).slice_mut();
            (Disjoint::new(columns.slice_mut()), Disjoint::new(values))
        })
    }
    .collect::<Vec<_>>();
    let pool = Pool::<Scratch<P::Sum>>::new();
    rows.par_iter().try_for_each(|row| {
        let start = row.start as usize;
        let (piece, start) = if start < slots.columns.len { (0, start) } else { (1, start - slots.columns.len) };
        let room = start..start + row.count as usize;
        // SAFETY: the driver gave each row a place of its own.
        let (columns, values) = unsafe { (pieces[piece].0.part(room.clone()), pieces[piece].1.part(room.clone())) };
        let mut count = 0;
        pool.lend(|scratch| {
            work.build(scratch, Accumulator::Hash, row.row as usize, (room.len(), false), |column, value| {
                if count < columns.len() {
                    columns[count] = column as i32;
                    values[count] = value;
                }
                count += 1;
            });
        });
        if count == room.len() {
            return Ok(());
        }
        Err(Error::PatternChanged { row: row.row.into(), count: count as i64, room: row.count })
    })
}
