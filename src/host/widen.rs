// SPDX-License-Identifier: MIT OR Apache-2.0
//! widen: values as the numbers that they are computed in.

use rayon::prelude::*;

use super::tasks::ROWS;
use crate::error::Result;
use crate::memory::{Address, Span};
use crate::scalar::{Stored, ValueType, with_computed, with_stored};

/// See [`crate::backend::Backend::widen`].
pub fn widen([from_kind, to_kind]: [ValueType; 2], count: usize, from: Address, to: Address) -> Result<()> {
    with_stored!(Some(from_kind), From => {
        with_computed!(Some(to_kind), To => {
            // SAFETY: the caller's values, which nobody writes now, and an array of the driver's, for as many.
            let (from, to) = unsafe { (Span::<From>::new(from, count).slice(), Span::<To>::new(to, count).slice_mut()) };
            to.par_iter_mut().zip(from).with_min_len(ROWS).for_each(|(to, from)| {
                let [real, imaginary] = from.parts();
                *to = To::nearest(real, imaginary);
            });
            Ok(())
        })
    })
}
