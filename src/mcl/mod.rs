// SPDX-License-Identifier: MIT OR Apache-2.0
//! Markov clustering (van Dongen 2000) by the rules that the program `mcl` follows, for one process and for many ranks
//! alike: whoever runs it brings the product.

mod clusters;
mod process;
mod rows;

pub use clusters::{clusters, labels};
pub use process::{Expand, Iteration, Rules, run};
pub use rows::with_loops;
