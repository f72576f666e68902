// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why the command stops, and what it tells the shell.

use std::fmt;
use std::process::ExitCode;

/// One readable line, and which kind of trouble it is.
#[derive(Debug)]
pub enum Failure {
    /// Usage, input, memory, or a request that the library does not support: nothing was found to be wrong
    /// with any product.
    Refused(String),
    /// A product is wrong.
    Wrong(String),
}

/// What nearly every function here returns.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub fn refused(message: impl fmt::Display) -> Self {
        Self::Refused(message.to_string())
    }

    /// An allocation of the command's own that failed.
    pub fn memory(bytes: u64, purpose: &str) -> Self {
        Self::Refused(format!("out of memory: {bytes} bytes for {purpose}"))
    }

    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Wrong(_) => ExitCode::from(1),
            Self::Refused(_) => ExitCode::from(2),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(message) | Self::Wrong(message) => out.write_str(message),
        }
    }
}

impl From<ocean_market::Error> for Failure {
    fn from(error: ocean_market::Error) -> Self {
        Self::refused(error)
    }
}
