// SPDX-License-Identifier: MIT OR Apache-2.0
//! Host memory for what the library allocates itself.

use std::alloc::{Layout, alloc, dealloc};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Error, Result};
use crate::memory::{ALIGNMENT, Address, Memory};

/// The default allocator of host handles: the process's heap, counted.
#[derive(Debug, Default)]
pub struct HostMemory {
    live: AtomicUsize,
}

impl HostMemory {
    /// Bytes given out and not taken back.
    pub fn live_bytes(&self) -> usize {
        self.live.load(Ordering::Relaxed)
    }
}

impl Memory for HostMemory {
    fn allocate(&self, bytes: usize, purpose: &'static str) -> Result<Address> {
        let layout = Layout::from_size_align(bytes, ALIGNMENT).map_err(|_| Error::OutOfMemory { bytes, purpose })?;
        // SAFETY: `Allocation` never asks for 0 bytes.
        let pointer = unsafe { alloc(layout) };
        if pointer.is_null() {
            return Err(Error::OutOfMemory { bytes, purpose });
        }
        want_huge_pages(pointer, bytes);
        self.live.fetch_add(bytes, Ordering::Relaxed);
        Ok(pointer.into())
    }

    fn release(&self, address: Address, bytes: usize) {
        self.live.fetch_sub(bytes, Ordering::Relaxed);
        // SAFETY: `allocate` gave this address for these bytes, and the layout was valid then.
        unsafe { dealloc(address.pointer(), Layout::from_size_align_unchecked(bytes, ALIGNMENT)) };
    }
}

/// From so many bytes on, memory is asked for in huge pages, as numpy does: a page fault less for each 512 pages. What it
/// gains was not told from the noise.
const HUGE_FROM: usize = 4 << 20;

/// Asks for huge pages where the system has them for the asking; where it has not, nothing changes.
fn want_huge_pages(pointer: *mut u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    if bytes >= HUGE_FROM {
        let skipped = pointer.align_offset(HUGE_FROM / 2);
        // SAFETY: advice on memory that was just allocated, from its first huge page on; contents stay as they are.
        unsafe { libc::madvise(pointer.wrapping_add(skipped).cast(), bytes - skipped, libc::MADV_HUGEPAGE) };
    }
}

/// Memory that the system could give now; without such a figure, no limit.
pub fn available_bytes() -> u64 {
    let kib = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    kib.map_or(u64::MAX, |kib| kib.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Allocation;
    use std::sync::Arc;

    #[test]
    fn memory_is_aligned_counted_and_given_back() {
        let heap = Arc::new(HostMemory::default());
        let memory: Arc<dyn Memory> = heap.clone();
        let allocation = Allocation::new(&memory, 1_000, "a test").unwrap();
        assert_eq!(allocation.address().0 % ALIGNMENT, 0);
        assert_eq!(heap.live_bytes(), 1_000);
        drop(allocation);
        assert_eq!(heap.live_bytes(), 0);
        let error = Allocation::new(&memory, usize::MAX / 2, "a test").unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { purpose: "a test", .. }), "{error}");
    }

    #[test]
    fn this_machine_has_memory() {
        assert!(available_bytes() > 1 << 20);
    }
}
