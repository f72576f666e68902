// SPDX-License-Identifier: MIT OR Apache-2.0
//! cuSPARSE's call sequences. The library is loaded when it is first asked for, and never linked.

use std::ffi::c_void;
use std::path::PathBuf;
use std::ptr::{null, null_mut};

use cudarc::cusparse::sys::cusparseIndexBase_t::CUSPARSE_INDEX_BASE_ZERO;
use cudarc::cusparse::sys::cusparseIndexType_t::CUSPARSE_INDEX_32I;
use cudarc::cusparse::sys::cusparseOperation_t::CUSPARSE_OPERATION_NON_TRANSPOSE;
use cudarc::cusparse::sys::cusparseSpGEMMAlg_t::*;
use cudarc::cusparse::sys::*;

use super::device::{Block, Device};
use super::operands::{Number, Operand, Operands};
use super::output::{Arrays, View};
use super::trouble::{Result, Trouble};
use crate::failure::{Failure, Result as CommandResult};

/// Share of the products that ALG3 handles at a time.
const CHUNK_FRACTION: f32 = 0.2;

/// What is called below: cudarc panics over a function that the library lacks, so they are looked for first.
const FUNCTIONS: [&str; 19] = [
    "cusparseCreate",
    "cusparseDestroy",
    "cusparseGetVersion",
    "cusparseSetStream",
    "cusparseCreateCsr",
    "cusparseCreateConstCsr",
    "cusparseDestroySpMat",
    "cusparseCsrSetPointers",
    "cusparseSpMatGetSize",
    "cusparseSpGEMM_createDescr",
    "cusparseSpGEMM_destroyDescr",
    "cusparseSpGEMM_workEstimation",
    "cusparseSpGEMM_estimateMemory",
    "cusparseSpGEMM_compute",
    "cusparseSpGEMM_copy",
    "cusparseSpGEMMreuse_workEstimation",
    "cusparseSpGEMMreuse_nnz",
    "cusparseSpGEMMreuse_copy",
    "cusparseSpGEMMreuse_compute",
];

fn check(call: &str, status: cusparseStatus_t) -> Result<()> {
    match status {
        cusparseStatus_t::CUSPARSE_STATUS_SUCCESS => Ok(()),
        status => Err(Trouble::new(format!("{status:?}"), format!("{call} failed"))),
    }
}

/// Loads libcusparse, also from where toolkits put it without telling the loader.
fn load() -> CommandResult<()> {
    // SAFETY: opens the library, whose constructors are NVIDIA's own.
    let present = || unsafe { is_culib_present() };
    if !present() {
        for folder in toolkit_folders() {
            let Ok(files) = std::fs::read_dir(&folder) else { continue };
            let names = files.flatten().map(|file| file.path());
            let mut candidates: Vec<PathBuf> = names.filter(|path| is_cusparse(path)).collect();
            candidates.sort();
            for path in candidates {
                // SAFETY: as above. It stays loaded, so that the next search finds it by its name.
                if let Ok(library) = unsafe { libloading::Library::new(&path) } {
                    std::mem::forget(library);
                }
            }
        }
    }
    if !present() {
        return Err(Failure::refused(
            "libcusparse is not installed where the loader looks (LD_LIBRARY_PATH); with --tools ocean it is not needed",
        ));
    }
    for function in FUNCTIONS {
        // SAFETY: the symbol is only looked for.
        if unsafe { culib().get::<*const c_void>(function.as_bytes()) }.is_err() {
            return Err(Failure::refused(format!("libcusparse has no {function}: CUDA 12 or later is needed")));
        }
    }
    Ok(())
}

fn toolkit_folders() -> Vec<PathBuf> {
    let homes = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    homes.chain([PathBuf::from("/usr/local/cuda")]).map(|home| home.join("lib64")).collect()
}

fn is_cusparse(path: &std::path::Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libcusparse.so."))
}

/// A cuSPARSE context on the device's stream.
pub struct Library<'a> {
    device: &'a Device,
    handle: cusparseHandle_t,
    /// As 12.6.3.
    pub version: String,
}

