// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one call with options. oceanSpGEMM takes none, so this does what it does, by the library's own functions.

use std::marker::PhantomData;
use std::sync::Arc;

use ocean::Error;
use ocean::backend::Scalars;
use ocean::csr::{Csr, IndexType};
use ocean::cuda::Cuda;
use ocean::memory::{Address, Memory};
use ocean::scalar::ValueType;
use ocean::spgemm::{self, Operands as Product, Options, OwnedArrays, Place};

use super::device::Device;
use super::operands::{Number, Operand, Operands};
use super::output::View;
use super::trouble::{Result, Trouble};

fn trouble(error: Error) -> Trouble {
    Trouble::new(format!("{:?}", error.status()), error.to_string())
}

/// The backend on the device's stream, with memory of the device's pool.
pub struct Direct<'d> {
    cuda: Cuda,
    memory: Arc<dyn Memory>,
    device: PhantomData<&'d Device>,
}

/// The device's pool, for as long as a [`Direct`] lives.
struct Pool(*const Device);

// SAFETY: the library calls on the thread that calls it, which is the device's own: a `Direct` cannot leave that thread.
unsafe impl Send for Pool {}
// SAFETY: as above.
unsafe impl Sync for Pool {}

impl Memory for Pool {
    fn allocate(&self, bytes: usize, purpose: &'static str) -> ocean::error::Result<Address> {
        // SAFETY: the device outlives whatever holds its memory.
        let taken = unsafe { &*self.0 }.take(bytes);
        taken.map(|address| Address(address as usize)).map_err(|_| Error::OutOfMemory { bytes, purpose })
    }

    fn release(&self, address: Address, bytes: usize) {
        // SAFETY: as above; `allocate` gave it.
        unsafe { (*self.0).give(address.0 as u64, bytes) }
    }
}

impl<'d> Direct<'d> {
    pub fn new(device: &'d Device) -> Result<Self> {
        let memory: Arc<dyn Memory> = Arc::new(Pool(device));
        let cuda = Cuda::new().map_err(trouble)?.on_stream(device.stream()).with_memory(Arc::clone(&memory));
        Ok(Self { cuda, memory, device: PhantomData })
    }
}

/// C of one call.
pub struct OneCall<'d> {
    c: OwnedArrays,
    device: PhantomData<&'d Device>,
}

impl<'d> OneCall<'d> {
    pub fn run<V: Number>(
        direct: &Direct<'d>,
        operands: &Operands<'_, V>,
        options: &[(String, String)],
    ) -> Result<Self> {
        let mut set = Options::default();
        for (name, value) in options {
            set.set(name, value).map_err(trouble)?;
        }
        let (rows, cols) = operands.shape();
        let kind = ValueType::from_data_type(V::DATA_TYPE)
            .ok_or_else(|| Trouble::new("INTERNAL", "a type that nobody multiplies"))?;
        let c = Csr {
            offsets: Address::NULL,
            columns: Address::NULL,
            values: Address::NULL,
            ..described(&operands.a, rows, cols, 0)
        };
        let stored = |of: &Operand<'_, V>| described(of, of.pattern.rows, of.pattern.cols, of.pattern.nnz());
        let product = Product::plain(stored(&operands.a), stored(operands.b()));
        let place = Place { on: &direct.cuda, memory: &direct.memory };
        let c = spgemm::multiply(place, &product, &c, &Scalars::one(kind), &set).map_err(trouble)?;
        Ok(Self { c, device: PhantomData })
    }

    pub fn view(&self) -> View {
        let values = self.c.values.as_ref().map_or(Address::NULL, ocean::memory::Allocation::address);
        View {
            nnz: self.c.nnz as usize,
            offsets: self.c.offsets.address().pointer::<std::ffi::c_void>().cast_const(),
            columns: self.c.columns.address().pointer::<std::ffi::c_void>().cast_const(),
            values: values.pointer::<std::ffi::c_void>().cast_const(),
        }
    }
}

/// A matrix of this size with the operand's types and arrays.
fn described<V: Number>(operand: &Operand<'_, V>, rows: usize, cols: usize, nnz: usize) -> Csr {
    Csr {
        rows: rows as i64,
        cols: cols as i64,
        nnz: nnz as i64,
        offsets: Address(operand.offsets.pointer() as usize),
        columns: Address(operand.columns.pointer() as usize),
        values: Address(operand.values.pointer() as usize),
        offset_type: IndexType::I32,
        column_type: IndexType::I32,
        base: 0,
        data_type: V::DATA_TYPE,
    }
}
