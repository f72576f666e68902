// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CUDA backend: the steps of [`Backend`] that have kernels, on a stream of the caller's.
//!
//! Nothing here needs a driver until [`Cuda::new`]; [`devices`] tells whether that can work.

mod accumulate;
mod alike;
mod analysis;
mod blocks;
mod columns;
mod fingerprint;
mod finish;
mod kernels;
#[cfg_attr(ocean_emu, path = "runtime_emulated.rs")]
mod runtime;
mod sizes;
mod sketch;
mod sort;
mod tables;
mod transpose;
mod widen;

use std::ffi::{CStr, c_void};
use std::sync::Arc;

use crate::backend::{
    Backend, Finished, Known, Lap, Look, Looked, Output, OverflowedRow, RowProducts, Sampled, Scalars, ShortRows,
    Slots, SortedRows, Survey, TransposedRows,
};
use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::memory::{Address, Allocation, Memory, Span};
use crate::scalar::ValueType;
use crate::spgemm::{Allowed, Bin, BinCounts, Inspection, RowArrays, Sample};
use crate::tuning::{BRANCHES, CUDA_BINS, CUDA_SAMPLED_PRODUCTS};

pub use runtime::devices;
use runtime::{Branches, Context, Pool, Stream, StreamLap};
#[cfg(ocean_emu)]
pub use runtime::{fail_device_call, launches, waits};

/// The CUDA backend on one device and one stream.
#[derive(Clone)]
pub struct Cuda {
    context: Arc<Context>,
    stream: Stream,
    pool: Pool,
    memory: Arc<dyn Memory>,
    branches: Arc<Branches>,
}

impl Cuda {
    /// The backend in the calling thread's current context (the first device's, if it has none), on the default stream,
    /// with a pool of its own.
    ///
    /// # Errors
    /// [`Error::NoDevice`] without a driver or a GPU; [`Error::Cuda`] if the driver refuses.
    pub fn new() -> Result<Self> {
        let context = Arc::new(Context::for_caller()?);
        let stream = Stream(std::ptr::null_mut());
        let pool = Pool::new(&context, stream)?;
        let branches = Arc::new(Branches::new(&context));
        Ok(Self { context, stream, memory: Arc::new(pool.clone()), pool, branches })
    }

    /// The same on another stream, with the same pool in that stream's order. NULL is the default stream.
    pub fn on_stream(&self, stream: *mut c_void) -> Self {
        let stream = Stream(stream);
        let pool = self.pool.on_stream(stream);
        Self { stream, memory: Arc::new(pool.clone()), pool, ..self.clone() }
    }

    /// The same with another allocator in place of the pool, in the order of this stream.
    pub fn with_memory(&self, memory: Arc<dyn Memory>) -> Self {
        Self { memory, ..self.clone() }
    }

    /// Where scratch comes from.
    pub fn memory(&self) -> &Arc<dyn Memory> {
        &self.memory
    }

    /// Queues work whose pieces need nothing of one another: those with scratch on this stream, in whose order memory
    /// comes and goes, the others on streams beside it.
    fn side_by_side<T>(
        &self,
        pieces: &[T],
        has_scratch: impl Fn(&T) -> bool,
        queue: impl Fn(&Self, &T) -> Result<()>,
    ) -> Result<()> {
        let others = pieces.iter().filter(|piece| !has_scratch(piece)).count();
        let beside = if others == pieces.len() { others.saturating_sub(1) } else { others };
        self.branches.side_by_side(self.stream, beside.min(BRANCHES), |streams| {
            let mut turns = streams.iter().copied().chain((beside < others).then_some(self.stream)).cycle();
            for piece in pieces {
                let stream = if has_scratch(piece) { None } else { turns.next() };
                queue(&Self { stream: stream.unwrap_or(self.stream), ..self.clone() }, piece)?;
            }
            Ok(())
        })
    }

