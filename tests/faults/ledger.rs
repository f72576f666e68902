// SPDX-License-Identifier: MIT OR Apache-2.0
//! An allocator of the caller's that keeps books, puts guard bands around what it gives, and fails when it is told to.

use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Mutex;

use ocean::ffi::*;

use super::guarded::{DEAD, Guarded};
use crate::support::check;

#[derive(Default)]
struct Books {
    live: HashMap<usize, Guarded>,
    calls: usize,
    fail_at: Option<usize>,
    /// Bytes of the request that was refused.
    refused: Option<usize>,
    mistakes: Vec<String>,
}

/// Lives as long as whatever it gave is used.
pub struct Ledger(Mutex<Books>);

impl Ledger {
    /// Makes one the allocator of `handle`.
    pub fn attach(handle: oceanHandle_t) -> Box<Self> {
        let ledger = Box::new(Self(Mutex::default()));
        let user = (&raw const *ledger).cast_mut().cast();
        check(oceanSetAllocator(handle, Some(alloc), Some(free), user));
        ledger
    }

    /// Refuses the `nth` request from now on, and no other.
    pub fn fail(&self, nth: usize) {
        let mut books = self.0.lock().unwrap();
        books.fail_at = Some(books.calls + nth);
        books.refused = None;
    }

    /// Refuses nothing more. Bytes of the request that was refused.
    pub fn relent(&self) -> Option<usize> {
        let mut books = self.0.lock().unwrap();
        books.fail_at = None;
        books.refused.take()
    }

    #[track_caller]
    pub fn check(&self, what: &str) {
        let books = self.0.lock().unwrap();
        assert!(books.mistakes.is_empty(), "{what}: {:?}", books.mistakes);
        books.live.values().for_each(|array| array.check(what));
    }

    #[track_caller]
    pub fn check_all_back(&self, what: &str) {
        self.check(what);
        let live: Vec<usize> = self.0.lock().unwrap().live.values().map(Guarded::len).collect();
        assert!(live.is_empty(), "{what}: never given back: {live:?} bytes");
    }
}

unsafe extern "C" fn alloc(user: *mut c_void, bytes: usize, _: cudaStream_t) -> *mut c_void {
    // SAFETY: the ledger outlives the handle.
    let mut books = unsafe { &*user.cast::<Ledger>() }.0.lock().unwrap();
    books.calls += 1;
    if bytes == 0 {
        books.mistakes.push("0 bytes asked for".into());
    }
    if books.fail_at == Some(books.calls) {
        books.refused = Some(bytes);
        return null_mut();
    }
    let array = Guarded::new(bytes, 16); // aligned to no more than what is asked of allocators
    let pointer = array.pointer();
    books.live.insert(array.address(), array);
    pointer
}

unsafe extern "C" fn free(user: *mut c_void, pointer: *mut c_void, bytes: usize, _: cudaStream_t) {
    // SAFETY: as above.
    let mut books = unsafe { &*user.cast::<Ledger>() }.0.lock().unwrap();
    match books.live.remove(&(pointer as usize)) {
        None => books.mistakes.push(format!("{pointer:?} given back, which is not live")),
        Some(array) => {
            if array.len() != bytes {
                books.mistakes.push(format!("{} bytes given back as {bytes}", array.len()));
            }
            array.check("memory that was given back");
            array.fill(DEAD);
        }
    }
}
