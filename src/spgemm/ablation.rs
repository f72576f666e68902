// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much of the method is in use: the four versions that Ocean (ICS 2026) compares in sec. 5.3, table 3.

use serde::Serialize;

/// Each version has what those before it have. Without one, the plan is this library's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ablation {
    /// Every row is counted in a table as large as its products; rows are summed by hash tables and dense passes.
    V1,
    /// And the paper's table 1 chooses the workflow.
    V2,
    /// And the sampled compression makes the tables smaller in which rows are counted.
    V3,
    /// And every accumulator is open, every way to count, and rows that are alike are counted once.
    V4,
}

impl Ablation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::V1, Self::V2, Self::V3, Self::V4];

    /// Its name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
            Self::V3 => "v3",
            Self::V4 => "v4",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Whether rows may get their room by a bound or an estimate.
    pub fn chooses_workflow(self) -> bool {
        self >= Self::V2
    }

    /// Whether tables to count in are sized by products over compression, not by products.
    pub fn trusts_compression(self) -> bool {
        self == Self::V3
    }

    /// Whether rows are counted by tables and dense passes alone, and summed so.
    pub fn is_plain(self) -> bool {
        self < Self::V4
    }
}
