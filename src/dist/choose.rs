// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which algorithm a product should take, from what all ranks together know of A and B, and why.
//!
//! Volumes are estimated from how many entries each inner index has in A's column and in B's row, as if those were spread
//! at random; where a matrix has an order, less travels than estimated. How uneven blocks are is counted.

use std::fmt;

use serde::Serialize;

use super::cost::{Amounts, Seconds, Spread};
use super::route::all_to_all;
use super::session::{Session, number_bytes, read_numbers};
use super::{Algorithm, Cuts, Entries, Grid, Options, Permutation, Shape};
use crate::error::{Error, Result};
use crate::scalar::Scalar;

/// One way to compute a product, and what is expected of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// Rows and columns of nodes, and rows and columns of ranks in a node.
    pub grid: [usize; 4],
    /// What it moves and computes.
    pub amounts: Amounts,
    /// Bytes on the fullest rank.
    pub memory_bytes: f64,
    /// By the model.
    pub seconds: Seconds,
    /// Why it was not taken; empty for the one that was.
    pub why_not: String,
    #[serde(skip)]
    shape: Shape,
}

/// All candidates, the fastest first, and which one was taken.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// Those within the memory limit first, by predicted time.
    pub candidates: Vec<Candidate>,
}

impl Explanation {
    /// Sorts candidates and says why each lost.
    pub(super) fn of(mut candidates: Vec<Candidate>, memory_limit: Option<u64>) -> Self {
        let over = |candidate: &Candidate| memory_limit.is_some_and(|limit| candidate.memory_bytes > limit as f64);
        candidates
            .sort_by(|one, other| over(one).cmp(&over(other)).then(one.seconds.total.total_cmp(&other.seconds.total)));
        let best = candidates.first().map_or(0.0, |candidate| candidate.seconds.total);
        for (at, candidate) in candidates.iter_mut().enumerate() {
            candidate.why_not = if over(candidate) {
                format!("needs {:.3} GB, over the limit", candidate.memory_bytes / 1e9)
            } else if at == 0 {
                String::new()
            } else {
                format!("{:.2} times as long", candidate.seconds.total / best.max(f64::MIN_POSITIVE))
            };
        }
        Self { candidates }
    }

    /// The one to take; none if all are over the limit.
    pub(super) fn chosen(&self) -> Option<Shape> {
        self.candidates.first().filter(|candidate| candidate.why_not.is_empty()).map(|candidate| candidate.shape)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<22}{:>12}{:>12}{:>10}{:>11}{:>9}{:>9}{:>9}  why not",
            "candidate", "between", "in node", "imbalance", "GB a rank", "s move", "s compute", "s"
        )?;
        for candidate in &self.candidates {
            let Candidate { name, amounts, memory_bytes, seconds, why_not, .. } = candidate;
            writeln!(
                f,
                "{name:<22}{:>12.0}{:>12.0}{:>10.2}{:>11.4}{:>9.2e}{:>9.2e}{:>9.2e}  {}",
                amounts.between_nodes.max,
                amounts.in_node.max,
                amounts.owned.imbalance(),
                memory_bytes / 1e9,
                seconds.between_nodes + seconds.in_node,
                seconds.compute,
                seconds.total,
                if why_not.is_empty() { "taken" } else { why_not },
            )?;
        }
        writeln!(f, "entries of the fullest rank, estimated; seconds by the model")
    }
}

