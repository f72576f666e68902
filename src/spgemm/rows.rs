// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first two stages of every product: analysis and row sizes. They end with an offset and a bin for each row.

use super::analysis::rows_to_sample;
use super::fingerprints::Fingerprints;
use super::merged::Merged;
use super::patterns::Patterns;
use super::widened::Widened;
use super::{
    Ablation, Alike, Allowed, Analysis, Bin, BinCounts, Inspection, Likeness, Limits, Most, Operation, Options, Place,
    Plan, Totals, Workflow, plan,
};
use crate::backend::{Backend, Known, Look, RowProducts, Sampled, ShortRows};
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::{Address, Allocation, Carver, Span};
use crate::scalar::ValueType;
use crate::tuning::{ALIKE, ALWAYS_FITS, EXTRA, SAMPLE, SAMPLED_ROWS, SKETCHED_ROW, SampleSize};

/// A and B of one product, and what it does to them first.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    /// Left factor as stored.
    pub a: Csr,
    /// Right factor as stored.
    pub b: Csr,
    /// opA and opB.
    pub operations: [Operation; 2],
}

impl Operands {
    /// A * B.
    pub fn plain(a: Csr, b: Csr) -> Self {
        Self { a, b, operations: [Operation::None; 2] }
    }

    /// Rows and columns of op(A).
    pub fn left_shape(&self) -> (i64, i64) {
        self.operations[0].shape((self.a.rows, self.a.cols))
    }

    /// Rows and columns of op(B).
    pub fn right_shape(&self) -> (i64, i64) {
        self.operations[1].shape((self.b.rows, self.b.cols))
    }

    /// Rows of C.
    pub fn rows(&self) -> i64 {
        self.left_shape().0
    }

    /// Columns of C.
    pub fn cols(&self) -> i64 {
        self.right_shape().1
    }

    /// Whether C can have no entry, by the declared sizes alone.
    pub fn no_product(&self) -> bool {
        let (rows, inner) = self.left_shape();
        rows == 0 || inner == 0 || self.cols() == 0 || self.a.nnz == 0 || self.b.nnz == 0
    }

    /// The type that they are computed in: a complex one if either has such values.
    pub fn computed_in(&self) -> Result<ValueType> {
        let [of_a, of_b] = [self.a.computed_in()?, self.b.computed_in()?];
        Ok(if of_b.is_complex() { of_b } else { of_a })
    }

    /// Whether there are values to multiply; else the product has structure only.
    pub fn have_values(&self) -> bool {
        !self.a.values.is_null() && !self.b.values.is_null()
    }
}

/// The arrays of these stages, in one buffer.
#[derive(Clone, Copy, Debug)]
pub struct RowArrays {
    /// Per row: products, then room; at last, with one more, the offsets of the rooms.
    pub sizes: Span<i64>,
    /// Per row: how many columns it spans at most.
    pub spans: Span<i32>,
    /// The rows, bin after bin.
    pub order: Span<i32>,
    /// Per row: one that is as long, which stands for itself; where the backend finds such rows.
    pub heads: Span<i32>,
}

impl RowArrays {
    /// Cuts the arrays for so many rows out of `buffer`; over NULL, the carver tells the bytes needed.
    pub fn carve(buffer: Address, rows: usize) -> (Self, usize) {
        let mut carver = Carver::new(buffer);
        (Self::take(&mut carver, rows), carver.bytes())
    }

    /// The same out of what `carver` has left.
    pub fn take(carver: &mut Carver, rows: usize) -> Self {
        let (sizes, spans, order, heads) =
            (carver.take(rows + 1), carver.take(rows), carver.take(rows), carver.take(rows));
        Self { sizes, spans, order, heads }
    }
}

/// The row that starts at entry e owns sketch e / SKETCHED_ROW; none starts past the last entry.
fn sketch_bytes(operands: &Operands, registers: usize) -> usize {
    (operands.b.nnz as usize / SKETCHED_ROW + 1) * registers
}

