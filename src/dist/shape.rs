// SPDX-License-Identifier: MIT OR Apache-2.0
//! The algorithms, which differ in their grid, in the order of rounds, and in whether they look before they send.

use std::fmt;

use super::grid::{check_nodes, squarest};
use super::{Grid, Layout, Schedule};
use crate::error::Result;

/// How a product is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// What is predicted to be fastest.
    #[default]
    Auto,
    /// Two dimensions between nodes, one inside each, as in the paper; static Cannon order.
    Trident,
    /// The same on this grid: two dimensions inside a node too, or another shape of the nodes' grid.
    TridentOn(Grid),
    /// Sparse SUMMA on the squarest grid of ranks: every rank takes the same interval at the same time, from an owner
    /// that sends it to its whole row or column.
    Summa,
    /// By rows; each rank fetches the rows of B that its columns of A name.
    Row1d,
    /// By rows; each node fetches those rows once, and shares them inside.
    Row1dPerNode,
    /// Everything on rank 0.
    Single,
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Trident => f.write_str("trident"),
            Self::TridentOn(grid) => write!(f, "trident {}x{}", grid.in_rows, grid.in_cols),
            Self::Summa => f.write_str("summa"),
            Self::Row1d => f.write_str("1d"),
            Self::Row1dPerNode => f.write_str("1d per node"),
            Self::Single => f.write_str("single"),
        }
    }
}

/// In what order an entry of C is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sums {
    /// In one chain over A's row by ascending column, as one GPU sums it: the same bits on any number of ranks. A rank
    /// computes once all of its panels are there.
    #[default]
    InOrder,
    /// One chain for each batch of so many intervals of the inner dimension; the sums of the batches are added in ascending
    /// order. A rank computes while the next batch travels. The bits depend on the grid, and on nothing else.
    ByRounds(usize),
}

/// An algorithm on so many ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Which one.
    pub algorithm: Algorithm,
    /// Where its ranks sit.
    pub grid: Grid,
    /// Whether nodes begin with different intervals.
    pub staggered: bool,
    /// Whether rows of B that no column of A asks for stay at home, and columns of A that meet no row of B.
    pub filtered: bool,
}

impl Shape {
    /// The usual form of an algorithm; `None` for [`Algorithm::Auto`].
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] if `per_node` does not divide `ranks`, or the grid has not `ranks` ranks.
    pub fn of(algorithm: Algorithm, ranks: usize, per_node: usize) -> Result<Option<Self>> {
        let nodes = check_nodes(ranks, per_node)?;
        let shape = |grid, staggered, filtered| Some(Self { algorithm, grid, staggered, filtered });
        Ok(match algorithm {
            Algorithm::Auto => None,
            Algorithm::Trident => shape(Grid::candidates(ranks, per_node)?[0], true, true),
            Algorithm::TridentOn(grid) if grid.ranks() == ranks && grid.per_node() == per_node => {
                shape(grid, true, true)
            }
            Algorithm::TridentOn(grid) => {
                let has = format!("has {} ranks in nodes of {}", grid.ranks(), grid.per_node());
                return Err(crate::Error::invalid("grid", format!("{has}, not {ranks} in nodes of {per_node}")));
            }
            Algorithm::Summa => {
                let (rows, cols) = squarest(ranks);
                shape(Grid::flat(rows, cols), false, false)
            }
            Algorithm::Row1d | Algorithm::Single => shape(Grid::flat(ranks, 1), true, true),
            Algorithm::Row1dPerNode => {
                shape(Grid { node_rows: nodes, node_cols: 1, in_rows: per_node, in_cols: 1 }, true, true)
            }
        })
    }

    /// Whether A travels filtered. Where sums are one chain it does not: the chain restarts at every 8,192nd entry of A's
    /// row, which has to be counted whole.
    pub fn filters_a(&self, sums: Sums) -> bool {
        self.filtered && sums != Sums::InOrder
    }

    /// Blocks of A (m x k) and B (k x n). Of one square matrix it is the same layout twice.
    pub fn layouts(&self, [m, k, n]: [u64; 3]) -> (Layout, Layout) {
        if self.algorithm == Algorithm::Single {
            let on_first = |rows, cols| Layout::all_on(0, self.grid.ranks(), rows, cols);
            return (on_first(m, k), on_first(k, n));
        }
        (Layout::even(self.grid, m, k), Layout::even(self.grid, k, n))
    }

    /// The schedule in these layouts.
    pub fn schedule(&self, sizes: [u64; 3], sums: Sums) -> Schedule {
        let (a, b) = self.layouts(sizes);
        let per_batch = match sums {
            Sums::InOrder => usize::MAX,
            Sums::ByRounds(rounds) => rounds,
        };
        Schedule::new(a, b, self.staggered, per_batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_the_ranks_that_there_are() {
        for ranks in 1..=64 {
            for per_node in (1..=ranks).filter(|per_node| ranks % per_node == 0) {
                for algorithm in [Algorithm::Trident, Algorithm::Summa, Algorithm::Row1d, Algorithm::Row1dPerNode] {
                    let shape = Shape::of(algorithm, ranks, per_node).unwrap().unwrap();
                    assert_eq!(shape.grid.ranks(), ranks, "{algorithm}");
                    assert_eq!(shape.schedule([50, 60, 70], Sums::InOrder).batches(), 1);
                }
            }
        }
        let grid = Grid::flat(2, 2);
        let message = Shape::of(Algorithm::TridentOn(grid), 8, 2).unwrap_err().to_string();
        assert_eq!(message, "grid has 4 ranks in nodes of 1, not 8 in nodes of 2");
    }

    #[test]
    fn by_rows_a_stays_at_home() {
        let shape = Shape::of(Algorithm::Row1d, 6, 2).unwrap().unwrap();
        let schedule = shape.schedule([50, 60, 70], Sums::InOrder);
        assert!(
            schedule
                .parcels_of(3)
                .iter()
                .all(|parcel| { parcel.operand == super::super::Operand::B || schedule.leader(parcel) == 3 })
        );
    }
}
