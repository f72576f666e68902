// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the versions of the method and its parameters are worth, by runs of `ocean bench --variant`.

use super::estimates::Estimates;
use super::page::{NOT_RUN, geometric_mean, percent, table};
use super::runs::{Cell, Runs};

const WORKFLOWS: [&str; 3] = ["upper_bound", "estimate", "exact"];

/// A gain from here on counts, as in the paper's study.
const WORTH: f64 = 1.05;

/// Geometric mean and best, with its matrix.
fn gain(gains: &[(&str, f64)]) -> String {
    spread(gains, "best")
}

/// The same, where the most is called so.
fn spread(gains: &[(&str, f64)], word: &str) -> String {
    let best = gains.iter().max_by(|one, other| one.1.total_cmp(&other.1));
    let Some((matrix, most)) = best else { return "-".into() };
    let mean = geometric_mean(&gains.iter().map(|gain| gain.1).collect::<Vec<_>>());
    format!("{mean:.2} ({}; {word} {most:.2}, {matrix})", gains.len())
}

/// The same with the worst.
fn between(gains: &[(&str, f64)]) -> Vec<String> {
    let worst = gains.iter().min_by(|one, other| one.1.total_cmp(&other.1));
    let worst = worst.map_or("-".into(), |(matrix, least)| format!("{least:.2}, {matrix}"));
    vec![gain(gains), worst]
}

fn section(heading: &str, body: Option<String>) -> String {
    format!("## {heading}\n\n{}", body.unwrap_or_else(|| NOT_RUN.to_owned()))
}

/// Cells of a variant whose own plan takes this workflow.
fn planned<'a>(runs: &'a Runs, variant: &str, workflow: &'a str) -> impl Iterator<Item = &'a Cell> + use<'a> {
    runs.staged(variant).filter(move |cell| cell.workflow() == Some(workflow))
}

/// The workflow of a matrix in the last version.
fn final_workflow<'a>(runs: &'a Runs, matrix: &str) -> Option<&'a str> {
    runs.cell(matrix, "ocean:v4", "staged")?.workflow()
}

pub fn shares(estimates: &Estimates, runs: &Runs) -> String {
    let paper = [26.0, 148.0, 163.0];
    let mut rows = vec![["paper, of 337".to_owned()].into_iter().chain(paper.map(|n| percent(n / 337.0))).collect()];
    if estimates.count() > 0 {
        let all = estimates.count();
        let of = |workflow| percent(estimates.of_workflow(workflow).len() as f64 / all as f64);
        let name = format!("here by the paper's table 1 and the true compression, of {all}");
        rows.push([name].into_iter().chain(WORKFLOWS.map(of)).collect::<Vec<_>>());
    }
    for (variant, name) in [("v4", "version 4 on the GPU"), ("auto", "this library's plan on the GPU")] {
        let all = runs.staged(variant).filter(|cell| cell.workflow().is_some()).count();
        let of = |workflow| percent(planned(runs, variant, workflow).count() as f64 / all as f64);
        let name = format!("{name}, of {all}");
        let not_run = || WORKFLOWS.map(|_| "not run".to_owned());
        rows.push([name].into_iter().chain(if all == 0 { not_run() } else { WORKFLOWS.map(of) }).collect());
    }
    section(
        "Matrices of each workflow",
        Some(table(&["matrices", "upper bound", "estimate", "exact"], &rows)).filter(|_| rows.len() > 3),
    )
}

pub fn ablation(runs: &Runs) -> String {
    let steps = [
        ("v1", "v2", "V2 over V1: estimates", "estimated 1.3 on average"),
        ("v2", "v3", "V3 over V2: assisted kernels", "1.03, best 2.19 (exdata_1)"),
        ("v3", "v4", "V4 over V3: hybrid accumulators", "1.06; least 0.55 (torso1)"),
        ("v1", "v4", "V4 over V1", "-"),
        ("v4", "auto", "this library's own plan over V4", "-"),
    ];
    let line = |&(before, after, name, paper): &(&str, &str, &str, &str)| {
        let of = |wanted: Option<&str>| {
            let is_wanted = |cell: &&Cell| wanted.is_none_or(|w| final_workflow(runs, &cell.matrix) == Some(w));
            gain(&runs.gains(runs.staged(before).filter(is_wanted), after))
        };
        [name.to_owned(), paper.to_owned(), of(None)].into_iter().chain(WORKFLOWS.map(|w| of(Some(w)))).collect()
    };
    let there = runs.staged("v1").next().is_some();
    let body = there.then(|| {
        let rows: Vec<Vec<String>> = steps.iter().map(line).collect();
        let head = ["step", "paper", "here, all", "upper bound", "estimate", "exact"];
        format!("{}\n{VERSIONS}\n### By density of A\n\n{}", table(&head, &rows), by_density(runs))
    });
    section("Ablation", body)
}

