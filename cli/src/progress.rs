// SPDX-License-Identifier: MIT OR Apache-2.0
//! Progress on stderr: only on a terminal, and only once the work has turned out to be long.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work that is over before this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar for work whose extent is known. It goes away when it is dropped.
pub struct Meter {
    label: String,
    begin: Instant,
    terminal: bool,
    bar: Option<ProgressBar>,
}

impl Meter {
    pub fn new(label: impl Into<String>) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self { label: label.into(), begin: Instant::now(), terminal, bar: None }
    }

    /// `done` of `total`, in any unit; a new `total` starts the bar anew.
    pub fn update(&mut self, done: u64, total: u64) {
        if !self.terminal || self.begin.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(total).with_message(self.label.clone());
            // The template is a constant: a test builds it.
            bar.with_style(ProgressStyle::with_template(BAR).unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_length(total);
        bar.set_position(done);
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Tasks one after another, each with a name; lines can be printed above.
#[cfg(feature = "cuda")]
pub struct Tasks {
    bar: ProgressBar,
    begun: u64,
}

#[cfg(feature = "cuda")]
impl Tasks {
    pub fn new(total: usize) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden(), begun: 0 };
        }
        let style = ProgressStyle::with_template(TASKS).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(total as u64).with_style(style);
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, begun: 0 }
    }

    pub fn next(&mut self, name: &str) {
        self.bar.set_position(self.begun);
        self.bar.set_message(name.to_owned());
        self.begun += 1;
    }

    /// Takes the bar away while something is printed.
    pub fn above<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

#[cfg(feature = "cuda")]
impl Drop for Tasks {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

const BAR: &str = "{msg} {wide_bar} {percent:>3} % {eta}";
#[cfg(feature = "cuda")]
const TASKS: &str = "{msg} {wide_bar} {pos}/{len} {elapsed}";
const SPINNER: &str = "{spinner} {msg} {elapsed}";

/// Turns while `work` runs, if `long` says that it is worth it.
pub fn spin<T>(label: impl Into<String>, long: bool, work: impl FnOnce() -> T) -> T {
    if !long || !std::io::stderr().is_terminal() {
        return work();
    }
    let style = ProgressStyle::with_template(SPINNER).unwrap_or_else(|_| ProgressStyle::default_spinner());
    let spinner = ProgressBar::new_spinner().with_style(style).with_message(label.into());
    spinner.enable_steady_tick(Duration::from_millis(100));
    let result = work();
    spinner.finish_and_clear();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_are_sound() {
        for template in [
            BAR,
            SPINNER,
            #[cfg(feature = "cuda")]
            TASKS,
        ] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
