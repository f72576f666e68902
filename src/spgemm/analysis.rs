// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is true of A and B before anything is multiplied.

use serde::Serialize;

use super::hyperloglog::relative_error;
use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::heap;
use crate::tuning::ALIKE;

/// One matrix's pattern, read once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// Entries that the offsets span: at most what the descriptor declares.
    pub nnz: i64,
    /// Entries of its longest row.
    pub longest_row: i64,
    /// The first row whose columns do not ascend strictly: unsorted, or with repeats.
    pub first_unordered: Option<i64>,
    /// Rows that look like the row before: as long, with the same first and last column.
    pub repeats: i64,
    /// Likewise with both columns one higher.
    pub shifts: i64,
}

impl Inspection {
    /// Whether the columns of every row ascend strictly.
    pub fn ascending(&self) -> bool {
        self.first_unordered.is_none()
    }

    /// Whether the descriptor declares exactly the entries that the offsets span.
    ///
    /// # Errors
    /// [`Error::BadMatrix`] with both numbers.
    pub fn matches(&self, matrix: &Csr, name: &'static str) -> Result<()> {
        if self.nnz == matrix.nnz {
            return Ok(());
        }
        let problem = format!("offsets end after {} entries, but nnz is {}", self.nnz, matrix.nnz);
        Err(Error::BadMatrix { matrix: name, row: matrix.rows, problem })
    }
}

/// Sums over the rows of A * B.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Scalar products.
    pub products: i64,
    /// Products of the row that has most.
    pub most_products: i64,
    /// Entries of the longest row of A.
    pub longest_row: i64,
    /// Rows of C with no product.
    pub empty_rows: i64,
    /// Products of the rows that have to be counted, because no other row is known to be as long.
    pub counted: i64,
    /// Columns that the widest row spans.
    pub widest: i64,
}

impl Totals {
    /// Those of these rows and others.
    pub fn with(&self, others: &Self) -> Self {
        Self {
            products: self.products + others.products,
            most_products: self.most_products.max(others.most_products),
            longest_row: self.longest_row.max(others.longest_row),
            empty_rows: self.empty_rows + others.empty_rows,
            counted: self.counted + others.counted,
            widest: self.widest.max(others.widest),
        }
    }
}

/// What the sampled rows of C look like; lengths are HyperLogLog's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sample {
    /// Rows sampled.
    pub rows: usize,
    /// Registers of each sketch.
    pub registers: usize,
    /// Their products.
    pub products: i64,
    /// Their estimated entries.
    pub entries: f64,
    /// Sum of the squares of their estimated lengths.
    pub squares: f64,
}

impl Sample {
    /// Products per entry of C, over the sampled rows.
    pub fn compression(&self) -> f64 {
        if self.entries > 0.0 { (self.products as f64 / self.entries).max(1.0) } else { 1.0 }
    }

    /// Deviation of the length of a row of C over its mean: 0.5 is balanced, 3 heavily skewed.
    pub fn variation(&self) -> f64 {
        let rows = self.rows as f64;
        let mean = self.entries / rows;
        if mean > 0.0 { (self.squares / rows - mean * mean).max(0.0).sqrt() / mean } else { 0.0 }
    }

    /// Relative error of 1 / compression that is not passed with 95 % certainty, whatever the distribution.
    ///
    /// Chebyshev over relvar(1/CR) = (CV^2 + eps^2) / n; Ocean (ICS 2026), sec. 4.3.
    pub fn bound(&self) -> f64 {
        let variance = (self.variation().powi(2) + relative_error(self.registers).powi(2)) / self.rows as f64;
        (variance / 0.05).sqrt()
    }

    /// A compression that the whole product has at least, with the certainty of [`Self::bound`].
    pub fn safe_compression(&self) -> f64 {
        (self.compression() / (1.0 + self.bound())).max(1.0)
    }
}

/// Everything that the plan is made from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// Rows of A and C.
    pub rows: i64,
    /// Columns of A, rows of B.
    pub inner: i64,
    /// Columns of B and C.
    pub cols: i64,
    /// A's pattern.
    pub a: Inspection,
    /// B's pattern.
    pub b: Inspection,
    /// Sums over all rows.
    pub totals: Totals,
    /// The sampled rows; none where the product is empty or has too few rows.
    pub sample: Option<Sample>,
}

impl Analysis {
    /// ER: products per entry of A, which is the mean length of the rows of B that are read.
    pub fn expansion(&self) -> f64 {
        ratio(self.totals.products, self.a.nnz)
    }

    /// Products per row of C, on average.
    pub fn products_per_row(&self) -> f64 {
        ratio(self.totals.products, self.rows)
    }

    /// Whether few rows of C are counted for many.
    pub fn counts_few(&self) -> bool {
        self.totals.products > 0 && ALIKE.pays(&self.totals)
    }

    /// CR as sampled: products per entry of C.
    pub fn compression(&self) -> f64 {
        self.sample.map_or(1.0, |s| s.compression())
    }

    /// Entries that C will have, by the sample.
    pub fn expected_entries(&self) -> f64 {
        self.totals.products as f64 / self.compression()
    }
}

fn ratio(part: i64, whole: i64) -> f64 {
    if whole > 0 { part as f64 / whole as f64 } else { 0.0 }
}

/// Rows to sample: one out of each of `count` equal stretches, at a place that looks random but is always the same.
pub fn rows_to_sample(rows: usize, count: usize) -> Vec<i32> {
    let stretch = |i: usize| (i as u128 * rows as u128 / count as u128) as usize;
    let place = |i: usize| {
        let (first, end) = (stretch(i), stretch(i + 1));
        (first + super::hyperloglog::hash(i as u32) as usize % (end - first)) as i32
    };
    heap::collected((0..count).map(place), "the sample")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bounds that the paper gives for 6,000 rows and 64 registers: 3 %, 6 %, 17 % for CV = 0.5, 1, 3.
    #[test]
    fn the_sampling_error_is_bounded_as_in_the_paper() {
        for (variation, percent) in [(0.5f64, 3.0), (1.0, 6.0), (3.0, 17.0)] {
            let rows = 6_000;
            let mean = 100.0;
            let sample = Sample {
                rows,
                registers: 64,
                products: 1,
                entries: mean * rows as f64,
                squares: mean * mean * (1.0 + variation * variation) * rows as f64,
            };
            assert!((sample.variation() - variation).abs() < 1e-9);
            assert_eq!((100.0 * sample.bound()).round(), percent, "CV = {variation}");
        }
    }

    #[test]
    fn sampled_rows_are_distinct_ascend_and_cover_small_matrices_whole() {
        for (rows, count) in [(1, 1), (600, 600), (601, 600), (1_000_000, 10_000), (i32::MAX as usize, 10_000)] {
            let sampled = rows_to_sample(rows, count);
            assert_eq!(sampled.len(), count);
            assert!(sampled.is_sorted_by(|a, b| a < b));
            assert!((*sampled.last().unwrap() as usize) < rows);
        }
    }
}
