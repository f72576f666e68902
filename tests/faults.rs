// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whatever can fail is made to fail once, one after the other, over a table of products: each request for memory and, where
//! kernels run on the CPU, each call of the device. Each time the status and the words are right, outputs are as they
//! were, nothing leaks and nothing is written outside of what the caller gave; the same call then works, to the last bit.

#[path = "faults/cases.rs"]
mod cases;
#[path = "faults/client.rs"]
mod client;
#[cfg(ocean_emu)]
#[path = "faults/device.rs"]
mod device;
#[path = "faults/guarded.rs"]
mod guarded;
#[path = "faults/heap.rs"]
mod heap;
#[path = "faults/ledger.rs"]
mod ledger;
mod support;

use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cases::{Case, Matrix};
use client::Client;
use ledger::Ledger;
use ocean::ffi::oceanBackend_t::{self, OCEAN_BACKEND_CUDA, OCEAN_BACKEND_HOST};
use ocean::ffi::oceanStatus_t::OCEAN_STATUS_ALLOC_FAILED;
use ocean::ffi::*;
use support::check;

/// One heap serves all tests, so they take turns.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Backends whose memory is the host's.
const BACKENDS: &[oceanBackend_t] =
    if cfg!(ocean_emu) { &[OCEAN_BACKEND_HOST, OCEAN_BACKEND_CUDA] } else { &[OCEAN_BACKEND_HOST] };

fn create(backend: oceanBackend_t) -> oceanHandle_t {
    let mut handle = null_mut();
    // SAFETY: the address of a local.
    check(unsafe { oceanCreateWithBackend(&mut handle, MaybeUninit::new(backend)) });
    handle
}

fn products() -> Vec<Case> {
    let long = if std::env::var_os("OCEAN_TEST_FULL").is_some() { cases::long() } else { vec![] };
    cases::all().into_iter().chain(long).collect()
}

/// How far apart the faults are: next to each other on the host and where there is time for everything; else a number that
/// no pattern of calls goes by.
fn stride(backend: oceanBackend_t) -> usize {
    let hurried = backend == OCEAN_BACKEND_CUDA && std::env::var_os("OCEAN_TEST_FULL").is_none();
    if hurried { 11 } else { 1 }
}

/// Without a fault, with guard bands around every array and rubbish in buffers whose life is over.
#[track_caller]
fn faultless(case: &Case, handle: oceanHandle_t) -> Matrix {
    let mut client = Client::new(case, handle);
    client.run(true).unwrap();
    let c = client.result();
    if let Some(want) = &case.want {
        assert!(c == *want, "{}: not the reference's", case.name);
    }
    c
}

#[test]
fn every_request_of_the_callers_allocator_fails_once() {
    let _turn = turn();
    let mut injected = 0;
    for &backend in BACKENDS {
        for case in products() {
            let handle = create(backend);
            let want = faultless(&case, handle);
            let ledger = Ledger::attach(handle);
            for nth in (1..).step_by(stride(backend)) {
                let what = format!("{}, {backend:?}, request {nth}", case.name);
                let mut client = Client::new(&case, handle);
                ledger.fail(nth);
                let ended = client.run(true);
                let refused = ledger.relent();
                ledger.check(&what);
                let Err(failure) = ended else {
                    assert_eq!(refused, None, "{what}: hidden");
                    break;
                };
                let words = format!("out of memory: {} bytes for ", refused.expect(&what));
                assert!(failure.message.starts_with(&words), "{what}: {failure:?}");
                assert_eq!(failure.status, OCEAN_STATUS_ALLOC_FAILED, "{what}: {failure:?}");
                client.run(true).unwrap_or_else(|again| panic!("{what}: after {failure:?} {again:?}"));
                assert!(client.result() == want, "{what}: other bits after {failure:?}");
                drop(client);
                ledger.check_all_back(&what);
                injected += 1;
            }
            check(oceanDestroy(handle));
            ledger.check_all_back(case.name);
        }
    }
    println!("{injected} requests of the caller's allocator failed");
    assert!(injected > 100, "{injected}");
}

/// The default allocator's requests, and those that the host backend makes for itself.
#[test]
fn every_large_request_of_the_heap_fails_once() {
    let _turn = turn();
    let mut injected = 0;
    for case in cases::large() {
        let handle = create(OCEAN_BACKEND_HOST);
        let want = faultless(&case, handle);
        for nth in 1.. {
            let what = format!("{}, request {nth}", case.name);
            let mut client = Client::new(&case, handle);
            heap::refuse(nth);
            let ended = client.run(true);
            let requests = heap::requests();
            heap::refuse(0);
            let Err(failure) = ended else {
                assert!(requests < nth, "{what}: hidden");
                break;
            };
            assert_eq!(failure.status, OCEAN_STATUS_ALLOC_FAILED, "{what}: {failure:?}");
            assert!(failure.message.starts_with("out of memory: "), "{what}: {failure:?}");
            client.run(true).unwrap_or_else(|again| panic!("{what}: after {failure:?} {again:?}"));
            assert!(client.result() == want, "{what}: other bits after {failure:?}");
            injected += 1;
        }
        check(oceanDestroy(handle));
    }
    println!("{injected} large requests of the heap failed");
    assert!(injected > 50, "{injected}");
}
