// SPDX-License-Identifier: MIT OR Apache-2.0
//! cuSPARSE's protocol: workEstimation, compute, copy, each with the caller's buffer. R1 to R23 are the rules
//! that call sites of cuSPARSE rely on.

use std::sync::Arc;

use super::budget::{Budget, first_buffer};
use super::product::{Product, Room};
use super::rows::{self, Analysed, Operands, RowArrays};
use super::shape::Shape;
use super::slices::{self, Slices};
use super::{BinCounts, Options, Place, Report, Workflow};
use crate::backend::Scalars;
use crate::csr::{Csr, IndexType};
use crate::error::{Error, Result};
use crate::memory::{ALIGNMENT, Address, Span};
use crate::scalar::ValueType;

/// One product on its way through the protocol. Made by its first step, so that no step can come before it.
#[derive(Debug)]
pub struct Staged {
    shape: Shape,
    estimated: Estimated,
    computed: Option<Computed>,
    /// What the caller allows it to take.
    budget: Option<Arc<Budget>>,
}

#[derive(Debug)]
enum Estimated {
    /// A or B is empty by its declared sizes: there is nothing to look at.
    Empty,
    /// All rows have their room.
    Rows(Box<Rows>),
    /// Their rooms together would not be within the limit.
    Slices(Box<Slices>),
}

#[derive(Debug)]
struct Rows {
    buffer: Address,
    arrays: RowArrays,
    analysed: Analysed,
    bins: BinCounts,
    room: Room,
    /// Entries of C, once they are counted, by workEstimation or by a compute: every size is exact from then on.
    counted: Option<i64>,
    /// Whether rows were listed by sizes that were not exact yet.
    bins_are_old: bool,
    /// Whether the slots, which are counted, are more than C's offsets can count.
    too_many: bool,
}

#[derive(Debug)]
enum Computed {
    Empty,
    /// More entries than C's offsets can count: only counted, for the caller to hear how many (rule R19).
    TooMany(i64),
    Product(Product),
    /// Left to copy, slice by slice.
    Later {
        nnz: i64,
        values: bool,
    },
}

/// What workEstimation is asked for, beside A and B.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The type of the computation.
    pub kind: ValueType,
    /// Entries that C's offsets can count.
    pub most_entries: i64,
    /// Width of C's columns.
    pub columns: IndexType,
    /// What the caller has set.
    pub options: &'a Options,
}

impl Staged {
    /// Bytes of workEstimation's buffer, by the declared sizes and the limit alone.
    pub fn estimation_bytes(operands: &Operands, options: &Options) -> usize {
        let all = RowArrays::carve(Address::NULL, operands.rows() as usize).1;
        options.memory_limit.map_or(all, |limit| all.min(first_buffer(limit).max(slices::least_buffer())))
    }

    /// workEstimation: analyses A and B and gives every row of C its room, all in `buffer`.
    ///
    /// # Errors
    /// [`Error::Limit`] if the caller's limit is too small for a single row.
    pub fn estimate(place: Place<'_>, operands: &Operands, wanted: Wanted<'_>, buffer: Address) -> Result<Self> {
        let shape = Shape::of(operands, wanted.kind);
        if operands.no_product() {
            return Ok(Self { shape, estimated: Estimated::Empty, computed: None, budget: None });
        }
        let Some(limit) = wanted.options.memory_limit else {
            let rows = Rows::estimate(place, operands, wanted, buffer)?;
            return Ok(Self { shape, estimated: Estimated::Rows(rows.into()), computed: None, budget: None });
        };
        let bytes = Self::estimation_bytes(operands, wanted.options);
        let budget = Budget::new(limit, bytes, slices::least_buffer())?;
        let estimated = budget.within(place, |place| {
            if bytes >= RowArrays::carve(Address::NULL, operands.rows() as usize).1 {
                match Rows::within(place, operands, wanted, &budget, buffer) {
                    Err(Error::Limit { .. }) => {}
                    rows => return rows.map(|rows| Estimated::Rows(rows.into())),
                }
            }
            let slices = Slices::count(place, operands, wanted, &budget, (buffer, bytes))?;
            Ok(Estimated::Slices(slices.into()))
        })?;
        Ok(Self { shape, estimated, computed: None, budget: Some(budget) })
    }

