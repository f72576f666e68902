// SPDX-License-Identifier: MIT OR Apache-2.0
//! sort: a copy of B in which every row ascends, for inputs that are unsorted or repeat columns. Kernels: `cuda/sort`,
//! `cuda/common/device_wide.cu`.

use super::analysis::{described, offset, read};
use super::kernels::{
    OceanEntryKeys, OceanMergedRows, OceanMergedValues, OceanNewColumns, OceanSortEntries, ocean_entry_keys,
    ocean_merged_rows, ocean_merged_values, ocean_new_columns, ocean_sort_entries, ocean_sort_entries_bytes,
};
use super::sizes::queue_scan;
use super::{Cuda, launched};
use crate::backend::SortedRows;
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::{Address, Allocation, Carver, Span};

/// See [`crate::backend::Backend::sort_rows`]. One sort of all entries by row and column.
pub fn sort_rows(on: &Cuda, b: &Csr, sorted: &SortedRows) -> Result<i64> {
    let count = offset(on, b, b.rows)?;
    let entries = count as usize;
    let (column_bits, row_bits) = (bits_below(b.cols), bits_below(b.rows));
    let bits = column_bits + row_bits;
    let mut temp_bytes = 0;
    let _current = on.context.enter()?;
    // SAFETY: the answer has its room.
    launched("sort_entries_bytes", unsafe { ocean_sort_entries_bytes(count, bits, &raw mut temp_bytes) })?;
    let arrays = |carver: &mut Carver| {
        // The keys are of no use once they are sorted; where each entry goes takes their place, with one more.
        let (keys, sorted_keys) = (carver.take::<u64>(entries + 1), carver.take::<u64>(entries));
        (keys, sorted_keys, carver.take::<i64>(entries), carver.take::<u8>(temp_bytes as usize))
    };
    let mut probe = Carver::new(Address::NULL);
    arrays(&mut probe);
    let scratch = Allocation::new(&on.memory, probe.bytes(), "the sorting of matB")?;
    let (keys, sorted_keys, list, temp) = arrays(&mut Carver::new(scratch.address()));
    let places = Span::<i64>::new(keys.address, entries + 1);
    let matrix = described(b)?;

    let key = OceanEntryKeys { matrix, keys: keys.address.pointer(), entries: list.address.pointer(), column_bits };
    let sort = OceanSortEntries {
        keys: keys.address.pointer(),
        sorted_keys: sorted_keys.address.pointer(),
        entries: list.address.pointer(),
        sorted_entries: sorted.sources.address.pointer(),
        count,
        temp: temp.address.pointer(),
        temp_bytes,
        bits,
    };
    let mark = OceanNewColumns { sorted_keys: sorted_keys.address.pointer(), count, marks: places.address.pointer() };
    let merge = OceanMergedRows {
        matrix,
        sorted_keys: sorted_keys.address.pointer(),
        places: places.address.pointer(),
        count,
        offsets: sorted.offsets.address.pointer(),
        columns: sorted.columns.address.pointer(),
        runs: sorted.runs.address.pointer(),
        column_bits,
    };
    // SAFETY: B was inspected; the arrays are the driver's and our own, with room for every stored entry.
    unsafe {
        if entries > 0 {
            launched("entry_keys", ocean_entry_keys(&raw const key, on.stream.0))?;
            launched("sort_entries", ocean_sort_entries(&raw const sort, on.stream.0))?;
            launched("new_columns", ocean_new_columns(&raw const mark, on.stream.0))?;
        }
        queue_scan(on, places)?;
        launched("merged_rows", ocean_merged_rows(&raw const merge, on.stream.0))?;
    }
    read(on, places.address, count)
}

/// See [`crate::backend::Backend::sort_values`]. O(nnz(B)) scattered reads.
pub fn sort_values(on: &Cuda, b: &Csr, sorted: &SortedRows, values: Address) -> Result<()> {
    let params = OceanMergedValues {
        entries: sorted.offsets.part(sorted.offsets.len - 1..sorted.offsets.len).address.pointer(),
        runs: sorted.runs.address.pointer(),
        sources: sorted.sources.address.pointer(),
        stored: b.values.pointer(),
        values: values.pointer(),
        most_entries: b.nnz,
        value_type: b.data_type,
    };
    let _current = on.context.enter()?;
    // SAFETY: `sorted` is what `sort_rows` made of this B; `values` has room for every merged entry.
    launched("merged_values", unsafe { ocean_merged_values(&raw const params, on.stream.0) })
}

/// Bits that hold every number below `count`; at least one, for a sort by none copies nothing.
fn bits_below(count: i64) -> i32 {
    (i64::BITS - (count - 1).max(1).leading_zeros()) as i32
}
