// SPDX-License-Identifier: MIT OR Apache-2.0
//! Irregular matrices: like the web, like finite elements, and a rectangular mix.

use ocean_market::Csr;

use crate::failure::Result;
use crate::generate::build::{by_rows, check_size, reserve};
use crate::random::{Random, value};

/// Shuffles the ranks of pages: a prime, so that it has an inverse for every `n` that is no multiple of it.
const STRIDE: u64 = 7_368_787;

/// Like web pages: the page `i` has rank `i * STRIDE mod n`, and a number of links that falls with the 0.58th power of
/// its rank, from `longest` down. Four fifths of the links stay near, the others prefer pages of low rank.
pub fn web(n: u64, longest: u64, seed: u64) -> Result<Csr<f64>> {
    let size = check_size(n.into(), n.into(), 4 * u128::from(n))?;
    let inverse = inverse(STRIDE, n);
    let row = |i: u64, columns: &mut Vec<i32>| {
        let mut random = Random::new(seed, i);
        let rank = (u128::from(i) * u128::from(STRIDE) % u128::from(n)) as u64;
        let mut links = (longest as f64 * (1.0 + rank as f64).powf(-0.58) + random.unit()) as u64;
        if links < 1 && random.unit() < 0.8 {
            links = 1;
        }
        for _ in 0..links {
            if random.unit() < 0.80 {
                let reach = links + 20;
                let there = (i + random.below(2 * links + 41)).saturating_sub(reach);
                columns.push(there.min(n - 1) as i32);
            } else {
                let rank = ((n as f64 * random.unit().powf(2.2)) as u64).min(n - 1);
                columns.push((u128::from(rank) * u128::from(inverse) % u128::from(n)) as i32);
            }
        }
    };
    by_rows(size, 4 * u128::from(n), row, value)
}

/// The number that `a` has to be multiplied by to give 1 modulo `n`, by Euclid's extended algorithm.
fn inverse(a: u64, n: u64) -> u64 {
    let (mut left, mut right) = ((a % n) as i64, n as i64);
    let (mut of_left, mut of_right) = (1i64, 0i64);
    while right != 0 {
        let quotient = left / right;
        (left, right) = (right, left - quotient * right);
        (of_left, of_right) = (of_right, of_left - quotient * of_right);
    }
    of_left.rem_euclid(n as i64) as u64
}

/// Like finite elements: `nodes` nodes of `unknowns` unknowns each, coupled in full. Every node draws half of its
/// `neighbours` among the `band` nodes behind it, near ones more often, and the coupling goes both ways.
pub fn elements(nodes: u64, unknowns: u64, neighbours: u64, band: u64, seed: u64) -> Result<Csr<f64>> {
    let n = u128::from(nodes * unknowns);
    let entries = n * u128::from((neighbours + 1) * unknowns);
    let size = check_size(n, n, entries)?;
    let mut coupled: Vec<Vec<u32>> = reserve(nodes as usize)?;
    coupled.resize(nodes as usize, vec![]);
    for node in 0..nodes {
        let mut random = Random::new(seed, node);
        coupled[node as usize].push(node as u32);
        for _ in 0..neighbours / 2 {
            let u = random.unit();
            let other = node + 1 + (band as f64 * u * u) as u64;
            if other < nodes {
                coupled[node as usize].push(other as u32);
                coupled[other as usize].push(node as u32);
            }
        }
    }
    let row = |i: u64, columns: &mut Vec<i32>| {
        for &node in &coupled[(i / unknowns) as usize] {
            let first = u64::from(node) * unknowns;
            columns.extend(first as i32..(first + unknowns) as i32);
        }
    };
    by_rows(size, entries, row, value)
}

/// Half of each row's `degree` entries anywhere, half within 200 columns of the diagonal that joins the corners.
pub fn banded_and_uniform(rows: u64, cols: u64, degree: u64, seed: u64) -> Result<Csr<f64>> {
    let entries = u128::from(rows) * u128::from(degree);
    let size = check_size(rows.into(), cols.into(), entries)?;
    let row = |i: u64, columns: &mut Vec<i32>| {
        let mut random = Random::new(seed, i);
        for _ in 0..degree {
            let column = if random.unit() < 0.5 {
                random.below(cols)
            } else {
                let diagonal = (i as f64 * cols as f64 / rows as f64) as u64;
                (diagonal + random.below(401)).saturating_sub(200).min(cols - 1)
            };
            columns.push(column as i32);
        }
    };
    by_rows(size, entries, row, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes_the_stride() {
        for n in [10, 999_983, 1_000_000] {
            let product = u128::from(inverse(STRIDE, n)) * u128::from(STRIDE) % u128::from(n);
            assert_eq!(product, 1, "modulo {n}");
        }
    }
}
