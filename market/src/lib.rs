// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes Matrix Market files (`.mtx`, `.mtx.gz`), strictly and fast.
//!
//! | | accepted |
//! |---|---|
//! | layout | `coordinate`, `array` |
//! | field | `real`, `integer`, `pattern`, `complex` |
//! | storage | `general`, `symmetric`, `skew-symmetric`, `hermitian` |
//! | file | plain or gzip, told apart by the first two bytes, never by the name |
//!
//! What comes back is a [`Csr`] of the whole matrix:
//!
//! - symmetric storage is expanded: skew mirrors the negative, hermitian the conjugate;
//! - a pattern entry counts as 1; explicit zeros stay, and an array file keeps every entry;
//! - each row ascends by column; entries stored twice stay two, in stored order
//!   ([`Matrix::sum_duplicates`] adds them).
//!
//! Strict means that a file which breaks the format is refused, with its name, the line and what was
//! wrong with it. No input panics, and memory stays in proportion to the file, whatever its size line says and
//! whatever it inflates to: more than 2^22 rows need a byte of text for every 16, and more than 64 MiB of
//! text a byte of gzip data for every 200.
//!
//! ```
//! let text = b"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 -1\n";
//! let file = ocean_market::read_bytes(text, "inline")?;
//! let ocean_market::Matrix::Real(a) = &file.matrix else { panic!("a real matrix") };
//! assert_eq!(a.offsets, [0, 2, 3]);
//! assert_eq!(a.columns, [0, 1, 0]);
//! assert_eq!(a.values, [4.0, -1.0, -1.0]);
//! # Ok::<(), ocean_market::Error>(())
//! ```

mod assemble;
mod body;
mod csr;
mod cursor;
mod error;
mod header;
mod read;
mod scalar;
mod write;

#[cfg(test)]
mod never_panics;

pub use csr::{Csr, Matrix};
pub use error::{Error, Problem};
pub use header::{Field, Header, Layout, Storage};
pub use read::{Market, Progress, Stage, read, read_bytes, read_with_progress};
pub use scalar::Scalar;
pub use write::{write, write_to};
