// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean dist-plan`: what a distributed product would move, counted without running it.

mod text;

use ocean::dist::cost::{Amounts, Machine, Seconds};
use ocean::dist::volume::{Lines, count};
use ocean::dist::{Algorithm, Grid, Permutation, Shape, Sums};
use ocean_market::Csr;
use serde::Serialize;

use crate::arguments::DistPlanArguments;
use crate::failure::{Failure, Result};
use crate::inputs::{self, Facts};
use crate::progress::Meter;
use crate::{generate, output};

#[derive(Serialize)]
struct Report {
    a: Facts,
    /// The seed of the random order, if there was one.
    permuted: Option<u64>,
    per_node: usize,
    /// Bytes of an entry on the wire, for the model.
    entry_bytes: f64,
    machine: Machine,
    worlds: Vec<World>,
}

/// One number of GPUs.
#[derive(Serialize)]
struct World {
    gpus: usize,
    /// Volume between nodes of SUMMA over that of Trident, neither filtered.
    summa_over_trident: Option<f64>,
    /// The same by the formula for evenly spread entries.
    summa_over_trident_by_formula: Option<f64>,
    ways: Vec<Way>,
}

/// One algorithm.
#[derive(Serialize)]
struct Way {
    name: String,
    /// Rows and columns of nodes, rows and columns of ranks in each.
    grid: [usize; 4],
    /// Counted.
    entries: Amounts,
    /// Entries received between nodes: the least, the quartiles and the most of all ranks.
    between_nodes_quartiles: [u64; 5],
    memory_bytes: f64,
    /// By the model, not measured.
    model_seconds: Seconds,
}

pub fn run(arguments: &DistPlanArguments) -> Result<()> {
    let (source, mut a) = match (&arguments.matrix, &arguments.generate) {
        (Some(path), None) => (path.display().to_string(), inputs::load(path)?),
        (None, Some(words)) => generate::from_words(words)?,
        _ => return Err(Failure::refused("dist-plan needs one of --matrix FILE and --generate WORDS")),
    };
    if a.rows != a.cols {
        return Err(Failure::refused(format!("{source}: {} x {}, and A * A needs a square matrix", a.rows, a.cols)));
    }
    if let Some(seed) = arguments.permute {
        a = permuted(&a, seed);
    }
    let machine = Machine {
        latency_between: arguments.latency_between * 1e-6,
        bytes_per_second_between: arguments.link_between * 1e9,
        latency_inside: arguments.latency_inside * 1e-6,
        bytes_per_second_inside: arguments.link_inside * 1e9,
        products_per_second: arguments.products_per_second,
    };
    let sums = if arguments.by_rounds { Sums::ByRounds(1) } else { Sums::InOrder };
    let columns = a.transpose();
    let by_cols = Lines { offsets: &columns.offsets, at: &columns.columns, size: a.rows as u64 };
    let by_rows = Lines { offsets: &a.offsets, at: &a.columns, size: a.cols as u64 };

    let mut meter = Meter::new("counting");
    let mut worlds = vec![];
    for (done, &gpus) in arguments.gpus.iter().enumerate() {
        let shapes = shapes(gpus, arguments.per_node)?;
        let mut ways = vec![];
        for (at, (name, shape)) in shapes.iter().enumerate() {
            meter.update((done * shapes.len() + at) as u64, (arguments.gpus.len() * shapes.len()) as u64);
            let loads = count(by_cols, by_rows, shape, sums, arguments.per_node);
            let entries = Amounts::of(&loads);
            let Grid { node_rows, node_cols, in_rows, in_cols } = shape.grid;
            ways.push(Way {
                name: name.clone(),
                grid: [node_rows, node_cols, in_rows, in_cols],
                entries,
                between_nodes_quartiles: quartiles(loads.iter().map(|load| load.between_nodes).collect()),
                memory_bytes: entries.memory_bytes(arguments.entry_bytes),
                model_seconds: machine.seconds(shape, sums, &entries, arguments.entry_bytes),
            });
        }
        let between = |name: &str| {
            ways.iter()
                .find(|way| way.name == name)
                .map(|way| way.entries.between_nodes.mean)
                .filter(|&mean| mean > 0.0)
        };
        let ratio = between(SUMMA).zip(between(UNFILTERED)).map(|(summa, trident)| summa / trident);
        worlds.push(World {
            gpus,
            summa_over_trident: ratio,
            summa_over_trident_by_formula: by_formula(gpus, arguments.per_node),
            ways,
        });
    }
    drop(meter);
    let report = Report {
        a: Facts { source, rows: a.rows, cols: a.cols, nnz: a.nnz() },
        permuted: arguments.permute,
        per_node: arguments.per_node,
        entry_bytes: arguments.entry_bytes,
        machine,
        worlds,
    };
    if arguments.json { output::json(&report) } else { output::text(&text::table(&report)) }
}

