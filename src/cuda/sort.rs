// SPDX-License-Identifier: MIT OR Apache-2.0
//! sort: copies in which every row ascends: of a B that is unsorted or repeats columns, and of sums of matrices. Kernels: `cuda/sort`,
//! `cuda/common/device_wide.cu`.

use std::ops::Range;

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
use crate::scalar::ValueType;

/// The entries of a matrix on their way through one stable sort.
pub struct KeySort {
    /// One for each entry, and room for one number more.
    pub keys: Span<u64>,
    /// The same, sorted.
    pub sorted_keys: Span<u64>,
    /// The entries.
    pub list: Span<i64>,
    temp: Span<u8>,
    bits: Range<i32>,
    _scratch: Allocation,
}

impl KeySort {
    /// Room to sort so many entries by these bits of their keys.
    pub fn new(on: &Cuda, entries: usize, bits: Range<i32>, purpose: &'static str) -> Result<Self> {
        let mut temp_bytes = 0;
        // SAFETY: the answer has its room.
        let asked = unsafe { ocean_sort_entries_bytes(entries as i64, bits.start, bits.end, &raw mut temp_bytes) };
        launched("sort_entries_bytes", asked)?;
        let arrays = |carver: &mut Carver| {
            let (keys, sorted_keys) = (carver.take::<u64>(entries + 1), carver.take::<u64>(entries));
            (keys, sorted_keys, carver.take::<i64>(entries), carver.take::<u8>(temp_bytes as usize))
        };
        let mut probe = Carver::new(Address::NULL);
        arrays(&mut probe);
        let scratch = Allocation::new(&on.memory, probe.bytes(), purpose)?;
        let (keys, sorted_keys, list, temp) = arrays(&mut Carver::new(scratch.address()));
        Ok(Self { keys, sorted_keys, list, temp, bits, _scratch: scratch })
    }

    /// Sorts the keys, and the list into `sorted`.
    ///
    /// # Safety
    /// Keys and list are written; `sorted` has room for the list.
    pub unsafe fn queue(&self, on: &Cuda, sorted: Span<i64>) -> Result<()> {
        let sort = OceanSortEntries {
            keys: self.keys.address.pointer(),
            sorted_keys: self.sorted_keys.address.pointer(),
            entries: self.list.address.pointer(),
            sorted_entries: sorted.address.pointer(),
            count: self.list.len as i64,
            temp: self.temp.address.pointer(),
            temp_bytes: self.temp.len as u64,
            first_bit: self.bits.start,
            end_bit: self.bits.end,
        };
        // SAFETY: our own arrays, and the caller's promise.
        launched("sort_entries", unsafe { ocean_sort_entries(&raw const sort, on.stream.0) })
    }
}

/// See [`crate::backend::Backend::sort_rows`]. One sort of all entries by row and column.
pub fn sort_rows(on: &Cuda, matrices: &[Csr], sorted: &SortedRows) -> Result<i64> {
    let counts = matrices.iter().map(|matrix| offset(on, matrix, matrix.rows)).collect::<Result<Vec<i64>>>()?;
    let count: i64 = counts.iter().sum();
    let (rows, column_bits) = (matrices[0].rows, bits_below(matrices[0].cols));
    let _current = on.context.enter()?;
    let bits = 0..column_bits + bits_below(rows);
    let sort = KeySort::new(on, count as usize, bits, "the sorting of rows")?;
    // The keys are of no use once they are sorted; where each entry goes takes their place, with one more.
    let places = Span::<i64>::new(sort.keys.address, count as usize + 1);
    let sorted_keys = sort.sorted_keys.address.pointer();
    let mark = OceanNewColumns { sorted_keys, count, marks: places.address.pointer() };
    let merge = OceanMergedRows {
        sorted_keys,
        places: places.address.pointer(),
        count,
        rows,
        offsets: sorted.offsets.address.pointer(),
        columns: sorted.columns.address.pointer(),
        runs: sorted.runs.address.pointer(),
        column_bits,
    };
    let mut first = 0;
    for (matrix, count) in matrices.iter().zip(counts).filter(|(_, count)| *count > 0) {
        let key = OceanEntryKeys {
            matrix: described(matrix)?,
            keys: sort.keys.address.pointer(),
            entries: sort.list.address.pointer(),
            first,
            low_bits: column_bits,
            by_column: 0,
        };
        // SAFETY: the matrix was inspected; the arrays are our own, with room for every stored entry.
        launched("entry_keys", unsafe { ocean_entry_keys(&raw const key, on.stream.0) })?;
        first += count;
    }
    // SAFETY: the arrays are the driver's and our own, with room for every stored entry.
    unsafe {
        if count > 0 {
            sort.queue(on, sorted.sources)?;
            launched("new_columns", ocean_new_columns(&raw const mark, on.stream.0))?;
        }
        queue_scan(on, places)?;
        launched("merged_rows", ocean_merged_rows(&raw const merge, on.stream.0))?;
    }
    read(on, places.address, count)
}

/// See [`crate::backend::Backend::sort_values`]. O(entries) scattered reads.
pub fn sort_values(on: &Cuda, kind: ValueType, stored: Address, sorted: &SortedRows, values: Address) -> Result<()> {
    let params = OceanMergedValues {
        entries: sorted.offsets.part(sorted.offsets.len - 1..sorted.offsets.len).address.pointer(),
        runs: sorted.runs.address.pointer(),
        sources: sorted.sources.address.pointer(),
        stored: stored.pointer(),
        values: values.pointer(),
        most_entries: sorted.sources.len as i64,
        value_type: kind.data_type(),
    };
    let _current = on.context.enter()?;
    // SAFETY: `sorted` is what `sort_rows` made; `values` has room for every merged entry.
    launched("merged_values", unsafe { ocean_merged_values(&raw const params, on.stream.0) })
}

/// Bits that hold every number below `count`; at least one, for a sort by none copies nothing.
pub fn bits_below(count: i64) -> i32 {
    (i64::BITS - (count - 1).max(1).leading_zeros()) as i32
}
