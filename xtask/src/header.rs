// SPDX-License-Identifier: MIT OR Apache-2.0

//! Writes the generated interface files anew. The tests that check them know how to write them.

use crate::shell::{Step, target};

/// Runs the two generators. They read source only, so the host backend alone is built, in the folder that its tests use.
pub fn run() -> Result<(), String> {
    let cargo = Step::cargo().args(["test", "--no-default-features", "--test", "header", "--test", "fortran"]);
    cargo.arg("--target-dir").arg(target().join("host")).env("OCEAN_BLESS", "1").args(["--", "are_fresh"]).run()
}
