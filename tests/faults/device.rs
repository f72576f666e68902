// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each call of the device fails once: driver calls, copies and launches of the emulated runtime.

use std::mem::MaybeUninit;
use std::ptr::null_mut;

use ocean::cuda::fail_device_call;
use ocean::ffi::oceanBackend_t::OCEAN_BACKEND_CUDA;
use ocean::ffi::oceanStatus_t::{OCEAN_STATUS_ALLOC_FAILED, OCEAN_STATUS_EXECUTION_FAILED};
use ocean::ffi::*;

use crate::client::{Client, Failure};
use crate::ledger::Ledger;
use crate::support::check;
use crate::{create, faultless, products, stride, turn};

/// An error that ends nothing but its own call, out of memory, and one that ends the context.
const RESOURCES: (i32, &str) = (701, "701 (cudaErrorLaunchOutOfResources)");
const MEMORY: (i32, &str) = (2, "2 (cudaErrorMemoryAllocation)");
const ADDRESS: (i32, &str) = (700, "700 (cudaErrorIllegalAddress)");

/// What every call says once the context is lost.
const LOST: &str = "broke the CUDA context";

#[test]
fn every_call_of_the_device_fails_once() {
    let _turn = turn();
    let mut injected = 0;
    for case in products() {
        let handle = create(OCEAN_BACKEND_CUDA);
        let want = faultless(&case, handle);
        let ledger = Ledger::attach(handle);
        for nth in (1..).step_by(stride(OCEAN_BACKEND_CUDA)) {
            let what = format!("{}, call {nth}", case.name);
            let mut client = Client::new(&case, handle);
            let before = fail_device_call(nth, RESOURCES.0, false);
            let ended = client.run(false);
            let calls = fail_device_call(0, 0, false) - before;
            ledger.check(&what);
            let Err(failure) = ended else {
                assert!(calls < nth, "{what}: hidden");
                break;
            };
            check_words(&failure, RESOURCES.1, &what);
            assert!(!failure.message.contains(LOST), "{what}: {failure:?}");
            client.run(true).unwrap_or_else(|again| panic!("{what}: after {failure:?} {again:?}"));
            assert!(client.result() == want, "{what}: other bits after {failure:?}");
            drop(client);
            ledger.check_all_back(&what);
            injected += 1;
        }
        check(oceanDestroy(handle));
    }
    println!("{injected} calls of the device failed");
    assert!(injected > 100, "{injected}");
}

#[track_caller]
fn check_words(failure: &Failure, error: &str, what: &str) {
    assert_eq!(failure.status, OCEAN_STATUS_EXECUTION_FAILED, "{what}: {failure:?}");
    let (call, rest) = failure.message.split_once(" failed: ").unwrap_or_else(|| panic!("{what}: {failure:?}"));
    assert!(rest.starts_with(error), "{what}: {failure:?}");
    assert!(!call.is_empty() && !call.contains(' '), "{what}: {failure:?}");
}

/// The pool that handles have without an allocator of the caller's tells a lack of memory from other errors.
#[test]
fn a_pool_without_memory_is_told_from_a_broken_device() {
    let _turn = turn();
    let mut injected = [0; 2];
    for case in products() {
        let handle = create(OCEAN_BACKEND_CUDA);
        let want = faultless(&case, handle);
        for nth in (1..).step_by(2 * stride(OCEAN_BACKEND_CUDA) - 1) {
            let what = format!("{}, call {nth}", case.name);
            let mut client = Client::new(&case, handle);
            fail_device_call(nth, MEMORY.0, false);
            let ended = client.run(false);
            fail_device_call(0, 0, false);
            let Err(failure) = ended else { break };
            if failure.status == OCEAN_STATUS_ALLOC_FAILED {
                assert!(failure.message.starts_with("out of memory: "), "{what}: {failure:?}");
                client.run(true).unwrap_or_else(|again| panic!("{what}: after {failure:?} {again:?}"));
                assert!(client.result() == want, "{what}: other bits after {failure:?}");
                injected[0] += 1;
            } else {
                check_words(&failure, MEMORY.1, &what);
                injected[1] += 1;
            }
        }
        check(oceanDestroy(handle));
    }
    assert!(injected[0] > 5 && injected[1] > injected[0], "{injected:?}");
}

#[test]
fn a_lost_context_fails_every_later_call_alike_and_lets_go_of_everything() {
    let _turn = turn();
    let mut injected = 0;
    for case in products() {
        for nth in (1..).step_by(2 * stride(OCEAN_BACKEND_CUDA) - 1) {
            let what = format!("{}, call {nth}", case.name);
            let handle = create(OCEAN_BACKEND_CUDA);
            let ledger = Ledger::attach(handle);
            let mut client = Client::new(&case, handle);
            fail_device_call(nth, ADDRESS.0, true);
            let ended = client.run(false);
            let lost = ended.is_err();
            if let Err(failure) = ended {
                for failure in [failure, client.run(false).unwrap_err()] {
                    check_words(&failure, ADDRESS.1, &what);
                    assert!(failure.message.contains(LOST), "{what}: {failure:?}");
                }
                let mut other = null_mut();
                // SAFETY: the address of a local.
                let status = unsafe { oceanCreateWithBackend(&mut other, MaybeUninit::new(OCEAN_BACKEND_CUDA)) };
                assert!(status == OCEAN_STATUS_EXECUTION_FAILED && other.is_null(), "{what}: {status:?}");
                injected += 1;
            }
            drop(client);
            check(oceanDestroy(handle));
            fail_device_call(0, 0, false);
            ledger.check_all_back(&what);
            if !lost {
                break;
            }
        }
    }
    assert!(injected > 50, "{injected}");
}
