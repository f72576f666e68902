// SPDX-License-Identifier: MIT OR Apache-2.0
//! The types of values that the command multiplies.

use ocean::ffi::oceanDataType_t;
use ocean::scalar::Scalar;

/// A real type, to and from the f64 of files and checks.
pub trait Value: Scalar {
    /// Its number in the C API.
    const DATA_TYPE: oceanDataType_t;
    /// Its name on the command line.
    const NAME: &'static str;
    /// u: half the distance from 1 to the next number.
    const UNIT_ROUNDOFF: f64;
    /// The largest finite number.
    const LARGEST: f64;
    /// The distance between the numbers next to 0.
    const SMALLEST: f64;
    /// Rounds.
    fn narrow(value: f64) -> Self;
    /// Exact.
    fn widen(self) -> f64;
}

/// `CUDA_R_32F` and `CUDA_R_64F`.
impl Value for f32 {
    const DATA_TYPE: oceanDataType_t = 0;
    const NAME: &'static str = "f32";
    const UNIT_ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;
    const LARGEST: f64 = f32::MAX as f64;
    const SMALLEST: f64 = f32::from_bits(1) as f64;
    fn narrow(value: f64) -> Self {
        value as f32
    }
    fn widen(self) -> f64 {
        self.into()
    }
}

impl Value for f64 {
    const DATA_TYPE: oceanDataType_t = 1;
    const NAME: &'static str = "f64";
    const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
    const LARGEST: f64 = f64::MAX;
    const SMALLEST: f64 = f64::from_bits(1);
    fn narrow(value: f64) -> Self {
        value
    }
    fn widen(self) -> f64 {
        self
    }
}
