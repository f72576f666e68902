// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long each step of a product took.

use plotters::prelude::*;

use super::{BLUE, Drawn, GREY};

/// Pixels of one step, of the names' column, of the longest bar and of the margins.
const LINE: i32 = 34;
const NAMES: i32 = 150;
const BAR: f64 = 420.0;
const MARGIN: i32 = 16;

/// Steps and their seconds, in order.
pub fn draw(steps: &[(&'static str, f64)]) -> Drawn {
    let all: f64 = steps.iter().map(|step| step.1).sum();
    let most = steps.iter().map(|step| step.1).fold(f64::MIN_POSITIVE, f64::max);
    let height = 2 * MARGIN + 30 + LINE * steps.len() as i32;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (720, height as u32)).into_drawing_area();
        root.fill(&WHITE)?;
        let title = format!("Seconds of each step, {all:.4} in all");
        root.draw(&Text::new(title, (MARGIN, MARGIN), ("sans-serif", 18)))?;
        for (at, &(name, seconds)) in steps.iter().enumerate() {
            let top = MARGIN + 34 + LINE * at as i32;
            let right = MARGIN + NAMES + ((seconds / most) * BAR).round().max(1.0) as i32;
            root.draw(&Text::new(name, (MARGIN, top + 4), ("sans-serif", 15)))?;
            root.draw(&Rectangle::new([(MARGIN + NAMES, top), (right, top + LINE - 12)], BLUE.filled()))?;
            let share = if all > 0.0 { 100.0 * seconds / all } else { 0.0 };
            let label = format!("{seconds:.4}, {share:.0} %");
            root.draw(&Text::new(label, (right + 8, top + 4), ("sans-serif", 14).into_font().color(&GREY)))?;
        }
        root.present()?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_a_bar_and_its_share() {
        let svg = draw(&[("work estimation", 0.25), ("compute", 0.75), ("copy", 0.0)]).expect("a picture");
        for part in ["work estimation", "0.2500, 25 %", "0.7500, 75 %", "0.0000, 0 %", "1.0000 in all"] {
            assert!(svg.contains(part), "no {part} in {svg}");
        }
        assert!(draw(&[]).is_ok());
    }
}
