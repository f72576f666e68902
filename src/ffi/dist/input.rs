// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matrices as programs have them: blocks of rows, or entries in any order.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use super::created::Created;
use super::handle::world;
use super::matrix::{DistMatrix, Local, MATRICES};
use super::types::{oceanDistHandle_t, oceanDistMat_t};
use crate::csr::IndexType;
use crate::dist::{Cuts, Entries, fingerprint};
use crate::error::{Error, Result};
use crate::ffi::guard::guard;
use crate::ffi::matrix::index_type;
use crate::ffi::objects::lock;
use crate::ffi::types::oceanIndexBase_t::{self, *};
use crate::ffi::types::oceanIndexType_t;
use crate::ffi::types::oceanStatus_t::{self, OCEAN_STATUS_INVALID_VALUE};
use crate::ffi::types::{choice, data_type, oceanDataType_t};
use crate::heap::{self, caught};
use crate::scalar::{Scalar, ValueType, with_computed};

/// A matrix of which every rank gives consecutive rows, those of rank 0 first: the blocks of PETSc, hypre and Tpetra.
/// Collective.
///
/// The arrays are read during the call, copied, and not kept: 16 bytes and a value for each entry. Rows may be unsorted and
/// may repeat columns. A rank may have no rows, and then NULL arrays and any firstRow. Products of this matrix on the
/// left come back in the same rows.
///
/// @param[in]  dist        the ranks.
/// @param[out] mat         NULL on failure. Ends with oceanDistDestroyMat.
/// @param[in]  rows, cols  of the whole matrix; the same on all ranks.
/// @param[in]  firstRow    the first of this rank's rows, from 0, whatever the base.
/// @param[in]  localRows   how many this rank has.
/// @param[in]  rowOffsets  host, localRows + 1: where each row starts in the two other arrays, and where the last ends,
///                         counted from the base.
/// @param[in]  colInd      host: columns of the whole matrix, counted from the base.
/// @param[in]  values      host.
/// @param[in]  offsetType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
/// @param[in]  colType     OCEAN_INDEX_32I or OCEAN_INDEX_64I.
/// @param[in]  idxBase     what offsets and columns count from.
/// @param[in]  valueType   CUDA_R_32F, R_64F, C_32F or C_64F; the same on all ranks.
/// @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, negative or different sizes, rows that do
///         not follow those of the rank before, offsets that fall or do not start at the base, columns out of range,
///         arrays that are not aligned to their elements; NOT_SUPPORTED for other types; ALLOC_FAILED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistCreateMatRows(
    dist: oceanDistHandle_t,
    mat: *mut oceanDistMat_t,
    rows: i64,
    cols: i64,
    firstRow: i64,
    localRows: i64,
    rowOffsets: *const c_void,
    colInd: *const c_void,
    values: *const c_void,
    offsetType: MaybeUninit<oceanIndexType_t>,
    colType: MaybeUninit<oceanIndexType_t>,
    idxBase: MaybeUninit<oceanIndexBase_t>,
    valueType: oceanDataType_t,
) -> oceanStatus_t {
    guard(|| {
        let object = world(dist)?;
        let mut world = lock(&object);
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let out = unsafe { Created::new(mat, "mat") };
        let checked = caught(|| {
            out.check()?;
            let sizes = [size(rows, "rows")?, size(cols, "cols")?];
            let (first, count) = (size(firstRow, "firstRow")?, size(localRows, "localRows")?);
            if count > 0 && first.checked_add(count).is_none_or(|end| end > sizes[0]) {
                let problem = format!("is {firstRow}, and with {localRows} localRows passes the end of {rows} rows");
                return Err(Error::invalid("firstRow", problem));
            }
            let base = index_base(idxBase)?;
            let offsets = Indices { pointer: rowOffsets, kind: index_type(offsetType, "offsetType")?, base };
            let columns = Indices { pointer: colInd, kind: index_type(colType, "colType")?, base };
            let kind = value_type(valueType)?;
            with_computed!(Some(kind), V => {
                // SAFETY: the header asks for arrays that are NULL or as long as it says.
                let entries = unsafe { from_rows::<V>(sizes, [first, count], &offsets, &columns, values)? };
                Ok((kind, first, count, Local::Given(entries).shared()))
            })
        });
        let agreed = world.agree(checked, fingerprint(&("rows of a matrix", rows, cols, valueType)))?;
        let (kind, first, count, local) = agreed;
        let cuts = tiled(&world.gather(&[first, count])?, rows as u64)?;
        out.write(&MATRICES, DistMatrix::new(&object, world.rank(), kind, local, [rows as u64, cols as u64], cuts))
    })
}

