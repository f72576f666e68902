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
use crate::value::Value;

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
    pub fn of<V: Value>(source: impl Into<String>, csr: &OwnedCsr<V>) -> Self {
        Self { source: source.into(), rows: csr.rows, cols: csr.cols, nnz: csr.nnz() }
    }

    /// One line for text reports.
    pub fn line(&self, name: &str) -> String {
        let Self { source, rows, cols, nnz } = self;
        format!("{name:<14}{rows} x {cols}, {nnz} entries, {source}\n")
    }
}

/// Reads the files and forms B, with values of type `V`.
pub fn read<V: Value>(arguments: &ProductArguments) -> Result<Inputs<V>> {
    let begin = Instant::now();
    let a = load(&arguments.a)?;
    let given = arguments.b.as_deref().map(load).transpose()?;
    let (b, b_source) = match given {
        Some(b) if arguments.transpose_b => {
            (Some(b.transpose()), format!("transpose of {}", shown(arguments.b.as_deref())))
        }
        Some(b) => (Some(b), shown(arguments.b.as_deref())),
        None if arguments.transpose_b || a.rows != a.cols => (Some(a.transpose()), "transpose of A".to_owned()),
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
    match market.matrix {
        Matrix::Real(csr) => Ok(csr),
        Matrix::Complex(_) => Err(Failure::refused(format!(
            "{}: complex values; the types that can be multiplied so far are f32 and f64",
            path.display()
        ))),
    }
}

/// Converts the values; one that is finite stays finite.
fn typed<V: Value>(csr: Csr<f64>, source: &str) -> Result<OwnedCsr<V>> {
    if let Some(entry) = csr.values.iter().position(|&value| value.is_finite() && !V::narrow(value).widen().is_finite())
    {
        let row = csr.offsets.partition_point(|&offset| offset <= entry as i64);
        let (column, value) = (csr.columns[entry] + 1, csr.values[entry]);
        let message = format!("{source}: entry ({row}, {column}) = {value:e} is beyond the range of {}", V::NAME);
        return Err(Failure::refused(message));
    }
    let values = csr.values.into_iter().map(V::narrow).collect();
    Ok(OwnedCsr { rows: csr.rows, cols: csr.cols, offsets: csr.offsets, columns: csr.columns, values })
}
