// SPDX-License-Identifier: MIT OR Apache-2.0
//! Schedules over arbitrary grids and cuts: every piece arrives once, every send has its receive, every interval its
//! batch.

use std::collections::BTreeSet;

use ocean::dist::{Block, Cuts, Grid, Layout, Need, Operand, Schedule};

use super::input::Input;

/// Bytes become a grid, cuts of the three dimensions, and how nodes take turns.
pub fn run(bytes: &[u8]) {
    let input = &mut Input::new(bytes);
    let [node_rows, node_cols, in_rows, in_cols] = [(); 4].map(|()| 1 + input.below(4));
    let grid = Grid { node_rows, node_cols, in_rows, in_cols };
    let inner = below_2_63(input);
    let (rows, cols) = (below_2_63(input), below_2_63(input));
    let a = Layout { grid, rows: cuts(input, rows, grid.rows()), cols: cuts(input, inner, grid.cols()) };
    let b = Layout { grid, rows: cuts(input, inner, grid.rows()), cols: cuts(input, cols, grid.cols()) };
    for layout in [&a, &b] {
        owners(layout, input);
    }
    let per_batch = if input.rarely(8) { usize::MAX } else { input.below(8) };
    let schedule = Schedule::new(a, b, input.flag(), per_batch);
    pieces(&schedule, inner);
    messages(&schedule);
    turns(&schedule);
}

/// Sizes are 64-bit with a sign.
fn below_2_63(input: &mut Input<'_>) -> u64 {
    input.size() as u64
}

fn cuts(input: &mut Input<'_>, size: u64, parts: usize) -> Cuts {
    match input.below(4) {
        0 => Cuts::even(size, parts),
        1 => Cuts::all_in(size, input.below(parts), parts),
        _ => {
            let mut at: Vec<u64> =
                (1..parts).map(|_| (u128::from(size) * input.below(256) as u128 / 255) as u64).collect();
            at.extend([0, size]);
            at.sort_unstable();
            Cuts::from_offsets(at).expect("ascending from 0")
        }
    }
}

fn area(block: &Block) -> u128 {
    let side = |range: &std::ops::Range<u64>| u128::from(range.end - range.start);
    side(&block.rows) * side(&block.cols)
}

fn owners(layout: &Layout, input: &mut Input<'_>) {
    let (rows, cols) = (layout.rows.size(), layout.cols.size());
    let all: u128 = (0..layout.grid.ranks()).map(|rank| area(&layout.block(rank))).sum();
    assert_eq!(all, u128::from(rows) * u128::from(cols), "{layout:?}");
    if all > 0 {
        let (row, col) = (input.number() as u64 % rows, input.number() as u64 % cols);
        let block = layout.block(layout.owner(row, col));
        assert!(block.rows.contains(&row) && block.cols.contains(&col), "{layout:?} ({row}, {col})");
    }
}

/// What a rank gets is its rows of A and its columns of B, each part once.
fn pieces(schedule: &Schedule, inner: u64) {
    let c = schedule.c();
    for rank in 0..c.grid.ranks() {
        let block = c.block(rank);
        let mut areas = [0u128; 2];
        let mut places = BTreeSet::new();
        for Need { parcel, .. } in schedule.needs(rank) {
            let piece = schedule.block(&parcel);
            areas[parcel.operand as usize] += area(&piece);
            assert!(places.insert((parcel.operand, piece.rows.start, piece.cols.start)), "{schedule:?} {parcel:?}");
            match parcel.operand {
                Operand::A => assert_eq!(piece.rows, block.rows, "{schedule:?} {parcel:?}"),
                Operand::B => assert_eq!(piece.cols, block.cols, "{schedule:?} {parcel:?}"),
            }
        }
        let sides = [block.rows, block.cols].map(|side| u128::from(side.end - side.start) * u128::from(inner));
        assert_eq!(areas, sides, "{schedule:?} rank {rank}");
    }
}

fn messages(schedule: &Schedule) {
    let (mut sent, mut received) = (BTreeSet::new(), BTreeSet::new());
    for rank in 0..schedule.grid().ranks() {
        let mut send = |parcel| {
            for to in schedule.next(&parcel, rank) {
                assert!(sent.insert((rank, to, schedule.tag(&parcel))), "{schedule:?} {parcel:?} twice");
            }
        };
        for Need { parcel, from } in schedule.needs(rank) {
            let Some(from) = from else { continue };
            assert!(received.insert((from, rank, schedule.tag(&parcel))), "{schedule:?} {parcel:?} twice");
            if schedule.leader(&parcel) == rank {
                send(parcel);
            }
        }
        schedule.parcels_of(rank).into_iter().for_each(send);
    }
    assert_eq!(sent, received, "{schedule:?}");
}

fn turns(schedule: &Schedule) {
    let (grid, rounds) = (schedule.grid(), schedule.rounds());
    let batches = (0..schedule.batches()).flat_map(|batch| schedule.batch(batch));
    assert!(batches.eq(0..rounds), "{schedule:?}");
    for (i, j) in (0..grid.node_rows).flat_map(|i| (0..grid.node_cols).map(move |j| (i, j))) {
        let taken: BTreeSet<usize> = (0..rounds).map(|round| schedule.interval(i, j, round)).collect();
        assert!(taken.into_iter().eq(0..rounds), "{schedule:?} node ({i}, {j})");
        assert!((0..rounds).all(|t| schedule.interval(i, j, schedule.round(i, j, t)) == t));
        let mut order = schedule.batch_order(i, j);
        order.sort_unstable();
        assert!(order.into_iter().eq(0..schedule.batches()));
    }
}
