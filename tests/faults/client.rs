// SPDX-License-Identifier: MIT OR Apache-2.0
//! A caller that expects the worst: guard bands around all it owns, rubbish in buffers whose life is over, and outputs
//! compared with what they were before each call.

use std::ffi::{CStr, CString, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use ocean::csr::IndexType;
use ocean::ffi::oceanIndexBase_t::{self, OCEAN_INDEX_BASE_ONE, OCEAN_INDEX_BASE_ZERO};
use ocean::ffi::oceanIndexType_t::{self, OCEAN_INDEX_32I, OCEAN_INDEX_64I};
use ocean::ffi::oceanSpGEMMAlg_t::OCEAN_SPGEMM_DEFAULT;
use ocean::ffi::oceanStatus_t::OCEAN_STATUS_SUCCESS;
use ocean::ffi::*;

use super::cases::{Case, Matrix, Protocol};
use super::guarded::{DEAD, Guarded};
use super::heap;
use crate::support::check;

/// One call of a protocol.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    EstimateSize,
    Estimate,
    ComputeSize,
    Compute,
    Copy,
    Multiply,
    ReuseEstimateSize,
    ReuseEstimate,
    NnzSize,
    Nnz,
    ReuseCopySize,
    ReuseCopy,
    ReuseCompute,
}

/// What came of a call that failed.
#[derive(Debug, PartialEq)]
pub struct Failure {
    pub step: Step,
    pub status: oceanStatus_t,
    pub message: String,
}

/// What a caller can see of C, and the sizes that it was told.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    nnz: i64,
    arrays: [usize; 3],
    sizes: [usize; 6],
    contents: [Vec<u8>; 3],
}

struct Operand {
    arrays: [Guarded; 3],
    before: [Vec<u8>; 3],
    descr: oceanConstSpMatDescr_t,
}

impl Operand {
    fn new(matrix: &Matrix, case: &Case) -> Self {
        let before = [
            index_bytes(&matrix.offsets, case.indices[0], case.base),
            index_bytes(&matrix.columns, case.indices[1], case.base),
            matrix.values.clone(),
        ];
        let mut operand = Self { arrays: before.each_ref().map(|bytes| Guarded::of(bytes)), before, descr: null() };
        let [offsets, columns, values] = operand.arrays.each_ref().map(Guarded::pointer);
        let ([rows, cols], nnz) = (matrix.shape, matrix.columns.len() as i64);
        let [offset_type, column_type] = case.indices.map(index_type);
        // SAFETY: the arrays live as long as the descriptor.
        check(unsafe {
            let base = index_base(case.base);
            let kind = matrix.data_type;
            oceanCreateConstCsr(
                &mut operand.descr,
                rows,
                cols,
                nnz,
                offsets,
                columns,
                values,
                offset_type,
                column_type,
                base,
                kind,
            )
        });
        operand
    }

    #[track_caller]
    fn check(&self, what: &str) {
        for (array, before) in self.arrays.iter().zip(&self.before) {
            array.check(what);
            assert!(array.read() == *before, "{what}: an input was written");
        }
    }
}

impl Drop for Operand {
    fn drop(&mut self) {
        check(oceanDestroySpMat(self.descr));
    }
}

fn index_bytes(indices: &[i64], kind: IndexType, base: i64) -> Vec<u8> {
    let based = indices.iter().map(|index| index + base);
    match kind {
        IndexType::I32 => based.flat_map(|index| (index as i32).to_ne_bytes()).collect(),
        IndexType::I64 => based.flat_map(i64::to_ne_bytes).collect(),
    }
}

fn index_type(kind: IndexType) -> MaybeUninit<oceanIndexType_t> {
    MaybeUninit::new(if kind == IndexType::I32 { OCEAN_INDEX_32I } else { OCEAN_INDEX_64I })
}

fn index_base(base: i64) -> MaybeUninit<oceanIndexBase_t> {
    MaybeUninit::new(if base == 0 { OCEAN_INDEX_BASE_ZERO } else { OCEAN_INDEX_BASE_ONE })
}

/// A product of a case, somewhere on its way through the protocol.
pub struct Client<'a> {
    case: &'a Case,
    handle: oceanHandle_t,
    a: Operand,
    b: Operand,
    d: Option<Operand>,
    c: oceanSpMatDescr_t,
    c_arrays: [Guarded; 3],
    descr: oceanSpGEMMDescr_t,
    sizes: [usize; 6],
    buffers: [Option<Guarded>; 6],
    /// Steps that are done.
    done: usize,
}

