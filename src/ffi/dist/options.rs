// SPDX-License-Identifier: MIT OR Apache-2.0
//! Options: one object for all that may be said of handles, products and clusterings.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::path::PathBuf;
use std::ptr;
use std::time::Duration;

use super::types::oceanDistAlgorithm_t::{self, *};
use super::types::oceanDistOptions_t;
use crate::dist::cost::Machine;
use crate::dist::{self, Algorithm, Grid, Sums};
use crate::error::{Error, Result};
use crate::ffi::guard::{guard, output};
use crate::ffi::objects::{Registry, lock};
use crate::ffi::text::read_text;
use crate::ffi::types::{choice, oceanStatus_t};
use crate::mcl::Rules;

/// What an `oceanDistOptions_t` stands for.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    pub shim: Option<PathBuf>,
    pub per_node: Option<usize>,
    pub timeout: Option<Duration>,
    pub product: dist::Options,
    pub rules: Rules,
}

static OPTIONS: Registry<Options> = Registry::new("set of options");

/// What `options` say; the defaults for NULL.
pub(super) fn options(options: oceanDistOptions_t) -> Result<Options> {
    if options.is_null() {
        return Ok(Options::default());
    }
    let object = OPTIONS.get(options, "options")?;
    let copy = lock(&object).clone();
    Ok(copy)
}

/// Changes options.
fn set(options: oceanDistOptions_t, change: impl FnOnce(&mut Options) -> Result<()>) -> oceanStatus_t {
    guard(|| change(&mut lock(&*OPTIONS.get(options, "options")?)))
}

/// Makes options, with the defaults. Not collective; all ranks of a collective call must give the same.
///
/// @param[out] options  NULL on failure. Ends with oceanDistDestroyOptions.
/// @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistCreateOptions(options: *mut oceanDistOptions_t) -> oceanStatus_t {
    guard(|| {
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let out = unsafe { output(options, "options")? };
        *out = ptr::null_mut();
        *out = OPTIONS.add(Options::default());
        Ok(())
    })
}

/// Ends options. What was made with them stays as it is.
///
/// @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if these are no live options.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistDestroyOptions(options: oceanDistOptions_t) -> oceanStatus_t {
    guard(|| OPTIONS.remove(options, "options"))
}

/// How products are spread. Default: OCEAN_DIST_AUTO.
///
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options or no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistSetAlgorithm(
    options: oceanDistOptions_t,
    algorithm: MaybeUninit<oceanDistAlgorithm_t>,
) -> oceanStatus_t {
    const ALL: [oceanDistAlgorithm_t; 6] = [
        OCEAN_DIST_AUTO,
        OCEAN_DIST_TRIDENT,
        OCEAN_DIST_SUMMA,
        OCEAN_DIST_ROWS,
        OCEAN_DIST_ROWS_PER_NODE,
        OCEAN_DIST_SINGLE,
    ];
    set(options, |options| {
        options.product.algorithm = match choice(algorithm, "algorithm", &ALL)? {
            OCEAN_DIST_AUTO => Algorithm::Auto,
            OCEAN_DIST_TRIDENT => Algorithm::Trident,
            OCEAN_DIST_SUMMA => Algorithm::Summa,
            OCEAN_DIST_ROWS => Algorithm::Row1d,
            OCEAN_DIST_ROWS_PER_NODE => Algorithm::Row1dPerNode,
            OCEAN_DIST_SINGLE => Algorithm::Single,
        };
        Ok(())
    })
}