    /// workEstimation without a buffer, of a product that is empty by its declared sizes (rule R3).
    pub fn empty(operands: &Operands, kind: ValueType) -> Self {
        Self { shape: Shape::of(operands, kind), estimated: Estimated::Empty, computed: None, budget: None }
    }

    /// Scalar products.
    pub fn products(&self) -> i64 {
        match &self.estimated {
            Estimated::Empty => 0,
            Estimated::Rows(rows) => rows.analysed.analysis.totals.products,
            Estimated::Slices(slices) => slices.products(),
        }
    }

    /// Bytes of compute's buffer; never 0 (rule R2).
    pub fn compute_bytes(&self) -> usize {
        match &self.estimated {
            Estimated::Rows(rows) if !rows.too_many => rows.room.bytes(),
            _ => ALIGNMENT,
        }
    }

    /// Has rows counted that were only estimated, so that compute's buffer is as small as C allows.
    pub fn count_exactly(&mut self, place: Place<'_>, operands: &Operands, wanted: Wanted<'_>) -> Result<()> {
        let Estimated::Rows(rows) = &self.estimated else { return Ok(()) };
        if rows.analysed.plan.workflow != Workflow::Exact {
            let options = Options { workflow: Some(Workflow::Exact), ..*wanted.options };
            *self = Self::estimate(place, operands, Wanted { options: &options, ..wanted }, rows.buffer)?;
        }
        Ok(())
    }

    /// compute: the product into `buffer`, of which the caller says that it has `bytes`; returns nnz(C).
    ///
    /// A product that is known to be empty needs no buffer (rule R3).
    ///
    /// # Errors
    /// [`Error::Buffer`] if the buffer is short: nothing is done, and the call may be repeated. [`Error::Invalid`]
    /// if shapes or types differ from those estimated, [`Error::PatternChanged`] if rows got longer.
    pub fn compute(
        &mut self,
        place: Place<'_>,
        operands: &Operands,
        kind: ValueType,
        buffer: Address,
        bytes: usize,
    ) -> Result<i64> {
        self.shape.check(operands, kind)?;
        let needed = self.compute_bytes();
        if self.products() == 0 {
            self.computed = Some(Computed::Empty);
            return Ok(0);
        }
        if bytes < needed {
            return Err(Error::Buffer { argument: "bufferSize2", needed, got: bytes });
        }
        self.computed = None;
        let estimated = &mut self.estimated;
        let computed = within(self.budget.as_ref(), needed, place, |place| match estimated {
            Estimated::Empty => Ok(Computed::Empty),
            Estimated::Rows(rows) if rows.too_many => Ok(Computed::TooMany(rows.room.slots)),
            Estimated::Rows(rows) => rows.compute(place, operands, buffer).map(Computed::Product),
            Estimated::Slices(slices) if slices.too_many => Ok(Computed::TooMany(slices.nnz)),
            Estimated::Slices(slices) => {
                slices.prepare(place, operands)?;
                Ok(Computed::Later { nnz: slices.nnz, values: operands.have_values() })
            }
        })?;
        Ok(self.computed.insert(computed).nnz())
    }

    /// Entries of C, once computed.
    pub fn nnz(&self) -> Option<i64> {
        self.computed.as_ref().map(Computed::nnz)
    }

    /// Whether A and B had no values when the product was computed: C is a pattern then.
    pub fn is_pattern(&self) -> bool {
        match &self.computed {
            Some(Computed::Product(product)) => !product.has_values(),
            Some(Computed::Later { values, .. }) => !values,
            _ => false,
        }
    }

    /// copy: C = alpha * product + beta * C by position, and C's offsets. A and B are read only if the product is computed
    /// in slices.
    pub fn copy(&mut self, place: Place<'_>, operands: &Operands, c: &Csr, scalars: &Scalars) -> Result<()> {
        let (computed, estimated) = (&self.computed, &mut self.estimated);
        match (computed, estimated) {
            (None, _) => Err(Error::Order { call: "oceanSpGEMM_copy", missing: "oceanSpGEMM_compute with a buffer" }),
            (Some(Computed::Empty), _) => place.on.write_offsets(None, 0, c),
            (Some(Computed::TooMany(nnz)), _) => Err(Error::IndexOverflow { nnz: *nnz }),
            (Some(Computed::Product(product)), _) => product.write(place, c, scalars),
            (Some(Computed::Later { values, .. }), Estimated::Slices(slices)) => {
                if operands.have_values() != *values {
                    return Err(Error::invalid("matA or matB", "has values in only one of compute and copy"));
                }
                let write = |place: Place<'_>| slices.write(place, operands, c, values.then_some(scalars));
                within(self.budget.as_ref(), ALIGNMENT, place, write)
            }
            (Some(Computed::Later { .. }), _) => Err(Error::Internal("slices that are none".into())),
        }
    }

