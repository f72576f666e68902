// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handles: where, on which stream and with whose memory to compute.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;

use super::guard::{guard, output};
use super::objects::{Registry, lock};
use super::types::oceanBackend_t::{self, *};
use super::types::oceanPointerMode_t::{self, *};
use super::types::oceanStatus_t;
use super::types::{choice, cudaStream_t, oceanAllocFn_t, oceanFreeFn_t, oceanHandle_t, oceanPropertyType_t};
use crate::backend::Backend;
use crate::error::{Error, Result};
use crate::host::{Host, HostMemory};
use crate::memory::{Address, Memory};

/// What an `oceanHandle_t` stands for.
pub(super) struct Handle {
    place: Place,
    /// The caller's allocator, if there is one.
    hook: Option<Hook>,
    /// Address of the `cudaStream_t`; 0 is the default stream.
    stream: usize,
    pub(super) pointer_mode: oceanPointerMode_t,
}

/// What the two backends need to compute and to allocate.
enum Place {
    Host(Arc<HostMemory>),
    #[cfg(feature = "cuda")]
    Cuda(crate::cuda::Cuda),
}

static HANDLES: Registry<Handle> = Registry::new("handle");

/// The handle behind `pointer`.
pub(super) fn handle(pointer: oceanHandle_t) -> Result<Arc<std::sync::Mutex<Handle>>> {
    HANDLES.get(pointer, "handle")
}

impl Handle {
    fn open(wanted: oceanBackend_t) -> Result<Self> {
        let place = match resolve(wanted)? {
            #[cfg(feature = "cuda")]
            OCEAN_BACKEND_CUDA => Place::Cuda(crate::cuda::Cuda::new()?),
            #[cfg(not(feature = "cuda"))]
            OCEAN_BACKEND_CUDA => {
                return Err(Error::NotSupported {
                    what: "backend OCEAN_BACKEND_CUDA".into(),
                    because: ": this library was built without CUDA".into(),
                });
            }
            OCEAN_BACKEND_HOST | OCEAN_BACKEND_AUTO => Place::Host(Arc::default()),
        };
        Ok(Self { place, hook: None, stream: 0, pointer_mode: OCEAN_POINTER_MODE_HOST })
    }

    /// The backend, on the handle's stream.
    pub(super) fn on(&self) -> Arc<dyn Backend> {
        match &self.place {
            Place::Host(_) => Arc::new(Host),
            #[cfg(feature = "cuda")]
            Place::Cuda(cuda) => Arc::new(cuda.with_memory(self.memory())),
        }
    }

    /// Whether it computes on the host.
    pub(super) fn on_host(&self) -> bool {
        matches!(self.place, Place::Host(_))
    }

    /// The handle's allocator, on its stream.
    pub(super) fn memory(&self) -> Arc<dyn Memory> {
        match (&self.hook, &self.place) {
            (Some(hook), _) => Arc::new(StreamHook { hook: *hook, stream: self.stream }),
            (None, Place::Host(memory)) => Arc::clone(memory) as _,
            #[cfg(feature = "cuda")]
            (None, Place::Cuda(cuda)) => Arc::clone(cuda.memory()),
        }
    }
}

/// AUTO becomes what OCEAN_BACKEND says, else CUDA where there is a device, else HOST.
fn resolve(wanted: oceanBackend_t) -> Result<oceanBackend_t> {
    if wanted != OCEAN_BACKEND_AUTO {
        return Ok(wanted);
    }
    match std::env::var("OCEAN_BACKEND").as_deref() {
        Ok("host") => return Ok(OCEAN_BACKEND_HOST),
        Ok("cuda") => return Ok(OCEAN_BACKEND_CUDA),
        Err(_) | Ok("" | "auto") => {}
        Ok(other) => {
            return Err(Error::invalid(
                "environment variable OCEAN_BACKEND",
                format!("is \"{other}\"; it takes host, cuda, auto"),
            ));
        }
    }
    #[cfg(all(feature = "cuda", not(ocean_emu)))] // an emulated device is there only for those who ask by name
    if crate::cuda::devices()? > 0 {
        return Ok(OCEAN_BACKEND_CUDA);
    }
    Ok(OCEAN_BACKEND_HOST)
}

/// A caller's pair of functions.
#[derive(Clone, Copy)]
struct Hook {
    alloc: unsafe extern "C" fn(*mut c_void, usize, cudaStream_t) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void, *mut c_void, usize, cudaStream_t),
    user: usize,
}

