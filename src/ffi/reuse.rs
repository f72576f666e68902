// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reuse protocol: one pattern, any number of values.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use super::arguments::{Call, buffer};
use super::guard::{guard, output};
use super::objects::lock;
use super::spgemm::{State, check_stated, descriptor};
use super::types::{
    oceanConstSpMatDescr_t, oceanDataType_t, oceanHandle_t, oceanOperation_t, oceanSpGEMMAlg_t, oceanSpGEMMDescr_t,
    oceanSpMatDescr_t, oceanStatus_t,
};
use crate::error::Error;
use crate::memory::{ALIGNMENT, Address};
use crate::spgemm::{Place, Reuse};

/// First step of the reuse protocol: looks at the patterns of A and B.
///
/// With externalBuffer1 NULL only *bufferSize1 is written; never 0. With a buffer the step is done and waits for the
/// device. Values are not read and may be NULL.
///
/// @param[in]     handle, opA, opB, matA, matB, matC, alg  as for oceanSpGEMM_workEstimation.
/// @param[in,out] spgemmDescr      keeps the result, and the buffer's address.
/// @param[in,out] bufferSize1      host; bytes. With a buffer it may be NULL or 0, which states no size.
/// @param[in]     externalBuffer1  device, or NULL; needed until oceanSpGEMMreuse_nnz has run.
/// @return as oceanSpGEMM_workEstimation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMMreuse_workEstimation(
    handle: oceanHandle_t,
    opA: MaybeUninit<oceanOperation_t>,
    opB: MaybeUninit<oceanOperation_t>,
    matA: oceanConstSpMatDescr_t,
    matB: oceanConstSpMatDescr_t,
    matC: oceanSpMatDescr_t,
    alg: MaybeUninit<oceanSpGEMMAlg_t>,
    spgemmDescr: oceanSpGEMMDescr_t,
    bufferSize1: *mut usize,
    externalBuffer1: *mut c_void,
) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        let call = Call::new(handle, [opA, opB], [matA, matB], matC, alg)?;
        let mut descriptor = lock(&descriptor);
        let needed = Reuse::estimation_bytes(&call.operands);
        let buffer = buffer(externalBuffer1);
        let mut asked = None;
        if buffer.is_none() {
            // SAFETY: the header asks for a pointer that is NULL or valid.
            let size = unsafe { output(bufferSize1, "bufferSize1")? };
            if !call.operands.no_product() {
                *size = needed;
                return Ok(());
            }
            asked = Some(size);
        } else {
            check_stated(bufferSize1, needed, "bufferSize1")?;
        }
        descriptor.begin();
        let buffer = buffer.unwrap_or(Address::NULL);
        let estimate = |place: Place<'_>| Reuse::estimate(place, &call.operands, &descriptor.options, buffer);
        let reuse = call.work(descriptor.timing(), "oceanSpGEMMreuse_workEstimation", estimate)?;
        descriptor.state = State::Reuse(reuse.into());
        if let Some(size) = asked {
            *size = needed; // last: a call that fails writes nothing
        }
        Ok(())
    })
}

/// Second step of the reuse protocol: counts C's entries and tells matC its nnz.
///
/// With all three buffers NULL only the sizes are written; never 0. With all three the step is done and waits for
/// the device. C's arrays are not touched.
///
/// @param[in]     handle, opA, opB, matA, matB, matC, alg  as before.
/// @param[in,out] spgemmDescr      keeps the result, and the buffers' addresses.
/// @param[in,out] bufferSize2      host; bytes.
/// @param[in]     externalBuffer2  device, or NULL; may be freed after this call.
/// @param[in,out] bufferSize3      host; bytes.
/// @param[in]     externalBuffer3  device, or NULL; may be freed after oceanSpGEMMreuse_copy.
/// @param[in,out] bufferSize4      host; bytes.
/// @param[in]     externalBuffer4  device, or NULL; needed until the last oceanSpGEMMreuse_compute.
/// @return as oceanSpGEMM_compute; INVALID_VALUE if some of the buffers are NULL and some are not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMMreuse_nnz(
    handle: oceanHandle_t,
    opA: MaybeUninit<oceanOperation_t>,
    opB: MaybeUninit<oceanOperation_t>,
    matA: oceanConstSpMatDescr_t,
    matB: oceanConstSpMatDescr_t,
    matC: oceanSpMatDescr_t,
    alg: MaybeUninit<oceanSpGEMMAlg_t>,
    spgemmDescr: oceanSpGEMMDescr_t,
    bufferSize2: *mut usize,
    externalBuffer2: *mut c_void,
    bufferSize3: *mut usize,
    externalBuffer3: *mut c_void,
    bufferSize4: *mut usize,
    externalBuffer4: *mut c_void,
) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        let call = Call::new(handle, [opA, opB], [matA, matB], matC, alg)?;
        let mut descriptor = lock(&descriptor);
        let timing = descriptor.timing();
        let reuse = descriptor.reuse("oceanSpGEMMreuse_nnz")?;
        let needed = [ALIGNMENT, ALIGNMENT, reuse.kept_bytes()];
        let names = ["externalBuffer2", "externalBuffer3", "externalBuffer4"];
        let buffers = [externalBuffer2, externalBuffer3, externalBuffer4];
        if buffers.iter().all(|buffer| buffer.is_null()) {
            // SAFETY: the header asks for pointers that are NULL or valid.
            let sizes = unsafe {
                [
                    output(bufferSize2, "bufferSize2")?,
                    output(bufferSize3, "bufferSize3")?,
                    output(bufferSize4, "bufferSize4")?,
                ]
            };
            if reuse.products() == 0 {
                call.set_nnz(reuse.count(call.place(), &call.operands, Address::NULL)?);
            }
            for (size, needed) in sizes.into_iter().zip(needed) {
                *size = needed; // last: a call that fails writes nothing
            }
            return Ok(());
        } else if let Some((_, argument)) = buffers.iter().zip(names).find(|(buffer, _)| buffer.is_null()) {
            return Err(Error::Null { argument });
        } else {
            check_stated(bufferSize4, needed[2], "bufferSize4")?;
        }
        let count = |place: Place<'_>| reuse.count(place, &call.operands, externalBuffer4.into());
        call.set_nnz(call.work(timing, "oceanSpGEMMreuse_nnz", count)?);
        Ok(())
    })
}

