// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one rank computes: products of panels, and the sum of products, both by ocean's own product on the host.

use std::sync::Arc;

use crate::backend::Scalars;
use crate::csr::{Csr, OwnedCsr};
use crate::error::{Error, Result};
use crate::heap;
use crate::host::{Host, HostMemory};
use crate::memory::{Address, Memory, Span};
use crate::scalar::Scalar;
use crate::spgemm::{self, Operands, Options, Place};

/// What memory for them is for.
const PANEL: &str = "a rank's panels and products";

/// A part of a panel, and the row or column at which it begins there.
pub(super) struct Part<V> {
    pub begin: usize,
    pub block: OwnedCsr<V>,
}

/// A * B.
pub(super) fn multiply<V: Scalar>(a: &OwnedCsr<V>, b: &OwnedCsr<V>) -> Result<OwnedCsr<V>> {
    let memory: Arc<dyn Memory> = Arc::new(HostMemory::default());
    let place = Place { on: &Host, memory: &memory };
    let operands = Operands::plain(a.describe(), b.describe());
    let c = Csr {
        cols: operands.b.cols,
        nnz: 0,
        offsets: Address::NULL,
        columns: Address::NULL,
        values: Address::NULL,
        ..operands.a
    };
    let arrays = spgemm::multiply(place, &operands, &c, &Scalars::one(V::TYPE), &Options::default())?;
    let nnz = arrays.nnz as usize;
    let values = arrays.values.as_ref().ok_or_else(|| Error::Internal("a product of numbers without any".into()))?;
    // SAFETY: host arrays of these lengths that the product has just written in full, and that live until the end of this
    // function.
    let (offsets, columns, values) = unsafe {
        (
            Span::<i64>::new(arrays.offsets.address(), a.rows + 1).slice(),
            Span::<i32>::new(arrays.columns.address(), nnz).slice(),
            Span::<V>::new(values.address(), nnz).slice(),
        )
    };
    let offsets = heap::collected(offsets.iter().copied(), PANEL);
    let (columns, values) =
        (heap::collected(columns.iter().copied(), PANEL), heap::collected(values.iter().copied(), PANEL));
    OwnedCsr::new(a.rows, b.cols, offsets, columns, values)
}

/// Parts beside each other: `rows` x `cols`.
pub(super) fn beside<V: Scalar>(mut parts: Vec<Part<V>>, rows: usize, cols: usize) -> OwnedCsr<V> {
    parts.sort_by_key(|part| part.begin);
    let nnz = parts.iter().map(|part| part.block.nnz()).sum();
    let mut panel = panel(rows, cols, nnz);
    for row in 0..rows {
        for Part { begin, block } in &parts {
            let entries = block.row(row);
            panel.columns.extend(block.columns[entries.clone()].iter().map(|column| column + *begin as i32));
            panel.values.extend_from_slice(&block.values[entries]);
        }
        panel.offsets.push(panel.columns.len() as i64);
    }
    panel
}

/// Parts below each other: `rows` x `cols`. Rows that no part has are empty.
pub(super) fn below<V: Scalar>(mut parts: Vec<Part<V>>, rows: usize, cols: usize) -> OwnedCsr<V> {
    parts.sort_by_key(|part| part.begin);
    let nnz = parts.iter().map(|part| part.block.nnz()).sum();
    let mut panel = panel(rows, cols, nnz);
    for Part { begin, block } in parts {
        let end = panel.columns.len() as i64;
        panel.offsets.resize(begin + 1, end);
        panel.offsets.extend(block.offsets[1..].iter().map(|offset| end + offset));
        panel.columns.extend(block.columns);
        panel.values.extend(block.values);
    }
    panel.offsets.resize(rows + 1, nnz as i64);
    panel
}

fn panel<V>(rows: usize, cols: usize, nnz: usize) -> OwnedCsr<V> {
    let mut offsets = heap::room(rows + 1, PANEL);
    offsets.push(0);
    OwnedCsr { rows, cols, offsets, columns: heap::room(nnz, PANEL), values: heap::room(nnz, PANEL) }
}

/// The sum of matrices of one shape, entry by entry in their order: [I I ...] times all of them below each other, which
/// merges all at once.
pub(super) fn sum<V: Scalar>(mut terms: Vec<OwnedCsr<V>>, rows: usize, cols: usize) -> Result<OwnedCsr<V>> {
    if terms.len() == 1 {
        return Ok(terms.remove(0));
    }
    let count = terms.len();
    let inner = rows.checked_mul(count).filter(|&inner| inner <= i32::MAX as usize).ok_or_else(|| {
        Error::not_supported(format!("the sum of {count} products of {rows} rows each, more than 2147483647 in all,"))
    })?;
    let mut choose = panel(rows, inner, inner);
    choose.columns.extend((0..rows).flat_map(|row| (0..count).map(move |term| (term * rows + row) as i32)));
    choose.offsets.extend((1..=rows).map(|row| (row * count) as i64));
    choose.values.resize(inner, V::ONE);
    let parts = terms.into_iter().enumerate().map(|(term, block)| Part { begin: term * rows, block });
    multiply(&choose, &below(parts.collect(), inner, cols))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_chains_in_the_order_of_the_terms() {
        let row = |values: &[f64], columns: &[i32]| {
            OwnedCsr::new(2, 3, vec![0, 0, values.len() as i64], columns.to_vec(), values.to_vec()).unwrap()
        };
        // 2^53 swallows a 1 at a time, but not two that were added to each other before.
        let (big, one) = (row(&[9_007_199_254_740_992.], &[1]), row(&[1., 5.], &[1, 2]));
        let first = sum(vec![big.clone(), one.clone(), one.clone()], 2, 3).unwrap();
        assert_eq!((first.offsets, first.values), (vec![0, 0, 2], vec![9_007_199_254_740_992., 10.]));
        let last = sum(vec![one.clone(), one, big], 2, 3).unwrap();
        assert_eq!(last.values, [9_007_199_254_740_994., 10.]);
        assert_eq!(sum(Vec::<OwnedCsr<f64>>::new(), 0, 3).unwrap().offsets, [0]);
    }
}
