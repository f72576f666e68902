// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every workflow, accumulator, form of the call and number of threads gives the bits of the reference.

mod support;

use ocean::csr::OwnedCsr;
use ocean::reference;
use ocean::scalar::{Complex, Stored, ValueType, bf16, f16};
use ocean::tuning::{CUDA_BINS, SUM_BLOCK};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use support::matrices::{Random, banded, diagonal, distinct, from_rows, full, messy, random, skewed};
use support::{Handle, Operand, Options, Product, assert_same, cases, for_types};

const WORKFLOWS: [&str; 3] = ["upper_bound", "estimate", "exact"];

/// Estimates that are right on average overflow often at this coefficient, for any accumulator.
const OVERFLOWING: Options<'_> = &[("workflow", "estimate"), ("registers", "16"), ("coefficient", "0.5")];

fn pairs<V: Stored>() -> Vec<(&'static str, OwnedCsr<V>, OwnedCsr<V>)> {
    let square = |name, a: OwnedCsr<V>| (name, a.clone(), a);
    vec![
        square("banded", banded(700, 9, 1)),
        square("skewed", skewed(9, 6_000, 2)),
        ("random, rectangular", random(150, 400, 20, 3), random(400, 3_000, 30, 4)),
        ("messy", messy(120, 90, 12, 5), messy(90, 80, 15, 6)),
        ("full", full(40, 50, 7), full(50, 60, 8)),
        ("diagonal times random", diagonal(300, 9), random(300, 300, 7, 10)),
        ("wide and sparse", random(20, 500, 40, 11), random(500, (1 << 22) + 100, 50, 12)),
        ("one long row", from_rows(5_000, [(0..5_000).collect()], &mut Random(13)), random(5_000, 9_000, 3, 14)),
        (
            "at most one product a row",
            from_rows(20, (0..40).map(|row| (row % 9..20).collect()), &mut Random(23)),
            from_rows(30, (0..20).map(|row| if row == 8 { vec![29] } else { vec![] }), &mut Random(24)),
        ),
        ("no rows", random(0, 12, 1, 15), random(12, 5, 2, 16)),
        ("no columns", random(10, 10, 3, 17), random(10, 0, 1, 18)),
        ("no inner dimension", random(10, 0, 1, 19), random(0, 7, 1, 20)),
        (
            "nothing meets",
            from_rows(2, [vec![0], vec![0]], &mut Random(21)),
            from_rows(3, [vec![], vec![0, 2]], &mut Random(22)),
        ),
    ]
}

fn every_way<V: Stored>(handle: &Handle, accumulators: &[&str]) {
    for (name, a, b) in pairs::<V>() {
        let want = reference::multiply(&a, &b);
        let products: usize = a.columns.iter().map(|&k| b.row(k as usize).len()).sum();
        let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
        for workflow in WORKFLOWS {
            for &accumulator in accumulators {
                if name == "wide and sparse" && (accumulator == "dense" || handle.on_device() && accumulator == "hash")
                {
                    continue; // a gigabyte of accumulators, or as many slices
                }
                let options = [("workflow", workflow), ("accumulator", accumulator)];
                let mut product = Product::new(handle, &a, &b, 0, &options);
                product.work_estimation();
                assert_eq!(product.products(), products as i64, "{name}");
                product.compute();
                product.copy(V::nearest(1.0, 0.0));
                assert_same(&product.result(), &want, &format!("{name}, {workflow}, {accumulator}"));
                product.compute();
                product.copy(V::nearest(1.0, 0.0));
                assert_same(&product.result(), &want, &format!("{name}, {workflow}, {accumulator}, again"));
            }
        }
        assert_same(&Product::new(handle, &a, &b, 0, OVERFLOWING).staged(), &want, &format!("{name}, overflowing"));
        assert_same(&Product::new(handle, &a, &b, 0, &[]).reuse(), &want, &format!("{name}, reuse"));
        assert_same(&Product::new(handle, &a, &b, 0, &[]).one_call(), &want, &format!("{name}, one call"));
    }
}

#[test]
fn every_workflow_gives_the_reference_bits_in_f64() {
    for handle in Handle::all("every_workflow_gives_the_reference_bits_in_f64") {
        every_way::<f64>(&handle, &["auto", "hash", "dense"]);
    }
}

