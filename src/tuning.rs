// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every tuned number, once. Prose elsewhere names the constant and does not repeat the value.

use crate::spgemm::{Accumulator, Bin, Most, Totals};

pub mod kernel;
pub use kernel::{BOUNDED_PRODUCTS, SKETCHED_ROW};

/// Rows of A beyond this many entries are summed in blocks of so many; part of the promised order of sums.
pub const SUM_BLOCK: usize = kernel::SUM_BLOCK as usize;

/// Share of the rows that the analysis samples, and its bounds.
/// Ocean (ICS 2026), sec. 4.3: 0.01 cost 2.1 % there, 0.05 cost 3.5 %. Not retuned here.
/// Not there: the bound on products. H200, rmat16_16: 1.3 of 13 ms went to 3 % of the rows.
pub const SAMPLE: SampleSize = SampleSize { share: 0.03, least: 600, most: 10_000, products: 2e6 };

/// How many rows to sample.
#[derive(Clone, Copy, Debug)]
pub struct SampleSize {
    /// Share of the rows.
    pub share: f64,
    /// At least so many, or all.
    pub least: usize,
    /// At most so many.
    pub most: usize,
    /// At most so many that they have this many products, but for the least.
    pub products: f64,
}

impl SampleSize {
    /// Rows to sample out of `rows` of so many products each, on average.
    pub fn of(&self, rows: usize, products: f64) -> usize {
        let share = (rows as f64 * self.share).min(self.products / products.max(1.0));
        (share.ceil() as usize).clamp(self.least, self.most).min(rows)
    }
}

/// Smaller matrices are not sampled: the sample would be a quarter of them or more, and cost what counting costs.
pub const SAMPLED_ROWS: i64 = 4 * SAMPLE.least as i64;

/// Fewer products are not sampled on the GPU, and so not estimated: counting them costs no more. H200: a sample takes 0.03
/// to 0.12 ms; nursesched_medium (18 million) 0.08 ms, and 0.31 ms its estimate. In the emulation small ones are, too.
pub const CUDA_SAMPLED_PRODUCTS: i64 = if cfg!(ocean_emu) { 0 } else { 32 << 20 };

/// Entries of A from which its products are counted in one go with the look at it even where rows of C are probably so
/// short that they are not needed: launches that find nothing to do take 0.02 ms, and so does a wait. Less in the emulation.
pub const BOTH_AHEAD: i64 = if cfg!(ocean_emu) { 1 << 10 } else { 1 << 20 };

/// Products with at most so many bytes of terms always fit: the memory there is isn't asked for, which takes as long
/// as a small product. Slots are hardly more than C in any case.
pub const ALWAYS_FITS: u64 = 1 << 30;

/// Memory that a product takes at most beyond A, B, C and a buffer of C's size: what is promised.
pub const EXTRA: Extra = Extra { bytes: 64 << 20, of_row: 32 };

/// A promise of memory.
#[derive(Clone, Copy, Debug)]
pub struct Extra {
    /// Bytes.
    pub bytes: u64,
    /// Bytes for each row of A.
    pub of_row: u64,
}

impl Extra {
    /// Bytes for so many rows.
    pub fn of(&self, rows: u64) -> u64 {
        self.bytes + self.of_row * rows
    }
}

/// Registers per sketch: `many` from expansion ratio `many_from` on.
/// Ocean (ICS 2026), sec. 4.3; sec. 5.3 there: a fixed 32 costs 1.4 %, a fixed 64 costs 1 %. Not retuned here.
pub const REGISTERS: Registers = Registers { few: 32, many: 64, many_from: 48.0 };

/// The choice of sketch size.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    /// For matrices of low expansion.
    pub few: usize,
    /// For the others.
    pub many: usize,
    /// Expansion ratio from which `many` are taken.
    pub many_from: f64,
}

impl Registers {
    /// Registers for a product of this expansion ratio.
    pub fn of(&self, expansion: f64) -> usize {
        if expansion < self.many_from { self.few } else { self.many }
    }

    /// What an estimate is multiplied by to give a slot. Ocean (ICS 2026), sec. 5.3.
    pub fn coefficient(&self, registers: usize) -> f64 {
        if registers <= self.few { 2.0 } else { 1.5 }
    }
}

