// SPDX-License-Identifier: MIT OR Apache-2.0
//! Markov clustering of a graph that is spread over ranks: [`crate::mcl`], with a product over ranks as its expansion.
//!
//! Every rank keeps the distributions of its own nodes as rows, so that pruning and inflation are its own affair. Sums are
//! in order, so that the bits, and with them the clusters, are those of one process.

use super::session::{Incoming, Outgoing, number_bytes, read_numbers, tag};
use super::{Cuts, Entries, Layout, Matrix, Options, Sums, World};
use crate::csr::OwnedCsr;
use crate::error::{Error, Result};
use crate::mcl::{self, Expand, Iteration, Rules};

/// Which node is in which cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Clustering {
    /// For each node of this rank the number of its cluster; larger clusters have smaller numbers, and of equal ones
    /// that with the first node.
    pub labels: Vec<u64>,
    /// How many clusters there are.
    pub clusters: u64,
    /// The steps that it took; seconds are this rank's.
    pub iterations: Vec<Iteration>,
}

impl World {
    /// Clusters the graph with these edges: of repeated ones, in either direction, the heaviest counts, and loops do not.
    /// This rank learns about the nodes of its part of `rows`. Of `options`, sums and the random order are not asked.
    /// Collective.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a graph that is not square, or a weight that is not 0 or more; as [`Self::multiply`].
    pub fn cluster(
        &mut self,
        edges: &Entries<f64>,
        rows: &Cuts,
        rules: &Rules,
        options: &Options,
    ) -> Result<Clustering> {
        let (rank, ranks) = (self.rank(), self.ranks());
        let fits = check(edges).and_then(|()| {
            let fits = (rows.size(), rows.parts()) == (edges.rows, ranks);
            let problem = || format!("are {} in {} parts, on {ranks} ranks", rows.size(), rows.parts());
            fits.then_some(()).ok_or_else(|| Error::invalid("rows of the graph", problem()))
        });
        let options = Options { sums: Sums::InOrder, permute: None, ..*options };
        self.agree(fits, super::fingerprint(&(edges.rows, rows, rules, options)))?;

        let layout = Layout::by_rows(Cuts::even(edges.rows, ranks), edges.cols);
        let first_node = layout.block(rank).rows.start;
        let weights = heaviest(self.distribute(&both_ways(edges), &layout)?.block);
        let first = mcl::with_loops(&weights, first_node as usize);
        let mut on = Ranks { world: self, first_node, nodes: edges.rows, options };
        let (limit, iterations) = mcl::run(&mut on, first, rules)?;

        let on_first = Layout::all_on(0, ranks, edges.rows, edges.cols);
        let limit = self.distribute(&Entries::from_rows(edges.rows, first_node, &limit), &on_first)?;
        let (labels, clusters) = self.tell(&limit, rows)?;
        Ok(Clustering { labels, clusters, iterations })
    }

    /// Rank 0, which has the limit, finds the clusters and tells everyone those of its nodes. Collective.
    fn tell(&mut self, limit: &Matrix<f64>, rows: &Cuts) -> Result<(Vec<u64>, u64)> {
        let mut parts: Vec<Vec<u64>> = vec![];
        if self.rank() == 0 {
            let found = mcl::clusters(&limit.block);
            let labels = mcl::labels(&found, limit.block.rows);
            for part in (0..rows.parts()).map(|part| rows.part(part)) {
                let mut numbers = vec![found.len() as u64];
                numbers.extend(&labels[part.start as usize..part.end as usize]);
                parts.push(numbers);
            }
        }
        let own = rows.part(self.rank());
        let most = 8 * (1 + (own.end - own.start) as usize);
        let mut numbers = self.together(|session| {
            session.agree(Ok(()), 0)?;
            if session.comm.rank() > 0 {
                let told = session.exchange("the clusters", vec![], &[Incoming { from: 0, tag: tag::VALUES, most }])?;
                return Ok(read_numbers(&told[0]).collect::<Vec<u64>>());
            }
            let others = parts.iter().enumerate().skip(1);
            let outgoing = others.map(|(to, part)| Outgoing { to, tag: tag::VALUES, bytes: number_bytes(part) });
            session.exchange("the clusters", outgoing.collect(), &[])?;
            Ok(std::mem::take(&mut parts[0]))
        })?;
        let clusters = numbers.remove(0);
        Ok((numbers, clusters))
    }
}

fn check(edges: &Entries<f64>) -> Result<()> {
    if edges.rows != edges.cols {
        return Err(Error::invalid("graph", format!("is {} x {}, not square", edges.rows, edges.cols)));
    }
    edges.check()?;
    match edges.values.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0)) {
        None => Ok(()),
        Some(at) => {
            let (row, col, weight) = (edges.row[at], edges.col[at], edges.values[at]);
            Err(Error::invalid("graph", format!("has weight {weight} at ({row}, {col}), not 0 or more")))
        }
    }
}

/// Every edge and its reverse, but no loops.
fn both_ways(edges: &Entries<f64>) -> Entries<f64> {
    let mut both = Entries { rows: edges.rows, cols: edges.cols, row: vec![], col: vec![], values: vec![] };
    for at in (0..edges.values.len()).filter(|&at| edges.row[at] != edges.col[at] && edges.values[at] > 0.0) {
        both.row.extend([edges.row[at], edges.col[at]]);
        both.col.extend([edges.col[at], edges.row[at]]);
        both.values.extend([edges.values[at]; 2]);
    }
    both
}

/// Of entries at one place the heaviest.
fn heaviest(block: OwnedCsr<f64>) -> OwnedCsr<f64> {
    let mut kept = OwnedCsr { rows: block.rows, cols: block.cols, offsets: vec![0], columns: vec![], values: vec![] };
    for row in 0..block.rows {
        let begin = kept.columns.len();
        for entry in block.row(row) {
            let (column, weight) = (block.columns[entry], block.values[entry]);
            if kept.columns.len() > begin && kept.columns.last() == Some(&column) {
                let last = kept.values.len() - 1;
                kept.values[last] = weight.max(kept.values[last]);
            } else {
                kept.columns.push(column);
                kept.values.push(weight);
            }
        }
        kept.offsets.push(kept.columns.len() as i64);
    }
    kept
}

/// All ranks, as what the process runs on.
struct Ranks<'a> {
    world: &'a mut World,
    /// The first of this rank's nodes.
    first_node: u64,
    nodes: u64,
    options: Options,
}

impl Expand for Ranks<'_> {
    type Error = Error;

    fn square(&mut self, flow: &OwnedCsr<f64>) -> Result<OwnedCsr<f64>> {
        let flow = Entries::from_rows(self.nodes, self.first_node, flow);
        Ok(self.world.multiply(&flow, None, &self.options)?.c.block)
    }

    fn together(&mut self, here: Iteration) -> Result<Iteration> {
        let all = self.world.gather(&[here.chaos.to_bits(), here.expanded as u64, here.kept as u64])?;
        let whole = Iteration { chaos: 0.0, expanded: 0, kept: 0, seconds: here.seconds };
        Ok(all.as_chunks().0.iter().fold(whole, |sum, &[chaos, expanded, kept]| Iteration {
            chaos: sum.chaos.max(f64::from_bits(chaos)),
            expanded: sum.expanded + expanded as usize,
            kept: sum.kept + kept as usize,
            ..sum
        }))
    }
}
