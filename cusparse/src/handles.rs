// SPDX-License-Identifier: MIT OR Apache-2.0
//! One handle of ocean's for each of cuSPARSE's: it has the same device, and follows its stream and pointer mode.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::guard::{checked, lock};
use crate::ocean::{CUDA, HOST, Handle as OceanHandle, Ocean};
use crate::real;
use crate::route::Refusal;
use crate::settings::settings;
use crate::types::{Handle, SUCCESS};

/// A handle of ocean's.
pub struct Mirror {
    ocean: &'static Ocean,
    address: usize,
}

impl Drop for Mirror {
    fn drop(&mut self) {
        // SAFETY: ours, and used by nobody else any more. Work that is queued goes on.
        unsafe { (self.ocean.oceanDestroy)(self.address as OceanHandle) };
    }
}

/// By the address of cuSPARSE's handle.
static MIRRORS: Mutex<BTreeMap<usize, Arc<Mutex<Mirror>>>> = Mutex::new(BTreeMap::new());

/// The mirror of a handle. A new one works on the device that is current now, which cuSPARSE asks to be the handle's.
pub fn mirror(ocean: &'static Ocean, handle: Handle) -> Result<Arc<Mutex<Mirror>>, Refusal> {
    let mut mirrors = lock(&MIRRORS);
    if let Some(known) = mirrors.get(&(handle as usize)) {
        return Ok(Arc::clone(known));
    }
    let mut address: OceanHandle = std::ptr::null_mut();
    // Never AUTO: where ocean sees no GPU it would take the device's addresses for the host's.
    let backend = if settings().on_host { HOST } else { CUDA };
    // SAFETY: room for the handle.
    let status = unsafe { (ocean.oceanCreateWithBackend)(&mut address, backend) };
    if status != SUCCESS {
        return Err(Refusal { status, reason: ocean.last_error() });
    }
    let new = Arc::new(Mutex::new(Mirror { ocean, address: address as usize }));
    mirrors.insert(handle as usize, Arc::clone(&new));
    Ok(new)
}

/// The handle is gone.
pub fn forget(handle: Handle) {
    let gone = lock(&MIRRORS).remove(&(handle as usize));
    drop(gone); // after the lock: the device may be asked
}

impl Mirror {
    /// Ocean's handle, on the stream and in the pointer mode that cuSPARSE's has now.
    pub fn following(&self, handle: Handle) -> Result<OceanHandle, Refusal> {
        let unknown = |status| Refusal { status, reason: "the handle is not cuSPARSE's".into() };
        let mut stream = std::ptr::null_mut();
        let mut mode = 0;
        // SAFETY: the program's handle, and room for each answer.
        let asked =
            unsafe { [real::cusparseGetStream(handle, &mut stream), real::cusparseGetPointerMode(handle, &mut mode)] };
        asked.into_iter().try_for_each(checked).map_err(unknown)?;
        let own = self.address as OceanHandle;
        // SAFETY: a live handle; the stream is the program's, and lives as long as it has work on it.
        let set = unsafe { [(self.ocean.oceanSetStream)(own, stream), (self.ocean.oceanSetPointerMode)(own, mode)] };
        let refused = |status| Refusal { status, reason: self.ocean.last_error() };
        set.into_iter().try_for_each(checked).map_err(refused)?;
        Ok(own)
    }
}
