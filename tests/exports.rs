// SPDX-License-Identifier: MIT OR Apache-2.0

//! The libraries as the linker and the loader see them.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::process::Command;

/// The library that cargo built for these tests: it lies beside them.
fn library(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its path");
    let file = test.with_file_name(name);
    assert!(file.is_file(), "{} is missing", file.display());
    file
}

fn run(program: &str, arguments: &[&str], file: &PathBuf) -> String {
    let output = Command::new(program).args(arguments).arg(file).output();
    let output = output.unwrap_or_else(|error| panic!("{program} (package binutils): {error}"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The names that `nm` lists.
fn symbols(arguments: &[&str], file: &PathBuf) -> Vec<String> {
    let listing = run("nm", arguments, file);
    listing.lines().filter_map(|line| line.split_whitespace().nth(2)).map(String::from).collect()
}

#[test]
fn shared_library_exports_only_what_begins_with_ocean() {
    let names = symbols(&["-D", "--defined-only"], &library("libocean.so"));
    assert!(names.iter().any(|name| name == "oceanCreate"), "{names:?}");
    let foreign: Vec<_> = names.iter().filter(|name| !name.starts_with("ocean")).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    // Launchers of kernels are ours too, but nobody else's business.
    let internal: Vec<_> = names.iter().filter(|name| name.starts_with("ocean_")).collect();
    assert!(internal.is_empty(), "{internal:?}");
}

#[test]
fn every_exported_function_is_in_a_header_and_the_other_way_round() {
    let header = concat!(include_str!("../include/ocean.h"), include_str!("../include/ocean_dist.h"));
    let names = symbols(&["-D", "--defined-only"], &library("libocean.so"));
    for name in &names {
        assert!(
            header.contains(&format!(" {name}(")) || header.contains(&format!("*{name}(")),
            "{name} is not declared"
        );
    }
    let declared = header.lines().filter(|line| !line.trim_start().starts_with(['*', '/', '#', ' ']));
    let declared =
        declared.filter_map(|line| line.split_once('(')).filter_map(|(before, _)| before.split([' ', '*']).next_back());
    let missing: Vec<_> =
        declared.filter(|name| name.starts_with("ocean") && !names.iter().any(|exported| exported == name)).collect();
    assert!(missing.is_empty(), "declared, but not exported: {missing:?}");
}

#[test]
fn shared_library_has_its_soname_and_needs_only_the_system() {
    let dynamic = run("readelf", &["-d", "-W"], &library("libocean.so"));
    let soname = format!("[libocean.so.{}]", env!("CARGO_PKG_VERSION_MAJOR"));
    assert!(dynamic.lines().any(|line| line.contains("SONAME") && line.contains(&soname)), "{dynamic}");
    assert!(dynamic.contains("NODELETE"), "{dynamic}");
    let system = [
        "libc.so.",
        "libm.so.",
        "libgcc_s.so.",
        "libstdc++.so.",
        "ld-linux",
        "libdl.so.",
        "librt.so.",
        "libpthread.so.",
    ];
    for line in dynamic.lines().filter(|line| line.contains("(NEEDED)")) {
        assert!(system.iter().any(|name| line.contains(&format!("[{name}"))), "{line}");
    }
}

#[test]
fn shared_library_loads_where_there_may_be_no_driver() {
    // SAFETY: the declarations are those of the C library that every Rust program links.
    unsafe extern "C" {
        fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
        fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
        fn dlerror() -> *mut c_char;
    }
    const RTLD_NOW: c_int = 2; // all symbols at once: nothing may be missing
    let path = CString::new(library("libocean.so").into_os_string().into_encoded_bytes()).expect("a path has no NUL");
    // SAFETY: the path ends in NUL; the library's initialisers are Rust's and the CUDA runtime's, which expect this.
    let handle = unsafe { dlopen(path.as_ptr(), RTLD_NOW) };
    // SAFETY: after a failed dlopen, dlerror gives a string that lives until the next call of its kind.
    let why = || unsafe { CStr::from_ptr(dlerror()) }.to_string_lossy().into_owned();
    assert!(!handle.is_null(), "{}", why());

    // SAFETY: the handle is live and the name ends in NUL.
    let symbol = unsafe { dlsym(handle, c"oceanGetErrorName".as_ptr()) };
    assert!(!symbol.is_null(), "oceanGetErrorName is not there");
    // SAFETY: that is the function's signature in ocean.h, where an enum argument is an int.
    let name: unsafe extern "C" fn(c_int) -> *const c_char = unsafe { std::mem::transmute(symbol) };
    // SAFETY: the function takes any int and gives a string that is never freed.
    let name = unsafe { CStr::from_ptr(name(0)) };
    assert_eq!(name, c"OCEAN_STATUS_SUCCESS");
}

#[test]
fn static_library_leaves_the_cuda_runtime_to_the_program() {
    let names = symbols(&["-g", "--defined-only"], &library("libocean.a"));
    assert!(names.iter().any(|name| name == "oceanCreate"), "the library's own functions are there");
    let cuda: Vec<_> = names.iter().filter(|name| name.trim_start_matches('_').starts_with("cuda")).collect();
    assert!(cuda.is_empty(), "{} symbols, such as {:?}", cuda.len(), cuda.first());
}
