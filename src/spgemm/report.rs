// SPDX-License-Identifier: MIT OR Apache-2.0
//! A product explained, for people and for programs.

use std::fmt;

use serde::Serialize;

use super::product::Room;
use super::{Accumulator, Analysed, Analysis, Bin, BinCounts, Plan, Sample, Totals};

/// What was found about a product, what was decided, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Rows of A, columns of A, columns of B.
    pub shape: [i64; 3],
    /// Entries of A.
    pub nnz_a: i64,
    /// Entries of B.
    pub nnz_b: i64,
    /// Whether B had unsorted rows or repeats, and was copied.
    pub b_was_sorted: bool,
    /// Scalar products.
    pub products: i64,
    /// Sums over the rows.
    pub totals: Totals,
    /// Products per entry of A.
    pub expansion: f64,
    /// Products per entry of C, as sampled.
    pub compression: f64,
    /// Relative error of the compression at 95 % certainty.
    pub compression_bound: f64,
    /// The sampled rows.
    pub sample: Option<Sample>,
    /// How rows got their room.
    pub workflow: &'static str,
    /// Registers of each sketch.
    pub registers: usize,
    /// What estimates were multiplied by.
    pub coefficient: f64,
    /// Why, one sentence each.
    pub reasons: Vec<String>,
    /// The accumulators and their rows.
    pub bins: Vec<BinReport>,
    /// Entries in slots, and in the reserve behind them.
    pub slots: i64,
    /// Entries of the reserve.
    pub reserve: i64,
    /// Bytes of workEstimation's and compute's buffers.
    pub buffer_bytes: [usize; 2],
    /// Entries of C, once computed.
    pub nnz: Option<i64>,
    /// Rows that outgrew their slots, once computed.
    pub overflowed: Option<usize>,
}

/// One accumulator's share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BinReport {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub accumulator: Accumulator,
    /// Its rows.
    pub rows: usize,
}

impl Report {
    /// Of a product that was analysed.
    pub(super) fn new(analysed: &Analysed, bins: &BinCounts, room: Room) -> Self {
        let Analysed { analysis, plan, sorted, .. } = analysed;
        let of =
            Self::of(analysis, plan, sorted.is_some(), (analysed.bins, bins), [analysed.buffer_bytes, room.bytes()]);
        Self { slots: room.slots, reserve: room.reserve, ..of }
    }

    /// Of one whose rows have no slots.
    pub(super) fn of(
        analysis: &Analysis,
        plan: &Plan,
        b_was_sorted: bool,
        (bins, counts): (&[Bin], &BinCounts),
        buffer_bytes: [usize; 2],
    ) -> Self {
        let bin = |(bin, &rows): (&Bin, &usize)| BinReport { name: bin.name, accumulator: bin.accumulator, rows };
        Self {
            shape: [analysis.rows, analysis.inner, analysis.cols],
            nnz_a: analysis.a.nnz,
            nnz_b: analysis.b.nnz,
            b_was_sorted,
            products: analysis.totals.products,
            totals: analysis.totals,
            expansion: analysis.expansion(),
            compression: analysis.compression(),
            compression_bound: analysis.sample.map_or(0.0, |s| s.bound()),
            sample: analysis.sample,
            workflow: plan.workflow.name(),
            registers: plan.registers,
            coefficient: plan.coefficient,
            reasons: plan.reasons.clone(),
            bins: bins.iter().zip(counts).filter(|(_, rows)| **rows > 0).map(bin).collect(),
            slots: 0,
            reserve: 0,
            buffer_bytes,
            nnz: None,
            overflowed: None,
        }
    }

    /// Of a product that is empty by its declared sizes.
    pub(super) fn empty(rows: i64, inner: i64, cols: i64) -> Self {
        Self {
            shape: [rows, inner, cols],
            nnz_a: 0,
            nnz_b: 0,
            b_was_sorted: false,
            products: 0,
            totals: Totals::default(),
            expansion: 0.0,
            compression: 1.0,
            compression_bound: 0.0,
            sample: None,
            workflow: "exact",
            registers: 0,
            coefficient: 1.0,
            reasons: vec!["empty: a size of A or B is 0, so there is nothing to look at".into()],
            bins: Vec::new(),
            slots: 0,
            reserve: 0,
            buffer_bytes: [0, 0],
            nnz: Some(0),
            overflowed: Some(0),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rows, inner, cols] = self.shape;
        writeln!(f, "product      {rows} x {inner} times {inner} x {cols}")?;
        writeln!(
            f,
            "entries      A {}, B {}{}",
            self.nnz_a,
            self.nnz_b,
            if self.b_was_sorted { " (sorted first)" } else { "" }
        )?;
        writeln!(
            f,
            "products     {} (longest row {}, {} rows empty)",
            self.products, self.totals.most_products, self.totals.empty_rows
        )?;
        writeln!(f, "expansion    {:.2} products per entry of A", self.expansion)?;
        if let Some(sample) = &self.sample {
            let (rows, bound) = (sample.rows, 100.0 * self.compression_bound);
            writeln!(
                f,
                "compression  {:.2} products per entry of C, from {rows} sampled rows, within {bound:.0} %",
                self.compression
            )?;
        }
        writeln!(f, "workflow     {}", self.workflow)?;
        for reason in &self.reasons {
            writeln!(f, "  because    {reason}")?;
        }
        if self.workflow == "estimate" {
            writeln!(f, "sketches     {} registers, estimates times {}", self.registers, self.coefficient)?;
        }
        for bin in &self.bins {
            writeln!(f, "accumulator  {:<12} {} rows", bin.name, bin.rows)?;
        }
        writeln!(f, "room         {} entries in slots, {} in reserve", self.slots, self.reserve)?;
        writeln!(
            f,
            "buffers      {} bytes for workEstimation, {} for compute",
            self.buffer_bytes[0], self.buffer_bytes[1]
        )?;
        if let Some(nnz) = self.nnz {
            writeln!(f, "result       {nnz} entries, {} rows had outgrown their slots", self.overflowed.unwrap_or(0))?;
        }
        Ok(())
    }
}
