// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plain protocol: workEstimation, estimateMemory, compute, copy.

use std::ffi::c_int;

use crate::statistics::{self, stated};
use crate::steps::{A, B, Buffer, C, FirstAddress, FirstSize, Handle, NewC, Product, Scalar, Size, steps};

steps! {
    first cusparseSpGEMM_workEstimation, oceanSpGEMM_workEstimation(
        handle: Handle, op_a: c_int, op_b: c_int, alpha: Scalar, a: A, b: B, beta: Scalar, c: C, kind: c_int, alg: c_int,
        product: Product, size1: FirstSize, buffer1: FirstAddress,
    ) => |_| {};
    later cusparseSpGEMM_estimateMemory, oceanSpGEMM_estimateMemory(
        handle: Handle, op_a: c_int, op_b: c_int, alpha: Scalar, a: A, b: B, beta: Scalar, c: C, kind: c_int, alg: c_int,
        product: Product, chunk_fraction: f32, size3: Size, buffer3: Buffer, size2: Size,
    ) => |call| call.notes.chunk_fraction = chunk_fraction;
    later cusparseSpGEMM_compute, oceanSpGEMM_compute(
        handle: Handle, op_a: c_int, op_b: c_int, alpha: Scalar, a: A, b: B, beta: Scalar, c: NewC, kind: c_int,
        alg: c_int, product: Product, size2: Size, buffer2: Buffer,
    ) => |call| if !buffer2.is_null() { statistics::computed(call, alg, stated(size2)) };
    later cusparseSpGEMM_copy, oceanSpGEMM_copy(
        handle: Handle, op_a: c_int, op_b: c_int, alpha: Scalar, a: A, b: B, beta: Scalar, c: C, kind: c_int, alg: c_int,
        product: Product,
    ) => |_| {};
}
