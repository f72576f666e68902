// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a handle's arrays lie: on the host, or on the device, a GPU or an emulated one.

use std::ffi::c_void;

#[cfg(feature = "cuda")]
use ocean::cuda::{Cuda, devices};
#[cfg(feature = "cuda")]
use ocean::memory::{Address, Allocation};

/// A kind of memory.
#[derive(Clone)]
pub enum Place {
    Host,
    #[cfg(feature = "cuda")]
    Device(Cuda),
}

/// Values in it.
pub enum Array<T> {
    Host(Vec<T>),
    #[cfg(feature = "cuda")]
    Device(Cuda, Allocation, usize),
}

/// The CUDA backend; none, and a word that `test` was skipped, where it has no device. OCEAN_REQUIRE_GPU makes that a
/// failure.
#[cfg(feature = "cuda")]
pub fn cuda(test: &str) -> Option<Cuda> {
    if devices().expect("a driver that is there can start") == 0 {
        return no_device(test);
    }
    Some(Cuda::new().expect("a device that is there can be used"))
}

fn no_device<T>(test: &str) -> Option<T> {
    assert!(std::env::var_os("OCEAN_REQUIRE_GPU").is_none(), "{test} needs a GPU");
    super::skipped(test, "on CUDA: no GPU");
    None
}

impl Place {
    /// The first device's; none, and a word that `test` was skipped there, where there is none.
    pub fn device(test: &str) -> Option<Self> {
        #[cfg(feature = "cuda")]
        return cuda(test).map(Self::Device);
        #[cfg(not(feature = "cuda"))]
        no_device(test)
    }

    /// A copy of `values` there.
    pub fn array<T: Copy>(&self, values: &[T]) -> Array<T> {
        match self {
            Self::Host => Array::Host(values.to_vec()),
            #[cfg(feature = "cuda")]
            Self::Device(cuda) => Array::Device(cuda.clone(), cuda.upload(values, "a test").unwrap(), values.len()),
        }
    }

    /// Values that lie there.
    ///
    /// # Safety
    /// There are so many at `pointer`.
    pub unsafe fn read<T: Copy>(&self, pointer: *const T, len: usize) -> Vec<T> {
        if len == 0 {
            return vec![];
        }
        match self {
            // SAFETY: the caller's promise.
            Self::Host => unsafe { std::slice::from_raw_parts(pointer, len) }.to_vec(),
            #[cfg(feature = "cuda")]
            Self::Device(cuda) => {
                // SAFETY: tests have plain numbers in arrays, for which zero bytes are a value.
                let mut values = vec![unsafe { std::mem::zeroed::<T>() }; len];
                // SAFETY: the caller's promise.
                unsafe { cuda.download(Address::from(pointer.cast_mut()), &mut values).unwrap() };
                values
            }
        }
    }
}

impl<T: Copy> Array<T> {
    pub fn read(&self) -> Vec<T> {
        match self {
            Self::Host(values) => values.clone(),
            #[cfg(feature = "cuda")]
            Self::Device(cuda, allocation, len) => {
                // SAFETY: the allocation holds so many.
                unsafe { Place::Device(cuda.clone()).read(allocation.address().pointer(), *len) }
            }
        }
    }
}

impl<T> Array<T> {
    pub fn len(&self) -> usize {
        match self {
            Self::Host(values) => values.len(),
            #[cfg(feature = "cuda")]
            Self::Device(_, _, len) => *len,
        }
    }

    /// Its first value, for the C ABI; NULL, if there is none.
    pub fn pointer(&self) -> *mut c_void {
        match self {
            _ if self.len() == 0 => std::ptr::null_mut(),
            Self::Host(values) => values.as_ptr().cast_mut().cast(),
            #[cfg(feature = "cuda")]
            Self::Device(_, allocation, _) => allocation.address().pointer(),
        }
    }
}