/// A matrix of which every rank gives any entries, in any order. Collective.
///
/// The arrays are read during the call, copied, and not kept: 16 bytes and a value for each entry. Entries at one place
/// count as separate ones, in the order of ranks and of their places on each. Products of this matrix on the left come
/// back in rows that are cut evenly: of m rows on p ranks, rank r gets those from floor(m r / p) on.
///
/// @param[in]  dist           the ranks.
/// @param[out] mat            NULL on failure. Ends with oceanDistDestroyMat.
/// @param[in]  rows, cols     of the whole matrix; the same on all ranks.
/// @param[in]  localNnz       how many entries this rank gives.
/// @param[in]  rowInd, colInd host, localNnz: rows and columns of the whole matrix, counted from the base.
/// @param[in]  values         host, localNnz.
/// @param[in]  indexType      of rows and columns: OCEAN_INDEX_32I or OCEAN_INDEX_64I.
/// @param[in]  idxBase        what rows and columns count from.
/// @param[in]  valueType      as oceanDistCreateMatRows.
/// @return as oceanDistCreateMatRows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistCreateMatCoo(
    dist: oceanDistHandle_t,
    mat: *mut oceanDistMat_t,
    rows: i64,
    cols: i64,
    localNnz: i64,
    rowInd: *const c_void,
    colInd: *const c_void,
    values: *const c_void,
    indexType: MaybeUninit<oceanIndexType_t>,
    idxBase: MaybeUninit<oceanIndexBase_t>,
    valueType: oceanDataType_t,
) -> oceanStatus_t {
    guard(|| {
        let object = world(dist)?;
        let mut world = lock(&object);
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let out = unsafe { Created::new(mat, "mat") };
        let checked = caught(|| {
            out.check()?;
            let (rows, cols) = (size(rows, "rows")?, size(cols, "cols")?);
            let count = size(localNnz, "localNnz")? as usize;
            let (kind, base) = (index_type(indexType, "indexType")?, index_base(idxBase)?);
            let value = value_type(valueType)?;
            with_computed!(Some(value), V => {
                // SAFETY: the header asks for arrays that are NULL or as long as it says.
                let entries = unsafe {
                    let row = Indices { pointer: rowInd, kind, base }.read(count, rows, "rowInd")?;
                    let col = Indices { pointer: colInd, kind, base }.read(count, cols, "colInd")?;
                    Entries::<V> { rows, cols, row, col, values: array(values, count, "values")? }
                };
                Ok((value, Local::Given(entries).shared()))
            })
        });
        let (kind, local) = world.agree(checked, fingerprint(&("entries of a matrix", rows, cols, valueType)))?;
        let cuts = Cuts::even(rows as u64, world.ranks());
        out.write(&MATRICES, DistMatrix::new(&object, world.rank(), kind, local, [rows as u64, cols as u64], cuts))
    })
}

fn size(number: i64, argument: &'static str) -> Result<u64> {
    u64::try_from(number).map_err(|_| Error::invalid(argument, format!("is {number}, below 0")))
}

pub(super) fn index_base(base: MaybeUninit<oceanIndexBase_t>) -> Result<i64> {
    Ok(choice(base, "idxBase", &[OCEAN_INDEX_BASE_ZERO, OCEAN_INDEX_BASE_ONE])? as i64)
}

fn value_type(code: oceanDataType_t) -> Result<ValueType> {
    let (name, _) = data_type(code, "valueType")?;
    let kind = ValueType::from_data_type(code).filter(|kind| kind.computed_in() == *kind);
    kind.ok_or_else(|| Error::not_supported(format!("valueType CUDA_{name} over many ranks")))
}

/// `count` things of the program's, copied.
///
/// # Safety
/// `pointer` is NULL or has so many.
pub(super) unsafe fn array<T: Copy>(pointer: *const c_void, count: usize, argument: &'static str) -> Result<Vec<T>> {
    if count == 0 {
        return Ok(vec![]);
    }
    if pointer.is_null() {
        return Err(Error::invalid(argument, format!("is NULL, with {count} entries")));
    }
    let bytes = size_of::<T>();
    if !pointer.addr().is_multiple_of(align_of::<T>()) {
        return Err(Error::invalid(argument, format!("is {pointer:p}, not aligned to its elements of {bytes} bytes")));
    }
    let mut copy = vec![];
    let no_room = |_| Error::OutOfMemory { bytes: count.saturating_mul(bytes), purpose: "the entries of a matrix" };
    copy.try_reserve_exact(count).map_err(no_room)?;
    // SAFETY: so many things, aligned, as the caller promises.
    copy.extend_from_slice(unsafe { std::slice::from_raw_parts(pointer.cast::<T>(), count) });
    Ok(copy)
}

