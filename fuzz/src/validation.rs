// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks of CSR arrays that hold anything: accepted exactly where the rules of CSR are kept, and a product of arrays
//! that break them is refused, not computed.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use ocean::csr::OwnedCsr;
use ocean::ffi::oceanBackend_t::OCEAN_BACKEND_HOST;
use ocean::ffi::oceanCheckLevel_t::{OCEAN_CHECK_CANONICAL, OCEAN_CHECK_STRUCTURE};
use ocean::ffi::oceanIndexBase_t::{OCEAN_INDEX_BASE_ONE, OCEAN_INDEX_BASE_ZERO};
use ocean::ffi::oceanIndexType_t::{OCEAN_INDEX_32I, OCEAN_INDEX_64I};
use ocean::ffi::oceanOperation_t::OCEAN_OPERATION_NON_TRANSPOSE;
use ocean::ffi::oceanSpGEMMAlg_t::OCEAN_SPGEMM_DEFAULT;
use ocean::ffi::oceanStatus_t::{OCEAN_STATUS_INVALID_VALUE, OCEAN_STATUS_SUCCESS};
use ocean::ffi::*;

use super::input::Input;
use super::support::check;

const CUDA_R_64F: i32 = 1;

/// Indices of either width.
struct Indices {
    narrow: Option<Vec<i32>>,
    wide: Vec<i64>,
}

impl Indices {
    /// Where they are to be narrow, what they hold is cut to 32 bits.
    fn new(wide: Vec<i64>, narrow: bool) -> Self {
        let narrow = narrow.then(|| wide.iter().map(|&index| index as i32).collect::<Vec<i32>>());
        let wide = narrow.as_ref().map_or(wide, |narrow| narrow.iter().map(|&index| index.into()).collect());
        Self { narrow, wide }
    }

    fn pointer(&self) -> *const c_void {
        self.narrow.as_ref().map_or(self.wide.as_ptr().cast(), |narrow| narrow.as_ptr().cast())
    }

    fn kind(&self) -> MaybeUninit<oceanIndexType_t> {
        MaybeUninit::new(if self.narrow.is_some() { OCEAN_INDEX_32I } else { OCEAN_INDEX_64I })
    }
}

/// Bytes become the arrays of a matrix: some by the rules, some nearly, some not at all.
pub fn run(bytes: &[u8]) {
    let input = &mut Input::new(bytes);
    let (rows, cols, base) = (input.below(12), input.below(12), input.below(2) as i64);
    let mut offsets = vec![base];
    for row in 0..rows {
        offsets.push(offsets[row] + input.below(6) as i64);
    }
    let spans = (offsets[rows] - base) as usize;
    let nnz = if input.rarely(8) { input.below(40) } else { spans };
    let mut columns: Vec<i64> = (0..nnz).map(|_| base + input.below(cols.max(1)) as i64).collect();
    for _ in 0..input.below(4) {
        let wrong = if input.flag() { input.number() } else { input.below(40) as i64 - 10 };
        let array = if input.flag() || columns.is_empty() { &mut offsets } else { &mut columns };
        let at = input.below(array.len());
        array[at] = wrong;
    }
    let values = vec![1.0f64; nnz];
    let (offsets, columns) = (Indices::new(offsets, input.flag()), Indices::new(columns, input.flag()));

    let plain = |indices: &Indices| -> Vec<i64> { indices.wide.iter().map(|&i| i.wrapping_sub(base)).collect() };
    let narrow = |column: i64| i32::try_from(column).unwrap_or(-1);
    let shifted = plain(&columns);
    let owned = OwnedCsr::new(
        rows,
        cols,
        plain(&offsets),
        shifted.iter().map(|&column| narrow(column)).collect(),
        values.clone(),
    );
    let ascending =
        |csr: &OwnedCsr<f64>| (0..rows).all(|row| csr.columns[csr.row(row)].is_sorted_by(|one, other| one < other));
    let canonical = owned.as_ref().is_ok_and(ascending);

    let (mut handle, mut matrix, mut square, mut c) = (null_mut(), null(), null(), null_mut());
    // SAFETY: addresses of locals, and arrays as long as declared that outlive the descriptors.
    unsafe {
        check(oceanCreateWithBackend(&mut handle, MaybeUninit::new(OCEAN_BACKEND_HOST)));
        let one = if base == 0 { OCEAN_INDEX_BASE_ZERO } else { OCEAN_INDEX_BASE_ONE };
        let one = MaybeUninit::new(one);
        let [rows, cols, nnz] = [rows, cols, nnz].map(|size| size as i64);
        let (o, c_, v) = (offsets.pointer(), columns.pointer(), values.as_ptr().cast());
        let kinds = (offsets.kind(), columns.kind());
        check(oceanCreateConstCsr(&mut matrix, rows, cols, nnz, o, c_, v, kinds.0, kinds.1, one, CUDA_R_64F));
        // The identity on its right.
        let line: Vec<i64> = (0..=cols).collect();
        let ones = vec![1.0f64; line.len()];
        let wide = MaybeUninit::new(OCEAN_INDEX_64I);
        let (o, v) = (line.as_ptr().cast(), ones.as_ptr().cast());
        let zero = MaybeUninit::new(OCEAN_INDEX_BASE_ZERO);
        check(oceanCreateConstCsr(&mut square, cols, cols, cols, o, o, v, wide, wide, zero, CUDA_R_64F));
        let no = null_mut();
        check(oceanCreateCsr(&mut c, rows, cols, 0, no, no, no, wide, wide, zero, CUDA_R_64F));

        for (level, good) in [(OCEAN_CHECK_STRUCTURE, owned.is_ok()), (OCEAN_CHECK_CANONICAL, canonical)] {
            let status = oceanSpMatCheck(handle, matrix, MaybeUninit::new(level));
            let want = if good { OCEAN_STATUS_SUCCESS } else { OCEAN_STATUS_INVALID_VALUE };
            assert_eq!(status, want, "{level:?}: offsets {:?}, columns {shifted:?}", offsets.wide);
        }
        let one = (&raw const ones[0]).cast();
        let none = MaybeUninit::new(OCEAN_OPERATION_NON_TRANSPOSE);
        let alg = MaybeUninit::new(OCEAN_SPGEMM_DEFAULT);
        let status = oceanSpGEMM(handle, none, none, one, matrix, square, one, null(), c, CUDA_R_64F, alg);
        // Fewer entries than declared are fine in a product, and so are any arrays where no product is.
        let may = [OCEAN_STATUS_SUCCESS, OCEAN_STATUS_INVALID_VALUE];
        assert!(if owned.is_ok() { status == may[0] } else { may.contains(&status) }, "{status:?}");
        check(oceanDestroySpMat(c));
        check(oceanDestroySpMat(square));
        check(oceanDestroySpMat(matrix));
        check(oceanDestroy(handle));
    }
}
