// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matrices as they come and go: entries in any order, on any rank; and the way into a layout.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::bits::Bits;
use super::session::{Incoming, Outgoing, Session, number_bytes, read_numbers, tag};
use super::wire::{value_bytes, values};
use super::{Layout, Permutation};
use crate::csr::OwnedCsr;
use crate::error::{Error, Result};
use crate::scalar::Scalar;

/// One rank's share of a matrix: any entries, in any order. Those at one place count as stored, lower ranks first.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries<V> {
    /// Rows of the whole matrix.
    pub rows: u64,
    /// Columns of the whole matrix.
    pub cols: u64,
    /// Row of each entry in the whole matrix, from 0.
    pub row: Vec<u64>,
    /// Its column.
    pub col: Vec<u64>,
    /// Its value.
    pub values: Vec<V>,
}

/// One rank's block of a matrix in a layout, with sorted rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<V> {
    /// Which rank holds what.
    pub layout: Layout,
    /// What this rank holds, counted from the corner of its block.
    pub block: OwnedCsr<V>,
}

/// New orders of a matrix's rows and columns; none leaves them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Orders {
    pub rows: Option<Permutation>,
    pub cols: Option<Permutation>,
}

impl<V: Scalar> Entries<V> {
    /// Consecutive rows from `first_row` on, of a matrix of `rows` rows and as many columns as `part` has.
    pub fn from_rows(rows: u64, first_row: u64, part: &OwnedCsr<V>) -> Self {
        let row = (0..part.rows).flat_map(|row| part.row(row).map(move |_| first_row + row as u64)).collect();
        let col = part.columns.iter().map(|&column| column as u64).collect();
        Self { rows, cols: part.cols as u64, row, col, values: part.values.clone() }
    }

    pub(super) fn check(&self) -> Result<()> {
        let (rows, cols, count) = (self.row.len(), self.col.len(), self.values.len());
        if rows != count || cols != count {
            return Err(Error::invalid("entries", format!("have {rows} rows, {cols} columns and {count} values")));
        }
        let outside = |at: &usize| self.row[*at] >= self.rows || self.col[*at] >= self.cols;
        match (0..count).find(outside) {
            None => Ok(()),
            Some(at) => {
                let (row, col) = (self.row[at], self.col[at]);
                let problem = format!("have one at ({row}, {col}) of a matrix of {} x {}", self.rows, self.cols);
                Err(Error::invalid("entries", problem))
            }
        }
    }
}

/// Whether blocks of this layout fit 32-bit columns and row numbers.
pub(super) fn check_blocks(layout: &Layout) -> Result<()> {
    for (cuts, what) in [(&layout.rows, "rows"), (&layout.cols, "columns")] {
        let widest = (0..cuts.parts()).map(|part| cuts.part(part)).map(|part| part.end - part.start).max().unwrap_or(0);
        if widest > i32::MAX as u64 {
            let parts = cuts.parts();
            let what = format!("a block of {widest} {what}, more than 2147483647, on one of {parts} parts");
            return Err(Error::NotSupported { what, because: ": take more ranks, or another algorithm".into() });
        }
    }
    Ok(())
}

/// Everyone's entries to the ranks whose blocks they are in.
pub(super) fn distribute<V: Scalar>(
    session: &mut Session<'_>,
    entries: &Entries<V>,
    layout: &Layout,
    orders: Orders,
) -> Result<Matrix<V>> {
    let sizes = (layout.rows.size(), layout.cols.size(), layout.grid.ranks());
    let fits = if sizes == (entries.rows, entries.cols, session.comm.size()) {
        entries.check().and_then(|()| check_blocks(layout))
    } else {
        let (rows, cols, ranks) = sizes;
        let (m, n, p) = (entries.rows, entries.cols, session.comm.size());
        let problem = format!("is for {rows} x {cols} on {ranks} ranks, not {m} x {n} on {p}");
        Err(Error::invalid("layout", problem))
    };
    session.agree(fits, super::fingerprint(&(layout, orders)))?;

    let mut packed: Vec<Packed<V>> = (0..session.comm.size()).map(|_| Packed::default()).collect();
    for at in 0..entries.values.len() {
        let row = orders.rows.map_or(entries.row[at], |order| order.apply(entries.row[at]));
        let col = orders.cols.map_or(entries.col[at], |order| order.apply(entries.col[at]));
        let (r, c) = (layout.rows.part_of(row), layout.cols.part_of(col));
        let to = &mut packed[layout.grid.rank_at(r, c)];
        to.places.push((row - layout.rows.part(r).start) << 32 | (col - layout.cols.part(c).start));
        to.values.push(entries.values[at]);
    }
    let counts: Vec<u64> = packed.iter().map(|packed| packed.values.len() as u64).collect();
    let packed = packed.into_iter().map(|packed| packed.bytes()).collect();
    let received = all_to_all(session, counts, packed, 8 + size_of::<V>())?;
    let block = layout.block(session.comm.rank());
    let block =
        assemble(received, (block.rows.end - block.rows.start) as usize, (block.cols.end - block.cols.start) as usize);
    session.agree(block.map(|block| Matrix { layout: layout.clone(), block }), 0)
}

/// Places inside a block (row in the upper half), and values.
struct Packed<V> {
    places: Vec<u64>,
    values: Vec<V>,
}

impl<V> Default for Packed<V> {
    fn default() -> Self {
        Self { places: vec![], values: vec![] }
    }
}

