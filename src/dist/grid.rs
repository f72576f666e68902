// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where ranks sit: a grid of nodes, and a grid of ranks inside each node.

use crate::error::{Error, Result};

/// `node_rows` x `node_cols` nodes of `in_rows` x `in_cols` ranks each; seen from afar, one grid of
/// [`Self::rows`] x [`Self::cols`] ranks. Ranks of a node are consecutive.
///
/// The paper's grid q x q x lambda is q x q nodes of lambda x 1 ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Rows of nodes.
    pub node_rows: usize,
    /// Columns of nodes.
    pub node_cols: usize,
    /// Rows of ranks in a node.
    pub in_rows: usize,
    /// Columns of ranks in a node.
    pub in_cols: usize,
}

/// One rank's place in a [`Grid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Row of its node.
    pub node_row: usize,
    /// Column of its node.
    pub node_col: usize,
    /// Row inside the node.
    pub in_row: usize,
    /// Column inside the node.
    pub in_col: usize,
}

impl Grid {
    /// A grid without nodes inside: every rank is a node of its own.
    pub fn flat(rows: usize, cols: usize) -> Self {
        Self { node_rows: rows, node_cols: cols, in_rows: 1, in_cols: 1 }
    }

    /// Ranks in all.
    pub fn ranks(&self) -> usize {
        self.node_rows * self.node_cols * self.per_node()
    }

    /// Ranks of a node: the paper's lambda.
    pub fn per_node(&self) -> usize {
        self.in_rows * self.in_cols
    }

    /// Rows of ranks over all nodes.
    pub fn rows(&self) -> usize {
        self.node_rows * self.in_rows
    }

    /// Columns of ranks over all nodes.
    pub fn cols(&self) -> usize {
        self.node_cols * self.in_cols
    }

    /// The rank that sits there.
    pub fn rank(&self, seat: Seat) -> usize {
        let node = seat.node_row * self.node_cols + seat.node_col;
        node * self.per_node() + seat.in_row * self.in_cols + seat.in_col
    }

    /// The rank in this row and column of the whole grid.
    pub fn rank_at(&self, row: usize, col: usize) -> usize {
        self.rank(Seat {
            node_row: row / self.in_rows,
            node_col: col / self.in_cols,
            in_row: row % self.in_rows,
            in_col: col % self.in_cols,
        })
    }

    /// Where a rank sits.
    pub fn seat(&self, rank: usize) -> Seat {
        let (node, inside) = (rank / self.per_node(), rank % self.per_node());
        Seat {
            node_row: node / self.node_cols,
            node_col: node % self.node_cols,
            in_row: inside / self.in_cols,
            in_col: inside % self.in_cols,
        }
    }

    /// The rank's row and column in the whole grid.
    pub fn position(&self, rank: usize) -> (usize, usize) {
        let seat = self.seat(rank);
        (seat.node_row * self.in_rows + seat.in_row, seat.node_col * self.in_cols + seat.in_col)
    }

    /// Every grid with the paper's shape for `ranks` ranks in nodes of `per_node`: all shapes of the nodes' grid no
    /// more than twice as long as the squarest, and all shapes inside a node; the squarest and the paper's first.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `per_node` does not divide `ranks`.
    pub fn candidates(ranks: usize, per_node: usize) -> Result<Vec<Self>> {
        let nodes = check_nodes(ranks, per_node)?;
        let (short, long) = squarest(nodes);
        let mut shapes: Vec<(usize, usize)> = factorisations(nodes)
            .filter(|&(rows, cols)| rows.max(cols) <= 2 * long && rows.min(cols) * 2 >= short)
            .collect();
        shapes.sort_by_key(|&(rows, cols)| (rows.max(cols), rows > cols));
        let insides: Vec<(usize, usize)> = factorisations(per_node).collect();
        let grid = |(node_rows, node_cols), &(in_rows, in_cols): &(usize, usize)| Self {
            node_rows,
            node_cols,
            in_rows,
            in_cols,
        };
        Ok(shapes.into_iter().flat_map(|shape| insides.iter().map(move |inside| grid(shape, inside))).collect())
    }
}

