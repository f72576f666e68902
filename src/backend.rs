// SPDX-License-Identifier: MIT OR Apache-2.0
//! The primitive steps that a place to compute has to offer. The driver in [`crate::spgemm`] strings them
//! together and holds no arrays of its own; a backend decides nothing that the plan can decide.
//!
//! All addresses are in the backend's own memory. Work is queued on the backend's stream in the order of the
//! calls; a step that returns numbers waits for the device, the others need not.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::csr::Csr;
use crate::error::{Error, Result};
use crate::memory::{Address, Memory, Span};
use crate::scalar::ValueType;
use crate::spgemm::{Alike, Allowed, Bin, BinCounts, Inspection, Most, RowArrays, Sample, Totals};

/// alpha and beta of one call: where they lie, and their type.
#[derive(Clone, Copy, Debug)]
pub struct Scalars {
    /// One value of `kind`.
    pub alpha: Address,
    /// One value of `kind`, or NULL for 0.
    pub beta: Address,
    /// Whether both lie in device memory (pointer mode DEVICE). On the host backend that is host memory too.
    pub on_device: bool,
    /// Their type: that of the computation, or the 16-bit one that is computed in it.
    pub kind: ValueType,
}

impl Scalars {
    /// alpha = 1 and beta = 0, in what `kind` is computed in.
    pub fn one(kind: ValueType) -> Self {
        let kind = kind.computed_in();
        // With a zero behind it, a one is complex as well.
        let alpha = match kind {
            ValueType::F64 | ValueType::C64 => Address::from(ONE_F64.as_ptr()),
            _ => Address::from(ONE_F32.as_ptr()),
        };
        Self { alpha, beta: Address::NULL, on_device: false, kind }
    }
}

static ONE_F32: [f32; 2] = [1.0, 0.0];
static ONE_F64: [f64; 2] = [1.0, 0.0];

/// Where the rows of a product go.
#[derive(Clone, Copy, Debug)]
pub enum Output {
    /// Into slots, columns from 0: row i starts at `starts[i]`, has room for `starts[i + 1] - starts[i]`
    /// entries, and tells its length in `counts[i]`; a longer row says [`OVERFLOWED`] and stays in its room.
    Slots {
        /// The slots.
        slots: Slots,
        /// Length of each row.
        counts: Span<i64>,
    },
    /// Into C itself, each row at its exact place: alpha * product + beta * what stood there.
    Exact {
        /// C; its offsets are not touched, and its columns only if `columns` says so.
        c: Csr,
        /// Whether columns are written; a repeat of the same pattern writes values only.
        columns: bool,
        /// alpha and beta; none writes columns alone and reads no values.
        scalars: Option<Scalars>,
    },
}

/// Room for the rows of a product before they stand where they belong: an array of columns and one of values.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    /// Columns, from 0.
    pub columns: Span<i32>,
    /// As many values, of the type that is computed in; NULL: only columns are wanted, and no values are read.
    pub values: Address,
    /// A second piece, whose positions follow those of the first. No row lies in both.
    pub more: Option<(Span<i32>, Address)>,
}

/// The length of a row that did not fit its slot.
pub const OVERFLOWED: i64 = -1;

/// A row that did not fit, with its exact length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverflowedRow {
    /// Row of C.
    pub row: i32,
    /// Entries it has.
    pub count: i64,
    /// Where it is to start, given by the driver.
    pub start: i64,
}

/// What the lengths of a product's rows came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finished {
    /// They are offsets now, and their total is this.
    Offsets(i64),
    /// These rows have outgrown their slots.
    Overflowed(Vec<OverflowedRow>),
}

/// What is known of all rows of a product.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// None is more.
    pub every: Most,
    /// Those that are as long as others.
    pub alike: Option<Alike>,
    /// Scalar products of all, where their rooms are their exact lengths.
    pub products: Option<i64>,
    /// Rows by the bin that [`Backend::count`] takes them in, if they are listed already: the list, and its bins.
    pub listed: Option<(Span<i32>, BinCounts)>,
    /// Whether they are counted in hash tables, one by one: an ablation switch.
    pub tables: bool,
}

