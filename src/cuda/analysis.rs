// SPDX-License-Identifier: MIT OR Apache-2.0
//! analysis: reads patterns, and counts the products and spans of the rows. Kernels: `cuda/analysis`.

use std::ptr::null;

use super::kernels::{
    OCEAN_NONE, OceanCsr, OceanFirstUnordered, OceanOrder, OceanRowProducts, OceanRowsAscend, OceanTotals,
    ocean_first_unordered, ocean_row_products, ocean_rows_ascend,
};
use super::{Cuda, launched};
use crate::csr::{Csr, IndexType, column_text};
use crate::error::{Error, Result};
use crate::memory::{Address, Allocation, Carver, Span};
use crate::spgemm::{Alike, Inspection, Totals};

/// See [`crate::backend::Backend::inspect`]. One stream over the columns, O(rows + nnz), and another if they are not
/// in order.
pub fn inspect(on: &Cuda, matrix: &Csr, name: &'static str) -> Result<Inspection> {
    let [order] = orders(on, [matrix])?;
    inspection(on, matrix, name, order)
}

/// See [`crate::backend::Backend::inspect_both`].
pub fn inspect_both(on: &Cuda, a: &Csr, b: &Csr) -> Result<[Inspection; 2]> {
    if a.same_pattern(b) {
        return inspect(on, a, "matA").map(|of_a| [of_a, of_a]);
    }
    let [of_a, of_b] = orders(on, [a, b])?;
    Ok([inspection(on, a, "matA", of_a)?, inspection(on, b, "matB", of_b)?])
}

/// What the first look says of a matrix; a second one where it has faults, or rows in disorder.
fn inspection(on: &Cuda, matrix: &Csr, name: &'static str, order: OceanOrder) -> Result<Inspection> {
    if let Some((row, problem)) = first_fault(on, matrix, &order)? {
        return Err(Error::BadMatrix { matrix: name, row, problem });
    }
    let first_unordered = if order.disordered > 0 { Some(first_unordered(on, matrix)?) } else { None };
    let OceanOrder { nnz, longest_row, repeats, shifts, .. } = order;
    Ok(Inspection { nnz, longest_row, first_unordered, repeats, shifts })
}

/// See [`crate::backend::Backend::row_products`]. O(nnz(A)) scattered reads of B's offsets and row ends.
pub fn row_products(
    on: &Cuda,
    a: &Csr,
    b: &Csr,
    alike: Option<Alike>,
    products: Span<i64>,
    spans: Span<i32>,
) -> Result<Totals> {
    let rows = a.rows as usize;
    assert!(products.len >= rows && spans.len >= rows, "{rows} rows in {products:?} and {spans:?}");
    let arrays = |carver: &mut Carver| (carver.take::<OceanTotals>(1), carver.take::<i32>(rows));
    let mut probe = Carver::new(Address::NULL);
    arrays(&mut probe);
    let scratch = Allocation::new(&on.memory, probe.bytes(), "the analysis")?;
    let (totals, last_columns) = arrays(&mut Carver::new(scratch.address()));
    let params = OceanRowProducts {
        a: described(a)?,
        b: described(b)?,
        products: products.address.pointer(),
        spans: spans.address.pointer(),
        last_columns: last_columns.address.pointer(),
        heads: alike.map_or(null(), |alike| alike.heads.address.pointer::<i32>().cast_const()),
        totals: totals.address.pointer(),
    };
    let _current = on.context.enter()?;
    // SAFETY: both matrices were inspected, and fit each other; the other arrays have room for every row.
    launched("row_products", unsafe { ocean_row_products(&raw const params, on.stream.0) })?;
    let totals: OceanTotals = read(on, totals.address, 0)?;
    let OceanTotals { products, most_products, longest_row, empty_rows, counted, widest } = totals;
    Ok(Totals { products, most_products, longest_row, empty_rows, counted, widest })
}

fn orders<const COUNT: usize>(on: &Cuda, matrices: [&Csr; COUNT]) -> Result<[OceanOrder; COUNT]> {
    let scratch = Allocation::new(&on.memory, COUNT * size_of::<OceanOrder>(), "the analysis")?;
    let _current = on.context.enter()?;
    for (i, matrix) in matrices.into_iter().enumerate() {
        let order = scratch.address().pointer::<OceanOrder>().wrapping_add(i);
        let params = OceanRowsAscend { matrix: described(matrix)?, order };
        // SAFETY: the arrays are the caller's, valid by the C API's promise; the answer has its room.
        launched("rows_ascend", unsafe { ocean_rows_ascend(&raw const params, on.stream.0) })?;
    }
    let mut orders = [OceanOrder::default(); COUNT];
    // SAFETY: as many were written.
    unsafe { on.stream.read(scratch.address(), &mut orders)? };
    Ok(orders)
}

