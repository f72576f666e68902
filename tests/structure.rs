// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products of patterns: without values in A and B, C gets the offsets and columns of the reference and nothing else.

mod support;

use ocean::csr::OwnedCsr;
use ocean::reference;
use ocean::scalar::{Complex, Stored, bf16};
use ocean::tuning::SUM_BLOCK;
use support::matrices::{Random, banded, distinct, from_rows, full, messy, random, skewed};
use support::{Handle, Operand, Product, for_types};

fn assert_pattern<V>(got: &OwnedCsr<V>, want: &OwnedCsr<V>, what: &str) {
    assert_eq!((got.rows, got.cols), (want.rows, want.cols), "{what}: shape");
    assert!(got.offsets == want.offsets, "{what}: offsets");
    assert!(got.columns == want.columns, "{what}: columns");
    assert!(got.values.is_empty(), "{what}: values");
}

fn every_way<V: Stored>(handle: &Handle, name: &str, a: &OwnedCsr<V>, b: &OwnedCsr<V>) {
    let want = reference::multiply(a, b);
    let (a, b) = (Operand::new(a, 0).pattern(), Operand::new(b, 1).pattern());
    for workflow in ["upper_bound", "estimate", "exact"] {
        let options = [("workflow", workflow), ("registers", "16"), ("coefficient", "0.5")];
        let mut product = Product::new(handle, &a, &b, 1, &options);
        product.work_estimation();
        for round in ["first", "again"] {
            product.compute();
            product.copy(V::nearest(3.0, 0.0));
            assert_pattern(&product.result(), &want, &format!("{name}, {workflow}, {round}"));
        }
    }
    assert_pattern(&Product::new(handle, &a, &b, 0, &[]).reuse(), &want, &format!("{name}, reuse"));
    assert_pattern(&Product::new(handle, &a, &b, 1, &[]).one_call(), &want, &format!("{name}, one call"));
}

fn structures<V: Stored>(handle: &Handle) {
    let square = |name, a: OwnedCsr<V>| every_way(handle, name, &a, &a);
    square("banded", banded(300, 9, 1));
    square("short rows", banded(300, 2, 1));
    square("skewed", skewed(8, 3_000, 2));
    every_way::<V>(handle, "messy", &messy(80, 60, 12, 5), &messy(60, 80, 15, 6));
    every_way::<V>(handle, "full", &full(20, 30, 7), &full(30, 40, 8));
    every_way::<V>(handle, "wide", &random(20, 300, 40, 11), &random(300, (1 << 22) + 100, 50, 12));
}

#[test]
fn patterns_multiply_in_every_form() {
    for handle in Handle::all("patterns_multiply_in_every_form") {
        structures::<bf16>(&handle);
        if !handle.hurried() {
            for_types!([f64, Complex<f64>], V => structures::<V>(&handle));
        }
        let length = SUM_BLOCK + 9;
        let mut random_numbers = Random(50);
        let rows = [distinct(length, length, &mut random_numbers), vec![4, 7]];
        let a = from_rows::<f32>(length, rows, &mut random_numbers);
        every_way(&handle, "a long row of A", &a, &random(length, 3_000, 4, 51));
    }
}
