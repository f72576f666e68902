// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments on their way to the real library: a sparse matrix that it reads is replaced by its shadow, one that it
//! makes is the real library's own from then on.

use std::ffi::c_int;

use crate::matrices;
use crate::types::{Matrix, Status};

/// An argument of a function of the real library.
pub trait Argument: Copy {
    /// What the real library gets.
    fn passed(self) -> Result<Self, Status> {
        Ok(self)
    }

    /// The function has succeeded.
    fn taken(self) {}
}

/// A sparse matrix whose pattern the function reads; it may write values.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct In(pub Matrix);

/// A sparse matrix whose number of entries the function sets.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Out(pub Matrix);

impl Argument for In {
    fn passed(self) -> Result<Self, Status> {
        matrices::readable(self.0).map(Self)
    }
}

impl Argument for Out {
    fn taken(self) {
        matrices::forget_product(self.0);
    }
}

impl<T> Argument for *mut T {}
impl<T> Argument for *const T {}
impl Argument for c_int {}
impl Argument for usize {}
impl Argument for f32 {}

/// Defines functions of these names that call the real library's with what it is to get.
macro_rules! pass_on {
    ($($name:ident($($argument:ident: $kind:ty),* $(,)?);)*) => {
        use $crate::arguments::Argument;

        mod real {
            use super::*;
            $crate::real::real_functions! { $($name($($argument: $kind),*);)* }
        }

        $(
            /// The real library's, with shadows in place of matrices.
            ///
            /// # Safety
            /// As cuSPARSE asks.
            pub unsafe fn $name($($argument: $kind),*) -> $crate::guard::Answer {
                // SAFETY: the caller's promise, which shadows keep as the matrices do.
                let status = unsafe { real::$name($($argument.passed()?),*) };
                if status == $crate::types::SUCCESS {
                    $($argument.taken();)*
                }
                Ok(status)
            }
        )*
    };
}
pub(crate) use pass_on;
