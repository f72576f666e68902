// SPDX-License-Identifier: MIT OR Apache-2.0
//! ocean's call sequences, by its C functions.

use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use ocean::ffi::oceanBackend_t::OCEAN_BACKEND_CUDA;
use ocean::ffi::oceanIndexBase_t::OCEAN_INDEX_BASE_ZERO;
use ocean::ffi::oceanIndexType_t::OCEAN_INDEX_32I;
use ocean::ffi::oceanOperation_t::OCEAN_OPERATION_NON_TRANSPOSE;
use ocean::ffi::oceanReportFormat_t::{self, OCEAN_REPORT_JSON};
use ocean::ffi::oceanSpGEMMAlg_t::OCEAN_SPGEMM_DEFAULT;
use ocean::ffi::oceanStatus_t::OCEAN_STATUS_SUCCESS;
use ocean::ffi::*;
use serde_json::Value as Json;

use super::device::{Block, Device, allocate_for, free_for};
use super::direct::{self, Direct};
use super::operands::{Number, Operand, Operands};
use super::output::{Arrays, View};
use super::trouble::{Result, Trouble};

fn check(status: oceanStatus_t) -> Result<()> {
    if status == OCEAN_STATUS_SUCCESS {
        return Ok(());
    }
    let (name, message) = (oceanGetErrorName(MaybeUninit::new(status)), oceanGetLastErrorString());
    // SAFETY: both are NUL-terminated and live at least until this thread's next failing call.
    let (name, message) = unsafe { (CStr::from_ptr(name), CStr::from_ptr(message)) };
    Err(Trouble::new(name.to_string_lossy(), message.to_string_lossy()))
}

/// A library context on the device's stream, which takes all its memory from the device's pool.
pub struct Library<'d> {
    device: &'d Device,
    handle: oceanHandle_t,
    /// For one call with options.
    direct: Direct<'d>,
}

impl<'d> Library<'d> {
    pub fn new(device: &'d Device) -> Result<Self> {
        let mut library = Self { device, handle: null_mut(), direct: Direct::new(device)? };
        let user = std::ptr::from_ref(device).cast_mut().cast();
        // SAFETY: the address of a field; the device's context is current and its stream is never destroyed; the
        // device outlives the handle and, by their lifetimes, every descriptor that holds memory of its pool.
        unsafe {
            check(oceanCreateWithBackend(&mut library.handle, MaybeUninit::new(OCEAN_BACKEND_CUDA)))?;
            check(oceanSetStream(library.handle, device.stream()))?;
            check(oceanSetAllocator(library.handle, Some(allocate_for), Some(free_for), user))?;
        }
        Ok(library)
    }
}

impl Drop for Library<'_> {
    fn drop(&mut self) {
        oceanDestroy(self.handle);
    }
}

/// Descriptors of A and B, whose values may change while they last.
pub struct Inputs<'a, V> {
    operands: &'a Operands<'a, V>,
    a: oceanConstSpMatDescr_t,
    b: oceanConstSpMatDescr_t,
}

impl<'a, V: Number> Inputs<'a, V> {
    pub fn new(operands: &'a Operands<'a, V>) -> Result<Self> {
        let mut inputs = Self { operands, a: null(), b: null() };
        inputs.a = describe(&operands.a)?;
        inputs.b = describe(operands.b())?;
        Ok(inputs)
    }
}

fn describe<V: Number>(operand: &Operand<'_, V>) -> Result<oceanConstSpMatDescr_t> {
    let mut descr = null();
    // SAFETY: the address of a local, and arrays of the declared lengths in the device's memory.
    check(unsafe {
        oceanCreateConstCsr(
            &mut descr,
            operand.pattern.rows as i64,
            operand.pattern.cols as i64,
            operand.pattern.nnz() as i64,
            operand.offsets.pointer(),
            operand.columns.pointer(),
            operand.values.pointer(),
            MaybeUninit::new(OCEAN_INDEX_32I),
            MaybeUninit::new(OCEAN_INDEX_32I),
            MaybeUninit::new(OCEAN_INDEX_BASE_ZERO),
            V::DATA_TYPE,
        )
    })?;
    Ok(descr)
}

impl<V> Drop for Inputs<'_, V> {
    fn drop(&mut self) {
        oceanDestroySpMat(self.a);
        oceanDestroySpMat(self.b);
    }
}

/// A descriptor of C.
struct Target(oceanSpMatDescr_t);

