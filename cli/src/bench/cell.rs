// SPDX-License-Identifier: MIT OR Apache-2.0
//! One tool in one form on one matrix: what is printed, written and drawn.

use serde::Serialize;
use serde_json::Value as Json;

use crate::arguments::{Form, Tool, word};

#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    pub matrix: String,
    /// The tool, and which set of options of ours.
    #[serde(rename = "tool")]
    pub name: String,
    #[serde(skip)]
    pub tool: Tool,
    #[serde(serialize_with = "form")]
    pub form: Form,
    pub r#type: &'static str,
    pub products: u64,
    pub nnz_c: Option<usize>,
    pub median_ms: Option<f64>,
    pub min_ms: Option<f64>,
    pub max_ms: Option<f64>,
    pub runs: usize,
    pub gflops: Option<f64>,
    pub extra_peak_bytes: Option<usize>,
    pub status: String,
    pub roofline_ms: Option<f64>,
    /// What the library says of itself, where it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Json>,
}

fn form<S: serde::Serializer>(form: &Form, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&word(*form))
}

/// Median, least and most of some times.
pub fn spread(times: &[f64]) -> Option<(f64, f64, f64)> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (least, most) = (*sorted.first()?, *sorted.last()?);
    let middle = sorted.len() / 2;
    let median = if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) };
    Some((median, least, most))
}

impl Cell {
    pub fn is_ok(&self) -> bool {
        self.status == "ok"
    }

    /// Takes the times over, in milliseconds.
    pub fn set_times(&mut self, times: &[f64]) {
        self.runs = times.len();
        if let Some((median, least, most)) = spread(times) {
            (self.median_ms, self.min_ms, self.max_ms) = (Some(median), Some(least), Some(most));
            self.gflops = (median > 0.0).then(|| 2.0 * self.products as f64 / (median * 1e6));
        }
    }
}

/// How much longer one tool takes than another where both are right: geometric mean of the ratios, their number, and
/// the matrices where the first is slower, with the ratio.
pub struct Comparison<'a> {
    pub ratio: f64,
    pub matrices: usize,
    pub slower: Vec<(&'a str, f64)>,
}

pub fn compare<'a>(cells: &'a [Cell], one: (&str, Form), other: (&str, Form)) -> Option<Comparison<'a>> {
    let mut ratios = vec![];
    for cell in cells.iter().filter(|cell| cell.is_ok() && (&*cell.name, cell.form) == one) {
        let beside = cells
            .iter()
            .find(|beside| beside.is_ok() && (&*beside.name, beside.form) == other && beside.matrix == cell.matrix);
        if let (Some(time), Some(beside)) = (cell.median_ms, beside.and_then(|beside| beside.median_ms)) {
            ratios.push((cell.matrix.as_str(), time / beside));
        }
    }
    if ratios.is_empty() {
        return None;
    }
    let mean = ratios.iter().map(|(_, ratio)| ratio.ln()).sum::<f64>() / ratios.len() as f64;
    let matrices = ratios.len();
    ratios.retain(|(_, ratio)| *ratio > 1.0);
    ratios.sort_by(|one, other| other.1.total_cmp(&one.1));
    Some(Comparison { ratio: mean.exp(), matrices, slower: ratios })
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn cell(matrix: &str, tool: Tool, form: Form, times: &[f64]) -> Cell {
        let mut cell = Cell {
            matrix: matrix.to_owned(),
            name: word(tool),
            tool,
            form,
            r#type: "f64",
            products: 1_000_000,
            nnz_c: Some(500),
            median_ms: None,
            min_ms: None,
            max_ms: None,
            runs: 0,
            gflops: None,
            extra_peak_bytes: Some(64),
            status: "ok".to_owned(),
            roofline_ms: Some(0.125),
            plan: None,
            profile: None,
        };
        cell.set_times(times);
        cell
    }

    #[test]
    fn medians() {
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[3.0]), Some((3.0, 3.0, 3.0)));
        assert_eq!(spread(&[3.0, 1.0, 9.0]), Some((3.0, 1.0, 9.0)));
        assert_eq!(spread(&[4.0, 1.0, 9.0, 2.0]), Some((3.0, 1.0, 9.0)));
    }

    #[test]
    fn comparisons_leave_out_what_failed() {
        let mut cells = vec![
            cell("p", Tool::Ocean, Form::Staged, &[1.0]),
            cell("p", Tool::CusparseDefault, Form::Staged, &[4.0]),
            cell("q", Tool::Ocean, Form::Staged, &[4.0]),
            cell("q", Tool::CusparseDefault, Form::Staged, &[1.0]),
            cell("r", Tool::Ocean, Form::Staged, &[9.0]),
            cell("r", Tool::CusparseDefault, Form::Staged, &[1.0]),
        ];
        cells[5].status = "CUDA_ERROR_OUT_OF_MEMORY".to_owned();
        let ours = ("ocean", Form::Staged);
        let found = compare(&cells, ours, ("cusparse_default", Form::Staged)).expect("two pairs");
        assert!((found.ratio - 1.0).abs() < 1e-12);
        assert_eq!((found.matrices, found.slower), (2, vec![("q", 4.0)]));
        assert!(compare(&cells, ours, ("cusparse_alg2", Form::Staged)).is_none());
    }
}
