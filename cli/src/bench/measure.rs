// SPDX-License-Identifier: MIT OR Apache-2.0
//! All cells of one matrix: checked once, then timed in turn.

use std::time::Instant;

use serde_json::Value as Json;

use super::cell::Cell;
use super::cusparse::{self, Algorithm};
use super::device::{Device, Staging};
use super::digest::{self, Digest, Truth};
use super::direct;
use super::ocean;
use super::operands::{Number, Operands, csr_bytes};
use super::output::{Arrays, View};
use super::trouble::{Result, Trouble};
use crate::arguments::{Form, Tool, word};
use crate::suite::Case;

/// What stays the same for all matrices.
pub struct Rig<'d> {
    pub device: &'d Device,
    pub ocean: Option<ocean::Library<'d>>,
    pub cusparse: Option<cusparse::Library<'d>>,
    /// Bytes per second that a copy reads and writes.
    pub bandwidth: f64,
    /// In the order of the table.
    pub jobs: Vec<Job>,
    pub runs: usize,
    pub seconds: f64,
    /// Whether cells tell ocean's plan and steps.
    pub profile: bool,
}

/// A tool in a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The tool's, or that of a set of options.
    pub name: String,
    pub tool: Tool,
    pub form: Form,
    /// Of ocean.
    pub options: Vec<(String, String)>,
}

/// Which forms a tool has.
pub fn has(tool: Tool, form: Form) -> bool {
    match tool {
        Tool::Ocean => true,
        Tool::CusparseDefault | Tool::CusparseAlg2 | Tool::CusparseAlg3 => form == Form::Staged,
        Tool::CusparseReuse => form != Form::OneCall,
    }
}

/// Untimed runs after the one that is checked, unless runs are long.
const WARM_UPS: usize = 2;
const LONG_SECONDS: f64 = 1.0;
/// Timed runs that are made whatever they take, but for [`PATIENCE`] times the seconds that were given.
const FEWEST_RUNS: usize = 3;
const PATIENCE: f64 = 4.0;

/// A cell on its way.
struct Running<'j> {
    job: &'j Job,
    times: Vec<f64>,
    nnz: Option<usize>,
    extra: Option<usize>,
    digest: Option<Digest>,
    /// ocean's plan, and what its steps took.
    explained: Option<[Json; 2]>,
    /// Ends the cell.
    trouble: Option<Trouble>,
}

impl<'j> Running<'j> {
    fn new(job: &'j Job) -> Self {
        let (times, nnz, extra, digest) = (vec![], None, None, None);
        Self { job, times, nnz, extra, digest, explained: None, trouble: None }
    }

    fn fails(&mut self, trouble: Trouble) {
        self.trouble.get_or_insert(trouble);
    }
}

