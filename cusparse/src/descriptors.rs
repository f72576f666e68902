// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions on matrix descriptors that must agree about products: who asks gets ocean's number of entries, and what is
//! set on a matrix is set on its shadow too.

use std::ffi::{c_int, c_void};

use crate::guard::{Answer, guard};
use crate::handles;
use crate::matrices;
use crate::types::{Handle, Matrix, SUCCESS, Status};

/// Exports functions that call the real library's, each with something around that and with what that needs to know.
macro_rules! exported {
    ($($around:ident($($known:ident),*) $name:ident($($argument:ident: $kind:ty),* $(,)?);)*) => {
        /// The real library's.
        pub mod real {
            use super::*;
            crate::real::real_functions! { $($name($($argument: $kind),*);)* }
        }

        $(
            /// cuSPARSE's.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($argument: $kind),*) -> Status {
                // SAFETY: the arguments go on as they came.
                guard(|| $around($($known,)* || unsafe { real::$name($($argument),*) }))
            }
        )*
    };
}

exported! {
    created(matrix) cusparseCreateCsr(
        matrix: *mut Matrix, rows: i64, cols: i64, nnz: i64, offsets: *mut c_void, columns: *mut c_void,
        values: *mut c_void, offset_type: c_int, column_type: c_int, base: c_int, value_type: c_int,
    );
    created(matrix) cusparseCreateConstCsr(
        matrix: *mut Matrix, rows: i64, cols: i64, nnz: i64, offsets: *const c_void, columns: *const c_void,
        values: *const c_void, offset_type: c_int, column_type: c_int, base: c_int, value_type: c_int,
    );
    destroyed(matrix) cusparseDestroySpMat(matrix: Matrix);
    counted(matrix, nnz) cusparseSpMatGetSize(matrix: Matrix, rows: *mut i64, cols: *mut i64, nnz: *mut i64);
    counted(matrix, nnz) cusparseCsrGet(
        matrix: Matrix, rows: *mut i64, cols: *mut i64, nnz: *mut i64, offsets: *mut *mut c_void,
        columns: *mut *mut c_void, values: *mut *mut c_void, offset_type: *mut c_int, column_type: *mut c_int,
        base: *mut c_int, value_type: *mut c_int,
    );
    counted(matrix, nnz) cusparseConstCsrGet(
        matrix: Matrix, rows: *mut i64, cols: *mut i64, nnz: *mut i64, offsets: *mut *mut c_void,
        columns: *mut *mut c_void, values: *mut *mut c_void, offset_type: *mut c_int, column_type: *mut c_int,
        base: *mut c_int, value_type: *mut c_int,
    );
    counted_in_sizes(matrix, sizes) cusparseSpMatGetSizes(matrix: Matrix, sizes: *mut Sizes);
    attributed(matrix, attribute, data, bytes) cusparseSpMatSetAttribute(
        matrix: Matrix, attribute: c_int, data: *mut c_void, bytes: usize,
    );
    ended(handle) cusparseDestroy(handle: Handle);
}

/// A descriptor may have the address of one that was destroyed past us.
fn created(matrix: *mut Matrix, create: impl FnOnce() -> Status) -> Answer {
    let status = create();
    if status == SUCCESS {
        // SAFETY: the real library has just written there.
        matrices::forget(unsafe { *matrix });
    }
    Ok(status)
}

/// What is known ends before its address can be another's.
fn destroyed(matrix: Matrix, destroy: impl FnOnce() -> Status) -> Answer {
    matrices::forget(matrix);
    Ok(destroy())
}

/// Puts ocean's number of entries in place of the real library's.
fn counted(matrix: Matrix, nnz: *mut i64, get: impl FnOnce() -> Status) -> Answer {
    let status = get();
    if let (SUCCESS, Some(known)) = (status, matrices::nnz(matrix)) {
        // SAFETY: the real library has just written there.
        unsafe { *nnz = known };
    }
    Ok(status)
}

/// `cusparseSpMatSizes_t`: for CSR the first three numbers are rows, columns and entries.
#[repr(C)]
pub struct Sizes {
    format: c_int,
    numbers: [i64; 8],
}

/// The same in a struct, since CUDA 13.5. Only matrices in CSR have a number of ocean's.
fn counted_in_sizes(matrix: Matrix, sizes: *mut Sizes, get: impl FnOnce() -> Status) -> Answer {
    let status = get();
    if let (SUCCESS, Some(known)) = (status, matrices::nnz(matrix)) {
        // SAFETY: the real library has just written there.
        unsafe { (*sizes).numbers[2] = known };
    }
    Ok(status)
}

/// Remembers an attribute, since products of such matrices are the real library's; and sets it on the shadow too.
fn attributed(
    matrix: Matrix,
    attribute: c_int,
    data: *mut c_void,
    bytes: usize,
    set: impl FnOnce() -> Status,
) -> Answer {
    let status = set();
    if status != SUCCESS || data.is_null() {
        return Ok(status);
    }
    // SAFETY: the real library has just read as many bytes.
    matrices::set_attribute(matrix, attribute, unsafe { std::slice::from_raw_parts(data.cast::<u8>(), bytes) });
    match matrices::shadow(matrix) {
        // SAFETY: a live descriptor, which takes what its matrix takes.
        Some(shadow) => Ok(unsafe { real::cusparseSpMatSetAttribute(shadow, attribute, data, bytes) }),
        None => Ok(status),
    }
}

/// Ends what ocean keeps for a handle, whose address may be another's soon.
fn ended(handle: Handle, destroy: impl FnOnce() -> Status) -> Answer {
    handles::forget(handle);
    Ok(destroy())
}

/// Functions that set something on a matrix: on its shadow too.
macro_rules! setters {
    ($($name:ident($($argument:ident: $kind:ty),* $(,)?);)*) => {
        mod set {
            use super::*;
            crate::real::real_functions! { $($name(matrix: Matrix, $($argument: $kind),*);)* }
        }

        $(
            /// cuSPARSE's.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(matrix: Matrix, $($argument: $kind),*) -> Status {
                guard(|| {
                    // SAFETY: the arguments go on as they came; a shadow takes what its matrix takes.
                    set_on_both(matrix, |matrix| unsafe { set::$name(matrix, $($argument),*) })
                })
            }
        )*
    };
}

setters! {
    cusparseCsrSetPointers(offsets: *mut c_void, columns: *mut c_void, values: *mut c_void);
    cusparseSpMatSetValues(values: *mut c_void);
    cusparseSpMatSetPointers(pointers: *const c_void);
    cusparseCsrSetStridedBatch(count: c_int, offsets_stride: i64, entries_stride: i64);
}

fn set_on_both(matrix: Matrix, set: impl Fn(Matrix) -> Status) -> Answer {
    match (set(matrix), matrices::shadow(matrix)) {
        (SUCCESS, Some(shadow)) => Ok(set(shadow)),
        (status, _) => Ok(status),
    }
}