/// Every shape worth a look.
fn shapes(ranks: usize, per_node: usize) -> Result<Vec<Shape>> {
    let mut algorithms = vec![Algorithm::Single, Algorithm::Row1d, Algorithm::Summa];
    if per_node > 1 {
        algorithms.push(Algorithm::Row1dPerNode);
    }
    algorithms.extend(Grid::candidates(ranks, per_node)?.into_iter().map(Algorithm::TridentOn));
    let shapes = algorithms.into_iter().map(|algorithm| Shape::of(algorithm, ranks, per_node));
    Ok(shapes.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// The best shape for A * B. Collective.
pub(super) fn choose<V: Scalar>(
    session: &mut Session<'_>,
    a: &Entries<V>,
    b: &Entries<V>,
    per_node: usize,
    options: &Options,
) -> Result<(Shape, Explanation)> {
    let ranks = session.comm.size();
    let checked = a.check().and_then(|()| b.check()).and_then(|()| shapes(ranks, per_node));
    let shapes = session.agree(checked, 0)?;
    let lines = inner_counts(session, a, b)?;
    let mut totals = vec![0u64; 3];
    for &(in_a, in_b) in &lines {
        totals[0] += in_a;
        totals[1] += in_b;
        totals[2] += in_a * in_b;
    }
    let mut expected: Vec<u64> = shapes.iter().flat_map(|shape| travelling(shape, options, &lines)).collect();
    let mut blocks: Vec<u64> = shapes.iter().flat_map(|shape| owned(shape, a, b, options.permute)).collect();
    session.sum(&mut totals)?;
    session.sum(&mut expected)?;
    session.sum(&mut blocks)?;

    let entry_bytes = 4.0 + size_of::<V>() as f64;
    let machine = options.machine;
    let candidate = |(at, shape): (usize, &Shape)| {
        let owned = Spread::of(blocks[at * ranks..(at + 1) * ranks].iter().copied());
        let amounts = estimate(shape, per_node, &expected[2 * at..2 * at + 2], totals[2], owned);
        let Grid { node_rows, node_cols, in_rows, in_cols } = shape.grid;
        let mut seconds = machine.seconds(shape, options.sums, &amounts, entry_bytes);
        // All come from where they are: the fullest rank's part, with places in 64 bits.
        let moving = amounts.owned.max * (8.0 + size_of::<V>() as f64) / machine.bytes_per_second_between;
        seconds.between_nodes += moving;
        seconds.total += moving;
        Candidate {
            name: match shape.algorithm {
                Algorithm::TridentOn(_) => format!("trident {node_rows}x{node_cols} of {in_rows}x{in_cols}"),
                other => other.to_string(),
            },
            grid: [node_rows, node_cols, in_rows, in_cols],
            amounts,
            memory_bytes: amounts.memory_bytes(entry_bytes),
            seconds,
            why_not: String::new(),
            shape: *shape,
        }
    };
    let explanation = Explanation::of(shapes.iter().enumerate().map(candidate).collect(), options.memory_limit);
    let chosen = explanation.chosen().ok_or_else(|| {
        let least = explanation.candidates.iter().map(|c| c.memory_bytes).fold(f64::INFINITY, f64::min);
        let limit = options.memory_limit.unwrap_or(0);
        Error::invalid("memoryLimit", format!("is {limit} bytes a rank, and no algorithm needs less than {least:.0}"))
    });
    Ok((session.agree(chosen, 0)?, explanation))
}

/// For the inner indices that this rank looks after: how many entries A has in the column and B in the row. Those with
/// none in either are left out.
fn inner_counts<V: Scalar>(session: &mut Session<'_>, a: &Entries<V>, b: &Entries<V>) -> Result<Vec<(u64, u64)>> {
    let ranks = session.comm.size();
    let keepers = Cuts::even(a.cols, ranks);
    let mut places: Vec<(u64, bool)> = a.col.iter().map(|&k| (k, false)).collect();
    places.extend(b.row.iter().map(|&k| (k, true)));
    places.sort_unstable();
    let mut packed: Vec<Vec<u64>> = vec![vec![]; ranks];
    for run in places.chunk_by(|one, other| one.0 == other.0) {
        let in_b = run.iter().filter(|place| place.1).count() as u64;
        packed[keepers.part_of(run[0].0)].extend([run[0].0, run.len() as u64 - in_b, in_b]);
    }
    let counts = packed.iter().map(|numbers| numbers.len() as u64).collect();
    let packed = packed.iter().map(|numbers| number_bytes(numbers)).collect();
    let mut lines: Vec<[u64; 3]> = vec![];
    for bytes in all_to_all(session, counts, packed, 8)? {
        let numbers: Vec<u64> = read_numbers(&bytes).collect();
        lines.extend_from_slice(numbers.as_chunks().0);
    }
    lines.sort_unstable_by_key(|line| line[0]);
    let sum = |run: &[[u64; 3]]| run.iter().fold((0, 0), |sum, line| (sum.0 + line[1], sum.1 + line[2]));
    Ok(lines.chunk_by(|one, other| one[0] == other[0]).map(sum).collect())
}

/// How many entries of A and of B one foreign node is expected to ask for, over all owners.
fn travelling(shape: &Shape, options: &Options, lines: &[(u64, u64)]) -> [u64; 2] {
    if shape.algorithm == Algorithm::Single {
        return [0, 0];
    }
    // The chance that one of `count` entries lies in one of `parts` parts.
    let met = |count: u64, parts: usize| 1.0 - (1.0 - 1.0 / parts as f64).powf(count as f64);
    let (filters_a, filters_b) = (shape.filters_a(options.sums), shape.filtered);
    let (mut of_a, mut of_b) = (0.0, 0.0);
    for &(in_a, in_b) in lines {
        of_a += in_a as f64 * if filters_a { met(in_b, shape.grid.node_cols) } else { 1.0 };
        of_b += in_b as f64 * if filters_b { met(in_a, shape.grid.node_rows) } else { 1.0 };
    }
    [of_a as u64, of_b as u64]
}

/// This rank's entries by the rank that would hold them.
fn owned<V: Scalar>(shape: &Shape, a: &Entries<V>, b: &Entries<V>, permute: Option<u64>) -> Vec<u64> {
    let (a_layout, b_layout) = shape.layouts([a.rows, a.cols, b.cols]);
    let mut counts = vec![0; shape.grid.ranks()];
    let order = |size| permute.map(|seed| Permutation::new(size, seed));
    for (layout, entries) in [(a_layout, a), (b_layout, b)] {
        let (rows, cols) = (order(entries.rows), order(entries.cols));
        for (&row, &col) in entries.row.iter().zip(&entries.col) {
            let row = rows.map_or(row, |order| order.apply(row));
            let col = cols.map_or(col, |order| order.apply(col));
            counts[layout.owner(row, col)] += 1;
        }
    }
    counts
}

fn estimate(shape: &Shape, per_node: usize, travelling: &[u64], products: u64, owned: Spread) -> Amounts {
    let (grid, ranks) = (shape.grid, shape.grid.ranks() as f64);
    let imbalance = owned.imbalance();
    let spread = |mean: f64| Spread { mean, max: mean * imbalance };
    let (of_a, of_b) = (travelling[0] as f64 / ranks, travelling[1] as f64 / ranks);
    let (mut between, mut inside) = (
        of_a * (grid.node_cols - 1) as f64 + of_b * (grid.node_rows - 1) as f64,
        of_a * (grid.node_cols * (grid.in_cols - 1)) as f64 + of_b * (grid.node_rows * (grid.in_rows - 1)) as f64,
    );
    if grid.per_node() == 1 && per_node > 1 {
        // Ranks that are nodes of their own grid may share a real one.
        let near =
            of_a * neighbours(grid, per_node, |a, b| a.0 == b.0) + of_b * neighbours(grid, per_node, |a, b| a.1 == b.1);
        (between, inside) = (between - near, inside + near);
    }
    Amounts {
        between_nodes: spread(between),
        in_node: spread(inside),
        owned,
        products: spread(products as f64 / ranks),
    }
}

/// How many others of its real node a rank has in its row or column, on average.
fn neighbours(grid: Grid, per_node: usize, same: impl Fn((usize, usize), (usize, usize)) -> bool) -> f64 {
    let ranks = grid.ranks();
    let pairs = (0..ranks).map(|rank| {
        let node = rank / per_node * per_node;
        let mates = (node..(node + per_node).min(ranks)).filter(|&mate| mate != rank);
        mates.filter(|&mate| same(grid.position(rank), grid.position(mate))).count()
    });
    pairs.sum::<usize>() as f64 / ranks as f64
}