fn first_unordered(on: &Cuda, matrix: &Csr) -> Result<i64> {
    let scratch = Allocation::new(&on.memory, size_of::<i64>(), "the analysis")?;
    let params = OceanFirstUnordered { matrix: described(matrix)?, row: scratch.address().pointer() };
    let _current = on.context.enter()?;
    // SAFETY: the matrix has no bad row; the answer has its room.
    launched("first_unordered", unsafe { ocean_first_unordered(&raw const params, on.stream.0) })?;
    read(on, scratch.address(), 0)
}

/// The row of the first fault, and the words that the host backend has for it.
fn first_fault(on: &Cuda, matrix: &Csr, order: &OceanOrder) -> Result<Option<(i64, String)>> {
    let (nnz, base) = (order.nnz, i64::from(matrix.base));
    let too_many = nnz < 0 || nnz > matrix.nnz;
    // Asked only where it may be wrong, since every question waits for the device. It comes first: offsets that start
    // at the wrong base also end wrong, and that is the effect.
    if too_many || order.bad_row == 0 || (matrix.rows == 0 && nnz > 0) {
        let first = offset(on, matrix, 0)?;
        if first != 0 {
            return Ok(Some((0, format!("offsets start at {}, but the index base is {base}", first + base))));
        }
    }
    if too_many {
        return Ok(Some((matrix.rows, format!("offsets end after {nnz} entries, but nnz is {}", matrix.nnz))));
    }
    // Up to a bad row offsets ascend, so entries before it can be placed.
    let bad_row = order.bad_row.min(matrix.rows);
    if order.bad_entry != OCEAN_NONE && order.bad_entry < offset(on, matrix, bad_row)? {
        let (row, entry) = place_of(on, matrix, order.bad_entry, bad_row)?;
        let stored = column_text(read(on, matrix.columns, order.bad_entry)?);
        return Ok(Some((row, format!("entry {entry} has column {stored}, of {} columns from {base}", matrix.cols))));
    }
    if order.bad_row == OCEAN_NONE {
        return Ok(None);
    }
    let (start, end) = (offset(on, matrix, bad_row)? + base, offset(on, matrix, bad_row + 1)? + base);
    Ok(Some((bad_row, format!("offsets go from {start} to {end} in {nnz} entries"))))
}

/// The row of an entry, below `rows`, and its place there. For messages: it reads one offset at a time.
fn place_of(on: &Cuda, matrix: &Csr, entry: i64, rows: i64) -> Result<(i64, i64)> {
    let (mut first, mut last) = (0, rows - 1);
    while first < last {
        let middle = last - (last - first) / 2;
        if offset(on, matrix, middle)? <= entry {
            first = middle;
        } else {
            last = middle - 1;
        }
    }
    Ok((first, entry - offset(on, matrix, first)?))
}

/// Offset of a row, from 0.
pub fn offset(on: &Cuda, matrix: &Csr, row: i64) -> Result<i64> {
    let stored = match matrix.offset_type {
        IndexType::I32 => i64::from(read::<i32>(on, matrix.offsets, row)?),
        IndexType::I64 => read(on, matrix.offsets, row)?,
    };
    Ok(stored.wrapping_sub(matrix.base.into()))
}

/// One value out of an array on the device, once all work before is done.
pub fn read<T: Copy + Default>(on: &Cuda, array: Address, index: i64) -> Result<T> {
    let _current = on.context.enter()?;
    let mut value = [T::default()];
    let place = Address(array.0 + index as usize * size_of::<T>());
    // SAFETY: callers pass arrays of `T` that have this index.
    unsafe { on.stream.read(place, &mut value)? };
    Ok(value[0])
}

/// What kernels know of a matrix.
pub fn described(matrix: &Csr) -> Result<OceanCsr> {
    if matrix.column_type != IndexType::I32 {
        return Err(Error::not_supported("64-bit columns on the CUDA backend"));
    }
    Ok(OceanCsr {
        rows: matrix.rows,
        cols: matrix.cols,
        nnz: matrix.nnz,
        offsets: matrix.offsets.pointer(),
        columns: matrix.columns.pointer(),
        offset_bytes: matrix.offset_type.bytes() as i32,
        base: matrix.base,
    })
}