const VERSIONS: &str = "\
Times as fast, staged, as geometric mean (number of matrices; best). Workflows are those of version 4. The options `ablation=v1` to
`v4` make the versions: [what each of them has](how/plan.md). V1 counts rows as the paper's symbolic step does, in tables as large
as their products; sketches, samples and passes are this library's in all of them. Bitmaps are looked at before they are
written in every version, so that the paper's best case of V3 shows in none.
";

fn by_density(runs: &Runs) -> String {
    let decade = |cell: &Cell| cell.density().map(|density| density.log10().floor() as i32);
    let mut decades: Vec<i32> = runs.staged("v1").filter_map(decade).collect();
    decades.sort_unstable();
    decades.dedup();
    let rows: Vec<Vec<String>> = decades
        .into_iter()
        .map(|wanted| {
            let of = |after: &str| gain(&runs.gains(runs.staged("v1").filter(|c| decade(c) == Some(wanted)), after));
            vec![format!("1e{wanted} to 1e{}", wanted + 1), of("v2"), of("v3"), of("v4"), of("auto")]
        })
        .collect();
    table(&["density", "V2 over V1", "V3 over V1", "V4 over V1", "own plan over V1"], &rows)
}

/// How many matrices the other workflow would have served better.
pub fn forced(runs: &Runs) -> String {
    let line = |name: &str, paper: &str, gains: &[(&str, f64)]| {
        let better = gains.iter().filter(|gain| gain.1 >= WORTH).count();
        let share = if gains.is_empty() { "-".into() } else { percent(better as f64 / gains.len() as f64) };
        vec![name.to_owned(), paper.to_owned(), share, gain(gains)]
    };
    let exact = runs.gains(planned(runs, "v4", "exact"), "v4_estimate");
    let estimated: Vec<_> = ["upper_bound", "estimate"]
        .into_iter()
        .flat_map(|workflow| {
            let forced = runs.staged("v4_exact");
            runs.gains(forced.filter(move |cell| final_workflow(runs, &cell.matrix) == Some(workflow)), "v4")
        })
        .collect();
    let body = (!exact.is_empty() || !estimated.is_empty()).then(|| {
        let rows = [
            line("exact by table 1: estimated instead", "10.8 % of 163", &exact),
            line("estimated or bounded by table 1: over counted instead", "92 % of 174", &estimated),
        ];
        table(&["matrices", "at least 1.05 times as fast: paper", "here", "times as fast"], &rows)
    });
    section("The other workflow", body)
}

pub fn parameters(runs: &Runs) -> String {
    let lines = [
        ("r32", "32 registers always", "1.4 %"),
        ("r64", "64 registers always", "1 %"),
        ("s1", "1 % of the rows sampled", "2.1 %"),
        ("s5", "5 % of the rows sampled", "3.5 %"),
    ];
    let rows: Vec<Vec<String>> = lines
        .iter()
        .filter_map(|(variant, name, paper)| {
            let sampled = |cell: &&Cell| !cell.plan["sample"].is_null();
            let estimated = |cell: &&Cell| cell.workflow() == Some("estimate");
            let slower = |gains: Vec<(&str, f64)>| {
                let mean = geometric_mean(&gains.iter().map(|gain| 1.0 / gain.1).collect::<Vec<_>>());
                if gains.is_empty() { "-".into() } else { format!("{} of {}", percent(mean - 1.0), gains.len()) }
            };
            runs.staged(variant).next()?;
            let of_estimated = slower(runs.gains(runs.staged("v4").filter(estimated), variant));
            let of_sampled = slower(runs.gains(runs.staged("v4").filter(sampled), variant));
            Some(vec![(*name).to_owned(), (*paper).to_owned(), of_estimated, of_sampled])
        })
        .collect();
    let head = [
        "instead of what version 4 takes",
        "slower by: paper",
        "here, where rows are estimated",
        "where rows are sampled",
    ];
    section("Registers and shares", (!rows.is_empty()).then(|| table(&head, &rows)))
}

