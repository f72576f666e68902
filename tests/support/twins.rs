// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrays and matrices that lie on the host and on the device, for tests that hold one backend against the other.

use std::fmt::Debug;

use ocean::csr::{Csr, IndexType};
use ocean::cuda::Cuda;
use ocean::memory::{Address, Allocation, Span};
use ocean::scalar;
use ocean::spgemm::hyperloglog::hash;

use super::Form;

/// An array on both sides: whatever a step does to one, it has to do to the other.
pub struct Twin<T> {
    pub host: Vec<T>,
    pub device: Allocation,
}

impl<T: Copy + PartialEq + Debug> Twin<T> {
    pub fn new(cuda: &Cuda, values: &[T]) -> Self {
        Self { host: values.to_vec(), device: cuda.upload(values, "a test").unwrap() }
    }

    /// Both, the host's first.
    pub fn spans(&mut self) -> (Span<T>, Span<T>) {
        let len = self.host.len();
        (Span::new(self.host.as_mut_ptr().into(), len), Span::new(self.device.address(), len))
    }

    pub fn addresses(&mut self) -> (Address, Address) {
        (self.host.as_mut_ptr().into(), self.device.address())
    }

    pub fn on_device(&self, cuda: &Cuda) -> Vec<T> {
        let mut found = self.host.clone();
        // SAFETY: the array on the device is as long.
        unsafe { cuda.download(self.device.address(), &mut found).unwrap() };
        found
    }

    /// Whether both are equal up to `len`.
    pub fn check(&self, cuda: &Cuda, len: usize, what: &str) {
        let found = self.on_device(cuda);
        let differs = (0..len).find(|&i| found[i] != self.host[i]);
        if let Some(i) = differs {
            panic!("{what}[{i}] of {len} is {:?}, and {:?} on the host", found[i], self.host[i]);
        }
    }
}

/// The bits of numbers, every NaN the same.
pub fn bits<V: scalar::Stored>(values: &[V]) -> Vec<u128> {
    values.iter().map(|value| value.bits()).collect()
}

/// A matrix that counts from 0, whatever it is stored as.
#[derive(Clone, Debug)]
pub struct Matrix {
    pub cols: i64,
    pub offsets: Vec<i64>,
    pub columns: Vec<i32>,
}

impl Matrix {
    pub fn of_rows<Row: IntoIterator<Item = i32>>(cols: i64, rows: impl IntoIterator<Item = Row>) -> Self {
        let mut matrix = Self { cols, offsets: vec![0], columns: Vec::new() };
        for row in rows {
            matrix.columns.extend(row);
            matrix.offsets.push(matrix.columns.len() as i64);
        }
        matrix
    }

    /// Rows of these lengths at places that scatter over `cols`, in an order that only looks random.
    pub fn of_lengths(lengths: &[usize], cols: i64) -> Self {
        let column = |row: usize, i: usize| (hash((row * 7_919 + i) as u32) as i64 % cols) as i32;
        Self::of_rows(cols, lengths.iter().enumerate().map(|(row, &n)| (0..n).map(move |i| column(row, i))))
    }

    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn longest(&self) -> i64 {
        self.offsets.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }

    /// Products of each row of `self * b`.
    pub fn products(&self, b: &Self) -> Vec<i64> {
        let of_row = |row: usize| {
            let entries = self.offsets[row] as usize..self.offsets[row + 1] as usize;
            self.columns[entries].iter().map(|&k| b.offsets[k as usize + 1] - b.offsets[k as usize]).sum()
        };
        (0..self.rows()).map(of_row).collect()
    }

    pub fn stored<V: scalar::Stored>(&self, cuda: &Cuda, form: Form, values: &[V]) -> Stored<V> {
        let base = i64::from(form.base);
        let narrow: Vec<i32> = self.offsets.iter().map(|offset| (offset + base) as i32).collect();
        let wide: Vec<i64> = self.offsets.iter().map(|offset| offset + base).collect();
        let columns: Vec<i32> = self.columns.iter().map(|column| column + form.base).collect();
        Stored {
            matrix: self.clone(),
            form,
            narrow: Twin::new(cuda, &narrow),
            wide: Twin::new(cuda, &wide),
            columns: Twin::new(cuda, &columns),
            values: Twin::new(cuda, values),
        }
    }

    /// On both sides, without values.
    pub fn pattern(&self, cuda: &Cuda, form: Form) -> Stored<f64> {
        self.stored(cuda, form, &[])
    }
}

/// A matrix on both sides.
pub struct Stored<V> {
    pub matrix: Matrix,
    pub form: Form,
    pub narrow: Twin<i32>,
    pub wide: Twin<i64>,
    pub columns: Twin<i32>,
    pub values: Twin<V>,
}

impl<V: scalar::Stored> Stored<V> {
    /// Both, the host's first.
    pub fn csrs(&mut self) -> (Csr, Csr) {
        let offsets = match self.form.offset_type {
            IndexType::I32 => self.narrow.addresses(),
            IndexType::I64 => self.wide.addresses(),
        };
        let (columns, values) = (self.columns.addresses(), self.values.addresses());
        let csr = |offsets, columns, values| Csr {
            rows: self.matrix.rows() as i64,
            cols: self.matrix.cols,
            nnz: self.matrix.columns.len() as i64,
            offsets,
            columns,
            values,
            offset_type: self.form.offset_type,
            column_type: IndexType::I32,
            base: self.form.base,
            data_type: V::TYPE.data_type(),
        };
        (csr(offsets.0, columns.0, values.0), csr(offsets.1, columns.1, values.1))
    }
}
