// SPDX-License-Identifier: MIT OR Apache-2.0

//! Layers that read the source and run nothing.

use std::fs;
use std::path::{Path, PathBuf};

use super::Context;
use crate::book;
use crate::count::Counts;
use crate::setup;
use crate::shell::{Step, root};

pub fn no_rustfmt(_: &Context) -> Option<String> {
    no_component("fmt", "rustfmt")
}

pub fn rustfmt(_: &Context) -> Result<Counts, String> {
    Step::cargo().args(["fmt", "--all", "--check"]).run()?;
    Ok(Counts::one(true))
}

pub fn no_clippy(_: &Context) -> Option<String> {
    no_component("clippy", "clippy")
}

pub fn clippy(context: &Context) -> Result<Counts, String> {
    let mut counts = Counts::default();
    let without_cuda: &[&str] = &["--no-default-features"];
    let with_cuda = context.tools.cuda.is_ok().then_some(&[][..]);
    for features in with_cuda.into_iter().chain([without_cuda]) {
        // In the tests' profile, so that the kernels are compiled once for both.
        let check = Step::cargo().args(["clippy", "--workspace", "--all-targets", "--profile", "test"]).args(features);
        let check = check.env("OCEAN_CUDA_ARCHS", crate::setup::cuda_archs());
        let clean = check.args(["--", "-D", "warnings"]).run();
        counts.notes.extend(clean.as_ref().err().cloned());
        counts += Counts::one(clean.is_ok());
    }
    if let Err(why) = &context.tools.cuda {
        counts += Counts { skipped: 1, notes: vec![format!("not with CUDA: {why}")], ..Counts::default() };
    }
    Ok(counts)
}

pub fn no_doxygen(context: &Context) -> Option<String> {
    context.tools.lacking(&["doxygen"])
}

/// mdBook is built from source, which takes minutes: only with `--full`, unless it is there already.
pub fn book(context: &Context) -> Result<Counts, String> {
    book::c_reference()?;
    let mut counts = Counts::one(true);
    if context.full {
        book::rust_reference()?;
        counts += Counts::one(true);
    }
    match if context.full { Some(setup::install_mdbook()?) } else { setup::mdbook() } {
        Some(mdbook) => {
            book::book(&mdbook)?;
            counts += Counts::one(true);
        }
        None => counts += Counts { skipped: 1, notes: vec!["no mdbook: --full builds it".into()], ..Counts::default() },
    }
    let dead = book::dead_links()?;
    counts += Counts::one(dead.is_empty());
    counts.notes.extend(dead);
    Ok(counts)
}

fn no_component(command: &str, component: &str) -> Option<String> {
    let there = Step::cargo().args([command, "--version"]).read().is_some();
    (!there).then(|| format!("cargo {command} is missing: rustup component add {component}"))
}

pub fn no_clang_format(context: &Context) -> Option<String> {
    context.tools.clang_format.as_ref().err().cloned()
}

pub fn clang_format(context: &Context) -> Result<Counts, String> {
    let program = context.tools.clang_format.as_ref().map_err(Clone::clone)?;
    let files: Vec<PathBuf> =
        ["cuda", "c_tests", "examples", "mpi"].iter().flat_map(|dir| sources(&root().join(dir))).collect();
    // include/ocean.h is generated.
    let files: Vec<PathBuf> = files.into_iter().chain([root().join("include/ocean.hpp")]).collect();
    if files.is_empty() {
        return Err("no C, C++ or CUDA source was found".into());
    }
    let clean = Step::new(program).args(["--dry-run", "-Werror"]).args(&files).run();
    let fix = format!("clang-format finds something to change: {} -i FILE", program.display());
    clean.map(|()| Counts::one(true)).map_err(|_| fix)
}

/// C, C++ and CUDA files below `dir`, sorted.
fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|kind| ["c", "h", "cpp", "hpp", "cu", "cuh"].iter().any(|k| kind == *k))
        {
            found.push(path);
        }
    }
    found.sort();
    found
}
