// SPDX-License-Identifier: MIT OR Apache-2.0
//! accumulate: the rows of C, in slots or in place. Kernels: `cuda/accumulate`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use super::analysis::described;
use super::blocks::accumulate_split;
use super::finish::described_scalars;
use super::kernels::{
    OceanAccumulate, OceanCutRows, OceanCuts, OceanFactors, OceanPlaceRows, OceanQueue, OceanStream, OceanTask,
    ocean_accumulate_blocks, ocean_accumulate_hash, ocean_accumulate_merge, ocean_accumulate_rank,
    ocean_accumulate_search, ocean_accumulate_slices, ocean_accumulate_sort, ocean_accumulate_window, ocean_cut_rows,
    ocean_place_rows,
};
use super::sizes::{OUTGROWN, mark, mark_words, rows_at_once, segment};
use super::{Cuda, launched};
use crate::backend::{Known, Output, OverflowedRow, Scalars, Slots, each_bin};
use crate::csr::Csr;
use crate::error::Result;
use crate::heap;
use crate::memory::{Address, Allocation, Carver, Span};
use crate::scalar::ValueType;
use crate::spgemm::{Accumulator, Bin, BinCounts, Most};
use crate::tuning::{
    COUNT_LANES, CUDA_BINS, CUT_BYTES, FEW_ROWS, LANES, MARK_BYTES, SHARED_OUT, SLICE_WIDTH, TASK_BYTES, kernel,
};

/// See [`crate::backend::Backend::accumulate_all`]. Bins run side by side; those that plan their work first begin first, and
/// those that may wait come last.
pub fn accumulate_all(
    on: &Cuda,
    a: &Csr,
    b: &Csr,
    known: &Known,
    (order, bins): (Span<i32>, &BinCounts),
    starts: Span<i64>,
    output: &Output,
) -> Result<()> {
    let turn = |bin: &Bin| match bin.accumulator {
        Accumulator::Slices | Accumulator::Sort => 0,
        Accumulator::Blocks => 2,
        _ => 1,
    };
    let mut listed: Vec<_> = each_bin(&CUDA_BINS, bins, order).collect();
    listed.reverse(); // the larger a row, the longer it takes
    listed.sort_by_key(|(bin, _)| turn(bin));
    let has_scratch = |(bin, _): &(&Bin, Span<i32>)| turn(bin) != 1;
    on.side_by_side(&listed, has_scratch, |on, &piece| accumulate(on, a, b, known, piece, starts, output))
}

