// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who needs which piece of A and B, from whom, and when. Pure: every rank makes the same schedule for itself.
//!
//! C stays where it is; A and B travel. The inner dimension is cut at every cut of A's columns and of B's rows between
//! nodes, so that in each interval the whole part of A that a row of nodes needs lies in one column of nodes, and the
//! part of B in one row of nodes. A rank's piece goes to a node once, to the rank with the same seat there, which
//! passes it on to those of its node that need it: for A its row of ranks, for B its column.
//!
//! Node (i, j) begins with another interval than its neighbours (the static Cannon order i + j + r), so that no owner
//! is asked by all at once. On square grids each is asked once a round.

use std::ops::Range;

use super::cuts::overlap;
use super::grid::Seat;
use super::layout::Block;
use super::{Cuts, Grid, Layout};

/// Left or right factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operand {
    /// A.
    A,
    /// B.
    B,
}

/// What one rank holds of one operand in one interval, on its way to one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parcel {
    /// Which operand it is part of.
    pub operand: Operand,
    /// Which interval of the inner dimension.
    pub interval: usize,
    /// Whose it is.
    pub owner: usize,
    /// Row of the node it goes to.
    pub node_row: usize,
    /// Column of the node it goes to.
    pub node_col: usize,
}

/// A parcel that a rank needs, and who hands it over; nobody does where it is the rank's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// The parcel.
    pub parcel: Parcel,
    /// Who sends it.
    pub from: Option<usize>,
}

/// The order of a product over a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Blocks of A.
    pub a: Layout,
    /// Blocks of B, on the same grid.
    pub b: Layout,
    /// Intervals of the inner dimension.
    pub intervals: Cuts,
    /// Whether nodes begin with different intervals.
    pub staggered: bool,
    /// Intervals whose products are one product: their parts of a sum are one chain.
    pub per_batch: usize,
}

impl Schedule {
    /// For A and B in these layouts, which share their grid and the inner dimension.
    pub fn new(a: Layout, b: Layout, staggered: bool, per_batch: usize) -> Self {
        debug_assert_eq!((a.grid, a.cols.size()), (b.grid, b.rows.size()));
        let grid = a.grid;
        let intervals = a.cols.every(grid.in_cols).union(&b.rows.every(grid.in_rows));
        let per_batch = per_batch.clamp(1, intervals.parts());
        Self { a, b, intervals, staggered, per_batch }
    }

    /// Where the ranks sit.
    pub fn grid(&self) -> Grid {
        self.a.grid
    }

    /// What C is: A's rows by B's columns.
    pub fn c(&self) -> Layout {
        Layout { grid: self.grid(), rows: self.a.rows.clone(), cols: self.b.cols.clone() }
    }

    /// Intervals, which are also the rounds.
    pub fn rounds(&self) -> usize {
        self.intervals.parts()
    }

    /// Products a rank computes.
    pub fn batches(&self) -> usize {
        self.rounds().div_ceil(self.per_batch)
    }

    /// The intervals of a batch.
    pub fn batch(&self, batch: usize) -> Range<usize> {
        let start = batch * self.per_batch;
        start..(start + self.per_batch).min(self.rounds())
    }

    /// The interval that node (i, j) takes in `round`.
    pub fn interval(&self, node_row: usize, node_col: usize, round: usize) -> usize {
        if !self.staggered {
            return round;
        }
        let (grid, rounds) = (self.grid(), self.rounds());
        let first = (node_row + node_col) * rounds / grid.node_rows.max(grid.node_cols);
        (first + round) % rounds
    }

    /// The round in which node (i, j) takes `interval`.
    pub fn round(&self, node_row: usize, node_col: usize, interval: usize) -> usize {
        let first = self.interval(node_row, node_col, 0);
        (interval + self.rounds() - first) % self.rounds()
    }

    /// The batches in the order in which node (i, j) can have them: the one it begins inside of is whole only at the end.
    pub fn batch_order(&self, node_row: usize, node_col: usize) -> Vec<usize> {
        let last_round = |batch: &usize| {
            self.batch(*batch).map(|interval| self.round(node_row, node_col, interval)).max().unwrap_or(0)
        };
        let mut order: Vec<usize> = (0..self.batches()).collect();
        order.sort_by_key(last_round);
        order
    }

    /// The column of nodes that holds A in this interval.
    fn a_node_col(&self, interval: usize) -> usize {
        holder(&self.a.cols.every(self.grid().in_cols), &self.intervals.part(interval))
    }

    /// The row of nodes that holds B in this interval.
    fn b_node_row(&self, interval: usize) -> usize {
        holder(&self.b.rows.every(self.grid().in_rows), &self.intervals.part(interval))
    }

    /// Rows and columns of a parcel.
    pub fn block(&self, parcel: &Parcel) -> Block {
        let interval = self.intervals.part(parcel.interval);
        match parcel.operand {
            Operand::A => {
                let block = self.a.block(parcel.owner);
                Block { cols: overlap(&block.cols, &interval), ..block }
            }
            Operand::B => {
                let block = self.b.block(parcel.owner);
                Block { rows: overlap(&block.rows, &interval), ..block }
            }
        }
    }