/// What the analysis leaves.
#[derive(Debug)]
pub struct Analysed {
    /// What is true of A and B.
    pub analysis: Analysis,
    /// What to do.
    pub plan: Plan,
    /// B with its rows sorted, where they were not.
    pub sorted: Option<Merged>,
    /// A and B as they are computed with.
    patterns: Patterns,
    /// 16-bit values of A and B as they are computed with.
    widened: Widened,
    /// Bytes of the buffer that the stages use.
    pub buffer_bytes: usize,
    /// The backend's bins.
    pub bins: &'static [Bin],
    /// Rows that are as long as others.
    pub alike: Option<Alike>,
    /// Rows in each bin of those that count, while the order is theirs.
    pub listed: Option<BinCounts>,
    /// Entries of C, if the analysis has counted them: the row sizes are offsets then.
    pub entries: Option<i64>,
    /// In checking mode, what A and B looked like.
    pub fingerprints: Option<Fingerprints>,
}

impl Analysed {
    fn new(
        place: Place<'_>,
        operands: &Operands,
        patterns: Patterns,
        (analysis, plan): (Analysis, Plan),
        options: &Options,
    ) -> Result<Self> {
        let (_, buffer_bytes) = RowArrays::carve(Address::NULL, operands.rows() as usize);
        let fingerprints = options.check.then(|| Fingerprints::take(place, &patterns.stored(operands))).transpose()?;
        let bins = place.on.bins();
        let (sorted, widened) = (None, Widened::default());
        let (alike, listed, entries) = (None, None, None);
        Ok(Self { analysis, plan, sorted, patterns, widened, buffer_bytes, bins, alike, listed, entries, fingerprints })
    }

    /// op(A) and op(B), with columns of 32 bits.
    pub fn operands(&self, operands: &Operands) -> Operands {
        self.patterns.operands(operands)
    }

    /// B as the accumulators read it.
    pub fn b(&self, stored: &Csr) -> Csr {
        self.sorted.as_ref().map_or(*stored, Merged::csr)
    }

    /// Bytes of a sorted B's values, which are read only when the product is computed.
    pub fn merged_values(&self) -> Result<usize> {
        let of = |sorted: &Merged| Ok(sorted.csr().nnz as usize * sorted.csr().computed_in()?.bytes());
        self.sorted.as_ref().map_or(Ok(0), of)
    }

    /// A and B as the accumulators read them, with the values that they have now, if any.
    pub fn read_values(&mut self, place: Place<'_>, operands: &Operands) -> Result<Operands> {
        if !operands.have_values() {
            let Operands { a, b, .. } = self.operands(operands);
            return Ok(Operands::plain(a, self.b(&b)));
        }
        let nnz = [self.analysis.a.nnz, self.analysis.b.nnz];
        let mut operands = self.patterns.read_values(place, operands, &mut self.widened, nnz)?;
        if let Some(sorted) = &mut self.sorted {
            sorted.read_values(place, operands.b.values)?;
            operands.b = sorted.csr();
        }
        Ok(operands)
    }

    /// What is known of all rows.
    pub fn known(&self) -> Known {
        let Totals { longest_row, most_products, widest, products, .. } = self.analysis.totals;
        let every = Most { entries: longest_row, size: most_products, span: widest };
        let products = (self.plan.workflow == Workflow::Exact).then_some(products);
        Known { every, alike: self.alike, products, listed: None, tables: self.plan.tables }
    }

    /// In checking mode, whether A and B still have the patterns that were analysed.
    ///
    /// # Errors
    /// [`crate::Error::BadMatrix`] names the first row that has changed.
    pub fn check_unchanged(&self, place: Place<'_>, operands: &Operands) -> Result<()> {
        let Some(then) = &self.fingerprints else { return Ok(()) };
        then.compare(place, &self.patterns.stored_now(place, operands)?)
    }
}

