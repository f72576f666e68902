// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a matrix has entries, without values: benchmarks draw those anew for every run.

use ocean_market::Csr;
use rayon::prelude::*;

use crate::failure::{Failure, Result};

/// A CSR matrix without values. Rows ascend and have no duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub rows: usize,
    pub cols: usize,
    pub offsets: Vec<i32>,
    pub columns: Vec<i32>,
}

impl Pattern {
    /// Of a matrix whose rows ascend without duplicates.
    pub fn of(csr: Csr<f64>) -> Result<Self> {
        let offsets: Option<Vec<i32>> = csr.offsets.iter().map(|&offset| i32::try_from(offset).ok()).collect();
        let too_many = || Failure::refused(format!("{} entries: 32-bit row offsets end at {}", csr.nnz(), i32::MAX));
        let offsets = offsets.ok_or_else(too_many)?;
        Ok(Self { rows: csr.rows, cols: csr.cols, offsets, columns: csr.columns })
    }

    pub fn nnz(&self) -> usize {
        self.columns.len()
    }

    pub fn row(&self, row: usize) -> &[i32] {
        &self.columns[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// Scalar products of `self * b`.
    pub fn products(&self, b: &Self) -> u64 {
        self.columns.par_iter().map(|&k| b.row(k as usize).len() as u64).sum()
    }

    pub fn transpose(&self) -> Self {
        let mut offsets = vec![0i32; self.cols + 1];
        for &column in &self.columns {
            offsets[column as usize + 1] += 1;
        }
        for i in 0..self.cols {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut columns = vec![0i32; self.nnz()];
        for row in 0..self.rows {
            for &column in self.row(row) {
                let place = &mut next[column as usize];
                columns[*place as usize] = row as i32;
                *place += 1;
            }
        }
        Self { rows: self.cols, cols: self.rows, offsets, columns }
    }

    /// The pattern of `self * b`, as if no sum were ever zero.
    pub fn times(&self, b: &Self) -> Result<Self> {
        // Few parts, as each may need stamps of its own; some more than threads, as rows differ.
        let part_rows = self.rows.div_ceil(8 * rayon::current_num_threads()).max(1);
        let firsts: Vec<usize> = (0..self.rows).step_by(part_rows).collect();
        // A stamp for each column tells which row named it last.
        let stamps = || vec![usize::MAX; b.cols];
        let part = |stamps: &mut Vec<usize>, first: usize| {
            let (mut lengths, mut columns) = (vec![], vec![]);
            for i in first..self.rows.min(first + part_rows) {
                let begin = columns.len();
                for &k in self.row(i) {
                    for &j in b.row(k as usize) {
                        if std::mem::replace(&mut stamps[j as usize], i) != i {
                            columns.push(j);
                        }
                    }
                }
                columns[begin..].sort_unstable();
                lengths.push(columns.len() - begin);
            }
            (lengths, columns)
        };
        let parts: Vec<(Vec<usize>, Vec<i32>)> = firsts.into_par_iter().map_init(stamps, part).collect();

        let mut product = Self { rows: self.rows, cols: b.cols, offsets: vec![0], columns: vec![] };
        let mut end = 0;
        for (lengths, columns) in parts {
            for length in lengths {
                end += length;
                let offset = i32::try_from(end).map_err(|_| Failure::refused("the product has too many entries"))?;
                product.offsets.push(offset);
            }
            product.columns.extend(columns);
        }
        Ok(product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows {0, 2}, {}, {1, 2}.
    fn small() -> Pattern {
        Pattern { rows: 3, cols: 3, offsets: vec![0, 2, 2, 4], columns: vec![0, 2, 1, 2] }
    }

    #[test]
    fn products_and_pattern_of_a_small_square() {
        let a = small();
        assert_eq!(a.products(&a), 2 + 2 + 2);
        let square = a.times(&a).expect("small");
        assert_eq!((square.offsets, square.columns), (vec![0, 3, 3, 5], vec![0, 1, 2, 1, 2]));
    }

    #[test]
    fn transposed_twice_is_as_before() {
        let t = small().transpose();
        assert_eq!((t.offsets.as_slice(), t.columns.as_slice()), ([0, 1, 2, 4].as_slice(), [0, 2, 0, 2].as_slice()));
        assert_eq!(t.transpose(), small());
    }
}
