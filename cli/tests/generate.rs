// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean generate`: every kind makes a file that reads back, and the file tells how it was made.

mod common;

use common::{Folder, ocean};

/// Kind with its arguments, and rows, columns, entries of the result.
#[rustfmt::skip] // a table reads by row
const KINDS: &[(&str, usize, usize, usize)] = &[
    ("poisson2d 10 --points 5", 100, 100, 460),
    ("poisson2d 10 --points 9", 100, 100, 784),
    ("poisson3d 5 --points 7", 125, 125, 725),
    ("poisson3d 5 --points 27", 125, 125, 2197),
    ("er 300 --cols 200 --degree 7 --seed 81", 300, 200, 2068),
    ("er 1000 --degree 5 --seed 1", 1000, 1000, 4995),
    ("rmat 8 --edge-factor 4 --seed 21", 256, 256, 842),
    ("road 30 --keep 0.62 --seed 51", 900, 900, 2180),
    ("dense-row 100 --degree 4 --seed 71", 100, 100, 581),
    ("blocks 5 --block 2 --degree 0 --seed 1", 10, 10, 20),
    ("banded 10 --bandwidth 2", 10, 10, 44),
    ("diagonal 7", 7, 7, 7),
];

#[test]
fn every_kind_reads_back_and_says_how_it_was_made() {
    let folder = Folder::new("kinds");
    for (kind, rows, cols, nnz) in KINDS {
        for file in ["m.mtx", "m.mtx.gz"] {
            let path = folder.path(file);
            let mut arguments: Vec<&str> = std::iter::once("generate").chain(kind.split(' ')).collect();
            arguments.extend(["-o", path.as_str(), "--json"]);
            let report = ocean(&arguments).json();
            let market = ocean_market::read(&path).unwrap_or_else(|error| panic!("{error}"));
            let found = (market.matrix.rows(), market.matrix.cols(), market.matrix.nnz());
            assert_eq!(found, (*rows, *cols, *nnz), "{kind}");
            assert_eq!((&report["rows"], &report["cols"]), (&(*rows).into(), &(*cols).into()));
            assert_eq!((&report["nnz"], &report["definition"]), (&(*nnz).into(), &(*kind).into()));
            assert_eq!(market.header.comments, [format!(" {kind}")], "arguments that make it again");
            let gzipped = std::fs::read(&path).expect("written").starts_with(&[0x1f, 0x8b]);
            assert_eq!(gzipped, file.ends_with(".gz"));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_file_and_another_seed_another() {
    let folder = Folder::new("seeds");
    let make = |seed, file: &str| {
        let path = folder.path(file);
        let run = ocean(&["generate", "rmat", "6", "--seed", seed, "-o", &path]);
        assert!(run.text().starts_with(&format!("{path}: 64 x 64, ")), "{}", run.stdout);
        let text = std::fs::read_to_string(&path).expect("written");
        text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(make("5", "a.mtx"), make("5", "b.mtx"));
    assert_ne!(make("5", "a.mtx"), make("6", "c.mtx"));
}
