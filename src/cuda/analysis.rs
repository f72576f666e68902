// SPDX-License-Identifier: MIT OR Apache-2.0
//! analysis: reads patterns, and counts the products and spans of the rows. Kernels: `cuda/analysis`.

use std::mem::offset_of;
use std::ptr::null;

use super::kernels::{
    OCEAN_NONE, OceanAhead, OceanBeginAnalysis, OceanCsr, OceanFacts, OceanFirstUnordered, OceanOrder,
    OceanRowProducts, OceanRowsAscend, OceanShortRows, OceanTotals, ocean_begin_analysis, ocean_first_unordered,
    ocean_row_products, ocean_rows_ascend,
};
use super::sizes::{self, Listing};
use super::{Cuda, launched};
use crate::backend::{Backend, RowProducts, Survey};
use crate::csr::{Csr, IndexType, column_text};
use crate::error::{Error, Result};
use crate::memory::{Address, Allocation};
use crate::spgemm::{Inspection, RowArrays, Totals};
use crate::tuning::BOTH_AHEAD;

/// See [`crate::backend::Backend::inspect`]. One stream over the columns, O(rows + nnz), and another if they are not
/// in order.
pub fn inspect(on: &Cuda, matrix: &Csr, name: &'static str) -> Result<Inspection> {
    let facts = Facts::begin(on)?;
    facts.look_at(on, &[matrix])?;
    inspection(on, matrix, name, facts.read(on)?.orders[0])
}

/// See [`crate::backend::Backend::survey`].
pub fn survey(on: &Cuda, a: &Csr, b: &Csr, arrays: &RowArrays, may_be_short: bool) -> Result<Survey> {
    let facts = Facts::begin(on)?;
    let matrices = [a, b];
    let of_b = usize::from(!a.same_pattern(b));
    facts.look_at(on, &matrices[..=of_b])?;
    let ahead = facts.ahead(of_b, may_be_short);
    // Whether rows are short is guessed by their means. A wrong guess costs a wait, except where A is so large that it
    // costs little to queue both.
    let mean = |matrix: &Csr| matrix.nnz.div_euclid(matrix.rows.max(1)) + 1;
    let likely_short = may_be_short && on.are_short(mean(a), mean(b));
    if likely_short {
        sizes::queue_count_short(on, a, b, arrays.sizes, facts.short_rows(), ahead)?;
    }
    let with_products = !likely_short || a.nnz >= BOTH_AHEAD;
    if with_products {
        facts.queue_products(on, a, b, arrays, ahead)?;
    }
    let found = facts.read(on)?;
    let of_a = inspection(on, a, "matA", found.orders[0])?;
    let of_b = if of_b == 0 { of_a } else { inspection(on, b, "matB", found.orders[1])? };
    let short = may_be_short && of_b.ascending() && on.are_short(of_a.longest_row, of_b.longest_row);
    Ok(Survey {
        inspections: [of_a, of_b],
        short_rows: (short && likely_short).then(|| sizes::short_rows(&found)),
        products: (!short && with_products).then(|| row_products_of(&found)),
    })
}

/// What an analysis finds, on the device.
pub(super) struct Facts(Allocation);

impl Facts {
    /// Readies it.
    pub fn begin(on: &Cuda) -> Result<Self> {
        let facts = Self(Allocation::new(&on.memory, size_of::<OceanFacts>(), "the analysis")?);
        let params = OceanBeginAnalysis { facts: facts.pointer() };
        let _current = on.context.enter()?;
        // SAFETY: there is room for the facts.
        launched("begin_analysis", unsafe { ocean_begin_analysis(&raw const params, on.stream.0) })?;
        Ok(facts)
    }

    fn pointer(&self) -> *mut OceanFacts {
        self.0.address().pointer()
    }

    /// Where the short rows' are.
    pub fn short_rows(&self) -> *mut OceanShortRows {
        self.field(offset_of!(OceanFacts, short_rows))
    }

    /// Where the count of alike goes.
    pub fn counted(&self) -> *mut i64 {
        self.field(offset_of!(OceanFacts, counted))
    }

