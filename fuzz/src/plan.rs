// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plans of arbitrary analyses: the same twice, finite, within the memory limit, and a bin for every row.

use ocean::spgemm::{Allowed, Analysis, Inspection, Limits, Most, Options, Plan, Sample, Totals, Workflow, home};
use ocean::tuning::{CUDA_BINS, CUDA_COUNT_BINS, HOST_BINS};

use super::input::Input;

/// Bytes become an analysis, limits, options and a row.
pub fn run(bytes: &[u8]) {
    let input = &mut Input::new(bytes);
    let (analysis, limits, options) = (analysis(input), limits(input), options(input));
    for plan in [Plan::choose(&analysis, limits, &options), Plan::of_short_rows(&analysis, &options)] {
        assert!([16, 32, 64, 128].contains(&plan.registers), "{plan:?}");
        assert!(plan.coefficient.is_finite() && plan.coefficient > 0.0, "{plan:?}");
        assert!(plan.safe_compression.is_finite() && plan.safe_compression >= 1.0, "{plan:?} {analysis:?}");
        assert!(!plan.reasons.is_empty());
        let slots = plan.expected_slots(&analysis);
        assert!(slots.is_finite() && slots >= 0.0, "{slots} slots: {plan:?} {analysis:?}");
        if options.workflow.is_none() && plan.workflow != Workflow::Exact {
            assert!(slots * limits.entry_bytes as f64 <= limits.memory_bytes as f64, "{plan:?}");
        }
        assert!(plan.reserve(slots as i64) >= 0, "{plan:?}");
    }
    let chosen = Plan::choose(&analysis, limits, &options);
    assert!(options.workflow.is_none_or(|forced| chosen.workflow == forced), "{chosen:?}");
    assert_eq!(chosen, Plan::choose(&analysis, limits, &options));

    let row = Most { entries: input.size(), size: input.size(), span: input.size() };
    for bins in [&HOST_BINS[..], &CUDA_BINS, &CUDA_COUNT_BINS] {
        for allowed in [Allowed::Auto, Allowed::Distinct, Allowed::Hash, Allowed::Dense] {
            let bin = bins[home(bins, row, allowed)];
            assert!(bin.most.holds(row), "{row:?} in {}", bin.name);
        }
    }
}

fn analysis(input: &mut Input<'_>) -> Analysis {
    let (rows, inner, cols) = (input.size(), input.size(), input.size());
    let [a, b] = [(); 2].map(|()| inspection(input));
    let products = input.size();
    // A part of all products, whichever it is.
    let part = |input: &mut Input<'_>| input.size().min(products);
    let totals = Totals {
        products,
        most_products: part(input),
        longest_row: a.longest_row,
        empty_rows: input.size().min(rows),
        counted: part(input),
        widest: input.size().min(cols),
    };
    let sample = input.flag().then(|| {
        let sampled = part(input);
        // Sketches err either way, by much more than their bound at worst.
        let entries = sampled as f64 * input.below(256) as f64 / 128.0;
        let rows = 1 + input.below(256);
        // Between balanced rows and all in one.
        let skew = 1.0 + (rows - 1) as f64 * input.below(256) as f64 / 255.0;
        let squares = entries * entries / rows as f64 * skew;
        Sample { rows, registers: input.of(&[16, 32, 64, 128]), products: sampled, entries, squares }
    });
    Analysis { rows, inner, cols, a, b, totals, sample }
}

fn inspection(input: &mut Input<'_>) -> Inspection {
    let nnz = input.size();
    let part = |input: &mut Input<'_>| input.size().min(nnz);
    Inspection {
        nnz,
        longest_row: part(input),
        first_unordered: input.flag().then_some(0),
        repeats: part(input),
        shifts: part(input),
    }
}

fn limits(input: &mut Input<'_>) -> Limits {
    Limits {
        memory_bytes: input.size() as u64,
        entry_bytes: input.of(&[4, 6, 8, 12, 20]),
        extra_bytes: input.size() as u64,
        sketch_bytes: input.size() as u64,
    }
}

fn options(input: &mut Input<'_>) -> Options {
    let mut options = Options::default();
    for (name, values) in OPTIONS {
        options.set(name, input.of(values)).expect("a value that it takes");
    }
    options
}

/// Every option with values that it takes, the default first.
pub const OPTIONS: [(&str, &[&str]); 6] = [
    ("workflow", &["auto", "upper_bound", "estimate", "exact"]),
    ("registers", &["auto", "16", "32", "64", "128"]),
    ("coefficient", &["auto", "0.01", "0.3", "1", "1e300", "1e-300"]),
    ("accumulator", &["auto", "hash", "dense"]),
    ("check", &["off", "full"]),
    ("ablation", &["auto", "v1", "v2", "v3", "v4"]),
];
