// SPDX-License-Identifier: MIT OR Apache-2.0
//! blocks: rows of A beyond [`SUM_BLOCK`] entries. Kernels: `cuda/accumulate/split.cu`.
//!
//! Their sums restart at every block of entries, and the blocks' sums are added up. So such rows are two ordinary
//! products: blocks by B, and ones by what comes of that.

use super::accumulate::accumulate;
use super::analysis::described;
use super::kernels::{OceanSplit, ocean_split, ocean_split_blocks};
use super::sizes::{count_rows, queue_scan, scan};
use super::{Cuda, launched};
use crate::backend::{Known, Output, Scalars};
use crate::csr::{Csr, IndexType};
use crate::error::Result;
use crate::memory::{Address, Allocation, Carver, Span};
use crate::scalar::ValueType;
use crate::spgemm::{Accumulator, Bin, Most};
use crate::tuning::{BLOCK_BYTES, SUM_BLOCK};

/// Takes any row.
const SLICES: Bin = Bin { name: "slices", accumulator: Accumulator::Slices, distinct: false, most: Most::ANY };

/// Computes the rows in `order` so, if what the blocks come to fits [`BLOCK_BYTES`]; says whether it did. Waits once. Not
/// for complex numbers: to multiply one by 1 + 0i may change the sign of a zero, or make a NaN of what is infinite.
pub fn accumulate_split(
    on: &Cuda,
    a: &Csr,
    b: &Csr,
    kind: ValueType,
    order: Span<i32>,
    starts: Span<i64>,
    output: &Output,
) -> Result<bool> {
    if kind.is_complex() {
        return Ok(false);
    }
    let rows = a.rows as usize;
    let most_blocks = a.nnz as usize / SUM_BLOCK + order.len;
    let block_rows = most_blocks + order.len + 1;
    let arrays = |carver: &mut Carver| Split {
        before: carver.take(order.len + 1),
        offsets: carver.take(block_rows + 1),
        sizes: carver.take(block_rows + 1),
        row_blocks: carver.take(rows + 1),
        blocks: carver.take(most_blocks),
        ones: carver.take::<u8>(most_blocks * kind.bytes()).address,
    };
    let mut probe = Carver::new(Address::NULL);
    arrays(&mut probe);
    let scratch = Allocation::new(&on.memory, probe.bytes(), "blocks of long rows")?;
    let split = arrays(&mut Carver::new(scratch.address()));
    split.fill(on, a, order, kind)?;

    let blocks = Csr { rows: block_rows as i64, offsets: split.offsets.address, offset_type: IndexType::I64, ..*a };
    count_rows(on, &blocks, b, &SLICES, split.blocks, (split.sizes, false))?;
    let entries = scan(on, split.sizes)?;
    let bytes = entries.saturating_mul((size_of::<i32>() + kind.bytes()) as i64);
    if bytes > BLOCK_BYTES {
        return Ok(false);
    }
    let columns = Allocation::new(&on.memory, entries as usize * size_of::<i32>(), "blocks of long rows")?;
    let values = Allocation::new(&on.memory, entries as usize * kind.bytes(), "blocks of long rows")?;
    let parts = Csr {
        rows: block_rows as i64,
        nnz: entries,
        offsets: split.sizes.address,
        columns: columns.address(),
        values: values.address(),
        offset_type: IndexType::I64,
        base: 0,
        ..*b
    };
    let into_parts = Output::Exact { c: parts, columns: true, scalars: Some(Scalars::one(kind)) };
    accumulate(on, &blocks, b, &Known::NOTHING, (&SLICES, split.blocks), split.sizes, &into_parts)?;
    let ones = Csr {
        rows: a.rows,
        cols: block_rows as i64,
        nnz: most_blocks as i64,
        offsets: split.row_blocks.address,
        columns: split.blocks.address,
        values: split.ones,
        offset_type: IndexType::I64,
        base: 0,
        ..*a
    };
    accumulate(on, &ones, &parts, &Known::NOTHING, (&SLICES, order), starts, output)?;
    Ok(true)
}

/// What [`OceanSplit`] fills.
struct Split {
    before: Span<i64>,
    offsets: Span<i64>,
    sizes: Span<i64>,
    row_blocks: Span<i64>,
    blocks: Span<i32>,
    ones: Address,
}

impl Split {
    fn fill(&self, on: &Cuda, a: &Csr, order: Span<i32>, kind: ValueType) -> Result<()> {
        let params = OceanSplit {
            a: described(a)?,
            rows: order.address.pointer(),
            count: order.len as i64,
            before: self.before.address.pointer(),
            most_blocks: self.blocks.len as i64,
            offsets: self.offsets.address.pointer(),
            sizes: self.sizes.address.pointer(),
            blocks: self.blocks.address.pointer(),
            row_blocks: self.row_blocks.address.pointer(),
            ones: self.ones.pointer(),
            value_type: kind.data_type(),
        };
        let _current = on.context.enter()?;
        // SAFETY: A was inspected, its listed rows exist, and there is room for the blocks of each.
        launched("split_blocks", unsafe { ocean_split_blocks(&raw const params, on.stream.0) })?;
        queue_scan(on, self.before)?;
        // SAFETY: as above.
        launched("split", unsafe { ocean_split(&raw const params, on.stream.0) })
    }
}
