// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a product on the device is right, without a second product: its structure, sums over it, and one number
//! that A and B give as well.
//!
//! For x and y that look random, x^T C y = x^T A (B y), and the right side costs no product.

use rayon::prelude::*;

use super::device::Staging;
use super::operands::{Number, Operands};
use super::output::View;
use super::trouble::Result;
use crate::random::{mix, unit};

/// What is compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Digest {
    pub nnz: usize,
    /// Sum of (i + 1) (j + 1), modulo 2^64.
    pub pattern: u64,
    /// Sum of |C(i,j)|.
    pub absolute: f64,
    /// Sum of C(i,j).
    pub signed: f64,
    /// x^T C y.
    pub bilinear: f64,
    /// Rows whose columns do not ascend strictly.
    pub unsorted_rows: usize,
}

/// x^T A (B y), and the same of sizes, which differences are relative to.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    pub bilinear: f64,
    pub scale: f64,
}

/// Entries that are looked at at a time.
const CHUNK: usize = Staging::BYTES / 8;

/// Entries that one thread looks at at a time.
const PART: usize = 1 << 16;

fn x(row: usize) -> f64 {
    0.5 + unit(mix(row as u64))
}

fn y(column: usize) -> f64 {
    0.5 + unit(mix(!(column as u64)))
}

impl Truth {
    pub fn of<V: Number>(operands: &Operands<'_, V>) -> Self {
        let (a, b) = (operands.a.pattern, operands.b().pattern);
        let (a_values, b_values) = (operands.a.host_values(), operands.b().host_values());
        let (a_values, b_values) = (a_values.as_slice(), b_values.as_slice());
        let entries = |offsets: &[i32], row: usize| offsets[row] as usize..offsets[row + 1] as usize;
        let b_y = |k: usize| {
            entries(&b.offsets, k).fold((0.0, 0.0), |(sum, size): (f64, f64), entry| {
                let term = b_values[entry].widen() * y(b.columns[entry] as usize);
                (sum + term, size + term.abs())
            })
        };
        let b_y: Vec<(f64, f64)> = (0..b.rows).into_par_iter().map(b_y).collect();
        let x_a = |i: usize| {
            entries(&a.offsets, i).fold((0.0, 0.0), |(sum, size): (f64, f64), entry| {
                let (value, (inner, inner_size)) = (a_values[entry].widen(), b_y[a.columns[entry] as usize]);
                (sum + x(i) * value * inner, size + x(i) * value.abs() * inner_size)
            })
        };
        let add = |one: (f64, f64), other: (f64, f64)| (one.0 + other.0, one.1 + other.1);
        let (bilinear, scale) = (0..a.rows).into_par_iter().map(x_a).reduce(|| (0.0, 0.0), add);
        Self { bilinear, scale }
    }
}

