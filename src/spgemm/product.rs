// SPDX-License-Identifier: MIT OR Apache-2.0
//! The last two stages of a product that has slots: accumulation into them, with overflowed rows redone, and the
//! move into C.

use super::{Analysed, BinCounts, Operands, Place, Plan};
use crate::backend::{Finished, Known, OVERFLOWED, Output, OverflowedRow, Scalars, Slots};
use crate::csr::{Csr, IndexType};
use crate::error::{Error, Result};
use crate::memory::{Address, Allocation, Carver, Span};
use crate::scalar::ValueType;

/// Room for every row of C, in one buffer: slots, the reserve behind them, and where rows start and end.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Entries in slots.
    pub slots: i64,
    /// Entries behind the slots, for rows that outgrow theirs.
    pub reserve: i64,
    /// Bytes of one value, as computed.
    pub value_bytes: usize,
    /// Rows of C.
    pub rows: i64,
}

impl Room {
    /// What a product of type `kind` needs under this plan, with so many entries in slots.
    pub fn new(slots: i64, plan: &Plan, kind: ValueType, rows: i64) -> Self {
        Self { slots, reserve: plan.reserve(slots), value_bytes: kind.computed_in().bytes(), rows }
    }

    /// Bytes of the buffer.
    pub fn bytes(&self) -> usize {
        self.carve(Address::NULL).1
    }

    fn carve(&self, buffer: Address) -> (ProductArrays, usize) {
        let rows = self.rows as usize;
        let entries = usize::try_from(self.slots.saturating_add(self.reserve)).unwrap_or(usize::MAX);
        let mut carver = Carver::new(buffer);
        let offsets = carver.take(rows + 1);
        let starts = carver.take(rows + 1);
        let columns = carver.take(entries);
        let values = carver.take::<u8>(entries.saturating_mul(self.value_bytes)).address;
        (ProductArrays { offsets, starts, slots: Slots { columns, values, more: None } }, carver.bytes())
    }
}

#[derive(Clone, Copy, Debug)]
struct ProductArrays {
    /// Lengths of the rows, then C's offsets.
    offsets: Span<i64>,
    /// Where each row starts in the slots.
    starts: Span<i64>,
    slots: Slots,
}

/// A product that waits to be moved into C.
#[derive(Debug)]
pub struct Product {
    arrays: ProductArrays,
    /// Entries of C.
    pub nnz: i64,
    /// Rows that had outgrown their slots.
    pub overflowed: usize,
    /// What the reserve could not hold.
    _more: Option<Allocation>,
}

impl Product {
    /// Computes every row into `buffer`, which has `room`; `starts` and `order` are what the sizes left.
    pub fn compute(
        place: Place<'_>,
        operands: &Operands,
        analysed: &mut Analysed,
        (starts, order, bins): (Span<i64>, Span<i32>, &BinCounts),
        room: Room,
        buffer: Address,
    ) -> Result<Self> {
        analysed.check_unchanged(place, operands)?;
        let Operands { a, b, .. } = analysed.read_values(place, operands)?;
        let mut arrays = room.carve(buffer).0;
        let numeric = operands.have_values();
        if !numeric {
            arrays.slots.values = Address::NULL;
        }
        place.on.copy(starts.address, arrays.starts.address, starts.len * size_of::<i64>())?;
        let output = Output::Slots { slots: arrays.slots, counts: arrays.offsets };
        place.on.accumulate_all(&a, &b, &analysed.known(), (order, bins), arrays.starts, &output)?;

        let mut rows = match place.on.finish_lengths(&a, &b, arrays.offsets)? {
            Finished::Offsets(nnz) => return Ok(Self { arrays, nnz, overflowed: 0, _more: None }),
            Finished::Overflowed(rows) => rows,
        };
        let more = make_room(place, &mut rows, room)?;
        if let Some((entries, allocation)) = &more {
            let mut carver = Carver::new(allocation.address());
            let columns = carver.take(*entries);
            let values = carver.take::<u8>(entries * room.value_bytes).address;
            arrays.slots.more = Some((columns, if numeric { values } else { Address::NULL }));
        }
        place.on.redo(&a, &b, &rows, arrays.starts, &arrays.slots, arrays.offsets)?;
        let nnz = place.on.scan(arrays.offsets)?;
        Ok(Self { arrays, nnz, overflowed: rows.len(), _more: more.map(|(_, allocation)| allocation) })
    }

    /// The same where the rooms are the rows' exact lengths, `nnz` entries in all. Only queues work.
    ///
    /// # Errors
    /// [`Error::PatternChanged`] if a row has another length, where that is known without waiting.
    pub fn compute_exact(
        place: Place<'_>,
        operands: &Operands,
        analysed: &mut Analysed,
        (starts, order, bins): (Span<i64>, Span<i32>, &BinCounts),
        (room, nnz): (Room, i64),
        buffer: Address,
    ) -> Result<Self> {
        analysed.check_unchanged(place, operands)?;
        let Operands { a, b, .. } = analysed.read_values(place, operands)?;
        let ProductArrays { offsets, mut slots, .. } = room.carve(buffer).0;
        let kind = operands.computed_in()?;
        let scalars = operands.have_values().then(|| Scalars::one(kind));
        if scalars.is_none() {
            slots.values = Address::NULL;
        }
        place.on.copy(starts.address, offsets.address, starts.len * size_of::<i64>())?;
        let product = Csr {
            rows: a.rows,
            cols: b.cols,
            nnz,
            offsets: offsets.address,
            columns: slots.columns.address,
            values: slots.values,
            offset_type: IndexType::I64,
            column_type: IndexType::I32,
            base: 0,
            data_type: kind.data_type(),
        };
        let output = Output::Exact { c: product, columns: true, scalars };
        place.on.accumulate_all(&a, &b, &analysed.known(), (order, bins), offsets, &output)?;
        Ok(Self { arrays: ProductArrays { offsets, starts: offsets, slots }, nnz, overflowed: 0, _more: None })
    }

