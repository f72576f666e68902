// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices, contexts, streams and memory, by the CUDA driver that is loaded when the first handle asks for it.
//!
//! Launches go through the CUDA runtime inside this library, which works in whatever context is current; so every use
//! of the device stands between [`Context::enter`] and the end of what it returns, and the caller's own current context
//! is as before afterwards. `runtime_emulated.rs` is the same for a build whose kernels run on the CPU.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use crate::backend::Lap;
use crate::error::{Error, Result};
use crate::memory::{Address, Memory};

/// GPUs that a handle could be made for: 0 without a driver, or with one that sees none.
///
/// # Errors
/// [`Error::Cuda`] if there is a driver and it cannot start.
pub fn devices() -> Result<usize> {
    if !driver_is_present() {
        return Ok(0);
    }
    match result::init() {
        Err(DriverError(sys::CUresult::CUDA_ERROR_NO_DEVICE | sys::CUresult::CUDA_ERROR_STUB_LIBRARY)) => Ok(0),
        started => {
            checked("cuInit", started)?;
            Ok(checked("cuDeviceGetCount", result::device::get_count())? as usize)
        }
    }
}

/// Everything else in cudarc panics without the driver's library, so this is asked first.
fn driver_is_present() -> bool {
    static PRESENT: OnceLock<bool> = OnceLock::new();
    // SAFETY: opens the library, whose constructors are the driver's own.
    *PRESENT.get_or_init(|| unsafe { sys::is_culib_present() })
}

/// What a driver call returned, with its name in the error.
fn checked<T>(call: &'static str, result: std::result::Result<T, DriverError>) -> Result<T> {
    result.map_err(|error| {
        let name = error.error_name().map_or("unknown".into(), |name| name.to_string_lossy().into_owned());
        Error::Cuda { call, code: error.0 as i32, name }
    })
}

/// The context that a handle works in.
#[derive(Debug)]
pub struct Context {
    raw: sys::CUcontext,
    device: sys::CUdevice,
}

// SAFETY: the driver's contexts may be used from any thread.
unsafe impl Send for Context {}
// SAFETY: as above; nothing here changes after construction.
unsafe impl Sync for Context {}

impl Context {
    /// The calling thread's current context: what its pointers and streams belong to. A thread that has none gets the
    /// first device's primary context, as from the CUDA runtime.
    ///
    /// # Errors
    /// [`Error::NoDevice`] without a GPU; [`Error::Cuda`] if the driver refuses.
    pub fn for_caller() -> Result<Self> {
        if devices()? == 0 {
            let reason =
                if driver_is_present() { "the driver sees none" } else { "no driver (libcuda.so.1) is installed" };
            return Err(Error::NoDevice { reason });
        }
        let current = checked("cuCtxGetCurrent", result::ctx::get_current())?;
        let Some(raw) = current else {
            let device = checked("cuDeviceGet", result::device::get(0))?;
            return Ok(Self { raw: primary(device)?, device });
        };
        let (mut device, mut flags, mut active) = (0, 0, 0);
        // SAFETY: some context is current.
        checked("cuCtxGetDevice", unsafe { sys::cuCtxGetDevice(&raw mut device) }.result())?;
        // SAFETY: the device comes from the driver.
        let state = unsafe { sys::cuDevicePrimaryCtxGetState(device, &raw mut flags, &raw mut active) };
        checked("cuDevicePrimaryCtxGetState", state.result())?;
        if active != 0 {
            primary(device)?; // most likely the one in question, which then outlives who made it
        }
        Ok(Self { raw, device })
    }

    /// Makes this the thread's current context until the result is dropped.
    pub fn enter(&self) -> Result<Entered> {
        let before = checked("cuCtxGetCurrent", result::ctx::get_current())?.unwrap_or(std::ptr::null_mut());
        if before != self.raw {
            // SAFETY: the context is alive: retained, or the caller's, who has to keep it.
            checked("cuCtxSetCurrent", unsafe { result::ctx::set_current(self.raw) })?;
        }
        Ok(Entered { before, changed: before != self.raw, thread: PhantomData })
    }

    /// Free memory of the device.
    pub fn available_bytes(&self) -> Result<u64> {
        let _current = self.enter()?;
        Ok(checked("cuMemGetInfo", result::mem_get_info())?.0 as u64)
    }
}

