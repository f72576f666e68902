// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matrices of dense windows, and interpolation between grids.

use ocean_market::Csr;

use crate::failure::Result;
use crate::generate::build::{by_rows, check_size, reserve};
use crate::random::{Random, value};

/// Windows of `width` columns that overlap by half: every row is linked to all columns of the windows it lies in and
/// their next half, 3 / 2 `width` in all. With a seed, rows and columns are renumbered by one random permutation.
pub fn overlapping(n: u64, width: u64, permuted_by: Option<u64>) -> Result<Csr<f64>> {
    let half = width / 2;
    let entries = u128::from(n) * 3 * u128::from(half);
    let size = check_size(n.into(), n.into(), entries)?;

    let mut place: Vec<u32> = reserve(n as usize)?;
    place.extend(0..n as u32);
    if let Some(seed) = permuted_by {
        // Fisher and Yates, from the end.
        let mut random = Random::new(seed, 0);
        for i in (1..n).rev() {
            place.swap(i as usize, random.below(i + 1) as usize);
        }
    }
    let mut origin: Vec<u32> = vec![0; n as usize];
    for (i, &there) in place.iter().enumerate() {
        origin[there as usize] = i as u32;
    }

    let row = |r: u64, columns: &mut Vec<i32>| {
        let block = u64::from(origin[r as usize]) / half;
        let window = (block.saturating_sub(1) * half) as usize..((block + 2) * half).min(n) as usize;
        columns.extend(place[window].iter().map(|&column| column as i32));
    };
    by_rows(size, entries, row, value)
}

/// Trilinear interpolation from a grid of (`side` / 2)^3 points to one of `side`^3: points with even coordinates have
/// one coarse point, odd ones lie between two, cut at the border.
pub fn trilinear(side: u64) -> Result<Csr<f64>> {
    let coarse = side / 2;
    let (rows, cols) = (u128::from(side).pow(3), u128::from(coarse).pow(3));
    let entries = 4 * rows; // 3.375 on average
    let size = check_size(rows, cols, entries)?;
    let row = |i: u64, columns: &mut Vec<i32>| {
        let near = |at: u64| at / 2..=if at % 2 == 1 { (at / 2 + 1).min(coarse - 1) } else { at / 2 };
        for z in near(i / side / side) {
            for y in near(i / side % side) {
                columns.extend(near(i % side).map(|x| (x + coarse * (y + coarse * z)) as i32));
            }
        }
    };
    by_rows(size, entries, row, value)
}
