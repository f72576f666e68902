// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matrix descriptors.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::{Arc, Mutex};

use super::arguments::{check_indices, check_pattern, description};
use super::guard::{guard, output};
use super::handle::handle;
use super::objects::{Registry, lock};
use super::types::oceanCheckLevel_t::{self, *};
use super::types::oceanFormat_t::{self, *};
use super::types::oceanIndexBase_t::{self, *};
use super::types::oceanIndexType_t::{self, *};
use super::types::{
    choice, data_type, oceanConstSpMatDescr_t, oceanDataType_t, oceanHandle_t, oceanSpMatDescr_t, oceanStatus_t,
};
use crate::csr::{Csr, IndexType};
use crate::error::{Error, Result};
use crate::memory::Address;
use crate::spgemm::{OwnedArrays, Place, narrowed, with_columns};

/// What an `oceanSpMatDescr_t` stands for.
pub(super) struct Matrix {
    pub(super) csr: Csr,
    /// Arrays that oceanSpGEMM allocated.
    pub(super) owned: Option<OwnedArrays>,
}

static MATRICES: Registry<Matrix> = Registry::new("matrix descriptor");

/// The matrix behind `pointer`.
pub(super) fn matrix(pointer: oceanConstSpMatDescr_t, argument: &'static str) -> Result<Arc<Mutex<Matrix>>> {
    MATRICES.get(pointer, argument)
}

/// Describes a CSR matrix by the caller's arrays, which are not copied: they must live as long as the descriptor
/// is used.
///
/// Any array may be NULL until a step needs it. A matrix for C starts with nnz 0 and NULL columns and values. The
/// rows' extents come from the offsets; nnz must not be less than they span. Rows may be unsorted and may repeat columns.
///
/// @param[out] spMatDescr         host; NULL on failure. Ends with oceanDestroySpMat.
/// @param[in]  rows               number of rows.
/// @param[in]  cols               number of columns.
/// @param[in]  nnz                number of entries.
/// @param[in]  csrRowOffsets      device, rows + 1: where each row starts, and where the last ends.
/// @param[in]  csrColInd          device, nnz: columns.
/// @param[in]  csrValues          device, nnz: values.
/// @param[in]  csrRowOffsetsType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
/// @param[in]  csrColIndType      OCEAN_INDEX_32I or OCEAN_INDEX_64I.
/// @param[in]  idxBase            what offsets and columns count from.
/// @param[in]  valueType          type of the values.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a NULL spMatDescr, negative sizes, sizes past 32-bit indices,
///         an array that is not aligned to its elements, or no such base or type; NOT_SUPPORTED for 16-bit indices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanCreateCsr(
    spMatDescr: *mut oceanSpMatDescr_t,
    rows: i64,
    cols: i64,
    nnz: i64,
    csrRowOffsets: *mut c_void,
    csrColInd: *mut c_void,
    csrValues: *mut c_void,
    csrRowOffsetsType: MaybeUninit<oceanIndexType_t>,
    csrColIndType: MaybeUninit<oceanIndexType_t>,
    idxBase: MaybeUninit<oceanIndexBase_t>,
    valueType: oceanDataType_t,
) -> oceanStatus_t {
    guard(|| {
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let out = unsafe { output(spMatDescr, "spMatDescr")? };
        *out = ptr::null_mut();
        let arrays = [csrRowOffsets, csrColInd, csrValues];
        *out =
            create([rows, cols, nnz], arrays.map(Address::from), csrRowOffsetsType, csrColIndType, idxBase, valueType)?;
        Ok(())
    })
}

/// As oceanCreateCsr, for a matrix that is only read.
///
/// @param[out] spMatDescr         host; NULL on failure. Ends with oceanDestroySpMat.
/// @param[in]  rows               number of rows.
/// @param[in]  cols               number of columns.
/// @param[in]  nnz                number of entries.
/// @param[in]  csrRowOffsets      device, rows + 1.
/// @param[in]  csrColInd          device, nnz.
/// @param[in]  csrValues          device, nnz.
/// @param[in]  csrRowOffsetsType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
/// @param[in]  csrColIndType      OCEAN_INDEX_32I or OCEAN_INDEX_64I.
/// @param[in]  idxBase            what offsets and columns count from.
/// @param[in]  valueType          type of the values.
/// @return as oceanCreateCsr.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanCreateConstCsr(
    spMatDescr: *mut oceanConstSpMatDescr_t,
    rows: i64,
    cols: i64,
    nnz: i64,
    csrRowOffsets: *const c_void,
    csrColInd: *const c_void,
    csrValues: *const c_void,
    csrRowOffsetsType: MaybeUninit<oceanIndexType_t>,
    csrColIndType: MaybeUninit<oceanIndexType_t>,
    idxBase: MaybeUninit<oceanIndexBase_t>,
    valueType: oceanDataType_t,
) -> oceanStatus_t {
    guard(|| {
        // SAFETY: the header asks for a pointer that is NULL or valid.
        let out = unsafe { output(spMatDescr, "spMatDescr")? };
        *out = ptr::null();
        let arrays = [csrRowOffsets, csrColInd, csrValues];
        *out =
            create([rows, cols, nnz], arrays.map(Address::from), csrRowOffsetsType, csrColIndType, idxBase, valueType)?;
        Ok(())
    })
}

