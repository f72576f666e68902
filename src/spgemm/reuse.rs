// SPDX-License-Identifier: MIT OR Apache-2.0
//! cuSPARSE's reuse protocol: one pattern, any number of values. What compute needs later is counted once by nnz
//! and kept in buffer 4; buffers 2, 3 and 5 stay unused.

use super::product::accumulate_into;
use super::rows::{self, Analysed, Operands, RowArrays};
use super::shape::Shape;
use super::{Alike, BinCounts, Options, Place, Report, Workflow};
use crate::backend::{Known, Scalars};
use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::memory::{Address, Allocation, Carver, Span};
use crate::spgemm::product::Room;

/// One pattern on its way through the protocol.
#[derive(Debug)]
pub struct Reuse {
    shape: Shape,
    /// None if A or B is empty by its declared sizes.
    estimated: Option<(RowArrays, Analysed)>,
    /// Whether a count has begun, which overwrites the products of rows in buffer 1.
    count_began: bool,
    counted: Option<Counted>,
    copied: bool,
}

#[derive(Debug)]
struct Counted {
    nnz: i64,
    kept: Option<(Kept, BinCounts)>,
    /// 16-bit values of C before they are rounded.
    sums: Option<Allocation>,
}

/// What buffer 4 keeps from nnz to the last compute.
#[derive(Clone, Copy, Debug)]
struct Kept {
    offsets: Span<i64>,
    order: Span<i32>,
    /// Of rows that are alike: buffer 1, where they were found, ends with nnz.
    heads: Span<i32>,
}

impl Kept {
    fn carve(buffer: Address, rows: usize, alike: bool) -> (Self, usize) {
        let mut carver = Carver::new(buffer);
        let (offsets, order) = (carver.take(rows + 1), carver.take(rows));
        (Self { offsets, order, heads: carver.take(if alike { rows } else { 0 }) }, carver.bytes())
    }

    /// What is known of all rows.
    fn known(&self, analysed: &Analysed) -> Known {
        let alike = analysed.alike.map(|alike| Alike { heads: self.heads, ..alike });
        Known { alike, ..analysed.known() }
    }
}

impl Reuse {
    /// Bytes of workEstimation's buffer, by the declared sizes alone.
    pub fn estimation_bytes(operands: &Operands) -> usize {
        RowArrays::carve(Address::NULL, operands.rows() as usize).1
    }

    /// workEstimation: analyses A and B in `buffer`. Sizes are always counted: the pattern is to be used again.
    pub fn estimate(place: Place<'_>, operands: &Operands, options: &Options, buffer: Address) -> Result<Self> {
        let options = Options { workflow: Some(Workflow::Exact), memory_limit: None, ..*options };
        let shape = Shape::of(operands, operands.computed_in()?);
        if operands.no_product() {
            return Ok(Self { shape, estimated: None, count_began: false, counted: None, copied: false });
        }
        let (arrays, _) = RowArrays::carve(buffer, operands.rows() as usize);
        let analysed = rows::analyse(place, operands, &arrays, &options)?;
        Ok(Self { shape, estimated: Some((arrays, analysed)), count_began: false, counted: None, copied: false })
    }

    /// Scalar products.
    pub fn products(&self) -> i64 {
        self.estimated.as_ref().map_or(0, |(_, analysed)| analysed.analysis.totals.products)
    }

    /// Bytes of buffer 4.
    pub fn kept_bytes(&self) -> usize {
        let alike = self.estimated.as_ref().is_some_and(|(_, analysed)| analysed.alike.is_some());
        Kept::carve(Address::NULL, self.shape.rows as usize, alike).1
    }

