// SPDX-License-Identifier: MIT OR Apache-2.0
//! Types of the C ABI. Enum arguments arrive as `MaybeUninit<Enum>`, because C may pass any int.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use crate::error::{Error, Result};

/// What a call answers. oceanGetLastErrorString() has the details of the last failure.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum oceanStatus_t {
    /// Done.
    OCEAN_STATUS_SUCCESS = 0,
    /// The library could not be set up.
    OCEAN_STATUS_NOT_INITIALIZED = 1,
    /// Out of memory.
    OCEAN_STATUS_ALLOC_FAILED = 2,
    /// An argument has a wrong value, or a step is missing.
    OCEAN_STATUS_INVALID_VALUE = 3,
    /// The device lacks a feature.
    OCEAN_STATUS_ARCH_MISMATCH = 4,
    /// Not used; kept for its number.
    OCEAN_STATUS_MAPPING_ERROR = 5,
    /// The CUDA driver or a kernel failed.
    OCEAN_STATUS_EXECUTION_FAILED = 6,
    /// A fault of the library.
    OCEAN_STATUS_INTERNAL_ERROR = 7,
    /// Not used; kept for its number.
    OCEAN_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    /// Not used; kept for its number.
    OCEAN_STATUS_ZERO_PIVOT = 9,
    /// Something that the library does not do.
    OCEAN_STATUS_NOT_SUPPORTED = 10,
    /// A buffer is too short, or an index type too narrow for the result.
    OCEAN_STATUS_INSUFFICIENT_RESOURCES = 11,
}

/// Where alpha and beta lie.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum oceanPointerMode_t {
    /// In host memory, read during the call.
    OCEAN_POINTER_MODE_HOST = 0,
    /// In device memory, read in stream order.
    OCEAN_POINTER_MODE_DEVICE = 1,
}

/// What is done to a factor first.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum oceanOperation_t {
    /// Nothing.
    OCEAN_OPERATION_NON_TRANSPOSE = 0,
    /// Transpose.
    OCEAN_OPERATION_TRANSPOSE = 1,
    /// Conjugate transpose; of real values, the transpose.
    OCEAN_OPERATION_CONJUGATE_TRANSPOSE = 2,
}

/// What row offsets and columns count from.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum oceanIndexBase_t {
    /// C's counting.
    OCEAN_INDEX_BASE_ZERO = 0,
    /// Fortran's counting.
    OCEAN_INDEX_BASE_ONE = 1,
}

/// Width of row offsets or columns.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum oceanIndexType_t {
    /// Unsigned 16-bit. Not supported.
    OCEAN_INDEX_16U = 1,
    /// Signed 32-bit.
    OCEAN_INDEX_32I = 2,
    /// Signed 64-bit. Columns of 64 bits are multiplied where there are fewer than 2^31 of them.
    OCEAN_INDEX_64I = 3,
}

/// How a matrix is stored.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum oceanFormat_t {
    /// Compressed sparse rows: the only one here.
    OCEAN_FORMAT_CSR = 1,
    /// Compressed sparse columns.
    OCEAN_FORMAT_CSC = 2,
    /// Coordinates.
    OCEAN_FORMAT_COO = 3,
    /// Blocked Ellpack.
    OCEAN_FORMAT_BLOCKED_ELL = 5,
    /// Block sparse rows.
    OCEAN_FORMAT_BSR = 6,
    /// Sliced Ellpack.
    OCEAN_FORMAT_SLICED_ELLPACK = 7,
}

/// Kept for call sites of cuSPARSE: every value gives the same product, with the same bits every time.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum oceanSpGEMMAlg_t {
    /// The default.
    OCEAN_SPGEMM_DEFAULT = 0,
    /// As the default; cuSPARSE's spelling.
    OCEAN_SPGEMM_CSR_ALG_DETERMINITIC = 1,
    /// As the default; cuSPARSE's spelling.
    OCEAN_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
    /// As the default.
    OCEAN_SPGEMM_ALG1 = 3,
    /// As the default; allows oceanSpGEMM_estimateMemory.
    OCEAN_SPGEMM_ALG2 = 4,
    /// As the default; allows oceanSpGEMM_estimateMemory.
    OCEAN_SPGEMM_ALG3 = 5,
}

/// Where a handle computes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum oceanBackend_t {
    /// CUDA where there is a driver and a device, else HOST. The environment variable OCEAN_BACKEND (host, cuda)
    /// decides instead where it is set.
    OCEAN_BACKEND_AUTO = 0,
    /// An NVIDIA GPU: matrices, buffers and results lie in device memory.
    OCEAN_BACKEND_CUDA = 1,
    /// The CPU: matrices, buffers and results lie in host memory, "device" below means that too, and every call
    /// is done when it returns. Threads: RAYON_NUM_THREADS, default all cores.
    OCEAN_BACKEND_HOST = 2,
}