fn create(
    [rows, cols, nnz]: [i64; 3],
    [offsets, columns, values]: [Address; 3],
    offset_type: MaybeUninit<oceanIndexType_t>,
    column_type: MaybeUninit<oceanIndexType_t>,
    base: MaybeUninit<oceanIndexBase_t>,
    value_type: oceanDataType_t,
) -> Result<oceanSpMatDescr_t> {
    let sizes = [("rows", rows), ("cols", cols), ("nnz", nnz)];
    if let Some((name, size)) = sizes.iter().find(|(_, size)| *size < 0) {
        return Err(Error::invalid(name, format!("is {size}, below 0")));
    }
    let offset_type = index_type(offset_type, "csrRowOffsetsType")?;
    let column_type = index_type(column_type, "csrColIndType")?;
    let base = choice(base, "idxBase", &[OCEAN_INDEX_BASE_ZERO, OCEAN_INDEX_BASE_ONE])? as i32;
    data_type(value_type, "valueType")?;
    let narrow = |name, size: i64, kind| match kind {
        IndexType::I32 if size > i64::from(i32::MAX) - i64::from(base) => {
            Err(Error::invalid(name, format!("is {size} (base {base}), past 32-bit indices")))
        }
        _ => Ok(()),
    };
    narrow("rows", rows, column_type)?;
    narrow("cols", cols, column_type)?;
    narrow("nnz", nnz, offset_type)?;
    let csr = Csr { rows, cols, nnz, offsets, columns, values, offset_type, column_type, base, data_type: value_type };
    check_alignment(&csr)?;
    Ok(MATRICES.add(Matrix { csr, owned: None }))
}

pub(super) fn index_type(raw: MaybeUninit<oceanIndexType_t>, argument: &'static str) -> Result<IndexType> {
    match choice(raw, argument, &[OCEAN_INDEX_16U, OCEAN_INDEX_32I, OCEAN_INDEX_64I])? {
        OCEAN_INDEX_16U => Err(Error::not_supported(format!("{argument} OCEAN_INDEX_16U"))),
        OCEAN_INDEX_32I => Ok(IndexType::I32),
        OCEAN_INDEX_64I => Ok(IndexType::I64),
    }
}

/// Only natural alignment is asked of a caller's arrays.
fn check_alignment(csr: &Csr) -> Result<()> {
    let value_bytes = data_type(csr.data_type, "valueType")?.1;
    let arrays = [
        ("csrRowOffsets", csr.offsets, csr.offset_type.bytes()),
        ("csrColInd", csr.columns, csr.column_type.bytes()),
        ("csrValues", csr.values, value_bytes),
    ];
    match arrays.into_iter().find(|(_, address, bytes)| address.0 % bytes != 0) {
        Some((name, address, bytes)) => {
            Err(Error::invalid(name, format!("is {address:?}, not aligned to its elements of {bytes} bytes")))
        }
        None => Ok(()),
    }
}

/// Ends a descriptor. Arrays of the caller are left alone; those that oceanSpGEMM allocated go back to the
/// allocator that gave them, in stream order.
///
/// @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live descriptor.
#[unsafe(no_mangle)]
pub extern "C" fn oceanDestroySpMat(spMatDescr: oceanConstSpMatDescr_t) -> oceanStatus_t {
    guard(|| MATRICES.remove(spMatDescr, "spMatDescr"))
}

/// Everything that describes a CSR matrix.
///
/// @param[out] rows, cols, nnz, csrRowOffsets, csrColInd, csrValues, csrRowOffsetsType, csrColIndType, idxBase,
///             valueType  host; all or none are written.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanCsrGet(
    spMatDescr: oceanSpMatDescr_t,
    rows: *mut i64,
    cols: *mut i64,
    nnz: *mut i64,
    csrRowOffsets: *mut *mut c_void,
    csrColInd: *mut *mut c_void,
    csrValues: *mut *mut c_void,
    csrRowOffsetsType: *mut oceanIndexType_t,
    csrColIndType: *mut oceanIndexType_t,
    idxBase: *mut oceanIndexBase_t,
    valueType: *mut oceanDataType_t,
) -> oceanStatus_t {
    guard(|| {
        let arrays = [csrRowOffsets, csrColInd, csrValues];
        let types = [csrRowOffsetsType, csrColIndType];
        // SAFETY: the header asks for pointers that are NULL or valid.
        unsafe { get(spMatDescr, [rows, cols, nnz], arrays, types, idxBase, valueType) }
    })
}

