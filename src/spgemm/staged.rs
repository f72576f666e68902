// SPDX-License-Identifier: MIT OR Apache-2.0
//! cuSPARSE's protocol: workEstimation, compute, copy, each with the caller's buffer. R1 to R23 are the rules
//! that call sites of cuSPARSE rely on.

use super::product::{Product, Room};
use super::rows::{self, Analysed, Operands, RowArrays};
use super::shape::Shape;
use super::{BinCounts, Options, Place, Report, Workflow};
use crate::backend::Scalars;
use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::memory::{ALIGNMENT, Address, Span};
use crate::scalar::ValueType;

/// One product on its way through the protocol. Made by its first step, so that no step can come before it.
#[derive(Debug)]
pub struct Staged {
    shape: Shape,
    /// None if A or B is empty by its declared sizes: there is nothing to look at.
    estimated: Option<Estimated>,
    computed: Option<Computed>,
}

#[derive(Debug)]
struct Estimated {
    arrays: RowArrays,
    analysed: Analysed,
    bins: BinCounts,
    room: Room,
    /// Entries of C, once a compute has counted them: the next compute of this pattern knows every size.
    counted: Option<i64>,
    /// Whether the slots, which are counted, are more than C's offsets can count.
    too_many: bool,
}

#[derive(Debug)]
enum Computed {
    Empty,
    /// More entries than C's offsets can count: only counted, for the caller to hear how many (rule R19).
    TooMany(i64),
    Product(Product),
}

impl Staged {
    /// Bytes of workEstimation's buffer, by the declared sizes alone.
    pub fn estimation_bytes(operands: &Operands) -> usize {
        RowArrays::carve(Address::NULL, operands).1
    }

    /// workEstimation: analyses A and B and gives every row of C its room, all in `buffer`. C's offsets can count
    /// `most_entries`.
    pub fn estimate(
        place: Place<'_>,
        operands: &Operands,
        kind: ValueType,
        most_entries: i64,
        options: &Options,
        buffer: Address,
    ) -> Result<Self> {
        let shape = Shape::of(operands, kind);
        if operands.no_product() {
            return Ok(Self { shape, estimated: None, computed: None });
        }
        let (arrays, _) = RowArrays::carve(buffer, operands);
        let analysed = rows::analyse(place, operands, &arrays, options)?;
        let (slots, bins) = rows::size(place, operands, &arrays, &analysed)?;
        let room = Room::new(slots, &analysed.plan, kind, operands.rows());
        let exact = analysed.plan.workflow == Workflow::Exact;
        let estimated =
            Estimated { arrays, analysed, bins, room, counted: None, too_many: exact && slots > most_entries };
        Ok(Self { shape, estimated: Some(estimated), computed: None })
    }

    /// workEstimation without a buffer, of a product that is empty by its declared sizes (rule R3).
    pub fn empty(operands: &Operands, kind: ValueType) -> Self {
        Self { shape: Shape::of(operands, kind), estimated: None, computed: None }
    }

    /// Scalar products.
    pub fn products(&self) -> i64 {
        self.estimated.as_ref().map_or(0, |e| e.analysed.analysis.totals.products)
    }

    /// Bytes of compute's buffer; never 0 (rule R2).
    pub fn compute_bytes(&self) -> usize {
        match &self.estimated {
            Some(estimated) if !estimated.too_many => estimated.room.bytes(),
            _ => ALIGNMENT,
        }
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
        let Some(estimated) = self.estimated.as_mut().filter(|e| e.analysed.analysis.totals.products > 0) else {
            self.computed = Some(Computed::Empty);
            return Ok(0);
        };
        if bytes < needed {
            return Err(Error::Buffer { argument: "bufferSize2", needed, got: bytes });
        }
        if estimated.too_many {
            self.computed = Some(Computed::TooMany(estimated.room.slots));
            return Ok(estimated.room.slots);
        }
        self.computed = None;
        let product = estimated.compute(place, operands, buffer)?;
        let nnz = product.nnz;
        self.computed = Some(Computed::Product(product));
        Ok(nnz)
    }

    /// Entries of C, once computed.
    pub fn nnz(&self) -> Option<i64> {
        self.computed.as_ref().map(|computed| match computed {
            Computed::Empty => 0,
            Computed::TooMany(nnz) => *nnz,
            Computed::Product(product) => product.nnz,
        })
    }

    /// Whether A and B had no values when the product was computed: C is a pattern then.
    pub fn is_pattern(&self) -> bool {
        matches!(&self.computed, Some(Computed::Product(product)) if !product.has_values())
    }

    /// copy: C = alpha * product + beta * C by position, and C's offsets. Neither A nor B is read.
    pub fn copy(&self, place: Place<'_>, c: &Csr, scalars: &Scalars) -> Result<()> {
        match &self.computed {
            None => Err(Error::Order { call: "oceanSpGEMM_copy", missing: "oceanSpGEMM_compute with a buffer" }),
            Some(Computed::Empty) => place.on.write_offsets(None, c),
            Some(Computed::TooMany(nnz)) => Err(Error::IndexOverflow { nnz: *nnz }),
            Some(Computed::Product(product)) => product.write(place, c, scalars),
        }
    }

    /// What was found and decided.
    pub fn report(&self) -> Report {
        match &self.estimated {
            None => Report::empty(self.shape.rows, self.shape.inner, self.shape.cols),
            Some(e) => Report {
                nnz: self.nnz(),
                overflowed: match &self.computed {
                    Some(Computed::Product(product)) => Some(product.overflowed),
                    _ => None,
                },
                ..Report::new(&e.analysed, &e.bins, e.room)
            },
        }
    }

    /// Whether these are the shapes and the type that were estimated.
    pub fn check(&self, operands: &Operands, kind: ValueType) -> Result<()> {
        self.shape.check(operands, kind)
    }
}

impl Estimated {
    fn compute(&mut self, place: Place<'_>, operands: &Operands, buffer: Address) -> Result<Product> {
        let Self { arrays, analysed, bins, room, counted, .. } = self;
        if counted.is_some() {
            // Sizes are exact by now, so rows can move to smaller bins, and those that overflowed need larger ones.
            *bins = rows::bin(place.on, &analysed.operands(operands).a, arrays, analysed)?;
        }
        let sizes: (Span<i64>, Span<i32>, &BinCounts) = (arrays.sizes, arrays.order, bins);
        let product = Product::compute(place, operands, analysed, sizes, *room, buffer)?;
        match *counted {
            Some(nnz) if product.nnz != nnz || product.overflowed > 0 => {
                return Err(Error::invalid(
                    "matA or matB",
                    format!(
                        "changed its pattern: {} entries now, {nnz} before; call workEstimation again",
                        product.nnz
                    ),
                ));
            }
            Some(_) => {}
            // Slots that hold more than the caller's buffer does would have to move: keep the estimated ones.
            None if product.nnz <= room.slots + room.reserve => {
                place.on.copy(product.offsets().address, arrays.sizes.address, arrays.sizes.len * size_of::<i64>())?;
                *counted = Some(product.nnz);
            }
            None => {}
        }
        Ok(product)
    }
}
