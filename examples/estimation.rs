// SPDX-License-Identifier: MIT OR Apache-2.0
//! How good the estimates of row lengths are, over the real matrices in OCEAN_TEST_DATA: writes the tables of
//! docs/estimation.md to stdout. `cargo run --release --no-default-features --example estimation`

use std::path::Path;

use ocean::backend::{Backend, Known, Sampled};
use ocean::csr::OwnedCsr;
use ocean::host::Host;
use ocean::memory::Address;
use ocean::spgemm::{RowArrays, hyperloglog, rows_to_sample};
use ocean::tuning::{ESTIMATE_FROM, REGISTERS, SAMPLE};
use ocean_market::{Csr, Matrix, read};
use rayon::prelude::*;

const CHOICES: [usize; 3] = [32, 64, 128];

/// What one matrix says about sketches of one size.
#[derive(Clone, Copy, Default)]
struct Quality {
    /// Mean over the rows of |estimate - length| / length.
    error: f64,
    /// Deviation of (estimate - length) / length.
    spread: f64,
    /// Share of rows that overflow by the paper's rule.
    paper_overflow: f64,
    /// Share of rows that outgrow the slots of this library.
    overflow: f64,
    /// |sampled compression - compression| / compression.
    sampling: f64,
    /// Whether the sample leads to another workflow than the true compression.
    misled: bool,
}

struct Measured {
    name: String,
    products: i64,
    expansion: f64,
    compression: f64,
    quality: [Quality; 3],
}

fn main() {
    let folder = std::env::var("OCEAN_TEST_DATA").expect("OCEAN_TEST_DATA names a folder with MANIFEST.tsv");
    let manifest = std::fs::read_to_string(Path::new(&folder).join("MANIFEST.tsv")).expect("MANIFEST.tsv");
    let mut all = vec![];
    for line in manifest.lines().skip(1) {
        let name = line.split('\t').next().expect("a name");
        let file = Path::new(&folder).join(format!("{name}.mtx.gz"));
        let Matrix::Real(a) = read(&file).expect("a Matrix Market file").matrix else { continue };
        let b = if a.rows == a.cols { a.clone() } else { a.transpose() };
        eprintln!("{name}");
        all.push(measure(name, &owned(a), &owned(b)));
    }
    print_tables(&all);
}

fn owned(csr: Csr<f64>) -> OwnedCsr<f64> {
    OwnedCsr::new(csr.rows, csr.cols, csr.offsets, csr.columns, csr.values).expect("the reader checks")
}

