// SPDX-License-Identifier: MIT OR Apache-2.0
//! The result: a plain CSR matrix.

use crate::Scalar;

/// A matrix in compressed sparse rows, indices from 0.
///
/// Row `i` holds entries `offsets[i]..offsets[i + 1]`; `offsets` has `rows + 1` numbers and starts
/// with 0. From the reader, rows ascend by column and entries stored twice stay two, in stored order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Csr<T> {
    /// Number of rows, below 2^31.
    pub rows: usize,
    /// Number of columns, below 2^31.
    pub cols: usize,
    /// Where each row starts, and where the last one ends.
    pub offsets: Vec<i64>,
    /// Column of each entry.
    pub columns: Vec<i32>,
    /// Value of each entry.
    pub values: Vec<T>,
}

impl<T: Scalar> Csr<T> {
    /// Number of entries.
    pub fn nnz(&self) -> usize {
        self.columns.len()
    }

    /// Positions of row `row`'s entries in `columns` and `values`.
    pub fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }

    /// The transpose, without conjugation. Its rows ascend, whether or not ours do; entries stored
    /// twice keep their order.
    #[must_use]
    pub fn transpose(&self) -> Self {
        let mut offsets = vec![0i64; self.cols + 1];
        for &column in &self.columns {
            offsets[column as usize + 1] += 1;
        }
        for i in 0..self.cols {
            offsets[i + 1] += offsets[i];
        }

        let mut next = offsets.clone();
        let mut columns = vec![0i32; self.nnz()];
        let mut values = self.values.clone(); // every place is overwritten
        for row in 0..self.rows {
            for entry in self.row(row) {
                let place = &mut next[self.columns[entry] as usize];
                columns[*place as usize] = row as i32;
                values[*place as usize] = self.values[entry];
                *place += 1;
            }
        }
        Self { rows: self.cols, cols: self.rows, offsets, columns, values }
    }

    /// Adds entries that share a place into one, in stored order. Rows must ascend.
    pub fn sum_duplicates(&mut self) {
        let mut kept = 0;
        let mut begin = 0;
        for row in 0..self.rows {
            let end = self.offsets[row + 1] as usize;
            let first = kept;
            for entry in begin..end {
                if kept > first && self.columns[kept - 1] == self.columns[entry] {
                    self.values[kept - 1] = self.values[kept - 1].plus(self.values[entry]);
                } else {
                    self.columns[kept] = self.columns[entry];
                    self.values[kept] = self.values[entry];
                    kept += 1;
                }
            }
            self.offsets[row + 1] = kept as i64;
            begin = end;
        }
        self.columns.truncate(kept);
        self.values.truncate(kept);
    }

    /// Rows without entries.
    pub fn empty_rows(&self) -> usize {
        self.offsets.windows(2).filter(|pair| pair[0] == pair[1]).count()
    }

    /// Entries whose stored value is 0.
    pub fn explicit_zeros(&self) -> usize {
        self.values.iter().filter(|value| value.is_zero()).count()
    }
}

/// A matrix of either kind of value; `real`, `integer` and `pattern` files are [`Matrix::Real`].
#[derive(Clone, Debug, PartialEq)]
pub enum Matrix {
    /// Binary64 values.
    Real(Csr<f64>),
    /// Pairs of real and imaginary part.
    Complex(Csr<(f64, f64)>),
}

/// Runs one expression on whichever matrix it is.
macro_rules! either {
    ($matrix:expr, $csr:ident => $result:expr) => {
        match $matrix {
            Matrix::Real($csr) => $result,
            Matrix::Complex($csr) => $result,
        }
    };
}

impl Matrix {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        either!(self, csr => csr.rows)
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        either!(self, csr => csr.cols)
    }

    /// Number of entries.
    pub fn nnz(&self) -> usize {
        either!(self, csr => csr.nnz())
    }

    /// Where each row starts, and where the last one ends.
    pub fn offsets(&self) -> &[i64] {
        either!(self, csr => &csr.offsets)
    }

    /// Column of each entry.
    pub fn columns(&self) -> &[i32] {
        either!(self, csr => &csr.columns)
    }

    /// Rows without entries.
    pub fn empty_rows(&self) -> usize {
        either!(self, csr => csr.empty_rows())
    }

    /// Entries whose stored value is 0.
    pub fn explicit_zeros(&self) -> usize {
        either!(self, csr => csr.explicit_zeros())
    }

    /// The transpose, without conjugation: see [`Csr::transpose`].
    #[must_use]
    pub fn transpose(&self) -> Self {
        match self {
            Self::Real(csr) => Self::Real(csr.transpose()),
            Self::Complex(csr) => Self::Complex(csr.transpose()),
        }
    }

    /// Adds entries that share a place: see [`Csr::sum_duplicates`].
    pub fn sum_duplicates(&mut self) {
        either!(self, csr => csr.sum_duplicates());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn awkward() -> Csr<f64> {
        // Row 0: (0, 2) twice; row 1: empty; row 2: columns 0 and 2.
        Csr { rows: 3, cols: 4, offsets: vec![0, 2, 2, 4], columns: vec![2, 2, 0, 2], values: vec![1.0, 2.0, 3.0, 4.0] }
    }

    #[test]
    fn transpose_keeps_the_order_of_duplicates() {
        let t = awkward().transpose();
        assert_eq!((t.rows, t.cols), (4, 3));
        assert_eq!(t.offsets, [0, 1, 1, 4, 4]);
        assert_eq!(t.columns, [2, 0, 0, 2]);
        assert_eq!(t.values, [3.0, 1.0, 2.0, 4.0]);
        assert_eq!(t.transpose(), awkward());
    }

    #[test]
    fn transpose_of_nothing_is_nothing() {
        let empty = Csr::<f64> { rows: 0, cols: 3, offsets: vec![0], columns: vec![], values: vec![] };
        let t = empty.transpose();
        assert_eq!((t.rows, t.cols, t.offsets.as_slice()), (3, 0, [0, 0, 0, 0].as_slice()));
        assert_eq!(t.transpose(), empty);
    }

    #[test]
    fn duplicates_are_summed_within_their_row_only() {
        let mut a = awkward();
        a.sum_duplicates();
        assert_eq!(a.offsets, [0, 1, 1, 3]);
        assert_eq!(a.columns, [2, 0, 2]);
        assert_eq!(a.values, [3.0, 3.0, 4.0]);

        // The same column at the end of one row and the start of the next: two places.
        let mut b =
            Csr { rows: 2, cols: 2, offsets: vec![0, 1, 2], columns: vec![1, 1], values: vec![(1.0, 1.0), (2.0, 0.0)] };
        let before = b.clone();
        b.sum_duplicates();
        assert_eq!(b, before);
    }

    #[test]
    fn facts_are_counted() {
        let mut a = awkward();
        assert_eq!((a.nnz(), a.empty_rows(), a.explicit_zeros()), (4, 1, 0));
        a.values[1] = -0.0;
        assert_eq!(Matrix::Real(a).explicit_zeros(), 1);
    }
}
