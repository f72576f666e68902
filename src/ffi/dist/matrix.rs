// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matrices that are spread over ranks, and products on their way back.

use std::any::Any;
use std::borrow::Cow;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex, Weak};

use super::input::{array, index_base};
use super::types::oceanDistMat_t;
use crate::csr::{IndexType, OwnedCsr};
use crate::dist::{self, Cuts, Entries, World};
use crate::error::{Error, Result};
use crate::ffi::guard::{guard, output};
use crate::ffi::matrix::index_type;
use crate::ffi::objects::{Registry, lock};
use crate::ffi::types::{oceanIndexBase_t, oceanIndexType_t, oceanStatus_t};
use crate::scalar::{Scalar, ValueType, with_computed};

/// One rank's share.
#[derive(Clone)]
pub(super) enum Local<V> {
    /// What the program gave.
    Given(Entries<V>),
    /// Rows of a product.
    Product(dist::Matrix<V>),
}

/// A [`Local`] of some type.
type Shared = Arc<dyn Any + Send + Sync>;

impl<V: Scalar> Local<V> {
    pub fn shared(self) -> Shared {
        Arc::new(self)
    }

    /// Its entries, where they stand in the whole matrix.
    pub fn entries(&self, rank: usize) -> Cow<'_, Entries<V>> {
        match self {
            Self::Given(entries) => Cow::Borrowed(entries),
            Self::Product(matrix) => Cow::Owned(matrix.entries(rank)),
        }
    }

    /// The values of these, in their order.
    pub fn values(&self) -> &[V] {
        match self {
            Self::Given(entries) => &entries.values,
            Self::Product(matrix) => &matrix.block.values,
        }
    }

    /// Of a product, what this rank has of it, and its first row.
    fn rows(&self, rank: usize) -> Result<(u64, &OwnedCsr<V>)> {
        match self {
            Self::Product(matrix) => Ok((matrix.layout.block(rank).rows.start, &matrix.block)),
            Self::Given(_) => Err(Error::invalid("mat", "was given by the program; only products are read back")),
        }
    }
}

/// What an `oceanDistMat_t` stands for.
#[derive(Clone)]
pub(super) struct DistMatrix {
    world: Weak<Mutex<World>>,
    rank: usize,
    pub kind: ValueType,
    /// Rows and columns.
    pub sizes: [u64; 2],
    local: Shared,
    /// Which rows a product with this on the left has on each rank.
    pub rows: Cuts,
    /// Known once it has been an operand.
    pattern: Option<u64>,
}

pub(super) static MATRICES: Registry<DistMatrix> = Registry::new("distributed matrix");

impl DistMatrix {
    pub fn new(
        world: &Arc<Mutex<World>>,
        rank: usize,
        kind: ValueType,
        local: Shared,
        sizes: [u64; 2],
        rows: Cuts,
    ) -> Self {
        Self { world: Arc::downgrade(world), rank, kind, sizes, local, rows, pattern: None }
    }

    /// This rank's share.
    pub fn local<V: Scalar>(&self) -> Result<Arc<Local<V>>> {
        let other = |_| Error::Internal("a matrix has values of another type than it says".into());
        Arc::clone(&self.local).downcast().map_err(other)
    }

    /// A number that tells this rank's pattern from others.
    fn pattern(&mut self) -> Result<u64> {
        if let Some(known) = self.pattern {
            return Ok(known);
        }
        let rank = self.rank;
        let found = with_computed!(Some(self.kind), V => Ok(self.local::<V>()?.entries(rank).pattern()))?;
        self.pattern = Some(found);
        Ok(found)
    }
}

/// A matrix as an operand on these ranks, and its pattern.
pub(super) fn operand(
    mat: oceanDistMat_t,
    argument: &'static str,
    world: &Arc<Mutex<World>>,
) -> Result<(DistMatrix, u64)> {
    let object = MATRICES.get(mat, argument)?;
    let mut matrix = lock(&object);
    if !Weak::ptr_eq(&matrix.world, &Arc::downgrade(world)) {
        return Err(Error::invalid(argument, "was made with another distributed handle"));
    }
    let pattern = matrix.pattern()?;
    Ok((matrix.clone(), pattern))
}

/// Runs `body` with a copy of the matrix behind `mat`, which shares its entries.
fn with_matrix(mat: oceanDistMat_t, body: impl FnOnce(DistMatrix) -> Result<()>) -> oceanStatus_t {
    guard(|| {
        let object = MATRICES.get(mat, "mat")?;
        let copy = lock(&object).clone();
        body(copy)
    })
}

