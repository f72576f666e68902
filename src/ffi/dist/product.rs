// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products: planned once, executed for any values.

use std::sync::{Arc, Mutex, MutexGuard, Weak};

use super::created::Created;
use super::handle::world;
use super::matrix::{DistMatrix, Local, MATRICES, operand};
use super::options::options;
use super::types::{oceanDistHandle_t, oceanDistMat_t, oceanDistOptions_t, oceanDistPlan_t};
use crate::dist::{self, Prepared, Profile, World, fingerprint};
use crate::error::{Error, Result};
use crate::ffi::guard::guard;
use crate::ffi::objects::{Registry, lock};
use crate::ffi::types::oceanStatus_t;
use crate::heap::caught;
use crate::scalar::{ValueType, with_computed};

/// What an `oceanDistPlan_t` stands for.
pub(super) struct Plan {
    world: Weak<Mutex<World>>,
    kind: ValueType,
    /// Whether B is A.
    square: bool,
    /// What this rank's shares of A and B looked like.
    patterns: [u64; 2],
    /// Sizes of C.
    sizes: [u64; 2],
    pub prepared: Arc<Prepared>,
    /// Everyone's counts of the last product, in the order of ranks, and this rank.
    pub profiles: Option<(usize, Vec<Profile>)>,
}

static PLANS: Registry<Plan> = Registry::new("distributed plan");

/// The plan behind `pointer`.
pub(super) fn plan(pointer: oceanDistPlan_t) -> Result<Arc<Mutex<Plan>>> {
    PLANS.get(pointer, "plan")
}

/// A and B of a call, as this rank gave them.
struct Operands {
    a: DistMatrix,
    b: DistMatrix,
    /// Whether they are one matrix.
    square: bool,
    patterns: [u64; 2],
}

impl Operands {
    fn new(a: oceanDistMat_t, b: oceanDistMat_t, world: &Arc<Mutex<World>>) -> Result<Self> {
        let ((left, a_pattern), (right, b_pattern)) = (operand(a, "matA", world)?, operand(b, "matB", world)?);
        if left.kind != right.kind {
            let what = format!("matB with values of type {:?} beside matA's {:?}", right.kind, left.kind);
            return Err(Error::not_supported(what));
        }
        if left.sizes[1] != right.sizes[0] {
            return Err(Error::InnerDimension {
                left: "matA",
                right: "matB",
                a_cols: left.sizes[1] as i64,
                b_rows: right.sizes[0] as i64,
            });
        }
        Ok(Self { a: left, b: right, square: a == b, patterns: [a_pattern, b_pattern] })
    }

    /// What all ranks must have alike.
    fn mark(&self) -> (ValueType, [u64; 2], [u64; 2], bool) {
        (self.a.kind, self.a.sizes, self.b.sizes, self.square)
    }
}

/// A number that is the same on all ranks if they make the same call. A rank that fails has no say.
fn mark_of(call: &str, operands: &Result<Operands>, options: Option<&dist::Options>) -> u64 {
    fingerprint(&(call, operands.as_ref().ok().map(Operands::mark), options))
}

/// What a call that plans was given, once all ranks have it alike; `out` says whether there is a place for its result.
fn agree(
    object: &Arc<Mutex<World>>,
    world: &mut World,
    call: &str,
    [a, b]: [oceanDistMat_t; 2],
    options: oceanDistOptions_t,
    out: Result<()>,
) -> Result<(Operands, dist::Options)> {
    let options = self::options(options).map(|options| options.product);
    let operands = caught(|| Operands::new(a, b, object));
    let mark = mark_of(call, &operands, options.as_ref().ok());
    let checked = out.and(operands).and_then(|operands| Ok((operands, options?)));
    world.agree(checked, mark)
}

fn prepare(
    object: &Arc<Mutex<World>>,
    world: &mut World,
    operands: &Operands,
    options: &dist::Options,
) -> Result<Plan> {
    let Operands { a, b, square, patterns } = operands;
    let prepared = with_computed!(Some(a.kind), V => {
        let (left, right) = (a.local::<V>()?, b.local::<V>()?);
        let rank = world.rank();
        let (left, right) = (left.entries(rank), (!square).then(|| right.entries(rank)));
        world.prepare(&left, right.as_deref(), &a.rows, options)
    })?;
    Ok(Plan {
        world: Arc::downgrade(object),
        kind: a.kind,
        square: *square,
        patterns: *patterns,
        sizes: [a.sizes[0], b.sizes[1]],
        prepared: Arc::new(prepared),
        profiles: None,
    })
}

/// The product, and everyone's profile of it.
fn run(
    object: &Arc<Mutex<World>>,
    world: &mut World,
    plan: &Plan,
    operands: &Operands,
) -> Result<(DistMatrix, Vec<Profile>)> {
    let Operands { a, b, square, .. } = operands;
    with_computed!(Some(a.kind), V => {
        let (left, right) = (a.local::<V>()?, b.local::<V>()?);
        let right = (!square).then(|| right.values());
        let (c, profile) = world.run(&plan.prepared, left.values(), right)?;
        let profiles = world.gather(&profile.numbers())?;
        let profiles = profiles.as_chunks().0.iter().map(Profile::of_numbers).collect();
        let rows = c.layout.rows.clone();
        let local = Local::Product(c).shared();
        Ok((DistMatrix::new(object, world.rank(), a.kind, local, plan.sizes, rows), profiles))
    })
}