/// Reads A and B once, samples C, and makes the plan.
pub fn analyse(place: Place<'_>, operands: &Operands, arrays: &RowArrays, options: &Options) -> Result<Analysed> {
    let patterns = Patterns::new(place, operands, options.check)?;
    let (stored, operands) = (operands, &patterns.operands(operands));
    let Operands { a, b, .. } = operands;
    let on = place.on;
    let short_allowed = may_be_short(options);
    let survey = on.survey(a, b, arrays, short_allowed)?;
    let facts = survey.inspections;
    let [a_facts, b_facts] = facts;
    if options.check {
        a_facts.matches(a, "matA")?;
        b_facts.matches(b, "matB")?;
    }
    if short_allowed && b_facts.ascending() && on.are_short(a_facts.longest_row, b_facts.longest_row) {
        let counted = survey.short_rows.map_or_else(|| on.count_short(a, b, arrays.sizes), Ok)?;
        return analyse_short(place, (stored, patterns), counted, facts, options);
    }
    let mut products = survey.products.map_or_else(|| on.row_products(a, b, arrays), Ok)?;
    let (mut sorted, mut merged) = (None, 0);
    if !b_facts.ascending() {
        // Scalar products are counted as stored, room and spans by the merged rows.
        let as_stored = products.totals;
        let copy = Merged::new(place, &[*b], operands.computed_in()?, "a sorted copy of matB's pattern")?;
        products = on.row_products(a, &copy.csr(), arrays)?;
        merged = as_stored.products - products.totals.products;
        let Totals { products: all, counted, .. } = as_stored;
        products.totals = Totals { products: all, counted, ..products.totals };
        sorted = Some(copy);
    }
    let RowProducts { totals, mut listed } = products;
    let mut analysis =
        Analysis { rows: a.rows, inner: a.cols, cols: b.cols, a: a_facts, b: b_facts, totals, sample: None };
    let rows = sampled_rows(on, &analysis, options);
    let registers = plan::registers(analysis.expansion(), options);
    let sampled = (!rows.is_empty()).then_some(Sampled { rows: &rows, most_products: totals.most_products, registers });
    let read_b = sorted.as_ref().map_or(*b, Merged::csr);
    let groups = on.finds_alike() && !options.ablation.is_some_and(Ablation::is_plain);
    let promised = if groups { Likeness::promised(&a_facts, a.rows, &b_facts, b.rows) } else { None };
    // The paper samples in any case.
    let (by_the_way, sampled) =
        if promised.is_some() && options.ablation.is_none() { (sampled, None) } else { (None, sampled) };
    let mut alike = promised.map(|likeness| Alike::new(likeness, arrays.heads, &a_facts, a.rows));
    if let Some(found) = alike {
        let most_counted = ALIKE.most_counted(totals.products) - merged;
        let looked = on.alike(a, &read_b, &Look { alike: found, arrays, most_counted, sampled: by_the_way })?;
        analysis.totals.counted = looked.counted + merged;
        (analysis.sample, listed) = (looked.sample, looked.listed);
        // Rows that are alike but are counted one by one, since they save too little, may still be computed together.
        alike = alike.filter(|alike| analysis.counts_few() || alike.are_neighbours());
    }
    if let Some(sampled) = sampled {
        analysis.sample = Some(on.sample(a, &read_b, &sampled)?);
    }
    let entry_bytes = size_of::<i32>() + operands.computed_in()?.bytes();
    let most = (totals.products as u64).saturating_mul(entry_bytes as u64);
    let memory_bytes = if most <= ALWAYS_FITS { ALWAYS_FITS } else { on.available_bytes()? };
    let (_, row_bytes) = RowArrays::carve(Address::NULL, a.rows as usize);
    let limits = Limits {
        memory_bytes,
        entry_bytes,
        extra_bytes: match options.ablation {
            Some(_) => u64::MAX, // the paper promises nothing
            None => EXTRA.of(a.rows as u64).saturating_sub(row_bytes as u64),
        },
        sketch_bytes: sketch_bytes(operands, plan::registers(analysis.expansion(), options)) as u64,
    };
    let plan = Plan::choose(&analysis, limits, options);
    tracing::debug!(backend = on.name(), workflow = plan.workflow.name(), products = totals.products, "planned");
    Analysed::new(place, stored, patterns, (analysis, plan), options).map(|analysed| Analysed {
        sorted,
        alike,
        listed,
        ..analysed
    })
}

