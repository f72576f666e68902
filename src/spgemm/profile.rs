// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the calls of one product took, step by step, where the caller asks for it: a backend that times another's steps.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::{Allowed, Bin, BinCounts, Inspection, Place, RowArrays, Sample};
use crate::backend::{
    Backend, Finished, Known, Lap, Look, Looked, Output, OverflowedRow, RowProducts, Sampled, Scalars, ShortRows,
    Slots, SortedRows, Survey, TransposedRows,
};
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::{Address, Memory, Span};
use crate::scalar::ValueType;

/// Calls that are kept; the first ones go when there are more.
const CALLS: usize = 64;

/// The calls of one product.
#[derive(Debug, Default)]
pub struct Profile {
    calls: Mutex<Vec<Call>>,
}

#[derive(Debug)]
struct Call {
    name: &'static str,
    whole: Box<dyn Lap>,
    steps: Vec<(&'static str, Box<dyn Lap>)>,
}

impl Profile {
    /// Does the work of a call, and times its steps.
    pub fn call<T>(
        self: &Arc<Self>,
        name: &'static str,
        place: Place<'_>,
        work: impl FnOnce(Place<'_>) -> Result<T>,
    ) -> Result<T> {
        let timed = Timed { on: place.on.taking_from(place.memory), profile: Arc::clone(self) };
        let whole = timed.on.start_lap()?;
        let mut calls = self.calls();
        if calls.len() == CALLS {
            calls.remove(0);
        }
        calls.push(Call { name, whole, steps: Vec::new() });
        drop(calls);
        let result = work(Place { on: &timed, memory: place.memory });
        // A call that failed took its time as well.
        self.calls().last_mut().map_or(Ok(()), |call| call.whole.stop())?;
        result
    }

    fn step<T>(&self, on: &dyn Backend, name: &'static str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let mut lap = on.start_lap()?;
        let result = work();
        lap.stop()?;
        if let Some(call) = self.calls().last_mut() {
            call.steps.push((name, lap));
        }
        result
    }

    /// What has been timed. Waits until it is done.
    pub fn read(&self) -> Result<Times> {
        let calls = self.calls();
        let times = calls.iter().map(|call| {
            let mut steps: Vec<StepTime> = Vec::new();
            for (step, lap) in &call.steps {
                let ms = lap.milliseconds()?;
                match steps.iter_mut().find(|known| known.step == *step) {
                    Some(known) => (known.times, known.ms) = (known.times + 1, known.ms + ms),
                    None => steps.push(StepTime { step, times: 1, ms }),
                }
            }
            Ok(CallTime { call: call.name, ms: call.whole.milliseconds()?, steps })
        });
        Ok(Times { calls: times.collect::<Result<_>>()? })
    }

    fn calls(&self) -> std::sync::MutexGuard<'_, Vec<Call>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Calls, in order.
#[derive(Debug, Serialize)]
pub struct Times {
    calls: Vec<CallTime>,
}

#[derive(Debug, Serialize)]
struct CallTime {
    call: &'static str,
    /// With what lies between the steps.
    ms: f64,
    steps: Vec<StepTime>,
}

#[derive(Debug, Serialize)]
struct StepTime {
    step: &'static str,
    times: usize,
    ms: f64,
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for CallTime { call, ms, steps } in &self.calls {
            writeln!(f, "{call:<36} {ms:>12.3} ms")?;
            for StepTime { step, times, ms: of_step } in steps {
                let share = if *ms > 0.0 { 100.0 * of_step / ms } else { 0.0 };
                let often = if *times > 1 { format!("{times} times") } else { String::new() };
                writeln!(f, "  {step:<24} {often:>9} {of_step:>12.3} ms  {share:>5.1} %")?;
            }
        }
        Ok(())
    }
}

/// Another backend, timed.
struct Timed {
    on: Arc<dyn Backend>,
    profile: Arc<Profile>,
}

/// Steps that are done as they are, and timed.
macro_rules! timed {
    ($($step:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        $(fn $step(&self, $($argument: $kind),*) -> Result<$result> {
            self.profile.step(&*self.on, stringify!($step), || self.on.$step($($argument),*))
        })*
    };
}

impl Backend for Timed {
    fn name(&self) -> &'static str {
        self.on.name()
    }

    fn available_bytes(&self) -> Result<u64> {
        self.on.available_bytes()
    }

    fn start_lap(&self) -> Result<Box<dyn Lap>> {
        self.on.start_lap()
    }

    fn finds_alike(&self) -> bool {
        self.on.finds_alike()
    }

    fn least_sampled(&self) -> i64 {
        self.on.least_sampled()
    }

    fn are_short(&self, of_a: i64, of_b: i64) -> bool {
        self.on.are_short(of_a, of_b)
    }

    fn bins(&self) -> &'static [Bin] {
        self.on.bins()
    }

