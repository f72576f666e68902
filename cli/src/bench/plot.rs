// SPDX-License-Identifier: MIT OR Apache-2.0
//! GFLOP/s over products, both logarithmic, one colour a tool.

use std::path::Path;

use plotters::prelude::*;

use super::cell::Cell;
use crate::arguments::word;
use crate::failure::{Failure, Result};

/// Colours that stay apart for most kinds of colour blindness (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(230, 159, 0),
    RGBColor(204, 121, 167),
    RGBColor(90, 90, 90),
];

pub fn write(path: &Path, title: &str, cells: &[Cell]) -> Result<()> {
    let svg = draw(title, cells).map_err(|error| Failure::refused(format!("{}: {error}", path.display())))?;
    std::fs::write(path, svg).map_err(|error| Failure::refused(format!("{}: {error}", path.display())))
}

/// The points of one tool in one form: products and GFLOP/s.
struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

/// Those that have points, as they come: cells of a matrix are in one order.
fn series(cells: &[Cell]) -> Vec<Series> {
    let mut series: Vec<Series> = vec![];
    for cell in cells.iter().filter(|cell| cell.is_ok()) {
        let name = format!("{} {}", cell.name, word(cell.form));
        let point = (cell.products as f64, cell.gflops.unwrap_or(0.0));
        if point.0 <= 0.0 || point.1 <= 0.0 {
            continue;
        }
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name, points: vec![point] }),
        }
    }
    series
}

fn draw(title: &str, cells: &[Cell]) -> std::result::Result<String, Box<dyn std::error::Error>> {
    let series = series(cells);
    // Whole decades around all points.
    let range = |coordinate: fn(&(f64, f64)) -> f64| {
        let all = || series.iter().flat_map(|series| &series.points).map(coordinate);
        let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        if high > 0.0 { 10f64.powf(low.log10().floor())..10f64.powf((high * 1.01).log10().ceil()) } else { 1.0..10.0 }
    };
    let (products, gflops) = (range(|point| point.0), range(|point| point.1));

    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (960, 640)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 20))
            .margin(16)
            .x_label_area_size(48)
            .y_label_area_size(64)
            .build_cartesian_2d(products.log_scale(), gflops.log_scale())?;
        let power = |value: &f64| format!("{value:e}");
        chart
            .configure_mesh()
            .x_desc("scalar products")
            .y_desc("GFLOP/s")
            .x_label_formatter(&power)
            .y_label_formatter(&|value| format!("{value}"))
            .light_line_style(RGBColor(240, 240, 240))
            .bold_line_style(RGBColor(210, 210, 210))
            .draw()?;
        for (at, Series { name, points }) in series.iter().enumerate() {
            let colour = COLOURS[at % COLOURS.len()];
            let dots = points.iter().map(|&point| Circle::new(point, 4, colour.filled()));
            chart
                .draw_series(dots)?
                .label(name.as_str())
                .legend(move |(x, y)| Circle::new((x + 8, y), 4, colour.filled()));
        }
        if !series.is_empty() {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperLeft)
                .background_style(WHITE.mix(0.8))
                .border_style(RGBColor(160, 160, 160))
                .draw()?;
        }
        root.present()?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::super::cell::tests::cell;
    use super::*;
    use crate::arguments::{Form, Tool};

    #[test]
    fn a_picture_has_every_point_and_every_series() {
        let mut cells = vec![
            cell("p", Tool::Ocean, Form::OneCall, &[1.0]),
            cell("p", Tool::CusparseDefault, Form::Staged, &[2.0]),
            cell("q", Tool::CusparseDefault, Form::Staged, &[3.0]),
            cell("q", Tool::CusparseAlg2, Form::Staged, &[3.0]),
        ];
        cells[3].status = "wrong".into();
        let svg = draw("ocean and cuSPARSE", &cells).expect("text");
        assert!(svg.contains("ocean one_call") && svg.contains("cusparse_default staged"), "{svg}");
        assert!(!svg.contains("cusparse_alg2"));
        assert_eq!(svg.matches("<circle").count(), 3 + 2);
        assert!(draw("nothing", &[]).expect("text").contains("<svg"));
    }
}
