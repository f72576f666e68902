// SPDX-License-Identifier: MIT OR Apache-2.0
//! One sitting: all matrices on one device, with the table as it goes.

use super::cusparse;
use super::device::Device;
use super::measure::{self, Job, Rig};
use super::ocean;
use super::report::{HEADER, Report, line};
use super::sources::{self, Source};
use super::{plot, trouble};
use crate::arguments::{BenchArguments, Form, RealKind, Tool, Variant, word};
use crate::failure::{Failure, Result};
use crate::output;
use crate::progress::Tasks;

pub fn run(arguments: &BenchArguments) -> Result<()> {
    let sources = sources::collect(arguments)?;
    let jobs = jobs(arguments)?;
    let device = Device::open()?;
    let asked = |ours: bool| jobs.iter().any(|job| (job.tool == Tool::Ocean) == ours);
    let rig = Rig {
        device: &device,
        ocean: asked(true).then(|| ocean::Library::new(&device)).transpose()?,
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

/// Tools in their forms, each once, in one order whatever the command line has; ocean once for each variant.
fn jobs(arguments: &BenchArguments) -> Result<Vec<Job>> {
    let variants = &arguments.variants;
    let twice =
        variants.iter().enumerate().find(|(at, one)| variants[..*at].iter().any(|other| other.name == one.name));
    if let Some((_, variant)) = twice {
        return Err(Failure::refused(format!("--variant {} is given twice", variant.name)));
    }
    let mut jobs = vec![];
    for tool in Tool::ALL.into_iter().filter(|tool| arguments.tools.contains(tool)) {
        let forms = || Form::ALL.into_iter().filter(|form| arguments.forms.contains(form) && measure::has(tool, *form));
        if tool != Tool::Ocean || variants.is_empty() {
            let options = if tool == Tool::Ocean { arguments.options.clone() } else { vec![] };
            jobs.extend(forms().map(|form| Job { name: word(tool), tool, form, options: options.clone() }));
            continue;
        }
        for Variant { name, options } in variants {
            let name = format!("{}:{name}", word(tool));
            let options = [&arguments.options[..], options].concat();
            jobs.extend(forms().map(|form| Job { name: name.clone(), tool, form, options: options.clone() }));
        }
    }
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

#[cfg(test)]
mod tests {
    use super::super::sources::tests::arguments;
    use super::*;

    fn listed(words: &[&str]) -> Vec<String> {
        let jobs = jobs(&arguments(words)).expect("some jobs");
        let text = |job: Job| {
            let options: Vec<_> = job.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{} {} {}", job.name, word(job.form), options.join(",")).trim_end().to_owned()
        };
        jobs.into_iter().map(text).collect()
    }

    #[test]
    fn ocean_runs_once_for_each_set_of_options() {
        let words = ["--suite", "--tools", "cusparse_default,ocean", "--forms", "staged,one_call", "--option"];
        let plain = listed(&[&words[..], &["registers=64"]].concat());
        let all = ["ocean one_call registers=64", "ocean staged registers=64", "cusparse_default staged"];
        assert_eq!(plain, all);
        let more = ["registers=64", "--variant", "v1:ablation=v1", "--variant", "slow:workflow=exact,accumulator=hash"];
        assert_eq!(
            listed(&[&words[..], &more].concat()),
            [
                "ocean:v1 one_call registers=64,ablation=v1",
                "ocean:v1 staged registers=64,ablation=v1",
                "ocean:slow one_call registers=64,workflow=exact,accumulator=hash",
                "ocean:slow staged registers=64,workflow=exact,accumulator=hash",
                "cusparse_default staged"
            ]
        );
        let bare = listed(&["--suite", "--tools", "ocean", "--forms", "one_call", "--variant", "all:"]);
        assert_eq!(bare, ["ocean:all one_call"]);
    }

    #[test]
    fn a_name_is_given_once() {
        let twice = arguments(&["--suite", "--variant", "a:workflow=exact", "--variant", "a:"]);
        assert!(jobs(&twice).expect_err("twice").to_string().contains("--variant a is given twice"));
    }
}