/// Ends one rank's share of a matrix. Not collective; plans that were made with it stay.
///
/// @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live matrix.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDistDestroyMat(mat: oceanDistMat_t) -> oceanStatus_t {
    guard(|| MATRICES.remove(mat, "mat"))
}

/// Sizes of a matrix. Not collective.
///
/// @param[out] rows, cols  of the whole matrix.
/// @param[out] localNnz    entries that this rank gave, or has of a product. All or none are written.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or mat is no live matrix.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistMatGetSize(
    mat: oceanDistMat_t,
    rows: *mut i64,
    cols: *mut i64,
    localNnz: *mut i64,
) -> oceanStatus_t {
    with_matrix(mat, |matrix| {
        // SAFETY: the header asks for pointers that are NULL or valid.
        let outputs = unsafe { (output(rows, "rows")?, output(cols, "cols")?, output(localNnz, "localNnz")?) };
        let nnz = with_computed!(Some(matrix.kind), V => Ok(matrix.local::<V>()?.values().len()))?;
        (*outputs.0, *outputs.1, *outputs.2) = (matrix.sizes[0] as i64, matrix.sizes[1] as i64, nnz as i64);
        Ok(())
    })
}

/// Other values for the entries that this rank gave, in the same order. Not collective; the ranks that have entries
/// should all do so before the next product. Cost: a copy.
///
/// @param[in] mat       from oceanDistCreateMatRows or oceanDistCreateMatCoo.
/// @param[in] localNnz  how many entries this rank gave.
/// @param[in] values    host, localNnz, of the matrix's type; read during the call.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, a product, or another number of entries, after which the matrix
///         is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistMatSetValues(
    mat: oceanDistMat_t,
    localNnz: i64,
    values: *const c_void,
) -> oceanStatus_t {
    guard(|| {
        let object = MATRICES.get(mat, "mat")?;
        let mut matrix = lock(&object);
        with_computed!(Some(matrix.kind), V => {
            let mut local = matrix.local::<V>()?;
            if matches!(*local, Local::Product(_)) {
                return Err(Error::invalid("mat", "is a product, whose values are its own"));
            }
            let have = local.values().len();
            if i64::try_from(have) != Ok(localNnz) {
                return Err(Error::invalid("localNnz", format!("is {localNnz}, but this rank gave {have} entries")));
            }
            // SAFETY: the header asks for NULL or as many values.
            let values = unsafe { array::<V>(values, have, "values")? };
            // Not shared any more, unless a call in another thread is still reading.
            matrix.local = Arc::new(());
            if let Local::Given(entries) = Arc::make_mut(&mut local) {
                entries.values = values;
            }
            matrix.local = local;
            Ok(())
        })
    })
}

/// Which rows of a product this rank has, and how many entries. Not collective.
///
/// @param[in]  mat        a product.
/// @param[out] firstRow   from 0.
/// @param[out] localRows  consecutive ones.
/// @param[out] localNnz   their entries. All or none are written.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or mat is no live product.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistMatGetRows(
    mat: oceanDistMat_t,
    firstRow: *mut i64,
    localRows: *mut i64,
    localNnz: *mut i64,
) -> oceanStatus_t {
    with_matrix(mat, |matrix| {
        // SAFETY: the header asks for pointers that are NULL or valid.
        let outputs =
            unsafe { (output(firstRow, "firstRow")?, output(localRows, "localRows")?, output(localNnz, "localNnz")?) };
        with_computed!(Some(matrix.kind), V => {
            let local = matrix.local::<V>()?;
            let (first, block) = local.rows(matrix.rank)?;
            (*outputs.0, *outputs.1, *outputs.2) = (first as i64, block.rows as i64, block.nnz() as i64);
            Ok(())
        })
    })
}

