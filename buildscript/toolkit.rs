// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds a CUDA toolkit. One file for build.rs, which compiles with it, and for xtask, which installs one where
//! there is none: both take it in by path, so it depends on nothing but std.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Variables that change the answer, apart from PATH.
pub const VARIABLES: [&str; 6] = ["NVCC", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "VIRTUAL_ENV", "CARGO_TARGET_DIR"];

/// A compiler and the static runtime that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolkit {
    /// The compiler.
    pub nvcc: PathBuf,
    /// The folder above `bin`.
    pub root: PathBuf,
    /// The folder that holds `libcudart_static.a`.
    pub lib: PathBuf,
}

/// The first toolkit in: NVCC (a file); CUDA_HOME, CUDA_PATH, CUDA_ROOT; this project's own venv under the target
/// folder; VIRTUAL_ENV; PATH; /usr/local/cuda. A variable that is set and names no nvcc is passed over.
///
/// # Errors
/// The places tried, or what is wrong with the toolkit that was found.
pub fn find() -> Result<Toolkit, String> {
    find_with(&project(), |name| env::var_os(name).filter(|value| !value.is_empty()))
}

/// The folder that this file lies in, one up; xtask has a manifest folder of its own below it.
fn project() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().find(|dir| dir.join("buildscript/toolkit.rs").is_file()).unwrap_or(manifest).to_path_buf()
}

fn find_with(project: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Result<Toolkit, String> {
    let mut places: Vec<(&str, PathBuf)> = Vec::new();
    places.extend(variable("NVCC").map(|file| ("NVCC", file.into())));
    for name in ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"] {
        places.extend(variable(name).map(|root| (name, Path::new(&root).join("bin/nvcc"))));
    }
    let targets = variable("CARGO_TARGET_DIR").map(|dir| project.join(dir)).into_iter().chain([project.join("target")]);
    let own = targets.map(|target| ("the project's venv", target.join("cuda-venv")));
    for (name, venv) in own.chain(variable("VIRTUAL_ENV").map(|venv| ("VIRTUAL_ENV", venv.into()))) {
        let found = wheels(&venv);
        // An empty venv is named all the same: it is where someone would look for the fault.
        let named =
            if found.is_empty() { vec![venv.join("lib/python3*/site-packages/nvidia/*/bin/nvcc")] } else { found };
        places.extend(named.into_iter().map(|nvcc| (name, nvcc)));
    }
    places.extend(variable("PATH").iter().flat_map(env::split_paths).map(|dir| ("PATH", dir.join("nvcc"))));
    places.push(("the usual place", "/usr/local/cuda/bin/nvcc".into()));

    match places.iter().find(|(_, nvcc)| nvcc.is_file()) {
        Some((_, nvcc)) => Toolkit::of(nvcc),
        None => Err(nothing_in(&places)),
    }
}

impl Toolkit {
    fn of(nvcc: &Path) -> Result<Self, String> {
        let nvcc = nvcc.canonicalize().map_err(|error| format!("{}: {error}", nvcc.display()))?;
        let root =
            nvcc.ancestors().nth(2).ok_or_else(|| format!("{} lies in no toolkit", nvcc.display()))?.to_path_buf();
        // Wheels have lib alone; installed toolkits have targets/, with lib64 as a link into it.
        let lib = ["targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "lib64", "lib"]
            .iter()
            .map(|lib| root.join(lib))
            .find(|lib| lib.join("libcudart_static.a").is_file())
            .ok_or_else(|| {
                format!("{} is there, but {} holds no libcudart_static.a", nvcc.display(), root.display())
            })?;
        Ok(Self { nvcc, root, lib })
    }
}

/// Every nvcc that pip has put in a virtual environment.
fn wheels(venv: &Path) -> Vec<PathBuf> {
    let below = |dir: PathBuf| fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = below(venv.join("lib"))
        .flat_map(|python| below(python.join("site-packages/nvidia")))
        .map(|kit| kit.join("bin/nvcc"))
        .filter(|nvcc| nvcc.is_file())
        .collect();
    found.sort(); // folders are listed in any order
    found
}

fn nothing_in(places: &[(&str, PathBuf)]) -> String {
    let mut text = String::from("no nvcc found; tried");
    for (name, nvcc) in places.iter().filter(|(name, _)| *name != "PATH") {
        text += &format!(" {name} ({}),", nvcc.display());
    }
    text + " and every folder of PATH"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toolkit_in(root: &Path) -> PathBuf {
        fs::create_dir_all(root.join("bin")).unwrap();
        fs::create_dir_all(root.join("lib")).unwrap();
        fs::write(root.join("bin/nvcc"), "").unwrap();
        fs::write(root.join("lib/libcudart_static.a"), "").unwrap();
        root.canonicalize().unwrap()
    }

    #[test]
    fn variables_come_before_the_projects_venv_and_that_before_path() {
        let dir = env::temp_dir().join(format!("ocean-toolkit-{}", std::process::id()));
        let named = toolkit_in(&dir.join("named"));
        let on_path = toolkit_in(&dir.join("path"));
        let own = toolkit_in(&dir.join("target/cuda-venv/lib/python3.12/site-packages/nvidia/cu13"));
        let path = |name: &str| (name == "PATH").then(|| on_path.join("bin").into());
        let root = |variable: &dyn Fn(&str) -> Option<OsString>| find_with(&dir, variable).unwrap().root;

        assert_eq!(root(&|name| if name == "CUDA_HOME" { Some(named.clone().into()) } else { path(name) }), named);
        assert_eq!(root(&path), own);
        assert_eq!(root(&|name| if name == "NVCC" { Some("/not/there".into()) } else { path(name) }), own);
        fs::remove_dir_all(dir.join("target")).unwrap();
        assert_eq!(root(&path), on_path);
        fs::remove_file(on_path.join("lib/libcudart_static.a")).unwrap();
        assert!(find_with(&dir, path).unwrap_err().contains("no libcudart_static.a"));
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn a_failed_search_names_every_place_but_not_every_folder_of_path() {
        let places = [("NVCC", "/a/nvcc".into()), ("PATH", "/b/nvcc".into()), ("the usual place", "/c/nvcc".into())];
        assert_eq!(
            nothing_in(&places),
            "no nvcc found; tried NVCC (/a/nvcc), the usual place (/c/nvcc), and every folder of PATH"
        );
    }
}