impl<'a> Library<'a> {
    pub fn new(device: &'a Device) -> CommandResult<Self> {
        load()?;
        let mut library = Self { device, handle: null_mut(), version: String::new() };
        let mut number = 0;
        // SAFETY: addresses of a field and a local; the device's context is current, its stream is never destroyed.
        unsafe {
            check("cusparseCreate", cusparseCreate(&mut library.handle))?;
            check("cusparseSetStream", cusparseSetStream(library.handle, device.stream()))?;
            check("cusparseGetVersion", cusparseGetVersion(library.handle, &mut number))?;
        }
        library.version = format!("{}.{}.{}", number / 1000, number % 1000 / 100, number % 100);
        Ok(library)
    }
}

impl Drop for Library<'_> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: made by `new`, and used by nothing any more. What it answers changes nothing.
            let _ = unsafe { cusparseDestroy(self.handle) };
        }
    }
}

fn data_type<V: Number>() -> cudaDataType {
    // The C API has two types of values so far, with CUDA's numbers.
    if V::DATA_TYPE == cudaDataType::CUDA_R_32F as i32 { cudaDataType::CUDA_R_32F } else { cudaDataType::CUDA_R_64F }
}

/// Descriptors of A and B, whose values may change while they last.
pub struct Inputs<'a, V> {
    operands: &'a Operands<'a, V>,
    a: cusparseConstSpMatDescr_t,
    b: cusparseConstSpMatDescr_t,
}

impl<'a, V: Number> Inputs<'a, V> {
    pub fn new(operands: &'a Operands<'a, V>) -> Result<Self> {
        let mut inputs = Self { operands, a: null(), b: null() };
        inputs.a = describe(&operands.a)?;
        inputs.b = describe(operands.b())?;
        Ok(inputs)
    }
}

fn describe<V: Number>(operand: &Operand<'_, V>) -> Result<cusparseConstSpMatDescr_t> {
    let mut descr = null();
    // SAFETY: the address of a local, and arrays of the declared lengths in the device's memory.
    check("cusparseCreateConstCsr", unsafe {
        cusparseCreateConstCsr(
            &mut descr,
            operand.pattern.rows as i64,
            operand.pattern.cols as i64,
            operand.pattern.nnz() as i64,
            operand.offsets.pointer(),
            operand.columns.pointer(),
            operand.values.pointer(),
            CUSPARSE_INDEX_32I,
            CUSPARSE_INDEX_32I,
            CUSPARSE_INDEX_BASE_ZERO,
            data_type::<V>(),
        )
    })?;
    Ok(descr)
}

impl<V> Drop for Inputs<'_, V> {
    fn drop(&mut self) {
        for descr in [self.a, self.b] {
            if !descr.is_null() {
                // SAFETY: made by `describe`, and used by nothing any more.
                let _ = unsafe { cusparseDestroySpMat(descr) };
            }
        }
    }
}

/// A descriptor of C.
struct Target(cusparseSpMatDescr_t);

impl Target {
    fn new<V: Number>((rows, cols): (usize, usize), offsets: &Block<'_>) -> Result<Self> {
        let mut descr = null_mut();
        // SAFETY: the address of a local; the offsets have rows + 1 elements.
        check("cusparseCreateCsr", unsafe {
            cusparseCreateCsr(
                &mut descr,
                rows as i64,
                cols as i64,
                0,
                offsets.pointer(),
                null_mut(),
                null_mut(),
                CUSPARSE_INDEX_32I,
                CUSPARSE_INDEX_32I,
                CUSPARSE_INDEX_BASE_ZERO,
                data_type::<V>(),
            )
        })?;
        Ok(Self(descr))
    }

