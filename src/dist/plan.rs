// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is settled once for all products of one pattern: the schedule, and which rows and columns travel at all.

use std::ops::Range;

use super::bits::Bits;
use super::cuts::overlap;
use super::session::{Incoming, Outgoing, Session, tag};
use super::{Layout, Matrix, Operand, Parcel, Schedule, Shape, Sums};
use crate::error::{Error, Result};
use crate::scalar::Scalar;

/// How products of two patterns are computed. It holds as long as the patterns do; values may change.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The algorithm and its grid.
    pub shape: Shape,
    /// The order of sums.
    pub sums: Sums,
    /// Who needs what, and when.
    pub schedule: Schedule,
    /// What this rank's blocks of A and B looked like.
    patterns: [u64; 2],
    /// For each column of nodes, which columns of this rank's block of A it has use for.
    a_wanted: Option<Vec<Bits>>,
    /// For each row of nodes, which rows of this rank's block of B it has use for.
    b_wanted: Option<Vec<Bits>>,
}

impl Plan {
    /// Collective. A and B must be laid out as `shape` has it.
    pub(super) fn make<V: Scalar>(
        session: &mut Session<'_>,
        a: &Matrix<V>,
        b: &Matrix<V>,
        shape: Shape,
        sums: Sums,
    ) -> Result<Self> {
        let sizes = [a.layout.rows.size(), a.layout.cols.size(), b.layout.cols.size()];
        let schedule = shape.schedule(sizes, sums);
        let fits = check(&schedule, a, b);
        session.agree(fits, super::fingerprint(&(shape, sums, sizes)))?;

        let (grid, rank) = (schedule.grid(), session.comm.rank());
        let (mine_a, mine_b) = (a.layout.block(rank).cols, b.layout.block(rank).rows);
        let (a_cols, b_rows) = (&a.layout.cols, &b.layout.rows);
        let mut b_wanted = None;
        if shape.filtered {
            // Each holder of columns of A tells all holders of those rows of B.
            let tell = b_rows.parts_of(&mine_a).flat_map(|row| (0..grid.cols()).map(move |col| (row, col)));
            let tell = tell.map(|(row, col)| (grid.rank_at(row, col), b_rows.part(row)));
            let hear = a_cols.parts_of(&mine_b).flat_map(|col| (0..grid.rows()).map(move |row| (row, col)));
            let hear = hear.map(|(row, col)| (grid.rank_at(row, col), a_cols.part(col), row / grid.in_rows));
            let filled = Filled { bits: a.filled_cols(), range: mine_a.clone(), tag: tag::A_COLUMNS };
            b_wanted = Some(filled.exchange(session, tell, hear, &mine_b, grid.node_rows)?);
        }
        let mut a_wanted = None;
        if shape.filters_a(sums) {
            let tell = a_cols.parts_of(&mine_b).flat_map(|col| (0..grid.rows()).map(move |row| (row, col)));
            let tell = tell.map(|(row, col)| (grid.rank_at(row, col), a_cols.part(col)));
            let hear = b_rows.parts_of(&mine_a).flat_map(|row| (0..grid.cols()).map(move |col| (row, col)));
            let hear = hear.map(|(row, col)| (grid.rank_at(row, col), b_rows.part(row), col / grid.in_cols));
            let filled = Filled { bits: b.filled_rows(), range: mine_b, tag: tag::B_ROWS };
            a_wanted = Some(filled.exchange(session, tell, hear, &mine_a, grid.node_cols)?);
        }
        Ok(Self { shape, sums, schedule, patterns: [a.pattern(), b.pattern()], a_wanted, b_wanted })
    }

    /// Whether A and B are what was planned for, but for their values.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the one that is not.
    pub(super) fn check<V: Scalar>(&self, a: &Matrix<V>, b: &Matrix<V>) -> Result<()> {
        let same = |name, matrix: &Matrix<V>, layout: &Layout, pattern: u64| {
            if matrix.layout != *layout {
                return Err(Error::invalid(name, "is not laid out as the plan has it"));
            }
            let changed = || Error::invalid(name, "has not the pattern that was planned for");
            (matrix.pattern() == pattern).then_some(()).ok_or_else(changed)
        };
        same("A", a, &self.schedule.a, self.patterns[0])?;
        same("B", b, &self.schedule.b, self.patterns[1])
    }