/// A device's primary context, retained once and for the rest of the process, as the CUDA runtime does: released with
/// the last handle of one thread, it would go while another thread's first launch sets up the runtime in it.
fn primary(device: sys::CUdevice) -> Result<sys::CUcontext> {
    static RETAINED: Mutex<BTreeMap<sys::CUdevice, usize>> = Mutex::new(BTreeMap::new());
    let mut retained = RETAINED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&raw) = retained.get(&device) {
        return Ok(raw as sys::CUcontext);
    }
    // SAFETY: the device comes from the driver.
    let raw = checked("cuDevicePrimaryCtxRetain", unsafe { result::primary_ctx::retain(device) })?;
    retained.insert(device, raw as usize);
    Ok(raw)
}

/// While this lives, the context is the thread's.
#[derive(Debug)]
pub struct Entered {
    before: sys::CUcontext,
    changed: bool,
    thread: PhantomData<*const ()>, // stays on its thread
}

impl Drop for Entered {
    fn drop(&mut self) {
        if self.changed {
            // SAFETY: it was current when this thread entered; NULL is no context.
            let _ = unsafe { result::ctx::set_current(self.before) };
        }
    }
}

/// A stream of the caller's; NULL is CUDA's default stream.
#[derive(Clone, Copy, Debug)]
pub struct Stream(pub *mut c_void);

// SAFETY: streams may be used from any thread.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

impl Stream {
    fn raw(self) -> sys::CUstream {
        self.0.cast()
    }

    fn is_captured(self) -> bool {
        let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        // SAFETY: the caller's stream, and room for the answer.
        let asked = unsafe { sys::cuStreamIsCapturing(self.raw(), &raw mut status) }.result();
        asked.is_err() || status != sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE
    }

    /// Queues a copy to the device; `from` may be used again at once.
    ///
    /// # Safety
    /// The stream's context is entered, and `to` has room for `from` in device memory.
    pub unsafe fn write<T: Copy>(self, from: &[T], to: Address) -> Result<()> {
        // SAFETY: the caller's promise; from pageable memory the driver returns when it has taken a copy.
        checked("cuMemcpyHtoDAsync", unsafe { result::memcpy_htod_async(to.0 as u64, from, self.raw()) })
    }

    /// Queues a copy within the device's memory.
    ///
    /// # Safety
    /// The stream's context is entered; both places have so many bytes of device memory, and do not overlap.
    pub unsafe fn copy(self, from: Address, to: Address, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        let queued = unsafe { result::memcpy_dtod_async(to.0 as u64, from.0 as u64, bytes, self.raw()) };
        checked("cuMemcpyDtoDAsync", queued)
    }

    /// Waits for all work of the stream, and copies from the device.
    ///
    /// # Safety
    /// The stream's context is entered, and `from` holds as many values of `T` in device memory as `to` has.
    pub unsafe fn read<T: Copy>(self, from: Address, to: &mut [T]) -> Result<()> {
        // SAFETY: the caller's promise; `to` is borrowed until the stream has got here.
        unsafe {
            checked("cuMemcpyDtoHAsync", result::memcpy_dtoh_async(to, from.0 as u64, self.raw()))?;
            checked("cuStreamSynchronize", result::stream::synchronize(self.raw()))
        }
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
            // SAFETY: the caller's promise; it is borrowed until the stream has got here.
            let queued = unsafe { result::memcpy_dtoh_async(other.1, other.0.0 as u64, self.raw()) };
            checked("cuMemcpyDtoHAsync", queued)?;
        }
        // SAFETY: the caller's promise.
        unsafe { self.read(one.0, one.1) }
    }
}

/// Streams of a handle's own, for work that runs beside that of its stream.
#[derive(Debug)]
pub struct Branches {
    context: Arc<Context>,
    made: Mutex<Vec<Branch>>,
}

#[derive(Debug)]
struct Branch {
    stream: Stream,
    /// What others wait for: where it leaves the handle's stream, where it ends.
    ends: [sys::CUevent; 2],
}

// SAFETY: streams and events may be used from any thread.
unsafe impl Send for Branch {}

impl Branches {
    /// None yet: most handles never need one.
    pub fn new(context: &Arc<Context>) -> Self {
        Self { context: Arc::clone(context), made: Mutex::new(Vec::new()) }
    }

