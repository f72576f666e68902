// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the tests of the generated interface files share: the sources, and comparing or writing the result.
#![allow(dead_code)] // each test uses its part

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A part of the C interface: a header, and the Rust that it is made from.
pub struct Part {
    /// The folder of its modules.
    pub folder: &'static str,
    /// How cbindgen makes the header.
    pub config: &'static str,
    /// The header.
    pub header: &'static str,
    /// The Fortran module's file.
    pub fortran: &'static str,
    /// The order in which a reader of the header should meet what the modules export.
    order: &'static [&'static str],
    /// A module of the folder that is a part of its own.
    other: &'static str,
}

/// Products on one GPU or CPU.
pub const ONE: Part = Part {
    folder: "src/ffi",
    config: "cbindgen.toml",
    header: "include/ocean.h",
    fortran: "fortran/ocean.f90",
    order: &["types", "guard", "handle", "matrix", "spgemm", "one_call", "reuse"],
    other: "dist",
};

/// Products over many ranks.
pub const DIST: Part = Part {
    folder: "src/ffi/dist",
    config: "cbindgen-dist.toml",
    header: "include/ocean_dist.h",
    fortran: "fortran/ocean_dist.f90",
    order: &["types", "transport", "options", "handle", "input", "matrix", "product", "report", "clusters"],
    other: "",
};

impl Part {
    /// The files of its modules: those of the order, then the others.
    pub fn sources(&self) -> Vec<PathBuf> {
        let folder = root().join(self.folder);
        let file = folder.join("mod.rs");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let items = syn::parse_file(&text).expect("mod.rs is Rust").items.into_iter();
        let mut modules: Vec<String> = items
            .filter_map(|item| match item {
                syn::Item::Mod(module) => Some(module.ident.to_string()),
                _ => None,
            })
            .filter(|name| name != self.other)
            .collect();
        modules.sort_by_key(|name| self.order.iter().position(|known| known == name).unwrap_or(self.order.len()));
        modules.iter().map(|name| folder.join(format!("{name}.rs"))).collect()
    }
}

/// cuSPARSE misspells these enumerators; users may write either. A Rust enum can't have two names for one number.
const SPELLED_RIGHT: [(&str, &str); 2] = [
    ("OCEAN_SPGEMM_CSR_ALG_DETERMINITIC", "OCEAN_SPGEMM_CSR_ALG_DETERMINISTIC"),
    ("OCEAN_SPGEMM_CSR_ALG_NONDETERMINITIC", "OCEAN_SPGEMM_CSR_ALG_NONDETERMINISTIC"),
];

/// A declaration of one of these enumerators, with the other name.
pub fn spelled_right(declaration: &str) -> Option<String> {
    let known = |(wrong, _): &&(&str, &str)| declaration.split_whitespace().any(|word| word == *wrong);
    SPELLED_RIGHT.iter().find(known).map(|(wrong, right)| declaration.replace(wrong, right))
}

/// Rustdoc's links, such as [`Name`], as the name alone.
pub fn without_links(text: &str) -> String {
    text.replace("[`", "").replace("`]", "")
}

/// Fails if the committed file is not what the source gives now; with OCEAN_BLESS=1 writes it instead.
pub fn assert_fresh(file: &str, wanted: &str) {
    let path = root().join(file);
    if env::var_os("OCEAN_BLESS").is_some() {
        fs::write(&path, wanted).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let differs = committed.lines().zip(wanted.lines()).position(|(old, new)| old != new);
    let line = differs.unwrap_or_else(|| committed.lines().count().min(wanted.lines().count())) + 1;
    assert!(committed == wanted, "{file} is stale from line {line} on: run `cargo xtask header`");
}

/// Says, past libtest's capture, what could not run.
pub fn skip(test: &str, why: &str) {
    use std::io::Write;
    writeln!(std::io::stderr(), "skipped: {test}: {why}").expect("stderr can be written");
}

/// Whether a program can be started.
pub fn has(program: &str) -> bool {
    std::process::Command::new(program).arg("--version").output().is_ok()
}