/// Reads all of C. A structure that cannot be read is an error in words.
///
/// # Safety
/// The arrays of `c` are device memory for `rows` + 1 offsets and `c.nnz` columns and values of type `V`.
pub unsafe fn read<V: Number>(
    staging: &mut Staging<'_>,
    c: View,
    (rows, cols): (usize, usize),
) -> Result<std::result::Result<Digest, String>> {
    let mut offsets: Vec<i32> = Vec::with_capacity(rows + 1);
    while offsets.len() < rows + 1 {
        let count = CHUNK.min(rows + 1 - offsets.len());
        // SAFETY: the caller's promise; the address stays inside the array.
        let part = unsafe { staging.read::<i32>(c.offsets.cast::<i32>().add(offsets.len()).cast(), count)? };
        offsets.extend_from_slice(part);
    }
    if let Some(fault) = fault_of_offsets(&offsets, c.nnz) {
        return Ok(Err(fault));
    }

    let mut digest = Digest { nnz: c.nnz, pattern: 0, absolute: 0.0, signed: 0.0, bilinear: 0.0, unsorted_rows: 0 };
    let y: Vec<f64> = (0..cols).into_par_iter().map(y).collect();
    let mut columns = Vec::with_capacity(CHUNK.min(c.nnz));
    let mut before = -1; // the column before the chunk
    for begin in (0..c.nnz).step_by(CHUNK) {
        let count = CHUNK.min(c.nnz - begin);
        columns.clear();
        // SAFETY: the caller's promise; the address stays inside the array.
        columns.extend_from_slice(unsafe { staging.read::<i32>(c.columns.cast::<i32>().add(begin).cast(), count)? });
        if let Some(column) = columns.par_iter().find_any(|&&column| column < 0 || column as usize >= cols) {
            return Ok(Err(format!("C has the column {column}, beyond its {cols} columns")));
        }
        // SAFETY: as above.
        let values = unsafe { staging.read::<V>(c.values.cast::<V>().add(begin).cast(), count)? };
        let parts = columns.par_chunks(PART).zip(values.par_chunks(PART)).enumerate();
        let parts: Vec<Digest> = parts
            .map(|(part, (part_columns, part_values))| {
                let first = part * PART;
                let before = if first == 0 { before } else { columns[first - 1] };
                sums(&offsets, &y, begin + first, before, part_columns, part_values)
            })
            .collect();
        // In order, so that the sums are the same every time.
        for part in parts {
            digest.pattern = digest.pattern.wrapping_add(part.pattern);
            digest.absolute += part.absolute;
            digest.signed += part.signed;
            digest.bilinear += part.bilinear;
            digest.unsorted_rows += part.unsorted_rows;
        }
        before = columns[count - 1];
    }
    Ok(Ok(digest))
}

fn fault_of_offsets(offsets: &[i32], nnz: usize) -> Option<String> {
    let last = offsets.len() - 1;
    if offsets[0] != 0 {
        return Some(format!("C's first offset is {}", offsets[0]));
    }
    if let Some(row) = (0..last).find(|&row| offsets[row] > offsets[row + 1]) {
        return Some(format!("C's offsets fall in row {row}: {} to {}", offsets[row], offsets[row + 1]));
    }
    (offsets[last] as i64 != nnz as i64).then(|| format!("C's last offset is {} for {nnz} entries", offsets[last]))
}

/// Of the entries from `begin` on; `before` is the column of the entry before them.
fn sums<V: Number>(offsets: &[i32], y: &[f64], begin: usize, before: i32, columns: &[i32], values: &[V]) -> Digest {
    let mut sums =
        Digest { nnz: columns.len(), pattern: 0, absolute: 0.0, signed: 0.0, bilinear: 0.0, unsorted_rows: 0 };
    let end = begin + columns.len();
    // The last row that starts at `begin` or before; empty rows after it start there, too.
    let mut row = offsets.partition_point(|&offset| offset as usize <= begin) - 1;
    let (mut entry, mut before) = (begin, before);
    while entry < end {
        let row_end = (offsets[row + 1] as usize).min(end);
        if entry == offsets[row] as usize {
            before = -1;
        }
        let (mut row_pattern, mut row_bilinear) = (0u64, 0.0);
        let mut ascends = true;
        while entry < row_end {
            let (column, value) = (columns[entry - begin], values[entry - begin].widen());
            ascends &= before < column;
            before = column;
            row_pattern = row_pattern.wrapping_add(column as u64 + 1);
            sums.absolute += value.abs();
            sums.signed += value;
            row_bilinear += value * y[column as usize];
            entry += 1;
        }
        sums.pattern = sums.pattern.wrapping_add(row_pattern.wrapping_mul(row as u64 + 1));
        sums.bilinear += x(row) * row_bilinear;
        sums.unsorted_rows += usize::from(!ascends);
        row += 1;
    }
    sums
}

impl Digest {
    /// What is wrong with it by itself.
    pub fn fault(&self, truth: Truth, tolerance: f64, must_ascend: bool) -> Option<String> {
        if must_ascend && self.unsorted_rows > 0 {
            return Some(format!("columns do not ascend in {} rows", self.unsorted_rows));
        }
        // Written so that NaN is a fault.
        let near = (self.bilinear - truth.bilinear).abs() <= tolerance * truth.scale;
        (!near).then(|| format!("x^T C y = {:e}, but x^T A (B y) = {:e}", self.bilinear, truth.bilinear))
    }

