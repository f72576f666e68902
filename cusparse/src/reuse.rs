// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reuse protocol: workEstimation, nnz, copy, and compute as often as wanted.

use std::ffi::c_int;

use crate::statistics::{self, stated};
use crate::steps::{A, B, Buffer, C, FirstAddress, FirstSize, Handle, NewC, Product, Scalar, Size, steps};

steps! {
    first cusparseSpGEMMreuse_workEstimation, oceanSpGEMMreuse_workEstimation(
        handle: Handle, op_a: c_int, op_b: c_int, a: A, b: B, c: C, alg: c_int, product: Product, size1: FirstSize,
        buffer1: FirstAddress,
    ) => |_| {};
    later cusparseSpGEMMreuse_nnz, oceanSpGEMMreuse_nnz(
        handle: Handle, op_a: c_int, op_b: c_int, a: A, b: B, c: NewC, alg: c_int, product: Product, size2: Size,
        buffer2: Buffer, size3: Size, buffer3: Buffer, size4: Size, buffer4: Buffer,
    ) => |call| if !buffer4.is_null() { statistics::counted(call, stated(size2) + stated(size3) + stated(size4)) };
    later cusparseSpGEMMreuse_copy, oceanSpGEMMreuse_copy(
        handle: Handle, op_a: c_int, op_b: c_int, a: A, b: B, c: C, alg: c_int, product: Product, size5: Size,
        buffer5: Buffer,
    ) => |_| {};
    later cusparseSpGEMMreuse_compute, oceanSpGEMMreuse_compute(
        handle: Handle, op_a: c_int, op_b: c_int, alpha: Scalar, a: A, b: B, beta: Scalar, c: C, kind: c_int, alg: c_int,
        product: Product,
    ) => |_| statistics::served();
}