/// Rows that are sampled before there is a plan, unless so many are alike that their compression does not matter.
fn sampled_rows(on: &dyn Backend, analysis: &Analysis, options: &Options) -> Vec<i32> {
    let Analysis { rows, totals: Totals { products, .. }, .. } = *analysis;
    // The paper samples products of any size.
    let large = options.ablation.is_some() || products >= on.least_sampled() && rows >= SAMPLED_ROWS;
    if products == 0 || !large || !plan::depends_on_sample(analysis, options) {
        return Vec::new();
    }
    let size = SampleSize { share: options.sampling.unwrap_or(SAMPLE.share), ..SAMPLE };
    rows_to_sample(rows as usize, size.of(rows as usize, analysis.products_per_row()))
}

/// Whether rows of C that are short are counted without any analysis of their own.
fn may_be_short(options: &Options) -> bool {
    let free = matches!(options.workflow, None | Some(Workflow::Exact)) && options.accumulator == Allowed::Auto;
    free && options.ablation.is_none()
}

/// What there is to say of short rows, which were counted at once.
fn analyse_short(
    place: Place<'_>,
    (stored, patterns): (&Operands, Patterns),
    counted: ShortRows,
    [a, b]: [Inspection; 2],
    options: &Options,
) -> Result<Analysed> {
    let operands = patterns.operands(stored);
    let totals = Totals {
        products: counted.products,
        most_products: a.longest_row * b.longest_row,
        longest_row: a.longest_row,
        empty_rows: counted.empty_rows,
        counted: counted.products,
        widest: operands.b.cols,
    };
    let Operands { a: Csr { rows, cols: inner, .. }, b: Csr { cols, .. }, .. } = operands;
    let analysis = Analysis { rows, inner, cols, a, b, totals, sample: None };
    let plan = Plan::of_short_rows(&analysis, options);
    let analysed = Analysed::new(place, stored, patterns, (analysis, plan), options)?;
    Ok(Analysed { entries: Some(counted.entries), ..analysed })
}

/// Gives every row its room and its bin. Leaves offsets in `sizes` and the rows by bin in `order`; returns all
/// room together, in entries, and the rows of each bin.
pub fn size(
    place: Place<'_>,
    operands: &Operands,
    arrays: &RowArrays,
    analysed: &Analysed,
) -> Result<(i64, BinCounts)> {
    let (on, operands) = (place.on, &analysed.operands(operands));
    let (a, b, plan) = (&operands.a, &analysed.b(&operands.b), &analysed.plan);
    if let Some(entries) = analysed.entries {
        return Ok((entries, bin(on, a, arrays, analysed)?));
    }
    match plan.workflow {
        _ if analysed.analysis.totals.products == 0 => {}
        Workflow::UpperBound => on.cap(arrays.sizes, b.cols)?,
        Workflow::Estimate => {
            on.cap(arrays.sizes, b.cols)?;
            let bytes = sketch_bytes(operands, plan.registers);
            let room = Allocation::new(place.memory, bytes, "sketches of B's rows")?;
            let sketches = Span::new(room.address(), bytes);
            on.sketch(b, plan.registers, sketches)?;
            on.estimate(a, b, sketches, plan.registers, plan.coefficient, arrays.sizes)?;
        }
        Workflow::Exact => {
            let listed = analysed.listed.map(|counts| (arrays.order, counts));
            let known = Known { listed, ..analysed.known() };
            on.count(a, b, &known, plan.safe_compression, arrays.spans, arrays.sizes)?;
        }
    }
    let (room, counts) =
        on.scan_and_bin(a, &analysed.known(), arrays.sizes, arrays.spans, plan.accumulator, arrays.order)?;
    check_bins(analysed, arrays, &counts);
    Ok((room, counts))
}

/// Lists the rows bin after bin, by the room that the offsets in `sizes` give them.
pub fn bin(on: &dyn Backend, a: &Csr, arrays: &RowArrays, analysed: &Analysed) -> Result<BinCounts> {
    let counts = on.bin(a, &analysed.known(), arrays.sizes, arrays.spans, analysed.plan.accumulator, arrays.order)?;
    check_bins(analysed, arrays, &counts);
    Ok(counts)
}

fn check_bins(analysed: &Analysed, arrays: &RowArrays, counts: &BinCounts) {
    debug_assert!(
        analysed.alike.is_some() || counts.iter().sum::<usize>() == arrays.order.len,
        "every row has one home"
    );
}
