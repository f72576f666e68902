// SPDX-License-Identifier: MIT OR Apache-2.0
//! Real matrices through the C ABI, in every workflow: entries, pattern and values are those of the manifest, and
//! the bits those of the reference.
//!
//! OCEAN_TEST_DATA names a folder with MANIFEST.tsv and PAIRS.tsv; without it the tests say that they skipped.
//! Products of up to 20 million scalar products are run, with OCEAN_TEST_FULL=1 all that fit 12 GiB.
//! OCEAN_TEST_REPORT names a file to write the cells of the full run to.

mod support;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ocean::csr::OwnedCsr;
use ocean::reference;
use ocean_market::{Csr, Matrix, read};
use serde_json::json;
use support::{Handle, Operand, Product, assert_same};

/// Products that the quick tier runs, and that the reference is asked about.
const QUICK: i64 = 20_000_000;
const FULL_BYTES: i64 = 12 << 30;
const WORKFLOWS: [&str; 3] = ["upper_bound", "estimate", "exact"];

/// One line of a table, by column name.
struct Line(HashMap<String, String>);

impl Line {
    fn text(&self, column: &str) -> &str {
        self.0.get(column).unwrap_or_else(|| panic!("no column {column}"))
    }

    fn number<T: std::str::FromStr>(&self, column: &str) -> T {
        let text = self.text(column);
        text.parse().unwrap_or_else(|_| panic!("{column} is {text}"))
    }
}

fn folder(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("OCEAN_TEST_DATA").map(PathBuf::from);
    if folder.is_none() {
        support::skipped(test, "OCEAN_TEST_DATA names no folder of matrices");
    }
    folder
}

fn full() -> bool {
    std::env::var_os("OCEAN_TEST_FULL").is_some()
}

fn table(path: &Path) -> Vec<Line> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let names: Vec<String> = lines.next().expect("a header line").collect();
    lines.map(|fields| Line(names.iter().cloned().zip(fields).collect())).collect()
}

/// A real matrix of the folder; none, and a line why, if it is complex or the folder has only part of the matrices.
fn load(folder: &Path, name: &str) -> Option<OwnedCsr<f64>> {
    let file = folder.join(format!("{name}.mtx.gz"));
    if !file.exists() {
        println!("skipped: {name} is not in the folder");
        return None;
    }
    match read(&file).unwrap().matrix {
        Matrix::Real(csr) => Some(owned(csr)),
        Matrix::Complex(_) => {
            println!("skipped: {name} is complex");
            None
        }
    }
}

fn owned(csr: Csr<f64>) -> OwnedCsr<f64> {
    OwnedCsr::new(csr.rows, csr.cols, csr.offsets, csr.columns, csr.values).unwrap()
}

fn transpose(csr: &OwnedCsr<f64>) -> OwnedCsr<f64> {
    let OwnedCsr { rows, cols, offsets, columns, values } = csr.clone();
    owned(Csr { rows, cols, offsets, columns, values }.transpose())
}

/// What the tables say about a result, computed over ours.
struct Sums {
    pattern: u64,
    absolute: f64,
    weighted: f64,
}

impl Sums {
    fn of(c: &OwnedCsr<f64>) -> Self {
        let mut sums = Self { pattern: 0, absolute: 0.0, weighted: 0.0 };
        for row in 0..c.rows {
            for entry in c.row(row) {
                let (i, j, value) = (row as u64, c.columns[entry] as u64, c.values[entry].abs());
                sums.pattern = sums.pattern.wrapping_add((i + 1).wrapping_mul(j + 1));
                sums.absolute += value;
                sums.weighted += value * ((7 * i + 13 * j) % 101 + 1) as f64;
            }
        }
        sums
    }
}

/// Relative difference of two sums of non-negative numbers that the tables allow.
#[track_caller]
fn assert_close(got: f64, want: f64, what: &str) {
    assert!((got - want).abs() <= 1e-9 * want.abs(), "{what}: {got}, the table has {want}");
}

/// Multiplies in one workflow and compares with a line of a table. Returns seconds and the plan.
fn product(
    handle: &Handle,
    a: &Operand<f64>,
    b: &Operand<f64>,
    workflow: &str,
    line: &Line,
    what: &str,
) -> (OwnedCsr<f64>, f64, serde_json::Value) {
    let begin = Instant::now();
    let mut product = Product::new(handle, a, b, 0, &[("workflow", workflow)]);
    product.work_estimation();
    assert_eq!(product.products(), line.number::<i64>("products"), "{what}: products");
    product.compute();
    product.copy(1.0);
    let seconds = begin.elapsed().as_secs_f64();
    let plan = product.plan();
    let c = product.result();
    assert_eq!(c.nnz(), line.number::<usize>("nnzC"), "{what}: nnz");
    assert!((0..c.rows).all(|row| c.columns[c.row(row)].is_sorted_by(|x, y| x < y)), "{what}: rows ascend strictly");
    let sums = Sums::of(&c);
    assert_eq!(sums.pattern, line.number::<u64>("pat_check"), "{what}: pattern");
    assert_close(sums.absolute, line.number("sum_abs_C"), &format!("{what}: sum of absolute values"));
    assert_close(sums.weighted, line.number("wsum_abs_C"), &format!("{what}: weighted sum"));
    (c, seconds, plan)
}

