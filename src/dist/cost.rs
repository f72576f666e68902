// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long a product would take: a model, in which links have a latency and a speed, and a rank a rate of products.

use serde::Serialize;

use super::volume::Load;
use super::{Algorithm, Shape, Sums};

/// The numbers of a machine that the model knows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Machine {
    /// Seconds until a message between nodes begins to arrive.
    pub latency_between: f64,
    /// Bytes per second that one rank receives from other nodes.
    pub bytes_per_second_between: f64,
    /// Seconds until a message inside a node begins to arrive.
    pub latency_inside: f64,
    /// Bytes per second that one rank receives from its node.
    pub bytes_per_second_inside: f64,
    /// Scalar products per second of one rank.
    pub products_per_second: f64,
}

impl Default for Machine {
    /// Four NICs of 25 GB/s for four GPUs, NVLink of the third generation, and a round number of products: a stand-in for
    /// the paper's machine, not measured.
    fn default() -> Self {
        Self {
            latency_between: 8e-6,
            bytes_per_second_between: 20e9,
            latency_inside: 20e-6,
            bytes_per_second_inside: 80e9,
            products_per_second: 1e9,
        }
    }
}

/// Something that every rank has some of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// Of all ranks together, by the number of ranks.
    pub mean: f64,
    /// Of the rank that has most.
    pub max: f64,
}

impl Spread {
    /// Mean and largest.
    pub fn of(numbers: impl Iterator<Item = u64>) -> Self {
        let (mut sum, mut max, mut count) = (0.0, 0u64, 0u64);
        for number in numbers {
            (sum, max, count) = (sum + number as f64, max.max(number), count + 1);
        }
        Self { mean: sum / count.max(1) as f64, max: max as f64 }
    }

    /// How much more than the mean the largest is; 1 where there is nothing.
    pub fn imbalance(&self) -> f64 {
        if self.mean > 0.0 { self.max / self.mean } else { 1.0 }
    }
}

/// What a product over a shape moves and computes, counted or estimated; entries and products a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Amounts {
    /// Entries received from other nodes.
    pub between_nodes: Spread,
    /// Entries received inside the node.
    pub in_node: Spread,
    /// Entries of A and B that are held.
    pub owned: Spread,
    /// Scalar products.
    pub products: Spread,
}

impl Amounts {
    /// Of counted loads.
    pub fn of(loads: &[Load]) -> Self {
        let spread = |of: fn(&Load) -> u64| Spread::of(loads.iter().map(of));
        Self {
            between_nodes: spread(|load| load.between_nodes),
            in_node: spread(|load| load.in_node),
            owned: spread(|load| load.owned),
            products: spread(|load| load.products),
        }
    }

    /// Bytes of the panels, and of the rank's own part, on the fullest rank, where an entry takes `entry_bytes`; all
    /// rounds at once.
    pub fn memory_bytes(&self, entry_bytes: f64) -> f64 {
        // What arrives is held packed and unpacked; the own part twice too, as block and in the panels.
        2.0 * entry_bytes * (self.between_nodes.max + self.in_node.max + self.owned.max)
    }
}

/// Seconds of the slowest rank, by the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// In products.
    pub compute: f64,
    /// Receiving from other nodes.
    pub between_nodes: f64,
    /// Receiving inside the node.
    pub in_node: f64,
    /// In all: the sum, or, where rounds overlap, the larger of computing and receiving and one round of the other.
    pub total: f64,
}

impl Machine {
    /// What `amounts` take, where an entry takes `entry_bytes` on the wire.
    ///
    /// A parcel costs two latencies, one for its size. SUMMA's broadcasts are taken as scatter and allgather, as an MPI
    /// library would do them: (log2 s + s - 1) latencies, and each byte twice.
    pub fn seconds(&self, shape: &Shape, sums: Sums, amounts: &Amounts, entry_bytes: f64) -> Seconds {
        let grid = shape.grid;
        let (rows, cols) = (grid.node_rows as f64, grid.node_cols as f64);
        let rounds = rows.max(cols);
        let mut between = amounts.between_nodes.max * entry_bytes / self.bytes_per_second_between;
        let in_node = amounts.in_node.max * entry_bytes / self.bytes_per_second_inside;
        let mut seconds = Seconds { compute: amounts.products.max / self.products_per_second, ..Seconds::default() };
        if shape.algorithm == Algorithm::Summa {
            let broadcast = |ranks: f64| if ranks > 1.0 { ranks.log2().ceil() + ranks - 1.0 } else { 0.0 };
            between *= 2.0;
            between += rounds * (broadcast(rows) + broadcast(cols)) * self.latency_between;
        } else if amounts.between_nodes.max > 0.0 {
            between += (rows - 1.0 + cols - 1.0) * 2.0 * self.latency_between;
        }
        seconds.between_nodes = between;
        seconds.in_node = in_node;
        if amounts.in_node.max > 0.0 {
            seconds.in_node += rounds * self.latency_inside;
        }
        let moving = seconds.between_nodes + seconds.in_node;
        seconds.total = match sums {
            Sums::InOrder => seconds.compute + moving,
            Sums::ByRounds(_) => seconds.compute.max(moving) + seconds.compute.min(moving) / rounds,
        };
        seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_bytes_take_longer_and_overlap_hides_the_shorter_part() {
        let shape = Shape::of(Algorithm::Trident, 64, 4).unwrap().unwrap();
        let amounts = |entries: f64| Amounts {
            between_nodes: Spread { mean: entries, max: entries },
            products: Spread { mean: 1e9, max: 1e9 },
            ..Amounts::default()
        };
        let machine = Machine::default();
        let seconds = |sums, entries| machine.seconds(&shape, sums, &amounts(entries), 12.0);
        assert!(seconds(Sums::InOrder, 2e9).total > seconds(Sums::InOrder, 1e9).total);
        let (sum, hidden) = (seconds(Sums::InOrder, 1e9), seconds(Sums::ByRounds(1), 1e9));
        assert_eq!(sum.total, sum.compute + sum.between_nodes);
        assert_eq!(hidden.total, sum.compute + sum.between_nodes / 4.0);
    }

    #[test]
    fn spreads() {
        let spread = Spread::of([1, 2, 9].into_iter());
        assert_eq!((spread.mean, spread.max, spread.imbalance()), (4.0, 9.0, 2.25));
        assert_eq!(Spread::of(std::iter::empty()).imbalance(), 1.0);
    }
}
