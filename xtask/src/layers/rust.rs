// SPDX-License-Identifier: MIT OR Apache-2.0

//! `cargo test` in each configuration. Configurations that would overwrite each other's libocean.so, whose name
//! carries no hash, have target folders of their own.

use super::{Context, judged};
use crate::count::Counts;
use crate::setup::cuda_archs;
use crate::shell::{Step, find_program, target};

/// All tests but the interposer's, which has a layer of its own: what it loads is the same in every configuration.
pub const ALL: [&str; 4] = ["test", "--workspace", "--exclude", "ocean-cusparse"];

pub fn nothing(_: &Context) -> Option<String> {
    None
}

pub fn no_cuda(context: &Context) -> Option<String> {
    context.tools.cuda.as_ref().err().cloned()
}

pub fn with_cuda(context: &Context) -> Result<Counts, String> {
    test(context, Step::cargo().args(ALL).arg("--no-fail-fast"))
}

pub fn host_alone(context: &Context) -> Result<Counts, String> {
    let cargo = Step::cargo().args(ALL).args(["--no-fail-fast", "--no-default-features"]);
    let cargo = cargo.arg("--target-dir").arg(target().join("host"));
    // The matrices have gone through this very backend in the layer before, unless that could not run.
    let cargo = if context.tools.cuda.is_ok() { cargo.without_env("OCEAN_TEST_DATA") } else { cargo };
    test(context, cargo)
}

pub fn no_emulation(context: &Context) -> Option<String> {
    if !cfg!(target_arch = "x86_64") {
        return Some("the emulation switches fibers in x86-64 assembly".into());
    }
    context.tools.lacking(&["c++"])
}

pub fn emulated(context: &Context) -> Result<Counts, String> {
    let cargo = Step::cargo().args(ALL).arg("--no-fail-fast");
    let cargo = cargo.arg("--target-dir").arg(target().join("emu")).env("OCEAN_EMU", "1");
    test(context, cargo.without_env("OCEAN_TEST_DATA"))
}

pub fn interposer(context: &Context) -> Result<Counts, String> {
    let cargo = Step::cargo().args(["test", "--package", "ocean-cusparse", "--no-fail-fast"]);
    test(context, cargo.arg("--target-dir").arg(target().join("host")).without_env("OCEAN_TEST_DATA"))
}

pub fn no_sanitizer(_: &Context) -> Option<String> {
    let nightly = find_program("rustup")
        .and_then(|rustup| Step::new(rustup).args(["run", "nightly", "rustc", "--print", "sysroot"]).read());
    match nightly {
        None => Some("no nightly toolchain: rustup toolchain install nightly".into()),
        Some(_) => None,
    }
}

pub fn address_sanitizer(context: &Context) -> Result<Counts, String> {
    // An explicit --target keeps the sanitizer out of build scripts and proc macros.
    let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let cargo = Step::new("rustup").args(["run", "nightly", "cargo", "test", "--package", "ocean"]);
    // What computes; the other tests read files, or open a library that would lack the sanitizer's runtime.
    let tests = ["--lib", "--test", "workflows", "--test", "data"];
    let cargo = cargo.args(["--no-default-features", "--no-fail-fast", "--target", &triple]).args(tests);
    let cargo = cargo.arg("--target-dir").arg(target().join("asan")).env("RUSTFLAGS", "-Zsanitizer=address");
    test(context, cargo.without_env("OCEAN_TEST_DATA"))
}

fn test(context: &Context, cargo: Step) -> Result<Counts, String> {
    let cargo = cargo.env("OCEAN_CUDA_ARCHS", cuda_archs());
    let cargo = if context.full { cargo.env("OCEAN_TEST_FULL", "1") } else { cargo };
    let what = cargo.to_string();
    let output = cargo.tee()?;
    Ok(judged(Counts::of_libtest(&output.lines), output.success(), &what))
}
