// SPDX-License-Identifier: MIT OR Apache-2.0
//! One product by the staged protocol, each step timed.

use std::time::Instant;

use ocean::csr::OwnedCsr;
use serde_json::Value as Json;

use crate::arguments::{Algorithm, ProductArguments, Workflow};
use crate::failure::{Failure, Result};
use crate::library::{Format, Handle, Operand, Product};
use crate::progress::spin;
use crate::value::Number;

/// Products that take longer than a moment.
const LONG_PRODUCTS: i64 = 50_000_000;

/// A product and how it came about.
pub struct Outcome<V> {
    pub c: OwnedCsr<V>,
    pub products: i64,
    pub plan: Json,
    /// Seconds of each step, in the order of the protocol.
    pub steps: Vec<(&'static str, f64)>,
}

/// Starts a product: descriptors, options, and the step that looks at the matrices and plans.
pub fn plan<'a, V: Number>(
    handle: &'a Handle,
    a: &'a Operand<'a, V>,
    b: &'a Operand<'a, V>,
    arguments: &ProductArguments,
) -> Result<Product<'a, V>> {
    let mut product = Product::new(handle, a, b, arguments.algorithm)?;
    product.set_option(c"workflow", workflow(arguments))?;
    product.work_estimation()?;
    Ok(product)
}

fn workflow(arguments: &ProductArguments) -> &'static str {
    match arguments.workflow {
        Workflow::Auto => "auto",
        Workflow::UpperBound => "upper_bound",
        Workflow::Estimate => "estimate",
        Workflow::Exact => "exact",
    }
}

/// What the steps of a product take, as lines and as JSON. It has been computed once before, so that nothing is timed that
/// happens only the first time.
pub fn profile<V: Number>(
    handle: &Handle,
    a: &Operand<'_, V>,
    b: &Operand<'_, V>,
    arguments: &ProductArguments,
) -> Result<(String, Json)> {
    multiply(handle, a, b, arguments)?;
    let mut product = Product::new(handle, a, b, arguments.algorithm)?;
    product.set_option(c"workflow", workflow(arguments))?;
    product.set_option(c"profile", "on")?;
    product.work_estimation()?;
    if matches!(arguments.algorithm, Algorithm::Alg2 | Algorithm::Alg3) {
        product.estimate_memory()?;
    }
    product.compute()?;
    product.allocate()?;
    product.copy()?;
    Ok((product.profile(Format::Text)?, json(&product.profile(Format::Json)?)?))
}

/// Runs the whole protocol once.
pub fn multiply<V: Number>(
    handle: &Handle,
    a: &Operand<'_, V>,
    b: &Operand<'_, V>,
    arguments: &ProductArguments,
) -> Result<Outcome<V>> {
    let mut steps = Vec::new();
    let begin = Instant::now();
    let mut product = plan(handle, a, b, arguments)?;
    steps.push(("work estimation", begin.elapsed().as_secs_f64()));

    let products = product.products()?;
    let plan = plan_json(&product)?;
    let label = format!("multiplying, {products} products");
    spin(label, products > LONG_PRODUCTS, || {
        let mut timed = |name, step: &mut dyn FnMut() -> Result<()>| -> Result<()> {
            let begin = Instant::now();
            step()?;
            steps.push((name, begin.elapsed().as_secs_f64()));
            Ok(())
        };
        if matches!(arguments.algorithm, Algorithm::Alg2 | Algorithm::Alg3) {
            timed("estimate memory", &mut || product.estimate_memory())?;
        }
        timed("compute", &mut || product.compute())?;
        product.allocate()?;
        timed("copy", &mut || product.copy())
    })?;
    Ok(Outcome { c: product.into_result(), products, plan, steps })
}

/// The plan as the library describes it.
pub fn plan_json<V: Number>(product: &Product<'_, V>) -> Result<Json> {
    json(&product.plan(Format::Json)?)
}

fn json(report: &str) -> Result<Json> {
    serde_json::from_str(report).map_err(|error| Failure::refused(format!("the library's report is not JSON: {error}")))
}
