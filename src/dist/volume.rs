// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a product moves, counted from the patterns of A and B without moving anything: how many entries each rank
//! receives from where, how many it holds, and how many scalar products it computes.

use rayon::prelude::*;

use super::{Layout, Seat, Shape, Sums};

/// The pattern of a matrix by the inner dimension: of A its columns, of B its rows.
///
/// `at[offsets[k]..offsets[k + 1]]` are the rows of A's column k, or the columns of B's row k.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// Where each line begins, and the last one ends.
    pub offsets: &'a [i64],
    /// What is on the lines.
    pub at: &'a [i32],
    /// The size of the other dimension.
    pub size: u64,
}

impl Lines<'_> {
    fn line(&self, k: usize) -> &[i32] {
        &self.at[self.offsets[k] as usize..self.offsets[k + 1] as usize]
    }
}

/// Counts of one rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Load {
    /// Entries received from ranks of other nodes.
    pub between_nodes: u64,
    /// Entries received from ranks of the same node.
    pub in_node: u64,
    /// Entries of A and B that it owns.
    pub owned: u64,
    /// Scalar products that it computes.
    pub products: u64,
}

impl Load {
    fn add(&mut self, other: &Self) {
        self.between_nodes += other.between_nodes;
        self.in_node += other.in_node;
        self.owned += other.owned;
        self.products += other.products;
    }
}

/// Counts each rank's load for A * B in the layouts of `shape`, in nodes of `per_node` consecutive ranks.
///
/// `a` holds the columns of A and `b` the rows of B: as many lines.
pub fn count(a: Lines<'_>, b: Lines<'_>, shape: &Shape, sums: Sums, per_node: usize) -> Vec<Load> {
    let inner = a.offsets.len() - 1;
    let (a_layout, b_layout) = shape.layouts([a.size, inner as u64, b.size]);
    let counter = Counter { a_layout, b_layout, shape, filters_a: shape.filters_a(sums), per_node };
    let ranks = shape.grid.ranks();
    let threads = rayon::current_num_threads();
    let chunk = inner.div_ceil(4 * threads).max(1);
    let parts: Vec<Vec<Load>> = (0..inner.div_ceil(chunk))
        .into_par_iter()
        .map(|part| {
            let mut loads = vec![Load::default(); ranks];
            let mut counts = [Counts::default(), Counts::default()];
            for k in part * chunk..inner.min((part + 1) * chunk) {
                counter.line(k as u64, a.line(k), b.line(k), &mut counts, &mut loads);
            }
            loads
        })
        .collect();
    let mut loads = vec![Load::default(); ranks];
    for part in parts {
        loads.iter_mut().zip(&part).for_each(|(load, other)| load.add(other));
    }
    loads
}

/// How many entries of a line lie in each part; parts in the order in which they come.
#[derive(Default)]
struct Counts {
    of_part: Vec<u64>,
    parts: Vec<usize>,
}

impl Counts {
    fn take(&mut self, line: &[i32], cuts: &super::Cuts) {
        for part in self.parts.drain(..) {
            self.of_part[part] = 0;
        }
        self.of_part.resize(cuts.parts(), 0);
        let (mut part, mut range) = (0, 0..0);
        for &at in line {
            if !range.contains(&(at as u64)) {
                part = cuts.part_of(at as u64);
                range = cuts.part(part);
            }
            if self.of_part[part] == 0 {
                self.parts.push(part);
            }
            self.of_part[part] += 1;
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, u64)> {
        self.parts.iter().map(|&part| (part, self.of_part[part]))
    }

    /// Whether one of these parts has entries.
    fn any(&self, mut parts: std::ops::Range<usize>) -> bool {
        parts.any(|part| self.of_part[part] > 0)
    }
}

struct Counter<'a> {
    a_layout: Layout,
    b_layout: Layout,
    shape: &'a Shape,
    filters_a: bool,
    per_node: usize,
}