struct StreamHook {
    hook: Hook,
    stream: usize,
}

impl Memory for StreamHook {
    fn allocate(&self, bytes: usize, purpose: &'static str) -> Result<Address> {
        let Hook { alloc, user, .. } = self.hook;
        // SAFETY: oceanSetAllocator asks for functions that may be called with `user` from any thread that uses the handle.
        let pointer = unsafe { alloc(user as *mut c_void, bytes, self.stream as cudaStream_t) };
        let address = Address::from(pointer);
        if address.is_null() {
            return Err(Error::OutOfMemory { bytes, purpose });
        }
        if address.0 % 16 != 0 {
            self.release(address, bytes);
            return Err(Error::invalid("alloc", format!("returned {address:?}, which is not aligned to 16 bytes")));
        }
        Ok(address)
    }

    fn release(&self, address: Address, bytes: usize) {
        let Hook { free, user, .. } = self.hook;
        // SAFETY: as above, and `address` came from `alloc` for `bytes`.
        unsafe { free(user as *mut c_void, address.pointer(), bytes, self.stream as cudaStream_t) };
    }
}

/// Makes a handle with the backend OCEAN_BACKEND_AUTO.
///
/// @param[out] handle  host; NULL on failure.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if handle is NULL; EXECUTION_FAILED if there is a CUDA device that
///         can't be used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanCreate(handle: *mut oceanHandle_t) -> oceanStatus_t {
    // SAFETY: the header asks for a pointer that is NULL or valid.
    guard(|| unsafe { create(handle, OCEAN_BACKEND_AUTO) })
}

/// Makes a handle with a backend of choice. A CUDA handle remembers the device that is current now.
///
/// @param[out] handle   host; NULL on failure.
/// @param[in]  backend  where to compute.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a NULL handle or no such backend; NOT_SUPPORTED for CUDA in a
///         library built without it; NOT_INITIALIZED for CUDA without a driver or a device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanCreateWithBackend(
    handle: *mut oceanHandle_t,
    backend: MaybeUninit<oceanBackend_t>,
) -> oceanStatus_t {
    guard(|| {
        let backend = choice(backend, "backend", &[OCEAN_BACKEND_AUTO, OCEAN_BACKEND_CUDA, OCEAN_BACKEND_HOST])?;
        // SAFETY: the header asks for a pointer that is NULL or valid.
        unsafe { create(handle, backend) }
    })
}

/// # Safety
/// `handle` is NULL or valid for writes.
unsafe fn create(handle: *mut oceanHandle_t, backend: oceanBackend_t) -> Result<()> {
    // SAFETY: the caller's promise.
    let out = unsafe { output(handle, "handle")? };
    *out = ptr::null_mut();
    *out = HANDLES.add(Handle::open(backend)?);
    Ok(())
}

/// Ends a handle. Descriptors made or used with it stay valid, and so does work that is queued already.
///
/// @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live handle.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDestroy(handle: oceanHandle_t) -> oceanStatus_t {
    guard(|| HANDLES.remove(handle, "handle"))
}

/// Which backend a handle has: CUDA or HOST, never AUTO.
///
/// @param[out] backend  host; written only on success.
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanGetBackend(handle: oceanHandle_t, backend: *mut oceanBackend_t) -> oceanStatus_t {
    guard(|| {
        let object = self::handle(handle)?;
        // SAFETY: the header asks for a pointer that is NULL or valid.
        *unsafe { output(backend, "backend")? } = match lock(&object).place {
            Place::Host(_) => OCEAN_BACKEND_HOST,
            #[cfg(feature = "cuda")]
            Place::Cuda(_) => OCEAN_BACKEND_CUDA,
        };
        Ok(())
    })
}

/// Sets the stream that later calls with this handle queue their work on; NULL is the default stream. Each call
/// reads it anew. A host handle keeps it and has no use for it.
///
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
#[unsafe(no_mangle)]
pub extern "C" fn oceanSetStream(handle: oceanHandle_t, streamId: cudaStream_t) -> oceanStatus_t {
    guard(|| {
        let object = self::handle(handle)?;
        let mut handle = lock(&object);
        #[cfg(feature = "cuda")]
        if let Place::Cuda(cuda) = &mut handle.place {
            *cuda = cuda.on_stream(streamId.cast());
        }
        handle.stream = streamId as usize;
        Ok(())
    })
}