/// The number of nodes.
///
/// # Errors
/// [`Error::Invalid`] if `per_node` does not divide `ranks`.
pub fn check_nodes(ranks: usize, per_node: usize) -> Result<usize> {
    if ranks == 0 || per_node == 0 || !ranks.is_multiple_of(per_node) {
        return Err(Error::invalid("perNode", format!("is {per_node}, which does not divide {ranks} ranks")));
    }
    Ok(ranks / per_node)
}

/// The two factors of `count` that are nearest to each other, the smaller one first.
pub fn squarest(count: usize) -> (usize, usize) {
    let small = (1..=count.isqrt()).rev().find(|small| count.is_multiple_of(*small)).unwrap_or(1);
    (small, count / small)
}

/// All pairs of factors, from (count, 1) to (1, count).
fn factorisations(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=count).filter(move |cols| count.is_multiple_of(*cols)).map(move |cols| (count / cols, cols))
}

/// The largest number of ranks a node that all nodes can be cut into, given each rank's node; 1 if ranks of a node
/// are not consecutive.
pub fn common_per_node(node_of_rank: &[usize]) -> usize {
    let mut sizes = vec![];
    let mut seen = std::collections::BTreeSet::new();
    for group in node_of_rank.chunk_by(|a, b| a == b) {
        if !seen.insert(group[0]) {
            return 1;
        }
        sizes.push(group.len());
    }
    sizes.into_iter().reduce(gcd).unwrap_or(1)
}

/// Greatest common divisor.
pub(super) fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Every grid of up to `most` ranks with nodes of up to 8.
    pub fn grids(most: usize) -> Vec<Grid> {
        let mut all = vec![];
        for ranks in 1..=most {
            for per_node in (1..=8).filter(|per_node| ranks % per_node == 0) {
                for (node_rows, node_cols) in factorisations(ranks / per_node) {
                    let inside = factorisations(per_node);
                    all.extend(inside.map(|(in_rows, in_cols)| Grid { node_rows, node_cols, in_rows, in_cols }));
                }
            }
        }
        all
    }

    #[test]
    fn every_rank_has_one_seat_and_nodes_are_consecutive() {
        for grid in grids(64) {
            let mut taken = vec![false; grid.ranks()];
            for row in 0..grid.rows() {
                for col in 0..grid.cols() {
                    let rank = grid.rank_at(row, col);
                    assert!(!std::mem::replace(&mut taken[rank], true), "{grid:?}: rank {rank} twice");
                    assert_eq!(grid.position(rank), (row, col), "{grid:?}");
                    assert_eq!(grid.rank(grid.seat(rank)), rank);
                    let seat = grid.seat(rank);
                    assert_eq!(rank / grid.per_node(), seat.node_row * grid.node_cols + seat.node_col);
                }
            }
            assert!(taken.iter().all(|&taken| taken));
        }
    }

    #[test]
    fn candidates_begin_with_the_papers_grid() {
        let paper = |q, lambda| Grid { node_rows: q, node_cols: q, in_rows: lambda, in_cols: 1 };
        assert_eq!(Grid::candidates(256, 4).unwrap()[0], paper(8, 4));
        assert_eq!(Grid::candidates(400, 4).unwrap()[0], paper(10, 4));
        for ranks in 1..=64 {
            for per_node in (1..=ranks).filter(|per_node| ranks % per_node == 0) {
                let all = Grid::candidates(ranks, per_node).unwrap();
                assert!(!all.is_empty() && all.iter().all(|grid| grid.ranks() == ranks), "{ranks} {per_node}");
            }
        }
        let message = Grid::candidates(10, 4).unwrap_err().to_string();
        assert_eq!(message, "perNode is 4, which does not divide 10 ranks");
    }

    #[test]
    fn ranks_a_node_are_what_all_nodes_share() {
        assert_eq!(common_per_node(&[0, 0, 0, 0, 1, 1, 1, 1]), 4);
        assert_eq!(common_per_node(&[7, 7, 7, 7, 3, 3]), 2);
        assert_eq!(common_per_node(&[0, 1, 0, 1]), 1);
        assert_eq!(common_per_node(&[5]), 1);
    }
}
