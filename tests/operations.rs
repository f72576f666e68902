// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products of transposes and conjugate transposes have the bits of a product of the factors transposed before.

mod support;

use ocean::csr::{IndexType, OwnedCsr};
use ocean::ffi::oceanOperation_t::{self, *};
use ocean::reference;
use ocean::scalar::{Complex, Stored, bf16};
use support::matrices::{Random, distinct, from_rows, messy, random};
use support::{Handle, NARROW, Operand, Options, Product, assert_same};

const OPERATIONS: [oceanOperation_t; 3] =
    [OCEAN_OPERATION_NON_TRANSPOSE, OCEAN_OPERATION_TRANSPOSE, OCEAN_OPERATION_CONJUGATE_TRANSPOSE];
const WIDE: [IndexType; 2] = [IndexType::I64; 2];

/// The matrix after an operation. That is its own inverse, but for the order of entries.
fn under<V: Stored>(matrix: &OwnedCsr<V>, operation: oceanOperation_t) -> OwnedCsr<V> {
    match operation {
        OCEAN_OPERATION_NON_TRANSPOSE => matrix.clone(),
        other => reference::transposed(matrix, other == OCEAN_OPERATION_CONJUGATE_TRANSPOSE),
    }
}

fn every_form<V: Stored>(handle: &Handle, what: &str, a: &Operand<V>, b: &Operand<V>, want: &OwnedCsr<V>) {
    let product = |options: Options<'_>| Product::new(handle, a, b, 0, options);
    for workflow in ["upper_bound", "estimate", "exact"] {
        let mut staged = product(&[("workflow", workflow), ("check", "full")]);
        staged.work_estimation();
        for round in ["first", "again"] {
            staged.compute();
            staged.copy(V::nearest(1.0, 0.0));
            assert_same(&staged.result(), want, &format!("{what}, {workflow}, {round}"));
        }
    }
    assert_same(&product(&[]).reuse(), want, &format!("{what}, reuse"));
    assert_same(&product(&[]).one_call(), want, &format!("{what}, one call"));
}

fn every_operation<V: Stored>(handle: &Handle, a: &OwnedCsr<V>, b: &OwnedCsr<V>) {
    for (i, of_a) in OPERATIONS.into_iter().enumerate() {
        for (j, of_b) in OPERATIONS.into_iter().enumerate() {
            let (stored_a, stored_b) = (under(a, of_a), under(b, of_b));
            let want = reference::multiply(&under(&stored_a, of_a), &under(&stored_b, of_b));
            let indices = if (i + j) % 2 == 0 { NARROW } else { WIDE };
            let a = Operand::new(&stored_a, (i % 2) as i32).in_indices(indices).under(of_a);
            let b = Operand::new(&stored_b, (j % 2) as i32).under(of_b);
            every_form(handle, &format!("{of_a:?} {of_b:?} {:?}", V::TYPE), &a, &b, &want);
        }
    }
}

#[test]
fn operations_give_the_bits_of_factors_transposed_before() {
    for handle in Handle::all("operations_give_the_bits_of_factors_transposed_before") {
        every_operation::<f64>(&handle, &random(70, 300, 8, 1), &random(300, 110, 9, 2));
        every_operation::<Complex<f32>>(&handle, &messy(60, 45, 9, 3), &messy(45, 80, 11, 4));
        every_operation::<bf16>(&handle, &random(9, 2_000, 40, 5), &messy(2_000, 31, 2, 6));
        // Many columns without an entry, and one that has all.
        let sparse = from_rows(9_000, [vec![5, 8_999], vec![], vec![5]], &mut Random(7));
        every_operation::<f64>(&handle, &sparse, &random(9_000, 4, 1, 8));
        every_operation::<f64>(&handle, &random(5, 0, 1, 9), &random(0, 7, 1, 10));
    }
}

