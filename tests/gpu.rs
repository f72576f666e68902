// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C ABI with device memory and a stream that somebody else made with cudarc. Needs a GPU; says so without one.
#![cfg(all(feature = "cuda", not(ocean_emu)))]

mod support;

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use cudarc::driver::{CudaContext, DevicePtr, sys};
use ocean::ffi::oceanBackend_t::OCEAN_BACKEND_CUDA;
use ocean::ffi::oceanCheckLevel_t::OCEAN_CHECK_CANONICAL;
use ocean::ffi::oceanIndexBase_t::OCEAN_INDEX_BASE_ONE;
use ocean::ffi::oceanIndexType_t::OCEAN_INDEX_32I;
use ocean::ffi::oceanStatus_t::{OCEAN_STATUS_INVALID_VALUE, OCEAN_STATUS_SUCCESS};
use ocean::ffi::*;

fn gpu() -> bool {
    // SAFETY: opens the driver's library, whose constructors are the driver's own.
    let present = unsafe { sys::is_culib_present() } && ocean::cuda::devices().is_ok_and(|devices| devices > 0);
    assert!(present || std::env::var_os("OCEAN_REQUIRE_GPU").is_none(), "OCEAN_REQUIRE_GPU is set and there is no GPU");
    if !present {
        support::skipped("matrices_of_another_owner_are_read_on_their_own_stream", "no GPU");
    }
    present
}

#[test]
fn matrices_of_another_owner_are_read_on_their_own_stream() {
    if !gpu() {
        return;
    }
    let context = CudaContext::new(0).unwrap();
    let stream = context.new_stream().unwrap();
    let offsets = stream.clone_htod(&[1i32, 3, 3, 5]).unwrap();
    let columns = stream.clone_htod(&[1i32, 4, 3, 2]).unwrap();
    let (offsets_at, _offsets) = offsets.device_ptr(&stream);
    let (columns_at, _columns) = columns.device_ptr(&stream);
    let (mut handle, mut matrix) = (null_mut(), null());
    let index = MaybeUninit::new(OCEAN_INDEX_32I);
    let base = MaybeUninit::new(OCEAN_INDEX_BASE_ONE);
    // SAFETY: live objects, and arrays on the device that outlive the descriptor.
    unsafe {
        assert_eq!(oceanCreateWithBackend(&mut handle, MaybeUninit::new(OCEAN_BACKEND_CUDA)), OCEAN_STATUS_SUCCESS);
        assert_eq!(oceanSetStream(handle, stream.cu_stream().cast()), OCEAN_STATUS_SUCCESS);
        let (offsets, columns) = (offsets_at as *const _, columns_at as *const _);
        assert_eq!(
            oceanCreateConstCsr(&mut matrix, 3, 4, 4, offsets, columns, null(), index, index, base, 1),
            OCEAN_STATUS_SUCCESS
        );
        assert_eq!(
            oceanSpMatCheck(handle, matrix, MaybeUninit::new(OCEAN_CHECK_CANONICAL)),
            OCEAN_STATUS_INVALID_VALUE
        );
        let message = CStr::from_ptr(oceanGetLastErrorString()).to_string_lossy();
        assert!(message.contains("row 2"), "{message}");
    }
    // The context and the stream are still the owner's and usable.
    assert_eq!(stream.clone_dtoh(&columns).unwrap(), [1, 4, 3, 2]);
    assert_eq!(oceanDestroySpMat(matrix), OCEAN_STATUS_SUCCESS);
    assert_eq!(oceanDestroy(handle), OCEAN_STATUS_SUCCESS);
}
