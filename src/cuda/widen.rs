// SPDX-License-Identifier: MIT OR Apache-2.0
//! widen: values as the numbers that they are computed in. Kernels: `cuda/values/widen.cu`.

use super::kernels::{OceanWiden, ocean_widen};
use super::{Cuda, launched};
use crate::error::Result;
use crate::memory::Address;
use crate::scalar::ValueType;

/// See [`crate::backend::Backend::widen`]. O(count).
pub fn widen(on: &Cuda, [from_kind, to_kind]: [ValueType; 2], count: usize, from: Address, to: Address) -> Result<()> {
    // Complex numbers are two, whether they are widened or not.
    let (part, parts) = match from_kind {
        ValueType::C16 => (ValueType::F16, 2),
        ValueType::Cbf16 => (ValueType::Bf16, 2),
        real => (real, 1),
    };
    let params = OceanWiden {
        from: from.pointer(),
        to: to.pointer(),
        count: (parts * count) as i64,
        value_type: part.data_type(),
        into_complex: i32::from(to_kind.is_complex() && !from_kind.is_complex()),
    };
    let _current = on.context.enter()?;
    // SAFETY: the caller's values, and an array of the driver's for as many.
    launched("widen", unsafe { ocean_widen(&raw const params, on.stream.0) })
}
