// SPDX-License-Identifier: MIT OR Apache-2.0
//! MPI, through a small C file that is compiled against the program's own MPI (`mpi/ocean_mpi.c`) and loaded at run time. The
//! library links no MPI, and neither starts nor ends it.

use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use super::queue::{Queue, Requests};
use super::{Comm, Ticket};
use crate::error::{Error, Result};

/// A communicator or a request, as MPI has it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Handle([u8; 16]);

const NO_HANDLE: Handle = Handle([0; 16]);

/// What the C file offers, in its order.
#[repr(C)]
struct Table {
    version: i32,
    comm_bytes: i32,
    state: unsafe extern "C" fn(*mut i32, *mut i32, *mut i32) -> c_int,
    duplicate: unsafe extern "C" fn(*const c_void, *mut Handle) -> c_int,
    duplicate_fortran: unsafe extern "C" fn(i32, *mut Handle) -> c_int,
    release: unsafe extern "C" fn(*mut Handle) -> c_int,
    place: unsafe extern "C" fn(*const Handle, *mut i32, *mut i32, *mut i32) -> c_int,
    nodes: unsafe extern "C" fn(*const Handle, *mut i32) -> c_int,
    send: unsafe extern "C" fn(*const Handle, *const c_void, i32, i32, i32, *mut Handle) -> c_int,
    receive: unsafe extern "C" fn(*const Handle, *mut c_void, i32, i32, i32, *mut Handle) -> c_int,
    test: unsafe extern "C" fn(*mut Handle, *mut i32, *mut i32) -> c_int,
    describe: unsafe extern "C" fn(c_int, *mut c_char, usize),
}

/// The version of [`Table`] that this file knows.
const VERSION: i32 = 1;

/// The loaded C file. It stays loaded: MPI does not like to be unloaded.
#[derive(Clone, Copy)]
struct Shim(&'static Table);

impl Shim {
    fn load(path: &Path) -> Result<Self> {
        let refused = |problem: String| Error::invalid("MPI shim", format!("{}: {problem}", path.display()));
        let name = CString::new(OsStr::as_bytes(path.as_os_str())).map_err(|error| refused(error.to_string()))?;
        // SAFETY: a NUL-terminated name. What runs on loading is the caller's own build of our C file.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            // SAFETY: after a failed dlopen this is NULL or a NUL-terminated text, valid until this thread's next call.
            let text = unsafe { libc::dlerror().as_ref().map(|text| CStr::from_ptr(text)) };
            return Err(refused(text.map_or("cannot be loaded".into(), |text| text.to_string_lossy().into_owned())));
        }
        // SAFETY: a live library and a NUL-terminated name.
        let symbol = unsafe { libc::dlsym(library, c"ocean_mpi".as_ptr()) };
        if symbol.is_null() {
            return Err(refused("has no function ocean_mpi".into()));
        }
        // SAFETY: the function of this name has this type since version 1, and returns a constant of the library, which
        // is never unloaded.
        let table = unsafe {
            let table: unsafe extern "C" fn() -> &'static Table = std::mem::transmute(symbol);
            table()
        };
        if table.version != VERSION {
            return Err(refused(format!("has version {}, not {VERSION}", table.version)));
        }
        Ok(Self(table))
    }

    fn check(self, call: &'static str, code: c_int) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        let mut text: [c_char; 256] = [0; 256];
        // SAFETY: a buffer of the length that is told; a NUL stands in it afterwards, and did before.
        let text = unsafe {
            (self.0.describe)(code, text.as_mut_ptr(), text.len());
            CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
        };
        Err(Error::Transport { call, code, text })
    }

    /// Whether MPI runs, and this thread may call it.
    fn check_state(self) -> Result<()> {
        let (mut running, mut level, mut on_main) = (0, 0, 0);
        // SAFETY: addresses of locals; these may be asked at any time.
        self.check("MPI_Query_thread", unsafe { (self.0.state)(&mut running, &mut level, &mut on_main) })?;
        let invalid = |problem: &str| Err(Error::invalid("MPI", problem));
        match (running, level, on_main) {
            (0, ..) => invalid("is not running: call MPI_Init_thread first, and MPI_Finalize last"),
            (_, 0, _) => invalid(
                "was started for one thread: ask MPI_Init_thread for MPI_THREAD_FUNNELED; a second thread computes, and \
                 never calls MPI",
            ),
            (_, 1, 0) => invalid(
                "may be called by the main thread alone: call from there, or ask MPI_Init_thread for MPI_THREAD_SERIALIZED",
            ),
            _ => Ok(()),
        }
    }
}

/// A duplicate of a communicator.
struct Mpi {
    shim: Shim,
    comm: Handle,
    largest_tag: u32,
}

impl Mpi {
    /// Ends the duplicate, where MPI runs and no request is open.
    fn give_back(&mut self) {
        // SAFETY: a live communicator with no request on it. A failure leaves nothing to do.
        unsafe { (self.shim.0.release)(&mut self.comm) };
    }

    fn check_tag(&self, tag: u32) -> Result<()> {
        if tag <= self.largest_tag {
            return Ok(());
        }
        let what = format!("tag {tag}: this MPI's largest is {}, so a product of that many rounds", self.largest_tag);
        Err(Error::not_supported(what))
    }
}

impl Requests for Mpi {
    type Request = Handle;

