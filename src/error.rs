// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong, each kind with the numbers that explain it, and its C status.

use crate::ffi::oceanStatus_t::{self, *};

/// Every way in which a call of this library can fail.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A pointer that must not be NULL is NULL.
    #[error("{argument} is NULL")]
    Null {
        /// The argument's name in the C API.
        argument: &'static str,
    },
    /// A handle or descriptor that this library did not make, or has destroyed.
    #[error("{argument} is not a live {kind}: it was never created here, or is destroyed already")]
    Dead {
        /// The argument's name in the C API.
        argument: &'static str,
        /// What it should have been, for example "handle".
        kind: &'static str,
    },
    /// An argument has a value that it must not have.
    #[error("{argument} {problem}")]
    Invalid {
        /// The argument's name in the C API.
        argument: &'static str,
        /// The rest of the sentence: the value, and what was expected.
        problem: String,
    },
    /// A and B do not fit each other.
    #[error("{left} has {a_cols} columns but {right} has {b_rows} rows")]
    InnerDimension {
        /// "matA", or what is done to it.
        left: &'static str,
        /// "matB", or what is done to it.
        right: &'static str,
        /// Columns of op(A).
        a_cols: i64,
        /// Rows of op(B).
        b_rows: i64,
    },
    /// C does not have the shape of the product.
    #[error("matC is {rows} x {cols} but the product is {want_rows} x {want_cols}")]
    OutputShape {
        /// Rows of C as declared.
        rows: i64,
        /// Columns of C as declared.
        cols: i64,
        /// Rows of A.
        want_rows: i64,
        /// Columns of B.
        want_cols: i64,
    },
    /// A step was called before the one that it builds on.
    #[error("{call} needs {missing} first")]
    Order {
        /// The step that was called.
        call: &'static str,
        /// The step that is missing.
        missing: &'static str,
    },
    /// A buffer of the caller is shorter than the size query said.
    #[error("{argument} needs {needed} bytes, got {got}")]
    Buffer {
        /// The buffer's size argument in the C API.
        argument: &'static str,
        /// Bytes that the step needs.
        needed: usize,
        /// Bytes that the caller declared.
        got: usize,
    },
    /// The product has more entries than C's offsets can count.
    #[error("matC needs {nnz} entries, past what 32-bit row offsets count (2147483647)")]
    IndexOverflow {
        /// Entries of the product.
        nnz: i64,
    },
    /// An allocation failed.
    #[error("out of memory: {bytes} bytes for {purpose}")]
    OutOfMemory {
        /// Bytes asked for.
        bytes: usize,
        /// What they were for.
        purpose: &'static str,
    },
    /// A limit that the caller set is too small.
    #[error("the memory limit of {limit} bytes is too small: {purpose} needs one of {needed} bytes or more")]
    Limit {
        /// The limit.
        limit: usize,
        /// The least that would let this pass.
        needed: usize,
        /// What the memory was for.
        purpose: &'static str,
    },
    /// Something this library does not do.
    #[error("{what} is not supported{because}")]
    NotSupported {
        /// What was asked, by the name of argument and value.
        what: String,
        /// Why, or since when; empty, or starting with ": ".
        because: String,
    },
    /// A matrix breaks the rules of CSR.
    #[error("{matrix}, row {row}: {problem}")]
    BadMatrix {
        /// The matrix's name in the C API.
        matrix: &'static str,
        /// Row of the fault, from 0.
        row: i64,
        /// What is wrong there, with the numbers.
        problem: String,
    },
    /// A row of C has not the length counted for it: A or B changed between two steps.
    #[error(
        "row {row} of the product has {count} entries, {room} were counted before: the pattern of matA or matB changed"
    )]
    PatternChanged {
        /// Row of C, from 0.
        row: i64,
        /// Entries it has now.
        count: i64,
        /// Entries counted for that row.
        room: i64,
    },
    /// There is no GPU to compute on.
    #[error("no CUDA device: {reason}")]
    NoDevice {
        /// What is missing.
        reason: &'static str,
    },
    /// The CUDA driver or runtime refused a call.
    #[error("{call} failed: {code} ({name}){}", aftermath(*code))]
    Cuda {
        /// What was called.
        call: &'static str,
        /// The driver's or runtime's number.
        code: i32,
        /// The driver's or runtime's name for it.
        name: String,
    },
    /// One rank of a distributed call failed, and with it the call on all ranks.
    #[error("rank {rank}: {problem}")]
    Rank {
        /// The rank.
        rank: usize,
        /// What it would have answered alone.
        status: oceanStatus_t,
        /// Its own words.
        problem: String,
    },
    /// MPI, or another transport between ranks, refused a call.
    #[error("{call} failed: {code} ({text})")]
    Transport {
        /// What was called.
        call: &'static str,
        /// The transport's number.
        code: i32,
        /// Its words for it.
        text: String,
    },
    /// Another rank did not do its part in time.
    #[error("{0}")]
    Timeout(String),
    /// A fault of this library.
    #[error("internal error: {0}")]
    Internal(String),
}

/// What a CUDA error means for later calls: some end the context, and each call in it answers with the same number.
fn aftermath(code: i32) -> &'static str {
    match code {
        // An uncorrectable fault of memory or link, a kernel that crashed or was ended, a context that is gone.
        214 | 220 | 700 | 702 | 709 | 710 | 714..=719 | 721 => {
            "; it, or work on the GPU before it, broke the CUDA context: every later call fails alike, until the process starts anew"
        }
        _ => "",
    }
}

/// What nearly every function here returns.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An argument with a wrong value; `problem` continues the sentence that the name begins.
    pub fn invalid(argument: &'static str, problem: impl Into<String>) -> Self {
        Self::Invalid { argument, problem: problem.into() }
    }

    /// A request beyond what exists, named.
    pub fn not_supported(what: impl Into<String>) -> Self {
        Self::NotSupported { what: what.into(), because: String::new() }
    }

    /// The C code for this error. There is no `_` arm, so a new variant has to choose.
    pub fn status(&self) -> oceanStatus_t {
        match self {
            Self::Null { .. }
            | Self::Dead { .. }
            | Self::Invalid { .. }
            | Self::InnerDimension { .. }
            | Self::OutputShape { .. }
            | Self::Order { .. }
            | Self::BadMatrix { .. }
            | Self::PatternChanged { .. } => OCEAN_STATUS_INVALID_VALUE,
            Self::Buffer { .. } | Self::IndexOverflow { .. } | Self::Limit { .. } => {
                OCEAN_STATUS_INSUFFICIENT_RESOURCES
            }
            Self::OutOfMemory { .. } => OCEAN_STATUS_ALLOC_FAILED,
            Self::NoDevice { .. } => OCEAN_STATUS_NOT_INITIALIZED,
            Self::NotSupported { .. } => OCEAN_STATUS_NOT_SUPPORTED,
            Self::Rank { status, .. } => *status,
            Self::Cuda { .. } | Self::Transport { .. } | Self::Timeout(_) => OCEAN_STATUS_EXECUTION_FAILED,
            Self::Internal(_) => OCEAN_STATUS_INTERNAL_ERROR,
        }
    }
}