    /// Takes arrays of the product's size, and points the descriptor to them.
    fn extend<V>(&self, arrays: &mut Arrays<'_>) -> Result<()> {
        let (mut rows, mut cols, mut nnz) = (0, 0, 0);
        // SAFETY: a live descriptor and addresses of locals.
        let sizes = unsafe { cusparseSpMatGetSize(self.0, &mut rows, &mut cols, &mut nnz) };
        check("cusparseSpMatGetSize", sizes)?;
        let [offsets, columns, values] = arrays.extend::<V>(nnz)?;
        // SAFETY: arrays as long as the product, which live as long as the descriptor is used.
        check("cusparseCsrSetPointers", unsafe { cusparseCsrSetPointers(self.0, offsets, columns, values) })
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and used by nothing any more.
        let _ = unsafe { cusparseDestroySpMat(self.0) };
    }
}

/// The state of one product.
struct State(cusparseSpGEMMDescr_t);

impl State {
    fn new() -> Result<Self> {
        let mut descr = null_mut();
        // SAFETY: the address of a local.
        check("cusparseSpGEMM_createDescr", unsafe { cusparseSpGEMM_createDescr(&mut descr) })?;
        Ok(Self(descr))
    }
}

impl Drop for State {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and used by nothing any more.
        let _ = unsafe { cusparseSpGEMM_destroyDescr(self.0) };
    }
}

/// Which algorithm of cusparseSpGEMM.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    Default,
    Alg2,
    Alg3,
}

/// A * B by cusparseSpGEMM, all steps.
pub fn multiply<'a, V: Number>(
    library: &Library<'a>,
    inputs: &Inputs<'_, V>,
    algorithm: Algorithm,
) -> Result<Arrays<'a>> {
    let device = library.device;
    let number = match algorithm {
        Algorithm::Default => CUSPARSE_SPGEMM_DEFAULT,
        Algorithm::Alg2 => CUSPARSE_SPGEMM_ALG2,
        Algorithm::Alg3 => CUSPARSE_SPGEMM_ALG3,
    };
    let (one, zero) = (V::narrow(1.0), V::narrow(0.0));
    // In this order, so that the descriptors go before what they point to.
    let mut arrays = Arrays::new(device, inputs.operands.shape().0)?;
    let (work, products);
    let c = Target::new::<V>(inputs.operands.shape(), &arrays.offsets)?;
    let state = State::new()?;
    macro_rules! step {
        ($function:ident $(, $rest:expr)*) => {
            // SAFETY: live handle and descriptors whose arrays and buffers are alive and as long as declared; the
            // scalars are locals of the compute type, in host memory as the handle's pointer mode says.
            check(stringify!($function), unsafe {
                $function(
                    library.handle,
                    CUSPARSE_OPERATION_NON_TRANSPOSE,
                    CUSPARSE_OPERATION_NON_TRANSPOSE,
                    (&raw const one).cast(),
                    inputs.a,
                    inputs.b,
                    (&raw const zero).cast(),
                    c.0,
                    data_type::<V>(),
                    number,
                    state.0,
                    $($rest),*
                )
            })
        };
    }

    let mut bytes = 0;
    step!(cusparseSpGEMM_workEstimation, &mut bytes, null_mut())?;
    work = device.allocate(bytes)?;
    step!(cusparseSpGEMM_workEstimation, &mut bytes, work.pointer())?;

    let mut compute_bytes = 0;
    if algorithm == Algorithm::Default {
        step!(cusparseSpGEMM_compute, &mut compute_bytes, null_mut())?;
    } else {
        let mut bytes = 0;
        step!(cusparseSpGEMM_estimateMemory, CHUNK_FRACTION, &mut bytes, null_mut(), null_mut())?;
        let estimate = device.allocate(bytes)?;
        step!(cusparseSpGEMM_estimateMemory, CHUNK_FRACTION, &mut bytes, estimate.pointer(), &mut compute_bytes)?;
    }
    products = device.allocate(compute_bytes)?;
    step!(cusparseSpGEMM_compute, &mut compute_bytes, products.pointer())?;
    c.extend::<V>(&mut arrays)?;
    step!(cusparseSpGEMM_copy)?;
    drop((state, c));
    Ok(arrays)
}

