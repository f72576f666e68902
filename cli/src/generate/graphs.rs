// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random graphs and other patterns, each defined by its arguments alone.

use ocean_market::Csr;
use rayon::prelude::*;

use super::build::{by_edges, by_rows, check_size, reserve};
use crate::failure::Result;
use crate::random::{Random, mix, unit, value};

/// Erdos-Renyi: every row draws `degree` columns, each column as likely as any other; repeats merge.
pub fn erdos_renyi(rows: u64, cols: u64, degree: u64, seed: u64) -> Result<Csr<f64>> {
    let entries = u128::from(rows) * u128::from(degree);
    let size = check_size(rows.into(), cols.into(), entries)?;
    let row = |i, columns: &mut Vec<i32>| {
        if cols > 0 {
            let mut random = Random::new(seed, i);
            columns.extend((0..degree).map(|_| random.below(cols) as i32));
        }
    };
    by_rows(size, entries, row, value)
}

/// Nodes of `block` unknowns each. A node is joined to itself and to `degree` nodes that it draws, repeats merged, by dense
/// blocks: its rows have one pattern.
pub fn blocks(nodes: u64, block: u64, degree: u64, seed: u64) -> Result<Csr<f64>> {
    let n = u128::from(nodes) * u128::from(block);
    let entries = n.saturating_mul(u128::from(block)).saturating_mul(u128::from(degree) + 1);
    let size = check_size(n, n, entries)?;
    let row = |i, columns: &mut Vec<i32>| {
        let node = i / block;
        let mut random = Random::new(seed, node);
        let drawn = (0..degree).map(|_| random.below(nodes));
        columns.extend(drawn.chain([node]).flat_map(|other| (other * block..(other + 1) * block).map(|k| k as i32)));
    };
    by_rows(size, entries, row, value)
}

/// R-MAT (Chakrabarti, Zhan and Faloutsos, SDM 2004) with the Graph500 probabilities: 2^scale vertices,
/// `edge_factor` edges drawn for each; repeats merge.
pub fn rmat(scale: u32, edge_factor: u64, seed: u64) -> Result<Csr<f64>> {
    const A: f64 = 0.57;
    const A_B: f64 = 0.76;
    const A_B_C: f64 = 0.95;
    let n = 1u128 << scale;
    let drawn = n * u128::from(edge_factor);
    let (n, _) = check_size(n, n, drawn)?;

    let mut edges = reserve(drawn as usize)?;
    let edge = |edge: usize| {
        let mut random = Random::new(seed, edge as u64);
        let (mut i, mut j) = (0u64, 0u64);
        for _ in 0..scale {
            let u = random.unit();
            // Quarters of the matrix: upper left, upper right, lower left, lower right.
            i = i << 1 | u64::from(u >= A_B);
            j = j << 1 | u64::from((A..A_B).contains(&u) || u >= A_B_C);
        }
        i << 32 | j
    };
    (0..drawn as usize).into_par_iter().map(edge).collect_into_vec(&mut edges);
    by_edges(n, edges, value)
}

/// A square grid whose links are each kept with probability `keep`: long paths, no hubs, like roads.
pub fn road(side: u64, keep: f64, seed: u64) -> Result<Csr<f64>> {
    let points = u128::from(side).pow(2);
    let size = check_size(points, points, 4 * points)?;
    let linked = |a: u64, b: u64| unit(mix(mix(a.wrapping_add(seed)).wrapping_add(b))) < keep;
    let row = |i: u64, columns: &mut Vec<i32>| {
        let (x, y) = (i % side, i / side);
        if x > 0 && linked(i - 1, i) {
            columns.push((i - 1) as i32);
        }
        if x + 1 < side && linked(i, i + 1) {
            columns.push((i + 1) as i32);
        }
        if y > 0 && linked(i - side, i) {
            columns.push((i - side) as i32);
        }
        if y + 1 < side && linked(i, i + side) {
            columns.push((i + side) as i32);
        }
    };
    by_rows(size, 4 * points, row, value)
}

/// A random matrix of `degree` entries a row in which one row (n / 3) and one column (2 n / 3) are full.
pub fn dense_row(n: u64, degree: u64, seed: u64) -> Result<Csr<f64>> {
    let entries = u128::from(n) * (u128::from(degree) + 2);
    let size = check_size(n.into(), n.into(), entries)?;
    let row = |i: u64, columns: &mut Vec<i32>| {
        if i == n / 3 {
            columns.extend(0..n as i32);
            return;
        }
        let mut random = Random::new(seed, i);
        columns.extend((0..degree).map(|_| random.below(n) as i32));
        columns.push((2 * n / 3) as i32);
    };
    by_rows(size, entries, row, value)
}

/// All entries within `bandwidth` of the diagonal; 0 gives a diagonal matrix.
pub fn banded(n: u64, bandwidth: u64) -> Result<Csr<f64>> {
    let entries = u128::from(n) * (2 * u128::from(bandwidth) + 1).min(n.into());
    let size = check_size(n.into(), n.into(), entries)?;
    let row = |i: u64, columns: &mut Vec<i32>| {
        let end = i.saturating_add(bandwidth).saturating_add(1).min(n);
        columns.extend(i.saturating_sub(bandwidth) as i32..end as i32);
    };
    by_rows(size, entries, row, value)
}
