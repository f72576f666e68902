// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a matrix to a file: coordinate layout, general storage.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::{Csr, Error, Field, Matrix, Problem};

/// Writes a file, gzipped if its name ends in `.gz`, with the fewest digits that read back as the same
/// bits. Comment lines go below the banner; one with line breaks becomes several.
///
/// # Errors
/// [`Problem::Io`], or [`Problem::Unwritable`] for a value that the field cannot hold: a fraction as
/// `integer`, a complex matrix as `real` or `integer`. Any matrix can be written as `pattern`, and a real
/// one as `complex`.
///
/// # Panics
/// If the matrix's offsets and lengths contradict each other.
pub fn write(path: impl AsRef<Path>, matrix: &Matrix, field: Field, comments: &[&str]) -> Result<(), Error> {
    let path = path.as_ref();
    let fail = |problem| Error::new(path, None, problem);
    // Looks before it creates the file, so that a refusal leaves nothing behind.
    writable(matrix, field).map_err(fail)?;
    to_file(path, matrix, field, comments).map_err(|error| fail(Problem::Io(error)))
}

/// Writes plain text to any place.
///
/// # Errors
/// As [`write()`].
///
/// # Panics
/// As [`write()`].
pub fn write_to(out: impl Write, matrix: &Matrix, field: Field, comments: &[&str]) -> Result<(), Problem> {
    writable(matrix, field)?;
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, out);
    text(&mut out, matrix, field, comments).and_then(|()| out.flush()).map_err(Problem::Io)
}

const BUFFER_BYTES: usize = 1 << 18;

/// Digits that look random hardly compress: level 6 made files 7 % smaller and took 8 times as long
/// (133 MB of text, flate2 1.1.11 with miniz_oxide, 2026-11-30).
const COMPRESSION: Compression = Compression::new(1);

fn to_file(path: &Path, matrix: &Matrix, field: Field, comments: &[&str]) -> io::Result<()> {
    let file = File::create(path)?;
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, GzEncoder::new(file, COMPRESSION));
        text(&mut out, matrix, field, comments)?;
        let encoder = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        encoder.finish()?.flush()
    } else {
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, file);
        text(&mut out, matrix, field, comments)?;
        out.flush()
    }
}

/// Refuses values that the field cannot hold.
fn writable(matrix: &Matrix, field: Field) -> Result<(), Problem> {
    const EXACT: f64 = (1u64 << 53) as f64;
    match (matrix, field) {
        (Matrix::Real(csr), Field::Integer) => {
            // Written so that NaN fails too.
            refuse(csr, field, |value| value.trunc() == *value && value.abs() <= EXACT)
        }
        (Matrix::Complex(csr), Field::Real | Field::Integer) => refuse(csr, field, |_| false),
        _ => Ok(()),
    }
}

/// Fails with the first entry that `fits` is false for.
fn refuse<T: crate::Scalar + std::fmt::Debug>(
    csr: &Csr<T>,
    field: Field,
    fits: impl Fn(&T) -> bool,
) -> Result<(), Problem> {
    let Some(entry) = csr.values.iter().position(|value| !fits(value)) else {
        return Ok(());
    };
    let row = csr.offsets.partition_point(|&offset| offset <= entry as i64) as u64; // from 1
    let col = csr.columns[entry] as u64 + 1;
    Err(Problem::Unwritable { row, col, value: format!("{:?}", csr.values[entry]), field })
}

fn text(out: &mut impl Write, matrix: &Matrix, field: Field, comments: &[&str]) -> io::Result<()> {
    writeln!(out, "%%MatrixMarket matrix coordinate {field} general")?;
    for line in comments.iter().flat_map(|comment| comment.lines()) {
        writeln!(out, "%{line}")?;
    }
    writeln!(out, "{} {} {}", matrix.rows(), matrix.cols(), matrix.nnz())?;
    match (matrix, field) {
        (Matrix::Real(csr), Field::Pattern) => entries(out, csr, |_, _| Ok(())),
        (Matrix::Complex(csr), Field::Pattern) => entries(out, csr, |_, _| Ok(())),
        (Matrix::Real(csr), Field::Integer) => entries(out, csr, |out, value| write!(out, " {}", value as i64)),
        (Matrix::Real(csr), Field::Real) => entries(out, csr, number),
        (Matrix::Real(csr), Field::Complex) => entries(out, csr, |out, value| {
            number(out, value)?;
            out.write_all(b" 0")
        }),
        (Matrix::Complex(csr), _) => entries(out, csr, |out, (real, imaginary)| {
            number(out, real)?;
            number(out, imaginary)
        }),
    }
}

fn entries<T: crate::Scalar, W: Write>(
    out: &mut W,
    csr: &Csr<T>,
    value: impl Fn(&mut W, T) -> io::Result<()>,
) -> io::Result<()> {
    for row in 0..csr.rows {
        for entry in csr.row(row) {
            write!(out, "{} {}", row + 1, i64::from(csr.columns[entry]) + 1)?;
            value(out, csr.values[entry])?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

/// The fewest digits that read back as the same number, with an exponent where that is shorter to read.
fn number<W: Write>(out: &mut W, value: f64) -> io::Result<()> {
    let plain = 1e-5..1e16;
    if value == 0.0 || plain.contains(&value.abs()) { write!(out, " {value}") } else { write!(out, " {value:e}") }
}
