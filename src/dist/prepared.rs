// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything that products of one pattern share, from the program's entries to C by rows, so that only values are new.

use std::sync::Arc;
use std::time::Instant;

use super::entries::{self, Orders};
use super::route::Route;
use super::session::Session;
use super::{Cuts, Entries, Explanation, Layout, Matrix, Options, Permutation, Plan, Profile, Shape, World};
use super::{choose, reactor};
use crate::error::{Error, Result};
use crate::heap::{self, caught};
use crate::scalar::Scalar;

/// Products of one pattern, prepared by [`World::prepare`].
#[derive(Clone, Debug)]
pub struct Prepared {
    /// How blocks are multiplied.
    pub plan: Plan,
    /// Why so, where the library has chosen.
    pub explanation: Option<Explanation>,
    a: Route,
    /// None where B is A.
    b: Option<Route>,
    c_orders: Orders,
    /// C comes back in these parts of its rows.
    c: Layout,
}

impl World {
    /// Settles how A * B, or A * A without B, is computed for entries at these places, and which rows of C come back to
    /// each rank. Values are not looked at. Collective.
    ///
    /// # Errors
    /// As [`World::distribute`] and [`World::plan`]; [`Error::Invalid`] if `rows` are not C's, in a part for each rank.
    pub fn prepare<V: Scalar>(
        &mut self,
        a: &Entries<V>,
        b: Option<&Entries<V>>,
        rows: &Cuts,
        options: &Options,
    ) -> Result<Prepared> {
        let per_node = self.per_node();
        self.together(|session| prepare(session, a, b, rows, (per_node, options)))
    }

    /// The product for these values of the entries that were prepared for, in their order. Collective.
    ///
    /// # Errors
    /// [`Error::Invalid`] where there are not as many, and as [`World::execute`].
    pub fn run<V: Scalar>(&mut self, prepared: &Prepared, a: &[V], b: Option<&[V]>) -> Result<(Matrix<V>, Profile)> {
        let (per_node, probe) = (self.per_node(), self.probe());
        self.together(|session| {
            let begin = Instant::now();
            let left = prepared.a.carry(session, a)?;
            let right = match (&prepared.b, b) {
                (Some(route), values) => Some(route.carry(session, values.unwrap_or(&[]))?),
                (None, _) => None,
            };
            let right = right.as_ref().unwrap_or(&left);
            let (c, profile) =
                reactor::run(session, &prepared.plan, &left, right, &*Arc::clone(&probe), |rank| rank / per_node)?;
            let rank = session.comm.rank();
            let entries = session.agree(caught(|| Ok(c.entries_in(rank, prepared.c_orders))), 0)?;
            let c = entries::distribute(session, &entries, &prepared.c, Orders::default())?;
            let layout_seconds = begin.elapsed().as_secs_f64() - profile.seconds;
            Ok((c, Profile { layout_seconds, ..profile }))
        })
    }
}

fn prepare<V: Scalar>(
    session: &mut Session<'_>,
    a: &Entries<V>,
    b: Option<&Entries<V>>,
    rows: &Cuts,
    (per_node, options): (usize, &Options),
) -> Result<Prepared> {
    let ranks = session.comm.size();
    let right = b.unwrap_or(a);
    let sizes = [a.rows, a.cols, right.cols];
    let fits = if a.cols != right.rows {
        Err(Error::InnerDimension { left: "matA", right: "matB", a_cols: a.cols as i64, b_rows: right.rows as i64 })
    } else if (rows.size(), rows.parts()) != (a.rows, ranks) {
        let problem = format!("are {} in {} parts, for {} on {ranks} ranks", rows.size(), rows.parts(), a.rows);
        Err(Error::invalid("rows of C", problem))
    } else {
        Shape::of(options.algorithm, ranks, per_node)
    };
    let shape = session.agree(fits, super::fingerprint(&(sizes, options, b.is_some(), rows, V::TYPE)))?;
    let (shape, explanation) = match shape {
        Some(shape) => (shape, None),
        None => {
            let (shape, explanation) = choose::choose(session, a, right, per_node, options)?;
            (shape, Some(explanation))
        }
    };
    let [m, k, n] = sizes.map(|size| options.permute.map(|seed| Permutation::new(size, seed)));
    let (a_layout, b_layout) = shape.layouts(sizes);
    let a_route = Route::new(session, a, &a_layout, Orders { rows: m, cols: k })?;
    let b_route = match b {
        None => None,
        Some(b) => Some(Route::new(session, b, &b_layout, Orders { rows: k, cols: n })?),
    };
    let rank = session.comm.rank();
    let patterns = caught(|| {
        let pattern = |route: &Route| route.matrix(rank, heap::filled(route.block_nnz(), V::ZERO, "a pattern"));
        Ok((pattern(&a_route)?, b_route.as_ref().map(pattern).transpose()?))
    });
    let (left, right) = session.agree(patterns, 0)?;
    let plan = Plan::make(session, &left, right.as_ref().unwrap_or(&left), shape, options.sums)?;
    let c = Layout::by_rows(rows.clone(), sizes[2]);
    Ok(Prepared { plan, explanation, a: a_route, b: b_route, c_orders: Orders { rows: m, cols: n }, c })
}
