// SPDX-License-Identifier: MIT OR Apache-2.0
//! A [`Comm`] over a transport that begins sends and receives, and says when one is done: MPI, or a program's own.
//!
//! Of the receives from one rank with one tag only the first is asked of the transport at a time, and long messages are cut
//! into pieces, so that a transport needs to keep messages of one tag in order and nothing else.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::{Comm, Ticket};
use crate::error::{Error, Result};

/// What such a transport offers. None of it waits.
pub(crate) trait Requests: Send {
    /// A send or a receive that has begun.
    type Request: Send;

    /// Begins to send.
    ///
    /// # Safety
    /// `bytes` stay where they are, unchanged, until [`Self::test`] says that the request is done, or for ever where
    /// [`Self::end`] says no.
    unsafe fn send(&mut self, to: usize, tag: u32, bytes: &[u8]) -> Result<Self::Request>;

    /// Begins to receive a message of no more than `bytes` has room for.
    ///
    /// # Safety
    /// As [`Self::send`], and nobody else touches `bytes` meanwhile.
    unsafe fn receive(&mut self, from: usize, tag: u32, bytes: &mut [u8]) -> Result<Self::Request>;

    /// Whether it is done, and then how many bytes were received. Not asked again of one that is done.
    fn test(&mut self, request: &mut Self::Request) -> Result<Option<usize>>;

    /// The last call; `clean` says that no request is open. Returns whether the transport will touch no bytes any more.
    fn end(&mut self, clean: bool) -> bool;
}

/// A send that is not done.
struct Sending<R> {
    request: R,
    /// Held until the transport is done with them.
    _bytes: Arc<Vec<u8>>,
}

struct Receiving {
    ticket: Ticket,
    most: usize,
    abandoned: bool,
    /// Pieces that have arrived.
    whole: Vec<u8>,
}

/// Receives from one rank with one tag, in order. Only the first has been asked for: a long message comes in pieces, which
/// the next one must not take.
struct Lane<R> {
    queue: VecDeque<Receiving>,
    asked: Option<(R, Vec<u8>)>,
}

/// The rank, with what it has begun.
pub(crate) struct Queue<T: Requests> {
    transport: T,
    rank: usize,
    nodes: Vec<usize>,
    piece_bytes: usize,
    sending: Vec<Sending<T::Request>>,
    lanes: HashMap<(usize, u32), Lane<T::Request>>,
    next: Ticket,
    /// What no poll has told yet.
    arrived: Vec<(Ticket, Vec<u8>)>,
    /// A piece in the middle of a message that left at the second try: the next poll says so.
    refused: Option<Error>,
    /// Why a message ended in its middle: nothing can follow it.
    torn: Option<Error>,
}

impl<T: Requests> Queue<T> {
    /// Rank `rank` of as many as `nodes` has numbers. Messages are cut into pieces of `piece_bytes`.
    pub fn new(transport: T, rank: usize, nodes: Vec<usize>, piece_bytes: usize) -> Self {
        let (sending, lanes, arrived) = (vec![], HashMap::new(), vec![]);
        Self { transport, rank, nodes, piece_bytes, sending, lanes, next: 0, arrived, refused: None, torn: None }
    }

    /// Other pieces, the same on all ranks; before the first message.
    pub fn set_piece_bytes(&mut self, bytes: usize) {
        self.piece_bytes = bytes.max(1);
    }

    /// Looks after all that has begun. What has arrived before something fails is kept for a later call.
    fn progress(&mut self) -> Result<()> {
        let piece_bytes = self.piece_bytes;
        let mut at = 0;
        while at < self.sending.len() {
            if self.transport.test(&mut self.sending[at].request)?.is_some() {
                self.sending.swap_remove(at);
            } else {
                at += 1;
            }
        }
        for (&place, lane) in &mut self.lanes {
            loop {
                Self::ask(&mut self.transport, piece_bytes, place, lane)?;
                let Some((request, _)) = &mut lane.asked else { break };
                let Some(count) = self.transport.test(request)? else { break };
                let Some((_, bytes)) = lane.asked.take() else { break };
                if let Some(first) = lane.queue.front_mut() {
                    if first.whole.is_empty() && count < piece_bytes {
                        first.whole = bytes;
                        first.whole.truncate(count);
                    } else {
                        first.whole.extend_from_slice(&bytes[..count]);
                    }
                }
                if count < piece_bytes
                    && let Some(Receiving { ticket, abandoned, whole, .. }) = lane.queue.pop_front()
                    && !abandoned
                {
                    self.arrived.push((ticket, whole));
                }
            }
        }
        self.lanes.retain(|_, lane| !lane.queue.is_empty());
        Ok(())
    }