    /// What was found and decided.
    pub fn report(&self) -> Report {
        let report = match &self.estimated {
            Estimated::Empty => return Report::empty(self.shape.rows, self.shape.inner, self.shape.cols),
            Estimated::Rows(rows) => Report::new(&rows.analysed, &rows.bins, rows.room),
            Estimated::Slices(slices) => slices.report(),
        };
        let overflowed = match &self.computed {
            Some(Computed::Product(product)) => Some(product.overflowed),
            Some(Computed::Later { .. }) => Some(0),
            _ => None,
        };
        Report { nnz: self.nnz(), overflowed, ..report }
    }

    /// Whether these are the shapes and the type that were estimated.
    pub fn check(&self, operands: &Operands, kind: ValueType) -> Result<()> {
        self.shape.check(operands, kind)
    }
}

impl Computed {
    fn nnz(&self) -> i64 {
        match self {
            Self::Empty => 0,
            Self::TooMany(nnz) | Self::Later { nnz, .. } => *nnz,
            Self::Product(product) => product.nnz,
        }
    }
}

/// Does `work` within a budget, if there is one, of which buffer 2 takes so many bytes.
fn within<T>(
    budget: Option<&Arc<Budget>>,
    buffer: usize,
    place: Place<'_>,
    work: impl FnOnce(Place<'_>) -> Result<T>,
) -> Result<T> {
    match budget {
        Some(budget) => budget.within_beside(buffer, place, work),
        None => work(place),
    }
}

impl Rows {
    fn estimate(place: Place<'_>, operands: &Operands, wanted: Wanted<'_>, buffer: Address) -> Result<Self> {
        let (arrays, _) = RowArrays::carve(buffer, operands.rows() as usize);
        let analysed = rows::analyse(place, operands, &arrays, wanted.options)?;
        let (slots, bins) = rows::size(place, operands, &arrays, &analysed)?;
        let room = Room::new(slots, &analysed.plan, wanted.kind, operands.rows());
        let exact = analysed.plan.workflow == Workflow::Exact;
        let (counted, too_many) = (exact.then_some(slots), exact && slots > wanted.most_entries);
        Ok(Self { buffer, arrays, analysed, bins, room, counted, bins_are_old: false, too_many })
    }

    /// The same if compute's buffer, and copies of values, will be within the budget.
    fn within(
        place: Place<'_>,
        operands: &Operands,
        wanted: Wanted<'_>,
        budget: &Budget,
        buffer: Address,
    ) -> Result<Self> {
        let rows = Self::estimate(place, operands, wanted, buffer)?;
        let values = slices::copied_values(operands)? + rows.analysed.merged_values()?;
        budget.check(rows.room.bytes().saturating_add(values), "a second copy of the product")?;
        Ok(rows)
    }

    fn compute(&mut self, place: Place<'_>, operands: &Operands, buffer: Address) -> Result<Product> {
        let Self { arrays, analysed, bins, room, counted, bins_are_old, .. } = self;
        if *bins_are_old {
            // Sizes are exact by now, so rows can move to smaller bins, and those that overflowed need larger ones.
            *bins = rows::bin(place.on, &analysed.operands(operands).a, arrays, analysed)?;
            *bins_are_old = false;
        }
        let sizes: (Span<i64>, Span<i32>, &BinCounts) = (arrays.sizes, arrays.order, bins);
        if let Some(nnz) = *counted {
            return Product::compute_exact(place, operands, analysed, sizes, (*room, nnz), buffer);
        }
        let product = Product::compute(place, operands, analysed, sizes, *room, buffer)?;
        // Slots that hold more than the caller's buffer does would have to move: keep the estimated ones.
        if product.nnz <= room.slots + room.reserve {
            place.on.copy(product.offsets().address, arrays.sizes.address, arrays.sizes.len * size_of::<i64>())?;
            (*counted, *bins_are_old) = (Some(product.nnz), true);
        }
        Ok(product)
    }
}