/// See [`crate::backend::Backend::accumulate`]. Waits for nothing, but where rows of A are split, once.
pub fn accumulate(
    on: &Cuda,
    a: &Csr,
    b: &Csr,
    known: &Known,
    (bin, order): (&Bin, Span<i32>),
    starts: Span<i64>,
    output: &Output,
) -> Result<()> {
    if order.len == 0 {
        return Ok(());
    }
    let bin = bin.within(known.every);
    let kind = b.computed_in()?;
    let has_values = match output {
        Output::Slots { slots, .. } => !slots.values.is_null(),
        Output::Exact { scalars, .. } => scalars.is_some(),
    };
    // Steps of a reuse only enqueue, so they cannot ask how much room the split needs.
    let may_wait = has_values && !matches!(output, Output::Exact { columns: false, .. });
    if bin.accumulator == Accumulator::Blocks && may_wait && accumulate_split(on, a, b, kind, order, starts, output)? {
        return Ok(());
    }
    let mut params = OceanAccumulate {
        rows: order.address.pointer(),
        count: order.len as i64,
        starts: starts.address.pointer(),
        value_type: kind.data_type(),
        ..blank(a, b)?
    };
    match output {
        Output::Slots { slots, counts } => {
            into_slots(&mut params, slots);
            params.counts = counts.address.pointer();
        }
        Output::Exact { c, columns, scalars } => {
            params.base = c.base;
            if *columns {
                params.columns = c.columns.pointer();
            }
            if let Some(scalars) = scalars {
                params.values = c.values.pointer();
                params.scalars = described_scalars(scalars)?;
            }
        }
    }
    if !has_values {
        without_values(&mut params, bin.accumulator);
    }
    let (launcher, name, capacity): (Launcher, _, _) = match bin.accumulator {
        Accumulator::Merge => (ocean_accumulate_merge, "accumulate_merge", staged(output, &bin, order.len, a.rows)),
        Accumulator::Window => (ocean_accumulate_window, "accumulate_window", bin.most.span),
        Accumulator::Hash => (ocean_accumulate_hash, "accumulate_hash", slots(bin.most.size)),
        Accumulator::Search => (ocean_accumulate_search, "accumulate_search", terms_of(&bin)),
        Accumulator::Sort => {
            params.capacity = bin.most.size.max(bin.most.entries) as i32;
            launch(on, "accumulate_sort", ocean_accumulate_sort, &params)?;
            // Rows whose terms repeat so often that they did not fit.
            params.least_terms = i64::from(params.capacity) + 1;
            return slices(on, (a, b), order, room_of(output), params);
        }
        Accumulator::Rank => (ocean_accumulate_rank, "accumulate_rank", bin.most.size),
        Accumulator::Slices => return slices(on, (a, b), order, room_of(output), params),
        Accumulator::Blocks | Accumulator::Dense | Accumulator::Table => return blocks(on, (a, b), order, params),
    };
    params.capacity = capacity as i32;
    params.lanes = LANES.of(b.nnz, b.rows, capacity);
    params.at_once = rows_at_once(&bin, known) as i32;
    params.heads = known.alike.map_or(null(), |alike| alike.heads.address.pointer::<i32>().cast_const());
    params.longest_row = bin.most.entries.min(kernel::MERGED_ROWS) as i32;
    params.columns_at_once = ((bin.most.span.min(kernel::RANK_COLUMNS.into()) + 63) / 64 * 64) as i32;
    launch(on, name, launcher, &params)
}

/// Sums that nobody sees need numbers all the same: any that are there.
fn without_values(params: &mut OceanAccumulate, accumulator: Accumulator) {
    if accumulator == Accumulator::Merge {
        (params.factors.a_values, params.factors.b_values) = (null(), null());
        return;
    }
    params.value_type = ValueType::F32.data_type();
    params.factors.a_values = params.factors.a.columns.cast();
    params.factors.b_values = params.factors.b.columns.cast();
}

/// See [`crate::backend::Backend::redo`].
pub fn redo(
    on: &Cuda,
    a: &Csr,
    b: &Csr,
    rows: &[OverflowedRow],
    starts: Span<i64>,
    slots: &Slots,
    counts: Span<i64>,
) -> Result<()> {
    let kind = b.computed_in()?;
    let listed: Vec<i32> = heap::collected(rows.iter().map(|row| row.row), OUTGROWN);
    let places: Vec<[i64; 2]> = heap::collected(rows.iter().map(|row| [row.start, row.count]), OUTGROWN);
    let listed = on.upload(&listed, OUTGROWN)?;
    let places = on.upload(&places, OUTGROWN)?;
    let mut params = OceanAccumulate {
        rows: listed.address().pointer(),
        count: rows.len() as i64,
        places: places.address().pointer(),
        counts: counts.address.pointer(),
        value_type: kind.data_type(),
        ..blank(a, b)?
    };
    into_slots(&mut params, slots);
    if slots.values.is_null() {
        without_values(&mut params, Accumulator::Slices);
    }
    params.most_entries = kernel::SUM_BLOCK;
    let order = Span::new(listed.address(), rows.len());
    slices(on, (a, b), order, rows.iter().map(|row| row.count).sum(), params)?;
    (params.least_entries, params.most_entries) = (kernel::SUM_BLOCK + 1, i64::MAX);
    blocks(on, (a, b), order, params)?;
    let placed = OceanPlaceRows {
        rows: params.rows,
        places: params.places,
        count: params.count,
        starts: starts.address.pointer(),
    };
    let _current = on.context.enter()?;
    // SAFETY: the listed rows exist, and have starts.
    launched("place_rows", unsafe { ocean_place_rows(&raw const placed, on.stream.0) })
}

