// SPDX-License-Identifier: MIT OR Apache-2.0
//! sizes: exact row sizes, and which bin takes which row. Kernels: `cuda/sizes`.

use std::ptr::null;

use super::alike;
use super::analysis::{Facts, NOT_AHEAD, described, read};
use super::kernels::{
    OCEAN_MOST_BINS, OceanAhead, OceanBin, OceanBinned, OceanCap, OceanCount, OceanCountShort, OceanFacts, OceanFound,
    OceanLengths, OceanList, OceanMark, OceanMost, OceanScan, OceanShortRows, ocean_bin, ocean_cap, ocean_count_blocks,
    ocean_count_hash, ocean_count_merge, ocean_count_short, ocean_count_short_total, ocean_count_slices,
    ocean_count_window, ocean_lengths_again, ocean_lengths_overflowed, ocean_lengths_total, ocean_list, ocean_mark,
    ocean_scan, ocean_scan_bytes,
};
use super::{Cuda, launched};
use crate::backend::{Finished, Known, OVERFLOWED, OverflowedRow, ShortRows, each_bin};
use crate::csr::Csr;
use crate::error::Result;
use crate::heap;
use crate::memory::{Address, Allocation, Span};
use crate::spgemm::{Accumulator, Alike, Allowed, Bin, BinCounts, MOST_BINS, Most, RowArrays, home};
use crate::tuning::{
    BIN_ROUNDS, COUNT_LANES, CUDA_BINS, CUDA_COUNT_BINS, FEW_ROWS, MARK_BLOCKS, MARK_BYTES, RANK_COMPRESSION,
    WINDOW_ROWS, cuda_bins, kernel,
};

const _: () = assert!(MOST_BINS == OCEAN_MOST_BINS as usize, "kernels have room for as many bins");

/// See [`crate::backend::Backend::cap`].
pub fn cap(on: &Cuda, sizes: Span<i64>, most: i64) -> Result<()> {
    let params = OceanCap { sizes: sizes.address.pointer(), count: sizes.len as i64 - 1, most };
    let _current = on.context.enter()?;
    // SAFETY: the driver's array, which only this step uses now.
    launched("cap", unsafe { ocean_cap(&raw const params, on.stream.0) })
}

/// See [`crate::backend::Backend::scan`]. One pass.
pub fn scan(on: &Cuda, sizes: Span<i64>) -> Result<i64> {
    queue_scan(on, sizes)?;
    read(on, sizes.address, sizes.len as i64 - 1)
}

/// Turns the lengths in all but the last of `sizes` into offsets, the last into their total. Does not wait.
pub fn queue_scan(on: &Cuda, sizes: Span<i64>) -> Result<()> {
    let count = sizes.len as i64;
    let mut temp_bytes = 0;
    let _current = on.context.enter()?;
    // SAFETY: the answer has its room.
    launched("scan_bytes", unsafe { ocean_scan_bytes(count, &raw mut temp_bytes) })?;
    let temp = Allocation::new(&on.memory, temp_bytes as usize, "a scan")?;
    let params = OceanScan { values: sizes.address.pointer(), count, temp: temp.address().pointer(), temp_bytes };
    // SAFETY: the driver's array, which only this step uses now; the scratch is as large as was asked for.
    launched("scan", unsafe { ocean_scan(&raw const params, on.stream.0) })
}

/// Sizes of rows as a [`Listing`] takes them.
#[derive(Clone, Copy)]
pub(super) enum Sizes {
    /// One a row.
    Each(Span<i64>),
    /// Their running sums, one more than there are rows; with the products, if the sizes are exact.
    Offsets(Span<i64>, Option<i64>),
}

