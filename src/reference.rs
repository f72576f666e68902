// SPDX-License-Identifier: MIT OR Apache-2.0
//! The judge: a serial product that does exactly what the order of sums says, and nothing clever. Every
//! accumulator, workflow, number of threads and backend has to give these bits.

use crate::csr::OwnedCsr;
use crate::scalar::{Scalar, Stored};
use crate::tuning::SUM_BLOCK;

/// A * B, rows sorted, pattern structural.
///
/// An entry of C is the chain, over the entries of A's row in stored order, of a rounded product added to the sum,
/// which starts as the first product. The chain restarts at every [`SUM_BLOCK`]th entry of A's row, and the sums of
/// the blocks are added in order. Repeats inside a row of B are summed first, in stored order.
///
/// 16-bit values are computed in 32 bits, which hold them exactly, and each entry of C is rounded once, at the end.
///
/// Panics if A's columns and B's rows differ in number.
pub fn multiply<V: Stored>(a: &OwnedCsr<V>, b: &OwnedCsr<V>) -> OwnedCsr<V> {
    assert_eq!(a.cols, b.rows, "columns of A and rows of B");
    let b = merged(b);
    let mut c = OwnedCsr { rows: a.rows, cols: b.cols, offsets: vec![0], columns: vec![], values: vec![] };
    let (mut total, mut block) = (Row::new(b.cols), Row::new(b.cols));
    for row in 0..a.rows {
        for entries in a.row(row).collect::<Vec<_>>().chunks(SUM_BLOCK) {
            for &entry in entries {
                for right in b.row(a.columns[entry] as usize) {
                    block.add(b.columns[right], a.values[entry].widened().times(b.values[right]));
                }
            }
            block.hand_over(|column, sum| total.add(column, sum));
        }
        total.hand_over(|column, sum| {
            c.columns.push(column);
            c.values.push(V::rounded(sum));
        });
        c.offsets.push(c.columns.len() as i64);
    }
    c
}

/// M^T, or M^H: row i has the entries of column i in stored order, row by row.
pub fn transposed<V: Stored>(m: &OwnedCsr<V>, conjugate: bool) -> OwnedCsr<V> {
    let value = |entry: usize| {
        let value = m.values[entry];
        if conjugate { V::rounded(value.widened().conjugate()) } else { value }
    };
    let mut entries: Vec<(i32, i32, V)> = (0..m.rows)
        .flat_map(|row| m.row(row).map(move |entry| (entry, row as i32)))
        .map(|(entry, row)| (m.columns[entry], row, value(entry)))
        .collect();
    entries.sort_by_key(|&(column, ..)| column); // stable
    let before = |column: usize| entries.partition_point(|entry| (entry.0 as usize) < column) as i64;
    OwnedCsr {
        rows: m.cols,
        cols: m.rows,
        offsets: (0..=m.cols).map(before).collect(),
        columns: entries.iter().map(|entry| entry.1).collect(),
        values: entries.iter().map(|entry| entry.2).collect(),
    }
}

/// The matrix with repeats inside each row summed in stored order, and its rows sorted.
fn merged<V: Stored>(b: &OwnedCsr<V>) -> OwnedCsr<V::Computed> {
    let mut result = OwnedCsr { rows: b.rows, cols: b.cols, offsets: vec![0], columns: vec![], values: vec![] };
    let mut sums = Row::new(b.cols);
    for row in 0..b.rows {
        b.row(row).for_each(|entry| sums.add(b.columns[entry], b.values[entry].widened()));
        sums.hand_over(|column, sum| {
            result.columns.push(column);
            result.values.push(sum);
        });
        result.offsets.push(result.columns.len() as i64);
    }
    result
}

/// Sums by column.
struct Row<V> {
    sums: Vec<Option<V>>,
    touched: Vec<i32>,
}

impl<V: Scalar> Row<V> {
    fn new(cols: usize) -> Self {
        Self { sums: vec![None; cols], touched: vec![] }
    }

    fn add(&mut self, column: i32, term: V) {
        let sum = &mut self.sums[column as usize];
        if sum.is_none() {
            self.touched.push(column);
        }
        *sum = Some(sum.map_or(term, |sum| sum.plus(term)));
    }

