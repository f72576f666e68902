// SPDX-License-Identifier: MIT OR Apache-2.0
//! columns: 64-bit columns as 32-bit ones, and back. Kernels: `cuda/indices/columns.cu`.

use super::analysis::described;
use super::kernels::{OceanNarrowColumns, OceanWidenColumns, ocean_narrow_columns, ocean_widen_columns};
use super::{Cuda, launched};
use crate::csr::{Csr, IndexType};
use crate::error::Result;
use crate::memory::{Address, Span};

/// See [`crate::backend::Backend::narrow_columns`]. O(nnz).
pub fn narrow_columns(on: &Cuda, matrix: &Csr, to: Span<i32>) -> Result<()> {
    assert!(to.len as i64 >= matrix.nnz, "{} entries in {to:?}", matrix.nnz);
    let pattern = Csr { columns: Address::NULL, column_type: IndexType::I32, ..*matrix };
    let params =
        OceanNarrowColumns { matrix: described(&pattern)?, from: matrix.columns.pointer(), to: to.address.pointer() };
    let _current = on.context.enter()?;
    // SAFETY: the arrays are the caller's, valid by the C API's promise, and read within nnz; there is room for as many.
    launched("narrow_columns", unsafe { ocean_narrow_columns(&raw const params, on.stream.0) })
}

/// See [`crate::backend::Backend::widen_columns`]. O(nnz).
pub fn widen_columns(on: &Cuda, from: Span<i32>, to: Address) -> Result<()> {
    let params = OceanWidenColumns { from: from.address.pointer(), to: to.pointer(), count: from.len as i64 };
    let _current = on.context.enter()?;
    // SAFETY: the driver's columns, and the caller's array for as many.
    launched("widen_columns", unsafe { ocean_widen_columns(&raw const params, on.stream.0) })
}
