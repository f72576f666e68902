// SPDX-License-Identifier: MIT OR Apache-2.0

//! Builds the `ocean` command and shows what it does: explains a product, multiplies, and checks the result.

use std::fs;
use std::path::{Path, PathBuf};

use crate::setup::{Tools, cuda_archs};
use crate::shell::{Step, find_program, target};

/// Multiplies A by B, or A by itself, or a matrix made for the occasion.
pub fn run(matrices: &[PathBuf]) -> Result<(), String> {
    let matrices = absolute(matrices)?;
    let build = Step::cargo().args(["build", "--release", "--package", "ocean-cli"]);
    if find_program("nvidia-smi").is_some() {
        let tools = Tools::for_demo();
        build.args(tools.features()).env("OCEAN_CUDA_ARCHS", cuda_archs()).run()?;
    } else {
        // Kernels would take twice as long to compile as all the rest, and run nowhere.
        println!("No NVIDIA driver here, so the host backend alone is built.\n");
        build.arg("--no-default-features").run()?;
    }
    let ocean = target().join("release/ocean");

    let matrices = if matrices.is_empty() { vec![generate(&ocean)?] } else { matrices };
    for (command, title) in
        [("explain", "What the library would do, and why"), ("multiply", "The product"), ("check", "Is it right?")]
    {
        println!("\n=== {title}");
        Step::new(&ocean).arg(command).args(&matrices).run()?;
    }
    println!("\n=== What next\n{NEXT}");
    Ok(())
}

/// Where one goes from here.
const NEXT: &str = "\
target/release/ocean --help                        the command, with examples
docs/start/c.md, cpp.md, fortran.md, rust.md       from your own program
docs/from_cusparse.md                              from a program that calls cuSPARSE
cargo xtask test                                   everything that can be tested here";

/// A finite element stencil on a cube: 27 entries a row, some 10 million products.
fn generate(ocean: &Path) -> Result<PathBuf, String> {
    let folder = target().join("demo");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let file = folder.join("cube.mtx.gz");
    println!("\n=== A matrix to multiply by itself");
    Step::new(ocean).args(["generate", "poisson3d", "24", "--points", "27", "-o"]).arg(&file).run()?;
    Ok(file)
}

/// Steps run in the workspace's root, but names are meant where the user stands. A wrong one is found before the build.
fn absolute(matrices: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let absolute = |path: &PathBuf| path.canonicalize().map_err(|error| format!("{}: {error}", path.display()));
    matrices.iter().map(absolute).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_that_is_not_there_is_named() {
        assert!(absolute(&["no-such.mtx".into()]).unwrap_err().starts_with("no-such.mtx: "));
        let here = absolute(&["Cargo.toml".into()]).unwrap();
        assert!(here[0].is_absolute());
    }
}