/// As oceanCsrGet, for a matrix that is only read.
///
/// @param[out] rows, cols, nnz, csrRowOffsets, csrColInd, csrValues, csrRowOffsetsType, csrColIndType, idxBase,
///             valueType  host; all or none are written.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanConstCsrGet(
    spMatDescr: oceanConstSpMatDescr_t,
    rows: *mut i64,
    cols: *mut i64,
    nnz: *mut i64,
    csrRowOffsets: *mut *const c_void,
    csrColInd: *mut *const c_void,
    csrValues: *mut *const c_void,
    csrRowOffsetsType: *mut oceanIndexType_t,
    csrColIndType: *mut oceanIndexType_t,
    idxBase: *mut oceanIndexBase_t,
    valueType: *mut oceanDataType_t,
) -> oceanStatus_t {
    guard(|| {
        let arrays = [csrRowOffsets, csrColInd, csrValues].map(|out| out.cast::<*mut c_void>());
        let types = [csrRowOffsetsType, csrColIndType];
        // SAFETY: the header asks for pointers that are NULL or valid.
        unsafe { get(spMatDescr, [rows, cols, nnz], arrays, types, idxBase, valueType) }
    })
}

/// # Safety
/// Every pointer is NULL or valid for writes, and they point to different places.
unsafe fn get(
    descr: oceanConstSpMatDescr_t,
    [rows, cols, nnz]: [*mut i64; 3],
    [offsets, columns, values]: [*mut *mut c_void; 3],
    [offset_type, column_type]: [*mut oceanIndexType_t; 2],
    base: *mut oceanIndexBase_t,
    value_type: *mut oceanDataType_t,
) -> Result<()> {
    let csr = description(descr, "spMatDescr")?;
    // SAFETY: the caller's promise.
    unsafe {
        let sizes = (output(rows, "rows")?, output(cols, "cols")?, output(nnz, "nnz")?);
        let arrays = (output(offsets, "csrRowOffsets")?, output(columns, "csrColInd")?, output(values, "csrValues")?);
        let types = (output(offset_type, "csrRowOffsetsType")?, output(column_type, "csrColIndType")?);
        let rest = (output(base, "idxBase")?, output(value_type, "valueType")?);
        (*sizes.0, *sizes.1, *sizes.2) = (csr.rows, csr.cols, csr.nnz);
        (*arrays.0, *arrays.1, *arrays.2) = (csr.offsets.pointer(), csr.columns.pointer(), csr.values.pointer());
        (*types.0, *types.1) = (c_index_type(csr.offset_type), c_index_type(csr.column_type));
        (*rest.0, *rest.1) = (c_base(csr.base), csr.data_type);
    }
    Ok(())
}

fn c_index_type(kind: IndexType) -> oceanIndexType_t {
    match kind {
        IndexType::I32 => OCEAN_INDEX_32I,
        IndexType::I64 => OCEAN_INDEX_64I,
    }
}

fn c_base(base: i32) -> oceanIndexBase_t {
    if base == 0 { OCEAN_INDEX_BASE_ZERO } else { OCEAN_INDEX_BASE_ONE }
}

/// Points a descriptor to other arrays. Sizes and types stay; nnz too, which the arrays must have room for. Arrays
/// that oceanSpGEMM allocated go back to their allocator.
///
/// @param[in] csrRowOffsets, csrColInd, csrValues  device; each may be NULL.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if spMatDescr is NULL or an array is not aligned to its elements.
#[unsafe(no_mangle)]
pub extern "C" fn oceanCsrSetPointers(
    spMatDescr: oceanSpMatDescr_t,
    csrRowOffsets: *mut c_void,
    csrColInd: *mut c_void,
    csrValues: *mut c_void,
) -> oceanStatus_t {
    guard(|| {
        let object = matrix(spMatDescr, "spMatDescr")?;
        let mut matrix = lock(&object);
        let csr =
            Csr { offsets: csrRowOffsets.into(), columns: csrColInd.into(), values: csrValues.into(), ..matrix.csr };
        check_alignment(&csr)?;
        *matrix = Matrix { csr, owned: None };
        Ok(())
    })
}