const SUMMA: &str = "summa";
const UNFILTERED: &str = "trident, unfiltered";

/// All that is compared, by name.
fn shapes(gpus: usize, per_node: usize) -> Result<Vec<(String, Shape)>> {
    let of = |algorithm| Shape::of(algorithm, gpus, per_node).map_err(Failure::refused);
    let mut shapes = vec![];
    let mut add = |name: &str, shape: Option<Shape>| shapes.extend(shape.map(|shape| (name.to_owned(), shape)));
    add("1d", of(Algorithm::Row1d)?);
    add("1d per node", of(Algorithm::Row1dPerNode)?);
    add(SUMMA, of(Algorithm::Summa)?);
    let trident = of(Algorithm::Trident)?;
    add(UNFILTERED, trident.map(|shape| Shape { filtered: false, ..shape }));
    add("trident", trident);
    // Two dimensions inside the node too: the squarest there are.
    let squarest = |grid: &Grid| grid.in_rows.abs_diff(grid.in_cols);
    let grids = Grid::candidates(gpus, per_node).map_err(Failure::refused)?;
    let first = (grids[0].node_rows, grids[0].node_cols);
    let best = grids.into_iter().filter(|grid| (grid.node_rows, grid.node_cols) == first).min_by_key(squarest);
    if let Some(grid) = best.filter(|grid| grid.in_cols > 1) {
        add(&format!("trident {}x{} inside", grid.in_rows, grid.in_cols), of(Algorithm::TridentOn(grid))?);
    }
    Ok(shapes)
}

/// (2 s - lambda - 1) / (2 (q - 1)) for square grids with more than one node.
fn by_formula(gpus: usize, per_node: usize) -> Option<f64> {
    let (s, q) = (gpus.isqrt(), (gpus / per_node).isqrt());
    let square = s * s == gpus && q * q * per_node == gpus && q > 1 && s.is_multiple_of(per_node);
    square.then(|| (2 * s - per_node - 1) as f64 / (2 * (q - 1)) as f64)
}

fn quartiles(mut numbers: Vec<u64>) -> [u64; 5] {
    numbers.sort_unstable();
    [0, 1, 2, 3, 4].map(|quarter| numbers[quarter * (numbers.len() - 1) / 4])
}

/// Rows and columns in one random order.
fn permuted(a: &Csr<f64>, seed: u64) -> Csr<f64> {
    let order = Permutation::new(a.rows as u64, seed);
    let to: Vec<i32> = (0..a.rows as u64).map(|index| order.apply(index) as i32).collect();
    let mut from = vec![0; a.rows];
    to.iter().enumerate().for_each(|(index, &to)| from[to as usize] = index);
    let mut new = Csr { rows: a.rows, cols: a.cols, offsets: vec![0], columns: vec![], values: vec![] };
    for row in from {
        let begin = new.columns.len();
        new.columns.extend(a.columns[a.row(row)].iter().map(|&column| to[column as usize]));
        new.columns[begin..].sort_unstable();
        new.offsets.push(new.columns.len() as i64);
    }
    // Only the pattern is looked at.
    new.values = vec![1.0; new.columns.len()];
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_ratios() {
        let rounded = |gpus| by_formula(gpus, 4).map(|ratio| (ratio * 100.0).round() / 100.0);
        assert_eq!([4, 16, 64, 256, 400].map(rounded), [None, Some(1.5), Some(1.83), Some(1.93), Some(1.94)]);
        assert_eq!(by_formula(12, 4), None);
    }

    #[test]
    fn a_permuted_matrix_has_the_same_entries_elsewhere() {
        let a = Csr { rows: 3, cols: 3, offsets: vec![0, 2, 2, 3], columns: vec![0, 2, 1], values: vec![1.0; 3] };
        let b = permuted(&a, 4);
        let order = Permutation::new(3, 4);
        for (row, col) in [(0, 0), (0, 2), (2, 1)] {
            let columns = &b.columns[b.row(order.apply(row) as usize)];
            assert!(columns.contains(&(order.apply(col) as i32)), "{b:?}");
        }
        assert_eq!(b.nnz(), 3);
    }
}
