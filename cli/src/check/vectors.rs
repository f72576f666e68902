// SPDX-License-Identifier: MIT OR Apache-2.0
//! C x = A (B x) for random x: for products too large for the reference.
//!
//! With u the rounding unit of the matrices' type, u' that of f64, g(n) = n u / (1 - n u) and g'(n) the same
//! with u', row i may differ by
//!
//! ```text
//! (g(t) + g'(s) (1 + g(t))) (1 + g'(s)) (|A| |B| |x|)_i  +  (p + s) d
//! ```
//!
//! - t is the longest chain of roundings behind an entry of C's row: one product and one sum for each entry of
//!   A's row, and, where rows of B hold duplicates, the sums that merge them (Higham, Accuracy and Stability of
//!   Numerical Algorithms, 2002, sec. 3.1);
//! - s is the chain of this check's own sums, in f64: rows of A, B and C, and x itself;
//! - p is the number of products in the row and d the smallest number of the type: what underflow can take.
//!
//! A row whose products can overflow, or hold NaN or infinity, is not judged, and counted as such.

use ocean::csr::OwnedCsr;

use crate::random::Random;
use crate::value::Value;

/// A wrong entry hides from one vector only if its error is below the bound; three catch what one misses by chance.
const VECTORS: u64 = 3;

/// What was compared, or the first row beyond its bound.
pub fn check<V: Value>(a: &OwnedCsr<V>, b: &OwnedCsr<V>, c: &OwnedCsr<V>) -> Result<String, String> {
    let bounds = Bounds::new(a, b, c);
    let judged: Vec<bool> = overflow_free(a, b);
    let mut largest = 0.0f64;
    for vector in 0..VECTORS {
        let mut random = Random::new(2026, vector);
        let x: Vec<f64> = (0..b.cols).map(|_| 2.0 * random.unit() - 1.0).collect();
        let left = times(c, &x, |value| value);
        let right = times(a, &times(b, &x, |value| value), |value| value);
        let sizes: Vec<f64> = x.iter().map(|x| x.abs()).collect();
        let sizes = times(a, &times(b, &sizes, f64::abs), f64::abs);

        for row in (0..c.rows).filter(|&row| judged[row]) {
            let error = (left[row] - right[row]).abs();
            let bound = bounds.of(row, sizes[row]);
            let within = error <= bound; // false for NaN
            if !within {
                return Err(format!(
                    "row {row}: C x is {:e} but A (B x) is {:e}; they may differ by {bound:.3e}",
                    left[row], right[row]
                ));
            }
            if error > 0.0 {
                largest = largest.max(error / bound);
            }
        }
    }
    let skipped = judged.iter().filter(|&&judged| !judged).count();
    let unjudged = if skipped > 0 {
        format!("; {skipped} of {} rows not judged (overflow, infinity or NaN)", c.rows)
    } else {
        String::new()
    };
    Ok(format!("C x = A (B x) for {VECTORS} random x; largest error {largest:.2e} of the bound{unjudged}"))
}

/// y = M x in f64, with `size` applied to each value of M.
fn times<V: Value>(matrix: &OwnedCsr<V>, x: &[f64], size: impl Fn(f64) -> f64) -> Vec<f64> {
    let entry = |entry: usize| size(matrix.values[entry].widen()) * x[matrix.columns[entry] as usize];
    (0..matrix.rows).map(|row| matrix.row(row).map(entry).sum()).collect()
}

/// Rows of C in which no sum can leave the finite numbers of the type, nor any that merges duplicates of B.
fn overflow_free<V: Value>(a: &OwnedCsr<V>, b: &OwnedCsr<V>) -> Vec<bool> {
    // Half of the range, since the sizes are rounded, too; false for NaN.
    let safe = |size: f64| size < V::LARGEST / 2.0;
    let mut b_sizes = times(b, &vec![1.0; b.cols], f64::abs);
    b_sizes.iter_mut().filter(|size| !safe(**size)).for_each(|size| *size = f64::INFINITY);
    times(a, &b_sizes, f64::abs).into_iter().map(safe).collect()
}

