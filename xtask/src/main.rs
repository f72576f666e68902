// SPDX-License-Identifier: MIT OR Apache-2.0

//! `cargo xtask`: sets ocean up, demonstrates it, tests it and packs it for a GPU machine.

mod book;
mod cmake;
mod conformance;
mod count;
mod demo;
mod gpu;
mod header;
mod layers;
mod report;
mod reproduce;
mod setup;
mod shell;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

fn main() -> ExitCode {
    let matches = command_line().get_matches();
    let done = match matches.subcommand() {
        Some(("demo", matches)) => demo::run(&paths(matches, "matrix")),
        Some(("test", matches)) => test(matches),
        Some(("book", _)) => book::run(),
        Some(("header", _)) => header::run(),
        Some(("notice", _)) => header::notice(),
        Some(("gpu", _)) => gpu::run(),
        Some(("reproduce", _)) => reproduce::run(),
        Some(("conformance", matches)) => conformance::run(&paths(matches, "file")),
        _ => unreachable!("clap asks for a subcommand"),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}

fn command_line() -> Command {
    let demo = Command::new("demo").about("Build, multiply a matrix, explain what was done, check it").arg(
        Arg::new("matrix")
            .value_name("MATRIX")
            .value_parser(value_parser!(PathBuf))
            .num_args(0..=2)
            .help("A, or A and B, as .mtx or .mtx.gz; without them a small one is generated"),
    );
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    let test = Command::new("test")
        .about("Run every test that can run here, and say what was skipped and why")
        .arg(flag("full", "Take the whole matrix manifest and the long tests"))
        .arg(flag("list", "List the layers and what each lacks here, and run nothing"))
        .arg(
            Arg::new("only")
                .long("only")
                .value_name("LAYER")
                .value_parser(layers::names())
                .action(ArgAction::Append)
                .help("Run this layer alone; may be given again"),
        );
    let conformance =
        Command::new("conformance").about("Write docs/conformance.md from what test runners printed").arg(
            Arg::new("file")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .num_args(1..)
                .required(true)
                .help("What ctest or cargo test printed"),
        );
    Command::new("cargo xtask")
        .about("Sets ocean up, demonstrates it, tests it and packs it for a GPU machine")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(conformance)
        .subcommand(demo)
        .subcommand(test)
        .subcommand(Command::new("book").about("Make the book and the references of C and Rust, and check their links"))
        .subcommand(Command::new("header").about("Write the headers in include/ and the modules in fortran/ anew"))
        .subcommand(Command::new("reproduce").about("Write docs/reproduction.md and its charts from benches/results"))
        .subcommand(Command::new("notice").about("Write THIRD-PARTY.md anew"))
        .subcommand(Command::new("gpu").about("Pack tests and tools for a GPU machine without cargo"))
}

fn paths(matches: &ArgMatches, name: &str) -> Vec<PathBuf> {
    matches.get_many(name).into_iter().flatten().cloned().collect()
}

fn test(matches: &ArgMatches) -> Result<(), String> {
    let only: Vec<&str> = matches.get_many::<String>("only").into_iter().flatten().map(String::as_str).collect();
    let full = matches.get_flag("full");
    if matches.get_flag("list") {
        layers::list(&layers::Context { tools: setup::Tools::found(), full });
        return Ok(());
    }
    let context = layers::Context { tools: setup::Tools::for_tests(), full };
    let report = layers::run(&context, &only);
    println!("\n{report}");
    // The table says it all; nothing may follow its last line.
    if report.success() { Ok(()) } else { std::process::exit(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        command_line().debug_assert();
    }

    #[test]
    fn demo_takes_at_most_two_matrices() {
        let parse = |args: &[&str]| command_line().try_get_matches_from(args);
        assert!(parse(&["xtask", "demo", "a.mtx", "b.mtx"]).is_ok());
        assert!(parse(&["xtask", "demo", "a.mtx", "b.mtx", "c.mtx"]).is_err());
        assert!(parse(&["xtask", "test", "--only", "no such layer"]).is_err());
    }
}
