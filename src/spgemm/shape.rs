// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the later steps of a product must find as the first one did.

use super::{Operands, Operation};
use crate::error::{Error, Result};
use crate::scalar::ValueType;

/// Sizes, and the type of the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Of op(A) and C.
    pub rows: i64,
    /// Columns of op(A), rows of op(B).
    pub inner: i64,
    /// Of op(B) and C.
    pub cols: i64,
    operations: [Operation; 2],
    kind: ValueType,
}

impl Shape {
    /// The shape of a product.
    pub fn of(operands: &Operands, kind: ValueType) -> Self {
        let (rows, inner) = operands.left_shape();
        Self { rows, inner, cols: operands.cols(), operations: operands.operations, kind }
    }

    /// Whether a later step has the same.
    pub fn check(&self, operands: &Operands, kind: ValueType) -> Result<()> {
        let now = Self::of(operands, kind);
        if now == *self {
            return Ok(());
        }
        let text = |s: &Self| {
            let [of_a, of_b] = s.operations;
            format!("{} x {} x {} in {:?}, operations {of_a:?} and {of_b:?}", s.rows, s.inner, s.cols, s.kind)
        };
        Err(Error::invalid(
            "matA or matB",
            format!("is not what workEstimation saw: {} now, {} then", text(&now), text(self)),
        ))
    }
}