impl Target {
    fn new<V: Number>((rows, cols): (usize, usize), offsets: *mut c_void) -> Result<Self> {
        let mut descr = null_mut();
        // SAFETY: the address of a local; the offsets, where there are any, have rows + 1 elements.
        check(unsafe {
            oceanCreateCsr(
                &mut descr,
                rows as i64,
                cols as i64,
                0,
                offsets,
                null_mut(),
                null_mut(),
                MaybeUninit::new(OCEAN_INDEX_32I),
                MaybeUninit::new(OCEAN_INDEX_32I),
                MaybeUninit::new(OCEAN_INDEX_BASE_ZERO),
                V::DATA_TYPE,
            )
        })?;
        Ok(Self(descr))
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        oceanDestroySpMat(self.0);
    }
}

/// C of one call: its arrays belong to the descriptor.
pub struct OneCall<'a> {
    c: Target,
    pool: PhantomData<&'a Device>,
}

impl<'a> OneCall<'a> {
    pub fn run<V: Number>(library: &Library<'a>, inputs: &Inputs<'_, V>) -> Result<Self> {
        let (one, zero) = (V::narrow(1.0), V::narrow(0.0));
        let c = Target::new::<V>(inputs.operands.shape(), null_mut())?;
        // SAFETY: live handle and descriptors whose arrays are alive; the scalars are locals of the compute type, in
        // host memory as the handle's pointer mode says.
        check(unsafe {
            oceanSpGEMM(
                library.handle,
                MaybeUninit::new(OCEAN_OPERATION_NON_TRANSPOSE),
                MaybeUninit::new(OCEAN_OPERATION_NON_TRANSPOSE),
                (&raw const one).cast(),
                inputs.a,
                inputs.b,
                (&raw const zero).cast(),
                null(),
                c.0,
                V::DATA_TYPE,
                MaybeUninit::new(OCEAN_SPGEMM_DEFAULT),
            )
        })?;
        Ok(Self { c, pool: PhantomData })
    }

    pub fn view(&self) -> Result<View> {
        let (mut rows, mut cols, mut nnz) = (0, 0, 0);
        let (mut offsets, mut columns, mut values) = (null_mut(), null_mut(), null_mut());
        let (mut offsets_type, mut columns_type) = (OCEAN_INDEX_32I, OCEAN_INDEX_32I);
        let (mut base, mut data_type) = (OCEAN_INDEX_BASE_ZERO, 0);
        // SAFETY: a live descriptor and addresses of locals.
        check(unsafe {
            oceanCsrGet(
                self.c.0,
                &mut rows,
                &mut cols,
                &mut nnz,
                &mut offsets,
                &mut columns,
                &mut values,
                &mut offsets_type,
                &mut columns_type,
                &mut base,
                &mut data_type,
            )
        })?;
        let nnz = usize::try_from(nnz).map_err(|_| Trouble::new("wrong", format!("nnz of C is {nnz}")))?;
        Ok(View { nnz, offsets, columns, values })
    }
}

/// C of one call with these options.
pub fn one_call_with<'a, V: Number>(
    library: &Library<'a>,
    inputs: &Inputs<'_, V>,
    options: &[(String, String)],
) -> Result<direct::OneCall<'a>> {
    direct::OneCall::run(&library.direct, inputs.operands, options)
}

/// The state of one product.
struct State(oceanSpGEMMDescr_t);

impl Drop for State {
    fn drop(&mut self) {
        oceanSpGEMM_destroyDescr(self.0);
    }
}

/// A product by the staged protocol, with all that a repetition needs. The descriptors go before what they point to.
pub struct Staged<'a, V> {
    library: &'a Library<'a>,
    inputs: &'a Inputs<'a, V>,
    descr: State,
    c: Target,
    buffers: [Option<Block<'a>>; 2],
    compute_bytes: usize,
    arrays: Arrays<'a>,
}

/// A function that writes a report.
type Report = unsafe extern "C" fn(
    oceanSpGEMMDescr_t,
    MaybeUninit<oceanReportFormat_t>,
    *mut c_char,
    *mut usize,
) -> oceanStatus_t;

/// A step's arguments, from the handle to the descriptor of the product.
macro_rules! step {
    ($function:ident, $product:expr $(, $rest:expr)*) => {{
        let (product, one, zero) = (&*$product, V::narrow(1.0), V::narrow(0.0));
        // SAFETY: live handle and descriptors whose arrays and buffers are alive and as long as declared; the
        // scalars are locals of the compute type, in host memory as the handle's pointer mode says.
        check(unsafe {
            $function(
                product.library.handle,
                MaybeUninit::new(OCEAN_OPERATION_NON_TRANSPOSE),
                MaybeUninit::new(OCEAN_OPERATION_NON_TRANSPOSE),
                (&raw const one).cast(),
                product.inputs.a,
                product.inputs.b,
                (&raw const zero).cast(),
                product.c.0,
                V::DATA_TYPE,
                MaybeUninit::new(OCEAN_SPGEMM_DEFAULT),
                product.descr.0,
                $($rest),*
            )
        })
    }};
}

