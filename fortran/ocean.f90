! SPDX-License-Identifier: MIT OR Apache-2.0
! Generated from src/ffi by `cargo xtask header`; do not edit by hand.
!
!> ocean's C interface for Fortran. include/ocean.h has the conventions. Here, in addition:
!> untyped arrays, scalars and buffers are c_loc(variable) or c_null_ptr; a C string is text // c_null_char.
module ocean
  use, intrinsic :: iso_c_binding
  implicit none
  public

  enum, bind(c)
    enumerator :: CUDA_R_32F = 0
    enumerator :: CUDA_R_64F = 1
    enumerator :: CUDA_R_16F = 2
    enumerator :: CUDA_R_8I = 3
    enumerator :: CUDA_C_32F = 4
    enumerator :: CUDA_C_64F = 5
    enumerator :: CUDA_C_16F = 6
    enumerator :: CUDA_C_8I = 7
    enumerator :: CUDA_R_8U = 8
    enumerator :: CUDA_C_8U = 9
    enumerator :: CUDA_R_32I = 10
    enumerator :: CUDA_C_32I = 11
    enumerator :: CUDA_R_32U = 12
    enumerator :: CUDA_C_32U = 13
    enumerator :: CUDA_R_16BF = 14
    enumerator :: CUDA_C_16BF = 15
    enumerator :: CUDA_R_4I = 16
    enumerator :: CUDA_C_4I = 17
    enumerator :: CUDA_R_4U = 18
    enumerator :: CUDA_C_4U = 19
    enumerator :: CUDA_R_16I = 20
    enumerator :: CUDA_C_16I = 21
    enumerator :: CUDA_R_16U = 22
    enumerator :: CUDA_C_16U = 23
    enumerator :: CUDA_R_64I = 24
    enumerator :: CUDA_C_64I = 25
    enumerator :: CUDA_R_64U = 26
    enumerator :: CUDA_C_64U = 27
    enumerator :: CUDA_R_8F_E4M3 = 28
    enumerator :: CUDA_R_8F_UE4M3 = 28
    enumerator :: CUDA_R_8F_E5M2 = 29
    enumerator :: CUDA_R_8F_UE8M0 = 30
    enumerator :: CUDA_R_6F_E2M3 = 31
    enumerator :: CUDA_R_6F_E3M2 = 32
    enumerator :: CUDA_R_4F_E2M1 = 33
  end enum

  enum, bind(c)
    enumerator :: MAJOR_VERSION = 0
    enumerator :: MINOR_VERSION = 1
    enumerator :: PATCH_LEVEL = 2
  end enum

  !> What a call answers. oceanGetLastErrorString() has the details of the last failure.
  enum, bind(c)
    !> Done.
    enumerator :: OCEAN_STATUS_SUCCESS = 0
    !> The library could not be set up.
    enumerator :: OCEAN_STATUS_NOT_INITIALIZED = 1
    !> Out of memory.
    enumerator :: OCEAN_STATUS_ALLOC_FAILED = 2
    !> An argument has a wrong value, or a step is missing.
    enumerator :: OCEAN_STATUS_INVALID_VALUE = 3
    !> The device lacks a feature.
    enumerator :: OCEAN_STATUS_ARCH_MISMATCH = 4
    !> Not used; kept for its number.
    enumerator :: OCEAN_STATUS_MAPPING_ERROR = 5
    !> The CUDA driver or a kernel failed.
    enumerator :: OCEAN_STATUS_EXECUTION_FAILED = 6
    !> A fault of the library.
    enumerator :: OCEAN_STATUS_INTERNAL_ERROR = 7
    !> Not used; kept for its number.
    enumerator :: OCEAN_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8
    !> Not used; kept for its number.
    enumerator :: OCEAN_STATUS_ZERO_PIVOT = 9
    !> Something that the library does not do.
    enumerator :: OCEAN_STATUS_NOT_SUPPORTED = 10
    !> A buffer is too short, or an index type too narrow for the result.
    enumerator :: OCEAN_STATUS_INSUFFICIENT_RESOURCES = 11
  end enum

  !> Where alpha and beta lie.
  enum, bind(c)
    !> In host memory, read during the call.
    enumerator :: OCEAN_POINTER_MODE_HOST = 0
    !> In device memory, read in stream order.
    enumerator :: OCEAN_POINTER_MODE_DEVICE = 1
  end enum

  !> What is done to a factor first.
  enum, bind(c)
    !> Nothing.
    enumerator :: OCEAN_OPERATION_NON_TRANSPOSE = 0
    !> Transpose.
    enumerator :: OCEAN_OPERATION_TRANSPOSE = 1
    !> Conjugate transpose; of real values, the transpose.
    enumerator :: OCEAN_OPERATION_CONJUGATE_TRANSPOSE = 2
  end enum

  !> What row offsets and columns count from.
  enum, bind(c)
    !> C's counting.
    enumerator :: OCEAN_INDEX_BASE_ZERO = 0
    !> Fortran's counting.
    enumerator :: OCEAN_INDEX_BASE_ONE = 1
  end enum

  !> Width of row offsets or columns.
  enum, bind(c)
    !> Unsigned 16-bit. Not supported.
    enumerator :: OCEAN_INDEX_16U = 1
    !> Signed 32-bit.
    enumerator :: OCEAN_INDEX_32I = 2
    !> Signed 64-bit. Columns of 64 bits are multiplied where there are fewer than 2^31 of them.
    enumerator :: OCEAN_INDEX_64I = 3
  end enum

  !> How a matrix is stored.
  enum, bind(c)
    !> Compressed sparse rows: the only one here.
    enumerator :: OCEAN_FORMAT_CSR = 1
    !> Compressed sparse columns.
    enumerator :: OCEAN_FORMAT_CSC = 2
    !> Coordinates.
    enumerator :: OCEAN_FORMAT_COO = 3
    !> Blocked Ellpack.
    enumerator :: OCEAN_FORMAT_BLOCKED_ELL = 5
    !> Block sparse rows.
    enumerator :: OCEAN_FORMAT_BSR = 6
    !> Sliced Ellpack.
    enumerator :: OCEAN_FORMAT_SLICED_ELLPACK = 7
  end enum

  !> Kept for call sites of cuSPARSE: every value gives the same product, with the same bits every time.
  enum, bind(c)
    !> The default.
    enumerator :: OCEAN_SPGEMM_DEFAULT = 0
    !> As the default; cuSPARSE's spelling.
    enumerator :: OCEAN_SPGEMM_CSR_ALG_DETERMINITIC = 1
    enumerator :: OCEAN_SPGEMM_CSR_ALG_DETERMINISTIC = 1
    !> As the default; cuSPARSE's spelling.
    enumerator :: OCEAN_SPGEMM_CSR_ALG_NONDETERMINITIC = 2
    enumerator :: OCEAN_SPGEMM_CSR_ALG_NONDETERMINISTIC = 2
    !> As the default.
    enumerator :: OCEAN_SPGEMM_ALG1 = 3
    !> As the default; allows oceanSpGEMM_estimateMemory.
    enumerator :: OCEAN_SPGEMM_ALG2 = 4
    !> As the default; allows oceanSpGEMM_estimateMemory.
    enumerator :: OCEAN_SPGEMM_ALG3 = 5
  end enum

  !> Where a handle computes.
  enum, bind(c)
    !> CUDA where there is a driver and a device, else HOST. The environment variable OCEAN_BACKEND (host, cuda)
    !> decides instead where it is set.
    enumerator :: OCEAN_BACKEND_AUTO = 0
    !> An NVIDIA GPU: matrices, buffers and results lie in device memory.
    enumerator :: OCEAN_BACKEND_CUDA = 1
    !> The CPU: matrices, buffers and results lie in host memory, "device" below means that too, and every call
    !> is done when it returns. Threads: RAYON_NUM_THREADS, default all cores.
    enumerator :: OCEAN_BACKEND_HOST = 2
  end enum

  !> How a report is written.
  enum, bind(c)
    !> Lines for people.
    enumerator :: OCEAN_REPORT_TEXT = 0
    !> One JSON object.
    enumerator :: OCEAN_REPORT_JSON = 1
  end enum

  !> How much oceanSpMatCheck looks at.
  enum, bind(c)
    !> Offsets start at the base, never fall and end at nnz; columns lie in range.
    enumerator :: OCEAN_CHECK_STRUCTURE = 0
    !> The columns of each row also ascend, without repeats.
    enumerator :: OCEAN_CHECK_CANONICAL = 1
  end enum

  interface
    !> Says what went wrong in this thread's last failing call: which argument, and the numbers.
    !>
    !> @return Text that is never NULL, "" if no call has failed, and valid until the next failing call of this
    !> thread. Calls that succeed leave it alone, so cleanup may run before it is printed.
    function oceanGetLastErrorString() bind(c, name="oceanGetLastErrorString")
      import
      type(c_ptr) :: oceanGetLastErrorString
    end function

    !> The enumerator of a status, as text.
    !>
    !> @return A constant; "unrecognized error code" for a number that no status has.
    function oceanGetErrorName(status) bind(c, name="oceanGetErrorName")
      import
      integer(c_int), value :: status
      type(c_ptr) :: oceanGetErrorName
    end function

    !> A status in a few words, the same as cuSPARSE's.
    !>
    !> @return A constant; "unrecognized error code" for a number that no status has.
    function oceanGetErrorString(status) bind(c, name="oceanGetErrorString")
      import
      integer(c_int), value :: status
      type(c_ptr) :: oceanGetErrorString
    end function

    !> Makes a handle with the backend OCEAN_BACKEND_AUTO.
    !>
    !> @param[out] handle  host; NULL on failure.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if handle is NULL; EXECUTION_FAILED if there is a CUDA device that
    !> can't be used.
    function oceanCreate(handle) bind(c, name="oceanCreate")
      import
      type(c_ptr), intent(inout) :: handle
      integer(c_int) :: oceanCreate
    end function

    !> Makes a handle with a backend of choice. A CUDA handle remembers the device that is current now.
    !>
    !> @param[out] handle   host; NULL on failure.
    !> @param[in]  backend  where to compute.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a NULL handle or no such backend; NOT_SUPPORTED for CUDA in a
    !> library built without it; NOT_INITIALIZED for CUDA without a driver or a device.
    function oceanCreateWithBackend(handle, backend) bind(c, name="oceanCreateWithBackend")
      import
      type(c_ptr), intent(inout) :: handle
      integer(c_int), value :: backend
      integer(c_int) :: oceanCreateWithBackend
    end function

    !> Ends a handle. Descriptors made or used with it stay valid, and so does work that is queued already.
    !>
    !> @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live handle.
    function oceanDestroy(handle) bind(c, name="oceanDestroy")
      import
      type(c_ptr), value :: handle
      integer(c_int) :: oceanDestroy
    end function

    !> Which backend a handle has: CUDA or HOST, never AUTO.
    !>
    !> @param[out] backend  host; written only on success.
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
    function oceanGetBackend(handle, backend) bind(c, name="oceanGetBackend")
      import
      type(c_ptr), value :: handle
      integer(c_int), intent(inout) :: backend
      integer(c_int) :: oceanGetBackend
    end function

    !> Sets the stream that later calls with this handle queue their work on; NULL is the default stream. Each call
    !> reads it anew. A host handle keeps it and has no use for it.
    !>
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
    function oceanSetStream(handle, streamId) bind(c, name="oceanSetStream")
      import
      type(c_ptr), value :: handle
      type(c_ptr), value :: streamId
      integer(c_int) :: oceanSetStream
    end function

    !> The stream set last, NULL at first.
    !>
    !> @param[out] streamId  host; written only on success.
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
    function oceanGetStream(handle, streamId) bind(c, name="oceanGetStream")
      import
      type(c_ptr), value :: handle
      type(c_ptr), intent(inout) :: streamId
      integer(c_int) :: oceanGetStream
    end function

    !> Says where alpha and beta of later calls lie; HOST at first. Each call reads it anew.
    !>
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
    function oceanSetPointerMode(handle, mode) bind(c, name="oceanSetPointerMode")
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: mode
      integer(c_int) :: oceanSetPointerMode
    end function

    !> Where alpha and beta are said to lie.
    !>
    !> @param[out] mode  host; written only on success.
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
    function oceanGetPointerMode(handle, mode) bind(c, name="oceanGetPointerMode")
      import
      type(c_ptr), value :: handle
      integer(c_int), intent(inout) :: mode
      integer(c_int) :: oceanGetPointerMode
    end function

    !> Sets where the library takes the memory that it needs beyond the caller's buffers, and C's arrays in oceanSpGEMM.
    !>
    !> Memory taken before stays with the functions that gave it, so those must stay callable until the last
    !> descriptor that holds some is destroyed. They may be called from any thread that uses the handle.
    !>
    !> @param[in] alloc  gives memory in the order of the handle's stream; NULL, together with free: the default again.
    !> @param[in] free   takes it back, in the order of the stream that it was taken on.
    !> @param[in] user   passed to both.
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE; also if only one of alloc and free is NULL.
    function oceanSetAllocator(handle, alloc, free, user) bind(c, name="oceanSetAllocator")
      import
      type(c_ptr), value :: handle
      type(c_funptr), value :: alloc
      type(c_funptr), value :: free
      type(c_ptr), value :: user
      integer(c_int) :: oceanSetAllocator
    end function

    !> The library's version: 1000 * major + 100 * minor + patch.
    !>
    !> @param[out] version  host; written only on success.
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
    function oceanGetVersion(handle, version) bind(c, name="oceanGetVersion")
      import
      type(c_ptr), value :: handle
      integer(c_int), intent(inout) :: version
      integer(c_int) :: oceanGetVersion
    end function

    !> One part of the version: MAJOR_VERSION, MINOR_VERSION or PATCH_LEVEL.
    !>
    !> @param[out] value  host; written only on success.
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
    function oceanGetProperty(type_, value) bind(c, name="oceanGetProperty")
      import
      integer(c_int), value :: type_
      integer(c_int), intent(inout) :: value
      integer(c_int) :: oceanGetProperty
    end function

    !> Describes a CSR matrix by the caller's arrays, which are not copied: they must live as long as the descriptor
    !> is used.
    !>
    !> Any array may be NULL until a step needs it. A matrix for C starts with nnz 0 and NULL columns and values. The
    !> rows' extents come from the offsets; nnz must not be less than they span. Rows may be unsorted and may repeat columns.
    !>
    !> @param[out] spMatDescr         host; NULL on failure. Ends with oceanDestroySpMat.
    !> @param[in]  rows               number of rows.
    !> @param[in]  cols               number of columns.
    !> @param[in]  nnz                number of entries.
    !> @param[in]  csrRowOffsets      device, rows + 1: where each row starts, and where the last ends.
    !> @param[in]  csrColInd          device, nnz: columns.
    !> @param[in]  csrValues          device, nnz: values.
    !> @param[in]  csrRowOffsetsType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
    !> @param[in]  csrColIndType      OCEAN_INDEX_32I or OCEAN_INDEX_64I.
    !> @param[in]  idxBase            what offsets and columns count from.
    !> @param[in]  valueType          type of the values.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a NULL spMatDescr, negative sizes, sizes past 32-bit indices,
    !> an array that is not aligned to its elements, or no such base or type; NOT_SUPPORTED for 16-bit indices.
    function oceanCreateCsr(spMatDescr, rows, cols, nnz, csrRowOffsets, csrColInd, csrValues, csrRowOffsetsType, &
        csrColIndType, idxBase, valueType) bind(c, name="oceanCreateCsr")
      import
      type(c_ptr), intent(inout) :: spMatDescr
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: nnz
      type(c_ptr), value :: csrRowOffsets
      type(c_ptr), value :: csrColInd
      type(c_ptr), value :: csrValues
      integer(c_int), value :: csrRowOffsetsType
      integer(c_int), value :: csrColIndType
      integer(c_int), value :: idxBase
      integer(c_int), value :: valueType
      integer(c_int) :: oceanCreateCsr
    end function

    !> As oceanCreateCsr, for a matrix that is only read.
    !>
    !> @param[out] spMatDescr         host; NULL on failure. Ends with oceanDestroySpMat.
    !> @param[in]  rows               number of rows.
    !> @param[in]  cols               number of columns.
    !> @param[in]  nnz                number of entries.
    !> @param[in]  csrRowOffsets      device, rows + 1.
    !> @param[in]  csrColInd          device, nnz.
    !> @param[in]  csrValues          device, nnz.
    !> @param[in]  csrRowOffsetsType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
    !> @param[in]  csrColIndType      OCEAN_INDEX_32I or OCEAN_INDEX_64I.
    !> @param[in]  idxBase            what offsets and columns count from.
    !> @param[in]  valueType          type of the values.
    !> @return as oceanCreateCsr.
    function oceanCreateConstCsr(spMatDescr, rows, cols, nnz, csrRowOffsets, csrColInd, csrValues, &
        csrRowOffsetsType, csrColIndType, idxBase, valueType) bind(c, name="oceanCreateConstCsr")
      import
      type(c_ptr), intent(inout) :: spMatDescr
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: nnz
      type(c_ptr), value :: csrRowOffsets
      type(c_ptr), value :: csrColInd
      type(c_ptr), value :: csrValues
      integer(c_int), value :: csrRowOffsetsType
      integer(c_int), value :: csrColIndType
      integer(c_int), value :: idxBase
      integer(c_int), value :: valueType
      integer(c_int) :: oceanCreateConstCsr
    end function

    !> Ends a descriptor. Arrays of the caller are left alone; those that oceanSpGEMM allocated go back to the
    !> allocator that gave them, in stream order.
    !>
    !> @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live descriptor.
    function oceanDestroySpMat(spMatDescr) bind(c, name="oceanDestroySpMat")
      import
      type(c_ptr), value :: spMatDescr
      integer(c_int) :: oceanDestroySpMat
    end function

    !> Everything that describes a CSR matrix.
    !>
    !> @param[out] rows, cols, nnz, csrRowOffsets, csrColInd, csrValues, csrRowOffsetsType, csrColIndType, idxBase,
    !> valueType  host; all or none are written.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
    function oceanCsrGet(spMatDescr, rows, cols, nnz, csrRowOffsets, csrColInd, csrValues, csrRowOffsetsType, &
        csrColIndType, idxBase, valueType) bind(c, name="oceanCsrGet")
      import
      type(c_ptr), value :: spMatDescr
      integer(c_int64_t), intent(inout) :: rows
      integer(c_int64_t), intent(inout) :: cols
      integer(c_int64_t), intent(inout) :: nnz
      type(c_ptr), intent(inout) :: csrRowOffsets
      type(c_ptr), intent(inout) :: csrColInd
      type(c_ptr), intent(inout) :: csrValues
      integer(c_int), intent(inout) :: csrRowOffsetsType
      integer(c_int), intent(inout) :: csrColIndType
      integer(c_int), intent(inout) :: idxBase
      integer(c_int), intent(inout) :: valueType
      integer(c_int) :: oceanCsrGet
    end function

    !> As oceanCsrGet, for a matrix that is only read.
    !>
    !> @param[out] rows, cols, nnz, csrRowOffsets, csrColInd, csrValues, csrRowOffsetsType, csrColIndType, idxBase,
    !> valueType  host; all or none are written.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
    function oceanConstCsrGet(spMatDescr, rows, cols, nnz, csrRowOffsets, csrColInd, csrValues, csrRowOffsetsType, &
        csrColIndType, idxBase, valueType) bind(c, name="oceanConstCsrGet")
      import
      type(c_ptr), value :: spMatDescr
      integer(c_int64_t), intent(inout) :: rows
      integer(c_int64_t), intent(inout) :: cols
      integer(c_int64_t), intent(inout) :: nnz
      type(c_ptr), intent(inout) :: csrRowOffsets
      type(c_ptr), intent(inout) :: csrColInd
      type(c_ptr), intent(inout) :: csrValues
      integer(c_int), intent(inout) :: csrRowOffsetsType
      integer(c_int), intent(inout) :: csrColIndType
      integer(c_int), intent(inout) :: idxBase
      integer(c_int), intent(inout) :: valueType
      integer(c_int) :: oceanConstCsrGet
    end function

    !> Points a descriptor to other arrays. Sizes and types stay; nnz too, which the arrays must have room for. Arrays
    !> that oceanSpGEMM allocated go back to their allocator.
    !>
    !> @param[in] csrRowOffsets, csrColInd, csrValues  device; each may be NULL.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if spMatDescr is NULL or an array is not aligned to its elements.
    function oceanCsrSetPointers(spMatDescr, csrRowOffsets, csrColInd, csrValues) bind(c, &
        name="oceanCsrSetPointers")
      import
      type(c_ptr), value :: spMatDescr
      type(c_ptr), value :: csrRowOffsets
      type(c_ptr), value :: csrColInd
      type(c_ptr), value :: csrValues
      integer(c_int) :: oceanCsrSetPointers
    end function

    !> A matrix's sizes. Of C: nnz is what the last compute (or oceanSpGEMMreuse_nnz, or oceanSpGEMM) found.
    !>
    !> @param[out] rows, cols, nnz  host; all or none are written.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
    function oceanSpMatGetSize(spMatDescr, rows, cols, nnz) bind(c, name="oceanSpMatGetSize")
      import
      type(c_ptr), value :: spMatDescr
      integer(c_int64_t), intent(inout) :: rows
      integer(c_int64_t), intent(inout) :: cols
      integer(c_int64_t), intent(inout) :: nnz
      integer(c_int) :: oceanSpMatGetSize
    end function

    !> How a matrix is stored: OCEAN_FORMAT_CSR.
    !>
    !> @param[out] format  host; written only on success.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
    function oceanSpMatGetFormat(spMatDescr, format) bind(c, name="oceanSpMatGetFormat")
      import
      type(c_ptr), value :: spMatDescr
      integer(c_int), intent(inout) :: format
      integer(c_int) :: oceanSpMatGetFormat
    end function

    !> What a matrix's offsets and columns count from.
    !>
    !> @param[out] idxBase  host; written only on success.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
    function oceanSpMatGetIndexBase(spMatDescr, idxBase) bind(c, name="oceanSpMatGetIndexBase")
      import
      type(c_ptr), value :: spMatDescr
      integer(c_int), intent(inout) :: idxBase
      integer(c_int) :: oceanSpMatGetIndexBase
    end function

    !> Where a matrix's values lie.
    !>
    !> @param[out] values  host; written only on success.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
    function oceanSpMatGetValues(spMatDescr, values) bind(c, name="oceanSpMatGetValues")
      import
      type(c_ptr), value :: spMatDescr
      type(c_ptr), intent(inout) :: values
      integer(c_int) :: oceanSpMatGetValues
    end function

    !> Points a descriptor to other values. A matrix whose arrays oceanSpGEMM allocated is refused.
    !>
    !> @param[in] values  device, nnz; may be NULL.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if spMatDescr is NULL or values is not aligned to its elements.
    function oceanSpMatSetValues(spMatDescr, values) bind(c, name="oceanSpMatSetValues")
      import
      type(c_ptr), value :: spMatDescr
      type(c_ptr), value :: values
      integer(c_int) :: oceanSpMatSetValues
    end function

    !> Checks a whole matrix on its device, and waits for it. Cost: one pass over offsets and columns.
    !>
    !> @param[in] handle  where the matrix lies.
    !> @param[in] mat     all arrays but the values must be there.
    !> @param[in] level   how much is looked at.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a matrix that breaks a rule: oceanGetLastErrorString() names row,
    !> entry and numbers; NOT_SUPPORTED for 2^31 rows or columns.
    function oceanSpMatCheck(handle, mat, level) bind(c, name="oceanSpMatCheck")
      import
      type(c_ptr), value :: handle
      type(c_ptr), value :: mat
      integer(c_int), value :: level
      integer(c_int) :: oceanSpMatCheck
    end function

    !> Makes the state of one product. Needs no handle and no device.
    !>
    !> @param[out] descr  host. Ends with oceanSpGEMM_destroyDescr.
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
    function oceanSpGEMM_createDescr(descr) bind(c, name="oceanSpGEMM_createDescr")
      import
      type(c_ptr), intent(inout) :: descr
      integer(c_int) :: oceanSpGEMM_createDescr
    end function

    !> Ends the state of one product; work that is queued already goes on.
    !>
    !> @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live descriptor.
    function oceanSpGEMM_destroyDescr(descr) bind(c, name="oceanSpGEMM_destroyDescr")
      import
      type(c_ptr), value :: descr
      integer(c_int) :: oceanSpGEMM_destroyDescr
    end function

    !> First step: looks at the patterns of A and B, decides how to multiply them and gives every row of C its room.
    !>
    !> With externalBuffer1 NULL only *bufferSize1 is written, from the declared sizes alone; never 0. With a buffer
    !> the step is done and waits for the device; may be repeated, also with another alg. Values are not read and may
    !> be NULL; matC gives its shape. alpha, beta and computeType are checked and not read.
    !> A factor under an operation is transposed into memory of the handle's allocator, which spgemmDescr keeps: 12 bytes an
    !> entry and 8 a row of the transpose, and the values from the first compute on. Its rows have the entries in stored
    !> order, row by row, which is the order of sums.
    !> Values of A and B are of one type, or one is real and the other complex with such parts; C is complex then, and a copy of
    !> the real values as complex ones is made likewise, by the first compute.
    !> Cost: O(nnz(A) + nnz(B)), and counting or estimating the rows of C.
    !>
    !> @param[in]     handle           where to compute.
    !> @param[in]     opA, opB         any; the same in all steps.
    !> @param[in]     alpha, beta      one value of computeType each; not NULL.
    !> @param[in]     matA, matB       op(A) is m x k and op(B) is k x n.
    !> @param[in]     matC             m x n.
    !> @param[in]     computeType      the type of C's values, or what 16-bit ones are computed in.
    !> @param[in]     alg              any.
    !> @param[in,out] spgemmDescr      keeps the result, and the buffer's address.
    !> @param[in,out] bufferSize1      host; bytes. With a buffer it may be NULL or 0, which states no size.
    !> @param[in]     externalBuffer1  device, or NULL; needed until the last compute; of any alignment.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, numbers that no enum has, shapes that do not fit, or
    !> offsets and columns that break the rules; NOT_SUPPORTED by name; INSUFFICIENT_RESOURCES for a short buffer.
    function oceanSpGEMM_workEstimation(handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg, &
        spgemmDescr, bufferSize1, externalBuffer1) bind(c, name="oceanSpGEMM_workEstimation")
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: opA
      integer(c_int), value :: opB
      type(c_ptr), value :: alpha
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: beta
      type(c_ptr), value :: matC
      integer(c_int), value :: computeType
      integer(c_int), value :: alg
      type(c_ptr), value :: spgemmDescr
      integer(c_size_t), intent(inout) :: bufferSize1
      type(c_ptr), value :: externalBuffer1
      integer(c_int) :: oceanSpGEMM_workEstimation
    end function

    !> Whether such products are computed: types of values and indices, operations and algorithm. The same answer as that of
    !> the first step, which refuses what is not by NOT_SUPPORTED. Does not touch the device.
    !>
    !> Only the types of matA, matB and matC are looked at, and sizes that 32-bit columns can't hold: they need no arrays, and
    !> shapes may be any.
    !>
    !> @param[in]  handle, opA, opB, matA, matB, matC, computeType, alg  as for oceanSpGEMM_workEstimation.
    !> @param[out] supported  host; 1 or 0, written only on success.
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE for NULLs and numbers that no enum has.
    function oceanSpGEMM_isSupported(handle, opA, opB, matA, matB, matC, computeType, alg, supported) bind(c, &
        name="oceanSpGEMM_isSupported")
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: opA
      integer(c_int), value :: opB
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: matC
      integer(c_int), value :: computeType
      integer(c_int), value :: alg
      integer(c_int), intent(inout) :: supported
      integer(c_int) :: oceanSpGEMM_isSupported
    end function

    !> Scalar products of A * B, exact in 64 bits. Does not touch the device.
    !>
    !> @param[in]  spgemmDescr  after oceanSpGEMM_workEstimation (or oceanSpGEMMreuse_workEstimation) with a buffer.
    !> @param[out] num_prods    host; written only on success.
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE if a pointer is NULL or the step before is missing.
    function oceanSpGEMM_getNumProducts(spgemmDescr, num_prods) bind(c, name="oceanSpGEMM_getNumProducts")
      import
      type(c_ptr), value :: spgemmDescr
      integer(c_int64_t), intent(inout) :: num_prods
      integer(c_int) :: oceanSpGEMM_getNumProducts
    end function

    !> For ALG2 and ALG3: says what compute needs, which compute with a NULL buffer says too.
    !>
    !> cuSPARSE holds a fraction of the products at a time. Here no product is held beyond its entry of C where rows are
    !> counted; so a fraction below 1 has them counted, if they were only estimated, and compute's buffer is then as small as
    !> C allows. oceanSpGEMM_setMemoryLimit goes below that.
    !>
    !> @param[in]     chunk_fraction   share of the products; any value from 1 on leaves the rows as they are.
    !> @param[in,out] bufferSize3      host; bytes, written if externalBuffer3 is NULL; never 0.
    !> @param[in]     externalBuffer3  device, or NULL; not used, and may be freed at once.
    !> @param[out]    bufferSize2      host; bytes for compute, written if externalBuffer3 is not NULL.
    !> @return as oceanSpGEMM_workEstimation; INVALID_VALUE if alg is neither ALG2 nor ALG3, or the step before is missing.
    function oceanSpGEMM_estimateMemory(handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg, &
        spgemmDescr, chunk_fraction, bufferSize3, externalBuffer3, bufferSize2) bind(c, &
        name="oceanSpGEMM_estimateMemory")
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: opA
      integer(c_int), value :: opB
      type(c_ptr), value :: alpha
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: beta
      type(c_ptr), value :: matC
      integer(c_int), value :: computeType
      integer(c_int), value :: alg
      type(c_ptr), value :: spgemmDescr
      real(c_float), value :: chunk_fraction
      integer(c_size_t), intent(inout) :: bufferSize3
      type(c_ptr), value :: externalBuffer3
      integer(c_size_t), intent(inout) :: bufferSize2
      integer(c_int) :: oceanSpGEMM_estimateMemory
    end function

    !> Second step: computes the product into the buffer and tells matC its nnz.
    !>
    !> With externalBuffer2 NULL only *bufferSize2 is written; never 0. With a buffer the step is done: it waits for the device
    !> if rows were estimated or bounded, and once more for the first repeat; where oceanSpGEMM_workEstimation has counted them
    !> (oceanSpGEMM_getPlan says "exact") it only queues work, and can be captured. C's arrays are not touched and may be NULL. It may be called again, with other values of A and B in
    !> the same or other arrays and any buffer of that size: the patterns are taken to be those that
    !> oceanSpGEMM_workEstimation saw, and only numbers are computed.
    !> Cost: O(products). Rows that outgrow an estimate may take memory from the handle's allocator.
    !>
    !> @param[in]     handle           as before; stream and pointer mode may differ.
    !> @param[in]     opA, opB, alpha, matA, matB, beta, matC, computeType, alg  as for oceanSpGEMM_workEstimation.
    !> @param[in,out] spgemmDescr      keeps the result, and the buffer's address.
    !> @param[in,out] bufferSize2      host; bytes: written in a query, else what externalBuffer2 has.
    !> @param[in]     externalBuffer2  device, or NULL; needed until oceanSpGEMM_copy has run; of any alignment.
    !> @return as oceanSpGEMM_workEstimation; INVALID_VALUE if the step before is missing, or patterns have changed: with the
    !> option check, on the host, and where rows were not counted; INSUFFICIENT_RESOURCES for a short buffer, after
    !> which it may be called again with a longer one; ALLOC_FAILED if the handle's allocator has no memory.
    function oceanSpGEMM_compute(handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg, spgemmDescr, &
        bufferSize2, externalBuffer2) bind(c, name="oceanSpGEMM_compute")
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: opA
      integer(c_int), value :: opB
      type(c_ptr), value :: alpha
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: beta
      type(c_ptr), value :: matC
      integer(c_int), value :: computeType
      integer(c_int), value :: alg
      type(c_ptr), value :: spgemmDescr
      integer(c_size_t), intent(inout) :: bufferSize2
      type(c_ptr), value :: externalBuffer2
      integer(c_int) :: oceanSpGEMM_compute
    end function

    !> Last step: C = alpha * op(A) * op(B) + beta * C, entry by entry of the product's pattern, and C's offsets.
    !>
    !> Only queues work on the handle's stream (CUDA loads a kernel when it is first used in a process, and may wait
    !> then). Reads neither A nor B nor the first buffer, but for oceanSpGEMM_setMemoryLimit. C's columns and offsets are written; with beta = 0 its values
    !> are not read, else its p-th old value goes to the p-th entry of the product. May be repeated. Cost: O(nnz(C)).
    !>
    !> @param[in]     handle       as before; stream and pointer mode may differ.
    !> @param[in]     alpha, beta  one value of computeType each, read now, in stream order in device pointer mode.
    !> @param[in,out] matC         with arrays for the nnz that oceanSpMatGetSize tells.
    !> @param[in]     opA, opB, matA, matB, computeType, alg, spgemmDescr  as for oceanSpGEMM_compute.
    !> @return as oceanSpGEMM_compute; INVALID_VALUE if matC has NULL arrays or a smaller nnz;
    !> INSUFFICIENT_RESOURCES if C's row offsets can't count its entries.
    function oceanSpGEMM_copy(handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg, &
        spgemmDescr) bind(c, name="oceanSpGEMM_copy")
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: opA
      integer(c_int), value :: opB
      type(c_ptr), value :: alpha
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: beta
      type(c_ptr), value :: matC
      integer(c_int), value :: computeType
      integer(c_int), value :: alg
      type(c_ptr), value :: spgemmDescr
      integer(c_int) :: oceanSpGEMM_copy
    end function

    !> Sets what a product may take beyond A, B and C, before oceanSpGEMM_workEstimation asks for a size: both buffers
    !> together with memory of the handle's allocator. The result has the same bits whatever is set.
    !>
    !> Under a limit rows are counted and never estimated. Where compute's buffer would be too large, the rows of op(A) are
    !> multiplied a slice at a time, straight into C, by oceanSpGEMM_copy: compute's buffer is then of no size to speak of, and
    !> **A, B and the first buffer must stay as they are until copy has run**; copy reads A's and B's values as they are then,
    !> waits for the device a few times a slice, counts the rows again, and leaves C's arrays undefined if the patterns have
    !> changed. oceanSpGEMM_getPlan tells how many slices there are.
    !> oceanSpGEMMreuse_* takes no second copy of C, and pays no heed to the limit.
    !>
    !> @param[in] bytes  the limit; 0 for none, as at first. Below what a slice of one row needs, beside copies of A and B that
    !> operations, 64-bit columns, 16-bit values or unsorted rows of B ask for, the steps end with
    !> INSUFFICIENT_RESOURCES, and the message tells a limit that lets that step pass.
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
    function oceanSpGEMM_setMemoryLimit(spgemmDescr, bytes) bind(c, name="oceanSpGEMM_setMemoryLimit")
      import
      type(c_ptr), value :: spgemmDescr
      integer(c_size_t), value :: bytes
      integer(c_int) :: oceanSpGEMM_setMemoryLimit
    end function

    !> Sets how a product is computed, before oceanSpGEMM_workEstimation. The result has the same bits whatever is set.
    !>
    !> | name        | values                                | what it does                                            |
    !> |-------------|---------------------------------------|---------------------------------------------------------|
    !> | workflow    | auto, upper_bound, estimate, exact    | how rows of C get their room                            |
    !> | registers   | auto, 16, 32, 64, 128                 | size of a HyperLogLog sketch                            |
    !> | coefficient | auto, or a number above 0             | what estimates are multiplied by                        |
    !> | accumulator | auto, hash, dense                     | how rows are summed                                     |
    !> | ablation    | auto, v1, v2, v3, v4                  | the Ocean paper's versions; v4 is all, but by its table |
    !> | sampling    | auto, or a number above 0, 1 at most  | share of the rows that is sampled                       |
    !> | check       | off, full                             | check A and B in full, declared nnz included, at first  |
    !> | profile     | off, on                               | time the calls for oceanSpGEMM_getProfile               |
    !>
    !> @param[in] name, value  text.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a name or value that is not listed, which changes nothing.
    function oceanSpGEMM_setOption(spgemmDescr, name, value) bind(c, name="oceanSpGEMM_setOption")
      import
      type(c_ptr), value :: spgemmDescr
      character(kind=c_char), dimension(*), intent(in) :: name
      character(kind=c_char), dimension(*), intent(in) :: value
      integer(c_int) :: oceanSpGEMM_setOption
    end function

    !> What was found about A and B, what was decided, and why; after compute also what came of it.
    !>
    !> @param[in]     spgemmDescr  after oceanSpGEMM_workEstimation with a buffer.
    !> @param[in]     format       lines for people, or one JSON object.
    !> @param[out]    buffer       host, or NULL: then only *size is written.
    !> @param[in,out] size         host; bytes with the NUL at the end.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs or a missing step; INSUFFICIENT_RESOURCES if *size is less
    !> than what is needed, which the message tells; nothing is written then.
    function oceanSpGEMM_getPlan(spgemmDescr, format, buffer, size) bind(c, name="oceanSpGEMM_getPlan")
      import
      type(c_ptr), value :: spgemmDescr
      integer(c_int), value :: format
      type(c_ptr), value :: buffer
      integer(c_size_t), intent(inout) :: size
      integer(c_int) :: oceanSpGEMM_getPlan
    end function

    !> What the calls with a buffer have taken since oceanSpGEMM_workEstimation, and each of their steps: milliseconds in the
    !> order of the stream, waits included. Asked for by the option profile; the last 64 calls. Waits until what it tells of is
    !> done. Timing a call takes two events a step, and is not for streams under capture.
    !>
    !> @param[in]     spgemmDescr  with the option profile "on".
    !> @param[in]     format       lines for people, or one JSON object: calls, each with call, ms and steps; steps with step,
    !> times and ms.
    !> @param[out]    buffer       host, or NULL: then only *size is written.
    !> @param[in,out] size         host; bytes with the NUL at the end.
    !> @return as oceanSpGEMM_getPlan; EXECUTION_FAILED if the device has failed.
    function oceanSpGEMM_getProfile(spgemmDescr, format, buffer, size) bind(c, name="oceanSpGEMM_getProfile")
      import
      type(c_ptr), value :: spgemmDescr
      integer(c_int), value :: format
      type(c_ptr), value :: buffer
      integer(c_size_t), intent(inout) :: size
      integer(c_int) :: oceanSpGEMM_getProfile
    end function

    !> C = alpha * op(A) * op(B) + beta * D in one call, which allocates C's arrays with the handle's allocator, at their exact size.
    !>
    !> The arrays belong to matC: oceanCsrGet tells where they are, and they go back to the allocator by
    !> oceanDestroySpMat, by oceanCsrSetPointers, or by the next oceanSpGEMM into matC, in stream order. Waits for the
    !> device. Without values in A and B, C gets none either. Cost: O(products); no buffer as large as C is needed unless the
    !> plan works with estimates or bounds.
    !>
    !> Every entry of the product and every entry of D is one of C, whatever beta is: alpha * sum + beta * d where both have
    !> one, rounded as the type computes. D may be unsorted; its repeats are added one by one. That takes a sort of both, and
    !> from the handle's allocator, for a while, 44 bytes and two values for each of their entries.
    !>
    !> @param[in]     handle       where to compute.
    !> @param[in]     opA, opB     any; a factor is transposed into memory of the handle's allocator for the time of the call.
    !> @param[in]     alpha        one value of computeType.
    !> @param[in]     matA, matB   op(A) is m x k and op(B) is k x n, both with values or both without.
    !> @param[in]     beta         one value of computeType; may be NULL while matD is NULL.
    !> @param[in]     matD         m x n, of matC's type, with values if A and B have some; or NULL. May be matC.
    !> @param[in,out] matC         m x n, with NULL arrays or those of an earlier call; on success its nnz and arrays are new.
    !> @param[in]     computeType  the type of C's values, or what 16-bit ones are computed in.
    !> @param[in]     alg          any.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, shapes that do not fit, broken matrices, or a matC with
    !> arrays of the caller; NOT_SUPPORTED by name; ALLOC_FAILED; INSUFFICIENT_RESOURCES if C's row offsets
    !> can't count its entries. On failure matC is as it was.
    function oceanSpGEMM(handle, opA, opB, alpha, matA, matB, beta, matD, matC, computeType, alg) bind(c, &
        name="oceanSpGEMM")
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: opA
      integer(c_int), value :: opB
      type(c_ptr), value :: alpha
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: beta
      type(c_ptr), value :: matD
      type(c_ptr), value :: matC
      integer(c_int), value :: computeType
      integer(c_int), value :: alg
      integer(c_int) :: oceanSpGEMM
    end function

    !> First step of the reuse protocol: looks at the patterns of A and B.
    !>
    !> With externalBuffer1 NULL only *bufferSize1 is written; never 0. With a buffer the step is done and waits for the
    !> device. Values are not read and may be NULL.
    !>
    !> @param[in]     handle, opA, opB, matA, matB, matC, alg  as for oceanSpGEMM_workEstimation.
    !> @param[in,out] spgemmDescr      keeps the result, and the buffer's address.
    !> @param[in,out] bufferSize1      host; bytes. With a buffer it may be NULL or 0, which states no size.
    !> @param[in]     externalBuffer1  device, or NULL; needed until oceanSpGEMMreuse_nnz has run.
    !> @return as oceanSpGEMM_workEstimation.
    function oceanSpGEMMreuse_workEstimation(handle, opA, opB, matA, matB, matC, alg, spgemmDescr, bufferSize1, &
        externalBuffer1) bind(c, name="oceanSpGEMMreuse_workEstimation")
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: opA
      integer(c_int), value :: opB
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: matC
      integer(c_int), value :: alg
      type(c_ptr), value :: spgemmDescr
      integer(c_size_t), intent(inout) :: bufferSize1
      type(c_ptr), value :: externalBuffer1
      integer(c_int) :: oceanSpGEMMreuse_workEstimation
    end function

    !> Second step of the reuse protocol: counts C's entries and tells matC its nnz.
    !>
    !> With all three buffers NULL only the sizes are written; never 0. With all three the step is done and waits for
    !> the device. C's arrays are not touched.
    !>
    !> @param[in]     handle, opA, opB, matA, matB, matC, alg  as before.
    !> @param[in,out] spgemmDescr      keeps the result, and the buffers' addresses.
    !> @param[in,out] bufferSize2      host; bytes.
    !> @param[in]     externalBuffer2  device, or NULL; may be freed after this call.
    !> @param[in,out] bufferSize3      host; bytes.
    !> @param[in]     externalBuffer3  device, or NULL; may be freed after oceanSpGEMMreuse_copy.
    !> @param[in,out] bufferSize4      host; bytes.
    !> @param[in]     externalBuffer4  device, or NULL; needed until the last oceanSpGEMMreuse_compute.
    !> @return as oceanSpGEMM_compute; INVALID_VALUE if some of the buffers are NULL and some are not.
    function oceanSpGEMMreuse_nnz(handle, opA, opB, matA, matB, matC, alg, spgemmDescr, bufferSize2, &
        externalBuffer2, bufferSize3, externalBuffer3, bufferSize4, externalBuffer4) bind(c, &
        name="oceanSpGEMMreuse_nnz")
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: opA
      integer(c_int), value :: opB
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: matC
      integer(c_int), value :: alg
      type(c_ptr), value :: spgemmDescr
      integer(c_size_t), intent(inout) :: bufferSize2
      type(c_ptr), value :: externalBuffer2
      integer(c_size_t), intent(inout) :: bufferSize3
      type(c_ptr), value :: externalBuffer3
      integer(c_size_t), intent(inout) :: bufferSize4
      type(c_ptr), value :: externalBuffer4
      integer(c_int) :: oceanSpGEMMreuse_nnz
    end function

    !> Third step of the reuse protocol: writes C's offsets and columns, not its values. May be repeated.
    !>
    !> With externalBuffer5 NULL only *bufferSize5 is written; never 0. With a buffer the step is done.
    !>
    !> @param[in]     handle, opA, opB, matA, matB, alg  as before.
    !> @param[in,out] matC             with arrays for offsets and columns.
    !> @param[in,out] spgemmDescr      as before.
    !> @param[in,out] bufferSize5      host; bytes.
    !> @param[in]     externalBuffer5  device, or NULL; keep it until the last oceanSpGEMMreuse_compute.
    !> @return as oceanSpGEMM_copy.
    function oceanSpGEMMreuse_copy(handle, opA, opB, matA, matB, matC, alg, spgemmDescr, bufferSize5, &
        externalBuffer5) bind(c, name="oceanSpGEMMreuse_copy")
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: opA
      integer(c_int), value :: opB
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: matC
      integer(c_int), value :: alg
      type(c_ptr), value :: spgemmDescr
      integer(c_size_t), intent(inout) :: bufferSize5
      type(c_ptr), value :: externalBuffer5
      integer(c_int) :: oceanSpGEMMreuse_copy
    end function

    !> Last step of the reuse protocol, any number of times: C's values = alpha * A * B + beta * C's values.
    !>
    !> Only queues work on the handle's stream (CUDA loads a kernel when it is first used in a process, and may wait
    !> then). The patterns of A and B must be those of before; their arrays, and C's values, may be others. C's offsets
    !> and columns are neither read nor written. Cost: O(products).
    !>
    !> @param[in]     handle, opA, opB, matA, matB, alg, spgemmDescr  as before.
    !> @param[in]     alpha, beta  one value of computeType each, read now, in stream order in device pointer mode.
    !> @param[in,out] matC         with its values.
    !> @param[in]     computeType  the type of C's values, or what 16-bit ones are computed in.
    !> @return as oceanSpGEMM_copy; INVALID_VALUE also if rows of the product have another length than was counted.
    function oceanSpGEMMreuse_compute(handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg, &
        spgemmDescr) bind(c, name="oceanSpGEMMreuse_compute")
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: opA
      integer(c_int), value :: opB
      type(c_ptr), value :: alpha
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: beta
      type(c_ptr), value :: matC
      integer(c_int), value :: computeType
      integer(c_int), value :: alg
      type(c_ptr), value :: spgemmDescr
      integer(c_int) :: oceanSpGEMMreuse_compute
    end function

  end interface

end module ocean
