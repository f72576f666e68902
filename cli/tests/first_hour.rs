// SPDX-License-Identifier: MIT OR Apache-2.0
//! What docs/first_hour.md says that the command prints is what it prints.

mod common;

use std::path::Path;
use std::process::Command;

use common::Folder;

/// Blocks of the page in which every line that is typed is `ocean` or makes a file: typed lines, each with what follows it.
fn transcript(page: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for block in page.split("```text\n").skip(1).filter_map(|rest| rest.split_once("```")).map(|(block, _)| block) {
        let typed = |line: &str| line.strip_prefix("$ ").map(str::to_owned);
        let ours = |line: &String| ["ocean ", "printf "].iter().any(|start| line.starts_with(start));
        if !block.lines().filter_map(typed).all(|line| ours(&line)) {
            continue;
        }
        for line in block.lines() {
            match (typed(line), found.last_mut()) {
                (Some(command), _) => found.push((command, vec![])),
                (None, Some((_, said))) => said.push(line.to_owned()),
                (None, None) => {}
            }
        }
    }
    found
}

/// Words of a line, seconds left out: they are the numbers with six decimals, and three after a table of steps.
fn words(line: &str) -> Vec<String> {
    let seconds = |word: &str| word.split_once('.').is_some_and(|(_, decimals)| [3, 6].contains(&decimals.len()));
    let shown = |word: &str| if seconds(word) && word.parse::<f64>().is_ok() { "#".into() } else { word.to_owned() };
    line.split_whitespace().map(shown).collect()
}

#[test]
fn the_transcript_is_what_the_command_prints() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/first_hour.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let folder = Folder::new("first_hour");
    let here = Path::new(env!("CARGO_BIN_EXE_ocean")).parent().expect("a folder");
    let path = format!("{}:{}", here.display(), std::env::var("PATH").unwrap_or_default());
    let mut ran = 0;
    for (command, said) in transcript(&page) {
        let shell = Command::new("sh")
            .args(["-c", &format!("{command} 2>&1")])
            .current_dir(folder.path(""))
            .envs([("PATH", path.as_str()), ("OCEAN_BACKEND", "host")])
            .output()
            .expect("a shell");
        let printed = String::from_utf8_lossy(&shell.stdout).into_owned();
        let lines: Vec<_> = printed.lines().map(words).collect();
        // A line of dots stands for any number of lines.
        let mut rest = &lines[..];
        let mut anywhere = false;
        for line in said.iter().map(|line| words(line)).filter(|line| !line.is_empty()) {
            if line == ["..."] {
                anywhere = true;
                continue;
            }
            rest = rest.iter().position(|printed| !printed.is_empty()).map_or(&[], |first| &rest[first..]);
            let at = rest.iter().position(|printed| *printed == line);
            let found = at.filter(|&at| anywhere || at == 0);
            let Some(at) = found else { panic!("{command}: not printed here: {line:?}\n{printed}") };
            rest = &rest[at + 1..];
            anywhere = false;
        }
        assert!(anywhere || rest.iter().all(Vec::is_empty), "{command}: the page ends before {rest:?}");
        ran += 1;
    }
    assert!(ran > 5, "{ran} commands: were they found?");
}

#[test]
fn seconds_are_left_out_of_the_comparison() {
    assert_eq!(words("copy   0.004462    0.004462"), ["copy", "#", "#"]);
    assert_eq!(words("compression   5.9151"), ["compression", "5.9151"]);
}
