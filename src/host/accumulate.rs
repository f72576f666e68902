// SPDX-License-Identifier: MIT OR Apache-2.0
//! accumulate: the rows of C, each summed in the promised order by one thread.

use std::ops::Range;

use rayon::prelude::*;

use super::accumulator::{Dense, Expected, Hash, RowSum};
use super::disjoint::Disjoint;
use super::tasks::{Pool, rows_per_task};
use super::view::{Numeric, Pattern, Products, Structure};
use crate::backend::{OVERFLOWED, Output, Scalars, Slots};
use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::memory::{Address, Span};
use crate::scalar::{Scalar, Stored as _, Sum, scaled, with_computed, with_stored};
use crate::spgemm::{Accumulator, Bin};
use crate::tuning::{DENSE_COLUMNS, REPEATS_FROM, SUM_BLOCK};

/// The factors of a product.
#[derive(Clone, Copy)]
pub struct Work<'a, P> {
    pub a: Pattern<'a>,
    pub b: Pattern<'a>,
    pub terms: P,
}

/// What one thread works with; grows to what its rows need.
pub struct Scratch<V> {
    hash: [Hash<V>; 2],
    dense: [Dense<V>; 2],
}

impl<V: Sum> Default for Scratch<V> {
    fn default() -> Self {
        Self { hash: Default::default(), dense: Default::default() }
    }
}

impl<'a> Work<'a, Structure> {
    /// The patterns of `a` and `b`.
    pub fn pattern(a: &Csr, b: &Csr) -> Result<Self> {
        // SAFETY: both matrices were inspected, and the driver keeps their arrays during the step.
        unsafe { Ok(Self { a: Pattern::new(a, "matA")?, b: Pattern::new(b, "matB")?, terms: Structure }) }
    }
}

impl<'a, V: Scalar> Work<'a, Numeric<'a, V>> {
    /// `a` and `b` with their values.
    pub fn numeric(a: &Csr, b: &Csr) -> Result<Self> {
        // SAFETY: both matrices were inspected, and the driver keeps their arrays during the step; V is their type.
        unsafe {
            let (left, right) = (Pattern::new(a, "matA")?, Pattern::new(b, "matB")?);
            Ok(Self { a: left, b: right, terms: Numeric::new((a, left.nnz()), (b, right.nnz())) })
        }
    }
}

impl<P: Products> Work<'_, P> {
    /// Hands the sums of one row of C, of about `entries`, to `each`, by ascending column.
    pub fn build(
        &self,
        scratch: &mut Scratch<P::Sum>,
        kind: Accumulator,
        row: usize,
        (entries, repeats): (usize, bool),
        each: impl FnMut(usize, P::Sum),
    ) {
        if kind == Accumulator::Dense {
            self.sum_in_blocks(&mut scratch.dense, row, &Expected { columns: self.span(row), entries, repeats })
                .drain(each)
        } else {
            self.sum_in_blocks(&mut scratch.hash, row, &Expected { columns: 0..0, entries, repeats }).drain(each)
        }
    }

    /// Whether most terms of a row meet a column that is there already, when C has `entries`.
    fn repeats(&self, entries: usize) -> bool {
        self.products() as f64 >= REPEATS_FROM * entries as f64
    }

    /// Scalar products of the whole matrix, about.
    pub fn products(&self) -> i64 {
        let mean = self.b.nnz() as f64 / self.b.rows.max(1) as f64;
        (self.a.nnz() as f64 * mean) as i64
    }

    /// Columns that hold those of a row of C: all of them where that is cheap enough.
    pub fn span(&self, row: usize) -> Range<usize> {
        if self.b.cols <= DENSE_COLUMNS {
            return 0..self.b.cols;
        }
        let ends = self.a.stored(self.a.range(row)).iter().filter_map(|&k| self.b.ends(self.a.index(k)));
        let (first, last) = ends.fold((usize::MAX, 0), |(first, last), (low, high)| (first.min(low), last.max(high)));
        if first > last { 0..0 } else { first..last + 1 }
    }

    fn sum<'s, S: RowSum<P::Sum>>(&self, sum: &'s mut S, row: usize, expected: &Expected) -> &'s mut S {
        sum.start(expected);
        self.add_to(sum, self.a.range(row));
        sum
    }

    /// As [`Self::sum`], with the blocks of a very long row summed apart and then added up.
    fn sum_in_blocks<'s, S: RowSum<P::Sum>>(
        &self,
        [total, block]: &'s mut [S; 2],
        row: usize,
        expected: &Expected,
    ) -> &'s mut S {
        let all = self.a.range(row);
        if all.len() <= SUM_BLOCK {
            return self.sum(total, row, expected);
        }
        total.start(expected);
        for first in all.clone().step_by(SUM_BLOCK) {
            block.start(expected);
            self.add_to(block, first..(first + SUM_BLOCK).min(all.end));
            block.drain(|column, value| total.add(&[column as i32], 0, std::iter::once(value)));
        }
        total
    }

    #[inline]
    fn add_to(&self, sum: &mut impl RowSum<P::Sum>, entries: Range<usize>) {
        for (entry, &stored) in entries.clone().zip(self.a.stored(entries)) {
            let row = self.b.range(self.a.index(stored));
            sum.add(self.b.stored(row.clone()), self.b.base, self.terms.row(entry, row));
        }
    }
}

