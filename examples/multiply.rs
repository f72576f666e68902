// SPDX-License-Identifier: MIT OR Apache-2.0
//! C = A * A for A = [2 1; 0 3], from Rust: the functions of ocean.h, in `ocean::ffi`.

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use ocean::ffi::oceanBackend_t::OCEAN_BACKEND_HOST;
use ocean::ffi::oceanIndexBase_t::OCEAN_INDEX_BASE_ZERO;
use ocean::ffi::oceanIndexType_t::OCEAN_INDEX_32I;
use ocean::ffi::oceanOperation_t::OCEAN_OPERATION_NON_TRANSPOSE;
use ocean::ffi::oceanSpGEMMAlg_t::OCEAN_SPGEMM_DEFAULT;
use ocean::ffi::oceanStatus_t::OCEAN_STATUS_SUCCESS;
use ocean::ffi::*;

const CUDA_R_64F: oceanDataType_t = 1;

fn check(status: oceanStatus_t) -> Result<(), String> {
    if status == OCEAN_STATUS_SUCCESS {
        return Ok(());
    }
    // SAFETY: never NULL, and lasts until this thread's next failing call.
    Err(unsafe { CStr::from_ptr(oceanGetLastErrorString()) }.to_string_lossy().into_owned())
}

fn main() -> Result<(), String> {
    let (mut offsets, mut columns) = ([0i32, 2, 3], [0i32, 1, 1]);
    let (mut values, one) = ([2.0f64, 1.0, 3.0], 1.0f64);
    let (mut handle, mut a, mut c) = (null_mut(), null_mut(), null_mut());
    // Enum arguments may hold any int, as C's may: hence MaybeUninit.
    let (index, base) = (MaybeUninit::new(OCEAN_INDEX_32I), MaybeUninit::new(OCEAN_INDEX_BASE_ZERO));
    let plain = MaybeUninit::new(OCEAN_OPERATION_NON_TRANSPOSE);
    let algorithm = MaybeUninit::new(OCEAN_SPGEMM_DEFAULT);

    // SAFETY: the arrays have the lengths that are declared and live longer than the descriptors; C's are the library's
    // until the descriptor ends.
    unsafe {
        check(oceanCreateWithBackend(&mut handle, MaybeUninit::new(OCEAN_BACKEND_HOST)))?;
        let [offsets, columns]: [*mut c_void; 2] = [offsets.as_mut_ptr().cast(), columns.as_mut_ptr().cast()];
        let values = values.as_mut_ptr().cast();
        check(oceanCreateCsr(&mut a, 2, 2, 3, offsets, columns, values, index, index, base, CUDA_R_64F))?;
        check(oceanCreateCsr(&mut c, 2, 2, 0, null_mut(), null_mut(), null_mut(), index, index, base, CUDA_R_64F))?;
        let one = (&raw const one).cast();
        check(oceanSpGEMM(handle, plain, plain, one, a, a, null(), null(), c, CUDA_R_64F, algorithm))?;

        let (mut rows, mut cols, mut nnz, mut result) = (0, 0, 0, null_mut());
        check(oceanSpMatGetSize(c, &mut rows, &mut cols, &mut nnz))?;
        check(oceanSpMatGetValues(c, &mut result))?;
        println!("{:?}", std::slice::from_raw_parts(result.cast::<f64>(), nnz as usize)); // [4.0, 5.0, 9.0]
        check(oceanDestroySpMat(c))?; // gives C's arrays back
        check(oceanDestroySpMat(a))?;
        check(oceanDestroy(handle))
    }
}
