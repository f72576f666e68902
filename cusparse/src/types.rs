// SPDX-License-Identifier: MIT OR Apache-2.0
//! cuSPARSE's types as the ABI has them. Enums are C ints, which may hold anything: they are passed on, not judged.

use std::ffi::{c_int, c_void};

/// `cusparseStatus_t`, whose numbers are ocean's too.
pub type Status = c_int;

/// Done.
pub const SUCCESS: Status = 0;
/// The real library is not to be found.
pub const NOT_INITIALIZED: Status = 1;
/// An argument has a wrong value, or a step is missing.
pub const INVALID_VALUE: Status = 3;
/// A fault in here.
pub const INTERNAL_ERROR: Status = 7;
/// The real library lacks the function.
pub const NOT_SUPPORTED: Status = 10;

/// `CUSPARSE_FORMAT_CSR`.
pub const CSR: c_int = 1;

/// `CUSPARSE_INDEX_32I`.
pub const INDEX_32I: c_int = 2;
/// `CUSPARSE_INDEX_64I`.
pub const INDEX_64I: c_int = 3;

/// `cusparseHandle_t`.
pub type Handle = *mut c_void;
/// `cusparseSpMatDescr_t`, and `cusparseConstSpMatDescr_t`: the real library takes either for the other.
pub type Matrix = *mut c_void;
/// `cusparseSpGEMMDescr_t`.
pub type Product = *mut c_void;
