// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plain protocol: workEstimation, compute, copy.

use std::ffi::{c_char, c_int, c_void};
use std::fmt::Display;
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex};

use serde::Serialize;

use super::arguments::{Call, buffer, is_supported};
use super::guard::{guard, output};
use super::objects::{Registry, lock};
use super::text::{read_text, write_text};
use super::types::oceanReportFormat_t::{self, *};
use super::types::oceanSpGEMMAlg_t::{self, *};
use super::types::{
    choice, oceanConstSpMatDescr_t, oceanDataType_t, oceanHandle_t, oceanOperation_t, oceanSpGEMMDescr_t,
    oceanSpMatDescr_t, oceanStatus_t,
};
use crate::error::{Error, Result};
use crate::memory::{ALIGNMENT, Address};
use crate::spgemm::{Options, Place, Profile, Report, Reuse, Staged};

/// What an `oceanSpGEMMDescr_t` stands for.
#[derive(Default)]
pub(super) struct Descriptor {
    pub(super) options: Options,
    pub(super) state: State,
    profile: Arc<Profile>,
}

/// How far a product has come.
#[derive(Default)]
pub(super) enum State {
    #[default]
    Fresh,
    Plain(Staged),
    Reuse(Box<Reuse>),
}

static DESCRIPTORS: Registry<Descriptor> = Registry::new("SpGEMM descriptor");

/// The descriptor behind `pointer`.
pub(super) fn descriptor(pointer: oceanSpGEMMDescr_t) -> Result<Arc<Mutex<Descriptor>>> {
    DESCRIPTORS.get(pointer, "spgemmDescr")
}

impl Descriptor {
    fn plain(&mut self, call: &'static str) -> Result<&mut Staged> {
        match &mut self.state {
            State::Plain(staged) => Ok(staged),
            _ => Err(Error::Order { call, missing: "oceanSpGEMM_workEstimation with a buffer" }),
        }
    }

    pub(super) fn reuse(&mut self, call: &'static str) -> Result<&mut Reuse> {
        match &mut self.state {
            State::Reuse(reuse) => Ok(reuse),
            _ => Err(Error::Order { call, missing: "oceanSpGEMMreuse_workEstimation with a buffer" }),
        }
    }

    /// Where calls are timed, if they are to be.
    pub(super) fn timing(&self) -> Option<Arc<Profile>> {
        self.options.profile.then(|| Arc::clone(&self.profile))
    }

    /// Forgets the product, for another one.
    pub(super) fn begin(&mut self) {
        self.state = State::Fresh;
        self.profile = Arc::default();
    }

    fn report(&self) -> Result<Report> {
        match &self.state {
            State::Plain(staged) => Ok(staged.report()),
            State::Reuse(reuse) => Ok(reuse.report()),
            State::Fresh => {
                Err(Error::Order { call: "oceanSpGEMM_getPlan", missing: "oceanSpGEMM_workEstimation with a buffer" })
            }
        }
    }
}

/// A size that the caller states for a buffer: NULL and 0 state nothing (cuSPARSE ignores both here).
pub(super) fn check_stated(stated: *const usize, needed: usize, argument: &'static str) -> Result<()> {
    // SAFETY: the header asks for a pointer that is NULL or valid.
    match unsafe { stated.as_ref() } {
        Some(&got) if got != 0 && got < needed => Err(Error::Buffer { argument, needed, got }),
        _ => Ok(()),
    }
}

/// Makes the state of one product. Needs no handle and no device.
///
/// @param[out] descr  host. Ends with oceanSpGEMM_destroyDescr.
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMM_createDescr(descr: *mut oceanSpGEMMDescr_t) -> oceanStatus_t {
    guard(|| {
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let out = unsafe { output(descr, "descr")? };
        *out = DESCRIPTORS.add(Descriptor::default());
        Ok(())
    })
}

/// Ends the state of one product; work that is queued already goes on.
///
/// @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live descriptor.
#[unsafe(no_mangle)]
pub extern "C" fn oceanSpGEMM_destroyDescr(descr: oceanSpGEMMDescr_t) -> oceanStatus_t {
    guard(|| DESCRIPTORS.remove(descr, "descr"))
}

