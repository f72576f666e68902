// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long rows of C were estimated to be, over how long they are, with the band that theory gives.

use ocean::csr::OwnedCsr;
use ocean::spgemm::hyperloglog;
use plotters::prelude::*;
use rayon::prelude::*;

use super::{BLUE, Drawn, GREY, ORANGE};

/// More points hide each other, and make the file long.
const MOST_POINTS: usize = 4_000;
/// The band's half width, in standard errors.
const DEVIATIONS: f64 = 2.0;

/// Rows of C by length and estimate.
pub struct Estimates {
    registers: usize,
    rows: Vec<(f64, f64)>,
}

impl Estimates {
    /// Sketches the rows of B as the library does, merges them along rows of A, some thousand of them evenly taken, and
    /// compares with C.
    pub fn new<V: Sync>(a: &OwnedCsr<V>, b: &OwnedCsr<V>, c: &OwnedCsr<V>, registers: usize) -> Self {
        let row = |csr: &OwnedCsr<V>, row: usize| csr.offsets[row] as usize..csr.offsets[row + 1] as usize;
        let mut sketches = vec![0u8; b.rows * registers];
        sketches.par_chunks_mut(registers).enumerate().for_each(|(k, sketch)| {
            b.columns[row(b, k)].iter().for_each(|&column| hyperloglog::insert(sketch, column as u32));
        });
        let filled: Vec<usize> = (0..c.rows).filter(|&i| !row(c, i).is_empty()).collect();
        let taken = filled.len().min(MOST_POINTS);
        let rows = (0..taken).into_par_iter().map(|point| {
            let i = filled[point * filled.len() / taken];
            let mut merged = vec![0u8; registers];
            for &k in &a.columns[row(a, i)] {
                hyperloglog::merge(&mut merged, &sketches[k as usize * registers..][..registers]);
            }
            (row(c, i).len() as f64, hyperloglog::estimate(&merged))
        });
        Self { registers, rows: rows.collect() }
    }

    fn band(&self) -> f64 {
        DEVIATIONS * hyperloglog::relative_error(self.registers)
    }

    /// Share of the rows whose estimate lies within the band.
    fn within(&self) -> f64 {
        let inside = self.rows.iter().filter(|(length, estimate)| (estimate / length - 1.0).abs() <= self.band());
        inside.count() as f64 / self.rows.len().max(1) as f64
    }

    pub fn draw(&self) -> Drawn {
        let numbers = || self.rows.iter().flat_map(|&(length, estimate)| [length, estimate.max(0.5)]);
        // At least a decade, so that the band does not fill it all.
        let high = 1.3 * numbers().fold(1.0, f64::max);
        let low = numbers().fold(high / 10.0, f64::min) / 1.3;
        let (below, above) = (1.0 - self.band(), 1.0 + self.band());
        let inside = |factor: f64| (low / factor).max(low)..(high / factor).min(high);
        // Corners of the band, cut by the frame: along its upper edge, then back along the lower one.
        let (upper, lower) = (inside(above), inside(below));
        let band = vec![
            (low, low),
            (low, low * above),
            (upper.end, upper.end * above),
            (high, high),
            (high, high * below),
            (lower.start, lower.start * below),
        ];

        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, (720, 640)).into_drawing_area();
            root.fill(&WHITE)?;
            let title = format!("Length of rows of C, estimated by {} registers", self.registers);
            let mut chart = ChartBuilder::on(&root)
                .caption(title, ("sans-serif", 20))
                .margin(16)
                .x_label_area_size(48)
                .y_label_area_size(64)
                .build_cartesian_2d((low..high).log_scale(), (low..high).log_scale())?;
            chart
                .configure_mesh()
                .x_desc("entries of the row")
                .y_desc("estimate")
                .x_label_formatter(&|value| format!("{value}"))
                .y_label_formatter(&|value| format!("{value}"))
                .max_light_lines(0)
                .bold_line_style(RGBColor(215, 215, 215))
                .draw()?;
            let percent = 100.0 * self.within();
            chart
                .draw_series([Polygon::new(band, ORANGE.mix(0.18))])?
                .label(format!("theory: {DEVIATIONS} standard errors, {:.0} % either way", 100.0 * self.band()))
                .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 16, y + 5)], ORANGE.mix(0.3).filled()));
            chart.draw_series([PathElement::new(vec![(low, low), (high, high)], GREY)])?;
            chart
                .draw_series(self.rows.iter().map(|&(x, y)| Circle::new((x, y.max(0.5)), 2, BLUE.mix(0.35).filled())))?
                .label(format!("{} rows, {percent:.1} % of them within", self.rows.len()))
                .legend(|(x, y)| Circle::new((x + 8, y), 4, BLUE.filled()));
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperLeft)
                .background_style(WHITE.mix(0.8))
                .border_style(RGBColor(160, 160, 160))
                .draw()?;
            root.present()?;
        }
        Ok(svg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_of_a_dense_row_are_near_its_length() {
        let (rows, cols) = (3, 500);
        let b = OwnedCsr {
            rows,
            cols,
            offsets: vec![0, 500, 500, 501],
            columns: (0..500).chain([7]).collect(),
            values: vec![1.0; 501],
        };
        // Row 0 of A names rows 0 and 2 of B, row 1 the empty one, row 2 none.
        let a = OwnedCsr { rows, cols: 3, offsets: vec![0, 2, 3, 3], columns: vec![0, 2, 1], values: vec![1.0; 3] };
        let c = ocean::reference::multiply(&a, &b);
        let estimates = Estimates::new(&a, &b, &c, 128);
        assert_eq!(estimates.rows.len(), 1, "empty rows have no relative error");
        let (length, estimate) = estimates.rows[0];
        assert_eq!(length, 500.0);
        assert!((estimate / length - 1.0).abs() < 5.0 * hyperloglog::relative_error(128), "{estimate}");
        let svg = estimates.draw().expect("a picture");
        assert!(svg.contains("1 rows, ") && svg.contains("<polygon"), "{svg}");
        assert!(Estimates { registers: 32, rows: vec![] }.draw().is_ok());
    }
}
