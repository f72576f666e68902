// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all ranks do together over a [`Comm`]: exchange messages, add numbers up, and agree on how a step ended. Every
//! wait has the caller's timeout.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Comm, Ticket};
use crate::error::{Error, Result};
use crate::ffi::oceanStatus_t;

/// Tags of messages that belong to no parcel.
pub(super) mod tag {
    pub const VOTE_UP: u32 = 0;
    pub const VOTE_DOWN: u32 = 1;
    pub const SUM_UP: u32 = 2;
    pub const SUM_DOWN: u32 = 3;
    pub const COUNTS: u32 = 4;
    pub const ENTRIES: u32 = 5;
    pub const A_COLUMNS: u32 = 6;
    pub const B_ROWS: u32 = 7;
    pub const SIZES: u32 = 8;
    pub const VALUES: u32 = 9;
    /// Parcels have their own tags from here on.
    pub const PARCELS: u32 = 16;
}

/// A message to send.
pub(super) struct Outgoing {
    pub to: usize,
    pub tag: u32,
    pub bytes: Vec<u8>,
}

/// A message to wait for.
pub(super) struct Incoming {
    pub from: usize,
    pub tag: u32,
    pub most: usize,
}

/// Waiting that does not spin for long, and has an end.
pub(super) struct Patience {
    since: Instant,
    timeout: Option<Duration>,
    idle_turns: u32,
}

impl Patience {
    pub fn new(timeout: Option<Duration>) -> Self {
        Self { since: Instant::now(), timeout, idle_turns: 0 }
    }

    /// Something has moved: the time starts anew.
    pub fn moved(&mut self) {
        self.since = Instant::now();
        self.idle_turns = 0;
    }

    /// Nothing has moved: gives the core away for a moment. Returns how long nothing has, once that is too long.
    pub fn pause(&mut self) -> Option<Duration> {
        const SPINS: u32 = 64;
        self.idle_turns += 1;
        if self.idle_turns < SPINS {
            std::thread::yield_now();
        } else {
            std::thread::sleep(Duration::from_micros(50));
        }
        let waited = self.since.elapsed();
        self.timeout.filter(|&timeout| waited >= timeout).map(|_| waited)
    }
}

/// One rank's part in a collective call.
pub(super) struct Session<'a> {
    pub comm: &'a mut dyn Comm,
    pub timeout: Option<Duration>,
    alive: Instant,
    /// What the transport refused at first. The next agreement hears of it.
    refused: Option<Error>,
}

impl<'a> Session<'a> {
    pub fn new(comm: &'a mut dyn Comm, timeout: Option<Duration>) -> Self {
        Self { comm, timeout, alive: Instant::now(), refused: None }
    }

    /// An operation that the transport refuses is tried once more: where it passes then, other ranks get what they wait for,
    /// and stay in step with this one until all hear of the failure.
    fn twice<T>(&mut self, operation: impl Fn(&mut dyn Comm) -> Result<T>) -> Result<T> {
        operation(self.comm).or_else(|error| {
            self.refused.get_or_insert(error);
            operation(self.comm)
        })
    }

    /// As [`Comm::send`].
    pub fn send(&mut self, to: usize, tag: u32, bytes: &Arc<Vec<u8>>) -> Result<()> {
        self.twice(|comm| comm.send(to, tag, Arc::clone(bytes)))
    }

    /// As [`Comm::receive`].
    pub fn receive(&mut self, from: usize, tag: u32, most: usize) -> Result<Ticket> {
        self.twice(|comm| comm.receive(from, tag, most))
    }

    /// As [`Comm::poll`].
    pub fn poll(&mut self) -> Result<Vec<(Ticket, Vec<u8>)>> {
        self.twice(|comm| comm.poll())
    }

    /// Tells those who may be waiting for this rank's vote or verdict that it is coming. To be called again and again while
    /// something takes long.
    pub fn say_alive(&mut self) -> Result<()> {
        const SHARE_OF_TIMEOUT: u32 = 4;
        if self.timeout.is_none_or(|timeout| self.alive.elapsed() < timeout / SHARE_OF_TIMEOUT) {
            return Ok(());
        }
        self.alive = Instant::now();
        let rank = self.comm.rank();
        if let Some(parent) = parent(rank) {
            self.send(parent, tag::VOTE_UP, &Arc::new(ALIVE.to_vec()))?;
        }
        for child in children(rank, self.comm.size()) {
            self.send(child, tag::VOTE_DOWN, &Arc::new(ALIVE.to_vec()))?;
        }
        Ok(())
    }

