// SPDX-License-Identifier: MIT OR Apache-2.0
//! The banner, the comments and the size line.

use std::fmt;

use crate::Problem;
use crate::cursor::Cursor;
use crate::error::excerpt;

/// How the entries are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One `row column value` a line.
    Coordinate,
    /// One value a line, column by column, none left out.
    Array,
}

/// What an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A decimal number.
    Real,
    /// A whole number.
    Integer,
    /// Nothing: the entry counts as 1.
    Pattern,
    /// Two decimal numbers.
    Complex,
}

/// Which part of the matrix is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// All of it.
    General,
    /// The lower triangle; the upper one mirrors it.
    Symmetric,
    /// The lower triangle without the diagonal; the upper one is its negative.
    SkewSymmetric,
    /// The lower triangle; the upper one is its conjugate.
    Hermitian,
}

impl Layout {
    const ALL: [Self; 2] = [Self::Coordinate, Self::Array];
    /// The word in the banner.
    pub fn word(self) -> &'static str {
        match self {
            Self::Coordinate => "coordinate",
            Self::Array => "array",
        }
    }
}

impl Field {
    const ALL: [Self; 4] = [Self::Real, Self::Integer, Self::Pattern, Self::Complex];
    /// The word in the banner.
    pub fn word(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Integer => "integer",
            Self::Pattern => "pattern",
            Self::Complex => "complex",
        }
    }
}

impl Storage {
    const ALL: [Self; 4] = [Self::General, Self::Symmetric, Self::SkewSymmetric, Self::Hermitian];
    /// The word in the banner.
    pub fn word(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Symmetric => "symmetric",
            Self::SkewSymmetric => "skew-symmetric",
            Self::Hermitian => "hermitian",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

impl fmt::Display for Field {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

/// Everything that a file says before its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// How the entries are laid out.
    pub layout: Layout,
    /// What an entry holds.
    pub field: Field,
    /// Which part of the matrix is stored.
    pub storage: Storage,
    /// Rows, below 2^31.
    pub rows: usize,
    /// Columns, below 2^31.
    pub cols: usize,
    /// Entries in the file, before symmetric storage is expanded.
    pub stored: u64,
    /// The comment lines, each without its first `%`.
    pub comments: Vec<String>,
}

impl Header {
    /// Reads up to and including the size line.
    pub(crate) fn parse(text: &mut Cursor<'_>) -> Result<Self, Problem> {
        let (layout, field, storage) = banner(text)?;
        let comments = comments(text);

        let expected = match layout {
            Layout::Coordinate => "rows columns entries",
            Layout::Array => "rows columns",
        };
        if text.left() == 0 {
            return Err(Problem::NoSizeLine { expected });
        }
        let rows = text.natural("number of rows")?;
        let cols = text.natural("number of columns")?;
        check_size("rows", rows)?;
        check_size("columns", cols)?;
        if storage != Storage::General && rows != cols {
            return Err(Problem::NotSquare { storage, rows, cols });
        }
        let stored = match (layout, storage) {
            (Layout::Coordinate, _) => text.natural("number of entries")?,
            // Both are below 2^31: no product here passes 64 bits.
            (Layout::Array, Storage::General) => rows * cols,
            (Layout::Array, Storage::SkewSymmetric) => rows * rows.saturating_sub(1) / 2,
            (Layout::Array, Storage::Symmetric | Storage::Hermitian) => rows * (rows + 1) / 2,
        };
        check_hollow(rows, text.total() as u64)?;
        text.end_of_line()?;
        Ok(Self { layout, field, storage, rows: rows as usize, cols: cols as usize, stored, comments })
    }
}

fn banner(text: &mut Cursor<'_>) -> Result<(Layout, Field, Storage), Problem> {
    let line = text.rest_of_line();
    let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let &[b"%%MatrixMarket", object, layout, field, storage] = words.as_slice() else {
        return Err(Problem::Banner { found: excerpt(line) });
    };
    if !object.eq_ignore_ascii_case(b"matrix") {
        return Err(Problem::Word { what: "object", found: excerpt(object), known: "matrix" });
    }
    let layout = word("layout", layout, &Layout::ALL, Layout::word, "coordinate, array")?;
    let field = word("field", field, &Field::ALL, Field::word, "real, integer, pattern, complex")?;
    let known = "general, symmetric, skew-symmetric, hermitian";
    let storage = word("storage", storage, &Storage::ALL, Storage::word, known)?;

    let combination = |first, second| Err(Problem::Combination { first, second });
    match (layout, field, storage) {
        (Layout::Array, Field::Pattern, _) => combination(layout.word(), field.word()),
        (_, Field::Pattern, Storage::SkewSymmetric) => combination(field.word(), storage.word()),
        (_, Field::Real | Field::Integer | Field::Pattern, Storage::Hermitian) => {
            combination(field.word(), storage.word())
        }
        _ => {
            text.take_line();
            Ok((layout, field, storage))
        }
    }
}

fn word<T: Copy>(
    what: &'static str,
    found: &[u8],
    all: &[T],
    spelled: fn(T) -> &'static str,
    known: &'static str,
) -> Result<T, Problem> {
    let matching = all.iter().find(|&&one| found.eq_ignore_ascii_case(spelled(one).as_bytes()));
    matching.copied().ok_or_else(|| Problem::Word { what, found: excerpt(found), known })
}

/// Takes comments and blank lines, in any order, up to the size line.
fn comments(text: &mut Cursor<'_>) -> Vec<String> {
    let mut comments = Vec::new();
    loop {
        text.skip_blank_lines();
        if text.peek() != Some(b'%') {
            return comments;
        }
        comments.push(String::from_utf8_lossy(&text.take_line()[1..]).into_owned());
    }
}

fn check_size(what: &'static str, value: u64) -> Result<(), Problem> {
    const LIMIT: u64 = i32::MAX as u64;
    if value > LIMIT { Err(Problem::TooLarge { what, value, limit: LIMIT }) } else { Ok(()) }
}

/// Refuses rows that would take memory out of proportion to the file: an empty one costs memory, and no byte of it.
fn check_hollow(rows: u64, bytes: u64) -> Result<(), Problem> {
    const ALWAYS: u64 = 1 << 22;
    const PER_BYTE: u64 = 16;
    let limit = bytes.saturating_mul(PER_BYTE).max(ALWAYS);
    if rows > limit { Err(Problem::Hollow { rows, limit, bytes }) } else { Ok(()) }
}
