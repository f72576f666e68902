// SPDX-License-Identifier: MIT OR Apache-2.0
//! A product within a memory limit, some rows of op(A) at a time: each slice is a product of its own with op(B). Slices
//! are counted first, and computed straight into C by `copy`, so that no second copy of C is ever held.

use super::patterns::Patterns;
use super::product::accumulate_into;
use super::rows::{self, Analysed, RowArrays};
use super::staged::Wanted;
use super::widened::Widened;
use super::{Analysis, Bin, BinCounts, Budget, Operands, Operation, Options, Place, Plan, Report, Totals};
use crate::backend::Scalars;
use crate::csr::{Csr, IndexType};
use crate::error::{Error, Result};
use crate::memory::{ALIGNMENT, Address, Carver};
use crate::scalar::ValueType;

/// Slices of the rows of one product, counted.
#[derive(Debug)]
pub struct Slices {
    patterns: Patterns,
    widened: Widened,
    options: Options,
    buffer: Address,
    counted: Vec<Slice>,
    facts: Facts,
    /// The backend's bins.
    bins: &'static [Bin],
    /// Entries of C.
    pub nnz: i64,
    /// Whether they are more than C's offsets can count.
    pub too_many: bool,
}

/// Rows that are computed together.
#[derive(Clone, Copy, Debug)]
struct Slice {
    first: i64,
    rows: i64,
    /// Entries of op(A) before them.
    a_before: i64,
    /// Entries of C before them.
    c_before: i64,
    /// Entries of C in them.
    nnz: i64,
}

/// What the slices came to together.
#[derive(Debug)]
struct Facts {
    analysis: Analysis,
    plan: Plan,
    b_was_sorted: bool,
    bins: BinCounts,
    buffer_bytes: usize,
}

/// A slice with the sizes of its rows.
struct Sized {
    operands: Operands,
    arrays: RowArrays,
    /// None if A or B is empty there.
    analysed: Option<(Analysed, BinCounts)>,
    nnz: i64,
}

/// The offsets of a slice's own, and the arrays of its rows.
fn carve(buffer: Address, rows: usize) -> (Address, RowArrays, usize) {
    let mut carver = Carver::new(buffer);
    let offsets = carver.take::<i64>(rows + 1).address;
    let arrays = RowArrays::take(&mut carver, rows);
    (offsets, arrays, carver.bytes())
}

/// The least buffer that slices need.
pub fn least_buffer() -> usize {
    carve(Address::NULL, 1).2
}

/// As many of `rows` as a buffer of so many bytes takes, at least one.
fn rows_within(bytes: usize, rows: i64) -> i64 {
    let (mut fits, mut too_many) = (1, rows + 1);
    while too_many - fits > 1 {
        let middle = fits + (too_many - fits) / 2;
        if carve(Address::NULL, middle as usize).2 <= bytes {
            fits = middle;
        } else {
            too_many = middle;
        }
    }
    fits
}

impl Slices {
    /// Counts the rows of C, as many at a time as `buffer` of `bytes` and the budget allow.
    ///
    /// # Errors
    /// [`Error::Limit`] if a single row is too much.
    pub fn count(
        place: Place<'_>,
        operands: &Operands,
        wanted: Wanted<'_>,
        budget: &Budget,
        (buffer, bytes): (Address, usize),
    ) -> Result<Self> {
        let options = wanted.options;
        let patterns = Patterns::new(place, operands, options.check)?;
        let whole = patterns.operands(operands);
        if options.check {
            for (matrix, name) in [(&whole.a, "matA"), (&whole.b, "matB")] {
                place.on.inspect(matrix, name)?.matches(matrix, name)?;
            }
        }
        let options = Options { check: false, ..*options };
        let facts = Facts::new(&whole, Plan::in_slices(budget.limit(), &options), bytes);
        let (counted, bins) = (Vec::new(), place.on.bins());
        let widened = Widened::default();
        let mut slices = Self { patterns, widened, options, buffer, counted, facts, bins, nnz: 0, too_many: false };
        let mut together = rows_within(bytes, whole.a.rows);
        let (mut first, mut a_before) = (0, 0);
        while first < whole.a.rows {
            let slice =
                Slice { first, rows: together.min(whole.a.rows - first), a_before, c_before: slices.nnz, nnz: 0 };
            let sized = slices.size(place, &whole, slice).and_then(|sized| {
                let numbers = numeric_bytes(operands, &sized, wanted.columns)?;
                budget.check(numbers, "the numbers of a slice of rows").map(|()| sized)
            });
            match sized {
                Ok(sized) => {
                    slices.counted.push(Slice { nnz: sized.nnz, ..slice });
                    a_before += slices.facts.add(&sized);
                    slices.nnz += sized.nnz;
                    first += slice.rows;
                }
                Err(Error::Limit { .. }) if slice.rows > 1 => together = slice.rows / 2,
                Err(error) => return Err(error),
            }
        }
        slices.facts.explain(slices.counted.len(), together);
        slices.too_many = slices.nnz > wanted.most_entries;
        Ok(slices)
    }

