// SPDX-License-Identifier: MIT OR Apache-2.0
//! One rank's part in a product. The calling thread sends, receives and passes on, and alone touches the transport; the
//! worker beside it computes.
//!
//! Every rank sends all of its own parcels at once; a receiver asks for them a few batches ahead, and no round waits
//! for all ranks. Each parcel is sent and received exactly once, come what may: who cannot send one sends an empty
//! message in its place, which says that the product has failed.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

use super::comm::Ticket;
use super::layout::Block;
use super::plan::Plan;
use super::probe::{Event, Probe};
use super::profile::{Profile, Traffic};
use super::session::{Incoming, Outgoing, Patience, Session, number_bytes, read_numbers, tag};
use super::worker::{Finished, Job, Notice, Piece, Worker};
use super::{Matrix, Need, Operand, Parcel, wire};
use crate::csr::OwnedCsr;
use crate::error::{Error, Result};
use crate::heap::caught;
use crate::scalar::Scalar;

/// Batches whose parcels are asked for: the one that is computed, and the next.
const BATCHES_AHEAD: usize = 2;

type Bytes = Arc<Vec<u8>>;

/// A * B, on every rank its block of C. Collective; `node_of` tells traffic between nodes from that inside.
pub(super) fn run<V: Scalar>(
    session: &mut Session<'_>,
    plan: &Plan,
    a: &Matrix<V>,
    b: &Matrix<V>,
    probe: &dyn Probe,
    node_of: impl Fn(usize) -> usize,
) -> Result<(Matrix<V>, Profile)> {
    let begin = Instant::now();
    let rank = session.comm.rank();
    let packed = caught(|| {
        plan.check(a, b)?;
        probe.at(rank, &Event::Packing)?;
        Ok(pack(plan, rank, a, b))
    });
    let packed = session.agree(packed, 0)?;
    let pack_seconds = begin.elapsed().as_secs_f64();
    let sizes = exchange_sizes(session, plan, &packed)?;

    let c = plan.schedule.c();
    let block = c.block(rank);
    let (rows, cols) = ((block.rows.end - block.rows.start) as usize, (block.cols.end - block.cols.start) as usize);
    let mut profile = Profile { pack_seconds, ..Profile::default() };
    let done = std::thread::scope(|scope| {
        let ((jobs, job_queue), (notices, notice_queue)) = (channel(), channel());
        scope.spawn(move || Worker { rank, rows, cols, probe }.work(&job_queue, &notices));
        let mut reactor = Reactor::new(session, plan, probe, &sizes, (a, b), jobs);
        let result = reactor.turn(packed, &notice_queue);
        for &(from, arrived) in &reactor.received {
            let near = node_of(from) == node_of(rank);
            let traffic = if near { &mut profile.in_node } else { &mut profile.between_nodes };
            traffic.parcels += arrived.parcels;
            traffic.entries += arrived.entries;
            traffic.bytes += arrived.bytes;
        }
        result
    });
    let done = session.agree(done, 0)?;
    let lost = || Error::Internal("a product is missing, and no rank says why".into());
    let Finished { c: block, multiply_seconds, sum_seconds } = done.ok_or_else(lost)?;
    let profile = Profile { multiply_seconds, sum_seconds, seconds: begin.elapsed().as_secs_f64(), ..profile };
    Ok((Matrix { layout: c, block }, profile))
}

/// A rank's own part in a parcel; of it only what the parcel's node wants, if it leaves.
fn own_part<V: Scalar>(plan: &Plan, parcel: &Parcel, (a, b): (&Matrix<V>, &Matrix<V>), leaves: bool) -> OwnedCsr<V> {
    let matrix = if parcel.operand == Operand::A { a } else { b };
    let (whole, part) = (matrix.layout.block(parcel.owner), plan.schedule.block(parcel));
    let inside =
        |part: &Range<u64>, whole: &Range<u64>| (part.start - whole.start) as usize..(part.end - whole.start) as usize;
    let (rows, cols) = (inside(&part.rows, &whole.rows), inside(&part.cols, &whole.cols));
    let wanted = |inner: &Range<usize>| if leaves { plan.wanted(parcel, inner.clone()) } else { None };
    match parcel.operand {
        Operand::A => wire::cut(&matrix.block, rows, cols.clone(), None, wanted(&cols).as_ref()),
        Operand::B => wire::cut(&matrix.block, rows.clone(), cols, wanted(&rows).as_ref(), None),
    }
}