    /// Where it differs from another's digest of the same product.
    pub fn difference(&self, other: &Self, tolerance: f64) -> Option<String> {
        if self.nnz != other.nnz {
            return Some(format!("{} entries, another tool has {}", self.nnz, other.nnz));
        }
        if self.pattern != other.pattern {
            return Some(format!("pattern checksum {}, another tool's is {}", self.pattern, other.pattern));
        }
        let near = |one: f64, two: f64| (one - two).abs() <= tolerance * other.absolute;
        if !near(self.absolute, other.absolute) {
            return Some(format!("sum of sizes {:e}, another tool's is {:e}", self.absolute, other.absolute));
        }
        (!near(self.signed, other.signed))
            .then(|| format!("sum of values {:e}, another tool's is {:e}", self.signed, other.signed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows {1, 3}, {}, {0, 2, 3}.
    const OFFSETS: [i32; 4] = [0, 2, 2, 5];
    const COLUMNS: [i32; 5] = [1, 3, 0, 2, 3];
    const VALUES: [f64; 5] = [1.0, -2.0, 3.0, 4.0, -5.0];

    fn weights() -> Vec<f64> {
        (0..4).map(y).collect()
    }

    #[test]
    fn sums_do_not_depend_on_where_they_are_cut() {
        let whole = sums(&OFFSETS, &weights(), 0, -1, &COLUMNS, &VALUES);
        assert_eq!(whole.pattern, 2 + 4 + 3 * (1 + 3 + 4));
        assert_eq!((whole.absolute, whole.signed, whole.unsorted_rows), (15.0, 1.0, 0));
        for cut in 1..5 {
            let left = sums(&OFFSETS, &weights(), 0, -1, &COLUMNS[..cut], &VALUES[..cut]);
            let right = sums(&OFFSETS, &weights(), cut, COLUMNS[cut - 1], &COLUMNS[cut..], &VALUES[cut..]);
            assert_eq!(left.pattern + right.pattern, whole.pattern, "{cut}");
            assert_eq!(left.unsorted_rows + right.unsorted_rows, 0, "{cut}");
            assert!((left.bilinear + right.bilinear - whole.bilinear).abs() < 1e-12, "{cut}");
        }
    }

    #[test]
    fn faults_are_found() {
        assert_eq!(fault_of_offsets(&OFFSETS, 5), None);
        assert!(fault_of_offsets(&OFFSETS, 6).is_some_and(|fault| fault.contains("5 for 6 entries")));
        assert!(fault_of_offsets(&[0, 3, 2], 2).is_some_and(|fault| fault.contains("row 1")));
        assert!(fault_of_offsets(&[1, 1], 1).is_some());

        let right = sums(&OFFSETS, &weights(), 0, -1, &COLUMNS, &VALUES);
        let truth = Truth { bilinear: right.bilinear, scale: 15.0 };
        assert_eq!(right.fault(truth, 1e-9, true), None);
        assert_eq!(right.difference(&right, 1e-9), None);

        let mut values = VALUES;
        values[3] = 4.001;
        let off = sums(&OFFSETS, &weights(), 0, -1, &COLUMNS, &values);
        assert!(off.fault(truth, 1e-9, true).is_some() && off.difference(&right, 1e-9).is_some());
        assert!(off.difference(&right, 1e-3).is_none());
        values[3] = f64::NAN;
        let nan = sums(&OFFSETS, &weights(), 0, -1, &COLUMNS, &values);
        assert!(nan.fault(truth, 1e-3, true).is_some() && nan.difference(&right, 1e-3).is_some());

        let swapped = sums(&OFFSETS, &weights(), 0, -1, &[1, 3, 2, 0, 3], &[1.0, -2.0, 4.0, 3.0, -5.0]);
        assert_eq!(swapped.unsorted_rows, 1);
        assert!(swapped.fault(truth, 1e-9, true).is_some() && swapped.fault(truth, 1e-9, false).is_none());
        let elsewhere = sums(&OFFSETS, &weights(), 0, -1, &[1, 2, 0, 2, 3], &VALUES);
        assert!(elsewhere.difference(&right, 1e-9).is_some_and(|difference| difference.contains("pattern")));
    }
}