/// Below so many products a row, on average, rows are not worth sizing: upper bound. Ocean (ICS 2026), table 1.
pub const UPPER_BOUND_BELOW: f64 = 64.0;

/// Without a sample, the upper bound is taken only where no row has more products.
pub const SMALL_ROW: i64 = 512;

/// The upper bound is taken only below this compression: more slots than this for an entry cost more to move than the
/// rows cost to count. H200, p2d_2000 (CR 1.92) in one call: 3.2 ms with 2.0 here, 2.2 ms with 1.1.
pub const UPPER_BOUND_COMPRESSION: f64 = 1.1;

/// From this expansion and this compression on, sizes are estimated. Ocean (ICS 2026), table 1.
pub const ESTIMATE_FROM: (f64, f64) = (8.0, 8.0);

/// Ocean (ICS 2026), table 1, for the versions that are compared with it: never retuned.
pub const PAPER: Paper = Paper { upper_bound_below: 64.0, expansion_from: 8.0, compression_from: 8.0 };

/// The paper's choice of a workflow.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Rows of fewer products on average have room for each.
    pub upper_bound_below: f64,
    /// Expansion from which rows are estimated, if the compression is high enough, too.
    pub expansion_from: f64,
    /// That compression.
    pub compression_from: f64,
}

/// Room for rows that outgrow their slots, as a share of all slots, and its least number of entries. The paper's
/// worst matrix overflows in 7 % of its rows at 32 registers and coefficient 1.5 (sec. 5.3); what the reserve
/// cannot hold comes from the handle's allocator.
pub const RESERVE: (f64, i64) = (1.0 / 32.0, 1_024);

/// When rows of C that are as long as others are looked for, and when it helps to have found them.
/// H200: a look costs 0.01 to 0.03 ms among neighbours where there are none, and 0.02 to 0.1 ms anywhere. In the
/// emulation small matrices are looked into, too.
pub const ALIKE: AlikeRows = AlikeRows {
    least_entries: if cfg!(ocean_emu) { 64 } else { 1 << 20 },
    least_share: 1.0 / 3.0,
    anywhere_from: 16.0,
    most_counted: 0.7,
};

/// The choice of groups of rows.
#[derive(Clone, Copy, Debug)]
pub struct AlikeRows {
    /// A of fewer entries is not worth it.
    pub least_entries: i64,
    /// Neighbours are compared where so many rows look like the one before.
    pub least_share: f64,
    /// Rows anywhere are compared where rows of B have so many entries on average.
    pub anywhere_from: f64,
    /// Few rows are counted for many if they have at most this share of the products.
    pub most_counted: f64,
}

impl AlikeRows {
    /// Of so many products, how many at most those rows have that are counted, if that saves much.
    pub fn most_counted(&self, products: i64) -> i64 {
        (self.most_counted * products as f64) as i64
    }

    /// Whether counting few rows for many saves much.
    pub fn pays(&self, totals: &Totals) -> bool {
        totals.counted <= self.most_counted(totals.products)
    }
}

/// Hash tables are full at this share of their slots. Ocean (ICS 2026), sec. 5.3.
pub const HASH_FULL: f64 = 0.8;

/// From so many products an entry on, the host looks whether a column is in a row before it says so.
pub const REPEATS_FROM: f64 = 4.0;

/// The host's dense accumulators span so many columns at most, at 9 bytes a column for each thread in f64. In a matrix
/// of no more columns they span them all, and rows need no search for their ends.
pub const DENSE_COLUMNS: usize = 1 << 22;

/// The host's accumulators.
#[rustfmt::skip] // a table reads by column
pub const HOST_BINS: [Bin; 2] = [
    Bin { name: "dense", accumulator: Accumulator::Dense, distinct: false, most: Most { span: DENSE_COLUMNS as i64, ..Most::ANY } },
    Bin { name: "hash",  accumulator: Accumulator::Hash,  distinct: false, most: Most::ANY },
];

