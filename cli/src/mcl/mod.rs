// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean mcl`: Markov clustering (van Dongen 2000) by the rules that the program `mcl` follows, with the library's
//! product as its expansion.

mod edges;
mod expand;
mod graph;

use std::fmt::Write;
use std::path::Path;

use ocean::mcl::{self, Iteration, Rules};
use serde::Serialize;

use crate::arguments::MclArguments;
use crate::failure::{Failure, Result};
use crate::library::Handle;
use crate::output;
use expand::OneProcess;
use graph::Graph;

#[derive(Serialize)]
struct Report {
    input: String,
    nodes: usize,
    /// Between different nodes, each counted once.
    edges: usize,
    rules: Rules,
    backend: &'static str,
    iterations: Vec<Iteration>,
    /// Whether the process came to rest before its last allowed step.
    converged: bool,
    clusters: usize,
    largest: usize,
}

pub fn run(arguments: &MclArguments) -> Result<()> {
    let graph = Graph::read(&arguments.input)?;
    let rules = Rules {
        inflation: arguments.inflation,
        prune: arguments.prune,
        select: arguments.select,
        recover: arguments.recover,
        mass: arguments.pct / 100.0,
        chaos: arguments.chaos,
        most_iterations: arguments.iterations,
    };
    let handle = Handle::new()?;
    let (clusters, iterations) = if arguments.ranks > 1 {
        expand::over_ranks(&graph, &rules, arguments.ranks)?
    } else {
        let (limit, iterations) = mcl::run(&mut OneProcess(&handle), mcl::with_loops(&graph.weights, 0), &rules)?;
        (mcl::clusters(&limit), iterations)
    };
    let lines = lines(&clusters, &graph.labels);
    if let Some(path) = &arguments.output {
        std::fs::write(path, &lines).map_err(|error| Failure::refused(format!("{}: {error}", path.display())))?;
    } else if !arguments.json {
        return output::text(&lines);
    }
    let report = Report {
        input: arguments.input.display().to_string(),
        nodes: graph.labels.len(),
        edges: graph.edges(),
        rules,
        backend: handle.backend()?,
        converged: iterations.last().is_none_or(|last| last.chaos < rules.chaos),
        iterations,
        clusters: clusters.len(),
        largest: clusters.first().map_or(0, Vec::len),
    };
    if arguments.json { output::json(&report) } else { output::text(&text(&report, arguments.output.as_deref())) }
}

/// One cluster a line, labels between tabs.
fn lines(clusters: &[Vec<usize>], labels: &[String]) -> String {
    let mut out = String::new();
    for cluster in clusters {
        for (at, &node) in cluster.iter().enumerate() {
            if at > 0 {
                out.push('\t');
            }
            out.push_str(&labels[node]);
        }
        out.push('\n');
    }
    out
}

fn text(report: &Report, output: Option<&Path>) -> String {
    let Report { input, nodes, edges, clusters, largest, .. } = report;
    let mut out = format!("{input}: {nodes} nodes, {edges} edges\n\n");
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{:>4}{:>12}{:>14}{:>14}{:>10}", "step", "chaos", "expanded", "kept", "seconds");
    for (at, Iteration { chaos, expanded, kept, seconds }) in report.iterations.iter().enumerate() {
        let _ = writeln!(out, "{:>4}{chaos:>12.6}{expanded:>14}{kept:>14}{seconds:>10.3}", at + 1);
    }
    if !report.converged {
        let _ = writeln!(
            out,
            "\nnot at rest after {} steps; the clusters are those of the last one",
            report.iterations.len()
        );
    }
    let place = output.map_or(String::new(), |path| format!(", in {}", path.display()));
    let _ = writeln!(out, "\n{clusters} clusters, the largest of {largest}{place}");
    out
}
