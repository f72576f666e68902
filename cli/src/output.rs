// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results, on stdout.

use std::io::{ErrorKind, Write};

use serde::Serialize;

use crate::failure::{Failure, Result};

/// Prints text as it is. A reader that has gone away (`| head`) is no failure.
pub fn text(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::refused(format!("stdout: {error}"))),
        _ => Ok(()),
    }
}

/// Prints one JSON object.
pub fn json(report: &impl Serialize) -> Result<()> {
    let mut line = serde_json::to_string_pretty(report).map_err(Failure::refused)?;
    line.push('\n');
    text(&line)
}