/// The GPU's accumulators, the cheapest first: a row goes to the first that holds it. Sizes of windows and tables: one
/// class for each doubling or two, so that a row wastes little shared memory. Not tuned yet.
#[rustfmt::skip] // a table reads by column
pub const CUDA_BINS: [Bin; 20] = [
    Bin { name: "merge 4",     accumulator: Accumulator::Merge,  distinct: false, most: Most { entries: 4, size: 64, ..Most::ANY } },
    Bin { name: "merge 8",     accumulator: Accumulator::Merge,  distinct: false, most: Most { entries: kernel::MERGED_ROWS, size: 64, ..Most::ANY } },
    Bin { name: "window 128",  accumulator: Accumulator::Window, distinct: false, most: Most { entries: WALKED, span: 128, ..Most::ANY } },
    Bin { name: "window 256",  accumulator: Accumulator::Window, distinct: false, most: Most { entries: WALKED, span: 256, ..Most::ANY } },
    Bin { name: "window 512",  accumulator: Accumulator::Window, distinct: false, most: Most { entries: WALKED, span: 512, ..Most::ANY } },
    Bin { name: "window 1024", accumulator: Accumulator::Window, distinct: false, most: Most { entries: WALKED, span: 1_024, ..Most::ANY } },
    Bin { name: "window 2048", accumulator: Accumulator::Window, distinct: false, most: Most { entries: WALKED, span: 2_048, ..Most::ANY } },
    Bin { name: "search 512",  accumulator: Accumulator::Search, distinct: false, most: Most { entries: kernel::SEARCHED_ROWS, size: 512, ..Most::ANY } },
    Bin { name: "search 4096", accumulator: Accumulator::Search, distinct: false, most: Most { entries: kernel::SEARCHED_ROWS, size: 4_096, ..Most::ANY } },
    Bin { name: "hash 32",     accumulator: Accumulator::Hash,   distinct: false, most: Most { entries: WALKED, size: 32, span: kernel::TABLE_COLUMNS } },
    Bin { name: "hash 64",     accumulator: Accumulator::Hash,   distinct: false, most: Most { entries: WALKED, size: 64, span: kernel::TABLE_COLUMNS } },
    Bin { name: "hash 128",    accumulator: Accumulator::Hash,   distinct: false, most: Most { entries: WALKED, size: 128, span: kernel::TABLE_COLUMNS } },
    Bin { name: "hash 256",    accumulator: Accumulator::Hash,   distinct: false, most: Most { entries: WALKED, size: 256, span: kernel::TABLE_COLUMNS } },
    Bin { name: "hash 512",    accumulator: Accumulator::Hash,   distinct: false, most: Most { entries: WALKED, size: 512, span: kernel::TABLE_COLUMNS } },
    Bin { name: "rank 1024",   accumulator: Accumulator::Rank,   distinct: true,  most: Most { entries: RANKED, size: 1_024, span: kernel::RANK_COLUMNS as i64 } },
    Bin { name: "rank 4096",   accumulator: Accumulator::Rank,   distinct: true,  most: Most { entries: RANKED, size: 4_096, span: kernel::RANK_COLUMNS as i64 } },
    Bin { name: "sort 2048",   accumulator: Accumulator::Sort,   distinct: true,  most: Most { entries: 2_048, size: 2_048, ..Most::ANY } },
    Bin { name: "sort 8192",   accumulator: Accumulator::Sort,   distinct: true,  most: Most { entries: 8_192, size: 8_192, ..Most::ANY } },
    Bin { name: "slices",      accumulator: Accumulator::Slices, distinct: false, most: Most { entries: SUM_BLOCK as i64, ..Most::ANY } },
    Bin { name: "blocks",      accumulator: Accumulator::Blocks, distinct: false, most: Most::ANY },
];

/// Entries of A that one warp walks, at most; longer rows are cut into slices. H200, rail507: 2.5 ms where a warp walked
/// 8,192 of them. The limit itself is not tuned yet.
const WALKED: i64 = 256;

/// The same of a block of `rank`, which gets together for each where many columns repeat. Not tuned yet.
const RANKED: i64 = 128;

