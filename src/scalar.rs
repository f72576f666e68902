// SPDX-License-Identifier: MIT OR Apache-2.0
//! Value types: how values are stored, what they are computed in, and what a sum of them is.

use std::fmt::Debug;

pub use half::{bf16, f16};

use crate::ffi::oceanDataType_t;

/// A type that values of matrices have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// IEEE binary32, `CUDA_R_32F`.
    F32,
    /// IEEE binary64, `CUDA_R_64F`.
    F64,
    /// IEEE binary16, `CUDA_R_16F`.
    F16,
    /// bfloat16, `CUDA_R_16BF`.
    Bf16,
    /// Complex of two binary32, `CUDA_C_32F`.
    C32,
    /// Complex of two binary64, `CUDA_C_64F`.
    C64,
    /// Complex of two binary16, `CUDA_C_16F`.
    C16,
    /// Complex of two bfloat16, `CUDA_C_16BF`.
    Cbf16,
}

impl ValueType {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::F32, Self::F64, Self::F16, Self::Bf16, Self::C32, Self::C64, Self::C16, Self::Cbf16];

    /// The type of this C number, if products have values of it.
    pub fn from_data_type(code: oceanDataType_t) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.data_type() == code)
    }

    /// Its C number.
    pub fn data_type(self) -> oceanDataType_t {
        match self {
            Self::F32 => 0,
            Self::F64 => 1,
            Self::F16 => 2,
            Self::C32 => 4,
            Self::C64 => 5,
            Self::C16 => 6,
            Self::Bf16 => 14,
            Self::Cbf16 => 15,
        }
    }

    /// Bytes of one value.
    pub fn bytes(self) -> usize {
        match self {
            Self::F16 | Self::Bf16 => 2,
            Self::F32 | Self::C16 | Self::Cbf16 => 4,
            Self::F64 | Self::C32 => 8,
            Self::C64 => 16,
        }
    }

    /// Whether values have an imaginary part.
    pub fn is_complex(self) -> bool {
        matches!(self, Self::C32 | Self::C64 | Self::C16 | Self::Cbf16)
    }

    /// The complex type with parts of this one.
    pub fn as_complex(self) -> Self {
        match self {
            Self::F32 => Self::C32,
            Self::F64 => Self::C64,
            Self::F16 => Self::C16,
            Self::Bf16 => Self::Cbf16,
            complex => complex,
        }
    }

    /// What such values are computed in: 16-bit ones in 32 bits, others in their own type.
    pub fn computed_in(self) -> Self {
        match self {
            Self::F16 | Self::Bf16 => Self::F32,
            Self::C16 | Self::Cbf16 => Self::C32,
            wide => wide,
        }
    }
}

/// What a slot of an accumulator holds: a number, or nothing when only the pattern is wanted.
pub trait Sum: Copy + Send + Sync + 'static {
    /// An untouched slot. Adding to it gives the other operand bit for bit.
    const EMPTY: Self;
    /// One rounded addition.
    fn plus(self, other: Self) -> Self;
}

impl Sum for () {
    const EMPTY: Self = ();
    fn plus(self, (): Self) -> Self {}
}

/// A value as arrays hold it.
pub trait Stored: Copy + Send + Sync + PartialEq + Debug + 'static {
    /// This type's run-time name.
    const TYPE: ValueType;
    /// What it is computed in.
    type Computed: Scalar;
    /// Exact.
    fn widened(self) -> Self::Computed;
    /// Rounds to the nearest, ties to even.
    fn rounded(value: Self::Computed) -> Self;
    /// The nearest value to this number; a real type drops the imaginary part.
    fn nearest(real: f64, imaginary: f64) -> Self;
    /// Real and imaginary part. Exact.
    fn parts(self) -> [f64; 2];
    /// The bits, for comparisons that zeros' signs must not slip through; every NaN is the same.
    fn bits(self) -> u128;
}

/// A number to compute with. Every operation rounds once: nothing here may be contracted into a fused multiply-add,
/// since the order of sums and its roundings are part of what the library promises.
pub trait Scalar: Sum + Stored<Computed = Self> {
    /// Positive zero.
    const ZERO: Self;
    /// The identity of multiplication.
    const ONE: Self;
    /// One multiplication; of complex numbers, two rounded products for each part and their rounded sum.
    fn times(self, other: Self) -> Self;
    /// The complex conjugate; a real number is its own.
    fn conjugate(self) -> Self;
    /// Whether this is a zero, of whatever sign.
    fn is_zero(self) -> bool {
        self == Self::ZERO
    }
}

