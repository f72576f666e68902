// SPDX-License-Identifier: MIT OR Apache-2.0
//! The graph: lines of two labels and a weight, or a Matrix Market file.

use std::path::Path;

use ocean::csr::OwnedCsr;

use super::edges::{self, Edge};
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
        let bytes = std::fs::read(path).map_err(|error| Failure::refused(format!("{name}: {error}")))?;
        Self::from_labels(&bytes, &name)
    }

    fn from_labels(bytes: &[u8], name: &str) -> Result<Self> {
        let (labels, edges) = edges::parse(bytes).map_err(|problem| Failure::refused(format!("{name}: {problem}")))?;
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
                edges.push((row, col, edges::check(csr.values[entry]).map_err(bad)?));
            }
        }
        Self::from_edges((1..=csr.rows).map(|node| node.to_string()).collect(), edges, name)
    }

    fn from_edges(labels: Vec<String>, edges: Vec<Edge>, name: &str) -> Result<Self> {
        let weights = edges::symmetric(labels.len(), edges);
        let weights = weights.map_err(|problem| Failure::refused(format!("{name}: {problem}")))?;
        Ok(Self { labels, weights })
    }

    /// Edges, each counted once.
    pub fn edges(&self) -> usize {
        self.weights.nnz() / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_of_repeated_edges_counts_in_both_directions() {
        let graph = Graph::from_labels(b"# a comment\nx y 2\ny x 3\n\nx y 1\nz z 9\nx z\n", "g").expect("fine");
        assert_eq!(graph.labels, ["x", "y", "z"]);
        assert_eq!(graph.weights.offsets, [0, 2, 3, 4]);
        assert_eq!(graph.weights.columns, [1, 2, 0, 0]);
        assert_eq!(graph.weights.values, [3.0, 1.0, 3.0, 1.0]);
        assert_eq!(graph.edges(), 2);
    }

    #[test]
    fn tabs_part_labels_with_blanks() {
        let graph = Graph::from_labels(b"big cat\tsmall cat\t0.5\n", "g").expect("fine");
        assert_eq!(graph.labels, ["big cat", "small cat"]);
    }

    #[test]
    fn bad_lines_are_named() {
        let message = |text: &str| Graph::from_labels(text.as_bytes(), "g").expect_err("bad").to_string();
        assert_eq!(message("a b\na b c\n"), "g: line 2: weight c is not a number");
        assert_eq!(message("a\n"), "g: line 1: 1 words where two labels and a weight are expected");
        assert_eq!(message("a b -1\n"), "g: line 1: weight -1 is not 0 or more");
        assert_eq!(message("a b\n\na \0b\n"), "g: line 3: has a NUL byte");
        let latin = Graph::from_labels(b"a b\r\nc\xe9 d\r\n", "g").expect_err("bad").to_string();
        assert_eq!(latin, "g: line 2: is not UTF-8");
        assert_eq!(message("a b nan\n"), "g: line 1: weight NaN is not 0 or more");
    }
}