/// The stream set last, NULL at first.
///
/// @param[out] streamId  host; written only on success.
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanGetStream(handle: oceanHandle_t, streamId: *mut cudaStream_t) -> oceanStatus_t {
    guard(|| {
        let object = self::handle(handle)?;
        // SAFETY: the header asks for a pointer that is NULL or valid.
        *unsafe { output(streamId, "streamId")? } = lock(&object).stream as cudaStream_t;
        Ok(())
    })
}

/// Says where alpha and beta of later calls lie; HOST at first. Each call reads it anew.
///
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
#[unsafe(no_mangle)]
pub extern "C" fn oceanSetPointerMode(handle: oceanHandle_t, mode: MaybeUninit<oceanPointerMode_t>) -> oceanStatus_t {
    guard(|| {
        let object = self::handle(handle)?;
        lock(&object).pointer_mode = choice(mode, "mode", &[OCEAN_POINTER_MODE_HOST, OCEAN_POINTER_MODE_DEVICE])?;
        Ok(())
    })
}

/// Where alpha and beta are said to lie.
///
/// @param[out] mode  host; written only on success.
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanGetPointerMode(handle: oceanHandle_t, mode: *mut oceanPointerMode_t) -> oceanStatus_t {
    guard(|| {
        let object = self::handle(handle)?;
        // SAFETY: the header asks for a pointer that is NULL or valid.
        *unsafe { output(mode, "mode")? } = lock(&object).pointer_mode;
        Ok(())
    })
}

/// Sets where the library takes the memory that it needs beyond the caller's buffers, and C's arrays in oceanSpGEMM.
///
/// Memory taken before stays with the functions that gave it, so those must stay callable until the last
/// descriptor that holds some is destroyed. They may be called from any thread that uses the handle.
///
/// @param[in] alloc  gives memory in the order of the handle's stream; NULL, together with free: the default again.
/// @param[in] free   takes it back, in the order of the stream that it was taken on.
/// @param[in] user   passed to both.
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE; also if only one of alloc and free is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn oceanSetAllocator(
    handle: oceanHandle_t,
    alloc: oceanAllocFn_t,
    free: oceanFreeFn_t,
    user: *mut c_void,
) -> oceanStatus_t {
    guard(|| {
        let object = self::handle(handle)?;
        lock(&object).hook = match (alloc, free) {
            (Some(alloc), Some(free)) => Some(Hook { alloc, free, user: user as usize }),
            (None, None) => None,
            (None, Some(_)) => return Err(Error::Null { argument: "alloc" }),
            (Some(_), None) => return Err(Error::Null { argument: "free" }),
        };
        Ok(())
    })
}

/// The library's version: 1000 * major + 100 * minor + patch.
///
/// @param[out] version  host; written only on success.
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanGetVersion(handle: oceanHandle_t, version: *mut c_int) -> oceanStatus_t {
    guard(|| {
        self::handle(handle)?;
        let [major, minor, patch] = VERSION;
        // SAFETY: the header asks for a pointer that is NULL or valid.
        *unsafe { output(version, "version")? } = 1000 * major + 100 * minor + patch;
        Ok(())
    })
}

/// One part of the version: MAJOR_VERSION, MINOR_VERSION or PATCH_LEVEL.
///
/// @param[out] value  host; written only on success.
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanGetProperty(type_: oceanPropertyType_t, value: *mut c_int) -> oceanStatus_t {
    guard(|| {
        let part = usize::try_from(type_).ok().and_then(|part| VERSION.get(part));
        let part = part.ok_or_else(|| Error::invalid("type", format!("is {type_}, which is no part of a version")))?;
        // SAFETY: the header asks for a pointer that is NULL or valid.
        *unsafe { output(value, "value")? } = *part;
        Ok(())
    })
}

const VERSION: [c_int; 3] = {
    const fn number(text: &str) -> c_int {
        match c_int::from_str_radix(text, 10) {
            Ok(number) => number,
            Err(_) => panic!("Cargo's version parts are numbers"),
        }
    }
    [
        number(env!("CARGO_PKG_VERSION_MAJOR")),
        number(env!("CARGO_PKG_VERSION_MINOR")),
        number(env!("CARGO_PKG_VERSION_PATCH")),
    ]
};