/// A complex number, laid out as in C.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex<R> {
    /// Real part.
    pub re: R,
    /// Imaginary part.
    pub im: R,
}

macro_rules! real {
    ($number:ident, $computed:ty, $kind:ident, |$value:ident| $widened:expr, $rounded:expr, $nearest:expr) => {
        impl Stored for $number {
            const TYPE: ValueType = ValueType::$kind;
            type Computed = $computed;
            fn widened(self) -> $computed {
                let $value = self;
                $widened
            }
            fn rounded($value: $computed) -> Self {
                $rounded
            }
            fn nearest($value: f64, _: f64) -> Self {
                $nearest
            }
            fn parts(self) -> [f64; 2] {
                [f64::from(self), 0.0]
            }
            fn bits(self) -> u128 {
                let bits = if self.is_nan() { <$number>::NAN.to_bits() } else { self.to_bits() };
                bits.into()
            }
        }
    };
}

real!(f32, f32, F32, |value| value, value, value as f32);
real!(f64, f64, F64, |value| value, value, value);
real!(f16, f32, F16, |value| value.to_f32(), f16::from_f32(value), f16::from_f64(value));
real!(bf16, f32, Bf16, |value| value.to_f32(), bf16::from_f32(value), bf16::from_f64(value));

macro_rules! complex {
    ($part:ty, $kind:ident) => {
        impl Stored for Complex<$part> {
            const TYPE: ValueType = ValueType::$kind;
            type Computed = Complex<<$part as Stored>::Computed>;
            fn widened(self) -> Self::Computed {
                Complex { re: self.re.widened(), im: self.im.widened() }
            }
            fn rounded(value: Self::Computed) -> Self {
                Self { re: Stored::rounded(value.re), im: Stored::rounded(value.im) }
            }
            fn nearest(real: f64, imaginary: f64) -> Self {
                Self { re: Stored::nearest(real, 0.0), im: Stored::nearest(imaginary, 0.0) }
            }
            fn parts(self) -> [f64; 2] {
                [f64::from(self.re), f64::from(self.im)]
            }
            fn bits(self) -> u128 {
                self.re.bits() << 64 | self.im.bits()
            }
        }
    };
}

complex!(f32, C32);
complex!(f64, C64);
complex!(f16, C16);
complex!(bf16, Cbf16);

macro_rules! scalar {
    ($number:ty) => {
        impl Sum for $number {
            // -0.0 + x is x for every x, also for both zeros.
            const EMPTY: Self = -0.0;
            fn plus(self, other: Self) -> Self {
                self + other
            }
        }

        impl Scalar for $number {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            fn times(self, other: Self) -> Self {
                self * other
            }
            fn conjugate(self) -> Self {
                self
            }
        }

        impl Sum for Complex<$number> {
            const EMPTY: Self = Self { re: -0.0, im: -0.0 };
            fn plus(self, other: Self) -> Self {
                Self { re: self.re + other.re, im: self.im + other.im }
            }
        }

        impl Scalar for Complex<$number> {
            const ZERO: Self = Self { re: 0.0, im: 0.0 };
            const ONE: Self = Self { re: 1.0, im: 0.0 };
            fn times(self, other: Self) -> Self {
                Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
            }
            fn conjugate(self) -> Self {
                Self { re: self.re, im: -self.im }
            }
        }
    };
}

scalar!(f32);
scalar!(f64);

/// alpha * `product` + beta * `old`, as BLAS means it: alpha = 0 hides the product, beta = 0 the old value. A factor of
/// one changes nothing, also of a complex number that is infinite.
pub fn scaled<V: Scalar>(alpha: V, product: V, beta: V, old: impl FnOnce() -> V) -> V {
    let times = |factor: V, value: V| if factor == V::ONE { value } else { factor.times(value) };
    let product = if alpha.is_zero() { V::ZERO } else { times(alpha, product) };
    if beta.is_zero() { product } else { product.plus(times(beta, old())) }
}

