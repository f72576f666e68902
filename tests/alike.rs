// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows of C that are as long as others: whoever stands for a row is as long, and the product has the reference's bits
//! whether rows are counted and summed together or not.
#![cfg(feature = "cuda")]

mod support;

use ocean::backend::{Backend, Look};
use ocean::csr::OwnedCsr;
use ocean::cuda::Cuda;
use ocean::memory::Address;
use ocean::reference;
use ocean::scalar::{Complex, Stored, f16};
use ocean::spgemm::{Alike, Likeness, RowArrays, hyperloglog::hash};
use ocean::tuning::{ALIKE, kernel};
use support::matrices::{Random, distinct, from_rows};
use support::place::cuda;
use support::twins::Matrix;
use support::{FORMS, Handle, Operand, Product, assert_same, for_types};

/// Groups of so many rows with the same columns, at most `reach` from the diagonal.
fn groups(rows: usize, of: impl Fn(usize) -> usize, entries: usize, reach: usize, seed: u64) -> Vec<Vec<i32>> {
    let mut random = Random(seed);
    let mut made = Vec::with_capacity(rows);
    let mut group = 0;
    while made.len() < rows {
        let first = made.len().saturating_sub(reach / 2).min(rows - reach);
        let row: Vec<i32> = distinct(entries, reach, &mut random).iter().map(|column| column + first as i32).collect();
        for _ in 0..of(group).min(rows - made.len()) {
            made.push(row.clone());
        }
        group += 1;
    }
    made
}

/// Rows as far apart as on a grid of these dimensions, of 3 by 3 neighbours each.
fn grid(width: usize, height: usize) -> Vec<Vec<i32>> {
    let place = |x: usize, y: usize| (y * width + x) as i32;
    let near = |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
    let row = |x: usize, y: usize| near(y, height).flat_map(|y| near(x, width).map(move |x| place(x, y))).collect();
    (0..height).flat_map(|y| (0..width).map(move |x| row(x, y))).collect()
}

fn shuffled(mut rows: Vec<Vec<i32>>) -> Vec<Vec<i32>> {
    let n = rows.len();
    (1..n).for_each(|i| rows.swap(i, hash(i as u32) as usize % (i + 1)));
    rows
}

/// Entries of each row of A * A.
fn lengths(a: &Matrix) -> Vec<usize> {
    let row = |row: usize| &a.columns[a.offsets[row] as usize..a.offsets[row + 1] as usize];
    let of_c = |i: usize| {
        let mut columns: Vec<i32> = row(i).iter().flat_map(|&k| row(k as usize)).copied().collect();
        columns.sort_unstable();
        columns.dedup();
        columns.len()
    };
    (0..a.rows()).map(of_c).collect()
}

/// The rows that stand for the others.
fn heads(cuda: &Cuda, a: &Matrix, likeness: Likeness) -> Vec<i32> {
    let want = lengths(a);
    let mut found = Vec::new();
    for form in FORMS {
        let mut stored = a.pattern(cuda, form);
        let csr = stored.csrs().1;
        let bytes = RowArrays::carve(Address::NULL, a.rows()).1;
        let room = cuda.upload(&vec![0xffu8; bytes], "the rows").unwrap();
        let arrays = RowArrays::carve(room.address(), a.rows()).0;
        let totals = cuda.row_products(&csr, &csr, &arrays).unwrap().totals;
        let alike = Alike { likeness, heads: arrays.heads, mean: 1.0 };
        let look = Look { alike, arrays: &arrays, most_counted: totals.products, sampled: None };
        let looked = cuda.alike(&csr, &csr, &look).unwrap();
        let mut products = vec![0i64; a.rows()];
        found = vec![-1; a.rows()];
        // SAFETY: one head, and one number of products, for each row.
        unsafe {
            cuda.download(arrays.heads.address, &mut found).unwrap();
            cuda.download(arrays.sizes.address, &mut products).unwrap();
        }
        let of_heads = |(row, _): &(usize, &i64)| found[*row] as usize == *row;
        let counted: i64 = products.iter().enumerate().filter(of_heads).map(|(_, products)| products).sum();
        assert_eq!(looked.counted, counted, "{likeness:?}");
        let heads = found.iter().enumerate().filter(|&(row, &head)| head as usize == row).count();
        assert_eq!(looked.listed.unwrap().iter().sum::<usize>(), heads, "{likeness:?}: rows listed");
        for (row, &head) in found.iter().enumerate() {
            assert_eq!(found[head as usize], head, "{likeness:?}: who stands for row {row} stands for itself");
            assert_eq!(want[head as usize], want[row], "{likeness:?}: row {head} stands for row {row}");
        }
    }
    found.into_iter().enumerate().filter(|&(row, head)| head as usize == row).map(|(_, head)| head).collect()
}

