// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decides how a product is computed. Pure: same analysis, limits and options, same plan.

use serde::Serialize;

use super::{Ablation, Allowed, Analysis, Options, Totals};
use crate::tuning::{
    ESTIMATE_FROM, PAPER, RANK_COMPRESSION, REGISTERS, RESERVE, SMALL_ROW, UPPER_BOUND_BELOW, UPPER_BOUND_COMPRESSION,
};

/// How the rows of C get their room. Ocean (ICS 2026), sec. 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Workflow {
    /// Room for every product.
    UpperBound,
    /// Room for an estimate; rows that outgrow it are counted and redone.
    Estimate,
    /// Rows are counted first.
    Exact,
}

impl Workflow {
    /// Its name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::UpperBound => "upper_bound",
            Self::Estimate => "estimate",
            Self::Exact => "exact",
        }
    }
}

/// What the plan has to keep within.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that may be allocated.
    pub memory_bytes: u64,
    /// Bytes of one entry: column and value.
    pub entry_bytes: usize,
    /// Bytes that slots may take beyond those of C, together with sketches.
    pub extra_bytes: u64,
    /// Bytes of B's sketches.
    pub sketch_bytes: u64,
}

/// What will be done, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// How rows get their room.
    pub workflow: Workflow,
    /// Registers of each sketch.
    pub registers: usize,
    /// What estimates are multiplied by to give rooms.
    pub coefficient: f64,
    /// Compression that symbolic accumulators are sized by.
    pub safe_compression: f64,
    /// Accumulators that may be used.
    pub accumulator: Allowed,
    /// Whether rows are counted in hash tables alone, if they are counted.
    pub tables: bool,
    /// Why, one sentence each.
    pub reasons: Vec<String>,
}

impl Plan {
    /// Chooses by Ocean's table 1, within the limits, unless an option forces it.
    pub fn choose(analysis: &Analysis, limits: Limits, options: &Options) -> Self {
        let registers = registers(analysis.expansion(), options);
        let mut plan = Self {
            workflow: Workflow::Exact,
            registers,
            coefficient: options.coefficient.unwrap_or(REGISTERS.coefficient(registers)),
            safe_compression: analysis.sample.map_or(1.0, |s| s.safe_compression()),
            accumulator: options.accumulator,
            tables: options.ablation.is_some_and(Ablation::is_plain),
            reasons: Vec::new(),
        };
        if let Some(limit) = options.memory_limit {
            plan.reasons.push(limited(limit));
        } else if let Some(forced) = options.workflow {
            plan.workflow = forced;
            plan.reasons.push(format!("workflow {} was asked for", forced.name()));
        } else {
            plan.workflow = match options.ablation {
                Some(level) => plan.by_paper(analysis, level),
                None => plan.by_table(analysis),
            };
            plan.within(analysis, limits);
        }
        if plan.tables
            && plan.workflow == Workflow::Exact
            && !options.ablation.is_some_and(Ablation::trusts_compression)
        {
            plan.safe_compression = 1.0;
        }
        if plan.tables && plan.accumulator == Allowed::Auto {
            plan.accumulator = Allowed::Plain;
        }
        // Where rows are counted, their lengths say more than a sample.
        let sampled = analysis.sample.filter(|_| plan.workflow != Workflow::Exact);
        if plan.accumulator == Allowed::Auto && sampled.is_some_and(|s| s.compression() < RANK_COMPRESSION) {
            plan.accumulator = Allowed::Distinct;
        }
        plan
    }

    /// The plan of a product that is computed a slice at a time, to keep within a limit.
    pub fn in_slices(limit: usize, options: &Options) -> Self {
        Self {
            workflow: Workflow::Exact,
            registers: 0,
            coefficient: 1.0,
            safe_compression: 1.0,
            accumulator: options.accumulator,
            tables: false,
            reasons: vec![limited(limit)],
        }
    }

