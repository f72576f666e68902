// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be wrong with a file. Every message carries the numbers or the text at fault.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Field, Storage};

/// A file that could not be read or written: which, where in it, and why.
#[derive(Debug, thiserror::Error)]
pub struct Error {
    /// The file, as the caller named it.
    pub file: PathBuf,
    /// Line in the decompressed text, counted from 1; `None` when no line is to blame.
    pub line: Option<u64>,
    /// What was wrong.
    #[source]
    pub problem: Problem,
}

impl Error {
    pub(crate) fn new(file: &Path, line: Option<u64>, problem: Problem) -> Self {
        Self { file: file.to_owned(), line, problem }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:", self.file.display())?;
        if let Some(line) = self.line {
            write!(out, "{line}:")?;
        }
        write!(out, " {}", self.problem)
    }
}

/// The ways in which reading or writing fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be opened, read or written.
    #[error("{0}")]
    Io(io::Error),
    /// The gzip stream is damaged or cut short.
    #[error("damaged gzip data: {0}")]
    Gzip(io::Error),
    /// A small gzip stream of a very large text.
    #[error("{packed} bytes of gzip data inflate to more than {inflated}, as no matrix's do")]
    Bomb {
        /// Bytes read so far.
        packed: u64,
        /// Bytes that they gave.
        inflated: u64,
    },
    /// The first line is not a banner of five words.
    #[error(
        "the first line must be `%%MatrixMarket matrix coordinate|array real|integer|pattern|complex \
         general|symmetric|skew-symmetric|hermitian`, found `{found}`"
    )]
    Banner {
        /// The line.
        found: String,
    },
    /// A word of the banner is unknown.
    #[error("unknown {what} `{found}` in the banner; known: {known}")]
    Word {
        /// Which of the words.
        what: &'static str,
        /// The word.
        found: String,
        /// What it could have been.
        known: &'static str,
    },
    /// Words of the banner that do not go together.
    #[error("the banner combines `{first}` with `{second}`, which the format does not have")]
    Combination {
        /// One word.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// The file ends before its size line.
    #[error("the file ends before the size line `{expected}`")]
    NoSizeLine {
        /// Its form.
        expected: &'static str,
    },
    /// More rows or columns than a 32-bit index can name.
    #[error("{value} {what} are more than the {limit} that 32-bit indices can name")]
    TooLarge {
        /// Rows or columns.
        what: &'static str,
        /// How many.
        value: u64,
        /// The most there can be.
        limit: u64,
    },
    /// Far more rows than a file of this size can have entries in.
    #[error("{rows} rows are more than a file of {bytes} bytes may declare, which is {limit}")]
    Hollow {
        /// Declared rows.
        rows: u64,
        /// The most there can be.
        limit: u64,
        /// Bytes of the text.
        bytes: u64,
    },
    /// Symmetric storage of a matrix that is not square.
    #[error("{storage} storage needs a square matrix, the size line says {rows} by {cols}")]
    NotSquare {
        /// The storage.
        storage: Storage,
        /// Declared rows.
        rows: u64,
        /// Declared columns.
        cols: u64,
    },
    /// The file ends early.
    #[error("the size line declares {expected} entries but the file ends after {found}")]
    TooFew {
        /// Declared.
        expected: u64,
        /// Present.
        found: u64,
    },
    /// The file goes on after its last entry.
    #[error("`{found}` follows the last of the {expected} entries that the size line declares")]
    TooMany {
        /// Declared.
        expected: u64,
        /// The line that is too many.
        found: String,
    },
    /// A line is shorter than it has to be.
    #[error("the {what} is missing")]
    Missing {
        /// What should have come next.
        what: &'static str,
    },
    /// A word that is not the number it should be.
    #[error("the {what} `{found}` is not a {kind}")]
    Number {
        /// What it should have been.
        what: &'static str,
        /// The word.
        found: String,
        /// Which kind of number.
        kind: &'static str,
    },
    /// An integer that binary64 would round.
    #[error("the integer {value} is beyond 2^53, where binary64 no longer holds every integer")]
    Inexact {
        /// The integer.
        value: i64,
    },
    /// An index outside the matrix.
    #[error("the {what} index {value} is not in 1 to {limit}")]
    Index {
        /// Row or column.
        what: &'static str,
        /// The index.
        value: u64,
        /// The largest there is.
        limit: u64,
    },
    /// Something stands where the line should end.
    #[error("`{found}` follows where the line should end")]
    Trailing {
        /// What stands there.
        found: String,
    },
    /// A comment among the entries.
    #[error("a comment (`%`) stands among the entries; comments belong before the size line")]
    Comment,
    /// Symmetric storage holds the lower triangle only.
    #[error("entry ({row}, {col}) is above the diagonal; {storage} storage holds the lower triangle only")]
    AboveDiagonal {
        /// The storage.
        storage: Storage,
        /// Row, from 1.
        row: u64,
        /// Column, from 1.
        col: u64,
    },
    /// A skew-symmetric matrix has a zero diagonal, which is never stored.
    #[error("entry ({row}, {row}) is on the diagonal, which skew-symmetric storage leaves out")]
    SkewDiagonal {
        /// Row and column, from 1.
        row: u64,
    },
    /// The diagonal of a Hermitian matrix is real.
    #[error("entry ({row}, {row}) has the imaginary part {imaginary}; a hermitian diagonal is real")]
    HermitianDiagonal {
        /// Row and column, from 1.
        row: u64,
        /// What should be 0.
        imaginary: f64,
    },
    /// The matrix does not fit in memory.
    #[error("no memory for {bytes} bytes of the matrix")]
    Memory {
        /// Bytes of the allocation that failed.
        bytes: u64,
    },
    /// Asked to write a field that the values do not fit.
    #[error("entry ({row}, {col}) = {value} cannot be written as {field}")]
    Unwritable {
        /// Row, from 1.
        row: u64,
        /// Column, from 1.
        col: u64,
        /// The value.
        value: String,
        /// The field asked for.
        field: Field,
    },
}

/// Text from a file for a message: printable, and not a screenful.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 60;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)]);
    let mut shown: String = text.trim().chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.trim().chars().count() > SHOWN || bytes.len() > 4 * SHOWN {
        shown.push_str("...");
    }
    shown
}