/// First step: looks at the patterns of A and B, decides how to multiply them and gives every row of C its room.
///
/// With externalBuffer1 NULL only *bufferSize1 is written, from the declared sizes alone; never 0. With a buffer
/// the step is done and waits for the device; may be repeated, also with another alg. Values are not read and may
/// be NULL; matC gives its shape. alpha, beta and computeType are checked and not read.
/// A factor under an operation is transposed into memory of the handle's allocator, which spgemmDescr keeps: 12 bytes an
/// entry and 8 a row of the transpose, and the values from the first compute on. Its rows have the entries in stored
/// order, row by row, which is the order of sums.
/// Values of A and B are of one type, or one is real and the other complex with such parts; C is complex then, and a copy of
/// the real values as complex ones is made likewise, by the first compute.
/// Cost: O(nnz(A) + nnz(B)), and counting or estimating the rows of C.
///
/// @param[in]     handle           where to compute.
/// @param[in]     opA, opB         any; the same in all steps.
/// @param[in]     alpha, beta      one value of computeType each; not NULL.
/// @param[in]     matA, matB       op(A) is m x k and op(B) is k x n.
/// @param[in]     matC             m x n.
/// @param[in]     computeType      the type of C's values, or what 16-bit ones are computed in.
/// @param[in]     alg              any.
/// @param[in,out] spgemmDescr      keeps the result, and the buffer's address.
/// @param[in,out] bufferSize1      host; bytes. With a buffer it may be NULL or 0, which states no size.
/// @param[in]     externalBuffer1  device, or NULL; needed until the last compute; of any alignment.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, numbers that no enum has, shapes that do not fit, or
///         offsets and columns that break the rules; NOT_SUPPORTED by name; INSUFFICIENT_RESOURCES for a short buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMM_workEstimation(
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
    bufferSize1: *mut usize,
    externalBuffer1: *mut c_void,
) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        let call = Call::new(handle, [opA, opB], [matA, matB], matC, alg)?;
        let kind = call.scalars(alpha, beta, computeType)?.kind;
        let mut descriptor = lock(&descriptor);
        let needed = Staged::estimation_bytes(&call.operands, &descriptor.options);
        let Some(buffer) = buffer(externalBuffer1) else {
            // SAFETY: the header asks for a pointer that is NULL or valid.
            *unsafe { output(bufferSize1, "bufferSize1")? } = needed;
            if call.operands.no_product() {
                descriptor.state = State::Plain(Staged::empty(&call.operands, kind));
            }
            return Ok(());
        };
        check_stated(bufferSize1, needed, "bufferSize1")?;
        // What an earlier call left in the buffer is gone, whether this one succeeds or not.
        descriptor.begin();
        let wanted = call.wanted(kind, &descriptor.options);
        let estimate = |place: Place<'_>| Staged::estimate(place, &call.operands, wanted, buffer);
        let staged = call.work(descriptor.timing(), "oceanSpGEMM_workEstimation", estimate)?;
        descriptor.state = State::Plain(staged);
        Ok(())
    })
}

/// Whether such products are computed: types of values and indices, operations and algorithm. The same answer as that of
/// the first step, which refuses what is not by NOT_SUPPORTED. Does not touch the device.
///
/// Only the types of matA, matB and matC are looked at, and sizes that 32-bit columns can't hold: they need no arrays, and
/// shapes may be any.
///
/// @param[in]  handle, opA, opB, matA, matB, matC, computeType, alg  as for oceanSpGEMM_workEstimation.
/// @param[out] supported  host; 1 or 0, written only on success.
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE for NULLs and numbers that no enum has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMM_isSupported(
    handle: oceanHandle_t,
    opA: MaybeUninit<oceanOperation_t>,
    opB: MaybeUninit<oceanOperation_t>,
    matA: oceanConstSpMatDescr_t,
    matB: oceanConstSpMatDescr_t,
    matC: oceanSpMatDescr_t,
    computeType: oceanDataType_t,
    alg: MaybeUninit<oceanSpGEMMAlg_t>,
    supported: *mut c_int,
) -> oceanStatus_t {
    guard(|| {
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let supported = unsafe { output(supported, "supported")? };
        *supported = is_supported(handle, [opA, opB], [matA, matB], matC, computeType, alg)?.into();
        Ok(())
    })
}

/// Scalar products of A * B, exact in 64 bits. Does not touch the device.
///
/// @param[in]  spgemmDescr  after oceanSpGEMM_workEstimation (or oceanSpGEMMreuse_workEstimation) with a buffer.
/// @param[out] num_prods    host; written only on success.
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE if a pointer is NULL or the step before is missing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMM_getNumProducts(
    spgemmDescr: oceanSpGEMMDescr_t,
    num_prods: *mut i64,
) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let out = unsafe { output(num_prods, "num_prods")? };
        *out = match &lock(&descriptor).state {
            State::Plain(staged) => staged.products(),
            State::Reuse(reuse) => reuse.products(),
            State::Fresh => {
                let (call, missing) = ("oceanSpGEMM_getNumProducts", "oceanSpGEMM_workEstimation with a buffer");
                return Err(Error::Order { call, missing });
            }
        };
        Ok(())
    })
}