/// What the bound of each row is made of.
struct Bounds {
    /// Factor of (|A| |B| |x|)_i.
    relative: Vec<f64>,
    /// What underflow adds.
    absolute: Vec<f64>,
}

impl Bounds {
    fn new<V: Value>(a: &OwnedCsr<V>, b: &OwnedCsr<V>, c: &OwnedCsr<V>) -> Self {
        let growth = |roundings: f64, unit: f64| roundings * unit / (1.0 - roundings * unit);
        let longest_b = (0..b.rows).map(|row| b.row(row).len()).max().unwrap_or(0);
        let strict = (0..b.rows).all(|row| b.columns[b.row(row)].is_sorted_by(|left, right| left < right));
        let merges = if strict { 0 } else { longest_b };

        let mut bounds = Self { relative: Vec::with_capacity(a.rows), absolute: Vec::with_capacity(a.rows) };
        for row in 0..a.rows {
            let products: usize = a.row(row).map(|entry| b.row(a.columns[entry] as usize).len()).sum();
            let own = (a.row(row).len() + longest_b + c.row(row).len() + 2) as f64;
            let product = growth((a.row(row).len() + merges) as f64, V::UNIT_ROUNDOFF);
            let check = growth(own, f64::UNIT_ROUNDOFF);
            bounds.relative.push((product + check * (1.0 + product)) * (1.0 + check));
            bounds.absolute.push((products as f64 + own) * V::SMALLEST);
        }
        bounds
    }

    fn of(&self, row: usize, size: f64) -> f64 {
        self.relative[row] * size + self.absolute[row]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A random matrix of `degree` entries a row with values of either sign, duplicates included.
    fn random<V: Value>(rows: usize, cols: usize, degree: usize, seed: u64) -> OwnedCsr<V> {
        let mut random = Random::new(seed, 0);
        let nnz = rows * degree;
        let offsets = (0..=rows).map(|row| (row * degree) as i64).collect();
        let columns = (0..nnz).map(|_| random.below(cols as u64) as i32).collect();
        let values = (0..nnz).map(|_| V::narrow(random.unit() - 0.5)).collect();
        OwnedCsr { rows, cols, offsets, columns, values }
    }

    fn right<V: Value>() -> (OwnedCsr<V>, OwnedCsr<V>, OwnedCsr<V>) {
        let (a, b) = (random(40, 30, 5, 1), random(30, 50, 7, 2));
        let c = ocean::reference::multiply(&a, &b);
        (a, b, c)
    }

    #[test]
    fn random_vectors_cannot_tell_c_from_a_times_b() {
        let (a, b, c) = right::<f64>();
        check(&a, &b, &c).expect("the reference is right in f64");
        let (a, b, c) = right::<f32>();
        check(&a, &b, &c).expect("the reference is right in f32");
    }

    #[test]
    fn a_wrong_entry_is_found() {
        let (a, b, good) = right::<f64>();
        for entry in 0..good.nnz() {
            let mut c = good.clone();
            c.values[entry] += 1e-12; // about a hundred times the bound
            let fault = check(&a, &b, &c).expect_err("a wrong value");
            let row = good.offsets.partition_point(|&offset| offset <= entry as i64) - 1;
            assert!(fault.starts_with(&format!("row {row}: C x is")), "{fault}");
        }
        let mut c = good;
        c.values[3] = f64::NAN;
        assert!(check(&a, &b, &c).is_err(), "NaN from nowhere");
    }

    #[test]
    fn swapped_columns_are_found() {
        let (a, b, mut c) = right::<f32>();
        c.values.swap(0, 1);
        assert!(check(&a, &b, &c).is_err());
    }

    #[test]
    fn rows_with_overflow_are_left_out_and_counted() {
        let (mut a, b, _) = right::<f32>();
        a.values[0] = f32::MAX;
        a.values[5] = f32::NAN;
        let c = ocean::reference::multiply(&a, &b);
        let finding = check(&a, &b, &c).expect("the other rows are right");
        assert!(finding.contains("2 of 40 rows not judged"), "{finding}");
    }
}