    /// C's offsets, from 0.
    pub fn offsets(&self) -> Span<i64> {
        self.arrays.offsets
    }

    /// Whether it has values; else it is a pattern.
    pub fn has_values(&self) -> bool {
        !self.arrays.slots.values.is_null()
    }

    /// C = alpha * product + beta * C, and C's offsets; of a pattern, columns and offsets alone.
    pub fn write(&self, place: Place<'_>, c: &Csr, scalars: &Scalars) -> Result<()> {
        let Self { arrays: ProductArrays { offsets, starts, slots }, .. } = self;
        place.on.compact(*starts, slots, *offsets, c, scalars)?;
        place.on.write_offsets(Some(*offsets), 0, c)
    }
}

/// Computes every row into its exact place in C: columns, if `columns` says so, and values, if there are scalars. C has
/// `nnz` entries. 64-bit columns come from 32-bit ones; 16-bit values are summed in `sums` first, which is allocated if it
/// is not there yet.
pub fn accumulate_into(
    place: Place<'_>,
    (a, b, known): (&Csr, &Csr, &Known),
    (offsets, order, bins): (Span<i64>, Span<i32>, &BinCounts),
    (c, nnz, columns): (&Csr, i64, bool),
    scalars: Option<&Scalars>,
    sums: &mut Option<Allocation>,
) -> Result<()> {
    if columns && c.column_type == IndexType::I64 {
        let count = nnz as usize;
        let narrow = Allocation::new(place.memory, count * size_of::<i32>(), "32-bit columns of matC")?;
        let into = c.columns;
        let c = Csr { columns: narrow.address(), column_type: IndexType::I32, ..*c };
        accumulate_into(place, (a, b, known), (offsets, order, bins), (&c, nnz, true), scalars, sums)?;
        return place.on.widen_columns(Span::new(narrow.address(), count), into);
    }
    let kind = c.computed_in()?;
    let Some(scalars) = scalars.filter(|_| c.value_type() != Some(kind)) else {
        let output = Output::Exact { c: *c, columns, scalars: scalars.copied() };
        return place.on.accumulate_all(a, b, known, (order, bins), offsets, &output);
    };
    let count = nnz as usize;
    let sums = match sums {
        Some(sums) => sums,
        None => sums.insert(Allocation::new(place.memory, count * kind.bytes(), "32-bit values of matC")?),
    };
    let wide = Csr { values: sums.address(), data_type: kind.data_type(), ..*c };
    let output = Output::Exact { c: wide, columns, scalars: Some(Scalars::one(kind)) };
    place.on.accumulate_all(a, b, known, (order, bins), offsets, &output)?;
    place.on.round(sums.address(), count, c, scalars)
}

/// Gives each overflowed row a start: in the reserve while it lasts, then in memory of the handle's allocator.
fn make_room(place: Place<'_>, rows: &mut [OverflowedRow], room: Room) -> Result<Option<(usize, Allocation)>> {
    let end = room.slots + room.reserve;
    let (mut next, mut more) = (room.slots, 0i64);
    for row in rows {
        debug_assert_ne!(row.count, OVERFLOWED);
        if row.count <= end - next {
            row.start = next;
            next += row.count;
        } else {
            row.start = end + more;
            more += row.count;
        }
    }
    if more == 0 {
        return Ok(None);
    }
    let entries = usize::try_from(more).map_err(|_| Error::Internal(format!("{more} overflowed entries")))?;
    let mut carver = Carver::new(Address::NULL);
    carver.take::<i32>(entries);
    carver.take::<u8>(entries.saturating_mul(room.value_bytes));
    Ok(Some((entries, Allocation::new(place.memory, carver.bytes(), "rows that outgrew their slots")?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{Host, HostMemory};
    use std::sync::Arc;

    fn overflowed(counts: &[i64]) -> Vec<OverflowedRow> {
        counts.iter().enumerate().map(|(row, &count)| OverflowedRow { row: row as i32, count, start: -1 }).collect()
    }

    #[test]
    fn overflowed_rows_fill_the_reserve_and_then_memory_of_the_handle() {
        let memory: Arc<dyn crate::memory::Memory> = Arc::new(HostMemory::default());
        let place = Place { on: &Host, memory: &memory };
        let room = Room { slots: 100, reserve: 50, value_bytes: 8, rows: 4 };

        let mut rows = overflowed(&[20, 30]);
        assert!(make_room(place, &mut rows, room).unwrap().is_none());
        assert_eq!([rows[0].start, rows[1].start], [100, 120]);

        let mut rows = overflowed(&[20, 31, 30, 7]);
        let (entries, allocation) = make_room(place, &mut rows, room).unwrap().unwrap();
        assert_eq!(rows.iter().map(|r| r.start).collect::<Vec<_>>(), [100, 150, 120, 181]);
        assert_eq!(entries, 38);
        assert!(allocation.bytes() >= 38 * 12);
    }
}