    unsafe fn send(&mut self, to: usize, tag: u32, bytes: &[u8]) -> Result<Handle> {
        self.check_tag(tag)?;
        let mut request = NO_HANDLE;
        // SAFETY: bytes that are kept, unchanged, until the request is done: the caller's promise.
        let code = unsafe {
            let (data, count) = (bytes.as_ptr().cast(), bytes.len() as i32);
            (self.shim.0.send)(&self.comm, data, count, to as i32, tag as i32, &mut request)
        };
        self.shim.check("MPI_Isend", code)?;
        Ok(request)
    }

    unsafe fn receive(&mut self, from: usize, tag: u32, bytes: &mut [u8]) -> Result<Handle> {
        self.check_tag(tag)?;
        let mut request = NO_HANDLE;
        // SAFETY: bytes that nobody else touches until the request is done: the caller's promise.
        let code = unsafe {
            let (data, count) = (bytes.as_mut_ptr().cast(), bytes.len() as i32);
            (self.shim.0.receive)(&self.comm, data, count, from as i32, tag as i32, &mut request)
        };
        self.shim.check("MPI_Irecv", code)?;
        Ok(request)
    }

    fn test(&mut self, request: &mut Handle) -> Result<Option<usize>> {
        let (mut done, mut count) = (0, 0);
        // SAFETY: a request that is not done, and addresses of locals.
        self.shim.check("MPI_Test", unsafe { (self.shim.0.test)(request, &mut done, &mut count) })?;
        Ok((done != 0).then_some(count as usize))
    }

    fn end(&mut self, clean: bool) -> bool {
        if clean && self.shim.check_state().is_ok() {
            self.give_back();
        }
        clean
    }
}

/// One rank of an MPI communicator.
pub struct MpiComm(Queue<Mpi>);

impl MpiComm {
    /// Messages are cut into pieces of so many bytes, since MPI counts in 31 bits.
    const PIECE_BYTES: usize = 1 << 30;

    /// A duplicate of the communicator whose handle is `comm`. Collective over it. Errors return, whatever handler the
    /// original has. `shim` is `mpi/ocean_mpi.c`, compiled by the program's `mpicc` as a shared library.
    ///
    /// # Errors
    /// A shim that cannot be loaded, a handle of another size, an MPI that is not running or may not be called from this
    /// thread, and what MPI refuses.
    ///
    /// # Safety
    /// `comm` are the bytes of a live `MPI_Comm` of the MPI that the shim was compiled with.
    pub unsafe fn duplicate(shim: &Path, comm: &[u8]) -> Result<Self> {
        let shim = Shim::load(shim)?;
        shim.check_state()?;
        if comm.len() != shim.0.comm_bytes as usize {
            let problem =
                format!("has {} bytes, but an MPI_Comm of the shim's MPI has {}", comm.len(), shim.0.comm_bytes);
            return Err(Error::invalid("communicator", problem));
        }
        let mut copy = NO_HANDLE;
        // SAFETY: as many bytes as a communicator has, which the caller says it is.
        let code = unsafe { (shim.0.duplicate)(comm.as_ptr().cast(), &mut copy) };
        Self::of_copy(shim, code, copy)
    }

    /// The same for a communicator as Fortran has it.
    ///
    /// # Errors
    /// As [`Self::duplicate`].
    ///
    /// # Safety
    /// `comm` is a live communicator of the MPI that the shim was compiled with.
    pub unsafe fn duplicate_fortran(shim: &Path, comm: i32) -> Result<Self> {
        let shim = Shim::load(shim)?;
        shim.check_state()?;
        let mut copy = NO_HANDLE;
        // SAFETY: a live communicator, as the caller says.
        let code = unsafe { (shim.0.duplicate_fortran)(comm, &mut copy) };
        Self::of_copy(shim, code, copy)
    }

    fn of_copy(shim: Shim, code: c_int, comm: Handle) -> Result<Self> {
        shim.check("MPI_Comm_dup", code)?;
        let (mut rank, mut size, mut largest_tag) = (0, 0, 0);
        let mut mpi = Mpi { shim, comm, largest_tag: 0 };
        // SAFETY: a live communicator and addresses of locals.
        let code = unsafe { (shim.0.place)(&comm, &mut rank, &mut size, &mut largest_tag) };
        shim.check("MPI_Comm_rank", code).inspect_err(|_| mpi.give_back())?;
        let mut nodes = vec![0; size as usize];
        // SAFETY: room for a number for each rank.
        let code = unsafe { (shim.0.nodes)(&comm, nodes.as_mut_ptr()) };
        shim.check("MPI_Comm_split_type", code).inspect_err(|_| mpi.give_back())?;
        let nodes = nodes.into_iter().map(|node| node as usize).collect();
        mpi.largest_tag = largest_tag as u32;
        Ok(Self(Queue::new(mpi, rank as usize, nodes, Self::PIECE_BYTES)))
    }

    /// Cuts messages into smaller pieces, the same on all ranks; before the first message.
    pub fn set_piece_bytes(&mut self, bytes: usize) {
        self.0.set_piece_bytes(bytes.min(Self::PIECE_BYTES));
    }
}

impl Comm for MpiComm {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn nodes(&self) -> Vec<usize> {
        self.0.nodes()
    }

    fn send(&mut self, to: usize, tag: u32, bytes: Arc<Vec<u8>>) -> Result<()> {
        self.0.send(to, tag, bytes)
    }

    fn receive(&mut self, from: usize, tag: u32, most: usize) -> Result<Ticket> {
        self.0.receive(from, tag, most)
    }

    fn poll(&mut self) -> Result<Vec<(Ticket, Vec<u8>)>> {
        self.0.poll()
    }

    fn sending(&self) -> usize {
        self.0.sending()
    }

    fn abandon(&mut self) {
        self.0.abandon();
    }
}