#[test]
fn every_workflow_gives_the_reference_bits_in_f32() {
    for handle in Handle::all("every_workflow_gives_the_reference_bits_in_f32") {
        every_way::<f32>(&handle, if handle.hurried() { &["auto"] } else { &["auto", "hash", "dense"] });
    }
}

#[test]
fn every_workflow_gives_the_reference_bits_in_complex_numbers() {
    for handle in Handle::all("every_workflow_gives_the_reference_bits_in_complex_numbers") {
        every_way::<Complex<f64>>(&handle, if handle.hurried() { &["auto"] } else { &["auto", "hash"] });
        every_way::<Complex<f32>>(&handle, &["auto"]);
    }
}

#[test]
fn every_workflow_gives_the_reference_bits_in_16_bits() {
    for handle in Handle::all("every_workflow_gives_the_reference_bits_in_16_bits") {
        for_types!([f16, Complex<bf16>], V => every_way::<V>(&handle, &["auto"]));
        if !handle.hurried() {
            for_types!([bf16, Complex<f16>], V => every_way::<V>(&handle, &["auto"]));
        }
    }
}

/// Whatever is left out, alone and with each workflow forced.
#[test]
fn every_version_of_the_paper_gives_the_reference_bits() {
    for handle in Handle::all("every_version_of_the_paper_gives_the_reference_bits") {
        every_version::<f64>(&handle);
        if !handle.hurried() {
            every_version::<Complex<f32>>(&handle);
        }
    }
}

fn every_version<V: Stored>(handle: &Handle) {
    let many = ("long rows that compress unevenly", uneven(90), uneven_rows(91));
    for (name, a, b) in pairs::<V>().into_iter().chain([many]) {
        if name == "wide and sparse" && handle.on_device() {
            continue; // as many slices as rows have columns
        }
        let want = reference::multiply(&a, &b);
        let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
        for level in ["v1", "v2", "v3", "v4"] {
            for workflow in ["auto", "exact", "estimate"] {
                if workflow == "estimate" && handle.hurried() {
                    continue;
                }
                let options = [("ablation", level), ("workflow", workflow), ("sampling", "0.05")];
                let got = Product::new(handle, &a, &b, 0, &options).staged();
                assert_same(&got, &want, &format!("{name}, {level}, {workflow}"));
            }
        }
        assert_same(&Product::new(handle, &a, &b, 0, &[("ablation", "v3")]).reuse(), &want, &format!("{name}, reuse"));
    }
}

/// Rows of 40 entries: most name rows of B that are alike, so that their products come together; some name others.
fn uneven<V: Stored>(seed: u64) -> OwnedCsr<V> {
    let rows = (0..240).map(|row| if row % 40 == 7 { (40..80).collect() } else { (0..40).collect() });
    from_rows(80, rows, &mut Random(seed))
}

/// 40 rows with the same 60 columns, and 40 with others each.
fn uneven_rows<V: Stored>(seed: u64) -> OwnedCsr<V> {
    let rows = (0..80).map(|row| (0..60).map(|i| if row < 40 { 3 * i } else { 200 + 60 * row + i }).collect());
    from_rows(5_100, rows, &mut Random(seed))
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let a = skewed::<f64>(10, 20_000, 30);
    let want = reference::multiply(&a, &a);
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let handle = &Handle::host();
            let operand = Operand::new(&a, 0);
            for workflow in WORKFLOWS {
                let got = Product::new(handle, &operand, &operand, 0, &[("workflow", workflow)]).staged();
                assert_same(&got, &want, &format!("{threads} threads, {workflow}"));
            }
        });
    }
}

#[test]
fn overflowed_rows_are_counted_and_redone_whatever_their_accumulator() {
    Handle::all("overflowed_rows_are_counted_and_redone_whatever_their_accumulator").iter().for_each(overflow);
}

