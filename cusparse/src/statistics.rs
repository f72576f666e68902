// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was done, for `OCEAN_STATS=1` at exit, and each reason for a product that cuSPARSE serves, once, for
//! `OCEAN_LOG=info`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::time::Duration;

use crate::guard::lock;
use crate::route::Call;
use crate::settings::settings;
use crate::types::INDEX_64I;
use crate::{log, real};

#[derive(Default)]
struct Tally {
    served: u64,
    /// The host's time in ocean's steps.
    time: Duration,
    saved_bytes: u128,
    /// How often for each reason.
    left: BTreeMap<String, u64>,
}

static TALLY: Mutex<Tally> =
    Mutex::new(Tally { served: 0, time: Duration::ZERO, saved_bytes: 0, left: BTreeMap::new() });

/// Reasons may have numbers in them; a program that runs for long must not fill memory with them.
const MOST_REASONS: usize = 32;

/// cuSPARSE is to serve a product. Gives the reason to count it by.
pub fn decided(reason: String) -> String {
    let mut tally = lock(&TALLY);
    let is_known = tally.left.contains_key(&reason);
    let reason = if is_known || tally.left.len() < MOST_REASONS { reason } else { "other reasons".into() };
    if !tally.left.contains_key(&reason) {
        log::info(format_args!("cuSPARSE serves a product: {reason}"));
        tally.left.insert(reason.clone(), 0);
    }
    reason
}

/// cuSPARSE has begun with a product.
pub fn left_to_real(reason: &str) {
    if let Some(times) = lock(&TALLY).left.get_mut(reason) {
        *times += 1;
    }
}

/// A step by ocean took so long.
pub fn took(time: Duration) {
    lock(&TALLY).time += time;
}

/// Ocean has computed a product.
pub fn served() {
    let mut tally = lock(&TALLY);
    tally.served += 1;
    if tally.served == 1 {
        log::info("serves products");
    }
}

/// Ocean has computed a product of the plain protocol with a second buffer of so many bytes.
pub fn computed(call: &Call<'_>, alg: i32, second_buffer: usize) {
    served();
    if settings().statistics {
        let entry = 2 * (value_bytes(call.csr.value_type) + 2 * index_bytes(call.csr.offset_type));
        let theirs = f64::from(entry as u32) * call.products() as f64 * share(alg, call.notes.chunk_fraction);
        saved(theirs, call.notes.first_buffer + second_buffer);
    }
}

/// Ocean has counted a product of the reuse protocol, with buffers 2 to 4 of so many bytes.
pub fn counted(call: &Call<'_>, buffers: usize) {
    if settings().statistics {
        saved(REUSE_BYTES * call.products() as f64, buffers);
    }
}

/// The bytes that a program says a buffer has; nothing counts as 0.
pub fn stated(size: *const usize) -> usize {
    // SAFETY: cuSPARSE asks for a pointer that is NULL or valid.
    unsafe { size.as_ref() }.copied().unwrap_or(0)
}

/// Bytes for each scalar product that cuSPARSE 12.6.3 asks for in buffers 2, 3 and 4 of the reuse protocol.
const REUSE_BYTES: f64 = 16.2 + 8.0 + 8.0;

/// cuSPARSE's plain protocol asks for two values and four indices for each scalar product, measured with 12.6.3; ALG2 for
/// two thirds of that, ALG3 for the chunk at least.
fn share(alg: i32, chunk_fraction: f32) -> f64 {
    match alg {
        4 => 2.0 / 3.0,
        5 => f64::from(chunk_fraction.clamp(0.0, 1.0)),
        _ => 1.0,
    }
}

fn saved(theirs: f64, ours: usize) {
    lock(&TALLY).saved_bytes += (theirs as u128).saturating_sub(ours as u128);
}

/// Bytes of a `cudaDataType` that cuSPARSE multiplies; others never come here.
fn value_bytes(kind: i32) -> usize {
    match kind {
        2 | 14 => 2,
        1 | 4 => 8,
        5 => 16,
        _ => 4,
    }
}

/// Bytes of a `cusparseIndexType_t`.
fn index_bytes(kind: i32) -> usize {
    if kind == INDEX_64I { 8 } else { 4 }
}

impl Tally {
    fn report(&self) -> String {
        let mut text = format!(
            "ocean: products served: {}; time in calls: {:.3} ms; workspace saved, estimated: {:.1} MiB\n",
            self.served,
            self.time.as_secs_f64() * 1e3,
            self.saved_bytes as f64 / f64::from(1 << 20),
        );
        let _ = writeln!(text, "ocean: products left to cuSPARSE: {}", self.left.values().sum::<u64>());
        for (reason, times) in &self.left {
            let _ = writeln!(text, "ocean: {times:6} x {reason}");
        }
        text
    }
}

/// Prints the report. Silent where nobody knows of cuSPARSE: a shell that the variables are set for starts many programs.
extern "C" fn at_exit() {
    // A panic while the process ends helps nobody.
    let _ = std::panic::catch_unwind(|| {
        if settings().statistics && real::is_opened() {
            log::print(&lock(&TALLY).report());
        }
    });
}

/// Run when the library is unloaded, which is when the process ends.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_EXIT: extern "C" fn() = at_exit;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_every_reason() {
        let left = BTreeMap::from([("matA is not in CSR".to_string(), 2), ("matB is a batch".to_string(), 1)]);
        let tally = Tally { served: 4, time: Duration::from_micros(1500), saved_bytes: 3 << 20, left };
        assert_eq!(
            tally.report(),
            "ocean: products served: 4; time in calls: 1.500 ms; workspace saved, estimated: 3.0 MiB\n\
             ocean: products left to cuSPARSE: 3\n\
             ocean:      2 x matA is not in CSR\n\
             ocean:      1 x matB is a batch\n"
        );
    }

    #[test]
    fn what_cusparse_needs_depends_on_the_algorithm() {
        assert_eq!(share(0, 0.2), 1.0);
        assert_eq!(share(5, 0.25), 0.25);
        assert_eq!(share(5, 7.0), 1.0);
        assert_eq!(2 * (value_bytes(1) + 2 * index_bytes(2)), 32);
        assert_eq!(2 * (value_bytes(0) + 2 * index_bytes(2)), 24);
        assert_eq!(2 * (value_bytes(1) + 2 * index_bytes(3)), 48);
    }
}
