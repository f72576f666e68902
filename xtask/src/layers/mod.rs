// SPDX-License-Identifier: MIT OR Apache-2.0

//! The layers of tests, cheapest first, and what each needs.

mod native;
mod rust;
mod source;

pub use rust::ALL as ALL_RUST_TESTS;

use std::time::Instant;

use crate::count::Counts;
use crate::report::{Report, Row};
use crate::setup::Tools;

/// What every layer is told.
pub struct Context {
    /// What there is to work with.
    pub tools: Tools,
    /// Whether to take the time for everything.
    pub full: bool,
}

/// One kind of test.
struct Layer {
    name: &'static str,
    about: &'static str,
    /// Why it can't run here.
    obstacle: fn(&Context) -> Option<String>,
    /// An error is a failed layer whose tests could not be counted, say because they did not compile.
    run: fn(&Context) -> Result<Counts, String>,
}

const LAYERS: &[Layer] = &[
    Layer { name: "fmt", about: "rustfmt finds nothing to change", obstacle: source::no_rustfmt, run: source::rustfmt },
    Layer {
        name: "clang-format",
        about: "clang-format finds nothing to change in cuda/, c_tests/, examples/, include/ and mpi/",
        obstacle: source::no_clang_format,
        run: source::clang_format,
    },
    Layer {
        name: "clippy",
        about: "no warning, with and without CUDA",
        obstacle: source::no_clippy,
        run: source::clippy,
    },
    Layer {
        name: "book",
        about: "the headers' reference and the book are made without a warning, and no link is dead (--full: also the crate's)",
        obstacle: source::no_doxygen,
        run: source::book,
    },
    Layer {
        name: "rust",
        about: "Rust tests with the kernels compiled by nvcc, without a GPU those that emulated has not (--full: all); also \
                header, Fortran module, licences, exports",
        obstacle: rust::no_cuda,
        run: rust::with_cuda,
    },
    Layer {
        name: "host",
        about: "the library's own tests and its workflows, built without CUDA (--full: all Rust tests)",
        obstacle: rust::nothing,
        run: rust::host_alone,
    },
    Layer {
        name: "emulated",
        about: "the library's tests that compute, with the kernels compiled for the CPU (--full: all Rust tests)",
        obstacle: rust::no_emulation,
        run: rust::emulated,
    },
    Layer {
        name: "interposer",
        about: "programs that know cuSPARSE alone, on a stand-in for it, with the interposer before it",
        obstacle: rust::nothing,
        run: rust::interposer,
    },
    Layer {
        name: "c",
        about: "C, C++ and Fortran programs against include/",
        obstacle: native::no_cmake,
        run: native::c,
    },
    Layer {
        name: "consumer",
        about: "a project of its own and the examples, with the installed package, moved after installation",
        obstacle: native::no_cmake,
        run: native::consumer,
    },
    Layer {
        name: "archive",
        about: "the crate builds from the archive that cargo package makes",
        obstacle: rust::not_full,
        run: rust::archive,
    },
    Layer {
        name: "valgrind",
        about: "the C programs under Valgrind",
        obstacle: native::no_valgrind,
        run: native::valgrind,
    },
    Layer {
        name: "asan",
        about: "the Rust tests under AddressSanitizer",
        obstacle: rust::no_sanitizer,
        run: rust::address_sanitizer,
    },
];

/// The names that `--only` takes.
pub fn names() -> Vec<&'static str> {
    LAYERS.iter().map(|layer| layer.name).collect()
}

/// Prints every layer and whether it can run here.
pub fn list(context: &Context) {
    for layer in LAYERS {
        println!("{:13} {}", layer.name, layer.about);
        if let Some(why) = (layer.obstacle)(context) {
            println!("{:13} can't run yet: {why}", "");
        }
    }
    println!("\n`cargo xtask test` first installs what it can of what is missing.");
}

/// Runs the named layers, or all.
pub fn run(context: &Context, only: &[&str]) -> Report {
    let chosen: Vec<&Layer> = LAYERS.iter().filter(|layer| only.is_empty() || only.contains(&layer.name)).collect();
    let mut report = Report::default();
    for (index, layer) in chosen.iter().enumerate() {
        println!("\n=== {} ({} of {}): {}", layer.name, index + 1, chosen.len(), layer.about);
        let started = Instant::now();
        let counts = (layer.obstacle)(context).map_or_else(
            || (layer.run)(context).unwrap_or_else(Counts::failure),
            |why| Counts { skipped: 1, notes: vec![why], ..Counts::default() },
        );
        for note in &counts.notes {
            println!("{note}");
        }
        report.rows.push(Row { name: layer.name, counts, took: started.elapsed() });
    }
    report
}

/// Counts what ran, and adds a failure that the runner's own lines don't show, such as a crash or a compile error.
fn judged(counts: Counts, success: bool, what: &str) -> Counts {
    match (success, counts.failed, counts.passed) {
        (false, 0, _) => Counts { failed: 1, notes: [counts.notes, vec![format!("{what} failed")]].concat(), ..counts },
        (true, 0, 0) => {
            Counts { failed: 1, notes: [counts.notes, vec![format!("{what} ran no test")]].concat(), ..counts }
        }
        _ => counts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_without_a_failed_test_is_a_failure() {
        let crashed = judged(Counts { passed: 3, ..Counts::default() }, false, "cargo test");
        assert_eq!((crashed.passed, crashed.failed), (3, 1));
        let held = judged(Counts { passed: 3, ..Counts::default() }, true, "cargo test");
        assert_eq!((held.passed, held.failed), (3, 0));
    }

    #[test]
    fn a_runner_that_ran_nothing_is_a_failure() {
        assert_eq!(judged(Counts::default(), true, "ctest").failed, 1);
    }

    #[test]
    fn layers_have_names_of_their_own() {
        let mut sorted = names();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), LAYERS.len());
    }
}
