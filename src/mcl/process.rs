// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expansion, pruning and inflation until nothing changes. A node's distribution is a column of the Markov matrix and a row
//! of what is kept here, its transpose.

use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;

use super::rows::{Entry, chaos, entries, from_rows, inflate, prune};
use crate::csr::OwnedCsr;

/// What may be set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rules {
    /// The power of each step.
    pub inflation: f64,
    /// Entries below one over this are dropped.
    pub prune: f64,
    /// More entries than so many are cut down to the largest.
    pub select: usize,
    /// Where less than `mass` is left, so many of the largest are kept instead.
    pub recover: usize,
    /// That mass, of 1.
    pub mass: f64,
    /// At rest, once all distributions are flat to within this.
    pub chaos: f64,
    /// Steps after which it ends in any case.
    pub most_iterations: usize,
}

impl Default for Rules {
    /// What `mcl` does by itself, but for the end: its own is not documented.
    fn default() -> Self {
        Self {
            inflation: 2.0,
            prune: 1e4,
            select: 1_100,
            recover: 1_400,
            mass: 0.9,
            chaos: 1e-3,
            most_iterations: 1_000,
        }
    }
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Iteration {
    /// How far from flat the distributions were.
    pub chaos: f64,
    /// Entries after the expansion.
    pub expanded: usize,
    /// Entries after pruning.
    pub kept: usize,
    /// How long it took.
    pub seconds: f64,
}

/// Where the process runs: with all rows in one process, or with some on each of many ranks.
pub trait Expand {
    /// What can go wrong.
    type Error;

    /// The rows here of the square of what all hold together.
    ///
    /// # Errors
    /// What the product says.
    fn square(&mut self, flow: &OwnedCsr<f64>) -> Result<OwnedCsr<f64>, Self::Error>;

    /// A step of all together, from what it was here: the most chaos, and sums of entries.
    ///
    /// # Errors
    /// What the transport says.
    fn together(&mut self, here: Iteration) -> Result<Iteration, Self::Error> {
        Ok(here)
    }
}

/// The limit of the process from these distributions on, and its steps.
///
/// # Errors
/// What `on` says.
pub fn run<On: Expand>(
    on: &mut On,
    first: OwnedCsr<f64>,
    rules: &Rules,
) -> Result<(OwnedCsr<f64>, Vec<Iteration>), On::Error> {
    let mut flow = first;
    let mut iterations = vec![];
    while iterations.len() < rules.most_iterations {
        let begin = Instant::now();
        let expanded = on.square(&flow)?;
        let rows: Vec<(f64, Vec<Entry>)> = (0..expanded.rows)
            .into_par_iter()
            .map(|node| {
                let row = prune(&entries(&expanded, node), rules);
                (chaos(&row), inflate(row, rules.inflation))
            })
            .collect();
        let chaos = rows.iter().map(|row| row.0).fold(0.0, f64::max);
        flow = from_rows(flow.cols, rows.into_iter().map(|row| row.1));
        let seconds = begin.elapsed().as_secs_f64();
        let step = on.together(Iteration { chaos, expanded: expanded.nnz(), kept: flow.nnz(), seconds })?;
        iterations.push(step);
        if step.chaos < rules.chaos {
            break;
        }
    }
    // What the next step would drop is no flow any more.
    let lasting = |node| entries(&flow, node).into_iter().filter(|entry| entry.1 >= 1.0 / rules.prune).collect();
    Ok((from_rows(flow.cols, (0..flow.rows).map(lasting)), iterations))
}
