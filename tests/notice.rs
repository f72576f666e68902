// SPDX-License-Identifier: MIT OR Apache-2.0

//! THIRD-PARTY.md names every crate that is shipped, with the text of its licence. `cargo xtask notice` writes it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

mod crates;
mod interface;

use crates::{metadata, packages, shipped, text};
use interface::{assert_fresh, root};

const HEAD: &str = "\
# Third-party notices

<!-- Generated from Cargo.lock and packaging/nvidia.md by `cargo xtask notice`; do not edit by hand. -->

ocean itself is under the MIT licence or the Apache License 2.0, as you like (LICENSE-MIT, LICENSE-APACHE). The library, the
interposer and the command contain what is listed here.

";

/// The texts that a crate brings, without those of licences that it offers beside others that we take.
fn licence_texts(folder: &Path) -> Vec<String> {
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("cargo unpacked it").flatten().map(|file| file.path()).collect();
    files.sort();
    let named = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let wanted = ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|word| name.starts_with(word));
        wanted && !["GPL", "BOOST", "APACHE"].iter().any(|word| name.contains(word)) && path.is_file()
    };
    let clean = |text: String| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned();
    files.iter().filter(|path| named(path)).map(|path| clean(fs::read_to_string(path).expect("text"))).collect()
}

fn notice() -> String {
    let metadata = metadata("x86_64"); // the same on every machine
    let shipped = shipped(&metadata);
    let foreign =
        packages(&metadata).filter(|package| !package["source"].is_null() && shipped.contains(text(&package["id"])));
    let mut table = String::from("## Crates\n\n| crate | licence | source |\n| --- | --- | --- |\n");
    let mut bearers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in foreign {
        let name = format!("{} {}", text(&package["name"]), text(&package["version"]));
        let source = package["repository"].as_str().unwrap_or("crates.io");
        writeln!(table, "| {name} | {} | {source} |", text(&package["license"])).expect("a string grows");
        for licence in licence_texts(Path::new(text(&package["manifest_path"])).parent().expect("a folder")) {
            bearers.entry(licence).or_default().push(name.clone());
        }
    }
    let mut all = format!("{HEAD}{}\n{table}", fs::read_to_string(root().join("packaging/nvidia.md")).expect("text"));
    all.push_str("\nCrates that offer the Apache License 2.0: its text is in LICENSE-APACHE.\n");
    let mut texts: Vec<_> = bearers.into_iter().collect();
    texts.sort_by(|one, other| one.1.cmp(&other.1).then(one.0.cmp(&other.0)));
    for (licence, bearers) in texts {
        write!(all, "\n### {}\n\n~~~text\n{licence}\n~~~\n", bearers.join(", ")).expect("a string grows");
    }
    all
}

#[test]
fn notice_is_fresh() {
    assert_fresh("THIRD-PARTY.md", &notice());
}

#[test]
fn notice_covers_what_nvidia_gives() {
    let notice = fs::read_to_string(root().join("THIRD-PARTY.md")).expect("text");
    for part in ["libcudart_static.a", "CUB", "Duane Merrill", "| rayon "] {
        assert!(notice.contains(part), "{part}");
    }
}
