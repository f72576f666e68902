// SPDX-License-Identifier: MIT OR Apache-2.0
//! Types of `include/ocean_dist.h`.

/// How a product is spread over ranks. See docs/distributed.md.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum oceanDistAlgorithm_t {
    /// What a model of the machine predicts to be fastest; oceanDistSpGEMM_explain() says why.
    OCEAN_DIST_AUTO = 0,
    /// Two dimensions between nodes, one inside each: the algorithm of Trident (ICS 2026).
    OCEAN_DIST_TRIDENT = 1,
    /// Sparse SUMMA on the squarest grid of ranks.
    OCEAN_DIST_SUMMA = 2,
    /// By rows; each rank fetches the rows of B that its columns of A name.
    OCEAN_DIST_ROWS = 3,
    /// By rows; each node fetches those rows once and shares them inside.
    OCEAN_DIST_ROWS_PER_NODE = 4,
    /// Everything on rank 0.
    OCEAN_DIST_SINGLE = 5,
}

/// The ranks of a communicator, behind [`oceanDistHandle_t`].
pub struct oceanDistContext {
    _opaque: [u8; 0],
}

/// What may be said of handles and products, behind [`oceanDistOptions_t`].
pub struct oceanDistOptions {
    _opaque: [u8; 0],
}

/// A matrix spread over ranks, behind [`oceanDistMat_t`].
pub struct oceanDistMat {
    _opaque: [u8; 0],
}

/// A product that has been prepared, behind [`oceanDistPlan_t`].
pub struct oceanDistPlan {
    _opaque: [u8; 0],
}

/// One rank's hold on all ranks of a communicator. From oceanDistCreate() to oceanDistDestroy().
pub type oceanDistHandle_t = *mut oceanDistContext;

/// Options. NULL stands for the defaults wherever options are asked for; what is asked for them copies what it needs.
pub type oceanDistOptions_t = *mut oceanDistOptions;

/// One rank's share of a matrix.
pub type oceanDistMat_t = *mut oceanDistMat;

/// All that products of one pattern share.
pub type oceanDistPlan_t = *mut oceanDistPlan;