    /// Votes from these ranks, however long those that say that they are alive take; or who is late, and for how long.
    fn votes(&mut self, from: &[usize], tag: u32) -> Result<Heard> {
        let mut waiting = HashMap::new();
        for &rank in from {
            waiting.insert(self.receive(rank, tag, Vote::BYTES)?, rank);
        }
        let mut votes = vec![];
        let mut patience = Patience::new(self.timeout);
        while !waiting.is_empty() {
            self.say_alive()?;
            let new = self.poll()?;
            if new.is_empty() {
                if let Some(waited) = patience.pause() {
                    self.comm.abandon();
                    let mut late: Vec<usize> = waiting.into_values().collect();
                    late.sort_unstable();
                    return Ok(Heard::Late(waited, late));
                }
                continue;
            }
            patience.moved();
            for (ticket, bytes) in new {
                let Some(rank) = waiting.remove(&ticket) else { continue };
                if bytes == ALIVE {
                    waiting.insert(self.receive(rank, tag, Vote::BYTES)?, rank);
                } else {
                    votes.push(Vote::read(&bytes)?);
                }
            }
        }
        // In whatever order they came, they are merged in the order of ranks.
        votes.sort_by_key(|vote| vote.rank);
        Ok(Heard::All(votes))
    }

    /// Sends and receives until both are done; what was received comes in the order of `incoming`.
    ///
    /// # Errors
    /// [`Error::Timeout`] names the ranks that were waited for; what they still send is thrown away.
    pub fn exchange(&mut self, doing: &str, outgoing: Vec<Outgoing>, incoming: &[Incoming]) -> Result<Vec<Vec<u8>>> {
        let mut tickets = Vec::with_capacity(incoming.len());
        for Incoming { from, tag, most } in incoming {
            tickets.push(self.receive(*from, *tag, *most)?);
        }
        for Outgoing { to, tag, bytes } in outgoing {
            self.send(to, tag, &Arc::new(bytes))?;
        }
        let mut arrived: Vec<Option<Vec<u8>>> = vec![None; incoming.len()];
        let mut missing = incoming.len();
        let mut patience = Patience::new(self.timeout);
        while missing > 0 || self.comm.sending() > 0 {
            let new = self.poll()?;
            if new.is_empty() {
                if let Some(waited) = patience.pause() {
                    let late = incoming.iter().zip(&arrived).filter(|(_, arrived)| arrived.is_none());
                    let late: Vec<usize> = late.map(|(incoming, _)| incoming.from).collect();
                    self.comm.abandon();
                    let problem = late_ranks(waited, &late, doing);
                    return Err(Error::Timeout(format!("rank {}: {problem}", self.comm.rank())));
                }
                continue;
            }
            patience.moved();
            for (ticket, bytes) in new {
                if let Some(at) = tickets.iter().position(|&own| own == ticket) {
                    missing -= usize::from(arrived[at].is_none());
                    arrived[at] = Some(bytes);
                }
            }
        }
        Ok(arrived.into_iter().flatten().collect())
    }

    /// Adds vectors of one length up over all ranks.
    pub fn sum(&mut self, numbers: &mut [u64]) -> Result<()> {
        let add = |numbers: &mut [u64], bytes: &[u8]| {
            numbers.iter_mut().zip(read_numbers(bytes)).for_each(|(number, other)| *number += other);
        };
        let (rank, most) = (self.comm.rank(), 8 * numbers.len());
        let children = children(rank, self.comm.size());
        for bytes in self.exchange("a sum", vec![], &from_each(&children, tag::SUM_UP, most))? {
            add(numbers, &bytes);
        }
        if let Some(parent) = parent(rank) {
            let up = vec![Outgoing { to: parent, tag: tag::SUM_UP, bytes: number_bytes(numbers) }];
            let down = self.exchange("a sum", up, &[Incoming { from: parent, tag: tag::SUM_DOWN, most }])?;
            numbers.copy_from_slice(&read_numbers(&down[0]).collect::<Vec<_>>());
        }
        let down = |&to: &usize| Outgoing { to, tag: tag::SUM_DOWN, bytes: number_bytes(numbers) };
        self.exchange("a sum", children.iter().map(down).collect(), &[])?;
        Ok(())
    }

