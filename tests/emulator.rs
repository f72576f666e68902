// SPDX-License-Identifier: MIT OR Apache-2.0
//! The emulation that kernels are tested in, tested itself: planted faults are caught, faultless kernels run right, with
//! and without sanitizers; and no kernel has a barrier that could go without a test noticing.
//! Part of the emulated build (OCEAN_EMU=1), though the programs here are compiled by themselves.
#![cfg(ocean_emu)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[path = "../buildscript/tuning_header.rs"]
mod tuning_header;

const SANITIZED: [&str; 4] = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"];

/// A folder for one test, with the header that build.rs would write.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emulator").join(test);
    fs::create_dir_all(&folder).unwrap();
    let header = tuning_header::header(include_str!("../src/tuning/kernel.rs")).unwrap();
    fs::write(folder.join("tuning.cuh"), header).unwrap();
    folder
}

fn compiler() -> Command {
    let mut compiler = Command::new(std::env::var_os("CXX").unwrap_or_else(|| "c++".into()));
    compiler.current_dir(env!("CARGO_MANIFEST_DIR"));
    compiler.args(["-std=c++17", "-DOCEAN_EMU", "-Icuda", "-pthread", "-ffp-contract=off"]);
    compiler
}

/// Compiles sources for the emulation into a program.
fn program(folder: &Path, name: &str, flags: &[&str], sources: &[&str]) -> Result<PathBuf, String> {
    let program = folder.join(name);
    let include = format!("-I{}", folder.display());
    let output = compiler().args(flags).arg(include).args(["-x", "c++"]).args(sources).arg("-o").arg(&program).output();
    let output = output.map_err(|error| format!("no C++ compiler (CXX, or c++): {error}"))?;
    if output.status.success() { Ok(program) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Whether programs can be linked with the sanitizers; if not, says so.
fn sanitizers(test: &str, folder: &Path) -> bool {
    fs::write(folder.join("empty.cpp"), "int main() {}").unwrap();
    let source = folder.join("empty.cpp");
    let works = program(folder, "empty", &SANITIZED, &[source.to_str().unwrap()]).and_then(|empty| {
        let output = Command::new(empty).output().map_err(|error| error.to_string())?;
        if output.status.success() { Ok(()) } else { Err(format!("it exits with {}", output.status)) }
    });
    if let Err(why) = &works {
        let why = why.lines().next().unwrap_or_default();
        let line = format!("skipped: {test}: no address sanitizer: {why}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap(); // past libtest's capture
    }
    works.is_ok()
}

fn run(program: &Path, words: &[&str], seed: u32) -> Output {
    Command::new(program).args(words).env("OCEAN_EMU_SEED", seed.to_string()).output().unwrap()
}

fn words(output: &Output) -> String {
    format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))
}

/// Runs the self-test's cases without faults, and those whose faults end with a message.
fn check_selftest(program: &Path) {
    let faults = [
        ("missing barrier", "not so: "),
        ("missing warp barrier", "not so: "),
        ("divergent collective", "divergent collective: other lanes of mask ffffffff are in __"),
        ("divergent barrier", "divergent barrier: other threads of the block are at tests/emulator/selftest.cpp:"),
        ("deadlock", "deadlock: 4 threads wait at __syncthreads, 124 in a warp collective"),
        ("foreign mask", "is not in its own mask 0000ff00"),
        ("absent lane", "reads lane 20, which takes no part"),
    ];
    for seed in 0..4 {
        let output = run(program, &["right"], seed);
        assert!(output.status.success(), "seed {seed}: {}", words(&output));
        for (fault, message) in faults {
            let output = run(program, &[fault], seed);
            let caught = !output.status.success() && words(&output).contains(message);
            assert!(caught, "{fault}, seed {seed}: {}", words(&output));
        }
    }
}

const SELFTEST: [&str; 2] = ["tests/emulator/selftest.cpp", "cuda/common/emulation.cpp"];

#[test]
fn planted_faults_are_caught() {
    let folder = folder("plain");
    check_selftest(&program(&folder, "selftest", &["-O2"], &SELFTEST).unwrap());
}

/// The switch for processors that have none of our own.
#[test]
fn planted_faults_are_caught_on_the_portable_switch() {
    let folder = folder("ucontext");
    check_selftest(&program(&folder, "selftest", &["-O2", "-DOCEAN_EMU_UCONTEXT"], &SELFTEST).unwrap());
}

#[test]
fn planted_faults_are_caught_under_sanitizers_and_so_are_overflows() {
    let folder = folder("sanitized");
    if !sanitizers("planted_faults_are_caught_under_sanitizers_and_so_are_overflows", &folder) {
        return;
    }
    let selftest = program(&folder, "selftest", &SANITIZED, &SELFTEST).unwrap();
    check_selftest(&selftest);
    for (fault, message) in [
        ("static overflow", "index 9 out of bounds"),
        ("dynamic overflow", "heap-buffer-overflow"),
        ("read past an array", "heap-buffer-overflow"),
    ] {
        let output = run(&selftest, &[fault], 1);
        assert!(!output.status.success() && words(&output).contains(message), "{fault}: {}", words(&output));
    }
}

/// The units that the kernels' own test program calls, and those that they call. The accumulators run under shuffled
/// orders in `workflows`.
fn units() -> Vec<PathBuf> {
    let cuda = Path::new(env!("CARGO_MANIFEST_DIR")).join("cuda");
    let analysis = fs::read_dir(cuda.join("analysis")).unwrap().map(|entry| entry.unwrap().path());
    let mut units: Vec<PathBuf> = analysis.filter(|path| path.extension().is_some_and(|kind| kind == "cu")).collect();
    units.sort();
    units.push(cuda.join("common/device_wide.cu"));
    units
}

/// The kernels' own test program, with `instead` in place of one unit.
fn kernel_test(folder: &Path, name: &str, flags: &[&str], instead: Option<(&Path, &Path)>) -> PathBuf {
    let units = units();
    let mut sources = vec!["tests/emulator/analysis.cpp", "cuda/common/emulation.cpp"];
    sources.extend(units.iter().map(|unit| match instead {
        Some((original, changed)) if original == unit => changed.to_str().unwrap(),
        _ => unit.to_str().unwrap(),
    }));
    program(folder, name, flags, &sources).unwrap()
}

#[test]
fn kernels_pass_the_sanitizers() {
    let folder = folder("sanitized-kernels");
    if !sanitizers("kernels_pass_the_sanitizers", &folder) {
        return;
    }
    let program = kernel_test(&folder, "analysis", &SANITIZED, None);
    for seed in 0..3 {
        let output = run(&program, &[], seed);
        assert!(output.status.success(), "seed {seed}: {}", words(&output));
    }
}

#[test]
fn no_barrier_of_a_kernel_can_go_unnoticed() {
    let folder = folder("barriers");
    let faultless = kernel_test(&folder, "faultless", &["-O1"], None);
    for seed in 0..4 {
        let output = run(&faultless, &[], seed);
        assert!(output.status.success(), "seed {seed}: {}", words(&output));
    }
    let mut barriers = 0;
    for unit in units() {
        let source = fs::read_to_string(&unit).unwrap();
        for barrier in ["__syncthreads();", "__syncwarp();"] {
            for (place, _) in source.match_indices(barrier) {
                barriers += 1;
                let changed = folder.join(format!("without-{barriers}.cu"));
                fs::write(&changed, [&source[..place], ";", &source[place + barrier.len()..]].concat()).unwrap();
                let faulty = kernel_test(&folder, "faulty", &["-O1"], Some((&unit, &changed)));
                let noticed = (0..4).any(|seed| !run(&faulty, &[], seed).status.success());
                let line = source[..place].lines().count();
                assert!(noticed, "{}:{line}: nothing changes without this {barrier}", unit.display());
            }
        }
    }
    assert!(barriers >= 3, "only {barriers} barriers found: are they written in another way now?");
}
