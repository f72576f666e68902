// SPDX-License-Identifier: MIT OR Apache-2.0

//! Packs what a GPU machine without cargo needs to test ocean: programs built here, data, and the script that runs
//! them there and writes the report.

mod data;
mod pack;

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

use crate::cmake::{self, Program};
use crate::layers;
use crate::setup::Tools;
use crate::shell::{Step, root, target};
use pack::Pack;

/// The whole pack. Compressed, it's less than half, and travels easily.
const PACK_BYTES: u64 = 96 << 20;

/// Rust tests that read the source tree or cargo's own files, and so can't move, or have nothing to do with a GPU.
const STAY_HERE: &[&str] = &[
    "abi",
    "docs",
    "header",
    "fortran",
    "licences",
    "notice",
    "packages",
    "exports",
    "emulator",
    "counts",
    "dist",
    "dist_cases",
    "mpi",
];

/// Builds everything for the GPU machine and packs it in `target/gpu`.
pub fn run() -> Result<(), String> {
    let tools = Tools::for_tests();
    tools.cuda.as_ref().map_err(|why| format!("kernels can't be compiled: {why}"))?;
    let archs = env::var("OCEAN_CUDA_ARCHS").unwrap_or_else(|_| "90".into());

    let folder = target().join("gpu");
    let mut pack = Pack::new(&folder)?;
    for (name, file) in rust_tests(&archs)? {
        let marks = marks(&name);
        pack.test(&name, "rust", marks, &Program { file, arguments: Vec::new(), environment: Vec::new() })?;
    }
    pack_native(&tools, &archs, &mut pack)?;
    pack_interposer(&mut pack)?;
    cargo(&archs, &["build", "--release", "--package", "ocean-cli"]).run()?;
    pack.program("ocean", &target().join("release/ocean"))?;
    pack.file("libocean.so.0", &target().join("release/libocean.so"))?;
    pack.text("commit", &commit())?;
    pack.script("run.sh", include_str!("run.sh"))?;
    pack.list()?;

    let left = PACK_BYTES.saturating_sub(pack.bytes()?);
    match env::var_os("OCEAN_TEST_DATA") {
        Some(source) => println!("{}", data::copy(Path::new(&source), &folder.join("matrices"), left)?),
        None => println!("No matrices packed: OCEAN_TEST_DATA is not set."),
    }
    let bytes = pack.bytes()?;
    let archive = target().join("gpu.tar.xz");
    Step::new("tar").args(["-cJf"]).arg(&archive).arg("-C").arg(target()).arg("gpu").run()?;
    println!(
        "{}: {:.1} MiB, and compressed {}. There: bash gpu/run.sh",
        folder.display(),
        bytes as f64 / (1 << 20) as f64,
        archive.display()
    );
    if bytes > PACK_BYTES {
        return Err(format!("the pack has {bytes} bytes, more than {PACK_BYTES}"));
    }
    Ok(())
}

fn cargo(archs: &str, arguments: &[&str]) -> Step {
    Step::cargo().args(arguments).env("OCEAN_CUDA_ARCHS", archs)
}

/// The library's test programs and what they are called.
fn rust_tests(archs: &str) -> Result<Vec<(String, PathBuf)>, String> {
    // The profile for tests is optimised, and the same command line as in `cargo xtask test` shares its builds: a
    // release build of all that tests link takes minutes and shows no more.
    let build = [&layers::ALL_RUST_TESTS[..], &["--no-run"]].concat();
    cargo(archs, &build).run()?; // for the eye; then, with nothing left to build, for the list
    let messages = cargo(archs, &build).arg("--message-format=json").read().ok_or("cargo does not list the tests")?;
    let manifest = root().join("Cargo.toml");
    let tests: Vec<(String, PathBuf)> = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["profile"]["test"] == true && message["manifest_path"] == *manifest.to_string_lossy())
        .filter_map(|message| {
            // The library's unit tests are called as the library, and so is the command.
            let name = message["target"]["name"].as_str()?;
            let name = if name == "ocean" { UNIT_TESTS } else { name };
            Some((name.into(), message["executable"].as_str()?.into()))
        })
        .filter(|(name, _): &(String, PathBuf)| !STAY_HERE.contains(&name.as_str()))
        .collect();
    if tests.is_empty() { Err("cargo lists no tests".into()) } else { Ok(tests) }
}

