// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the real library does not know about its matrices.
//!
//! No public function sets the number of entries of a descriptor, so of a product that ocean has made only this table
//! knows it. Where the real library has to read such a matrix, it gets a *shadow*: a descriptor of its own with the same
//! arrays and the right number. A shadow keeps its address while that number stays, since solvers remember descriptors
//! between calls; whatever is set on a matrix is set on its shadow too.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::descriptors::real;
use crate::guard::{checked, lock};
use crate::types::{INDEX_32I, Matrix, Status};

/// What is remembered of one descriptor.
#[derive(Default)]
struct Known {
    /// Entries of the product that ocean made for it.
    nnz: Option<i64>,
    shadow: Option<Shadow>,
    /// Attributes that the program has set: the getter can't tell a set one from a default.
    attributes: BTreeMap<c_int, Box<[u8]>>,
}

/// A descriptor of our own, which ends with what it stands for.
struct Shadow {
    address: usize,
    nnz: i64,
}

impl Drop for Shadow {
    fn drop(&mut self) {
        // SAFETY: made by cusparseCreateCsr, and known to nobody else.
        unsafe { real::cusparseDestroySpMat(self.address as Matrix) };
    }
}

/// By the descriptor's address. The real library is called under this lock; it never calls back.
static KNOWN: Mutex<BTreeMap<usize, Known>> = Mutex::new(BTreeMap::new());
/// How many there are, so that programs without any pay no lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// What `read` makes of what is known of a matrix.
fn with<T>(matrix: Matrix, read: impl FnOnce(&mut Known) -> T) -> Option<T> {
    if COUNT.load(Ordering::Acquire) == 0 {
        return None;
    }
    lock(&KNOWN).get_mut(&(matrix as usize)).map(read)
}

/// The same for a matrix of which something is to be known from now on.
fn with_new(matrix: Matrix, write: impl FnOnce(&mut Known)) {
    let mut known = lock(&KNOWN);
    write(known.entry(matrix as usize).or_default());
    COUNT.store(known.len(), Ordering::Release);
}

/// Entries of the product that ocean made for a matrix.
pub fn nnz(matrix: Matrix) -> Option<i64> {
    with(matrix, |known| known.nnz).flatten()
}

/// Ocean has made a product for this matrix.
pub fn set_nnz(matrix: Matrix, nnz: i64) {
    with_new(matrix, |known| known.nnz = Some(nnz));
}

/// The real library makes this matrix now, and knows best.
pub fn forget_product(matrix: Matrix) {
    with(matrix, |known| (known.nnz, known.shadow) = (None, None));
}

/// The descriptor is gone, or a new one has its address.
pub fn forget(matrix: Matrix) {
    if COUNT.load(Ordering::Acquire) == 0 {
        return;
    }
    let mut known = lock(&KNOWN);
    known.remove(&(matrix as usize));
    COUNT.store(known.len(), Ordering::Release);
}

/// Remembers an attribute.
pub fn set_attribute(matrix: Matrix, attribute: c_int, data: &[u8]) {
    with_new(matrix, |known| drop(known.attributes.insert(attribute, data.into())));
}

/// Whether the program has set an attribute.
pub fn has_attributes(matrix: Matrix) -> bool {
    with(matrix, |known| !known.attributes.is_empty()).unwrap_or(false)
}

/// The shadow that a matrix has, if it has one.
pub fn shadow(matrix: Matrix) -> Option<Matrix> {
    with(matrix, |known| known.shadow.as_ref().map(|shadow| shadow.address as Matrix)).flatten()
}

/// What to give the real library to read: the matrix, or its shadow.
pub fn readable(matrix: Matrix) -> Result<Matrix, Status> {
    with(matrix, |known| known.readable(matrix)).unwrap_or(Ok(matrix))
}

impl Known {
    fn readable(&mut self, matrix: Matrix) -> Result<Matrix, Status> {
        let Some(nnz) = self.nnz else { return Ok(matrix) };
        let real = Csr::as_real_library_knows(matrix)?;
        if real.nnz == nnz {
            return Ok(matrix);
        }
        if self.shadow.as_ref().is_none_or(|shadow| shadow.nnz != nnz) {
            self.shadow = None;
            self.shadow = Some(self.new_shadow(Csr { nnz, ..real })?);
        }
        Ok(self.shadow.as_ref().map_or(matrix, |shadow| shadow.address as Matrix))
    }