/// All parcels of a rank that go to others, packed. What goes to all alike is packed once.
fn pack<V: Scalar>(plan: &Plan, rank: usize, a: &Matrix<V>, b: &Matrix<V>) -> Vec<(Parcel, Bytes)> {
    let mut shared: HashMap<(Operand, usize), Bytes> = HashMap::new();
    let mut packed = vec![];
    for parcel in plan.schedule.parcels_of(rank) {
        if plan.schedule.next(&parcel, rank).is_empty() {
            continue;
        }
        let pack = || Arc::new(wire::encode(&own_part(plan, &parcel, (a, b), true)));
        let bytes = if plan.filters(parcel.operand) {
            pack()
        } else {
            Arc::clone(shared.entry((parcel.operand, parcel.interval)).or_insert_with(pack))
        };
        packed.push((parcel, bytes));
    }
    packed
}

/// Tells everyone who will get a parcel, in one message, how long each of its parcels is.
fn exchange_sizes(
    session: &mut Session<'_>,
    plan: &Plan,
    packed: &[(Parcel, Bytes)],
) -> Result<HashMap<Parcel, usize>> {
    let (schedule, rank) = (&plan.schedule, session.comm.rank());
    let mut told: HashMap<usize, Vec<(u32, u64)>> = HashMap::new();
    for (parcel, bytes) in packed {
        let leader = Some(schedule.leader(parcel)).filter(|&leader| leader != rank);
        for to in leader.into_iter().chain(schedule.mates(parcel)) {
            told.entry(to).or_default().push((schedule.tag(parcel), bytes.len() as u64));
        }
    }
    let outgoing = told.into_iter().map(|(to, mut sizes)| {
        sizes.sort_unstable();
        let numbers: Vec<u64> = sizes.into_iter().map(|(_, size)| size).collect();
        Outgoing { to, tag: tag::SIZES, bytes: number_bytes(&numbers) }
    });
    let mut heard: HashMap<usize, Vec<Parcel>> = HashMap::new();
    for Need { parcel, from } in schedule.needs(rank) {
        if from.is_some() {
            heard.entry(parcel.owner).or_default().push(parcel);
        }
    }
    let mut heard: Vec<(usize, Vec<Parcel>)> = heard.into_iter().collect();
    heard.iter_mut().for_each(|(_, parcels)| parcels.sort_by_key(|parcel| schedule.tag(parcel)));
    let incoming: Vec<Incoming> = heard
        .iter()
        .map(|(from, parcels)| Incoming { from: *from, tag: tag::SIZES, most: 8 * parcels.len() })
        .collect();
    let arrived = session.exchange("the sizes of parcels", outgoing.collect(), &incoming)?;
    let sizes = heard
        .into_iter()
        .zip(&arrived)
        .flat_map(|((_, parcels), bytes)| parcels.into_iter().zip(read_numbers(bytes).map(|size| size as usize)));
    Ok(sizes.collect())
}

/// A batch on its way.
struct Batch<V> {
    needs: Vec<Need>,
    missing: usize,
    a: Vec<(usize, Piece<V>)>,
    b: Vec<(usize, Piece<V>)>,
}

struct Reactor<'a, 's, V> {
    session: &'a mut Session<'s>,
    plan: &'a Plan,
    probe: &'a dyn Probe,
    rank: usize,
    sizes: &'a HashMap<Parcel, usize>,
    /// Batches in the order in which they are whole.
    order: Vec<usize>,
    batches: Vec<Batch<V>>,
    /// How many of `order` have been asked for.
    asked: usize,
    waiting: HashMap<Ticket, Need>,
    /// How many of `order` the worker has been given.
    handed: usize,
    /// How many it is done with.
    computed: usize,
    jobs: Option<Sender<Job<V>>>,
    /// What came from whom.
    received: Vec<(usize, Traffic)>,
    failure: Option<Error>,
    /// An empty message has come: some other rank knows why.
    poisoned: bool,
}