/// What the library's unit tests are called in the pack.
const UNIT_TESTS: &str = "ocean_units";

/// Tests that launch kernels, by their names; the sanitizers, which slow kernels down a hundred times, leave out what is
/// large, and what must not wait for a launch.
fn marks(name: &str) -> &'static str {
    if name.contains("data") {
        "gpu,large"
    } else if name.contains("streams") {
        "gpu,at once"
    } else if ["alike", "backends", "gpu", "long_rows", "workflows"].iter().any(|word| name.contains(word)) {
        "gpu"
    } else {
        "-"
    }
}

/// The C and C++ programs, which find the library beside them: as they are, with arrays on the host; and those that
/// multiply once more, with arrays on the GPU, as `device_...`.
fn pack_native(tools: &Tools, archs: &str, pack: &mut Pack) -> Result<(), String> {
    let options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_BUILD_RPATH=$ORIGIN"].map(String::from);
    let on_host = target().join("cmake-gpu");
    cmake::build(tools, &on_host, archs, &options)?;
    for program in cmake::programs(&on_host, &["consumer", "heavy"])? {
        pack.test(&program.name(), "program", "-", &program)?;
    }
    let on_device = target().join("cmake-gpu-device");
    cmake::build(tools, &on_device, archs, &[&options[..], &["-DOCEAN_TEST_CUDA=ON".into()]].concat())?;
    for mut program in cmake::programs(&on_device, &["consumer", "heavy", "abi"])? {
        program.environment.push(("OCEAN_BACKEND".into(), "cuda".into()));
        pack.test(&format!("device_{}", program.name()), "program", "device", &program)?;
    }
    Ok(())
}

/// Programs for the interposer, and what they need.
const INTERPOSER: [&str; 10] = [
    "c_tests/samples/sample.h",
    "c_tests/samples/spgemm.c",
    "c_tests/samples/spgemm_mem.c",
    "c_tests/samples/spgemm_reuse.c",
    "c_tests/device.h",
    "c_tests/device.c",
    "c_tests/interposer/on_gpu.c",
    "examples/interposer/torch_products.py",
    "examples/interposer/cupy_products.py",
    "examples/interposer/compare.py",
];

/// The interposer, and programs of cuSPARSE: sources, since they are to be built with the vendor's own header. CMake has
/// had the library built.
fn pack_interposer(pack: &mut Pack) -> Result<(), String> {
    pack.program("libocean_cusparse.so", &target().join("release/libocean_cusparse.so"))?;
    pack.folder("interposer", &INTERPOSER.map(|file| root().join(file)))?;
    pack.script_test("interposer_c.sh", include_str!("interposer_c.sh"))?;
    pack.script_test("interposer_python.sh", include_str!("interposer_python.sh"))
}

/// The commit that is packed, marked if the tree differs from it.
fn commit() -> String {
    let git = |arguments: &[&str]| Step::new("git").args(arguments).read();
    match git(&["rev-parse", "HEAD"]) {
        Some(commit) => {
            let changed = git(&["status", "--porcelain"]).is_none_or(|changes| !changes.is_empty());
            format!("{}{}", commit.trim(), if changed { "+" } else { "" })
        }
        None => "none".into(),
    }
}

/// The bytes of all files below `folder`.
fn bytes_below(folder: &Path) -> Result<u64, String> {
    let mut bytes = 0;
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let metadata = entry.metadata().map_err(|error| format!("{}: {error}", entry.path().display()))?;
        bytes += if metadata.is_dir() { bytes_below(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}

/// For messages of errors: `path: error`.
fn failed(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_interposer_is_packed_with_is_there() {
        for file in INTERPOSER {
            assert!(root().join(file).is_file(), "{file}");
        }
    }

    #[test]
    fn the_scripts_are_sound_bash() {
        for script in ["run.sh", "interposer_c.sh", "interposer_python.sh"] {
            Step::new("bash").arg("-n").arg(root().join("xtask/src/gpu").join(script)).run().unwrap();
        }
    }
}
