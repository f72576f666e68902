// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who serves a product: asked in the query of the first step, and kept to in all later ones, since the two libraries'
//! buffers differ.
//!
//! Ocean is asked whether it can, so whatever it learns is served without a change here. What it refuses goes to
//! cuSPARSE, which also answers for what is wrong with the arguments.

use std::ffi::c_void;
use std::time::Instant;

use crate::guard::{Answer, checked, lock};
use crate::matrices::{self, Csr};
use crate::ocean::{self, Ocean, ocean};
use crate::products::{self, Notes, Route, State};
use crate::statistics::{self, stated};
use crate::types::{CSR, Handle, INVALID_VALUE, Matrix, NOT_INITIALIZED, Product, SUCCESS, Status};
use crate::{handles, log, real};

/// Why ocean does not do something.
pub struct Refusal {
    /// For the program.
    pub status: Status,
    /// For people.
    pub reason: String,
}

/// What every step of both protocols is given, as far as it matters who serves it.
pub struct Operands {
    /// cuSPARSE's handle.
    pub handle: Handle,
    /// The first factor.
    pub a: Matrix,
    /// The second factor.
    pub b: Matrix,
    /// The product.
    pub c: Matrix,
    /// The product's state.
    pub product: Product,
    /// In the first step, else nothing.
    pub first: FirstBuffer,
}

/// The same for a call of ocean's.
pub struct Call<'a> {
    /// The library.
    pub ocean: &'static Ocean,
    /// A handle on the right stream.
    pub handle: ocean::Handle,
    /// The first factor.
    pub a: ocean::Matrix,
    /// The second factor.
    pub b: ocean::Matrix,
    /// The product.
    pub c: ocean::Matrix,
    /// The product's state.
    pub product: ocean::Product,
    /// In the first step, else nothing.
    pub first: FirstBuffer,
    /// A as cuSPARSE's descriptor has it.
    pub csr: Csr,
    /// For the statistics.
    pub notes: &'a mut Notes,
}

impl Call<'_> {
    /// Scalar products of A * B.
    pub fn products(&self) -> i64 {
        let mut products = 0;
        // SAFETY: a live descriptor, and room for the answer; a failure leaves 0.
        unsafe { (self.ocean.oceanSpGEMM_getNumProducts)(self.product, &mut products) };
        products
    }
}

/// The first buffer of a protocol.
#[derive(Clone, Copy)]
pub struct FirstBuffer {
    /// The program's size: written in a query, else what the buffer has.
    pub size: *mut usize,
    /// NULL asks for the size.
    pub address: *mut c_void,
}

