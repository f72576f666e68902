// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks that are threads of one process, for tests and for trying things out: no MPI, any number of them, and links as
//! slow as one likes.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Comm, Ticket};
use crate::error::{Error, Result};

/// How long a message of so many bytes takes from one rank to another.
pub type Delay = Arc<dyn Fn(usize, usize, usize) -> Duration + Send + Sync>;

struct Message {
    from: usize,
    tag: u32,
    bytes: Arc<Vec<u8>>,
    arrives: Instant,
}

type Inbox = Mutex<VecDeque<Message>>;

struct Wanted {
    ticket: Ticket,
    from: usize,
    tag: u32,
    most: usize,
    abandoned: bool,
}

/// One rank among threads.
pub struct ThreadComm {
    rank: usize,
    inboxes: Arc<Vec<Inbox>>,
    delay: Option<Delay>,
    per_node: usize,
    wanted: Vec<Wanted>,
    next: Ticket,
}

impl ThreadComm {
    /// `size` ranks in nodes of `per_node`, the last of which may be smaller.
    pub fn world(size: usize, per_node: usize) -> Vec<Self> {
        Self::with_delay(size, per_node, None)
    }

    /// The same over slow links.
    pub fn with_delay(size: usize, per_node: usize, delay: Option<Delay>) -> Vec<Self> {
        let inboxes: Arc<Vec<Inbox>> = Arc::new((0..size).map(|_| Inbox::default()).collect());
        let comm = |rank| {
            let (inboxes, delay) = (Arc::clone(&inboxes), delay.clone());
            Self { rank, inboxes, delay, per_node: per_node.max(1), wanted: vec![], next: 0 }
        };
        (0..size).map(comm).collect()
    }

    fn inbox(&self, rank: usize) -> MutexGuard<'_, VecDeque<Message>> {
        // A thread that panicked while it pushed or took a message left the queue whole.
        self.inboxes[rank].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Comm for ThreadComm {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.inboxes.len()
    }

    fn nodes(&self) -> Vec<usize> {
        (0..self.size()).map(|rank| rank / self.per_node).collect()
    }

    fn send(&mut self, to: usize, tag: u32, bytes: Arc<Vec<u8>>) -> Result<()> {
        let takes = self.delay.as_ref().map_or(Duration::ZERO, |delay| delay(self.rank, to, bytes.len()));
        let message = Message { from: self.rank, tag, bytes, arrives: Instant::now() + takes };
        self.inbox(to).push_back(message);
        Ok(())
    }

    fn receive(&mut self, from: usize, tag: u32, most: usize) -> Result<Ticket> {
        self.next += 1;
        self.wanted.push(Wanted { ticket: self.next, from, tag, most, abandoned: false });
        Ok(self.next)
    }

    fn poll(&mut self) -> Result<Vec<(Ticket, Vec<u8>)>> {
        let mut wanted = std::mem::take(&mut self.wanted);
        let mut arrived = vec![];
        let mut too_long = None;
        let now = Instant::now();
        let mut inbox = self.inbox(self.rank);
        wanted.retain(|want| {
            let first = inbox.iter().position(|message| (message.from, message.tag) == (want.from, want.tag));
            let Some(at) = first.filter(|&at| inbox[at].arrives <= now) else { return true };
            if let Some(message) = inbox.remove(at)
                && !want.abandoned
            {
                if message.bytes.len() > want.most {
                    too_long = Some((message.bytes.len(), want.from, want.most));
                }
                arrived.push((want.ticket, Arc::unwrap_or_clone(message.bytes)));
            }
            false
        });
        drop(inbox);
        self.wanted = wanted;
        match too_long {
            None => Ok(arrived),
            Some((got, from, most)) => {
                Err(Error::Internal(format!("a message of {got} bytes from rank {from} where {most} were the most")))
            }
        }
    }

    fn sending(&self) -> usize {
        0
    }

    fn abandon(&mut self) {
        self.wanted.iter_mut().for_each(|want| want.abandoned = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_one_tag_keep_their_order_and_others_may_overtake() {
        let slow: Delay = Arc::new(|_, _, bytes| Duration::from_millis(if bytes == 1 { 30 } else { 0 }));
        let mut ranks = ThreadComm::with_delay(2, 1, Some(slow));
        let (mut one, mut zero) = (ranks.pop().unwrap(), ranks.pop().unwrap());
        zero.send(1, 7, Arc::new(vec![1])).unwrap();
        zero.send(1, 7, Arc::new(vec![2, 2])).unwrap();
        zero.send(1, 8, Arc::new(vec![3, 3])).unwrap();
        let tickets: Vec<Ticket> = [7, 7, 8].into_iter().map(|tag| one.receive(0, tag, 2).unwrap()).collect();
        let mut got = vec![];
        while got.len() < 3 {
            got.extend(one.poll().unwrap());
        }
        assert_eq!(got[0], (tickets[2], vec![3, 3]));
        assert_eq!(got[1..], [(tickets[0], vec![1]), (tickets[1], vec![2, 2])]);
    }

    #[test]
    fn what_was_abandoned_is_swallowed() {
        let mut ranks = ThreadComm::world(2, 2);
        let (mut one, mut zero) = (ranks.pop().unwrap(), ranks.pop().unwrap());
        one.receive(0, 1, 9).unwrap();
        one.abandon();
        zero.send(1, 1, Arc::new(vec![1])).unwrap();
        zero.send(1, 1, Arc::new(vec![2])).unwrap();
        let ticket = one.receive(0, 1, 9).unwrap();
        assert_eq!(one.poll().unwrap(), [(ticket, vec![2])]);
        assert_eq!(one.nodes(), [0, 0]);
    }
}
