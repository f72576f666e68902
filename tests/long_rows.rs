// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows of C that are long or wide, and matrices whose rows are all short: what each accumulator of the GPU does at its
//! limits has the bits of the reference, on every backend.

mod support;

use ocean::csr::OwnedCsr;
use ocean::reference;
use ocean::scalar::{Complex, Stored, bf16};
use ocean::tuning::{MARK_BYTES, SUM_BLOCK, kernel};
use support::matrices::{Random, distinct, from_rows};
use support::{Handle, Operand, Product, assert_same, for_types};

const WORKFLOWS: [&str; 3] = ["upper_bound", "estimate", "exact"];

/// All three workflows, the reuse and the one call.
fn every_form<V: Stored>(handle: &Handle, a: &OwnedCsr<V>, b: &OwnedCsr<V>, base: i32) {
    let want = reference::multiply(a, b);
    let (a, b) = (Operand::new(a, base), Operand::new(b, base));
    for workflow in WORKFLOWS {
        let got = Product::new(handle, &a, &b, base, &[("workflow", workflow)]).staged();
        assert_same(&got, &want, workflow);
    }
    assert_same(&Product::new(handle, &a, &b, base, &[]).reuse(), &want, "reuse");
    assert_same(&Product::new(handle, &a, &b, base, &[]).one_call(), &want, "one call");
}

/// How many rows each bin takes, by the plan of an exact product.
fn rows_in<V: Stored>(handle: &Handle, a: &Operand<V>, b: &Operand<V>, bin: &str) -> u64 {
    let mut product = Product::new(handle, a, b, 0, &[]);
    product.work_estimation();
    let plan = product.plan();
    let bins = plan["bins"].as_array().unwrap();
    bins.iter().filter(|known| known["name"] == bin).map(|known| known["rows"].as_u64().unwrap()).sum()
}

/// Columns crowd together here and are scattered there, over more than there are bits for at a time.
fn crowded_and_scattered<V: Stored>(rows: usize, seed: u64) -> OwnedCsr<V> {
    let cols = 2 * kernel::SEGMENT_COLUMNS as usize + 70_000;
    let mut random = Random(seed);
    let rows = (0..rows).map(|_| {
        let mut columns = distinct(60, 3_000, &mut random);
        columns.extend(distinct(40, cols - 3_000, &mut random).iter().map(|column| column + 3_000));
        columns
    });
    let rows: Vec<_> = rows.collect();
    from_rows(cols, rows, &mut Random(seed + 1))
}

#[test]
fn slices_are_crowded_or_share_tables() {
    for handle in Handle::all("slices_are_crowded_or_share_tables") {
        let b = crowded_and_scattered::<f64>(200, 70);
        let a = from_rows(200, (0..12).map(|i| distinct(20 + 2 * i, 200, &mut Random(72 + i as u64))), &mut Random(90));
        every_form(&handle, &a, &b, 0);
        every_form(&handle, &a, &b, 1);
        for_types!([f32, bf16, Complex<f32>, Complex<f64>], V => {
            let b = crowded_and_scattered::<V>(50, 91);
            let a = from_rows(50, [distinct(30, 50, &mut Random(92)), vec![], (0..50).collect()], &mut Random(93));
            every_form(&handle, &a, &b, 0);
        });
    }
}

/// In the emulation, whose scratch is small.
#[test]
fn rows_wait_for_the_scratch_of_those_before() {
    for handle in Handle::all("rows_wait_for_the_scratch_of_those_before") {
        let (slices, rows) = (40, 1_000);
        let cols = slices * kernel::SLICE_COLUMNS as usize;
        let mut random = Random(100);
        let b = from_rows::<f64>(
            cols,
            (0..6).map(|_| distinct(400, cols, &mut random)).collect::<Vec<_>>(),
            &mut Random(101),
        );
        let a = from_rows(6, (0..rows).map(|row| vec![row % 5, 5]), &mut Random(102));
        let want = reference::multiply(&a, &b);
        let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
        assert_same(&Product::new(&handle, &a, &b, 0, &[]).one_call(), &want, "one call");
    }
}