/// The first step of a protocol.
pub fn first(
    name: &str,
    operands: &Operands,
    on_ocean: impl Fn(&mut Call<'_>) -> Status,
    on_real: impl FnOnce(Product) -> Answer,
) -> Answer {
    let Some(state) = products::find(operands.product) else { return on_real(operands.product) };
    let mut state = lock(&state);
    let is_query = operands.first.address.is_null();
    let mut refused = None;
    if is_query || state.route == Route::Undecided {
        match ask(&mut state, operands, &on_ocean) {
            Ok(()) => state.route = Route::Ocean,
            Err(reason) => refused = Some(reason),
        }
    }
    if refused.is_none() && state.route == Route::Ocean {
        if is_query {
            return Ok(SUCCESS); // with the size that ocean has written
        }
        state.notes.first_buffer = stated(operands.first.size);
        return served(name, &mut state, operands, on_ocean);
    }
    let status = on_real(state.of_real()?)?;
    // A call that both refuse decides nothing.
    if status == SUCCESS {
        if let Some(reason) = refused {
            state.route = Route::Real;
            state.notes.reason = statistics::decided(reason);
        }
        if !is_query {
            statistics::left_to_real(&state.notes.reason);
        }
    }
    Ok(status)
}

/// Any later step.
pub fn later(
    name: &str,
    operands: &Operands,
    on_ocean: impl FnOnce(&mut Call<'_>) -> Status,
    on_real: impl FnOnce(Product) -> Answer,
) -> Answer {
    let Some(state) = products::find(operands.product) else { return on_real(operands.product) };
    let mut state = lock(&state);
    match state.route {
        Route::Ocean => served(name, &mut state, operands, on_ocean),
        Route::Real => on_real(state.of_real()?),
        // cuSPARSE succeeds and does nothing.
        Route::Undecided => {
            log::error(format_args!("{name} needs a workEstimation first"));
            Err(INVALID_VALUE)
        }
    }
}

/// A step by ocean; what it refuses is said.
fn served(name: &str, state: &mut State, operands: &Operands, step: impl FnOnce(&mut Call<'_>) -> Status) -> Answer {
    let started = Instant::now();
    let done = run(state, operands, operands.first, step);
    statistics::took(started.elapsed());
    done.map(|()| SUCCESS).map_err(|refusal| {
        log::error(format_args!("{name}: {}", refusal.reason));
        refusal.status
    })
}

/// Whether ocean serves a product; if this is the query, its answer goes to the program.
fn ask(state: &mut State, operands: &Operands, on_ocean: impl Fn(&mut Call<'_>) -> Status) -> Result<(), String> {
    suits(operands)?;
    let FirstBuffer { size, address } = operands.first;
    let mut needed = 0;
    let size_of_query = if address.is_null() { size } else { &mut needed };
    let query = FirstBuffer { size: size_of_query, address: std::ptr::null_mut() };
    run(state, operands, query, on_ocean).map_err(|refusal| refusal.reason)?;
    if !address.is_null() && stated(size) < needed {
        return Err("the first buffer's size was never asked for, and is not ocean's".into());
    }
    Ok(())
}

/// What ocean can't see for itself.
fn suits(operands: &Operands) -> Result<(), String> {
    if operands.handle.is_null() {
        return Err("handle is NULL".into());
    }
    for (matrix, name) in [(operands.a, "matA"), (operands.b, "matB"), (operands.c, "matC")] {
        if matrix.is_null() {
            return Err(format!("{name} is NULL"));
        }
        let (mut format, mut batches) = (0, 0);
        // SAFETY: the program's descriptor, and room for each answer.
        let asked = unsafe {
            [
                real::cusparseSpMatGetFormat(matrix, &mut format),
                real::cusparseSpMatGetStridedBatch(matrix, &mut batches),
            ]
        };
        if asked != [SUCCESS, SUCCESS] {
            return Err(format!("{name} is no matrix descriptor"));
        }
        if format != CSR {
            return Err(format!("{name} is not in CSR"));
        }
        // cuSPARSE gives 1 for a matrix that is no batch.
        if batches > 1 {
            return Err(format!("{name} is a batch"));
        }
        if matrices::has_attributes(matrix) {
            return Err(format!("{name} has attributes"));
        }
    }
    Ok(())
}

/// Describes the operands to ocean, takes a step, and keeps what became of C's number of entries.
fn run(
    state: &mut State,
    operands: &Operands,
    first: FirstBuffer,
    step: impl FnOnce(&mut Call<'_>) -> Status,
) -> Result<(), Refusal> {
    let missing = |reason: &str| Refusal { status: NOT_INITIALIZED, reason: reason.into() };
    let ocean = ocean().map_err(missing)?;
    let mirror = handles::mirror(ocean, operands.handle)?;
    let mirror = lock(&mirror);
    let handle = mirror.following(operands.handle)?;
    let [a, b, c] = [
        Described::factor(ocean, operands.a, "matA")?,
        Described::factor(ocean, operands.b, "matB")?,
        Described::product(ocean, operands.c)?,
    ];
    let product = state.of_ocean(ocean)?;
    let notes = &mut state.notes;
    let mut call = Call { ocean, handle, a: a.address, b: b.address, c: c.address, product, first, csr: a.csr, notes };
    checked(step(&mut call)).map_err(|status| Refusal { status, reason: ocean.last_error() })?;
    let nnz = c.nnz();
    if nnz != c.csr.nnz {
        matrices::set_nnz(operands.c, nnz);
    }
    Ok(())
}

fn read(matrix: Matrix, name: &str) -> Result<Csr, Refusal> {
    Csr::of(matrix).map_err(|status| Refusal { status, reason: format!("{name} can't be read") })
}

/// A matrix as ocean knows it, for one call.
struct Described {
    ocean: &'static Ocean,
    address: ocean::Matrix,
    csr: Csr,
}

impl Described {
    fn factor(ocean: &'static Ocean, matrix: Matrix, name: &str) -> Result<Self, Refusal> {
        Self::new(ocean, read(matrix, name)?, name)
    }

    /// C may have a product whose entries its indices can't count: then ocean has to say so, and not of its description.
    fn product(ocean: &'static Ocean, matrix: Matrix) -> Result<Self, Refusal> {
        Self::new(ocean, read(matrix, "matC")?.with_nnz_in_range(), "matC")
    }

    fn new(ocean: &'static Ocean, csr: Csr, name: &str) -> Result<Self, Refusal> {
        let mut address: ocean::Matrix = std::ptr::null_mut();
        // SAFETY: room for the descriptor; the arrays are the program's and only described.
        let status = unsafe {
            (ocean.oceanCreateCsr)(
                &mut address,
                csr.rows,
                csr.cols,
                csr.nnz,
                csr.offsets,
                csr.columns,
                csr.values,
                csr.offset_type,
                csr.column_type,
                csr.base,
                csr.value_type,
            )
        };
        checked(status).map_err(|status| Refusal { status, reason: format!("{name}: {}", ocean.last_error()) })?;
        Ok(Self { ocean, address, csr })
    }

    /// Entries that it has now.
    fn nnz(&self) -> i64 {
        let (mut rows, mut cols, mut nnz) = (0, 0, self.csr.nnz);
        // SAFETY: a live descriptor, and room for each answer; a failure leaves what was known.
        unsafe { (self.ocean.oceanSpMatGetSize)(self.address, &mut rows, &mut cols, &mut nnz) };
        nnz
    }
}

impl Drop for Described {
    fn drop(&mut self) {
        // SAFETY: ours alone; ocean keeps what it needs of it.
        unsafe { (self.ocean.oceanDestroySpMat)(self.address) };
    }
}
