// SPDX-License-Identifier: MIT OR Apache-2.0
//! Completions are scripts that their shells take; manual pages name every command.

mod common;

use std::fs;
use std::process::Command;

use common::{Folder, ocean};

const COMMANDS: [&str; 7] = ["multiply", "explain", "check", "generate", "bench", "dist-plan", "mcl"];

#[test]
fn every_shell_gets_completions_of_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = ocean(&["completions", shell]);
        for word in COMMANDS.into_iter().chain(["transpose-b"]) {
            assert!(run.text().contains(word), "{shell} has no {word}");
        }
    }
    // As any wrong usage: status 2, and nothing on stdout.
    let refused = ocean(&["completions", "cmd"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
}

#[test]
fn bash_completes_a_command() {
    let folder = Folder::new("bash");
    let script = folder.file("ocean.bash", ocean(&["completions", "bash"]).text());
    let try_it = format!(
        "source {script}; COMP_WORDS=(ocean mul); COMP_CWORD=1; _ocean ocean mul ocean; echo \"${{COMPREPLY[@]}}\""
    );
    let Ok(output) = Command::new("bash").args(["--norc", "-c", &try_it]).output() else {
        eprintln!("skipped: bash_completes_a_command: no bash");
        return;
    };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "multiply", "{output:?}");
}

#[test]
fn every_shell_that_is_here_reads_its_completions() {
    let folder = Folder::new("shells");
    for shell in ["bash", "fish", "zsh"] {
        let script = folder.file(shell, ocean(&["completions", shell]).text());
        // -n: read, run nothing.
        match Command::new(shell).args(["-n", &script]).output() {
            Ok(read) => assert!(read.status.success() && read.stderr.is_empty(), "{shell}: {read:?}"),
            Err(_) => eprintln!("skipped: every_shell_that_is_here_reads_its_completions: no {shell}"),
        }
    }
}

#[test]
fn manual_pages_name_every_command() {
    let page = ocean(&["man"]);
    assert!(page.text().contains(".TH ocean 1"), "{}", page.stdout);
    for command in COMMANDS {
        assert!(page.text().contains(&format!("ocean\\-{}(1)", command.replace('-', "\\-"))), "{command}");
    }

    let folder = Folder::new("man");
    let at = folder.path("");
    assert_eq!(ocean(&["man", "-o", &at]).text(), "");
    for command in COMMANDS {
        let page = fs::read_to_string(folder.path(&format!("ocean-{command}.1"))).expect("a page for each command");
        assert!(page.contains("Examples:"), "{command}");
    }
    let nowhere = folder.path("nowhere");
    assert!(ocean(&["man", "-o", &nowhere]).error().contains(&nowhere));
}