fn measure(name: &str, a: &OwnedCsr<f64>, b: &OwnedCsr<f64>) -> Measured {
    let mut room = vec![0u64; RowArrays::carve(Address::NULL, a.rows).1.div_ceil(8)];
    let arrays = RowArrays::carve(room.as_mut_ptr().into(), a.rows).0;
    // SAFETY: the sizes of the rows, which no step writes now.
    let sizes = || unsafe { arrays.sizes.slice_mut()[..a.rows].to_vec() };
    let (a_csr, b_csr) = (a.describe(), b.describe());
    let totals = Host.row_products(&a_csr, &b_csr, &arrays).expect("host").totals;
    let products = sizes();
    Host.count(&a_csr, &b_csr, &Known::NOTHING, 1.0, arrays.spans, arrays.sizes).expect("host");
    let lengths = sizes();

    let nnz: i64 = lengths.iter().sum();
    let (expansion, compression) = (totals.products as f64 / a.nnz() as f64, totals.products as f64 / nnz as f64);
    let quality = CHOICES.map(|registers| {
        let sketches: Vec<Vec<u8>> = (0..b.rows)
            .into_par_iter()
            .map(|row| {
                let mut sketch = vec![0; registers];
                b.columns[b.row(row)].iter().for_each(|&c| hyperloglog::insert(&mut sketch, c as u32));
                sketch
            })
            .collect();
        let estimates: Vec<f64> = (0..a.rows)
            .into_par_iter()
            .map(|row| {
                let mut merged = vec![0; registers];
                a.columns[a.row(row)].iter().for_each(|&k| hyperloglog::merge(&mut merged, &sketches[k as usize]));
                hyperloglog::estimate(&merged)
            })
            .collect();
        let rows: Vec<(f64, f64, i64)> =
            (0..a.rows).filter(|&i| lengths[i] > 0).map(|i| (estimates[i], lengths[i] as f64, products[i])).collect();
        let share =
            |of: &dyn Fn(&(f64, f64, i64)) -> bool| rows.iter().filter(|r| of(r)).count() as f64 / rows.len() as f64;
        let mean = |of: &dyn Fn(&(f64, f64, i64)) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
        let coefficient = REGISTERS.coefficient(registers);
        let sample = rows_to_sample(a.rows, SAMPLE.of(a.rows, 1.0));
        let sampled = Sampled { rows: &sample, most_products: totals.most_products, registers };
        let sample = Host.sample(&a_csr, &b_csr, &sampled).expect("host");
        let fits = |c: f64| expansion >= ESTIMATE_FROM.0 && c >= ESTIMATE_FROM.1;
        Quality {
            error: mean(&|(e, n, _)| (e - n).abs() / n),
            spread: mean(&|(e, n, _)| ((e - n) / n).powi(2)).sqrt(),
            paper_overflow: share(&|(e, n, _)| *n > 0.8 * (e * 1.5).log2().ceil().exp2()),
            overflow: share(&|(e, n, p)| *n > (e * coefficient).ceil().min(*p as f64)),
            sampling: (sample.compression() - compression).abs() / compression,
            misled: fits(sample.compression()) != fits(compression),
        }
    });
    Measured { name: name.into(), products: totals.products, expansion, compression, quality }
}

fn print_tables(all: &[Measured]) {
    let chosen: Vec<&Measured> =
        all.iter().filter(|m| m.expansion >= ESTIMATE_FROM.0 && m.compression >= ESTIMATE_FROM.1).collect();
    let every: Vec<&Measured> = all.iter().collect();
    for (title, set) in [("Matrices that the plan estimates", &chosen), ("All matrices", &every)] {
        println!("\n### {title} ({})\n", set.len());
        println!(
            "| registers | mean error | deviation | theory | rows overflowing, paper's rule: mean, worst | ours: mean, worst | sampling error | workflow misled |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
        for (i, registers) in CHOICES.iter().enumerate() {
            let mean = |of: fn(&Quality) -> f64| set.iter().map(|m| of(&m.quality[i])).sum::<f64>() / set.len() as f64;
            let most = |of: fn(&Quality) -> f64| set.iter().map(|m| of(&m.quality[i])).fold(0.0, f64::max);
            let rms = (set.iter().map(|m| m.quality[i].spread.powi(2)).sum::<f64>() / set.len() as f64).sqrt();
            println!(
                "| {registers} | {:.3} | {rms:.3} | {:.3} | {:.2} %, {:.1} % | {:.2} %, {:.1} % | {:.3} | {} |",
                mean(|q| q.error),
                hyperloglog::relative_error(*registers),
                100.0 * mean(|q| q.paper_overflow),
                100.0 * most(|q| q.paper_overflow),
                100.0 * mean(|q| q.overflow),
                100.0 * most(|q| q.overflow),
                mean(|q| q.sampling),
                set.iter().filter(|m| m.quality[i].misled).count(),
            );
        }
    }
    println!(
        "\n### Each matrix\n\n| matrix | products | expansion | compression | mean error at 32, 64, 128 | overflowing (ours) |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    for m in all {
        let [few, some, many] = m.quality.map(|q| format!("{:.3}", q.error));
        let [o1, o2, o3] = m.quality.map(|q| format!("{:.2} %", 100.0 * q.overflow));
        println!(
            "| {} | {} | {:.1} | {:.2} | {few}, {some}, {many} | {o1}, {o2}, {o3} |",
            m.name, m.products, m.expansion, m.compression
        );
    }
}
