// SPDX-License-Identifier: MIT OR Apache-2.0
//! The name that programs linked with the interposer ask for: without a number, since the ABI is cuSPARSE's and not ours.
//! It stays loaded once it is: functions of it are in use, and what it prints at exit must be there.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libocean_cusparse.so");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
