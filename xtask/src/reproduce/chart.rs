// SPDX-License-Identifier: MIT OR Apache-2.0

//! Charts as SVG.

use plotters::prelude::*;

/// Colours that stay apart for most kinds of colour blindness (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];
const SIZE: (u32, u32) = (720, 440);

/// Room for the names of the parts, in bars.
const LEGEND: f64 = 1.5;

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

fn drawn(draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String, String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE).map_err(|error| error.to_string())?;
        draw(&area).map_err(|error| error.to_string())?;
        area.present().map_err(|error| error.to_string())?;
    }
    Ok(svg)
}

fn titled<'a, 'b>(area: &'a Area<'b>, title: &str) -> ChartBuilder<'a, 'a, SVGBackend<'b>> {
    let mut chart = ChartBuilder::on(area);
    chart.caption(title, ("sans-serif", 18)).margin(14).x_label_area_size(44).y_label_area_size(56);
    chart
}

/// For each series the share of its values that are no more than the value at the bottom.
pub fn distributions(title: &str, values: &str, series: &[(String, Vec<f64>)]) -> Result<String, String> {
    let end = series.iter().flat_map(|(_, values)| values).copied().fold(0.0, f64::max).max(1e-3) * 1.05;
    drawn(|area| {
        let mut chart = titled(area, title).build_cartesian_2d(0.0..end, 0.0..1.0)?;
        chart.configure_mesh().x_desc(values).y_desc("share of the matrices").draw()?;
        for ((name, values), &colour) in series.iter().zip(&COLOURS) {
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let count = sorted.len().max(1) as f64;
            let steps = sorted
                .iter()
                .enumerate()
                .flat_map(|(below, &value)| [(value, below as f64 / count), (value, (below + 1) as f64 / count)]);
            let points = [(0.0, 0.0)].into_iter().chain(steps).chain([(end, 1.0)]);
            chart
                .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        }
        labels(&mut chart, SeriesLabelPosition::LowerRight)
    })
}

/// Bars of shares on top of each other: for each bar the shares of the parts.
pub fn stacks(title: &str, parts: &[&str], bars: &[(String, Vec<f64>)]) -> Result<String, String> {
    let end = bars.iter().map(|(_, shares)| shares.iter().sum::<f64>()).fold(1.0, f64::max);
    let name = |at: &f64| bars.get(at.floor() as usize).map_or(String::new(), |(name, _)| name.clone());
    drawn(|area| {
        let mut chart = titled(area, title).build_cartesian_2d(0.0..bars.len() as f64 + LEGEND, 0.0..end)?;
        chart.configure_mesh().disable_x_mesh().disable_x_axis().y_desc("share of version 1's time").draw()?;
        for (part, what) in parts.iter().enumerate() {
            let colour = COLOURS[part % COLOURS.len()];
            let boxes = bars.iter().enumerate().map(|(bar, (_, shares))| {
                let below: f64 = shares[..part].iter().sum();
                let left = bar as f64;
                Rectangle::new([(left + 0.15, below), (left + 0.85, below + shares[part])], colour.filled())
            });
            chart
                .draw_series(boxes)?
                .label(*what)
                .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled()));
        }
        let names = (0..bars.len()).map(|bar| {
            let at = bar as f64 + 0.3;
            Text::new(name(&at), (at, -0.02 * end), ("sans-serif", 13))
        });
        chart.draw_series(names)?;
        labels(&mut chart, SeriesLabelPosition::UpperRight)
    })
}

type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

fn labels<'a, 'b: 'a>(chart: &mut Chart<'a, 'b>, position: SeriesLabelPosition) -> Drawn {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(160, 160, 160))
        .draw()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_have_every_series_and_every_bar() {
        let series = [("32 registers".to_owned(), vec![0.1, 0.2]), ("64 registers".to_owned(), vec![0.05])];
        let svg = distributions("errors", "mean error", &series).expect("text");
        assert!(svg.contains("32 registers") && svg.contains("64 registers") && svg.contains("<polyline"));
        let svg = stacks("stages", &["analysis", "numeric"], &[("v1".to_owned(), vec![0.2, 0.8])]).expect("text");
        assert!(svg.contains("numeric") && svg.contains("v1"));
        assert!(distributions("nothing", "error", &[]).expect("text").contains("<svg"));
    }
}