    fn taking_from(&self, memory: &Arc<dyn Memory>) -> Arc<dyn Backend> {
        Arc::new(Self { on: self.on.taking_from(memory), profile: Arc::clone(&self.profile) })
    }

    timed! {
        inspect(matrix: &Csr, name: &'static str) -> Inspection;
        survey(a: &Csr, b: &Csr, arrays: &RowArrays, may_be_short: bool) -> Survey;
        alike(a: &Csr, b: &Csr, look: &Look<'_>) -> Looked;
        row_products(a: &Csr, b: &Csr, arrays: &RowArrays) -> RowProducts;
        sample(a: &Csr, b: &Csr, sampled: &Sampled<'_>) -> Sample;
        sketch(b: &Csr, registers: usize, sketches: Span<u8>) -> ();
        estimate(a: &Csr, b: &Csr, sketches: Span<u8>, registers: usize, coefficient: f64, sizes: Span<i64>) -> ();
        count_short(a: &Csr, b: &Csr, sizes: Span<i64>) -> ShortRows;
        count(a: &Csr, b: &Csr, known: &Known, compression: f64, spans: Span<i32>, sizes: Span<i64>) -> ();
        cap(sizes: Span<i64>, most: i64) -> ();
        bin(a: &Csr, known: &Known, offsets: Span<i64>, spans: Span<i32>, allowed: Allowed, order: Span<i32>) -> BinCounts;
        scan_and_bin(a: &Csr, known: &Known, sizes: Span<i64>, spans: Span<i32>, allowed: Allowed, order: Span<i32>)
            -> (i64, BinCounts);
        finish_lengths(a: &Csr, b: &Csr, lengths: Span<i64>) -> Finished;
        scan(sizes: Span<i64>) -> i64;
        accumulate(a: &Csr, b: &Csr, known: &Known, listed: (&Bin, Span<i32>), starts: Span<i64>, output: &Output) -> ();
        accumulate_all(a: &Csr, b: &Csr, known: &Known, rows: (Span<i32>, &BinCounts), starts: Span<i64>, output: &Output)
            -> ();
        overflowed(a: &Csr, b: &Csr, counts: Span<i64>) -> Vec<OverflowedRow>;
        redo(a: &Csr, b: &Csr, rows: &[OverflowedRow], starts: Span<i64>, slots: &Slots, counts: Span<i64>) -> ();
        compact(starts: Span<i64>, slots: &Slots, offsets: Span<i64>, c: &Csr, scalars: &Scalars) -> ();
        round(from: Address, count: usize, c: &Csr, scalars: &Scalars) -> ();
        write_offsets(offsets: Option<Span<i64>>, before: i64, c: &Csr) -> ();
        offsets_alone(rows: &Csr, before: i64, to: Address) -> ();
        copy(from: Address, to: Address, bytes: usize) -> ();
        fingerprint(matrix: &Csr, rows: Span<u64>) -> ();
        first_difference(one: Span<u64>, other: Span<u64>) -> Option<usize>;
        sort_rows(matrices: &[Csr], sorted: &SortedRows) -> i64;
        transpose(matrix: &Csr, to: &TransposedRows) -> ();
        gather(kind: ValueType, sources: Span<i64>, conjugate: bool, from: Address, to: Address) -> ();
        narrow_columns(matrix: &Csr, to: Span<i32>) -> ();
        widen_columns(from: Span<i32>, to: Address) -> ();
        widen(kinds: [ValueType; 2], count: usize, from: Address, to: Address) -> ();
        sort_values(kind: ValueType, stored: Address, sorted: &SortedRows, values: Address) -> ();
    }
}
