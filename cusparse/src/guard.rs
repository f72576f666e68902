// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every exported function runs in.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::types::{INTERNAL_ERROR, SUCCESS, Status};

/// What a body that may give up early comes to. `Ok` is what the call answers, `Err` why it could not go on.
pub type Answer = Result<Status, Status>;

/// Runs the body of an exported function; a panic becomes a status.
pub fn guard(body: impl FnOnce() -> Answer) -> Status {
    let answer = catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(INTERNAL_ERROR));
    answer.unwrap_or_else(|status| status)
}

/// A status as a result.
pub fn checked(status: Status) -> Result<(), Status> {
    if status == SUCCESS { Ok(()) } else { Err(status) }
}

/// Locks what a panic elsewhere may have left locked: everything behind our locks is consistent at all times.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::INVALID_VALUE;

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(guard(|| panic!("meant to be seen in the test's output")), INTERNAL_ERROR);
        assert_eq!(guard(|| Ok(SUCCESS)), SUCCESS);
        assert_eq!(guard(|| Err(INVALID_VALUE)), INVALID_VALUE);
    }
}
