// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean explain`.

use std::fmt::Write;
use std::path::Path;

use serde::Serialize;
use serde_json::Value as Json;

use crate::arguments::{Algorithm, ExplainArguments, word};
use crate::failure::{Failure, Result};
use crate::inputs::{self, Facts, Inputs};
use crate::library::{Format, Handle, Operand};
use crate::output;
use crate::plot::{self, Estimates, Pattern};
use crate::protocol::{self, Outcome};
use crate::value::{Number, with_number};

#[derive(Serialize)]
struct Report {
    a: Facts,
    b: Facts,
    r#type: &'static str,
    backend: &'static str,
    algorithm: String,
    bytes: Bytes,
    plan: Json,
    /// What the steps took, if that was asked.
    profile: Option<Json>,
    /// Files that were drawn.
    plots: Vec<String>,
    #[serde(skip)]
    plan_text: String,
    #[serde(skip)]
    profile_text: String,
}

/// What a caller of the library brings, in bytes.
#[derive(Serialize)]
struct Bytes {
    a: usize,
    b: usize,
    /// For the work estimation, until the last compute.
    buffer1: usize,
    /// For the compute step, until the copy.
    buffer2: usize,
    /// For the memory estimate alone; only with algorithms that have it.
    buffer3: Option<usize>,
}

pub fn run(arguments: &ExplainArguments) -> Result<()> {
    let report = with_number!(arguments.product.value_type, V => explain::<V>(arguments)?);
    if arguments.product.json { output::json(&report) } else { output::text(&text(&report)) }
}

fn explain<V: Number>(arguments: &ExplainArguments) -> Result<Report> {
    let product = &arguments.product;
    let inputs = inputs::read::<V>(product)?;
    let handle = Handle::new()?;
    let (a, b) = (Operand::new(&inputs.a)?, Operand::new(inputs.b())?);
    let mut planned = protocol::plan(&handle, &a, &b, product)?;

    let estimates = matches!(product.algorithm, Algorithm::Alg2 | Algorithm::Alg3);
    let buffer3 = if estimates { Some(planned.estimate_bytes()?) } else { None };
    let bytes = Bytes {
        a: a.bytes(),
        b: b.bytes(),
        buffer1: planned.buffer1_bytes(),
        buffer2: planned.compute_bytes()?,
        buffer3,
    };
    let plan = protocol::plan_json(&planned)?;
    let plan_text = planned.plan(Format::Text)?;
    drop(planned); // its buffers, before there are others
    let (profile_text, profile) = if arguments.profile {
        let (text, json) = protocol::profile(&handle, &a, &b, product)?;
        (text, Some(json))
    } else {
        (String::new(), None)
    };
    let plots = match &arguments.plot {
        Some(folder) => {
            let outcome = protocol::multiply(&handle, &a, &b, product)?;
            draw(folder, &inputs, &outcome, plan["registers"].as_u64())?
        }
        None => vec![],
    };
    Ok(Report {
        a: inputs.a_facts.clone(),
        b: inputs.b_facts.clone(),
        r#type: V::NAME,
        backend: handle.backend()?,
        algorithm: word(product.algorithm),
        bytes,
        plan,
        profile,
        plots,
        plan_text,
        profile_text,
    })
}

/// Draws a product into a folder, and gives the files.
fn draw<V: Number>(
    folder: &Path,
    inputs: &Inputs<V>,
    outcome: &Outcome<V>,
    registers: Option<u64>,
) -> Result<Vec<String>> {
    let (a, b, c) = (&inputs.a, inputs.b(), &outcome.c);
    let registers = registers.ok_or_else(|| Failure::refused("the library's plan names no registers"))? as usize;
    Ok(vec![
        plot::write(folder, "spy.svg", plot::spy(&[Pattern::of("A", a), Pattern::of("B", b), Pattern::of("C", c)]))?,
        plot::write(folder, "estimates.svg", Estimates::new(a, b, c, registers).draw())?,
        plot::write(folder, "stages.svg", plot::stages(&outcome.steps))?,
    ])
}

fn text(report: &Report) -> String {
    let mut out = report.a.line("A") + &report.b.line("B");
    let _ =
        writeln!(out, "{:<14}{}, backend {}, algorithm {}\n", "type", report.r#type, report.backend, report.algorithm);
    let _ = writeln!(out, "{}\n", report.plan_text.trim_end());
    let mut line = |what: &str, bytes: usize| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{what:<28}{bytes:>16}");
    };
    line("bytes of A's arrays", report.bytes.a);
    line("bytes of B's arrays", report.bytes.b);
    line("buffer 1, work estimation", report.bytes.buffer1);
    line("buffer 2, compute", report.bytes.buffer2);
    if let Some(bytes) = report.bytes.buffer3 {
        line("buffer 3, memory estimate", bytes);
    }
    if !report.profile_text.is_empty() {
        let _ = write!(out, "\n{}", report.profile_text);
    }
    for file in &report.plots {
        let _ = writeln!(out, "{:<14}{file}", "drawn");
    }
    out
}
