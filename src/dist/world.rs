// SPDX-License-Identifier: MIT OR Apache-2.0
//! All ranks together: what a program holds, and every call that all ranks make together.

use std::sync::Arc;
use std::time::Duration;

use super::cost::Machine;
use super::entries::{self, Orders};
use super::grid::check_nodes;
use super::probe::{Nobody, Probe};
use super::session::Session;
use super::{
    Algorithm, Comm, Cuts, Entries, Explanation, Layout, Matrix, Plan, Profile, Shape, Sums, common_per_node, reactor,
};
use crate::error::{Error, Result};
use crate::heap::caught;
use crate::scalar::Scalar;

/// What can be said when a [`World`] is made.
#[derive(Clone)]
pub struct Setup {
    /// Ranks of a node; without it, what the transport finds.
    pub per_node: Option<usize>,
    /// How long a rank waits while nothing moves before the call fails, everywhere; without it, for ever. It has to be longer
    /// than any rank's own product.
    pub timeout: Option<Duration>,
    /// Who is told what happens.
    pub probe: Arc<dyn Probe>,
}

impl Default for Setup {
    fn default() -> Self {
        Self { per_node: None, timeout: None, probe: Arc::new(Nobody) }
    }
}

/// What can be said of one product.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// How it is spread.
    pub algorithm: Algorithm,
    /// The order of sums.
    pub sums: Sums,
    /// A seed by which rows, columns and the inner dimension are put in a random order while the product is computed,
    /// each by its size, so that a square matrix is permuted symmetrically. Spreads what is clustered. C comes back in
    /// the given order; sums follow the random one.
    pub permute: Option<u64>,
    /// Bytes that a rank may need, by the estimate of [`Algorithm::Auto`]; without it, any.
    pub memory_limit: Option<u64>,
    /// What [`Algorithm::Auto`] takes the machine for.
    pub machine: Machine,
}

/// What [`World::multiply`] gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Product<V> {
    /// C, by rows, evenly cut.
    pub c: Matrix<V>,
    /// How it was computed.
    pub shape: Shape,
    /// Why so, where the library has chosen.
    pub explanation: Option<Explanation>,
    /// What it took on this rank.
    pub profile: Profile,
}

/// The ranks of a communicator. Every method that takes `&mut self` is collective: all ranks call it, and it ends the
/// same way on all of them: with success, or with one error that begins with the rank where it arose.
///
/// Only a rank that does not come within the timeout, or an operation that the transport refuses twice, breaks this: then
/// later calls are refused. One that passes at the second try fails the call, on all ranks, and no other.
pub struct World {
    comm: Box<dyn Comm>,
    per_node: usize,
    timeout: Option<Duration>,
    probe: Arc<dyn Probe>,
    broken: Option<String>,
}

impl World {
    /// Collective.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `per_node` does not divide the ranks.
    pub fn new(comm: Box<dyn Comm>, setup: Setup) -> Result<Self> {
        Self::agreed(comm, Ok(setup))
    }

    /// The same where this rank may have a reason to fail, which all ranks learn.
    ///
    /// # Errors
    /// As [`Self::new`], and the one in `setup`.
    pub fn agreed(comm: Box<dyn Comm>, setup: Result<Setup>) -> Result<Self> {
        let (setup, failure) = setup.map_or_else(|error| (Setup::default(), Err(error)), |setup| (setup, Ok(())));
        let Setup { per_node, timeout, probe } = setup;
        let found = per_node.unwrap_or_else(|| common_per_node(&comm.nodes()));
        let mut world = Self { comm, per_node: found.max(1), timeout, probe, broken: None };
        let fits = failure.and_then(|()| check_nodes(world.ranks(), found).map(drop));
        world.together(|session| session.agree(fits, found as u64))?;
        Ok(world)
    }

    /// This rank.
    pub fn rank(&self) -> usize {
        self.comm.rank()
    }

    /// All ranks.
    pub fn ranks(&self) -> usize {
        self.comm.size()
    }

    /// Ranks of a node.
    pub fn per_node(&self) -> usize {
        self.per_node
    }

    pub(super) fn probe(&self) -> Arc<dyn Probe> {
        Arc::clone(&self.probe)
    }

