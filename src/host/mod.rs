// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host backend: every step of [`Backend`] on the CPU, rows in parallel by rayon, with the bits of the
//! reference for any number of threads. Where there is no GPU it is what a caller gets; everywhere it is how the
//! driver is tested.

mod accumulate;
mod accumulator;
mod analysis;
mod columns;
mod count;
mod disjoint;
mod finish;
mod inspect;
mod memory;
mod overflow;
mod sizes;
mod sort;
mod tasks;
mod transpose;
mod view;
mod widen;

use std::sync::Arc;

use crate::backend::{
    Backend, HostLap, Known, Lap, Output, OverflowedRow, RowProducts, Sampled, Scalars, ShortRows, Slots, SortedRows,
    TransposedRows,
};
use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::heap::caught;
use crate::memory::{Address, Memory, Span};
use crate::scalar::ValueType;
use crate::spgemm::{Allowed, Bin, BinCounts, Inspection, RowArrays, Sample};
use crate::tuning::HOST_BINS;

pub use memory::HostMemory;

/// The host backend. It has no state and no stream: every step is done when it returns.
#[derive(Clone, Copy, Debug, Default)]
pub struct Host;

impl Backend for Host {
    fn name(&self) -> &'static str {
        "host"
    }

    fn available_bytes(&self) -> Result<u64> {
        Ok(memory::available_bytes())
    }

    fn inspect(&self, matrix: &Csr, name: &'static str) -> Result<Inspection> {
        inspect::inspect(matrix, name)
    }

    fn row_products(&self, a: &Csr, b: &Csr, arrays: &RowArrays) -> Result<RowProducts> {
        let totals = analysis::row_products(a, b, arrays.sizes, arrays.spans)?;
        Ok(RowProducts { totals, listed: None })
    }

    fn sample(&self, a: &Csr, b: &Csr, sampled: &Sampled<'_>) -> Result<Sample> {
        caught(|| analysis::sample(a, b, sampled.rows, sampled.registers))
    }

    fn cap(&self, sizes: Span<i64>, most: i64) -> Result<()> {
        sizes::cap(sizes, most);
        Ok(())
    }

    fn sketch(&self, b: &Csr, registers: usize, sketches: Span<u8>) -> Result<()> {
        sizes::sketch(b, registers, sketches)
    }

    fn estimate(
        &self,
        a: &Csr,
        b: &Csr,
        sketches: Span<u8>,
        registers: usize,
        coefficient: f64,
        sizes: Span<i64>,
    ) -> Result<()> {
        sizes::estimate(a, b, sketches, registers, coefficient, sizes)
    }

    fn are_short(&self, _: i64, _: i64) -> bool {
        false
    }

    fn count_short(&self, _: &Csr, _: &Csr, _: Span<i64>) -> Result<ShortRows> {
        Err(Error::Internal("no rows are short here".into()))
    }

    fn count(
        &self,
        a: &Csr,
        b: &Csr,
        known: &Known,
        compression: f64,
        spans: Span<i32>,
        sizes: Span<i64>,
    ) -> Result<()> {
        caught(|| count::count(a, b, (compression, known.tables), spans, sizes))
    }

    fn bins(&self) -> &'static [Bin] {
        &HOST_BINS
    }

    fn bin(
        &self,
        a: &Csr,
        _: &Known,
        offsets: Span<i64>,
        spans: Span<i32>,
        allowed: Allowed,
        order: Span<i32>,
    ) -> Result<BinCounts> {
        caught(|| Ok(sizes::bin(a.rows as usize, offsets, spans, allowed, order)))
    }

    fn scan(&self, sizes: Span<i64>) -> Result<i64> {
        Ok(sizes::scan(sizes))
    }

    fn accumulate(
        &self,
        a: &Csr,
        b: &Csr,
        _: &Known,
        (bin, order): (&Bin, Span<i32>),
        starts: Span<i64>,
        output: &Output,
    ) -> Result<()> {
        caught(|| accumulate::accumulate(a, b, bin, order, starts, output))
    }

    fn overflowed(&self, a: &Csr, b: &Csr, counts: Span<i64>) -> Result<Vec<OverflowedRow>> {
        caught(|| overflow::overflowed(a, b, counts))
    }

    fn redo(
        &self,
        a: &Csr,
        b: &Csr,
        rows: &[OverflowedRow],
        starts: Span<i64>,
        slots: &Slots,
        counts: Span<i64>,
    ) -> Result<()> {
        caught(|| overflow::redo(a, b, rows, starts, slots, counts))
    }

    fn compact(&self, starts: Span<i64>, slots: &Slots, offsets: Span<i64>, c: &Csr, scalars: &Scalars) -> Result<()> {
        finish::compact(starts, slots, offsets, c, scalars)
    }

    fn round(&self, from: Address, count: usize, c: &Csr, scalars: &Scalars) -> Result<()> {
        finish::round(from, count, c, scalars)
    }

    fn write_offsets(&self, offsets: Option<Span<i64>>, before: i64, c: &Csr) -> Result<()> {
        finish::write_offsets(offsets, before, c);
        Ok(())
    }

    fn offsets_alone(&self, rows: &Csr, before: i64, to: Address) -> Result<()> {
        finish::offsets_alone(rows, before, to);
        Ok(())
    }

    fn start_lap(&self) -> Result<Box<dyn Lap>> {
        Ok(Box::new(HostLap::start()))
    }

    fn taking_from(&self, _: &Arc<dyn Memory>) -> Arc<dyn Backend> {
        Arc::new(Self)
    }

    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<()> {
        // SAFETY: the driver passes parts of buffers that do not overlap and hold `bytes` each.
        unsafe { to.pointer::<u8>().copy_from_nonoverlapping(from.pointer(), bytes) };
        Ok(())
    }

    fn fingerprint(&self, matrix: &Csr, rows: Span<u64>) -> Result<()> {
        inspect::fingerprint(matrix, "matA or matB", rows)
    }

    fn first_difference(&self, one: Span<u64>, other: Span<u64>) -> Result<Option<usize>> {
        Ok(inspect::first_difference(one, other))
    }

    fn narrow_columns(&self, matrix: &Csr, to: Span<i32>) -> Result<()> {
        columns::narrow_columns(matrix, to);
        Ok(())
    }

    fn widen_columns(&self, from: Span<i32>, to: Address) -> Result<()> {
        columns::widen_columns(from, to);
        Ok(())
    }

    fn widen(&self, kinds: [ValueType; 2], count: usize, from: Address, to: Address) -> Result<()> {
        widen::widen(kinds, count, from, to)
    }

    fn sort_rows(&self, matrices: &[Csr], sorted: &SortedRows) -> Result<i64> {
        sort::sort_rows(matrices, sorted)
    }

    fn transpose(&self, matrix: &Csr, to: &TransposedRows) -> Result<()> {
        caught(|| transpose::transpose(matrix, to))
    }

    fn gather(&self, kind: ValueType, sources: Span<i64>, conjugate: bool, from: Address, to: Address) -> Result<()> {
        transpose::gather(kind, sources, conjugate, from, to)
    }

    fn sort_values(&self, kind: ValueType, stored: Address, sorted: &SortedRows, values: Address) -> Result<()> {
        sort::sort_values(kind, stored, sorted, values)
    }
}