    /// Calls `queue` with up to `count` streams whose work begins after all that `stream` has now, and makes `stream` wait
    /// for theirs; with none while another thread uses them, or while `stream` is captured: a captured stream keeps those
    /// that it has met.
    pub fn side_by_side(
        &self,
        stream: Stream,
        count: usize,
        queue: impl FnOnce(&[Stream]) -> Result<()>,
    ) -> Result<()> {
        let Ok(mut made) = self.made.try_lock() else { return queue(&[]) };
        let _current = self.context.enter()?;
        if count == 0 || stream.is_captured() {
            return queue(&[]);
        }
        while made.len() < count {
            made.push(Branch::new()?);
        }
        let branches = &made[..count];
        // SAFETY: live streams and events of the context that is entered; the caller keeps `stream`.
        let waits = |on: Stream, event| unsafe { result::stream::wait_event(on.raw(), event, WAIT_AS_USUAL) };
        // SAFETY: as above.
        let record = |event, on: Stream| unsafe { result::event::record(event, on.raw()) };
        let [leaves, _] = branches[0].ends;
        checked("cuEventRecord", record(leaves, stream))?;
        for branch in branches {
            checked("cuStreamWaitEvent", waits(branch.stream, leaves))?;
        }
        let streams: Vec<Stream> = branches.iter().map(|branch| branch.stream).collect();
        let queued = queue(&streams);
        // Also after an error: whatever was queued uses memory that `stream` will free.
        branches.iter().fold(queued, |ended, Branch { stream: branch, ends: [_, end] }| {
            let joined = checked("cuEventRecord", record(*end, *branch))
                .and_then(|()| checked("cuStreamWaitEvent", waits(stream, *end)));
            ended.and(joined)
        })
    }
}

const WAIT_AS_USUAL: sys::CUevent_wait_flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;

impl Branch {
    fn new() -> Result<Self> {
        let kind = result::stream::StreamKind::NonBlocking;
        let untimed = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING;
        let stream = Stream(checked("cuStreamCreate", result::stream::create(kind))?.cast());
        let event = || checked("cuEventCreate", result::event::create(untimed));
        Ok(Self { stream, ends: [event()?, event()?] })
    }
}

impl Drop for Branches {
    fn drop(&mut self) {
        let Ok(_current) = self.context.enter() else { return };
        for Branch { stream, ends } in self.made.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // SAFETY: made by `Branch::new`, and nobody has them any more; the driver lets work that is queued end. A failure
            // means that the context is gone, and they with it.
            unsafe {
                let _ = result::stream::destroy(stream.raw());
                let _ = ends.map(|event| result::event::destroy(event));
            }
        }
    }
}

/// Work on a stream, between two events.
#[derive(Debug)]
pub struct StreamLap {
    context: Arc<Context>,
    stream: Stream,
    ends: [sys::CUevent; 2],
}

// SAFETY: events may be used from any thread.
unsafe impl Send for StreamLap {}
// SAFETY: as above.
unsafe impl Sync for StreamLap {}

impl StreamLap {
    /// From what the stream has now.
    pub fn on(context: &Arc<Context>, stream: Stream) -> Result<Self> {
        let _current = context.enter()?;
        let event = || checked("cuEventCreate", result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT));
        let lap = Self { context: Arc::clone(context), stream, ends: [event()?, event()?] };
        lap.record(lap.ends[0])?;
        Ok(lap)
    }

    fn record(&self, event: sys::CUevent) -> Result<()> {
        let _current = self.context.enter()?;
        // SAFETY: a live event of the context that is entered; the caller keeps the stream.
        checked("cuEventRecord", unsafe { result::event::record(event, self.stream.raw()) })
    }
}

impl Lap for StreamLap {
    fn stop(&mut self) -> Result<()> {
        self.record(self.ends[1])
    }

    fn milliseconds(&self) -> Result<f64> {
        let _current = self.context.enter()?;
        let [start, end] = self.ends;
        // SAFETY: live events, both recorded.
        let elapsed = unsafe {
            checked("cuEventSynchronize", result::event::synchronize(end))?;
            result::event::elapsed(start, end)
        };
        checked("cuEventElapsedTime", elapsed).map(f64::from)
    }
}

