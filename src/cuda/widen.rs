// SPDX-License-Identifier: MIT OR Apache-2.0
//! widen: 16-bit values as the numbers that they are computed in. Kernels: `cuda/values/widen.cu`.

use super::kernels::{OceanWiden, ocean_widen};
use super::{Cuda, launched};
use crate::error::{Error, Result};
use crate::memory::Address;
use crate::scalar::ValueType;

/// See [`crate::backend::Backend::widen`]. O(count).
pub fn widen(on: &Cuda, kind: ValueType, count: usize, from: Address, to: Address) -> Result<()> {
    let (part, parts) = match kind {
        ValueType::F16 | ValueType::Bf16 => (kind, 1),
        ValueType::C16 => (ValueType::F16, 2),
        ValueType::Cbf16 => (ValueType::Bf16, 2),
        wide => return Err(Error::Internal(format!("values of type {wide:?} are wide"))),
    };
    let params = OceanWiden {
        from: from.pointer(),
        to: to.pointer(),
        count: (parts * count) as i64,
        value_type: part.data_type(),
    };
    let _current = on.context.enter()?;
    // SAFETY: the caller's values, and an array of the driver's for as many.
    launched("widen", unsafe { ocean_widen(&raw const params, on.stream.0) })
}
