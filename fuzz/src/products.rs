// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products on the host against the reference, bit for bit: every workflow, every accumulator, every form of the call.

use ocean::csr::{IndexType, OwnedCsr};
use ocean::ffi::oceanOperation_t::{self, *};
use ocean::reference::{multiply, transposed};
use ocean::scalar::{Complex, Stored, bf16, f16};

use super::input::Input;
use super::plan::OPTIONS;
use super::support::matrices::{Random, from_rows};
use super::support::{Handle, Operand, Options, Product, assert_same, for_types};

/// Bytes become two matrices, their storage, and options.
pub fn run(bytes: &[u8]) {
    let input = &mut Input::new(bytes);
    let kind = input.below(8);
    let mut number = 0;
    for_types!([f64, f32, Complex<f64>, Complex<f32>, f16, bf16, Complex<f16>, Complex<bf16>], V => {
        if number == kind {
            in_type::<V>(input);
        }
        number += 1;
    });
    assert_eq!(number, 8);
}

fn in_type<V: Stored>(input: &mut Input<'_>) {
    let [rows, inner, cols] = [(); 3].map(|()| input.below(24));
    let cols = if input.rarely(6) { cols * 1_000 } else { cols };
    let mut random = Random(input.number() as u64);
    let (op_a, a) = factor::<V>(input, (rows, inner), &mut random);
    let (op_b, b) = factor::<V>(input, (inner, cols), &mut random);
    let want = multiply(&under(op_a, &a), &under(op_b, &b));

    let mut stored = |csr: &OwnedCsr<V>, operation| {
        Operand::new(csr, input.below(2) as i32).in_indices(indices(input)).under(operation)
    };
    let (a, b) = (stored(&a, op_a), stored(&b, op_b));
    let form = (input.below(2) as i32, indices(input));
    let handle = Handle::host();
    let product = |options: Options<'_>| Product::with_indices(&handle, (&a, &b), form, options);

    let mut options = OPTIONS.map(|(name, values)| (name, input.of(values)));
    for workflow in ["auto", "upper_bound", "estimate", "exact"] {
        for accumulator in ["auto", "hash", "dense"] {
            options[0].1 = workflow;
            options[3].1 = accumulator;
            let mut product = product(&options);
            product.work_estimation();
            if product.products() > 0 {
                let homes: u64 = product.plan()["bins"]
                    .as_array()
                    .map_or(0, |bins| bins.iter().map(|bin| bin["rows"].as_u64().expect("a count")).sum());
                assert_eq!(homes, want.rows as u64, "rows in bins");
            }
            for round in ["first", "again"] {
                product.compute();
                product.copy(V::nearest(1.0, 0.0));
                assert_same(&product.result(), &want, &format!("{options:?}, {round}"));
            }
        }
    }
    assert_same(&product(&options).reuse(), &want, "reuse");
    assert_same(&product(&options).one_call(), &want, "one call");
}

/// What is stored for a factor of this shape, and what is done to it first.
fn factor<V: Stored>(
    input: &mut Input<'_>,
    (rows, cols): (usize, usize),
    random: &mut Random,
) -> (oceanOperation_t, OwnedCsr<V>) {
    let kinds = [OCEAN_OPERATION_NON_TRANSPOSE, OCEAN_OPERATION_TRANSPOSE, OCEAN_OPERATION_CONJUGATE_TRANSPOSE];
    let operation = input.of(&kinds);
    let plain = operation == OCEAN_OPERATION_NON_TRANSPOSE;
    let (rows, cols) = if plain { (rows, cols) } else { (cols, rows) };
    let tidy = input.flag();
    let most = 1 + input.below(32);
    let mut row = || {
        let length = if cols == 0 { 0 } else { input.below(most) };
        let mut columns: Vec<i32> = (0..length)
            .map(|_| if cols > 256 { random.below(cols) as i32 } else { input.below(cols) as i32 })
            .collect();
        if tidy {
            columns.sort_unstable();
            columns.dedup();
        }
        columns
    };
    let rows: Vec<Vec<i32>> = (0..rows).map(|_| row()).collect();
    let mut csr = from_rows(cols, rows, random);
    for value in &mut csr.values {
        *value = special(input.below(64)).unwrap_or(*value);
    }
    (operation, csr)
}

/// Zeros of either sign, and numbers whose products overflow or vanish. No NaN: its bits are not promised.
fn special<V: Stored>(which: usize) -> Option<V> {
    const VALUES: [f64; 7] = [0.0, -0.0, 1.0, -1.0, 1e-4, 6e4, 1e-40];
    VALUES.get(which.wrapping_sub(1)).map(|&value| V::nearest(value, 0.0))
}

fn under<V: Stored>(operation: oceanOperation_t, csr: &OwnedCsr<V>) -> OwnedCsr<V> {
    match operation {
        OCEAN_OPERATION_NON_TRANSPOSE => csr.clone(),
        OCEAN_OPERATION_TRANSPOSE => transposed(csr, false),
        OCEAN_OPERATION_CONJUGATE_TRANSPOSE => transposed(csr, true),
    }
}

fn indices(input: &mut Input<'_>) -> [IndexType; 2] {
    [(); 2].map(|()| input.of(&[IndexType::I32, IndexType::I64]))
}
