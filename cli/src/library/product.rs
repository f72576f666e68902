// SPDX-License-Identifier: MIT OR Apache-2.0
//! One product through the staged protocol: work estimation, compute, copy.

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use ocean::csr::OwnedCsr;
use ocean::ffi::oceanIndexBase_t::OCEAN_INDEX_BASE_ZERO;
use ocean::ffi::oceanIndexType_t::OCEAN_INDEX_32I;
use ocean::ffi::oceanOperation_t::OCEAN_OPERATION_NON_TRANSPOSE;
use ocean::ffi::oceanReportFormat_t::{self, *};
use ocean::ffi::oceanSpGEMMAlg_t::*;
use ocean::ffi::*;

use super::{Buffer, Handle, Operand, check, filled};
use crate::arguments::Algorithm;
use crate::failure::{Failure, Result};
use crate::value::Number;

/// How the library writes a plan.
pub enum Format {
    Text,
    Json,
}

/// A function that writes a report.
type Report = unsafe extern "C" fn(
    oceanSpGEMMDescr_t,
    MaybeUninit<oceanReportFormat_t>,
    *mut c_char,
    *mut usize,
) -> oceanStatus_t;

/// C = A * B on its way through the staged protocol.
pub struct Product<'a, V> {
    handle: &'a Handle,
    a: &'a Operand<'a, V>,
    b: &'a Operand<'a, V>,
    algorithm: oceanSpGEMMAlg_t,
    descr: oceanSpGEMMDescr_t,
    c: oceanSpMatDescr_t,
    // What the descriptors point into.
    buffers: [Buffer; 2],
    offsets: Vec<i32>,
    columns: Vec<i32>,
    values: Vec<V>,
}

/// Arguments that all steps begin with, up to the descriptor of the product.
macro_rules! step {
    ($function:ident, $product:expr $(, $rest:expr)*) => {{
        let (product, one, zero) = (&*$product, V::nearest(1.0, 0.0), V::nearest(0.0, 0.0));
        // SAFETY: live handle and descriptors whose arrays and buffers are alive and as long as declared; the
        // scalars are locals of the compute type, in host memory as the handle's pointer mode says.
        check(unsafe {
            $function(
                product.handle.0,
                MaybeUninit::new(OCEAN_OPERATION_NON_TRANSPOSE),
                MaybeUninit::new(OCEAN_OPERATION_NON_TRANSPOSE),
                (&raw const one).cast(),
                product.a.descr,
                product.b.descr,
                (&raw const zero).cast(),
                product.c,
                V::DATA_TYPE,
                MaybeUninit::new(product.algorithm),
                product.descr,
                $($rest),*
            )
        })
    }};
}

impl<'a, V: Number> Product<'a, V> {
    /// Share of the products that alg3 handles at a time.
    const CHUNK_FRACTION: f32 = 0.2;

    pub fn new(handle: &'a Handle, a: &'a Operand<'a, V>, b: &'a Operand<'a, V>, algorithm: Algorithm) -> Result<Self> {
        let mut product = Self {
            handle,
            a,
            b,
            algorithm: match algorithm {
                Algorithm::Default => OCEAN_SPGEMM_DEFAULT,
                Algorithm::Alg1 => OCEAN_SPGEMM_ALG1,
                Algorithm::Alg2 => OCEAN_SPGEMM_ALG2,
                Algorithm::Alg3 => OCEAN_SPGEMM_ALG3,
            },
            descr: null_mut(),
            c: null_mut(),
            buffers: Default::default(),
            offsets: filled(0, a.csr.rows + 1, "C's row offsets")?,
            columns: vec![],
            values: vec![],
        };
        // SAFETY: addresses of fields; the offsets live as long as the descriptor.
        unsafe {
            check(oceanSpGEMM_createDescr(&mut product.descr))?;
            check(oceanCreateCsr(
                &mut product.c,
                a.csr.rows as i64,
                b.csr.cols as i64,
                0,
                product.offsets.as_mut_ptr().cast(),
                null_mut(),
                null_mut(),
                MaybeUninit::new(OCEAN_INDEX_32I),
                MaybeUninit::new(OCEAN_INDEX_32I),
                MaybeUninit::new(OCEAN_INDEX_BASE_ZERO),
                V::DATA_TYPE,
            ))?;
        }
        Ok(product)
    }

    pub fn set_option(&mut self, name: &CStr, value: &str) -> Result<()> {
        let value = CString::new(value).map_err(Failure::refused)?;
        // SAFETY: a live descriptor and NUL-terminated text.
        check(unsafe { oceanSpGEMM_setOption(self.descr, name.as_ptr(), value.as_ptr()) })
    }

    /// Looks at A and B and plans.
    pub fn work_estimation(&mut self) -> Result<()> {
        let mut bytes = 0;
        step!(oceanSpGEMM_workEstimation, self, &mut bytes, null_mut())?;
        self.buffers[0] = Buffer::new(bytes, "the work estimation")?;
        let buffer = self.buffers[0].pointer();
        step!(oceanSpGEMM_workEstimation, self, &mut bytes, buffer)
    }

