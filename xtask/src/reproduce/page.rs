// SPDX-License-Identifier: MIT OR Apache-2.0

//! Words, numbers and tables of the page.

pub const NOT_RUN: &str = "*Not run.*\n";

pub const INTRODUCTION: &str = "\
# The paper's tables, measured again

Li and Guidi, \"Ocean: Fast Estimation-Based SpGEMM on GPUs\" (ICS 2026) report the figures called *paper* here, on an A100 and an
H100 over 337 square matrices of the SuiteSparse collection, of which 148 are estimated, and 64 rectangular ones. *Here* are
this library's, over the matrices of the test data and those that `ocean bench --suite` makes: C = A * A, or A * A^T where A is
not square. This page and its charts are written by `cargo xtask reproduce` from the JSON in `benches/results`; the commands at
its end make that. A table whose runs are missing says so.

What sketches, samples and keys tell does not depend on where it is computed: a test compares the GPU's with the host's bit by
bit (`tests/step_backends.rs`). Those tables were measured on a CPU; all times are a GPU's.
";

/// A table; the first column is text, the others are numbers.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    let rule = format!("| --- |{}\n", " ---: |".repeat(head.len() - 1));
    format!("{}{rule}{}", line(&head), rows.iter().map(|row| line(row)).collect::<String>())
}

pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Nothing of nothing.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

pub fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

pub fn geometric_mean(values: &[f64]) -> f64 {
    mean(&values.iter().map(|value| value.ln()).collect::<Vec<_>>()).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_markdown() {
        assert_eq!(table(&["a", "b"], &[vec!["x".into(), "1".into()]]), "| a | b |\n| --- | ---: |\n| x | 1 |\n");
    }

    #[test]
    fn means() {
        assert_eq!((mean(&[]), mean(&[1.0, 3.0]), most(&[1.0, 3.0])), (0.0, 2.0, 3.0));
        assert!((geometric_mean(&[1.0, 4.0]) - 2.0).abs() < 1e-12);
    }
}