/// Copies this rank's rows of a product. Not collective. Rows are sorted, without repeats.
///
/// @param[in]  mat         a product.
/// @param[out] rowOffsets  host, localRows + 1, or NULL for none: where each row starts, and where the last ends.
/// @param[out] colInd      host, localNnz, or NULL for none: columns of the whole matrix.
/// @param[out] values      host, localNnz, or NULL for none.
/// @param[in]  offsetType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
/// @param[in]  colType     OCEAN_INDEX_32I or OCEAN_INDEX_64I.
/// @param[in]  idxBase     what offsets and columns shall count from.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if mat is no live product, for wrong enums, or arrays that are not aligned to
///         their elements; INSUFFICIENT_RESOURCES if 32 bits are too few, after which nothing is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistMatCopyRows(
    mat: oceanDistMat_t,
    rowOffsets: *mut c_void,
    colInd: *mut c_void,
    values: *mut c_void,
    offsetType: MaybeUninit<oceanIndexType_t>,
    colType: MaybeUninit<oceanIndexType_t>,
    idxBase: MaybeUninit<oceanIndexBase_t>,
) -> oceanStatus_t {
    with_matrix(mat, |matrix| {
        let base = index_base(idxBase)?;
        let (offset_type, column_type) = (index_type(offsetType, "offsetType")?, index_type(colType, "colType")?);
        with_computed!(Some(matrix.kind), V => {
            let local = matrix.local::<V>()?;
            let (_, block) = local.rows(matrix.rank)?;
            let most = i64::from(i32::MAX) - base;
            if offset_type == IndexType::I32 && !rowOffsets.is_null() && block.nnz() as i64 > most {
                return Err(Error::IndexOverflow { nnz: block.nnz() as i64 });
            }
            if column_type == IndexType::I32 && !colInd.is_null() && block.cols as i64 > most {
                let (needed, got) = (8, 4);
                return Err(Error::Buffer { argument: "colType", needed, got });
            }
            let arrays = [
                (rowOffsets, offset_type.bytes(), "rowOffsets"),
                (colInd, column_type.bytes(), "colInd"),
                (values, align_of::<V>(), "values"),
            ];
            for (pointer, bytes, argument) in arrays {
                if !pointer.addr().is_multiple_of(bytes) {
                    let problem = format!("is {pointer:p}, not aligned to its elements of {bytes} bytes");
                    return Err(Error::invalid(argument, problem));
                }
            }
            // SAFETY: the header asks for arrays that are NULL or have room for these.
            unsafe {
                write_indices(rowOffsets, offset_type, block.offsets.iter().map(|&offset| offset + base));
                write_indices(colInd, column_type, block.columns.iter().map(|&column| i64::from(column) + base));
                write_all(values, block.values.iter().copied());
            }
            Ok(())
        })
    })
}

/// # Safety
/// `pointer` is NULL, or aligned and has room for all.
unsafe fn write_indices(pointer: *mut c_void, kind: IndexType, indices: impl Iterator<Item = i64>) {
    // SAFETY: the caller's promise; what does not fit 32 bits has been refused.
    unsafe {
        match kind {
            IndexType::I64 => write_all::<i64>(pointer, indices),
            IndexType::I32 => write_all::<i32>(pointer, indices.map(|index| index as i32)),
        }
    }
}

/// # Safety
/// `pointer` is NULL, or aligned and has room for all.
unsafe fn write_all<T>(pointer: *mut c_void, items: impl Iterator<Item = T>) {
    if pointer.is_null() {
        return;
    }
    for (at, item) in items.enumerate() {
        // SAFETY: the caller's promise.
        unsafe { pointer.cast::<T>().add(at).write(item) };
    }
}

/// Where this rank's rows of a product lie, to be read without a copy. Not collective. Offsets and columns count from 0.
/// The arrays belong to mat and live as long as it does.
///
/// @param[in]  mat         a product.
/// @param[out] rowOffsets  host, localRows + 1.
/// @param[out] colInd      host, localNnz.
/// @param[out] values      host, localNnz. All or none are written.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or mat is no live product.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistMatGetPointers(
    mat: oceanDistMat_t,
    rowOffsets: *mut *const i64,
    colInd: *mut *const i32,
    values: *mut *const c_void,
) -> oceanStatus_t {
    with_matrix(mat, |matrix| {
        // SAFETY: the header asks for pointers that are NULL or valid.
        let outputs =
            unsafe { (output(rowOffsets, "rowOffsets")?, output(colInd, "colInd")?, output(values, "values")?) };
        with_computed!(Some(matrix.kind), V => {
            let local = matrix.local::<V>()?;
            let (_, block) = local.rows(matrix.rank)?;
            *outputs.0 = block.offsets.as_ptr();
            *outputs.1 = block.columns.as_ptr();
            *outputs.2 = block.values.as_ptr().cast();
            Ok(())
        })
    })
}