fn overflow(handle: &Handle) {
    let a = skewed::<f64>(10, 30_000, 31);
    let want = reference::multiply(&a, &a);
    let operand = Operand::new(&a, 0);
    // Half of each estimate overflows the reserve as well; a hundredth overflows it by far.
    for coefficient in ["0.5", "0.01"] {
        for accumulator in ["auto", "hash", "dense"] {
            let options = [
                ("workflow", "estimate"),
                ("registers", "16"),
                ("coefficient", coefficient),
                ("accumulator", accumulator),
            ];
            let mut product = Product::new(handle, &operand, &operand, 0, &options);
            product.work_estimation();
            for round in ["first", "again"] {
                product.compute();
                if round == "first" {
                    let overflowed = product.plan()["overflowed"].as_u64().unwrap();
                    assert!(overflowed > 100, "{overflowed} rows overflowed at {coefficient}: the test shows nothing");
                }
                product.copy(1.0);
                assert_same(&product.result(), &want, &format!("{coefficient} {accumulator} {round}"));
            }
        }
    }
}

/// A row that fills its accumulator to the edge, one less, and one more.
#[test]
fn rows_at_every_bin_edge_are_right() {
    for handle in Handle::all("rows_at_every_bin_edge_are_right") {
        at_every_edge::<f64>(&handle, &WORKFLOWS);
        at_every_edge::<Complex<f64>>(&handle, if handle.hurried() { &["exact"] } else { &WORKFLOWS });
    }
}

fn at_every_edge<V: Stored>(handle: &Handle, workflows: &[&str]) {
    for bin in CUDA_BINS.iter().filter(|bin| bin.most.size.min(bin.most.span) < 100_000) {
        let edge = bin.most.size.min(bin.most.span);
        for (length, spread) in [edge - 1, edge, edge + 1].into_iter().flat_map(|length| [(length, 1), (length, 2_000)])
        {
            // Rows of B make the row of C: its first half, all of it, and, where few do not suffice, bits of it.
            let length = length as usize;
            let columns: Vec<i32> = (0..length).map(|i| (i * spread) as i32).collect();
            let bits = (0..8).map(|i| columns[i * length / 9..(i + 2) * length / 9].to_vec());
            let mut rows = vec![columns[..length / 2].to_vec(), columns.clone()];
            rows.extend(bits);
            let many = (0..rows.len() as i32).rev().collect();
            let b = from_rows::<V>(length * spread, rows, &mut Random(40));
            let of_a = [vec![0, 1], vec![1], vec![0], many, (2..10).collect()];
            let a = from_rows::<V>(10, of_a, &mut Random(41));
            let want = reference::multiply(&a, &b);
            let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
            for &workflow in workflows {
                let got = Product::new(handle, &a, &b, 0, &[("workflow", workflow)]).staged();
                assert_same(&got, &want, &format!("{}, {length} entries, spread {spread}, {workflow}", bin.name));
            }
        }
    }
}

#[test]
fn rows_longer_than_a_block_of_sums_restart_their_chain() {
    for handle in Handle::all("rows_longer_than_a_block_of_sums_restart_their_chain") {
        for_types!([f32, f16, Complex<f32>, Complex<f64>], V => beyond_a_block::<V>(&handle));
    }
}

fn beyond_a_block<V: Stored>(handle: &Handle) {
    let length = 2 * SUM_BLOCK + 5;
    let mut random = Random(50);
    let a = from_rows::<V>(
        length,
        [distinct(length, length, &mut random), distinct(SUM_BLOCK, length, &mut random)],
        &mut random,
    );
    // Every column of C gets thousands of terms, so that a chain that does not restart shows in f32.
    let b = support::matrices::random::<V>(length, 64, 20, 51);
    let want = reference::multiply(&a, &b);
    let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
    for accumulator in ["hash", "dense"] {
        for workflow in WORKFLOWS {
            let options = [("workflow", workflow), ("accumulator", accumulator)];
            let got = Product::new(handle, &a, &b, 0, &options).staged();
            assert_same(&got, &want, &format!("{workflow}, {accumulator}"));
        }
    }
}

