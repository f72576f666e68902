// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory that a caller gives the library: blocks of exactly so many bytes, and an allocator that counts and runs out.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};

use ocean::ffi::cudaStream_t;

/// So many bytes and no more, where a sanitizer sees the byte behind them.
pub struct Block {
    pointer: *mut u8,
    layout: Layout,
}

impl Block {
    pub fn new(bytes: usize) -> Self {
        let layout = layout(bytes);
        // SAFETY: no layout here is empty.
        let pointer = unsafe { alloc_zeroed(layout) };
        assert!(!pointer.is_null());
        Self { pointer, layout }
    }

    pub fn of(bytes: &[u8]) -> Self {
        let block = Self::new(bytes.len());
        // SAFETY: the block is as long, and nobody else has it.
        unsafe { block.pointer.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        block
    }

    pub fn pointer(&self) -> *mut c_void {
        self.pointer.cast()
    }

    pub fn bytes(&self) -> Vec<u8> {
        // SAFETY: initialised when it was made, and no call is running that writes it.
        unsafe { std::slice::from_raw_parts(self.pointer, self.layout.size()) }.to_vec()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.pointer, self.layout) };
    }
}

/// The widest alignment that a value of any type asks for.
fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes.max(1), 16).expect("not as large as the address space")
}

/// An allocator for oceanSetAllocator.
pub struct Purse {
    /// Bytes that were given and not taken back.
    pub held: AtomicI64,
    /// Allocations that there will be yet.
    pub left: AtomicI64,
}

impl Purse {
    pub const fn new() -> Self {
        Self { held: AtomicI64::new(0), left: AtomicI64::new(i64::MAX) }
    }

    pub fn user(&self) -> *mut c_void {
        std::ptr::from_ref(self).cast_mut().cast()
    }
}

/// More than any small product takes.
const MOST_BYTES: usize = 64 << 20;

/// oceanAllocFn_t.
///
/// # Safety
/// `user` is a living [`Purse`].
pub unsafe extern "C" fn give(user: *mut c_void, bytes: usize, _: cudaStream_t) -> *mut c_void {
    // SAFETY: the caller's promise.
    let purse = unsafe { &*user.cast::<Purse>() };
    if bytes > MOST_BYTES || purse.left.fetch_sub(1, SeqCst) <= 0 {
        return null_mut();
    }
    purse.held.fetch_add(bytes as i64, SeqCst);
    // SAFETY: no layout here is empty.
    unsafe { alloc_zeroed(layout(bytes)).cast() }
}

/// oceanFreeFn_t.
///
/// # Safety
/// `user` is a living [`Purse`], and `pointer` came from [`give`] for `bytes`.
pub unsafe extern "C" fn take(user: *mut c_void, pointer: *mut c_void, bytes: usize, _: cudaStream_t) {
    // SAFETY: the caller's promise.
    unsafe {
        (*user.cast::<Purse>()).held.fetch_sub(bytes as i64, SeqCst);
        dealloc(pointer.cast(), layout(bytes));
    }
}
