// SPDX-License-Identifier: MIT OR Apache-2.0
//! MPI, through a small C file that is compiled against the program's own MPI (`mpi/ocean_mpi.c`) and loaded at run time. The
//! library links no MPI, and neither starts nor ends it.

use std::collections::{HashMap, VecDeque};
use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

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
        Err(Error::Mpi { call, code, text })
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

/// A send or a receive that is not done, with its bytes.
struct Sending {
    request: Handle,
    /// Held until MPI is done with them.
    _bytes: Arc<Vec<u8>>,
}

struct Receiving {
    ticket: Ticket,
    most: usize,
    abandoned: bool,
    /// Pieces that have arrived.
    whole: Vec<u8>,
}

/// Receives from one rank with one tag, in order. Only the first has been asked of MPI: a long message comes in pieces, which
/// the next one must not take.
#[derive(Default)]
struct Lane {
    queue: VecDeque<Receiving>,
    asked: Option<(Handle, Vec<u8>)>,
}

/// One rank of an MPI communicator.
pub struct MpiComm {
    shim: Shim,
    comm: Handle,
    rank: usize,
    nodes: Vec<usize>,
    largest_tag: u32,
    piece_bytes: usize,
    sending: Vec<Sending>,
    lanes: HashMap<(usize, u32), Lane>,
    next: Ticket,
}

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
        // SAFETY: a live communicator and addresses of locals.
        shim.check("MPI_Comm_rank", unsafe { (shim.0.place)(&comm, &mut rank, &mut size, &mut largest_tag) })?;
        let mut nodes = vec![0; size as usize];
        // SAFETY: room for a number for each rank.
        shim.check("MPI_Comm_split_type", unsafe { (shim.0.nodes)(&comm, nodes.as_mut_ptr()) })?;
        Ok(Self {
            shim,
            comm,
            rank: rank as usize,
            nodes: nodes.into_iter().map(|node| node as usize).collect(),
            largest_tag: largest_tag as u32,
            piece_bytes: Self::PIECE_BYTES,
            sending: vec![],
            lanes: HashMap::new(),
            next: 0,
        })
    }

    /// Cuts messages into smaller pieces, the same on all ranks; before the first message.
    pub fn set_piece_bytes(&mut self, bytes: usize) {
        self.piece_bytes = bytes.clamp(1, Self::PIECE_BYTES);
    }

    fn check_tag(&self, tag: u32) -> Result<()> {
        if tag <= self.largest_tag {
            return Ok(());
        }
        let what = format!("tag {tag}: this MPI's largest is {}, so a product of that many rounds", self.largest_tag);
        Err(Error::not_supported(what))
    }

    /// Asks MPI for the next piece of a lane's first receive, if that has not been done.
    fn ask(shim: Shim, comm: &Handle, piece_bytes: usize, (from, tag): (usize, u32), lane: &mut Lane) -> Result<()> {
        let Some(first) = lane.queue.front() else { return Ok(()) };
        if lane.asked.is_some() {
            return Ok(());
        }
        let left = first.most.saturating_sub(first.whole.len()).min(piece_bytes);
        let (mut bytes, mut request) = (vec![0u8; left], NO_HANDLE);
        // SAFETY: a buffer of that length, which stays where it is in the lane until the request is done.
        let code = unsafe {
            (shim.0.receive)(comm, bytes.as_mut_ptr().cast(), left as i32, from as i32, tag as i32, &mut request)
        };
        shim.check("MPI_Irecv", code)?;
        lane.asked = Some((request, bytes));
        Ok(())
    }

    /// Whether a request is done, and how many bytes it received.
    fn test(shim: Shim, request: &mut Handle) -> Result<Option<usize>> {
        let (mut done, mut count) = (0, 0);
        // SAFETY: a request that is not done, and addresses of locals.
        shim.check("MPI_Test", unsafe { (shim.0.test)(request, &mut done, &mut count) })?;
        Ok((done != 0).then_some(count as usize))
    }
}