/// Third step of the reuse protocol: writes C's offsets and columns, not its values. May be repeated.
///
/// With externalBuffer5 NULL only *bufferSize5 is written; never 0. With a buffer the step is done.
///
/// @param[in]     handle, opA, opB, matA, matB, alg  as before.
/// @param[in,out] matC             with arrays for offsets and columns.
/// @param[in,out] spgemmDescr      as before.
/// @param[in,out] bufferSize5      host; bytes.
/// @param[in]     externalBuffer5  device, or NULL; keep it until the last oceanSpGEMMreuse_compute.
/// @return as oceanSpGEMM_copy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMMreuse_copy(
    handle: oceanHandle_t,
    opA: MaybeUninit<oceanOperation_t>,
    opB: MaybeUninit<oceanOperation_t>,
    matA: oceanConstSpMatDescr_t,
    matB: oceanConstSpMatDescr_t,
    matC: oceanSpMatDescr_t,
    alg: MaybeUninit<oceanSpGEMMAlg_t>,
    spgemmDescr: oceanSpGEMMDescr_t,
    bufferSize5: *mut usize,
    externalBuffer5: *mut c_void,
) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        let call = Call::new(handle, [opA, opB], [matA, matB], matC, alg)?;
        let mut descriptor = lock(&descriptor);
        let timing = descriptor.timing();
        let reuse = descriptor.reuse("oceanSpGEMMreuse_copy")?;
        let nnz = reuse
            .nnz()
            .ok_or(Error::Order { call: "oceanSpGEMMreuse_copy", missing: "oceanSpGEMMreuse_nnz with buffers" })?;
        if externalBuffer5.is_null() {
            // SAFETY: the header asks for a pointer that is NULL or valid.
            let size = unsafe { output(bufferSize5, "bufferSize5")? };
            // Of an empty product a NULL buffer may be the work call too, if C can take its offsets already.
            if reuse.products() == 0 && !call.c.offsets.is_null() {
                call.check_output(nnz, true, false)?;
                reuse.copy(call.place(), &call.operands, &call.c)?;
            }
            *size = ALIGNMENT; // last: a call that fails writes nothing
            return Ok(());
        }
        call.check_output(nnz, true, false)?;
        call.work(timing, "oceanSpGEMMreuse_copy", |place| reuse.copy(place, &call.operands, &call.c))
    })
}

/// Last step of the reuse protocol, any number of times: C's values = alpha * A * B + beta * C's values.
///
/// Only queues work on the handle's stream (CUDA loads a kernel when it is first used in a process, and may wait
/// then). The patterns of A and B must be those of before; their arrays, and C's values, may be others. C's offsets
/// and columns are neither read nor written. Cost: O(products).
///
/// @param[in]     handle, opA, opB, matA, matB, alg, spgemmDescr  as before.
/// @param[in]     alpha, beta  one value of computeType each, read now, in stream order in device pointer mode.
/// @param[in,out] matC         with its values.
/// @param[in]     computeType  the type of C's values, or what 16-bit ones are computed in.
/// @return as oceanSpGEMM_copy; INVALID_VALUE also if rows of the product have another length than was counted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMMreuse_compute(
    handle: oceanHandle_t,
    opA: MaybeUninit<oceanOperation_t>,
    opB: MaybeUninit<oceanOperation_t>,
    alpha: *const c_void,
    matA: oceanConstSpMatDescr_t,
    matB: oceanConstSpMatDescr_t,
    beta: *const c_void,
    matC: oceanSpMatDescr_t,
    computeType: oceanDataType_t,
    alg: MaybeUninit<oceanSpGEMMAlg_t>,
    spgemmDescr: oceanSpGEMMDescr_t,
) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        let call = Call::new(handle, [opA, opB], [matA, matB], matC, alg)?;
        let scalars = call.scalars(alpha, beta, computeType)?;
        let mut descriptor = lock(&descriptor);
        let timing = descriptor.timing();
        let reuse = descriptor.reuse("oceanSpGEMMreuse_compute")?;
        let missing = Error::Order { call: "oceanSpGEMMreuse_compute", missing: "oceanSpGEMMreuse_nnz with buffers" };
        let nnz = reuse.nnz().ok_or(missing)?;
        let values = nnz == 0 || call.has_values()?;
        if !values {
            call.check_no_values()?;
        }
        call.check_output(nnz, false, values)?;
        call.work(timing, "oceanSpGEMMreuse_compute", |place| reuse.compute(place, &call.operands, &call.c, scalars))
    })
}
