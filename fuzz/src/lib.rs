// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fuzz targets: each takes any bytes, and panics where the library breaks a promise. libFuzzer runs them from
//! `fuzz_targets/`; the test `fuzz` replays their corpora and a bounded number of inputs of its own.

pub mod boundary;
mod input;
pub mod labels;
pub mod market;
pub mod plan;
pub mod products;
pub mod schedule;
#[path = "../../tests/support/mod.rs"]
pub mod support;
pub mod validation;

/// A target: any bytes.
pub type Target = fn(&[u8]);

/// Every target by its name, which is also that of its corpus.
pub const TARGETS: [(&str, Target); 7] = [
    ("boundary", boundary::run),
    ("labels", labels::run),
    ("market", market::run),
    ("plan", plan::run),
    ("products", products::run),
    ("schedule", schedule::run),
    ("validation", validation::run),
];