    /// A copy of `values` on the device.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], or [`Error::Cuda`] if the copy fails.
    pub fn upload<T: Copy>(&self, values: &[T], purpose: &'static str) -> Result<Allocation> {
        let copy = Allocation::new(&self.memory, size_of_val(values), purpose)?;
        let _current = self.context.enter()?;
        // SAFETY: as large as `values`.
        unsafe { self.stream.write(values, copy.address())? };
        Ok(copy)
    }

    /// Waits for the stream, and copies values from the device.
    ///
    /// # Safety
    /// `from` holds as many values of `T` in this device's memory as `to` has.
    ///
    /// # Errors
    /// [`Error::Cuda`] if the copy fails, or work before it did.
    pub unsafe fn download<T: Copy>(&self, from: Address, to: &mut [T]) -> Result<()> {
        let _current = self.context.enter()?;
        // SAFETY: the caller's promise.
        unsafe { self.stream.read(from, to) }
    }
}

impl Backend for Cuda {
    fn name(&self) -> &'static str {
        "CUDA"
    }

    fn available_bytes(&self) -> Result<u64> {
        self.context.available_bytes()
    }

    fn inspect(&self, matrix: &Csr, name: &'static str) -> Result<Inspection> {
        analysis::inspect(self, matrix, name)
    }

    fn survey(&self, a: &Csr, b: &Csr, arrays: &RowArrays, may_be_short: bool) -> Result<Survey> {
        analysis::survey(self, a, b, arrays, may_be_short)
    }

    fn finds_alike(&self) -> bool {
        true
    }

    fn alike(&self, a: &Csr, b: &Csr, look: &Look<'_>) -> Result<Looked> {
        alike::alike(self, a, b, look)
    }

    fn row_products(&self, a: &Csr, b: &Csr, arrays: &RowArrays) -> Result<RowProducts> {
        analysis::row_products(self, a, b, arrays)
    }

    fn least_sampled(&self) -> i64 {
        CUDA_SAMPLED_PRODUCTS
    }

    fn sample(&self, a: &Csr, b: &Csr, sampled: &Sampled<'_>) -> Result<Sample> {
        sketch::sample(self, a, b, sampled)
    }

    fn sketch(&self, b: &Csr, registers: usize, sketches: Span<u8>) -> Result<()> {
        sketch::sketch(self, b, registers, sketches)
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
        sketch::estimate(self, a, b, sketches, registers, coefficient, sizes)
    }

    fn cap(&self, sizes: Span<i64>, most: i64) -> Result<()> {
        sizes::cap(self, sizes, most)
    }

    fn bins(&self) -> &'static [Bin] {
        &CUDA_BINS
    }

    fn bin(
        &self,
        a: &Csr,
        known: &Known,
        offsets: Span<i64>,
        spans: Span<i32>,
        allowed: Allowed,
        order: Span<i32>,
    ) -> Result<BinCounts> {
        sizes::bin(self, a, known, offsets, spans, allowed, order).map(|binned| binned.counts)
    }

    fn scan_and_bin(
        &self,
        a: &Csr,
        known: &Known,
        sizes: Span<i64>,
        spans: Span<i32>,
        allowed: Allowed,
        order: Span<i32>,
    ) -> Result<(i64, BinCounts)> {
        sizes::scan_and_bin(self, a, known, sizes, spans, allowed, order)
    }

    fn finish_lengths(&self, a: &Csr, b: &Csr, lengths: Span<i64>) -> Result<Finished> {
        sizes::finish_lengths(self, a, b, lengths)
    }

    fn are_short(&self, of_a: i64, of_b: i64) -> bool {
        sizes::are_short(of_a, of_b)
    }

    fn count_short(&self, a: &Csr, b: &Csr, sizes: Span<i64>) -> Result<ShortRows> {
        sizes::count_short(self, a, b, sizes)
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
        if known.tables {
            return tables::count(self, a, b, known, compression, sizes);
        }
        sizes::count(self, a, b, known, spans, sizes)
    }

    fn accumulate(
        &self,
        a: &Csr,
        b: &Csr,
        known: &Known,
        listed: (&Bin, Span<i32>),
        starts: Span<i64>,
        output: &Output,
    ) -> Result<()> {
        accumulate::accumulate(self, a, b, known, listed, starts, output)
    }

    fn accumulate_all(
        &self,
        a: &Csr,
        b: &Csr,
        known: &Known,
        (order, bins): (Span<i32>, &BinCounts),
        starts: Span<i64>,
        output: &Output,
    ) -> Result<()> {
        accumulate::accumulate_all(self, a, b, known, (order, bins), starts, output)
    }

    fn overflowed(&self, a: &Csr, b: &Csr, counts: Span<i64>) -> Result<Vec<OverflowedRow>> {
        sizes::overflowed(self, a, b, counts)
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
        accumulate::redo(self, a, b, rows, starts, slots, counts)
    }

    fn scan(&self, sizes: Span<i64>) -> Result<i64> {
        sizes::scan(self, sizes)
    }

    fn compact(&self, starts: Span<i64>, slots: &Slots, offsets: Span<i64>, c: &Csr, scalars: &Scalars) -> Result<()> {
        finish::compact(self, starts, slots, offsets, c, scalars)
    }

    fn round(&self, from: Address, count: usize, c: &Csr, scalars: &Scalars) -> Result<()> {
        finish::round(self, from, count, c, scalars)
    }

    fn write_offsets(&self, offsets: Option<Span<i64>>, before: i64, c: &Csr) -> Result<()> {
        finish::write_offsets(self, offsets, before, c)
    }

    fn offsets_alone(&self, rows: &Csr, before: i64, to: Address) -> Result<()> {
        finish::offsets_alone(self, rows, before, to)
    }

    fn start_lap(&self) -> Result<Box<dyn Lap>> {
        Ok(Box::new(StreamLap::on(&self.context, self.stream)?))
    }

    fn taking_from(&self, memory: &Arc<dyn Memory>) -> Arc<dyn Backend> {
        Arc::new(self.with_memory(Arc::clone(memory)))
    }

    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<()> {
        let _current = self.context.enter()?;
        // SAFETY: the driver's arrays of so many bytes, which do not overlap.
        unsafe { self.stream.copy(from, to, bytes) }
    }

    fn fingerprint(&self, matrix: &Csr, rows: Span<u64>) -> Result<()> {
        fingerprint::fingerprint(self, matrix, rows)
    }

    fn first_difference(&self, one: Span<u64>, other: Span<u64>) -> Result<Option<usize>> {
        fingerprint::first_difference(self, one, other)
    }

    fn sort_rows(&self, matrices: &[Csr], sorted: &SortedRows) -> Result<i64> {
        sort::sort_rows(self, matrices, sorted)
    }

    fn narrow_columns(&self, matrix: &Csr, to: Span<i32>) -> Result<()> {
        columns::narrow_columns(self, matrix, to)
    }

    fn widen_columns(&self, from: Span<i32>, to: Address) -> Result<()> {
        columns::widen_columns(self, from, to)
    }

    fn widen(&self, kinds: [ValueType; 2], count: usize, from: Address, to: Address) -> Result<()> {
        widen::widen(self, kinds, count, from, to)
    }

    fn transpose(&self, matrix: &Csr, to: &TransposedRows) -> Result<()> {
        transpose::transpose(self, matrix, to)
    }

    fn gather(&self, kind: ValueType, sources: Span<i64>, conjugate: bool, from: Address, to: Address) -> Result<()> {
        transpose::gather(self, kind, sources, conjugate, from, to)
    }

    fn sort_values(&self, kind: ValueType, stored: Address, sorted: &SortedRows, values: Address) -> Result<()> {
        sort::sort_values(self, kind, stored, sorted, values)
    }
}

/// What a launcher returned, with its name in the error.
fn launched(kernel: &'static str, code: i32) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: the runtime's names are static strings, for any number.
    let name = unsafe { CStr::from_ptr(kernels::ocean_launch_error_name(code)) };
    Err(Error::Cuda { call: kernel, code, name: name.to_string_lossy().into_owned() })
}
