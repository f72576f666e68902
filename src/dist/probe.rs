// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens during a product, as it happens: for traces, and for tests that delay a rank or make it fail.

use super::Parcel;
use crate::error::Result;

/// Something that a rank is about to do, or that has happened to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Packs its parcels; before the first one leaves.
    Packing,
    /// A parcel has arrived.
    Arrived {
        /// Which one.
        parcel: Parcel,
        /// Who sent it.
        from: usize,
        /// How long it is.
        bytes: usize,
    },
    /// All parts of a batch are there; its product begins, on the thread that computes.
    Multiplying {
        /// Which one.
        batch: usize,
    },
    /// That product is done.
    Multiplied {
        /// Which one.
        batch: usize,
    },
    /// All products are there, and are summed up, on the thread that computes.
    Summing,
}

/// Is told of every event on the thread that it happens on. Taking its time holds that thread up; an error, or a panic,
/// fails the rank's part of the product.
pub trait Probe: Send + Sync {
    /// `event`, on this rank.
    ///
    /// # Errors
    /// Whatever the rank shall fail with.
    fn at(&self, rank: usize, event: &Event) -> Result<()>;
}

/// Looks away.
pub struct Nobody;

impl Probe for Nobody {
    fn at(&self, _: usize, _: &Event) -> Result<()> {
        Ok(())
    }
}
