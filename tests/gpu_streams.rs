// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps that only enqueue: they return while the stream is busy, and a graph can capture them. Needs a GPU; says so
//! without one.
#![cfg(all(feature = "cuda", not(ocean_emu)))]

mod support;

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use cudarc::driver::{CudaContext, CudaStream, sys};
use ocean::csr::OwnedCsr;
use ocean::reference;
use ocean::tuning::{ALIKE, SUM_BLOCK};
use support::matrices::{Random, banded, distinct, from_rows, random, skewed};
use support::{Handle, Operand, Product, assert_same};

/// One test at a time: the driver has one thread for all callbacks, and one that waits keeps the others waiting.
static ALONE: Mutex<()> = Mutex::new(());

/// The handle of the GPU, on a stream of the test's own; none without a GPU.
fn on_own_stream(test: &str) -> Option<(Handle, Arc<CudaStream>)> {
    let handle = Handle::all(test).pop().filter(Handle::on_device)?;
    let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
    // SAFETY: the caller keeps the stream as long as the handle.
    unsafe { handle.set_stream(stream.cu_stream().cast()) };
    Some((handle, stream))
}

/// Matrices that use all accumulators between them.
fn products() -> Vec<(&'static str, OwnedCsr<f64>, OwnedCsr<f64>)> {
    let square = |name, a: OwnedCsr<f64>| (name, a.clone(), a);
    let twins = (0..ALIKE.least_entries as usize / 20)
        .map(|row| (row & !3) as i32)
        .map(|first| (first..first + 21).collect::<Vec<_>>());
    let twins: Vec<_> = twins.collect();
    let long = distinct(2 * SUM_BLOCK, 3 * SUM_BLOCK, &mut Random(1));
    vec![
        square("banded", banded(700, 9, 1)),
        square("skewed", skewed(11, 30_000, 2)),
        ("wide", random(300, 400, 40, 3), random(400, 700_000, 60, 4)),
        ("rows alike", from_rows(twins.len() + 21, twins.clone(), &mut Random(5)), random(twins.len() + 21, 300, 3, 6)),
        ("one long row", from_rows(3 * SUM_BLOCK, [long, vec![5]], &mut Random(7)), random(3 * SUM_BLOCK, 9_000, 3, 8)),
    ]
}

/// Whether `queue` returns before what keeps the stream busy, a callback that waits, has ended. It is called once before,
/// since the first launch of a kernel in a process loads it, and may wait for the device.
fn returns_while_busy(stream: &CudaStream, mut queue: impl FnMut()) -> bool {
    extern "C" fn wait(go_on: *mut c_void) {
        // SAFETY: the flag lives until the stream has ended.
        let go_on = unsafe { &*go_on.cast::<AtomicBool>() };
        while !go_on.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(1));
        }
    }
    queue();
    stream.synchronize().unwrap();
    let go_on = Arc::new(AtomicBool::new(false));
    // SAFETY: a live stream, and a flag that outlives the callback.
    unsafe { sys::cuLaunchHostFunc(stream.cu_stream(), Some(wait), Arc::as_ptr(&go_on).cast_mut().cast()).result() }
        .unwrap();
    let (returned, watched) = channel::<()>();
    let watch = thread::spawn({
        let go_on = Arc::clone(&go_on);
        move || {
            let in_time = watched.recv_timeout(Duration::from_secs(10)) != Err(RecvTimeoutError::Timeout);
            go_on.store(true, Ordering::Release);
            in_time
        }
    });
    queue();
    returned.send(()).ok();
    let in_time = watch.join().unwrap();
    stream.synchronize().unwrap();
    in_time
}

/// Captures what `queue` enqueues, and runs it twice.
fn captured(stream: &CudaStream, queue: impl FnOnce()) {
    let (raw, mode) = (stream.cu_stream(), sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    let (mut graph, mut program) = (null_mut(), null_mut());
    // SAFETY: a live stream, and addresses of locals.
    unsafe {
        sys::cuStreamBeginCapture_v2(raw, mode).result().unwrap();
        queue();
        sys::cuStreamEndCapture(raw, &mut graph).result().unwrap();
        sys::cuGraphInstantiateWithFlags(&mut program, graph, 0).result().unwrap();
        for _ in 0..2 {
            sys::cuGraphLaunch(program, raw).result().unwrap();
        }
        stream.synchronize().unwrap();
        sys::cuGraphExecDestroy(program).result().unwrap();
        sys::cuGraphDestroy(graph).result().unwrap();
    }
}

#[test]
fn copy_and_reuse_compute_return_while_the_stream_is_busy() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((handle, stream)) = on_own_stream("copy_and_reuse_compute_return_while_the_stream_is_busy") else {
        return;
    };
    for (name, a, b) in products() {
        let want = reference::multiply(&a, &b);
        let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
        for workflow in ["upper_bound", "estimate", "exact"] {
            let mut product = Product::new(&handle, &a, &b, 0, &[("workflow", workflow)]);
            product.work_estimation();
            product.compute();
            product.give_arrays(0.0);
            assert!(returns_while_busy(&stream, || product.queue_copy(1.0)), "copy waits: {name}, {workflow}");
            assert_same(&product.result(), &want, name);
        }
        let mut product = Product::new(&handle, &a, &b, 0, &[]);
        product.reuse_pattern();
        assert!(returns_while_busy(&stream, || product.queue_reuse_compute(1.0)), "reuse_compute waits: {name}");
        assert_same(&product.result(), &want, name);
    }
}

#[test]
fn copy_and_reuse_compute_can_be_captured_in_a_graph() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((handle, stream)) = on_own_stream("copy_and_reuse_compute_can_be_captured_in_a_graph") else { return };
    for (name, a, b) in products() {
        let want = reference::multiply(&a, &b);
        let (a, b) = (Operand::new(&a, 0), Operand::new(&b, 0));
        let mut product = Product::new(&handle, &a, &b, 0, &[]);
        product.work_estimation();
        product.compute();
        product.give_arrays(0.0);
        captured(&stream, || product.queue_copy(1.0));
        assert_same(&product.result(), &want, name);

        let mut product = Product::new(&handle, &a, &b, 0, &[]);
        product.reuse_pattern();
        captured(&stream, || product.queue_reuse_compute(1.0));
        assert_same(&product.result(), &want, name);
    }
}