/// C of a whole sequence.
enum Product<'a> {
    OneCall(ocean::OneCall<'a>),
    OneCallWith(direct::OneCall<'a>),
    Arrays(Arrays<'a>),
}

impl Product<'_> {
    fn view(&self) -> Result<View> {
        match self {
            Self::OneCall(product) => product.view(),
            Self::OneCallWith(product) => Ok(product.view()),
            Self::Arrays(arrays) => Ok(arrays.view()),
        }
    }
}

/// A finished product whose numbers can be computed again.
enum Kept<'a, V> {
    Ocean(ocean::Staged<'a, V>),
    Cusparse(cusparse::Reuse<'a, V>),
}

impl<V: Number> Kept<'_, V> {
    fn repeat(&mut self) -> Result<()> {
        match self {
            Self::Ocean(product) => product.repeat(),
            Self::Cusparse(product) => product.repeat(),
        }
    }

    fn view(&self) -> View {
        match self {
            Self::Ocean(product) => product.view(),
            Self::Cusparse(product) => product.view(),
        }
    }
}

/// The tools with their descriptors of A and B.
struct Bound<'a, V> {
    ocean: Option<(&'a ocean::Library<'a>, Result<ocean::Inputs<'a, V>>)>,
    cusparse: Option<(&'a cusparse::Library<'a>, Result<cusparse::Inputs<'a, V>>)>,
}

fn bound<'a, L, I>(side: &'a Option<(&'a L, Result<I>)>) -> Result<(&'a L, &'a I)> {
    let (library, inputs) = side.as_ref().ok_or_else(|| Trouble::new("INTERNAL", "the tool was not loaded"))?;
    Ok((*library, inputs.as_ref().map_err(Clone::clone)?))
}

impl<'a, V: Number> Bound<'a, V> {
    fn new(rig: &'a Rig<'a>, operands: &'a Operands<'a, V>) -> Self {
        Self {
            ocean: rig.ocean.as_ref().map(|library| (library, ocean::Inputs::new(operands))),
            cusparse: rig.cusparse.as_ref().map(|library| (library, cusparse::Inputs::new(operands))),
        }
    }

    /// The whole sequence, from inputs to C.
    fn multiply(&'a self, job: &Job) -> Result<Product<'a>> {
        let algorithm = match job.tool {
            Tool::Ocean => {
                let (library, inputs) = bound(&self.ocean)?;
                return Ok(match job.form {
                    Form::OneCall if job.options.is_empty() => Product::OneCall(ocean::OneCall::run(library, inputs)?),
                    Form::OneCall => Product::OneCallWith(ocean::one_call_with(library, inputs, &job.options)?),
                    _ => Product::Arrays(ocean::Staged::run(library, inputs, &job.options)?.finish()),
                });
            }
            Tool::CusparseReuse => {
                let (library, inputs) = bound(&self.cusparse)?;
                return Ok(Product::Arrays(cusparse::Reuse::run(library, inputs)?.finish()));
            }
            Tool::CusparseDefault => Algorithm::Default,
            Tool::CusparseAlg2 => Algorithm::Alg2,
            Tool::CusparseAlg3 => Algorithm::Alg3,
        };
        let (library, inputs) = bound(&self.cusparse)?;
        Ok(Product::Arrays(cusparse::multiply(library, inputs, algorithm)?))
    }

    /// The whole sequence, with its state kept.
    fn keep(&'a self, job: &Job) -> Result<Kept<'a, V>> {
        if job.tool == Tool::Ocean {
            let (library, inputs) = bound(&self.ocean)?;
            Ok(Kept::Ocean(ocean::Staged::run(library, inputs, &job.options)?))
        } else {
            let (library, inputs) = bound(&self.cusparse)?;
            Ok(Kept::Cusparse(cusparse::Reuse::run(library, inputs)?))
        }
    }
}

/// Seconds until what `work` queued is done, and what it gave.
fn timed<T>(device: &Device, work: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let begin = Instant::now();
    let result = work()?;
    device.synchronize()?;
    Ok((begin.elapsed().as_secs_f64(), result))
}

/// What one matrix needs besides the rig.
struct Checks<'a> {
    staging: Staging<'a>,
    truth: Truth,
    shape: (usize, usize),
    tolerance: f64,
}

impl Checks<'_> {
    /// Looks at all of C, and remembers what was found.
    ///
    /// # Safety
    /// `c` lies on the device, with the shape of this matrix and values of type `V`.
    unsafe fn look<V: Number>(&mut self, running: &mut Running<'_>, c: View) -> Result<()> {
        running.nnz = Some(c.nnz);
        // SAFETY: the caller's promise.
        let found = unsafe { digest::read::<V>(&mut self.staging, c, self.shape)? };
        let digest = found.map_err(|fault| Trouble::new("wrong", fault))?;
        let must_ascend = running.job.tool == Tool::Ocean; // the vendor promises no order
        if let Some(fault) = digest.fault(self.truth, self.tolerance, must_ascend) {
            return Err(Trouble::new("wrong", fault));
        }
        running.digest = Some(digest);
        Ok(())
    }
}

/// All cells of a matrix. A failure here means that not even A and B could be brought to the device.
pub fn matrix<V: Number>(rig: &Rig<'_>, name: &str, case: &Case, note: &dyn Fn(&str)) -> Result<Vec<Cell>> {
    let device = rig.device;
    let operands = Operands::<V>::new(device, case)?;
    operands.refresh(0)?;
    let mut checks = Checks {
        staging: Staging::new(device)?,
        truth: Truth::of(&operands),
        shape: operands.shape(),
        tolerance: if size_of::<V>() == 4 { 1e-4 } else { 1e-9 },
    };
    let mut all: Vec<Running<'_>> = rig.jobs.iter().map(Running::new).collect();
    let repeats = all.iter().any(|running| running.job.form == Form::Repeat);
    let wholes = all.iter().any(|running| running.job.form != Form::Repeat);
    let seconds = if repeats && wholes { rig.seconds / 2.0 } else { rig.seconds };

    let tools = Bound::new(rig, &operands);
    if wholes {
        whole::<V>(rig, &tools, &operands, &mut checks, &mut all, seconds);
    }
    if repeats {
        again(rig, &tools, &operands, &mut checks, &mut all, seconds);
    }
    compare(&mut all, checks.tolerance);
    if rig.profile {
        let staged = |running: &&mut Running<'_>| (running.job.tool, running.job.form) == (Tool::Ocean, Form::Staged);
        for running in all.iter_mut().filter(staged) {
            let explained = bound(&tools.ocean)
                .and_then(|(library, inputs)| ocean::Staged::explain(library, inputs, &running.job.options));
            explained
                .map(|explained| running.explained = Some(explained))
                .unwrap_or_else(|trouble| running.fails(trouble));
        }
    }

    let products = case.products();
    let nnz_c = all.iter().find_map(|running| running.digest.as_ref().map(|digest| digest.nnz));
    let c_bytes = |nnz| csr_bytes::<V>(operands.shape().0, nnz);
    let roofline_ms = nnz_c.map(|nnz| (operands.bytes() + c_bytes(nnz)) as f64 / rig.bandwidth * 1e3);
    let cells = all.into_iter().map(|running| {
        if let Some(Trouble { status, detail }) = &running.trouble {
            let (tool, form) = (&running.job.name, word(running.job.form));
            note(&format!("{name}, {tool} {form}: {detail} ({status})"));
        }
        let [plan, profile] = running.explained.map_or([None, None], |explained| explained.map(Some));
        let mut cell = Cell {
            matrix: name.to_owned(),
            name: running.job.name.clone(),
            tool: running.job.tool,
            form: running.job.form,
            r#type: V::NAME,
            products,
            nnz_c: running.nnz,
            median_ms: None,
            min_ms: None,
            max_ms: None,
            runs: 0,
            gflops: None,
            extra_peak_bytes: running.extra,
            status: running.trouble.map_or("ok".to_owned(), |trouble| trouble.status),
            roofline_ms,
            plan,
            profile,
        };
        let milliseconds: Vec<f64> = running.times.iter().map(|seconds| seconds * 1e3).collect();
        cell.set_times(&milliseconds);
        cell
    });
    Ok(cells.collect())
}

/// Runs `once` for every cell of the round, until there are enough runs or the time is over. `once` gives seconds.
fn rounds<V: Number>(
    rig: &Rig<'_>,
    operands: &Operands<'_, V>,
    cells: &mut [&mut Running<'_>],
    (warm_ups, seconds): (usize, f64),
    mut once: impl FnMut(usize, &mut Running<'_>) -> Result<f64>,
) {
    let mut begin = Instant::now();
    for round in 0..warm_ups + rig.runs {
        let timed = round.saturating_sub(warm_ups);
        if round == warm_ups {
            begin = Instant::now();
        }
        let spent = begin.elapsed().as_secs_f64();
        if (timed >= FEWEST_RUNS && spent > seconds) || (timed > 0 && spent > PATIENCE * seconds) {
            return;
        }
        // The first of a round finds a device that has waited for values, so another one is first every time.
        let count = cells.len();
        let order = (0..count).map(|at| (at + round) % count);
        if let Err(trouble) = operands.refresh(1 + round as u64) {
            cells.iter_mut().for_each(|cell| cell.fails(trouble.clone()));
            return;
        }
        for at in order {
            let cell = &mut *cells[at];
            if cell.trouble.is_some() {
                continue;
            }
            match once(at, cell) {
                Ok(seconds) if round >= warm_ups => cell.times.push(seconds),
                Ok(_) => {}
                Err(trouble) => {
                    cell.fails(trouble);
                    // What is left over must not be what the next one lacks. A broken device reports itself.
                    let _ = rig.device.trim();
                }
            }
        }
    }
}

/// Checks and times the sequences that begin with nothing.
fn whole<'a, V: Number>(
    rig: &'a Rig<'_>,
    tools: &'a Bound<'a, V>,
    operands: &Operands<'_, V>,
    checks: &mut Checks<'_>,
    all: &mut [Running<'_>],
    seconds: f64,
) {
    let device = rig.device;
    let mut cells: Vec<_> = all.iter_mut().filter(|running| running.job.form != Form::Repeat).collect();
    let mut spent = 0.0;
    for running in &mut cells {
        let mut check = || -> Result<()> {
            let before = device.watch();
            let (seconds, product) = timed(device, || tools.multiply(running.job))?;
            spent += seconds;
            let view = product.view()?;
            let c_bytes = csr_bytes::<V>(checks.shape.0, view.nnz);
            running.extra = Some(device.peak().saturating_sub(before + c_bytes));
            // SAFETY: the tool made C of these operands, and `product` owns it.
            unsafe { checks.look::<V>(running, view) }
        };
        if let Err(trouble) = check() {
            running.fails(trouble);
            let _ = device.trim(); // a broken device reports itself
        }
    }
    let warm_ups = if spent > LONG_SECONDS * cells.len() as f64 { 0 } else { WARM_UPS };
    rounds(rig, operands, &mut cells, (warm_ups, seconds), |_, running| {
        let (seconds, product) = timed(device, || tools.multiply(running.job))?;
        drop(product); // freeing C does not count
        Ok(seconds)
    });
}

/// Checks and times the numbers alone, for known patterns.
fn again<'a, V: Number>(
    rig: &'a Rig<'_>,
    tools: &'a Bound<'a, V>,
    operands: &Operands<'_, V>,
    checks: &mut Checks<'_>,
    all: &mut [Running<'_>],
    seconds: f64,
) {
    let device = rig.device;
    let mut cells: Vec<_> = all.iter_mut().filter(|running| running.job.form == Form::Repeat).collect();
    // First with other values than those that are checked.
    if let Err(trouble) = operands.refresh(u64::MAX / 4) {
        cells.iter_mut().for_each(|cell| cell.fails(trouble.clone()));
        return;
    }
    let mut kept: Vec<Option<Kept<'_, V>>> = vec![];
    for running in &mut cells {
        let before = device.watch();
        match timed(device, || tools.keep(running.job)) {
            Ok((_, product)) => {
                let c_bytes = csr_bytes::<V>(checks.shape.0, product.view().nnz);
                running.extra = Some(device.peak().saturating_sub(before + c_bytes));
                kept.push(Some(product));
            }
            Err(trouble) => {
                running.fails(trouble);
                kept.push(None);
                let _ = device.trim(); // a broken device reports itself
            }
        }
    }
    // The values of the other checks again, so that all results can be compared.
    if let Err(trouble) = operands.refresh(0) {
        cells.iter_mut().for_each(|cell| cell.fails(trouble.clone()));
        return;
    }
    for (running, kept) in cells.iter_mut().zip(&mut kept) {
        let Some(product) = kept else { continue };
        let mut check = || -> Result<()> {
            timed(device, || product.repeat())?;
            // SAFETY: the tool made C of these operands, and `product` owns it.
            unsafe { checks.look::<V>(running, product.view()) }
        };
        if let Err(trouble) = check() {
            running.fails(trouble);
        }
    }
    rounds(rig, operands, &mut cells, (WARM_UPS, seconds), |at, _| {
        let product = kept[at].as_mut().ok_or_else(|| Trouble::new("INTERNAL", "no product was kept"))?;
        Ok(timed(device, || product.repeat())?.0)
    });
}

/// Every cell against the first of the vendor's that is sound, or of ours where there is none.
fn compare(all: &mut [Running<'_>], tolerance: f64) {
    let sound = |running: &&Running<'_>| running.digest.is_some();
    let theirs = all.iter().filter(sound).find(|running| running.job.tool != Tool::Ocean);
    let Some(reference) = theirs.or_else(|| all.iter().find(sound)).and_then(|found| found.digest.clone()) else {
        return;
    };
    for running in all {
        let difference = running.digest.as_ref().and_then(|digest| digest.difference(&reference, tolerance));
        if let Some(difference) = difference {
            running.fails(Trouble::new("wrong", difference));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(tool: Tool) -> Job {
        Job { name: word(tool), tool, form: Form::Staged, options: vec![] }
    }

    fn running(job: &Job, nnz: Option<usize>) -> Running<'_> {
        let digest =
            nnz.map(|nnz| Digest { nnz, pattern: 7, absolute: 2.0, signed: 1.0, bilinear: 0.0, unsorted_rows: 0 });
        Running { nnz, digest, ..Running::new(job) }
    }

    #[test]
    fn the_vendor_is_what_results_are_compared_with() {
        let [ours, default, alg2, alg3] =
            [Tool::Ocean, Tool::CusparseDefault, Tool::CusparseAlg2, Tool::CusparseAlg3].map(job);
        let mut all =
            [running(&ours, Some(3)), running(&default, None), running(&alg2, Some(4)), running(&alg3, Some(4))];
        compare(&mut all, 1e-9);
        let statuses: Vec<_> =
            all.iter().map(|running| running.trouble.as_ref().map(|trouble| trouble.status.as_str())).collect();
        assert_eq!(statuses, [Some("wrong"), None, None, None]);

        let mut alone = [Some(3), Some(3), Some(2)].map(|nnz| running(&ours, nnz));
        compare(&mut alone, 1e-9);
        assert!(alone[0].trouble.is_none() && alone[1].trouble.is_none() && alone[2].trouble.is_some());
    }
}