/// A product by cusparseSpGEMMreuse, with all that a repetition needs. The descriptors go before what they point to.
pub struct Reuse<'a, V> {
    library: &'a Library<'a>,
    inputs: &'a Inputs<'a, V>,
    state: State,
    c: Target,
    /// The fourth and the fifth.
    kept: Option<(Block<'a>, Block<'a>)>,
    arrays: Arrays<'a>,
}

/// The arguments of a step that reads no values, from the handle to the state.
macro_rules! step {
    ($function:ident, $product:expr $(, $rest:expr)*) => {{
        let product = &*$product;
        // SAFETY: live handle and descriptors whose arrays and buffers are alive and as long as declared.
        check(stringify!($function), unsafe {
            $function(
                product.library.handle,
                CUSPARSE_OPERATION_NON_TRANSPOSE,
                CUSPARSE_OPERATION_NON_TRANSPOSE,
                product.inputs.a,
                product.inputs.b,
                product.c.0,
                CUSPARSE_SPGEMM_DEFAULT,
                product.state.0,
                $($rest),*
            )
        })
    }};
}

impl<'a, V: Number> Reuse<'a, V> {
    /// All steps, from nothing to C.
    pub fn run(library: &'a Library<'a>, inputs: &'a Inputs<'a, V>) -> Result<Self> {
        let device = library.device;
        let arrays = Arrays::new(device, inputs.operands.shape().0)?;
        let c = Target::new::<V>(inputs.operands.shape(), &arrays.offsets)?;
        let mut product = Self { library, inputs, state: State::new()?, c, kept: None, arrays };

        let mut bytes = 0;
        step!(cusparseSpGEMMreuse_workEstimation, &product, &mut bytes, null_mut())?;
        let work = device.allocate(bytes)?;
        step!(cusparseSpGEMMreuse_workEstimation, &product, &mut bytes, work.pointer())?;

        let (mut bytes2, mut bytes3, mut bytes4) = (0, 0, 0);
        step!(
            cusparseSpGEMMreuse_nnz,
            &product,
            &mut bytes2,
            null_mut(),
            &mut bytes3,
            null_mut(),
            &mut bytes4,
            null_mut()
        )?;
        let second = device.allocate(bytes2)?;
        let third = device.allocate(bytes3)?;
        let fourth = device.allocate(bytes4)?;
        step!(
            cusparseSpGEMMreuse_nnz,
            &product,
            &mut bytes2,
            second.pointer(),
            &mut bytes3,
            third.pointer(),
            &mut bytes4,
            fourth.pointer()
        )?;
        // As the vendor's sample does: in the order of the stream, so after all that uses them.
        drop((work, second));

        product.c.extend::<V>(&mut product.arrays)?;
        let mut bytes5 = 0;
        step!(cusparseSpGEMMreuse_copy, &product, &mut bytes5, null_mut())?;
        let fifth = device.allocate(bytes5)?;
        step!(cusparseSpGEMMreuse_copy, &product, &mut bytes5, fifth.pointer())?;
        drop(third);
        product.kept = Some((fourth, fifth));
        product.repeat()?;
        Ok(product)
    }

    /// The numbers again, into the same C.
    pub fn repeat(&mut self) -> Result<()> {
        let (one, zero) = (V::narrow(1.0), V::narrow(0.0));
        // SAFETY: as in the macro; the scalars are locals of the compute type, in host memory as the handle's pointer
        // mode says.
        check("cusparseSpGEMMreuse_compute", unsafe {
            cusparseSpGEMMreuse_compute(
                self.library.handle,
                CUSPARSE_OPERATION_NON_TRANSPOSE,
                CUSPARSE_OPERATION_NON_TRANSPOSE,
                (&raw const one).cast(),
                self.inputs.a,
                self.inputs.b,
                (&raw const zero).cast(),
                self.c.0,
                data_type::<V>(),
                CUSPARSE_SPGEMM_DEFAULT,
                self.state.0,
            )
        })
    }

    pub fn view(&self) -> View {
        self.arrays.view()
    }

    /// C alone: gives the buffers back and ends the product's state.
    pub fn finish(self) -> Arrays<'a> {
        self.arrays
    }
}
