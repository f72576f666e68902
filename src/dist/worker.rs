// SPDX-License-Identifier: MIT OR Apache-2.0
//! The thread of a rank that computes: unpacks what has arrived, multiplies batch after batch, sums up at the end. It
//! never touches the transport.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Instant;

use super::local::{self, Part};
use super::probe::{Event, Probe};
use super::wire;
use crate::csr::OwnedCsr;
use crate::error::{Error, Result};
use crate::heap::caught;
use crate::scalar::Scalar;

/// A piece of a panel: cut out of the rank's own block, or as it came.
pub(super) enum Piece<V> {
    Own(OwnedCsr<V>),
    Packed { bytes: Arc<Vec<u8>>, rows: usize, cols: usize },
}

impl<V: Scalar> Piece<V> {
    fn unpack(self) -> Result<OwnedCsr<V>> {
        match self {
            Self::Own(block) => Ok(block),
            Self::Packed { bytes, rows, cols } => wire::decode(&bytes, rows, cols),
        }
    }
}

/// All parts of one product.
pub(super) struct Job<V> {
    pub batch: usize,
    /// The inner dimension's part that it is over.
    pub inner: Range<u64>,
    /// Parts of A, with the column of the batch where each begins.
    pub a: Vec<(usize, Piece<V>)>,
    /// Parts of B, with the row.
    pub b: Vec<(usize, Piece<V>)>,
}

/// What the worker tells.
pub(super) enum Notice<V> {
    Done,
    Failed(Error),
    C(Finished<V>),
}

/// The result.
pub(super) struct Finished<V> {
    pub c: OwnedCsr<V>,
    pub multiply_seconds: f64,
    pub sum_seconds: f64,
}

pub(super) struct Worker<'a> {
    pub rank: usize,
    pub rows: usize,
    pub cols: usize,
    pub probe: &'a dyn Probe,
}

impl Worker<'_> {
    /// Takes jobs until nobody can send any, then sums up. After a failure it computes no more.
    pub fn work<V: Scalar>(&self, jobs: &Receiver<Job<V>>, notices: &Sender<Notice<V>>) {
        let (mut terms, mut seconds, mut failed) = (vec![], 0.0, false);
        // A receiver that is gone has stopped listening; the work ends with the jobs.
        let tell = |notice| drop(notices.send(notice));
        for job in jobs {
            let begin = Instant::now();
            let batch = job.batch;
            let product = if failed { None } else { Some(caught(|| self.product(job))) };
            seconds += begin.elapsed().as_secs_f64();
            match product {
                Some(Ok(term)) => terms.push((batch, term)),
                Some(Err(error)) => {
                    failed = true;
                    tell(Notice::Failed(error));
                }
                None => {}
            }
            tell(Notice::Done);
        }
        if failed {
            return;
        }
        terms.sort_by_key(|&(batch, _)| batch);
        let terms = terms.into_iter().map(|(_, term)| term).collect();
        let begin = Instant::now();
        let sum = caught(|| {
            self.probe.at(self.rank, &Event::Summing)?;
            local::sum(terms, self.rows, self.cols)
        });
        let sum_seconds = begin.elapsed().as_secs_f64();
        tell(sum.map_or_else(Notice::Failed, |c| Notice::C(Finished { c, multiply_seconds: seconds, sum_seconds })));
    }

    fn product<V: Scalar>(&self, job: Job<V>) -> Result<OwnedCsr<V>> {
        let Job { batch, inner, a, b } = job;
        self.probe.at(self.rank, &Event::Multiplying { batch })?;
        let width = (inner.end - inner.start) as usize;
        let unpack = |pieces: Vec<(usize, Piece<V>)>| -> Result<Vec<Part<V>>> {
            pieces.into_iter().map(|(begin, piece)| Ok(Part { begin, block: piece.unpack()? })).collect()
        };
        let a = local::beside(unpack(a)?, self.rows, width);
        let b = local::below(unpack(b)?, width, self.cols);
        let c = local::multiply(&a, &b)?;
        self.probe.at(self.rank, &Event::Multiplied { batch })?;
        Ok(c)
    }
}