/// Bytes of C, which could have `most` entries, and of the slots that a workflow takes for it, as far as the table tells.
fn bytes(workflow: &str, line: &Line, most: i64) -> i64 {
    let (products, nnz): (i64, i64) = (line.number("products"), line.number("nnzC"));
    let slots = match workflow {
        "exact" => nnz,
        "estimate" => products.min(5 * nnz / 2),
        _ => products.min(most),
    };
    12 * (slots + nnz)
}

fn run(
    handles: &[Handle],
    what: &str,
    (a, b): (&OwnedCsr<f64>, &OwnedCsr<f64>),
    line: &Line,
    cells: &mut Vec<serde_json::Value>,
) {
    let products: i64 = line.number("products");
    let want = (products <= QUICK).then(|| reference::multiply(a, b));
    let most = a.rows as i64 * b.cols as i64;
    let (a, b) = (Operand::new(a, 0), Operand::new(b, 0));
    for (handle, workflow) in handles.iter().flat_map(|handle| WORKFLOWS.map(|workflow| (handle, workflow))) {
        let backend = if handle.on_device() { "CUDA" } else { "host" };
        let what = format!("{what}, {workflow}, {backend}");
        if bytes(workflow, line, most) > FULL_BYTES {
            println!("skipped: {what} needs more than 12 GiB");
            continue;
        }
        let (c, seconds, plan) = product(handle, &a, &b, workflow, line, &what);
        if let Some(want) = &want {
            assert_same(&c, want, &what);
        }
        println!(
            "{what}: {products} products, {} entries, {seconds:.3} s, {} rows redone",
            c.nnz(),
            plan["overflowed"]
        );
        cells.push(json!({
            "matrix": what, "backend": backend, "products": products, "nnz_c": c.nnz(), "seconds": seconds, "overflowed": plan["overflowed"],
            "compared_with": if want.is_some() { "checksums, reference bits" } else { "checksums" }, "status": "ok",
        }));
    }
}

#[test]
fn every_real_matrix_of_the_manifest_multiplies_right_in_every_workflow() {
    let Some(folder) = folder("every_real_matrix_of_the_manifest_multiplies_right_in_every_workflow") else { return };
    let handles = Handle::all("every_real_matrix_of_the_manifest_multiplies_right_in_every_workflow");
    let mut cells = vec![];
    for line in table(&folder.join("MANIFEST.tsv")) {
        let name = line.text("name");
        if !full() && line.number::<i64>("products") > QUICK {
            continue;
        }
        let Some(a) = load(&folder, name) else { continue };
        let b = if line.text("op") == "A*A" { a.clone() } else { transpose(&a) };
        run(&handles, &format!("{name} {}", line.text("op")), (&a, &b), &line, &mut cells);
    }
    assert!(!cells.is_empty(), "the folder has no matrix of its manifest");
    write_report(cells);
}

#[test]
fn every_pair_multiplies_right_in_every_workflow() {
    let Some(folder) = folder("every_pair_multiplies_right_in_every_workflow") else { return };
    let handles = Handle::all("every_pair_multiplies_right_in_every_workflow");
    let mut cells = vec![];
    for line in table(&folder.join("PAIRS.tsv")) {
        if !full() && line.number::<i64>("products") > QUICK {
            continue;
        }
        let (Some(a), Some(b)) = (load(&folder, line.text("A")), load(&folder, line.text("B"))) else { continue };
        let (left, right) = match line.text("op") {
            "A*B" => (a, b),
            "At*A" => (transpose(&a), a),
            "A*At" => (a.clone(), transpose(&a)),
            "At*(B*A)" => (transpose(&a), reference::multiply(&b, &a)),
            other => panic!("no such product: {other}"),
        };
        let what = format!("{} {} {}", line.text("A"), line.text("op"), line.text("B"));
        run(&handles, &what, (&left, &right), &line, &mut cells);
    }
    assert!(!cells.is_empty(), "the folder has no pair of its table");
}

fn write_report(cells: Vec<serde_json::Value>) {
    let Some(path) = std::env::var_os("OCEAN_TEST_REPORT") else { return };
    let report = json!({
        "device": "host", "threads": rayon::current_num_threads(), "command": "cargo xtask test --full", "cells": cells,
    });
    std::fs::write(path, format!("{report:#}\n")).unwrap();
}