    /// Whether a parcel can hold anything, by the cuts alone.
    fn has_room(&self, parcel: &Parcel) -> bool {
        let Block { rows, cols } = self.block(parcel);
        !rows.is_empty() && !cols.is_empty()
    }

    /// The rank of the parcel's node with its owner's seat: it receives the parcel for the node.
    pub fn leader(&self, parcel: &Parcel) -> usize {
        let Parcel { node_row, node_col, .. } = *parcel;
        let grid = self.grid();
        grid.rank(Seat { node_row, node_col, ..grid.seat(parcel.owner) })
    }

    /// The others of the node that need the parcel.
    pub fn mates(&self, parcel: &Parcel) -> impl Iterator<Item = usize> {
        let grid = self.grid();
        let leader = self.leader(parcel);
        let seat = grid.seat(leader);
        let operand = parcel.operand;
        let count = if operand == Operand::A { grid.in_cols } else { grid.in_rows };
        let mate = move |at| match operand {
            Operand::A => grid.rank(Seat { in_col: at, ..seat }),
            Operand::B => grid.rank(Seat { in_row: at, ..seat }),
        };
        (0..count).map(mate).filter(move |&rank| rank != leader)
    }

    /// All that a rank needs, its own parts among them, in the order in which it needs them.
    pub fn needs(&self, rank: usize) -> Vec<Need> {
        let grid = self.grid();
        let seat = grid.seat(rank);
        let Seat { node_row, node_col, in_row, in_col } = seat;
        let mut needs = vec![];
        for round in 0..self.rounds() {
            let interval = self.interval(node_row, node_col, round);
            let parcel = |operand, owner| Parcel { operand, interval, owner, node_row, node_col };
            let a_col = self.a_node_col(interval);
            let a = (0..grid.in_cols)
                .map(|at| parcel(Operand::A, grid.rank(Seat { node_row, node_col: a_col, in_row, in_col: at })));
            let b_row = self.b_node_row(interval);
            let b = (0..grid.in_rows)
                .map(|at| parcel(Operand::B, grid.rank(Seat { node_row: b_row, node_col, in_row: at, in_col })));
            for parcel in a.chain(b).filter(|parcel| self.has_room(parcel)) {
                let leader = self.leader(&parcel);
                let from = if leader == rank { parcel.owner } else { leader };
                needs.push(Need { parcel, from: (from != rank).then_some(from) });
            }
        }
        needs
    }

    /// All parcels that a rank sends off as their owner, in the order in which their nodes need them.
    pub fn parcels_of(&self, rank: usize) -> Vec<Parcel> {
        let grid = self.grid();
        let seat = grid.seat(rank);
        let mut parcels = vec![];
        for interval in 0..self.rounds() {
            if self.a_node_col(interval) == seat.node_col {
                let to =
                    |node_col| Parcel { operand: Operand::A, interval, owner: rank, node_row: seat.node_row, node_col };
                parcels.extend((0..grid.node_cols).map(to));
            }
            if self.b_node_row(interval) == seat.node_row {
                let to =
                    |node_row| Parcel { operand: Operand::B, interval, owner: rank, node_row, node_col: seat.node_col };
                parcels.extend((0..grid.node_rows).map(to));
            }
        }
        parcels.retain(|parcel| self.has_room(parcel));
        parcels.sort_by_key(|parcel| self.round(parcel.node_row, parcel.node_col, parcel.interval));
        parcels
    }

    /// To whom a rank that holds a parcel sends it: the owner to the leader, or in its own node to the mates; a leader
    /// to its mates.
    pub fn next(&self, parcel: &Parcel, holder: usize) -> Vec<usize> {
        let leader = self.leader(parcel);
        if holder == leader {
            self.mates(parcel).collect()
        } else if holder == parcel.owner {
            vec![leader]
        } else {
            vec![]
        }
    }

    /// The parcel's tag: between two ranks each message of a product has its own.
    pub fn tag(&self, parcel: &Parcel) -> u32 {
        2 * parcel.interval as u32 + u32::from(parcel.operand == Operand::B)
    }
}

