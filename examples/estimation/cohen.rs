// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cohen's estimator of row lengths (JCSS 1997; for SpGEMM, 1996): every column has some random keys; the least of a row,
//! key by key, tell how many columns it has.

use ocean::csr::OwnedCsr;
use ocean::spgemm::hyperloglog::hash;
use rayon::prelude::*;

/// Lengths of the rows of A * B by so many 32-bit keys a row.
pub fn lengths(a: &OwnedCsr<f64>, b: &OwnedCsr<f64>, keys: usize) -> Vec<f64> {
    let of_columns: Vec<f32> = (0..b.cols * keys).into_par_iter().map(|i| key(i / keys, i % keys)).collect();
    let of_b = least(b, &of_columns, keys);
    let of_c = least(a, &of_b, keys);
    // The least of n exponential keys is exponential with n times the rate, so their sum is a Gamma variable.
    of_c.chunks(keys).map(|row| (keys - 1) as f64 / row.iter().map(|&key| f64::from(key)).sum::<f64>()).collect()
}

/// An exponential variable with the rate 1.
fn key(column: usize, number: usize) -> f32 {
    let mixed = hash(hash(column as u32) ^ (number as u32).wrapping_mul(0x85eb_ca6b));
    -((f64::from(mixed) + 0.5) / 4_294_967_296.0).ln() as f32
}

/// The least keys over what each row names.
fn least(rows: &OwnedCsr<f64>, named: &[f32], keys: usize) -> Vec<f32> {
    let mut found = vec![f32::INFINITY; rows.rows * keys];
    found.par_chunks_mut(keys).enumerate().for_each(|(row, found)| {
        for &index in &rows.columns[rows.row(row)] {
            let named = &named[index as usize * keys..][..keys];
            found.iter_mut().zip(named).for_each(|(least, &key)| *least = least.min(key));
        }
    });
    found
}