/// See [`crate::backend::Backend::bin`].
pub fn bin(
    on: &Cuda,
    a: &Csr,
    known: &Known,
    offsets: Span<i64>,
    spans: Span<i32>,
    allowed: Allowed,
    order: Span<i32>,
) -> Result<Binned> {
    let mut at_once = [1; MOST_BINS];
    for (at_once, bin) in at_once.iter_mut().zip(&CUDA_BINS) {
        *at_once = rows_at_once(&bin.within(known.every), known) as i32;
    }
    let heads = known.alike.filter(Alike::are_neighbours).map(|alike| (alike.heads, at_once));
    let bins = cuda_bins(a.rows);
    let sizes = Sizes::Offsets(offsets, known.products);
    Listing { allowed, heads, ..Listing::new(a, a, (&bins, sizes), spans, order) }.list(on, known.every)
}

/// See [`crate::backend::Backend::scan_and_bin`]. Waits once.
pub fn scan_and_bin(
    on: &Cuda,
    a: &Csr,
    known: &Known,
    sizes: Span<i64>,
    spans: Span<i32>,
    allowed: Allowed,
    order: Span<i32>,
) -> Result<(i64, BinCounts)> {
    queue_scan(on, sizes)?;
    let Binned { room, counts } = bin(on, a, known, sizes, spans, allowed, order)?;
    Ok((room.map_or_else(|| read(on, sizes.address, a.rows), Ok)?, counts))
}

/// Rows in each bin, and the room that all have, if it is known by the way.
pub struct Binned {
    room: Option<i64>,
    /// Of the backend's bins.
    pub counts: BinCounts,
}

/// Rows of a bin that are computed together where they have the same columns of A.
pub fn rows_at_once(bin: &Bin, known: &Known) -> i64 {
    match known.alike {
        Some(alike) if bin.accumulator == Accumulator::Window && alike.are_neighbours() => {
            WINDOW_ROWS.of(bin.most.span, alike.mean)
        }
        _ => 1,
    }
}

/// A list of rows, bin after bin.
pub(super) struct Listing<'a> {
    a: &'a Csr,
    b: &'a Csr,
    sizes: Sizes,
    spans: Span<i32>,
    bins: &'a [Bin],
    allowed: Allowed,
    /// Of so many rows of a bin that are alike and side by side, only the first is listed.
    heads: Option<(Span<i32>, [i32; MOST_BINS])>,
    /// Every row is listed where alike has counted more than this.
    pub most_counted: Option<(*const i64, i64)>,
    pub ahead: OceanAhead,
    order: Span<i32>,
}

