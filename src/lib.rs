// SPDX-License-Identifier: MIT OR Apache-2.0
//! ocean multiplies sparse matrices: C' = alpha * A * B + beta * C, all in CSR, with the call sequence of
//! cuSPARSE's generic SpGEMM.
//!
//! The C ABI is [`ffi`] and is what `include/ocean.h` declares. Below it, [`spgemm`] drives a product through its
//! stages on any [`backend::Backend`]: the [`host`], or CUDA. [`reference`] is the short serial product that
//! judges both, bit for bit.

pub mod backend;
pub mod csr;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod dist;
pub mod error;
pub mod ffi;
mod heap;
pub mod host;
pub mod mcl;
pub mod memory;
pub mod reference;
pub mod scalar;
pub mod spgemm;
pub mod tuning;

pub use error::{Error, Result};
