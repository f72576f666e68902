// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products through the C ABI, for integration tests. Every form of the call ends in an owned C.
#![allow(dead_code)] // each test binary uses its own part

use std::ffi::{CStr, CString, c_void};
use std::io::Write;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use ocean::csr::{IndexType, OwnedCsr};
use ocean::ffi::oceanBackend_t::{OCEAN_BACKEND_CUDA, OCEAN_BACKEND_HOST};
use ocean::ffi::oceanIndexBase_t::{self, OCEAN_INDEX_BASE_ONE, OCEAN_INDEX_BASE_ZERO};
use ocean::ffi::oceanIndexType_t::{self, OCEAN_INDEX_32I, OCEAN_INDEX_64I};
use ocean::ffi::oceanOperation_t::{self, OCEAN_OPERATION_NON_TRANSPOSE};
use ocean::ffi::oceanReportFormat_t::OCEAN_REPORT_JSON;
use ocean::ffi::oceanSpGEMMAlg_t::OCEAN_SPGEMM_DEFAULT;
use ocean::ffi::oceanStatus_t::OCEAN_STATUS_SUCCESS;
use ocean::ffi::*;
use ocean::scalar::{Stored, ValueType, bf16, f16};

pub mod matrices;
pub mod place;
#[cfg(feature = "cuda")]
pub mod twins;

pub use place::{Array, Place};

/// Runs `$body` with `$V` bound to each of these types in turn.
#[allow(unused_macros)] // each test binary uses its own part
macro_rules! for_types {
    ([$($type:ty),*], $V:ident => $body:expr) => {
        $({
            type $V = $type;
            $body
        })*
    };
}
#[allow(unused_imports)]
pub(crate) use for_types;

/// How a matrix is stored.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub base: i32,
    pub offset_type: IndexType,
}

pub const FORMS: [Form; 4] = [
    Form { base: 0, offset_type: IndexType::I32 },
    Form { base: 1, offset_type: IndexType::I32 },
    Form { base: 0, offset_type: IndexType::I64 },
    Form { base: 1, offset_type: IndexType::I64 },
];

/// Options of a product: names and values.
pub type Options<'a> = &'a [(&'a str, &'a str)];

