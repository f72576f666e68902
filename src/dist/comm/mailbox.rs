// SPDX-License-Identifier: MIT OR Apache-2.0
//! A transport between threads that refuses one operation when it is told to, and what ranks make of that.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use super::{Queue, Requests};
use crate::error::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Send,
    Receive,
    Test,
}

struct Message {
    from: usize,
    tag: u32,
    bytes: Vec<u8>,
}

type Inboxes = Arc<Vec<Mutex<VecDeque<Message>>>>;

/// What is refused, and after how many of its kind; none once it has happened.
type Fault = Arc<Mutex<Option<(Operation, usize)>>>;

/// One rank. What is received waits in its inbox.
struct Mailbox {
    rank: usize,
    inboxes: Inboxes,
    fault: Fault,
}

enum Request {
    Sent,
    Receive { from: usize, tag: u32, to: *mut u8, room: usize },
}

// SAFETY: a rank's requests are touched by the thread that has the rank.
unsafe impl Send for Request {}

impl Mailbox {
    fn begins(&mut self, operation: Operation) -> Result<()> {
        let mut fault = self.fault.lock().unwrap();
        let Some((_, left)) = fault.as_mut().filter(|(kind, _)| *kind == operation) else { return Ok(()) };
        if *left > 0 {
            *left -= 1;
            return Ok(());
        }
        *fault = None;
        Err(Error::Transport { call: "planted", code: 17, text: format!("{operation:?}") })
    }
}

impl Requests for Mailbox {
    type Request = Request;

    unsafe fn send(&mut self, to: usize, tag: u32, bytes: &[u8]) -> Result<Request> {
        self.begins(Operation::Send)?;
        self.inboxes[to].lock().unwrap().push_back(Message { from: self.rank, tag, bytes: bytes.to_vec() });
        Ok(Request::Sent)
    }

    unsafe fn receive(&mut self, from: usize, tag: u32, bytes: &mut [u8]) -> Result<Request> {
        self.begins(Operation::Receive)?;
        Ok(Request::Receive { from, tag, to: bytes.as_mut_ptr(), room: bytes.len() })
    }

    fn test(&mut self, request: &mut Request) -> Result<Option<usize>> {
        self.begins(Operation::Test)?;
        let Request::Receive { from, tag, to, room } = *request else { return Ok(Some(0)) };
        let mut inbox = self.inboxes[self.rank].lock().unwrap();
        let Some(at) = inbox.iter().position(|message| (message.from, message.tag) == (from, tag)) else {
            return Ok(None);
        };
        let Some(Message { bytes, .. }) = inbox.remove(at) else { return Ok(None) };
        assert!(bytes.len() <= room, "{} bytes where {room} were the most", bytes.len());
        // SAFETY: the queue keeps so much room until this says that the message is there.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Ok(Some(bytes.len()))
    }

    fn end(&mut self, _: bool) -> bool {
        true
    }
}

mod tests {
    use std::time::Duration;

    use super::super::super::{Algorithm, Entries, Options, Setup, World};
    use super::*;
    use crate::csr::OwnedCsr;
    use crate::ffi::oceanStatus_t::OCEAN_STATUS_EXECUTION_FAILED;

    const RANKS: usize = 4;

    /// What a rank has of a matrix with a diagonal and a few entries beside it.
    fn share(rank: usize) -> Entries<f64> {
        let n = 24;
        let mut mine = Entries { rows: n, cols: n, row: vec![], col: vec![], values: vec![] };
        for row in (rank as u64..n).step_by(RANKS) {
            for col in [row, (row + 5) % n, (row * 7 + 3) % n] {
                mine.row.push(row);
                mine.col.push(col);
                mine.values.push((row * n + col) as f64 + 0.5);
            }
        }
        mine
    }

    /// How the first of two products ended on each rank, the second's C, and whether the fault on `rank` has happened.
    type Ends = (Vec<(Result<OwnedCsr<f64>>, OwnedCsr<f64>)>, bool);

    fn two_products(algorithm: Algorithm, piece_bytes: usize, rank: usize, planted: (Operation, usize)) -> Ends {
        let inboxes: Inboxes = Arc::new((0..RANKS).map(|_| Mutex::default()).collect());
        let fault = Fault::default();
        let run = |own: usize| {
            let on_others = Fault::default();
            let fault = if own == rank { &fault } else { &on_others };
            let mailbox = Mailbox { rank: own, inboxes: Arc::clone(&inboxes), fault: Arc::clone(fault) };
            let queue = Queue::new(mailbox, own, (0..RANKS).map(|rank| rank / 2).collect(), piece_bytes);
            let setup = Setup { timeout: Some(Duration::from_secs(20)), ..Setup::default() };
            let mut world = World::new(Box::new(queue), setup).unwrap();
            *fault.lock().unwrap() = Some(planted).filter(|_| own == rank);
            let options = Options { algorithm, ..Options::default() };
            let mut multiply = || world.multiply(&share(own), None, &options).map(|product| product.c.block);
            let first = multiply();
            // It fails no later call.
            let happened = fault.lock().unwrap().take().is_none();
            (first, multiply().unwrap(), happened && own == rank)
        };
        let ends: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..RANKS).map(|own| scope.spawn(move || run(own))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let happened = ends.iter().any(|end| end.2);
        (ends.into_iter().map(|(first, second, _)| (first, second)).collect(), happened)
    }

    /// Whether the fault happened, and whether that failed the product.
    fn ends_alike(algorithm: Algorithm, piece_bytes: usize, rank: usize, planted: (Operation, usize)) -> (bool, bool) {
        let what = format!("{algorithm:?}, pieces of {piece_bytes}, rank {rank}, {planted:?}");
        let (ends, happened) = two_products(algorithm, piece_bytes, rank, planted);
        let words = format!("rank {rank}: planted failed: 17 ({:?})", planted.0);
        let failed = ends[0].0.is_err();
        for (first, second) in &ends {
            match first {
                Ok(c) => assert!(!failed && c == second, "{what}: it worked here alone"),
                Err(error) => {
                    let end = (error.status(), error.to_string());
                    assert_eq!(end, (OCEAN_STATUS_EXECUTION_FAILED, words.clone()), "{what}");
                    assert!(failed, "{what}: it failed here alone");
                }
            }
        }
        assert!(happened || !failed, "{what}");
        (happened, failed)
    }

    #[test]
    fn every_operation_that_is_refused_once_fails_the_call_on_all_ranks_and_no_other() {
        let stride = if std::env::var_os("OCEAN_TEST_FULL").is_some() { 1 } else { 5 };
        let (mut injected, mut hidden) = (0, 0);
        for (algorithm, piece_bytes) in
            [(Algorithm::Trident, usize::MAX), (Algorithm::Row1d, 600), (Algorithm::Auto, usize::MAX)]
        {
            for rank in [0, 3] {
                for operation in [Operation::Send, Operation::Receive, Operation::Test] {
                    // Ranks ask as often as they wait: the first times, and some later.
                    let most = if operation == Operation::Test { 40 } else { usize::MAX };
                    for nth in (0..most).step_by(stride) {
                        let (happened, failed) = ends_alike(algorithm, piece_bytes, rank, (operation, nth));
                        if !happened {
                            break;
                        }
                        injected += 1;
                        hidden += usize::from(!failed);
                    }
                }
            }
        }
        println!("{injected} operations refused, {hidden} of them after all had agreed");
        // Only what comes after the last vote of a rank is too late to fail the call.
        assert!(injected > 100 && hidden * 10 < injected, "{hidden} of {injected}");
    }
}
