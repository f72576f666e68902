// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C ABI: checks pointers, converts, calls, reports. Whatever is worth testing lives one level down.
//!
//! Names and numbers are cuSPARSE's with another prefix, so the Rust naming rules are off here. The functions'
//! documentation is that of `include/ocean.h`.
#![allow(non_camel_case_types, non_snake_case)]
#![allow(clippy::missing_safety_doc)] // the header's conventions: pointers are NULL or valid, as documented
#![allow(clippy::too_many_arguments)] // cuSPARSE's signatures

mod arguments;
mod dist;
mod guard;
mod handle;
mod matrix;
mod objects;
mod one_call;
mod reuse;
mod spgemm;
mod text;
mod types;

pub use dist::*;
pub use guard::*;
pub use handle::*;
pub use matrix::*;
pub use one_call::*;
pub use reuse::*;
pub use spgemm::*;
pub use types::*;
