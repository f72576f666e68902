// SPDX-License-Identifier: MIT OR Apache-2.0
//! The heap of this program, which refuses a large request of the library's when it is told to. Whoever takes that for
//! granted ends the program.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Requests below are for what does not grow with the matrices.
pub const LARGE: usize = 4 << 10;

struct Heap;

static WITHIN: AtomicBool = AtomicBool::new(false);
static REQUESTS: AtomicUsize = AtomicUsize::new(0);
static REFUSED: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static HEAP: Heap = Heap;

/// Whether this request is the one that is refused.
fn refuses(bytes: usize) -> bool {
    bytes >= LARGE && WITHIN.load(Relaxed) && REQUESTS.fetch_add(1, Relaxed) + 1 == REFUSED.load(Relaxed)
}

// SAFETY: the system's heap, or NULL, which may always be the answer.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        if refuses(layout.size()) { null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        if refuses(layout.size()) { null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        if refuses(bytes) { null_mut() } else { unsafe { System.realloc(pointer, layout, bytes) } }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Refuses the `nth` large request from now on that is made [`within`] a call of the library; none, if `nth` is 0.
pub fn refuse(nth: usize) {
    REQUESTS.store(0, Relaxed);
    REFUSED.store(nth, Relaxed);
}

/// Large requests since [`refuse`].
pub fn requests() -> usize {
    REQUESTS.load(Relaxed)
}

/// Runs a call of the library.
pub fn within<T>(call: impl FnOnce() -> T) -> T {
    WITHIN.store(true, Relaxed);
    let result = call();
    WITHIN.store(false, Relaxed);
    result
}
