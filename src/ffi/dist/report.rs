// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a plan decided, and what its last product took.

use std::ffi::c_char;
use std::fmt::Write;
use std::mem::MaybeUninit;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::product::plan;
use super::types::oceanDistPlan_t;
use crate::dist::{Explanation, Prepared, Profile, Sums};
use crate::error::{Error, Result};
use crate::ffi::guard::guard;
use crate::ffi::objects::lock;
use crate::ffi::text::write_text;
use crate::ffi::types::oceanReportFormat_t::{self, *};
use crate::ffi::types::{choice, oceanStatus_t};

/// How a plan's products are computed and, where the library has chosen, why so: the candidates with what they would move,
/// hold and take, by the model. Not collective, and the same on all ranks.
///
/// @param[in]     plan    from oceanDistSpGEMM_plan.
/// @param[in]     format  lines for people, or one JSON object.
/// @param[out]    buffer  host, or NULL: then only *size is written.
/// @param[in,out] size    host; bytes with the NUL at the end.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, a dead plan or no such format; INSUFFICIENT_RESOURCES if *size
///         is less than what is needed, which the message tells; nothing is written then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistSpGEMM_explain(
    plan: oceanDistPlan_t,
    format: MaybeUninit<oceanReportFormat_t>,
    buffer: *mut c_char,
    size: *mut usize,
) -> oceanStatus_t {
    guard(|| {
        let object = self::plan(plan)?;
        let prepared = Arc::clone(&lock(&object).prepared);
        let decision = Decision::of(&prepared);
        let text = match format_of(format)? {
            OCEAN_REPORT_TEXT => decision.text(),
            OCEAN_REPORT_JSON => json_text(&decision)?,
        };
        // SAFETY: the header asks for pointers that are NULL or valid, and for *size bytes.
        unsafe { write_text(&text, buffer, size) }
    })
}

/// What the plan's last product took: parcels, entries and bytes received between nodes and inside, and seconds by phase, on
/// this rank, and the least, the mean and the most of all ranks. Not collective.
///
/// @param[in]     plan    after oceanDistSpGEMM_execute.
/// @param[in]     format  lines for people, or one JSON object.
/// @param[out]    buffer  host, or NULL: then only *size is written.
/// @param[in,out] size    host; bytes with the NUL at the end.
/// @return as oceanDistSpGEMM_explain; INVALID_VALUE too if nothing has been executed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistSpGEMM_profile(
    plan: oceanDistPlan_t,
    format: MaybeUninit<oceanReportFormat_t>,
    buffer: *mut c_char,
    size: *mut usize,
) -> oceanStatus_t {
    guard(|| {
        let object = self::plan(plan)?;
        let format = format_of(format)?;
        let profiles = lock(&object).profiles.clone();
        let missing = Error::Order { call: "oceanDistSpGEMM_profile", missing: "oceanDistSpGEMM_execute" };
        let (rank, profiles) = profiles.ok_or(missing)?;
        let text = match format {
            OCEAN_REPORT_TEXT => profile_text(rank, &profiles),
            OCEAN_REPORT_JSON => json_text(&profile_json(rank, &profiles))?,
        };
        // SAFETY: the header asks for pointers that are NULL or valid, and for *size bytes.
        unsafe { write_text(&text, buffer, size) }
    })
}

fn format_of(format: MaybeUninit<oceanReportFormat_t>) -> Result<oceanReportFormat_t> {
    choice(format, "format", &[OCEAN_REPORT_TEXT, OCEAN_REPORT_JSON])
}

fn json_text(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Internal(error.to_string()))
}

/// What was decided.
#[derive(Serialize)]
struct Decision<'a> {
    algorithm: String,
    /// Rows and columns of nodes, and of ranks in a node.
    grid: [usize; 4],
    /// Intervals of the inner dimension.
    rounds: usize,
    /// Products that a rank computes.
    batches: usize,
    sums: String,
    chosen: Option<&'a Explanation>,
}

impl<'a> Decision<'a> {
    fn of(prepared: &'a Prepared) -> Self {
        let (shape, schedule) = (prepared.plan.shape, &prepared.plan.schedule);
        let grid = shape.grid;
        Self {
            algorithm: shape.algorithm.to_string(),
            grid: [grid.node_rows, grid.node_cols, grid.in_rows, grid.in_cols],
            rounds: schedule.rounds(),
            batches: schedule.batches(),
            sums: match prepared.plan.sums {
                Sums::InOrder => "in order".into(),
                Sums::ByRounds(rounds) => format!("by {rounds} rounds"),
            },
            chosen: prepared.explanation.as_ref(),
        }
    }

    fn text(&self) -> String {
        let [node_rows, node_cols, in_rows, in_cols] = self.grid;
        let mut out = format!(
            "{} on {node_rows} x {node_cols} nodes of {in_rows} x {in_cols} ranks, in {} rounds; sums {}, of {} products\n",
            self.algorithm, self.rounds, self.sums, self.batches
        );
        if let Some(explanation) = self.chosen {
            // Writing to a string cannot fail.
            let _ = write!(out, "{explanation}");
        }
        out
    }
}

/// This rank's number, the least, the mean and the most.
fn spread(rank: usize, profiles: &[Profile], of: impl Fn(&Profile) -> f64) -> [f64; 4] {
    let all = || profiles.iter().map(&of);
    let mean = all().sum::<f64>() / profiles.len() as f64;
    [of(&profiles[rank]), all().fold(f64::INFINITY, f64::min), mean, all().fold(0.0, f64::max)]
}

fn profile_text(rank: usize, profiles: &[Profile]) -> String {
    let mut out = format!(
        "{:<24}{:>16}{:>16}{:>16}{:>16}\n",
        format!("{} ranks", profiles.len()),
        format!("rank {rank}"),
        "least",
        "mean",
        "most"
    );
    for (at, name) in Profile::NAMES.iter().enumerate() {
        let numbers = spread(rank, profiles, |profile| profile.measures()[at]);
        let digits = if name.ends_with("seconds") { 6 } else { 0 };
        let [own, least, mean, most] = numbers.map(|number| format!("{number:.digits$}"));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{name:<24}{own:>16}{least:>16}{mean:>16}{most:>16}");
    }
    out
}

fn profile_json(rank: usize, profiles: &[Profile]) -> Value {
    let mut out = Map::new();
    out.insert("rank".into(), json!(rank));
    out.insert("ranks".into(), json!(profiles.len()));
    for (at, name) in Profile::NAMES.iter().enumerate() {
        let [own, least, mean, most] = spread(rank, profiles, |profile| profile.measures()[at]);
        out.insert((*name).into(), json!({ "own": own, "least": least, "mean": mean, "most": most }));
    }
    Value::Object(out)
}