/// A^T * A and A * A^H: both factors are one matrix of the caller's.
#[test]
fn a_matrix_and_its_transpose_share_their_arrays() {
    for handle in Handle::all("a_matrix_and_its_transpose_share_their_arrays") {
        let mut numbers = Random(20);
        let rows: Vec<_> = (0..400).map(|row| distinct(1 + row % 13, 90, &mut numbers)).collect();
        let m = from_rows::<Complex<f64>>(90, rows, &mut Random(21));
        for of_a in OPERATIONS {
            for of_b in OPERATIONS {
                let (a, b) = (Operand::new(&m, 1).under(of_a), Operand::new(&m, 1).under(of_b));
                let (left, right) = (under(&m, of_a), under(&m, of_b));
                if left.cols == right.rows {
                    every_form(&handle, &format!("{of_a:?} {of_b:?}"), &a, &b, &reference::multiply(&left, &right));
                }
            }
        }
    }
}

#[test]
fn patterns_are_transposed_too() {
    for handle in Handle::all("patterns_are_transposed_too") {
        let m = random::<f64>(120, 50, 6, 30);
        let want = reference::multiply(&reference::transposed(&m, false), &m);
        let a = Operand::new(&m, 0).under(OCEAN_OPERATION_TRANSPOSE).pattern();
        let b = Operand::new(&m, 0).pattern();
        for got in [Product::new(&handle, &a, &b, 0, &[]).staged(), Product::new(&handle, &a, &b, 0, &[]).one_call()] {
            assert!(got.offsets == want.offsets && got.columns == want.columns && got.values.is_empty());
        }
    }
}

/// As if the real factor had been complex from the start, with zeros for imaginary parts: under an operation too.
fn real_beside_complex<V: Stored>(handle: &Handle, seed: u64) {
    let real = |m: OwnedCsr<V>| {
        let values = m.values.iter().map(|value| V::nearest(value.parts()[0], 0.0)).collect();
        OwnedCsr { values, ..m }
    };
    let transposed_alone = |operation| if operation == OPERATIONS[2] { OPERATIONS[1] } else { operation };
    let (m, n) = (messy::<V>(60, 45, 9, seed), messy::<V>(45, 80, 11, seed + 1));
    for (a_is_real, of_a, of_b) in [
        (true, OPERATIONS[0], OPERATIONS[0]),
        (false, OPERATIONS[0], OPERATIONS[0]),
        (true, OPERATIONS[2], OPERATIONS[1]),
        (false, OPERATIONS[2], OPERATIONS[2]),
    ] {
        let (a, b) = if a_is_real { (real(m.clone()), n.clone()) } else { (m.clone(), real(n.clone())) };
        let done = |operation, is_real| if is_real { transposed_alone(operation) } else { operation };
        let (stored_a, stored_b) = (under(&a, done(of_a, a_is_real)), under(&b, done(of_b, !a_is_real)));
        let (left, right) = (under(&stored_a, done(of_a, a_is_real)), under(&stored_b, done(of_b, !a_is_real)));
        let want = reference::multiply(&left, &right);
        let (a, b) = (Operand::new(&stored_a, 1).under(of_a), Operand::new(&stored_b, 0).under(of_b));
        let (a, b) = if a_is_real { (a.real(), b) } else { (a, b.real()) };
        let what = format!("{:?}, A real {a_is_real}, {of_a:?} {of_b:?}", V::TYPE);
        every_form(handle, &what, &a, &b, &want);
        let limited = Product::new(handle, &a, &b, 1, &[]).within(1 << 18).staged();
        assert_same(&limited, &want, &format!("{what}, within a limit"));
    }
}

#[test]
fn real_and_complex_factors_mix() {
    for handle in Handle::all("real_and_complex_factors_mix") {
        real_beside_complex::<Complex<f64>>(&handle, 40);
        if !handle.hurried() {
            real_beside_complex::<Complex<f32>>(&handle, 42);
        }
        real_beside_complex::<Complex<bf16>>(&handle, 44);
    }
}
