// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `ocean`: multiplies, explains, checks, generates, times and plans products of sparse matrices.
//!
//! It uses the library through its C functions, as any other program would (module `library`), so that what it
//! shows is what callers get.

mod arguments;
mod bench;
mod check;
mod completions;
mod dist_plan;
mod explain;
mod failure;
mod generate;
mod help;
mod inputs;
mod library;
mod manual;
mod mcl;
mod multiply;
mod output;
mod plot;
mod progress;
mod protocol;
mod random;
#[cfg(feature = "cuda")]
mod suite;
mod value;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.verbose {
        tracing_subscriber::fmt()
            .with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG)
            .with_writer(std::io::stderr)
            .with_ansi(std::io::stderr().is_terminal())
            .init();
    }
    let done = match &arguments.command {
        Command::Multiply(arguments) => multiply::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Generate(arguments) => generate::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::DistPlan(arguments) => dist_plan::run(arguments),
        Command::Mcl(arguments) => mcl::run(arguments),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man(arguments) => manual::run(arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            failure.exit_code()
        }
    }
}
