// SPDX-License-Identifier: MIT OR Apache-2.0
//! The GPU: context, one stream, one pool of memory that counts what is taken, and copies.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use cudarc::driver::result::{self, stream::StreamKind};
use cudarc::driver::sys;

use super::trouble::{Result, Trouble, driver};
use crate::failure::{Failure, Result as CommandResult};

/// The first device, in its primary context, which stays this thread's current one until the process ends. Neither the
/// context nor the pool is ever destroyed: the libraries under test may still have work queued.
pub struct Device {
    pub name: String,
    /// Of the driver, as nvidia-smi shows it.
    pub driver: String,
    /// The CUDA version that the driver supports.
    pub cuda: String,
    stream: sys::CUstream,
    pool: sys::CUmemoryPool,
    /// Bytes that are taken now, and the most since `watch`.
    live: AtomicUsize,
    peak: AtomicUsize,
    thread: PhantomData<*const ()>, // the context is current on this one
}

impl Device {
    pub fn open() -> CommandResult<Self> {
        // SAFETY: opens the library, whose constructors are the driver's own. Everything else in cudarc panics
        // without it.
        if !unsafe { sys::is_culib_present() } {
            return Err(Failure::refused("bench needs an NVIDIA GPU, and no driver (libcuda.so.1) is installed"));
        }
        match result::init() {
            Err(result::DriverError(sys::CUresult::CUDA_ERROR_NO_DEVICE | sys::CUresult::CUDA_ERROR_STUB_LIBRARY)) => {
                return Err(Failure::refused("bench needs an NVIDIA GPU, and the driver sees none"));
            }
            started => driver("cuInit", started)?,
        }
        if driver("cuDeviceGetCount", result::device::get_count())? == 0 {
            return Err(Failure::refused("bench needs an NVIDIA GPU, and the driver sees none"));
        }
        let device = driver("cuDeviceGet", result::device::get(0))?;
        // SAFETY: the device comes from the driver, and its primary context is retained and never released.
        unsafe {
            let context = driver("cuDevicePrimaryCtxRetain", result::primary_ctx::retain(device))?;
            driver("cuCtxSetCurrent", result::ctx::set_current(context))?;
        }
        // Not a non-blocking stream: a library that copies on the default stream must keep its order with ours.
        let stream = driver("cuStreamCreate", result::stream::create(StreamKind::Default))?;
        let mut version = 0;
        // SAFETY: the address of a local.
        driver("cuDriverGetVersion", unsafe { sys::cuDriverGetVersion(&raw mut version) }.result())?;
        Ok(Self {
            name: driver("cuDeviceGetName", result::device::get_name(device))?,
            driver: driver_version(),
            cuda: format!("{}.{}", version / 1000, version % 1000 / 10),
            stream,
            pool: pool(device)?,
            live: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            thread: PhantomData,
        })
    }

    /// The stream that all work is queued on, as the libraries' headers type it.
    pub fn stream<T>(&self) -> *mut T {
        self.stream.cast()
    }

    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the stream is never destroyed.
        driver("cuStreamSynchronize", unsafe { result::stream::synchronize(self.stream) })
    }

    /// Memory in the order of the stream; of at least a few bytes, so that it has an address.
    pub fn allocate(&self, bytes: usize) -> Result<Block<'_>> {
        Ok(Block { device: self, address: self.take(bytes)?, bytes })
    }

    pub fn take(&self, bytes: usize) -> Result<sys::CUdeviceptr> {
        // SAFETY: pool and stream are never destroyed.
        let taken = unsafe { result::mem_pool::alloc_async(self.pool, bytes.max(16), self.stream) };
        let address = driver("cuMemAllocFromPoolAsync", taken)
            .map_err(|trouble| Trouble { detail: format!("no {bytes} bytes of device memory"), ..trouble })?;
        let live = self.live.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(live, Ordering::Relaxed);
        Ok(address)
    }

    /// # Safety
    /// `take` gave this address for so many bytes, and nothing uses it but work that is queued already.
    pub unsafe fn give(&self, address: sys::CUdeviceptr, bytes: usize) {
        // SAFETY: the caller's promise. A failure means that the context is broken, which the next call reports.
        let _ = unsafe { result::free_async(address, self.stream) };
        self.live.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Bytes that are taken now.
    pub fn live(&self) -> usize {
        self.live.load(Ordering::Relaxed)
    }

    /// Counts the peak anew, and tells what is taken now.
    pub fn watch(&self) -> usize {
        let live = self.live();
        self.peak.store(live, Ordering::Relaxed);
        live
    }

    /// The most that was taken at a time since `watch`.
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    /// Gives what the pool keeps free back to the device, for allocations outside the pool and other sizes.
    pub fn trim(&self) -> Result<()> {
        self.synchronize()?;
        // SAFETY: the pool is never destroyed, and memory in use stays.
        driver("cuMemPoolTrimTo", unsafe { result::mem_pool::trim_to(self.pool, 0) })
    }

    /// Bytes per second that a copy on the device reads and writes together.
    pub fn copy_bandwidth(&self) -> Result<f64> {
        const MOST_BYTES: usize = 1 << 30;
        const COPIES: usize = 10;
        let (free, _) = driver("cuMemGetInfo", result::mem_get_info())?;
        let bytes = MOST_BYTES.min(free / 8);
        let (from, to) = (self.allocate(bytes)?, self.allocate(bytes)?);
        let mut best = f64::INFINITY;
        for _ in 0..8 {
            let begin = Instant::now();
            for _ in 0..COPIES {
                // SAFETY: both blocks are of that size, alive, and of the stream's order.
                let copied = unsafe { result::memcpy_dtod_async(to.address, from.address, bytes, self.stream) };
                driver("cuMemcpyDtoDAsync", copied)?;
            }
            self.synchronize()?;
            best = best.min(begin.elapsed().as_secs_f64() / COPIES as f64);
        }
        Ok(2.0 * bytes as f64 / best)
    }
}

