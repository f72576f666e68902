// SPDX-License-Identifier: MIT OR Apache-2.0

//! What came of each layer, as a table that ends in one line for machines to read.

use std::fmt;
use std::time::Duration;

use crate::count::Counts;

/// One layer's outcome.
pub struct Row {
    /// The layer.
    pub name: &'static str,
    /// Its tests; a layer that could not run has none passed, none failed and one skipped.
    pub counts: Counts,
    /// How long it took, builds included.
    pub took: Duration,
}

/// All layers, in the order they ran.
#[derive(Default)]
pub struct Report {
    /// One for each layer.
    pub rows: Vec<Row>,
}

impl Report {
    /// Whether every test that ran held. A report with no passed test is no success either.
    pub fn success(&self) -> bool {
        self.sum(|counts| counts.failed) == 0 && self.sum(|counts| counts.passed) > 0
    }

    fn sum(&self, field: impl Fn(&Counts) -> usize) -> usize {
        self.rows.iter().map(|row| field(&row.counts)).sum()
    }
}

impl Row {
    fn result(&self) -> &'static str {
        match (self.counts.failed, self.counts.passed) {
            (0, 0) => "skipped",
            (0, _) => "passed",
            _ => "FAILED",
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max("layer".len());
        writeln!(f, "{:name$}  result   passed  failed  skipped  seconds  notes", "layer")?;
        for row in &self.rows {
            let Counts { passed, failed, skipped, notes } = &row.counts;
            let seconds = row.took.as_secs_f64();
            let line = format!(
                "{:name$}  {:7}  {passed:6}  {failed:6}  {skipped:7}  {seconds:7.1}  {}",
                row.name,
                row.result(),
                notes.first().map_or(String::new(), |note| shortened(note)),
            );
            writeln!(f, "{}", line.trim_end())?;
            let indent = name + "  result   passed  failed  skipped  seconds  ".len();
            notes.iter().skip(1).try_for_each(|note| writeln!(f, "{:indent$}{}", "", shortened(note)))?;
        }
        let total = |field: fn(&Counts) -> usize| self.sum(field);
        writeln!(f)?;
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            total(|counts| counts.passed),
            total(|counts| counts.failed),
            total(|counts| counts.skipped)
        )
    }
}

/// A note that does not drown the table; all of it stood above.
fn shortened(note: &str) -> String {
    const MOST: usize = 140;
    let line = note.lines().next().unwrap_or_default();
    if line.chars().count() <= MOST { line.into() } else { line.chars().take(MOST).chain("...".chars()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &'static str, passed: usize, failed: usize, notes: &[&str]) -> Row {
        let notes = notes.iter().map(|note| note.to_string()).collect();
        let skipped = usize::from(passed + failed == 0);
        Row { name, counts: Counts { passed, failed, skipped, notes }, took: Duration::from_millis(1500) }
    }

    #[test]
    fn the_last_line_is_the_sum_of_all_layers() {
        let report =
            Report { rows: vec![row("fmt", 1, 0, &[]), row("host", 40, 2, &["a", "b"]), row("gpu", 0, 0, &[])] };
        let text = report.to_string();
        assert!(text.ends_with("\n41 passed, 2 failed, 1 skipped"), "{text}");
        assert!(text.contains("host   FAILED       40       2        0      1.5  a\n"), "{text}");
        assert!(!report.success());
    }

    #[test]
    fn a_report_in_which_nothing_ran_is_no_success() {
        assert!(!Report { rows: vec![row("gpu", 0, 0, &["no GPU"])] }.success());
        assert!(Report { rows: vec![row("fmt", 1, 0, &[])] }.success());
    }
}
