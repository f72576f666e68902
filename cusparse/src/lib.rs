// SPDX-License-Identifier: MIT OR Apache-2.0
//! `libocean_cusparse.so` stands between a program and cuSPARSE: products of sparse matrices go to ocean, all else goes
//! through. It is loaded with `LD_PRELOAD`, or linked before `-lcusparse`; the program is not changed.
//!
//! - `spgemm` and `reuse` are cuSPARSE's two protocols. The first query decides who serves a product, and `route`
//!   keeps to it.
//! - The real library can't be told how many entries a product has, so `matrices` remembers, `descriptors` answers
//!   from there, and `consumers` gives the real library a shadow that has the right number.
//! - `real` finds cuSPARSE, `ocean` finds `libocean.so.0`; neither is linked, both are opened at the first call.
//!
//! Exported names are cuSPARSE's, without a symbol version: the loader then takes them for any.
#![allow(clippy::missing_safety_doc)] // cuSPARSE's own conventions
#![allow(clippy::too_many_arguments)] // cuSPARSE's signatures
#![allow(non_snake_case)] // cuSPARSE's names

mod arguments;
pub mod consumers;
pub mod descriptors;
#[cfg(all(not(test), target_arch = "x86_64"))]
pub mod dlsym;
mod guard;
mod handles;
mod loader;
mod log;
mod matrices;
mod ocean;
pub mod products;
mod real;
pub mod reuse;
mod route;
mod settings;
pub mod spgemm;
mod statistics;
mod steps;
mod types;
