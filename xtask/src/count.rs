// SPDX-License-Identifier: MIT OR Apache-2.0

//! Reads how many tests passed, failed and were skipped from what test runners print.
//!
//! A test that can't run here says so on a line of its own, `skipped: NAME: WHY`, past libtest's capture
//! (`std::io::stderr()`). libtest counts it as passed; here it counts as skipped.

use std::ops::AddAssign;

/// How many tests did what, and why some did nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Ran and held.
    pub passed: usize,
    /// Ran and did not hold.
    pub failed: usize,
    /// Could not run here.
    pub skipped: usize,
    /// One reason for each group of skipped tests, or what failed.
    pub notes: Vec<String>,
}

impl Counts {
    /// Something whose tests could not be counted.
    pub fn failure(why: String) -> Self {
        Self { failed: 1, notes: vec![why], ..Self::default() }
    }

    /// A check that counts as one test.
    pub fn one(passed: bool) -> Self {
        Self { passed: passed.into(), failed: (!passed).into(), ..Self::default() }
    }

    /// The results of `cargo test`.
    pub fn of_libtest(lines: &[String]) -> Self {
        let mut counts = Self::default();
        let mut skipped = 0;
        for line in lines.iter().map(|line| plain(line)) {
            if let Some(results) = line.trim_start().strip_prefix("test result: ") {
                counts.passed += number_before(results, " passed");
                counts.failed += number_before(results, " failed");
                counts.skipped += number_before(results, " ignored");
            } else if let Some(name) = line.strip_prefix("test ").and_then(|line| line.strip_suffix(" ... FAILED")) {
                counts.notes.push(format!("{name} failed"));
            } else if let Some(reason) = skip_reason(&line) {
                skipped += 1;
                counts.note_once(reason);
            }
        }
        counts.passed = counts.passed.saturating_sub(skipped);
        counts.skipped += skipped;
        counts
    }

    /// The results of `ctest`, from its line for each test. Why some skipped stands in its log.
    pub fn of_ctest(lines: &[String], log: &str) -> Self {
        let mut counts = Self::default();
        for line in lines {
            // " 3/12 Test  #3: name ......   Passed    0.01 sec"
            let Some((number, rest)) = line.trim_start().split_once('/') else { continue };
            if number.parse::<usize>().is_err() || !rest.contains(" Test ") {
                continue;
            }
            if rest.contains(" Passed ") {
                counts.passed += 1;
            } else if rest.contains("***Skipped") || rest.contains("***Not Run (Disabled)") {
                counts.skipped += 1;
            } else {
                counts.failed += 1;
                counts.notes.push(format!("{} failed", test_name(rest)));
            }
        }
        let reasons = log.lines().filter_map(|line| line.trim_start().strip_prefix("skipped: "));
        reasons.for_each(|reason| counts.note_once(reason));
        counts
    }

    /// Many tests share a reason, such as the missing GPU: one note for all.
    fn note_once(&mut self, reason: &str) {
        if !self.notes.iter().any(|note| note == reason) {
            self.notes.push(reason.to_string());
        }
    }
}

/// The exit status of a test program that could not run here.
const SKIPPED: i32 = 77;

impl Counts {
    /// The results of a C program: by the line with which our harness closes, else by the exit status.
    pub fn of_program(name: &str, status: Option<i32>, lines: &[String]) -> Self {
        let closing = lines.iter().rev().find(|line| line.contains(" passed, ") && line.contains(" failed, "));
        let mut counts = closing.map_or_else(Self::default, |line| Self {
            passed: number_before(line, " passed"),
            failed: number_before(line, " failed"),
            skipped: number_before(line, " skipped"),
            notes: Vec::new(),
        });
        match status {
            Some(0) if closing.is_none() => counts.passed = 1,
            Some(0) => {}
            Some(SKIPPED) => counts.skipped = counts.skipped.max(1),
            // A fault found by a checker around the program fails it even if every test held.
            _ => {
                counts.failed = counts.failed.max(1);
                counts.notes.push(format!("{name} failed"));
            }
        }
        counts
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.notes.extend(other.notes);
    }
}

/// The line without terminal colours.
fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\x1b') {
        text.push_str(before);
        rest = after.split_once('m').map_or("", |(_, shown)| shown);
    }
    text + rest
}

/// In "ok. 12 passed; 0 failed; 1 ignored", the 12 before " passed".
fn number_before(results: &str, word: &str) -> usize {
    let digits = |text: &str| text.rsplit(' ').next().and_then(|number| number.parse().ok());
    results.split_once(word).and_then(|(before, _)| digits(before)).unwrap_or(0)
}

/// The WHY of "skipped: NAME: WHY"; with one test thread the line follows libtest's "test NAME ... ".
fn skip_reason(line: &str) -> Option<&str> {
    let (before, reason) = line.split_once("skipped: ")?;
    let starts = before.is_empty() || before.ends_with(" ... ");
    starts.then(|| reason.split_once(": ").map_or(reason, |(_, why)| why))
}

fn test_name(rest: &str) -> &str {
    rest.split_once(": ").map_or(rest, |(_, name)| name.split(' ').next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_string).collect()
    }

    #[test]
    fn libtest_results_add_up_over_binaries_and_colours() {
        let counts = Counts::of_libtest(&lines(
            "test a ... ok\n\
             test b ... \x1b[31mFAILED\x1b[0m\n\
             test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.1s\n\
             test result: \x1b[31mFAILED\x1b[0m. 2 passed; 3 failed; 0 ignored; 0 measured; finished in 0.1s",
        ));
        assert_eq!((counts.passed, counts.failed, counts.skipped), (14, 3, 1));
        assert_eq!(counts.notes, ["b failed"]);
    }

    #[test]
    fn a_test_that_says_it_skipped_is_not_counted_as_passed() {
        let counts = Counts::of_libtest(&lines(
            "skipped: one: no CUDA device\n\
             test two ... skipped: two: no CUDA device\n\
             ok\n\
             test three ... ok\n\
             test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        ));
        assert_eq!((counts.passed, counts.skipped), (1, 2));
        assert_eq!(counts.notes, ["no CUDA device"]);
    }

    #[test]
    fn a_program_is_counted_by_its_closing_line_and_its_exit_status() {
        let closing = lines("a\n7 passed, 0 failed, 2 skipped");
        let of = |status, lines: &[String]| {
            let counts = Counts::of_program("status", status, lines);
            (counts.passed, counts.failed, counts.skipped)
        };
        assert_eq!(of(Some(0), &closing), (7, 0, 2));
        assert_eq!(of(Some(99), &closing), (7, 1, 2));
        assert_eq!(of(None, &[]), (0, 1, 0));
        assert_eq!(of(Some(0), &[]), (1, 0, 0));
        assert_eq!(of(Some(77), &[]), (0, 0, 1));
    }

    #[test]
    fn ctest_lines_pass_fail_and_skip() {
        let counts = Counts::of_ctest(
            &lines(
                "    Start 1: spgemm\n\
             1/4 Test #1: spgemm ...........   Passed    0.01 sec\n\
             2/4 Test #2: status ...........***Failed    0.00 sec\n\
             3/4 Test #3: gpu ..............***Skipped   0.00 sec\n\
             4/4 Test #4: lost .............***Not Run   0.00 sec\n\
             100% tests passed, 0 tests failed out of 2",
            ),
            "gpu\n  skipped: no CUDA device\n",
        );
        assert_eq!((counts.passed, counts.failed, counts.skipped), (1, 2, 1));
        assert_eq!(counts.notes, ["status failed", "lost failed", "no CUDA device"]);
    }
}
