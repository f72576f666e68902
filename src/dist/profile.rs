// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a product took on one rank.

use serde::Serialize;

/// What was received over one kind of link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Parcels.
    pub parcels: u64,
    /// The entries in them.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Counts and seconds of one product on this rank.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Profile {
    /// Received from other nodes.
    pub between_nodes: Traffic,
    /// Received from ranks of the same node.
    pub in_node: Traffic,
    /// Seconds to pack this rank's own parts.
    pub pack_seconds: f64,
    /// Seconds in products, on the thread that computes.
    pub multiply_seconds: f64,
    /// Seconds to sum them up, there too.
    pub sum_seconds: f64,
    /// Seconds in all, from the first to the last agreement of all ranks.
    pub seconds: f64,
    /// Seconds before and after that, to bring A and B into blocks and C out of them. Only [`super::World::run`] and
    /// [`super::World::multiply`] do so.
    pub layout_seconds: f64,
}

impl Profile {
    /// Names of [`Self::measures`].
    pub const NAMES: [&'static str; 11] = [
        "between_nodes_parcels",
        "between_nodes_entries",
        "between_nodes_bytes",
        "in_node_parcels",
        "in_node_entries",
        "in_node_bytes",
        "pack_seconds",
        "multiply_seconds",
        "sum_seconds",
        "seconds",
        "layout_seconds",
    ];

    /// All counts and seconds, as numbers.
    pub fn measures(&self) -> [f64; 11] {
        let Traffic { parcels, entries, bytes } = self.between_nodes;
        let near = self.in_node;
        let counts = [parcels, entries, bytes, near.parcels, near.entries, near.bytes].map(|count| count as f64);
        let [a, b, c, d, e, f] = counts;
        [
            a,
            b,
            c,
            d,
            e,
            f,
            self.pack_seconds,
            self.multiply_seconds,
            self.sum_seconds,
            self.seconds,
            self.layout_seconds,
        ]
    }

    /// The same for the way between ranks.
    pub(crate) fn numbers(&self) -> [u64; 11] {
        self.measures().map(f64::to_bits)
    }

    /// Back from [`Self::numbers`].
    pub(crate) fn of_numbers(numbers: &[u64; 11]) -> Self {
        let [a, b, c, d, e, f, pack_seconds, multiply_seconds, sum_seconds, seconds, layout_seconds] =
            numbers.map(f64::from_bits);
        let traffic =
            |parcels, entries, bytes| Traffic { parcels: parcels as u64, entries: entries as u64, bytes: bytes as u64 };
        Self {
            between_nodes: traffic(a, b, c),
            in_node: traffic(d, e, f),
            pack_seconds,
            multiply_seconds,
            sum_seconds,
            seconds,
            layout_seconds,
        }
    }
}