    /// Bytes of the buffer that the work estimation asked for.
    pub fn buffer1_bytes(&self) -> usize {
        self.buffers[0].bytes
    }

    /// Scalar products.
    pub fn products(&self) -> Result<i64> {
        let mut products = 0;
        // SAFETY: a live descriptor and the address of a local.
        check(unsafe { oceanSpGEMM_getNumProducts(self.descr, &mut products) })?;
        Ok(products)
    }

    /// What the library will do and why.
    pub fn plan(&self, format: Format) -> Result<String> {
        self.report(oceanSpGEMM_getPlan, format)
    }

    /// What its steps took, if the option profile is on.
    pub fn profile(&self, format: Format) -> Result<String> {
        self.report(oceanSpGEMM_getProfile, format)
    }

    fn report(&self, report: Report, format: Format) -> Result<String> {
        let format = match format {
            Format::Text => OCEAN_REPORT_TEXT,
            Format::Json => OCEAN_REPORT_JSON,
        };
        let mut bytes = 0;
        // SAFETY: a live descriptor, and a buffer of the size that the first call states.
        let text = unsafe {
            check(report(self.descr, MaybeUninit::new(format), null_mut(), &mut bytes))?;
            let mut text = vec![0u8; bytes];
            let buffer: *mut c_char = text.as_mut_ptr().cast();
            check(report(self.descr, MaybeUninit::new(format), buffer, &mut bytes))?;
            text
        };
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        Ok(String::from_utf8_lossy(&text[..end]).into_owned())
    }

    /// Bytes of the memory estimate's buffer.
    pub fn estimate_bytes(&mut self) -> Result<usize> {
        let mut bytes = 0;
        step!(oceanSpGEMM_estimateMemory, self, Self::CHUNK_FRACTION, &mut bytes, null_mut(), null_mut())?;
        Ok(bytes)
    }

    /// The step of alg2 and alg3 that finds out what compute needs.
    pub fn estimate_memory(&mut self) -> Result<()> {
        let mut bytes = self.estimate_bytes()?;
        let mut buffer = Buffer::new(bytes, "the memory estimate")?;
        let (pointer, mut compute_bytes) = (buffer.pointer(), 0);
        step!(oceanSpGEMM_estimateMemory, self, Self::CHUNK_FRACTION, &mut bytes, pointer, &mut compute_bytes)?;
        self.buffers[1] = Buffer::new(compute_bytes, "the compute step")?;
        Ok(())
    }

    /// Bytes of the buffer that compute asks for.
    pub fn compute_bytes(&mut self) -> Result<usize> {
        let mut bytes = 0;
        step!(oceanSpGEMM_compute, self, &mut bytes, null_mut())?;
        Ok(bytes)
    }

    /// The product, into the buffer.
    pub fn compute(&mut self) -> Result<()> {
        if self.buffers[1].bytes == 0 {
            let bytes = self.compute_bytes()?;
            self.buffers[1] = Buffer::new(bytes, "the compute step")?;
        }
        let mut bytes = self.buffers[1].bytes;
        let buffer = self.buffers[1].pointer();
        step!(oceanSpGEMM_compute, self, &mut bytes, buffer)
    }

    /// Gives C its arrays.
    pub fn allocate(&mut self) -> Result<()> {
        let (mut rows, mut cols, mut nnz) = (0, 0, 0);
        // SAFETY: a live descriptor and addresses of locals.
        check(unsafe { oceanSpMatGetSize(self.c, &mut rows, &mut cols, &mut nnz) })?;
        self.columns = filled(0, nnz as usize, "C's columns")?;
        self.values = filled(V::nearest(0.0, 0.0), nnz as usize, "C's values")?;
        let (offsets, columns) = (self.offsets.as_mut_ptr().cast(), self.columns.as_mut_ptr().cast());
        // Arrays as long as the product, which live as long as the descriptor.
        check(oceanCsrSetPointers(self.c, offsets, columns, self.values.as_mut_ptr().cast()))
    }

    /// The product from the buffer into C.
    pub fn copy(&mut self) -> Result<()> {
        step!(oceanSpGEMM_copy, self)
    }

    /// C.
    pub fn into_result(mut self) -> OwnedCsr<V> {
        OwnedCsr {
            rows: self.a.csr.rows,
            cols: self.b.csr.cols,
            offsets: self.offsets.iter().map(|&offset| offset.into()).collect(),
            columns: std::mem::take(&mut self.columns),
            values: std::mem::take(&mut self.values),
        }
    }
}

impl<V> Drop for Product<'_, V> {
    fn drop(&mut self) {
        oceanSpGEMM_destroyDescr(self.descr);
        oceanDestroySpMat(self.c);
    }
}