/// How a report is written.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum oceanReportFormat_t {
    /// Lines for people.
    OCEAN_REPORT_TEXT = 0,
    /// One JSON object.
    OCEAN_REPORT_JSON = 1,
}

/// How much oceanSpMatCheck looks at.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum oceanCheckLevel_t {
    /// Offsets start at the base, never fall and end at nnz; columns lie in range.
    OCEAN_CHECK_STRUCTURE = 0,
    /// The columns of each row also ascend, without repeats.
    OCEAN_CHECK_CANONICAL = 1,
}

/// A library context, behind [`oceanHandle_t`].
pub struct oceanContext {
    _opaque: [u8; 0],
}

/// A sparse matrix's description, behind [`oceanSpMatDescr_t`].
pub struct oceanSpMatDescr {
    _opaque: [u8; 0],
}

/// A product on its way, behind [`oceanSpGEMMDescr_t`].
pub struct oceanSpGEMMDescr {
    _opaque: [u8; 0],
}

/// cbindgen:no-export
pub struct CUstream_st {
    _opaque: [u8; 0],
}

/// cbindgen:no-export
pub type cudaStream_t = *mut CUstream_st;

/// cbindgen:no-export
pub type oceanDataType_t = c_int;

/// cbindgen:no-export
pub type oceanPropertyType_t = c_int;

/// A library context: backend, stream, pointer mode, allocator. From oceanCreate to oceanDestroy.
pub type oceanHandle_t = *mut oceanContext;

/// A sparse matrix: sizes, types and the caller's arrays, which are not copied.
pub type oceanSpMatDescr_t = *mut oceanSpMatDescr;

/// A sparse matrix that is only read.
pub type oceanConstSpMatDescr_t = *const oceanSpMatDescr;

/// One product's state between its steps.
pub type oceanSpGEMMDescr_t = *mut oceanSpGEMMDescr;

/// Gives `bytes` of device memory on `stream`, aligned to 16 bytes or more; NULL if there is none.
pub type oceanAllocFn_t =
    Option<unsafe extern "C" fn(user: *mut c_void, bytes: usize, stream: cudaStream_t) -> *mut c_void>;

/// Takes back what oceanAllocFn_t gave for the same `bytes`.
pub type oceanFreeFn_t =
    Option<unsafe extern "C" fn(user: *mut c_void, pointer: *mut c_void, bytes: usize, stream: cudaStream_t)>;

/// The number that C passed for an enum.
pub(super) fn number<T>(raw: MaybeUninit<T>) -> c_int {
    const { assert!(size_of::<T>() == size_of::<c_int>()) };
    // SAFETY: C passed a whole int, and every bit pattern is a c_int.
    unsafe { raw.as_ptr().cast::<c_int>().read() }
}

/// An enum argument, if its number is one of the enum's.
pub(super) fn choice<T: Copy>(raw: MaybeUninit<T>, argument: &'static str, all: &[T]) -> Result<T> {
    let got = number(raw);
    let same = |one: &&T| number(MaybeUninit::new(**one)) == got;
    all.iter().find(same).copied().ok_or_else(|| Error::invalid(argument, format!("is {got}, which no enumerator has")))
}

/// Name after `CUDA_` and bytes of each `cudaDataType`, by its number. Types of less than a byte count as one.
const DATA_TYPES: [(&str, usize); 34] = [
    ("R_32F", 4),
    ("R_64F", 8),
    ("R_16F", 2),
    ("R_8I", 1),
    ("C_32F", 8),
    ("C_64F", 16),
    ("C_16F", 4),
    ("C_8I", 2),
    ("R_8U", 1),
    ("C_8U", 2),
    ("R_32I", 4),
    ("C_32I", 8),
    ("R_32U", 4),
    ("C_32U", 8),
    ("R_16BF", 2),
    ("C_16BF", 4),
    ("R_4I", 1),
    ("C_4I", 1),
    ("R_4U", 1),
    ("C_4U", 1),
    ("R_16I", 2),
    ("C_16I", 4),
    ("R_16U", 2),
    ("C_16U", 4),
    ("R_64I", 8),
    ("C_64I", 16),
    ("R_64U", 8),
    ("C_64U", 16),
    ("R_8F_E4M3", 1),
    ("R_8F_E5M2", 1),
    ("R_8F_UE8M0", 1),
    ("R_6F_E2M3", 1),
    ("R_6F_E3M2", 1),
    ("R_4F_E2M1", 1),
];

/// Name and bytes of a data type.
pub(super) fn data_type(code: oceanDataType_t, argument: &'static str) -> Result<(&'static str, usize)> {
    let known = usize::try_from(code).ok().and_then(|code| DATA_TYPES.get(code).copied());
    known.ok_or_else(|| Error::invalid(argument, format!("is {code}, which is no cudaDataType")))
}