    /// Whether what travels of an operand depends on where it goes.
    pub(super) fn filters(&self, operand: Operand) -> bool {
        match operand {
            Operand::A => self.a_wanted.is_some(),
            Operand::B => self.b_wanted.is_some(),
        }
    }

    /// Which of the inner indices from `inner` (in this rank's block) the parcel's node has use for; `None` is all.
    pub(super) fn wanted(&self, parcel: &Parcel, inner: Range<usize>) -> Option<Bits> {
        let (wanted, node) = match parcel.operand {
            Operand::A => (&self.a_wanted, parcel.node_col),
            Operand::B => (&self.b_wanted, parcel.node_row),
        };
        wanted.as_ref().map(|wanted| wanted[node].part(inner))
    }
}

fn check<V: Scalar>(schedule: &Schedule, a: &Matrix<V>, b: &Matrix<V>) -> Result<()> {
    if a.layout.cols.size() != b.layout.rows.size() {
        let (a_cols, b_rows) = (a.layout.cols.size() as i64, b.layout.rows.size() as i64);
        return Err(Error::InnerDimension { left: "matA", right: "matB", a_cols, b_rows });
    }
    let laid_out = |name, layout: &Layout, want: &Layout| {
        let same = layout == want;
        same.then_some(()).ok_or_else(|| Error::invalid(name, "is not laid out for this algorithm and grid"))
    };
    laid_out("A", &a.layout, &schedule.a)?;
    laid_out("B", &b.layout, &schedule.b)?;
    super::entries::check_blocks(&schedule.c())?;
    for batch in 0..schedule.batches() {
        let inner = schedule.intervals.span(schedule.batch(batch));
        let width = inner.end - inner.start;
        if width > i32::MAX as u64 {
            let what = format!("a batch over {width} columns of A, more than 2147483647,");
            return Err(Error::NotSupported { what, because: ": sum by fewer rounds at a time".into() });
        }
    }
    Ok(())
}

/// Which inner indices of a rank's block have entries.
struct Filled {
    bits: Bits,
    range: Range<u64>,
    tag: u32,
}

impl Filled {
    /// Tells ranks about their ranges, and hears from others; returns one set over `mine` for each slot.
    fn exchange(
        &self,
        session: &mut Session<'_>,
        tell: impl Iterator<Item = (usize, Range<u64>)>,
        hear: impl Iterator<Item = (usize, Range<u64>, usize)>,
        mine: &Range<u64>,
        slots: usize,
    ) -> Result<Vec<Bits>> {
        let rank = session.comm.rank();
        let inside = |range: &Range<u64>, of: &Range<u64>| {
            let shared = overlap(range, of);
            (shared.start - of.start) as usize..(shared.end - of.start) as usize
        };
        let mut wanted = vec![Bits::new((mine.end - mine.start) as usize); slots];
        let outgoing = tell.filter(|(to, _)| *to != rank);
        let outgoing = outgoing
            .map(|(to, range)| Outgoing {
                to,
                tag: self.tag,
                bytes: self.bits.part(inside(&range, &self.range)).bytes(),
            })
            .collect();
        let (mut incoming, mut places) = (vec![], vec![]);
        for (from, range, slot) in hear {
            let part = inside(&range, mine);
            if from == rank {
                wanted[slot].add(&self.bits.part(inside(mine, &self.range)).bytes(), part.start);
            } else {
                incoming.push(Incoming { from, tag: self.tag, most: Bits::bytes_of(part.len()) });
                places.push((slot, part));
            }
        }
        let heard = session.exchange("what is wanted of A and B", outgoing, &incoming)?;
        for ((slot, part), bytes) in places.into_iter().zip(heard) {
            wanted[slot].add(&bytes, part.start);
        }
        Ok(wanted)
    }
}
