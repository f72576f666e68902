// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one product says about sketches, samples and Cohen's keys.

use ocean::backend::{Backend, Known};
use ocean::csr::OwnedCsr;
use ocean::host::Host;
use ocean::memory::Address;
use ocean::spgemm::{RowArrays, Sample, hyperloglog, rows_to_sample};
use ocean::tuning::{REGISTERS, SAMPLE, SampleSize};
use rayon::prelude::*;
use serde::Serialize;

use crate::cohen;

const REGISTER_CHOICES: [usize; 3] = [32, 64, 128];
const SAMPLED_SHARES: [f64; 3] = [0.01, 0.03, 0.05];
/// As many bytes a row as 64 registers, and four times as many.
const COHEN_KEYS: [usize; 2] = [16, 64];

#[derive(Serialize)]
pub struct Measured {
    name: String,
    rows: usize,
    products: i64,
    expansion: f64,
    compression: f64,
    sketches: Vec<Sketches>,
    samples: Vec<Sampled>,
    cohen: Vec<Cohen>,
}

/// How well sketches of one size tell the lengths of rows.
#[derive(Serialize)]
struct Sketches {
    registers: usize,
    #[serde(flatten)]
    errors: Errors,
    /// Share of rows that overflow by the paper's rule, with its coefficient for any number of registers.
    paper_overflow: f64,
    /// Share of rows that outgrow the slots of this library.
    overflow: f64,
}

/// Of (estimate - length) / length, over the rows that are not empty.
#[derive(Serialize)]
struct Errors {
    /// Mean of its absolute values.
    error: f64,
    /// Root of the mean of its squares.
    deviation: f64,
    /// Mean.
    bias: f64,
}

#[derive(Serialize)]
struct Sampled {
    share: f64,
    registers: usize,
    rows: usize,
    compression: f64,
    /// What the relative error is below, with 95 % certainty, if rows are independent.
    bound: f64,
}

#[derive(Serialize)]
struct Cohen {
    bytes: usize,
    #[serde(flatten)]
    errors: Errors,
}

pub fn measure(name: &str, a: &OwnedCsr<f64>, b: &OwnedCsr<f64>) -> Measured {
    let (products, lengths) = count(a, b);
    let total: i64 = products.iter().sum();
    let nnz: i64 = lengths.iter().sum();
    let mut measured = Measured {
        name: name.into(),
        rows: a.rows,
        products: total,
        expansion: total as f64 / a.nnz() as f64,
        compression: total as f64 / nnz as f64,
        sketches: vec![],
        samples: vec![],
        cohen: vec![],
    };
    for registers in REGISTER_CHOICES {
        let estimates = estimates(a, b, registers);
        let coefficient = REGISTERS.coefficient(registers);
        let share = |overflows: &dyn Fn(usize) -> bool| {
            let all = (0..a.rows).filter(|&row| lengths[row] > 0);
            all.clone().filter(|&row| overflows(row)).count() as f64 / all.count() as f64
        };
        measured.sketches.push(Sketches {
            registers,
            errors: errors(&estimates, &lengths),
            paper_overflow: share(&|row| lengths[row] as f64 > 0.8 * (estimates[row] * 1.5).log2().ceil().exp2()),
            overflow: share(&|row| {
                lengths[row] as f64 > (estimates[row] * coefficient).ceil().min(products[row] as f64)
            }),
        });
        measured.samples.extend(SAMPLED_SHARES.map(|share| sampled(share, registers, &products, &estimates)));
    }
    measured.cohen.extend(
        COHEN_KEYS.map(|keys| Cohen {
            bytes: keys * size_of::<f32>(),
            errors: errors(&cohen::lengths(a, b, keys), &lengths),
        }),
    );
    measured
}

/// Products and entries of each row of A * B.
fn count(a: &OwnedCsr<f64>, b: &OwnedCsr<f64>) -> (Vec<i64>, Vec<i64>) {
    let mut room = vec![0u64; RowArrays::carve(Address::NULL, a.rows).1.div_ceil(8)];
    let arrays = RowArrays::carve(room.as_mut_ptr().into(), a.rows).0;
    // SAFETY: the sizes of the rows, which no step writes now.
    let sizes = || unsafe { arrays.sizes.slice_mut()[..a.rows].to_vec() };
    let (a_csr, b_csr) = (a.describe(), b.describe());
    Host.row_products(&a_csr, &b_csr, &arrays).expect("host");
    let products = sizes();
    Host.count(&a_csr, &b_csr, &Known::NOTHING, 1.0, arrays.spans, arrays.sizes).expect("host");
    (products, sizes())
}

/// Every row of B sketched, and the sketches merged along the rows of A.
fn estimates(a: &OwnedCsr<f64>, b: &OwnedCsr<f64>, registers: usize) -> Vec<f64> {
    let mut sketches = vec![0u8; b.rows * registers];
    sketches.par_chunks_mut(registers).enumerate().for_each(|(row, sketch)| {
        b.columns[b.row(row)].iter().for_each(|&column| hyperloglog::insert(sketch, column as u32));
    });
    let estimate = |row: usize| {
        let mut merged = vec![0; registers];
        for &k in &a.columns[a.row(row)] {
            hyperloglog::merge(&mut merged, &sketches[k as usize * registers..][..registers]);
        }
        hyperloglog::estimate(&merged)
    };
    (0..a.rows).into_par_iter().map(estimate).collect()
}

fn errors(estimates: &[f64], lengths: &[i64]) -> Errors {
    let there = estimates.iter().zip(lengths).filter(|(_, length)| **length > 0);
    let relative: Vec<f64> = there.map(|(estimate, &length)| estimate / length as f64 - 1.0).collect();
    let mean = |of: fn(f64) -> f64| relative.iter().map(|&error| of(error)).sum::<f64>() / relative.len() as f64;
    Errors { error: mean(f64::abs), deviation: mean(|error| error * error).sqrt(), bias: mean(|error| error) }
}

/// What a sample of this share of the rows would have said: the sketch of a row is the same, however it comes about.
fn sampled(share: f64, registers: usize, products: &[i64], estimates: &[f64]) -> Sampled {
    let size = SampleSize { share, products: f64::INFINITY, ..SAMPLE };
    let rows = rows_to_sample(products.len(), size.of(products.len(), 1.0));
    let of = |value: &dyn Fn(usize) -> f64| rows.iter().map(|&row| value(row as usize)).sum::<f64>();
    let sample = Sample {
        rows: rows.len(),
        registers,
        products: rows.iter().map(|&row| products[row as usize]).sum(),
        entries: of(&|row| estimates[row]),
        squares: of(&|row| estimates[row] * estimates[row]),
    };
    Sampled { share, registers, rows: rows.len(), compression: sample.compression(), bound: sample.bound() }
}
