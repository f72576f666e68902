// SPDX-License-Identifier: MIT OR Apache-2.0

//! The book in `docs/`: its pages are listed, its links lead somewhere, its code compiles. No network, and no mdBook: the
//! book itself is made by `cargo xtask book`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

mod interface;

use interface::{has, root, skip};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// References that `cargo xtask book` makes beside the book; it follows the links there.
const MADE: [&str; 2] = ["docs/../c/", "docs/../rust/"];

/// Markdown files below a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The book's pages and those that lie in the repository's folder.
fn all_pages() -> Vec<PathBuf> {
    let front = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name));
    pages(&root().join("docs")).into_iter().chain(front).collect()
}

/// A page outside its code blocks.
fn prose(text: &str) -> String {
    let mut inside = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !fence && !inside && !line.starts_with("    ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Targets of `[text](target)` and `![text](target)`.
fn links(text: &str) -> Vec<String> {
    let text = prose(text);
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).collect()
}

/// The anchor that a heading gets.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

fn has_anchor(page: &Path, wanted: &str) -> bool {
    let text = prose(&read(page));
    text.lines().any(|line| line.starts_with('#') && anchor(line.trim_start_matches('#')) == wanted)
}

/// Blocks of code: language and text.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = vec![];
    let mut inside = false;
    for line in text.lines() {
        if let Some(language) = line.strip_prefix("```") {
            if !inside {
                found.push((language.to_owned(), String::new()));
            }
            inside = !inside;
        } else if let (true, Some((_, body))) = (inside, found.last_mut()) {
            body.push_str(line);
            body.push('\n');
        }
    }
    assert!(!inside, "a block of code does not end");
    found
}

/// `{{#include file}}`, `{{#include file:anchor}}`, `{{#include file:from:to}}`: the file and what is taken of it.
fn include(body: &str) -> Option<(&str, Option<&str>)> {
    let inner = body.trim().strip_prefix("{{#include ")?.strip_suffix("}}")?;
    Some(inner.split_once(':').map_or((inner, None), |(file, part)| (file, Some(part))))
}

#[test]
fn every_page_is_in_the_summary_once() {
    let docs = root().join("docs");
    let summary = docs.join("SUMMARY.md");
    let listed: Vec<PathBuf> = links(&read(&summary)).iter().map(|link| docs.join(link)).collect();
    let once: BTreeSet<_> = listed.iter().cloned().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    let there: BTreeSet<_> = pages(&docs).into_iter().filter(|page| *page != summary).collect();
    assert_eq!(once, there);
}

#[test]
fn every_link_leads_somewhere() {
    let mut dead = vec![];
    let mut seen = 0;
    for page in all_pages() {
        for link in links(&read(&page)) {
            if link.starts_with("https://") {
                continue;
            }
            let (file, heading) = link.split_once('#').map_or((&*link, None), |(file, heading)| (file, Some(heading)));
            let target = if file.is_empty() { page.clone() } else { page.parent().expect("a folder").join(file) };
            seen += 1;
            if MADE.iter().any(|made| target.starts_with(root().join(made))) {
                continue;
            }
            if !target.exists() || heading.is_some_and(|heading| !has_anchor(&target, heading)) {
                dead.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
    assert!(seen > 50, "{seen} links: were they found?");
}

#[test]
fn every_include_finds_its_text() {
    for page in all_pages() {
        for (_, body) in blocks(&read(&page)) {
            let Some((file, part)) = include(&body) else {
                assert!(!body.contains("{{#"), "{}: more than an include in a block", page.display());
                continue;
            };
            let text = read(&page.parent().expect("a folder").join(file));
            let from = part.map(|part| part.split(':').next().unwrap_or_default().parse::<usize>());
            match (part, from) {
                (Some(part), Some(Err(_))) => {
                    for mark in [format!("ANCHOR: {part}"), format!("ANCHOR_END: {part}")] {
                        let stands = |line: &str| line.trim_end_matches(" */").ends_with(&mark);
                        assert!(text.lines().any(stands), "{}: {file} has no {mark}", page.display());
                    }
                }
                (_, Some(Ok(from))) => {
                    assert!(from <= text.lines().count(), "{}: {file} has no line {from}", page.display());
                }
                _ => {}
            }
        }
    }
}

#[test]
fn the_readme_shows_the_c_example() {
    let readme = read(&root().join("README.md"));
    let shown = blocks(&readme).into_iter().find(|(language, _)| language == "c").expect("a block in C").1;
    let example = read(&root().join("examples/c/multiply.c"));
    let (_, example) = example.split_once('\n').expect("a licence line");
    assert!(shown == example, "README.md and examples/c/multiply.c differ");
}

#[test]
fn the_reference_names_every_exported_function() {
    let page = read(&root().join("docs/reference.md"));
    let exported = read(&root().join("tests/abi/symbols.txt"));
    let missing: Vec<_> = exported.lines().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/reference.md lacks {missing:?}");
}

/// What is included is compiled where it lies: by CMake or by cargo.
#[test]
fn code_that_stands_in_a_page_compiles() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("docs");
    fs::create_dir_all(&folder).expect("the test's folder can be written");
    let mut number = 0;
    for page in all_pages() {
        for (language, body) in blocks(&read(&page)) {
            let known = ["c", "cpp", "fortran", "rust", "cmake", "text"].contains(&&*language);
            assert!(known, "{}: what is a block of {language:?}?", page.display());
            if let Some((file, _)) = include(&body) {
                let compiled = ["../examples/", "../tests/"].iter().any(|folder| file.contains(folder));
                assert!(compiled, "{}: who compiles {file}?", page.display());
                continue;
            }
            let (compiler, ending) = match &*language {
                "c" => ("cc", "c"),
                "cpp" => ("c++", "cpp"),
                "fortran" => ("gfortran", "f90"),
                "rust" => panic!("{}: include an example instead", page.display()),
                _ => continue,
            };
            number += 1;
            if !has(compiler) {
                skip("code_that_stands_in_a_page_compiles", &format!("{}: no {compiler}", page.display()));
                continue;
            }
            let file = folder.join(format!("block{number}.{ending}"));
            fs::write(&file, body).expect("the test's folder can be written");
            let compile = Command::new(compiler)
                .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"])
                .arg(root().join("include"))
                .arg(&file)
                .current_dir(&folder)
                .output()
                .expect("the compiler starts");
            assert!(compile.status.success(), "{}: {}", page.display(), String::from_utf8_lossy(&compile.stderr));
        }
    }
    assert!(number > 0, "README.md has a block in C");
}

#[test]
fn headings_become_anchors() {
    assert_eq!(anchor(" What it can't reach"), "what-it-cant-reach");
    assert_eq!(links("[a](b.md#c) ![d](e.svg)\n    [not](code)\n"), ["b.md#c", "e.svg"]);
    assert_eq!(include("{{#include ../a.c:part}}\n"), Some(("../a.c", Some("part"))));
    assert_eq!(include("int x;\n"), None);
}
