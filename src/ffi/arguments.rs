// SPDX-License-Identifier: MIT OR Apache-2.0
//! The arguments that every step of a product shares, checked in one order: NULL and dead pointers, numbers of
//! enums, what is not supported, and only then shapes (so that nothing unsupported is called a mismatch).

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex};

use super::handle::handle;
use super::matrix::{Matrix, matrix};
use super::objects::lock;
use super::types::oceanOperation_t::{self, *};
use super::types::oceanPointerMode_t::OCEAN_POINTER_MODE_DEVICE;
use super::types::oceanSpGEMMAlg_t::{self, *};
use super::types::{choice, data_type, oceanConstSpMatDescr_t, oceanDataType_t, oceanHandle_t, oceanSpMatDescr_t};
use crate::backend::{Backend, Scalars};
use crate::csr::{Csr, IndexType};
use crate::error::{Error, Result};
use crate::memory::{Address, Memory};
use crate::scalar::ValueType;
use crate::spgemm::{Operands, Operation, Options, Place, Profile, Wanted};

/// One product as a call describes it.
pub struct Call {
    on: Arc<dyn Backend>,
    memory: Arc<dyn Memory>,
    pub operands: Operands,
    pub c: Csr,
    c_object: Arc<Mutex<Matrix>>,
    on_device: bool,
    pub alg: oceanSpGEMMAlg_t,
}

impl Call {
    /// Checks and reads what all steps take.
    pub fn new(
        handle: oceanHandle_t,
        [op_a, op_b]: [MaybeUninit<oceanOperation_t>; 2],
        [a, b]: [oceanConstSpMatDescr_t; 2],
        c: oceanSpMatDescr_t,
        alg: MaybeUninit<oceanSpGEMMAlg_t>,
    ) -> Result<Self> {
        let handle = self::handle(handle)?;
        let (a, b) = (description(a, "matA")?, description(b, "matB")?);
        let c_object = matrix(c, "matC")?;
        let c = lock(&c_object).csr;
        let alg = choice(alg, "alg", &ALGORITHMS)?;
        let operations = [operation(op_a, "opA")?, operation(op_b, "opB")?];
        check_types(&a, &b, &c)?;
        let operands = Operands { a, b, operations };
        let ((want_rows, a_cols), (b_rows, want_cols)) = (operands.left_shape(), operands.right_shape());
        if a_cols != b_rows {
            let name =
                |operation, [plain, under]: [&'static str; 2]| if operation == Operation::None { plain } else { under };
            let [of_a, of_b] = operations;
            let (left, right) = (name(of_a, ["matA", "opA(matA)"]), name(of_b, ["matB", "opB(matB)"]));
            return Err(Error::InnerDimension { left, right, a_cols, b_rows });
        }
        if (c.rows, c.cols) != (want_rows, want_cols) {
            return Err(Error::OutputShape { rows: c.rows, cols: c.cols, want_rows, want_cols });
        }
        if !operands.no_product() {
            check_pattern(&a, "matA")?;
            check_pattern(&b, "matB")?;
        }
        let handle = lock(&handle);
        let on = handle.on();
        let on_device = handle.pointer_mode == OCEAN_POINTER_MODE_DEVICE;
        Ok(Self { on, memory: handle.memory(), operands, c, c_object, on_device, alg })
    }

    /// Where to compute.
    pub fn place(&self) -> Place<'_> {
        Place { on: &*self.on, memory: &self.memory }
    }

