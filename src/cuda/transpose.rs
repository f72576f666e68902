// SPDX-License-Identifier: MIT OR Apache-2.0
//! transpose: a factor by columns, for products of A^T and A^H. Kernels: `cuda/sort/transposed.cu`.

use super::analysis::described;
use super::kernels::{
    OceanEntryKeys, OceanGatheredValues, OceanTransposedRows, ocean_entry_keys, ocean_gathered_values,
    ocean_transposed_rows,
};
use super::sort::{KeySort, bits_below};
use super::{Cuda, launched};
use crate::backend::TransposedRows;
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::{Address, Span};
use crate::scalar::ValueType;

/// See [`crate::backend::Backend::transpose`]. One sort of all entries by column.
pub fn transpose(on: &Cuda, matrix: &Csr, to: &TransposedRows) -> Result<()> {
    let _current = on.context.enter()?;
    let (row_bits, column_bits) = (bits_below(matrix.rows), bits_below(matrix.cols));
    // Within a column entries are stored by row, so rows need no sorting.
    let sort = KeySort::new(on, to.sources.len, row_bits..row_bits + column_bits, "the transposition of a factor")?;
    let keys = OceanEntryKeys {
        matrix: described(&Csr { nnz: to.sources.len as i64, ..*matrix })?,
        keys: sort.keys.address.pointer(),
        entries: sort.list.address.pointer(),
        first: 0,
        low_bits: row_bits,
        by_column: 1,
    };
    let rows = OceanTransposedRows {
        sorted_keys: sort.sorted_keys.address.pointer(),
        count: to.sources.len as i64,
        rows: matrix.cols,
        offsets: to.offsets.address.pointer(),
        columns: to.columns.address.pointer(),
        low_bits: row_bits,
    };
    // SAFETY: the matrix was inspected; the arrays are the driver's and our own, with room for every entry.
    unsafe {
        if to.sources.len > 0 {
            launched("entry_keys", ocean_entry_keys(&raw const keys, on.stream.0))?;
            sort.queue(on, to.sources)?;
        }
        launched("transposed_rows", ocean_transposed_rows(&raw const rows, on.stream.0))
    }
}

/// See [`crate::backend::Backend::gather`]. O(entries) scattered reads.
pub fn gather(
    on: &Cuda,
    kind: ValueType,
    sources: Span<i64>,
    conjugate: bool,
    from: Address,
    to: Address,
) -> Result<()> {
    let params = OceanGatheredValues {
        sources: sources.address.pointer(),
        stored: from.pointer(),
        values: to.pointer(),
        count: sources.len as i64,
        value_type: kind.data_type(),
        conjugate: conjugate.into(),
    };
    if sources.len == 0 {
        return Ok(());
    }
    let _current = on.context.enter()?;
    // SAFETY: `sources` names stored entries, and `to` has room for so many.
    launched("gathered_values", unsafe { ocean_gathered_values(&raw const params, on.stream.0) })
}
