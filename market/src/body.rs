// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entries, as they stand in the file.

use crate::cursor::Cursor;
use crate::error::excerpt;
use crate::{Header, Layout, Problem, Scalar, Storage};

/// Entries in file order, indices from 0.
pub(crate) struct Entries<T> {
    pub(crate) rows: Vec<i32>,
    pub(crate) cols: Vec<i32>,
    pub(crate) values: Vec<T>,
}

/// How many entries pass between two looks at the progress.
const STRIDE: u64 = 1 << 16;

/// Reads all entries and sees to it that nothing follows them.
pub(crate) fn read<T: Scalar>(
    text: &mut Cursor<'_>,
    header: &Header,
    value: impl Fn(&mut Cursor<'_>) -> Result<T, Problem>,
    progress: &mut dyn FnMut(u64),
) -> Result<Entries<T>, Problem> {
    // An entry takes two bytes at the least: a lying size line reserves no more than the file can fill.
    let room = header.stored.min(text.left() as u64 / 2 + 1) as usize;
    let mut entries = Entries { rows: reserve(room)?, cols: reserve(room)?, values: reserve(room)? };

    match header.layout {
        Layout::Coordinate => coordinate(text, header, value, progress, &mut entries)?,
        Layout::Array => array(text, header, value, progress, &mut entries)?,
    }

    text.skip_blank_lines();
    match text.peek() {
        None => Ok(entries),
        Some(b'%') => Err(Problem::Comment),
        Some(_) => Err(Problem::TooMany { expected: header.stored, found: excerpt(text.rest_of_line()) }),
    }
}

fn coordinate<T: Scalar>(
    text: &mut Cursor<'_>,
    header: &Header,
    value: impl Fn(&mut Cursor<'_>) -> Result<T, Problem>,
    progress: &mut dyn FnMut(u64),
    entries: &mut Entries<T>,
) -> Result<(), Problem> {
    for found in 0..header.stored {
        next_line(text, header, found, progress)?;
        let row = index(text, "row", header.rows)?;
        let col = index(text, "column", header.cols)?;
        let value = value(text)?;
        if header.storage != Storage::General {
            check_triangle(header.storage, row, col, value)?;
        }
        text.end_of_line()?;
        entries.rows.push(row);
        entries.cols.push(col);
        entries.values.push(value);
    }
    Ok(())
}

fn array<T: Scalar>(
    text: &mut Cursor<'_>,
    header: &Header,
    value: impl Fn(&mut Cursor<'_>) -> Result<T, Problem>,
    progress: &mut dyn FnMut(u64),
    entries: &mut Entries<T>,
) -> Result<(), Problem> {
    let mut found = 0;
    for col in 0..header.cols {
        let first = match header.storage {
            Storage::General => 0,
            Storage::Symmetric | Storage::Hermitian => col,
            Storage::SkewSymmetric => col + 1,
        };
        for row in first..header.rows {
            next_line(text, header, found, progress)?;
            let (row, col) = (row as i32, col as i32); // the header is below 2^31
            let value = value(text)?;
            if header.storage != Storage::General {
                check_triangle(header.storage, row, col, value)?;
            }
            text.end_of_line()?;
            entries.rows.push(row);
            entries.cols.push(col);
            entries.values.push(value);
            found += 1;
        }
    }
    Ok(())
}

/// Goes to the line of entry number `found`.
#[inline]
fn next_line(text: &mut Cursor<'_>, header: &Header, found: u64, progress: &mut dyn FnMut(u64)) -> Result<(), Problem> {
    if found.is_multiple_of(STRIDE) {
        progress(text.passed() as u64);
    }
    text.skip_blank_lines();
    match text.peek() {
        None => Err(Problem::TooFew { expected: header.stored, found }),
        Some(b'%') => Err(Problem::Comment),
        Some(_) => Ok(()),
    }
}

/// An index from 1 to `limit`, as one from 0.
#[inline]
fn index(text: &mut Cursor<'_>, what: &'static str, limit: usize) -> Result<i32, Problem> {
    let value = text.natural(if what == "row" { "row index" } else { "column index" })?;
    if value == 0 || value > limit as u64 {
        return Err(Problem::Index { what, value, limit: limit as u64 });
    }
    Ok((value - 1) as i32)
}

/// What symmetric kinds of storage may hold: the lower triangle, and a diagonal that agrees with its mirror.
fn check_triangle<T: Scalar>(storage: Storage, row: i32, col: i32, value: T) -> Result<(), Problem> {
    let (row, col) = (row as u64 + 1, col as u64 + 1);
    if row < col {
        return Err(Problem::AboveDiagonal { storage, row, col });
    }
    if row == col && storage == Storage::SkewSymmetric {
        return Err(Problem::SkewDiagonal { row });
    }
    if row == col && storage == Storage::Hermitian && value.imaginary() != 0.0 {
        return Err(Problem::HermitianDiagonal { row, imaginary: value.imaginary() });
    }
    Ok(())
}

/// An empty vector with room, or an error where memory is short.
pub(crate) fn reserve<T>(room: usize) -> Result<Vec<T>, Problem> {
    let mut vector = Vec::new();
    match vector.try_reserve_exact(room) {
        Ok(()) => Ok(vector),
        Err(_) => Err(Problem::Memory { bytes: (room as u64).saturating_mul(size_of::<T>() as u64) }),
    }
}
