// SPDX-License-Identifier: MIT OR Apache-2.0
//! A matrix in compressed sparse rows, as the caller described it: shapes, types and addresses.

use crate::error::{Error, Result};
use crate::ffi::oceanDataType_t;
use crate::memory::{Address, Span};
use crate::scalar::{Stored, ValueType};

/// How wide row offsets or column indices are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexType {
    /// 32-bit signed.
    I32,
    /// 64-bit signed.
    I64,
}

impl IndexType {
    /// Bytes of one index.
    pub fn bytes(self) -> usize {
        match self {
            Self::I32 => 4,
            Self::I64 => 8,
        }
    }
}

/// One matrix: `offsets[rows + 1]`, `columns[nnz]`, `values[nnz]` in a backend's memory.
///
/// Row extents come from the offsets. `nnz` is what the caller declared, an upper bound of what the offsets say.
#[derive(Clone, Copy, Debug)]
pub struct Csr {
    /// Rows.
    pub rows: i64,
    /// Columns.
    pub cols: i64,
    /// Entries as declared.
    pub nnz: i64,
    /// Start of each row and the end of the last, counted from `base`.
    pub offsets: Address,
    /// Column of each entry, counted from `base`.
    pub columns: Address,
    /// Value of each entry.
    pub values: Address,
    /// Width of the offsets.
    pub offset_type: IndexType,
    /// Width of the columns.
    pub column_type: IndexType,
    /// 0, or 1 for Fortran's counting.
    pub base: i32,
    /// C number of the values' type: more types can be described than multiplied.
    pub data_type: oceanDataType_t,
}

impl Csr {
    /// Entries that the offsets can count.
    pub fn most_entries(&self) -> i64 {
        match self.offset_type {
            IndexType::I32 => i64::from(i32::MAX - self.base),
            IndexType::I64 => i64::MAX - i64::from(self.base),
        }
    }

    /// Whether both are described by the same arrays.
    pub fn same_pattern(&self, other: &Self) -> bool {
        let places = |m: &Self| (m.offsets, m.columns, m.offset_type, m.column_type, m.base);
        (self.rows, self.cols, self.nnz) == (other.rows, other.cols, other.nnz) && places(self) == places(other)
    }

    /// The type of the values, if products have such.
    pub fn value_type(&self) -> Option<ValueType> {
        ValueType::from_data_type(self.data_type)
    }

    /// The type that these values are computed in.
    ///
    /// # Errors
    /// [`Error::Internal`] if there is none: such matrices are refused before.
    pub fn computed_in(&self) -> Result<ValueType> {
        let none = || Error::Internal("values of a type that products are not computed in".into());
        self.value_type().map(ValueType::computed_in).ok_or_else(none)
    }
}

/// A matrix that owns its arrays: 64-bit offsets, 32-bit columns, base 0. For tests, tools and the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedCsr<V> {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// Start of each row and the end of the last.
    pub offsets: Vec<i64>,
    /// Column of each entry.
    pub columns: Vec<i32>,
    /// Value of each entry.
    pub values: Vec<V>,
}

impl<V: Stored> OwnedCsr<V> {
    /// Takes over arrays that follow the rules of CSR, unsorted rows and repeats included.
    ///
    /// # Errors
    /// [`Error::BadMatrix`] names the first row that breaks a rule.
    pub fn new(rows: usize, cols: usize, offsets: Vec<i64>, columns: Vec<i32>, values: Vec<V>) -> Result<Self> {
        let bad = |row: usize, problem: String| Error::BadMatrix { matrix: "matrix", row: row as i64, problem };
        if offsets.len() != rows + 1 || columns.len() != values.len() {
            let (o, c, v) = (offsets.len(), columns.len(), values.len());
            return Err(bad(0, format!("{o} offsets for {rows} rows, {c} columns for {v} values")));
        }
        if offsets[0] != 0 || offsets[rows] != columns.len() as i64 {
            return Err(bad(
                0,
                format!("offsets run from {} to {}, not 0 to {}", offsets[0], offsets[rows], columns.len()),
            ));
        }
        for row in 0..rows {
            if offsets[row + 1] < offsets[row] {
                return Err(bad(row, format!("offsets fall from {} to {}", offsets[row], offsets[row + 1])));
            }
        }
        for row in 0..rows {
            let range = offsets[row] as usize..offsets[row + 1] as usize;
            if let Some(c) = columns[range].iter().find(|&&c| c < 0 || c as usize >= cols) {
                return Err(bad(row, format!("column {c} of {cols}")));
            }
        }
        Ok(Self { rows, cols, offsets, columns, values })
    }

    /// Entries.
    pub fn nnz(&self) -> usize {
        self.columns.len()
    }

    /// Where the entries of a row lie.
    pub fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }

    /// This matrix as a backend on the host reads it; valid while `self` is.
    pub fn describe(&self) -> Csr {
        Csr {
            rows: self.rows as i64,
            cols: self.cols as i64,
            nnz: self.nnz() as i64,
            offsets: self.offsets.as_ptr().into(),
            columns: self.columns.as_ptr().into(),
            values: self.values.as_ptr().into(),
            offset_type: IndexType::I64,
            column_type: IndexType::I32,
            base: 0,
            data_type: V::TYPE.data_type(),
        }
    }
}

/// A stored column in messages. Of 64-bit columns only the nearest 32-bit number is known.
pub fn column_text(stored: i32) -> String {
    match stored {
        i32::MAX => format!("{stored} or above"),
        i32::MIN => format!("{stored} or below"),
        _ => stored.to_string(),
    }
}

/// Row offsets of either width, read as 64-bit.
#[derive(Clone, Copy, Debug)]
pub enum Offsets {
    /// 32-bit offsets.
    I32(Span<i32>),
    /// 64-bit offsets.
    I64(Span<i64>),
}

impl Csr {
    /// The row offsets with their width.
    pub fn offsets(&self) -> Offsets {
        let len = self.rows as usize + 1;
        match self.offset_type {
            IndexType::I32 => Offsets::I32(Span::new(self.offsets, len)),
            IndexType::I64 => Offsets::I64(Span::new(self.offsets, len)),
        }
    }
}
