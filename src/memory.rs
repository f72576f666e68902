// SPDX-License-Identifier: MIT OR Apache-2.0
//! Addresses in a backend's memory, and who gives that memory out.
//!
//! The driver passes buffers between steps that it may not be able to read itself (they may lie on a GPU), so
//! they travel as plain addresses; only a backend turns them into slices.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::error::Result;

/// Every part of a buffer starts on such a boundary: the widest that a GPU's memory system cares for.
pub const ALIGNMENT: usize = 256;

/// A place in a backend's memory; 0 is NULL.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Address(pub usize);

impl Address {
    /// No place at all.
    pub const NULL: Self = Self(0);

    /// Whether this is no place at all.
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The same place as a pointer. What it points to is for the caller to know.
    pub fn pointer<T>(self) -> *mut T {
        self.0 as *mut T
    }
}

impl<T> From<*const T> for Address {
    fn from(pointer: *const T) -> Self {
        Self(pointer as usize)
    }
}

impl<T> From<*mut T> for Address {
    fn from(pointer: *mut T) -> Self {
        Self(pointer as usize)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// `len` values of `T` in a backend's memory.
pub struct Span<T> {
    /// Where the first one lies.
    pub address: Address,
    /// How many there are.
    pub len: usize,
    kind: PhantomData<T>,
}

impl<T> Clone for Span<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Span<T> {}

impl<T> fmt::Debug for Span<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}[{}]", self.address, self.len)
    }
}

impl<T> Span<T> {
    /// The `len` values at `address`.
    pub fn new(address: Address, len: usize) -> Self {
        Self { address, len, kind: PhantomData }
    }

    /// The values in `range`, which must lie inside.
    pub fn part(&self, range: std::ops::Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.len, "{range:?} of {} values", self.len);
        Self::new(Address(self.address.0 + range.start * size_of::<T>()), range.len())
    }

    /// The values themselves.
    ///
    /// # Safety
    /// They must lie in host memory, be initialised, and nobody may write them during `'a`.
    pub unsafe fn slice<'a>(self) -> &'a [T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the caller's promise; an empty span may have a NULL address, so it left above.
        unsafe { std::slice::from_raw_parts(self.first(), self.len) }
    }

    /// The values themselves, to be written.
    ///
    /// # Safety
    /// They must lie in host memory, and nobody else may read or write them during `'a`. `T` must be plain
    /// data: the values may be uninitialised as far as the caller's buffer goes.
    pub unsafe fn slice_mut<'a>(self) -> &'a mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: the caller's promise; an empty span may have a NULL address, so it left above.
        unsafe { std::slice::from_raw_parts_mut(self.first(), self.len) }
    }

    /// Values that take no room may be anywhere, also at NULL.
    fn first(self) -> *mut T {
        if size_of::<T>() == 0 { std::ptr::dangling_mut() } else { self.address.pointer() }
    }
}

/// Cuts one buffer into aligned parts; run over address 0 it tells how large the buffer has to be.
#[derive(Debug)]
pub struct Carver {
    start: usize,
    next: usize,
}

impl Carver {
    /// Cuts the buffer at `buffer`, whose own alignment does not matter.
    pub fn new(buffer: Address) -> Self {
        Self { start: buffer.0, next: buffer.0 }
    }

    /// The next `len` values of `T`. Saturates: a size past memory fails later, as a named allocation.
    pub fn take<T>(&mut self, len: usize) -> Span<T> {
        let at = self.next.checked_next_multiple_of(ALIGNMENT).unwrap_or(usize::MAX);
        self.next = at.saturating_add(len.saturating_mul(size_of::<T>()));
        Span::new(Address(at), len)
    }

    /// Bytes that any buffer needs for what was taken, whatever its alignment. Never 0 (contract, rule R2).
    pub fn bytes(&self) -> usize {
        (self.next - self.start).saturating_add(ALIGNMENT)
    }
}

/// Gives memory of one backend out and takes it back, in the order of the handle's stream.
pub trait Memory: Send + Sync {
    /// `bytes` (more than 0) on an [`ALIGNMENT`] boundary or better, or [`crate::Error::OutOfMemory`] for `purpose`.
    fn allocate(&self, bytes: usize, purpose: &'static str) -> Result<Address>;
    /// Takes back what `allocate` gave for the same `bytes`.
    fn release(&self, address: Address, bytes: usize);
}

/// Memory that goes back where it came from when this is dropped.
pub struct Allocation {
    address: Address,
    bytes: usize,
    memory: Arc<dyn Memory>,
}

impl Allocation {
    /// Takes `bytes` from `memory`; at least one, so that the address is never NULL.
    pub fn new(memory: &Arc<dyn Memory>, bytes: usize, purpose: &'static str) -> Result<Self> {
        let bytes = bytes.max(1);
        let address = memory.allocate(bytes, purpose)?;
        Ok(Self { address, bytes, memory: Arc::clone(memory) })
    }

    /// Where it lies.
    pub fn address(&self) -> Address {
        self.address
    }

    /// How large it is.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        self.memory.release(self.address, self.bytes);
    }
}

impl fmt::Debug for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({} bytes)", self.address, self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carver_over_nothing_tells_the_size_that_any_buffer_needs() {
        let parts = |c: &mut Carver| (c.take::<i64>(5), c.take::<u8>(3), c.take::<f64>(0), c.take::<i32>(100));
        let mut probe = Carver::new(Address::NULL);
        parts(&mut probe);
        for odd in [4096, 4097, 4351] {
            let mut carver = Carver::new(Address(odd));
            let last = parts(&mut carver).3;
            assert_eq!(last.address.0 % ALIGNMENT, 0);
            assert!(last.address.0 + 400 <= odd + probe.bytes());
        }
    }

    #[test]
    fn an_empty_carver_still_asks_for_a_byte() {
        assert!(Carver::new(Address::NULL).bytes() > 0);
    }
}
