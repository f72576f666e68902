// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the process runs: on a handle's backend, or on ranks that are threads.

use ocean::csr::OwnedCsr;
use ocean::dist::{Cuts, Entries, Options, Setup, ThreadComm, World};
use ocean::mcl::{Expand, Iteration, Rules};

use super::graph::Graph;
use crate::arguments::Algorithm;
use crate::failure::{Failure, Result};
use crate::library::{Handle, Operand, Product};

/// All rows in this process.
pub struct OneProcess<'a>(pub &'a Handle);

impl Expand for OneProcess<'_> {
    type Error = Failure;

    fn square(&mut self, flow: &OwnedCsr<f64>) -> Result<OwnedCsr<f64>> {
        let operand = Operand::new(flow)?;
        let mut product = Product::new(self.0, &operand, &operand, Algorithm::Default)?;
        product.work_estimation()?;
        product.compute()?;
        product.allocate()?;
        product.copy()?;
        Ok(product.into_result())
    }
}

/// The clusters, and the steps, when so many ranks share the nodes.
pub fn over_ranks(graph: &Graph, rules: &Rules, ranks: usize) -> Result<(Vec<Vec<usize>>, Vec<Iteration>)> {
    let nodes = graph.weights.rows as u64;
    let cuts = Cuts::even(nodes, ranks);
    let one = |comm: ThreadComm, rank: usize| {
        let mut world = World::new(Box::new(comm), Setup::default())?;
        let rows = cuts.part(rank);
        world.cluster(&part(&graph.weights, rows.start as usize..rows.end as usize), &cuts, rules, &Options::default())
    };
    let ends: Vec<_> = std::thread::scope(|scope| {
        let one = &one;
        let comms = ThreadComm::world(ranks, 1).into_iter().enumerate();
        let threads: Vec<_> = comms.map(|(rank, comm)| scope.spawn(move || one(comm, rank))).collect();
        threads.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
    });
    let (mut clusters, mut iterations, mut node) = (vec![], vec![], 0);
    for end in ends {
        let found = end
            .map_err(|_| Failure::refused("a rank panicked"))?
            .map_err(|error| Failure::refused(error.to_string()))?;
        clusters.resize(found.clusters as usize, vec![]);
        for label in found.labels {
            clusters[label as usize].push(node);
            node += 1;
        }
        iterations = found.iterations;
    }
    Ok((clusters, iterations))
}

/// The edges of these nodes.
fn part(weights: &OwnedCsr<f64>, rows: std::ops::Range<usize>) -> Entries<f64> {
    let entries = weights.offsets[rows.start] as usize..weights.offsets[rows.end] as usize;
    Entries {
        rows: weights.rows as u64,
        cols: weights.cols as u64,
        row: rows.flat_map(|row| std::iter::repeat_n(row as u64, weights.row(row).len())).collect(),
        col: weights.columns[entries.clone()].iter().map(|&column| column as u64).collect(),
        values: weights.values[entries].to_vec(),
    }
}
