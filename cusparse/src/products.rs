// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products on their way. What a program holds as a `cusparseSpGEMMDescr_t` is ours; inside are one of ocean's and one
//! of the real library's, each made when it is needed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::guard::{checked, guard, lock};
use crate::ocean::{self, Ocean};
use crate::real;
use crate::route::Refusal;
use crate::settings::settings;
use crate::types::{INVALID_VALUE, Product, SUCCESS, Status};

/// Who serves a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// No first step has succeeded.
    Undecided,
    /// Ocean.
    Ocean,
    /// cuSPARSE.
    Real,
}

/// One product.
pub struct State {
    /// Who serves it, since the last successful query of the first step.
    pub route: Route,
    /// What is remembered of it for the statistics.
    pub notes: Notes,
    ocean: Option<OceanProduct>,
    real: Option<RealProduct>,
}

/// What statistics need to know of a product.
pub struct Notes {
    /// Bytes of the first buffer.
    pub first_buffer: usize,
    /// Share of the products that the caller wants handled at a time.
    pub chunk_fraction: f32,
    /// Why cuSPARSE serves it, if so.
    pub reason: String,
}

struct OceanProduct {
    ocean: &'static Ocean,
    address: usize,
}

impl Drop for OceanProduct {
    fn drop(&mut self) {
        // SAFETY: ours, and used by nobody else. Work that is queued goes on.
        unsafe { (self.ocean.oceanSpGEMM_destroyDescr)(self.address as ocean::Product) };
    }
}

struct RealProduct(usize);

impl Drop for RealProduct {
    fn drop(&mut self) {
        // SAFETY: ours, and used by nobody else.
        unsafe { real::cusparseSpGEMM_destroyDescr(self.0 as Product) };
    }
}

/// By the address that the program knows. That is only ever looked up, never followed: it may be the real library's.
static LIVE: Mutex<BTreeMap<usize, Arc<Mutex<State>>>> = Mutex::new(BTreeMap::new());

/// The product behind a descriptor; `None` if it is not one of ours.
pub fn find(product: Product) -> Option<Arc<Mutex<State>>> {
    lock(&LIVE).get(&(product as usize)).cloned()
}

impl State {
    fn new() -> Self {
        let notes = Notes { first_buffer: 0, chunk_fraction: 1.0, reason: String::new() };
        Self { route: Route::Undecided, notes, ocean: None, real: None }
    }

    /// Ocean's descriptor.
    pub fn of_ocean(&mut self, ocean: &'static Ocean) -> Result<ocean::Product, Refusal> {
        if let Some(known) = &self.ocean {
            return Ok(known.address as ocean::Product);
        }
        let mut address: ocean::Product = std::ptr::null_mut();
        // SAFETY: room for the descriptor.
        let status = unsafe { (ocean.oceanSpGEMM_createDescr)(&mut address) };
        checked(status).map_err(|status| Refusal { status, reason: ocean.last_error() })?;
        self.ocean = Some(OceanProduct { ocean, address: address as usize });
        Ok(address)
    }

    /// The real library's descriptor.
    pub fn of_real(&mut self) -> Result<Product, Status> {
        if let Some(known) = &self.real {
            return Ok(known.0 as Product);
        }
        let mut address: Product = std::ptr::null_mut();
        // SAFETY: room for the descriptor.
        checked(unsafe { real::cusparseSpGEMM_createDescr(&mut address) })?;
        self.real = Some(RealProduct(address as usize));
        Ok(address)
    }

    fn count(&mut self, products: *mut i64) -> Result<Status, Status> {
        match (self.route, &self.ocean) {
            (Route::Undecided, _) => Err(INVALID_VALUE),
            (Route::Ocean, Some(product)) => {
                let address = product.address as ocean::Product;
                // SAFETY: a live descriptor; the rest goes on as it came.
                Ok(unsafe { (product.ocean.oceanSpGEMM_getNumProducts)(address, products) })
            }
            // SAFETY: as above.
            _ => Ok(unsafe { real::cusparseSpGEMM_getNumProducts(self.of_real()?, products) }),
        }
    }
}

/// cuSPARSE's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cusparseSpGEMM_createDescr(product: *mut Product) -> Status {
    guard(|| {
        if settings().disabled {
            // SAFETY: the argument goes on as it came.
            return Ok(unsafe { real::cusparseSpGEMM_createDescr(product) });
        }
        // SAFETY: cuSPARSE asks for a pointer that is NULL or valid.
        let out = unsafe { product.as_mut() }.ok_or(INVALID_VALUE)?;
        let new = Arc::new(Mutex::new(State::new()));
        // Unique while it lives.
        let address = Arc::as_ptr(&new) as usize;
        lock(&LIVE).insert(address, new);
        *out = address as Product;
        Ok(SUCCESS)
    })
}

/// cuSPARSE's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cusparseSpGEMM_destroyDescr(product: Product) -> Status {
    guard(|| {
        // Ended after the lock.
        let ours = lock(&LIVE).remove(&(product as usize));
        if product.is_null() || ours.is_some() {
            return Ok(SUCCESS);
        }
        // SAFETY: the argument goes on as it came.
        Ok(unsafe { real::cusparseSpGEMM_destroyDescr(product) })
    })
}

/// cuSPARSE's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cusparseSpGEMM_getNumProducts(product: Product, products: *mut i64) -> Status {
    guard(|| match find(product) {
        Some(state) => lock(&state).count(products),
        // SAFETY: the arguments go on as they came.
        None => Ok(unsafe { real::cusparseSpGEMM_getNumProducts(product, products) }),
    })
}