    /// The plan of a product whose rows were counted by the analysis.
    pub fn of_short_rows(analysis: &Analysis, options: &Options) -> Self {
        let registers = registers(analysis.expansion(), options);
        let (of_a, of_b) = (analysis.a.longest_row, analysis.b.longest_row);
        Self {
            workflow: Workflow::Exact,
            registers,
            coefficient: options.coefficient.unwrap_or(REGISTERS.coefficient(registers)),
            safe_compression: 1.0,
            accumulator: options.accumulator,
            tables: false,
            reasons: vec![format!(
                "exact: rows of at most {of_a} entries of A and {of_b} of B are counted as fast as analysed"
            )],
        }
    }

    fn by_table(&mut self, analysis: &Analysis) -> Workflow {
        let (expansion, compression) = (analysis.expansion(), analysis.compression());
        let per_row = analysis.products_per_row();
        if analysis.counts_few() {
            let Totals { products, counted, .. } = analysis.totals;
            self.reasons.push(format!(
                "exact: {counted} of {products} products have to be counted, since other rows are known to be as long"
            ));
            return Workflow::Exact;
        }
        if analysis.sample.is_none() && !depends_on_sample(analysis, &Options::default()) {
            self.reasons.push(format!(
                "exact: {per_row:.1} products a row are no bound (from {UPPER_BOUND_BELOW} on), and expansion \
                 {expansion:.2} is below {}: sketches would cost more than counting",
                ESTIMATE_FROM.0
            ));
            return Workflow::Exact;
        }
        if analysis.sample.is_none() {
            let (rows, Totals { products, most_products, .. }) = (analysis.rows, analysis.totals);
            let small = per_row < UPPER_BOUND_BELOW && most_products <= SMALL_ROW;
            self.reasons.push(if small {
                format!(
                    "upper bound: {per_row:.1} products a row (below {UPPER_BOUND_BELOW}), {most_products} at most, in \
                     {rows} rows are little"
                )
            } else {
                format!("exact: to sample {rows} rows of {products} products would cost no less than to count them")
            });
            return if small { Workflow::UpperBound } else { Workflow::Exact };
        }
        if per_row < UPPER_BOUND_BELOW && compression < UPPER_BOUND_COMPRESSION {
            self.reasons.push(format!(
                "upper bound: {per_row:.1} products a row (below {UPPER_BOUND_BELOW}), and {compression:.2} products \
                 an entry keep slots within {UPPER_BOUND_COMPRESSION} times the product"
            ));
            return Workflow::UpperBound;
        }
        if per_row < UPPER_BOUND_BELOW {
            self.reasons.push(format!(
                "no upper bound in spite of {per_row:.1} products a row (below {UPPER_BOUND_BELOW}): slots would be \
                 {compression:.2} times the product"
            ));
        }
        let (expansion_from, compression_from) = ESTIMATE_FROM;
        if expansion >= expansion_from && compression >= compression_from {
            self.reasons.push(format!(
                "estimate: expansion {expansion:.1} and sampled compression {compression:.2} reach {expansion_from} \
                 and {compression_from}, so sketches cost less than counting and pay for the compaction"
            ));
            return Workflow::Estimate;
        }
        let short = |what: &str, value: f64, from: f64| format!("{what} {value:.2} is below {from}");
        self.reasons.push(if expansion < expansion_from {
            format!("exact: {}: sketches would cost more than counting", short("expansion", expansion, expansion_from))
        } else {
            format!(
                "exact: {}: compaction would cost more than an estimate saves",
                short("sampled compression", compression, compression_from)
            )
        });
        Workflow::Exact
    }

    /// Ocean's table 1 as it stands there; the first version counts every row.
    fn by_paper(&mut self, analysis: &Analysis, level: Ablation) -> Workflow {
        let (per_row, expansion, compression) =
            (analysis.products_per_row(), analysis.expansion(), analysis.compression());
        let workflow = if !level.chooses_workflow() {
            Workflow::Exact
        } else if per_row < PAPER.upper_bound_below {
            Workflow::UpperBound
        } else if expansion >= PAPER.expansion_from && compression >= PAPER.compression_from {
            Workflow::Estimate
        } else {
            Workflow::Exact
        };
        self.reasons.push(format!(
            "{}: version {} of the paper, {per_row:.1} products a row, expansion {expansion:.2}, sampled compression \
             {compression:.2}",
            workflow.name(),
            level.name()
        ));
        workflow
    }

