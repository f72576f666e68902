// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the later steps of a product must find as the first one did.

use super::Operands;
use crate::error::{Error, Result};
use crate::scalar::ValueType;

/// Sizes, and the type of the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Of A and C.
    pub rows: i64,
    /// Columns of A, rows of B.
    pub inner: i64,
    /// Of B and C.
    pub cols: i64,
    kind: ValueType,
}

impl Shape {
    /// The shape of a product.
    pub fn of(operands: &Operands, kind: ValueType) -> Self {
        Self { rows: operands.a.rows, inner: operands.a.cols, cols: operands.b.cols, kind }
    }

    /// Whether a later step has the same.
    pub fn check(&self, operands: &Operands, kind: ValueType) -> Result<()> {
        let now = Self::of(operands, kind);
        if now == *self {
            return Ok(());
        }
        let text = |s: &Self| format!("{} x {} x {} in {:?}", s.rows, s.inner, s.cols, s.kind);
        Err(Error::invalid(
            "matA or matB",
            format!("is not what workEstimation saw: {} now, {} then", text(&now), text(self)),
        ))
    }
}