/// [`CUDA_BINS`] for so many rows: where a warp each would not fill the GPU, shorter ones are cut into slices, too.
pub fn cuda_bins(rows: i64) -> [Bin; CUDA_BINS.len()] {
    const FEW: i64 = 2_112;
    const WALKED_OF_FEW: Most = Most { entries: 64, ..Most::ANY };
    let is_walked = |bin: &Bin| matches!(bin.accumulator, Accumulator::Window | Accumulator::Hash);
    CUDA_BINS.map(|bin| if rows <= FEW && is_walked(&bin) { bin.within(WALKED_OF_FEW) } else { bin })
}

/// How the GPU counts rows, whose size is their products then. Rows of more products than a warp's are a block's each:
/// H200, orani678: 0.87 ms where a warp counted rows of 67,000.
#[rustfmt::skip] // a table reads by column
pub const CUDA_COUNT_BINS: [Bin; 7] = [
    Bin { name: "merge",        accumulator: Accumulator::Merge,  distinct: false, most: Most { entries: kernel::MERGED_ROWS, size: 64, ..Most::ANY } },
    Bin { name: "window 2048",  accumulator: Accumulator::Window, distinct: false, most: Most { size: COUNTED_BY_WARP, span: 2_048, ..Most::ANY } },
    Bin { name: "hash 512",     accumulator: Accumulator::Hash,   distinct: false, most: Most { size: 512, ..Most::ANY } },
    Bin { name: "window 16384", accumulator: Accumulator::Window, distinct: false, most: Most { size: COUNTED_BY_WARP, span: 16_384, ..Most::ANY } },
    Bin { name: "window 65536", accumulator: Accumulator::Window, distinct: false, most: Most { size: COUNTED_BY_WARP, span: 65_536, ..Most::ANY } },
    Bin { name: "slices",       accumulator: Accumulator::Slices, distinct: false, most: Most { entries: SUM_BLOCK as i64, ..Most::ANY } },
    Bin { name: "blocks",       accumulator: Accumulator::Blocks, distinct: false, most: Most::ANY },
];

/// How the paper's symbolic step counts rows (its sec. 4.3 and spECK's five sizes of kernels): a warp or a block has a
/// table in shared memory, of a power of two of places that are never fuller than [`HASH_FULL`]; longer rows take dense
/// passes.
#[rustfmt::skip] // a table reads by column
pub const CUDA_TABLE_BINS: [Bin; 8] = [
    Bin { name: "hash 256",    accumulator: Accumulator::Hash,   distinct: false, most: Most { size: 256, ..Most::ANY } },
    Bin { name: "table 1024",  accumulator: Accumulator::Table,  distinct: false, most: Most { size: full(1_024), ..Most::ANY } },
    Bin { name: "table 2048",  accumulator: Accumulator::Table,  distinct: false, most: Most { size: full(2_048), ..Most::ANY } },
    Bin { name: "table 4096",  accumulator: Accumulator::Table,  distinct: false, most: Most { size: full(4_096), ..Most::ANY } },
    Bin { name: "table 8192",  accumulator: Accumulator::Table,  distinct: false, most: Most { size: full(8_192), ..Most::ANY } },
    Bin { name: "table 16384", accumulator: Accumulator::Table,  distinct: false, most: Most { size: full(16_384), ..Most::ANY } },
    Bin { name: "slices",      accumulator: Accumulator::Slices, distinct: false, most: Most { entries: SUM_BLOCK as i64, ..Most::ANY } },
    Bin { name: "blocks",      accumulator: Accumulator::Blocks, distinct: false, most: Most::ANY },
];

/// Columns that a table of so many places holds.
const fn full(places: i64) -> i64 {
    (places as f64 * HASH_FULL) as i64
}

/// A search through such a table ends after so many places, and its row is counted again, where a table may be fuller
/// than that: were it full, each search would go all through it.
pub const TABLE_SEARCH: i32 = 512;

/// Products of a row that one warp counts, at most.
const COUNTED_BY_WARP: i64 = 4_096;

/// Rows with equal columns of A that one warp of the GPU sums in windows side by side, reading B once.
/// H200, prototype: 18 to 53 % off; more than 16 KiB of windows a warp leaves too few warps.
pub const WINDOW_ROWS: WindowRows = WindowRows { columns: 2_304, choices: [8, 6, 4, 3, 2, 1] };

