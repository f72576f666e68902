// SPDX-License-Identifier: MIT OR Apache-2.0

//! Which rule of the calling convention, which user case and which client is tested by what, and with what result: a table
//! from the names of the tests, which begin with what they cover, and from what test runners printed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::shell::root;

/// Rules R1.. and tests T1.. of the calling convention.
const RULES: usize = 23;
const CALLS: usize = 18;

/// Cases that users reported, by their subject.
#[rustfmt::skip]
const CASES: &str = "
    ME1 ME3 ME5 ME7 ME8 ME9 OV1 OV3 OV4 OV6 OV8 OV9 OV10 WR1 WR2 WR3 WR5 WR7 WR8 WR10 WR12 SO1 SO3 SO4 DU1 DU3 DU4 ZE1 ZE3
    EM1 EM3 EM4 EM6 EM8 EM9 EM10 TR1 TR3 TR5 TR6 TR7 TY1 TY3 TY5 TY6 IX1 IX2 IX3 IX5 AB1 AB3 AB5 AB6 AB7 DE1 DE3 DE4
    RU1 RU3 RU5 RU6 RU7 ST1 ST3 ST5 TH1 TH3 BI1 BI3 BI5 BI6 BI7 BI9 BI10 BI11 BI13 BI15 BI17 PF1 PF3 PF5 PF6 PF7 MA1
    LI1 LI3 LI5 LI6 DI1 DI3 DI4 DI5 DI7 DI9 DI11 DI13 DI14";

/// Clients, as their tests are called.
const CLIENTS: &str =
    "petsc_main petsc_3_24 kokkoskernels_2025 kokkoskernels_2026 tpetra hypre ginkgo amgx pytorch cupy
    cupy_fallback cuda_jl_gemm cuda_jl_CSC dgl cuopt mlir bcl";

/// What no test is named after, and why.
const MISSING: &[(&str, &str)] = &[
    ("R23", "statuses of all steps: the tests of T18"),
    ("ME8", "C has 3 GB, twice while it is copied: too large for a usual run"),
    ("ME9", "C has 25 GB, twice while it is copied"),
    ("OV4", "C has 17 GB, twice while it is copied"),
    ("OV6", "A and C have 3.6 GB each"),
    ("WR7", "compute-sanitizer and Valgrind run over whole programs, by `cargo xtask test` and the pack for a GPU"),
    ("ST1", "needs a GPU, and a kernel that waits on the default stream"),
    ("ST3", "needs a GPU; steps that wait are not tested under capture"),
    ("ST5", "needs a GPU; in small, R15"),
    ("PF1", "a ratio of times, for a benchmark"),
    ("PF3", "a ratio of times, for a benchmark"),
    ("PF7", "times, for a benchmark"),
    ("DI11", "needs several GPUs; products over ranks have the host backend alone"),
];

/// Every id, in order.
fn ids() -> Vec<String> {
    let numbered = |letter, count| (1..=count).map(move |number| format!("{letter}{number}"));
    let named = CASES.split_whitespace().chain(CLIENTS.split_whitespace()).map(String::from);
    numbered('R', RULES).chain(numbered('T', CALLS)).chain(named).collect()
}

/// Whether a test of this name is one for this id: an id leads the name, perhaps after others; a client's is the whole
/// name, or all of its beginning.
fn covers(test: &str, id: &str) -> bool {
    if CLIENTS.split_whitespace().any(|client| client == id) {
        return test.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    }
    test.split('_').take_while(|word| is_id(word)).any(|word| word == id)
}

fn is_id(word: &str) -> bool {
    let number = word.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    number.len() < word.len() && !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
}

/// The names of all tests in the sources.
fn names() -> BTreeSet<String> {
    let mut files = Vec::new();
    for folder in ["c_tests", "tests", "cli/tests", "market/tests", "src", "cusparse", "mpi"] {
        files_below(&root().join(folder), &mut files);
    }
    let mut names = BTreeSet::new();
    for text in files.iter().filter_map(|file| fs::read_to_string(file).ok()) {
        for opening in ["TEST(", "fn "] {
            for (at, _) in text.match_indices(opening) {
                let name = text[at + opening.len()..].split(|c: char| !(c.is_alphanumeric() || c == '_')).next();
                names.extend(name.filter(|name| !name.is_empty()).map(String::from));
            }
        }
    }
    names
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files_below(&path, files);
        } else if path.extension().is_some_and(|kind| kind == "c" || kind == "rs") {
            files.push(path);
        }
    }
}