    /// Asks for the next piece of a lane's first receive, if that has not been done.
    fn ask(
        transport: &mut T,
        piece_bytes: usize,
        (from, tag): (usize, u32),
        lane: &mut Lane<T::Request>,
    ) -> Result<()> {
        let Some(first) = lane.queue.front() else { return Ok(()) };
        if lane.asked.is_some() {
            return Ok(());
        }
        let len = first.most.saturating_sub(first.whole.len()).min(piece_bytes);
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(|_| Error::OutOfMemory { bytes: len, purpose: "a message" })?;
        bytes.resize(len, 0u8);
        // SAFETY: the bytes lie on the heap, and stay in the lane until the request is done, or for ever: see `drop`.
        let request = unsafe { transport.receive(from, tag, &mut bytes)? };
        lane.asked = Some((request, bytes));
        Ok(())
    }
}

impl<T: Requests> Comm for Queue<T> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.nodes.len()
    }

    fn nodes(&self) -> Vec<usize> {
        self.nodes.clone()
    }

    /// A message as long as a piece or longer ends with a shorter piece, which may be empty.
    fn send(&mut self, to: usize, tag: u32, bytes: Arc<Vec<u8>>) -> Result<()> {
        if let Some(error) = &self.torn {
            return Err(error.clone());
        }
        for begin in (0..=bytes.len()).step_by(self.piece_bytes) {
            let piece = &bytes[begin..bytes.len().min(begin + self.piece_bytes)];
            // SAFETY: bytes that nobody can change, and that are kept until the request is done, or for ever.
            let mut begun = unsafe { self.transport.send(to, tag, piece) };
            if begin > 0
                && let Err(error) = begun
            {
                // What has left cannot be taken back, so the rest has to follow.
                self.refused.get_or_insert(error);
                // SAFETY: as above.
                begun = unsafe { self.transport.send(to, tag, piece) };
                self.torn = begun.as_ref().err().cloned();
            }
            let request = begun?;
            self.sending.push(Sending { request, _bytes: Arc::clone(&bytes) });
        }
        Ok(())
    }

    fn receive(&mut self, from: usize, tag: u32, most: usize) -> Result<Ticket> {
        self.next += 1;
        let lane = self.lanes.entry((from, tag)).or_insert_with(|| Lane { queue: VecDeque::new(), asked: None });
        lane.queue.push_back(Receiving { ticket: self.next, most, abandoned: false, whole: vec![] });
        let asked = Self::ask(&mut self.transport, self.piece_bytes, (from, tag), lane);
        if asked.is_err() {
            lane.queue.pop_back();
        }
        asked.map(|()| self.next)
    }

    fn poll(&mut self) -> Result<Vec<(Ticket, Vec<u8>)>> {
        self.progress()?;
        self.refused.take().map_or_else(|| Ok(std::mem::take(&mut self.arrived)), Err)
    }

    fn sending(&self) -> usize {
        self.sending.len()
    }

    fn abandon(&mut self) {
        self.lanes.values_mut().flat_map(|lane| &mut lane.queue).for_each(|receive| receive.abandoned = true);
    }
}

impl<T: Requests> Drop for Queue<T> {
    fn drop(&mut self) {
        let waiting: Vec<Vec<u8>> =
            self.lanes.drain().filter_map(|(_, lane)| lane.asked).map(|(_, bytes)| bytes).collect();
        let clean = waiting.is_empty() && self.sending.is_empty();
        if !self.transport.end(clean) {
            // The transport may still write and read there: such memory is never given back.
            waiting.into_iter().for_each(std::mem::forget);
            self.sending.drain(..).for_each(std::mem::forget);
        }
    }
}