    fn field<T>(&self, offset: usize) -> *mut T {
        Address(self.0.address().0 + offset).pointer()
    }

    /// One matrix or two.
    fn look_at(&self, on: &Cuda, matrices: &[&Csr]) -> Result<()> {
        let params = OceanRowsAscend {
            matrices: [described(matrices[0])?, described(matrices[matrices.len() - 1])?],
            orders: self.field(offset_of!(OceanFacts, orders)),
            count: matrices.len() as i32,
        };
        let _current = on.context.enter()?;
        // SAFETY: the arrays are the caller's, valid by the C API's promise; the answers have their room.
        launched("rows_ascend", unsafe { ocean_rows_ascend(&raw const params, on.stream.0) })
    }

    fn ahead(&self, of_b: usize, may_be_short: bool) -> OceanAhead {
        let orders = self.field::<OceanOrder>(offset_of!(OceanFacts, orders)).cast_const();
        let (short_entries, short_size) = if may_be_short { sizes::SHORT } else { (-1, -1) };
        OceanAhead { of_a: orders, of_b: orders.wrapping_add(of_b), short_entries, short_size }
    }

    /// The products, and which row is counted how.
    fn queue_products(&self, on: &Cuda, a: &Csr, b: &Csr, arrays: &RowArrays, ahead: OceanAhead) -> Result<()> {
        let rows = a.rows as usize;
        assert!(arrays.order.len >= rows, "{rows} rows in {arrays:?}");
        let scratch = Allocation::new(&on.memory, rows * size_of::<i32>(), "the analysis")?;
        let params = OceanRowProducts {
            a: described(a)?,
            b: described(b)?,
            products: arrays.sizes.address.pointer(),
            spans: arrays.spans.address.pointer(),
            last_columns: scratch.address().pointer(),
            totals: self.field(offset_of!(OceanFacts, totals)),
            ahead,
        };
        let current = on.context.enter()?;
        // SAFETY: both matrices were inspected, or will have been when this is done, and fit each other; the other arrays
        // have room for every row.
        launched("row_products", unsafe { ocean_row_products(&raw const params, on.stream.0) })?;
        drop(current);
        let mut listing = Listing::to_count(a, b, arrays);
        listing.ahead = ahead;
        self.queue_list(on, &listing)
    }

    /// A list of rows.
    pub fn queue_list(&self, on: &Cuda, listing: &Listing<'_>) -> Result<()> {
        listing.queue(on, self.field(offset_of!(OceanFacts, binned)))
    }

    /// Waits for them.
    pub fn read(&self, on: &Cuda) -> Result<OceanFacts> {
        read(on, self.0.address(), 0)
    }

    /// Waits for them, and for more.
    pub fn read_with(&self, on: &Cuda, from: Address, more: &mut [u64]) -> Result<OceanFacts> {
        let mut facts = [OceanFacts::default()];
        let _current = on.context.enter()?;
        // SAFETY: the facts are there, and the caller's array has as many values.
        unsafe { on.stream.read_both((self.0.address(), &mut facts), (from, more))? };
        Ok(facts[0])
    }
}

/// Steps that are not ahead of anything.
pub(super) const NOT_AHEAD: OceanAhead = OceanAhead { of_a: null(), of_b: null(), short_entries: -1, short_size: -1 };

fn row_products_of(found: &OceanFacts) -> RowProducts {
    let OceanTotals { products, most_products, longest_row, empty_rows, widest } = found.totals;
    let totals = Totals { products, most_products, longest_row, empty_rows, counted: products, widest };
    RowProducts { totals, listed: Some(sizes::counts_of(&found.binned)) }
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
pub fn row_products(on: &Cuda, a: &Csr, b: &Csr, arrays: &RowArrays) -> Result<RowProducts> {
    let facts = Facts::begin(on)?;
    facts.queue_products(on, a, b, arrays, NOT_AHEAD)?;
    Ok(row_products_of(&facts.read(on)?))
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
