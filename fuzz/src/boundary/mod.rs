// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C boundary: calls in any order with any arguments that a caller may pass. Pointers are NULL, dead or valid, as
//! the header asks; everything else may be wrong.
//!
//! No call is an internal error. One that fails leaves outputs, C and its arrays as they were and says why; A and B are
//! never written. What was accepted can be checked. In the end the handle still multiplies, and nothing leaks.

mod matrix;
mod memory;
mod world;

use std::ffi::{CStr, CString, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use ocean::ffi::oceanStatus_t::{self, *};
use ocean::ffi::*;

use super::input::Input;
use super::plan::OPTIONS;
use matrix::{choice, number};
use memory::{give, take};
use world::{Args, World};

/// Statuses that a caller can bring about on the host.
const CAUSED: [oceanStatus_t; 5] = [
    OCEAN_STATUS_SUCCESS,
    OCEAN_STATUS_ALLOC_FAILED,
    OCEAN_STATUS_INVALID_VALUE,
    OCEAN_STATUS_NOT_SUPPORTED,
    OCEAN_STATUS_INSUFFICIENT_RESOURCES,
];

/// Fails on what is the library's own fault.
fn judge(status: oceanStatus_t) -> bool {
    // SAFETY: the text lasts until this thread's next failing call.
    let message = unsafe { CStr::from_ptr(oceanGetLastErrorString()) };
    assert!(CAUSED.contains(&status), "{status:?}: {}", message.to_string_lossy());
    let done = status == OCEAN_STATUS_SUCCESS;
    assert!(done || !message.is_empty(), "{status:?} without a word");
    done
}

/// Bytes become a few matrices and products, and calls with them.
pub fn run(bytes: &[u8]) {
    let input = &mut Input::new(bytes);
    let mut world = World::new(input);
    for _ in 0..48 {
        if input.is_empty() {
            break;
        }
        step(&mut world, input);
    }
    world.end();
}

fn step(world: &mut World, input: &mut Input<'_>) {
    match input.below(24) {
        0 => world.add_matrix(input),
        1 => world.destroy(input),
        2 => set_up(world, input),
        3 => look(world, input),
        4 => set_option(world, input),
        5 => check(world, input),
        6 => one_call(world, input),
        7 | 8 => world.arrays(input),
        9..12 => estimate(world, input),
        12..14 => compute(world, input),
        14..16 => copy(world, input),
        16 => estimate_memory(world, input),
        17 | 18 => reuse_estimate(world, input),
        19 => reuse_nnz(world, input),
        20 | 21 => reuse_copy(world, input),
        22 => reuse_compute(world, input),
        _ => report(world, input),
    }
}

/// The arguments that every step begins with.
macro_rules! plain {
    ($function:ident, $args:expr, $descr:expr $(, $rest:expr)*) => {
        // SAFETY: pointers are NULL, dead or valid; arrays are as long as declared.
        unsafe {
            $function(
                $args.handle, $args.ops[0], $args.ops[1], $args.alpha, $args.a, $args.b, $args.beta, $args.c,
                $args.kind, $args.alg, $descr $(, $rest)*
            )
        }
    };
}

macro_rules! reuse {
    ($function:ident, $args:expr, $descr:expr $(, $rest:expr)*) => {
        // SAFETY: pointers are NULL, dead or valid; arrays are as long as declared.
        unsafe {
            $function(
                $args.handle, $args.ops[0], $args.ops[1], $args.a, $args.b, $args.c, $args.alg, $descr $(, $rest)*
            )
        }
    };
}

const RUBBISH: usize = 0x5eed;

/// A call that tells a size, then one with a buffer that is large enough, too short, or not there.
fn sized(
    world: &mut World,
    input: &mut Input<'_>,
    args: &Args,
    mut call: impl FnMut(*mut usize, *mut c_void) -> oceanStatus_t,
) -> bool {
    const MOST: usize = 1 << 22;
    let mut bytes = RUBBISH;
    let asked = world.watched(args, || call(&mut bytes, null_mut()));
    if !asked {
        assert_eq!(bytes, RUBBISH, "a size was written by a call that failed");
    }
    assert!(bytes > 0, "no size is ever 0");
    if input.rarely(4) {
        return false;
    }
    let needed = if asked { bytes } else { 64 };
    let short = needed > MOST || input.rarely(8);
    let given = if short { input.below(needed.min(256)) } else { needed + 64 * usize::from(input.rarely(8)) };
    let buffer = world.buffer(given.max(1));
    // A stated 0, or none at all, vouches for the buffer: only where it is long enough.
    let mut stated = given.max(1);
    if !short && asked && input.rarely(16) {
        stated = 0;
    }
    let before = stated;
    let done = world.watched(args, || call(&mut stated, buffer));
    // A product that is known to be empty needs no buffer.
    assert!(
        !(done && short && asked) || products(args.descr) == 0,
        "a buffer of {given} bytes instead of {needed} was taken"
    );
    assert!(done || stated == before, "a size was written by a call that failed");
    done
}

fn products(descr: oceanSpGEMMDescr_t) -> i64 {
    let mut products = 0;
    // SAFETY: the address of a local.
    judge(unsafe { oceanSpGEMM_getNumProducts(descr, &mut products) });
    products
}

fn estimate(world: &mut World, input: &mut Input<'_>) {
    let Some(args) = world.args(input, true) else { return };
    let descr = args.descr;
    if sized(world, input, &args, |bytes, buffer| plain!(oceanSpGEMM_workEstimation, args, descr, bytes, buffer)) {
        world.saw(&args);
    }
}

fn compute(world: &mut World, input: &mut Input<'_>) {
    let Some(args) = world.args(input, false) else { return };
    let descr = args.descr;
    sized(world, input, &args, |bytes, buffer| plain!(oceanSpGEMM_compute, args, descr, bytes, buffer));
}

fn copy(world: &mut World, input: &mut Input<'_>) {
    let Some(args) = world.args(input, false).filter(Args::c_is_apart) else { return };
    let descr = args.descr;
    if world.watched(&args, || plain!(oceanSpGEMM_copy, args, descr)) {
        world.filled(&args);
    }
}

fn estimate_memory(world: &mut World, input: &mut Input<'_>) {
    let Some(args) = world.args(input, false) else { return };
    let descr = args.descr;
    let mut sizes = [RUBBISH; 2];
    let [three, two] = &mut sizes;
    let fraction = input.float() as f32;
    let buffer = if input.flag() { world.buffer(256) } else { null_mut() };
    let two: *mut usize = if input.rarely(4) { null_mut() } else { two };
    let done = world.watched(&args, || plain!(oceanSpGEMM_estimateMemory, args, descr, fraction, three, buffer, two));
    assert!(done || sizes == [RUBBISH; 2], "a size was written by a call that failed");
}

fn reuse_estimate(world: &mut World, input: &mut Input<'_>) {
    let Some(args) = world.args(input, true) else { return };
    let descr = args.descr;
    if sized(world, input, &args, |bytes, buffer| reuse!(oceanSpGEMMreuse_workEstimation, args, descr, bytes, buffer)) {
        world.saw(&args);
    }
}

fn reuse_nnz(world: &mut World, input: &mut Input<'_>) {
    let Some(args) = world.args(input, false) else { return };
    let descr = args.descr;
    let (others, mut rest) = (world.buffer(256), [0usize; 2]);
    sized(world, input, &args, |bytes, buffer| {
        let other = if buffer.is_null() { null_mut() } else { others };
        let [two, three] = &mut rest;
        reuse!(oceanSpGEMMreuse_nnz, args, descr, two, other, three, other, bytes, buffer)
    });
}

fn reuse_copy(world: &mut World, input: &mut Input<'_>) {
    let Some(args) = world.args(input, false).filter(Args::c_is_apart) else { return };
    let descr = args.descr;
    let mut bytes = RUBBISH;
    let buffer = if input.rarely(3) { null_mut() } else { world.buffer(256) };
    if world.watched(&args, || reuse!(oceanSpGEMMreuse_copy, args, descr, &mut bytes, buffer)) {
        world.filled(&args);
    } else {
        assert_eq!(bytes, RUBBISH, "a size was written by a call that failed");
    }
}

fn reuse_compute(world: &mut World, input: &mut Input<'_>) {
    let Some(args) = world.args(input, false).filter(Args::c_is_apart) else { return };
    // It fills the pattern that its copy wrote.
    if !world.is_filled(&args) {
        return;
    }
    let descr = args.descr;
    if world.watched(&args, || plain!(oceanSpGEMMreuse_compute, args, descr)) {
        world.filled(&args);
    }
}

fn one_call(world: &mut World, input: &mut Input<'_>) {
    let Some(args) = world.args(input, true) else { return };
    let d = if input.flag() { null() } else { world.any_matrix(input) };
    // SAFETY: pointers are NULL, dead or valid; arrays are as long as declared.
    let done = world.watched(&args, || unsafe {
        oceanSpGEMM(
            args.handle,
            args.ops[0],
            args.ops[1],
            args.alpha,
            args.a,
            args.b,
            args.beta,
            d,
            args.c,
            args.kind,
            args.alg,
        )
    });
    if done {
        world.took_over(&args);
        world.check_output(&args);
    }
}

fn set_option(world: &mut World, input: &mut Input<'_>) {
    let (name, values) = input.of(&OPTIONS);
    let value = if input.rarely(16) { "\u{fffd}" } else { input.of(values) };
    let [name, value] = [name, value].map(|text| CString::new(text).expect("no NUL"));
    let descr = world.any_descriptor(input);
    let value = if input.rarely(16) { null() } else { value.as_ptr() };
    // SAFETY: text that is NULL or ends with a NUL.
    judge(unsafe { oceanSpGEMM_setOption(descr, name.as_ptr(), value) });
}

fn report(world: &mut World, input: &mut Input<'_>) {
    let descr = world.any_descriptor(input);
    let mut products = -1;
    // SAFETY: the address of a local.
    let done = judge(unsafe { oceanSpGEMM_getNumProducts(descr, &mut products) });
    assert_eq!(done, products >= 0);
    let mut size = 0;
    // SAFETY: as above.
    if judge(unsafe { oceanSpGEMM_getPlan(descr, choice(input, &[0, 1]), null_mut(), &mut size) }) {
        let given = if input.rarely(3) { input.below(256) } else { size };
        let buffer = world.buffer(given.max(1));
        let mut stated = given;
        let format = choice(input, &[0, 1]);
        // SAFETY: a buffer of at least as many bytes as stated.
        judge(unsafe { oceanSpGEMM_getPlan(descr, format, buffer.cast(), &mut stated) });
    }
}

fn check(world: &mut World, input: &mut Input<'_>) {
    let mat = world.any_matrix(input);
    let handle = world.any_handle(input);
    judge(oceanSpMatCheck(handle, mat, choice(input, &[0, 1])));
}

fn set_up(world: &mut World, input: &mut Input<'_>) {
    let handle = world.any_handle(input);
    match input.below(4) {
        0 => judge(oceanSetPointerMode(handle, choice(input, &[0, 1]))),
        1 => judge(oceanSetStream(handle, (input.number() as usize) as cudaStream_t)),
        2 => {
            let user = world.purse(input);
            let (give, take) = (Some(give as _), Some(take as _));
            let (give, take) = input.of(&[(give, take), (None, None), (None, take), (give, None)]);
            judge(oceanSetAllocator(handle, give, take, user))
        }
        _ => world.new_handle(input),
    };
}

/// Everything that only tells.
fn look(world: &mut World, input: &mut Input<'_>) {
    let (handle, mat) = (world.any_handle(input), world.any_matrix(input));
    let mut backend = MaybeUninit::<oceanBackend_t>::uninit();
    let mut mode = MaybeUninit::<oceanPointerMode_t>::uninit();
    let (mut stream, mut version) = (null_mut(), 0);
    let (mut format, mut base) = (MaybeUninit::<oceanFormat_t>::uninit(), MaybeUninit::<oceanIndexBase_t>::uninit());
    let mut kinds = [MaybeUninit::<oceanIndexType_t>::uninit(); 2];
    let (mut sizes, mut arrays, mut kind) = ([-1; 3], [null(); 3], -1);
    let lacks = input.rarely(8);
    // SAFETY: addresses of locals, or NULL.
    unsafe {
        judge(oceanGetBackend(handle, backend.as_mut_ptr()));
        judge(oceanGetPointerMode(handle, mode.as_mut_ptr()));
        judge(oceanGetStream(handle, &mut stream));
        judge(oceanGetVersion(handle, if lacks { null_mut() } else { &mut version }));
        judge(oceanGetProperty(input.number() as i32, &mut version));
        judge(oceanSpMatGetFormat(mat, format.as_mut_ptr()));
        judge(oceanSpMatGetIndexBase(mat, base.as_mut_ptr()));
        let [rows, cols, nnz] = &mut sizes;
        let [offsets, columns, values] = &mut arrays;
        let [offset_kind, column_kind] = kinds.each_mut().map(MaybeUninit::as_mut_ptr);
        let last: *mut i32 = if lacks { null_mut() } else { &mut kind };
        let done = judge(oceanConstCsrGet(
            mat,
            rows,
            cols,
            nnz,
            offsets,
            columns,
            values,
            offset_kind,
            column_kind,
            base.as_mut_ptr(),
            last,
        ));
        assert!(done || (sizes == [-1; 3] && arrays == [null(); 3]), "written by a call that failed");
        let name = CStr::from_ptr(oceanGetErrorName(number(input.number() as i32)));
        assert!(!name.is_empty());
    }
}