/// Trident on this grid: nodeRows x nodeCols nodes of inRows x inCols ranks each. OCEAN_DIST_TRIDENT itself takes the
/// squarest grid of nodes, and inCols = 1, as the paper does.
///
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or a number below 1. Whether the ranks of a handle
///         fill the grid is seen when a product is planned.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistSetGrid(
    options: oceanDistOptions_t,
    nodeRows: i32,
    nodeCols: i32,
    inRows: i32,
    inCols: i32,
) -> oceanStatus_t {
    set(options, |options| {
        let grid = Grid {
            node_rows: at_least_1(nodeRows, "nodeRows")?,
            node_cols: at_least_1(nodeCols, "nodeCols")?,
            in_rows: at_least_1(inRows, "inRows")?,
            in_cols: at_least_1(inCols, "inCols")?,
        };
        options.product.algorithm = Algorithm::TridentOn(grid);
        Ok(())
    })
}

fn at_least_1(number: i32, argument: &'static str) -> Result<usize> {
    usize::try_from(number)
        .ok()
        .filter(|&number| number > 0)
        .ok_or_else(|| Error::invalid(argument, format!("is {number}, below 1")))
}

/// In what order an entry of C is summed.
///
/// 0, the default: in one chain over A's row by ascending column, as one process sums it: the same bits on any number of
/// ranks, but a rank computes only once all it needs is there. 1 or more: a chain for each so many rounds of the
/// algorithm, whose sums are added in ascending order: a rank computes while the next round travels, in less memory, and
/// the bits depend on the grid.
///
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or rounds below 0.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistSetSums(options: oceanDistOptions_t, rounds: i32) -> oceanStatus_t {
    set(options, |options| {
        options.product.sums = match usize::try_from(rounds) {
            Ok(0) => Sums::InOrder,
            Ok(rounds) => Sums::ByRounds(rounds),
            Err(_) => return Err(Error::invalid("rounds", format!("is {rounds}, below 0"))),
        };
        Ok(())
    })
}

/// Whether rows, columns and the inner dimension are put in a random order while a product is computed, each by its size,
/// so that a square matrix is permuted symmetrically: spreads what is clustered. C comes back in the given order; sums
/// follow the random one. Default: no.
///
/// @param[in] permute  0 for no.
/// @param[in] seed     which random order.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistSetPermutation(options: oceanDistOptions_t, permute: i32, seed: i64) -> oceanStatus_t {
    set(options, |options| {
        options.product.permute = (permute != 0).then_some(seed as u64);
        Ok(())
    })
}

/// Bytes that a rank may need for a product, by the estimate of OCEAN_DIST_AUTO. Default: 0, which is any.
///
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options. A product that no algorithm can do in so little is
///         refused when it is planned.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistSetMemoryLimit(options: oceanDistOptions_t, bytes: usize) -> oceanStatus_t {
    set(options, |options| {
        options.product.memory_limit = (bytes > 0).then_some(bytes as u64);
        Ok(())
    })
}

/// What OCEAN_DIST_AUTO takes the machine for: of links between nodes and inside them the latency in seconds and the bytes
/// per second that one rank receives, and the scalar products per second of one rank. The default stands in for the
/// paper's machine, and was not measured.
///
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, a latency below 0, or a speed not above 0.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistSetMachine(
    options: oceanDistOptions_t,
    latencyBetween: f64,
    bytesPerSecondBetween: f64,
    latencyInside: f64,
    bytesPerSecondInside: f64,
    productsPerSecond: f64,
) -> oceanStatus_t {
    set(options, |options| {
        for (number, argument) in [(latencyBetween, "latencyBetween"), (latencyInside, "latencyInside")] {
            check_number(number, argument, number >= 0.0, "0 or more")?;
        }
        let speeds = [
            (bytesPerSecondBetween, "bytesPerSecondBetween"),
            (bytesPerSecondInside, "bytesPerSecondInside"),
            (productsPerSecond, "productsPerSecond"),
        ];
        for (number, argument) in speeds {
            check_number(number, argument, number > 0.0, "above 0")?;
        }
        options.product.machine = Machine {
            latency_between: latencyBetween,
            bytes_per_second_between: bytesPerSecondBetween,
            latency_inside: latencyInside,
            bytes_per_second_inside: bytesPerSecondInside,
            products_per_second: productsPerSecond,
        };
        Ok(())
    })
}

