// SPDX-License-Identifier: MIT OR Apache-2.0

//! `cargo xtask reproduce`: writes docs/reproduction.md and its charts from the JSON in benches/results. What is not there
//! yet is said to be not run.

mod chart;
mod commands;
mod estimates;
mod headline;
mod page;
mod runs;
mod stages;
mod versions;

use std::fs;
use std::path::Path;

use estimates::Estimates;
use runs::Runs;

use crate::shell::root;

const LICENCE: &str = "<!-- SPDX-License-Identifier: MIT OR Apache-2.0 -->\n";

/// Where the page's charts lie.
const CHARTS: &str = "docs/drawings";

pub fn run() -> Result<(), String> {
    let (estimates, versions, headline) = load()?;
    write(&root().join("docs/reproduction.md"), &text(&estimates, &versions, &headline))?;
    for (name, drawing) in estimates.charts()?.into_iter().chain(stages::chart(&versions)?) {
        write(&root().join(CHARTS).join(format!("reproduction-{name}.svg")), &format!("{LICENCE}{drawing}"))?;
    }
    Ok(())
}

/// What was measured: estimates, versions, and what the headline is about.
fn load() -> Result<(Estimates, Runs, Runs), String> {
    let results = root().join("benches/results");
    let reproduction = results.join("reproduction");
    let estimates = Estimates::load(&reproduction)?;
    let versions = Runs::load(&benches_in(&reproduction)?)?;
    let headline = Runs::load(&["suite-h200.json", "data-h200.json"].map(|name| results.join(name)))?;
    Ok((estimates, versions, headline))
}

/// The files of `ocean bench` in a folder, in the order of their names.
fn benches_in(folder: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let refused = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(refused)?.collect::<Result<Vec<_>, _>>().map_err(refused)?;
    let is_bench = |path: &Path| {
        path.extension().is_some_and(|ending| ending == "json")
            && path.file_stem().is_none_or(|stem| !stem.to_string_lossy().starts_with("estimation"))
    };
    let mut found: Vec<_> = entries.iter().map(fs::DirEntry::path).filter(|path| is_bench(path)).collect();
    found.sort();
    Ok(found)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn text(estimates: &Estimates, versions: &Runs, headline: &Runs) -> String {
    let sections = [
        page::INTRODUCTION.to_owned(),
        estimates.sketches(),
        estimates.samples(),
        estimates.cohen(),
        versions::shares(estimates, versions),
        versions::ablation(versions),
        versions::forced(versions),
        versions::parameters(versions),
        stages::shares(versions),
        versions::worth(versions),
        versions::memory(versions),
        headline::section(headline, versions),
        estimates.each(),
        commands::section(versions, headline),
    ];
    sections.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_run_is_said_to_be() {
        let (none, estimates) = (Runs::default(), Estimates::default());
        let page = text(&estimates, &none, &none);
        let sections = page.matches("\n## ").count();
        assert!(page.matches(page::NOT_RUN).count() >= sections - 2, "{page}");
    }

    /// The page and its charts are those of the files.
    #[test]
    fn the_page_is_what_the_results_say() {
        let (estimates, versions, headline) = load().expect("files");
        let page = fs::read_to_string(root().join("docs/reproduction.md")).expect("a page");
        assert!(page == text(&estimates, &versions, &headline), "run cargo xtask reproduce");
    }
}