/// For ALG2 and ALG3: says what compute needs, which compute with a NULL buffer says too.
///
/// cuSPARSE holds a fraction of the products at a time. Here no product is held beyond its entry of C where rows are
/// counted; so a fraction below 1 has them counted, if they were only estimated, and compute's buffer is then as small as
/// C allows. oceanSpGEMM_setMemoryLimit goes below that.
///
/// @param[in]     chunk_fraction   share of the products; any value from 1 on leaves the rows as they are.
/// @param[in,out] bufferSize3      host; bytes, written if externalBuffer3 is NULL; never 0.
/// @param[in]     externalBuffer3  device, or NULL; not used, and may be freed at once.
/// @param[out]    bufferSize2      host; bytes for compute, written if externalBuffer3 is not NULL.
/// @return as oceanSpGEMM_workEstimation; INVALID_VALUE if alg is neither ALG2 nor ALG3, or the step before is missing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMM_estimateMemory(
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
    chunk_fraction: f32,
    bufferSize3: *mut usize,
    externalBuffer3: *mut c_void,
    bufferSize2: *mut usize,
) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        let call = Call::new(handle, [opA, opB], [matA, matB], matC, alg)?;
        let kind = call.scalars(alpha, beta, computeType)?.kind;
        if !matches!(call.alg, OCEAN_SPGEMM_ALG2 | OCEAN_SPGEMM_ALG3) {
            return Err(Error::invalid("alg", format!("is {:?}; memory is estimated for ALG2 and ALG3", call.alg)));
        }
        let mut descriptor = lock(&descriptor);
        let (options, timing) = (descriptor.options, descriptor.timing());
        let staged = descriptor.plain("oceanSpGEMM_estimateMemory")?;
        staged.check(&call.operands, kind)?;
        if externalBuffer3.is_null() {
            // SAFETY: the header asks for a pointer that is NULL or valid.
            *unsafe { output(bufferSize3, "bufferSize3")? } = ALIGNMENT;
            if staged.products() > 0 {
                return Ok(());
            }
        }
        if chunk_fraction < 1.0 {
            let wanted = call.wanted(kind, &options);
            let count = |place: Place<'_>| staged.count_exactly(place, &call.operands, wanted);
            if let Err(error) = call.work(timing, "oceanSpGEMM_estimateMemory", count) {
                // What the first buffer held is gone.
                descriptor.state = State::Fresh;
                return Err(error);
            }
        }
        // SAFETY: as above. A product known to be empty may be asked for both sizes at once.
        match unsafe { output(bufferSize2, "bufferSize2") } {
            Ok(out) => *out = staged.compute_bytes(),
            Err(_) if externalBuffer3.is_null() => {}
            Err(error) => return Err(error),
        }
        Ok(())
    })
}

/// Second step: computes the product into the buffer and tells matC its nnz.
///
/// With externalBuffer2 NULL only *bufferSize2 is written; never 0. With a buffer the step is done: it waits for the device
/// if rows were estimated or bounded, and once more for the first repeat; where oceanSpGEMM_workEstimation has counted them
/// (oceanSpGEMM_getPlan says "exact") it only queues work, and can be captured. C's arrays are not touched and may be NULL. It may be called again, with other values of A and B in
/// the same or other arrays and any buffer of that size: the patterns are taken to be those that
/// oceanSpGEMM_workEstimation saw, and only numbers are computed.
/// Cost: O(products). Rows that outgrow an estimate may take memory from the handle's allocator.
///
/// @param[in]     handle           as before; stream and pointer mode may differ.
/// @param[in]     opA, opB, alpha, matA, matB, beta, matC, computeType, alg  as for oceanSpGEMM_workEstimation.
/// @param[in,out] spgemmDescr      keeps the result, and the buffer's address.
/// @param[in,out] bufferSize2      host; bytes: written in a query, else what externalBuffer2 has.
/// @param[in]     externalBuffer2  device, or NULL; needed until oceanSpGEMM_copy has run; of any alignment.
/// @return as oceanSpGEMM_workEstimation; INVALID_VALUE if the step before is missing, or patterns have changed: with the
///         option check, on the host, and where rows were not counted; INSUFFICIENT_RESOURCES for a short buffer, after
///         which it may be called again with a longer one; ALLOC_FAILED if the handle's allocator has no memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMM_compute(
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
    bufferSize2: *mut usize,
    externalBuffer2: *mut c_void,
) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        let call = Call::new(handle, [opA, opB], [matA, matB], matC, alg)?;
        let kind = call.scalars(alpha, beta, computeType)?.kind;
        let mut descriptor = lock(&descriptor);
        let timing = descriptor.timing();
        let staged = descriptor.plain("oceanSpGEMM_compute")?;
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let bytes = unsafe { output(bufferSize2, "bufferSize2")? };
        let buffer = match buffer(externalBuffer2) {
            Some(buffer) => buffer,
            None => {
                staged.check(&call.operands, kind)?;
                let needed = staged.compute_bytes();
                if staged.products() == 0 {
                    call.set_nnz(staged.compute(call.place(), &call.operands, kind, Address::NULL, needed)?);
                }
                *bytes = needed; // last: a call that fails writes nothing
                return Ok(());
            }
        };
        if staged.products() > 0 {
            call.has_values()?;
        }
        let compute = |place: Place<'_>| staged.compute(place, &call.operands, kind, buffer, *bytes);
        call.set_nnz(call.work(timing, "oceanSpGEMM_compute", compute)?);
        Ok(())
    })
}

