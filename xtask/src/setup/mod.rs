// SPDX-License-Identifier: MIT OR Apache-2.0

//! Finds the tools that building and testing need, and installs what is missing where that is possible.
//! What stays missing is said once, with the way to get it; the rest goes on without it.

mod debian;
mod python;
#[allow(dead_code, reason = "build.rs uses the rest")]
#[path = "../../../buildscript/toolkit.rs"]
mod toolkit;

use std::env;
use std::path::{Path, PathBuf};

use crate::shell::{Step, find_program, target};
use toolkit::Toolkit;

/// What is there to work with.
pub struct Tools {
    /// The CUDA compiler's toolkit, or why there is none.
    pub cuda: Result<Toolkit, String>,
    /// clang-format at the pinned version, or why there is none.
    pub clang_format: Result<PathBuf, String>,
}

impl Tools {
    /// What is there already; installs nothing.
    pub fn found() -> Self {
        Self { cuda: toolkit::find(), clang_format: python::installed_clang_format() }
    }

    /// A CUDA toolkit, installed if need be. The host backend needs nothing.
    pub fn for_demo() -> Self {
        let tools = Self { cuda: cuda(), ..Self::found() };
        if let Err(why) = &tools.cuda {
            println!("Without CUDA, so the host backend alone is built: {why}\n");
        }
        tools
    }

    /// Everything that any test uses, installed if need be.
    pub fn for_tests() -> Self {
        debian::install_missing();
        let tools = Self { cuda: cuda(), clang_format: python::clang_format() };
        tools.describe();
        tools
    }

    /// Why something that needs these programs can't run, and what to do about it.
    pub fn lacking(&self, programs: &[&str]) -> Option<String> {
        programs.iter().find(|name| find_program(name).is_none()).map(|name| debian::advice(name))
    }

    /// cargo's flags for the features that can be built here.
    pub fn features(&self) -> &'static [&'static str] {
        if self.cuda.is_ok() { &[] } else { &["--no-default-features"] }
    }

    fn describe(&self) {
        println!("Tools:");
        match &self.cuda {
            Ok(kit) => println!("  nvcc          {}", kit.nvcc.display()),
            Err(why) => println!("  nvcc          missing: {why}"),
        }
        match &self.clang_format {
            Ok(program) => println!("  clang-format  {}", program.display()),
            Err(why) => println!("  clang-format  missing: {why}"),
        }
        for tool in debian::TOOLS {
            match find_program(tool.program) {
                Some(file) => println!("  {:12}  {}", tool.program, file.display()),
                None => println!("  {:12}  {}", tool.program, debian::advice(tool.program)),
            }
        }
        println!();
    }
}

/// The toolkit that `build.rs` will find, after an attempt to install one if there is none.
fn cuda() -> Result<Toolkit, String> {
    toolkit::find().or_else(|nothing_found| {
        println!("{nothing_found}");
        let advice = |why| format!("no nvcc: {why}; or set CUDA_HOME to a toolkit, 12.8 or later");
        python::install_cuda().map_err(advice)?;
        toolkit::find()
    })
}

/// The architectures to build kernels for while developing: `OCEAN_CUDA_ARCHS`, else this machine's GPU, else Hopper.
pub fn cuda_archs() -> String {
    if let Ok(archs) = env::var("OCEAN_CUDA_ARCHS") {
        return archs;
    }
    let query = ["--query-gpu=compute_cap", "--format=csv,noheader"];
    let capability = find_program("nvidia-smi").and_then(|program| Step::new(program).args(query).read());
    let first = capability.as_deref().and_then(|text| text.lines().next()).map(|line| line.trim().replace('.', ""));
    first.filter(|arch| arch.parse::<u32>().is_ok()).unwrap_or_else(|| "90".into())
}

/// What makes the reference of the headers, installed if need be.
pub fn install_doxygen() -> Result<(), String> {
    if find_program("doxygen").is_some() { Ok(()) } else { debian::install(&["doxygen"]) }
}

/// mdBook's version; another one may write other pages.
const MDBOOK: &str = "0.5.4";

fn mdbook_folder() -> PathBuf {
    target().join("tools")
}

/// mdBook, on PATH or as a run before this one has built it.
pub fn mdbook() -> Option<PathBuf> {
    let built = mdbook_folder().join("bin/mdbook");
    find_program("mdbook").or_else(|| built.is_file().then_some(built))
}

/// mdBook, built from its source if need be: some minutes.
pub fn install_mdbook() -> Result<PathBuf, String> {
    if let Some(program) = mdbook() {
        return Ok(program);
    }
    let install = Step::cargo().args(["install", "mdbook", "--locked", "--version", MDBOOK, "--root"]);
    install.arg(mdbook_folder()).run()?;
    mdbook().ok_or_else(|| "cargo install mdbook left no mdbook".into())
}

/// Whether this user may install packages.
fn is_root() -> bool {
    Step::new("id").arg("-u").read().is_some_and(|id| id.trim() == "0")
}

/// Makes `link` point to `target` unless something is there.
fn link(target: &str, link: &Path) -> Result<(), String> {
    if link.exists() {
        return Ok(());
    }
    std::os::unix::fs::symlink(target, link).map_err(|error| format!("{}: {error}", link.display()))
}
