// SPDX-License-Identifier: MIT OR Apache-2.0
//! The graph: lines of two labels and a weight, or a Matrix Market file.

use std::collections::HashMap;
use std::path::Path;

use ocean::csr::OwnedCsr;

use crate::failure::{Failure, Result};
use crate::inputs;

/// An undirected graph with positive weights and no loops.
#[derive(Debug)]
pub struct Graph {
    /// Each node's name, in the order in which they are first named.
    pub labels: Vec<String>,
    /// Both directions of every edge, each once.
    pub weights: OwnedCsr<f64>,
}

impl Graph {
    /// Reads `.mtx` and `.mtx.gz` as Matrix Market, anything else as labels.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        if name.ends_with(".mtx") || name.ends_with(".mtx.gz") {
            return Self::from_market(path, &name);
        }
        let text = std::fs::read_to_string(path).map_err(|error| Failure::refused(format!("{name}: {error}")))?;
        Self::from_labels(&text, &name)
    }

    /// Lines `label label [weight]`, blank ones and those that begin with # aside; a missing weight is 1.
    fn from_labels(text: &str, name: &str) -> Result<Self> {
        let mut labels: Vec<String> = vec![];
        let mut index: HashMap<&str, usize> = HashMap::new();
        let mut edges = vec![];
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let bad = |problem: String| Failure::refused(format!("{name}: line {}: {problem}", at + 1));
            // Labels may hold blanks where tabs part them.
            let words: Vec<&str> = if line.contains('\t') {
                line.split('\t').map(str::trim).collect()
            } else {
                line.split_whitespace().collect()
            };
            let (from, to, weight) = match *words {
                [from, to] => (from, to, 1.0),
                [from, to, weight] => {
                    let number = weight.parse().map_err(|_| bad(format!("weight {weight} is not a number")))?;
                    (from, to, number)
                }
                _ => return Err(bad(format!("{} words where two labels and a weight are expected", words.len()))),
            };
            let mut node = |label| {
                *index.entry(label).or_insert_with(|| {
                    labels.push(String::from(label));
                    labels.len() - 1
                })
            };
            edges.push((node(from), node(to), check(weight).map_err(bad)?));
        }
        Self::from_edges(labels, edges, name)
    }

    fn from_market(path: &Path, name: &str) -> Result<Self> {
        let csr = inputs::load(path)?;
        if csr.rows != csr.cols {
            return Err(Failure::refused(format!("{name}: {} x {}, and a graph is square", csr.rows, csr.cols)));
        }
        let mut edges = vec![];
        for row in 0..csr.rows {
            for entry in csr.row(row) {
                let col = csr.columns[entry] as usize;
                let bad = |problem| Failure::refused(format!("{name}: entry ({}, {}): {problem}", row + 1, col + 1));
                edges.push((row, col, check(csr.values[entry]).map_err(bad)?));
            }
        }
        Self::from_edges((1..=csr.rows).map(|node| node.to_string()).collect(), edges, name)
    }

    /// Of edges between the same two nodes, in either direction, the heaviest counts; loops do not.
    fn from_edges(labels: Vec<String>, edges: Vec<(usize, usize, f64)>, name: &str) -> Result<Self> {
        let nodes = labels.len();
        if nodes > i32::MAX as usize {
            return Err(Failure::refused(format!("{name}: {nodes} nodes, more than {}", i32::MAX)));
        }
        let kept = edges.into_iter().filter(|&(from, to, weight)| from != to && weight > 0.0);
        let mut both: Vec<(usize, usize, f64)> =
            kept.flat_map(|(from, to, weight)| [(from, to, weight), (to, from, weight)]).collect();
        both.sort_by(|one, other| (one.0, one.1).cmp(&(other.0, other.1)).then(other.2.total_cmp(&one.2)));
        both.dedup_by_key(|edge| (edge.0, edge.1));
        let mut weights =
            OwnedCsr { rows: nodes, cols: nodes, offsets: vec![0; nodes + 1], columns: vec![], values: vec![] };
        for (from, to, weight) in both {
            weights.offsets[from + 1] += 1;
            weights.columns.push(to as i32);
            weights.values.push(weight);
        }
        for node in 0..nodes {
            weights.offsets[node + 1] += weights.offsets[node];
        }
        Ok(Self { labels, weights })
    }

    /// Edges, each counted once.
    pub fn edges(&self) -> usize {
        self.weights.nnz() / 2
    }
}

fn check(weight: f64) -> std::result::Result<f64, String> {
    if weight.is_finite() && weight >= 0.0 { Ok(weight) } else { Err(format!("weight {weight} is not 0 or more")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_of_repeated_edges_counts_in_both_directions() {
        let graph = Graph::from_labels("# a comment\nx y 2\ny x 3\n\nx y 1\nz z 9\nx z\n", "g").expect("fine");
        assert_eq!(graph.labels, ["x", "y", "z"]);
        assert_eq!(graph.weights.offsets, [0, 2, 3, 4]);
        assert_eq!(graph.weights.columns, [1, 2, 0, 0]);
        assert_eq!(graph.weights.values, [3.0, 1.0, 3.0, 1.0]);
        assert_eq!(graph.edges(), 2);
    }

    #[test]
    fn tabs_part_labels_with_blanks() {
        let graph = Graph::from_labels("big cat\tsmall cat\t0.5\n", "g").expect("fine");
        assert_eq!(graph.labels, ["big cat", "small cat"]);
    }

    #[test]
    fn bad_lines_are_named() {
        let message = |text| Graph::from_labels(text, "g").expect_err("bad").to_string();
        assert_eq!(message("a b\na b c\n"), "g: line 2: weight c is not a number");
        assert_eq!(message("a\n"), "g: line 1: 1 words where two labels and a weight are expected");
        assert_eq!(message("a b -1\n"), "g: line 1: weight -1 is not 0 or more");
        assert_eq!(message("a b nan\n"), "g: line 1: weight NaN is not 0 or more");
    }
}
