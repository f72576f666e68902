// SPDX-License-Identifier: MIT OR Apache-2.0
//! Value types, and what a sum of them is.

use crate::ffi::oceanDataType_t;

/// A value type that products are computed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// IEEE binary32, `CUDA_R_32F`.
    F32,
    /// IEEE binary64, `CUDA_R_64F`.
    F64,
}

impl ValueType {
    /// The type of this C number, if products are computed in it.
    pub fn from_data_type(code: oceanDataType_t) -> Option<Self> {
        match code {
            0 => Some(Self::F32),
            1 => Some(Self::F64),
            _ => None,
        }
    }

    /// Bytes of one value.
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
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

/// A number. Every operation rounds once: nothing here may be contracted into a fused multiply-add, since the
/// order of sums and its roundings are part of what the library promises.
pub trait Scalar: Sum + PartialEq + std::fmt::Debug {
    /// This type's run-time name.
    const TYPE: ValueType;
    /// Positive zero.
    const ZERO: Self;
    /// The identity of multiplication.
    const ONE: Self;
    /// One rounded multiplication.
    fn times(self, other: Self) -> Self;
    /// Whether this is a zero of either sign.
    fn is_zero(self) -> bool;
    /// The bits, for comparisons that zeros' signs must not slip through; every NaN is the same.
    fn bits(self) -> u64;
}

macro_rules! real {
    ($number:ty, $kind:ident) => {
        impl Sum for $number {
            // -0.0 + x is x for every x, also for both zeros.
            const EMPTY: Self = -0.0;
            fn plus(self, other: Self) -> Self {
                self + other
            }
        }

        impl Scalar for $number {
            const TYPE: ValueType = ValueType::$kind;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            fn times(self, other: Self) -> Self {
                self * other
            }
            fn is_zero(self) -> bool {
                self == 0.0
            }
            fn bits(self) -> u64 {
                let bits = if self.is_nan() { <$number>::NAN.to_bits() } else { self.to_bits() };
                bits.into()
            }
        }
    };
}

real!(f32, F32);
real!(f64, F64);

/// alpha * `product` + beta * `old`, as BLAS means it: alpha = 0 hides the product, beta = 0 the old value.
pub fn scaled<V: Scalar>(alpha: V, product: V, beta: V, old: impl FnOnce() -> V) -> V {
    let product = if alpha.is_zero() { V::ZERO } else { alpha.times(product) };
    if beta.is_zero() { product } else { product.plus(beta.times(old())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_to_an_empty_slot_changes_no_bit() {
        for x in [0.0, -0.0, 1.5, -1e308, f64::MIN_POSITIVE / 2.0, f64::INFINITY] {
            assert_eq!(f64::EMPTY.plus(x).to_bits(), x.to_bits(), "{x}");
        }
    }

    #[test]
    fn zero_scalars_hide_what_they_multiply() {
        assert_eq!(scaled(0.0, f64::NAN, 0.0, || panic!("beta 0 reads nothing")).to_bits(), 0);
        assert_eq!(scaled(2.0, 3.0, 0.5, || 4.0), 8.0);
        assert_eq!(scaled(0.0, f64::NAN, 0.5, || 4.0), 2.0);
    }
}
