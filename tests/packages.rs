// SPDX-License-Identifier: MIT OR Apache-2.0

//! What goes into packages is ours, and says so; recipes name the version that there is.

use std::fs;
use std::process::Command;

mod interface;

use interface::root;

/// Files that can't or need not carry a licence line: licences, text, settings, measurements.
const WITHOUT_A_LINE: &[&str] = &[
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "Cargo.lock",
    "fuzz/Cargo.lock",
    "Cargo.toml",
    "rustfmt.toml",
    ".gitignore",
    ".clang-format",
    ".cargo/config.toml",
    "benches/requirements.txt",
    "cmake/ocean.pc.in",
    "docs/Doxyfile",
    "docs/book.toml",
    "tests/abi/symbols.txt",
];

const SPACK: &str = "packaging/spack/spack_repo/ocean/packages/ocean_spgemm/package.py";

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// What git tracks; `None` where this is no repository, as in an unpacked archive.
fn tracked() -> Option<Vec<String>> {
    let listing = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().ok()?;
    let files = String::from_utf8(listing.stdout).ok()?;
    let files: Vec<String> = files.split_terminator('\0').map(String::from).collect();
    (listing.status.success() && !files.is_empty()).then_some(files)
}

fn may_lack_a_line(file: &str) -> bool {
    let text_or_data = [".md", ".json"].iter().any(|ending| file.ends_with(ending));
    let chart = file.starts_with("benches/results/") && file.ends_with(".svg");
    text_or_data || chart || file.ends_with("/Cargo.toml") || WITHOUT_A_LINE.contains(&file)
}

#[test]
fn every_file_says_its_licence() {
    let Some(files) = tracked() else {
        return interface::skip("every_file_says_its_licence", "no git repository");
    };
    let mut without = vec![];
    // Corpora are bytes as they came.
    let texts = files.iter().filter(|file| !file.starts_with("fuzz/corpus/") && root().join(file).is_file());
    for file in texts {
        let head: String = read(file).lines().take(3).collect();
        let said = head.split_once("SPDX-License-Identifier: ").map(|(_, licence)| licence);
        match said {
            Some(licence) => assert!(licence.starts_with("MIT OR Apache-2.0"), "{file}: {licence}"),
            None if may_lack_a_line(file) => {}
            None => without.push(file),
        }
    }
    assert!(without.is_empty(), "no SPDX line: {without:?}");
}

#[test]
fn the_crates_archive_has_what_builds_it_and_no_more() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let listing = Command::new(cargo)
        .args(["package", "--package", "ocean", "--list", "--allow-dirty", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(listing.status.success(), "{}", String::from_utf8_lossy(&listing.stderr));
    let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
    let top: std::collections::BTreeSet<&str> =
        listing.lines().map(|file| file.split('/').next().unwrap_or_default()).collect();
    let known = [
        ".cargo_vcs_info.json",
        "CHANGELOG.md",
        "Cargo.lock",
        "Cargo.toml",
        "Cargo.toml.orig",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "THIRD-PARTY.md",
        "buildscript",
        "build.rs",
        "cuda",
        "include",
        "fortran",
        "mpi",
        "src",
    ];
    let unknown: Vec<_> = top.iter().filter(|name| !known.contains(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    for needed in ["build.rs", "src/lib.rs", "cuda/ocean_kernels.h", "include/ocean.h", "LICENSE-MIT", "THIRD-PARTY.md"]
    {
        assert!(listing.lines().any(|file| file == needed), "{needed} is missing");
    }
}

#[test]
fn recipes_name_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    assert!(read(SPACK).contains(&format!("version(\"{version}\")")));
    assert!(read("packaging/conda/meta.yaml").contains(&format!("set version = \"{version}\"")));
}

/// Words that begin with OCEAN_ in capitals.
fn options(text: &str) -> std::collections::BTreeSet<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_uppercase() && letter != '_');
    words.filter(|word| word.starts_with("OCEAN_") && word.len() > "OCEAN_".len()).collect()
}

#[test]
fn recipes_set_options_that_there_are() {
    let build = read("CMakeLists.txt");
    let offered = options(&build);
    for recipe in [SPACK, "packaging/conda/build.sh"] {
        let text = read(recipe);
        let set = options(&text);
        assert!(set.contains("OCEAN_CUDA"), "{recipe}: {set:?}");
        let unknown: Vec<_> = set.difference(&offered).collect();
        assert!(unknown.is_empty(), "{recipe} sets what CMakeLists.txt does not know: {unknown:?}");
    }
    assert!(read(SPACK).contains(&format!("rust@{}:", env!("CARGO_PKG_RUST_VERSION"))));
}

#[test]
fn the_spack_recipe_is_python() {
    if !interface::has("python3") {
        return interface::skip("the_spack_recipe_is_python", "no python3");
    }
    let parse = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
    let run = Command::new("python3").args(["-c", parse]).arg(root().join(SPACK)).output().expect("python3 starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}
