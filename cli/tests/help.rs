// SPDX-License-Identifier: MIT OR Apache-2.0
//! Help goes to stdout, teaches by example, and the examples are real.

mod common;

use common::{Folder, ocean};

#[test]
fn every_command_teaches_with_examples() {
    for command in ["multiply", "explain", "check", "generate", "bench", "dist-plan", "mcl", "completions", "man"] {
        let run = ocean(&[command, "--help"]);
        let help = run.text();
        assert!(help.contains(&format!("Examples:\n  ocean {command} ")), "{help}");
        assert!(ocean(&["--help"]).text().contains(&format!("  {command} ")));
    }
    assert!(ocean(&["--help"]).text().contains("Exit status:"));
    assert!(ocean(&["--version"]).text().starts_with("ocean "));
}

#[test]
fn the_examples_of_the_first_page_run() {
    let folder = Folder::new("examples");
    let help = ocean(&["--help"]).text().to_owned();
    // Those with files: the others need a GPU.
    let examples =
        help.lines().filter_map(|line| line.trim().strip_prefix("ocean ")).filter(|line| line.contains(".mtx"));
    let mut ran = 0;
    for example in examples {
        // The words before the explanation, which stands behind several blanks.
        let command = example.split("   ").next().expect("a first part");
        let words: Vec<String> = command
            .split(' ')
            .map(
                |word| {
                    if word.ends_with(".mtx") || word.ends_with(".gz") { folder.path(word) } else { word.to_owned() }
                },
            )
            .collect();
        if command.contains(" b.mtx") {
            std::fs::copy(folder.path("p.mtx.gz"), folder.path("b.mtx")).expect("the first example made it");
        }
        ocean(&words.iter().map(String::as_str).collect::<Vec<_>>()).text();
        ran += 1;
    }
    assert_eq!(ran, 6, "{help}");
}
