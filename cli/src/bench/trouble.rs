// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes wrong in one cell, and does not end the others.

use cudarc::driver::result::DriverError;

use crate::failure::Failure;

/// A call that failed.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// The error's name, as the library or the driver has it: the status of the cell.
    pub status: String,
    /// Where it happened, for people.
    pub detail: String,
}

pub type Result<T> = std::result::Result<T, Trouble>;

impl Trouble {
    pub fn new(status: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { status: status.into(), detail: detail.into() }
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        Self::refused(format!("{} ({})", trouble.detail, trouble.status))
    }
}

/// What a driver call returned, with its name in the error.
pub fn driver<T>(call: &str, result: std::result::Result<T, DriverError>) -> Result<T> {
    result.map_err(|error| {
        let name = error.error_name().map_or("unknown CUDA error".into(), |name| name.to_string_lossy().into_owned());
        Trouble::new(name, format!("{call} failed"))
    })
}
