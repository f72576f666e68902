// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two kinds of value a file can hold.

/// A value of a matrix: `f64`, or a complex number as `(real, imaginary)`.
pub trait Scalar: Copy {
    /// What an entry below the diagonal puts above it in skew-symmetric storage.
    #[must_use]
    fn negated(self) -> Self;
    /// What it puts there in hermitian storage.
    #[must_use]
    fn conjugated(self) -> Self;
    /// The imaginary part; 0 for reals.
    fn imaginary(self) -> f64;
    /// The sum of two values.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// True if it is 0 (of either sign).
    fn is_zero(self) -> bool;
}

impl Scalar for f64 {
    fn negated(self) -> Self {
        -self
    }
    fn conjugated(self) -> Self {
        self
    }
    fn imaginary(self) -> f64 {
        0.0
    }
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn is_zero(self) -> bool {
        self == 0.0
    }
}

impl Scalar for (f64, f64) {
    fn negated(self) -> Self {
        (-self.0, -self.1)
    }
    fn conjugated(self) -> Self {
        (self.0, -self.1)
    }
    fn imaginary(self) -> f64 {
        self.1
    }
    fn plus(self, other: Self) -> Self {
        (self.0 + other.0, self.1 + other.1)
    }
    fn is_zero(self) -> bool {
        self == (0.0, 0.0)
    }
}
