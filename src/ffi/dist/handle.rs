// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ranks of a communicator.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use super::created::Created;
use super::options::{Options, options};
use super::shim;
use super::transport::{Table, oceanDistTransport_t};
use super::types::{oceanDistHandle_t, oceanDistOptions_t};
use crate::dist::{Comm, MpiComm, Setup, World};
use crate::error::{Error, Result};
use crate::ffi::guard::{guard, output};
use crate::ffi::handle::handle;
use crate::ffi::objects::{Registry, lock};
use crate::ffi::types::{oceanHandle_t, oceanStatus_t};

static WORLDS: Registry<World> = Registry::new("distributed handle");

/// The ranks behind `pointer`.
pub(super) fn world(pointer: oceanDistHandle_t) -> Result<Arc<Mutex<World>>> {
    WORLDS.get(pointer, "dist")
}

/// Where a rank's own products are computed, checked: on the host, until GPUs are supported.
fn check_local(local: oceanHandle_t) -> Result<()> {
    if local.is_null() || lock(&*handle(local)?).on_host() {
        return Ok(());
    }
    Err(Error::NotSupported {
        what: "a local handle on OCEAN_BACKEND_CUDA".into(),
        because: ": products over ranks are computed on the host so far; give NULL or a handle of OCEAN_BACKEND_HOST"
            .into(),
    })
}

/// What all ways to create a handle do. `connect` alone cannot fail on all ranks: before there is a communicator, nobody
/// can be told.
///
/// # Safety
/// `dist` is NULL or valid for writes.
unsafe fn create(
    dist: *mut oceanDistHandle_t,
    local: oceanHandle_t,
    given: oceanDistOptions_t,
    connect: impl FnOnce(&Options) -> Result<Box<dyn Comm>>,
) -> oceanStatus_t {
    guard(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Created::new(dist, "dist") };
        let options = options(given);
        let comm = connect(options.as_ref().unwrap_or(&Options::default()))?;
        let setup = options.and_then(|options| {
            out.check()?;
            check_local(local)?;
            Ok(Setup { per_node: options.per_node, timeout: options.timeout, ..Setup::default() })
        });
        out.write(&WORLDS, World::agreed(comm, setup)?)
    })
}

/// Joins the ranks of an MPI communicator. Collective over it.
///
/// The communicator is duplicated, and errors on the duplicate return; MPI is neither started nor ended. MPI has to be
/// there for MPI_THREAD_FUNNELED with all calls from the main thread, or MPI_THREAD_SERIALIZED. Needs mpi/ocean_mpi.c,
/// compiled with the program's mpicc: see oceanDistSetShim().
///
/// @param[out] dist       NULL on failure. Ends with oceanDistDestroy.
/// @param[in]  local      where each rank computes: NULL, or a handle of OCEAN_BACKEND_HOST; not kept.
/// @param[in]  comm       address of an MPI_Comm.
/// @param[in]  commBytes  sizeof(MPI_Comm).
/// @param[in]  options    ranks per node, timeout and shim are read; or NULL.
/// @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead options, ranks per node that do
///         not divide the ranks; NOT_SUPPORTED for a local handle on a GPU. A rank that cannot reach its communicator
///         fails alone: no shim, an MPI_Comm of another size, MPI not running, too few threads (INVALID_VALUE), or
///         what MPI refuses (EXECUTION_FAILED).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistCreate(
    dist: *mut oceanDistHandle_t,
    local: oceanHandle_t,
    comm: *const c_void,
    commBytes: usize,
    options: oceanDistOptions_t,
) -> oceanStatus_t {
    let connect = |options: &Options| -> Result<Box<dyn Comm>> {
        if comm.is_null() {
            return Err(Error::Null { argument: "comm" });
        }
        if commBytes == 0 || commBytes > 16 {
            return Err(Error::invalid("commBytes", format!("is {commBytes}, which no MPI_Comm has")));
        }
        // SAFETY: the header asks for the address of so many bytes, which are a live communicator.
        unsafe {
            let bytes = std::slice::from_raw_parts(comm.cast::<u8>(), commBytes);
            Ok(Box::new(MpiComm::duplicate(&shim::path(options.shim.clone()), bytes)?))
        }
    };
    // SAFETY: the header asks for a pointer that is NULL or valid.
    unsafe { create(dist, local, options, connect) }
}

/// As oceanDistCreate, for a communicator as Fortran has it: an INTEGER, or the MPI_VAL of a type(MPI_Comm).
///
/// @param[out] dist     NULL on failure. Ends with oceanDistDestroy.
/// @param[in]  local    as oceanDistCreate.
/// @param[in]  comm     a live communicator.
/// @param[in]  options  as oceanDistCreate.
/// @return as oceanDistCreate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistCreateFortran(
    dist: *mut oceanDistHandle_t,
    local: oceanHandle_t,
    comm: i32,
    options: oceanDistOptions_t,
) -> oceanStatus_t {
    let connect = |options: &Options| -> Result<Box<dyn Comm>> {
        // SAFETY: the header asks for a live communicator.
        Ok(Box::new(unsafe { MpiComm::duplicate_fortran(&shim::path(options.shim.clone()), comm)? }))
    };
    // SAFETY: the header asks for a pointer that is NULL or valid.
    unsafe { create(dist, local, options, connect) }
}

/// Joins ranks that send each other messages by functions of the program's own. Collective over them.
///
/// @param[out] dist     NULL on failure. Ends with oceanDistDestroy.
/// @param[in]  local    as oceanDistCreate.
/// @param[in]  table    this rank's functions; copied.
/// @param[in]  user     given to every function; the program's, until release has been called.
/// @param[in]  options  ranks per node and timeout are read; or NULL.
/// @return OCEAN_STATUS_SUCCESS, on all ranks or on none, as oceanDistCreate; a rank whose table cannot be used, since it is
///         NULL, of another size, without a function, or has no such rank, fails alone with INVALID_VALUE, and nothing
///         in the table is called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistCreateWithTransport(
    dist: *mut oceanDistHandle_t,
    local: oceanHandle_t,
    table: *const oceanDistTransport_t,
    user: *mut c_void,
    options: oceanDistOptions_t,
) -> oceanStatus_t {
    // SAFETY: the header asks for a table that is NULL or valid, and for functions that do as it says.
    let connect = |_: &Options| -> Result<Box<dyn Comm>> { Ok(Box::new(unsafe { Table::comm(table, user)? })) };
    // SAFETY: the header asks for a pointer that is NULL or valid.
    unsafe { create(dist, local, options, connect) }
}

/// Leaves the ranks. Collective, unless MPI has ended before, which is fine too. Matrices stay; plans cannot be executed any
/// more.
///
/// @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live handle.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistDestroy(dist: oceanDistHandle_t) -> oceanStatus_t {
    guard(|| WORLDS.remove(dist, "dist"))
}

/// Which rank this is, of how many, and how many are a node. Not collective.
///
/// @param[out] rank, ranks, perNode  all or none are written.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or dist is no live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistGetRank(
    dist: oceanDistHandle_t,
    rank: *mut i32,
    ranks: *mut i32,
    perNode: *mut i32,
) -> oceanStatus_t {
    guard(|| {
        let world = world(dist)?;
        // SAFETY: the header asks for pointers that are NULL or valid.
        let outputs = unsafe { (output(rank, "rank")?, output(ranks, "ranks")?, output(perNode, "perNode")?) };
        let world = lock(&world);
        (*outputs.0, *outputs.1, *outputs.2) = (world.rank() as i32, world.ranks() as i32, world.per_node() as i32);
        Ok(())
    })
}
