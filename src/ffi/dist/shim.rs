// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the MPI shim lies.

use std::ffi::{CStr, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const NAME: &str = "libocean_mpi.so";

/// What was said, else what OCEAN_MPI_SHIM says, else the file beside this library, else whatever the loader finds.
pub(super) fn path(said: Option<PathBuf>) -> PathBuf {
    let variable = || std::env::var_os("OCEAN_MPI_SHIM").filter(|path| !path.is_empty()).map(PathBuf::from);
    let beside = || folder().map(|folder| folder.join(NAME)).filter(|path| path.is_file());
    said.or_else(variable).or_else(beside).unwrap_or_else(|| Path::new(NAME).to_owned())
}

/// The folder of the file that this code was loaded from.
fn folder() -> Option<PathBuf> {
    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    let code = path as fn(Option<PathBuf>) -> PathBuf as *const c_void;
    // SAFETY: any address may be asked for, and the result is ours.
    let found = unsafe { libc::dladdr(code, &mut info) } != 0;
    if !found || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the loader's own text, which lives as long as the library is loaded.
    let file = unsafe { CStr::from_ptr(info.dli_fname) };
    Path::new(OsStr::from_bytes(file.to_bytes())).parent().map(Path::to_owned)
}
