// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is done to a factor before it is multiplied.

/// op, as BLAS has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Operation {
    /// The matrix as it is.
    #[default]
    None,
    /// Its transpose.
    Transpose,
    /// Its conjugate transpose; of real numbers, its transpose.
    ConjugateTranspose,
}

impl Operation {
    /// Rows and columns of op(M), where M has these.
    pub fn shape(self, (rows, cols): (i64, i64)) -> (i64, i64) {
        if self == Self::None { (rows, cols) } else { (cols, rows) }
    }
}
