// SPDX-License-Identifier: MIT OR Apache-2.0

//! Every crate that the workspace uses may be used so, and comes from where it should.

use std::collections::BTreeSet;

mod crates;

use crates::{metadata, packages, shipped, text};

/// Licences of crates that become part of the library or the command.
const SHIPPED: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "Unlicense",
    "Unicode-3.0",
];

/// Licences that do as well for crates that only build or test: their own changes stay open, ours are not affected.
const TOOLS: &[&str] = &["MPL-2.0"];

#[test]
fn every_licence_is_on_the_list() {
    let metadata = metadata(std::env::consts::ARCH);
    let shipped = shipped(&metadata);
    let mut refused = Vec::new();
    for package in packages(&metadata).filter(|package| !package["source"].is_null()) {
        let id = text(&package["id"]);
        let licence = package["license"].as_str().unwrap_or("none given");
        let accept = |name: &str| SHIPPED.contains(&name) || (!shipped.contains(id) && TOOLS.contains(&name));
        if !allows(licence, &accept) {
            let role = if shipped.contains(id) { "shipped" } else { "a tool" };
            refused.push(format!("{} {} ({role}): {licence}", text(&package["name"]), text(&package["version"])));
        }
    }
    assert!(refused.is_empty(), "not on the list:\n{}", refused.join("\n"));
}

#[test]
fn every_crate_is_ours_or_from_the_one_registry() {
    let metadata = metadata(std::env::consts::ARCH);
    let root = env!("CARGO_MANIFEST_DIR");
    let mut registries = BTreeSet::new();
    for package in packages(&metadata) {
        match package["source"].as_str() {
            Some(source) => {
                assert!(source.starts_with("registry+"), "{}: {source}", text(&package["name"]));
                registries.insert(source);
            }
            None => {
                let manifest = text(&package["manifest_path"]);
                assert!(manifest.starts_with(root), "{manifest} is outside the repository");
                assert_eq!(package["license"], "MIT OR Apache-2.0", "{manifest}");
            }
        }
    }
    assert!(registries.len() <= 1, "{registries:?}");
}

#[test]
fn licence_expressions_are_read_as_spdx_means_them() {
    let accept = |name: &str| ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].contains(&name);
    for good in ["MIT", "MIT OR GPL-3.0", "GPL-3.0/MIT", "MIT AND Zlib", "(GPL-3.0 OR MIT) AND Zlib"] {
        assert!(allows(good, &accept), "{good}");
    }
    assert!(allows("Apache-2.0 WITH LLVM-exception", &accept));
    for bad in ["GPL-3.0", "MIT AND GPL-3.0", "Zlib AND (GPL-3.0 OR Apache-2.0)", "none given", ""] {
        assert!(!allows(bad, &accept), "{bad}");
    }
}

/// Whether an SPDX expression leaves a way to comply with accepted licences alone. OR binds loosest; crates from
/// before SPDX write `/` for it.
fn allows(expression: &str, accept: &dyn Fn(&str) -> bool) -> bool {
    let expression = expression.replace('/', " OR ");
    let expression = expression.trim();
    if let Some(parts) = split(expression, " OR ") {
        return parts.iter().any(|part| allows(part, accept));
    }
    if let Some(parts) = split(expression, " AND ") {
        return parts.iter().all(|part| allows(part, accept));
    }
    match expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => allows(inner, accept),
        None => accept(expression),
    }
}

/// The parts between occurrences of `word` outside parentheses; `None` if there is none.
fn split<'a>(expression: &'a str, word: &str) -> Option<Vec<&'a str>> {
    let mut depth = 0;
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, letter) in expression.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 && expression[at..].starts_with(word) => {
                parts.push(&expression[start..at]);
                start = at + word.len();
            }
            _ => {}
        }
    }
    (!parts.is_empty()).then(|| [parts, vec![&expression[start..]]].concat())
}
