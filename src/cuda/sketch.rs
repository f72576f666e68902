// SPDX-License-Identifier: MIT OR Apache-2.0
//! sketch: lengths of rows of C by HyperLogLog, for the sample and for room. Kernels: `cuda/sizes/sketch.cu`,
//! `cuda/analysis/sample.cu`.

use std::ptr::null;

use super::analysis::described;
use super::kernels::{
    OceanEstimate, OceanHyperLogLog, OceanSample, OceanSketch, ocean_estimate, ocean_sample, ocean_sketch,
};
use super::{Cuda, launched};
use crate::backend::Sampled;
use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::heap;
use crate::memory::{Address, Allocation, Carver, Span};
use crate::spgemm::Sample;
use crate::spgemm::hyperloglog::{FEW_REGISTERS_BIAS, REGISTER_CHOICES};
use crate::tuning::SKETCHED_ROW;
use crate::tuning::kernel::ESTIMATE_TILE;

/// See [`crate::backend::Backend::sample`]. O(products of these rows).
pub fn sample(on: &Cuda, a: &Csr, b: &Csr, sampled: &Sampled<'_>) -> Result<Sample> {
    let queued = QueuedSample::new(on, a, b, sampled, (null(), 0))?;
    let mut found = queued.room();
    // SAFETY: as many were written.
    unsafe { on.download(queued.found.address, &mut found)? };
    Ok(queued.sample(&found))
}

/// A sample on its way.
pub(super) struct QueuedSample {
    _scratch: Allocation,
    /// Products of each row, then bits of its estimate.
    pub found: Span<u64>,
    registers: usize,
}

impl QueuedSample {
    /// Queues it; nothing is sampled where alike has counted no more than it may.
    pub fn new(
        on: &Cuda,
        a: &Csr,
        b: &Csr,
        sampled: &Sampled<'_>,
        (counted, most_counted): (*const i64, i64),
    ) -> Result<Self> {
        let &Sampled { rows, most_products, registers } = sampled;
        let count = rows.len();
        let arrays = |carver: &mut Carver| {
            let (list, sketches) = (carver.take::<i32>(count), carver.take::<u8>(count * registers));
            (list, sketches, carver.take::<u64>(2 * count))
        };
        let mut probe = Carver::new(Address::NULL);
        arrays(&mut probe);
        let scratch = Allocation::new(&on.memory, probe.bytes(), "the sample")?;
        let (list, sketches, found) = arrays(&mut Carver::new(scratch.address()));
        let (products, entries) = (found.part(0..count), found.part(count..2 * count));
        let params = OceanSample {
            a: described(a)?,
            b: described(b)?,
            rows: list.address.pointer(),
            count: count as i64,
            most_products,
            sketches: sketches.address.pointer(),
            products: products.address.pointer(),
            entries: entries.address.pointer(),
            counted,
            most_counted,
            counter: counter(registers)?,
        };
        let _current = on.context.enter()?;
        // SAFETY: both matrices were inspected, and fit each other; the other arrays have room for every sampled row.
        unsafe {
            on.stream.write(rows, list.address)?;
            launched("sample", ocean_sample(&raw const params, on.stream.0))?;
        }
        Ok(Self { _scratch: scratch, found, registers })
    }

    /// Room for what it finds.
    pub fn room(&self) -> Vec<u64> {
        heap::filled(self.found.len, 0u64, "the sample")
    }

    /// Sums it up here and in order, as on the host: the plan is the same then.
    pub fn sample(&self, found: &[u64]) -> Sample {
        let rows = found.len() / 2;
        let mut sample = Sample { rows, registers: self.registers, ..Sample::default() };
        let (products, entries) = found.split_at(rows);
        for (products, entries) in products.iter().zip(entries.iter().map(|&bits| f64::from_bits(bits))) {
            sample.products += products.cast_signed();
            sample.entries += entries;
            sample.squares += entries * entries;
        }
        sample
    }
}

/// See [`crate::backend::Backend::sketch`]. O(nnz(B)).
pub fn sketch(on: &Cuda, b: &Csr, registers: usize, sketches: Span<u8>) -> Result<()> {
    let sketch_count = b.nnz as usize / SKETCHED_ROW + 1;
    assert!(sketches.len >= sketch_count * registers, "{sketch_count} sketches of {registers} in {sketches:?}");
    let params = OceanSketch {
        b: described(b)?,
        sketches: sketches.address.pointer(),
        sketch_count: sketch_count as i64,
        registers: counter(registers)?.registers,
    };
    let _current = on.context.enter()?;
    // SAFETY: B was inspected; no sketch begins past that of the last entry, and there is room for it.
    launched("sketch", unsafe { ocean_sketch(&raw const params, on.stream.0) })
}

/// See [`crate::backend::Backend::estimate`]. O(nnz(A) * registers) at most.
pub fn estimate(
    on: &Cuda,
    a: &Csr,
    b: &Csr,
    sketches: Span<u8>,
    registers: usize,
    coefficient: f64,
    sizes: Span<i64>,
) -> Result<()> {
    assert!(sizes.len >= a.rows as usize, "{} rows in {sizes:?}", a.rows);
    let long_sketches = (a.nnz / ESTIMATE_TILE + 1) as usize;
    let scratch = Allocation::new(&on.memory, long_sketches * registers, "sketches of long rows")?;
    let params = OceanEstimate {
        a: described(a)?,
        b: described(b)?,
        sketches: sketches.address.pointer(),
        long_sketches: scratch.address().pointer(),
        sizes: sizes.address.pointer(),
        coefficient,
        counter: counter(registers)?,
    };
    let _current = on.context.enter()?;
    // SAFETY: both matrices were inspected, and fit each other; the sketches are those of this B.
    launched("estimate", unsafe { ocean_estimate(&raw const params, on.stream.0) })
}

fn counter(registers: usize) -> Result<OceanHyperLogLog> {
    if !REGISTER_CHOICES.contains(&registers) {
        return Err(Error::Internal(format!("sketches of {registers} registers")));
    }
    Ok(OceanHyperLogLog { registers: registers as i64, bias: FEW_REGISTERS_BIAS })
}
