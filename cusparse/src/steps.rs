// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps of a product, as a table has them: each argument knows what it is for ocean and what for the real library.

use std::ffi::{c_int, c_void};

use crate::arguments::Argument;
use crate::matrices;
use crate::route::{Call, FirstBuffer, Operands};
use crate::types::{self, Matrix, SUCCESS, Status};

/// An argument of a step.
pub trait Part: Copy {
    /// What ocean's function takes.
    type Ocean;

    /// Tells what it is, where it matters who serves the product.
    fn noted(self, _: &mut Operands) {}

    /// For the real library, whose state of the product is this.
    fn with_real(self, _: types::Product) -> Self {
        self
    }

    /// For ocean.
    fn for_ocean(self, call: &Call<'_>) -> Self::Ocean;
}

/// Arguments that are the same for both libraries.
macro_rules! plain {
    ($($kind:ty),*) => {$(
        impl Part for $kind {
            type Ocean = Self;

            fn for_ocean(self, _: &Call<'_>) -> Self {
                self
            }
        }
    )*};
}
/// alpha or beta.
pub type Scalar = *const c_void;
/// Bytes of a buffer.
pub type Size = *mut usize;
/// A buffer, or NULL for its size.
pub type Buffer = *mut c_void;
plain!(c_int, f32, Scalar, Size, Buffer);

/// Arguments of which each library has its own: the operand, and its place in what ocean is called with.
macro_rules! operands {
    ($($(#[$about:meta])* $name:ident: $kind:ty, $($operand:ident).+, $($place:ident).+;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $name(pub $kind);

        impl Part for $name {
            type Ocean = $kind;

            fn noted(self, operands: &mut Operands) {
                operands.$($operand).+ = self.0;
            }

            fn for_ocean(self, call: &Call<'_>) -> $kind {
                call.$($place).+
            }
        }
    )*};
}
operands! {
    /// cuSPARSE's handle.
    Handle: types::Handle, handle, handle;
    /// The first factor.
    A: Matrix, a, a;
    /// The second factor.
    B: Matrix, b, b;
    /// The product, in a step that leaves its number of entries alone.
    C: Matrix, c, c;
    /// The product, in the step that sets its number of entries.
    NewC: Matrix, c, c;
    /// Bytes of the first buffer.
    FirstSize: Size, first.size, first.size;
    /// The first buffer.
    FirstAddress: Buffer, first.address, first.address;
}

/// The product's state.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Product(pub types::Product);

impl Part for Product {
    type Ocean = types::Product;

    fn noted(self, operands: &mut Operands) {
        operands.product = self.0;
    }

    fn with_real(self, product: types::Product) -> Self {
        Self(product)
    }

    fn for_ocean(self, call: &Call<'_>) -> types::Product {
        call.product
    }
}

impl Argument for Handle {}
impl Argument for C {}
impl Argument for FirstSize {}
impl Argument for FirstAddress {}
impl Argument for Product {}

impl Argument for A {
    fn passed(self) -> Result<Self, Status> {
        matrices::readable(self.0).map(Self)
    }
}

impl Argument for B {
    fn passed(self) -> Result<Self, Status> {
        matrices::readable(self.0).map(Self)
    }
}

impl Argument for NewC {
    fn taken(self) {
        matrices::forget_product(self.0);
    }
}

impl Operands {
    /// Nothing yet.
    pub fn none() -> Self {
        let none = std::ptr::null_mut();
        let first = FirstBuffer { size: std::ptr::null_mut(), address: none };
        Self { handle: none, a: none, b: none, c: none, product: none, first }
    }
}

/// What is to be kept of a step that ocean has taken.
pub fn kept(status: Status, call: &mut Call<'_>, keep: impl FnOnce(&mut Call<'_>)) -> Status {
    if status == SUCCESS {
        keep(call);
    }
    status
}

/// Exports the steps of a protocol. Each line: whether it is the first step, cuSPARSE's name and ocean's, the arguments,
/// and what to keep when ocean has taken it.
macro_rules! steps {
    ($($step:ident $name:ident, $ocean:ident($($argument:ident: $kind:ty),* $(,)?) => $keep:expr;)*) => {
        mod pass {
            use super::*;
            $crate::arguments::pass_on! { $($name($($argument: $kind),*);)* }
        }

        $(
            /// cuSPARSE's.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($argument: $kind),*) -> $crate::types::Status {
                use $crate::steps::Part;
                let mut operands = $crate::route::Operands::none();
                $($argument.noted(&mut operands);)*
                $crate::guard::guard(|| {
                    $crate::route::$step(
                        stringify!($name),
                        &operands,
                        |call| {
                            // SAFETY: what is not described anew goes on as it came.
                            let status = unsafe { (call.ocean.$ocean)($($argument.for_ocean(call)),*) };
                            $crate::steps::kept(status, call, $keep)
                        },
                        // SAFETY: the arguments go on as they came.
                        |product| unsafe { pass::$name($($argument.with_real(product)),*) },
                    )
                })
            }
        )*
    };
}
pub(crate) use steps;