/// A pool that keeps what it is given back: allocation is cheap after the first time.
fn pool(device: sys::CUdevice) -> Result<sys::CUmemoryPool> {
    let location = sys::CUmemLocation { type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE, id: device };
    let properties = sys::CUmemPoolProps {
        allocType: sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        handleTypes: sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
        location,
        win32SecurityAttributes: std::ptr::null_mut(),
        maxSize: 0,
        usage: 0,
        reserved: [0; 54],
    };
    let mut kept = u64::MAX;
    let attribute = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    // SAFETY: the properties are complete, and this attribute is a 64-bit number.
    unsafe {
        let pool = driver("cuMemPoolCreate", result::mem_pool::create(&raw const properties))?;
        let set = result::mem_pool::set_attribute(pool, attribute, (&raw mut kept).cast());
        driver("cuMemPoolSetAttribute", set)?;
        Ok(pool)
    }
}

/// The kernel module tells its version without another library.
fn driver_version() -> String {
    std::fs::read_to_string("/sys/module/nvidia/version").map_or("unknown".into(), |text| text.trim().to_owned())
}

/// Device memory, given back in the order of the stream.
pub struct Block<'d> {
    device: &'d Device,
    address: sys::CUdeviceptr,
    bytes: usize,
}

impl Block<'_> {
    pub fn pointer(&self) -> *mut c_void {
        self.address as *mut c_void
    }

    /// Copies to the beginning of the block, and waits.
    pub fn write<T: Plain>(&self, from: &[T]) -> Result<()> {
        let bytes = size_of_val(from);
        if bytes > self.bytes {
            return Err(Trouble::new("INTERNAL", format!("{bytes} bytes for a block of {}", self.bytes)));
        }
        if from.is_empty() {
            return Ok(());
        }
        // SAFETY: the block is alive and long enough, and `from` is borrowed until the copy is done.
        driver("cuMemcpyHtoDAsync", unsafe { result::memcpy_htod_async(self.address, from, self.device.stream) })?;
        self.device.synchronize()
    }
}

impl Drop for Block<'_> {
    fn drop(&mut self) {
        // SAFETY: it was taken for so many bytes, and its only owner goes.
        unsafe { self.device.give(self.address, self.bytes) }
    }
}

/// # Safety
/// Every bit pattern is a value, and there is no padding.
pub unsafe trait Plain: Copy {}
// SAFETY: an integer.
unsafe impl Plain for i32 {}
// SAFETY: IEEE 754 has no patterns that are no values.
unsafe impl Plain for f32 {}
// SAFETY: as above.
unsafe impl Plain for f64 {}

/// Host memory that the device copies to at full speed.
pub struct Staging<'d> {
    device: &'d Device,
    memory: *mut c_void,
}

impl<'d> Staging<'d> {
    pub const BYTES: usize = 32 << 20;

    pub fn new(device: &'d Device) -> Result<Self> {
        // SAFETY: a context is current; the memory is given back once, by `drop`.
        let memory = driver("cuMemHostAlloc", unsafe { result::malloc_host(Self::BYTES, 0) })?;
        Ok(Self { device, memory })
    }

    /// Copies from the device, and waits.
    ///
    /// # Safety
    /// `from` is device memory with `count` values of `T`, written by work that is queued on the stream.
    pub unsafe fn read<T: Plain>(&mut self, from: *const c_void, count: usize) -> Result<&[T]> {
        if count * size_of::<T>() > Self::BYTES {
            return Err(Trouble::new("INTERNAL", format!("{count} values are more than the staging memory holds")));
        }
        if count == 0 {
            return Ok(&[]);
        }
        // SAFETY: pinned memory starts a page, is long enough, is written before it is looked at, and is borrowed
        // from `self` while the slice lives; every bit pattern is a T. The source is the caller's promise.
        unsafe {
            let to = std::slice::from_raw_parts_mut(self.memory.cast::<T>(), count);
            let copied = result::memcpy_dtoh_async(to, from as sys::CUdeviceptr, self.device.stream);
            driver("cuMemcpyDtoHAsync", copied)?;
            self.device.synchronize()?;
            Ok(to)
        }
    }
}

impl Drop for Staging<'_> {
    fn drop(&mut self) {
        // SAFETY: allocated by `new`, and every copy to it was waited for.
        let _ = unsafe { result::free_host(self.memory) };
    }
}

/// Device memory for a library that asks for an allocator: takes from the pool of the [`Device`] that `user` is.
///
/// # Safety
/// `user` is the address of a live [`Device`], and its thread calls.
pub unsafe extern "C" fn allocate_for<S>(user: *mut c_void, bytes: usize, _stream: *mut S) -> *mut c_void {
    // SAFETY: the caller's promise.
    let device = unsafe { &*user.cast::<Device>() };
    device.take(bytes).map_or(std::ptr::null_mut(), |address| address as *mut c_void)
}

/// Takes back what [`allocate_for`] gave.
///
/// # Safety
/// As for [`allocate_for`], which gave `pointer` for the same `bytes`.
pub unsafe extern "C" fn free_for<S>(user: *mut c_void, pointer: *mut c_void, bytes: usize, _stream: *mut S) {
    // SAFETY: the caller's promise.
    unsafe { (*user.cast::<Device>()).give(pointer as sys::CUdeviceptr, bytes) }
}