/// What ctest or libtest printed about each test; a failure anywhere is the test's result.
fn results(printed: &str) -> BTreeMap<String, &'static str> {
    let mut results = BTreeMap::new();
    for line in printed.lines() {
        let Some((name, result)) = of_ctest(line).or_else(|| of_libtest(line)) else { continue };
        let known = results.entry(name).or_insert(result);
        if result == "FAILED" {
            *known = result;
        }
    }
    results
}

/// " 3/12 Test  #3: c.suite.name ......   Passed    0.01 sec"
fn of_ctest(line: &str) -> Option<(String, &'static str)> {
    let (_, rest) = line.split_once(" Test ")?.1.split_once(": ")?;
    let name = rest.split(' ').next()?.rsplit('.').next()?;
    let result = [(" Passed ", "passed"), ("***Skipped", "skipped")].into_iter().find(|(word, _)| rest.contains(word));
    Some((name.into(), result.map_or("FAILED", |(_, result)| result)))
}

/// "test module::name ... ok"
fn of_libtest(line: &str) -> Option<(String, &'static str)> {
    let (name, result) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let result = match result {
        "ok" => "passed",
        "FAILED" => "FAILED",
        _ => return None,
    };
    Some((name.rsplit("::").next()?.into(), result))
}

/// Writes docs/conformance.md from files of what ctest and `cargo test` printed.
pub fn run(printed: &[PathBuf]) -> Result<(), String> {
    let read = |file: &PathBuf| fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()));
    let printed = printed.iter().map(read).collect::<Result<String, String>>()?;
    let file = root().join("docs/conformance.md");
    fs::write(&file, table(&names(), &results(&printed))).map_err(|error| format!("{}: {error}", file.display()))
}

fn table(names: &BTreeSet<String>, results: &BTreeMap<String, &'static str>) -> String {
    let mut text = String::from(
        "# Conformance\n\nWritten by `cargo xtask conformance FILE...` from what ctest and `cargo test` printed; not to be \
         edited by hand.\nR: rules of the calling convention. T: tests of it. Two letters: cases that users of such \
         libraries reported. Names: clients,\nwhose calls are made in their order. ",
    );
    text.push_str(&on_gpu());
    text.push_str("\n\n| id | test | host | CUDA |\n|---|---|---|---|\n");
    for id in ids() {
        let tests: Vec<&String> = names.iter().filter(|test| covers(test, &id)).collect();
        if let Some((_, why)) = MISSING.iter().find(|(missing, _)| *missing == id) {
            writeln!(text, "| {id} | none: {why} | | |").expect("text takes all");
        }
        for test in tests {
            let host = results.get(test).unwrap_or(&"not run");
            writeln!(text, "| {id} | `{test}` | {host} | not run here |").expect("text takes all");
        }
    }
    text
}

/// The GPU's report has counts alone.
fn on_gpu() -> String {
    let report = fs::read_to_string(root().join("benches/results/gpu-tests.json")).unwrap_or_default();
    let report: Value = serde_json::from_str(&report).unwrap_or_default();
    let text = |name: &str| report[name].as_str().unwrap_or("?").to_string();
    format!(
        "The last run on a GPU ({}, {}) is in\n`benches/results/gpu-tests.json`: {} passed, {} failed, {} skipped. It does \
         not name its tests, and later tests are not in it.",
        text("device"),
        text("date"),
        report["passed"],
        report["failed"],
        report["skipped"],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_a_test_or_a_reason() {
        let names = names();
        for id in ids() {
            let tested = names.iter().any(|test| covers(test, &id));
            let excused = MISSING.iter().any(|(missing, _)| *missing == id);
            assert!(tested != excused, "{id}: tested {tested}, listed as missing {excused}");
        }
    }

    #[test]
    fn only_known_ids_are_excused() {
        let ids = ids();
        assert!(MISSING.iter().all(|(missing, _)| ids.iter().any(|id| id == missing)));
    }

    #[test]
    fn ids_lead_names() {
        assert!(covers("T14_R14_calls_wait", "R14") && covers("T14_R14_calls_wait", "T14"));
        assert!(!covers("T14_R14_calls_wait", "R1") && !covers("LI5_so_ME1_does", "ME1"));
        assert!(covers("cupy_fallback", "cupy") && !covers("petsc_main", "petsc_3_24"));
    }

    #[test]
    fn both_runners_are_read() {
        let results = results(
            "1/3 Test #1: c.a.one ....   Passed    0.01 sec\n2/3 Test #2: c.a.two ....***Skipped   0.01 sec\n\
             3/3 Test #3: c.a.three ...***Failed    0.01 sec\ntest m::four ... ok\ntest m::one ... FAILED\n",
        );
        let expected = [("one", "FAILED"), ("two", "skipped"), ("three", "FAILED"), ("four", "passed")];
        assert_eq!(results, expected.map(|(name, result)| (name.to_string(), result)).into());
    }
}