    /// Ends a step on all ranks alike: with everyone's own value, or with the error of the lowest rank that has one. What
    /// the transport refused since the last agreement is one, though it may have passed at the second try. Arguments whose `fingerprint` differs from another rank's are an error too.
    ///
    /// # Errors
    /// [`Error::Rank`] as agreed; [`Error::Timeout`] where a rank did not vote, after which the ranks are out of step.
    pub fn agree<T>(&mut self, result: Result<T>, fingerprint: u64) -> Result<T> {
        let rank = self.comm.rank();
        let result = self.refused.take().map_or(result, Err);
        let failure = result.as_ref().err().map(|error| Failure::of(rank, error));
        let mut vote = Vote { fingerprint, rank, failure, out_of_step: false };
        let children = children(rank, self.comm.size());
        match self.votes(&children, tag::VOTE_UP)? {
            Heard::All(votes) => vote = votes.into_iter().fold(vote, Vote::merge),
            Heard::Late(waited, late) => vote.miss(rank, waited, &late),
        }
        if let Some(error) = self.refused.take() {
            vote.refuse(rank, &error);
        }
        if let Some(parent) = parent(rank) {
            if let Err(error) = self.comm.send(parent, tag::VOTE_UP, Arc::new(vote.write())) {
                vote.refuse(rank, &error);
                self.comm.send(parent, tag::VOTE_UP, Arc::new(vote.write()))?;
            }
            match self.votes(&[parent], tag::VOTE_DOWN)? {
                Heard::All(verdict) => vote = verdict.into_iter().next().unwrap_or(vote),
                Heard::Late(waited, late) => vote.miss(rank, waited, &late),
            }
        }
        let down = |&to: &usize| Outgoing { to, tag: tag::VOTE_DOWN, bytes: vote.write() };
        self.exchange("an agreement", children.iter().map(down).collect(), &[])?;
        match vote.failure {
            Some(Failure { rank, problem, .. }) if vote.out_of_step => {
                Err(Error::Timeout(format!("rank {rank}: {problem}")))
            }
            Some(Failure { rank, status, problem }) => Err(Error::Rank { rank, status, problem }),
            None => result,
        }
    }
}

/// What came of waiting for votes.
enum Heard {
    All(Vec<Vote>),
    /// After so long, these ranks had not voted.
    Late(Duration, Vec<usize>),
}

/// Stands in a vote's place while that is not there yet.
const ALIVE: [u8; 1] = [1];

fn late_ranks(waited: Duration, late: &[usize], doing: &str) -> String {
    let names: Vec<String> = late.iter().map(usize::to_string).collect();
    let whom = if late.is_empty() { "its messages to leave".into() } else { format!("rank {}", names.join(", ")) };
    format!("waited {:.1} s for {whom}, in {doing}", waited.as_secs_f64())
}

fn from_each(ranks: &[usize], tag: u32, most: usize) -> Vec<Incoming> {
    ranks.iter().map(|&from| Incoming { from, tag, most }).collect()
}

/// In a binomial tree with rank 0 on top.
fn parent(rank: usize) -> Option<usize> {
    (rank > 0).then(|| rank & (rank - 1))
}

fn children(rank: usize, size: usize) -> Vec<usize> {
    let lowest = if rank == 0 { usize::BITS } else { rank.trailing_zeros() };
    (0..lowest).map(|bit| rank | 1 << bit).take_while(|&child| child < size).collect()
}

pub(super) fn number_bytes(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()
}

pub(super) fn read_numbers(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks().0.iter().map(|&number| u64::from_ne_bytes(number))
}

#[derive(Clone, Debug, PartialEq)]
struct Failure {
    rank: usize,
    status: oceanStatus_t,
    problem: String,
}

impl Failure {
    fn of(rank: usize, error: &Error) -> Self {
        // What was agreed before keeps the name of the rank that it began with.
        if let Error::Rank { rank, status, problem } = error {
            return Self { rank: *rank, status: *status, problem: problem.clone() };
        }
        Self { rank, status: error.status(), problem: error.to_string() }
    }
}