/// The plan's estimates against this library's own counts.
pub fn worth(runs: &Runs) -> String {
    let line = |name: &str, form: &str, workflow: &str| {
        let planned = |cell: &&Cell| {
            let auto = runs.cell(&cell.matrix, "ocean:auto", "staged");
            cell.tool == "ocean:exact" && cell.form == form && auto.and_then(Cell::workflow) == Some(workflow)
        };
        let gains = runs.gains(runs.cells.iter().filter(planned), "auto");
        [name.to_owned()].into_iter().chain(between(&gains)).collect::<Vec<_>>()
    };
    let there = runs.cells.iter().any(|cell| cell.tool == "ocean:exact");
    let rows = [
        line("estimate, staged", "staged", "estimate"),
        line("estimate, one call", "one_call", "estimate"),
        line("upper bound, staged", "staged", "upper_bound"),
        line("upper bound, one call", "one_call", "upper_bound"),
    ];
    let head = ["where the plan takes", "times as fast as counting", "worst"];
    let text = "The gain over this library's own exact workflow, `workflow=exact`. In one call counting is \
                done by the library's own functions, since oceanSpGEMM takes no options.\n";
    section("What estimates are worth", there.then(|| format!("{}\n{text}", table(&head, &rows))))
}

pub fn memory(runs: &Runs) -> String {
    let line = |variant: &str, name: &str, workflow: &str, paper: &str| {
        let cells = planned(runs, variant, workflow).filter(|cell| cell.ms.is_some() && cell.c_bytes > 0.0);
        let ratios: Vec<_> =
            cells.filter_map(|cell| Some((&*cell.matrix, 1.0 + cell.extra_bytes? / cell.c_bytes))).collect();
        vec![name.to_owned(), paper.to_owned(), spread(&ratios, "most")]
    };
    let rows = [
        line("v4", "upper bound", "upper_bound", "-"),
        line("v4", "estimate", "estimate", "about 2.2"),
        line("v4", "exact", "exact", "-"),
        line("auto", "estimate, this library's plan", "estimate", "-"),
        line("auto", "exact, this library's plan", "exact", "-"),
    ];
    let there = runs.staged("v4").next().is_some();
    let text = "The most memory beyond A and B over that of C's columns and values, staged, so that C's own room and the buffer \
                that it is copied from both count: geometric mean (number of matrices; most). Small products are all buffer.\n";
    let head = ["workflow", "paper", "here"];
    section("Memory over C", there.then(|| format!("{}\n{text}", table(&head, &rows))))
}

#[cfg(test)]
mod tests {
    use super::super::runs::tests::runs;
    use super::*;

    #[test]
    fn versions_are_compared_by_the_workflow_of_the_last() {
        let runs = runs(&[
            ("p", "v1", 8.0, "exact"),
            ("p", "v2", 4.0, "estimate"),
            ("p", "v4", 2.0, "estimate"),
            ("p", "v4_exact", 3.0, "exact"),
            ("q", "v1", 1.0, "exact"),
            ("q", "v2", 1.0, "exact"),
            ("q", "v4", 1.0, "exact"),
            ("q", "v4_estimate", 2.0, "estimate"),
            ("q", "exact", 2.0, "exact"),
        ]);
        let text = ablation(&runs);
        assert!(text.contains("| V2 over V1: estimates | estimated 1.3 on average | 1.41 (2; best 2.00, p) | - | 2.00 (1; best 2.00, p) | 1.00 (1; best 1.00, q) |"), "{text}");
        assert!(text.contains("| 1e-3 to 1e-2 | 1.41 (2; best 2.00, p) | - | 2.00"), "{text}");
        let text = forced(&runs);
        assert!(
            text.contains("| 10.8 % of 163 | 0.0 % | 0.50") && text.contains("| 92 % of 174 | 100.0 % | 1.50"),
            "{text}"
        );
        assert!(memory(&runs).contains("| estimate | about 2.2 | 2.00 (1; most 2.00, p) |"));
        assert!(parameters(&runs).contains(NOT_RUN) && worth(&runs).contains("estimate, staged"));
    }
}
