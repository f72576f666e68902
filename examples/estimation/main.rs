// SPDX-License-Identifier: MIT OR Apache-2.0
//! How good the estimates of row lengths are, over the files that are named or the real matrices in OCEAN_TEST_DATA: one
//! JSON object on stdout, which `cargo xtask reproduce` makes pages of.
//!
//!     cargo run --release --no-default-features --example estimation > benches/results/reproduction/estimation.json

mod cohen;
mod measure;

use std::path::{Path, PathBuf};

use ocean::csr::OwnedCsr;
use ocean_market::{Csr, Matrix, read};
use serde::Serialize;

#[derive(Serialize)]
struct Report {
    commit: Option<String>,
    command: &'static str,
    matrices: Vec<measure::Measured>,
}

fn main() {
    let named: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let files = if named.is_empty() { test_data() } else { named };
    let mut matrices = vec![];
    for file in files {
        let Matrix::Real(mut a) = read(&file).expect("a Matrix Market file").matrix else { continue };
        a.sum_duplicates(); // a pattern has every place once
        let b = if a.rows == a.cols { a.clone() } else { a.transpose() };
        let name = file.file_name().expect("a file").to_string_lossy();
        let name = name.trim_end_matches(".gz").trim_end_matches(".mtx");
        eprintln!("{name}");
        matrices.push(measure::measure(name, &owned(a), &owned(b)));
    }
    let report = Report {
        commit: std::env::var("OCEAN_COMMIT").ok(),
        command: "cargo run --release --no-default-features --example estimation",
        matrices,
    };
    println!("{}", serde_json::to_string_pretty(&report).expect("plain data"));
}

fn test_data() -> Vec<PathBuf> {
    let folder = std::env::var("OCEAN_TEST_DATA").expect("OCEAN_TEST_DATA names a folder with MANIFEST.tsv");
    let manifest = std::fs::read_to_string(Path::new(&folder).join("MANIFEST.tsv")).expect("MANIFEST.tsv");
    let file = |line: &str| Path::new(&folder).join(format!("{}.mtx.gz", line.split('\t').next().expect("a name")));
    manifest.lines().skip(1).map(file).collect()
}

fn owned(csr: Csr<f64>) -> OwnedCsr<f64> {
    OwnedCsr::new(csr.rows, csr.cols, csr.offsets, csr.columns, csr.values).expect("the reader checks")
}