    /// Does a call's work in its place, timed if it is to be.
    pub fn work<T>(
        &self,
        timing: Option<Arc<Profile>>,
        name: &'static str,
        work: impl FnOnce(Place<'_>) -> Result<T>,
    ) -> Result<T> {
        match timing {
            Some(profile) => profile.call(name, self.place(), work),
            None => work(self.place()),
        }
    }

    /// alpha, beta and the type of the computation.
    pub fn scalars(&self, alpha: *const c_void, beta: *const c_void, compute_type: oceanDataType_t) -> Result<Scalars> {
        check_scalars(alpha, beta)?;
        let kind = scalar_type(&self.c, compute_type)?;
        Ok(Scalars { alpha: alpha.into(), beta: beta.into(), on_device: self.on_device, kind })
    }

    /// Whether A and B have values to compute with; both or neither must.
    pub fn has_values(&self) -> Result<bool> {
        let Operands { a, b, .. } = &self.operands;
        match [a, b].map(|csr| csr.values.is_null()) {
            _ if self.operands.no_product() => Ok(true),
            [true, false] => Err(Error::invalid("matA", "has NULL values, but matB has not")),
            [false, true] => Err(Error::invalid("matB", "has NULL values, but matA has not")),
            [is_null, _] => Ok(!is_null),
        }
    }

    /// What is added to the product.
    pub fn addend(&self, d: oceanConstSpMatDescr_t) -> Result<Csr> {
        let d = description(d, "matD")?;
        check_indices(&d, "matD")?;
        let (of_d, of_c) = (value_type(&d, "matD")?, value_type(&self.c, "matC")?);
        if of_d != of_c {
            return Err(beside(&d, "matD", of_c, "matC's"));
        }
        if (d.rows, d.cols) != (self.c.rows, self.c.cols) {
            let (rows, cols) = (self.c.rows, self.c.cols);
            return Err(Error::invalid("matD", format!("is {} x {}, but matC is {rows} x {cols}", d.rows, d.cols)));
        }
        if d.nnz > 0 {
            check_pattern(&d, "matD")?;
        }
        Ok(d)
    }

    /// Whether C has no values, as a product of patterns wants it.
    pub fn check_no_values(&self) -> Result<()> {
        if self.c.values.is_null() {
            return Ok(());
        }
        Err(Error::invalid("matC", "has values, but matA and matB had none to compute them from"))
    }

    /// Whether C has room for a product of `nnz` entries, in arrays that are there.
    pub fn check_output(&self, nnz: i64, columns: bool, values: bool) -> Result<()> {
        if nnz > self.c.most_entries() {
            return Err(Error::IndexOverflow { nnz });
        }
        if self.c.nnz < nnz {
            let problem = format!("is declared with {} entries, the product has {nnz}", self.c.nnz);
            return Err(Error::invalid("matC", problem));
        }
        let arrays = [
            (true, self.c.offsets, "row offsets"),
            (columns && nnz > 0, self.c.columns, "columns"),
            (values && nnz > 0, self.c.values, "values"),
        ];
        match arrays.into_iter().find(|(needed, address, _)| *needed && address.is_null()) {
            Some((.., what)) => {
                Err(Error::invalid("matC", format!("has NULL {what}: oceanCsrSetPointers gives it arrays")))
            }
            None => Ok(()),
        }
    }

    /// What the first step of a product is to prepare for.
    pub fn wanted<'a>(&self, kind: ValueType, options: &'a Options) -> Wanted<'a> {
        Wanted { kind, most_entries: self.c.most_entries(), columns: self.c.column_type, options }
    }

    /// Tells C how many entries it has.
    pub fn set_nnz(&self, nnz: i64) {
        lock(&self.c_object).csr.nnz = nnz;
    }

    /// C itself.
    pub fn c_object(&self) -> &Mutex<Matrix> {
        &self.c_object
    }
}

