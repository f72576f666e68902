// SPDX-License-Identifier: MIT OR Apache-2.0
//! User cases about products over ranks (DI), which are threads here. Names begin with the case.
#![allow(non_snake_case)] // DI1 is a name

mod support;

use std::time::Duration;

use ocean::csr::OwnedCsr;
use ocean::dist::{Algorithm, Cuts, Entries, Grid, Layout, Matrix, Options, Setup, Shape, Sums, ThreadComm, World};
use ocean::reference;
use support::assert_same;

/// Runs `body` on so many ranks at once, each a node of its own. A rank that waits too long fails.
fn on_ranks<T: Send>(ranks: usize, body: impl Fn(&mut World) -> T + Sync) -> Vec<T> {
    let setup = Setup { per_node: Some(1), timeout: Some(Duration::from_secs(60)), ..Setup::default() };
    std::thread::scope(|scope| {
        let run = |comm: ThreadComm| {
            let (body, setup) = (&body, setup.clone());
            scope.spawn(move || body(&mut World::new(Box::new(comm), setup).unwrap()))
        };
        let threads: Vec<_> = ThreadComm::world(ranks, 1).into_iter().map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// A matrix by its rows.
fn rows(cols: usize, rows: impl IntoIterator<Item = Vec<(usize, f64)>>) -> OwnedCsr<f64> {
    let mut all = OwnedCsr { rows: 0, cols, offsets: vec![0], columns: vec![], values: vec![] };
    for row in rows {
        all.columns.extend(row.iter().map(|entry| entry.0 as i32));
        all.values.extend(row.iter().map(|entry| entry.1));
        all.offsets.push(all.columns.len() as i64);
        all.rows += 1;
    }
    all
}

fn tridiagonal_ones(n: usize) -> OwnedCsr<f64> {
    rows(n, (0..n).map(|i| (i.saturating_sub(1)..n.min(i + 2)).map(|j| (j, 1.0)).collect()))
}

/// A rank's rows of a matrix.
fn part(matrix: &OwnedCsr<f64>, cuts: &Cuts, rank: usize) -> Entries<f64> {
    let mut all = Entries::from_rows(matrix.rows as u64, 0, matrix);
    let mine: Vec<usize> = (0..all.values.len()).filter(|&at| cuts.part(rank).contains(&all.row[at])).collect();
    all.row = mine.iter().map(|&at| all.row[at]).collect();
    all.col = mine.iter().map(|&at| all.col[at]).collect();
    all.values = mine.iter().map(|&at| all.values[at]).collect();
    all
}

fn stacked(parts: impl IntoIterator<Item = Matrix<f64>>, cols: usize) -> OwnedCsr<f64> {
    let line = |block: &OwnedCsr<f64>, row| {
        block.row(row).map(|at| (block.columns[at] as usize, block.values[at])).collect::<Vec<_>>()
    };
    let all = parts
        .into_iter()
        .flat_map(|Matrix { block, .. }| (0..block.rows).map(|row| line(&block, row)).collect::<Vec<_>>());
    rows(cols, all)
}

const ALGORITHMS: [Algorithm; 6] = [
    Algorithm::Auto,
    Algorithm::Trident,
    Algorithm::Summa,
    Algorithm::Row1d,
    Algorithm::Row1dPerNode,
    Algorithm::Single,
];

/// A * B on so many ranks by every algorithm, of rows evenly cut.
fn multiplied(ranks: usize, a: &OwnedCsr<f64>, b: &OwnedCsr<f64>) {
    let want = reference::multiply(a, b);
    for algorithm in ALGORITHMS {
        let options = Options { algorithm, ..Options::default() };
        let parts = on_ranks(ranks, |world| {
            let mine = |matrix: &OwnedCsr<f64>| part(matrix, &Cuts::even(matrix.rows as u64, ranks), world.rank());
            let (a, b) = (mine(a), mine(b));
            world.multiply(&a, Some(&b), &options).unwrap().c
        });
        assert_same(&stacked(parts, b.cols), &want, &format!("{algorithm} on {ranks}"));
    }
}

#[test]
fn DI1_two_ranks_without_a_row_of_A() {
    let a = rows(12, [(0..12).map(|j| (j, 1.0)).collect()]);
    let b = rows(1, vec![vec![(0, 1.0)]; 12]);
    assert_eq!(reference::multiply(&a, &b).values, [12.0]);
    multiplied(3, &a, &b);
}

#[test]
fn DI3_DI4_a_tridiagonal_square_on_any_number_of_ranks() {
    let a = tridiagonal_ones(1000);
    let want = reference::multiply(&a, &a);
    assert_eq!(want.columns.len(), 4994);
    assert_eq!(want.values[want.row(500)], [1.0, 2.0, 3.0, 2.0, 1.0]);
    for ranks in 1..=7 {
        multiplied(ranks, &a, &a);
    }
}

#[test]
fn DI5_a_column_out_of_range_on_one_rank_is_everyones_error() {
    let a = tridiagonal_ones(1000);
    for algorithm in ALGORITHMS {
        let options = Options { algorithm, ..Options::default() };
        let ends = on_ranks(3, |world| {
            let mut mine = part(&a, &Cuts::even(1000, 3), world.rank());
            if world.rank() == 1 {
                mine.col[7] = 1000;
            }
            world.multiply(&mine, None, &options).map(drop)
        });
        for end in ends {
            let message = end.unwrap_err().to_string();
            assert!(message.starts_with("rank 1: ") && message.contains("1000"), "{algorithm}: {message}");
        }
    }
}

/// Four entries in 3,000,000,000 columns, which no rank holds alone.
#[test]
fn DI7_columns_past_32_bits() {
    let n = 3_000_000_000;
    let products = on_ranks(4, |world| {
        let rank = world.rank() as u64;
        let shape = Shape::of(Algorithm::TridentOn(Grid::flat(1, 4)), 4, 1).unwrap().unwrap();
        let (a_layout, b_layout) = shape.layouts([4, 4, n]);
        let a = Entries { rows: 4, cols: 4, row: vec![rank], col: vec![rank], values: vec![1.0] };
        let column = 5 + 750_000_000 * rank;
        let b = Entries { rows: 4, cols: n, row: vec![rank], col: vec![column], values: vec![rank as f64 + 1.0] };
        let (a, b) = (world.distribute(&a, &a_layout).unwrap(), world.distribute(&b, &b_layout).unwrap());
        let plan = world.plan(&a, &b, shape, Sums::InOrder).unwrap();
        world.execute(&plan, &a, &b).unwrap().0.entries(world.rank())
    });
    let entries = products.iter().flat_map(|part| (0..part.values.len()).map(|at| (part.row[at], part.col[at])));
    let mut entries: Vec<(u64, u64)> = entries.collect();
    entries.sort_unstable();
    assert_eq!(entries, [(0, 5), (1, 750_000_005), (2, 1_500_000_005), (3, 2_250_000_005)]);
    let values: f64 = products.iter().flat_map(|part| &part.values).sum();
    assert_eq!(values, 10.0);
}

/// What ranks hold of A, and get of C, is their own choice, no rows at all too.
fn in_own_rows(a: &OwnedCsr<f64>, ends: &[u64]) -> Vec<Matrix<f64>> {
    let (n, ranks) = (a.rows as u64, ends.len() - 1);
    let cuts = Cuts::from_offsets(ends.to_vec()).unwrap();
    on_ranks(ranks, |world| {
        let mine = part(a, &cuts, world.rank());
        assert_eq!(world.distribute(&mine, &Layout::by_rows(cuts.clone(), n)).unwrap().block.rows as u64, {
            let rows = cuts.part(world.rank());
            rows.end - rows.start
        });
        let c = world.multiply(&mine, None, &Options::default()).unwrap().c;
        world.to_rows(&c, &cuts).unwrap()
    })
}

#[test]
fn DI9_two_ranks_without_rows_get_one_offset() {
    let a = tridiagonal_ones(10);
    let parts = in_own_rows(&a, &[0, 5, 10, 10, 10]);
    assert_eq!(parts[2].block.offsets, [0]);
    assert_eq!(parts[3].block.offsets, [0]);
    let c = stacked(parts, 10);
    assert_eq!(c.columns.len(), 44);
    assert_same(&c, &reference::multiply(&a, &a), "DI9");
}

#[test]
fn DI13_a_star_on_more_ranks_than_fit() {
    let star = |i| if i == 0 { (1..34).map(|j| (j, 1.0)).collect() } else { vec![(0, 1.0)] };
    let a = rows(34, (0..34).map(star));
    let c = stacked(in_own_rows(&a, &[0, 5, 10, 15, 20, 25, 30, 34, 34]), 34);
    assert_eq!((c.columns.len(), c.values[0]), (1090, 33.0));
    assert!(c.values[1..].iter().all(|&value| value == 1.0));
    assert_same(&c, &reference::multiply(&a, &a), "DI13");
}

#[test]
fn DI14_a_thousand_products_with_one_remote_row_do_not_hang() {
    let identity = |i| vec![(i, 1.0)];
    let b = rows(1000, (0..1000).map(identity));
    let a = rows(1000, (0..1000).map(|i| if i == 999 { vec![(0, 1.0), (999, 1.0)] } else { identity(i) }));
    let cuts = Cuts::even(1000, 4);
    let parts = on_ranks(4, |world| {
        let (left, right) = (part(&a, &cuts, world.rank()), part(&b, &cuts, world.rank()));
        let options = Options { algorithm: Algorithm::Row1d, ..Options::default() };
        let products = (0..1000).map(|_| world.multiply(&left, Some(&right), &options).unwrap().c);
        let mut products = products.collect::<Vec<_>>();
        products.dedup();
        products
    });
    assert!(parts.iter().all(|products| products.len() == 1), "products differ");
    let c = stacked(parts.into_iter().flatten(), 1000);
    assert_eq!(c.columns.len(), 1001);
    assert_same(&c, &a, "DI14");
}