/// Says past libtest's capture that a test could not run, and why.
pub fn skipped(test: &str, why: &str) {
    let line = format!("skipped: {test}: {why}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// Random cases of a test: so many, or as OCEAN_TEST_CASES says where that is less, for tools that are slow.
pub fn cases(most: u32) -> u32 {
    let wanted = std::env::var("OCEAN_TEST_CASES").ok().and_then(|cases| cases.parse().ok());
    wanted.map_or(most, |wanted: u32| wanted.min(most))
}

/// Fails the test with the library's words.
#[track_caller]
pub fn check(status: oceanStatus_t) {
    // SAFETY: the text lasts until this thread's next failing call.
    let message = unsafe { CStr::from_ptr(oceanGetLastErrorString()) };
    assert_eq!(status, OCEAN_STATUS_SUCCESS, "{}", message.to_string_lossy());
}

/// A handle, and where its arrays lie.
pub struct Handle {
    raw: oceanHandle_t,
    pub place: Place,
}

impl Handle {
    pub fn host() -> Self {
        Self::with(OCEAN_BACKEND_HOST, Place::Host)
    }

    /// One that exists, on the host.
    pub fn of(raw: oceanHandle_t) -> Self {
        Self { raw, place: Place::Host }
    }

    /// One on each backend that there is; says which is not. OCEAN_REQUIRE_GPU makes that a failure.
    pub fn all(test: &str) -> Vec<Self> {
        let device = Place::device(test).map(|place| Self::with(OCEAN_BACKEND_CUDA, place));
        std::iter::once(Self::host()).chain(device).collect()
    }

    /// Whether it computes on a GPU, or an emulated one.
    pub fn on_device(&self) -> bool {
        !matches!(self.place, Place::Host)
    }

    /// Whether it computes on an emulated GPU and there is no time for everything: then types that differ in little take
    /// turns in the slow tests, where a real GPU runs them all.
    pub fn hurried(&self) -> bool {
        cfg!(ocean_emu) && self.on_device() && std::env::var_os("OCEAN_TEST_FULL").is_none()
    }

    /// From now on on this stream.
    ///
    /// # Safety
    /// It lives as long as the handle.
    pub unsafe fn set_stream(&self, stream: *mut c_void) {
        check(oceanSetStream(self.raw, stream.cast()));
    }

    fn with(backend: oceanBackend_t, place: Place) -> Self {
        let mut raw = null_mut();
        // SAFETY: the address of a local.
        check(unsafe { oceanCreateWithBackend(&mut raw, MaybeUninit::new(backend)) });
        Self { raw, place }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        check(oceanDestroy(self.raw));
    }
}

/// Types of row offsets and columns.
pub type Indices = [IndexType; 2];

pub const NARROW: Indices = [IndexType::I32; 2];

/// A matrix as callers have it: indices of either type, base 0 or 1.
pub struct Operand<V> {
    offsets: Vec<i64>,
    columns: Vec<i64>,
    indices: Indices,
    pub values: Vec<V>,
    shape: [i64; 2],
    base: i32,
    operation: oceanOperation_t,
    /// Whether only the real parts are stored.
    real: bool,
}

impl<V: Stored> Operand<V> {
    pub fn new(csr: &OwnedCsr<V>, base: i32) -> Self {
        Self {
            offsets: csr.offsets.iter().map(|o| o + i64::from(base)).collect(),
            columns: csr.columns.iter().map(|&c| i64::from(c + base)).collect(),
            indices: NARROW,
            values: csr.values.clone(),
            shape: [csr.rows as i64, csr.cols as i64],
            base,
            operation: OCEAN_OPERATION_NON_TRANSPOSE,
            real: false,
        }
    }
}

impl<V> Operand<V> {
    /// The same, to be multiplied after this operation.
    pub fn under(self, operation: oceanOperation_t) -> Self {
        Self { operation, ..self }
    }

    /// The same with its real parts alone, in the real type of those.
    pub fn real(self) -> Self {
        Self { real: true, ..self }
    }

    /// Of what is multiplied.
    fn shape(&self) -> [i64; 2] {
        let [rows, cols] = self.shape;
        if self.operation == OCEAN_OPERATION_NON_TRANSPOSE { [rows, cols] } else { [cols, rows] }
    }

    /// The same in these indices.
    pub fn in_indices(self, indices: Indices) -> Self {
        Self { indices, ..self }
    }

    /// The same without values.
    pub fn pattern(self) -> Self {
        Self { values: vec![], ..self }
    }

    fn is_pattern(&self) -> bool {
        self.values.len() < self.columns.len()
    }
}

/// Values as they are, or their real parts.
enum Values<V> {
    Whole(Array<V>),
    F32(Array<f32>),
    F64(Array<f64>),
    F16(Array<f16>),
    Bf16(Array<bf16>),
}

impl<V: Stored> Values<V> {
    fn new(operand: &Operand<V>, place: &Place) -> Self {
        fn parts<V: Stored, R: Stored>(values: &[V]) -> Vec<R> {
            values.iter().map(|value| R::nearest(value.parts()[0], 0.0)).collect()
        }
        let values = &operand.values;
        match V::TYPE {
            _ if !operand.real => Self::Whole(place.array(values)),
            ValueType::F32 | ValueType::C32 => Self::F32(place.array(&parts(values))),
            ValueType::F64 | ValueType::C64 => Self::F64(place.array(&parts(values))),
            ValueType::F16 | ValueType::C16 => Self::F16(place.array(&parts(values))),
            ValueType::Bf16 | ValueType::Cbf16 => Self::Bf16(place.array(&parts(values))),
        }
    }

    fn kind(&self) -> ValueType {
        match self {
            Self::Whole(_) => V::TYPE,
            Self::F32(_) => ValueType::F32,
            Self::F64(_) => ValueType::F64,
            Self::F16(_) => ValueType::F16,
            Self::Bf16(_) => ValueType::Bf16,
        }
    }

    fn pointer(&self) -> *mut c_void {
        match self {
            Self::Whole(array) => array.pointer(),
            Self::F32(array) => array.pointer(),
            Self::F64(array) => array.pointer(),
            Self::F16(array) => array.pointer(),
            Self::Bf16(array) => array.pointer(),
        }
    }
}

/// An operand where a handle can read it.
struct Described<V> {
    offsets: IndexArray,
    columns: IndexArray,
    values: Values<V>,
    descr: oceanConstSpMatDescr_t,
}

impl<V: Stored> Described<V> {
    fn new(operand: &Operand<V>, place: &Place) -> Self {
        let mut described = Self {
            offsets: IndexArray::new(place, operand.indices[0], &operand.offsets),
            columns: IndexArray::new(place, operand.indices[1], &operand.columns),
            values: Values::new(operand, place),
            descr: null(),
        };
        // SAFETY: the arrays live as long as the descriptor.
        check(unsafe {
            oceanCreateConstCsr(
                &mut described.descr,
                operand.shape[0],
                operand.shape[1],
                operand.columns.len() as i64,
                described.offsets.pointer(),
                described.columns.pointer(),
                described.values.pointer(),
                c_index(operand.indices[0]),
                c_index(operand.indices[1]),
                c_base(operand.base),
                described.values.kind().data_type(),
            )
        });
        described
    }
}

impl<V> Drop for Described<V> {
    fn drop(&mut self) {
        check(oceanDestroySpMat(self.descr));
    }
}

fn c_base(base: i32) -> MaybeUninit<oceanIndexBase_t> {
    MaybeUninit::new(if base == 0 { OCEAN_INDEX_BASE_ZERO } else { OCEAN_INDEX_BASE_ONE })
}

fn c_index(kind: IndexType) -> MaybeUninit<oceanIndexType_t> {
    MaybeUninit::new(if kind == IndexType::I32 { OCEAN_INDEX_32I } else { OCEAN_INDEX_64I })
}

/// Indices of either type in a handle's memory.
enum IndexArray {
    Narrow(Array<i32>),
    Wide(Array<i64>),
}

impl IndexArray {
    fn new(place: &Place, kind: IndexType, indices: &[i64]) -> Self {
        match kind {
            IndexType::I32 => {
                let narrow: Vec<i32> = indices.iter().map(|&index| i32::try_from(index).unwrap()).collect();
                Self::Narrow(place.array(&narrow))
            }
            IndexType::I64 => Self::Wide(place.array(indices)),
        }
    }

    /// So many that no step wrote.
    fn unwritten(place: &Place, kind: IndexType, len: usize) -> Self {
        Self::new(place, kind, &vec![i32::MIN.into(); len])
    }

    fn pointer(&self) -> *mut c_void {
        match self {
            Self::Narrow(array) => array.pointer(),
            Self::Wide(array) => array.pointer(),
        }
    }

    fn read(&self) -> Vec<i64> {
        match self {
            Self::Narrow(array) => array.read().into_iter().map(i64::from).collect(),
            Self::Wide(array) => array.read(),
        }
    }
}

/// Indices of either type that lie somewhere.
///
/// # Safety
/// There are so many at `pointer`.
unsafe fn read_indices(place: &Place, kind: IndexType, pointer: *const c_void, len: usize) -> Vec<i64> {
    // SAFETY: the caller's promise.
    unsafe {
        match kind {
            IndexType::I32 => place.read(pointer.cast::<i32>(), len).into_iter().map(i64::from).collect(),
            IndexType::I64 => place.read(pointer.cast::<i64>(), len),
        }
    }
}

fn zero<V: Stored>() -> V {
    V::nearest(0.0, 0.0)
}

fn one<V: Stored>() -> V {
    V::nearest(1.0, 0.0)
}

/// Calls a step with the arguments that all of them begin with.
macro_rules! step {
    ($function:ident, $product:expr, [$($scalars:expr),*], $V:ident $(, $rest:expr)*) => {{
        let product = &*$product;
        let [of_a, of_b] = [product.a, product.b].map(|operand| MaybeUninit::new(operand.operation));
        let scalars: [$V; 2] = [$($scalars),*];
        let [alpha, beta]: [*const c_void; 2] = [(&raw const scalars[0]).cast(), (&raw const scalars[1]).cast()];
        // SAFETY: live descriptors, whose arrays are as long as declared.
        check(unsafe {
            $function(
                product.handle.raw, of_a, of_b, alpha, product.left.descr, product.right().descr, beta, product.c,
                $V::TYPE.data_type(), MaybeUninit::new(OCEAN_SPGEMM_DEFAULT), product.descr $(, $rest)*
            )
        })
    }};
}

/// The same for the reuse protocol, which has no scalars before its last step.
macro_rules! reuse_step {
    ($function:ident, $product:expr $(, $rest:expr)*) => {{
        let product = &*$product;
        let [of_a, of_b] = [product.a, product.b].map(|operand| MaybeUninit::new(operand.operation));
        // SAFETY: live descriptors, whose arrays are as long as declared.
        check(unsafe {
            $function(
                product.handle.raw, of_a, of_b, product.left.descr, product.right().descr, product.c,
                MaybeUninit::new(OCEAN_SPGEMM_DEFAULT), product.descr $(, $rest)*
            )
        })
    }};
}

/// C = A * B by any of the protocols.
pub struct Product<'a, V> {
    handle: &'a Handle,
    a: &'a Operand<V>,
    b: &'a Operand<V>,
    left: Described<V>,
    /// None where both are one matrix, in one place.
    right: Option<Described<V>>,
    base: i32,
    descr: oceanSpGEMMDescr_t,
    c: oceanSpMatDescr_t,
    indices: Indices,
    offsets: IndexArray,
    columns: IndexArray,
    values: Array<V>,
    buffers: Vec<Array<u8>>,
}

impl<'a, V: Stored> Product<'a, V> {
    pub fn new(handle: &'a Handle, a: &'a Operand<V>, b: &'a Operand<V>, base: i32, options: Options<'_>) -> Self {
        Self::with_indices(handle, (a, b), (base, NARROW), options)
    }

    /// The same with these base and indices for C.
    pub fn with_indices(
        handle: &'a Handle,
        (a, b): (&'a Operand<V>, &'a Operand<V>),
        (base, indices): (i32, Indices),
        options: Options<'_>,
    ) -> Self {
        let mut product = Self {
            handle,
            a,
            b,
            left: Described::new(a, &handle.place),
            right: (!std::ptr::eq(a, b)).then(|| Described::new(b, &handle.place)),
            base,
            descr: null_mut(),
            c: null_mut(),
            indices,
            offsets: IndexArray::unwritten(&handle.place, indices[0], a.shape()[0] as usize + 1),
            columns: IndexArray::unwritten(&handle.place, indices[1], 0),
            values: handle.place.array(&[]),
            buffers: vec![],
        };
        // SAFETY: addresses of fields; C's arrays come later.
        unsafe {
            check(oceanSpGEMM_createDescr(&mut product.descr));
            let [rows, cols] = [a.shape()[0], b.shape()[1]];
            let none = null_mut();
            check(oceanCreateCsr(
                &mut product.c,
                rows,
                cols,
                0,
                none,
                none,
                none,
                c_index(indices[0]),
                c_index(indices[1]),
                c_base(base),
                V::TYPE.data_type(),
            ));
            for (name, value) in options {
                let (name, value) = (CString::new(*name).unwrap(), CString::new(*value).unwrap());
                check(oceanSpGEMM_setOption(product.descr, name.as_ptr(), value.as_ptr()));
            }
        }
        product
    }

    /// With a memory limit of so many bytes.
    pub fn within(self, limit: usize) -> Self {
        check(oceanSpGEMM_setMemoryLimit(self.descr, limit));
        self
    }

    fn right(&self) -> &Described<V> {
        self.right.as_ref().unwrap_or(&self.left)
    }

    /// A buffer of the size that a query told, filled with rubbish.
    fn buffer(&mut self, bytes: usize) -> *mut c_void {
        assert!(bytes > 0, "no size is ever 0");
        let buffer = self.handle.place.array(&vec![0xA5u8; bytes]);
        let pointer = buffer.pointer();
        self.buffers.push(buffer);
        pointer
    }

    pub fn work_estimation(&mut self) {
        let mut bytes = 0;
        step!(oceanSpGEMM_workEstimation, self, [zero(), zero()], V, &mut bytes, null_mut());
        let buffer = self.buffer(bytes);
        step!(oceanSpGEMM_workEstimation, self, [zero(), zero()], V, &mut bytes, buffer);
    }

    pub fn compute(&mut self) {
        let mut bytes = 0;
        step!(oceanSpGEMM_compute, self, [zero(), zero()], V, &mut bytes, null_mut());
        let buffer = self.buffer(bytes);
        step!(oceanSpGEMM_compute, self, [zero(), zero()], V, &mut bytes, buffer);
    }

    pub fn copy(&mut self, alpha: V) {
        self.give_arrays(zero());
        self.queue_copy(alpha);
    }

    /// The copy alone, into the arrays that C has.
    pub fn queue_copy(&mut self, alpha: V) {
        step!(oceanSpGEMM_copy, self, [alpha, zero()], V);
    }

    pub fn give_arrays(&mut self, fill: V) {
        let (mut rows, mut cols, mut nnz) = (0, 0, 0);
        // SAFETY: a live descriptor; C's arrays are as long as its nnz.
        unsafe {
            check(oceanSpMatGetSize(self.c, &mut rows, &mut cols, &mut nnz));
            self.columns = IndexArray::unwritten(&self.handle.place, self.indices[1], nnz as usize);
            let values = if self.a.is_pattern() { vec![] } else { vec![fill; nnz as usize] };
            self.values = self.handle.place.array(&values);
            let (offsets, columns) = (self.offsets.pointer(), self.columns.pointer());
            check(oceanCsrSetPointers(self.c, offsets, columns, self.values.pointer()));
        }
    }

    pub fn products(&self) -> i64 {
        let mut products = 0;
        // SAFETY: a live descriptor and the address of a local.
        check(unsafe { oceanSpGEMM_getNumProducts(self.descr, &mut products) });
        products
    }

    /// The plan, as JSON.
    pub fn plan(&self) -> serde_json::Value {
        let mut size = 0;
        let format = MaybeUninit::new(OCEAN_REPORT_JSON);
        // SAFETY: a live descriptor, and a buffer of the size that the first call told.
        let text = unsafe {
            check(oceanSpGEMM_getPlan(self.descr, format, null_mut(), &mut size));
            let mut text = vec![0u8; size];
            check(oceanSpGEMM_getPlan(self.descr, format, text.as_mut_ptr().cast(), &mut size));
            CString::from_vec_with_nul(text).unwrap()
        };
        serde_json::from_slice(text.as_bytes()).unwrap()
    }

    /// The staged protocol, whole.
    pub fn staged(mut self) -> OwnedCsr<V> {
        self.work_estimation();
        self.compute();
        self.copy(one());
        self.result()
    }

    /// The reuse protocol, whole.
    pub fn reuse(mut self) -> OwnedCsr<V> {
        self.reuse_pattern();
        self.queue_reuse_compute(one());
        self.result()
    }

    /// The reuse protocol's compute alone.
    pub fn queue_reuse_compute(&mut self, alpha: V) {
        step!(oceanSpGEMMreuse_compute, &self, [alpha, zero()], V);
    }

    /// The reuse protocol but for its compute.
    pub fn reuse_pattern(&mut self) {
        let mut bytes = [0; 3];
        reuse_step!(oceanSpGEMMreuse_workEstimation, &self, &mut bytes[0], null_mut());
        let buffer = self.buffer(bytes[0]);
        reuse_step!(oceanSpGEMMreuse_workEstimation, &self, &mut bytes[0], buffer);
        {
            let [two, three, four] = &mut bytes;
            reuse_step!(oceanSpGEMMreuse_nnz, &self, two, null_mut(), three, null_mut(), four, null_mut());
        }
        let buffers = bytes.map(|bytes| self.buffer(bytes));
        {
            let [two, three, four] = &mut bytes;
            reuse_step!(oceanSpGEMMreuse_nnz, &self, two, buffers[0], three, buffers[1], four, buffers[2]);
        }
        // Buffer 1 is not needed any more: its memory holds rubbish when it's taken again.
        let freed = self.buffers.remove(0).len();
        self.buffer(freed);
        self.give_arrays(zero());
        reuse_step!(oceanSpGEMMreuse_copy, &self, &mut bytes[0], null_mut());
        let buffer = self.buffer(bytes[0]);
        reuse_step!(oceanSpGEMMreuse_copy, &self, &mut bytes[0], buffer);
    }

    /// The one-call form.
    pub fn one_call(self) -> OwnedCsr<V> {
        self.one_call_with([one(), zero()], None)
    }

    /// alpha * A * B + beta * D in one call.
    pub fn one_call_with(self, [alpha, beta]: [V; 2], d: Option<&Operand<V>>) -> OwnedCsr<V> {
        let d = d.map(|d| Described::new(d, &self.handle.place));
        let [of_a, of_b] = [self.a, self.b].map(|operand| MaybeUninit::new(operand.operation));
        let (mut offsets, mut columns, mut values) = (null_mut(), null_mut(), null_mut());
        let (mut rows, mut cols, mut nnz) = (0, 0, 0);
        let (mut kinds, mut base, mut kind) = ([OCEAN_INDEX_32I; 2], OCEAN_INDEX_BASE_ZERO, 0);
        // SAFETY: live descriptors; C's arrays are as long as its nnz, and live until its descriptor ends.
        unsafe {
            check(oceanSpGEMM(
                self.handle.raw,
                of_a,
                of_b,
                (&raw const alpha).cast(),
                self.left.descr,
                self.right().descr,
                (&raw const beta).cast(),
                d.as_ref().map_or(null(), |d| d.descr),
                self.c,
                V::TYPE.data_type(),
                MaybeUninit::new(OCEAN_SPGEMM_DEFAULT),
            ));
            let [offsets_type, columns_type] = &mut kinds;
            check(oceanCsrGet(
                self.c,
                &mut rows,
                &mut cols,
                &mut nnz,
                &mut offsets,
                &mut columns,
                &mut values,
                offsets_type,
                columns_type,
                &mut base,
                &mut kind,
            ));
            let place = &self.handle.place;
            let offsets = read_indices(place, self.indices[0], offsets, rows as usize + 1);
            let columns = read_indices(place, self.indices[1], columns, nnz as usize);
            let values = place.read(values.cast::<V>(), if self.a.is_pattern() { 0 } else { nnz as usize });
            self.owned(&offsets, &columns, values)
        }
    }

    /// C as it stands in the arrays. A pattern has no values.
    pub fn result(&self) -> OwnedCsr<V> {
        self.owned(&self.offsets.read(), &self.columns.read(), self.values.read())
    }

    fn owned(&self, offsets: &[i64], columns: &[i64], values: Vec<V>) -> OwnedCsr<V> {
        let base = i64::from(self.base);
        OwnedCsr {
            rows: self.a.shape()[0] as usize,
            cols: self.b.shape()[1] as usize,
            offsets: offsets.iter().map(|offset| offset - base).collect(),
            columns: columns.iter().map(|column| i32::try_from(column - base).unwrap()).collect(),
            values,
        }
    }
}

impl<V> Drop for Product<'_, V> {
    fn drop(&mut self) {
        check(oceanSpGEMM_destroyDescr(self.descr));
        check(oceanDestroySpMat(self.c));
    }
}

/// Fails unless both are the same matrix, bit for bit.
#[track_caller]
pub fn assert_same<V: Stored>(got: &OwnedCsr<V>, want: &OwnedCsr<V>, what: &str) {
    assert_eq!((got.rows, got.cols), (want.rows, want.cols), "{what}: shape");
    assert!(got.offsets == want.offsets, "{what}: offsets; nnz {} for {}", got.nnz(), want.nnz());
    assert!(got.columns == want.columns, "{what}: columns");
    let differs = |(_, (got, want)): &(usize, (&V, &V))| got.bits() != want.bits();
    if let Some((at, (got, want))) = got.values.iter().zip(&want.values).enumerate().find(differs) {
        panic!("{what}: value {at} is {got:?}, the reference has {want:?}");
    }
}
