// SPDX-License-Identifier: MIT OR Apache-2.0

//! Writes the generated interface files anew. The tests that check them know how to write them.

use crate::shell::{Step, target};

/// Runs the two generators. They read source only, so the host backend alone is built, in the folder that its tests use.
pub fn run() -> Result<(), String> {
    bless(&["header", "fortran"])
}

/// Writes the notices of what others have contributed to the libraries and the command.
pub fn notice() -> Result<(), String> {
    bless(&["notice"])
}

fn bless(tests: &[&str]) -> Result<(), String> {
    let cargo =
        Step::cargo().args(["test", "--no-default-features"]).args(tests.iter().flat_map(|test| ["--test", test]));
    cargo.arg("--target-dir").arg(target().join("host")).env("OCEAN_BLESS", "1").args(["--", "fresh"]).run()
}