/// How a step ended on some ranks.
#[derive(Debug)]
struct Vote {
    fingerprint: u64,
    /// The lowest rank of those.
    rank: usize,
    failure: Option<Failure>,
    /// Whether some rank did not vote.
    out_of_step: bool,
}

impl Vote {
    /// All votes are as long, so that receives can be asked for; longer words are cut.
    const BYTES: usize = 512;
    const HEAD: usize = 48;

    /// Some did not come.
    fn miss(&mut self, rank: usize, waited: Duration, late: &[usize]) {
        let status = oceanStatus_t::OCEAN_STATUS_EXECUTION_FAILED;
        self.failure = Some(Failure { rank, status, problem: late_ranks(waited, late, "an agreement") });
        self.out_of_step = true;
    }

    /// The transport refused something of this rank's, whose failures come first among those that it has heard of.
    fn refuse(&mut self, rank: usize, error: &Error) {
        if !self.out_of_step && self.failure.as_ref().is_none_or(|failure| failure.rank > rank) {
            self.failure = Some(Failure::of(rank, error));
        }
    }

    fn merge(self, other: Self) -> Self {
        // Being out of step is worse than anything else.
        let out_of_step = self.out_of_step || other.out_of_step;
        let mut failures = match (self.out_of_step, other.out_of_step) {
            (true, false) => [self.failure, None],
            (false, true) => [None, other.failure],
            _ => [self.failure, other.failure],
        };
        if failures == [None, None] && self.fingerprint != other.fingerprint {
            let problem = format!("its arguments differ from those of rank {}", self.rank);
            failures[1] =
                Some(Failure { rank: other.rank, status: oceanStatus_t::OCEAN_STATUS_INVALID_VALUE, problem });
        }
        let failure = failures.into_iter().flatten().min_by_key(|failure| failure.rank);
        Self { rank: self.rank.min(other.rank), fingerprint: self.fingerprint, failure, out_of_step }
    }

    fn write(&self) -> Vec<u8> {
        let none = Failure { rank: usize::MAX, status: oceanStatus_t::OCEAN_STATUS_SUCCESS, problem: String::new() };
        let Failure { rank, status, problem } = self.failure.as_ref().unwrap_or(&none);
        let mut end = problem.len().min(Self::BYTES - Self::HEAD);
        while !problem.is_char_boundary(end) {
            end -= 1;
        }
        let numbers =
            [self.fingerprint, self.rank as u64, *rank as u64, *status as u64, end as u64, self.out_of_step.into()];
        let mut bytes = number_bytes(&numbers);
        bytes.extend_from_slice(&problem.as_bytes()[..end]);
        bytes.resize(Self::BYTES, 0);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        let broken = || Error::Internal("a vote of another rank cannot be read".into());
        if bytes.len() != Self::BYTES {
            return Err(broken());
        }
        let numbers: Vec<u64> = read_numbers(&bytes[..Self::HEAD]).collect();
        let text = bytes.get(Self::HEAD..Self::HEAD + numbers[4] as usize).ok_or_else(broken)?;
        let failure = Failure {
            rank: numbers[2] as usize,
            status: status(numbers[3]),
            problem: String::from_utf8_lossy(text).into_owned(),
        };
        let failure = (failure.rank != usize::MAX).then_some(failure);
        Ok(Self { fingerprint: numbers[0], rank: numbers[1] as usize, failure, out_of_step: numbers[5] != 0 })
    }
}

/// The status of a number that came from another rank.
fn status(code: u64) -> oceanStatus_t {
    use oceanStatus_t::*;
    let all = [
        OCEAN_STATUS_NOT_INITIALIZED,
        OCEAN_STATUS_ALLOC_FAILED,
        OCEAN_STATUS_INVALID_VALUE,
        OCEAN_STATUS_EXECUTION_FAILED,
        OCEAN_STATUS_NOT_SUPPORTED,
        OCEAN_STATUS_INSUFFICIENT_RESOURCES,
    ];
    all.into_iter().find(|status| *status as u64 == code).unwrap_or(OCEAN_STATUS_INTERNAL_ERROR)
}

#[cfg(test)]
mod tests {
    use super::super::ThreadComm;
    use super::*;

