// SPDX-License-Identifier: MIT OR Apache-2.0
//! A caller's matrix as slices: either offset width, either base.

use std::ops::Range;

use crate::csr::{Csr, Offsets};
use crate::error::{Error, Result};
use crate::memory::Span;
use crate::scalar::Scalar;

/// The pattern of a matrix in host memory.
#[derive(Clone, Copy)]
pub struct Pattern<'a> {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    offsets: HostOffsets<'a>,
    columns: &'a [i32],
    /// What the columns count from.
    pub base: i32,
}

#[derive(Clone, Copy)]
enum HostOffsets<'a> {
    I32(&'a [i32]),
    I64(&'a [i64]),
}

impl HostOffsets<'_> {
    #[inline]
    fn pair(&self, row: usize) -> [i64; 2] {
        match self {
            Self::I32(offsets) => [i64::from(offsets[row]), i64::from(offsets[row + 1])],
            Self::I64(offsets) => [offsets[row], offsets[row + 1]],
        }
    }

    fn at(&self, row: usize) -> i64 {
        match self {
            Self::I32(offsets) => i64::from(offsets[row]),
            Self::I64(offsets) => offsets[row],
        }
    }
}

impl<'a> Pattern<'a> {
    /// Views a described matrix, which errors call `name`.
    ///
    /// # Safety
    /// The addresses in `matrix` lie in host memory: `rows + 1` offsets, and as many columns as the smaller of
    /// `nnz` and what the last offset says. Nobody writes them during `'a`.
    pub unsafe fn new(matrix: &Csr, name: &'static str) -> Result<Self> {
        let rows = matrix.rows as usize;
        // SAFETY: the caller's promise.
        let offsets = unsafe {
            match matrix.offsets() {
                Offsets::I32(span) => HostOffsets::I32(span.slice()),
                Offsets::I64(span) => HostOffsets::I64(span.slice()),
            }
        };
        let bad = |row, problem| Err(Error::BadMatrix { matrix: name, row, problem });
        if offsets.at(0) != i64::from(matrix.base) {
            return bad(0, format!("offsets start at {}, but the index base is {}", offsets.at(0), matrix.base));
        }
        // Wraps on the lowest number of all, to one that is past every nnz.
        let end = offsets.at(rows).wrapping_sub(i64::from(matrix.base));
        if end < 0 || end > matrix.nnz {
            return bad(matrix.rows, format!("offsets end after {end} entries, but nnz is {}", matrix.nnz));
        }
        // SAFETY: the caller's promise; `end` is within `nnz`.
        let columns = unsafe { Span::new(matrix.columns, end as usize).slice() };
        Ok(Self { rows, cols: matrix.cols as usize, offsets, columns, base: matrix.base })
    }

    /// Entries.
    pub fn nnz(&self) -> usize {
        self.columns.len()
    }

    /// Offset of a row as stored, from 0. May be nonsense in a matrix that was not inspected, hence wraps.
    pub fn offset(&self, row: usize) -> i64 {
        self.offsets.at(row).wrapping_sub(i64::from(self.base))
    }

    /// Where a row's entries lie.
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        let base = i64::from(self.base);
        let [start, end] = self.offsets.pair(row);
        (start - base) as usize..(end - base) as usize
    }

    /// Entries of a row.
    #[inline]
    pub fn len(&self, row: usize) -> usize {
        let [start, end] = self.offsets.pair(row);
        (end - start) as usize
    }

    /// A row's columns as stored, counted from the base.
    #[inline]
    pub fn stored(&self, range: Range<usize>) -> &'a [i32] {
        &self.columns[range]
    }

    /// A stored column, from 0.
    #[inline]
    pub fn index(&self, stored: i32) -> usize {
        (i64::from(stored) - i64::from(self.base)) as usize
    }

    /// First and last column of a row whose columns ascend, from 0.
    pub fn ends(&self, row: usize) -> Option<(usize, usize)> {
        let columns = &self.columns[self.range(row)];
        Some((self.index(*columns.first()?), self.index(*columns.last()?)))
    }
}

/// What each pair of entries contributes: a product, or nothing when only the pattern is wanted.
pub trait Products: Copy + Send + Sync {
    /// The type of a sum of products.
    type Sum: crate::scalar::Sum;
    /// Entry `a` of A times the entries `b` of B, in their order.
    fn row(&self, a: usize, b: Range<usize>) -> impl Iterator<Item = Self::Sum>;
}

/// Only the pattern.
#[derive(Clone, Copy)]
pub struct Structure;

impl Products for Structure {
    type Sum = ();
    fn row(&self, _: usize, b: Range<usize>) -> impl Iterator<Item = ()> {
        b.map(|_| ())
    }
}

/// The values of A and B.
#[derive(Clone, Copy)]
pub struct Numeric<'a, V> {
    a: &'a [V],
    b: &'a [V],
}

impl<'a, V: Scalar> Numeric<'a, V> {
    /// Views the values of two matrices.
    ///
    /// # Safety
    /// Both have as many values of type `V` in host memory as their patterns have entries, and nobody writes
    /// them during `'a`.
    pub unsafe fn new((a, a_nnz): (&Csr, usize), (b, b_nnz): (&Csr, usize)) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self { a: Span::new(a.values, a_nnz).slice(), b: Span::new(b.values, b_nnz).slice() } }
    }
}

impl<V: Scalar> Products for Numeric<'_, V> {
    type Sum = V;
    fn row(&self, a: usize, b: Range<usize>) -> impl Iterator<Item = V> {
        let left = self.a[a];
        self.b[b].iter().map(move |&right| left.times(right))
    }
}
