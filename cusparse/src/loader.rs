// SPDX-License-Identifier: MIT OR Apache-2.0
//! The dynamic loader: libraries that are opened, and functions in them.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A library that is never closed again.
#[derive(Clone, Copy)]
pub struct Library(*mut c_void);

// SAFETY: the loader's handles may be used by any thread.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl Library {
    /// What comes after this library in the loader's order.
    pub const NEXT: Self = Self(libc::RTLD_NEXT);

    /// Opens a library, found as the loader finds it.
    pub fn open(file: &CStr) -> Option<Self> {
        Self::with_flags(file, libc::RTLD_LAZY | libc::RTLD_LOCAL)
    }

    /// A library that somebody has opened already.
    pub fn opened(file: &CStr) -> Option<Self> {
        Self::with_flags(file, libc::RTLD_LAZY | libc::RTLD_NOLOAD)
    }

    fn with_flags(file: &CStr, flags: c_int) -> Option<Self> {
        // SAFETY: the name ends in NUL. Whoever names a library wants its constructors to run.
        let handle = unsafe { libc::dlopen(file.as_ptr(), flags) };
        (!handle.is_null()).then_some(Self(handle))
    }

    /// The address of a function.
    pub fn symbol(self, name: &CStr) -> Option<NonNull<c_void>> {
        // SAFETY: the handle is live or RTLD_NEXT, and the name ends in NUL.
        NonNull::new(unsafe { real_dlsym()(self.0, name.as_ptr()) })
    }
}

/// `dlsym`.
pub type Dlsym = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

/// The C library's own dlsym: this library may export another one. Allocates nothing, since allocators call dlsym.
pub fn real_dlsym() -> Dlsym {
    static FOUND: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
    let mut address = FOUND.load(Ordering::Relaxed);
    if address.is_null() {
        // The second is what it was called before glibc 2.34, by architecture.
        for version in [c"GLIBC_2.34", c"GLIBC_2.2.5", c"GLIBC_2.17"] {
            // SAFETY: both names end in NUL.
            address = unsafe { libc::dlvsym(libc::RTLD_NEXT, c"dlsym".as_ptr(), version.as_ptr()) };
            if !address.is_null() {
                break;
            }
        }
        FOUND.store(address, Ordering::Relaxed);
    }
    if address.is_null() {
        return nothing;
    }
    // SAFETY: that is dlsym's signature.
    unsafe { std::mem::transmute::<*mut c_void, Dlsym>(address) }
}

/// Where no dlsym is to be found, nothing else is.
unsafe extern "C" fn nothing(_: *mut c_void, _: *const c_char) -> *mut c_void {
    std::ptr::null_mut()
}

/// This library's own file.
pub fn own_file() -> Option<CString> {
    // SAFETY: plain data, for which zeros are a value.
    let mut found: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: an address in this library, and room for the answer.
    let known = unsafe { libc::dladdr(own_file as *const c_void, &mut found) };
    if known == 0 || found.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the loader keeps the name as long as the library, which is never closed.
    Some(unsafe { CStr::from_ptr(found.dli_fname) }.to_owned())
}

/// A file beside this library.
pub fn beside(name: &str) -> Option<CString> {
    let own = own_file()?;
    let own: &Path = Path::new(std::ffi::OsStr::from_bytes(own.as_bytes()));
    let file: PathBuf = own.parent()?.join(name);
    CString::new(file.as_os_str().as_bytes()).ok()
}

/// Why the last attempt to open a library in this thread failed.
pub fn last_error() -> String {
    // SAFETY: gives NULL or a string that lives until this thread's next call of its kind.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        return "unknown error".into();
    }
    // SAFETY: as above.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