/// The choice of rows at once.
#[derive(Clone, Copy, Debug)]
pub struct WindowRows {
    /// Columns of all windows of a warp together, at most.
    pub columns: i64,
    /// Numbers of rows that there are kernels for.
    pub choices: [i64; 6],
}

impl WindowRows {
    /// Rows at once in windows of so many columns, where so many are alike on average: groups are cut into equal parts.
    pub fn of(&self, span: i64, alike: f64) -> i64 {
        let fit = (self.columns / span.max(1)).max(1) as f64;
        let parts = (alike / fit).ceil().max(1.0);
        let wanted = (alike / parts).round() as i64;
        self.choices.into_iter().find(|&rows| rows <= wanted && rows as f64 <= fit).unwrap_or(1)
    }
}

/// Rounds of a block that lists rows by bin: more for many rows, since one block adds up what all come to.
pub const BIN_ROUNDS: BinRounds = BinRounds { few: 1, many: 4, many_from: 200_000 };

/// The choice of rounds.
#[derive(Clone, Copy, Debug)]
pub struct BinRounds {
    few: i32,
    many: i32,
    many_from: i64,
}

impl BinRounds {
    /// Rounds for so many rows.
    pub fn of(&self, rows: i64) -> i32 {
        if rows < self.many_from { self.few } else { self.many }
    }
}

/// Streams on which rows of other bins are computed beside those of the caller's stream, at most.
pub const BRANCHES: usize = 4;

/// Lanes of the GPU that share a row of C: half a warp or a quarter where rows of B are short, since each is a step of
/// its own. Not tuned yet.
pub const LANES: Lanes = Lanes { four_below: 5, eight_below: 10, sixteen_below: 20 };

/// The choice of lanes.
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    /// Four where rows of B have fewer entries on average.
    pub four_below: i64,
    /// Eight likewise.
    pub eight_below: i64,
    /// Sixteen likewise.
    pub sixteen_below: i64,
}

impl Lanes {
    /// Lanes for a B of so many entries in so many rows, and accumulators of this capacity.
    pub fn of(&self, entries: i64, rows: i64, capacity: i64) -> i32 {
        let lanes = match entries / rows.max(1) {
            mean if mean < self.four_below => 4,
            mean if mean < self.eight_below => 8,
            mean if mean < self.sixteen_below => 16,
            _ => 32,
        };
        // Rows of more than eight slots a lane would not fit shared memory side by side.
        let least = (capacity / 8).clamp(1, 32).unsigned_abs().next_power_of_two();
        lanes.max(least as i32)
    }
}

/// Below so many products an entry, columns of a row hardly repeat, and rank and sort may take it. H200: er_200k_32 (1.003)
/// 9.6 ms with rank and 17.0 without, rmat16_16 (2.4) 13.1 ms with it and 11.7 without.
pub const RANK_COMPRESSION: f64 = 1.2;

/// How wide a slice of a long row is: narrower where there are few, so that they fill the GPU. H200, orani678 (44 rows):
/// 0.43 ms with 2,048 columns, 0.22 ms with 128. In the emulation matrices are small, and slices of all widths wanted.
pub const SLICE_WIDTH: SliceWidth = SliceWidth {
    least: 128,
    most: kernel::SLICE_COLUMNS as i64,
    tasks: if cfg!(ocean_emu) { 16 } else { 1_584 },
    slices: 128,
    crowd: 8,
    table: 64,
};

/// The choice of slices.
#[derive(Clone, Copy, Debug)]
pub struct SliceWidth {
    /// Columns at least; a power of two, as all widths.
    pub least: i64,
    /// Columns at most.
    pub most: i64,
    /// That there are to be.
    pub tasks: i64,
    /// Of a segment, at most.
    pub slices: i64,
    /// A slice with more than one entry in so many columns has a sum for each column.
    pub crowd: i64,
    /// Entries that a table of several slices has at least, before it is full.
    pub table: i64,
}

impl SliceWidth {
    /// Columns of a slice, for so many rows of C and columns of B.
    pub fn of(&self, rows: i64, cols: i64) -> i64 {
        let to_fill = (rows.saturating_mul(cols) / self.tasks).clamp(self.least, self.most);
        let of_segment = (cols / self.slices).clamp(self.least, self.most);
        1 << to_fill.max(of_segment).ilog2().max((of_segment - 1).ilog2() + 1)
    }

