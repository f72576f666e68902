// SPDX-License-Identifier: MIT OR Apache-2.0
//! One array written by many threads, each at places of its own.

use std::marker::PhantomData;
use std::ops::Range;

/// A slice whose parts several threads may write at once, as long as the parts are disjoint.
pub struct Disjoint<'a, T> {
    first: *mut T,
    len: usize,
    borrow: PhantomData<&'a mut [T]>,
}

impl<T> Clone for Disjoint<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Disjoint<'_, T> {}

// SAFETY: it stands for a `&mut [T]` that was taken apart; who uses it promises disjoint parts.
unsafe impl<T: Send> Send for Disjoint<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Disjoint<'_, T> {}

impl<'a, T> Disjoint<'a, T> {
    /// Takes `slice` apart.
    pub fn new(slice: &'a mut [T]) -> Self {
        Self { first: slice.as_mut_ptr(), len: slice.len(), borrow: PhantomData }
    }

    /// The values in `range`. Panics if they are not all inside.
    ///
    /// # Safety
    /// Nobody else may use any of these values as long as the result lives.
    pub unsafe fn part(&self, range: Range<usize>) -> &'a mut [T] {
        assert!(range.start <= range.end && range.end <= self.len, "{range:?} of {} values", self.len);
        // SAFETY: in range as just checked, and ours alone by the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.first.add(range.start), range.len()) }
    }

    /// Writes one value. Panics if it is not inside.
    ///
    /// # Safety
    /// Nobody else may use this value meanwhile.
    pub unsafe fn set(&self, index: usize, value: T) {
        assert!(index < self.len, "{index} of {} values", self.len);
        // SAFETY: in range as just checked, and ours alone by the caller's promise.
        unsafe { self.first.add(index).write(value) };
    }
}