/// See [`crate::backend::Backend::accumulate`].
pub fn accumulate(a: &Csr, b: &Csr, bin: &Bin, order: Span<i32>, starts: Span<i64>, output: &Output) -> Result<()> {
    // SAFETY: the driver's arrays, which no step writes while this one runs.
    let (order, starts) = unsafe { (order.slice(), starts.slice()) };
    let rows = Rows { order, starts, kind: bin.accumulator };
    match output {
        Output::Slots { slots, counts } if slots.values.is_null() => {
            rows.fill_slots(&Work::pattern(a, b)?, slots, *counts)
        }
        Output::Slots { slots, counts } => {
            with_computed!(b.value_type(), V => rows.fill_slots(&Work::<Numeric<'_, V>>::numeric(a, b)?, slots, *counts))
        }
        Output::Exact { c, scalars: None, .. } => rows.fill_columns(&Work::pattern(a, b)?, c),
        Output::Exact { c, columns, scalars: Some(scalars) } => {
            with_computed!(b.value_type(), V => rows.fill_matrix::<V>(&Work::numeric(a, b)?, c, *columns, scalars))
        }
    }
}

/// alpha and beta, read when the step runs, in the type that is computed in.
pub fn read_scalars<V: Scalar>(scalars: &Scalars) -> Result<(V, V)> {
    with_stored!(Some(scalars.kind), S => {
        let read = |at: Address| {
            if at.is_null() {
                return V::ZERO;
            }
            // SAFETY: the C API asks for one value of the compute type behind each; alignment is not asked for.
            let [real, imaginary] = unsafe { at.pointer::<S>().read_unaligned() }.parts();
            V::nearest(real, imaginary)
        };
        Ok((read(scalars.alpha), read(scalars.beta)))
    })
}

struct Rows<'a> {
    order: &'a [i32],
    starts: &'a [i64],
    kind: Accumulator,
}

impl Rows<'_> {
    fn fill_slots<P: Products>(&self, work: &Work<'_, P>, slots: &Slots, counts: Span<i64>) -> Result<()> {
        // SAFETY: the driver's arrays, which only this step uses now. Rows write disjoint slots and counts.
        let (columns, values, counts) = unsafe {
            let values = Span::<P::Sum>::new(slots.values, slots.columns.len).slice_mut();
            (Disjoint::new(slots.columns.slice_mut()), Disjoint::new(values), Disjoint::new(counts.slice_mut()))
        };
        let repeats = work.repeats(self.entries());
        self.each(work, |scratch, row, room| {
            // SAFETY: the slot of `row` belongs to it alone, and each row is in `order` once.
            let (columns, values) = unsafe { (columns.part(room.clone()), values.part(room.clone())) };
            let mut count = 0;
            work.build(scratch, self.kind, row, (room.len(), repeats), |column, value| {
                if count < columns.len() {
                    columns[count] = column as i32;
                    values[count] = value;
                }
                count += 1;
            });
            let count = if count <= room.len() { count as i64 } else { OVERFLOWED };
            // SAFETY: as above.
            unsafe { counts.set(row, count) };
            Ok(())
        })
    }

    fn fill_columns(&self, work: &Work<'_, Structure>, c: &Csr) -> Result<()> {
        let columns = self.columns_of(c);
        let repeats = work.repeats(self.entries());
        self.each(work, |scratch, row, room| {
            // SAFETY: the place of `row` in C belongs to it alone, and each row is in `order` once.
            let columns = unsafe { columns.part(room.clone()) };
            let mut count = 0;
            work.build(scratch, self.kind, row, (room.len(), repeats), |column, ()| {
                if count < columns.len() {
                    columns[count] = column as i32 + c.base;
                }
                count += 1;
            });
            unchanged(row, count, room.len())
        })
    }

    fn fill_matrix<V: Scalar>(
        &self,
        work: &Work<'_, Numeric<'_, V>>,
        c: &Csr,
        write_columns: bool,
        scalars: &Scalars,
    ) -> Result<()> {
        let (alpha, beta) = read_scalars::<V>(scalars)?;
        let columns = write_columns.then(|| self.columns_of(c));
        // SAFETY: the caller's array of at least as many values as the starts say, which only this step uses now.
        let values = Disjoint::new(unsafe { Span::<V>::new(c.values, self.entries()).slice_mut() });
        let repeats = work.repeats(self.entries());
        self.each(work, |scratch, row, room| {
            // SAFETY: the place of `row` in C belongs to it alone, and each row is in `order` once.
            let (mut columns, values) = unsafe { (columns.map(|c| c.part(room.clone())), values.part(room.clone())) };
            let mut count = 0;
            work.build(scratch, self.kind, row, (room.len(), repeats), |column, value| {
                if count < values.len() {
                    if let Some(columns) = &mut columns {
                        columns[count] = column as i32 + c.base;
                    }
                    values[count] = scaled(alpha, value, beta, || values[count]);
                }
                count += 1;
            });
            unchanged(row, count, room.len())
        })
    }

    fn entries(&self) -> usize {
        self.starts.last().map_or(0, |&end| end as usize)
    }

    fn columns_of(&self, c: &Csr) -> Disjoint<'_, i32> {
        // SAFETY: the caller's array of at least as many columns as the starts say, which only this step uses now.
        Disjoint::new(unsafe { Span::<i32>::new(c.columns, self.entries()).slice_mut() })
    }

    fn each<P: Products>(
        &self,
        work: &Work<'_, P>,
        task: impl Fn(&mut Scratch<P::Sum>, usize, Range<usize>) -> Result<()> + Sync,
    ) -> Result<()> {
        let pool = Pool::<Scratch<P::Sum>>::new();
        self.order.par_chunks(rows_per_task(self.order.len(), work.products())).try_for_each(|rows| {
            pool.lend(|scratch| {
                rows.iter().try_for_each(|&row| {
                    let row = row as usize;
                    task(scratch, row, self.starts[row] as usize..self.starts[row + 1] as usize)
                })
            })
        })
    }
}

fn unchanged(row: usize, count: usize, room: usize) -> Result<()> {
    if count == room {
        Ok(())
    } else {
        Err(Error::PatternChanged { row: row as i64, count: count as i64, room: room as i64 })
    }
}