/// Runs `$body` with `$V` bound to the Rust type of the values, which have the type `$kind`.
macro_rules! with_stored {
    ($kind:expr, $V:ident => $body:expr) => {
        $crate::scalar::with_types!($kind, $V => $body,
            F32 f32, F64 f64, F16 half::f16, Bf16 half::bf16,
            C32 $crate::scalar::Complex<f32>, C64 $crate::scalar::Complex<f64>,
            C16 $crate::scalar::Complex<half::f16>, Cbf16 $crate::scalar::Complex<half::bf16>)
    };
}
pub(crate) use with_stored;

/// The same for types that are computed in; of others it makes an error.
macro_rules! with_computed {
    ($kind:expr, $V:ident => $body:expr) => {
        $crate::scalar::with_types!($kind, $V => $body,
            F32 f32, F64 f64, C32 $crate::scalar::Complex<f32>, C64 $crate::scalar::Complex<f64>)
    };
}
pub(crate) use with_computed;

macro_rules! with_types {
    ($kind:expr, $V:ident => $body:expr, $($name:ident $type:ty),*) => {
        match $kind {
            $(Some($crate::scalar::ValueType::$name) => {
                type $V = $type;
                $body
            })*
            #[allow(unreachable_patterns)] // not all lists of types leave some out
            Some(_) | None => {
                Err($crate::error::Error::Internal("values of a type that products are not computed in".into()))
            }
        }
    };
}
pub(crate) use with_types;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_to_an_empty_slot_changes_no_bit() {
        for x in [0.0, -0.0, 1.5, -1e308, f64::MIN_POSITIVE / 2.0, f64::INFINITY] {
            assert_eq!(f64::EMPTY.plus(x).to_bits(), x.to_bits(), "{x}");
            let z = Complex { re: x, im: -x };
            assert_eq!(Complex::EMPTY.plus(z).bits(), z.bits(), "{z:?}");
        }
    }

    #[test]
    fn zero_scalars_hide_what_they_multiply_and_ones_change_nothing() {
        assert_eq!(scaled(0.0, f64::NAN, 0.0, || panic!("beta 0 reads nothing")).to_bits(), 0);
        assert_eq!(scaled(2.0, 3.0, 0.5, || 4.0), 8.0);
        assert_eq!(scaled(0.0, f64::NAN, 0.5, || 4.0), 2.0);
        let infinite = Complex { re: f32::INFINITY, im: -0.0 };
        assert_eq!(scaled(Complex::ONE, infinite, Complex::ZERO, || panic!()).bits(), infinite.bits());
    }

    #[test]
    fn complex_products_round_each_part_by_itself() {
        let z = |re, im| Complex::<f64> { re, im };
        assert_eq!(z(1.0, 2.0).times(z(3.0, -4.0)), z(11.0, 2.0));
        // A fused multiply-add would keep what the first product loses.
        let e = f64::EPSILON;
        assert_eq!(z(1.0 + e, 1.0).times(z(1.0 + e, 1.0 + 2.0 * e)).re, 0.0);
    }

    #[test]
    fn types_know_their_numbers_and_sizes() {
        fn check<V: Stored>() {
            assert_eq!(V::TYPE.bytes(), size_of::<V>());
            assert_eq!(V::TYPE.computed_in(), V::Computed::TYPE);
            assert_eq!(ValueType::from_data_type(V::TYPE.data_type()), Some(V::TYPE));
            let value = V::nearest(1.5, -0.25);
            assert_eq!(V::rounded(value.widened()), value);
            assert_eq!(value.widened().parts(), value.parts());
        }
        for kind in ValueType::ALL {
            with_stored!(Some(kind), V => {
                check::<V>();
                Ok(())
            })
            .unwrap_or_else(|error: crate::Error| panic!("{error}"));
        }
        assert_eq!(ValueType::from_data_type(3), None);
    }

    #[test]
    fn sixteen_bits_round_to_the_nearest_and_ties_to_even() {
        assert_eq!(f16::rounded(2049.0).parts()[0], 2048.0);
        assert_eq!(f16::rounded(2051.0).parts()[0], 2052.0);
        assert_eq!(f16::rounded(65_520.0).parts()[0], f64::INFINITY);
        assert_eq!(bf16::rounded(257.0).parts()[0], 256.0);
        assert_eq!(bf16::rounded(259.0).parts()[0], 260.0);
    }
}
