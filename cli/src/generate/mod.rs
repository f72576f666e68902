// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean generate`: test matrices of known shape, the same on every machine.

pub mod build;
pub mod graphs;
pub mod stencil;

use clap::Parser;
use ocean_market::{Csr, Field, Matrix};
use serde::Serialize;

use crate::arguments::{Arguments, Command, GenerateArguments, Kind, PlanarStencil, SpatialStencil, word};
use crate::failure::{Failure, Result};
use crate::output;
use crate::progress::spin;
use stencil::Neighbours;

/// Writing more entries than this takes seconds.
const LONG_ENTRIES: usize = 2_000_000;

#[derive(Serialize)]
struct Report {
    file: String,
    definition: String,
    rows: usize,
    cols: usize,
    nnz: usize,
}

pub fn run(arguments: &GenerateArguments) -> Result<()> {
    let path = arguments.output.as_ref().ok_or_else(|| Failure::refused("generate needs a file: -o FILE"))?;
    let matrix = make(&arguments.kind)?;
    let file = path.display().to_string();
    let definition = definition(&arguments.kind);
    let report = Report { file, definition, rows: matrix.rows, cols: matrix.cols, nnz: matrix.nnz() };

    let long = matrix.nnz() > LONG_ENTRIES;
    let comment = format!(" {}", report.definition);
    spin(format!("writing {}", report.file), long, || {
        ocean_market::write(path, &Matrix::Real(matrix), Field::Real, &[&comment])
    })?;

    if arguments.json {
        return output::json(&report);
    }
    let Report { file, definition, rows, cols, nnz } = report;
    output::text(&format!("{file}: {rows} x {cols}, {nnz} entries, {definition}\n"))
}

/// The matrix that `ocean generate WORDS` would write, and its definition.
pub fn from_words(words: &str) -> Result<(String, Csr<f64>)> {
    let line = ["ocean", "generate"].into_iter().chain(words.split_whitespace());
    match Arguments::try_parse_from(line) {
        Ok(Arguments { command: Command::Generate(GenerateArguments { kind, .. }), .. }) => {
            Ok((definition(&kind), make(&kind)?))
        }
        Ok(_) => Err(Failure::refused(format!("--generate {words}: not a kind of matrix"))),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            Err(Failure::refused(format!("--generate {words}: {first}")))
        }
    }
}

fn make(kind: &Kind) -> Result<Csr<f64>> {
    match *kind {
        Kind::Poisson2d { side, points } => {
            let neighbours = match points {
                PlanarStencil::Five => Neighbours::Faces,
                PlanarStencil::Nine => Neighbours::Corners,
            };
            stencil::poisson(side, 2, neighbours)
        }
        Kind::Poisson3d { side, points } => {
            let neighbours = match points {
                SpatialStencil::Seven => Neighbours::Faces,
                SpatialStencil::TwentySeven => Neighbours::Corners,
            };
            stencil::poisson(side, 3, neighbours)
        }
        Kind::Er { rows, cols, degree, seed } => graphs::erdos_renyi(rows, cols.unwrap_or(rows), degree, seed),
        Kind::Rmat { scale, edge_factor, seed } => graphs::rmat(scale, edge_factor, seed),
        Kind::Road { side, keep, seed } => {
            if !(0.0..=1.0).contains(&keep) {
                return Err(Failure::refused(format!("--keep {keep} is not a probability from 0 to 1")));
            }
            graphs::road(side, keep, seed)
        }
        Kind::DenseRow { size, degree, seed } => graphs::dense_row(size, degree, seed),
        Kind::Blocks { nodes, block, degree, seed } => graphs::blocks(nodes, block, degree, seed),
        Kind::Banded { size, bandwidth } => graphs::banded(size, bandwidth),
        Kind::Diagonal { size } => graphs::banded(size, 0),
    }
}

