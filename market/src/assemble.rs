// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entries to CSR: count rows, place entries and their mirrors, put the rows in order.

use crate::body::{Entries, reserve};
use crate::{Csr, Header, Problem, Scalar, Storage};

/// The whole matrix, symmetric storage expanded, each row ascending and stable.
pub(crate) fn assemble<T: Scalar>(header: &Header, entries: &Entries<T>) -> Result<Csr<T>, Problem> {
    let mut csr = match header.storage {
        Storage::General => place(header, entries, |_, _, _| None)?,
        Storage::Symmetric => place(header, entries, |row, col, value| (row != col).then_some(value))?,
        Storage::SkewSymmetric => place(header, entries, |_, _, value: T| Some(value.negated()))?,
        Storage::Hermitian => place(header, entries, |row, col, value| (row != col).then(|| value.conjugated()))?,
    };
    sort_rows(&mut csr);
    Ok(csr)
}

/// Puts each entry, then its mirror, at the next free place of its row.
///
/// For a lower triangle sorted by column, as files mostly are, this order already ascends in every row.
fn place<T: Scalar>(
    header: &Header,
    entries: &Entries<T>,
    mirror: impl Fn(i32, i32, T) -> Option<T>,
) -> Result<Csr<T>, Problem> {
    let all = || entries.rows.iter().zip(&entries.cols).zip(&entries.values);

    let mut offsets: Vec<i64> = reserve(header.rows + 1)?;
    offsets.resize(header.rows + 1, 0);
    for ((&row, &col), &value) in all() {
        offsets[row as usize + 1] += 1;
        if mirror(row, col, value).is_some() {
            offsets[col as usize + 1] += 1;
        }
    }
    for i in 0..header.rows {
        offsets[i + 1] += offsets[i];
    }

    let nnz = offsets[header.rows] as usize;
    let mut next: Vec<i64> = reserve(header.rows)?;
    next.extend_from_slice(&offsets[..header.rows]);
    let mut columns: Vec<i32> = reserve(nnz)?;
    let mut values: Vec<T> = reserve(nnz)?;
    columns.resize(nnz, 0);
    if let Some(&any) = entries.values.first() {
        values.resize(nnz, any); // every place is overwritten
    }
    let mut put = |row: i32, col: i32, value: T| {
        let at = &mut next[row as usize];
        columns[*at as usize] = col;
        values[*at as usize] = value;
        *at += 1;
    };
    for ((&row, &col), &value) in all() {
        put(row, col, value);
        if let Some(mirrored) = mirror(row, col, value) {
            put(col, row, mirrored);
        }
    }
    Ok(Csr { rows: header.rows, cols: header.cols, offsets, columns, values })
}

/// Sorts the rows that need it; entries of one place keep their order.
fn sort_rows<T: Scalar>(csr: &mut Csr<T>) {
    let mut pairs: Vec<(i32, T)> = Vec::new();
    for row in 0..csr.rows {
        let range = csr.row(row);
        let columns = &mut csr.columns[range.clone()];
        if columns.is_sorted() {
            continue;
        }
        let values = &mut csr.values[range];
        pairs.clear();
        pairs.extend(columns.iter().copied().zip(values.iter().copied()));
        pairs.sort_by_key(|pair| pair.0);
        for (i, &(column, value)) in pairs.iter().enumerate() {
            columns[i] = column;
            values[i] = value;
        }
    }
}
