// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects behind the C ABI's opaque pointers. A pointer is only ever looked up, never followed, so one that is
//! foreign, stale or destroyed in another thread is an error and not a crash.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::error::{Error, Result};

/// All live objects of one kind.
pub struct Registry<T> {
    kind: &'static str,
    live: RwLock<BTreeMap<usize, Arc<Mutex<T>>>>,
}

impl<T> Registry<T> {
    /// An empty registry of objects that messages call `kind`.
    pub const fn new(kind: &'static str) -> Self {
        Self { kind, live: RwLock::new(BTreeMap::new()) }
    }

    /// Takes `object` in and returns the pointer that stands for it.
    pub fn add<Opaque>(&self, object: T) -> *mut Opaque {
        let object = Arc::new(Mutex::new(object));
        // Unique while the object lives, and it lives as long as anybody uses it.
        let key = Arc::as_ptr(&object) as usize;
        self.live.write().unwrap_or_else(PoisonError::into_inner).insert(key, object);
        key as *mut Opaque
    }

    /// The object that `pointer` stands for.
    pub fn get<Opaque>(&self, pointer: *const Opaque, argument: &'static str) -> Result<Arc<Mutex<T>>> {
        if pointer.is_null() {
            return Err(Error::Null { argument });
        }
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        live.get(&(pointer as usize)).cloned().ok_or(Error::Dead { argument, kind: self.kind })
    }

    /// Ends the object that `pointer` stands for; NULL is no object and no error.
    pub fn remove<Opaque>(&self, pointer: *const Opaque, argument: &'static str) -> Result<()> {
        if pointer.is_null() {
            return Ok(());
        }
        let removed = self.live.write().unwrap_or_else(PoisonError::into_inner).remove(&(pointer as usize));
        removed.map(drop).ok_or(Error::Dead { argument, kind: self.kind })
    }
}

/// Locks an object. One whose last call panicked is still usable: every step leaves it consistent.
pub fn lock<T>(object: &Mutex<T>) -> MutexGuard<'_, T> {
    object.lock().unwrap_or_else(PoisonError::into_inner)
}