    /// Scalar products.
    pub fn products(&self) -> i64 {
        self.facts.analysis.totals.products
    }

    /// Takes the memory that values need before C is computed.
    pub fn prepare(&mut self, place: Place<'_>, operands: &Operands) -> Result<()> {
        self.factors(place, operands).map(|_| ())
    }

    /// C = alpha * op(A) * op(B) + beta * C, and C's offsets; without scalars columns and offsets alone.
    pub fn write(&mut self, place: Place<'_>, operands: &Operands, c: &Csr, scalars: Option<&Scalars>) -> Result<()> {
        let whole = self.factors(place, operands)?;
        for &slice in &self.counted {
            let Sized { operands, arrays, analysed, nnz } = self.size(place, &whole, slice)?;
            if nnz != slice.nnz {
                return Err(Error::invalid(
                    "matA or matB",
                    format!(
                        "changed its pattern: rows {} to {} of the product have {nnz} entries now, {} before; call \
                         workEstimation again",
                        slice.first,
                        slice.first + slice.rows - 1,
                        slice.nnz
                    ),
                ));
            }
            let c = part(c, slice.first, slice.rows, slice.c_before);
            if let Some((mut analysed, bins)) = analysed {
                let Operands { a, b, .. } = analysed.read_values(place, &operands)?;
                let (factors, rows) = ((&a, &b, &analysed.known()), (arrays.sizes, arrays.order, &bins));
                accumulate_into(place, factors, rows, (&c, nnz, true), scalars, &mut None)?;
                place.on.write_offsets(Some(arrays.sizes), slice.c_before, &c)?;
            } else {
                place.on.write_offsets(None, slice.c_before, &c)?;
            }
        }
        Ok(())
    }

    /// What was found and decided.
    pub fn report(&self) -> Report {
        let Facts { analysis, plan, b_was_sorted, bins, buffer_bytes } = &self.facts;
        Report::of(analysis, plan, *b_was_sorted, (self.bins, bins), [*buffer_bytes, ALIGNMENT])
    }

    /// op(A) and op(B), with values if they have any.
    fn factors(&mut self, place: Place<'_>, operands: &Operands) -> Result<Operands> {
        if !operands.have_values() {
            return Ok(self.patterns.operands(operands));
        }
        let Analysis { a, b, .. } = &self.facts.analysis;
        self.patterns.read_values(place, operands, &mut self.widened, [a.nnz, b.nnz])
    }

    fn size(&self, place: Place<'_>, whole: &Operands, slice: Slice) -> Result<Sized> {
        let (offsets, arrays, _) = carve(self.buffer, slice.rows as usize);
        let rows = part(&whole.a, slice.first, slice.rows, slice.a_before);
        place.on.offsets_alone(&rows, slice.a_before, offsets)?;
        let operands = Operands::plain(Csr { offsets, nnz: whole.a.nnz - slice.a_before, ..rows }, whole.b);
        if operands.no_product() {
            return Ok(Sized { operands, arrays, analysed: None, nnz: 0 });
        }
        let analysed = rows::analyse(place, &operands, &arrays, &self.options).map_err(|error| match error {
            Error::BadMatrix { matrix: "matA", row, problem } => {
                Error::BadMatrix { matrix: "matA", row: row + slice.first, problem }
            }
            other => other,
        })?;
        let (nnz, bins) = rows::size(place, &operands, &arrays, &analysed)?;
        Ok(Sized { operands, arrays, analysed: Some((analysed, bins)), nnz })
    }
}