    /// More entries are a crowd in a slice of so many columns.
    pub fn crowded(&self, width: i64) -> i64 {
        width / self.crowd
    }

    /// Entries that share a table at most, where slices have so many columns.
    pub fn table(&self, width: i64) -> i64 {
        self.crowded(width).max(self.table)
    }
}

/// Bytes for the tasks of rows that are summed in slices, at most; rows beyond wait for the next launch. Few in the
/// emulation, whose matrices are small, so that rows have to wait there too.
pub const TASK_BYTES: i64 = if cfg!(ocean_emu) { 64 << 10 } else { 24 << 20 };

/// Bytes for cuts of B's rows at most: there are fewer of them where there would be more bytes.
pub const CUT_BYTES: i64 = 24 << 20;

/// Bytes for the bits of long rows that are counted side by side, at most but for one row.
pub const MARK_BYTES: i64 = 24 << 20;

/// Blocks that mark these rows. H200, orani678 (44 rows of 1,110 entries): 0.58 ms with 512 for each.
pub const MARK_BLOCKS: MarkBlocks = MarkBlocks { of_row: 512, of_all: 4_096 };

/// A choice of blocks.
#[derive(Clone, Copy, Debug)]
pub struct MarkBlocks {
    /// That share a row, at most.
    pub of_row: i64,
    /// Of all rows, at most.
    pub of_all: i64,
}

/// So many long rows have their bits set by many blocks each; more are a block's each.
pub const FEW_ROWS: usize = 64;

/// Bytes at most for what the blocks of long rows come to before they are added up.
pub const BLOCK_BYTES: i64 = 256 << 20;

/// How the GPU shares out rows that are summed in blocks. Not tuned yet.
pub const SHARED_OUT: SharedOut = SharedOut { blocks: 1_056, columns: 8_192, mark_bytes: 256 << 20 };

/// The sharing of long rows.
#[derive(Clone, Copy, Debug)]
pub struct SharedOut {
    /// Blocks of threads for all rows together, at least; a few for each SM.
    pub blocks: i64,
    /// Columns of a part at least.
    pub columns: i64,
    /// Bytes of marks at most; beyond, a row is one block's.
    pub mark_bytes: i64,
}

/// Lanes of the GPU that share a row of B where the order of its columns makes no difference. Not tuned yet.
pub const COUNT_LANES: CountLanes = CountLanes { one_below: 6, eight_below: 24 };

/// The choice of lanes for counting.
#[derive(Clone, Copy, Debug)]
pub struct CountLanes {
    /// One where rows of B have fewer entries on average.
    pub one_below: i64,
    /// Eight likewise.
    pub eight_below: i64,
}

impl CountLanes {
    /// Lanes for a B of so many entries in so many rows.
    pub fn of(&self, entries: i64, rows: i64) -> i32 {
        match entries / rows.max(1) {
            mean if mean < self.one_below => 1,
            mean if mean < self.eight_below => 8,
            _ => 32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_narrow_where_few_rows_have_to_fill_the_gpu_and_few_enough_for_a_segment() {
        let SliceWidth { least, most, tasks, slices, .. } = SLICE_WIDTH;
        for rows in [1, 44, tasks, 100 * tasks] {
            for cols in [1, 500, 129 * 128, 260_000, 1 << 20, i64::from(i32::MAX)] {
                let width = SLICE_WIDTH.of(rows, cols);
                assert!(width.count_ones() == 1 && (least..=most).contains(&width), "{width} for {rows} x {cols}");
                assert!(width == most || cols / width <= slices, "{width} for {rows} x {cols}");
                assert!(SLICE_WIDTH.crowded(width) <= SLICE_WIDTH.table(width));
                assert!(SLICE_WIDTH.table(width) <= kernel::SLICE_TABLE.into());
            }
        }
        assert_eq!((SLICE_WIDTH.of(1, 4_000), SLICE_WIDTH.of(100 * tasks, 4_000)), (least, most));
    }
}
