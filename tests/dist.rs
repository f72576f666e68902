// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products over ranks that are threads: every algorithm on every number of ranks gives the bits that are promised;
//! nobody waits for whom it does not need; one rank's failure is everyone's, and the next call works.

mod support;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

use ocean::csr::OwnedCsr;
use ocean::dist::volume::{Lines, count};
use ocean::dist::{
    Algorithm, Cuts, Delay, Entries, Event, Grid, Layout, Matrix, Operand, Options, Probe, Profile, Shape, Sums,
    ThreadComm, Trace, World,
};
use ocean::error::{Error, Result};
use ocean::ffi::oceanStatus_t::*;
use ocean::mcl::{self, Expand, Iteration, Rules};
use ocean::reference;
use ocean::scalar::Scalar;
use support::assert_same;
use support::matrices::{Random, banded, from_rows, messy, random, skewed};

type Setup = ocean::dist::Setup;

fn setup(per_node: usize) -> Setup {
    Setup { per_node: Some(per_node), timeout: Some(Duration::from_secs(60)), ..Setup::default() }
}

/// Runs `body` on so many ranks at once, and returns what each of them did.
fn on_ranks<T: Send>(ranks: Vec<ThreadComm>, setup: &Setup, body: impl Fn(&mut World) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let run = |comm: ThreadComm| {
            let (body, setup) = (&body, setup.clone());
            scope.spawn(move || body(&mut World::new(Box::new(comm), setup).unwrap()))
        };
        let threads: Vec<_> = ranks.into_iter().map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// A rank's share of the entries: every `ranks`th, from the last to the first.
fn share<V: Scalar>(matrix: &OwnedCsr<V>, rank: usize, ranks: usize) -> Entries<V> {
    let mut all = Entries::from_rows(matrix.rows as u64, 0, matrix);
    let mine: Vec<usize> = (0..all.values.len()).filter(|at| at % ranks == rank).rev().collect();
    all.row = mine.iter().map(|&at| all.row[at]).collect();
    all.col = mine.iter().map(|&at| all.col[at]).collect();
    all.values = mine.iter().map(|&at| all.values[at]).collect();
    all
}

/// Rows below each other.
fn stacked<V: Scalar>(parts: impl IntoIterator<Item = Matrix<V>>) -> OwnedCsr<V> {
    let mut all = OwnedCsr { rows: 0, cols: 0, offsets: vec![0], columns: vec![], values: vec![] };
    for Matrix { block, .. } in parts {
        let end = all.columns.len() as i64;
        all.offsets.extend(block.offsets[1..].iter().map(|offset| end + offset));
        all.columns.extend(block.columns);
        all.values.extend(block.values);
        (all.rows, all.cols) = (all.rows + block.rows, block.cols);
    }
    all
}

fn multiply<V: Scalar>(
    (ranks, per_node): (usize, usize),
    a: &OwnedCsr<V>,
    b: Option<&OwnedCsr<V>>,
    options: &Options,
) -> (OwnedCsr<V>, Vec<Profile>) {
    let parts = on_ranks(ThreadComm::world(ranks, per_node), &setup(per_node), |world| {
        let (rank, ranks) = (world.rank(), world.ranks());
        let b = b.map(|b| share(b, rank, ranks));
        world.multiply(&share(a, rank, ranks), b.as_ref(), options).unwrap()
    });
    let (parts, profiles): (Vec<_>, Vec<_>) = parts.into_iter().map(|product| (product.c, product.profile)).unzip();
    (stacked(parts), profiles)
}

const ALGORITHMS: [Algorithm; 5] =
    [Algorithm::Trident, Algorithm::Summa, Algorithm::Row1d, Algorithm::Row1dPerNode, Algorithm::Single];

/// Ranks, and ranks of a node.
const WORLDS: [(usize, usize); 12] =
    [(1, 1), (2, 1), (2, 2), (3, 1), (4, 1), (4, 2), (6, 2), (6, 3), (8, 4), (12, 2), (16, 4), (36, 4)];

#[test]
fn every_algorithm_on_any_ranks_gives_the_reference_bits() {
    let square = |a: OwnedCsr<f64>| (a, None);
    let pairs = [
        ("skewed", square(skewed(8, 2_000, 1))),
        ("banded", square(banded(150, 4, 2))),
        ("wide times tall", (random(40, 300, 20, 3), Some(random(300, 50, 4, 4)))),
        ("tall times wide", (random(200, 7, 2, 5), Some(random(7, 90, 30, 6)))),
        ("one column, one row", (random(12, 1, 1, 7), Some(random(1, 12, 9, 8)))),
        ("few rows", square(random(3, 3, 2, 9))),
        ("no rows", (random(0, 9, 1, 10), Some(random(9, 4, 2, 11)))),
        ("no inner dimension", (random(6, 0, 1, 12), Some(random(0, 5, 1, 13)))),
        ("no entries", (random(20, 20, 0, 14), Some(from_rows(20, vec![vec![]; 20], &mut Random(15))))),
    ];
    for (name, (a, b)) in &pairs {
        let want = reference::multiply(a, b.as_ref().unwrap_or(a));
        for world in WORLDS {
            for algorithm in ALGORITHMS {
                let options = Options { algorithm, ..Options::default() };
                let (c, _) = multiply(world, a, b.as_ref(), &options);
                assert_same(&c, &want, &format!("{name}, {algorithm} on {world:?}"));
            }
        }
    }
}

/// Repeats and rows out of order: A's entries count by column, those of one place as the ranks hold them.
#[test]
fn repeats_count_in_the_order_of_ranks() {
    let (a, b) = (messy::<f64>(40, 30, 9, 1), messy::<f64>(30, 35, 8, 2));
    for ranks in [1, 3, 4] {
        let ordered = |matrix: &OwnedCsr<f64>| {
            let shares: Vec<Entries<f64>> = (0..ranks).map(|rank| share(matrix, rank, ranks)).collect();
            let mut entries: Vec<(u64, u64, f64)> = shares
                .iter()
                .flat_map(|s| s.values.iter().enumerate().map(|(at, &value)| (s.row[at], s.col[at], value)))
                .collect();
            entries.sort_by_key(|&(row, col, _)| (row, col));
            let mut offsets = vec![0i64; matrix.rows + 1];
            entries.iter().for_each(|&(row, ..)| offsets[row as usize + 1..].iter_mut().for_each(|end| *end += 1));
            let columns = entries.iter().map(|entry| entry.1 as i32).collect();
            let values = entries.iter().map(|entry| entry.2).collect();
            OwnedCsr::new(matrix.rows, matrix.cols, offsets, columns, values).unwrap()
        };
        let want = reference::multiply(&ordered(&a), &ordered(&b));
        for algorithm in ALGORITHMS {
            let options = Options { algorithm, ..Options::default() };
            assert_same(&multiply((ranks, 1), &a, Some(&b), &options).0, &want, &format!("{algorithm} on {ranks}"));
        }
    }
}

/// The sum of products over column ranges of A, in ascending order: what [`Sums::ByRounds`] promises.
fn by_ranges(a: &OwnedCsr<f64>, b: &OwnedCsr<f64>, cuts: &Cuts) -> OwnedCsr<f64> {
    let terms = (0..cuts.parts()).map(|part| {
        let range = cuts.part(part);
        let mut part = OwnedCsr { rows: a.rows, cols: a.cols, offsets: vec![0], columns: vec![], values: vec![] };
        for row in 0..a.rows {
            for entry in a.row(row).filter(|&entry| range.contains(&(a.columns[entry] as u64))) {
                part.columns.push(a.columns[entry]);
                part.values.push(a.values[entry]);
            }
            part.offsets.push(part.columns.len() as i64);
        }
        reference::multiply(&part, b)
    });
    let mut rows: Vec<BTreeMap<i32, f64>> = vec![BTreeMap::new(); a.rows];
    for term in terms {
        for (row, sums) in rows.iter_mut().enumerate() {
            for entry in term.row(row) {
                let value = term.values[entry];
                sums.entry(term.columns[entry]).and_modify(|sum| *sum += value).or_insert(value);
            }
        }
    }
    let mut c = OwnedCsr { rows: a.rows, cols: b.cols, offsets: vec![0], columns: vec![], values: vec![] };
    for sums in rows {
        c.columns.extend(sums.keys());
        c.values.extend(sums.values());
        c.offsets.push(c.columns.len() as i64);
    }
    c
}

#[test]
fn sums_by_rounds_follow_the_intervals_and_nothing_else() {
    let a = skewed::<f64>(8, 3_000, 21);
    for (world, rounds) in [((4, 1), 1), ((9, 1), 2), ((16, 4), 1), ((6, 1), 1), ((12, 2), 3), ((36, 4), 1)] {
        for algorithm in [Algorithm::Trident, Algorithm::Summa] {
            let shape = Shape::of(algorithm, world.0, world.1).unwrap().unwrap();
            let n = a.rows as u64;
            let schedule = shape.schedule([n, n, n], Sums::ByRounds(rounds));
            let mut at: Vec<u64> = (0..schedule.batches())
                .map(|batch| schedule.intervals.part(schedule.batch(batch).start).start)
                .collect();
            at.push(n);
            let want = by_ranges(&a, &a, &Cuts::from_offsets(at).unwrap());
            let options = Options { algorithm, sums: Sums::ByRounds(rounds), ..Options::default() };
            assert_same(
                &multiply(world, &a, None, &options).0,
                &want,
                &format!("{algorithm} on {world:?} by {rounds}"),
            );
        }
    }
}

#[test]
fn every_shape_inside_a_node_gives_the_same_bits() {
    let (a, b) = (random::<f64>(90, 120, 9, 31), random::<f64>(120, 70, 8, 32));
    let want = reference::multiply(&a, &b);
    for (ranks, per_node) in [(8, 4), (16, 4), (12, 6)] {
        for grid in Grid::candidates(ranks, per_node).unwrap() {
            let options = Options { algorithm: Algorithm::TridentOn(grid), ..Options::default() };
            assert_same(&multiply((ranks, per_node), &a, Some(&b), &options).0, &want, &format!("{grid:?}"));
        }
    }
}

/// Whole numbers have exact sums, so that a random order shows in nothing.
#[test]
fn a_random_order_is_undone() {
    let whole = |mut a: OwnedCsr<f64>| {
        a.values.iter_mut().enumerate().for_each(|(at, value)| *value = (at % 7) as f64 + 1.0);
        a
    };
    let (a, b) = (whole(banded(100, 3, 41)), whole(random(100, 60, 5, 42)));
    for algorithm in ALGORITHMS {
        let options = Options { algorithm, permute: Some(5), ..Options::default() };
        let (c, _) = multiply((8, 2), &a, Some(&b), &options);
        assert_same(&c, &reference::multiply(&a, &b), &format!("{algorithm}"));
        let (c, _) = multiply((8, 2), &a, None, &options);
        assert_same(&c, &reference::multiply(&a, &a), &format!("{algorithm}, A * A"));
    }
}

#[test]
fn f32_and_all_entries_on_one_rank() {
    let a = random::<f32>(60, 60, 7, 51);
    let want = reference::multiply(&a, &a);
    let parts = on_ranks(ThreadComm::world(5, 1), &setup(1), |world| {
        let mine = if world.rank() == 3 { share(&a, 0, 1) } else { share(&a, 1, usize::MAX) };
        let mine = if world.rank() == 3 { mine } else { Entries { row: vec![], col: vec![], values: vec![], ..mine } };
        world.multiply(&mine, None, &Options { algorithm: Algorithm::Trident, ..Options::default() }).unwrap().c
    });
    assert_same(&stacked(parts), &want, "all on rank 3");
}

#[test]
fn a_plan_serves_new_values() {
    let a = skewed::<f64>(7, 900, 61);
    let mut doubled = a.clone();
    doubled.values.iter_mut().for_each(|value| *value *= 2.0);
    let parts = on_ranks(ThreadComm::world(8, 2), &setup(2), |world| {
        let shape = Shape::of(Algorithm::Trident, 8, 2).unwrap().unwrap();
        let n = a.rows as u64;
        let layout = shape.layouts([n, n, n]).0;
        let first = world.distribute(&share(&a, world.rank(), 8), &layout).unwrap();
        let second = world.distribute(&share(&doubled, world.rank(), 8), &layout).unwrap();
        let plan = world.plan(&first, &first, shape, Sums::InOrder).unwrap();
        [(&first, &first), (&first, &second), (&second, &second)].map(|(a, b)| {
            let (c, _) = world.execute(&plan, a, b).unwrap();
            world.to_rows(&c, &Cuts::even(n, 8)).unwrap()
        })
    });
    for (at, (a, b)) in [(&a, &a), (&a, &doubled), (&doubled, &doubled)].into_iter().enumerate() {
        let c = stacked(parts.iter().map(|products| products[at].clone()));
        assert_same(&c, &reference::multiply(a, b), &format!("product {at}"));
    }
}

#[test]
fn a_plan_refuses_another_pattern() {
    let (a, other) = (random::<f64>(30, 30, 4, 65), random::<f64>(30, 30, 4, 66));
    let errors = on_ranks(ThreadComm::world(4, 2), &setup(2), |world| {
        let shape = Shape::of(Algorithm::Trident, 4, 2).unwrap().unwrap();
        let layout = shape.layouts([30; 3]).0;
        let a = world.distribute(&share(&a, world.rank(), 4), &layout).unwrap();
        let other = world.distribute(&share(&other, world.rank(), 4), &layout).unwrap();
        let plan = world.plan(&a, &a, shape, Sums::InOrder).unwrap();
        let rows = world.to_rows(&a, &Cuts::even(30, 4)).unwrap();
        [(&a, &other), (&rows, &a)].map(|(a, b)| world.execute(&plan, a, b).unwrap_err().to_string())
    });
    for [pattern, layout] in errors {
        assert_eq!(pattern, "rank 0: B has not the pattern that was planned for");
        assert_eq!(layout, "rank 0: A is not laid out as the plan has it");
    }
}

/// 10 x 10 times 10 x 2^33: columns past 32 bits, of which no rank holds 2^31.
#[test]
fn global_sizes_are_64_bit() {
    let wide = 1u64 << 33;
    let products = on_ranks(ThreadComm::world(8, 2), &setup(2), |world| {
        let grid = Grid { node_rows: 1, node_cols: 4, in_rows: 1, in_cols: 2 };
        let shape = Shape::of(Algorithm::TridentOn(grid), 8, 2).unwrap().unwrap();
        let (a_layout, b_layout) = shape.layouts([10, 10, wide]);
        let none = Entries { rows: 10, cols: 10, row: vec![], col: vec![], values: vec![] };
        let (mut a, mut b) = (none.clone(), Entries { cols: wide, ..none });
        if world.rank() == 5 {
            (a.row, a.col, a.values) = (vec![9, 9, 0], vec![2, 3, 2], vec![2.0, 3.0, 5.0]);
            (b.row, b.col, b.values) = (vec![2, 3, 2], vec![wide - 1, wide - 1, 1 << 32], vec![10.0, 100.0, 1.0]);
        }
        let (a, b) = (world.distribute(&a, &a_layout).unwrap(), world.distribute(&b, &b_layout).unwrap());
        let plan = world.plan(&a, &b, shape, Sums::InOrder).unwrap();
        world.execute(&plan, &a, &b).unwrap().0.entries(world.rank())
    });
    let all = |part: &Entries<f64>| -> Vec<_> {
        (0..part.values.len()).map(|at| (part.row[at], part.col[at], part.values[at])).collect()
    };
    let mut entries: Vec<(u64, u64, f64)> = products.iter().flat_map(all).collect();
    entries.sort_by_key(|&(row, col, _)| (row, col));
    assert_eq!(entries, [(0, 1 << 32, 5.0), (0, wide - 1, 50.0), (9, 1 << 32, 2.0), (9, wide - 1, 320.0)]);
}

/// Blocks with 2^31 rows or more are refused by everyone, with the number.
#[test]
fn blocks_past_32_bits_are_refused() {
    let n = 3u64 << 31;
    let ends = on_ranks(ThreadComm::world(4, 1), &setup(1), |world| {
        let none = Entries::<f64> { rows: n, cols: n, row: vec![], col: vec![], values: vec![] };
        let layout = Shape::of(Algorithm::Trident, 4, 1).unwrap().unwrap().layouts([n; 3]).0;
        world.distribute(&none, &layout).map(drop)
    });
    for end in ends {
        let message = end.unwrap_err().to_string();
        let want = "rank 0: a block of 3221225472 rows, more than 2147483647, on one of 2 parts is not supported: ";
        assert!(message.starts_with(want), "{message}");
    }
}

/// Full weighting in one dimension: n x n / 2, with 0.5 at the odd points and 0.25 beside them.
fn restriction(n: usize) -> OwnedCsr<f64> {
    let coarse = n / 2;
    let rows = (0..n)
        .map(|i| if i % 2 == 1 { vec![i / 2] } else { (i / 2).checked_sub(1).into_iter().chain([i / 2]).collect() });
    let rows = rows.map(|row: Vec<usize>| row.into_iter().filter(|&j| j < coarse).map(|j| j as i32).collect());
    let mut stencil = from_rows::<f64>(coarse, rows.collect::<Vec<_>>(), &mut Random(1));
    for row in 0..n {
        let value = if row % 2 == 1 { 0.5 } else { 0.25 };
        stencil.row(row).for_each(|entry| stencil.values[entry] = value);
    }
    stencil
}

fn transposed(a: &OwnedCsr<f64>) -> OwnedCsr<f64> {
    let mut lines: Vec<Vec<(i32, f64)>> = vec![vec![]; a.cols];
    for row in 0..a.rows {
        a.row(row).for_each(|entry| lines[a.columns[entry] as usize].push((row as i32, a.values[entry])));
    }
    let mut t = OwnedCsr { rows: a.cols, cols: a.rows, offsets: vec![0], columns: vec![], values: vec![] };
    for line in lines {
        t.columns.extend(line.iter().map(|entry| entry.0));
        t.values.extend(line.iter().map(|entry| entry.1));
        t.offsets.push(t.columns.len() as i64);
    }
    t
}

/// A * P and R * (A * P), as multigrid forms them, the second from what the first gave.
#[test]
fn galerkin_products_follow_each_other() {
    let (a, p) = (banded::<f64>(141, 3, 141), restriction(141));
    let r = transposed(&p);
    let ap = reference::multiply(&a, &p);
    let want = reference::multiply(&r, &ap);
    for algorithm in ALGORITHMS {
        let options = Options { algorithm, ..Options::default() };
        let parts = on_ranks(ThreadComm::world(6, 2), &setup(2), |world| {
            let (rank, ranks) = (world.rank(), world.ranks());
            let first = world.multiply(&share(&a, rank, ranks), Some(&share(&p, rank, ranks)), &options).unwrap().c;
            let second = world.multiply(&share(&r, rank, ranks), Some(&first.entries(rank)), &options).unwrap().c;
            (first, second)
        });
        let (first, second): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        assert_same(&stacked(first), &ap, &format!("A * P, {algorithm}"));
        assert_same(&stacked(second), &want, &format!("R * A * P, {algorithm}"));
    }
}

/// A trace of ranks that wait for each other before every product, if there is a barrier.
struct Rounds {
    trace: Trace,
    barrier: Option<Barrier>,
}

impl Probe for Rounds {
    fn at(&self, rank: usize, event: &Event) -> Result<()> {
        if let (Event::Multiplying { .. }, Some(barrier)) = (event, &self.barrier) {
            barrier.wait();
        }
        self.trace.at(rank, event)
    }
}

/// 4 x 4 nodes; what rank 0 sends of its part of A and B takes long. Only its row needs its A, and only its column its B.
/// For each rank: the rounds that were done when the first of that came, and those before the round that needs it.
fn rounds_before_the_late_rank(barrier: bool) -> Vec<(usize, usize)> {
    const LATE: Duration = Duration::from_millis(1_500);
    const RANKS: usize = 16;
    let n = 320;
    let a = random::<f64>(n, n, 6, 71);
    let delay: Delay = Arc::new(|from, _, bytes| if from == 0 && bytes > SHORT { LATE } else { Duration::ZERO });
    let rounds = Arc::new(Rounds { trace: Trace::default(), barrier: barrier.then(|| Barrier::new(RANKS)) });
    let setup = Setup { probe: rounds.clone(), ..setup(1) };
    let shape = Shape::of(Algorithm::Trident, RANKS, 1).unwrap().unwrap();
    let parts = on_ranks(ThreadComm::with_delay(RANKS, 1, Some(delay)), &setup, |world| {
        let layout = shape.layouts([n as u64; 3]).0;
        let a = world.distribute(&own_part(&a, &layout, world.rank()), &layout).unwrap();
        let plan = world.plan(&a, &a, shape, Sums::ByRounds(1)).unwrap();
        let (c, _) = world.execute(&plan, &a, &a).unwrap();
        world.to_rows(&c, &Cuts::even(n as u64, RANKS)).unwrap()
    });
    assert_eq!(stacked(parts).columns, reference::multiply(&a, &a).columns);

    let moments = rounds.trace.moments();
    let first_late = moments.iter().find(|moment| matches!(moment.event, Event::Arrived { from: 0, .. })).unwrap();
    let (grid, schedule) = (Grid::flat(4, 4), shape.schedule([n as u64; 3], Sums::ByRounds(1)));
    let of = |rank| {
        let before = moments.iter().take_while(|moment| moment.seconds < first_late.seconds);
        let products = before.filter(|moment| moment.rank == rank && matches!(moment.event, Event::Multiplied { .. }));
        let (row, col) = grid.position(rank);
        let seat = grid.seat(rank);
        let needed = if rank != 0 && (row == 0 || col == 0) {
            schedule.round(seat.node_row, seat.node_col, 0)
        } else {
            schedule.rounds()
        };
        (products.count(), needed)
    };
    (0..RANKS).map(of).collect()
}

#[test]
fn who_does_not_need_the_late_rank_does_not_wait_for_it() {
    for (rank, (done, needed)) in rounds_before_the_late_rank(false).into_iter().enumerate() {
        assert!(done >= needed, "rank {rank} had {done} of {needed} rounds done when rank 0's parcels came");
    }
}

/// The test of the test above: with a barrier before every round it would fail, for nearly all ranks.
#[test]
fn a_barrier_in_every_round_would_be_noticed() {
    let ranks = rounds_before_the_late_rank(true);
    let held_up = ranks.iter().filter(|(done, needed)| done < needed).count();
    assert!(held_up >= 9, "ranks outside of the late one's row and column are 9: {ranks:?}");
}

/// Whether something shall happen at this event.
type Point = fn(&Event) -> bool;

/// What a rank does at a point: fails, or panics.
struct Fault {
    rank: usize,
    at: Point,
    panics: bool,
    armed: Mutex<bool>,
}

impl Probe for Fault {
    fn at(&self, rank: usize, event: &Event) -> Result<()> {
        if rank != self.rank || !(self.at)(event) || !std::mem::take(&mut *self.armed.lock().unwrap()) {
            return Ok(());
        }
        assert!(!self.panics, "at {event:?}");
        Err(Error::OutOfMemory { bytes: 12_345, purpose: "a test" })
    }
}

#[test]
fn one_ranks_failure_is_everyones_and_the_next_call_works() {
    let a = skewed::<f64>(7, 700, 81);
    let want = reference::multiply(&a, &a);
    let points: [(&str, Point); 5] = [
        ("packing", |event| *event == Event::Packing),
        ("arrival", |event| matches!(event, Event::Arrived { .. })),
        ("product", |event| matches!(event, Event::Multiplying { .. })),
        ("after a product", |event| matches!(event, Event::Multiplied { .. })),
        ("sum", |event| *event == Event::Summing),
    ];
    for (name, at) in points {
        for panics in [false, true] {
            for algorithm in [Algorithm::Trident, Algorithm::Row1dPerNode] {
                let fault = Fault { rank: 3, at, panics, armed: Mutex::new(true) };
                let setup = Setup { probe: Arc::new(fault), ..setup(2) };
                let ends = on_ranks(ThreadComm::world(8, 2), &setup, |world| {
                    let options = Options { algorithm, sums: Sums::ByRounds(1), ..Options::default() };
                    let mine = share(&a, world.rank(), 8);
                    let first = world.multiply(&mine, None, &options).map(drop);
                    let options = Options { sums: Sums::InOrder, ..options };
                    (first, world.multiply(&mine, None, &options).map(|product| product.c))
                });
                let (first, second): (Vec<_>, Vec<_>) = ends.into_iter().unzip();
                for error in first.into_iter().map(Result::unwrap_err) {
                    let (status, words) = if panics {
                        (OCEAN_STATUS_INTERNAL_ERROR, "rank 3: internal error: panic: at ")
                    } else {
                        (OCEAN_STATUS_ALLOC_FAILED, "rank 3: out of memory: 12345 bytes for a test")
                    };
                    assert!(error.status() == status && error.to_string().starts_with(words), "{name}: {error}");
                }
                assert_same(&stacked(second.into_iter().map(Result::unwrap)), &want, name);
            }
        }
    }
}

#[test]
fn bad_arguments_are_told_by_everyone() {
    let a = random::<f64>(10, 10, 3, 91);
    let ends = on_ranks(ThreadComm::world(4, 2), &setup(2), |world| {
        let mut outside = share(&a, world.rank(), 4);
        if world.rank() == 2 {
            outside.row[0] = 10;
        }
        let options = Options { algorithm: Algorithm::Trident, ..Options::default() };
        let mine = share(&a, world.rank(), 4);
        let other = if world.rank() == 1 { Algorithm::Summa } else { Algorithm::Trident };
        let narrow = Entries { cols: 9, row: vec![], col: vec![], ..mine.clone() };
        [
            world.multiply(&outside, None, &options).unwrap_err().to_string(),
            world.multiply(&mine, None, &Options { algorithm: other, ..options }).unwrap_err().to_string(),
            world.multiply(&narrow, Some(&mine), &options).unwrap_err().to_string(),
            world.multiply(&mine, None, &options).map(|_| "fine".to_owned()).unwrap(),
        ]
    });
    for [outside, other, narrow, fine] in ends {
        assert!(outside.starts_with("rank 2: entries have one at (10, "), "{outside}");
        assert!(outside.ends_with(") of a matrix of 10 x 10"), "{outside}");
        assert!(other.starts_with("rank 1: its arguments differ from those of rank 0"), "{other}");
        assert_eq!(narrow, "rank 0: matA has 9 columns but matB has 10 rows");
        assert_eq!(fine, "fine");
    }
}

/// A rank's part of a matrix in a layout, to be put where it is already.
fn own_part<V: Scalar>(matrix: &OwnedCsr<V>, layout: &Layout, rank: usize) -> Entries<V> {
    let block = layout.block(rank);
    let mut all = Entries::from_rows(matrix.rows as u64, 0, matrix);
    let mine: Vec<usize> = (0..all.values.len())
        .filter(|&at| block.rows.contains(&all.row[at]) && block.cols.contains(&all.col[at]))
        .collect();
    all.row = mine.iter().map(|&at| all.row[at]).collect();
    all.col = mine.iter().map(|&at| all.col[at]).collect();
    all.values = mine.iter().map(|&at| all.values[at]).collect();
    all
}

/// Parcels are long; votes and sizes are not.
const SHORT: usize = 520;

/// Rank 1's parcels of the first product take longer than anybody waits: all say who waits for what. They come during the
/// second product, which does not take them for its own.
#[test]
fn the_watchdog_says_who_waits_for_which_piece() {
    let a = random::<f64>(200, 200, 8, 101);
    let late = AtomicUsize::new(2);
    let delay: Delay = Arc::new(move |from, _, bytes| {
        let is_late =
            from == 1 && bytes > SHORT && late.try_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok();
        Duration::from_millis(if is_late { 1_700 } else { 0 })
    });
    let setup = Setup { timeout: Some(Duration::from_millis(1_000)), ..setup(1) };
    let ends = on_ranks(ThreadComm::with_delay(4, 1, Some(delay)), &setup, |world| {
        let shape = Shape::of(Algorithm::Trident, 4, 1).unwrap().unwrap();
        let layout = shape.layouts([200; 3]).0;
        let block = world.distribute(&own_part(&a, &layout, world.rank()), &layout).unwrap();
        let plan = world.plan(&block, &block, shape, Sums::InOrder).unwrap();
        let first = world.execute(&plan, &block, &block).map(drop);
        let second = world.execute(&plan, &block, &block).and_then(|(c, _)| world.to_rows(&c, &Cuts::even(200, 4)));
        (first, second)
    });
    let (first, second): (Vec<_>, Vec<_>) = ends.into_iter().unzip();
    for error in first.into_iter().map(Result::unwrap_err) {
        assert_eq!(error.status(), OCEAN_STATUS_EXECUTION_FAILED);
        let message = error.to_string();
        assert!(
            message.starts_with("rank 0: waited 1.") && message.contains(" s for A of interval 1 from rank 1"),
            "{message}"
        );
    }
    assert_same(&stacked(second.into_iter().map(Result::unwrap)), &reference::multiply(&a, &a), "the second product");
}

#[test]
fn who_never_comes_ends_the_call_of_all_others_and_later_ones_are_refused() {
    let a = random::<f64>(20, 20, 3, 105);
    let setup = Setup { timeout: Some(Duration::from_millis(500)), ..setup(1) };
    let ends = on_ranks(ThreadComm::world(3, 1), &setup, |world| {
        if world.rank() == 2 {
            return None;
        }
        let mine = share(&a, world.rank(), 3);
        let mut call = || world.multiply(&mine, None, &Options::default()).unwrap_err().to_string();
        Some((call(), call()))
    });
    for (first, second) in ends.into_iter().flatten() {
        assert!(first.starts_with("rank 0: waited ") && first.ends_with(" s for rank 2, in an agreement"), "{first}");
        assert_eq!(second, format!("communicator is out of step since an earlier call: {first}"));
    }
}

/// Few entries go to one rank; ordered ones stay in rows; many random ones make a grid of two dimensions.
#[test]
fn auto_takes_what_its_own_table_says_and_gives_the_same_bits() {
    for (a, (ranks, per_node)) in
        [(skewed::<f64>(7, 900, 131), (8, 2)), (banded(400, 2, 132), (16, 4)), (random(300, 300, 40, 133), (12, 3))]
    {
        let want = reference::multiply(&a, &a);
        for memory_limit in [None, Some(1 << 30)] {
            let options = Options { memory_limit, ..Options::default() };
            let products = on_ranks(ThreadComm::world(ranks, per_node), &setup(per_node), |world| {
                world.multiply(&share(&a, world.rank(), ranks), None, &options).unwrap()
            });
            let first = products[0].explanation.clone().unwrap();
            assert!(products.iter().all(|product| product.explanation.as_ref() == Some(&first)));
            assert!(first.candidates.is_sorted_by(|one, other| one.seconds.total <= other.seconds.total), "{first}");
            assert!(first.to_string().lines().count() == first.candidates.len() + 2, "{first}");
            let shape = products[0].shape;
            let grid = [shape.grid.node_rows, shape.grid.node_cols, shape.grid.in_rows, shape.grid.in_cols];
            assert_eq!((first.candidates[0].grid, first.candidates[0].why_not.as_str()), (grid, ""), "{first}");
            assert_same(&stacked(products.into_iter().map(|product| product.c)), &want, &format!("{shape:?}"));
        }
        let limited = Options { memory_limit: Some(10), ..Options::default() };
        let errors = on_ranks(ThreadComm::world(ranks, per_node), &setup(per_node), |world| {
            world.multiply(&share(&a, world.rank(), ranks), None, &limited).unwrap_err().to_string()
        });
        let want = "rank 0: memoryLimit is 10 bytes a rank, and no algorithm needs less than ";
        assert!(errors.iter().all(|error| error.starts_with(want)), "{errors:?}");
    }
}

#[test]
fn traffic_is_what_the_schedule_says() {
    let a = random::<f64>(256, 256, 10, 111);
    let (_, profiles) = multiply((16, 4), &a, None, &Options { algorithm: Algorithm::Trident, ..Options::default() });
    // 2 x 2 nodes of 4 x 1: one foreign A, one foreign B; of B in either round those of three mates.
    for profile in profiles {
        assert_eq!((profile.between_nodes.parcels, profile.in_node.parcels), (2, 6));
        assert!(profile.between_nodes.bytes > 0 && profile.seconds > 0.0);
    }
    let needs = Shape::of(Algorithm::Trident, 16, 4).unwrap().unwrap().schedule([256; 3], Sums::InOrder).needs(5);
    assert_eq!(needs.iter().filter(|need| need.parcel.operand == Operand::B).count(), 8);
}

/// Counted before, and counted on the way: the same, for each rank.
#[test]
fn counted_volumes_are_what_travels() {
    let a = skewed::<f64>(8, 2_500, 121);
    let mut lines = vec![vec![]; a.cols];
    (0..a.rows).for_each(|row| a.row(row).for_each(|entry| lines[a.columns[entry] as usize].push(row as i32)));
    let columns = from_rows::<f64>(a.rows, lines, &mut Random(122));
    let size = a.rows as u64;
    let by_cols = Lines { offsets: &columns.offsets, at: &columns.columns, size };
    let by_rows = Lines { offsets: &a.offsets, at: &a.columns, size };
    for (ranks, per_node) in [(6, 2), (16, 4), (16, 1), (12, 3), (36, 4)] {
        for algorithm in ALGORITHMS {
            for sums in [Sums::InOrder, Sums::ByRounds(1)] {
                let (_, profiles) =
                    multiply((ranks, per_node), &a, None, &Options { algorithm, sums, ..Options::default() });
                let shape = Shape::of(algorithm, ranks, per_node).unwrap().unwrap();
                let loads = count(by_cols, by_rows, &shape, sums, per_node);
                for (rank, (profile, load)) in profiles.iter().zip(loads).enumerate() {
                    let moved = (profile.between_nodes.entries, profile.in_node.entries);
                    let counted = (load.between_nodes, load.in_node);
                    assert_eq!(moved, counted, "{algorithm} {sums:?} on {ranks}, {per_node} a node, rank {rank}");
                }
            }
        }
    }
}

/// Blocks of ten nodes that are joined inside and, here and there, outside: the clusters of one process, whatever the ranks.
#[test]
fn clusters_do_not_depend_on_the_ranks() {
    struct Alone;
    impl Expand for Alone {
        type Error = Error;
        fn square(&mut self, flow: &OwnedCsr<f64>) -> Result<OwnedCsr<f64>> {
            Ok(reference::multiply(flow, flow))
        }
    }
    let n = 120;
    let noise = random::<f64>(n, n, 2, 151);
    let lines = (0..n).map(|row| {
        let near = (0..n).filter(|col| col / 10 == row / 10 && (row * 3 + col * 3) % 5 < 4 && *col != row);
        let mut line: Vec<i32> = near.map(|col| col as i32).collect();
        line.extend(noise.row(row).map(|entry| noise.columns[entry]).filter(|col| *col as usize != row));
        line.sort_unstable();
        line.dedup();
        line
    });
    let mut graph = from_rows::<f64>(n, lines.collect::<Vec<_>>(), &mut Random(152));
    graph.values.iter_mut().for_each(|weight| *weight = weight.abs() + 0.01);

    // Both directions with the heavier weight, as one process is given it.
    let mut both = BTreeMap::new();
    for row in 0..n {
        for entry in graph.row(row) {
            let col = graph.columns[entry] as usize;
            for place in [(row, col), (col, row)] {
                let weight = both.entry(place).or_insert(0.0f64);
                *weight = weight.max(graph.values[entry]);
            }
        }
    }
    let mut weights = OwnedCsr { rows: n, cols: n, offsets: vec![0; n + 1], columns: vec![], values: vec![] };
    for (&(row, col), &weight) in &both {
        weights.offsets[row + 1..].iter_mut().for_each(|end| *end += 1);
        weights.columns.push(col as i32);
        weights.values.push(weight);
    }
    for inflation in [1.4, 2.0, 4.0] {
        let rules = Rules { inflation, ..Rules::default() };
        let (limit, steps) = mcl::run(&mut Alone, mcl::with_loops(&weights, 0), &rules).unwrap();
        let clusters = mcl::clusters(&limit);
        let want = mcl::labels(&clusters, n);
        assert!(clusters.len() > 1, "inflation {inflation}: a graph with one cluster shows nothing");
        for (ranks, per_node) in [(1, 1), (3, 1), (4, 2), (8, 2)] {
            let parts = on_ranks(ThreadComm::world(ranks, per_node), &setup(per_node), |world| {
                let rows = Cuts::even(n as u64, ranks);
                world.cluster(&share(&graph, world.rank(), ranks), &rows, &rules, &Options::default()).unwrap()
            });
            let found: Vec<u64> = parts.iter().flat_map(|part| part.labels.iter().copied()).collect();
            assert_eq!(found, want, "inflation {inflation} on {ranks} ranks");
            assert!(parts.iter().all(|part| part.clusters == clusters.len() as u64));
            let bits = |steps: &[Iteration]| -> Vec<_> {
                steps.iter().map(|step| (step.chaos.to_bits(), step.expanded, step.kept)).collect()
            };
            assert!(
                parts.iter().all(|part| bits(&part.iterations) == bits(&steps)),
                "inflation {inflation} on {ranks}"
            );
        }
    }
}