impl<V: Scalar> Packed<V> {
    fn bytes(self) -> Vec<u8> {
        let mut bytes = number_bytes(&self.places);
        bytes.extend_from_slice(value_bytes(&self.values));
        bytes
    }
}

/// Sends `packed[r]`, `counts[r]` things of `size` bytes, to every rank r; returns what came from each.
pub(super) fn all_to_all(
    session: &mut Session<'_>,
    counts: Vec<u64>,
    packed: Vec<Vec<u8>>,
    size: usize,
) -> Result<Vec<Vec<u8>>> {
    let (rank, ranks) = (session.comm.rank(), session.comm.size());
    let others: Vec<usize> = (1..ranks).map(|step| (rank + step) % ranks).collect();
    let out =
        others.iter().map(|&to| Outgoing { to, tag: tag::COUNTS, bytes: number_bytes(&counts[to..=to]) }).collect();
    let expect: Vec<Incoming> = others.iter().map(|&from| Incoming { from, tag: tag::COUNTS, most: 8 }).collect();
    let coming = session.exchange("the counts of entries", out, &expect)?;

    let mut packed: Vec<Option<Vec<u8>>> = packed.into_iter().map(Some).collect();
    let mut received: Vec<Vec<u8>> = vec![vec![]; ranks];
    received[rank] = packed[rank].take().unwrap_or_default();
    let full = others.iter().filter(|&&to| counts[to] > 0);
    let out =
        full.map(|&to| Outgoing { to, tag: tag::ENTRIES, bytes: packed[to].take().unwrap_or_default() }).collect();
    let mut expect = vec![];
    for (&from, bytes) in others.iter().zip(&coming) {
        let count = read_numbers(bytes).next().unwrap_or(0) as usize;
        if count > 0 {
            expect.push(Incoming { from, tag: tag::ENTRIES, most: count.saturating_mul(size) });
        }
    }
    let arrived = session.exchange("the entries of a matrix", out, &expect)?;
    for (Incoming { from, .. }, bytes) in expect.iter().zip(arrived) {
        received[*from] = bytes;
    }
    Ok(received)
}

/// A block from what each rank sent for it; rows sorted, entries at one place in the order of ranks.
fn assemble<V: Scalar>(received: Vec<Vec<u8>>, rows: usize, cols: usize) -> Result<OwnedCsr<V>> {
    let size = 8 + size_of::<V>();
    let total: usize = received.iter().map(|bytes| bytes.len() / size).sum();
    let mut entries: Vec<(u64, V)> = vec![];
    let no_room = |_| Error::OutOfMemory { bytes: total * size_of::<(u64, V)>(), purpose: "the entries of a block" };
    entries.try_reserve_exact(total).map_err(no_room)?;
    for bytes in received {
        let count = bytes.len() / size;
        let numbers = values::<V>(&bytes[8 * count..], count);
        let numbers = numbers.ok_or_else(|| Error::Internal(format!("{} bytes are no entries", bytes.len())))?;
        entries.extend(read_numbers(&bytes[..8 * count]).zip(numbers));
    }
    entries.sort_by_key(|&(place, _)| place);
    let mut offsets = vec![0i64; rows + 1];
    for &(place, _) in &entries {
        *offsets
            .get_mut((place >> 32) as usize + 1)
            .ok_or_else(|| Error::Internal(format!("row {}", place >> 32)))? += 1;
    }
    for row in 0..rows {
        offsets[row + 1] += offsets[row];
    }
    let columns = entries.iter().map(|&(place, _)| place as u32 as i32).collect();
    OwnedCsr::new(rows, cols, offsets, columns, entries.into_iter().map(|(_, value)| value).collect())
}

impl<V: Scalar> Matrix<V> {
    /// The entries that `rank` holds, where they stand in the whole matrix.
    pub fn entries(&self, rank: usize) -> Entries<V> {
        self.entries_in(rank, Orders::default())
    }

    /// The same, in the order before.
    pub(super) fn entries_in(&self, rank: usize, orders: Orders) -> Entries<V> {
        let block = self.layout.block(rank);
        let row_of = |row: usize| {
            let row = block.rows.start + row as u64;
            orders.rows.map_or(row, |order| order.undo(row))
        };
        let col_of = |&column: &i32| {
            let column = block.cols.start + column as u64;
            orders.cols.map_or(column, |order| order.undo(column))
        };
        Entries {
            rows: self.layout.rows.size(),
            cols: self.layout.cols.size(),
            row: (0..self.block.rows)
                .flat_map(|row| std::iter::repeat_n(row_of(row), self.block.row(row).len()))
                .collect(),
            col: self.block.columns.iter().map(col_of).collect(),
            values: self.block.values.clone(),
        }
    }

    /// A number that tells this rank's pattern from others.
    pub(super) fn pattern(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.block.offsets, &self.block.columns).hash(&mut hasher);
        hasher.finish()
    }

    /// Which of its rows have entries.
    pub(super) fn filled_rows(&self) -> Bits {
        let mut bits = Bits::new(self.block.rows);
        (0..self.block.rows).filter(|&row| !self.block.row(row).is_empty()).for_each(|row| bits.set(row));
        bits
    }

    /// Which of its columns have entries.
    pub(super) fn filled_cols(&self) -> Bits {
        let mut bits = Bits::new(self.block.cols);
        self.block.columns.iter().for_each(|&column| bits.set(column as usize));
        bits
    }
}
