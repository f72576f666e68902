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
}