// SAFETY: nothing here belongs to one thread; which thread may call MPI is checked with MPI when the communicator is made,
// and a `Comm` is used by one thread at a time.
unsafe impl Send for MpiComm {}

impl Comm for MpiComm {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.nodes.len()
    }

    fn nodes(&self) -> Vec<usize> {
        self.nodes.clone()
    }

    /// A message as long as a piece or longer ends with a shorter piece, which may be empty.
    fn send(&mut self, to: usize, tag: u32, bytes: Arc<Vec<u8>>) -> Result<()> {
        self.check_tag(tag)?;
        for begin in (0..=bytes.len()).step_by(self.piece_bytes) {
            let piece = &bytes[begin..bytes.len().min(begin + self.piece_bytes)];
            let mut request = NO_HANDLE;
            // SAFETY: bytes that are kept, unchanged, until the request is done.
            let code = unsafe {
                let (data, count) = (piece.as_ptr().cast(), piece.len() as i32);
                (self.shim.0.send)(&self.comm, data, count, to as i32, tag as i32, &mut request)
            };
            self.shim.check("MPI_Isend", code)?;
            self.sending.push(Sending { request, _bytes: Arc::clone(&bytes) });
        }
        Ok(())
    }

    fn receive(&mut self, from: usize, tag: u32, most: usize) -> Result<Ticket> {
        self.check_tag(tag)?;
        self.next += 1;
        let lane = self.lanes.entry((from, tag)).or_default();
        lane.queue.push_back(Receiving { ticket: self.next, most, abandoned: false, whole: vec![] });
        Self::ask(self.shim, &self.comm, self.piece_bytes, (from, tag), lane)?;
        Ok(self.next)
    }

    fn poll(&mut self) -> Result<Vec<(Ticket, Vec<u8>)>> {
        let (shim, comm, piece_bytes) = (self.shim, self.comm, self.piece_bytes);
        let mut at = 0;
        while at < self.sending.len() {
            if Self::test(shim, &mut self.sending[at].request)?.is_some() {
                self.sending.swap_remove(at);
            } else {
                at += 1;
            }
        }
        let mut arrived = vec![];
        for (&place, lane) in &mut self.lanes {
            while let Some((mut request, bytes)) = lane.asked.take() {
                let Some(count) = Self::test(shim, &mut request)? else {
                    lane.asked = Some((request, bytes));
                    break;
                };
                if let Some(first) = lane.queue.front_mut() {
                    if first.whole.is_empty() && count < piece_bytes {
                        first.whole = bytes;
                        first.whole.truncate(count);
                    } else {
                        first.whole.extend_from_slice(&bytes[..count]);
                    }
                }
                if count < piece_bytes
                    && let Some(Receiving { ticket, abandoned, whole, .. }) = lane.queue.pop_front()
                    && !abandoned
                {
                    arrived.push((ticket, whole));
                }
                Self::ask(shim, &comm, piece_bytes, place, lane)?;
            }
        }
        self.lanes.retain(|_, lane| !lane.queue.is_empty());
        Ok(arrived)
    }

    fn sending(&self) -> usize {
        self.sending.len()
    }

    fn abandon(&mut self) {
        self.lanes.values_mut().flat_map(|lane| &mut lane.queue).for_each(|receive| receive.abandoned = true);
    }
}

impl Drop for MpiComm {
    fn drop(&mut self) {
        let waiting: Vec<(Handle, Vec<u8>)> = self.lanes.drain().filter_map(|(_, lane)| lane.asked).collect();
        let clean = waiting.is_empty() && self.sending.is_empty();
        // MPI may still write and read there: such memory is never given back.
        waiting.into_iter().for_each(|(_, bytes)| std::mem::forget(bytes));
        self.sending.drain(..).for_each(std::mem::forget);
        if clean && self.shim.check_state().is_ok() {
            // SAFETY: a live communicator with no request on it. A failure leaves nothing to do.
            unsafe { (self.shim.0.release)(&mut self.comm) };
        }
    }
}
