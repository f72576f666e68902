// SPDX-License-Identifier: MIT OR Apache-2.0
//! A transport that the program brings.

use std::ffi::{c_int, c_void};

use crate::dist::{Queue, Requests};
use crate::error::{Error, Result};

/// Begins to send bytes to rank `to`; they stay where they are, unchanged, until the request is done. Writes something
/// by which `test` knows the request.
pub type oceanDistSendFn_t = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        to: i32,
        tag: i32,
        data: *const c_void,
        bytes: usize,
        request: *mut *mut c_void,
    ) -> c_int,
>;

/// Begins to receive the next message from rank `from` with this tag, of at most `bytes` bytes; longer ones are an error.
/// Nobody else touches `data` until the request is done. At most one receive for a rank and tag is open at a time.
pub type oceanDistReceiveFn_t = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        from: i32,
        tag: i32,
        data: *mut c_void,
        bytes: usize,
        request: *mut *mut c_void,
    ) -> c_int,
>;

/// Whether a request is done: writes 0 or 1 and, of a receive that is done, how many bytes came. A request that is done is
/// not asked about again, so that what belongs to it may go.
pub type oceanDistTestFn_t =
    Option<unsafe extern "C" fn(user: *mut c_void, request: *mut c_void, done: *mut i32, bytes: *mut usize) -> c_int>;

/// Ends the transport on this rank: the last call. Requests may be open still; their memory must not be touched any more.
pub type oceanDistReleaseFn_t = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// How a rank sends messages to others and receives them, for programs without MPI. Functions return 0, or a number of
/// their own that stands in the error's text; none may wait, unwind or call the library. The library calls them from
/// the thread that called it. Between two ranks, messages of one tag arrive in the order in which they were sent; tags
/// are 0 to 2^31 - 1. Sends make progress although the other rank is not there yet, or at the latest when it tests.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct oceanDistTransport_t {
    /// sizeof(oceanDistTransport_t).
    pub bytes: usize,
    /// This rank, from 0.
    pub rank: i32,
    /// All ranks.
    pub ranks: i32,
    /// A number for each rank's node, so many as ranks; read during the call. NULL: each is a node of its own.
    pub nodes: *const i32,
    /// Not NULL.
    pub send: oceanDistSendFn_t,
    /// Not NULL.
    pub receive: oceanDistReceiveFn_t,
    /// Not NULL.
    pub test: oceanDistTestFn_t,
    /// May be NULL.
    pub release: oceanDistReleaseFn_t,
}

/// The functions of one rank.
pub(super) struct Table {
    send: unsafe extern "C" fn(*mut c_void, i32, i32, *const c_void, usize, *mut *mut c_void) -> c_int,
    receive: unsafe extern "C" fn(*mut c_void, i32, i32, *mut c_void, usize, *mut *mut c_void) -> c_int,
    test: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i32, *mut usize) -> c_int,
    release: oceanDistReleaseFn_t,
    user: *mut c_void,
}

// SAFETY: `user` is only handed to the program's functions, on the thread that calls the library, one at a time; the
// header says so.
unsafe impl Send for Table {}

/// The program's word for a request.
pub(super) struct Request(*mut c_void);

// SAFETY: as for [`Table`].
unsafe impl Send for Request {}

impl Table {
    /// # Safety
    /// `table` is NULL or valid, with functions that do as the header says.
    pub unsafe fn comm(table: *const oceanDistTransport_t, user: *mut c_void) -> Result<Queue<Self>> {
        // SAFETY: the caller's promise.
        let given = unsafe { table.as_ref() }.ok_or(Error::Null { argument: "table" })?;
        let (want, got) = (size_of::<oceanDistTransport_t>(), given.bytes);
        if got != want {
            return Err(Error::invalid("table", format!("says that it has {got} bytes, not {want}")));
        }
        let oceanDistTransport_t { rank, ranks, nodes, .. } = *given;
        if ranks < 1 || rank < 0 || rank >= ranks {
            return Err(Error::invalid("table", format!("is for rank {rank} of {ranks}")));
        }
        let lacks = |what: &'static str| Error::invalid("table", format!("has NULL for {what}"));
        let nodes = if nodes.is_null() {
            (0..ranks as usize).collect()
        } else {
            // SAFETY: the header asks for as many numbers as ranks.
            let numbers = unsafe { std::slice::from_raw_parts(nodes, ranks as usize) };
            numbers.iter().map(|&node| node as u32 as usize).collect()
        };
        let table = Self {
            send: given.send.ok_or_else(|| lacks("send"))?,
            receive: given.receive.ok_or_else(|| lacks("receive"))?,
            test: given.test.ok_or_else(|| lacks("test"))?,
            release: given.release,
            user,
        };
        // No message is as long as the largest piece.
        Ok(Queue::new(table, rank as usize, nodes, usize::MAX))
    }
}

fn check(call: &'static str, code: c_int) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    Err(Error::Transport { call, code, text: "the program's own transport".into() })
}

impl Requests for Table {
    type Request = Request;

    unsafe fn send(&mut self, to: usize, tag: u32, bytes: &[u8]) -> Result<Request> {
        let mut request = Request(std::ptr::null_mut());
        // SAFETY: bytes that stay until the request is done: the caller's promise.
        check("send", unsafe {
            (self.send)(self.user, to as i32, tag as i32, bytes.as_ptr().cast(), bytes.len(), &mut request.0)
        })?;
        Ok(request)
    }

    unsafe fn receive(&mut self, from: usize, tag: u32, bytes: &mut [u8]) -> Result<Request> {
        let mut request = Request(std::ptr::null_mut());
        // SAFETY: bytes that nobody else touches until the request is done: the caller's promise.
        check("receive", unsafe {
            let (data, room) = (bytes.as_mut_ptr().cast(), bytes.len());
            (self.receive)(self.user, from as i32, tag as i32, data, room, &mut request.0)
        })?;
        Ok(request)
    }

    fn test(&mut self, request: &mut Request) -> Result<Option<usize>> {
        let (mut done, mut bytes) = (0, 0);
        // SAFETY: a request that is not done, and addresses of locals.
        check("test", unsafe { (self.test)(self.user, request.0, &mut done, &mut bytes) })?;
        Ok((done != 0).then_some(bytes))
    }

    fn end(&mut self, _clean: bool) -> bool {
        if let Some(release) = self.release {
            // SAFETY: the last call of this transport.
            unsafe { release(self.user) };
        }
        // The header says that no memory is touched after that. Without a release there is no such word.
        self.release.is_some()
    }
}
