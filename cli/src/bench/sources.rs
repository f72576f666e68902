// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which matrices are timed, and where they come from.

use std::path::{Path, PathBuf};

use crate::arguments::BenchArguments;
use crate::failure::{Failure, Result};
use crate::inputs;
use crate::suite::{self, Case, Entry, Pattern, SUITE};

/// A matrix that was asked for, not made or read yet.
pub struct Source {
    pub name: String,
    origin: Origin,
}

enum Origin {
    Generated(&'static Entry),
    File(PathBuf),
}

impl Source {
    /// Scalar products, where they are known beforehand.
    pub fn products(&self) -> Option<u64> {
        match &self.origin {
            Origin::Generated(entry) => Some(entry.products),
            Origin::File(_) => None,
        }
    }

    pub fn load(&self) -> Result<Case> {
        let path = match &self.origin {
            Origin::Generated(entry) => return entry.make(),
            Origin::File(path) => path,
        };
        let mut csr = inputs::load(path)?;
        csr.sum_duplicates(); // a pattern has every place once
        let a = Pattern::of(csr)?;
        let b = (a.rows != a.cols).then(|| a.transpose());
        Ok(Case { a, b })
    }
}

/// All that the command line asks for, in its order. Names choose from folders and from the generated matrices; a file
/// is asked for by itself.
pub fn collect(arguments: &BenchArguments) -> Result<Vec<Source>> {
    let names = &arguments.names;
    let chosen = |source: &Source| names.is_empty() || names.contains(&source.name);
    let mut sources = vec![];
    for path in &arguments.inputs {
        if path.is_dir() {
            sources.extend(folder(path)?.into_iter().filter(chosen));
        } else if path.is_file() {
            sources.push(file(path.clone()));
        } else {
            return Err(Failure::refused(format!("{}: no such file or folder", path.display())));
        }
    }
    if names.is_empty() && arguments.suite {
        sources.extend(SUITE.iter().map(generated));
    }
    for name in names {
        if sources.iter().all(|source| source.name != *name) {
            let Some(entry) = suite::find(name) else {
                let names: Vec<&str> = SUITE.iter().map(|entry| entry.name).collect();
                return Err(Failure::refused(format!("no matrix {name}; generated are: {}", names.join(", "))));
            };
            sources.push(generated(entry));
        }
    }
    if sources.is_empty() {
        return Err(Failure::refused("nothing to time: name files or folders, --matrix NAME, or --suite"));
    }
    Ok(sources)
}

fn generated(entry: &'static Entry) -> Source {
    Source { name: entry.name.to_owned(), origin: Origin::Generated(entry) }
}

fn file(path: PathBuf) -> Source {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let stem = name.strip_suffix(".gz").unwrap_or(&name);
    let stem = stem.strip_suffix(".mtx").unwrap_or(stem);
    Source { name: stem.to_owned(), origin: Origin::File(path) }
}

/// The matrices that a folder's MANIFEST.tsv names in its column `name`, as far as they are there and real.
fn folder(folder: &Path) -> Result<Vec<Source>> {
    let manifest = folder.join("MANIFEST.tsv");
    let refused = |why: &dyn std::fmt::Display| Failure::refused(format!("{}: {why}", manifest.display()));
    let text = std::fs::read_to_string(&manifest).map_err(|error| refused(&error))?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| header.iter().position(|&column| column == name);
    let name = column("name").ok_or_else(|| refused(&"no column `name`"))?;
    let field = column("field");

    let mut sources = vec![];
    for line in lines.filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let Some(&name) = cells.get(name) else { continue };
        if field.and_then(|field| cells.get(field)) == Some(&"complex") {
            eprintln!("skipped: {name} is complex");
            continue;
        }
        let files = ["mtx.gz", "mtx"].map(|ending| folder.join(format!("{name}.{ending}")));
        match files.into_iter().find(|path| path.is_file()) {
            Some(path) => sources.push(file(path)),
            None => eprintln!("skipped: {name} is not in {}", folder.display()),
        }
    }
    Ok(sources)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use clap::Parser;

    pub fn arguments(words: &[&str]) -> BenchArguments {
        let words = ["ocean", "bench"].iter().chain(words);
        match crate::arguments::Arguments::parse_from(words).command {
            crate::arguments::Command::Bench(arguments) => arguments,
            _ => panic!("bench was asked for"),
        }
    }

    fn names(words: &[&str]) -> std::result::Result<Vec<String>, String> {
        let sources = collect(&arguments(words)).map_err(|failure| failure.to_string())?;
        Ok(sources.into_iter().map(|source| source.name).collect())
    }

    #[test]
    fn what_is_asked_for() {
        assert_eq!(names(&["--suite"]).expect("all").len(), SUITE.len());
        assert_eq!(names(&["--matrix", "p2d_300,web_1m"]).expect("two"), ["p2d_300", "web_1m"]);
        assert_eq!(names(&["--suite", "--matrix", "web_1m"]).expect("one"), ["web_1m"]);
        assert!(
            names(&["--matrix", "nonesuch"]).expect_err("unknown").contains("no matrix nonesuch; generated are: t")
        );
        assert!(names(&[]).expect_err("nothing").contains("--suite"));
        assert!(names(&["/nowhere/a.mtx"]).expect_err("no file").contains("/nowhere/a.mtx: no such file"));
    }

    #[test]
    fn files_are_called_as_they_are() {
        for path in ["x/p.mtx", "x/p.mtx.gz", "p"] {
            assert_eq!(file(path.into()).name, "p");
        }
    }

    #[test]
    fn defaults_are_everything() {
        let all = arguments(&["--suite"]);
        assert_eq!((all.tools.len(), all.forms.len(), all.runs), (5, 3, 11));
        let some = arguments(&["--suite", "--tools", "ocean,cusparse_alg3", "--forms", "one_call", "--seconds", "2.5"]);
        assert_eq!(some.tools, [crate::arguments::Tool::Ocean, crate::arguments::Tool::CusparseAlg3]);
        assert_eq!((some.forms, some.seconds), (vec![crate::arguments::Form::OneCall], 2.5));
    }

    #[test]
    fn a_folder_is_read_by_its_manifest() {
        let folder = std::env::temp_dir().join(format!("ocean_bench_{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("MANIFEST.tsv"), "name\tfield\np\treal\nq\tcomplex\nr\treal\n").expect("a file");
        let text = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n2 3 1\n";
        std::fs::write(folder.join("p.mtx"), text).expect("a file");
        let sources = collect(&arguments(&[&folder.display().to_string()])).expect("one of three");
        assert_eq!(sources.iter().map(|source| source.name.as_str()).collect::<Vec<_>>(), ["p"]);
        let path = folder.join("p.mtx").display().to_string();
        assert_eq!(names(&[&path, "--matrix", "web_1m"]).expect("both"), ["p", "web_1m"]);
        assert_eq!(names(&[&folder.display().to_string(), "--matrix", "web_1m"]).expect("one"), ["web_1m"]);
        let case = sources[0].load().expect("a matrix");
        assert_eq!((case.a.rows, case.b().cols, case.products()), (2, 2, 2));
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