impl Known {
    /// Nothing.
    pub const NOTHING: Self = Self { every: Most::ANY, alike: None, products: None, listed: None, tables: false };
}

/// The first look at a product, and the step that it asks for next, if that was taken in the same go.
#[derive(Clone, Copy, Debug)]
pub struct Survey {
    /// A's and B's patterns.
    pub inspections: [Inspection; 2],
    /// Of [`Backend::count_short`].
    pub short_rows: Option<ShortRows>,
    /// Of [`Backend::row_products`].
    pub products: Option<RowProducts>,
}

/// What [`Backend::row_products`] tells.
#[derive(Clone, Copy, Debug)]
pub struct RowProducts {
    /// Sums over all rows; all are to be counted.
    pub totals: Totals,
    /// Rows in each bin of [`Backend::count`], if they were listed.
    pub listed: Option<BinCounts>,
}

/// Rows of C whose lengths are estimated before there is a plan.
#[derive(Clone, Copy, Debug)]
pub struct Sampled<'a> {
    /// The rows.
    pub rows: &'a [i32],
    /// None of them has more products.
    pub most_products: i64,
    /// Registers of each sketch.
    pub registers: usize,
}

/// A look for rows of C that are as long as others.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// What to look for, and where to write it.
    pub alike: Alike,
    /// What [`Backend::row_products`] has written.
    pub arrays: &'a RowArrays,
    /// What was found is of use for counting only if rows that stand for others have no more products than this.
    pub most_counted: i64,
    /// Rows to sample if it is of no such use.
    pub sampled: Option<Sampled<'a>>,
}

/// What a look found.
#[derive(Clone, Copy, Debug)]
pub struct Looked {
    /// Products of the rows that stand for all others.
    pub counted: i64,
    /// As of [`RowProducts`]; of rows that are alike, only those that stand for others are listed where that is of use,
    /// or where they are neighbours.
    pub listed: Option<BinCounts>,
    /// The sample, if one was asked for and taken.
    pub sample: Option<Sample>,
}

/// What is known of short rows once they are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShortRows {
    /// Scalar products.
    pub products: i64,
    /// Rows of C without any.
    pub empty_rows: i64,
    /// Entries of C.
    pub entries: i64,
}

/// A sorted copy of one matrix or several in which every row ascends strictly: repeats share one entry.
#[derive(Clone, Copy, Debug)]
pub struct SortedRows {
    /// Start of each row; 64-bit, from 0.
    pub offsets: Span<i64>,
    /// Columns, from 0; room for every stored entry.
    pub columns: Span<i32>,
    /// Where the stored entries of each merged entry begin in `sources`; one more than there are entries.
    pub runs: Span<i64>,
    /// The stored entries in their new order; those of a second matrix are counted on from those of the first.
    pub sources: Span<i64>,
}

/// A transposed copy of a pattern.
#[derive(Clone, Copy, Debug)]
pub struct TransposedRows {
    /// Start of each row; 64-bit, from 0.
    pub offsets: Span<i64>,
    /// Columns, from 0; they ascend, but for repeats.
    pub columns: Span<i32>,
    /// Which stored entry each one is; equal ones in their order.
    pub sources: Span<i64>,
}

/// The bins that have rows, each with its part of `order`.
pub fn each_bin<'a>(
    bins: &'a [Bin],
    counts: &'a BinCounts,
    order: Span<i32>,
) -> impl Iterator<Item = (&'a Bin, Span<i32>)> {
    let ends = counts.iter().scan(0, |end, &rows| {
        *end += rows;
        Some(*end - rows..*end)
    });
    bins.iter().zip(ends).filter(|(_, rows)| !rows.is_empty()).map(move |(bin, rows)| (bin, order.part(rows)))
}

