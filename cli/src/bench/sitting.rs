// SPDX-License-Identifier: MIT OR Apache-2.0
//! One sitting: all matrices on one device, with the table as it goes.

use super::cusparse;
use super::device::Device;
use super::measure::{self, Rig};
use super::ocean;
use super::report::{HEADER, Report, line};
use super::sources::{self, Source};
use super::{plot, trouble};
use crate::arguments::{BenchArguments, Form, RealKind, Tool};
use crate::failure::{Failure, Result};
use crate::output;
use crate::progress::Tasks;

pub fn run(arguments: &BenchArguments) -> Result<()> {
    let sources = sources::collect(arguments)?;
    let jobs = jobs(arguments)?;
    let device = Device::open()?;
    let asked = |ours: bool| jobs.iter().any(|(tool, _)| (*tool == Tool::Ocean) == ours);
    let rig = Rig {
        device: &device,
        ocean: asked(true).then(|| ocean::Library::new(&device, &arguments.options)).transpose()?,
        cusparse: asked(false).then(|| cusparse::Library::new(&device)).transpose()?,
        bandwidth: device.copy_bandwidth()?,
        jobs,
        runs: arguments.runs as usize,
        seconds: arguments.seconds,
        profile: arguments.profile,
    };
    let mut report = Report::new(device.name.clone(), device.driver.clone(), device.cuda.clone());
    write(arguments, &report)?; // a file that can't be written is known before the work
    output::text(&heading(&rig))?;

    let mut progress = Tasks::new(sources.len());
    for source in &sources {
        progress.next(&source.name);
        let cells = match cells(&rig, source, arguments, &progress) {
            Ok(cells) => cells,
            Err(failure) => {
                progress.above(|| eprintln!("skipped: {}: {failure}", source.name));
                vec![]
            }
        };
        let lines: String = cells.iter().map(line).collect();
        progress.above(|| output::text(&lines))?;
        report.cells.extend(cells);
        write(arguments, &report)?;
        // The next matrix has other sizes. An error here is one that no later call gets rid of.
        if let Err(trouble::Trouble { status, detail }) = device.trim() {
            let message = format!("the device is lost after {}: {detail} ({status})", source.name);
            return Err(Failure::refused(message));
        }
    }
    drop(progress);
    output::text(&format!("\n{}", report.summary()))?;
    if report.cells.is_empty() { Err(Failure::refused("no matrix was timed")) } else { Ok(()) }
}

/// Tools in their forms, each once, in one order whatever the command line has.
fn jobs(arguments: &BenchArguments) -> Result<Vec<(Tool, Form)>> {
    let pairs = Tool::ALL.into_iter().flat_map(|tool| Form::ALL.into_iter().map(move |form| (tool, form)));
    let asked = |(tool, form): &(Tool, Form)| arguments.tools.contains(tool) && arguments.forms.contains(form);
    let jobs: Vec<_> = pairs.filter(asked).filter(|&(tool, form)| measure::has(tool, form)).collect();
    if jobs.is_empty() {
        return Err(Failure::refused("none of the --tools has one of the --forms; --help lists what each has"));
    }
    Ok(jobs)
}

fn heading(rig: &Rig<'_>) -> String {
    let cusparse = rig.cusparse.as_ref().map_or(String::new(), |library| format!(", cuSPARSE {}", library.version));
    let Device { name, driver, cuda, .. } = rig.device;
    let terabytes = rig.bandwidth / 1e12;
    format!("{name}, driver {driver}, CUDA {cuda}{cusparse}, copies at {terabytes:.2} TB/s\n\n{HEADER}")
}

fn cells(
    rig: &Rig<'_>,
    source: &Source,
    arguments: &BenchArguments,
    progress: &Tasks,
) -> Result<Vec<super::cell::Cell>> {
    let too_many = |products: u64| arguments.max_products.is_some_and(|most| products > most);
    let passed_by = |products: u64| progress.above(|| eprintln!("passed by: {}: {products} products", source.name));
    if let Some(products) = source.products().filter(|&products| too_many(products)) {
        passed_by(products);
        return Ok(vec![]);
    }
    let case = source.load()?;
    if too_many(case.products()) {
        passed_by(case.products());
        return Ok(vec![]);
    }
    let note = |text: &str| progress.above(|| eprintln!("{text}"));
    Ok(match arguments.value_type {
        RealKind::F32 => measure::matrix::<f32>(rig, &source.name, &case, &note)?,
        RealKind::F64 => measure::matrix::<f64>(rig, &source.name, &case, &note)?,
    })
}

fn write(arguments: &BenchArguments, report: &Report) -> Result<()> {
    if let Some(path) = &arguments.json {
        report.write(path)?;
    }
    if let Some(path) = &arguments.svg {
        plot::write(path, &format!("Sparse products on {}", report.device), &report.cells)?;
    }
    Ok(())
}
