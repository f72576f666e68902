// SPDX-License-Identifier: MIT OR Apache-2.0
//! The library's C functions in safe clothes: only what the command needs of them.
//!
//! Arrays are host memory, so the handle is one of the host backend.

mod product;

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use ocean::csr::OwnedCsr;
use ocean::ffi::oceanBackend_t::*;
use ocean::ffi::oceanIndexBase_t::OCEAN_INDEX_BASE_ZERO;
use ocean::ffi::oceanIndexType_t::OCEAN_INDEX_32I;
use ocean::ffi::oceanStatus_t::OCEAN_STATUS_SUCCESS;
use ocean::ffi::*;

use crate::failure::{Failure, Result};
use crate::value::Number;
pub use product::{Format, Product};

/// Turns a status into a result, with the library's own words for what went wrong.
fn check(status: oceanStatus_t) -> Result<()> {
    if status == OCEAN_STATUS_SUCCESS {
        return Ok(());
    }
    let (name, message) = (oceanGetErrorName(MaybeUninit::new(status)), oceanGetLastErrorString());
    // SAFETY: both are NUL-terminated and live at least until this thread's next failing call.
    let (name, message) = unsafe { (CStr::from_ptr(name), CStr::from_ptr(message)) };
    Err(Failure::refused(format!("{} ({})", message.to_string_lossy(), name.to_string_lossy())))
}

/// A library context.
pub struct Handle(oceanHandle_t);

impl Handle {
    pub fn new() -> Result<Self> {
        let mut handle = null_mut();
        // SAFETY: the address of a local.
        check(unsafe { oceanCreateWithBackend(&mut handle, MaybeUninit::new(OCEAN_BACKEND_HOST)) })?;
        Ok(Self(handle))
    }

    /// What computes.
    pub fn backend(&self) -> Result<&'static str> {
        let mut backend = OCEAN_BACKEND_AUTO;
        // SAFETY: a live handle and the address of a local.
        check(unsafe { oceanGetBackend(self.0, &mut backend) })?;
        Ok(if backend == OCEAN_BACKEND_HOST { "host" } else { "cuda" })
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        oceanDestroy(self.0);
    }
}

/// A or B: the arrays that it borrows, described with 32-bit offsets.
pub struct Operand<'a, V> {
    csr: &'a OwnedCsr<V>,
    /// The descriptor points into these.
    offsets: Vec<i32>,
    descr: oceanConstSpMatDescr_t,
}

impl<'a, V: Number> Operand<'a, V> {
    pub fn new(csr: &'a OwnedCsr<V>) -> Result<Self> {
        let narrow = |&offset: &i64| i32::try_from(offset).ok();
        let offsets: Option<Vec<i32>> = csr.offsets.iter().map(narrow).collect();
        let Some(offsets) = offsets else {
            let nnz = csr.nnz();
            return Err(Failure::refused(format!("{nnz} entries: 32-bit row offsets end at {}", i32::MAX)));
        };
        let mut descr = null();
        // SAFETY: the arrays have the lengths that CSR asks for, and outlive the descriptor.
        check(unsafe {
            oceanCreateConstCsr(
                &mut descr,
                csr.rows as i64,
                csr.cols as i64,
                csr.nnz() as i64,
                offsets.as_ptr().cast(),
                csr.columns.as_ptr().cast(),
                csr.values.as_ptr().cast(),
                MaybeUninit::new(OCEAN_INDEX_32I),
                MaybeUninit::new(OCEAN_INDEX_32I),
                MaybeUninit::new(OCEAN_INDEX_BASE_ZERO),
                V::DATA_TYPE,
            )
        })?;
        Ok(Self { csr, offsets, descr })
    }

    /// Bytes of its three arrays.
    pub fn bytes(&self) -> usize {
        size_of_val(self.offsets.as_slice()) + self.csr.nnz() * (size_of::<i32>() + size_of::<V>())
    }
}

impl<V> Drop for Operand<'_, V> {
    fn drop(&mut self) {
        oceanDestroySpMat(self.descr);
    }
}

/// Memory that only the library looks at.
#[derive(Default)]
struct Buffer {
    memory: Vec<MaybeUninit<u8>>,
    bytes: usize,
}

impl Buffer {
    fn new(bytes: usize, purpose: &str) -> Result<Self> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(bytes).map_err(|_| Failure::memory(bytes as u64, purpose))?;
        Ok(Self { memory, bytes })
    }

    fn pointer(&mut self) -> *mut c_void {
        self.memory.as_mut_ptr().cast()
    }
}

fn filled<T: Clone>(value: T, length: usize, purpose: &str) -> Result<Vec<T>> {
    let mut vector = Vec::new();
    let bytes = length as u64 * size_of::<T>() as u64;
    vector.try_reserve_exact(length).map_err(|_| Failure::memory(bytes, purpose))?;
    vector.resize(length, value);
    Ok(vector)
}
