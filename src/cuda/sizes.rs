// SPDX-License-Identifier: MIT OR Apache-2.0
//! sizes: room for each row of C becomes offsets and bins. Kernels: `cuda/sizes/bin.cu`, `cuda/common/device_wide.cu`.

use super::analysis::read;
use super::kernels::{
    OCEAN_BINS, OceanBinEnds, OceanBinOfRows, OceanCap, OceanScan, OceanSortRowsByBin, ocean_bin_ends,
    ocean_bin_of_rows, ocean_cap, ocean_scan, ocean_scan_bytes, ocean_sort_rows_by_bin, ocean_sort_rows_by_bin_bytes,
};
use super::{Cuda, launched};
use crate::error::Result;
use crate::memory::{Address, Allocation, Carver, Span};
use crate::spgemm::{Allowed, BinCounts};
use crate::tuning::{BINS, DENSE_COLUMNS, DENSE_SPAN_PER_ENTRY};

const _: () = assert!(BINS.len() == OCEAN_BINS, "the kernels sort rows into as many bins as there are");

/// See [`crate::backend::Backend::cap`].
pub fn cap(on: &Cuda, sizes: Span<i64>, most: i64) -> Result<()> {
    let params = OceanCap { sizes: sizes.address.pointer(), count: sizes.len as i64 - 1, most };
    let _current = on.context.enter()?;
    // SAFETY: the driver's array, which only this step uses now.
    launched("cap", unsafe { ocean_cap(&raw const params, on.stream.0) })
}

/// See [`crate::backend::Backend::scan`]. One pass.
pub fn scan(on: &Cuda, sizes: Span<i64>) -> Result<i64> {
    queue_scan(on, sizes)?;
    read(on, sizes.address, sizes.len as i64 - 1)
}

/// Turns the lengths in all but the last of `sizes` into offsets, the last into their total. Does not wait.
pub fn queue_scan(on: &Cuda, sizes: Span<i64>) -> Result<()> {
    let count = sizes.len as i64;
    let mut temp_bytes = 0;
    let _current = on.context.enter()?;
    // SAFETY: the answer has its room.
    launched("scan_bytes", unsafe { ocean_scan_bytes(count, &raw mut temp_bytes) })?;
    let temp = Allocation::new(&on.memory, temp_bytes as usize, "a scan")?;
    let params = OceanScan { values: sizes.address.pointer(), count, temp: temp.address().pointer(), temp_bytes };
    // SAFETY: the driver's array, which only this step uses now; the scratch is as large as was asked for.
    launched("scan", unsafe { ocean_scan(&raw const params, on.stream.0) })
}

/// See [`crate::backend::Backend::bin`]. A pass over the offsets and a sort of a byte a row.
pub fn bin(on: &Cuda, offsets: Span<i64>, spans: Span<i32>, allowed: Allowed, order: Span<i32>) -> Result<BinCounts> {
    let rows = order.len;
    if rows == 0 {
        return Ok(BinCounts::default());
    }
    assert!(offsets.len > rows && spans.len >= rows, "{rows} rows in {offsets:?} and {spans:?}");
    let mut temp_bytes = 0;
    let _current = on.context.enter()?;
    // SAFETY: the answer has its room.
    let asked = unsafe { ocean_sort_rows_by_bin_bytes(rows as i64, &raw mut temp_bytes) };
    launched("sort_rows_by_bin_bytes", asked)?;
    let arrays = |carver: &mut Carver| {
        let (bins, sorted_bins) = (carver.take::<u8>(rows), carver.take::<u8>(rows));
        let (list, ends) = (carver.take::<i32>(rows), carver.take::<i64>(OCEAN_BINS));
        (bins, sorted_bins, list, ends, carver.take::<u8>(temp_bytes as usize))
    };
    let mut probe = Carver::new(Address::NULL);
    arrays(&mut probe);
    let scratch = Allocation::new(&on.memory, probe.bytes(), "the binning of rows")?;
    let (bins, sorted_bins, list, ends, temp) = arrays(&mut Carver::new(scratch.address()));

    let takes = |narrow: bool| BINS.map(|bin| bin.takes(narrow, allowed).unwrap_or(-1));
    let choice = OceanBinOfRows {
        offsets: offsets.address.pointer(),
        spans: spans.address.pointer(),
        rows: rows as i64,
        bins: bins.address.pointer(),
        list: list.address.pointer(),
        takes_narrow: takes(true),
        takes_wide: takes(false),
        dense_columns: DENSE_COLUMNS as i64,
        dense_span_per_entry: DENSE_SPAN_PER_ENTRY,
    };
    let sort = OceanSortRowsByBin {
        bins: bins.address.pointer(),
        sorted_bins: sorted_bins.address.pointer(),
        rows: list.address.pointer(),
        sorted_rows: order.address.pointer(),
        count: rows as i64,
        temp: temp.address.pointer(),
        temp_bytes,
    };
    let search =
        OceanBinEnds { sorted_bins: sorted_bins.address.pointer(), rows: rows as i64, ends: ends.address.pointer() };
    // SAFETY: the driver's arrays and our own, each with room for every row.
    unsafe {
        launched("bin_of_rows", ocean_bin_of_rows(&raw const choice, on.stream.0))?;
        launched("sort_rows_by_bin", ocean_sort_rows_by_bin(&raw const sort, on.stream.0))?;
        launched("bin_ends", ocean_bin_ends(&raw const search, on.stream.0))?;
    }
    let mut counts = [0i64; OCEAN_BINS];
    // SAFETY: one end for each bin.
    unsafe { on.stream.read(ends.address, &mut counts)? };
    for bin in (1..OCEAN_BINS).rev() {
        counts[bin] -= counts[bin - 1];
    }
    Ok(counts.map(|count| count as usize))
}
