// SPDX-License-Identifier: MIT OR Apache-2.0
//! The products that are made to fail: every protocol and workflow, and all that makes the library copy its input.

use ocean::csr::{IndexType, OwnedCsr};
use ocean::ffi::oceanOperation_t::{self, *};
use ocean::reference;
use ocean::scalar::{Complex, Stored, f16};

use crate::support::matrices::{Random, from_rows, full, messy, random, skewed};
use crate::support::{Indices, NARROW, Options};

/// A matrix whose type of values is not the compiler's business.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    pub shape: [i64; 2],
    pub offsets: Vec<i64>,
    pub columns: Vec<i64>,
    pub values: Vec<u8>,
    pub data_type: i32,
}

impl<V: Stored> From<&OwnedCsr<V>> for Matrix {
    fn from(csr: &OwnedCsr<V>) -> Self {
        Self {
            shape: [csr.rows as i64, csr.cols as i64],
            offsets: csr.offsets.clone(),
            columns: csr.columns.iter().map(|&column| column.into()).collect(),
            values: bytes_of(&csr.values),
            data_type: V::TYPE.data_type(),
        }
    }
}

fn bytes_of<V: Stored>(values: &[V]) -> Vec<u8> {
    // SAFETY: stored values are one or two numbers of one width: plain bytes without padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }.to_vec()
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Protocol {
    Staged,
    OneCall,
    Reuse,
}

pub struct Case {
    pub name: &'static str,
    pub protocol: Protocol,
    pub a: Matrix,
    pub b: Matrix,
    pub d: Option<Matrix>,
    pub operations: [oceanOperation_t; 2],
    pub options: Options<'static>,
    pub indices: Indices,
    pub base: i64,
    /// 1 and 0 of the values' type.
    pub scalars: [Vec<u8>; 2],
    /// What the reference says; none for sums, which have a test of their own.
    pub want: Option<Matrix>,
}

impl Case {
    fn new<V: Stored>(name: &'static str, protocol: Protocol, a: &OwnedCsr<V>, b: &OwnedCsr<V>) -> Self {
        Self {
            name,
            protocol,
            a: a.into(),
            b: b.into(),
            d: None,
            operations: [OCEAN_OPERATION_NON_TRANSPOSE; 2],
            options: &[],
            indices: NARROW,
            base: 0,
            scalars: [1.0, 0.0].map(|number| bytes_of(&[V::nearest(number, 0.0)])),
            want: Some((&reference::multiply(a, b)).into()),
        }
    }

    fn with(self, options: Options<'static>) -> Self {
        Self { options, ..self }
    }

    /// 64-bit indices from 1.
    fn wide(self) -> Self {
        Self { indices: [IndexType::I64; 2], base: 1, ..self }
    }

    fn pattern(mut self) -> Self {
        let matrices = [Some(&mut self.a), Some(&mut self.b), self.want.as_mut()];
        matrices.into_iter().flatten().for_each(|matrix| matrix.values.clear());
        self
    }

    fn plus<V: Stored>(self, d: &OwnedCsr<V>) -> Self {
        Self { d: Some(d.into()), want: None, ..self }
    }

    /// opA(A) * opB(B), of matrices that are stored transposed.
    fn under(self, operations: [oceanOperation_t; 2]) -> Self {
        Self { operations, ..self }
    }

    /// Shape of C.
    pub fn shape(&self) -> [i64; 2] {
        let plain = |at: usize| self.operations[at] == OCEAN_OPERATION_NON_TRANSPOSE;
        [self.a.shape[usize::from(!plain(0))], self.b.shape[usize::from(plain(1))]]
    }
}

/// Estimates that every row outgrows by far, also past the reserve.
const OVERFLOWING: Options<'_> = &[("workflow", "estimate"), ("registers", "16"), ("coefficient", "0.01")];

fn transposed_case(name: &'static str, protocol: Protocol) -> Case {
    let (a, b) = (messy::<Complex<f32>>(30, 40, 5, 61), messy::<Complex<f32>>(20, 30, 6, 62));
    let product = reference::multiply(&reference::transposed(&a, false), &reference::transposed(&b, true));
    let case = Case::new(name, protocol, &a, &random(40, 1, 0, 0));
    Case { b: (&b).into(), want: Some((&product).into()), ..case }
        .under([OCEAN_OPERATION_TRANSPOSE, OCEAN_OPERATION_CONJUGATE_TRANSPOSE])
}

pub fn all() -> Vec<Case> {
    use Protocol::{OneCall, Reuse, Staged};
    let (a, b) = (random::<f64>(40, 60, 6, 1), random::<f64>(60, 50, 5, 2));
    let (half_a, half_b) = (random::<f16>(30, 40, 6, 3), messy::<f16>(40, 50, 5, 4));
    let (rough_a, rough_b) = (messy::<f32>(30, 40, 6, 5), messy::<f32>(40, 30, 7, 6));
    let (dense_a, dense_b) = (random::<f64>(12, 20, 8, 7), random::<f64>(20, 100, 25, 8));
    let (full_a, full_b) = (full::<f64>(20, 20, 9), full::<f64>(20, 20, 10));
    let complex = |seed| messy::<Complex<f64>>(25, 25, 4, seed);
    vec![
        Case::new("staged", Staged, &a, &b),
        Case::new("staged, upper bound", Staged, &a, &b).with(&[("workflow", "upper_bound")]),
        Case::new("staged, exact, unsorted, checked", Staged, &rough_a, &rough_b)
            .with(&[("workflow", "exact"), ("check", "full")]),
        Case::new("staged, rows outgrow their estimates", Staged, &dense_a, &dense_b).with(OVERFLOWING),
        Case::new("staged, 16 bits, 64-bit indices, unsorted", Staged, &half_a, &half_b).wide(),
        Case::new("staged, patterns", Staged, &rough_a, &rough_b).pattern(),
        Case::new("staged, no rows", Staged, &random::<f64>(0, 9, 1, 1), &random(9, 5, 2, 2)),
        transposed_case("staged, A^T * B^H", Staged),
        Case::new("reuse", Reuse, &a, &b),
        Case::new("reuse, 16 bits, 64-bit indices, unsorted", Reuse, &half_a, &half_b).wide(),
        Case::new("reuse, patterns", Reuse, &rough_a, &rough_b).pattern(),
        transposed_case("reuse, A^T * B^H", Reuse),
        Case::new("one call", OneCall, &a, &b),
        Case::new("one call, estimated", OneCall, &full_a, &full_b),
        Case::new("one call, 16 bits, 64-bit indices, unsorted", OneCall, &half_a, &half_b).wide(),
        Case::new("one call, patterns", OneCall, &rough_a, &rough_b).pattern(),
        Case::new("one call, D", OneCall, &complex(11), &complex(12)).plus(&complex(13)),
        Case::new("one call, 16 bits, D, 64-bit indices", OneCall, &half_a, &half_b)
            .plus(&messy::<f16>(30, 50, 9, 14))
            .wide(),
        transposed_case("one call, A^T * B^H", OneCall),
        Case::new("one call, nothing meets", OneCall, &random::<f64>(20, 20, 0, 1), &random(20, 20, 3, 2)),
    ]
}

/// Those whose rows are spread over many blocks, or many rows alike.
pub fn long() -> Vec<Case> {
    let row = from_rows::<f64>(3_000, [(0..3_000).collect()], &mut Random(21));
    let skewed = skewed::<f64>(9, 6_000, 22);
    vec![
        Case::new("one call, one long row", Protocol::OneCall, &row, &random(3_000, 5_000, 3, 23)),
        Case::new("staged, skewed", Protocol::Staged, &skewed, &skewed).with(OVERFLOWING),
        Case::new("reuse, skewed", Protocol::Reuse, &skewed, &skewed),
    ]
}

/// Those in which nothing that grows with the matrices is small.
pub fn large() -> Vec<Case> {
    use Protocol::{OneCall, Reuse, Staged};
    let (a, b) = (random::<f64>(5_000, 5_000, 2, 31), random::<f64>(5_000, 40_000, 2, 32));
    let rough = messy::<f64>(5_000, 5_000, 2, 33);
    let dense = random::<f64>(5_000, 600, 12, 34);
    let wide = random::<f64>(600, 40_000, 12, 35);
    let transposed = |case: Case, of: &OwnedCsr<f64>| Case {
        want: Some((&reference::multiply(&reference::transposed(of, false), of)).into()),
        ..case.under([OCEAN_OPERATION_TRANSPOSE, OCEAN_OPERATION_NON_TRANSPOSE])
    };
    vec![
        Case::new("staged", Staged, &a, &b),
        Case::new("staged, exact", Staged, &a, &b).with(&[("workflow", "exact"), ("check", "full")]),
        Case::new("staged, hash", Staged, &dense, &wide).with(&[("workflow", "exact"), ("accumulator", "hash")]),
        Case::new("staged, rows outgrow their estimates", Staged, &dense, &wide).with(OVERFLOWING),
        Case::new("reuse", Reuse, &a, &rough),
        Case::new("one call, D", OneCall, &rough, &rough).plus(&rough),
        transposed(Case::new("one call, A^T * A", OneCall, &rough, &rough), &rough),
    ]
}
