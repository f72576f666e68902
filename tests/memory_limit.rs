// SPDX-License-Identifier: MIT OR Apache-2.0
//! A product under a memory limit has the bits that it has without, in however many slices. What it takes is counted by
//! `c_tests/cases_memory.c`.

mod support;

use ocean::csr::{IndexType, OwnedCsr};
use ocean::ffi::oceanOperation_t::{OCEAN_OPERATION_CONJUGATE_TRANSPOSE, OCEAN_OPERATION_NON_TRANSPOSE};
use ocean::reference;
use ocean::scalar::{Complex, Stored, bf16};
use support::matrices::{Random, from_rows, messy, random};
use support::{Handle, Indices, NARROW, Operand, Product, assert_same};

const WIDE: Indices = [IndexType::I64; 2];
const MIXED: Indices = [IndexType::I64, IndexType::I32];

/// Slices that a plan tells of; none where all rows are computed at once.
fn slices<V: Stored>(product: &Product<'_, V>) -> Option<i64> {
    let reasons = product.plan()["reasons"].as_array().unwrap().clone();
    reasons.iter().find_map(|reason| reason.as_str().unwrap().split_once(" slices of ")?.0.parse().ok())
}

/// Under each of the limits, which fall; returns the slices of each.
fn check_limits<V: Stored>(
    handle: &Handle,
    [a, b]: [&Operand<V>; 2],
    (base, indices): (i32, Indices),
    limits: &[usize],
    want: &OwnedCsr<V>,
) -> Vec<Option<i64>> {
    let in_slices = limits.iter().map(|&limit| {
        let product = Product::with_indices(handle, (a, b), (base, indices), &[("check", "full")]);
        let mut product = product.within(limit);
        product.work_estimation();
        for round in ["first", "again"] {
            product.compute();
            product.copy(V::nearest(1.0, 0.0));
            assert_same(&product.result(), want, &format!("{:?} within {limit}, {round}", V::TYPE));
        }
        let told = slices(&product);
        assert_eq!(product.plan()["nnz"], want.nnz() as i64);
        assert_eq!(product.plan()["workflow"], "exact");
        told
    });
    in_slices.collect()
}

#[test]
fn slices_have_the_bits_of_the_whole() {
    for handle in Handle::all("slices_have_the_bits_of_the_whole") {
        let (a, b) = (random::<f64>(3_000, 400, 9, 1), random::<f64>(400, 2_000, 12, 2));
        let want = reference::multiply(&a, &b);
        let c_bytes = want.nnz() * 12;
        let operands = [&Operand::new(&a, 0), &Operand::new(&b, 1)];
        // A second copy of C, then none, then ever fewer rows at a time.
        let told = check_limits(&handle, operands, (1, NARROW), &[4 * c_bytes, c_bytes, 300_000, 90_000], &want);
        assert_eq!(told[0], None);
        assert!(told[1].is_some_and(|slices| slices >= 2) && told[3] > told[2], "{told:?}");
    }
}

#[test]
fn types_indices_and_orders_are_kept_within_limits() {
    for handle in Handle::all("types_indices_and_orders_are_kept_within_limits") {
        let (a, b) = (messy::<bf16>(300, 90, 9, 3), messy::<bf16>(90, 500, 14, 4));
        let want = reference::multiply(&a, &b);
        let operands = [&Operand::new(&a, 1), &Operand::new(&b, 0)];
        let told = check_limits(&handle, operands, (0, WIDE), &[1 << 26, 150_000], &want);
        assert!(told[0].is_none() && told[1].is_some(), "{told:?}");

        let (a, b) = (messy::<Complex<f32>>(90, 300, 9, 5), random::<Complex<f32>>(90, 500, 14, 6));
        let stored = reference::transposed(&a, true);
        let want = reference::multiply(&stored, &b);
        let left = Operand::new(&a, 1).in_indices(WIDE).under(OCEAN_OPERATION_CONJUGATE_TRANSPOSE);
        let right = Operand::new(&b, 0).in_indices(MIXED).under(OCEAN_OPERATION_NON_TRANSPOSE);
        let told = check_limits(&handle, [&left, &right], (1, MIXED), &[1 << 26, 150_000], &want);
        assert!(told[0].is_none() && told[1].is_some(), "{told:?}");
    }
}

#[test]
fn rows_and_slices_may_be_empty() {
    for handle in Handle::all("rows_and_slices_may_be_empty") {
        let mut numbers = Random(7);
        let rows = (0..2_000).map(|row| if row % 700 == 5 { vec![1, 30] } else { vec![] });
        let a = from_rows::<f64>(40, rows.collect::<Vec<_>>(), &mut numbers);
        let mut rows: Vec<Vec<i32>> = vec![vec![]; 40];
        rows[30] = vec![0, 3, 8];
        let b = from_rows::<f64>(9, rows, &mut numbers);
        let want = reference::multiply(&a, &b);
        let operands = [&Operand::new(&a, 0), &Operand::new(&b, 0)];
        let told = check_limits(&handle, operands, (1, NARROW), &[70_000, 25_000], &want);
        assert!(told[1] > Some(5), "{told:?}");

        let nothing = from_rows::<f64>(9, vec![vec![]; 40], &mut numbers);
        let want = reference::multiply(&a, &nothing);
        let operands = [&Operand::new(&a, 0), &Operand::new(&nothing, 0)];
        assert_eq!(check_limits(&handle, operands, (0, NARROW), &[25_000], &want), [None]);
    }
}

#[test]
fn a_pattern_is_computed_in_slices_too() {
    for handle in Handle::all("a_pattern_is_computed_in_slices_too") {
        let (a, b) = (random::<f32>(900, 50, 5, 8), random::<f32>(50, 300, 20, 9));
        let want = reference::multiply(&a, &b);
        let (a, b) = (Operand::new(&a, 0).pattern(), Operand::new(&b, 0).pattern());
        let mut product = Product::new(&handle, &a, &b, 0, &[]).within(100_000);
        product.work_estimation();
        assert!(slices(&product).is_some());
        product.compute();
        product.copy(1.0);
        let got = product.result();
        assert!(got.offsets == want.offsets && got.columns == want.columns && got.values.is_empty());
    }
}
