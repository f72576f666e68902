// SPDX-License-Identifier: MIT OR Apache-2.0

//! What `ocean bench --json` wrote.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

/// A tool in a form on a matrix.
#[derive(Clone, Debug)]
pub struct Cell {
    pub matrix: String,
    pub tool: String,
    pub form: String,
    pub products: f64,
    /// Bytes of C's columns and values.
    pub c_bytes: f64,
    /// Of a run that was right.
    pub ms: Option<f64>,
    pub extra_bytes: Option<f64>,
    pub plan: Value,
    pub profile: Value,
}

impl Cell {
    fn read(cell: &Value) -> Option<Self> {
        let text = |name: &str| Some(cell[name].as_str()?.to_owned());
        let entry_bytes = if cell["type"] == "f32" { 8.0 } else { 12.0 };
        Some(Self {
            matrix: text("matrix")?,
            tool: text("tool")?,
            form: text("form")?,
            products: cell["products"].as_f64()?,
            c_bytes: cell["nnz_c"].as_f64().unwrap_or(0.0) * entry_bytes,
            ms: cell["median_ms"].as_f64().filter(|_| cell["status"] == "ok"),
            extra_bytes: cell["extra_peak_bytes"].as_f64(),
            plan: cell["plan"].clone(),
            profile: cell["profile"].clone(),
        })
    }

    /// The workflow that the plan took.
    pub fn workflow(&self) -> Option<&str> {
        self.plan["workflow"].as_str()
    }

    /// Entries of A over its places.
    pub fn density(&self) -> Option<f64> {
        let size = |at: usize| self.plan["shape"][at].as_f64();
        Some(self.plan["nnz_a"].as_f64()? / (size(0)? * size(1)?))
    }
}

/// All cells of some files.
#[derive(Default)]
pub struct Runs {
    pub cells: Vec<Cell>,
    /// Of each file: where and when it was made, and by what.
    pub origins: Vec<String>,
}

impl Runs {
    /// Of a cell that is there twice, the first counts. Files that are missing have no cells.
    pub fn load(files: &[PathBuf]) -> Result<Self, String> {
        let mut runs = Self::default();
        for file in files.iter().filter(|file| file.is_file()) {
            let refused = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
            let text = fs::read_to_string(file).map_err(|error| refused(&error))?;
            runs.add(&file.file_name().unwrap_or_default().to_string_lossy(), &text).map_err(|why| refused(&why))?;
        }
        Ok(runs)
    }

    fn add(&mut self, name: &str, text: &str) -> Result<(), String> {
        let json: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let cells = json["cells"].as_array().ok_or("has no cells")?;
        for cell in cells {
            let cell = Cell::read(cell).ok_or("has a cell without matrix, tool, form or products")?;
            if self.cell(&cell.matrix, &cell.tool, &cell.form).is_none() {
                self.cells.push(cell);
            }
        }
        let word = |key: &str| json[key].as_str().unwrap_or("unknown").to_owned();
        let (device, driver, commit, date) = (word("device"), word("driver"), word("commit"), word("date"));
        self.origins.push(format!("`{name}`: {device}, driver {driver}, commit {commit}, {date}"));
        Ok(())
    }

    pub fn cell(&self, matrix: &str, tool: &str, form: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.matrix == matrix && cell.tool == tool && cell.form == form)
    }

    /// Staged cells of one of our sets of options.
    pub fn staged<'a>(&'a self, variant: &str) -> impl Iterator<Item = &'a Cell> + use<'a> {
        let tool = format!("ocean:{variant}");
        self.cells.iter().filter(move |cell| cell.form == "staged" && cell.tool == tool)
    }

    /// How many times faster `other` is than each of `cells`, where both are right: with its matrix.
    pub fn gains<'a>(&self, cells: impl Iterator<Item = &'a Cell>, other: &str) -> Vec<(&'a str, f64)> {
        let gain = |cell: &'a Cell| {
            let beside = self.cell(&cell.matrix, &format!("ocean:{other}"), &cell.form)?;
            Some((&*cell.matrix, cell.ms? / beside.ms?))
        };
        cells.filter_map(gain).collect()
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Staged cells of variants: matrix, variant, milliseconds, workflow.
    pub fn runs(cells: &[(&str, &str, f64, &str)]) -> Runs {
        let cells: Vec<Value> = cells
            .iter()
            .map(|(matrix, variant, ms, workflow)| {
                serde_json::json!({
                    "matrix": matrix, "tool": format!("ocean:{variant}"), "form": "staged", "type": "f64",
                    "products": 1e6, "nnz_c": 1000, "median_ms": ms, "status": "ok", "extra_peak_bytes": 12000,
                    "plan": {"workflow": workflow, "nnz_a": 50, "shape": [100, 100, 100]},
                })
            })
            .collect();
        let mut runs = Runs::default();
        let text = serde_json::json!({"cells": cells, "device": "H200"}).to_string();
        runs.add("a.json", &text).expect("cells");
        runs
    }

    #[test]
    fn gains_are_of_what_both_did() {
        let runs = runs(&[("p", "v1", 4.0, "exact"), ("p", "v2", 2.0, "estimate"), ("q", "v1", 3.0, "exact")]);
        assert_eq!(runs.gains(runs.staged("v1"), "v2"), [("p", 2.0)]);
        let cell = &runs.cells[1];
        assert_eq!((cell.workflow(), cell.density()), (Some("estimate"), Some(0.005)));
        assert_eq!(runs.origins, ["`a.json`: H200, driver unknown, commit unknown, unknown"]);
    }
}
