// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way of entries into a layout: where each goes, and where those that come land. Settled once for a pattern; then
//! values alone travel.

use super::entries::{Orders, check_blocks};
use super::session::{Incoming, Outgoing, Session, number_bytes, read_numbers, tag};
use super::wire::{value_bytes, values};
use super::{Entries, Layout, Matrix};
use crate::csr::OwnedCsr;
use crate::error::{Error, Result};
use crate::heap::{self, caught};
use crate::scalar::Scalar;

/// One rank's part of it.
#[derive(Clone, Debug)]
pub(super) struct Route {
    layout: Layout,
    /// This rank's entries in the order in which they leave: to rank 0, to rank 1, and so on.
    leaving: Vec<usize>,
    /// How many go to each rank.
    sends: Vec<usize>,
    /// How many come from each.
    receives: Vec<usize>,
    /// For each entry of the block, which of those that came it is, in the order of ranks.
    landing: Vec<usize>,
    /// The block's rows.
    offsets: Vec<i64>,
    /// The block's columns.
    columns: Vec<i32>,
}

impl Route {
    /// Collective. Rows of the block are sorted, and entries at one place in the order of ranks.
    pub fn new<V: Scalar>(
        session: &mut Session<'_>,
        entries: &Entries<V>,
        layout: &Layout,
        orders: Orders,
    ) -> Result<Self> {
        let ranks = session.comm.size();
        let packed = fits(ranks, entries, layout).and_then(|()| caught(|| Ok(pack(entries, layout, orders, ranks))));
        let Packed { leaving, sends, places } = session.agree(packed, super::fingerprint(&(layout, orders)))?;
        let counts: Vec<u64> = sends.iter().map(|&count| count as u64).collect();
        let came = all_to_all(session, counts, places, 8)?;
        let receives: Vec<usize> = came.iter().map(|bytes| bytes.len() / 8).collect();
        let block = layout.block(session.comm.rank());
        let rows = (block.rows.end - block.rows.start) as usize;
        let (landing, offsets, columns) = session.agree(caught(|| land(&came, rows)), 0)?;
        Ok(Self { layout: layout.clone(), leaving, sends, receives, landing, offsets, columns })
    }

    /// How many values this rank gives.
    pub fn len(&self) -> usize {
        self.leaving.len()
    }

    /// How many entries its block has.
    pub fn block_nnz(&self) -> usize {
        self.columns.len()
    }

    /// A block of this pattern.
    pub fn matrix<V: Scalar>(&self, rank: usize, values: Vec<V>) -> Result<Matrix<V>> {
        let block = self.layout.block(rank);
        let (rows, cols) = (block.rows.end - block.rows.start, block.cols.end - block.cols.start);
        let offsets = heap::collected(self.offsets.iter().copied(), ENTRIES);
        let columns = heap::collected(self.columns.iter().copied(), ENTRIES);
        let block = OwnedCsr::new(rows as usize, cols as usize, offsets, columns, values)?;
        Ok(Matrix { layout: self.layout.clone(), block })
    }

    /// The block with everyone's values in it, which are as many as the entries of the pattern and in their order.
    /// Collective.
    ///
    /// # Errors
    /// [`Error::Invalid`] where some rank gives another number of values.
    pub fn carry<V: Scalar>(&self, session: &mut Session<'_>, values: &[V]) -> Result<Matrix<V>> {
        let packed = if values.len() == self.len() {
            caught(|| Ok(self.pack_values(values)))
        } else {
            Err(Error::invalid("values", format!("are {}, for a pattern of {} entries", values.len(), self.len())))
        };
        let packed = session.agree(packed, super::fingerprint(&V::TYPE))?;
        let came = self.values_of_all(session, packed, size_of::<V>())?;
        let rank = session.comm.rank();
        let block = caught(|| {
            let came = self.unpack_values::<V>(&came)?;
            self.matrix(rank, heap::collected(self.landing.iter().map(|&at| came[at]), ENTRIES))
        });
        session.agree(block, 0)
    }

    /// This rank's values in the order in which they leave, for each rank.
    fn pack_values<V: Scalar>(&self, given: &[V]) -> Vec<Vec<u8>> {
        let mut begin = 0;
        let part = |&count: &usize| {
            let mut bytes = heap::room(count * size_of::<V>(), ENTRIES);
            self.leaving[begin..begin + count]
                .iter()
                .for_each(|&at| bytes.extend_from_slice(value_bytes(&given[at..=at])));
            begin += count;
            bytes
        };
        self.sends.iter().map(part).collect()
    }