impl<'a> Listing<'a> {
    /// Every row by bin.
    pub fn new(a: &'a Csr, b: &'a Csr, (bins, sizes): (&'a [Bin], Sizes), spans: Span<i32>, order: Span<i32>) -> Self {
        let (allowed, heads, most_counted) = (Allowed::Auto, None, None);
        Self { a, b, sizes, spans, bins, allowed, heads, most_counted, ahead: NOT_AHEAD, order }
    }

    /// The rows by the bin that counts them, by their products.
    pub fn to_count(a: &'a Csr, b: &'a Csr, arrays: &RowArrays) -> Self {
        Self::new(a, b, (&CUDA_COUNT_BINS, Sizes::Each(arrays.sizes)), arrays.spans, arrays.order)
    }

    /// Of any number of rows that are alike, one is listed for all.
    pub fn with_heads(self, heads: Span<i32>) -> Self {
        Self { heads: Some((heads, [i32::MAX; MOST_BINS])), ..self }
    }

    fn are_counted(&self) -> Option<i64> {
        let Sizes::Offsets(_, products) = self.sizes else { return None };
        products.filter(|_| self.allowed == Allowed::Auto) // whether columns repeat is seen when the rows are listed
    }

    /// The bin that takes every row, if nothing is to be found out.
    fn only(&self, every: Most) -> Option<usize> {
        let only = home(self.bins, every, self.allowed);
        // Rows that merge takes in any case stay together: as neighbours they are faster than by size.
        let merged = |bin: &Bin| bin.accumulator == Accumulator::Merge;
        let together = |bin: &Bin| !self.allowed.allows(bin) || merged(bin) && merged(&self.bins[only]);
        (self.heads.is_none() && self.bins[..only].iter().all(together)).then_some(only)
    }

    /// Queues it; what is found goes to `binned`.
    pub fn queue(&self, on: &Cuda, binned: *mut OceanBinned) -> Result<()> {
        let rows = self.a.rows as usize;
        if rows == 0 {
            return Ok(());
        }
        let (sizes, are_offsets) = match self.sizes {
            Sizes::Each(sizes) => (sizes, 0),
            Sizes::Offsets(sizes, _) => (sizes, 1),
        };
        let rounds = BIN_ROUNDS.of(self.a.rows);
        let stretches = rows.div_ceil(rounds as usize * kernel::STREAM_THREADS as usize);
        let bytes = self.bins.len() * stretches * size_of::<i32>();
        let tallies = Allocation::new(&on.memory, bytes, "lists of rows")?;
        let counted = self.are_counted();
        let mut limits = [OceanMost::default(); MOST_BINS];
        for (limits, bin) in limits.iter_mut().zip(self.bins) {
            // A bin that is not allowed holds no row; the last takes what is left over whatever it says.
            let Most { entries, size, span } = bin.most;
            let open = self.allowed.allows(bin) || counted.is_some() && Allowed::Distinct.allows(bin);
            *limits = OceanMost { entries: if open { entries } else { -1 }, size, span };
        }
        let bits = self.bins.iter().enumerate().map(|(index, bin)| u32::from(bin.distinct) << index);
        let (if_counted, most_counted) = self.most_counted.unwrap_or((null(), 0));
        let params = OceanBin {
            a: described(self.a)?,
            b: described(self.b)?,
            sizes: sizes.address.pointer(),
            spans: self.spans.address.pointer(),
            bins: limits,
            at_once: self.heads.map_or([1; MOST_BINS], |(_, at_once)| at_once),
            heads: self.heads.map_or(null(), |(heads, _)| heads.address.pointer::<i32>().cast_const()),
            counted: if_counted,
            most_counted,
            distinct: if counted.is_some() { bits.sum() } else { 0 },
            rounds,
            distinct_above: counted.map_or(0, |products| (products as f64 / RANK_COMPRESSION) as i64),
            bin_count: self.bins.len() as i32,
            are_offsets,
            tallies: tallies.address().pointer(),
            order: self.order.address.pointer(),
            binned,
            ahead: self.ahead,
        };
        let _current = on.context.enter()?;
        // SAFETY: A was inspected, or will have been when this is done; the other arrays have room for every row, and the
        // scratch for every tally.
        launched("bin", unsafe { ocean_bin(&raw const params, on.stream.0) })
    }

    /// Lists them at once, of rows of which none is more than `every`. Where the first bin or merge takes every row,
    /// nothing is read and nothing waited for.
    pub fn list(&self, on: &Cuda, every: Most) -> Result<Binned> {
        if self.a.rows == 0 {
            return Ok(Binned { room: Some(0), counts: BinCounts::default() });
        }
        if let Some(only) = self.only(every) {
            let mut counts = BinCounts::default();
            counts[only] = self.a.rows as usize;
            let params = OceanList { order: self.order.address.pointer(), rows: self.a.rows };
            let _current = on.context.enter()?;
            // SAFETY: room for every row.
            launched("list", unsafe { ocean_list(&raw const params, on.stream.0) })?;
            return Ok(Binned { room: None, counts });
        }
        let binned = Allocation::new(&on.memory, size_of::<OceanBinned>(), "lists of rows")?;
        self.queue(on, binned.address().pointer())?;
        let found: OceanBinned = read(on, binned.address(), 0)?;
        Ok(Binned { room: Some(found.room), counts: counts_of(&found) })
    }
}

/// Rows in each bin.
pub(super) fn counts_of(found: &OceanBinned) -> BinCounts {
    let mut counts = BinCounts::default();
    for (count, ends) in counts.iter_mut().zip(found.starts.windows(2)) {
        *count = (ends[1] - ends[0]) as usize;
    }
    counts
}

/// See [`crate::backend::Backend::count`]. O(products).
pub fn count(on: &Cuda, a: &Csr, b: &Csr, known: &Known, spans: Span<i32>, sizes: Span<i64>) -> Result<()> {
    let (order, counts, _scratch) = if let Some((order, counts)) = known.listed {
        (order, counts, None)
    } else {
        let rows = a.rows as usize;
        let scratch = Allocation::new(&on.memory, rows * size_of::<i32>(), "lists of rows")?;
        let order = Span::<i32>::new(scratch.address(), rows);
        let every = Listing::new(a, b, (&CUDA_COUNT_BINS, Sizes::Each(sizes)), spans, order);
        let listing = if let Some(alike) = known.alike { every.with_heads(alike.heads) } else { every };
        (order, listing.list(on, known.every)?.counts, Some(scratch))
    };
    let mut listed: Vec<_> = each_bin(&CUDA_COUNT_BINS, &counts, order).collect();
    listed.reverse(); // the larger a row, the longer it takes
    let has_scratch = |(bin, order): &(&Bin, Span<i32>)| is_marked(bin, order.len);
    on.side_by_side(&listed, has_scratch, |on, &(bin, order)| count_rows(on, a, b, bin, order, (sizes, false)))?;
    known.alike.map_or(Ok(()), |alike| alike::spread(on, &alike, sizes))
}

/// The longest rows of A, and the most products of a row of C, that `merge` takes.
pub const SHORT: (i64, i64) = {
    let mut last = (-1, -1);
    let mut i = 0;
    while i < CUDA_BINS.len() {
        if matches!(CUDA_BINS[i].accumulator, Accumulator::Merge) {
            last = (CUDA_BINS[i].most.entries, CUDA_BINS[i].most.size);
        }
        i += 1;
    }
    last
};

/// See [`crate::backend::Backend::are_short`]: those that `merge` takes.
pub fn are_short(of_a: i64, of_b: i64) -> bool {
    let (entries, size) = SHORT;
    of_a <= entries && of_a * of_b.min(size + 1) <= size
}

/// See [`crate::backend::Backend::count_short`]. One pass over A and the rows of B that it names.
pub fn count_short(on: &Cuda, a: &Csr, b: &Csr, sizes: Span<i64>) -> Result<ShortRows> {
    let facts = Facts::begin(on)?;
    queue_count_short(on, a, b, sizes, facts.short_rows(), NOT_AHEAD)?;
    Ok(short_rows(&facts.read(on)?))
}

/// Queues that; where it is not wanted, all offsets become 0.
pub fn queue_count_short(
    on: &Cuda,
    a: &Csr,
    b: &Csr,
    sizes: Span<i64>,
    totals: *mut OceanShortRows,
    ahead: OceanAhead,
) -> Result<()> {
    let params = OceanCountShort { a: described(a)?, b: described(b)?, sizes: sizes.address.pointer(), totals, ahead };
    let _current = on.context.enter()?;
    // SAFETY: both matrices were inspected, or will have been when this is done, and fit each other; there is room for the
    // offsets and the totals.
    launched("count_short", unsafe { ocean_count_short(&raw const params, on.stream.0) })?;
    queue_scan(on, sizes)?;
    // SAFETY: as above.
    launched("count_short_total", unsafe { ocean_count_short_total(&raw const params, on.stream.0) })
}

/// What short rows came to.
pub fn short_rows(found: &OceanFacts) -> ShortRows {
    let OceanShortRows { products, empty_rows, entries } = found.short_rows;
    ShortRows { products, empty_rows, entries }
}

/// Whether so many rows of a bin are counted by many blocks each.
pub(super) fn is_marked(bin: &Bin, rows: usize) -> bool {
    bin.accumulator == Accumulator::Blocks || bin.accumulator == Accumulator::Slices && rows <= FEW_ROWS
}

/// Counts the rows in `order` in the way of `bin`, which holds them; their lengths go to `sizes`, by row or by their
/// place in the list.
pub fn count_rows(
    on: &Cuda,
    a: &Csr,
    b: &Csr,
    bin: &Bin,
    order: Span<i32>,
    (sizes, by_index): (Span<i64>, bool),
) -> Result<()> {
    if order.len == 0 {
        return Ok(());
    }
    if is_marked(bin, order.len) {
        return count_blocks(on, a, b, order, (sizes, by_index));
    }
    let (launcher, name, capacity): (unsafe extern "C" fn(_, _) -> i32, _, _) = match bin.accumulator {
        Accumulator::Merge => (ocean_count_merge, "count_merge", 0),
        Accumulator::Window => (ocean_count_window, "count_window", bin.most.span),
        Accumulator::Hash => (ocean_count_hash, "count_hash", bin.most.size),
        _ => (ocean_count_slices, "count_slices", segment(b, 32)),
    };
    let params = OceanCount { capacity: capacity as i32, ..counting(a, b, order, (sizes, by_index))? };
    let _current = on.context.enter()?;
    // SAFETY: both matrices were inspected; the listed rows exist, and `sizes` has room for them.
    launched(name, unsafe { launcher(&raw const params, on.stream.0) })
}

/// What all ways to count the rows in `order` have in common.
pub(super) fn counting(a: &Csr, b: &Csr, order: Span<i32>, (sizes, by_index): (Span<i64>, bool)) -> Result<OceanCount> {
    Ok(OceanCount {
        a: described(a)?,
        b: described(b)?,
        rows: order.address.pointer(),
        count: order.len as i64,
        sizes: sizes.address.pointer(),
        capacity: 0,
        lanes: COUNT_LANES.of(b.nnz, b.rows),
        by_index: by_index.into(),
        search: 0,
        marks: null(),
        mark_words: 0,
    })
}

/// Counts rows of any length with many blocks each, as many at a time as there are bits for.
fn count_blocks(on: &Cuda, a: &Csr, b: &Csr, order: Span<i32>, (sizes, by_index): (Span<i64>, bool)) -> Result<()> {
    let at_once = (MARK_BYTES as usize / (mark_words(b) * size_of::<u32>())).clamp(1, order.len);
    for first in (0..order.len).step_by(at_once) {
        let rows = order.part(first..(first + at_once).min(order.len));
        let marks = mark(on, a, b, rows)?;
        let sizes = if by_index { sizes.part(first..sizes.len) } else { sizes };
        let params = OceanCount {
            marks: marks.address().pointer::<u32>().cast_const(),
            mark_words: mark_words(b) as i64,
            ..counting(a, b, rows, (sizes, by_index))?
        };
        let _current = on.context.enter()?;
        // SAFETY: both matrices were inspected; the listed rows exist, and `sizes` and `marks` have room for them.
        launched("count_blocks", unsafe { ocean_count_blocks(&raw const params, on.stream.0) })?;
    }
    Ok(())
}

/// A bit for each column of B, in words.
pub fn mark_words(b: &Csr) -> usize {
    (b.cols as usize).div_ceil(32)
}

/// Marks the columns of the rows in `order`, which are few and long: [`mark_words`] for each.
pub fn mark(on: &Cuda, a: &Csr, b: &Csr, order: Span<i32>) -> Result<Allocation> {
    let words = order.len * mark_words(b);
    let marks = Allocation::new(&on.memory, words * size_of::<u32>(), "marks of long rows")?;
    let params = OceanMark {
        a: described(a)?,
        b: described(b)?,
        rows: order.address.pointer(),
        count: order.len as i64,
        marks: marks.address().pointer(),
        mark_words: mark_words(b) as i64,
        // A million short rows of B are marked side by side.
        blocks: ((a.nnz + b.nnz) / kernel::COUNT_THREADS as i64)
            .min(MARK_BLOCKS.of_all / order.len as i64)
            .clamp(1, MARK_BLOCKS.of_row) as i32,
        lanes: COUNT_LANES.of(b.nnz, b.rows),
    };
    let _current = on.context.enter()?;
    // SAFETY: both matrices were inspected; the listed rows exist, and there is a bit for each of their columns.
    launched("mark", unsafe { ocean_mark(&raw const params, on.stream.0) })?;
    Ok(marks)
}

/// Columns that the bits of a long row stand for at a time: all of B's, if they fit, in multiples of `align`.
pub fn segment(b: &Csr, align: i64) -> i64 {
    ((b.cols + align - 1) / align * align).min(kernel::SEGMENT_COLUMNS.into())
}

/// See [`crate::backend::Backend::finish_lengths`]. Waits once where no row has overflowed.
pub fn finish_lengths(on: &Cuda, a: &Csr, b: &Csr, lengths: Span<i64>) -> Result<Finished> {
    let found = Allocation::new(&on.memory, size_of::<OceanFound>(), OUTGROWN)?;
    let mut params = OceanLengths {
        lengths: lengths.address.pointer(),
        offsets: null(),
        rows: a.rows,
        found: found.address().pointer(),
    };
    let current = on.context.enter()?;
    // SAFETY: one length for each row, and room for the answer.
    launched("lengths_overflowed", unsafe { ocean_lengths_overflowed(&raw const params, on.stream.0) })?;
    queue_scan(on, lengths)?;
    // SAFETY: as above.
    launched("lengths_total", unsafe { ocean_lengths_total(&raw const params, on.stream.0) })?;
    let OceanFound { overflowed: rows, entries } = read(on, found.address(), 0)?;
    if rows == 0 {
        return Ok(Finished::Offsets(entries));
    }
    let bytes = lengths.len * size_of::<i64>();
    let copy = Allocation::new(&on.memory, bytes, OUTGROWN)?;
    // SAFETY: the driver's array, and a copy as large.
    unsafe { on.stream.copy(lengths.address, copy.address(), bytes)? };
    params.offsets = copy.address().pointer::<i64>().cast_const();
    // SAFETY: as above.
    launched("lengths_again", unsafe { ocean_lengths_again(&raw const params, on.stream.0) })?;
    drop(current);
    overflowed(on, a, b, lengths).map(Finished::Overflowed)
}

/// What memory for such rows is for.
pub(super) const OUTGROWN: &str = "rows that outgrew their slots";

/// See [`crate::backend::Backend::overflowed`]. O(rows), and the products of the rows that have overflowed.
pub fn overflowed(on: &Cuda, a: &Csr, b: &Csr, counts: Span<i64>) -> Result<Vec<OverflowedRow>> {
    let rows = a.rows as usize;
    if rows == 0 {
        return Ok(Vec::new());
    }
    let scratch = Allocation::new(&on.memory, rows * size_of::<i32>(), OUTGROWN)?;
    let order = Span::<i32>::new(scratch.address(), rows);
    let (bin, found) = list_overflowed(on, a, counts, order)?;
    if found == 0 {
        return Ok(Vec::new());
    }
    let order = order.part(0..found);
    let lengths = Allocation::new(&on.memory, order.len * size_of::<i64>(), OUTGROWN)?;
    count_rows(on, a, b, &bin, order, (Span::new(lengths.address(), order.len), true))?;
    let (mut listed, mut counted) = (heap::filled(order.len, 0i32, OUTGROWN), heap::filled(order.len, 0i64, OUTGROWN));
    // SAFETY: both arrays have as many values.
    unsafe {
        on.download(order.address, &mut listed)?;
        on.download(lengths.address(), &mut counted)?;
    }
    let rows = listed.iter().zip(&counted).map(|(&row, &count)| OverflowedRow { row, count, start: 0 });
    Ok(heap::collected(rows, OUTGROWN))
}

/// Lists the rows that have overflowed at the head of `order`: a bin that counts any row, and how many there are.
pub(super) fn list_overflowed(on: &Cuda, a: &Csr, counts: Span<i64>, order: Span<i32>) -> Result<(Bin, usize)> {
    let spans = Span::new(Address::NULL, 0); // they make no difference
    let bin =
        |size| Bin { name: "", accumulator: Accumulator::Slices, distinct: false, most: Most { size, ..Most::ANY } };
    let bins = [bin(OVERFLOWED), bin(i64::MAX)];
    let rows = Listing::new(a, a, (&bins, Sizes::Each(counts)), spans, order).list(on, Most::ANY)?.counts[0];
    Ok((bins[1], rows))
}