#[test]
fn ranked_rows_hardly_repeat_or_do() {
    for handle in Handle::all("ranked_rows_hardly_repeat_or_do") {
        ranked::<Complex<f64>>(&handle);
        if !handle.hurried() {
            ranked::<f64>(&handle);
        }
    }
}

fn ranked<V: Stored>(handle: &Handle) {
    let cols = 150_000;
    let mut random = Random(110);
    let mut rows: Vec<_> = (0..300).map(|_| distinct(60, cols, &mut random)).collect();
    // These repeat each other, in more columns than a list of them has room for.
    let same = distinct(300, cols, &mut random);
    rows.extend((0..20).map(|_| same.clone()));
    let b = from_rows::<V>(cols, rows, &mut Random(111));
    let mut of_a: Vec<_> = (0..2_500).map(|_| distinct(10, 300, &mut random)).collect();
    for (i, row) in of_a.iter_mut().take(20).enumerate() {
        row.extend(300..301 + i as i32);
    }
    let a = from_rows(320, of_a, &mut Random(112));
    if handle.on_device() {
        let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
        assert!(rows_in(handle, &a, &b, "rank 1024") > 2_000, "columns hardly repeat");
    }
    let want = reference::multiply(&a, &b);
    let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
    assert_same(&Product::new(handle, &a, &b, 0, &[("workflow", "exact")]).staged(), &want, "exact");
    assert_same(&Product::new(handle, &a, &b, 0, &[]).one_call(), &want, "one call");
}

#[test]
fn wide_rows_fit_tables_that_count_from_their_first_column() {
    for handle in Handle::all("wide_rows_fit_tables_that_count_from_their_first_column") {
        for_types!([f64, Complex<f64>], V => wide::<V>(&handle));
    }
}

fn wide<V: Stored>(handle: &Handle) {
    let cols = 3 * kernel::TABLE_COLUMNS as usize;
    let mut random = Random(120);
    let far = kernel::TABLE_COLUMNS as i32;
    let shifted = |by: i32, columns: Vec<i32>| columns.iter().map(|column| column + by).collect::<Vec<_>>();
    let rows = [
        shifted(far + 5, distinct(90, 200_000, &mut random)),
        shifted(2 * far, distinct(80, far as usize - 1, &mut random)),
        distinct(50, cols, &mut random),
        shifted(cols as i32 - 100, (0..100).collect()),
    ];
    let b = from_rows::<V>(cols, rows, &mut Random(121));
    let of_a = [vec![0], vec![1], vec![2], vec![0, 1], vec![0, 2], vec![1, 3], vec![0, 1, 2, 3]];
    let a = from_rows(4, of_a, &mut Random(122));
    every_form(handle, &a, &b, 0);
}

/// Many short rows of B and a few that a whole block shares, and rows of A beyond a block of sums.
#[test]
fn very_long_rows_of_b_and_of_a_meet() {
    for handle in Handle::all("very_long_rows_of_b_and_of_a_meet") {
        very_long::<f32>(&handle);
    }
}

fn very_long<V: Stored>(handle: &Handle) {
    let (inner, cols) = (SUM_BLOCK + 700, 150_000);
    let mut random = Random(130);
    let rows = (0..inner).map(|row| distinct(if row % 3_000 == 7 { 70_000 } else { 2 }, cols, &mut random));
    let b = from_rows::<V>(cols, rows.collect::<Vec<_>>(), &mut Random(131));
    let of_a = [vec![7], vec![1, 7, 3_007], (0..inner as i32).collect(), vec![5], (0..SUM_BLOCK as i32 + 1).collect()];
    let a = from_rows(inner, of_a, &mut Random(132));
    every_form(handle, &a, &b, 0);
}

