// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many rows one task takes. A step that is a single task runs where it was called and wakes no thread.

use std::sync::Mutex;

use crate::heap;

/// Rows of a task where a row costs little.
pub const ROWS: usize = 8_192;

/// Work, in scalar products, that is done sooner than another thread wakes up.
const SERIAL: i64 = 1 << 15;

/// Rows of a task where rows cost `work` scalar products together: few enough to share uneven rows out, enough to
/// forget the task's cost.
pub fn rows_per_task(rows: usize, work: i64) -> usize {
    if work <= SERIAL { rows.max(1) } else { (rows / (16 * rayon::current_num_threads())).clamp(1, 256) }
}

/// What threads work with, each with one of its own: those that wait for a task.
pub struct Pool<S>(Mutex<Vec<S>>);

impl<S: Default> Pool<S> {
    pub fn new() -> Self {
        // No more tasks run at once, so the list never grows.
        Self(Mutex::new(heap::room(rayon::current_num_threads() + 1, "scratch of each thread")))
    }

    /// Runs `task` with a scratch, which comes back unless the task panics.
    pub fn lend<R>(&self, task: impl FnOnce(&mut S) -> R) -> R {
        let mut scratch = self.0.lock().map(|mut free| free.pop()).unwrap_or_default().unwrap_or_default();
        let result = task(&mut scratch);
        if let Ok(mut free) = self.0.lock()
            && free.len() < free.capacity()
        {
            free.push(scratch);
        }
        result
    }
}