/// A matrix's sizes. Of C: nnz is what the last compute (or oceanSpGEMMreuse_nnz, or oceanSpGEMM) found.
///
/// @param[out] rows, cols, nnz  host; all or none are written.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpMatGetSize(
    spMatDescr: oceanConstSpMatDescr_t,
    rows: *mut i64,
    cols: *mut i64,
    nnz: *mut i64,
) -> oceanStatus_t {
    guard(|| {
        let csr = description(spMatDescr, "spMatDescr")?;
        // SAFETY: the header asks for pointers that are NULL or valid.
        let (rows, cols, nnz) = unsafe { (output(rows, "rows")?, output(cols, "cols")?, output(nnz, "nnz")?) };
        (*rows, *cols, *nnz) = (csr.rows, csr.cols, csr.nnz);
        Ok(())
    })
}

/// How a matrix is stored: OCEAN_FORMAT_CSR.
///
/// @param[out] format  host; written only on success.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpMatGetFormat(
    spMatDescr: oceanConstSpMatDescr_t,
    format: *mut oceanFormat_t,
) -> oceanStatus_t {
    guard(|| {
        matrix(spMatDescr, "spMatDescr")?;
        // SAFETY: the header asks for a pointer that is NULL or valid.
        *unsafe { output(format, "format")? } = OCEAN_FORMAT_CSR;
        Ok(())
    })
}

/// What a matrix's offsets and columns count from.
///
/// @param[out] idxBase  host; written only on success.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpMatGetIndexBase(
    spMatDescr: oceanConstSpMatDescr_t,
    idxBase: *mut oceanIndexBase_t,
) -> oceanStatus_t {
    guard(|| {
        let base = description(spMatDescr, "spMatDescr")?.base;
        // SAFETY: the header asks for a pointer that is NULL or valid.
        *unsafe { output(idxBase, "idxBase")? } = c_base(base);
        Ok(())
    })
}

/// Where a matrix's values lie.
///
/// @param[out] values  host; written only on success.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanSpMatGetValues(spMatDescr: oceanSpMatDescr_t, values: *mut *mut c_void) -> oceanStatus_t {
    guard(|| {
        let address = description(spMatDescr, "spMatDescr")?.values;
        // SAFETY: the header asks for a pointer that is NULL or valid.
        *unsafe { output(values, "values")? } = address.pointer();
        Ok(())
    })
}

/// Points a descriptor to other values. A matrix whose arrays oceanSpGEMM allocated is refused.
///
/// @param[in] values  device, nnz; may be NULL.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if spMatDescr is NULL or values is not aligned to its elements.
#[unsafe(no_mangle)]
pub extern "C" fn oceanSpMatSetValues(spMatDescr: oceanSpMatDescr_t, values: *mut c_void) -> oceanStatus_t {
    guard(|| {
        let object = matrix(spMatDescr, "spMatDescr")?;
        let mut matrix = lock(&object);
        if matrix.owned.is_some() {
            return Err(Error::invalid("spMatDescr", "has arrays that oceanSpGEMM allocated: use oceanCsrSetPointers"));
        }
        let csr = Csr { values: values.into(), ..matrix.csr };
        check_alignment(&csr)?;
        matrix.csr = csr;
        Ok(())
    })
}

/// Checks a whole matrix on its device, and waits for it. Cost: one pass over offsets and columns.
///
/// @param[in] handle  where the matrix lies.
/// @param[in] mat     all arrays but the values must be there.
/// @param[in] level   how much is looked at.
/// @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a matrix that breaks a rule: oceanGetLastErrorString() names row,
///         entry and numbers; NOT_SUPPORTED for 2^31 rows or columns.
#[unsafe(no_mangle)]
pub extern "C" fn oceanSpMatCheck(
    handle: oceanHandle_t,
    mat: oceanConstSpMatDescr_t,
    level: MaybeUninit<oceanCheckLevel_t>,
) -> oceanStatus_t {
    guard(|| {
        let (on, memory) = {
            let handle = self::handle(handle)?;
            let handle = lock(&handle);
            (handle.on(), handle.memory())
        };
        let csr = description(mat, "mat")?;
        let level = choice(level, "level", &[OCEAN_CHECK_STRUCTURE, OCEAN_CHECK_CANONICAL])?;
        check_indices(&csr, "mat")?;
        check_pattern(&csr, "mat")?;
        let columns = narrowed(Place { on: &*on, memory: &memory }, &csr, "32-bit copies of mat's columns")?;
        let csr = with_columns(&csr, columns.as_ref());
        let facts = on.inspect(&csr, "mat")?;
        facts.matches(&csr, "mat")?;
        match facts.first_unordered {
            Some(row) if level == OCEAN_CHECK_CANONICAL => {
                let problem = "columns do not ascend strictly: unsorted, or repeated".into();
                Err(Error::BadMatrix { matrix: "mat", row, problem })
            }
            _ => Ok(()),
        }
    })
}