/// Settles how C = A * B is computed for matrices of these patterns: which algorithm, where entries go, and what travels when.
/// Collective.
///
/// Where matA and matB are the same matrix, the product is A * A and takes one copy of it. The plan does not keep the
/// matrices. Cost: every place of an entry travels once; a plan holds some 20 bytes for each entry of A and B on a rank.
/// Source: for OCEAN_DIST_TRIDENT, "Trident", ICS 2026, section 3, and docs/distributed.md for what differs from it.
///
/// @param[in]  dist        the ranks.
/// @param[in]  matA, matB  m x k and k x n, made with dist, or products on it; of one type.
/// @param[in]  options     algorithm, sums, permutation, memory limit and machine are read; or NULL.
/// @param[out] plan        NULL on failure. Ends with oceanDistDestroyPlan.
/// @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead matrices or options, sizes
///         that do not fit, a grid that is not the ranks', options that differ between ranks, a memory limit too small;
///         NOT_SUPPORTED for different types, or blocks with 2^31 rows or columns; ALLOC_FAILED; EXECUTION_FAILED for a
///         rank that does not come within the timeout.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistSpGEMM_plan(
    dist: oceanDistHandle_t,
    matA: oceanDistMat_t,
    matB: oceanDistMat_t,
    options: oceanDistOptions_t,
    plan: *mut oceanDistPlan_t,
) -> oceanStatus_t {
    guard(|| {
        let object = world(dist)?;
        let mut world = lock(&object);
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let out = unsafe { Created::new(plan, "plan") };
        let (operands, options) = agree(&object, &mut world, "a plan", [matA, matB], options, out.check())?;
        out.write(&PLANS, prepare(&object, &mut world, &operands, &options)?)
    })
}

/// Ends a plan. Not collective; products stay.
///
/// @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live plan.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistDestroyPlan(plan: oceanDistPlan_t) -> oceanStatus_t {
    guard(|| PLANS.remove(plan, "plan"))
}

/// C = A * B, for any values of the patterns that were planned for. Collective.
///
/// Only values travel, and the parts of A and B that the algorithm sends. The bits are those that oceanDistSetSums() says.
/// C's rows come back to the ranks that have A's, if A was made from rows, or is a product; else evenly cut.
///
/// @param[in]  plan        from oceanDistSpGEMM_plan; its handle must be alive.
/// @param[in]  matA, matB  of the patterns of the plan: the same matrices with the same or other values, or others. For
///                         a plan of A * A, one matrix twice.
/// @param[out] matC        m x n; NULL on failure. Ends with oceanDistDestroyMat.
/// @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead matrices, or another pattern or type
///         than planned for; ALLOC_FAILED; EXECUTION_FAILED for a rank that does not do its part within the timeout, or
///         what the transport refuses. After each of these the plan may be executed again, unless the message says
///         that the communicator is out of step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistSpGEMM_execute(
    plan: oceanDistPlan_t,
    matA: oceanDistMat_t,
    matB: oceanDistMat_t,
    matC: *mut oceanDistMat_t,
) -> oceanStatus_t {
    guard(|| {
        let planned = self::plan(plan)?;
        let mut plan = lock(&planned);
        let object = live_world(&plan)?;
        let mut world = lock(&object);
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let out = unsafe { Created::new(matC, "matC") };
        let operands = caught(|| Operands::new(matA, matB, &object).and_then(|operands| check(&plan, operands)));
        let mark = mark_of("a product", &operands, None);
        let operands = world.agree(out.check().and(operands), mark)?;
        let (c, profiles) = run(&object, &mut world, &plan, &operands)?;
        plan.profiles = Some((world.rank(), profiles));
        out.write(&MATRICES, c)
    })
}

fn live_world(plan: &MutexGuard<'_, Plan>) -> Result<Arc<Mutex<World>>> {
    plan.world.upgrade().ok_or(Error::Dead { argument: "the dist of plan", kind: "distributed handle" })
}

/// Whether these are what was planned for.
fn check(plan: &Plan, operands: Operands) -> Result<Operands> {
    if operands.a.kind != plan.kind {
        let problem = format!("has values of type {:?}, the plan is for {:?}", operands.a.kind, plan.kind);
        return Err(Error::invalid("matA", problem));
    }
    if operands.square != plan.square {
        let (planned, got) = if plan.square { ("matA itself", "another") } else { ("another matrix", "matA itself") };
        return Err(Error::invalid("matB", format!("is {got}, where the plan is for {planned}")));
    }
    for (at, argument) in [(0, "matA"), (1, "matB")] {
        if operands.patterns[at] != plan.patterns[at] {
            return Err(Error::invalid(argument, "has not the pattern that was planned for"));
        }
    }
    Ok(operands)
}

/// C = A * B in one call: plans, executes, and forgets the plan. Collective.
///
/// @param[in]  dist        the ranks.
/// @param[in]  matA, matB  as oceanDistSpGEMM_plan.
/// @param[in]  options     as oceanDistSpGEMM_plan.
/// @param[out] matC        as oceanDistSpGEMM_execute.
/// @return as oceanDistSpGEMM_plan and oceanDistSpGEMM_execute.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistSpGEMM(
    dist: oceanDistHandle_t,
    matA: oceanDistMat_t,
    matB: oceanDistMat_t,
    options: oceanDistOptions_t,
    matC: *mut oceanDistMat_t,
) -> oceanStatus_t {
    guard(|| {
        let object = world(dist)?;
        let mut world = lock(&object);
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let out = unsafe { Created::new(matC, "matC") };
        let call = "a plan and a product";
        let (operands, options) = agree(&object, &mut world, call, [matA, matB], options, out.check())?;
        let plan = prepare(&object, &mut world, &operands, &options)?;
        let (c, _) = run(&object, &mut world, &plan, &operands)?;
        out.write(&MATRICES, c)
    })
}
