// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean check`.

mod exact;
mod structure;
mod vectors;

use std::fmt::Write;

use ocean::csr::OwnedCsr;
use serde::Serialize;

use crate::arguments::{CheckArguments, ValueKind};
use crate::failure::{Failure, Result};
use crate::inputs::{self, Facts};
use crate::library::{Handle, Operand};
use crate::output;
use crate::progress::spin;
use crate::protocol;
use crate::value::{Number, with_number};

#[derive(Serialize)]
struct Report {
    a: Facts,
    b: Facts,
    c: Facts,
    r#type: &'static str,
    backend: &'static str,
    workflow: String,
    products: i64,
    structure: Verdict,
    /// None where the structure is too broken to look at values.
    values: Option<Verdict>,
    ok: bool,
}

/// What one kind of check found.
#[derive(Serialize)]
struct Verdict {
    method: &'static str,
    ok: bool,
    /// What was looked at, or what is wrong.
    finding: String,
}

impl Verdict {
    fn new(method: &'static str, found: std::result::Result<String, String>) -> Self {
        let ok = found.is_ok();
        Self { method, ok, finding: found.unwrap_or_else(|fault| fault) }
    }
}

pub fn run(arguments: &CheckArguments) -> Result<()> {
    let report = match arguments.product.value_type {
        ValueKind::F32 => check::<f32>(arguments, Some(vectors::check))?,
        ValueKind::F64 => check::<f64>(arguments, Some(vectors::check))?,
        other => with_number!(other, V => check::<V>(arguments, None)?),
    };
    if arguments.product.json {
        output::json(&report)?;
    } else {
        output::text(&text(&report))?;
    }
    conclude(&report.structure, report.values.as_ref())
}

/// Fails with the first thing that is wrong.
fn conclude(structure: &Verdict, values: Option<&Verdict>) -> Result<()> {
    match std::iter::once(structure).chain(values).find(|verdict| !verdict.ok) {
        Some(fault) => Err(Failure::Wrong(format!("the product is wrong: {}", fault.finding))),
        None => Ok(()),
    }
}

/// How products are checked that are too long for the reference.
type ByVectors<V> = fn(&OwnedCsr<V>, &OwnedCsr<V>, &OwnedCsr<V>) -> std::result::Result<String, String>;

fn check<V: Number>(arguments: &CheckArguments, by_vectors: Option<ByVectors<V>>) -> Result<Report> {
    let inputs = inputs::read::<V>(&arguments.product)?;
    let handle = Handle::new()?;
    let (a, b) = (Operand::new(&inputs.a)?, Operand::new(inputs.b())?);
    let outcome = protocol::multiply(&handle, &a, &b, &arguments.product)?;
    let (a, b, c) = (&inputs.a, inputs.b(), &outcome.c);

    let structure = Verdict::new("structure", structure::check(c, a.rows, b.cols));
    let by_vectors = by_vectors.filter(|_| outcome.products as u64 > arguments.limit);
    let values = structure.ok.then(|| match by_vectors {
        Some(by_vectors) => Verdict::new("random vectors", by_vectors(a, b, c)),
        None => {
            let expected = spin("computing the reference", true, || ocean::reference::multiply(a, b));
            Verdict::new("reference", exact::compare(&expected, c))
        }
    });
    let ok = structure.ok && values.as_ref().is_some_and(|values| values.ok);
    Ok(Report {
        c: Facts::of("A * B", c),
        a: inputs.a_facts.clone(),
        b: inputs.b_facts.clone(),
        r#type: V::NAME,
        backend: handle.backend()?,
        workflow: outcome.plan["workflow"].as_str().unwrap_or_default().to_owned(),
        products: outcome.products,
        structure,
        values,
        ok,
    })
}

fn text(report: &Report) -> String {
    let mut out = report.a.line("A") + &report.b.line("B") + &report.c.line("C");
    let _ = writeln!(out, "{:<14}{}, backend {}", "type", report.r#type, report.backend);
    let _ = writeln!(out, "{:<14}{}", "workflow", report.workflow);
    let _ = writeln!(out, "{:<14}{}", "products", report.products);
    for verdict in [Some(&report.structure), report.values.as_ref()].into_iter().flatten() {
        let _ =
            writeln!(out, "{:<16}{:<7}{}", verdict.method, if verdict.ok { "ok" } else { "WRONG" }, verdict.finding);
    }
    out
}

#[cfg(test)]
mod tests {
    use std::process::ExitCode;

    use super::*;

    #[test]
    fn a_wrong_product_is_named_and_exits_with_1() {
        let (right, wrong) =
            (Verdict::new("a", Ok("fine".into())), Verdict::new("b", Err("C(0, 1) is missing".into())));
        assert!(conclude(&right, Some(&right)).is_ok());
        for (structure, values) in [(&right, Some(&wrong)), (&wrong, None)] {
            let failure = conclude(structure, values).expect_err("wrong");
            assert_eq!(failure.to_string(), "the product is wrong: C(0, 1) is missing");
            assert_eq!(failure.exit_code(), ExitCode::from(1));
        }
        assert_eq!(Failure::refused("no such file").exit_code(), ExitCode::from(2));
    }
}