impl Drop for StreamLap {
    fn drop(&mut self) {
        let Ok(_current) = self.context.enter() else { return };
        // SAFETY: made by `on`, and nobody has them any more. A failure means that the context is gone, and they with it.
        let _ = self.ends.map(|event| unsafe { result::event::destroy(event) });
    }
}

/// The driver's pool. The last that holds it gives its free memory back, and leaves it to the next handle.
#[derive(Debug)]
struct DriverPool {
    context: Arc<Context>,
    raw: sys::CUmemoryPool,
}

// SAFETY: pools may be used from any thread.
unsafe impl Send for DriverPool {}
// SAFETY: as above.
unsafe impl Sync for DriverPool {}

/// Pools that no handle has, by device. A pool is never destroyed: with frees of its memory still queued, that crashes
/// or hangs other threads in the driver (580.159.04), and waiting for them would make the end of a handle wait.
static IDLE_POOLS: Mutex<BTreeMap<sys::CUdevice, Vec<usize>>> = Mutex::new(BTreeMap::new());

impl DriverPool {
    fn idle(device: sys::CUdevice) -> Option<sys::CUmemoryPool> {
        let mut idle = IDLE_POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        idle.get_mut(&device)?.pop().map(|raw| raw as sys::CUmemoryPool)
    }
}

impl Drop for DriverPool {
    fn drop(&mut self) {
        // SAFETY: made by `Pool::new`. Only memory that nobody uses goes; what is still queued stays for the next trim.
        let _ = unsafe { result::mem_pool::trim_to(self.raw, 0) };
        let mut idle = IDLE_POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        idle.entry(self.context.device).or_default().push(self.raw as usize);
    }
}

/// The default allocator of CUDA handles: a pool that is the handle's own while it lives, in the order of one stream. It
/// keeps what it was given back, for any of its streams.
#[derive(Clone, Debug)]
pub struct Pool {
    shared: Arc<DriverPool>,
    stream: Stream,
}

impl Pool {
    /// A pool on the context's device.
    pub fn new(context: &Arc<Context>, stream: Stream) -> Result<Self> {
        if let Some(raw) = DriverPool::idle(context.device) {
            return Ok(Self { shared: Arc::new(DriverPool { context: Arc::clone(context), raw }), stream });
        }
        let location =
            sys::CUmemLocation { type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE, id: context.device };
        let properties = sys::CUmemPoolProps {
            allocType: sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
            handleTypes: sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
            location,
            win32SecurityAttributes: std::ptr::null_mut(),
            maxSize: 0,
            usage: 0,
            reserved: [0; 54],
        };
        // SAFETY: the properties are complete.
        let raw = checked("cuMemPoolCreate", unsafe { result::mem_pool::create(&raw const properties) })?;
        let shared = Arc::new(DriverPool { context: Arc::clone(context), raw });
        let mut kept = u64::MAX; // by default every synchronisation gives free memory back to the system
        let attribute = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        // SAFETY: this attribute is a 64-bit number.
        let set = unsafe { result::mem_pool::set_attribute(raw, attribute, (&raw mut kept).cast()) };
        checked("cuMemPoolSetAttribute", set)?;
        Ok(Self { shared, stream })
    }

    /// The same memory in the order of another stream.
    pub fn on_stream(&self, stream: Stream) -> Self {
        Self { shared: Arc::clone(&self.shared), stream }
    }
}

impl Memory for Pool {
    fn allocate(&self, bytes: usize, purpose: &'static str) -> Result<Address> {
        let _current = self.shared.context.enter()?;
        // SAFETY: the pool and the caller's stream are alive.
        match unsafe { result::mem_pool::alloc_async(self.shared.raw, bytes, self.stream.raw()) } {
            Err(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => Err(Error::OutOfMemory { bytes, purpose }),
            allocated => Ok(Address(checked("cuMemAllocFromPoolAsync", allocated)? as usize)),
        }
    }

    fn release(&self, address: Address, _bytes: usize) {
        let Ok(_current) = self.shared.context.enter() else { return };
        // SAFETY: `allocate` gave this address. A failure here means that the context is gone, and the memory with it.
        let _ = unsafe { result::free_async(address.0 as u64, self.stream.raw()) };
    }
}
