// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean bench`: this library beside cuSPARSE on one GPU, in one process.

#[cfg(feature = "cuda")]
mod cell;
#[cfg(feature = "cuda")]
mod cusparse;
#[cfg(feature = "cuda")]
mod device;
#[cfg(feature = "cuda")]
mod digest;
#[cfg(feature = "cuda")]
mod direct;
#[cfg(feature = "cuda")]
mod measure;
#[cfg(feature = "cuda")]
mod ocean;
#[cfg(feature = "cuda")]
mod operands;
#[cfg(feature = "cuda")]
mod output;
#[cfg(feature = "cuda")]
mod plot;
#[cfg(feature = "cuda")]
mod report;
#[cfg(feature = "cuda")]
mod sitting;
#[cfg(feature = "cuda")]
mod sources;
#[cfg(feature = "cuda")]
mod trouble;

#[cfg(feature = "cuda")]
pub use sitting::run;

/// There is nothing to time without the CUDA backend.
#[cfg(not(feature = "cuda"))]
pub fn run(_arguments: &crate::arguments::BenchArguments) -> crate::failure::Result<()> {
    Err(crate::failure::Failure::refused("bench times products on a GPU: this command was built without `cuda`"))
}
