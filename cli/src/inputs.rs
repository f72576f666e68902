// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two matrices of a product, from files.

use std::path::Path;
use std::time::Instant;

use ocean::csr::OwnedCsr;
use ocean_market::{Csr, Matrix, Stage};
use serde::Serialize;

use crate::arguments::ProductArguments;
use crate::failure::{Failure, Result};
use crate::progress::Meter;
use crate::value::Number;

/// A and B, ready to multiply.
pub struct Inputs<V> {
    pub a: OwnedCsr<V>,
    /// `None` where B is A.
    other: Option<OwnedCsr<V>>,
    pub a_facts: Facts,
    pub b_facts: Facts,
    pub read_seconds: f64,
}

impl<V> Inputs<V> {
    pub fn b(&self) -> &OwnedCsr<V> {
        self.other.as_ref().unwrap_or(&self.a)
    }
}

/// What reports say about a matrix.
#[derive(Clone, Serialize)]
pub struct Facts {
    /// The file, or what was made of which.
    pub source: String,
    pub rows: usize,
    pub cols: usize,
    pub nnz: usize,
}

impl Facts {
    pub fn of<V: Number>(source: impl Into<String>, csr: &OwnedCsr<V>) -> Self {
        Self { source: source.into(), rows: csr.rows, cols: csr.cols, nnz: csr.nnz() }
    }

    /// One line for text reports.
    pub fn line(&self, name: &str) -> String {
        let Self { source, rows, cols, nnz } = self;
        format!("{name:<14}{rows} x {cols}, {nnz} entries, {source}\n")
    }
}

/// Reads the files and forms B, with values of type `V`.
pub fn read<V: Number>(arguments: &ProductArguments) -> Result<Inputs<V>> {
    let begin = Instant::now();
    let a = load_any(&arguments.a)?;
    let given = arguments.b.as_deref().map(load_any).transpose()?;
    let (b, b_source) = match given {
        Some(b) if arguments.transpose_b => {
            (Some(b.transpose()), format!("transpose of {}", shown(arguments.b.as_deref())))
        }
        Some(b) => (Some(b), shown(arguments.b.as_deref())),
        None if arguments.transpose_b || a.rows() != a.cols() => (Some(a.transpose()), "transpose of A".to_owned()),
        None => (None, "same as A".to_owned()),
    };

    let a = typed(a, &arguments.a.display().to_string())?;
    let other = b.map(|b| typed(b, &b_source)).transpose()?;
    let a_facts = Facts::of(arguments.a.display().to_string(), &a);
    let b_facts = Facts::of(b_source, other.as_ref().unwrap_or(&a));
    Ok(Inputs { a, other, a_facts, b_facts, read_seconds: begin.elapsed().as_secs_f64() })
}

fn shown(path: Option<&Path>) -> String {
    path.map(|path| path.display().to_string()).unwrap_or_default()
}

/// Reads one file, if its values are real.
pub fn load(path: &Path) -> Result<Csr<f64>> {
    match load_any(path)? {
        Matrix::Real(csr) => Ok(csr),
        Matrix::Complex(_) => Err(complex(&path.display().to_string(), "this command takes real ones")),
    }
}

fn complex(source: &str, but: &str) -> Failure {
    Failure::refused(format!("{source}: complex values; {but}"))
}

fn load_any(path: &Path) -> Result<Matrix> {
    let mut meter = Meter::new(format!("reading {}", path.display()));
    let mut inflated = 0;
    let market = ocean_market::read_with_progress(path, &mut |progress| {
        // One bar of 1,000 steps for both stages: inflating, where there is any, takes about a third of the time.
        let (first, share) = match progress.stage {
            Stage::Inflate => (0, 333),
            Stage::Parse => (inflated, 1_000 - inflated),
        };
        let done = first + share * progress.done / progress.total.max(1);
        if progress.stage == Stage::Inflate {
            inflated = done;
        }
        meter.update(done, 1_000);
    })?;
    Ok(market.matrix)
}

/// Converts the values; one that is finite stays finite.
fn typed<V: Number>(matrix: Matrix, source: &str) -> Result<OwnedCsr<V>> {
    match matrix {
        Matrix::Real(csr) => converted(csr, source, |value| [value, 0.0]),
        Matrix::Complex(csr) if V::COMPLEX => converted(csr, source, |(real, imaginary)| [real, imaginary]),
        Matrix::Complex(_) => Err(complex(source, &format!("{} is real: --type c64, or another complex one", V::NAME))),
    }
}

fn converted<V: Number, T: ocean_market::Scalar>(
    csr: Csr<T>,
    source: &str,
    parts: impl Fn(T) -> [f64; 2],
) -> Result<OwnedCsr<V>> {
    let mut values = Vec::with_capacity(csr.nnz());
    for (entry, &value) in csr.values.iter().enumerate() {
        let [real, imaginary] = parts(value);
        let nearest = V::nearest(real, imaginary);
        let lost = |(before, after): (f64, f64)| before.is_finite() && !after.is_finite();
        if [real, imaginary].into_iter().zip(nearest.parts()).any(lost) {
            let row = csr.offsets.partition_point(|&offset| offset <= entry as i64);
            let column = csr.columns[entry] + 1;
            let shown = if V::COMPLEX { format!("({real:e}, {imaginary:e})") } else { format!("{real:e}") };
            let message = format!("{source}: entry ({row}, {column}) = {shown} is beyond the range of {}", V::NAME);
            return Err(Failure::refused(message));
        }
        values.push(nearest);
    }
    Ok(OwnedCsr { rows: csr.rows, cols: csr.cols, offsets: csr.offsets, columns: csr.columns, values })
}
