// SPDX-License-Identifier: MIT OR Apache-2.0
//! A and B on the device, with new values for every run.

use std::cell::{Ref, RefCell};

use rayon::prelude::*;

use super::device::{Block, Device, Plain};
use super::trouble::Result;
use crate::random::{mix, unit};
use crate::suite::{Case, Pattern};
use crate::value::Value;

/// A type that is multiplied, copied and made on several threads.
pub trait Number: Value + Plain + Send + Sync {}
impl<T: Value + Plain + Send + Sync> Number for T {}

/// One matrix in both memories.
pub struct Operand<'d, V> {
    pub pattern: &'d Pattern,
    /// As they are on the device.
    host_values: RefCell<Vec<V>>,
    pub offsets: Block<'d>,
    pub columns: Block<'d>,
    pub values: Block<'d>,
}

impl<'d, V: Number> Operand<'d, V> {
    fn new(device: &'d Device, pattern: &'d Pattern) -> Result<Self> {
        let nnz = pattern.nnz();
        let operand = Self {
            pattern,
            host_values: RefCell::new(vec![V::narrow(0.0); nnz]),
            offsets: device.allocate(size_of_val(pattern.offsets.as_slice()))?,
            columns: device.allocate(size_of_val(pattern.columns.as_slice()))?,
            values: device.allocate(nnz * size_of::<V>())?,
        };
        operand.offsets.write(&pattern.offsets)?;
        operand.columns.write(&pattern.columns)?;
        Ok(operand)
    }

    fn refresh(&self, seed: u64) -> Result<()> {
        let fresh = |(entry, value): (usize, &mut V)| *value = V::narrow(drawn(seed, entry as u64));
        let mut values = self.host_values.borrow_mut();
        values.par_iter_mut().with_min_len(1 << 14).enumerate().for_each(fresh);
        self.values.write(&values)
    }

    pub fn host_values(&self) -> Ref<'_, Vec<V>> {
        self.host_values.borrow()
    }

    fn bytes(&self) -> usize {
        csr_bytes::<V>(self.pattern.rows, self.pattern.nnz())
    }
}

/// Between 0.25 and 1.25 in size, of either sign: never zero, so that no work can be left out.
fn drawn(seed: u64, entry: u64) -> f64 {
    let x = 2.0 * unit(mix(mix(seed).wrapping_add(entry))) - 1.0;
    x + 0.25f64.copysign(x)
}

/// Bytes of a matrix with 32-bit indices.
pub fn csr_bytes<V>(rows: usize, nnz: usize) -> usize {
    (rows + 1) * size_of::<i32>() + nnz * (size_of::<i32>() + size_of::<V>())
}

/// Both matrices of a product; B may be A itself.
pub struct Operands<'d, V> {
    pub a: Operand<'d, V>,
    other: Option<Operand<'d, V>>,
}

impl<'d, V: Number> Operands<'d, V> {
    pub fn new(device: &'d Device, case: &'d Case) -> Result<Self> {
        let a = Operand::new(device, &case.a)?;
        let other = case.b.as_ref().map(|b| Operand::new(device, b)).transpose()?;
        Ok(Self { a, other })
    }

    pub fn b(&self) -> &Operand<'d, V> {
        self.other.as_ref().unwrap_or(&self.a)
    }

    /// New values for both, the same for the same number; done when it returns.
    pub fn refresh(&self, round: u64) -> Result<()> {
        self.a.refresh(2 * round)?;
        self.other.as_ref().map_or(Ok(()), |b| b.refresh(2 * round + 1))
    }

    /// Rows and columns of C.
    pub fn shape(&self) -> (usize, usize) {
        (self.a.pattern.rows, self.b().pattern.cols)
    }

    /// Bytes of A and B; of A alone where B is A.
    pub fn bytes(&self) -> usize {
        self.a.bytes() + self.other.as_ref().map_or(0, Operand::bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_never_zero_and_differ_between_runs() {
        let values = |seed| (0..1000).map(|entry| drawn(seed, entry)).collect::<Vec<_>>();
        assert!(values(3).iter().all(|value| (0.25..=1.25).contains(&value.abs())));
        assert!(values(3).iter().any(|value| *value < 0.0) && values(3).iter().any(|value| *value > 0.0));
        assert!(values(3).iter().zip(values(4)).all(|(one, other)| *one != other));
        assert_eq!(values(3), values(3));
    }

    #[test]
    fn bytes_of_a_matrix() {
        assert_eq!(csr_bytes::<f64>(10, 3), 44 + 36);
        assert_eq!(csr_bytes::<f32>(10, 3), 44 + 24);
    }
}