/// Last step: C = alpha * op(A) * op(B) + beta * C, entry by entry of the product's pattern, and C's offsets.
///
/// Only queues work on the handle's stream (CUDA loads a kernel when it is first used in a process, and may wait
/// then). Reads neither A nor B nor the first buffer, but for oceanSpGEMM_setMemoryLimit. C's columns and offsets are written; with beta = 0 its values
/// are not read, else its p-th old value goes to the p-th entry of the product. May be repeated. Cost: O(nnz(C)).
///
/// @param[in]     handle       as before; stream and pointer mode may differ.
/// @param[in]     alpha, beta  one value of computeType each, read now, in stream order in device pointer mode.
/// @param[in,out] matC         with arrays for the nnz that oceanSpMatGetSize tells.
/// @param[in]     opA, opB, matA, matB, computeType, alg, spgemmDescr  as for oceanSpGEMM_compute.
/// @return as oceanSpGEMM_compute; INVALID_VALUE if matC has NULL arrays or a smaller nnz;
///         INSUFFICIENT_RESOURCES if C's row offsets can't count its entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMM_copy(
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
        let staged = descriptor.plain("oceanSpGEMM_copy")?;
        staged.check(&call.operands, scalars.kind)?;
        let nnz = staged.nnz();
        if let Some(nnz) = nnz {
            if staged.is_pattern() {
                call.check_no_values()?;
            }
            call.check_output(nnz, true, !staged.is_pattern())?;
        }
        let copy = |place: Place<'_>| staged.copy(place, &call.operands, &call.c, &scalars);
        call.work(timing, "oceanSpGEMM_copy", copy)?;
        nnz.into_iter().for_each(|nnz| call.set_nnz(nnz));
        Ok(())
    })
}

/// Sets what a product may take beyond A, B and C, before oceanSpGEMM_workEstimation asks for a size: both buffers
/// together with memory of the handle's allocator. The result has the same bits whatever is set.
///
/// Under a limit rows are counted and never estimated. Where compute's buffer would be too large, the rows of op(A) are
/// multiplied a slice at a time, straight into C, by oceanSpGEMM_copy: compute's buffer is then of no size to speak of, and
/// **A, B and the first buffer must stay as they are until copy has run**; copy reads A's and B's values as they are then,
/// waits for the device a few times a slice, counts the rows again, and leaves C's arrays undefined if the patterns have
/// changed. oceanSpGEMM_getPlan tells how many slices there are.
/// oceanSpGEMMreuse_* takes no second copy of C, and pays no heed to the limit.
///
/// @param[in] bytes  the limit; 0 for none, as at first. Below what a slice of one row needs, beside copies of A and B that
///                   operations, 64-bit columns, 16-bit values or unsorted rows of B ask for, the steps end with
///                   INSUFFICIENT_RESOURCES, and the message tells a limit that lets that step pass.
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
#[unsafe(no_mangle)]
pub extern "C" fn oceanSpGEMM_setMemoryLimit(spgemmDescr: oceanSpGEMMDescr_t, bytes: usize) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        lock(&descriptor).options.memory_limit = (bytes > 0).then_some(bytes);
        Ok(())
    })
}

