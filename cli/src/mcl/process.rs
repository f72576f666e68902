// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expansion, pruning and inflation until nothing changes. A node's distribution is a column of the Markov matrix and a row
//! of what is kept here, its transpose.

use std::time::Instant;

use ocean::csr::OwnedCsr;
use rayon::prelude::*;
use serde::Serialize;

use super::graph::Graph;
use crate::arguments::Algorithm;
use crate::failure::Result;
use crate::library::{Handle, Operand, Product};

/// What may be set.
#[derive(Clone, Copy, Debug, Serialize)]
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

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Iteration {
    /// How far from flat the distributions were.
    pub chaos: f64,
    /// Entries after the expansion.
    pub expanded: usize,
    /// Entries after pruning.
    pub kept: usize,
    pub seconds: f64,
}

type Entry = (i32, f64);

/// The limit of the process on a graph, and its steps.
pub fn run(handle: &Handle, graph: &Graph, rules: &Rules) -> Result<(OwnedCsr<f64>, Vec<Iteration>)> {
    let mut flow = with_loops(graph);
    let mut iterations = vec![];
    while iterations.len() < rules.most_iterations {
        let begin = Instant::now();
        let expanded = square(handle, &flow)?;
        let rows: Vec<(f64, Vec<Entry>)> = (0..expanded.rows)
            .into_par_iter()
            .map(|node| {
                let row = prune(&entries(&expanded, node), rules);
                (chaos(&row), inflate(row, rules.inflation))
            })
            .collect();
        let chaos = rows.iter().map(|row| row.0).fold(0.0, f64::max);
        flow = from_rows(rows.into_iter().map(|row| row.1));
        let seconds = begin.elapsed().as_secs_f64();
        iterations.push(Iteration { chaos, expanded: expanded.nnz(), kept: flow.nnz(), seconds });
        if chaos < rules.chaos {
            break;
        }
    }
    // What the next step would drop is no flow any more.
    let lasting = |node| entries(&flow, node).into_iter().filter(|entry| entry.1 >= 1.0 / rules.prune).collect();
    Ok((from_rows((0..flow.rows).map(lasting)), iterations))
}

/// The first distributions: every node has a loop as heavy as its heaviest edge.
fn with_loops(graph: &Graph) -> OwnedCsr<f64> {
    let rows = (0..graph.labels.len()).map(|node| {
        let mut row = entries(&graph.weights, node);
        let heaviest = row.iter().map(|entry| entry.1).fold(0.0, f64::max);
        let at = row.partition_point(|entry| (entry.0 as usize) < node);
        row.insert(at, (node as i32, if heaviest > 0.0 { heaviest } else { 1.0 }));
        scaled(row)
    });
    from_rows(rows)
}

fn square(handle: &Handle, flow: &OwnedCsr<f64>) -> Result<OwnedCsr<f64>> {
    let operand = Operand::new(flow)?;
    let mut product = Product::new(handle, &operand, &operand, Algorithm::Default)?;
    product.work_estimation()?;
    product.compute()?;
    product.allocate()?;
    product.copy()?;
    Ok(product.into_result())
}

fn entries(matrix: &OwnedCsr<f64>, row: usize) -> Vec<Entry> {
    matrix.row(row).map(|entry| (matrix.columns[entry], matrix.values[entry])).collect()
}

fn from_rows(rows: impl Iterator<Item = Vec<Entry>>) -> OwnedCsr<f64> {
    let mut matrix = OwnedCsr { rows: 0, cols: 0, offsets: vec![0], columns: vec![], values: vec![] };
    for row in rows {
        matrix.columns.extend(row.iter().map(|entry| entry.0));
        matrix.values.extend(row.iter().map(|entry| entry.1));
        matrix.offsets.push(matrix.columns.len() as i64);
        matrix.rows += 1;
    }
    matrix.cols = matrix.rows;
    matrix
}

fn mass(row: &[Entry]) -> f64 {
    row.iter().map(|entry| entry.1).sum()
}

fn scaled(mut row: Vec<Entry>) -> Vec<Entry> {
    let mass = mass(&row);
    row.iter_mut().for_each(|entry| entry.1 /= mass);
    row
}

