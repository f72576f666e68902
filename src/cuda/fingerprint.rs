// SPDX-License-Identifier: MIT OR Apache-2.0
//! fingerprint: tells in checking mode whether a pattern is still the one analysed. Kernels:
//! `cuda/analysis/fingerprint.cu`.

use super::analysis::{described, read};
use super::kernels::{OCEAN_NONE, OceanFingerprint, OceanFirstDifference, ocean_fingerprint, ocean_first_difference};
use super::{Cuda, launched};
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::{Allocation, Span};

/// See [`crate::backend::Backend::fingerprint`]. O(rows + nnz). A row with bad offsets is no error here: it has a number
/// that no good row has.
pub fn fingerprint(on: &Cuda, matrix: &Csr, rows: Span<u64>) -> Result<()> {
    assert!(rows.len >= matrix.rows as usize, "{} rows in {rows:?}", matrix.rows);
    let scratch = Allocation::new(&on.memory, size_of::<i64>(), "fingerprints")?;
    let params = OceanFingerprint {
        matrix: described(matrix)?,
        rows: rows.address.pointer(),
        good_rows: scratch.address().pointer(),
    };
    let _current = on.context.enter()?;
    // SAFETY: the arrays are the caller's, valid by the C API's promise; only entries that offsets within nnz tell of
    // are read.
    launched("fingerprint", unsafe { ocean_fingerprint(&raw const params, on.stream.0) })
}

/// See [`crate::backend::Backend::first_difference`].
pub fn first_difference(on: &Cuda, one: Span<u64>, other: Span<u64>) -> Result<Option<usize>> {
    let scratch = Allocation::new(&on.memory, size_of::<i64>(), "the checking of patterns")?;
    let params = OceanFirstDifference {
        one: one.address.pointer(),
        other: other.address.pointer(),
        count: one.len.min(other.len) as i64,
        place: scratch.address().pointer(),
    };
    let _current = on.context.enter()?;
    // SAFETY: the driver's arrays, which nobody writes now; the answer has its room.
    launched("first_difference", unsafe { ocean_first_difference(&raw const params, on.stream.0) })?;
    let place: i64 = read(on, scratch.address(), 0)?;
    Ok((place != OCEAN_NONE).then_some(place as usize))
}
