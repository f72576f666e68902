// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every exported function runs in: no panic leaves, and failures leave a message.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;

use super::types::choice;
use super::types::oceanStatus_t::{self, *};
use crate::error::{Error, Result};
use crate::heap::caught;

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Runs the body of an exported function and turns its result into a status.
pub(super) fn guard(body: impl FnOnce() -> Result<()>) -> oceanStatus_t {
    match caught(body) {
        Ok(()) => OCEAN_STATUS_SUCCESS,
        Err(error) => {
            let status = error.status();
            let message = error.to_string().replace('\0', " ");
            tracing::info!(?status, message, "a call failed");
            // No message is lost to a NUL, and a thread that is ending needs none.
            let _ = LAST_ERROR.try_with(|last| last.replace(CString::new(message).unwrap_or_default()));
            status
        }
    }
}

/// An output argument: somewhere to write one `T`.
///
/// # Safety
/// `pointer` is NULL or valid for writes, and nobody else uses what it points to during `'a`.
pub(super) unsafe fn output<'a, T>(pointer: *mut T, argument: &'static str) -> Result<&'a mut T> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_mut() }.ok_or(Error::Null { argument })
}

/// Says what went wrong in this thread's last failing call: which argument, and the numbers.
///
/// @return Text that is never NULL, "" if no call has failed, and valid until the next failing call of this
///         thread. Calls that succeed leave it alone, so cleanup may run before it is printed.
#[unsafe(no_mangle)]
pub extern "C" fn oceanGetLastErrorString() -> *const c_char {
    LAST_ERROR.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The enumerator of a status, as text.
///
/// @return A constant; "unrecognized error code" for a number that no status has.
#[unsafe(no_mangle)]
pub extern "C" fn oceanGetErrorName(status: MaybeUninit<oceanStatus_t>) -> *const c_char {
    described(status).0.as_ptr()
}

/// A status in a few words, the same as cuSPARSE's.
///
/// @return A constant; "unrecognized error code" for a number that no status has.
#[unsafe(no_mangle)]
pub extern "C" fn oceanGetErrorString(status: MaybeUninit<oceanStatus_t>) -> *const c_char {
    described(status).1.as_ptr()
}

fn described(status: MaybeUninit<oceanStatus_t>) -> (&'static CStr, &'static CStr) {
    const TEXTS: [(oceanStatus_t, &CStr, &CStr); 12] = [
        (OCEAN_STATUS_SUCCESS, c"OCEAN_STATUS_SUCCESS", c"success"),
        (OCEAN_STATUS_NOT_INITIALIZED, c"OCEAN_STATUS_NOT_INITIALIZED", c"initialization error"),
        (OCEAN_STATUS_ALLOC_FAILED, c"OCEAN_STATUS_ALLOC_FAILED", c"out of memory"),
        (OCEAN_STATUS_INVALID_VALUE, c"OCEAN_STATUS_INVALID_VALUE", c"invalid value"),
        (OCEAN_STATUS_ARCH_MISMATCH, c"OCEAN_STATUS_ARCH_MISMATCH", c"architecture mismatch"),
        (OCEAN_STATUS_MAPPING_ERROR, c"OCEAN_STATUS_MAPPING_ERROR", c"texture memory mapping error"),
        (OCEAN_STATUS_EXECUTION_FAILED, c"OCEAN_STATUS_EXECUTION_FAILED", c"kernel launch failure"),
        (OCEAN_STATUS_INTERNAL_ERROR, c"OCEAN_STATUS_INTERNAL_ERROR", c"internal error"),
        (
            OCEAN_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
            c"OCEAN_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
            c"matrix type not supported",
        ),
        (OCEAN_STATUS_ZERO_PIVOT, c"OCEAN_STATUS_ZERO_PIVOT", c"zero pivot"),
        (OCEAN_STATUS_NOT_SUPPORTED, c"OCEAN_STATUS_NOT_SUPPORTED", c"operation not supported"),
        (OCEAN_STATUS_INSUFFICIENT_RESOURCES, c"OCEAN_STATUS_INSUFFICIENT_RESOURCES", c"insufficient resources"),
    ];
    let unknown = c"unrecognized error code";
    let all = TEXTS.map(|(status, ..)| status);
    let Ok(known) = choice(status, "status", &all) else { return (unknown, unknown) };
    let found = TEXTS.iter().find(|(status, ..)| *status == known);
    found.map_or((unknown, unknown), |(_, name, text)| (name, text))
}