/// Sets how a product is computed, before oceanSpGEMM_workEstimation. The result has the same bits whatever is set.
///
/// | name        | values                                | what it does                                            |
/// |-------------|---------------------------------------|---------------------------------------------------------|
/// | workflow    | auto, upper_bound, estimate, exact    | how rows of C get their room                            |
/// | registers   | auto, 16, 32, 64, 128                 | size of a HyperLogLog sketch                            |
/// | coefficient | auto, or a number above 0             | what estimates are multiplied by                        |
/// | accumulator | auto, hash, dense                     | how rows are summed                                     |
/// | ablation    | auto, v1, v2, v3, v4                  | the Ocean paper's versions; v4 is all, but by its table |
/// | sampling    | auto, or a number above 0, 1 at most  | share of the rows that is sampled                       |
/// | check       | off, full                             | check A and B in full, declared nnz included, at first  |
/// | profile     | off, on                               | time the calls for oceanSpGEMM_getProfile               |
///
/// @param[in] name, value  text.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a name or value that is not listed, which changes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMM_setOption(
    spgemmDescr: oceanSpGEMMDescr_t,
    name: *const c_char,
    value: *const c_char,
) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        // SAFETY: the header asks for pointers that are NULL or end with a NUL.
        let (name, value) = unsafe { (read_text(name, "name")?, read_text(value, "value")?) };
        lock(&descriptor).options.set(&name, &value)
    })
}

/// What was found about A and B, what was decided, and why; after compute also what came of it.
///
/// @param[in]     spgemmDescr  after oceanSpGEMM_workEstimation with a buffer.
/// @param[in]     format       lines for people, or one JSON object.
/// @param[out]    buffer       host, or NULL: then only *size is written.
/// @param[in,out] size         host; bytes with the NUL at the end.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs or a missing step; INSUFFICIENT_RESOURCES if *size is less
///         than what is needed, which the message tells; nothing is written then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMM_getPlan(
    spgemmDescr: oceanSpGEMMDescr_t,
    format: MaybeUninit<oceanReportFormat_t>,
    buffer: *mut c_char,
    size: *mut usize,
) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        // SAFETY: the header asks for pointers that are NULL or valid, and for *size bytes.
        unsafe { write_report(format, buffer, size, || lock(&descriptor).report()) }
    })
}

/// Writes a report once it is known that there is a place and a format for it.
///
/// # Safety
/// As for [`write_text`].
unsafe fn write_report<R: Display + Serialize>(
    format: MaybeUninit<oceanReportFormat_t>,
    buffer: *mut c_char,
    size: *mut usize,
    report: impl FnOnce() -> Result<R>,
) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { output(size, "size")? };
    let format = choice(format, "format", &[OCEAN_REPORT_TEXT, OCEAN_REPORT_JSON])?;
    let report = report()?;
    let text = match format {
        OCEAN_REPORT_TEXT => report.to_string(),
        OCEAN_REPORT_JSON => serde_json::to_string(&report).map_err(|error| Error::Internal(error.to_string()))?,
    };
    // SAFETY: the caller's promise.
    unsafe { write_text(&text, buffer, size) }
}

/// What the calls with a buffer have taken since oceanSpGEMM_workEstimation, and each of their steps: milliseconds in the
/// order of the stream, waits included. Asked for by the option profile; the last 64 calls. Waits until what it tells of is
/// done. Timing a call takes two events a step, and is not for streams under capture.
///
/// @param[in]     spgemmDescr  with the option profile "on".
/// @param[in]     format       lines for people, or one JSON object: calls, each with call, ms and steps; steps with step,
///                             times and ms.
/// @param[out]    buffer       host, or NULL: then only *size is written.
/// @param[in,out] size         host; bytes with the NUL at the end.
/// @return as oceanSpGEMM_getPlan; EXECUTION_FAILED if the device has failed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMM_getProfile(
    spgemmDescr: oceanSpGEMMDescr_t,
    format: MaybeUninit<oceanReportFormat_t>,
    buffer: *mut c_char,
    size: *mut usize,
) -> oceanStatus_t {
    guard(|| {
        let descriptor = descriptor(spgemmDescr)?;
        let missing =
            Error::Order { call: "oceanSpGEMM_getProfile", missing: "oceanSpGEMM_setOption(\"profile\", \"on\")" };
        // SAFETY: the header asks for pointers that are NULL or valid, and for *size bytes.
        unsafe { write_report(format, buffer, size, || lock(&descriptor).timing().ok_or(missing)?.read()) }
    })
}