impl Counter<'_> {
    /// Adds what one inner index causes: column k of A and row k of B.
    fn line(&self, k: u64, a: &[i32], b: &[i32], [of_a, of_b]: &mut [Counts; 2], loads: &mut [Load]) {
        of_a.take(a, &self.a_layout.rows);
        of_b.take(b, &self.b_layout.cols);
        let grid = self.shape.grid;
        let (a_part, b_part) = (self.a_layout.cols.part_of(k), self.b_layout.rows.part_of(k));
        for (row, count) in of_a.pairs() {
            let owner = grid.rank_at(row, a_part);
            loads[owner].owned += count;
            for node_col in 0..grid.node_cols {
                let cols = node_col * grid.in_cols..(node_col + 1) * grid.in_cols;
                if self.filters_a && !of_b.any(cols) {
                    continue;
                }
                let leader = grid.rank(Seat { node_col, ..grid.seat(owner) });
                let mates = (0..grid.in_cols).map(|in_col| grid.rank(Seat { in_col, ..grid.seat(leader) }));
                self.deliver(owner, leader, mates, count, loads);
            }
            for (col, other) in of_b.pairs() {
                loads[grid.rank_at(row, col)].products += count * other;
            }
        }
        for (col, count) in of_b.pairs() {
            let owner = grid.rank_at(b_part, col);
            loads[owner].owned += count;
            for node_row in 0..grid.node_rows {
                let rows = node_row * grid.in_rows..(node_row + 1) * grid.in_rows;
                if self.shape.filtered && !of_a.any(rows) {
                    continue;
                }
                let leader = grid.rank(Seat { node_row, ..grid.seat(owner) });
                let mates = (0..grid.in_rows).map(|in_row| grid.rank(Seat { in_row, ..grid.seat(leader) }));
                self.deliver(owner, leader, mates, count, loads);
            }
        }
    }

    /// From the owner to the leader, and from there to its mates.
    fn deliver(&self, owner: usize, leader: usize, mates: impl Iterator<Item = usize>, count: u64, loads: &mut [Load]) {
        if leader != owner {
            // Where every rank is a node of its grid, neighbours may still share a real one.
            let same = leader / self.per_node == owner / self.per_node;
            *(if same { &mut loads[leader].in_node } else { &mut loads[leader].between_nodes }) += count;
        }
        for mate in mates.filter(|&mate| mate != leader) {
            loads[mate].in_node += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Algorithm;
    use super::*;

    /// Every line full: then each count is a matter of sizes.
    fn full(n: usize) -> (Vec<i64>, Vec<i32>) {
        ((0..=n as i64).map(|line| line * n as i64).collect(), (0..n * n).map(|at| (at % n) as i32).collect())
    }

    /// The paper's volumes: 2 (q - 1) z / P between nodes, (lambda - 1) q z / P inside; SUMMA's (2 s - lambda - 1) z / P.
    #[test]
    fn full_matrices_move_what_the_formulas_say() {
        let n = 64;
        let (offsets, at) = full(n);
        let lines = Lines { offsets: &offsets, at: &at, size: n as u64 };
        for (ranks, per_node) in [(16, 4), (64, 4), (256, 4), (64, 1), (32, 8)] {
            let m = (n * n / ranks) as u64;
            let q = (ranks / per_node).isqrt() as u64;
            let trident = Shape::of(Algorithm::Trident, ranks, per_node).unwrap().unwrap();
            if (q * q) as usize * per_node == ranks {
                for load in count(lines, lines, &trident, Sums::ByRounds(1), per_node) {
                    assert_eq!(load.between_nodes, 2 * (q - 1) * m, "{ranks}");
                    assert_eq!(load.in_node, (per_node as u64 - 1) * q * m, "{ranks}");
                    assert_eq!((load.owned, load.products), (2 * m, m * n as u64));
                }
            }
            let s = ranks.isqrt() as u64;
            if (s * s) as usize == ranks {
                let summa = Shape::of(Algorithm::Summa, ranks, per_node).unwrap().unwrap();
                for load in count(lines, lines, &summa, Sums::ByRounds(1), per_node) {
                    assert_eq!(load.between_nodes, (2 * s - per_node as u64 - 1) * m, "{ranks}");
                    assert_eq!(load.in_node, (per_node as u64 - 1) * m, "{ranks}");
                }
            }
        }
    }

    #[test]
    fn what_meets_nothing_stays_at_home() {
        // A diagonal matrix times itself: no rank needs anything of another, but for SUMMA, which does not look.
        let n = 48;
        let (offsets, at): (Vec<i64>, Vec<i32>) = ((0..=n).collect(), (0..n as i32).collect());
        let lines = Lines { offsets: &offsets, at: &at, size: n as u64 };
        let moved = |algorithm, sums| {
            let shape = Shape::of(algorithm, 16, 4).unwrap().unwrap();
            count(lines, lines, &shape, sums, 4).iter().map(|load| load.between_nodes).sum::<u64>()
        };
        assert_eq!(moved(Algorithm::Row1d, Sums::InOrder), 0);
        assert_eq!(moved(Algorithm::Trident, Sums::ByRounds(1)), 0);
        assert!(moved(Algorithm::Summa, Sums::ByRounds(1)) > 0);
    }
}