    fn hand_over(&mut self, mut each: impl FnMut(i32, V)) {
        self.touched.sort_unstable();
        for column in self.touched.drain(..) {
            if let Some(sum) = self.sums[column as usize].take() {
                each(column, sum);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Complex;

    fn matrix(rows: usize, cols: usize, offsets: &[i64], columns: &[i32], values: &[f64]) -> OwnedCsr<f64> {
        OwnedCsr::new(rows, cols, offsets.to_vec(), columns.to_vec(), values.to_vec()).unwrap()
    }

    #[test]
    fn the_vendors_sample_by_hand() {
        let a = matrix(4, 4, &[0, 3, 4, 7, 9], &[0, 2, 3, 1, 0, 2, 3, 1, 3], &[1., 2., 3., 4., 5., 6., 7., 8., 9.]);
        let b = matrix(4, 4, &[0, 2, 4, 7, 8], &[0, 3, 1, 3, 0, 1, 2, 1], &[1., 2., 3., 4., 5., 6., 7., 8.]);
        let c = multiply(&a, &b);
        assert_eq!(c.offsets, [0, 4, 6, 10, 12]);
        assert_eq!(c.columns, [0, 1, 2, 3, 1, 3, 0, 1, 2, 3, 1, 3]);
        assert_eq!(c.values, [11., 36., 14., 2., 12., 16., 35., 92., 42., 10., 96., 32.]);
    }

    #[test]
    fn unsorted_rows_and_repeats_by_hand() {
        // A's repeats are two terms of the chain; B's are one value.
        let a = matrix(1, 2, &[0, 3], &[1, 0, 1], &[1., 10., 2.]);
        let b = matrix(2, 3, &[0, 3, 5], &[2, 0, 2, 1, 0], &[1., 5., 3., 7., 2.]);
        let c = multiply(&a, &b);
        assert_eq!(c.columns, [0, 1, 2]);
        assert_eq!(c.values, [2. + 50. + 4., 7. + 14., 40.]);
    }

    #[test]
    fn a_transpose_by_hand() {
        let m = matrix(2, 3, &[0, 4, 5], &[2, 0, 2, 2, 0], &[1., 5., 3., 7., 2.]);
        let t = transposed(&m, true);
        assert_eq!((t.rows, t.cols), (3, 2));
        assert_eq!(t.offsets, [0, 2, 2, 5]);
        assert_eq!(t.columns, [0, 1, 0, 0, 0]);
        assert_eq!(t.values, [5., 2., 1., 3., 7.]);
        let i = OwnedCsr::new(1, 1, vec![0, 1], vec![0], vec![Complex::<f32> { re: 1., im: 2. }]).unwrap();
        assert_eq!(transposed(&i, true).values, [Complex { re: 1., im: -2. }]);
        assert_eq!(transposed(&i, false).values, i.values);
    }

    #[test]
    fn cancelled_and_stored_zeros_stay_and_signs_of_zero_are_kept() {
        let a = matrix(2, 2, &[0, 2, 3], &[0, 1, 0], &[1., -1., -0.0]);
        let b = matrix(2, 2, &[0, 2, 3], &[0, 1, 0], &[5., 6., 5.]);
        let c = multiply(&a, &b);
        assert_eq!(c.offsets, [0, 2, 4]);
        assert_eq!(c.values[..2], [0., 6.]);
        assert!(c.values[2].is_sign_negative() && c.values[2] == 0.0);
    }

    #[test]
    fn the_order_of_terms_is_that_of_as_row_and_restarts_in_blocks() {
        let n = SUM_BLOCK + 2;
        let row = |values: Vec<f64>| matrix(1, n, &[0, n as i64], &(0..n as i32).collect::<Vec<_>>(), &values);
        let ones = matrix(n, 1, &(0..=n as i64).collect::<Vec<_>>(), &vec![0; n], &vec![1.; n]);
        // 2^53 swallows a 1 that is added to it, but not two that were added to each other before.
        let mut values = vec![0.; n];
        (values[0], values[1], values[2]) = (9_007_199_254_740_992., 1., 1.);
        assert_eq!(multiply(&row(values.clone()), &ones).values, [9_007_199_254_740_992.]);
        values.swap(0, 2);
        assert_eq!(multiply(&row(values.clone()), &ones).values, [9_007_199_254_740_994.]);
        // The last two have a block of their own: in one chain, 2^53 would swallow them one by one.
        let mut values = vec![0.; n];
        (values[0], values[SUM_BLOCK], values[SUM_BLOCK + 1]) = (9_007_199_254_740_992., 1., 1.);
        assert_eq!(multiply(&row(values), &ones).values, [9_007_199_254_740_994.]);
    }
}