/// Over a span that ranks have no bits for.
#[test]
fn sorted_rows_hardly_repeat_or_do() {
    for handle in Handle::all("sorted_rows_hardly_repeat_or_do") {
        sorted::<Complex<f32>>(&handle);
        if !handle.hurried() {
            sorted::<f64>(&handle);
        }
    }
}

fn sorted<V: Stored>(handle: &Handle) {
    let cols = 3 * kernel::SEGMENT_COLUMNS as usize;
    let mut random = Random(160);
    let mut rows: Vec<_> = (0..4_000).map(|row| distinct(row * 7 % 25, cols, &mut random)).collect();
    // These repeat each other so often that their terms have no room.
    let same = distinct(600, cols, &mut random);
    rows.extend((0..20).map(|_| same.clone()));
    let b = from_rows::<V>(cols, rows, &mut Random(161));
    let mut of_a: Vec<_> = (0..2_500).map(|_| distinct(4, 4_000, &mut random)).collect();
    for (i, row) in of_a.iter_mut().enumerate().take(40) {
        *row = distinct(60 + 15 * i, 4_000, &mut random);
    }
    for (row, repeats) in of_a.iter_mut().skip(50).zip([1, 4, 5]) {
        row.extend(4_000..4_000 + repeats);
    }
    let a = from_rows(4_020, of_a, &mut Random(162));
    if handle.on_device() {
        let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
        for (bin, rows) in [("sort 2048", 5), ("sort 8192", 20)] {
            let found = rows_in(handle, &a, &b, bin);
            assert!(found >= rows, "{found} rows in {bin}");
        }
    }
    every_form(handle, &a, &b, 0);
    every_form(handle, &a, &b, 1);
}

/// More long rows of A than there are bits for at a time.
#[test]
fn long_rows_of_a_are_counted_in_turn() {
    for handle in Handle::all("long_rows_of_a_are_counted_in_turn") {
        let cols = 8 * MARK_BYTES as usize / 2 - 1;
        let b = from_rows::<f64>(cols, (0..SUM_BLOCK + 1).map(|row| vec![(row * 97) as i32]), &mut Random(140));
        let of_a = (0..3).map(|_| (0..SUM_BLOCK as i32 + 1).collect());
        let a = from_rows(SUM_BLOCK + 1, of_a, &mut Random(141));
        let want = reference::multiply(&a, &b);
        let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
        let got = Product::new(&handle, &a, &b, 0, &[("workflow", "exact")]).staged();
        assert_same(&got, &want, "exact");
    }
}

#[test]
fn short_rows_are_counted_at_once() {
    for handle in Handle::all("short_rows_are_counted_at_once") {
        let mut random = Random(150);
        let of_length = |most: usize, cols: usize, random: &mut Random| {
            let rows: Vec<_> = (0..3_000).map(|row| distinct(row * 7 % (most + 1), cols, random)).collect();
            from_rows::<f64>(cols, rows, &mut Random(151))
        };
        let (a, b) = (of_length(8, 3_000, &mut random), of_length(8, 500, &mut random));
        if handle.on_device() {
            let (of_a, of_b) = (&a, &b);
            let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
            let mut product = Product::new(&handle, &a, &b, 0, &[]);
            product.work_estimation();
            let products: usize = of_a.columns.iter().map(|&k| of_b.row(k as usize).len()).sum();
            assert_eq!(product.products(), products as i64);
            let plan = product.plan();
            assert_eq!(plan["workflow"], "exact");
            assert!(plan["reasons"][0].as_str().unwrap().contains("as fast as analysed"), "{plan}");
        }
        every_form(&handle, &a, &b, 0);
        every_form(&handle, &a, &b, 1);
        // One entry more, and rows have to be looked at.
        let (a, b) = (of_length(9, 3_000, &mut random), of_length(8, 500, &mut random));
        every_form(&handle, &a, &b, 0);
    }
}
