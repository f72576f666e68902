// SPDX-License-Identifier: MIT OR Apache-2.0

//! The fuzz targets without libFuzzer: every file of their corpora, then inputs of our own, the same on every run. With
//! OCEAN_TEST_FULL many more. `fuzz/` has the targets; CONTRIBUTING.md says how to let libFuzzer run them.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::{env, fs};

use targets::support::matrices::Random;
use targets::{TARGETS, Target};

/// Longer ones reach nothing that these do not.
const MOST_BYTES: usize = 600;

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let listing = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = listing.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("a file")).collect()
}

/// Fails with a file to replay.
fn feed(name: &str, target: Target, input: &[u8]) {
    if catch_unwind(|| target(input)).is_err() {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}"));
        fs::write(&file, input).expect("a place for the input");
        panic!(
            "{name} fails on {}; copied to fuzz/corpus/{name}/ it is replayed first. It is {input:?}",
            file.display()
        );
    }
}

/// One corpus file, changed in a few places; or noise.
fn made(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let noise = |random: &mut Random| (0..random.below(MOST_BYTES)).map(|_| random.bits() as u8).collect();
    if corpus.is_empty() || random.below(8) == 0 {
        return noise(random);
    }
    let mut input = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(input.len() + 1);
        match random.below(5) {
            0 => input.insert(at, random.bits() as u8),
            1 => input.truncate(at),
            2 => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len() + 1);
                input.splice(at.., other[from..].iter().copied());
            }
            _ if at == input.len() => input.push(random.bits() as u8),
            3 => input[at] ^= 1 << random.below(8),
            _ => input[at] = random.bits() as u8,
        }
    }
    input.truncate(1 << 16);
    input
}

fn run(name: &str, inputs: usize) {
    let (_, target) = TARGETS.into_iter().find(|(known, _)| *known == name).expect("a target");
    let corpus = corpus(name);
    corpus.iter().for_each(|input| feed(name, target, input));
    let times = if env::var_os("OCEAN_TEST_FULL").is_some() { 50 } else { 1 };
    let mut random = Random(1);
    for _ in 0..support_cases(inputs * times) {
        feed(name, target, &made(&corpus, &mut random));
    }
}

/// Tools that are slow ask for fewer.
fn support_cases(most: usize) -> u32 {
    targets::support::cases(u32::try_from(most).expect("few"))
}

#[test]
fn the_c_boundary_takes_any_calls() {
    run("boundary", 3_000);
}

#[test]
fn labelled_edges_are_read_or_refused() {
    run("labels", 20_000);
}

#[test]
fn matrix_market_files_are_read_or_refused() {
    run("market", 10_000);
}

#[test]
fn plans_keep_within_their_limits() {
    run("plan", 30_000);
}

#[test]
fn products_have_the_reference_bits_in_every_way() {
    run("products", 200);
}

#[test]
fn schedules_bring_every_piece_once() {
    run("schedule", 1_000);
}

#[test]
fn arrays_are_accepted_exactly_by_the_rules() {
    run("validation", 10_000);
}