    /// Falls back to exact sizes where slots would not fit.
    fn within(&mut self, analysis: &Analysis, limits: Limits) {
        let bytes = self.expected_slots(analysis) * limits.entry_bytes as f64;
        if self.workflow != Workflow::Exact && bytes > limits.memory_bytes as f64 {
            self.reasons.push(format!(
                "exact after all: slots of {bytes:.3e} bytes are more than the {} there are",
                limits.memory_bytes
            ));
            self.workflow = Workflow::Exact;
            return;
        }
        let sketches = if self.workflow == Workflow::Estimate { limits.sketch_bytes } else { 0 };
        let of_c = analysis.expected_entries() * limits.entry_bytes as f64;
        let extra = sketches as f64 + (bytes - of_c).max(0.0);
        if self.workflow != Workflow::Exact && extra > limits.extra_bytes as f64 {
            self.reasons.push(format!(
                "exact after all: slots and sketches would take {extra:.3e} bytes more than C, and {} are promised at \
                 most",
                limits.extra_bytes
            ));
            self.workflow = Workflow::Exact;
        }
    }

    /// Entries that the slots will hold, by the sample and its error.
    pub fn expected_slots(&self, analysis: &Analysis) -> f64 {
        let bound = analysis.totals.products as f64;
        match self.workflow {
            Workflow::UpperBound => bound,
            Workflow::Estimate => (bound / self.safe_compression * self.coefficient).min(bound),
            Workflow::Exact => analysis.expected_entries(),
        }
    }

    /// Entries of extra room for rows that outgrow their slots.
    pub fn reserve(&self, slots: i64) -> i64 {
        let (share, least) = RESERVE;
        match self.workflow {
            Workflow::Estimate => ((slots as f64 * share) as i64).max(least),
            Workflow::UpperBound | Workflow::Exact => 0,
        }
    }
}

fn limited(limit: usize) -> String {
    format!("exact: under a memory limit ({limit} bytes) rows are counted, and no room is left unused")
}

/// Whether the compression, which only a sample tells, makes a difference to the workflow.
pub fn depends_on_sample(analysis: &Analysis, options: &Options) -> bool {
    if let Some(level) = options.ablation {
        let estimable = level.chooses_workflow() && analysis.expansion() >= PAPER.expansion_from;
        return analysis.products_per_row() >= PAPER.upper_bound_below && (estimable || level.trusts_compression());
    }
    !analysis.counts_few()
        && (analysis.products_per_row() < UPPER_BOUND_BELOW || analysis.expansion() >= ESTIMATE_FROM.0)
}