/// A stretch of a backend's work, timed in the order of its stream.
pub trait Lap: Send + Sync + std::fmt::Debug {
    /// Ends it here.
    fn stop(&mut self) -> Result<()>;

    /// How long it took. Waits until it is done.
    fn milliseconds(&self) -> Result<f64>;
}

/// A lap of work that is done when the call returns.
#[derive(Debug)]
pub struct HostLap {
    start: Instant,
    taken: Duration,
}

impl HostLap {
    /// Starts now.
    pub fn start() -> Self {
        Self { start: Instant::now(), taken: Duration::ZERO }
    }
}

impl Lap for HostLap {
    fn stop(&mut self) -> Result<()> {
        self.taken = self.start.elapsed();
        Ok(())
    }

    fn milliseconds(&self) -> Result<f64> {
        Ok(1e3 * self.taken.as_secs_f64())
    }
}

/// A place to compute.
pub trait Backend: Send + Sync {
    /// Its name in messages: "host" or "CUDA".
    fn name(&self) -> &'static str;

    /// Bytes that could be allocated now.
    fn available_bytes(&self) -> Result<u64>;

    /// Starts to time what is queued from here on.
    fn start_lap(&self) -> Result<Box<dyn Lap>>;

    /// Reads a matrix's pattern once: its true nnz, whether all columns lie in range and ascend strictly.
    /// Waits for the device.
    ///
    /// # Errors
    /// [`Error::BadMatrix`] names the first fault under the name `matrix`.
    fn inspect(&self, matrix: &Csr, name: &'static str) -> Result<Inspection>;

    /// The same for A and B of one product, and perhaps the step after it: [`Self::count_short`] only if rows
    /// `may_be_short`, else [`Self::row_products`], whose arrays these are. Waits for the device once.
    fn survey(&self, a: &Csr, b: &Csr, _arrays: &RowArrays, _may_be_short: bool) -> Result<Survey> {
        let of_a = self.inspect(a, "matA")?;
        let of_b = if a.same_pattern(b) { of_a } else { self.inspect(b, "matB")? };
        Ok(Survey { inspections: [of_a, of_b], short_rows: None, products: None })
    }

    /// Whether it can find rows of C that are as long as others.
    fn finds_alike(&self) -> bool {
        false
    }

    /// Finds for each row of C one that is as long, which stands for itself. Only where [`Self::finds_alike`] says so.
    /// Waits for the device.
    fn alike(&self, _a: &Csr, _b: &Csr, _look: &Look<'_>) -> Result<Looked> {
        Err(Error::Internal("a backend that finds no rows alike was asked for them".into()))
    }

    /// Products of each row of A * B in place of its size, and how many columns each row of C spans at most, if the rows of
    /// B ascend; perhaps also the order of the rows by the bin that counts them. Waits for the device.
    fn row_products(&self, a: &Csr, b: &Csr, arrays: &RowArrays) -> Result<RowProducts>;

    /// Products of fewer scalar products are counted as fast as sampled.
    fn least_sampled(&self) -> i64 {
        0
    }

    /// Estimates the lengths of some rows of C by HyperLogLog. Waits for the device.
    fn sample(&self, a: &Csr, b: &Csr, sampled: &Sampled<'_>) -> Result<Sample>;

    /// Sketches every row of B of at least [`crate::tuning::SKETCHED_ROW`] entries; the row that starts at stored
    /// entry e owns the `registers` bytes from `e / SKETCHED_ROW * registers`.
    fn sketch(&self, b: &Csr, registers: usize, sketches: Span<u8>) -> Result<()>;

    /// Replaces each row's products in `sizes` by its estimated length times `coefficient`, never more than the products.
    fn estimate(
        &self,
        a: &Csr,
        b: &Csr,
        sketches: Span<u8>,
        registers: usize,
        coefficient: f64,
        sizes: Span<i64>,
    ) -> Result<()>;

    /// Whether rows of C are so short, where no row of A has more than `of_a` entries and no row of B more than `of_b`,
    /// that [`Self::count_short`] is all the analysis they need.
    fn are_short(&self, of_a: i64, of_b: i64) -> bool;

    /// Offsets of the rows of C in `sizes[0..=rows]`, counted without a look at their products before, and sums over
    /// all rows. Waits for the device.
    fn count_short(&self, a: &Csr, b: &Csr, sizes: Span<i64>) -> Result<ShortRows>;

    /// Replaces each row's products in `sizes` by its exact length; `compression` (products per entry, at least
    /// 1) is a guess that sizes the accumulators, and costs a second try where it is too high.
    fn count(
        &self,
        a: &Csr,
        b: &Csr,
        known: &Known,
        compression: f64,
        spans: Span<i32>,
        sizes: Span<i64>,
    ) -> Result<()>;

    /// Lowers each of `sizes`, but for the one past the last row, to at most `most`.
    fn cap(&self, sizes: Span<i64>, most: i64) -> Result<()>;

    /// Its accumulators.
    fn bins(&self) -> &'static [Bin];

    /// Lists the rows of each of [`Self::bins`] one after another in `order`, ascending; the result says how many each
    /// has. `offsets` give the rows of C their room. Where one bin holds every row, they may all be its; of rows that are
    /// computed together, only the first is listed. Waits for the device.
    fn bin(
        &self,
        a: &Csr,
        known: &Known,
        offsets: Span<i64>,
        spans: Span<i32>,
        allowed: Allowed,
        order: Span<i32>,
    ) -> Result<BinCounts>;

    /// [`Self::scan`] and [`Self::bin`] in one go. Waits for the device.
    fn scan_and_bin(
        &self,
        a: &Csr,
        known: &Known,
        sizes: Span<i64>,
        spans: Span<i32>,
        allowed: Allowed,
        order: Span<i32>,
    ) -> Result<(i64, BinCounts)> {
        let room = self.scan(sizes)?;
        Ok((room, self.bin(a, known, sizes, spans, allowed, order)?))
    }

    /// Turns `lengths` into offsets as [`Self::scan`] does; if some rows are marked [`OVERFLOWED`], counts those and
    /// leaves all as they are. Waits for the device.
    fn finish_lengths(&self, a: &Csr, b: &Csr, lengths: Span<i64>) -> Result<Finished> {
        let rows = self.overflowed(a, b, lengths)?;
        Ok(if rows.is_empty() { Finished::Offsets(self.scan(lengths)?) } else { Finished::Overflowed(rows) })
    }

    /// Turns the lengths in `sizes[0..n]` into offsets `sizes[0..=n]`, and returns their total. Waits for the device.
    fn scan(&self, sizes: Span<i64>) -> Result<i64>;

    /// Computes the rows in the list with the accumulator of the bin, and those listed under one of them. `starts` has
    /// one more entry than C has rows. All values have a type that is computed in.
    ///
    /// # Errors
    /// [`Error::PatternChanged`] for exact output, if a row has not the length that `starts` says, where that is
    /// known without waiting. No row is written beyond its room in any case.
    fn accumulate(
        &self,
        a: &Csr,
        b: &Csr,
        known: &Known,
        listed: (&Bin, Span<i32>),
        starts: Span<i64>,
        output: &Output,
    ) -> Result<()>;

    /// The same for all bins, whose rows lie one after another in `order`.
    fn accumulate_all(
        &self,
        a: &Csr,
        b: &Csr,
        known: &Known,
        (order, bins): (Span<i32>, &BinCounts),
        starts: Span<i64>,
        output: &Output,
    ) -> Result<()> {
        each_bin(self.bins(), bins, order).try_for_each(|listed| self.accumulate(a, b, known, listed, starts, output))
    }

    /// Rows marked [`OVERFLOWED`] in `counts`, each counted exactly. Waits for the device.
    fn overflowed(&self, a: &Csr, b: &Csr, counts: Span<i64>) -> Result<Vec<OverflowedRow>>;

    /// Computes single rows at the starts that the driver gave them, and sets their `starts` and `counts`.
    fn redo(
        &self,
        a: &Csr,
        b: &Csr,
        rows: &[OverflowedRow],
        starts: Span<i64>,
        slots: &Slots,
        counts: Span<i64>,
    ) -> Result<()>;

    /// Moves rows out of slots into C at `offsets`: C = alpha * slot + beta * C, rounded to C's type. Writes C's columns
    /// and, if the slots have any, values.
    fn compact(&self, starts: Span<i64>, slots: &Slots, offsets: Span<i64>, c: &Csr, scalars: &Scalars) -> Result<()>;

    /// C's values = alpha * `from` + beta * C's values for the first `count` entries of C, rounded to C's type.
    fn round(&self, from: Address, count: usize, c: &Csr, scalars: &Scalars) -> Result<()>;

    /// Writes C's offsets in C's own width and base; with no `offsets`, those of rows without an entry. The rows of `c` may
    /// be some of a larger matrix: so many entries come `before` them.
    fn write_offsets(&self, offsets: Option<Span<i64>>, before: i64, c: &Csr) -> Result<()>;

    /// Writes the offsets of rows of a larger matrix, which come after `before` entries, as those of a matrix of their own,
    /// in the same width and base.
    fn offsets_alone(&self, rows: &Csr, before: i64, to: Address) -> Result<()>;

    /// The same backend with another allocator for its scratch.
    fn taking_from(&self, memory: &Arc<dyn Memory>) -> Arc<dyn Backend>;

    /// Copies `from` to `to`, which do not overlap.
    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<()>;

    /// A number for each row of a pattern, the same for the same columns in the same order.
    fn fingerprint(&self, matrix: &Csr, rows: Span<u64>) -> Result<()>;

    /// The first place where two spans of one length differ. Waits for the device.
    fn first_difference(&self, one: Span<u64>, other: Span<u64>) -> Result<Option<usize>>;

    /// Sorts and merges the rows of matrices of one shape, each row of the first before that of the next; returns the
    /// entries left. Waits for the device.
    fn sort_rows(&self, matrices: &[Csr], sorted: &SortedRows) -> Result<i64>;

    /// Transposes the pattern of a matrix that was inspected; the arrays have room for its true nnz.
    fn transpose(&self, matrix: &Csr, to: &TransposedRows) -> Result<()>;

    /// Writes the values at `sources`, or their conjugates, one after another. `kind` is one that is computed in.
    fn gather(&self, kind: ValueType, sources: Span<i64>, conjugate: bool, from: Address, to: Address) -> Result<()>;

    /// Writes the 64-bit columns of a matrix as 32-bit ones, as far as its offsets reach, but at most its nnz. What 32 bits
    /// cannot hold becomes the nearest number that they can, which is no column of a matrix.
    fn narrow_columns(&self, matrix: &Csr, to: Span<i32>) -> Result<()>;

    /// Writes 32-bit columns as 64-bit ones.
    fn widen_columns(&self, from: Span<i32>, to: Address) -> Result<()>;

    /// Writes `count` values of one type as those of another, which can hold them: what 16-bit ones are computed in, or the
    /// complex type of that.
    fn widen(&self, kinds: [ValueType; 2], count: usize, from: Address, to: Address) -> Result<()>;

    /// Sums values into the merged entries of `sorted`, repeats in stored order. At `stored` are those of all matrices, one
    /// after another; `kind` is one that is computed in.
    fn sort_values(&self, kind: ValueType, stored: Address, sorted: &SortedRows, values: Address) -> Result<()>;
}