impl<'a, V: Number> Staged<'a, V> {
    /// All steps, from nothing to C, with these options.
    pub fn run(library: &'a Library<'a>, inputs: &'a Inputs<'a, V>, options: &[(String, String)]) -> Result<Self> {
        let arrays = Arrays::new(library.device, inputs.operands.shape().0)?;
        let c = Target::new::<V>(inputs.operands.shape(), arrays.offsets.pointer())?;
        let mut descr = State(null_mut());
        // SAFETY: the address of a field.
        check(unsafe { oceanSpGEMM_createDescr(&mut descr.0) })?;
        for (name, value) in options {
            let text =
                |text: &str| CString::new(text).map_err(|error| Trouble::new("INVALID_VALUE", error.to_string()));
            let (name, value) = (text(name)?, text(value)?);
            // SAFETY: a live descriptor and NUL-terminated text.
            check(unsafe { oceanSpGEMM_setOption(descr.0, name.as_ptr(), value.as_ptr()) })?;
        }
        let mut product = Self { library, inputs, descr, c, buffers: [None, None], compute_bytes: 0, arrays };

        let mut bytes = 0;
        step!(oceanSpGEMM_workEstimation, &product, &mut bytes, null_mut())?;
        let buffer = product.buffers[0].insert(library.device.allocate(bytes)?).pointer();
        step!(oceanSpGEMM_workEstimation, &product, &mut bytes, buffer)?;

        step!(oceanSpGEMM_compute, &product, &mut bytes, null_mut())?;
        product.buffers[1] = Some(library.device.allocate(bytes)?);
        product.compute_bytes = bytes;
        product.compute()?;

        let (mut rows, mut cols, mut nnz) = (0, 0, 0);
        // SAFETY: a live descriptor and addresses of locals.
        check(unsafe { oceanSpMatGetSize(product.c.0, &mut rows, &mut cols, &mut nnz) })?;
        let [offsets, columns, values] = product.arrays.extend::<V>(nnz)?;
        check(oceanCsrSetPointers(product.c.0, offsets, columns, values))?;
        step!(oceanSpGEMM_copy, &product)?;
        Ok(product)
    }

    fn compute(&self) -> Result<()> {
        let buffer = self.buffers[1].as_ref().map_or(null_mut(), Block::pointer);
        let mut bytes = self.compute_bytes;
        step!(oceanSpGEMM_compute, self, &mut bytes, buffer)
    }

    /// The numbers again, into the same C.
    pub fn repeat(&mut self) -> Result<()> {
        self.compute()?;
        step!(oceanSpGEMM_copy, self)
    }

    /// The plan of a product, and the milliseconds of its steps, those of a repetition included.
    pub fn explain(
        library: &'a Library<'a>,
        inputs: &'a Inputs<'a, V>,
        options: &[(String, String)],
    ) -> Result<[Json; 2]> {
        let profiled = [options, &[("profile".into(), "on".into())]].concat();
        let mut product = Self::run(library, inputs, &profiled)?;
        product.repeat()?;
        let report = |report: Report| {
            let (format, mut bytes) = (MaybeUninit::new(OCEAN_REPORT_JSON), 0);
            // SAFETY: a live descriptor, and a buffer of the size that the first call states.
            let text = unsafe {
                check(report(product.descr.0, format, null_mut(), &mut bytes))?;
                let mut text = vec![0u8; bytes];
                check(report(product.descr.0, format, text.as_mut_ptr().cast(), &mut bytes))?;
                text
            };
            let text = CStr::from_bytes_until_nul(&text).map_or(&[][..], CStr::to_bytes);
            serde_json::from_slice(text).map_err(|error| Trouble::new("INTERNAL", error.to_string()))
        };
        Ok([report(oceanSpGEMM_getPlan)?, report(oceanSpGEMM_getProfile)?])
    }

    pub fn view(&self) -> View {
        self.arrays.view()
    }

    /// C alone: gives the buffers back and ends the product's state.
    pub fn finish(self) -> Arrays<'a> {
        self.arrays
    }
}