/// What would make the same matrix again; also the file's comment line.
fn definition(kind: &Kind) -> String {
    match kind {
        Kind::Poisson2d { side, points } => format!("poisson2d {side} --points {}", word(*points)),
        Kind::Poisson3d { side, points } => format!("poisson3d {side} --points {}", word(*points)),
        Kind::Er { rows, cols: None, degree, seed } => format!("er {rows} --degree {degree} --seed {seed}"),
        Kind::Er { rows, cols: Some(cols), degree, seed } => {
            format!("er {rows} --cols {cols} --degree {degree} --seed {seed}")
        }
        Kind::Rmat { scale, edge_factor, seed } => format!("rmat {scale} --edge-factor {edge_factor} --seed {seed}"),
        Kind::Road { side, keep, seed } => format!("road {side} --keep {keep} --seed {seed}"),
        Kind::DenseRow { size, degree, seed } => format!("dense-row {size} --degree {degree} --seed {seed}"),
        Kind::Blocks { nodes, block, degree, seed } => {
            format!("blocks {nodes} --block {block} --degree {degree} --seed {seed}")
        }
        Kind::Banded { size, bandwidth } => format!("banded {size} --bandwidth {bandwidth}"),
        Kind::Diagonal { size } => format!("diagonal {size}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// nnz, the sum of (i + 1)(j + 1), and the sum of the values.
    fn facts(csr: &Csr<f64>) -> (usize, u64, f64) {
        let mut pattern = 0;
        for row in 0..csr.rows {
            for entry in csr.row(row) {
                pattern += (row as u64 + 1) * (csr.columns[entry] as u64 + 1);
            }
        }
        (csr.nnz(), pattern, csr.values.iter().sum())
    }

    /// The numbers come from another implementation of the same definitions, in C++.
    #[test]
    fn patterns_and_values_are_the_published_ones() {
        let made = |csr: Result<Csr<f64>>| facts(&csr.expect("small"));
        let close = |found: (usize, u64, f64), nnz, pattern, sum: f64| {
            assert_eq!((found.0, found.1), (nnz, pattern));
            assert!((found.2 - sum).abs() < 1e-10, "{} is not {sum}", found.2);
        };
        close(made(graphs::erdos_renyi(1000, 1000, 5, 1)), 4995, 1_263_603_288, -81.652_166_149_075_97);
        close(made(graphs::erdos_renyi(300, 200, 7, 81)), 2068, 31_657_095, 23.549_740_408_286_67);
        close(made(graphs::rmat(8, 4, 21)), 842, 3_575_952, 17.477_509_329_839_65);
        close(made(graphs::road(30, 0.62, 51)), 2180, 595_614_474, 0.302_941_095_076_513_7);
        close(made(graphs::dense_row(100, 4, 71)), 581, 1_453_948, -27.704_397_799_734_9);
        // Stencils: the published patterns; the values here are the Laplacian's, which sum to the missing neighbours.
        let five = made(stencil::poisson(10, 2, Neighbours::Faces));
        assert_eq!(five, (460, 1_523_080, 40.0));
        let seven = made(stencil::poisson(5, 3, Neighbours::Faces));
        assert_eq!(seven, (725, 3_691_275, 150.0));
        let twenty_seven = made(stencil::poisson(5, 3, Neighbours::Corners));
        assert_eq!(twenty_seven, (2197, 10_700_235, 27.0 * 125.0 - 2197.0));
    }

    #[test]
    fn bands_are_cut_at_the_corners() {
        let csr = graphs::banded(4, 1).expect("small");
        assert_eq!(csr.offsets, [0, 2, 5, 8, 10]);
        assert_eq!(csr.columns, [0, 1, 0, 1, 2, 1, 2, 3, 2, 3]);
        assert_eq!(graphs::banded(3, 0).expect("small").columns, [0, 1, 2]);
        assert_eq!(graphs::banded(2, u64::MAX).expect("small").columns, [0, 1, 0, 1]);
    }

    #[test]
    fn unknowns_of_a_node_share_their_columns() {
        let csr = graphs::blocks(20, 3, 2, 7).expect("small");
        assert_eq!((csr.rows, csr.cols), (60, 60));
        for node in 0..20 {
            let first = &csr.columns[csr.row(3 * node)];
            assert!([3, 6, 9].contains(&first.len()), "itself and two draws, which may meet");
            assert!(first.chunks(3).all(|block| block[0] % 3 == 0 && block[2] == block[0] + 2), "whole blocks");
            assert!(first.contains(&(3 * node as i32)), "itself");
            assert!((1..3).all(|unknown| &csr.columns[csr.row(3 * node + unknown)] == first));
        }
    }

    #[test]
    fn nine_points_in_the_plane() {
        let csr = stencil::poisson(3, 2, Neighbours::Corners).expect("small");
        let centre = csr.row(4);
        assert_eq!(csr.columns[centre.clone()], [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(csr.values[centre], [-1.0, -1.0, -1.0, -1.0, 8.0, -1.0, -1.0, -1.0, -1.0]);
        assert_eq!(csr.row(0).len(), 4);
    }

    #[test]
    fn nothing_is_a_matrix_too() {
        for kind in [
            Kind::Poisson2d { side: 0, points: PlanarStencil::Five },
            Kind::Poisson3d { side: 0, points: SpatialStencil::TwentySeven },
            Kind::Er { rows: 0, cols: Some(0), degree: 3, seed: 1 },
            Kind::Road { side: 0, keep: 0.5, seed: 1 },
            Kind::DenseRow { size: 0, degree: 3, seed: 1 },
            Kind::Blocks { nodes: 5, block: 0, degree: 3, seed: 1 },
            Kind::Diagonal { size: 0 },
        ] {
            let csr = make(&kind).expect("small");
            assert_eq!((csr.rows, csr.nnz(), csr.offsets.as_slice()), (0, 0, [0].as_slice()), "{}", definition(&kind));
        }
        let wide = make(&Kind::Er { rows: 3, cols: Some(0), degree: 3, seed: 1 }).expect("small");
        assert_eq!((wide.rows, wide.cols, wide.nnz()), (3, 0, 0));
    }

    #[test]
    fn sizes_past_the_limit_are_refused_with_the_number() {
        let message = |kind| make(&kind).expect_err("too large").to_string();
        let cube = message(Kind::Poisson3d { side: 1291, points: SpatialStencil::Seven });
        assert!(cube.contains("2151685171 x 2151685171"), "{cube}");
        let edges = message(Kind::Rmat { scale: 30, edge_factor: u64::MAX, seed: 1 });
        assert!(edges.contains("entries: 32-bit offsets end at 2147483647"), "{edges}");
        let blocks = message(Kind::Blocks { nodes: u64::MAX, block: u64::MAX, degree: 1, seed: 1 });
        assert!(blocks.contains("32-bit indices end at 2147483647"), "{blocks}");
        let keep = message(Kind::Road { side: 3, keep: f64::NAN, seed: 1 });
        assert!(keep.contains("--keep NaN is not a probability"), "{keep}");
    }
}
