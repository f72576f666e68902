// SPDX-License-Identifier: MIT OR Apache-2.0

//! Programs that Debian and Ubuntu package: installed with apt-get by root, named to everyone else.

use super::is_root;
use crate::shell::{Step, find_program};

/// A program, and the packages that bring it.
pub struct Tool {
    /// As found on PATH.
    pub program: &'static str,
    packages: &'static [&'static str],
}

/// All that the tests use beyond cargo and a C compiler.
pub const TOOLS: &[Tool] = &[
    Tool { program: "c++", packages: &["g++"] },
    Tool { program: "gfortran", packages: &["gfortran"] },
    Tool { program: "make", packages: &["make"] },
    Tool { program: "cmake", packages: &["cmake"] },
    Tool { program: "pkg-config", packages: &["pkg-config"] },
    // valgrind needs the loader's symbols, which lie in libc6-dbg.
    Tool { program: "valgrind", packages: &["valgrind", "libc6-dbg"] },
    Tool { program: "mpicc", packages: &["libopenmpi-dev", "openmpi-bin"] },
    // The judge of `ocean mcl`.
    Tool { program: "mcl", packages: &["mcl"] },
    Tool { program: "python3", packages: &["python3", "python3-venv"] },
    Tool { program: "doxygen", packages: &["doxygen"] },
];

/// "cmake is missing: apt-get install cmake".
pub fn advice(program: &str) -> String {
    let packages = TOOLS.iter().find(|tool| tool.program == program).map(|tool| tool.packages.join(" "));
    match packages {
        Some(packages) => format!("{program} is missing: apt-get install {packages}"),
        None => format!("{program} is missing"),
    }
}

/// Installs the [`TOOLS`] that are not there, when this user may.
pub fn install_missing() {
    let packages: Vec<&str> = TOOLS
        .iter()
        .filter(|tool| find_program(tool.program).is_none())
        .flat_map(|tool| tool.packages)
        .copied()
        .collect();
    if !packages.is_empty()
        && let Err(why) = install(&packages)
    {
        println!("Not installed: {why}");
    }
}

/// Installs packages; if that fails, those of them that can be.
pub fn install(packages: &[&str]) -> Result<(), String> {
    let command = format!("apt-get install {}", packages.join(" "));
    if find_program("apt-get").is_none() {
        return Err(format!("{} (no apt-get here)", packages.join(", ")));
    }
    if !is_root() {
        return Err(format!("{} (needs root: {command})", packages.join(", ")));
    }
    // Old lists may do, so a failing update alone stops nothing.
    if let Err(why) = apt_get().args(["update", "-qq"]).run_quietly() {
        println!("{why}");
    }
    let add =
        |packages: &[&str]| apt_get().args(["install", "-qq", "--no-install-recommends"]).args(packages).run_quietly();
    if add(packages).is_ok() {
        return Ok(());
    }
    let failed: Vec<&str> = packages.iter().copied().filter(|package| add(&[package]).is_err()).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join(", ")) }
}

fn apt_get() -> Step {
    Step::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").arg("-y")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_the_packages() {
        assert_eq!(advice("mpicc"), "mpicc is missing: apt-get install libopenmpi-dev openmpi-bin");
        assert_eq!(advice("no-such-program"), "no-such-program is missing");
    }
}
