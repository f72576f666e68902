// SPDX-License-Identifier: MIT OR Apache-2.0

//! Every crate that the workspace uses may be used so, and comes from where it should.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::process::Command;

use serde_json::Value;

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
    let metadata = metadata();
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
    let metadata = metadata();
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

fn metadata() -> Value {
    let target = format!("{}-unknown-linux-gnu", env::consts::ARCH);
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--locked", "--all-features", "--filter-platform", &target])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata gives JSON")
}

/// The packages that take part in a build for this platform.
fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    let used: BTreeSet<&str> = list(&metadata["resolve"]["nodes"]).map(|node| text(&node["id"])).collect();
    list(&metadata["packages"]).filter(move |package| used.contains(text(&package["id"])))
}

/// The ids of all that the library, the command and the interposer link: their normal dependencies, and those of these.
fn shipped(metadata: &Value) -> BTreeSet<&str> {
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), node)).collect();
    let products = list(&metadata["packages"]).filter(|package| {
        package["source"].is_null() && ["ocean", "ocean-cli", "ocean-cusparse"].contains(&text(&package["name"]))
    });
    let mut open: Vec<&str> = products.map(|package| text(&package["id"])).collect();
    assert_eq!(open.len(), 3, "the library, the command and the interposer");
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let normal = |dependency: &&Value| list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null());
            open.extend(list(&nodes[id]["deps"]).filter(normal).map(|dependency| text(&dependency["pkg"])));
        }
    }
    seen
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("cargo metadata has a list here").iter()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("cargo metadata has a string here")
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
