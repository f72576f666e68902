// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reader of labelled edges: it gives a symmetric matrix with positive weights, or says which line is wrong.

#[path = "../../cli/src/mcl/edges.rs"]
mod edges;

use std::collections::BTreeSet;

use ocean::csr::OwnedCsr;
use ocean::reference::transposed;

/// Any bytes are a file.
pub fn run(bytes: &[u8]) {
    let (labels, edges) = match edges::parse(bytes) {
        Ok(read) => read,
        Err(problem) => {
            let number = problem.strip_prefix("line ").and_then(|rest| rest.split(':').next()?.parse().ok());
            let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
            assert!(number.is_some_and(|number: usize| (1..=lines).contains(&number)), "{problem}");
            return;
        }
    };
    assert_eq!(labels.iter().collect::<BTreeSet<_>>().len(), labels.len(), "a label twice");
    assert!(labels.len() <= 2 * edges.len());
    let weights = edges::symmetric(labels.len(), edges).expect("few nodes");
    let OwnedCsr { rows, cols, offsets, columns, values } = weights.clone();
    let weights = OwnedCsr::new(rows, cols, offsets, columns, values).expect("a matrix by the rules");
    assert_eq!(transposed(&weights, false), weights, "an edge in one direction");
    for node in 0..rows {
        let columns = &weights.columns[weights.row(node)];
        assert!(columns.is_sorted_by(|one, other| one < other) && !columns.contains(&(node as i32)));
    }
    assert!(weights.values.iter().all(|&weight| weight > 0.0 && weight.is_finite()));
}
