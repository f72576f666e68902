// SPDX-License-Identifier: MIT OR Apache-2.0
//! A limit that the caller sets on what one product takes beyond A, B and C: its buffers, and memory of the handle's
//! allocator.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Place;
use crate::error::{Error, Result};
use crate::memory::{Address, Memory};

/// The share of a limit that the first buffer may have, if it can do with less than all it would like: the rest is for
/// what takes shape only when A and B have been seen.
const FIRST_BUFFER_SHARE: usize = 8;

/// Bytes that the first buffer may have under a limit.
pub fn first_buffer(limit: usize) -> usize {
    limit / FIRST_BUFFER_SHARE
}

/// A limit, and what has been taken.
#[derive(Debug)]
pub struct Budget {
    limit: usize,
    /// The caller's first buffer, and the least that it could have been.
    first: [usize; 2],
    taken: AtomicUsize,
}

impl Budget {
    /// Nothing taken yet but the first buffer.
    ///
    /// # Errors
    /// [`Error::Limit`] if that is too much already.
    pub fn new(limit: usize, first: usize, least_first: usize) -> Result<Arc<Self>> {
        let budget = Self { limit, first: [first, least_first], taken: AtomicUsize::new(0) };
        budget.check(0, "the first buffer")?;
        Ok(Arc::new(budget))
    }

    /// The limit.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Whether so many bytes may be taken.
    ///
    /// # Errors
    /// [`Error::Limit`] tells the least limit under which they could.
    pub fn check(&self, bytes: usize, purpose: &'static str) -> Result<()> {
        let [first, least_first] = self.first;
        let others = self.taken.load(Ordering::Relaxed).saturating_add(bytes);
        if first.saturating_add(others) <= self.limit {
            return Ok(());
        }
        // The first buffer of a larger limit has its share of it, or its least.
        let shared = others.saturating_add(others.div_ceil(FIRST_BUFFER_SHARE - 1));
        let needed = shared.max(others.saturating_add(least_first));
        Err(Error::Limit { limit: self.limit, needed, purpose })
    }

    /// The same as [`Self::within`] while the caller holds so many bytes more for this product.
    pub fn within_beside<T>(
        self: &Arc<Self>,
        bytes: usize,
        place: Place<'_>,
        work: impl FnOnce(Place<'_>) -> Result<T>,
    ) -> Result<T> {
        self.taken.fetch_add(bytes, Ordering::Relaxed);
        let result = self.within(place, work);
        self.taken.fetch_sub(bytes, Ordering::Relaxed);
        result
    }

    /// Does `work` in a place whose memory keeps within the limit.
    pub fn within<T>(self: &Arc<Self>, place: Place<'_>, work: impl FnOnce(Place<'_>) -> Result<T>) -> Result<T> {
        let memory: Arc<dyn Memory> = Arc::new(Limited { memory: Arc::clone(place.memory), budget: Arc::clone(self) });
        let on = place.on.taking_from(&memory);
        work(Place { on: &*on, memory: &memory })
    }
}

struct Limited {
    memory: Arc<dyn Memory>,
    budget: Arc<Budget>,
}

impl Memory for Limited {
    fn allocate(&self, bytes: usize, purpose: &'static str) -> Result<Address> {
        self.budget.check(bytes, purpose)?;
        let address = self.memory.allocate(bytes, purpose)?;
        self.budget.taken.fetch_add(bytes, Ordering::Relaxed);
        Ok(address)
    }

    fn release(&self, address: Address, bytes: usize) {
        self.memory.release(address, bytes);
        self.budget.taken.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{Host, HostMemory};
    use crate::memory::Allocation;

    #[test]
    fn the_limit_counts_what_is_held_and_tells_what_would_do() {
        let memory: Arc<dyn Memory> = Arc::new(HostMemory::default());
        let place = Place { on: &Host, memory: &memory };
        let budget = Budget::new(1_000, 100, 50).unwrap();
        budget
            .within(place, |place| {
                let held = Allocation::new(place.memory, 600, "a test")?;
                let error = Allocation::new(place.memory, 301, "a test").unwrap_err();
                // 901 and an eighth of the whole for the first buffer.
                assert_eq!(error, Error::Limit { limit: 1_000, needed: 1_030, purpose: "a test" });
                assert!(1_030 - first_buffer(1_030) >= 901);
                Allocation::new(place.memory, 300, "a test")?;
                drop(held);
                Allocation::new(place.memory, 900, "a test").map(|_| ())
            })
            .unwrap();
        let beside = |bytes| {
            budget.within_beside(300, place, |place| Allocation::new(place.memory, bytes, "a test").map(|_| ()))
        };
        assert!(beside(601).is_err());
        beside(600).unwrap();
        budget.within(place, |place| Allocation::new(place.memory, 900, "a test").map(|_| ())).unwrap();
    }

    #[test]
    fn a_first_buffer_past_the_limit_is_refused_at_once() {
        let error = Budget::new(10, 200, 200).unwrap_err();
        assert_eq!(error, Error::Limit { limit: 10, needed: 200, purpose: "the first buffer" });
    }
}