    /// Values for this rank's block, from each rank, as they were packed.
    fn values_of_all(
        &self,
        session: &mut Session<'_>,
        mut packed: Vec<Vec<u8>>,
        value_bytes: usize,
    ) -> Result<Vec<Vec<u8>>> {
        let (rank, ranks) = (session.comm.rank(), session.comm.size());
        let mut came = vec![vec![]; ranks];
        came[rank] = std::mem::take(&mut packed[rank]);
        let leaving = packed.into_iter().enumerate().filter(|(_, bytes)| !bytes.is_empty());
        let outgoing = leaving.map(|(to, bytes)| Outgoing { to, tag: tag::VALUES, bytes }).collect();
        let mut incoming = vec![];
        for from in (1..ranks).map(|step| (rank + step) % ranks).filter(|&from| self.receives[from] > 0) {
            incoming.push(Incoming { from, tag: tag::VALUES, most: self.receives[from] * value_bytes });
        }
        let arrived = session.exchange("the values of a matrix", outgoing, &incoming)?;
        for (Incoming { from, .. }, bytes) in incoming.iter().zip(arrived) {
            came[*from] = bytes;
        }
        Ok(came)
    }

    /// The values that came, in the order of ranks.
    fn unpack_values<V: Scalar>(&self, came: &[Vec<u8>]) -> Result<Vec<V>> {
        let mut all = heap::room(self.receives.iter().sum(), ENTRIES);
        for (bytes, &count) in came.iter().zip(&self.receives) {
            let short = || Error::Internal(format!("{} bytes are not {count} values", bytes.len()));
            all.extend(values::<V>(bytes, count).ok_or_else(short)?);
        }
        Ok(all)
    }
}

/// What memory for them is for.
const ENTRIES: &str = "the entries of a block";

/// A rank's entries, ready to leave.
struct Packed {
    leaving: Vec<usize>,
    sends: Vec<usize>,
    /// For each rank the places of its entries, as bytes.
    places: Vec<Vec<u8>>,
}

fn pack<V: Scalar>(entries: &Entries<V>, layout: &Layout, orders: Orders, ranks: usize) -> Packed {
    let place = |at: usize| {
        let row = orders.rows.map_or(entries.row[at], |order| order.apply(entries.row[at]));
        let col = orders.cols.map_or(entries.col[at], |order| order.apply(entries.col[at]));
        let (r, c) = (layout.rows.part_of(row), layout.cols.part_of(col));
        let place = (row - layout.rows.part(r).start) << 32 | (col - layout.cols.part(c).start);
        (layout.grid.rank_at(r, c), place)
    };
    let placed: Vec<(usize, u64)> = heap::collected((0..entries.values.len()).map(place), ENTRIES);
    let mut sends = vec![0; ranks];
    placed.iter().for_each(|&(to, _)| sends[to] += 1);
    let mut places: Vec<Vec<u8>> = sends.iter().map(|&count| heap::room(8 * count, ENTRIES)).collect();
    let mut next: Vec<usize> = sends.iter().scan(0, |end, &count| Some(std::mem::replace(end, *end + count))).collect();
    let mut leaving = heap::filled(placed.len(), 0, ENTRIES);
    for (at, &(to, place)) in placed.iter().enumerate() {
        places[to].extend_from_slice(&place.to_ne_bytes());
        leaving[next[to]] = at;
        next[to] += 1;
    }
    Packed { leaving, sends, places }
}

fn fits<V: Scalar>(ranks: usize, entries: &Entries<V>, layout: &Layout) -> Result<()> {
    let sizes = (layout.rows.size(), layout.cols.size(), layout.grid.ranks());
    if sizes == (entries.rows, entries.cols, ranks) {
        return entries.check().and_then(|()| check_blocks(layout));
    }
    let (rows, cols, want) = sizes;
    let (m, n) = (entries.rows, entries.cols);
    Err(Error::invalid("layout", format!("is for {rows} x {cols} on {want} ranks, not {m} x {n} on {ranks}")))
}

/// What a block is made of: the order in which entries land, offsets, columns.
type Landing = (Vec<usize>, Vec<i64>, Vec<i32>);

/// Sorts what each rank sent for a block of so many rows; what is at one place stays in the order of ranks.
fn land(came: &[Vec<u8>], rows: usize) -> Result<Landing> {
    let total: usize = came.iter().map(|bytes| bytes.len() / 8).sum();
    let mut entries: Vec<(u64, usize)> = heap::room(total, ENTRIES);
    entries.extend(came.iter().flat_map(|bytes| read_numbers(bytes)).zip(0..));
    // With the second number, equal places keep their order too.
    entries.sort_unstable();
    let mut offsets = heap::filled(rows + 1, 0i64, ENTRIES);
    for &(place, _) in &entries {
        let row = place >> 32;
        *offsets.get_mut(row as usize + 1).ok_or_else(|| Error::Internal(format!("row {row} of {rows}")))? += 1;
    }
    for row in 0..rows {
        offsets[row + 1] += offsets[row];
    }
    let columns = heap::collected(entries.iter().map(|&(place, _)| place as u32 as i32), ENTRIES);
    Ok((heap::collected(entries.iter().map(|&(_, at)| at), ENTRIES), offsets, columns))
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
