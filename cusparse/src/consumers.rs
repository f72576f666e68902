// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of the real library that take a sparse matrix, all from one table. Prototypes are those of cusparse.h up to
//! version 12.9; a program calls only those that its own cuSPARSE has.

use std::ffi::{c_int, c_void};

use crate::arguments::{In, Out};
use crate::guard::guard;
use crate::types::Status;

/// Handles, scalars, dense operands, buffers and whatever else is passed on as it is.
type Pointer = *mut c_void;
/// An enum.
type Enum = c_int;

macro_rules! consumers {
    ($($name:ident($($argument:ident: $kind:ty),* $(,)?);)*) => {
        mod pass {
            use super::*;
            crate::arguments::pass_on! { $($name($($argument: $kind),*);)* }
        }

        $(
            /// cuSPARSE's.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($argument: $kind),*) -> Status {
                // SAFETY: the arguments go on as they came.
                guard(|| unsafe { pass::$name($($argument),*) })
            }
        )*
    };
}

#[rustfmt::skip] // a table reads by line
consumers! {
    cusparseSparseToDense_bufferSize(handle: Pointer, a: In, b: Pointer, alg: Enum, size: Pointer);
    cusparseSparseToDense(handle: Pointer, a: In, b: Pointer, alg: Enum, buffer: Pointer);
    cusparseDenseToSparse_analysis(handle: Pointer, a: Pointer, b: Out, alg: Enum, buffer: Pointer);

    cusparseSpMV_bufferSize(handle: Pointer, op: Enum, alpha: Pointer, a: In, x: Pointer, beta: Pointer, y: Pointer, kind: Enum, alg: Enum, size: Pointer);
    cusparseSpMV_preprocess(handle: Pointer, op: Enum, alpha: Pointer, a: In, x: Pointer, beta: Pointer, y: Pointer, kind: Enum, alg: Enum, buffer: Pointer);
    cusparseSpMV(handle: Pointer, op: Enum, alpha: Pointer, a: In, x: Pointer, beta: Pointer, y: Pointer, kind: Enum, alg: Enum, buffer: Pointer);
    cusparseSpMVGeneric_bufferSize(handle: Pointer, alpha: Pointer, a: In, x: Pointer, beta: Pointer, y: Pointer, z: Pointer, kind: Enum, descr: Pointer, size: Pointer);
    cusparseSpMVGeneric_preprocess(handle: Pointer, alpha: Pointer, a: In, x: Pointer, beta: Pointer, y: Pointer, z: Pointer, kind: Enum, descr: Pointer);
    cusparseSpMVGeneric(handle: Pointer, alpha: Pointer, a: In, x: Pointer, beta: Pointer, y: Pointer, z: Pointer, kind: Enum, descr: Pointer);
    cusparseSpMVOp_bufferSize(handle: Pointer, op: Enum, a: In, x: Pointer, y: Pointer, z: Pointer, kind: Enum, alg: Enum, size: Pointer);
    cusparseSpMVOp_createDescr(handle: Pointer, descr: Pointer, op: Enum, a: In, x: Pointer, y: Pointer, z: Pointer, kind: Enum, alg: Enum, buffer: Pointer);

    cusparseSpSV_bufferSize(handle: Pointer, op: Enum, alpha: Pointer, a: In, x: Pointer, y: Pointer, kind: Enum, alg: Enum, descr: Pointer, size: Pointer);
    cusparseSpSV_analysis(handle: Pointer, op: Enum, alpha: Pointer, a: In, x: Pointer, y: Pointer, kind: Enum, alg: Enum, descr: Pointer, buffer: Pointer);
    cusparseSpSV_solve(handle: Pointer, op: Enum, alpha: Pointer, a: In, x: Pointer, y: Pointer, kind: Enum, alg: Enum, descr: Pointer);
    cusparseSpSM_bufferSize(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: In, b: Pointer, c: Pointer, kind: Enum, alg: Enum, descr: Pointer, size: Pointer);
    cusparseSpSM_analysis(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: In, b: Pointer, c: Pointer, kind: Enum, alg: Enum, descr: Pointer, buffer: Pointer);
    cusparseSpSM_solve(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: In, b: Pointer, c: Pointer, kind: Enum, alg: Enum, descr: Pointer);

    cusparseSpMM_bufferSize(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: In, b: Pointer, beta: Pointer, c: Pointer, kind: Enum, alg: Enum, size: Pointer);
    cusparseSpMM_preprocess(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: In, b: Pointer, beta: Pointer, c: Pointer, kind: Enum, alg: Enum, buffer: Pointer);
    cusparseSpMM(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: In, b: Pointer, beta: Pointer, c: Pointer, kind: Enum, alg: Enum, buffer: Pointer);
    cusparseSpMMOp_createPlan(handle: Pointer, plan: Pointer, op_a: Enum, op_b: Enum, a: In, b: Pointer, c: Pointer, kind: Enum, alg: Enum, add: Pointer, add_bytes: usize, mul: Pointer, mul_bytes: usize, epilogue: Pointer, epilogue_bytes: usize, size: Pointer);

    cusparseSDDMM_bufferSize(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: Pointer, b: Pointer, beta: Pointer, c: In, kind: Enum, alg: Enum, size: Pointer);
    cusparseSDDMM_preprocess(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: Pointer, b: Pointer, beta: Pointer, c: In, kind: Enum, alg: Enum, buffer: Pointer);
    cusparseSDDMM(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: Pointer, b: Pointer, beta: Pointer, c: In, kind: Enum, alg: Enum, buffer: Pointer);

    cusparseSpGEAM_bufferSize(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: In, beta: Pointer, b: In, c: Pointer, kind: Enum, alg: Enum, descr: Pointer, size: Pointer);
    cusparseSpGEAM_nnz(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: In, beta: Pointer, b: In, c: Out, kind: Enum, alg: Enum, descr: Pointer, buffer: Pointer);
    cusparseSpGEAM(handle: Pointer, op_a: Enum, op_b: Enum, alpha: Pointer, a: In, beta: Pointer, b: In, c: In, kind: Enum, alg: Enum, descr: Pointer, buffer: Pointer);
    cusparseSpMatConvert_bufferSize(handle: Pointer, op: Enum, from: In, to: Pointer, action: Enum, alg: Enum, descr: Pointer, size: Pointer);
    cusparseSpMatConvert_analysis(handle: Pointer, op: Enum, from: In, to: Out, action: Enum, alg: Enum, descr: Pointer, buffer: Pointer);
    cusparseSpMatConvert(handle: Pointer, op: Enum, from: In, to: In, action: Enum, alg: Enum, descr: Pointer, buffer: Pointer);
}