    fn new_shadow(&self, csr: Csr) -> Result<Shadow, Status> {
        let mut address: Matrix = std::ptr::null_mut();
        // SAFETY: room for the descriptor; the arrays are the caller's and only described.
        checked(unsafe {
            real::cusparseCreateCsr(
                &mut address,
                csr.rows,
                csr.cols,
                csr.nnz,
                csr.offsets,
                csr.columns,
                csr.values,
                csr.offset_type,
                csr.column_type,
                csr.base,
                csr.value_type,
            )
        })?;
        let shadow = Shadow { address: address as usize, nnz: csr.nnz };
        for (&attribute, data) in &self.attributes {
            // SAFETY: a live descriptor, and as many bytes as the program gave.
            checked(unsafe {
                real::cusparseSpMatSetAttribute(address, attribute, data.as_ptr().cast_mut().cast(), data.len())
            })?;
        }
        Ok(shadow)
    }
}

/// A matrix as its descriptor says.
#[derive(Clone, Copy)]
pub struct Csr {
    /// Number of rows.
    pub rows: i64,
    /// Number of columns.
    pub cols: i64,
    /// Number of entries.
    pub nnz: i64,
    /// The program's array.
    pub offsets: *mut c_void,
    /// The program's array.
    pub columns: *mut c_void,
    /// The program's array.
    pub values: *mut c_void,
    /// `cusparseIndexType_t`.
    pub offset_type: c_int,
    /// `cusparseIndexType_t`.
    pub column_type: c_int,
    /// `cusparseIndexBase_t`.
    pub base: c_int,
    /// `cudaDataType`.
    pub value_type: c_int,
}

impl Csr {
    /// A matrix in CSR, with the number of entries that it really has.
    pub fn of(matrix: Matrix) -> Result<Self, Status> {
        let real = Self::as_real_library_knows(matrix)?;
        Ok(Self { nnz: nnz(matrix).unwrap_or(real.nnz), ..real })
    }

    /// With no more entries than its offsets can count.
    pub fn with_nnz_in_range(self) -> Self {
        let most = if self.offset_type == INDEX_32I { i64::from(i32::MAX) - i64::from(self.base) } else { i64::MAX };
        Self { nnz: self.nnz.min(most), ..self }
    }

    fn as_real_library_knows(matrix: Matrix) -> Result<Self, Status> {
        let none = std::ptr::null_mut();
        let mut csr = Self {
            rows: 0,
            cols: 0,
            nnz: 0,
            offsets: none,
            columns: none,
            values: none,
            offset_type: 0,
            column_type: 0,
            base: 0,
            value_type: 0,
        };
        // SAFETY: the program's descriptor, and room for each answer. It also takes those that are not const.
        checked(unsafe {
            real::cusparseConstCsrGet(
                matrix,
                &mut csr.rows,
                &mut csr.cols,
                &mut csr.nnz,
                &mut csr.offsets,
                &mut csr.columns,
                &mut csr.values,
                &mut csr.offset_type,
                &mut csr.column_type,
                &mut csr.base,
                &mut csr.value_type,
            )
        })?;
        Ok(csr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_past_32_bit_offsets_are_described_as_all_that_they_count() {
        let none = std::ptr::null_mut();
        let csr = |offset_type, base, nnz| Csr {
            rows: 1,
            cols: 1,
            nnz,
            offsets: none,
            columns: none,
            values: none,
            offset_type,
            column_type: offset_type,
            base,
            value_type: 0,
        };
        assert_eq!(csr(INDEX_32I, 0, 3_600_000_000).with_nnz_in_range().nnz, 2_147_483_647);
        assert_eq!(csr(INDEX_32I, 1, 3_600_000_000).with_nnz_in_range().nnz, 2_147_483_646);
        assert_eq!(csr(INDEX_32I, 0, 5).with_nnz_in_range().nnz, 5);
        assert_eq!(csr(3, 0, 3_600_000_000).with_nnz_in_range().nnz, 3_600_000_000);
    }
}
