// SPDX-License-Identifier: MIT OR Apache-2.0

//! The paper's headline table: who is first, who second, and how fast on average.

use super::page::{NOT_RUN, geometric_mean, percent, table};
use super::runs::{Cell, Runs};

/// Tools that are ranked beside ours, with the form that begins with nothing.
const THEIRS: [&str; 4] = ["cusparse_default", "cusparse_alg2", "cusparse_alg3", "cusparse_reuse"];

/// One matrix: milliseconds of each tool, a failure as long as the slowest that was right.
#[derive(Clone)]
struct Race {
    matrix: String,
    products: f64,
    ms: Vec<f64>,
}

fn races(runs: &Runs, form: &str) -> Vec<Race> {
    let ours = runs.cells.iter().filter(|cell| cell.tool == "ocean" && cell.form == form);
    let race = |cell: &Cell| {
        let theirs = THEIRS.map(|tool| runs.cell(&cell.matrix, tool, "staged").and_then(|cell| cell.ms));
        let all: Vec<Option<f64>> = [cell.ms].into_iter().chain(theirs).collect();
        let slowest = all.iter().flatten().copied().fold(0.0, f64::max);
        (slowest > 0.0).then(|| Race {
            matrix: cell.matrix.clone(),
            products: cell.products,
            ms: all.iter().map(|ms| ms.unwrap_or(slowest)).collect(),
        })
    };
    ours.filter_map(race).collect()
}

/// Places before a tool.
fn rank(race: &Race, tool: usize) -> usize {
    race.ms.iter().filter(|&&ms| ms < race.ms[tool]).count()
}

fn gflops(race: &Race, tool: usize) -> f64 {
    2.0 * race.products / (race.ms[tool] * 1e6)
}

fn ranking(races: &[Race], form: &str) -> String {
    let names = [&*format!("ocean, {form}")].into_iter().chain(THEIRS).map(String::from).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = names
        .into_iter()
        .enumerate()
        .map(|(tool, name)| {
            let share = |place: usize| {
                percent(races.iter().filter(|race| rank(race, tool) == place).count() as f64 / races.len() as f64)
            };
            let speeds: Vec<f64> = races.iter().map(|race| gflops(race, tool)).collect();
            let ratio: Vec<f64> = races.iter().map(|race| race.ms[tool] / race.ms[0]).collect();
            vec![
                name,
                share(0),
                share(1),
                format!("{:.2}", geometric_mean(&speeds)),
                format!("{:.2}", geometric_mean(&ratio)),
            ]
        })
        .collect();
    table(&["tool", "first", "second", "GFLOP/s, geometric mean", "ocean is faster by"], &rows)
}

fn trend(races: &[Race]) -> String {
    let decade = |race: &Race| race.products.max(1.0).log10().floor() as i32;
    let mut decades: Vec<i32> = races.iter().map(decade).collect();
    decades.sort_unstable();
    decades.dedup();
    let rows: Vec<Vec<String>> = decades
        .into_iter()
        .map(|wanted| {
            let these: Vec<&Race> = races.iter().filter(|race| decade(race) == wanted).collect();
            let of = |tool: usize| {
                let speeds: Vec<f64> = these.iter().map(|race| gflops(race, tool)).collect();
                format!("{:.2}", geometric_mean(&speeds))
            };
            vec![format!("1e{wanted} to 1e{}", wanted + 1), these.len().to_string(), of(0), of(1)]
        })
        .collect();
    table(&["products", "matrices", "ocean, GFLOP/s", "cuSPARSE DEFAULT, GFLOP/s"], &rows)
}

/// Whether A is not square, where a plan says so.
fn is_rectangular(matrix: &str, plans: &Runs) -> Option<bool> {
    let plan = |cell: &&Cell| cell.matrix == matrix && cell.plan["shape"].is_array();
    let shape = &plans.cells.iter().find(plan)?.plan["shape"];
    Some(shape[0] != shape[1])
}

/// `plans` may know the shapes of the matrices.
pub fn section(runs: &Runs, plans: &Runs) -> String {
    let mut text = String::from("## Headline table\n\n");
    let (one_call, staged) = (races(runs, "one_call"), races(runs, "staged"));
    if one_call.is_empty() && staged.is_empty() {
        return text + NOT_RUN;
    }
    text += HEADLINE;
    for (races, form) in [(&one_call, "one call"), (&staged, "staged")] {
        if !races.is_empty() {
            text += &format!("\n{}", ranking(races, form));
        }
    }
    let races = if one_call.is_empty() { &staged } else { &one_call };
    let rectangular = |race: &&Race| is_rectangular(&race.matrix, plans) == Some(true);
    let apart: Vec<Race> = races.iter().filter(rectangular).cloned().collect();
    text += "\nA * A^T of the rectangular ones alone:\n\n";
    text += &if apart.is_empty() { NOT_RUN.to_owned() } else { ranking(&apart, "the same") };
    text + "\nOver the number of products:\n\n" + &trend(races)
}

const HEADLINE: &str = "\
The paper: first on 86 % of 337 square matrices and second on 11 % on the A100, 63.23 GFLOP/s in geometric mean, 18.8 times as fast
as cuSPARSE; first on 92 % on the H100; first on 42 and second on 18 of 64 rectangular ones. Its other rivals were not run here:
these ranks are against cuSPARSE's algorithms alone. The generated suite and the real matrices together, A * A^T of the
rectangular ones; a cell that failed counts as the slowest that was right.
";

#[cfg(test)]
mod tests {
    use super::super::runs::tests::runs;
    use super::*;

    #[test]
    fn a_failure_is_as_slow_as_the_slowest() {
        let mut runs = runs(&[("p", "x", 1.0, "exact"), ("p", "y", 3.0, "exact"), ("p", "z", 0.0, "exact")]);
        for (cell, tool) in runs.cells.iter_mut().zip(["ocean", "cusparse_default", "cusparse_alg2"]) {
            cell.tool = tool.into();
        }
        runs.cells[2].ms = None;
        let races = races(&runs, "staged");
        assert_eq!(races[0].ms, [1.0, 3.0, 3.0, 3.0, 3.0]);
        assert_eq!((rank(&races[0], 0), rank(&races[0], 2)), (0, 1));
        let text = section(&runs, &runs);
        assert!(text.contains("| ocean, staged | 100.0 % | 0.0 % | 2.00 | 1.00 |"), "{text}");
        assert!(text.contains("| 1e6 to 1e7 | 1 | 2.00 | 0.67 |"), "{text}");
    }
}
