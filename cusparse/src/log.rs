// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words for the user, on stderr: a program's stdout may be data.

use std::fmt::Display;
use std::io::Write;

use crate::settings::{Level, settings};

/// Says what failed.
pub fn error(message: impl Display) {
    say(Level::Error, message);
}

/// Says who serves what.
pub fn info(message: impl Display) {
    say(Level::Info, message);
}

fn say(level: Level, message: impl Display) {
    if settings().level >= level {
        print(&format!("ocean: {message}\n"));
    }
}

/// One write, so that lines of several threads stay whole. A program without a stderr is none of our business.
pub fn print(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
