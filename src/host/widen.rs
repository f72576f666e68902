// SPDX-License-Identifier: MIT OR Apache-2.0
//! widen: 16-bit values as the numbers that they are computed in.

use rayon::prelude::*;

use super::tasks::ROWS;
use crate::error::Result;
use crate::memory::{Address, Span};
use crate::scalar::{Stored, ValueType, with_stored};

/// See [`crate::backend::Backend::widen`].
pub fn widen(kind: ValueType, count: usize, from: Address, to: Address) -> Result<()> {
    with_stored!(Some(kind), V => {
        // SAFETY: the caller's values, which nobody writes now, and an array of the driver's, for as many.
        let (from, to) = unsafe {
            let to = Span::<<V as Stored>::Computed>::new(to, count).slice_mut();
            (Span::<V>::new(from, count).slice(), to)
        };
        to.par_iter_mut().zip(from).with_min_len(ROWS).for_each(|(to, from)| *to = from.widened());
        Ok(())
    })
}
