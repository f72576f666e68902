// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tools that come as Python wheels, in a virtual environment of their own under the target folder.

use std::fs;
use std::path::PathBuf;

use super::{debian, is_root, link};
use crate::shell::{Step, find_program, target};

/// nvcc and what it compiles against. nvcc's wheel asks for the others without versions, so each is pinned.
const CUDA: &[&str] = &[
    "nvidia-cuda-nvcc==13.0.88",
    "nvidia-cuda-crt==13.0.88",
    "nvidia-nvvm==13.0.88",
    "nvidia-cuda-runtime==13.0.96",
    "nvidia-cuda-cccl==13.0.85",
];

/// Formatting differs between versions, so all machines use one.
const CLANG_FORMAT: &[&str] = &["clang-format==19.1.7"];

fn venv() -> PathBuf {
    target().join("cuda-venv")
}

/// clang-format at the pinned version, installed if need be.
pub fn clang_format() -> Result<PathBuf, String> {
    install("clang-format", CLANG_FORMAT)?;
    installed_clang_format()
}

/// clang-format, if a run before this one has installed it.
pub fn installed_clang_format() -> Result<PathBuf, String> {
    let program = venv().join("bin/clang-format");
    if program.is_file() { Ok(program) } else { Err(format!("{} from PyPI is missing", CLANG_FORMAT.join(" "))) }
}

/// Installs the CUDA compiler, where `build.rs` looks for it.
pub fn install_cuda() -> Result<(), String> {
    install("cuda", CUDA)?;
    for root in toolkit_roots() {
        // nvcc's own profile says lib64, and linking against the shared runtime wants its plain name.
        link("lib", &root.join("lib64"))?;
        link("libcudart.so.13", &root.join("lib/libcudart.so"))?;
    }
    Ok(())
}

/// The folders `lib/python3.X/site-packages/nvidia/cu13` that hold a compiler.
fn toolkit_roots() -> Vec<PathBuf> {
    let below = |dir: PathBuf| fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    below(venv().join("lib"))
        .flat_map(|python| below(python.join("site-packages/nvidia")))
        .filter(|root| root.join("bin/nvcc").is_file())
        .collect()
}

/// Has pip install exactly these packages. The list is kept beside them, so the next time costs nothing.
fn install(name: &str, packages: &[&str]) -> Result<(), String> {
    let stamp = venv().join(format!("{name}.installed"));
    let wanted = packages.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    create_venv()?;
    println!("Installing {name} from PyPI into {}", venv().display());
    Step::new(venv().join("bin/python"))
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(packages)
        .run()
        .map_err(|_| format!("pip could not install {}", packages.join(" ")))?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}

fn create_venv() -> Result<(), String> {
    if venv().join("bin/pip").is_file() {
        return Ok(());
    }
    if find_program("python3").is_none() {
        debian::install(&["python3", "python3-venv"])?;
    }
    let create = || Step::new("python3").args(["-m", "venv", "--clear"]).arg(venv()).run();
    // Debian's python3 has the module but not ensurepip, until python3-venv is there.
    create().or_else(|why| {
        if !is_root() {
            return Err(format!("{why}; apt-get install python3-venv"));
        }
        debian::install(&["python3-venv"])?;
        create()
    })
}
