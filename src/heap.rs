// SPDX-License-Identifier: MIT OR Apache-2.0
//! Room on the heap for what grows with the matrices. Where there is none, Rust's own collections end the process; here
//! the call ends, with [`Error::OutOfMemory`]: it unwinds, since accumulators grow deep inside of parallel loops, up to
//! the next [`caught`]. Every step of a backend, every rank's own work and every exported function stands in one.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::error::{Error, Result};

/// An empty vector with room for `len` values.
pub(crate) fn room<T>(len: usize, purpose: &'static str) -> Vec<T> {
    let mut values = Vec::new();
    reserve(&mut values, len, purpose);
    values
}

/// As many copies of one value.
pub(crate) fn filled<T: Clone>(len: usize, value: T, purpose: &'static str) -> Vec<T> {
    let mut values = Vec::new();
    grow(&mut values, len, value, purpose);
    values
}

/// Room for `len` values, with those that are there.
pub(crate) fn reserve<T>(values: &mut Vec<T>, len: usize, purpose: &'static str) {
    if values.try_reserve_exact(len.saturating_sub(values.len())).is_err() {
        let bytes = len.saturating_mul(size_of::<T>());
        // No panic, so that no hook speaks of one.
        resume_unwind(Box::new(Error::OutOfMemory { bytes, purpose }));
    }
}

/// `len` values, the new ones copies of `value`.
pub(crate) fn grow<T: Clone>(values: &mut Vec<T>, len: usize, value: T, purpose: &'static str) {
    reserve(values, len, purpose);
    values.resize(len, value);
}

/// One value more.
pub(crate) fn push<T>(values: &mut Vec<T>, value: T, purpose: &'static str) {
    if values.len() == values.capacity() {
        reserve(values, (2 * values.len()).max(16), purpose);
    }
    values.push(value);
}

/// What an iterator gives, whose length is known.
pub(crate) fn collected<T>(values: impl ExactSizeIterator<Item = T>, purpose: &'static str) -> Vec<T> {
    let mut all = room(values.len(), purpose);
    all.extend(values);
    all
}

/// Runs `body`; a lack of memory, or a panic, is an error like any other.
pub(crate) fn caught<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(error_of(payload)))
}

fn error_of(payload: Box<dyn Any + Send>) -> Error {
    match payload.downcast::<Error>() {
        Ok(error) => *error,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Error::Internal(format!("panic: {text}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_ends_in_an_error_with_the_bytes() {
        let error = caught(|| Ok(filled(usize::MAX / 16, 0u64, "a test"))).unwrap_err();
        assert_eq!(error, Error::OutOfMemory { bytes: usize::MAX / 16 * 8, purpose: "a test" });
        let error = caught::<()>(|| panic!("on purpose")).unwrap_err();
        assert_eq!(error.to_string(), "internal error: panic: on purpose");
    }

    #[test]
    fn vectors_grow_and_never_shrink_below_what_they_hold() {
        let mut values = filled(2, 7, "a test");
        grow(&mut values, 4, 9, "a test");
        push(&mut values, 5, "a test");
        assert_eq!(values, [7, 7, 9, 9, 5]);
        assert!(room::<u8>(100, "a test").capacity() >= 100);
        assert_eq!(collected(1..4, "a test"), [1, 2, 3]);
    }
}
