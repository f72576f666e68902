// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file of all cells, the table, and the lines at its end.

use std::fmt::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::cell::{Cell, compare};
use crate::arguments::{Form, Tool, word};
use crate::failure::{Failure, Result};

#[derive(Serialize)]
pub struct Report {
    pub commit: String,
    pub device: String,
    pub driver: String,
    pub cuda: String,
    pub date: String,
    pub command: String,
    pub cells: Vec<Cell>,
}

impl Report {
    pub fn new(device: String, driver: String, cuda: String) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let command = std::env::args().collect::<Vec<_>>().join(" ");
        Self { commit: commit(), device, driver, cuda, date: date(now), command, cells: vec![] }
    }

    /// Writes the file anew. By another name first, so that a reader never sees half of it.
    pub fn write(&self, path: &Path) -> Result<()> {
        let refused = |error: std::io::Error| Failure::refused(format!("{}: {error}", path.display()));
        let mut text = serde_json::to_string_pretty(self).map_err(Failure::refused)?;
        text.push('\n');
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        std::fs::write(&part, text).map_err(refused)?;
        std::fs::rename(&part, path).map_err(refused)
    }

    /// Ours beside the vendor's, where both have cells.
    pub fn summary(&self) -> String {
        let [default, reuse] = [word(Tool::CusparseDefault), word(Tool::CusparseReuse)];
        let staged = (&*default, Form::Staged);
        let mut names: Vec<&str> = vec![];
        for cell in self.cells.iter().filter(|cell| cell.tool == Tool::Ocean) {
            if !names.contains(&&*cell.name) {
                names.push(&cell.name);
            }
        }
        let of_name = |name| {
            [(Form::OneCall, staged), (Form::Staged, staged), (Form::Repeat, (&*reuse, Form::Repeat))]
                .map(|(form, theirs)| ((name, form), theirs))
        };
        let mut out = String::new();
        for (ours, theirs) in names.into_iter().flat_map(of_name) {
            let Some(found) = compare(&self.cells, ours, theirs) else { continue };
            let [ours, theirs] = [ours, theirs].map(|(name, form)| format!("{name} {}", word(form)));
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "{ours} over {theirs}: {:.3} times as long, {:.2} times as fast (geometric mean of {})",
                found.ratio,
                1.0 / found.ratio,
                found.matrices
            );
            if !found.slower.is_empty() {
                let slower: Vec<String> =
                    found.slower.iter().map(|(matrix, ratio)| format!("{matrix} {ratio:.2}")).collect();
                let _ = writeln!(out, "  slower on {}: {}", slower.len(), slower.join(", "));
            }
        }
        let not_ok = self.cells.iter().filter(|cell| !cell.is_ok()).count();
        let _ = writeln!(out, "{} cells, {not_ok} not ok", self.cells.len());
        out
    }
}

fn commit() -> String {
    let given = std::env::var("OCEAN_COMMIT").ok().filter(|commit| !commit.is_empty());
    given.or_else(|| option_env!("OCEAN_COMMIT").map(str::to_owned)).unwrap_or_else(|| "unknown".to_owned())
}

/// Seconds since 1970 as ISO 8601, UTC; the days by Hinnant's civil calendar, in which years begin in March.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

pub const HEADER: &str = "\
matrix             tool              form        products     nnz(C)   median ms   GFLOP/s   extra MB  status\n";

/// One line of the table.
pub fn line(cell: &Cell) -> String {
    let number = |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |value| format!("{value:.digits$}"));
    format!(
        "{:<18} {:<17} {:<8} {:>11} {:>10} {:>11} {:>9} {:>10}  {}\n",
        cell.matrix,
        cell.name,
        word(cell.form),
        cell.products,
        cell.nnz_c.map_or("-".to_owned(), |nnz| nnz.to_string()),
        number(cell.median_ms, 4),
        number(cell.gflops, 2),
        number(cell.extra_peak_bytes.map(|bytes| bytes as f64 / 1e6), 1),
        cell.status,
    )
}

#[cfg(test)]
mod tests {
    use super::super::cell::tests::cell;
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_772_409_600), "2026-03-02T00:00:00Z");
    }

    #[test]
    fn the_file_has_the_published_form() {
        let mut report = Report::new("H200".into(), "580".into(), "13.0".into());
        report.cells.push(cell("p", Tool::Ocean, Form::OneCall, &[2.0, 1.0, 4.0]));
        report.cells.push(cell("p", Tool::CusparseAlg3, Form::Staged, &[]));
        report.cells[1].status = "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES".into();
        let text = serde_json::to_string(&report).expect("plain data");
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let keys = |value: &serde_json::Value| {
            value.as_object().expect("an object").keys().cloned().collect::<std::collections::BTreeSet<_>>()
        };
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(keys(&json), named(&["commit", "device", "driver", "cuda", "date", "command", "cells"]));
        let cell = &json["cells"][0];
        let names = [
            "matrix",
            "tool",
            "form",
            "type",
            "products",
            "nnz_c",
            "median_ms",
            "min_ms",
            "max_ms",
            "runs",
            "gflops",
            "extra_peak_bytes",
            "status",
            "roofline_ms",
        ];
        assert_eq!(keys(cell), named(&names));
        assert_eq!((&cell["tool"], &cell["form"]), (&"ocean".into(), &"one_call".into()));
        assert_eq!((&cell["median_ms"], &cell["gflops"], &cell["runs"]), (&2.0.into(), &1.0.into(), &3.into()));
        assert_eq!(json["cells"][1]["tool"], "cusparse_alg3");
        assert!(json["cells"][1]["median_ms"].is_null());
    }

    #[test]
    fn the_summary_names_where_we_are_slower() {
        let mut report = Report::new(String::new(), String::new(), String::new());
        report.cells.push(cell("p", Tool::Ocean, Form::OneCall, &[2.0]));
        report.cells.push(cell("p", Tool::CusparseDefault, Form::Staged, &[1.0]));
        let summary = report.summary();
        assert!(summary.starts_with("ocean one_call over cusparse_default staged: 2.000 times as long"), "{summary}");
        assert!(summary.contains("slower on 1: p 2.00"), "{summary}");
    }

    #[test]
    fn variants_have_lines_and_names_of_their_own() {
        let mut report = Report::new(String::new(), String::new(), String::new());
        for (name, ms) in [("ocean:v1", 2.0), ("ocean:v4", 0.5)] {
            let cell = cell("p", Tool::Ocean, Form::Staged, &[ms]);
            report.cells.push(Cell { name: name.into(), ..cell });
        }
        report.cells.push(cell("p", Tool::CusparseDefault, Form::Staged, &[1.0]));
        let summary = report.summary();
        assert!(summary.contains("ocean:v1 staged over cusparse_default staged: 2.000"), "{summary}");
        assert!(summary.contains("ocean:v4 staged over cusparse_default staged: 0.500"), "{summary}");
        let json = serde_json::to_value(&report).expect("plain data");
        assert_eq!(json["cells"][0]["tool"], "ocean:v1");
        assert_eq!(line(&report.cells[0]).find(" ok"), HEADER.find(" status"));
    }

    #[test]
    fn lines_stand_under_the_header() {
        let text = line(&cell("p2d_300", Tool::Ocean, Form::OneCall, &[2.0]));
        assert_eq!(text.find(" ok"), HEADER.find(" status"));
    }
}
