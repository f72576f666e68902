// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C ABI of products over many ranks, `include/ocean_dist.h`.
//!
//! A collective call begins with an agreement on its arguments, so that a rank whose own are wrong fails all ranks
//! instead of leaving them to wait. Only a rank that cannot tell which ranks it belongs to, say with a dead handle, fails
//! alone.

mod clusters;
mod created;
mod handle;
mod input;
mod matrix;
mod options;
mod product;
mod report;
mod shim;
mod transport;
mod types;

pub use clusters::*;
pub use handle::*;
pub use input::*;
pub use matrix::*;
pub use options::*;
pub use product::*;
pub use report::*;
pub use transport::*;
pub use types::*;
