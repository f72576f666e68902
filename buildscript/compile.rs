// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a compiler over many files: several at a time, and only over those that changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A compiler with everything that is the same for every file. It understands -MD, -MF, -c and -o.
pub struct Compiler {
    /// The program.
    pub program: PathBuf,
    /// Its arguments, all but those that name files.
    pub arguments: Vec<String>,
}

/// Ends the build with a message; a panic would bury it under a backtrace.
pub fn give_up(message: &str) -> ! {
    for line in message.lines() {
        println!("cargo::error={line}");
    }
    std::process::exit(1)
}

fn failed(what: &Path, error: &io::Error) -> ! {
    give_up(&format!("{}: {error}", what.display()))
}

/// Compiles `units` into objects in `folder`, as many at once as cargo allows. If one fails, so does the build, with
/// the compiler's own words; its warnings become cargo's.
pub fn compile_all(compiler: &Compiler, units: &[PathBuf], folder: &Path) -> Vec<PathBuf> {
    fs::create_dir_all(folder).unwrap_or_else(|error| failed(folder, &error));
    let objects: Vec<PathBuf> = units.iter().map(|unit| folder.join(object_name(unit))).collect();
    let jobs: usize = std::env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let work = || {
            while let Some((unit, object)) = {
                let i = next.fetch_add(1, Ordering::Relaxed);
                units.get(i).zip(objects.get(i))
            } {
                compile(compiler, unit, object);
            }
        };
        for _ in 1..jobs.min(units.len()) {
            scope.spawn(work);
        }
        work();
    });
    objects
}

/// `cuda/analysis/rows.cu` gives `cuda.analysis.rows.o`: units of one name may lie in different folders.
fn object_name(unit: &Path) -> String {
    let parts: Vec<_> = unit.with_extension("o").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join(".")
}

fn compile(compiler: &Compiler, unit: &Path, object: &Path) {
    let mut run = Command::new(&compiler.program);
    run.args(&compiler.arguments).arg("-MD").arg("-MF").arg(object.with_extension("d"));
    run.arg("-c").arg(unit).arg("-o").arg(object);
    let command = format!("{run:?}");
    if fresh(object, &command).unwrap_or(false) {
        return;
    }
    // The stamp is as old as the start of this run: a file saved meanwhile is newer, and compiled again next time.
    let stamp = object.with_extension("started");
    fs::write(&stamp, &command).unwrap_or_else(|error| failed(&stamp, &error));
    let output = run.output().unwrap_or_else(|error| failed(&compiler.program, &error));
    let words = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    if !output.status.success() {
        give_up(&format!("{command}\n{words}\n{}: {}", unit.display(), output.status));
    }
    for line in words.lines() {
        println!("cargo::warning={line}");
    }
    fs::rename(&stamp, object.with_extension("command")).unwrap_or_else(|error| failed(&stamp, &error));
}

/// Whether `object` was made by this very command from files that have not changed since.
fn fresh(object: &Path, command: &str) -> io::Result<bool> {
    let record = object.with_extension("command");
    if !object.is_file() || fs::read_to_string(&record)? != command {
        return Ok(false);
    }
    let made = fs::metadata(&record)?.modified()?;
    let dependencies = fs::read_to_string(object.with_extension("d"))?;
    let files = dependencies.split_once(':').map_or("", |(_, files)| files);
    for file in files.split_whitespace().filter(|file| *file != "\\") {
        if fs::metadata(file)?.modified()? >= made {
            return Ok(false);
        }
    }
    Ok(true)
}
