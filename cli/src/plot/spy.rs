// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the entries of matrices are, small ones entry by entry, large ones as the density of cells.

use ocean::csr::OwnedCsr;
use plotters::prelude::*;

use super::{BLUE, Drawn, GREY};

/// Cells along the longer side of a matrix.
const CELLS: usize = 96;
/// Pixels of that side, and of the whole panel.
const SIDE: i32 = 288;
const PANEL: (u32, u32) = (320, 380);
/// Steps between the colour of few entries and that of the most.
const SHADES: u32 = 5;

/// A matrix without its values.
pub struct Pattern<'a> {
    name: &'static str,
    rows: usize,
    cols: usize,
    offsets: &'a [i64],
    columns: &'a [i32],
}

impl<'a> Pattern<'a> {
    pub fn of<V>(name: &'static str, csr: &'a OwnedCsr<V>) -> Self {
        Self { name, rows: csr.rows, cols: csr.cols, offsets: &csr.offsets, columns: &csr.columns }
    }

    /// Entries in each cell, row after row of cells, and how many cells there are either way.
    fn cells(&self) -> (Vec<u64>, usize, usize) {
        let most = self.rows.max(self.cols).max(1);
        let of = |index: usize| if most <= CELLS { index } else { index * CELLS / most };
        let (high, wide) = (of(self.rows.max(1) - 1) + 1, of(self.cols.max(1) - 1) + 1);
        let mut counts = vec![0; high * wide];
        for row in 0..self.rows {
            for entry in self.offsets[row]..self.offsets[row + 1] {
                counts[of(row) * wide + of(self.columns[entry as usize] as usize)] += 1;
            }
        }
        (counts, high, wide)
    }
}

pub fn draw(patterns: &[Pattern<'_>; 3]) -> Drawn {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (3 * PANEL.0, PANEL.1)).into_drawing_area();
        root.fill(&WHITE)?;
        for (panel, pattern) in root.split_evenly((1, 3)).iter().zip(patterns) {
            let (counts, high, wide) = pattern.cells();
            let most = counts.iter().copied().max().unwrap_or(0);
            // A cell's edges, on whole pixels, so that neighbours touch.
            let cell = f64::from(SIDE) / high.max(wide) as f64;
            let edge = |index: usize, from: i32| from + (index as f64 * cell).round() as i32;
            let (left, top) = (16, 40);
            for row in 0..high {
                let shades: Vec<u32> = counts[row * wide..][..wide].iter().map(|&count| shade(count, most)).collect();
                let mut column = 0;
                for run in shades.chunk_by(|one, other| one == other) {
                    let corners =
                        [(edge(column, left), edge(row, top)), (edge(column + run.len(), left), edge(row + 1, top))];
                    column += run.len();
                    if run[0] > 0 {
                        panel
                            .draw(&Rectangle::new(corners, BLUE.mix(f64::from(run[0]) / f64::from(SHADES)).filled()))?;
                    }
                }
            }
            panel.draw(&Rectangle::new([(left, top), (edge(wide, left), edge(high, top))], GREY))?;
            let facts = format!("{} x {}, {} entries", pattern.rows, pattern.cols, pattern.columns.len());
            panel.draw(&Text::new(pattern.name, (left, 4), ("sans-serif", 18)))?;
            panel.draw(&Text::new(facts, (left, 22), ("sans-serif", 13)))?;
            let scale = if most > 1 { format!("darkest: {most} entries a cell") } else { String::new() };
            panel.draw(&Text::new(scale, (left, edge(high, top) + 6), ("sans-serif", 12).into_font().color(&GREY)))?;
        }
        root.present()?;
    }
    Ok(svg)
}

/// 0 for an empty cell, else from 1 to `SHADES`, logarithmic.
fn shade(count: u64, most: u64) -> u32 {
    if count == 0 {
        return 0;
    }
    let share = ((count + 1) as f64).ln() / ((most + 1) as f64).ln();
    ((share * f64::from(SHADES)).ceil() as u32).clamp(1, SHADES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagonal(size: usize) -> OwnedCsr<f64> {
        let (offsets, columns) = ((0..=size as i64).collect(), (0..size as i32).collect());
        OwnedCsr { rows: size, cols: size, offsets, columns, values: vec![1.0; size] }
    }

    #[test]
    fn every_entry_is_in_the_cell_of_its_place() {
        let small = diagonal(3);
        assert_eq!(Pattern::of("A", &small).cells(), (vec![1, 0, 0, 0, 1, 0, 0, 0, 1], 3, 3));
        let large = diagonal(1000);
        let (counts, high, wide) = Pattern::of("A", &large).cells();
        assert_eq!((high, wide, counts.iter().sum::<u64>()), (CELLS, CELLS, 1000));
        assert!((0..CELLS).all(|cell| counts[cell * CELLS + cell] >= 10), "nothing off the diagonal");
        let flat = OwnedCsr { rows: 1, cols: 1000, offsets: vec![0, 1], columns: vec![999], values: vec![1.0] };
        let (counts, high, wide) = Pattern::of("A", &flat).cells();
        assert_eq!((high, wide, counts[CELLS - 1]), (1, CELLS, 1));
    }

    #[test]
    fn empty_matrices_are_drawn_too() {
        let empty = OwnedCsr::<f64> { rows: 0, cols: 5, offsets: vec![0], columns: vec![], values: vec![] };
        let pattern = |name| Pattern::of(name, &empty);
        let svg = draw(&[pattern("A"), pattern("B"), pattern("C")]).expect("a picture");
        assert!(svg.contains("0 x 5, 0 entries"));
    }

    #[test]
    fn shades_grow_with_the_count() {
        assert_eq!((shade(0, 9), shade(9, 9), shade(1, 1)), (0, SHADES, SHADES));
        assert!(shade(1, 1000) < shade(30, 1000) && shade(30, 1000) < shade(1000, 1000));
    }
}