impl Facts {
    fn new(whole: &Operands, plan: Plan, buffer_bytes: usize) -> Self {
        let Operands { a, b, .. } = whole;
        let analysis = Analysis {
            rows: a.rows,
            inner: a.cols,
            cols: b.cols,
            a: Default::default(),
            b: Default::default(),
            totals: Totals::default(),
            sample: None,
        };
        Self { analysis, plan, b_was_sorted: false, bins: BinCounts::default(), buffer_bytes }
    }

    /// Adds a slice; returns its entries of A.
    fn add(&mut self, sized: &Sized) -> i64 {
        let Some((analysed, bins)) = &sized.analysed else {
            self.analysis.totals.empty_rows += sized.operands.a.rows;
            return 0;
        };
        let (all, slice) = (&mut self.analysis, &analysed.analysis);
        all.a.nnz += slice.a.nnz;
        all.b = slice.b;
        all.totals = all.totals.with(&slice.totals);
        self.b_was_sorted |= analysed.sorted.is_some();
        self.bins.iter_mut().zip(bins).for_each(|(all, slice)| *all += slice);
        slice.a.nnz
    }

    fn explain(&mut self, slices: usize, rows: i64) {
        self.plan.reasons.push(format!("{slices} slices of up to {rows} rows keep within it, and go straight into C"));
    }
}

/// Some rows of a matrix, which come after so many entries; the offsets still count from the first row of all.
fn part(matrix: &Csr, first: i64, rows: i64, before: i64) -> Csr {
    let moved = |array: Address, places: i64, bytes: usize| {
        if array.is_null() { array } else { Address(array.0 + places as usize * bytes) }
    };
    Csr {
        rows,
        offsets: moved(matrix.offsets, first, matrix.offset_type.bytes()),
        columns: moved(matrix.columns, before, matrix.column_type.bytes()),
        values: moved(matrix.values, before, matrix.value_type().map_or(0, ValueType::bytes)),
        ..*matrix
    }
}

/// Bytes that copies of the factors' values take once they are read.
pub fn copied_values(operands: &Operands) -> Result<usize> {
    let kind = operands.computed_in()?;
    let of = |matrix: &Csr, operation: Operation| {
        let copies = usize::from(matrix.value_type() != Some(kind)) + usize::from(operation != Operation::None);
        copies * matrix.nnz as usize * kind.bytes()
    };
    Ok(of(&operands.a, operands.operations[0]) + of(&operands.b, operands.operations[1]))
}

/// Bytes that the accumulation of a slice will take beyond what its count took.
fn numeric_bytes(operands: &Operands, sized: &Sized, c_columns: IndexType) -> Result<usize> {
    let Some((analysed, _)) = &sized.analysed else { return Ok(0) };
    let kind = operands.computed_in()?;
    let columns = if c_columns == IndexType::I64 { size_of::<i32>() } else { 0 };
    // C has 16 bits where A and B have.
    let sums = if operands.a.value_type() == Some(operands.a.computed_in()?) { 0 } else { kind.bytes() };
    Ok(copied_values(operands)? + analysed.merged_values()? + sized.nnz as usize * (columns + sums))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_takes_as_many_rows_as_fit() {
        for bytes in [0, least_buffer(), 5_000, 100_000] {
            let rows = rows_within(bytes, 1_000);
            assert!(rows == 1 || carve(Address::NULL, rows as usize).2 <= bytes);
            assert!(rows == 1_000 || carve(Address::NULL, rows as usize + 1).2 > bytes);
        }
    }
}
