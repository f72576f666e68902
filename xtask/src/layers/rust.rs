// SPDX-License-Identifier: MIT OR Apache-2.0

//! `cargo test` in each configuration. Configurations that would overwrite each other's libocean.so, whose name
//! carries no hash, have target folders of their own.

use super::{Context, judged};
use crate::count::Counts;
use crate::setup::cuda_archs;
use crate::shell::{Step, find_program, root, target};

/// All tests but the interposer's, which has a layer of its own: what it loads is the same in every configuration.
pub const ALL: [&str; 4] = ["test", "--workspace", "--exclude", "ocean-cusparse"];

/// Tests of the library that compute with a backend, besides those inside it.
const COMPUTING: [&str; 13] = [
    "alike",
    "analysis_backends",
    "counts",
    "emulator",
    "faults",
    "indices",
    "long_rows",
    "memory_limit",
    "operations",
    "step_backends",
    "structure",
    "sums",
    "workflows",
];

/// The library's own tests and these.
fn library(tests: &[&str]) -> Vec<String> {
    let named = tests.iter().flat_map(|test| ["--test", test]);
    ["test", "--package", "ocean", "--lib"].into_iter().chain(named).map(String::from).collect()
}

/// All tests where there is time for everything.
fn all_or(context: &Context, quick: Vec<String>) -> Step {
    Step::cargo().args(if context.full { ALL.map(String::from).into() } else { quick }).arg("--no-fail-fast")
}

pub fn nothing(_: &Context) -> Option<String> {
    None
}

pub fn no_cuda(context: &Context) -> Option<String> {
    context.tools.cuda.as_ref().err().cloned()
}

pub fn with_cuda(context: &Context) -> Result<Counts, String> {
    // Without a GPU these kernels run nowhere, and what the other tests compute on the host they compute beside the
    // emulated kernels as well.
    if context.full || find_program("nvidia-smi").is_some() || no_emulation(context).is_some() {
        return test(context, Step::cargo().args(ALL).arg("--no-fail-fast"));
    }
    let others = test_programs().into_iter().filter(|test| !COMPUTING.contains(&test.as_str()));
    let others = others.flat_map(|test| ["--test".into(), test]);
    let programs = ["--lib", "--bins"].map(String::from).into_iter().chain(others).collect::<Vec<_>>();
    let mut counts = Counts::default();
    for part in [programs, vec!["--doc".into()]] {
        counts += test(context, Step::cargo().args(ALL).args(part).arg("--no-fail-fast"))?;
    }
    Ok(counts)
}

/// The names of the programs in the folders tests/, each once.
fn test_programs() -> Vec<String> {
    let folders = [".", "cli", "market", "seam", "xtask"].map(|package| root().join(package).join("tests"));
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let programs = files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|kind| kind == "rs"));
    let mut names: Vec<String> =
        programs.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

pub fn host_alone(context: &Context) -> Result<Counts, String> {
    // Everything has run with this very backend in the layer before, unless that could not run.
    let quick = if context.tools.cuda.is_ok() { library(&["workflows"]) } else { ALL.map(String::from).into() };
    let cargo = all_or(context, quick).arg("--no-default-features");
    let cargo = cargo.arg("--target-dir").arg(target().join("host"));
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
    let cargo = all_or(context, library(&COMPUTING));
    let cargo = cargo.arg("--target-dir").arg(target().join("emu")).env("OCEAN_EMU", "1");
    test(context, cargo.without_env("OCEAN_TEST_DATA"))
}

pub fn interposer(context: &Context) -> Result<Counts, String> {
    let cargo = Step::cargo().args(["test", "--package", "ocean-cusparse", "--no-fail-fast"]);
    test(context, cargo.arg("--target-dir").arg(target().join("host")).without_env("OCEAN_TEST_DATA"))
}

pub fn not_full(context: &Context) -> Option<String> {
    (!context.full).then(|| "only with --full".into())
}

/// Builds the crate from the archive that `cargo publish` would send.
pub fn archive(_: &Context) -> Result<Counts, String> {
    let cargo = Step::cargo().args(["package", "--package", "ocean", "--no-default-features", "--allow-dirty"]);
    cargo.arg("--target-dir").arg(target().join("host")).run()?;
    Ok(Counts::one(true))
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
    // What computes; the other tests read files, or open a library that would lack the sanitizer's runtime.
    let cargo =
        Step::new("rustup").args(["run", "nightly", "cargo"]).args(library(&["workflows", "structure", "fuzz"]));
    let cargo = cargo.args(["--no-default-features", "--no-fail-fast", "--target", &triple]);
    let cargo = cargo.arg("--target-dir").arg(target().join("asan")).env("RUSTFLAGS", "-Zsanitizer=address");
    // Tests ask for more than there is, and expect to be told.
    let cargo = cargo.env("ASAN_OPTIONS", "allocator_may_return_null=1");
    test(context, cargo.without_env("OCEAN_TEST_DATA"))
}

fn test(context: &Context, cargo: Step) -> Result<Counts, String> {
    let cargo = cargo.env("OCEAN_CUDA_ARCHS", cuda_archs());
    let cargo = if context.full { cargo.env("OCEAN_TEST_FULL", "1") } else { cargo };
    let what = cargo.to_string();
    let output = cargo.tee()?;
    Ok(judged(Counts::of_libtest(&output.lines), output.success(), &what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_programs_are_found() {
        let found = test_programs();
        assert!(
            COMPUTING.iter().chain(&["mpi", "multiply", "kinds"]).all(|test| found.iter().any(|name| name == test))
        );
    }

    #[test]
    fn every_test_of_the_library_computes_or_is_known_not_to() {
        // They read files, compare text, talk between ranks, need a GPU, or fuzz the host backend.
        let others = [
            "abi",
            "data",
            "dist",
            "dist_cases",
            "docs",
            "exports",
            "fortran",
            "fuzz",
            "gpu",
            "gpu_streams",
            "header",
            "licences",
            "mpi",
            "notice",
            "packages",
        ];
        let mut known: Vec<&str> = COMPUTING.iter().chain(&others).copied().collect();
        known.sort_unstable();
        let files = std::fs::read_dir(root().join("tests")).unwrap().map(|entry| entry.unwrap().path());
        let programs = files.filter(|path| path.extension().is_some_and(|kind| kind == "rs"));
        let mut found: Vec<String> = programs.map(|path| path.file_stem().unwrap().to_string_lossy().into()).collect();
        found.sort();
        assert_eq!(found, known);
    }
}
