// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text on its way in and out.

use std::ffi::{CStr, c_char};

use super::guard::output;
use crate::error::{Error, Result};

/// A text argument.
///
/// # Safety
/// `pointer` is NULL or points to text that ends with a NUL.
pub(super) unsafe fn read_text(pointer: *const c_char, argument: &'static str) -> Result<String> {
    if pointer.is_null() {
        return Err(Error::Null { argument });
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}

/// Writes `text` and a NUL to `buffer`, or with NULL only how many bytes that takes.
///
/// # Safety
/// `size` is NULL or valid for reads and writes, and `buffer` is NULL or has room for `*size` bytes.
pub(super) unsafe fn write_text(text: &str, buffer: *mut c_char, size: *mut usize) -> Result<()> {
    // SAFETY: the caller's promise.
    let size = unsafe { output(size, "size")? };
    let needed = text.len() + 1;
    if !buffer.is_null() {
        if *size < needed {
            return Err(Error::Buffer { argument: "size", needed, got: *size });
        }
        // SAFETY: a buffer of *size bytes, which are enough.
        unsafe {
            buffer.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), text.len());
            buffer.add(text.len()).write(0);
        }
    }
    *size = needed;
    Ok(())
}
