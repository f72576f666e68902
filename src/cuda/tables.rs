// SPDX-License-Identifier: MIT OR Apache-2.0
//! The paper's symbolic step, which other ways to count are compared with. Kernel: `cuda/sizes/table.cu`.

use super::kernels::{OceanCount, ocean_count_table};
use super::sizes::{Listing, Sizes, count_rows, counting, is_marked, list_overflowed};
use super::{Cuda, launched};
use crate::backend::{Known, each_bin};
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::{Address, Allocation, Span};
use crate::spgemm::{Accumulator, Bin, Most};
use crate::tuning::{CUDA_TABLE_BINS, TABLE_SEARCH};

/// Counts every row in a table for its products over `compression`, or in dense passes where they are too many. Rows that
/// have more columns than that table are counted again, and the look for them waits once; at a compression of 1 there
/// are none.
pub fn count(on: &Cuda, a: &Csr, b: &Csr, known: &Known, compression: f64, sizes: Span<i64>) -> Result<()> {
    let trusts = compression > 1.0;
    let bins = CUDA_TABLE_BINS.map(|bin| holding(bin, compression));
    let scratch = Allocation::new(&on.memory, a.rows as usize * size_of::<i32>(), "lists of rows")?;
    let order = Span::<i32>::new(scratch.address(), a.rows as usize);
    let spans = Span::new(Address::NULL, 0); // they make no difference
    let counts = Listing::new(a, b, (&bins, Sizes::Each(sizes)), spans, order).list(on, known.every)?.counts;
    let mut listed: Vec<_> = each_bin(&CUDA_TABLE_BINS, &counts, order).collect();
    listed.reverse(); // the larger a row, the longer it takes
    let has_scratch = |(bin, order): &(&Bin, Span<i32>)| is_marked(bin, order.len);
    on.side_by_side(&listed, has_scratch, |on, &(bin, order)| match bin.accumulator {
        Accumulator::Table => count_in_tables(on, counting(a, b, order, (sizes, false))?, bin, trusts),
        _ => count_rows(on, a, b, bin, order, (sizes, false)),
    })?;
    if !trusts {
        return Ok(());
    }
    let (bin, lost) = list_overflowed(on, a, sizes, order)?;
    count_rows(on, a, b, &bin, order.part(0..lost), (sizes, false))
}

/// The bin by the products of its rows. Tables of a warp have no way to lose a row, and so stay as they are.
fn holding(bin: Bin, compression: f64) -> Bin {
    if bin.accumulator != Accumulator::Table {
        return bin;
    }
    Bin { most: Most { size: (bin.most.size as f64 * compression) as i64, ..bin.most }, ..bin }
}

fn count_in_tables(on: &Cuda, params: OceanCount, bin: &Bin, trusts: bool) -> Result<()> {
    let places = bin.most.size.unsigned_abs().next_power_of_two() as i32;
    let search = if trusts { TABLE_SEARCH.min(places) } else { places };
    let params = OceanCount { capacity: places, search, ..params };
    let _current = on.context.enter()?;
    // SAFETY: both matrices were inspected; the listed rows exist, and `sizes` has room for them.
    launched("count_table", unsafe { ocean_count_table(&raw const params, on.stream.0) })
}