impl<'a, 's, V: Scalar> Reactor<'a, 's, V> {
    fn new(
        session: &'a mut Session<'s>,
        plan: &'a Plan,
        probe: &'a dyn Probe,
        sizes: &'a HashMap<Parcel, usize>,
        operands: (&Matrix<V>, &Matrix<V>),
        jobs: Sender<Job<V>>,
    ) -> Self {
        let (schedule, rank) = (&plan.schedule, session.comm.rank());
        let seat = schedule.grid().seat(rank);
        let order = schedule.batch_order(seat.node_row, seat.node_col);
        let none = || Batch { needs: vec![], missing: 0, a: vec![], b: vec![] };
        let mut batches: Vec<Batch<V>> = (0..schedule.batches()).map(|_| none()).collect();
        let mut reactor = Self {
            session,
            plan,
            probe,
            rank,
            sizes,
            order,
            batches: vec![],
            asked: 0,
            waiting: HashMap::new(),
            handed: 0,
            computed: 0,
            jobs: Some(jobs),
            received: vec![],
            failure: None,
            poisoned: false,
        };
        for need in schedule.needs(rank) {
            let batch = &mut batches[need.parcel.interval / schedule.per_batch];
            if need.from.is_none() {
                let begin = reactor.begin(&need.parcel);
                let pieces = if need.parcel.operand == Operand::A { &mut batch.a } else { &mut batch.b };
                match caught(|| Ok(own_part(plan, &need.parcel, operands, false))) {
                    Ok(part) => pieces.push((begin, Piece::Own(part))),
                    // The others still get what they wait for.
                    Err(error) => reactor.failure = Some(error),
                }
            } else if reactor.size(&need.parcel) > 0 {
                batch.missing += 1;
                batch.needs.push(need);
            }
        }
        reactor.batches = batches;
        reactor
    }

    fn size(&self, parcel: &Parcel) -> usize {
        self.sizes.get(parcel).copied().unwrap_or(0)
    }

    /// Where a parcel begins in its batch's panel.
    fn begin(&self, parcel: &Parcel) -> usize {
        let schedule = &self.plan.schedule;
        let batch = schedule.batch(parcel.interval / schedule.per_batch);
        let Block { rows, cols } = schedule.block(parcel);
        let inner = if parcel.operand == Operand::A { cols } else { rows };
        (inner.start - schedule.intervals.span(batch).start) as usize
    }

    fn send(&mut self, parcel: &Parcel, bytes: &Bytes) -> Result<()> {
        for to in self.plan.schedule.next(parcel, self.rank) {
            self.session.send(to, tag::PARCELS + self.plan.schedule.tag(parcel), bytes)?;
        }
        Ok(())
    }

    /// Asks for the parcels of all batches up to the `count`th of the order.
    fn ask(&mut self, count: usize) -> Result<()> {
        while self.asked < count.min(self.order.len()) {
            let needs = self.batches[self.order[self.asked]].needs.clone();
            for need in needs {
                let Some(from) = need.from else { continue };
                let (tag, size) = (tag::PARCELS + self.plan.schedule.tag(&need.parcel), self.size(&need.parcel));
                let ticket = self.session.receive(from, tag, size)?;
                self.waiting.insert(ticket, need);
            }
            self.asked += 1;
        }
        Ok(())
    }

    /// Hands whole batches to the worker, in their order.
    fn hand_over(&mut self) {
        while let Some(&at) = self.order.get(self.handed)
            && self.handed < self.asked
            && self.batches[at].missing == 0
        {
            let schedule = &self.plan.schedule;
            let inner = schedule.intervals.span(schedule.batch(at));
            let batch = &mut self.batches[at];
            let job = Job { batch: at, inner, a: std::mem::take(&mut batch.a), b: std::mem::take(&mut batch.b) };
            match &self.jobs {
                // A worker that is gone has said why.
                Some(jobs) if !self.poisoned => drop(jobs.send(job)),
                _ => self.computed += 1,
            }
            self.handed += 1;
        }
        if self.handed == self.order.len() {
            self.jobs = None; // the worker sums up
        }
    }

