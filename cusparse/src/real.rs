// SPDX-License-Identifier: MIT OR Apache-2.0
//! The real cuSPARSE, found at the first call of one of its functions.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Once, OnceLock};

use crate::loader::{self, Library};
use crate::log;
use crate::settings::settings;
use crate::types::{Handle, Matrix, NOT_INITIALIZED, NOT_SUPPORTED, Product, Status};

/// What it is called since CUDA 12.
const FILE: &CStr = c"libcusparse.so.12";

/// A function of the real library.
pub struct Function {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
}

impl Function {
    /// The function of this name; nothing is looked for yet.
    pub const fn new(name: &'static CStr) -> Self {
        Self { name, address: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// Where it is, or the status to answer where it is not.
    pub fn address(&self) -> Result<NonNull<c_void>, Status> {
        if let Some(known) = NonNull::new(self.address.load(Ordering::Relaxed)) {
            return Ok(known);
        }
        let library = library().ok_or(NOT_INITIALIZED)?;
        let found = library.symbol(self.name).ok_or_else(|| {
            log::error(format_args!("the real cuSPARSE has no {}", self.name.to_string_lossy()));
            NOT_SUPPORTED
        })?;
        self.address.store(found.as_ptr(), Ordering::Relaxed);
        Ok(found)
    }
}

/// The library that all functions come from. A failure is not kept: the program may open it later.
fn library() -> Option<Library> {
    static FOUND: OnceLock<Library> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Some(*found);
    }
    let found = find()?;
    Some(*FOUND.get_or_init(|| found))
}

fn find() -> Option<Library> {
    // Linked programs have it in the loader's order; in others, such as PyTorch, it lies in a scope of its own, where
    // only its name leads to it. Loading a second one would be a library with other state, so that comes last.
    if Library::NEXT.symbol(c"cusparseCreate").is_some() {
        return Some(Library::NEXT);
    }
    let named = settings().library.as_deref();
    let found = Library::opened(FILE).or_else(|| named.and_then(Library::open)).or_else(|| Library::open(FILE));
    if found.is_none() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            log::error(format_args!(
                "no cuSPARSE to be found; OCEAN_CUSPARSE_LIBRARY may name its file: {}",
                loader::last_error()
            ));
        });
    }
    found
}

/// Whether the process has the real library open, by whatever way.
pub fn is_opened() -> bool {
    Library::NEXT.symbol(c"cusparseCreate").is_some() || Library::opened(FILE).is_some()
}

/// Defines functions of these names that call the real library's.
macro_rules! real_functions {
    ($($name:ident($($argument:ident: $kind:ty),* $(,)?);)*) => {$(
        /// The real library's.
        ///
        /// # Safety
        /// As cuSPARSE asks.
        pub unsafe fn $name($($argument: $kind),*) -> $crate::types::Status {
            // The name with the NUL that C wants.
            const NAME: &::std::ffi::CStr = match ::std::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => unreachable!(),
            };
            static FUNCTION: $crate::real::Function = $crate::real::Function::new(NAME);
            match FUNCTION.address() {
                Err(status) => status,
                Ok(address) => {
                    type Signature = unsafe extern "C" fn($($kind),*) -> $crate::types::Status;
                    // SAFETY: the table has the signatures of cusparse.h.
                    let function = unsafe { ::std::mem::transmute::<*mut ::std::ffi::c_void, Signature>(address.as_ptr()) };
                    // SAFETY: the caller's promise.
                    unsafe { function($($argument),*) }
                }
            }
        }
    )*};
}
pub(crate) use real_functions;

real_functions! {
    cusparseGetStream(handle: Handle, stream: *mut *mut c_void);
    cusparseGetPointerMode(handle: Handle, mode: *mut c_int);
    cusparseSpMatGetFormat(matrix: Matrix, format: *mut c_int);
    cusparseSpMatGetStridedBatch(matrix: Matrix, batches: *mut c_int);
    cusparseSpGEMM_createDescr(product: *mut Product);
    cusparseSpGEMM_destroyDescr(product: Product);
    cusparseSpGEMM_getNumProducts(product: Product, products: *mut i64);
}
