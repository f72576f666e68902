// SPDX-License-Identifier: MIT OR Apache-2.0
//! `dlsym`, for programs that open cuSPARSE by name and ask for its functions (Julia): with `OCEAN_DLSYM=1` they get
//! ours. Without it, and for all other names, the C library's own answers as if it had been called: by a jump, since it
//! looks at the return address to know who asks.
//!
//! Allocates nothing until a name of cuSPARSE's comes by: allocators call dlsym before they work.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

use crate::loader::{self, Library, real_dlsym};

/// The C library's, for the jump.
static REAL: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// The C library's dlsym, but for cuSPARSE's names where `OCEAN_DLSYM=1` asks for that.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void {
    // Both arguments are kept over the call, on a stack aligned to 16 bytes.
    core::arch::naked_asm!(
        "endbr64",
        "push rdi",
        "push rsi",
        "sub rsp, 8",
        "call {ours}",
        "add rsp, 8",
        "pop rsi",
        "pop rdi",
        "test rax, rax",
        "jne 2f",
        "jmp qword ptr [rip + {real}]",
        "2: ret",
        ours = sym ours,
        real = sym REAL,
    )
}

/// Our function in place of the real library's; NULL to have the C library answer.
unsafe extern "C" fn ours(library: *mut c_void, name: *const c_char) -> *mut c_void {
    let real = real_dlsym();
    REAL.store(real as *mut c_void, Ordering::Relaxed);
    // What is no handle asks for the loader's order, in which a preloaded library comes first anyway.
    if name.is_null() || library == libc::RTLD_DEFAULT || library == libc::RTLD_NEXT || !asked_for() {
        return null_mut();
    }
    // SAFETY: dlsym asks for a string.
    let name = unsafe { CStr::from_ptr(name) };
    if !name.to_bytes().starts_with(b"cusparse") {
        return null_mut();
    }
    // A function that the program's library lacks must stay missing: that is how versions are told apart.
    // SAFETY: the arguments go on as they came.
    if unsafe { real(library, name.as_ptr()) }.is_null() {
        return null_mut();
    }
    own(name)
}

/// The function of this name that this library exports.
fn own(name: &CStr) -> *mut c_void {
    let library = loader::own_file().and_then(|file| Library::opened(&file));
    library.and_then(|library| library.symbol(name)).map_or(null_mut(), |address| address.as_ptr())
}

/// `OCEAN_DLSYM=1`, and no `OCEAN_DISABLE`; read once.
fn asked_for() -> bool {
    const UNKNOWN: u8 = 2;
    static ASKED: AtomicU8 = AtomicU8::new(UNKNOWN);
    let known = ASKED.load(Ordering::Relaxed);
    if known != UNKNOWN {
        return known == 1;
    }
    let asked = is_set(c"OCEAN_DLSYM") && !is_set(c"OCEAN_DISABLE");
    ASKED.store(asked.into(), Ordering::Relaxed);
    asked
}

fn is_set(variable: &CStr) -> bool {
    // SAFETY: the name ends in NUL; the value lives while nobody changes the environment, and is read at once.
    unsafe {
        let value = libc::getenv(variable.as_ptr());
        !value.is_null() && !matches!(CStr::from_ptr(value).to_bytes(), b"" | b"0")
    }
}