impl<'a> Client<'a> {
    pub fn new(case: &'a Case, handle: oceanHandle_t) -> Self {
        let [rows, cols] = case.shape();
        let none = || Guarded::new(0, 0);
        let mut client = Self {
            case,
            handle,
            a: Operand::new(&case.a, case),
            b: Operand::new(&case.b, case),
            d: case.d.as_ref().map(|d| Operand::new(d, case)),
            c: null_mut(),
            c_arrays: [none(), none(), none()],
            descr: null_mut(),
            sizes: [0; 6],
            buffers: Default::default(),
            done: 0,
        };
        let [offset_type, column_type] = case.indices.map(index_type);
        // SAFETY: addresses of fields.
        unsafe {
            let (null, base, kind) = (null_mut(), index_base(case.base), case.a.data_type);
            check(oceanCreateCsr(&mut client.c, rows, cols, 0, null, null, null, offset_type, column_type, base, kind));
            check(oceanSpGEMM_createDescr(&mut client.descr));
            for (name, value) in case.options {
                let (name, value) = (CString::new(*name).unwrap(), CString::new(*value).unwrap());
                check(oceanSpGEMM_setOption(client.descr, name.as_ptr(), value.as_ptr()));
            }
        }
        client
    }

    /// Steps of the protocol; those that may be repeated are.
    fn steps(&self) -> &'static [Step] {
        use Step::*;
        match self.case.protocol {
            Protocol::Staged => &[EstimateSize, Estimate, ComputeSize, Compute, Copy, Compute, Copy],
            Protocol::OneCall => &[Multiply, Multiply],
            Protocol::Reuse => {
                &[ReuseEstimateSize, ReuseEstimate, NnzSize, Nnz, ReuseCopySize, ReuseCopy, ReuseCompute, ReuseCompute]
            }
        }
    }

    /// Makes all calls that are left, up to the first that fails. `untouched` says that one which does leaves the arrays
    /// of C as they were.
    pub fn run(&mut self, untouched: bool) -> Result<(), Failure> {
        while let Some(&step) = self.steps().get(self.done) {
            self.prepare(step);
            let before = self.seen();
            let status = self.call(step);
            let what = format!("{}, {step:?}", self.case.name);
            self.check(&what);
            if status != OCEAN_STATUS_SUCCESS {
                // SAFETY: the text lasts until this thread's next failing call.
                let message = unsafe { CStr::from_ptr(oceanGetLastErrorString()) }.to_string_lossy().into_owned();
                let after = self.seen();
                assert_eq!(
                    (after.nnz, after.arrays, after.sizes),
                    (before.nnz, before.arrays, before.sizes),
                    "{what}: {message}"
                );
                assert!(!untouched || after.contents == before.contents, "{what}: C was written: {message}");
                return Err(Failure { step, status, message });
            }
            self.done += 1;
            self.end_lives(step);
        }
        Ok(())
    }

    /// What the step needs of the caller.
    fn prepare(&mut self, step: Step) {
        let needed: &[usize] = match step {
            Step::Estimate | Step::ReuseEstimate => &[1],
            Step::Compute => &[2],
            Step::Nnz => &[2, 3, 4],
            Step::ReuseCopy => &[5],
            _ => &[],
        };
        for &at in needed {
            assert!(self.sizes[at] > 0, "no size is ever 0");
            self.buffers[at].get_or_insert_with(|| Guarded::new(self.sizes[at], 1));
        }
        if matches!(step, Step::Copy | Step::ReuseCopySize) {
            let nnz = self.seen().nnz as usize;
            let rows = self.case.shape()[0] as usize;
            let values = if self.case.a.values.is_empty() { 0 } else { self.case.scalars[0].len() };
            let [offset_type, column_type] = self.case.indices;
            let lengths = [(rows + 1) * offset_type.bytes(), nnz * column_type.bytes(), nnz * values];
            self.c_arrays = lengths.map(|bytes| Guarded::new(bytes, 0));
            let [offsets, columns, values] = self.c_arrays.each_ref().map(Guarded::pointer);
            check(oceanCsrSetPointers(self.c, offsets, columns, values));
        }
    }

    /// Buffers whose documented life ends with the step.
    fn end_lives(&mut self, step: Step) {
        let last = !self.steps()[self.done..].contains(&step);
        let over: &[usize] = match step {
            Step::Compute if last => &[1],
            Step::Copy => &[2],
            Step::Nnz => &[1, 2],
            Step::ReuseCopy => &[3],
            Step::ReuseCompute if last => &[4, 5],
            _ => &[],
        };
        for &at in over {
            if let Some(buffer) = &self.buffers[at] {
                buffer.fill(DEAD);
            }
        }
    }

    fn call(&mut self, step: Step) -> oceanStatus_t {
        let Self { case, handle, a, b, d, c, descr, sizes, buffers, .. } = self;
        let [op_a, op_b] = case.operations.map(MaybeUninit::new);
        let (a, b, d) = (a.descr, b.descr, d.as_ref().map_or(null(), |d| d.descr));
        let ([one, zero], kind) = (&case.scalars, case.a.data_type);
        let (alpha, beta): (*const c_void, *const c_void) = (one.as_ptr().cast(), zero.as_ptr().cast());
        let alg = MaybeUninit::new(OCEAN_SPGEMM_DEFAULT);
        let buffer = |at: usize| buffers[at].as_ref().map_or(null_mut(), Guarded::pointer);
        let null = null_mut();
        let (handle, c, descr) = (*handle, *c, *descr);
        let [_, s1, s2, s3, s4, s5] = sizes;
        macro_rules! plain {
            ($function:ident, $($rest:expr),*) => {
                $function(handle, op_a, op_b, alpha, a, b, beta, c, kind, alg, descr $(, $rest)*)
            };
        }
        macro_rules! reuse {
            ($function:ident, $($rest:expr),*) => { $function(handle, op_a, op_b, a, b, c, alg, descr, $($rest),*) };
        }
        // SAFETY: live descriptors, whose arrays and buffers are as long as they have to be.
        heap::within(|| unsafe {
            match step {
                Step::EstimateSize => plain!(oceanSpGEMM_workEstimation, s1, null),
                Step::Estimate => plain!(oceanSpGEMM_workEstimation, s1, buffer(1)),
                Step::ComputeSize => plain!(oceanSpGEMM_compute, s2, null),
                Step::Compute => plain!(oceanSpGEMM_compute, s2, buffer(2)),
                Step::Copy => plain!(oceanSpGEMM_copy,),
                // D is added once, so that it shows.
                Step::Multiply => oceanSpGEMM(handle, op_a, op_b, alpha, a, b, alpha, d, c, kind, alg),
                Step::ReuseEstimateSize => reuse!(oceanSpGEMMreuse_workEstimation, s1, null),
                Step::ReuseEstimate => reuse!(oceanSpGEMMreuse_workEstimation, s1, buffer(1)),
                Step::NnzSize => reuse!(oceanSpGEMMreuse_nnz, s2, null, s3, null, s4, null),
                Step::Nnz => reuse!(oceanSpGEMMreuse_nnz, s2, buffer(2), s3, buffer(3), s4, buffer(4)),
                Step::ReuseCopySize => reuse!(oceanSpGEMMreuse_copy, s5, null),
                Step::ReuseCopy => reuse!(oceanSpGEMMreuse_copy, s5, buffer(5)),
                Step::ReuseCompute => plain!(oceanSpGEMMreuse_compute,),
            }
        })
    }

    #[track_caller]
    pub fn check(&self, what: &str) {
        [Some(&self.a), Some(&self.b), self.d.as_ref()].into_iter().flatten().for_each(|operand| operand.check(what));
        self.c_arrays.iter().for_each(|array| array.check(what));
        self.buffers.iter().flatten().for_each(|buffer| buffer.check(what));
    }

    fn seen(&self) -> Seen {
        let (mut rows, mut cols, mut nnz, mut arrays) = (0, 0, 0, [null_mut(); 3]);
        let (mut kinds, mut base, mut kind) = ([OCEAN_INDEX_32I; 2], OCEAN_INDEX_BASE_ZERO, 0);
        let [offsets, columns, values] = &mut arrays;
        let [offset_type, column_type] = &mut kinds;
        // SAFETY: a live descriptor and addresses of locals.
        check(unsafe {
            oceanCsrGet(
                self.c,
                &mut rows,
                &mut cols,
                &mut nnz,
                offsets,
                columns,
                values,
                offset_type,
                column_type,
                &mut base,
                &mut kind,
            )
        });
        let lengths = [
            (rows as usize + 1) * self.case.indices[0].bytes(),
            nnz as usize * self.case.indices[1].bytes(),
            nnz as usize * self.case.scalars[0].len(),
        ];
        let mut contents = arrays.iter().zip(lengths).map(|(&array, len)| {
            let is_there = !array.is_null();
            // SAFETY: arrays of C are as long as its nnz says, and all their bytes were written.
            if is_there { unsafe { std::slice::from_raw_parts(array.cast::<u8>(), len) }.to_vec() } else { vec![] }
        });
        let contents = [contents.next().unwrap(), contents.next().unwrap(), contents.next().unwrap()];
        Seen { nnz, arrays: arrays.map(|array| array as usize), sizes: self.sizes, contents }
    }

    /// C, once all steps are done.
    pub fn result(&self) -> Matrix {
        let Seen { contents: [offsets, columns, values], .. } = self.seen();
        let numbers = |bytes: &[u8], kind: IndexType| -> Vec<i64> {
            let based: Vec<i64> = match kind {
                IndexType::I32 => bytes.as_chunks().0.iter().map(|&n| i32::from_ne_bytes(n).into()).collect(),
                IndexType::I64 => bytes.as_chunks().0.iter().map(|&n| i64::from_ne_bytes(n)).collect(),
            };
            based.into_iter().map(|index| index - self.case.base).collect()
        };
        Matrix {
            shape: self.case.shape(),
            offsets: numbers(&offsets, self.case.indices[0]),
            columns: numbers(&columns, self.case.indices[1]),
            values,
            data_type: self.case.a.data_type,
        }
    }
}

impl Drop for Client<'_> {
    fn drop(&mut self) {
        check(oceanSpGEMM_destroyDescr(self.descr));
        check(oceanDestroySpMat(self.c));
    }
}
