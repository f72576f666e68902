// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean completions`.

use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::failure::Result;
use crate::output;

pub fn run(arguments: &CompletionsArguments) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "ocean", &mut script);
    output::text(&String::from_utf8_lossy(&script))
}