    /// nnz: counts the rows of C and keeps the counts in `buffer`; returns nnz(C).
    pub fn count(&mut self, place: Place<'_>, operands: &Operands, buffer: Address) -> Result<i64> {
        self.check(place, operands)?;
        (self.counted, self.copied) = (None, false);
        let counted = match &mut self.estimated {
            Some((arrays, analysed)) if analysed.analysis.totals.products > 0 => {
                // A second count, also one after a failure, starts from the products again.
                if std::mem::replace(&mut self.count_began, true) {
                    let Operands { a, b, .. } = analysed.operands(operands);
                    let b = analysed.b(&b);
                    place.on.row_products(&a, &b, arrays)?;
                    analysed.listed = None;
                }
                let (nnz, bins) = rows::size(place, operands, arrays, analysed)?;
                let (kept, _) = Kept::carve(buffer, arrays.order.len, analysed.alike.is_some());
                place.on.copy(arrays.sizes.address, kept.offsets.address, arrays.sizes.len * size_of::<i64>())?;
                place.on.copy(arrays.order.address, kept.order.address, arrays.order.len * size_of::<i32>())?;
                if let Some(alike) = analysed.alike {
                    place.on.copy(alike.heads.address, kept.heads.address, alike.heads.len * size_of::<i32>())?;
                }
                Counted { nnz, kept: Some((kept, bins)), sums: None }
            }
            _ => Counted { nnz: 0, kept: None, sums: None },
        };
        Ok(self.counted.insert(counted).nnz)
    }

    /// Entries of C, once counted.
    pub fn nnz(&self) -> Option<i64> {
        self.counted.as_ref().map(|c| c.nnz)
    }

    /// copy: writes C's offsets and columns.
    pub fn copy(&mut self, place: Place<'_>, operands: &Operands, c: &Csr) -> Result<()> {
        self.check(place, operands)?;
        let missing = Error::Order { call: "oceanSpGEMMreuse_copy", missing: "oceanSpGEMMreuse_nnz with buffers" };
        let counted = self.counted.as_ref().ok_or(missing)?;
        match (&self.estimated, &counted.kept) {
            (Some((_, analysed)), Some((kept, bins))) => {
                let Operands { a, b, .. } = analysed.operands(operands);
                let factors = (&a, &analysed.b(&b), &kept.known(analysed));
                let rows = (kept.offsets, kept.order, bins);
                accumulate_into(place, factors, rows, (c, counted.nnz, true), None, &mut None)?;
                place.on.write_offsets(Some(kept.offsets), 0, c)?;
            }
            _ => place.on.write_offsets(None, 0, c)?,
        }
        self.copied = true;
        Ok(())
    }

    /// compute: C's values = alpha * A * B + beta * values, for whatever values A and B have now; nothing if they have
    /// none.
    pub fn compute(&mut self, place: Place<'_>, operands: &Operands, c: &Csr, scalars: Scalars) -> Result<()> {
        self.check(place, operands)?;
        if !self.copied {
            return Err(Error::Order { call: "oceanSpGEMMreuse_compute", missing: "oceanSpGEMMreuse_copy" });
        }
        if !operands.have_values() {
            return Ok(());
        }
        let Self { estimated: Some((_, analysed)), counted: Some(counted), .. } = self else { return Ok(()) };
        let Counted { nnz, kept: Some((kept, bins)), sums } = counted else { return Ok(()) };
        let Operands { a, b, .. } = analysed.read_values(place, operands)?;
        let (factors, rows) = ((&a, &b, &kept.known(analysed)), (kept.offsets, kept.order, &*bins));
        accumulate_into(place, factors, rows, (c, *nnz, false), Some(&scalars), sums)
    }

    /// What was found and decided.
    pub fn report(&self) -> Report {
        match &self.estimated {
            None => Report::empty(self.shape.rows, self.shape.inner, self.shape.cols),
            Some((_, analysed)) => {
                let bins = self.counted.as_ref().and_then(|c| c.kept.as_ref()).map_or_else(Default::default, |k| k.1);
                let room = Room { slots: self.nnz().unwrap_or(0), reserve: 0, value_bytes: 0, rows: self.shape.rows };
                Report { nnz: self.nnz(), ..Report::new(analysed, &bins, room) }
            }
        }
    }

    fn check(&self, place: Place<'_>, operands: &Operands) -> Result<()> {
        self.shape.check(operands, operands.computed_in()?)?;
        self.estimated.as_ref().map_or(Ok(()), |(_, analysed)| analysed.check_unchanged(place, operands))
    }
}
