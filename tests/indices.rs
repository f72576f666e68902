// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row offsets and columns of 32 and of 64 bits, in A, B and C each by itself, with either base: the same product.

mod support;

use ocean::csr::{IndexType, OwnedCsr};
use ocean::reference;
use support::matrices::{banded, messy, random};
use support::{Handle, Indices, Operand, Options, Product, assert_same};

const ALL: [Indices; 4] = [
    [IndexType::I32, IndexType::I32],
    [IndexType::I64, IndexType::I32],
    [IndexType::I32, IndexType::I64],
    [IndexType::I64, IndexType::I64],
];

fn every_form(handle: &Handle, (a, b): (&OwnedCsr<f64>, &OwnedCsr<f64>), of_a: Indices, of_b: Indices, of_c: Indices) {
    let what = format!("{of_a:?} {of_b:?} {of_c:?}");
    let want = reference::multiply(a, b);
    let bases = [of_a, of_b, of_c].map(|indices| i32::from(indices[0] == indices[1]));
    let (a, b) = (Operand::new(a, bases[0]).in_indices(of_a), Operand::new(b, bases[1]).in_indices(of_b));
    let product = |options: Options<'_>| Product::with_indices(handle, (&a, &b), (bases[2], of_c), options);
    for workflow in ["upper_bound", "estimate", "exact"] {
        let mut staged = product(&[("workflow", workflow), ("check", "full")]);
        staged.work_estimation();
        for round in ["first", "again"] {
            staged.compute();
            staged.copy(1.0);
            assert_same(&staged.result(), &want, &format!("{what}, {workflow}, {round}"));
        }
    }
    assert_same(&product(&[("check", "full")]).reuse(), &want, &format!("{what}, reuse"));
    assert_same(&product(&[]).one_call(), &want, &format!("{what}, one call"));
}

#[test]
fn indices_of_any_type_give_the_same_product() {
    for handle in Handle::all("indices_of_any_type_give_the_same_product") {
        let tidy = (random(60, 90, 7, 1), random(90, 400, 9, 2));
        let untidy = (messy(40, 50, 8, 3), messy(50, 45, 9, 4));
        for (i, of_a) in ALL.into_iter().enumerate() {
            for (j, of_b) in ALL.into_iter().enumerate() {
                let of_c = ALL[(i + 2 * j + 1) % 4];
                every_form(&handle, (&tidy.0, &tidy.1), of_a, of_b, of_c);
                every_form(&handle, (&untidy.0, &untidy.1), of_a, of_b, ALL[(i + j) % 4]);
            }
        }
    }
}

/// A times itself, whose columns are then copied once.
#[test]
fn one_matrix_may_be_both_factors() {
    for handle in Handle::all("one_matrix_may_be_both_factors") {
        let a = banded::<f64>(200, 3, 5);
        let want = reference::multiply(&a, &a);
        for indices in ALL {
            let a = Operand::new(&a, 1).in_indices(indices);
            let product = || Product::with_indices(&handle, (&a, &a), (1, indices), &[]);
            assert_same(&product().staged(), &want, &format!("{indices:?}, staged"));
            assert_same(&product().reuse(), &want, &format!("{indices:?}, reuse"));
        }
    }
}

#[test]
fn empty_products_have_offsets_of_either_type() {
    for handle in Handle::all("empty_products_have_offsets_of_either_type") {
        for (rows, inner, cols) in [(0, 3, 3), (3, 0, 3), (3, 3, 0)] {
            let (a, b) = (random::<f64>(rows, inner, 0, 6), random::<f64>(inner, cols, 0, 7));
            ALL.into_iter().for_each(|indices| every_form(&handle, (&a, &b), indices, indices, indices));
        }
    }
}