/// Registers of each sketch, for the sample too, which comes before the plan.
pub fn registers(expansion: f64, options: &Options) -> usize {
    options.registers.unwrap_or(REGISTERS.of(expansion))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spgemm::{Inspection, Sample};

    const PLENTY: Limits = Limits { memory_bytes: u64::MAX, entry_bytes: 12, extra_bytes: u64::MAX, sketch_bytes: 0 };

    /// 1,000 rows of A with `row` entries, `expansion` products each, `compression` products an entry of C.
    fn analysis(row: i64, expansion: i64, compression: f64) -> Analysis {
        let products = 1_000 * row * expansion;
        let entries = products as f64 / compression;
        Analysis {
            rows: 1_000,
            inner: 1_000,
            cols: 1_000_000,
            a: Inspection { nnz: 1_000 * row, longest_row: row, ..Inspection::default() },
            b: Inspection { nnz: 1_000 * expansion, longest_row: expansion, ..Inspection::default() },
            totals: Totals {
                products,
                most_products: row * expansion,
                longest_row: row,
                counted: products,
                ..Totals::default()
            },
            sample: Some(Sample {
                rows: 1_000,
                registers: 32,
                products,
                entries,
                squares: entries * entries / 1_000.0,
            }),
        }
    }

    fn workflow(analysis: &Analysis) -> Workflow {
        Plan::choose(analysis, PLENTY, &Options::default()).workflow
    }

    #[test]
    fn each_threshold_of_the_papers_table_decides() {
        assert_eq!(workflow(&analysis(9, 7, 1.0)), Workflow::UpperBound);
        assert_eq!(workflow(&analysis(8, 8, 1.0)), Workflow::Exact, "64 products a row are enough to count");
        assert_eq!(workflow(&analysis(9, 7, 2.5)), Workflow::Exact, "slots would be 2.5 times the product");
        assert_eq!(workflow(&analysis(100, 8, 8.01)), Workflow::Estimate);
        assert_eq!(workflow(&analysis(100, 7, 50.0)), Workflow::Exact, "expansion is too low");
        assert_eq!(workflow(&analysis(100, 8, 7.9)), Workflow::Exact, "compression is too low");
    }

    #[test]
    fn where_few_rows_stand_for_many_they_are_counted() {
        let mut alike = analysis(100, 8, 20.0);
        alike.totals.counted = alike.totals.products * 7 / 10;
        assert_eq!(workflow(&alike), Workflow::Exact);
        assert!(!depends_on_sample(&alike, &Options::default()));
        alike.totals.counted += alike.totals.products / 100;
        assert_eq!(workflow(&alike), Workflow::Estimate);
    }

    #[test]
    fn without_a_sample_the_plan_is_what_any_sample_would_give() {
        for (row, expansion) in [(9, 7), (8, 8), (100, 7), (100, 8)] {
            let sampled = |compression| workflow(&analysis(row, expansion, compression));
            let unsampled = Analysis { sample: None, ..analysis(row, expansion, 1.0) };
            let depends = depends_on_sample(&unsampled, &Options::default());
            assert_eq!(depends, sampled(1.0) != sampled(50.0), "{row} entries, expansion {expansion}");
            if !depends {
                assert_eq!(workflow(&unsampled), sampled(1.0));
            }
        }
    }

    #[test]
    fn columns_are_ranked_where_a_sample_shows_that_they_hardly_repeat() {
        let accumulator = |analysis: &Analysis, workflow, accumulator| {
            let options = Options { accumulator, workflow: Some(workflow), ..Options::default() };
            Plan::choose(analysis, PLENTY, &options).accumulator
        };
        let few = analysis(100, 8, 1.19);
        assert_eq!(accumulator(&few, Workflow::UpperBound, Allowed::Auto), Allowed::Distinct);
        assert_eq!(accumulator(&few, Workflow::UpperBound, Allowed::Hash), Allowed::Hash);
        assert_eq!(accumulator(&few, Workflow::Exact, Allowed::Auto), Allowed::Auto, "its rows are counted");
        assert_eq!(accumulator(&analysis(100, 8, 1.21), Workflow::UpperBound, Allowed::Auto), Allowed::Auto);
        let unsampled = Analysis { sample: None, ..few };
        assert_eq!(accumulator(&unsampled, Workflow::UpperBound, Allowed::Auto), Allowed::Auto);
    }

    #[test]
    fn sketches_grow_with_the_expansion_and_coefficients_shrink() {
        let low = Plan::choose(&analysis(100, 47, 10.0), PLENTY, &Options::default());
        let high = Plan::choose(&analysis(100, 48, 10.0), PLENTY, &Options::default());
        assert_eq!((low.registers, low.coefficient), (32, 2.0));
        assert_eq!((high.registers, high.coefficient), (64, 1.5));
    }

    #[test]
    fn a_plan_never_passes_the_memory_limit_and_says_so() {
        let estimate = analysis(100, 8, 10.0);
        let tight = Limits { memory_bytes: 1_000_000, ..PLENTY };
        let plan = Plan::choose(&estimate, tight, &Options::default());
        assert_eq!(plan.workflow, Workflow::Exact);
        assert!(plan.reasons.last().unwrap().contains("1000000"), "{:?}", plan.reasons);
        assert_eq!(
            Plan::choose(&analysis(9, 7, 1.0), Limits { memory_bytes: 9, ..tight }, &Options::default()).workflow,
            Workflow::Exact
        );
    }

    #[test]
    fn slots_and_sketches_keep_within_what_is_promised_beside_c() {
        let workflow = |analysis: &Analysis, extra_bytes, sketch_bytes| {
            let limits = Limits { extra_bytes, sketch_bytes, ..PLENTY };
            Plan::choose(analysis, limits, &Options::default()).workflow
        };
        // 80,000 entries in C, and slots for about twice as many.
        let estimate = analysis(100, 8, 10.0);
        assert_eq!(workflow(&estimate, 1_500_000, 100_000), Workflow::Estimate);
        assert_eq!(workflow(&estimate, 1_500_000, 1_000_000), Workflow::Exact);
        assert_eq!(workflow(&estimate, 900_000, 0), Workflow::Exact);
        let bound = analysis(9, 7, 1.05);
        assert_eq!(workflow(&bound, 50_000, 1_000_000), Workflow::UpperBound, "needs no sketches");
        assert_eq!(workflow(&bound, 20_000, 0), Workflow::Exact);
    }

    #[test]
    fn an_option_forces_the_workflow_whatever_the_table_says() {
        for forced in [Workflow::UpperBound, Workflow::Estimate, Workflow::Exact] {
            let options =
                Options { workflow: Some(forced), registers: Some(16), coefficient: Some(0.5), ..Options::default() };
            let plan = Plan::choose(&analysis(100, 8, 10.0), PLENTY, &options);
            assert_eq!((plan.workflow, plan.registers, plan.coefficient), (forced, 16, 0.5));
        }
    }

    #[test]
    fn each_version_of_the_paper_adds_to_the_one_before() {
        let plan = |analysis: &Analysis, level| {
            let plan = Plan::choose(analysis, PLENTY, &Options { ablation: Some(level), ..Options::default() });
            (plan.workflow, plan.tables, plan.safe_compression > 1.0, plan.accumulator)
        };
        let estimated = analysis(100, 8, 8.01);
        use Workflow::{Estimate, Exact, UpperBound};
        assert_eq!(plan(&estimated, Ablation::V1), (Exact, true, false, Allowed::Plain));
        assert_eq!(plan(&estimated, Ablation::V2), (Estimate, true, true, Allowed::Plain));
        assert_eq!(plan(&estimated, Ablation::V3), (Estimate, true, true, Allowed::Plain));
        assert_eq!(plan(&estimated, Ablation::V4), (Estimate, false, true, Allowed::Auto));
        let counted = analysis(100, 7, 4.0);
        assert_eq!(plan(&counted, Ablation::V2), (Exact, true, false, Allowed::Plain));
        assert_eq!(plan(&counted, Ablation::V3), (Exact, true, true, Allowed::Plain));
        assert_eq!(plan(&analysis(9, 7, 5.0), Ablation::V2).0, UpperBound, "whatever is sampled");
        let mut alike = estimated;
        alike.totals.counted = 1;
        assert_eq!(plan(&alike, Ablation::V4).0, Estimate, "the paper knows no groups");
        let forced = Options { ablation: Some(Ablation::V4), workflow: Some(Exact), ..Options::default() };
        assert_eq!(Plan::choose(&estimated, PLENTY, &forced).workflow, Exact);
    }

    #[test]
    fn the_paper_samples_where_it_makes_a_difference_to_the_version() {
        let depends = |row, expansion, level| {
            let options = Options { ablation: Some(level), ..Options::default() };
            depends_on_sample(&analysis(row, expansion, 1.0), &options)
        };
        for (row, expansion, wanted) in
            [(9, 7, [false; 4]), (100, 8, [false, true, true, true]), (100, 7, [false, false, true, false])]
        {
            assert_eq!(Ablation::ALL.map(|level| depends(row, expansion, level)), wanted, "{row}, {expansion}");
        }
    }

    #[test]
    fn an_empty_product_has_a_plan() {
        let mut empty = analysis(0, 0, 1.0);
        empty.sample = None;
        assert_eq!(workflow(&empty), Workflow::UpperBound);
    }
}