/// The `count` heaviest, of equal ones the first, in the order of nodes.
fn heaviest(row: &[Entry], count: usize) -> Vec<Entry> {
    let mut row = row.to_vec();
    if count < row.len() {
        row.select_nth_unstable_by(count, |one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        row.truncate(count);
        row.sort_unstable_by_key(|entry| entry.0);
    }
    row
}

/// Drops what is small; takes some of it back where too little is left; cuts down what is too long.
fn prune(whole: &[Entry], rules: &Rules) -> Vec<Entry> {
    let mut kept: Vec<Entry> = whole.iter().copied().filter(|entry| entry.1 >= 1.0 / rules.prune).collect();
    if kept.len() < rules.recover && kept.len() < whole.len() && mass(&kept) < rules.mass {
        kept = heaviest(whole, rules.recover);
    } else if kept.len() > rules.select {
        kept = heaviest(whole, rules.select);
        if mass(&kept) < rules.mass && rules.select < rules.recover {
            kept = heaviest(whole, rules.recover);
        }
    }
    scaled(kept)
}

/// 0 for a distribution that is flat where it is not 0.
fn chaos(row: &[Entry]) -> f64 {
    let largest = row.iter().map(|entry| entry.1).fold(0.0, f64::max);
    let squares: f64 = row.iter().map(|entry| entry.1 * entry.1).sum();
    row.len() as f64 * (largest - squares)
}

fn inflate(mut row: Vec<Entry>, power: f64) -> Vec<Entry> {
    row.iter_mut().for_each(|entry| entry.1 = entry.1.powf(power));
    scaled(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules {
        inflation: 2.0,
        prune: 1e4,
        select: 1100,
        recover: 1400,
        mass: 0.9,
        chaos: 1e-3,
        most_iterations: 10_000,
    };

    /// A path of three nodes: loops of 1, so that the ends keep 1/2 and the middle 1/3.
    #[test]
    fn a_step_by_hand() {
        let weights =
            OwnedCsr { rows: 3, cols: 3, offsets: vec![0, 1, 3, 4], columns: vec![1, 0, 2, 1], values: vec![1.0; 4] };
        let graph = Graph { labels: ["a", "b", "c"].map(String::from).to_vec(), weights };
        let first = with_loops(&graph);
        assert_eq!(first.columns, [0, 1, 0, 1, 2, 1, 2]);
        assert_eq!(first.values, [0.5, 0.5, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.5, 0.5]);
        let expanded = square(&Handle::new().expect("the host"), &first).expect("small");
        // Row 0: 1/4 + 1/6, 1/4 + 1/6, 1/6.
        let row = entries(&expanded, 0);
        let close = |found: f64, want: f64| assert!((found - want).abs() < 1e-15, "{found} is not {want}");
        [5.0 / 12.0, 5.0 / 12.0, 2.0 / 12.0].iter().zip(&row).for_each(|(&want, entry)| close(entry.1, want));
        // 3 (5/12 - (25 + 25 + 4) / 144) = 3 * 6 / 144.
        close(chaos(&prune(&row, &RULES)), 0.125);
        let inflated = inflate(row, 2.0);
        [25.0 / 54.0, 25.0 / 54.0, 4.0 / 54.0].iter().zip(&inflated).for_each(|(&want, entry)| close(entry.1, want));
    }

    #[test]
    fn pruning_drops_recovers_and_selects() {
        let row = |values: &[f64]| -> Vec<Entry> { values.iter().enumerate().map(|(i, &v)| (i as i32, v)).collect() };
        let nodes = |row: Vec<Entry>| row.into_iter().map(|entry| entry.0).collect::<Vec<_>>();
        let whole = row(&[0.5, 0.04, 0.41, 0.05]);
        let rules = Rules { prune: 10.0, select: 3, recover: 3, mass: 0.9, ..RULES };
        // 0.91 is left of two: enough.
        assert_eq!(nodes(prune(&whole, &rules)), [0, 2]);
        // Too little: three of the whole column.
        assert_eq!(nodes(prune(&whole, &Rules { mass: 0.95, ..rules })), [0, 2, 3]);
        // Too many: the largest; and more again, if those are too light.
        let rules = Rules { prune: 1_000.0, select: 1, ..rules };
        assert_eq!(nodes(prune(&whole, &Rules { mass: 0.4, ..rules })), [0]);
        assert_eq!(nodes(prune(&whole, &rules)), [0, 2, 3]);
        assert!((mass(&prune(&whole, &rules)) - 1.0).abs() < 1e-15);
    }
}
