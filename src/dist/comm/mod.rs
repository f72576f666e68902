// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the distributed part asks of a transport: messages between numbered ranks, none of which blocks.

#[cfg(test)]
mod mailbox;
mod mpi;
mod queue;
mod threads;

use std::sync::Arc;

use crate::error::Result;

pub use mpi::MpiComm;
pub(crate) use queue::{Queue, Requests};
pub use threads::{Delay, ThreadComm};

/// A receive that was asked for.
pub type Ticket = u64;

/// Ranks that can send each other bytes. Between two ranks, messages of one tag arrive in the order in which they
/// were sent. Used by one thread at a time.
///
/// An operation that fails has done nothing, and may be tried again: nothing is lost by it.
pub trait Comm: Send {
    /// This rank, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// A number for each rank's node: ranks with the same one share memory.
    fn nodes(&self) -> Vec<usize>;

    /// Sends; the bytes are kept until they are gone.
    ///
    /// # Errors
    /// What the transport refuses.
    fn send(&mut self, to: usize, tag: u32, bytes: Arc<Vec<u8>>) -> Result<()>;

    /// Asks for a message of at most `most` bytes.
    ///
    /// # Errors
    /// What the transport refuses.
    fn receive(&mut self, from: usize, tag: u32, most: usize) -> Result<Ticket>;

    /// What has arrived since the last call, without waiting.
    ///
    /// # Errors
    /// What the transport refuses.
    fn poll(&mut self) -> Result<Vec<(Ticket, Vec<u8>)>>;

    /// Sends that are not done.
    fn sending(&self) -> usize;

    /// Takes no more interest in the receives asked for so far: what arrives for them is thrown away.
    fn abandon(&mut self);
}