    /// Runs `body` on so many ranks at once.
    fn on_ranks<T: Send>(size: usize, body: impl Fn(Session<'_>) -> T + Sync) -> Vec<T> {
        std::thread::scope(|scope| {
            let run = |mut comm: ThreadComm| {
                let body = &body;
                scope.spawn(move || body(Session::new(&mut comm, Some(Duration::from_secs(20)))))
            };
            let threads: Vec<_> = ThreadComm::world(size, 1).into_iter().map(run).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn the_tree_reaches_everyone_once() {
        for size in 1..=70 {
            let mut reached = vec![0; size];
            for rank in 0..size {
                for child in children(rank, size) {
                    assert_eq!(parent(child), Some(rank));
                    reached[child] += 1;
                }
            }
            assert!(reached[0] == 0 && reached[1..].iter().all(|&times| times == 1), "{size}");
        }
    }

    #[test]
    fn sums_are_the_same_everywhere() {
        for size in [1, 2, 3, 7, 12] {
            let sums = on_ranks(size, |mut session| {
                let mut numbers = [1, session.comm.rank() as u64, 1 << 40];
                session.sum(&mut numbers).unwrap();
                numbers
            });
            let n = size as u64;
            assert!(sums.iter().all(|sum| *sum == [n, n * (n - 1) / 2, n << 40]), "{sums:?}");
        }
    }

    #[test]
    fn one_failure_is_everyones_and_the_next_step_is_whole() {
        let ends = on_ranks(7, |mut session| {
            let failing = session.comm.rank() >= 3 && session.comm.rank() != 4;
            let own = if failing { Err(Error::OutOfMemory { bytes: 5, purpose: "ä" }) } else { Ok(()) };
            (session.agree(own, 1), session.agree(Ok(session.comm.rank()), 2))
        });
        for (rank, (first, second)) in ends.into_iter().enumerate() {
            let error = first.unwrap_err();
            assert_eq!(error.to_string(), "rank 3: out of memory: 5 bytes for ä");
            assert_eq!(error.status(), oceanStatus_t::OCEAN_STATUS_ALLOC_FAILED);
            assert_eq!(second.unwrap(), rank);
        }
    }

    #[test]
    fn arguments_that_differ_are_an_error_everywhere() {
        let ends = on_ranks(5, |mut session| session.agree(Ok(()), u64::from(session.comm.rank() == 3)));
        for end in ends {
            let message = end.unwrap_err().to_string();
            assert!(message.starts_with("rank 3: its arguments differ from those of rank"), "{message}");
        }
    }

    #[test]
    fn who_does_not_come_is_named_by_all_others() {
        let mut ranks = ThreadComm::world(4, 1);
        ranks.remove(1);
        let ends: Vec<Result<()>> = std::thread::scope(|scope| {
            let run = |mut comm: ThreadComm| {
                let timeout = Some(Duration::from_millis(300));
                scope.spawn(move || Session::new(&mut comm, timeout).agree(Ok(()), 0))
            };
            let threads: Vec<_> = ranks.into_iter().map(run).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for end in ends {
            let error = end.unwrap_err();
            assert!(matches!(error, Error::Timeout(_)), "{error:?}");
            let message = error.to_string();
            let words = message.starts_with("rank 0: waited ") && message.ends_with(" s for rank 1, in an agreement");
            assert!(words, "{message}");
        }
    }

    /// Longer than the timeout, by a rank that says that it is alive.
    #[test]
    fn who_is_only_slow_is_waited_for() {
        let ends = std::thread::scope(|scope| {
            let run = |mut comm: ThreadComm| {
                scope.spawn(move || {
                    let mut session = Session::new(&mut comm, Some(Duration::from_millis(800)));
                    let begin = Instant::now();
                    while session.comm.rank() == 3 && begin.elapsed() < Duration::from_millis(2_400) {
                        session.say_alive().unwrap();
                        std::thread::sleep(Duration::from_millis(10));
                    }
                    (session.agree(Ok(()), 0), session.agree(Ok(()), 0))
                })
            };
            let threads: Vec<_> = ThreadComm::world(6, 1).into_iter().map(run).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(ends.iter().all(|end| *end == (Ok(()), Ok(()))), "{ends:?}");
    }
}
