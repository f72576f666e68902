// SPDX-License-Identifier: MIT OR Apache-2.0

//! What cargo knows of the crates that a build takes in.
#![allow(dead_code)] // each test uses its part

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::process::Command;

use serde_json::Value;

/// What cargo says of a build for Linux on this architecture.
pub fn metadata(arch: &str) -> Value {
    let target = format!("{arch}-unknown-linux-gnu");
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--locked", "--all-features", "--filter-platform", &target])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata gives JSON")
}

/// The packages that take part in a build for this platform.
pub fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    let used: BTreeSet<&str> = list(&metadata["resolve"]["nodes"]).map(|node| text(&node["id"])).collect();
    list(&metadata["packages"]).filter(move |package| used.contains(text(&package["id"])))
}

/// The ids of all that the library, the command and the interposer link: their normal dependencies, and those of these.
pub fn shipped(metadata: &Value) -> BTreeSet<&str> {
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

/// A list in cargo's JSON.
pub fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("cargo metadata has a list here").iter()
}

/// A string in cargo's JSON.
pub fn text(value: &Value) -> &str {
    value.as_str().expect("cargo metadata has a string here")
}
