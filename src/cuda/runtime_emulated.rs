// SPDX-License-Identifier: MIT OR Apache-2.0
//! The runtime of a build whose kernels run on the CPU (cfg `ocean_emu`): one device, whose memory is the host's, and
//! streams on which everything is done as soon as it is queued. See `runtime.rs` for what each thing stands for.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Arc;

use super::launched;
use crate::backend::HostLap;
use crate::error::{Error, Result};
use crate::host::HostMemory;
use crate::memory::{Address, Memory};

unsafe extern "C" {
    fn ocean_emulation_launches() -> i64;
    fn ocean_emulation_device_call() -> i32;
    fn ocean_emulation_fail(nth: i64, code: i32, sticky: bool) -> i64;
}

/// Number of `cudaErrorMemoryAllocation`.
const OUT_OF_MEMORY: i32 = 2;

/// What the driver's `call` returns, or what a test wants it to.
fn called(call: &'static str) -> Result<()> {
    // SAFETY: it counts in numbers of the calling thread's.
    launched(call, unsafe { ocean_emulation_device_call() })
}

/// From now on, this thread's `nth` call of the driver, or launch, fails with this CUDA error, and all later ones too if it
/// is `sticky`; none, if `nth` is 0. Returns how many there were so far.
pub fn fail_device_call(nth: u64, code: i32, sticky: bool) -> u64 {
    // SAFETY: it sets numbers of the calling thread's.
    unsafe { ocean_emulation_fail(nth as i64, code, sticky) as u64 }
}

/// Always one.
pub fn devices() -> Result<usize> {
    Ok(1)
}

/// The one device's context.
#[derive(Debug)]
pub struct Context;

impl Context {
    /// The one device's context.
    pub fn for_caller() -> Result<Self> {
        called("cuCtxGetCurrent")?;
        Ok(Self)
    }

    /// Nothing to change.
    pub fn enter(&self) -> Result<Entered> {
        called("cuCtxSetCurrent")?;
        Ok(Entered)
    }

    /// Free memory of the host.
    pub fn available_bytes(&self) -> Result<u64> {
        called("cuMemGetInfo")?;
        crate::backend::Backend::available_bytes(&crate::host::Host)
    }
}

/// Nothing to change back.
#[derive(Debug)]
pub struct Entered;

impl Drop for Entered {
    /// As on a GPU, where the end of it is something that callers choose.
    fn drop(&mut self) {}
}

thread_local! {
    static WAITS: Cell<u64> = const { Cell::new(0) };
}

/// How often this thread would have waited for a GPU so far.
pub fn waits() -> u64 {
    WAITS.get()
}

/// Kernels that this thread has launched so far.
pub fn launches() -> u64 {
    // SAFETY: it reads a number of the calling thread's.
    unsafe { ocean_emulation_launches() as u64 }
}

/// A stream of the caller's, which is not looked at.
#[derive(Clone, Copy, Debug)]
pub struct Stream(pub *mut c_void);

// SAFETY: it is never followed.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

impl Stream {
    /// Copies.
    ///
    /// # Safety
    /// `to` has room for `from`.
    pub unsafe fn write<T: Copy>(self, from: &[T], to: Address) -> Result<()> {
        called("cuMemcpyHtoDAsync")?;
        // SAFETY: the caller's promise; what is borrowed does not overlap with what is written.
        unsafe { to.pointer::<T>().copy_from_nonoverlapping(from.as_ptr(), from.len()) };
        Ok(())
    }

    /// Copies.
    ///
    /// # Safety
    /// Both places have so many bytes, and do not overlap.
    pub unsafe fn copy(self, from: Address, to: Address, bytes: usize) -> Result<()> {
        called("cuMemcpyDtoDAsync")?;
        // SAFETY: the caller's promise.
        unsafe { to.pointer::<u8>().copy_from_nonoverlapping(from.pointer(), bytes) };
        Ok(())
    }

    /// Copies.
    ///
    /// # Safety
    /// `from` holds as many values of `T` as `to` has.
    pub unsafe fn read<T: Copy>(self, from: Address, to: &mut [T]) -> Result<()> {
        called("cuMemcpyDtoHAsync")?;
        called("cuStreamSynchronize")?;
        WAITS.set(WAITS.get() + 1);
        // SAFETY: the caller's promise; what is borrowed does not overlap with what is read.
        unsafe { to.as_mut_ptr().copy_from_nonoverlapping(from.pointer::<T>(), to.len()) };
        Ok(())
    }

    /// The same of two arrays. Waits once.
    ///
    /// # Safety
    /// As of [`Self::read`], for both.
    pub unsafe fn read_both<T: Copy, U: Copy>(
        self,
        one: (Address, &mut [T]),
        other: (Address, &mut [U]),
    ) -> Result<()> {
        if !other.1.is_empty() {
            called("cuMemcpyDtoHAsync")?;
            // SAFETY: the caller's promise; what is borrowed does not overlap with what is read.
            unsafe { other.1.as_mut_ptr().copy_from_nonoverlapping(other.0.pointer::<U>(), other.1.len()) };
        }
        // SAFETY: the caller's promise.
        unsafe { self.read(one.0, one.1) }
    }
}

/// Work on a stream is done when it is queued.
pub type StreamLap = HostLap;

impl StreamLap {
    /// Starts now.
    pub fn on(_context: &Arc<Context>, _stream: Stream) -> Result<Self> {
        Ok(Self::start())
    }
}

/// No streams beside the one there is.
#[derive(Debug)]
pub struct Branches;

impl Branches {
    /// None.
    pub fn new(_context: &Arc<Context>) -> Self {
        Self
    }

    /// Calls `queue` with no streams.
    pub fn side_by_side(
        &self,
        _stream: Stream,
        _count: usize,
        queue: impl FnOnce(&[Stream]) -> Result<()>,
    ) -> Result<()> {
        queue(&[])
    }
}

/// The heap.
#[derive(Clone, Debug)]
pub struct Pool(Arc<HostMemory>);

impl Pool {
    /// The heap.
    pub fn new(_context: &Arc<Context>, _stream: Stream) -> Result<Self> {
        called("cuMemPoolCreate")?;
        Ok(Self(Arc::default()))
    }

    /// The same heap.
    pub fn on_stream(&self, _stream: Stream) -> Self {
        self.clone()
    }
}

impl Memory for Pool {
    fn allocate(&self, bytes: usize, purpose: &'static str) -> Result<Address> {
        match called("cuMemAllocFromPoolAsync") {
            Err(Error::Cuda { code: OUT_OF_MEMORY, .. }) => Err(Error::OutOfMemory { bytes, purpose }),
            called => called.and_then(|()| self.0.allocate(bytes, purpose)),
        }
    }

    fn release(&self, address: Address, bytes: usize) {
        self.0.release(address, bytes);
    }
}
