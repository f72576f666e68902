// SPDX-License-Identifier: MIT OR Apache-2.0
//! `libocean.so.0`, opened when the first product comes by. It is not linked: a program without it is to run on.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

use crate::loader::{self, Library};
use crate::types::Status;

/// What it is called.
const FILE: &str = "libocean.so.0";

/// `oceanBackend_t`.
pub const CUDA: c_int = 1;
/// `oceanBackend_t`.
pub const HOST: c_int = 2;

/// `oceanHandle_t`.
pub type Handle = *mut c_void;
/// `oceanSpMatDescr_t`.
pub type Matrix = *mut c_void;
/// `oceanSpGEMMDescr_t`.
pub type Product = *mut c_void;

/// A struct of the functions that are used here, as ocean.h declares them.
macro_rules! functions {
    ($($name:ident($($kind:ty),* $(,)?) -> $result:ty;)*) => {
        /// The library's functions.
        #[allow(missing_docs, reason = "ocean.h has them")]
        pub struct Ocean {
            $(pub $name: unsafe extern "C" fn($($kind),*) -> $result,)*
        }

        impl Ocean {
            fn of(library: Library) -> Result<Self, String> {
                $(
                    let name = stringify!($name);
                    let address = std::ffi::CString::new(name).ok().and_then(|name| library.symbol(&name));
                    let address = address.ok_or_else(|| format!("{FILE} has no {name}"))?;
                    // SAFETY: ocean.h has this signature; the ABI stays while the number in the file's name does.
                    let $name = unsafe {
                        std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($kind),*) -> $result>(address.as_ptr())
                    };
                )*
                Ok(Self { $($name),* })
            }
        }
    };
}

functions! {
    oceanGetLastErrorString() -> *const c_char;
    oceanCreateWithBackend(*mut Handle, c_int) -> Status;
    oceanDestroy(Handle) -> Status;
    oceanSetStream(Handle, *mut c_void) -> Status;
    oceanSetPointerMode(Handle, c_int) -> Status;
    oceanCreateCsr(
        *mut Matrix, i64, i64, i64, *mut c_void, *mut c_void, *mut c_void, c_int, c_int, c_int, c_int,
    ) -> Status;
    oceanDestroySpMat(Matrix) -> Status;
    oceanSpMatGetSize(Matrix, *mut i64, *mut i64, *mut i64) -> Status;
    oceanSpGEMM_createDescr(*mut Product) -> Status;
    oceanSpGEMM_destroyDescr(Product) -> Status;
    oceanSpGEMM_getNumProducts(Product, *mut i64) -> Status;
    oceanSpGEMM_workEstimation(
        Handle, c_int, c_int, *const c_void, Matrix, Matrix, *const c_void, Matrix, c_int, c_int, Product,
        *mut usize, *mut c_void,
    ) -> Status;
    oceanSpGEMM_estimateMemory(
        Handle, c_int, c_int, *const c_void, Matrix, Matrix, *const c_void, Matrix, c_int, c_int, Product,
        f32, *mut usize, *mut c_void, *mut usize,
    ) -> Status;
    oceanSpGEMM_compute(
        Handle, c_int, c_int, *const c_void, Matrix, Matrix, *const c_void, Matrix, c_int, c_int, Product,
        *mut usize, *mut c_void,
    ) -> Status;
    oceanSpGEMM_copy(
        Handle, c_int, c_int, *const c_void, Matrix, Matrix, *const c_void, Matrix, c_int, c_int, Product,
    ) -> Status;
    oceanSpGEMMreuse_workEstimation(
        Handle, c_int, c_int, Matrix, Matrix, Matrix, c_int, Product, *mut usize, *mut c_void,
    ) -> Status;
    oceanSpGEMMreuse_nnz(
        Handle, c_int, c_int, Matrix, Matrix, Matrix, c_int, Product, *mut usize, *mut c_void, *mut usize,
        *mut c_void, *mut usize, *mut c_void,
    ) -> Status;
    oceanSpGEMMreuse_copy(
        Handle, c_int, c_int, Matrix, Matrix, Matrix, c_int, Product, *mut usize, *mut c_void,
    ) -> Status;
    oceanSpGEMMreuse_compute(
        Handle, c_int, c_int, *const c_void, Matrix, Matrix, *const c_void, Matrix, c_int, c_int, Product,
    ) -> Status;
}

/// The library, or why there is none. Looked for once: beside this one first, then where the loader looks.
pub fn ocean() -> Result<&'static Ocean, &'static str> {
    static FOUND: OnceLock<Result<Ocean, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let beside = loader::beside(FILE).and_then(|file| Library::open(&file));
        let anywhere = || std::ffi::CString::new(FILE).ok().and_then(|file| Library::open(&file));
        let library = beside.or_else(anywhere).ok_or_else(loader::last_error)?;
        Ocean::of(library)
    });
    found.as_ref().map_err(String::as_str)
}

impl Ocean {
    /// What this thread's last failing call had to say.
    pub fn last_error(&self) -> String {
        // SAFETY: never NULL, and valid until the next failing call of this thread.
        unsafe { CStr::from_ptr((self.oceanGetLastErrorString)()) }.to_string_lossy().into_owned()
    }
}