#[test]
fn whoever_stands_for_a_row_is_as_long() {
    let Some(cuda) = cuda("whoever_stands_for_a_row_is_as_long") else { return };
    let matrix = |rows: Vec<Vec<i32>>| Matrix::of_rows(rows.len() as i64, rows);
    let in_threes = groups(960, |_| 3, 12, 60, 1);
    let found = heads(&cuda, &matrix(in_threes.clone()), Likeness::Neighbours).len();
    // A warp's rows end at a multiple of 32, and one group in three goes on there.
    assert!((320..=350).contains(&found), "{found} of 320 groups");
    let anywhere = heads(&cuda, &matrix(shuffled(in_threes)), Likeness::Anywhere).len();
    assert!((320..=480).contains(&anywhere), "{anywhere} of 320 groups, but for rows whose place was taken");
    let moved = heads(&cuda, &matrix(grid(40, 30)), Likeness::Shifted).len();
    assert!(moved < 300, "{moved} of 1,200 rows of a grid are not the one before, moved");

    // Ends that promise too much, rows that are empty or too long, and single rows.
    let mut traps = groups(300, |_| 1, 9, 40, 2);
    for row in (1..300).step_by(3) {
        traps[row] = traps[row - 1].clone();
        traps[row][4] = traps[row][3] + (traps[row][5] - traps[row][3]) / 2;
        traps[row].dedup();
    }
    traps[50].clear();
    traps[51].clear();
    for likeness in [Likeness::Neighbours, Likeness::Shifted, Likeness::Anywhere] {
        heads(&cuda, &matrix(traps.clone()), likeness);
        heads(&cuda, &matrix(vec![]), likeness);
        heads(&cuda, &matrix(vec![vec![0]]), likeness);
        let n = kernel::ALIKE_ROW as usize;
        let long = |extra| {
            matrix(
                (0..3 + n + extra)
                    .map(|row| if row < 3 { (0..(n + extra) as i32).collect() } else { vec![] })
                    .collect(),
            )
        };
        let (equal, too_long) = (heads(&cuda, &long(0), likeness).len(), heads(&cuda, &long(1), likeness).len());
        assert_eq!(too_long, n + 4, "{likeness:?}");
        assert_eq!(equal, if likeness == Likeness::Shifted { n + 3 } else { n + 1 }, "{likeness:?}");
    }
}

/// All forms of the call, of which few products are counted.
fn every_form<V: Stored>(handle: &Handle, name: &str, rows: Vec<Vec<i32>>, seed: u64) {
    let a: OwnedCsr<V> = from_rows(rows.len(), rows, &mut Random(seed));
    let want = reference::multiply(&a, &a);
    let base = (seed % 2) as i32;
    let a = Operand::new(&a, base);
    let mut exact = Product::new(handle, &a, &a, base, &[]);
    exact.work_estimation();
    let plan = exact.plan();
    let (products, counted) = (&plan["totals"]["products"], &plan["totals"]["counted"]);
    assert!(counted.as_i64() < products.as_i64(), "{name}: {counted} of {products} counted");
    assert_same(&exact.staged(), &want, name);
    let estimate = Product::new(handle, &a, &a, base, &[("workflow", "estimate"), ("coefficient", "0.7")]).staged();
    assert_same(&estimate, &want, name);
    assert_same(&Product::new(handle, &a, &a, base, &[]).reuse(), &want, name);
    assert_same(&Product::new(handle, &a, &a, base, &[]).one_call(), &want, name);
}

#[test]
fn rows_that_are_alike_have_the_reference_bits() {
    // The host looks for no such rows.
    for handle in Handle::all("rows_that_are_alike_have_the_reference_bits").iter().filter(|handle| handle.on_device())
    {
        // Below the least that is looked into nothing would be found.
        let rows = |entries: usize, least: usize| (ALIKE.least_entries as usize / entries + entries).max(least);
        // Windows of each size, and rows at once of each number there is a kernel for.
        for (group, entries, reach) in
            [(2, 12, 300), (3, 12, 100), (6, 12, 45), (7, 12, 20), (16, 12, 30), (12, 20, 20)]
        {
            let n = rows(entries, 3 * reach);
            let (name, rows) = (format!("groups of {group}"), groups(n, |_| group, entries, reach, 3));
            for_types!([f64, Complex<f64>], V => every_form::<V>(handle, &name, rows.clone(), group as u64));
        }
        let any = |group: usize| 1 + hash(group as u32) as usize % 9;
        every_form::<f64>(handle, "groups of any size", groups(rows(12, 500), any, 12, 200, 5), 6);
        let torn = shuffled(groups(rows(24, 500), |_| 8, 24, 400, 7));
        every_form::<Complex<f32>>(handle, "groups torn apart", torn, 8);
        let width = 30;
        every_form::<f16>(handle, "a grid", grid(width, rows(8, 300) / width + 1), 9);
    }
}
