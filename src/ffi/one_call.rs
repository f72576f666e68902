// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one-call form.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use super::arguments::Call;
use super::guard::guard;
use super::objects::lock;
use super::types::{
    oceanConstSpMatDescr_t, oceanDataType_t, oceanHandle_t, oceanOperation_t, oceanSpGEMMAlg_t, oceanSpMatDescr_t,
    oceanStatus_t,
};
use crate::backend::Scalars;
use crate::csr::Csr;
use crate::error::Error;
use crate::memory::Address;
use crate::spgemm::{Options, multiply, multiply_add};

/// C = alpha * op(A) * op(B) + beta * D in one call, which allocates C's arrays with the handle's allocator, at their exact size.
///
/// The arrays belong to matC: oceanCsrGet tells where they are, and they go back to the allocator by
/// oceanDestroySpMat, by oceanCsrSetPointers, or by the next oceanSpGEMM into matC, in stream order. Waits for the
/// device. Without values in A and B, C gets none either. Cost: O(products); no buffer as large as C is needed unless the
/// plan works with estimates or bounds.
///
/// Every entry of the product and every entry of D is one of C, whatever beta is: alpha * sum + beta * d where both have
/// one, rounded as the type computes. D may be unsorted; its repeats are added one by one. That takes a sort of both, and
/// from the handle's allocator, for a while, 44 bytes and two values for each of their entries.
///
/// @param[in]     handle       where to compute.
/// @param[in]     opA, opB     any; a factor is transposed into memory of the handle's allocator for the time of the call.
/// @param[in]     alpha        one value of computeType.
/// @param[in]     matA, matB   op(A) is m x k and op(B) is k x n, both with values or both without.
/// @param[in]     beta         one value of computeType; may be NULL while matD is NULL.
/// @param[in]     matD         m x n, of matC's type, with values if A and B have some; or NULL. May be matC.
/// @param[in,out] matC         m x n, with NULL arrays or those of an earlier call; on success its nnz and arrays are new.
/// @param[in]     computeType  the type of C's values, or what 16-bit ones are computed in.
/// @param[in]     alg          any.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, shapes that do not fit, broken matrices, or a matC with
///         arrays of the caller; NOT_SUPPORTED by name; ALLOC_FAILED; INSUFFICIENT_RESOURCES if C's row offsets
///         can't count its entries. On failure matC is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpGEMM(
    handle: oceanHandle_t,
    opA: MaybeUninit<oceanOperation_t>,
    opB: MaybeUninit<oceanOperation_t>,
    alpha: *const c_void,
    matA: oceanConstSpMatDescr_t,
    matB: oceanConstSpMatDescr_t,
    beta: *const c_void,
    matD: oceanConstSpMatDescr_t,
    matC: oceanSpMatDescr_t,
    computeType: oceanDataType_t,
    alg: MaybeUninit<oceanSpGEMMAlg_t>,
) -> oceanStatus_t {
    guard(|| {
        let call = Call::new(handle, [opA, opB], [matA, matB], matC, alg)?;
        let d = if matD.is_null() { None } else { Some(call.addend(matD)?) };
        // Without D there is nothing for beta to scale.
        let stand_in = if d.is_none() && beta.is_null() { alpha } else { beta };
        let scalars = call.scalars(alpha, stand_in, computeType)?;
        let values = call.has_values()?;
        let arrays = [call.c.offsets, call.c.columns, call.c.values];
        if lock(call.c_object()).owned.is_none() && arrays.iter().any(|array| !array.is_null()) {
            return Err(Error::invalid(
                "matC",
                "has arrays of its own: create it with NULL arrays, they are allocated here",
            ));
        }
        let fresh = Csr { nnz: 0, ..call.c };
        let (place, operands, options) = (call.place(), &call.operands, Options::default());
        let owned = match d.filter(|d| d.nnz > 0) {
            None => multiply(place, operands, &fresh, &Scalars { beta: Address::NULL, ..scalars }, &options)?,
            Some(d) if d.values.is_null() == values && !operands.no_product() => {
                let problem = if values {
                    "NULL values, but matA and matB have some"
                } else {
                    "values, but matA and matB have none"
                };
                return Err(Error::invalid("matD", format!("has {problem}")));
            }
            Some(d) => multiply_add(place, operands, &d, &fresh, &scalars, &options)?,
        };
        let mut c = lock(call.c_object());
        c.csr = owned.in_matrix(&fresh);
        c.owned = Some(owned);
        Ok(())
    })
}
