// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles `cuda/**/*.cu` into the library: with nvcc, or for the CPU emulation (OCEAN_EMU=1) with the host's C++
//! compiler. Without the feature `cuda` there is nothing to compile.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "buildscript/compile.rs"]
mod compile;
#[path = "buildscript/toolkit.rs"]
mod toolkit;
#[path = "buildscript/tuning_header.rs"]
mod tuning_header;

use compile::{Compiler, compile_all, give_up};

/// Ampere, Hopper and both Blackwells; later GPUs translate the PTX.
const DEFAULT_ARCHS: &str = "80;90;100;120+PTX";

/// The numbers that Rust and kernels share.
const TUNING: &str = "src/tuning/kernel.rs";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(ocean_emu)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=buildscript");
    link_arguments();
    if env::var_os("CARGO_FEATURE_CUDA").is_none() {
        return;
    }
    println!("cargo::rerun-if-changed=cuda");
    println!("cargo::rerun-if-changed={TUNING}");

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    write_tuning_header(&out);
    if flag("OCEAN_EMU") {
        emulated(&out);
    } else {
        compiled(&out);
    }
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=static=ocean_kernels");
    println!("cargo::rustc-link-lib=dylib=stdc++");
}

/// The soname changes with the ABI. The library stays loaded once it is: thread-locals of Rust and exit handlers
/// of the CUDA runtime would run into unmapped code otherwise.
fn link_arguments() {
    let major = env::var("CARGO_PKG_VERSION_MAJOR").expect("cargo sets the version");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libocean.so.{major}");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}

/// Whether a variable asks for something; the build runs again when that changes.
fn flag(name: &str) -> bool {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).is_ok_and(|value| !value.is_empty() && value != "0")
}

fn write_tuning_header(out: &Path) {
    let rust = fs::read_to_string(TUNING).unwrap_or_else(|error| give_up(&format!("{TUNING}: {error}")));
    let header = tuning_header::header(&rust).unwrap_or_else(|error| give_up(&format!("{TUNING}: {error}")));
    let path = out.join("tuning.cuh");
    // Untouched when equal: every unit depends on it.
    if fs::read_to_string(&path).ok().as_ref() != Some(&header) {
        fs::write(&path, header).unwrap_or_else(|error| give_up(&format!("{}: {error}", path.display())));
    }
}

fn compiled(out: &Path) {
    for name in toolkit::VARIABLES.iter().chain(&["OCEAN_CUDA_ARCHS", "NVCC_CCBIN"]) {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let kit = toolkit::find().unwrap_or_else(|error| {
        give_up(&format!(
            "{error}.\nEither name a CUDA toolkit, 12.8 or later (NVCC=/path/to/nvcc or CUDA_HOME=/path; \
             `cargo xtask test` installs one under target/),\nor build the host backend alone (--no-default-features)."
        ))
    });
    // No contraction: the roundings of each product and sum are promised.
    let mut arguments: Vec<String> =
        ["-std=c++17", "-O3", "-fmad=false", "--compress-mode=size"].map(String::from).into();
    arguments.push("-Xcompiler=-fPIC,-fvisibility=hidden,-Wall,-Wextra".into());
    arguments.extend(["-Icuda".into(), format!("-I{}", out.display())]);
    let archs = env::var("OCEAN_CUDA_ARCHS").ok().filter(|archs| !archs.is_empty());
    arguments.extend(gencode(archs.as_deref().unwrap_or(DEFAULT_ARCHS)));
    if flag("OCEAN_LINEINFO") {
        arguments.push("-lineinfo".into());
    }
    let nvcc = Compiler { program: kit.nvcc, arguments };
    archive(&compile_all(&nvcc, &units("cuda", &["cu"]), &out.join("nvcc")));

    println!("cargo::rustc-link-search=native={}", kit.lib.display());
    // Not into libocean.a: a program has one CUDA runtime of its own.
    println!("cargo::rustc-link-lib=static:-bundle=cudart_static");
    for library in ["rt", "pthread", "dl"] {
        println!("cargo::rustc-link-lib=dylib={library}");
    }
}

/// The same kernels, every CUDA thread a fiber: a build for tests. See cuda/common/emulation.h.
fn emulated(out: &Path) {
    println!("cargo::rustc-cfg=ocean_emu");
    let cxx = cc::Build::new().cpp(true).std("c++17").opt_level(2).debug(true).warnings(true).pic(true).get_compiler();
    let mut arguments: Vec<String> =
        cxx.args().iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    arguments.extend(
        ["-DOCEAN_EMU", "-ffp-contract=off", "-fvisibility=hidden", "-Wno-unknown-pragmas", "-Icuda"].map(String::from),
    );
    arguments.push(format!("-I{}", out.display()));
    arguments.extend(["-x", "c++"].map(String::from)); // .cu says nothing to a C++ compiler
    let cxx = Compiler { program: cxx.path().to_path_buf(), arguments };
    archive(&compile_all(&cxx, &units("cuda", &["cu", "cpp"]), &out.join("emulated")));
}

/// `80;90;120+PTX` becomes one `-gencode` for each; `+PTX` also embeds PTX.
fn gencode(archs: &str) -> impl Iterator<Item = String> {
    archs.split([';', ',', ' ']).filter(|arch| !arch.is_empty()).flat_map(|arch| {
        let (number, code) = match arch.strip_suffix("+PTX") {
            Some(number) => (number, format!("[sm_{number},compute_{number}]")),
            None => (arch, format!("sm_{arch}")),
        };
        ["-gencode".to_string(), format!("arch=compute_{number},code={code}")]
    })
}

/// Files below `dir` with one of these extensions, in an order that does not depend on the file system.
fn units(dir: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from(dir)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| give_up(&format!("{}: {error}", folder.display()))) {
            let path = entry.expect("a folder can be listed to its end").path();
            if path.is_dir() {
                folders.push(path);
            } else if extensions.iter().any(|wanted| path.extension().is_some_and(|extension| extension == *wanted)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// cc only archives: its CUDA mode adds -G in debug builds, and relocatable device code for several files.
fn archive(objects: &[PathBuf]) {
    cc::Build::new().objects(objects).cargo_metadata(false).compile("ocean_kernels");
}