/// Entries that a block of `merge` gathers: those of its rows, if they are as long as most. Where it takes only some of
/// the rows, that says little; those of few entries of A are shorter.
fn staged(output: &Output, bin: &Bin, listed: usize, rows: i64) -> i64 {
    if (listed as i64) < rows {
        let few = bin.most.entries < kernel::MERGED_ROWS;
        return if few { kernel::MERGE_STAGED_FEW } else { kernel::MERGE_STAGED }.into();
    }
    let of_block = room_of(output) / rows.max(1) * i64::from(kernel::MERGE_THREADS) * 5 / 4;
    (of_block / 64 * 64).clamp(kernel::MERGE_STAGED_LEAST.into(), kernel::MERGE_STAGED.into())
}

/// Terms of rows of a bin: no row of B is longer than the row of C. In whole words of bits.
fn terms_of(bin: &Bin) -> i64 {
    let Most { entries, size, .. } = bin.most;
    (entries * size + 31) / 32 * 32
}

/// Slots of a table: a power of two, and never so few that one group's sums end where the next one's may not start.
fn slots(size: i64) -> i64 {
    const LEAST: i64 = 8;
    size.max(LEAST).unsigned_abs().next_power_of_two() as i64
}

/// Entries that all rows together have room for.
fn room_of(output: &Output) -> i64 {
    match output {
        Output::Slots { slots, .. } => slots.columns.len as i64,
        Output::Exact { c, .. } => c.nnz,
    }
}

/// The rows have room for so many entries together. They are taken so many at a time that their tasks fit a scratch of
/// fixed size.
fn slices(on: &Cuda, (a, b): (&Csr, &Csr), order: Span<i32>, room: i64, mut params: OceanAccumulate) -> Result<()> {
    const TASKS: i64 = TASK_BYTES / size_of::<OceanTask>() as i64;
    let rows = params.count;
    let width = SLICE_WIDTH.of(rows, b.cols);
    params.slice_columns = width as i32;
    params.crowded_from = SLICE_WIDTH.crowded(width) as i32;
    params.table_most = SLICE_WIDTH.table(width) as i32;
    let segment = segment(b, width).min(SLICE_WIDTH.slices * width);
    params.capacity = segment as i32;
    // A row has no more tasks than slices. And of two tasks side by side one is crowded, or both together would not
    // share a table; so there are two for each crowd of entries at most, and one for each segment of a row.
    let of_row = ((b.cols + width - 1) / width).max(1);
    let of_entries = 2 * room / i64::from(params.crowded_from) + rows * (b.cols / segment + 2);
    let (at_once, task_room) = if of_entries <= TASKS {
        (rows, of_entries.min(rows * of_row))
    } else {
        let at_once = (TASKS / of_row).clamp(1, rows);
        (at_once, at_once * of_row)
    };
    let cuts = cuts(b);
    // A search through all of B pays off only for more than a few rows of C.
    let cut_count = if cuts.count >= 4 && rows >= b.rows / 64 { b.rows * i64::from(cuts.count) } else { 0 };
    params.task_room = task_room;
    let arrays = |carver: &mut Carver| {
        let queue = carver.take::<OceanQueue>(1);
        (queue, carver.take::<OceanTask>(params.task_room as usize), carver.take::<i32>(cut_count as usize))
    };
    let mut probe = Carver::new(Address::NULL);
    arrays(&mut probe);
    let scratch = Allocation::new(&on.memory, probe.bytes(), "slices of long rows")?;
    let (queue, tasks, at) = arrays(&mut Carver::new(scratch.address()));
    if cut_count > 0 {
        params.cuts = OceanCuts { at: at.address.pointer(), ..cuts };
        let cut = OceanCutRows { b: params.factors.b, cuts: params.cuts };
        let _current = on.context.enter()?;
        // SAFETY: B was inspected, and there is room for every cut.
        launched("cut_rows", unsafe { ocean_cut_rows(&raw const cut, on.stream.0) })?;
    }
    let few = order.len <= FEW_ROWS && order.len * mark_words(b) * size_of::<u32>() <= MARK_BYTES as usize;
    let marks = if few { Some(mark(on, a, b, order)?) } else { None };
    params.mark_words = mark_words(b) as i64;
    (params.queue, params.tasks) = (queue.address.pointer(), tasks.address.pointer());
    for first in (0..rows).step_by(at_once as usize) {
        let part = OceanAccumulate {
            rows: params.rows.wrapping_add(first as usize),
            places: if params.places.is_null() { null() } else { params.places.wrapping_add(2 * first as usize) },
            count: at_once.min(rows - first),
            marks: marks.as_ref().map_or(null(), |marks| {
                marks.address().pointer::<u32>().cast_const().wrapping_add(first as usize * mark_words(b))
            }),
            ..params
        };
        launch(on, "accumulate_slices", ocean_accumulate_slices, &part)?;
    }
    Ok(())
}