/// The part that holds an interval; the last one where the interval is empty, since then nobody asks.
fn holder(cuts: &Cuts, interval: &Range<u64>) -> usize {
    if interval.is_empty() { cuts.parts() - 1 } else { cuts.part_of(interval.start) }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::super::grid::gcd;
    use super::super::grid::tests::grids;
    use super::*;

    fn schedule(grid: Grid, [m, k, n]: [u64; 3], staggered: bool) -> Schedule {
        Schedule::new(Layout::even(grid, m, k), Layout::even(grid, k, n), staggered, 1)
    }

    const SHAPES: [[u64; 3]; 6] = [[97, 97, 97], [5, 40, 3], [40, 1, 40], [3, 3, 3], [64, 0, 9], [0, 7, 7]];

    fn area(block: &Block) -> u64 {
        (block.rows.end - block.rows.start) * (block.cols.end - block.cols.start)
    }

    /// Together the pieces that a rank gets are its rows of A and its columns of B, each part once.
    #[test]
    fn every_piece_of_every_product_is_there_once() {
        for grid in grids(64) {
            for shape @ [_, k, _] in SHAPES {
                let schedule = schedule(grid, shape, true);
                for rank in 0..grid.ranks() {
                    let c = schedule.c().block(rank);
                    let mut areas = [0, 0];
                    let mut blocks: BTreeSet<(Operand, u64, u64)> = BTreeSet::new();
                    for Need { parcel, .. } in schedule.needs(rank) {
                        let block = schedule.block(&parcel);
                        areas[parcel.operand as usize] += area(&block);
                        assert!(blocks.insert((parcel.operand, block.rows.start, block.cols.start)));
                        match parcel.operand {
                            Operand::A => assert_eq!(block.rows, c.rows, "{grid:?} {parcel:?}"),
                            Operand::B => assert_eq!(block.cols, c.cols, "{grid:?} {parcel:?}"),
                        }
                    }
                    let [a, b] = [c.rows.end - c.rows.start, c.cols.end - c.cols.start].map(|side| side * k);
                    assert_eq!(areas, [a, b], "{grid:?} {shape:?} rank {rank}");
                }
            }
        }
    }

    #[test]
    fn every_send_has_its_receive_and_a_tag_of_its_own() {
        for grid in grids(64) {
            for staggered in [true, false] {
                let schedule = schedule(grid, [97, 90, 61], staggered);
                let (mut sent, mut received) = (BTreeSet::new(), BTreeSet::new());
                let ranks = 0..grid.ranks();
                for rank in ranks.clone() {
                    for Need { parcel, from } in schedule.needs(rank) {
                        let Some(from) = from else { continue };
                        assert!(received.insert((from, rank, schedule.tag(&parcel))), "{grid:?} {parcel:?}");
                        if schedule.leader(&parcel) == rank {
                            let to = schedule.next(&parcel, rank);
                            sent.extend(to.iter().map(|&to| (rank, to, schedule.tag(&parcel))));
                        }
                    }
                    for parcel in schedule.parcels_of(rank) {
                        let to = schedule.next(&parcel, rank);
                        sent.extend(to.iter().map(|&to| (rank, to, schedule.tag(&parcel))));
                    }
                }
                assert_eq!(sent, received, "{grid:?}");
            }
        }
    }

    /// On square grids an owner is asked once a round for each operand; without the stagger, by all at once.
    #[test]
    fn nobody_is_asked_by_all_at_once() {
        for grid in grids(64).into_iter().filter(|grid| grid.node_rows == grid.node_cols) {
            let most = |staggered| {
                let schedule = schedule(grid, [640, 640, 640], staggered);
                let mut asked: BTreeMap<_, usize> = BTreeMap::new();
                for rank in 0..grid.ranks() {
                    for parcel in schedule.parcels_of(rank) {
                        let round = schedule.round(parcel.node_row, parcel.node_col, parcel.interval);
                        *asked.entry((rank, parcel.operand, round)).or_default() += 1;
                    }
                }
                asked.into_values().max().unwrap()
            };
            assert_eq!(most(true), 1, "{grid:?}");
            assert_eq!(most(false), grid.node_rows, "{grid:?}");
        }
    }

    #[test]
    fn rounds_are_few_and_a_node_takes_every_interval_once() {
        for grid in grids(64) {
            let schedule = schedule(grid, [6_400, 6_400, 6_400], true);
            let (rows, cols) = (grid.node_rows, grid.node_cols);
            assert!(schedule.rounds() <= rows + cols - gcd(rows, cols), "{grid:?}");
            for (i, j) in (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))) {
                let taken: BTreeSet<usize> =
                    (0..schedule.rounds()).map(|round| schedule.interval(i, j, round)).collect();
                assert_eq!(taken.len(), schedule.rounds());
                assert!(taken.iter().all(|&t| schedule.interval(i, j, schedule.round(i, j, t)) == t));
            }
        }
    }

    #[test]
    fn the_papers_order_is_i_plus_j_plus_r() {
        let schedule = schedule(Grid { node_rows: 4, node_cols: 4, in_rows: 4, in_cols: 1 }, [64, 64, 64], true);
        for (i, j, r) in [(0, 0, 0), (1, 2, 0), (3, 3, 3), (2, 0, 1)] {
            assert_eq!(schedule.interval(i, j, r), (i + j + r) % 4);
        }
    }

    #[test]
    fn a_batch_is_a_run_of_intervals_and_the_one_begun_inside_comes_last() {
        let grid = Grid::flat(5, 5);
        let layout = Layout::even(grid, 50, 50);
        let schedule = Schedule::new(layout.clone(), layout, true, 2);
        assert_eq!((schedule.batches(), schedule.batch(2)), (3, 4..5));
        assert_eq!(schedule.batch_order(0, 0), [0, 1, 2]);
        assert_eq!(schedule.batch_order(0, 1), [1, 2, 0]);
        assert_eq!(schedule.batch_order(1, 1), [1, 2, 0]);
    }
}
