// SPDX-License-Identifier: MIT OR Apache-2.0
//! The types of values that the command multiplies.

use ocean::ffi::oceanDataType_t;
use ocean::scalar::{Complex, Scalar, Stored, bf16, f16};

/// A type that matrices have, to and from the pairs of f64 in files.
pub trait Number: Stored {
    /// Its number in the C API.
    const DATA_TYPE: oceanDataType_t;
    /// Its name on the command line.
    const NAME: &'static str;
    /// Whether it has an imaginary part.
    const COMPLEX: bool;
}

macro_rules! numbers {
    ($($type:ty, $code:expr, $name:expr, $complex:expr;)*) => {
        $(impl Number for $type {
            const DATA_TYPE: oceanDataType_t = $code;
            const NAME: &'static str = $name;
            const COMPLEX: bool = $complex;
        })*
    };
}

numbers! {
    f32, 0, "f32", false; // CUDA_R_32F, and so on
    f64, 1, "f64", false;
    f16, 2, "f16", false;
    bf16, 14, "bf16", false;
    Complex<f32>, 4, "c32", true;
    Complex<f64>, 5, "c64", true;
    Complex<f16>, 6, "c16", true;
    Complex<bf16>, 15, "cbf16", true;
}

/// A real type that is computed in as it is: what checks by random vectors and benchmarks know.
pub trait Value: Number + Scalar {
    /// u: half the distance from 1 to the next number.
    const UNIT_ROUNDOFF: f64;
    /// The largest finite number.
    const LARGEST: f64;
    /// The distance between the numbers next to 0.
    const SMALLEST: f64;
    /// Rounds.
    #[cfg(any(test, feature = "cuda"))] // benchmarks draw values
    fn narrow(value: f64) -> Self;
    /// Exact.
    fn widen(self) -> f64;
}

impl Value for f32 {
    const UNIT_ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;
    const LARGEST: f64 = f32::MAX as f64;
    const SMALLEST: f64 = f32::from_bits(1) as f64;
    #[cfg(any(test, feature = "cuda"))]
    fn narrow(value: f64) -> Self {
        value as f32
    }
    fn widen(self) -> f64 {
        self.into()
    }
}

impl Value for f64 {
    const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
    const LARGEST: f64 = f64::MAX;
    const SMALLEST: f64 = f64::from_bits(1);
    #[cfg(any(test, feature = "cuda"))]
    fn narrow(value: f64) -> Self {
        value
    }
    fn widen(self) -> f64 {
        self
    }
}

/// Runs `$body` with `$V` bound to the type that `$kind` names.
macro_rules! with_number {
    ($kind:expr, $V:ident => $body:expr) => {{
        use ocean::scalar::{Complex, bf16, f16};
        use $crate::arguments::ValueKind;
        $crate::value::with_number!(@ $kind, $V => $body; F32 f32, F64 f64, F16 f16, Bf16 bf16,
            C32 Complex<f32>, C64 Complex<f64>, C16 Complex<f16>, Cbf16 Complex<bf16>)
    }};
    (@ $kind:expr, $V:ident => $body:expr; $($name:ident $type:ty),*) => {
        match $kind {
            $(ValueKind::$name => {
                type $V = $type;
                $body
            })*
        }
    };
}
pub(crate) use with_number;

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::arguments::{ValueKind, word};

    #[test]
    fn names_and_numbers_are_the_librarys() {
        for &kind in ValueKind::value_variants() {
            with_number!(kind, V => {
                assert_eq!(V::NAME, word(kind));
                assert_eq!(V::DATA_TYPE, V::TYPE.data_type(), "{}", V::NAME);
                assert_eq!(V::COMPLEX, V::TYPE.is_complex(), "{}", V::NAME);
            });
        }
    }
}