/// How B's rows are cut: at every slice, or at as many multiples of one as there is room for.
fn cuts(b: &Csr) -> OceanCuts {
    let mut shift = kernel::SLICE_COLUMNS.ilog2() as i32;
    let count = |shift| (b.cols >> shift) + 1;
    while shift < 31 && b.rows.saturating_mul(count(shift)) > CUT_BYTES / size_of::<i32>() as i64 {
        shift += 1;
    }
    OceanCuts { at: null_mut(), count: count(shift) as i32, shift }
}

/// Few rows are shared out among many blocks, which then need to know what lies before their part of the row.
fn blocks(on: &Cuda, (a, b): (&Csr, &Csr), order: Span<i32>, mut params: OceanAccumulate) -> Result<()> {
    let cols = params.factors.b.cols;
    let parts = (SHARED_OUT.blocks / params.count).min(cols / SHARED_OUT.columns);
    params.mark_words = mark_words(b) as i64;
    let bytes = params.count.saturating_mul(params.mark_words).saturating_mul(4);
    if parts < 2 || bytes > SHARED_OUT.mark_bytes {
        return launch(on, "accumulate_blocks", ocean_accumulate_blocks, &params);
    }
    let marks = mark(on, a, b, order)?;
    (params.marks, params.parts) = (marks.address().pointer::<u32>().cast_const(), parts as i32);
    launch(on, "accumulate_blocks", ocean_accumulate_blocks, &params)
}

type Launcher = unsafe extern "C" fn(*const OceanAccumulate, OceanStream) -> i32;

fn launch(on: &Cuda, name: &'static str, launcher: Launcher, params: &OceanAccumulate) -> Result<()> {
    let _current = on.context.enter()?;
    // SAFETY: both matrices were inspected and fit each other; the listed rows exist and are written within their room.
    launched(name, unsafe { launcher(params, on.stream.0) })
}

/// Everything of a launch that follows from A and B.
fn blank(a: &Csr, b: &Csr) -> Result<OceanAccumulate> {
    Ok(OceanAccumulate {
        factors: OceanFactors {
            a: described(a)?,
            b: described(b)?,
            a_values: a.values.pointer::<c_void>(),
            b_values: b.values.pointer::<c_void>(),
        },
        rows: null(),
        count: 0,
        starts: null(),
        places: null(),
        columns: null_mut(),
        values: null_mut(),
        counts: null_mut(),
        pieces_at: i64::MAX,
        more_columns: null_mut(),
        more_values: null_mut(),
        least_entries: 0,
        most_entries: i64::MAX,
        least_terms: 0,
        cuts: OceanCuts { at: null_mut(), count: 0, shift: 0 },
        tasks: null_mut(),
        task_room: 0,
        queue: null_mut(),
        marks: null(),
        mark_words: 0,
        slice_columns: 0,
        crowded_from: 0,
        table_most: 0,
        parts: 1,
        scalars: described_scalars(&Scalars::one(b.computed_in()?))?,
        base: 0,
        value_type: 0,
        capacity: 0,
        lanes: 32,
        bit_lanes: COUNT_LANES.of(b.nnz, b.rows),
        longest_row: 0,
        columns_at_once: 0,
        at_once: 1,
        heads: null(),
    })
}

fn into_slots(params: &mut OceanAccumulate, slots: &Slots) {
    params.columns = slots.columns.address.pointer();
    params.values = slots.values.pointer();
    if let Some((columns, values)) = slots.more {
        params.pieces_at = slots.columns.len as i64;
        params.more_columns = columns.address.pointer();
        params.more_values = values.pointer();
    }
}