    /// Ends a step of the program on all ranks alike: with everyone's own value, or with the error of the lowest rank that has
    /// one. Ranks that give another `fingerprint` are an error too. Collective.
    ///
    /// # Errors
    /// As agreed.
    pub fn agree<T>(&mut self, result: Result<T>, fingerprint: u64) -> Result<T> {
        self.together(|session| session.agree(result, fingerprint))
    }

    /// Everyone's numbers, as many from each, in the order of ranks. Collective.
    ///
    /// # Errors
    /// As [`Self::agree`].
    pub fn gather(&mut self, own: &[u64]) -> Result<Vec<u64>> {
        let (rank, ranks, count) = (self.rank(), self.ranks(), own.len());
        self.together(|session| {
            session.agree(Ok(()), count as u64)?;
            let mut all = vec![0; ranks * count];
            all[rank * count..][..count].copy_from_slice(own);
            session.sum(&mut all)?;
            Ok(all)
        })
    }

    /// Runs one collective call. What was agreed on leaves all ranks in step; any other error may not have.
    pub(super) fn together<T>(&mut self, body: impl FnOnce(&mut Session<'_>) -> Result<T>) -> Result<T> {
        if let Some(why) = &self.broken {
            return Err(Error::invalid("communicator", format!("is out of step since an earlier call: {why}")));
        }
        let result = body(&mut Session::new(&mut *self.comm, self.timeout));
        let Err(error) = result else { return result };
        if let Error::Rank { .. } = error {
            return Err(error);
        }
        let error = match error {
            Error::Timeout(_) => error, // it names its rank
            _ => Error::Rank { rank: self.rank(), status: error.status(), problem: error.to_string() },
        };
        self.broken = Some(error.to_string());
        Err(error)
    }

    /// Puts everyone's entries where a layout wants them.
    ///
    /// # Errors
    /// Entries outside of the matrix, a layout for other sizes or ranks, blocks past 32 bits, no memory.
    pub fn distribute<V: Scalar>(&mut self, entries: &Entries<V>, layout: &Layout) -> Result<Matrix<V>> {
        self.together(|session| entries::distribute(session, entries, layout, Orders::default()))
    }

    /// Settles all that products of these patterns share. `shape` is from [`Shape::of`], and A and B are in its layouts.
    ///
    /// # Errors
    /// [`Error::Invalid`] where they are not, or sizes do not fit each other.
    pub fn plan<V: Scalar>(&mut self, a: &Matrix<V>, b: &Matrix<V>, shape: Shape, sums: Sums) -> Result<Plan> {
        self.together(|session| Plan::make(session, a, b, shape, sums))
    }

    /// C = A * B, for matrices of the patterns that were planned for, with any values.
    ///
    /// # Errors
    /// Whatever fails on any rank, and [`Error::Timeout`] where one waits too long.
    pub fn execute<V: Scalar>(&mut self, plan: &Plan, a: &Matrix<V>, b: &Matrix<V>) -> Result<(Matrix<V>, Profile)> {
        let (per_node, probe) = (self.per_node, Arc::clone(&self.probe));
        self.together(|session| reactor::run(session, plan, a, b, &*probe, |rank| rank / per_node))
    }

    /// Gives each rank the rows of its part of `rows`.
    ///
    /// # Errors
    /// As [`Self::distribute`].
    pub fn to_rows<V: Scalar>(&mut self, matrix: &Matrix<V>, rows: &Cuts) -> Result<Matrix<V>> {
        let layout = Layout::by_rows(rows.clone(), matrix.layout.cols.size());
        let rank = self.rank();
        self.together(|session| {
            let entries = session.agree(caught(|| Ok(matrix.entries(rank))), 0)?;
            entries::distribute(session, &entries, &layout, Orders::default())
        })
    }

    /// All of it in one call: C = A * B, or A * A without B. C comes back by rows, evenly cut.
    ///
    /// # Errors
    /// As [`Self::distribute`], [`Self::plan`] and [`Self::execute`].
    pub fn multiply<V: Scalar>(
        &mut self,
        a: &Entries<V>,
        b: Option<&Entries<V>>,
        options: &Options,
    ) -> Result<Product<V>> {
        let prepared = self.prepare(a, b, &Cuts::even(a.rows, self.ranks()), options)?;
        let (c, profile) = self.run(&prepared, &a.values, b.map(|b| &b.values[..]))?;
        Ok(Product { c, shape: prepared.plan.shape, explanation: prepared.explanation, profile })
    }
}
