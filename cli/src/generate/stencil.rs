// SPDX-License-Identifier: MIT OR Apache-2.0
//! Discretised Laplacians on square and cubic grids, zero outside (Dirichlet).

use ocean_market::Csr;

use super::build::{by_rows, check_size};
use crate::failure::Result;

/// Which neighbours of a grid point count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Neighbours {
    /// Those that share a face: 5 points in two dimensions, 7 in three.
    Faces,
    /// Those that share a corner, too: 9 and 27 points.
    Corners,
}

impl Neighbours {
    /// Points of the stencil, the centre included.
    fn points(self, dimensions: u32) -> u64 {
        match self {
            Self::Faces => 2 * u64::from(dimensions) + 1,
            Self::Corners => 3u64.pow(dimensions),
        }
    }
}

/// The Laplacian on a grid of `side` points in each of 2 or 3 dimensions: the number of neighbours on the
/// diagonal, -1 for each neighbour. Points are numbered with x fastest.
pub fn poisson(side: u64, dimensions: u32, neighbours: Neighbours) -> Result<Csr<f64>> {
    let points = u128::from(side).pow(dimensions);
    let stencil = neighbours.points(dimensions);
    let entries = points * u128::from(stencil);
    let size = check_size(points, points, entries)?;

    let (side, depth) = (side as i64, if dimensions == 3 { 1i64 } else { 0 });
    let inside = |coordinate: i64| (0..side).contains(&coordinate);
    let row = |i: u64, columns: &mut Vec<i32>| {
        let i = i as i64;
        let (x, y, z) = (i % side, i / side % side, i / side / side);
        for dz in -depth..=depth {
            for dy in -1..=1i64 {
                for dx in -1..=1i64 {
                    let near = neighbours == Neighbours::Corners || dx.abs() + dy.abs() + dz.abs() <= 1;
                    let (x, y, z) = (x + dx, y + dy, z + dz);
                    if near && inside(x) && inside(y) && (depth == 0 || inside(z)) {
                        columns.push((x + side * (y + side * z)) as i32);
                    }
                }
            }
        }
    };
    by_rows(size, entries, row, |i, j| if i == j { (stencil - 1) as f64 } else { -1.0 })
}
