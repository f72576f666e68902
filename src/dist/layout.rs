// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which rank holds which block of a matrix.

use std::ops::Range;

use super::{Cuts, Grid};

/// A matrix cut into one block a rank: the rank in row r and column c of the grid holds rows `rows.part(r)` and
/// columns `cols.part(c)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Where the ranks sit.
    pub grid: Grid,
    /// Cuts of the rows, one part for each row of the grid.
    pub rows: Cuts,
    /// Cuts of the columns, one part for each column of the grid.
    pub cols: Cuts,
}

/// Rows and columns of a block, counted in the whole matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its rows.
    pub rows: Range<u64>,
    /// Its columns.
    pub cols: Range<u64>,
}

impl Layout {
    /// Even blocks, nodes first.
    pub fn even(grid: Grid, rows: u64, cols: u64) -> Self {
        Self {
            grid,
            rows: Cuts::nested(rows, grid.node_rows, grid.in_rows),
            cols: Cuts::nested(cols, grid.node_cols, grid.in_cols),
        }
    }

    /// Everything on rank `owner`, of `ranks` in one column.
    pub fn all_on(owner: usize, ranks: usize, rows: u64, cols: u64) -> Self {
        Self { grid: Grid::flat(ranks, 1), rows: Cuts::all_in(rows, owner, ranks), cols: Cuts::even(cols, 1) }
    }

    /// Whole rows, cut as said: one part a rank.
    pub fn by_rows(rows: Cuts, cols: u64) -> Self {
        Self { grid: Grid::flat(rows.parts(), 1), cols: Cuts::even(cols, 1), rows }
    }

    /// What a rank holds.
    pub fn block(&self, rank: usize) -> Block {
        let (row, col) = self.grid.position(rank);
        Block { rows: self.rows.part(row), cols: self.cols.part(col) }
    }

    /// Who holds the entry at `row`, `col`.
    pub fn owner(&self, row: u64, col: u64) -> usize {
        self.grid.rank_at(self.rows.part_of(row), self.cols.part_of(col))
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::tests::grids;
    use super::*;

    #[test]
    fn every_entry_has_the_owner_whose_block_holds_it() {
        for grid in grids(64) {
            let (rows, cols) = (13, 10);
            let layout = Layout::even(grid, rows, cols);
            let mut entries = 0;
            for rank in 0..grid.ranks() {
                let block = layout.block(rank);
                entries += (block.rows.end - block.rows.start) * (block.cols.end - block.cols.start);
            }
            assert_eq!(entries, rows * cols, "{grid:?}");
            for (row, col) in [(0, 0), (12, 9), (5, 3), (0, 9), (12, 0)] {
                let block = layout.block(layout.owner(row, col));
                assert!(block.rows.contains(&row) && block.cols.contains(&col), "{grid:?} ({row}, {col})");
            }
        }
    }

    #[test]
    fn one_rank_may_hold_all() {
        let layout = Layout::all_on(2, 4, 5, 6);
        assert_eq!(layout.block(2), Block { rows: 0..5, cols: 0..6 });
        assert!([0, 1, 3].into_iter().all(|rank| layout.block(rank).rows.is_empty()));
        assert_eq!(layout.owner(4, 5), 2);
    }
}
