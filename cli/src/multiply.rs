// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean multiply`.

use std::fmt::Write;

use ocean::csr::OwnedCsr;
use ocean_market::{Csr, Field, Matrix};
use serde::Serialize;

use crate::arguments::{MultiplyArguments, word};
use crate::failure::Result;
use crate::inputs::{self, Facts};
use crate::library::{Handle, Operand};
use crate::output;
use crate::progress::spin;
use crate::protocol;
use crate::value::{Number, with_number};

/// Writing more entries than this takes seconds.
const LONG_ENTRIES: usize = 2_000_000;

#[derive(Serialize)]
struct Report {
    a: Facts,
    b: Facts,
    c: Facts,
    r#type: &'static str,
    backend: &'static str,
    algorithm: String,
    workflow: String,
    products: i64,
    /// Products per entry of C; none where C is empty.
    compression: Option<f64>,
    checksums: Checksums,
    read_seconds: f64,
    steps: Vec<Step>,
}

/// As the matrix manifest of the tests defines them.
#[derive(Serialize)]
struct Checksums {
    pattern: u64,
    sum: f64,
    weighted_sum: f64,
}

#[derive(Serialize)]
struct Step {
    step: &'static str,
    best_seconds: f64,
    median_seconds: f64,
}

pub fn run(arguments: &MultiplyArguments) -> Result<()> {
    let report = with_number!(arguments.product.value_type, V => multiply::<V>(arguments)?);
    if arguments.product.json { output::json(&report) } else { output::text(&text(&report)) }
}

fn multiply<V: Number>(arguments: &MultiplyArguments) -> Result<Report> {
    let product = &arguments.product;
    let inputs = inputs::read::<V>(product)?;
    let handle = Handle::new()?;
    let (a, b) = (Operand::new(&inputs.a)?, Operand::new(inputs.b())?);

    let mut outcome = protocol::multiply(&handle, &a, &b, product)?;
    let mut runs = vec![outcome.steps.clone()];
    for _ in 1..arguments.repeat {
        drop(outcome); // one C at a time
        outcome = protocol::multiply(&handle, &a, &b, product)?;
        runs.push(outcome.steps.clone());
    }

    let c = outcome.c;
    let checksums = checksums(&c);
    let entries = c.nnz();
    let mut c_facts = Facts::of("A * B", &c);
    if let Some(path) = &arguments.output {
        c_facts.source = path.display().to_string();
        spin(format!("writing {}", c_facts.source), entries > LONG_ENTRIES, || {
            let (matrix, field) = market(c);
            ocean_market::write(path, &matrix, field, &[])
        })?;
    }
    Ok(Report {
        a: inputs.a_facts.clone(),
        b: inputs.b_facts.clone(),
        c: c_facts,
        r#type: V::NAME,
        backend: handle.backend()?,
        algorithm: word(product.algorithm),
        workflow: outcome.plan["workflow"].as_str().unwrap_or_default().to_owned(),
        products: outcome.products,
        compression: (entries > 0).then(|| outcome.products as f64 / entries as f64),
        checksums,
        read_seconds: inputs.read_seconds,
        steps: steps(&runs),
    })
}

/// As a file holds it. Every value is exact in f64.
fn market<V: Number>(c: OwnedCsr<V>) -> (Matrix, Field) {
    let OwnedCsr { rows, cols, offsets, columns, values } = c;
    let parts = values.into_iter().map(V::parts);
    if V::COMPLEX {
        let values = parts.map(|[real, imaginary]| (real, imaginary)).collect();
        (Matrix::Complex(Csr { rows, cols, offsets, columns, values }), Field::Complex)
    } else {
        let values = parts.map(|[real, _]| real).collect();
        (Matrix::Real(Csr { rows, cols, offsets, columns, values }), Field::Real)
    }
}

fn checksums<V: Number>(c: &OwnedCsr<V>) -> Checksums {
    let mut checksums = Checksums { pattern: 0, sum: 0.0, weighted_sum: 0.0 };
    for row in 0..c.rows {
        for entry in c.row(row) {
            let (i, j) = (row as u64, c.columns[entry] as u64);
            let [real, imaginary] = c.values[entry].parts();
            let size = real.hypot(imaginary);
            checksums.pattern = checksums.pattern.wrapping_add((i + 1).wrapping_mul(j + 1));
            checksums.sum += size;
            checksums.weighted_sum += size * ((7 * i + 13 * j) % 101 + 1) as f64;
        }
    }
    checksums
}

/// Best and median of each step over all runs, and of their sum.
fn steps(runs: &[Vec<(&'static str, f64)>]) -> Vec<Step> {
    let step = |step, mut seconds: Vec<f64>| {
        seconds.sort_by(f64::total_cmp);
        Step { step, best_seconds: seconds[0], median_seconds: seconds[seconds.len() / 2] }
    };
    let mut steps: Vec<Step> =
        (0..runs[0].len()).map(|at| step(runs[0][at].0, runs.iter().map(|run| run[at].1).collect())).collect();
    steps.push(step("all steps", runs.iter().map(|run| run.iter().map(|step| step.1).sum()).collect()));
    steps
}

fn text(report: &Report) -> String {
    let mut out = report.a.line("A") + &report.b.line("B") + &report.c.line("C");
    let mut line = |name: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{name:<14}{value}");
    };
    line("type", format!("{}, backend {}", report.r#type, report.backend));
    line("algorithm", report.algorithm.clone());
    line("workflow", report.workflow.clone());
    line("products", report.products.to_string());
    line("compression", report.compression.map_or("none, C is empty".into(), |ratio| format!("{ratio:.4}")));
    line("checksums", format!("pattern {}", report.checksums.pattern));
    line("", format!("sum {:e}", report.checksums.sum));
    line("", format!("weighted sum {:e}", report.checksums.weighted_sum));
    let _ = writeln!(out, "\n{:<18}{:>12}{:>12}", "seconds", "best", "median");
    let _ = writeln!(out, "{:<18}{:>12.6}", "read", report.read_seconds);
    for step in &report.steps {
        let _ = writeln!(out, "{:<18}{:>12.6}{:>12.6}", step.step, step.best_seconds, step.median_seconds);
    }
    out
}
