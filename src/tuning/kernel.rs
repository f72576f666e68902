// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tuned numbers that kernels need too: build.rs prints them into tuning.cuh, and understands only lines like these.

/// Threads of a block of `row_products`. Its shared memory (18 bytes for each entry of its tiles) allows six blocks
/// of this size an SM on Hopper. Not tuned yet.
pub const ROW_PRODUCTS_THREADS: u32 = 256;

/// Entries of A that one lane of `row_products` adds up by itself; a warp's tile is 32 times as many. Not tuned yet.
pub const ROW_PRODUCTS_ENTRIES: u32 = 8;

/// Threads of a block of the kernels that stream over rows or entries.
pub const STREAM_THREADS: u32 = 256;

/// Most blocks of such a kernel: enough to fill any GPU of today a few times (the H200 holds 8 of them on each of its
/// 132 SMs), few enough that one atomic for each block and total costs nothing.
pub const STREAM_BLOCKS: u32 = 1_024;

/// Rounds of a warp over a tile of entries, one entry a lane each, in the kernels that stream over the entries of a
/// matrix and need their rows: what the search for the tile's rows is spread over. Not tuned yet.
pub const ENTRY_ROUNDS: u32 = 8;