    fn arrived(&mut self, need: Need, bytes: Vec<u8>) -> Result<()> {
        let Need { parcel, from } = need;
        let bytes = Arc::new(bytes);
        if self.plan.schedule.leader(&parcel) == self.rank {
            self.send(&parcel, &bytes)?;
        }
        self.poisoned |= bytes.is_empty();
        let event = Event::Arrived { parcel, from: from.unwrap_or(self.rank), bytes: bytes.len() };
        let traffic = Traffic { parcels: 1, entries: wire::entries(&bytes), bytes: bytes.len() as u64 };
        self.received.push((from.unwrap_or(self.rank), traffic));
        if let Err(error) = caught(|| self.probe.at(self.rank, &event)) {
            self.failure.get_or_insert(error);
        }
        let begin = self.begin(&parcel);
        let Block { rows, cols } = self.plan.schedule.block(&parcel);
        let (rows, cols) = ((rows.end - rows.start) as usize, (cols.end - cols.start) as usize);
        let batch = &mut self.batches[parcel.interval / self.plan.schedule.per_batch];
        batch.missing -= 1;
        if !bytes.is_empty() {
            let piece = (begin, Piece::Packed { bytes, rows, cols });
            if parcel.operand == Operand::A { batch.a.push(piece) } else { batch.b.push(piece) }
        }
        Ok(())
    }

    /// The event loop, to its end; nothing if another rank has failed. An error of the transport itself leaves it at
    /// once; all others wait until this rank has sent and passed on all that others wait for.
    fn turn(&mut self, packed: Vec<(Parcel, Bytes)>, notices: &Receiver<Notice<V>>) -> Result<Option<Finished<V>>> {
        for (parcel, bytes) in packed.iter().filter(|(_, bytes)| !bytes.is_empty()) {
            self.send(parcel, bytes)?;
        }
        drop(packed);
        let (mut finished, mut gone) = (None, false);
        let mut patience = Patience::new(self.session.timeout);
        loop {
            self.session.say_alive()?;
            let failed = self.poisoned || self.failure.is_some();
            self.ask(if failed { usize::MAX } else { self.computed + BATCHES_AHEAD })?;
            self.hand_over();
            let mut moved = false;
            for (ticket, bytes) in self.session.poll()? {
                if let Some(need) = self.waiting.remove(&ticket) {
                    self.arrived(need, bytes)?;
                    moved = true;
                }
            }
            while !gone {
                match notices.try_recv() {
                    Ok(Notice::Done) => self.computed += 1,
                    Ok(Notice::Failed(error)) => self.failure = Some(error),
                    Ok(Notice::C(c)) => finished = Some(c),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => gone = true,
                }
                moved = true;
            }
            let all_handed = self.handed == self.order.len();
            if gone && all_handed && self.session.comm.sending() == 0 {
                break;
            }
            if moved {
                patience.moved();
            } else if let Some(waited) = patience.pause() {
                // While the worker is busy, nobody is late.
                if self.handed == self.computed && (gone || !all_handed) {
                    self.give_up(waited)?;
                    break;
                }
            }
        }
        match self.failure.take() {
            Some(error) => Err(error),
            None => Ok(finished.filter(|_| !self.poisoned)),
        }
    }

    /// Nothing has moved for too long: says who is waited for, and lets those go on that wait for this rank.
    fn give_up(&mut self, waited: Duration) -> Result<()> {
        const NAMED: usize = 4;
        let mut late: Vec<&Need> = self.waiting.values().collect();
        late.sort_by_key(|need| (need.parcel.interval, need.parcel.operand));
        let name = |need: &&Need| {
            let Need { parcel, from } = need;
            format!("{:?} of interval {} from rank {}", parcel.operand, parcel.interval, from.unwrap_or(self.rank))
        };
        let mut names: Vec<String> = late.iter().take(NAMED).map(name).collect();
        if late.len() > NAMED {
            names.push(format!("{} more", late.len() - NAMED));
        }
        if names.is_empty() {
            names.push(format!("{} messages to leave", self.session.comm.sending()));
        }
        let seconds = waited.as_secs_f64();
        self.failure = Some(Error::Timeout(format!("waited {seconds:.1} s for {}", names.join(", "))));
        self.jobs = None;
        let owed: Vec<Parcel> = late.iter().map(|need| need.parcel).collect();
        self.ask(usize::MAX)?;
        let asked_now = self.waiting.values().map(|need| need.parcel).filter(|parcel| !owed.contains(parcel));
        let owed: Vec<Parcel> = owed.iter().copied().chain(asked_now).collect();
        for parcel in owed {
            if self.plan.schedule.leader(&parcel) == self.rank {
                self.send(&parcel, &Arc::new(vec![]))?;
            }
        }
        self.session.comm.abandon();
        Ok(())
    }
}
