// SPDX-License-Identifier: MIT OR Apache-2.0

//! Which stage takes which share of a product's time, by the profiles that `ocean bench --profile` keeps.

use super::chart;
use super::page::{NOT_RUN, mean, percent, table};
use super::runs::{Cell, Runs};

const STAGES: [&str; 6] = ["analysis", "sampling", "row sizes", "numeric", "post-processing", "between steps"];

/// The stage of a step of the library.
fn stage(step: &str) -> usize {
    match step {
        "inspect" | "inspect_both" | "alike" | "row_products" | "sort_rows" | "transpose" => 0,
        "sample" => 1,
        "sketch" | "estimate" | "count" | "count_short" | "cap" | "scan" | "bin" | "scan_and_bin" => 2,
        "accumulate" | "accumulate_all" => 3,
        _ => 4,
    }
}

/// Milliseconds of each stage, in the first of each call: later ones are repeats.
fn times(cell: &Cell) -> Option<Vec<f64>> {
    let calls = cell.profile["calls"].as_array()?;
    let mut times = vec![0.0; STAGES.len()];
    for (at, call) in calls.iter().enumerate() {
        if calls[..at].iter().any(|before| before["call"] == call["call"]) {
            continue;
        }
        let mut rest = call["ms"].as_f64()?;
        for step in call["steps"].as_array()? {
            let ms = step["ms"].as_f64()?;
            times[stage(step["step"].as_str()?)] += ms;
            rest -= ms;
        }
        times[STAGES.len() - 1] += rest.max(0.0);
    }
    (times.iter().sum::<f64>() > 0.0).then_some(times)
}

/// Means over matrices of each stage's share.
fn mean_shares<'a>(cells: impl Iterator<Item = &'a Cell>) -> Option<(usize, Vec<f64>)> {
    let shares = |times: Vec<f64>| {
        let all: f64 = times.iter().sum();
        times.into_iter().map(|ms| ms / all).collect::<Vec<_>>()
    };
    let all: Vec<Vec<f64>> = cells.filter_map(times).map(shares).collect();
    let of = |stage: usize| mean(&all.iter().map(|shares| shares[stage]).collect::<Vec<_>>());
    (!all.is_empty()).then(|| (all.len(), (0..STAGES.len()).map(of).collect()))
}

pub fn shares(runs: &Runs) -> String {
    let estimated = |variant: &str| {
        let in_last = |cell: &&Cell| {
            let last = runs.cell(&cell.matrix, "ocean:v4", "staged");
            last.and_then(Cell::workflow) == Some("estimate")
        };
        mean_shares(runs.staged(variant).filter(in_last))
    };
    let line = |name: &str, found: Option<(usize, Vec<f64>)>| {
        found.map(|(matrices, shares)| {
            let name = format!("here: {name}, {matrices} matrices");
            [name].into_iter().chain(shares.into_iter().map(percent)).collect::<Vec<_>>()
        })
    };
    let paper = [
        ["paper: all", "7 % with the sample", "2 %", "-", "-", "-", "-"],
        ["paper: estimated", "-", "-", "4 %", "-", "8 %", "-"],
        ["paper: the same by V1", "-", "-", "30 %", "-", "4 %", "-"],
    ];
    let here = [
        line("V4, all", mean_shares(runs.staged("v4"))),
        line("V4, estimated", estimated("v4")),
        line("V1, the same", estimated("v1")),
        line("own plan, all", mean_shares(runs.staged("auto"))),
    ];
    let here: Vec<_> = here.into_iter().flatten().collect();
    let body = if here.is_empty() {
        NOT_RUN.to_owned()
    } else {
        let head: Vec<&str> = ["matrices"].into_iter().chain(STAGES).collect();
        let rows: Vec<_> = paper.iter().map(|line| line.map(String::from).to_vec()).chain(here).collect();
        format!(
            "{}\nMeans of shares of the staged calls' time on the stream. Row sizes: sketches and estimates, or the count, with \
             scans and bins. Post-processing: lengths, rows redone, compaction, offsets.\n\n\
             ![stages of the versions](drawings/reproduction-stages.svg)\n",
            table(&head, &rows)
        )
    };
    format!("## Stages\n\n{body}")
}

/// All stages of each version, over the time of the first.
pub fn chart(runs: &Runs) -> Result<Option<(&'static str, String)>, String> {
    let bars: Vec<(String, Vec<f64>)> = ["v1", "v2", "v3", "v4", "auto"]
        .into_iter()
        .filter_map(|variant| {
            let relative = |cell: &Cell| {
                let first = times(runs.cell(&cell.matrix, "ocean:v1", "staged")?)?.iter().sum::<f64>();
                Some(times(cell)?.into_iter().map(|ms| ms / first).collect::<Vec<_>>())
            };
            let all: Vec<Vec<f64>> = runs.staged(variant).filter_map(relative).collect();
            let of = |stage: usize| mean(&all.iter().map(|times| times[stage]).collect::<Vec<_>>());
            (!all.is_empty()).then(|| (variant.to_owned(), (0..STAGES.len()).map(of).collect()))
        })
        .collect();
    if bars.is_empty() {
        return Ok(None);
    }
    Ok(Some(("stages", chart::stacks("Stages of each version, mean over the matrices", &STAGES, &bars)?)))
}

#[cfg(test)]
mod tests {
    use super::super::runs::tests::runs;
    use super::*;

    #[test]
    fn a_repeat_is_not_part_of_the_first_time() {
        let mut runs = runs(&[("p", "v4", 2.0, "estimate"), ("p", "v1", 2.0, "exact")]);
        let call = |name: &str, ms: f64, steps: &[(&str, f64)]| {
            let steps: Vec<_> = steps.iter().map(|(step, ms)| serde_json::json!({"step": step, "ms": ms})).collect();
            serde_json::json!({"call": name, "ms": ms, "steps": steps})
        };
        let first = call("workEstimation", 5.0, &[("inspect_both", 1.0), ("sample", 1.0), ("sketch", 2.0)]);
        let compute = call("compute", 4.0, &[("accumulate_all", 4.0)]);
        let again = call("compute", 9.0, &[("accumulate_all", 9.0)]);
        for cell in &mut runs.cells {
            cell.profile = serde_json::json!({"calls": [first.clone(), compute.clone(), again.clone()]});
        }
        assert_eq!(times(&runs.cells[0]), Some(vec![1.0, 1.0, 2.0, 4.0, 0.0, 1.0]));
        assert!(
            shares(&runs).contains("V4, estimated, 1 matrices | 11.1 % | 11.1 % | 22.2 % | 44.4 % | 0.0 % | 11.1 % |")
        );
        assert!(chart(&runs).expect("a chart").expect("bars").1.contains("sampling"));
    }
}