/// An array of indices of the program's.
struct Indices {
    pointer: *const c_void,
    kind: IndexType,
    base: i64,
}

impl Indices {
    /// As they stand.
    ///
    /// # Safety
    /// The pointer is NULL or has so many.
    unsafe fn raw(&self, count: usize, argument: &'static str) -> Result<Vec<i64>> {
        // SAFETY: the caller's promise.
        unsafe {
            Ok(match self.kind {
                IndexType::I64 => array::<i64>(self.pointer, count, argument)?,
                IndexType::I32 => {
                    let narrow = array::<i32>(self.pointer, count, argument)?;
                    heap::collected(narrow.into_iter().map(i64::from), argument)
                }
            })
        }
    }

    /// From 0 on, and below `end`.
    ///
    /// # Safety
    /// As [`Self::raw`].
    unsafe fn read(&self, count: usize, end: u64, argument: &'static str) -> Result<Vec<u64>> {
        // SAFETY: the caller's promise.
        let raw = unsafe { self.raw(count, argument)? };
        let from_zero = |&index: &i64| index.checked_sub(self.base).and_then(|index| u64::try_from(index).ok());
        if let Some(at) = raw.iter().position(|index| from_zero(index).is_none_or(|index| index >= end)) {
            let (base, index) = (self.base, raw[at]);
            let problem = format!("has {index} at place {at}, of {end} that count from {base}");
            return Err(Error::invalid(argument, problem));
        }
        let mut indices = heap::room(count, argument);
        indices.extend(raw.iter().filter_map(from_zero));
        Ok(indices)
    }
}

/// # Safety
/// The arrays are NULL or as long as the offsets say.
unsafe fn from_rows<V: Scalar>(
    [rows, cols]: [u64; 2],
    [first, count]: [u64; 2],
    offsets: &Indices,
    columns: &Indices,
    values: *const c_void,
) -> Result<Entries<V>> {
    if count == 0 {
        return Ok(Entries { rows, cols, row: vec![], col: vec![], values: vec![] });
    }
    let base = offsets.base;
    // SAFETY: the caller's promise.
    let offsets = unsafe { offsets.raw(count as usize + 1, "rowOffsets")? };
    if offsets[0] != base {
        return Err(Error::invalid("rowOffsets", format!("start at {}, not at the base {base}", offsets[0])));
    }
    if let Some(at) = offsets.windows(2).position(|pair| pair[1] < pair[0]) {
        let problem = format!("fall from {} to {} after local row {at}", offsets[at], offsets[at + 1]);
        return Err(Error::invalid("rowOffsets", problem));
    }
    let nnz = (offsets[count as usize] - base) as usize;
    // SAFETY: as many as the offsets say, as the caller promises.
    let (col, values) = unsafe { (columns.read(nnz, cols, "colInd")?, array::<V>(values, nnz, "values")?) };
    let lengths = offsets.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
    let mut row = heap::room(nnz, "rows of entries");
    row.extend((first..).zip(lengths).flat_map(|(row, length)| std::iter::repeat_n(row, length)));
    Ok(Entries { rows, cols, row, col, values })
}

/// The cuts that everyone's first row and number of rows make. All ranks see the same numbers, and the same error.
fn tiled(places: &[u64], rows: u64) -> Result<Cuts> {
    let wrong = |rank, problem| Err(Error::Rank { rank, status: OCEAN_STATUS_INVALID_VALUE, problem });
    let mut offsets = vec![0];
    let mut end = 0;
    for (rank, &[first, count]) in places.as_chunks().0.iter().enumerate() {
        if count > 0 && first != end {
            return wrong(rank, format!("firstRow is {first}, but the rows of the ranks before it end at {end}"));
        }
        end += count;
        offsets.push(end);
    }
    if end != rows {
        let last = places.len() / 2 - 1;
        return wrong(last, format!("localRows of all ranks are {end} together, for {rows} rows"));
    }
    Cuts::from_offsets(offsets).ok_or_else(|| Error::Internal("rows that follow each other are no cuts".into()))
}