/// Repeats in B are merged before rows are counted, which spares no row.
#[test]
fn repeats_in_b_are_not_taken_for_rows_that_are_alike() {
    for handle in Handle::all("repeats_in_b_are_not_taken_for_rows_that_are_alike") {
        let rows = (0..200).map(|row| (0..12).map(|i| (row + i / 4) % 200).collect());
        let b = from_rows::<f64>(200, rows, &mut Random(80));
        let (a, b) = (Operand::new(&random(300, 200, 4, 81), 0), Operand::new(&b, 0));
        let mut product = Product::new(&handle, &a, &b, 0, &[]);
        product.work_estimation();
        let totals = &product.plan()["totals"];
        assert_eq!(totals["counted"], totals["products"]);
    }
}

#[test]
fn the_plan_tells_what_was_forced_and_what_came_of_it() {
    let handle = &Handle::host();
    let a = Operand::new(&banded::<f64>(500, 20, 60), 0);
    let mut product = Product::new(handle, &a, &a, 0, &[("workflow", "estimate"), ("registers", "128")]);
    product.work_estimation();
    let plan = product.plan();
    assert_eq!(plan["workflow"], "estimate");
    assert_eq!(plan["registers"], 128);
    assert!(plan["nnz"].is_null());
    assert!(plan["reasons"][0].as_str().unwrap().contains("asked for"));
    let rows: u64 = plan["bins"].as_array().unwrap().iter().map(|bin| bin["rows"].as_u64().unwrap()).sum();
    assert_eq!(rows, 500, "every row is in one bin");
    product.compute();
    assert!(product.plan()["nnz"].as_u64().unwrap() > 0);
}

/// A random product and how it is asked for.
#[derive(Clone, Debug)]
struct Case {
    kind: ValueType,
    shape: (usize, usize, usize),
    means: (usize, usize),
    seed: u64,
    tidy: (bool, bool),
    bases: (i32, i32, i32),
    options: [(&'static str, &'static str); 3],
}

fn case() -> impl Strategy<Value = Case> {
    let shape = (0usize..60, 0usize..60, 0usize..200);
    let options = (0usize..3, prop::sample::select(vec!["auto", "0.3", "1"]), registers());
    let kind = prop::sample::select(ValueType::ALL.to_vec());
    let bases = (0i32..2, 0i32..2, 0i32..2);
    (kind, shape, (0usize..20, 0usize..40), any::<u64>(), any::<(bool, bool)>(), bases, options).prop_map(
        |(kind, shape, means, seed, tidy, bases, (workflow, coefficient, registers))| {
            let options = [("workflow", WORKFLOWS[workflow]), ("coefficient", coefficient), ("registers", registers)];
            Case { kind, shape, means, seed, tidy, bases, options }
        },
    )
}

fn registers() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["auto", "16", "32", "64", "128"])
}

fn has_the_reference_bits<V: Stored>(handle: &Handle, case: &Case) {
    let Case { kind: _, shape: (rows, inner, cols), means, seed, tidy, bases, options } = case;
    let make = |tidy: bool| if tidy { random::<V> } else { messy::<V> };
    let a = make(tidy.0)(*rows, *inner, means.0, *seed);
    let b = make(tidy.1)(*inner, *cols, means.1, seed ^ 1);
    let want = reference::multiply(&a, &b);
    let (a, b) = (Operand::new(&a, bases.0), Operand::new(&b, bases.1));
    assert_same(&Product::new(handle, &a, &b, bases.2, options).staged(), &want, "staged");
    assert_same(&Product::new(handle, &a, &b, bases.2, options).reuse(), &want, "reuse");
    assert_same(&Product::new(handle, &a, &b, bases.2, options).one_call(), &want, "one call");
}

#[test]
fn random_products_have_the_reference_bits() {
    for handle in Handle::all("random_products_have_the_reference_bits") {
        // An emulated GPU is slow.
        let cases = cases(if handle.on_device() { 60 } else { 300 });
        let mut runner = TestRunner::new(ProptestConfig { cases, ..ProptestConfig::default() });
        let run = |case: Case| {
            for_types!([f32, f64, f16, bf16, Complex<f32>, Complex<f64>, Complex<f16>, Complex<bf16>], V => {
                if case.kind == V::TYPE {
                    has_the_reference_bits::<V>(&handle, &case);
                }
            });
            Ok(())
        };
        runner.run(&case(), run).unwrap_or_else(|failure| panic!("{failure}"));
    }
}
