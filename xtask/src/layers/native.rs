// SPDX-License-Identifier: MIT OR Apache-2.0

//! What CMake builds: C, C++ and Fortran programs against the library's header, and a project that uses the package.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{Context, judged};
use crate::cmake::{self, Program};
use crate::count::Counts;
use crate::setup::cuda_archs;
use crate::shell::{Step, target};

/// CTest's label of the tests that need the installed package.
const CONSUMER: &str = "consumer";

pub fn no_cmake(context: &Context) -> Option<String> {
    context.tools.lacking(&["cmake", "make", "c++"])
}

pub fn c(context: &Context) -> Result<Counts, String> {
    build(context)?;
    let mut counts = ctest(&["-LE", CONSUMER])?;
    note_missing(context, &["gfortran"], &mut counts);
    Ok(counts)
}

pub fn consumer(context: &Context) -> Result<Counts, String> {
    build(context)?;
    let mut counts = ctest(&["-L", CONSUMER])?;
    note_missing(context, &["gfortran", "pkg-config"], &mut counts);
    Ok(counts)
}

fn folder() -> PathBuf {
    target().join("cmake")
}

fn build(context: &Context) -> Result<(), String> {
    // For the programs alone, so that Valgrind can name their lines; the library is a release build.
    let debug = "-DCMAKE_BUILD_TYPE=Debug".to_string();
    cmake::build(&context.tools, &folder(), &cuda_archs(), &[debug])
}

fn ctest(arguments: &[&str]) -> Result<Counts, String> {
    let ctest = Step::new("ctest").args(["--output-on-failure", "--no-tests=error", "-j", &cmake::jobs().to_string()]);
    let output = ctest.args(arguments).arg("--test-dir").arg(folder()).tee()?;
    let log = fs::read_to_string(folder().join("Testing/Temporary/LastTest.log")).unwrap_or_default();
    Ok(judged(Counts::of_ctest(&output.lines, &log), output.success(), "ctest"))
}

/// CMake leaves out what it has no tool for; the report says so.
fn note_missing(context: &Context, programs: &[&str], counts: &mut Counts) {
    for why in programs.iter().filter_map(|program| context.tools.lacking(&[program])) {
        counts.skipped += 1;
        counts.notes.push(why);
    }
}

pub fn no_valgrind(context: &Context) -> Option<String> {
    no_cmake(context).or_else(|| context.tools.lacking(&["valgrind"]))
}

pub fn valgrind(context: &Context) -> Result<Counts, String> {
    build(context)?;
    // Valgrind is some thirty times slower: tests with billions of products are not for it.
    let programs = cmake::programs(&folder(), &[CONSUMER, "heavy"])?;
    let next = AtomicUsize::new(0);
    let total = Mutex::new(Counts::default());
    let some = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let counts = under_valgrind(program).unwrap_or_else(Counts::failure);
            *total.lock().unwrap_or_else(PoisonError::into_inner) += counts;
        }
    };
    // Valgrind runs one thread at a time, so there is a core for each.
    std::thread::scope(|scope| (0..cmake::jobs()).for_each(|_| drop(scope.spawn(some))));
    Ok(judged(total.into_inner().unwrap_or_else(PoisonError::into_inner), true, "valgrind"))
}

fn under_valgrind(program: &Program) -> Result<Counts, String> {
    let step = Step::new("valgrind").args(["--quiet", "--error-exitcode=99", "--leak-check=full"]);
    // Threads of a pool live as long as the process: what they hold may be reachable, but not lost.
    let step = step.args(["--errors-for-leak-kinds=definite", "--fair-sched=yes"]).arg(&program.file);
    let step = step.args(&program.arguments);
    let step = program.environment.iter().fold(step, |step, (name, value)| step.env(name, value));
    let output = step.tee()?;
    Ok(Counts::of_program(&program.name(), output.status, &output.lines))
}
