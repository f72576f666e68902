// SPDX-License-Identifier: MIT OR Apache-2.0
//! C on the device.

use std::ffi::c_void;
use std::ptr::null;

use super::device::{Block, Device};
use super::trouble::{Result, Trouble};

/// Where a product lies, while its owner keeps it.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub nnz: usize,
    pub offsets: *const c_void,
    pub columns: *const c_void,
    pub values: *const c_void,
}

/// C's arrays, for tools whose caller brings them.
pub struct Arrays<'d> {
    device: &'d Device,
    pub offsets: Block<'d>,
    rest: Option<(Block<'d>, Block<'d>)>,
    nnz: usize,
}

impl<'d> Arrays<'d> {
    /// Offsets alone: nnz is not known yet.
    pub fn new(device: &'d Device, rows: usize) -> Result<Self> {
        let offsets = device.allocate((rows + 1) * size_of::<i32>())?;
        Ok(Self { device, offsets, rest: None, nnz: 0 })
    }

    /// Takes columns and values for `nnz` entries, and tells all three addresses.
    pub fn extend<V>(&mut self, nnz: i64) -> Result<[*mut c_void; 3]> {
        self.nnz = usize::try_from(nnz).map_err(|_| Trouble::new("wrong", format!("nnz of C is {nnz}")))?;
        let columns = self.device.allocate(self.nnz * size_of::<i32>())?;
        let values = self.device.allocate(self.nnz * size_of::<V>())?;
        let pointers = [self.offsets.pointer(), columns.pointer(), values.pointer()];
        self.rest = Some((columns, values));
        Ok(pointers)
    }

    pub fn view(&self) -> View {
        let (columns, values) = match &self.rest {
            Some((columns, values)) => (columns.pointer().cast_const(), values.pointer().cast_const()),
            None => (null(), null()),
        };
        View { nnz: self.nnz, offsets: self.offsets.pointer(), columns, values }
    }
}
