// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outputs of calls that create something on all ranks or on none.

use std::ptr;

use crate::error::Result;
use crate::ffi::guard::output;
use crate::ffi::objects::Registry;

/// Where a call writes what it creates: NULL until then. That there is such a place is one of the arguments that all ranks
/// agree on.
pub(super) struct Created<'a, T>(Result<&'a mut *mut T>);

impl<T> Created<'_, T> {
    /// # Safety
    /// `pointer` is NULL or valid for writes while this lives.
    pub unsafe fn new(pointer: *mut *mut T, argument: &'static str) -> Self {
        // SAFETY: the caller's promise.
        let place = unsafe { output(pointer, argument) };
        Self(place.map(|place| {
            *place = ptr::null_mut();
            place
        }))
    }

    /// Whether there is a place.
    pub fn check(&self) -> Result<()> {
        self.0.as_ref().map(drop).map_err(Clone::clone)
    }

    /// Takes `object` in, and gives it out.
    pub fn write<Object>(self, registry: &Registry<Object>, object: Object) -> Result<()> {
        *self.0? = registry.add(object);
        Ok(())
    }
}
