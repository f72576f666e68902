// SPDX-License-Identifier: MIT OR Apache-2.0
//! C = alpha * A * B + beta * D in one call, for D of any pattern.

mod support;

use std::collections::BTreeMap;

use ocean::csr::{IndexType, OwnedCsr};
use ocean::ffi::oceanOperation_t::OCEAN_OPERATION_TRANSPOSE;
use ocean::reference;
use ocean::scalar::{Complex, Scalar, Stored, Sum, f16, scaled};
use support::matrices::{messy, random};
use support::{Handle, NARROW, Operand, Product, assert_same, for_types};

fn widened<V: Stored>(m: &OwnedCsr<V>) -> OwnedCsr<V::Computed> {
    let values = m.values.iter().map(|value| value.widened()).collect();
    OwnedCsr { rows: m.rows, cols: m.cols, offsets: m.offsets.clone(), columns: m.columns.clone(), values }
}

/// The sum by definition, entry by entry.
fn wanted<V: Stored>([a, b, d]: [&OwnedCsr<V>; 3], [alpha, beta]: [V::Computed; 2]) -> OwnedCsr<V> {
    let (product, d) = (reference::multiply(&widened(a), &widened(b)), widened(d));
    let times = |factor, value| scaled(factor, value, V::Computed::ZERO, || unreachable!());
    let mut c = OwnedCsr { rows: product.rows, cols: product.cols, offsets: vec![0], columns: vec![], values: vec![] };
    for row in 0..product.rows {
        let of_product = product.row(row).map(|entry| (product.columns[entry], times(alpha, product.values[entry])));
        let mut sums: BTreeMap<i32, V::Computed> = of_product.collect();
        for entry in d.row(row) {
            let term = times(beta, d.values[entry]);
            sums.entry(d.columns[entry]).and_modify(|sum| *sum = sum.plus(term)).or_insert(term);
        }
        c.columns.extend(sums.keys());
        c.values.extend(sums.values().map(|&sum| V::rounded(sum)));
        c.offsets.push(c.columns.len() as i64);
    }
    c
}

#[test]
fn sums_have_every_entry_of_the_product_and_of_d() {
    for handle in Handle::all("sums_have_every_entry_of_the_product_and_of_d") {
        for_types!([f64, f32, f16, Complex<f32>, Complex<f64>], V => {
            let (a, b) = (random::<V>(60, 90, 4, 1), random::<V>(90, 70, 3, 2));
            for (i, d) in [random(60, 70, 9, 3), messy(60, 70, 12, 4), random(60, 70, 0, 5)].iter().enumerate() {
                for (alpha, beta) in [(1.0, 1.0), (-2.5, 0.75), (0.0, 3.0), (2.0, 0.0)] {
                    let scalars = [V::nearest(alpha, 0.5), V::nearest(beta, 0.0)];
                    let want = wanted::<V>([&a, &b, d], scalars.map(Stored::widened));
                    let indices = [NARROW, [IndexType::I64; 2]][i % 2];
                    let (a, b, base) = (Operand::new(&a, 0), Operand::new(&b, 1), i as i32 % 2);
                    let d = Operand::new(d, 1 - base).in_indices(indices);
                    let product = Product::with_indices(&handle, (&a, &b), (base, indices), &[]);
                    let what = format!("{:?}, D {i}, alpha {alpha}, beta {beta}", V::TYPE);
                    assert_same(&product.one_call_with(scalars, Some(&d)), &want, &what);
                }
            }
        });
    }
}

/// beta = 0 hides NaN, alpha = 0 those of the product.
#[test]
fn factors_of_zero_hide_what_they_multiply() {
    for handle in Handle::all("factors_of_zero_hide_what_they_multiply") {
        let mut poisoned = random::<f64>(30, 30, 5, 6);
        poisoned.values.fill(f64::NAN);
        let (a, b) = (random::<f64>(30, 30, 3, 7), random::<f64>(30, 30, 3, 8));
        for ([a, b, d], scalars) in [([&a, &b, &poisoned], [2.0, 0.0]), ([&poisoned, &b, &a], [0.0, 2.0])] {
            let want = wanted([a, b, d], scalars);
            assert!(want.values.iter().all(|value| value.is_finite()));
            let (a, b, d) = (Operand::new(a, 0), Operand::new(b, 0), Operand::new(d, 0));
            let got = Product::new(&handle, &a, &b, 0, &[]).one_call_with(scalars, Some(&d));
            assert_same(&got, &want, "sum");
        }
    }
}

#[test]
fn products_may_be_empty_patterns_or_transposed() {
    for handle in Handle::all("products_may_be_empty_patterns_or_transposed") {
        let (nothing, d) = (random::<f64>(20, 20, 0, 9), random::<f64>(20, 20, 6, 10));
        let of_nothing = Operand::new(&nothing, 0);
        let got = Product::new(&handle, &of_nothing, &of_nothing, 0, &[]);
        let want = wanted([&nothing, &nothing, &d], [1.0, 2.0]);
        assert_same(&got.one_call_with([1.0, 2.0], Some(&Operand::new(&d, 1))), &want, "an empty product");

        let a = random::<f64>(20, 20, 3, 11);
        let want = wanted([&reference::transposed(&a, false), &a, &d], [1.0, -1.0]);
        let (left, right) = (Operand::new(&a, 0).under(OCEAN_OPERATION_TRANSPOSE), Operand::new(&a, 0));
        let got = Product::new(&handle, &left, &right, 0, &[]).one_call_with([1.0, -1.0], Some(&Operand::new(&d, 0)));
        assert_same(&got, &want, "a transpose");

        let (left, right, d) = (left.pattern(), right.pattern(), Operand::new(&d, 0).pattern());
        let got = Product::new(&handle, &left, &right, 0, &[]).one_call_with([1.0, -1.0], Some(&d));
        assert!(got.offsets == want.offsets && got.columns == want.columns && got.values.is_empty());
    }
}
