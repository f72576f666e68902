// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a caller may set on one product, by name and value as text.

use super::hyperloglog::REGISTER_CHOICES;
use super::{Ablation, Allowed};
use crate::error::{Error, Result};

pub use super::plan::Workflow;

/// Everything that can be set; the default lets the plan choose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Forces a workflow.
    pub workflow: Option<Workflow>,
    /// Leaves out parts of the method.
    pub ablation: Option<Ablation>,
    /// Forces the share of the rows that is sampled.
    pub sampling: Option<f64>,
    /// Forces the registers of every sketch.
    pub registers: Option<usize>,
    /// Forces what estimates are multiplied by.
    pub coefficient: Option<f64>,
    /// Restricts the accumulators.
    pub accumulator: Allowed,
    /// Whether A and B are checked in full before anything is done with them.
    pub check: bool,
    /// Whether the calls are timed, step by step.
    pub profile: bool,
    /// Bytes that buffers and memory of the handle's allocator may take together; set by a function of its own.
    pub memory_limit: Option<usize>,
}

impl Options {
    /// Sets the option `name` from text.
    ///
    /// # Errors
    /// [`Error::Invalid`] lists the names, or the values of that name, that there are.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let auto = value == "auto";
        match name {
            "workflow" => {
                self.workflow = match value {
                    "auto" => None,
                    "upper_bound" => Some(Workflow::UpperBound),
                    "estimate" => Some(Workflow::Estimate),
                    "exact" => Some(Workflow::Exact),
                    _ => return Err(choices(name, value, "auto, upper_bound, estimate, exact")),
                }
            }
            "ablation" => {
                let level = Ablation::named(value);
                if !auto && level.is_none() {
                    return Err(choices(name, value, "auto, v1, v2, v3, v4"));
                }
                self.ablation = level;
            }
            "sampling" => {
                let share = value.parse().ok().filter(|s: &f64| *s > 0.0 && *s <= 1.0);
                if !auto && share.is_none() {
                    return Err(choices(name, value, "auto, or a number above 0, 1 at most"));
                }
                self.sampling = share;
            }
            "registers" => {
                let number = value.parse().ok().filter(|r| REGISTER_CHOICES.contains(r));
                if !auto && number.is_none() {
                    return Err(choices(name, value, "auto, 16, 32, 64, 128"));
                }
                self.registers = number;
            }
            "coefficient" => {
                let number = value.parse().ok().filter(|c: &f64| c.is_finite() && *c > 0.0);
                if !auto && number.is_none() {
                    return Err(choices(name, value, "auto, or a number above 0"));
                }
                self.coefficient = number;
            }
            "accumulator" => {
                self.accumulator = match value {
                    "auto" => Allowed::Auto,
                    "hash" => Allowed::Hash,
                    "dense" => Allowed::Dense,
                    _ => return Err(choices(name, value, "auto, hash, dense")),
                }
            }
            "check" => {
                self.check = match value {
                    "off" => false,
                    "full" => true,
                    _ => return Err(choices(name, value, "off, full")),
                }
            }
            "profile" => {
                self.profile = match value {
                    "off" => false,
                    "on" => true,
                    _ => return Err(choices(name, value, "off, on")),
                }
            }
            _ => {
                let all = "workflow, registers, coefficient, accumulator, ablation, sampling, check, profile";
                return Err(Error::invalid("name", format!("is \"{name}\"; the options are {all}")));
            }
        }
        Ok(())
    }
}

fn choices(name: &str, value: &str, all: &str) -> Error {
    Error::invalid("value", format!("is \"{value}\"; \"{name}\" takes {all}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_read_what_they_list_and_refuse_the_rest_unchanged() {
        let mut options = Options::default();
        for (name, value) in [
            ("workflow", "exact"),
            ("registers", "64"),
            ("coefficient", "0.5"),
            ("accumulator", "hash"),
            ("ablation", "v3"),
            ("sampling", "0.05"),
            ("check", "full"),
            ("profile", "on"),
        ] {
            options.set(name, value).unwrap();
        }
        let set = Options {
            workflow: Some(Workflow::Exact),
            ablation: Some(Ablation::V3),
            sampling: Some(0.05),
            registers: Some(64),
            coefficient: Some(0.5),
            accumulator: Allowed::Hash,
            check: true,
            profile: true,
            memory_limit: None,
        };
        assert_eq!(options, set);
        for (name, value) in [
            ("workflow", "fast"),
            ("registers", "48"),
            ("registers", ""),
            ("coefficient", "-1"),
            ("coefficient", "NaN"),
            ("accumulator", "AUTO"),
            ("ablation", "v5"),
            ("sampling", "0"),
            ("sampling", "1.5"),
            ("check", "on"),
            ("profile", "full"),
            ("speed", "high"),
        ] {
            let message = options.set(name, value).unwrap_err().to_string();
            assert!(message.contains(if name == "speed" { name } else { value }), "{message}");
            assert_eq!(options, set);
        }
        for name in ["workflow", "registers", "coefficient", "accumulator", "ablation", "sampling"] {
            options.set(name, "auto").unwrap();
        }
        options.set("check", "off").unwrap();
        options.set("profile", "off").unwrap();
        assert_eq!(options, Options::default());
    }
}