fn check_number(number: f64, argument: &'static str, holds: bool, what: &str) -> Result<()> {
    if holds && number.is_finite() {
        return Ok(());
    }
    Err(Error::invalid(argument, format!("is {number}, not {what}")))
}

/// How long a rank waits while nothing moves before a call fails, on all ranks. Has to be longer than any rank's own
/// computing. Default: 0, which is for ever. Of use to the functions that create an oceanDistHandle_t.
///
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or seconds that are not 0 or more, or above 1e9.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistSetTimeout(options: oceanDistOptions_t, seconds: f64) -> oceanStatus_t {
    set(options, |options| {
        check_number(seconds, "seconds", (0.0..=1e9).contains(&seconds), "from 0 to 1e9")?;
        options.timeout = (seconds > 0.0).then(|| Duration::from_secs_f64(seconds));
        Ok(())
    })
}

/// How many consecutive ranks are a node. Default: 0, which is those that share memory. Of use to the functions that
/// create an oceanDistHandle_t.
///
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or ranks below 0. Whether it divides the ranks is seen
///         when a handle is created.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistSetRanksPerNode(options: oceanDistOptions_t, ranks: i32) -> oceanStatus_t {
    set(options, |options| {
        let number = usize::try_from(ranks).map_err(|_| Error::invalid("ranks", format!("is {ranks}, below 0")))?;
        options.per_node = (number > 0).then_some(number);
        Ok(())
    })
}

/// Where mpi/ocean_mpi.c lies, compiled with the program's MPI as a shared library. By default that is what the environment
/// variable OCEAN_MPI_SHIM says, or libocean_mpi.so beside libocean.so, or what the loader finds by that name. Of use to
/// oceanDistCreate() and oceanDistCreateFortran().
///
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options or a NULL path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistSetShim(options: oceanDistOptions_t, path: *const c_char) -> oceanStatus_t {
    set(options, |options| {
        // SAFETY: the header asks for text that ends with a NUL, or NULL.
        options.shim = Some(PathBuf::from(unsafe { read_text(path, "path")? }));
        Ok(())
    })
}

/// The rules of oceanDistMcl(), which are those of the program `mcl`.
///
/// @param[in] inflation  the power of each step; default 2. More gives smaller clusters.
/// @param[in] prune      entries below 1 / prune are dropped; default 10000.
/// @param[in] select     of more entries in a column than so many, the largest are kept; default 1100.
/// @param[in] recover    where less than mass is left, so many of the largest are kept instead; default 1400.
/// @param[in] mass       of 1; default 0.9.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, an inflation not above 1, prune not above 1, counts below 1 or
///         a mass outside of 0 to 1.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistSetMclRules(
    options: oceanDistOptions_t,
    inflation: f64,
    prune: f64,
    select: i32,
    recover: i32,
    mass: f64,
) -> oceanStatus_t {
    set(options, |options| {
        check_number(inflation, "inflation", inflation > 1.0, "above 1")?;
        check_number(prune, "prune", prune > 1.0, "above 1")?;
        check_number(mass, "mass", (0.0..=1.0).contains(&mass), "from 0 to 1")?;
        let (select, recover) = (at_least_1(select, "select")?, at_least_1(recover, "recover")?);
        options.rules = Rules { inflation, prune, select, recover, mass, ..options.rules };
        Ok(())
    })
}

/// When oceanDistMcl() ends: once all distributions are flat to within chaos (default 1e-3), or after so many
/// iterations (default 1000).
///
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, a chaos not above 0, or iterations below 1.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistSetMclEnd(options: oceanDistOptions_t, chaos: f64, iterations: i32) -> oceanStatus_t {
    set(options, |options| {
        check_number(chaos, "chaos", chaos > 0.0, "above 0")?;
        options.rules = Rules { chaos, most_iterations: at_least_1(iterations, "iterations")?, ..options.rules };
        Ok(())
    })
}