/// Whether products of such matrices are computed at all. Their shapes and arrays do not matter.
pub fn is_supported(
    handle: oceanHandle_t,
    [op_a, op_b]: [MaybeUninit<oceanOperation_t>; 2],
    [a, b]: [oceanConstSpMatDescr_t; 2],
    c: oceanSpMatDescr_t,
    compute_type: oceanDataType_t,
    alg: MaybeUninit<oceanSpGEMMAlg_t>,
) -> Result<bool> {
    self::handle(handle)?;
    let (a, b, c) = (description(a, "matA")?, description(b, "matB")?, description(c, "matC")?);
    choice(alg, "alg", &ALGORITHMS)?;
    operation(op_a, "opA")?;
    operation(op_b, "opB")?;
    match check_types(&a, &b, &c).and_then(|()| scalar_type(&c, compute_type)) {
        Ok(_) => Ok(true),
        Err(Error::NotSupported { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// What a matrix's descriptor says now. A function, so that no lock outlives it: A and B may be one descriptor.
pub fn description(pointer: oceanConstSpMatDescr_t, argument: &'static str) -> Result<Csr> {
    let object = matrix(pointer, argument)?;
    let csr = lock(&object).csr;
    Ok(csr)
}

const ALGORITHMS: [oceanSpGEMMAlg_t; 6] = [
    OCEAN_SPGEMM_DEFAULT,
    OCEAN_SPGEMM_CSR_ALG_DETERMINITIC,
    OCEAN_SPGEMM_CSR_ALG_NONDETERMINITIC,
    OCEAN_SPGEMM_ALG1,
    OCEAN_SPGEMM_ALG2,
    OCEAN_SPGEMM_ALG3,
];

/// alpha and beta must be there in every step, though only the last reads them.
pub fn check_scalars(alpha: *const c_void, beta: *const c_void) -> Result<()> {
    for (scalar, argument) in [(alpha, "alpha"), (beta, "beta")] {
        if scalar.is_null() {
            return Err(Error::Null { argument });
        }
    }
    Ok(())
}

fn operation(op: MaybeUninit<oceanOperation_t>, argument: &'static str) -> Result<Operation> {
    let all = [OCEAN_OPERATION_NON_TRANSPOSE, OCEAN_OPERATION_TRANSPOSE, OCEAN_OPERATION_CONJUGATE_TRANSPOSE];
    Ok(match choice(op, argument, &all)? {
        OCEAN_OPERATION_NON_TRANSPOSE => Operation::None,
        OCEAN_OPERATION_TRANSPOSE => Operation::Transpose,
        OCEAN_OPERATION_CONJUGATE_TRANSPOSE => Operation::ConjugateTranspose,
    })
}

/// Indices that products are computed with.
pub fn check_indices(csr: &Csr, name: &'static str) -> Result<()> {
    let most = i64::from(i32::MAX - csr.base);
    for (size, what) in [(csr.rows, "rows"), (csr.cols, "columns")] {
        // 32-bit columns were checked when the matrix was made.
        if csr.column_type == IndexType::I64 && size > most {
            return Err(Error::not_supported(format!("{name} with {size} {what} (OCEAN_INDEX_64I), more than {most}")));
        }
    }
    Ok(())
}

/// Types that products are computed of: one, or that and the complex one with such parts; C is complex if a factor is.
fn check_types(a: &Csr, b: &Csr, c: &Csr) -> Result<()> {
    [(a, "matA"), (b, "matB"), (c, "matC")].into_iter().try_for_each(|(csr, name)| check_indices(csr, name))?;
    let [of_a, of_b, of_c] = [value_type(a, "matA")?, value_type(b, "matB")?, value_type(c, "matC")?];
    if of_a.as_complex() != of_b.as_complex() {
        return Err(beside(b, "matB", of_a, "matA's"));
    }
    let product = if of_b.is_complex() { of_b } else { of_a };
    if of_c == product { Ok(()) } else { Err(beside(c, "matC", product, "the product's")) }
}

/// The type of alpha and beta, which values as C's may be computed with.
fn scalar_type(c: &Csr, compute_type: oceanDataType_t) -> Result<ValueType> {
    let (name, _) = data_type(compute_type, "computeType")?;
    let (have, _) = data_type(c.data_type, "valueType")?;
    let stored = c.value_type();
    let kind = ValueType::from_data_type(compute_type);
    kind.filter(|&kind| stored == Some(kind) || stored.map(ValueType::computed_in) == Some(kind))
        .ok_or_else(|| Error::not_supported(format!("computeType CUDA_{name} with values of type CUDA_{have}")))
}

fn value_type(csr: &Csr, name: &'static str) -> Result<ValueType> {
    let (have, _) = data_type(csr.data_type, "valueType")?;
    csr.value_type().ok_or_else(|| Error::not_supported(format!("{name} with values of type CUDA_{have}")))
}

fn beside(csr: &Csr, name: &'static str, other: ValueType, whose: &str) -> Error {
    let text = |code| data_type(code, "valueType").map_or("?", |(text, _)| text);
    let (have, want) = (text(csr.data_type), text(other.data_type()));
    Error::not_supported(format!("{name} with values of type CUDA_{have} beside {whose} CUDA_{want}"))
}

/// The arrays of a pattern that has something in it.
pub fn check_pattern(csr: &Csr, name: &'static str) -> Result<()> {
    if csr.offsets.is_null() {
        return Err(Error::invalid(name, "has NULL row offsets"));
    }
    if csr.nnz > 0 && csr.columns.is_null() {
        return Err(Error::invalid(name, format!("has NULL columns but {} entries", csr.nnz)));
    }
    Ok(())
}

/// A buffer of the caller; none is a size query.
pub fn buffer(pointer: *mut c_void) -> Option<Address> {
    (!pointer.is_null()).then(|| pointer.into())
}
