/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from src/ffi by `cargo xtask header`; do not edit by hand. */

/**
 * ocean: sparse matrix products on NVIDIA GPUs and on the CPU.
 *
 *   C' = alpha * op(A) * op(B) + beta * C, all in CSR
 *
 * Names, argument orders and numbers are cuSPARSE's with the prefix changed, so that
 * `sed 's/cusparse/ocean/g; s/CUSPARSE/OCEAN/g'` turns a call site of its generic SpGEMM into one of ocean's.
 *
 * Conventions, where a function says nothing else:
 *
 * Status     Every function returns OCEAN_STATUS_SUCCESS or says why not; oceanGetLastErrorString() has the
 *            argument and the numbers. A call that fails writes nothing to its outputs, but for calls that create
 *            something: those write NULL. Enum arguments may hold any int: what is no enumerator is refused with
 *            OCEAN_STATUS_INVALID_VALUE.
 * NULL       A NULL handle, descriptor or output is refused with OCEAN_STATUS_INVALID_VALUE, and so are those
 *            that were destroyed or never created. Only destroying NULL is fine, and does nothing. A NULL buffer asks
 *            for its size. A NULL array is fine until a call has to read or write it.
 * Ownership  What is created is destroyed by its own destroy function, in any order. Matrix descriptors keep the
 *            caller's pointers and copy nothing; the arrays stay the caller's. Only arrays that oceanSpGEMM() itself
 *            allocates belong to their matrix descriptor. A SpGEMM descriptor keeps the addresses of the external
 *            buffers between its steps.
 * Memory     Arrays, buffers and, with OCEAN_POINTER_MODE_DEVICE, alpha and beta lie where the handle's backend works:
 *            in device memory for OCEAN_BACKEND_CUDA, in host memory for OCEAN_BACKEND_HOST. Sizes, counts and
 *            out arguments are always the host's. Arrays are aligned as their elements are; buffers need no alignment.
 * Threads    Different handles and descriptors may be used by different threads at once. One handle or descriptor
 *            serves one thread at a time. The last error belongs to the thread.
 * Values     A, B and C have values of one type: CUDA_R_32F, R_64F, C_32F, C_64F, R_16F, R_16BF, C_16F or C_16BF.
 *            computeType is that type or, of 16-bit values, the 32-bit type that they are computed in (R_32F, C_32F);
 *            alpha and beta have computeType. An entry of C is the sum of its products in the order of A's row, each
 *            product and each sum rounded by itself; a complex product is (ar br - ai bi, ar bi + ai br). 16-bit
 *            values are widened first, which is exact, and each entry of C is rounded once, to nearest even, when it is
 *            written. alpha = 0 or beta = 0 hides what it multiplies, and 1 leaves it as it is. The 32-bit copies come
 *            from the handle's allocator: of A's and B's values, kept by the SpGEMM descriptor, and of C's in
 *            oceanSpGEMM() and oceanSpGEMMreuse_compute().
 * Indices    Row offsets and columns are OCEAN_INDEX_32I or OCEAN_INDEX_64I, in A, B and C each by itself, with either
 *            base. A product has fewer than 2^31 rows and columns, and any number of entries that C's offsets can count.
 *            64-bit columns are copied to 32 bits in memory of the handle's allocator, which the SpGEMM descriptor keeps.
 * Structure  Where A and B have NULL values when oceanSpGEMM_compute() or oceanSpGEMM() runs, the product is one of
 *            patterns: C gets offsets and columns, and must have NULL values too. After oceanSpGEMMreuse_copy() such a
 *            C is complete; oceanSpGEMMreuse_compute() has nothing to do then.
 * Streams    Device work runs on the handle's stream, as it is at the time of the call. The host waits for it in
 *            oceanSpGEMM(), in oceanSpMatCheck(), and where a buffer is given in oceanSpGEMM_workEstimation(),
 *            oceanSpGEMM_compute(), oceanSpGEMMreuse_workEstimation() and oceanSpGEMMreuse_nnz(). No other call waits.
 */

#ifndef OCEAN_H
#define OCEAN_H

#include <stddef.h>
#include <stdint.h>

#define OCEAN_VER_MAJOR 0
#define OCEAN_VER_MINOR 1
#define OCEAN_VER_PATCH 0
/** What oceanGetVersion() gives for this header. */
#define OCEAN_VERSION (OCEAN_VER_MAJOR * 1000 + OCEAN_VER_MINOR * 100 + OCEAN_VER_PATCH)

#if defined(__GNUC__) || defined(__clang__)
#  define OCEAN_DEPRECATED(message) __attribute__((deprecated(message)))
#else
#  define OCEAN_DEPRECATED(message)
#endif

#if defined(__cplusplus) && __cplusplus >= 201103L
#  define OCEAN_NOEXCEPT noexcept
#else
#  define OCEAN_NOEXCEPT
#endif

/** CUDA's stream, as CUDA's own headers have it: no CUDA header is needed, and either may come first. */
typedef struct CUstream_st *cudaStream_t;

/* CUDA's library_types.h has these two enums. Where it is not to be found, the same names and numbers stand in. */
#if !defined(__LIBRARY_TYPES_H__) && defined(__has_include)
#  if __has_include(<library_types.h>)
#    include <library_types.h>
#  endif
#endif

#if defined(__LIBRARY_TYPES_H__)
typedef cudaDataType oceanDataType_t;
typedef libraryPropertyType oceanPropertyType_t;
#else
/** The type of values and scalars. */
typedef enum {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16F = 2,
  CUDA_R_8I = 3,
  CUDA_C_32F = 4,
  CUDA_C_64F = 5,
  CUDA_C_16F = 6,
  CUDA_C_8I = 7,
  CUDA_R_8U = 8,
  CUDA_C_8U = 9,
  CUDA_R_32I = 10,
  CUDA_C_32I = 11,
  CUDA_R_32U = 12,
  CUDA_C_32U = 13,
  CUDA_R_16BF = 14,
  CUDA_C_16BF = 15,
  CUDA_R_4I = 16,
  CUDA_C_4I = 17,
  CUDA_R_4U = 18,
  CUDA_C_4U = 19,
  CUDA_R_16I = 20,
  CUDA_C_16I = 21,
  CUDA_R_16U = 22,
  CUDA_C_16U = 23,
  CUDA_R_64I = 24,
  CUDA_C_64I = 25,
  CUDA_R_64U = 26,
  CUDA_C_64U = 27,
  CUDA_R_8F_E4M3 = 28,
  CUDA_R_8F_UE4M3 = 28,
  CUDA_R_8F_E5M2 = 29,
  CUDA_R_8F_UE8M0 = 30,
  CUDA_R_6F_E2M3 = 31,
  CUDA_R_6F_E3M2 = 32,
  CUDA_R_4F_E2M1 = 33
} oceanDataType_t;

/** The parts of a version number. */
typedef enum { MAJOR_VERSION = 0, MINOR_VERSION = 1, PATCH_LEVEL = 2 } oceanPropertyType_t;
#endif

/** What a call answers. oceanGetLastErrorString() has the details of the last failure. */
typedef enum {
  /** Done. */
  OCEAN_STATUS_SUCCESS = 0,
  /** The library could not be set up. */
  OCEAN_STATUS_NOT_INITIALIZED = 1,
  /** Out of memory. */
  OCEAN_STATUS_ALLOC_FAILED = 2,
  /** An argument has a wrong value, or a step is missing. */
  OCEAN_STATUS_INVALID_VALUE = 3,
  /** The device lacks a feature. */
  OCEAN_STATUS_ARCH_MISMATCH = 4,
  /** Not used; kept for its number. */
  OCEAN_STATUS_MAPPING_ERROR = 5,
  /** The CUDA driver or a kernel failed. */
  OCEAN_STATUS_EXECUTION_FAILED = 6,
  /** A fault of the library. */
  OCEAN_STATUS_INTERNAL_ERROR = 7,
  /** Not used; kept for its number. */
  OCEAN_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  /** Not used; kept for its number. */
  OCEAN_STATUS_ZERO_PIVOT = 9,
  /** Something that the library does not do. */
  OCEAN_STATUS_NOT_SUPPORTED = 10,
  /** A buffer is too short, or an index type too narrow for the result. */
  OCEAN_STATUS_INSUFFICIENT_RESOURCES = 11,
} oceanStatus_t;

/** Where a handle computes. */
typedef enum {
  /**
   * CUDA where there is a driver and a device, else HOST. The environment variable OCEAN_BACKEND (host, cuda)
   * decides instead where it is set.
   */
  OCEAN_BACKEND_AUTO = 0,
  /** An NVIDIA GPU: matrices, buffers and results lie in device memory. */
  OCEAN_BACKEND_CUDA = 1,
  /**
   * The CPU: matrices, buffers and results lie in host memory, "device" below means that too, and every call
   * is done when it returns. Threads: RAYON_NUM_THREADS, default all cores.
   */
  OCEAN_BACKEND_HOST = 2,
} oceanBackend_t;

/** Where alpha and beta lie. */
typedef enum {
  /** In host memory, read during the call. */
  OCEAN_POINTER_MODE_HOST = 0,
  /** In device memory, read in stream order. */
  OCEAN_POINTER_MODE_DEVICE = 1,
} oceanPointerMode_t;

/** Width of row offsets or columns. */
typedef enum {
  /** Unsigned 16-bit. Not supported. */
  OCEAN_INDEX_16U = 1,
  /** Signed 32-bit. */
  OCEAN_INDEX_32I = 2,
  /** Signed 64-bit. Columns of 64 bits are multiplied where there are fewer than 2^31 of them. */
  OCEAN_INDEX_64I = 3,
} oceanIndexType_t;

/** What row offsets and columns count from. */
typedef enum {
  /** C's counting. */
  OCEAN_INDEX_BASE_ZERO = 0,
  /** Fortran's counting. */
  OCEAN_INDEX_BASE_ONE = 1,
} oceanIndexBase_t;

/** How a matrix is stored. */
typedef enum {
  /** Compressed sparse rows: the only one here. */
  OCEAN_FORMAT_CSR = 1,
  /** Compressed sparse columns. */
  OCEAN_FORMAT_CSC = 2,
  /** Coordinates. */
  OCEAN_FORMAT_COO = 3,
  /** Blocked Ellpack. */
  OCEAN_FORMAT_BLOCKED_ELL = 5,
  /** Block sparse rows. */
  OCEAN_FORMAT_BSR = 6,
  /** Sliced Ellpack. */
  OCEAN_FORMAT_SLICED_ELLPACK = 7,
} oceanFormat_t;

/** How much oceanSpMatCheck looks at. */
typedef enum {
  /** Offsets start at the base, never fall and end at nnz; columns lie in range. */
  OCEAN_CHECK_STRUCTURE = 0,
  /** The columns of each row also ascend, without repeats. */
  OCEAN_CHECK_CANONICAL = 1,
} oceanCheckLevel_t;

/** What is done to a factor first. */
typedef enum {
  /** Nothing. */
  OCEAN_OPERATION_NON_TRANSPOSE = 0,
  /** Transpose. */
  OCEAN_OPERATION_TRANSPOSE = 1,
  /** Conjugate transpose; of real values, the transpose. */
  OCEAN_OPERATION_CONJUGATE_TRANSPOSE = 2,
} oceanOperation_t;

/** Kept for call sites of cuSPARSE: every value gives the same product, with the same bits every time. */
typedef enum {
  /** The default. */
  OCEAN_SPGEMM_DEFAULT = 0,
  /** As the default; cuSPARSE's spelling. */
  OCEAN_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  OCEAN_SPGEMM_CSR_ALG_DETERMINISTIC = 1,
  /** As the default; cuSPARSE's spelling. */
  OCEAN_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  OCEAN_SPGEMM_CSR_ALG_NONDETERMINISTIC = 2,
  /** As the default. */
  OCEAN_SPGEMM_ALG1 = 3,
  /** As the default; allows oceanSpGEMM_estimateMemory. */
  OCEAN_SPGEMM_ALG2 = 4,
  /** As the default; allows oceanSpGEMM_estimateMemory. */
  OCEAN_SPGEMM_ALG3 = 5,
} oceanSpGEMMAlg_t;

/** How a report is written. */
typedef enum {
  /** Lines for people. */
  OCEAN_REPORT_TEXT = 0,
  /** One JSON object. */
  OCEAN_REPORT_JSON = 1,
} oceanReportFormat_t;

/** A library context, behind oceanHandle_t. */
typedef struct oceanContext oceanContext;

/** A product on its way, behind oceanSpGEMMDescr_t. */
typedef struct oceanSpGEMMDescr oceanSpGEMMDescr;

/** A sparse matrix's description, behind oceanSpMatDescr_t. */
typedef struct oceanSpMatDescr oceanSpMatDescr;

/** A library context: backend, stream, pointer mode, allocator. From oceanCreate to oceanDestroy. */
typedef oceanContext *oceanHandle_t;

/** Gives `bytes` of device memory on `stream`, aligned to 16 bytes or more; NULL if there is none. */
typedef void *(*oceanAllocFn_t)(void *user,
                                size_t bytes,
                                cudaStream_t stream);

/** Takes back what oceanAllocFn_t gave for the same `bytes`. */
typedef void (*oceanFreeFn_t)(void *user,
                              void *pointer,
                              size_t bytes,
                              cudaStream_t stream);

/** A sparse matrix: sizes, types and the caller's arrays, which are not copied. */
typedef oceanSpMatDescr *oceanSpMatDescr_t;

/** A sparse matrix that is only read. */
typedef const oceanSpMatDescr *oceanConstSpMatDescr_t;

/** One product's state between its steps. */
typedef oceanSpGEMMDescr *oceanSpGEMMDescr_t;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Says what went wrong in this thread's last failing call: which argument, and the numbers.
 *
 * @return Text that is never NULL, "" if no call has failed, and valid until the next failing call of this
 *         thread. Calls that succeed leave it alone, so cleanup may run before it is printed.
 */
const char *oceanGetLastErrorString(void) OCEAN_NOEXCEPT;

/**
 * The enumerator of a status, as text.
 *
 * @return A constant; "unrecognized error code" for a number that no status has.
 */
const char *oceanGetErrorName(oceanStatus_t status) OCEAN_NOEXCEPT;

/**
 * A status in a few words, the same as cuSPARSE's.
 *
 * @return A constant; "unrecognized error code" for a number that no status has.
 */
const char *oceanGetErrorString(oceanStatus_t status) OCEAN_NOEXCEPT;

/**
 * Makes a handle with the backend OCEAN_BACKEND_AUTO.
 *
 * @param[out] handle  host; NULL on failure.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if handle is NULL; EXECUTION_FAILED if there is a CUDA device that
 *         can't be used.
 */
oceanStatus_t oceanCreate(oceanHandle_t *handle) OCEAN_NOEXCEPT;

/**
 * Makes a handle with a backend of choice. A CUDA handle remembers the device that is current now.
 *
 * @param[out] handle   host; NULL on failure.
 * @param[in]  backend  where to compute.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a NULL handle or no such backend; NOT_SUPPORTED for CUDA in a
 *         library built without it; NOT_INITIALIZED for CUDA without a driver or a device.
 */
oceanStatus_t oceanCreateWithBackend(oceanHandle_t *handle,
                                     oceanBackend_t backend) OCEAN_NOEXCEPT;

/**
 * Ends a handle. Descriptors made or used with it stay valid, and so does work that is queued already.
 *
 * @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live handle.
 */
oceanStatus_t oceanDestroy(oceanHandle_t handle) OCEAN_NOEXCEPT;

/**
 * Which backend a handle has: CUDA or HOST, never AUTO.
 *
 * @param[out] backend  host; written only on success.
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
 */
oceanStatus_t oceanGetBackend(oceanHandle_t handle,
                              oceanBackend_t *backend) OCEAN_NOEXCEPT;

/**
 * Sets the stream that later calls with this handle queue their work on; NULL is the default stream. Each call
 * reads it anew. A host handle keeps it and has no use for it.
 *
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
 */
oceanStatus_t oceanSetStream(oceanHandle_t handle,
                             cudaStream_t streamId) OCEAN_NOEXCEPT;

/**
 * The stream set last, NULL at first.
 *
 * @param[out] streamId  host; written only on success.
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
 */
oceanStatus_t oceanGetStream(oceanHandle_t handle,
                             cudaStream_t *streamId) OCEAN_NOEXCEPT;

/**
 * Says where alpha and beta of later calls lie; HOST at first. Each call reads it anew.
 *
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
 */
oceanStatus_t oceanSetPointerMode(oceanHandle_t handle,
                                  oceanPointerMode_t mode) OCEAN_NOEXCEPT;

/**
 * Where alpha and beta are said to lie.
 *
 * @param[out] mode  host; written only on success.
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
 */
oceanStatus_t oceanGetPointerMode(oceanHandle_t handle,
                                  oceanPointerMode_t *mode) OCEAN_NOEXCEPT;

/**
 * Sets where the library takes the memory that it needs beyond the caller's buffers, and C's arrays in oceanSpGEMM.
 *
 * Memory taken before stays with the functions that gave it, so those must stay callable until the last
 * descriptor that holds some is destroyed. They may be called from any thread that uses the handle.
 *
 * @param[in] alloc  gives memory in the order of the handle's stream; NULL, together with free: the default again.
 * @param[in] free   takes it back, in the order of the stream that it was taken on.
 * @param[in] user   passed to both.
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE; also if only one of alloc and free is NULL.
 */
oceanStatus_t oceanSetAllocator(oceanHandle_t handle,
                                oceanAllocFn_t alloc,
                                oceanFreeFn_t free,
                                void *user) OCEAN_NOEXCEPT;

/**
 * The library's version: 1000 * major + 100 * minor + patch.
 *
 * @param[out] version  host; written only on success.
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
 */
oceanStatus_t oceanGetVersion(oceanHandle_t handle,
                              int *version) OCEAN_NOEXCEPT;

/**
 * One part of the version: MAJOR_VERSION, MINOR_VERSION or PATCH_LEVEL.
 *
 * @param[out] value  host; written only on success.
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
 */
oceanStatus_t oceanGetProperty(oceanPropertyType_t type_,
                               int *value) OCEAN_NOEXCEPT;

/**
 * Describes a CSR matrix by the caller's arrays, which are not copied: they must live as long as the descriptor
 * is used.
 *
 * Any array may be NULL until a step needs it. A matrix for C starts with nnz 0 and NULL columns and values. The
 * rows' extents come from the offsets; nnz must not be less than they span. Rows may be unsorted and may repeat columns.
 *
 * @param[out] spMatDescr         host; NULL on failure. Ends with oceanDestroySpMat.
 * @param[in]  rows               number of rows.
 * @param[in]  cols               number of columns.
 * @param[in]  nnz                number of entries.
 * @param[in]  csrRowOffsets      device, rows + 1: where each row starts, and where the last ends.
 * @param[in]  csrColInd          device, nnz: columns.
 * @param[in]  csrValues          device, nnz: values.
 * @param[in]  csrRowOffsetsType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
 * @param[in]  csrColIndType      OCEAN_INDEX_32I or OCEAN_INDEX_64I.
 * @param[in]  idxBase            what offsets and columns count from.
 * @param[in]  valueType          type of the values.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a NULL spMatDescr, negative sizes, sizes past 32-bit indices,
 *         an array that is not aligned to its elements, or no such base or type; NOT_SUPPORTED for 16-bit indices.
 */
oceanStatus_t oceanCreateCsr(oceanSpMatDescr_t *spMatDescr,
                             int64_t rows,
                             int64_t cols,
                             int64_t nnz,
                             void *csrRowOffsets,
                             void *csrColInd,
                             void *csrValues,
                             oceanIndexType_t csrRowOffsetsType,
                             oceanIndexType_t csrColIndType,
                             oceanIndexBase_t idxBase,
                             oceanDataType_t valueType) OCEAN_NOEXCEPT;

/**
 * As oceanCreateCsr, for a matrix that is only read.
 *
 * @param[out] spMatDescr         host; NULL on failure. Ends with oceanDestroySpMat.
 * @param[in]  rows               number of rows.
 * @param[in]  cols               number of columns.
 * @param[in]  nnz                number of entries.
 * @param[in]  csrRowOffsets      device, rows + 1.
 * @param[in]  csrColInd          device, nnz.
 * @param[in]  csrValues          device, nnz.
 * @param[in]  csrRowOffsetsType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
 * @param[in]  csrColIndType      OCEAN_INDEX_32I or OCEAN_INDEX_64I.
 * @param[in]  idxBase            what offsets and columns count from.
 * @param[in]  valueType          type of the values.
 * @return as oceanCreateCsr.
 */
oceanStatus_t oceanCreateConstCsr(oceanConstSpMatDescr_t *spMatDescr,
                                  int64_t rows,
                                  int64_t cols,
                                  int64_t nnz,
                                  const void *csrRowOffsets,
                                  const void *csrColInd,
                                  const void *csrValues,
                                  oceanIndexType_t csrRowOffsetsType,
                                  oceanIndexType_t csrColIndType,
                                  oceanIndexBase_t idxBase,
                                  oceanDataType_t valueType) OCEAN_NOEXCEPT;

/**
 * Ends a descriptor. Arrays of the caller are left alone; those that oceanSpGEMM allocated go back to the
 * allocator that gave them, in stream order.
 *
 * @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live descriptor.
 */
oceanStatus_t oceanDestroySpMat(oceanConstSpMatDescr_t spMatDescr) OCEAN_NOEXCEPT;

/**
 * Everything that describes a CSR matrix.
 *
 * @param[out] rows, cols, nnz, csrRowOffsets, csrColInd, csrValues, csrRowOffsetsType, csrColIndType, idxBase,
 *             valueType  host; all or none are written.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
 */
oceanStatus_t oceanCsrGet(oceanSpMatDescr_t spMatDescr,
                          int64_t *rows,
                          int64_t *cols,
                          int64_t *nnz,
                          void **csrRowOffsets,
                          void **csrColInd,
                          void **csrValues,
                          oceanIndexType_t *csrRowOffsetsType,
                          oceanIndexType_t *csrColIndType,
                          oceanIndexBase_t *idxBase,
                          oceanDataType_t *valueType) OCEAN_NOEXCEPT;

/**
 * As oceanCsrGet, for a matrix that is only read.
 *
 * @param[out] rows, cols, nnz, csrRowOffsets, csrColInd, csrValues, csrRowOffsetsType, csrColIndType, idxBase,
 *             valueType  host; all or none are written.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
 */
oceanStatus_t oceanConstCsrGet(oceanConstSpMatDescr_t spMatDescr,
                               int64_t *rows,
                               int64_t *cols,
                               int64_t *nnz,
                               const void **csrRowOffsets,
                               const void **csrColInd,
                               const void **csrValues,
                               oceanIndexType_t *csrRowOffsetsType,
                               oceanIndexType_t *csrColIndType,
                               oceanIndexBase_t *idxBase,
                               oceanDataType_t *valueType) OCEAN_NOEXCEPT;

/**
 * Points a descriptor to other arrays. Sizes and types stay; nnz too, which the arrays must have room for. Arrays
 * that oceanSpGEMM allocated go back to their allocator.
 *
 * @param[in] csrRowOffsets, csrColInd, csrValues  device; each may be NULL.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if spMatDescr is NULL or an array is not aligned to its elements.
 */
oceanStatus_t oceanCsrSetPointers(oceanSpMatDescr_t spMatDescr,
                                  void *csrRowOffsets,
                                  void *csrColInd,
                                  void *csrValues) OCEAN_NOEXCEPT;

/**
 * A matrix's sizes. Of C: nnz is what the last compute (or oceanSpGEMMreuse_nnz, or oceanSpGEMM) found.
 *
 * @param[out] rows, cols, nnz  host; all or none are written.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
 */
oceanStatus_t oceanSpMatGetSize(oceanConstSpMatDescr_t spMatDescr,
                                int64_t *rows,
                                int64_t *cols,
                                int64_t *nnz) OCEAN_NOEXCEPT;

/**
 * How a matrix is stored: OCEAN_FORMAT_CSR.
 *
 * @param[out] format  host; written only on success.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
 */
oceanStatus_t oceanSpMatGetFormat(oceanConstSpMatDescr_t spMatDescr,
                                  oceanFormat_t *format) OCEAN_NOEXCEPT;

/**
 * What a matrix's offsets and columns count from.
 *
 * @param[out] idxBase  host; written only on success.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
 */
oceanStatus_t oceanSpMatGetIndexBase(oceanConstSpMatDescr_t spMatDescr,
                                     oceanIndexBase_t *idxBase) OCEAN_NOEXCEPT;

/**
 * Where a matrix's values lie.
 *
 * @param[out] values  host; written only on success.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL.
 */
oceanStatus_t oceanSpMatGetValues(oceanSpMatDescr_t spMatDescr,
                                  void **values) OCEAN_NOEXCEPT;

/**
 * Points a descriptor to other values. A matrix whose arrays oceanSpGEMM allocated is refused.
 *
 * @param[in] values  device, nnz; may be NULL.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if spMatDescr is NULL or values is not aligned to its elements.
 */
oceanStatus_t oceanSpMatSetValues(oceanSpMatDescr_t spMatDescr,
                                  void *values) OCEAN_NOEXCEPT;

/**
 * Checks a whole matrix on its device, and waits for it. Cost: one pass over offsets and columns.
 *
 * @param[in] handle  where the matrix lies.
 * @param[in] mat     all arrays but the values must be there.
 * @param[in] level   how much is looked at.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a matrix that breaks a rule: oceanGetLastErrorString() names row,
 *         entry and numbers; NOT_SUPPORTED for 2^31 rows or columns.
 */
oceanStatus_t oceanSpMatCheck(oceanHandle_t handle,
                              oceanConstSpMatDescr_t mat,
                              oceanCheckLevel_t level) OCEAN_NOEXCEPT;

/**
 * Makes the state of one product. Needs no handle and no device.
 *
 * @param[out] descr  host. Ends with oceanSpGEMM_destroyDescr.
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
 */
oceanStatus_t oceanSpGEMM_createDescr(oceanSpGEMMDescr_t *descr) OCEAN_NOEXCEPT;

/**
 * Ends the state of one product; work that is queued already goes on.
 *
 * @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live descriptor.
 */
oceanStatus_t oceanSpGEMM_destroyDescr(oceanSpGEMMDescr_t descr) OCEAN_NOEXCEPT;

/**
 * First step: looks at the patterns of A and B, decides how to multiply them and gives every row of C its room.
 *
 * With externalBuffer1 NULL only *bufferSize1 is written, from the declared sizes alone; never 0. With a buffer
 * the step is done and waits for the device; may be repeated, also with another alg. Values are not read and may
 * be NULL; matC gives its shape. alpha, beta and computeType are checked and not read.
 * A factor under an operation is transposed into memory of the handle's allocator, which spgemmDescr keeps: 12 bytes an
 * entry and 8 a row of the transpose, and the values from the first compute on. Its rows have the entries in stored
 * order, row by row, which is the order of sums.
 * Values of A and B are of one type, or one is real and the other complex with such parts; C is complex then, and a copy of
 * the real values as complex ones is made likewise, by the first compute.
 * Cost: O(nnz(A) + nnz(B)), and counting or estimating the rows of C.
 *
 * @param[in]     handle           where to compute.
 * @param[in]     opA, opB         any; the same in all steps.
 * @param[in]     alpha, beta      one value of computeType each; not NULL.
 * @param[in]     matA, matB       op(A) is m x k and op(B) is k x n.
 * @param[in]     matC             m x n.
 * @param[in]     computeType      the type of C's values, or what 16-bit ones are computed in.
 * @param[in]     alg              any.
 * @param[in,out] spgemmDescr      keeps the result, and the buffer's address.
 * @param[in,out] bufferSize1      host; bytes. With a buffer it may be NULL or 0, which states no size.
 * @param[in]     externalBuffer1  device, or NULL; needed until the last compute; of any alignment.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, numbers that no enum has, shapes that do not fit, or
 *         offsets and columns that break the rules; NOT_SUPPORTED by name; INSUFFICIENT_RESOURCES for a short buffer.
 */
oceanStatus_t oceanSpGEMM_workEstimation(oceanHandle_t handle,
                                         oceanOperation_t opA,
                                         oceanOperation_t opB,
                                         const void *alpha,
                                         oceanConstSpMatDescr_t matA,
                                         oceanConstSpMatDescr_t matB,
                                         const void *beta,
                                         oceanSpMatDescr_t matC,
                                         oceanDataType_t computeType,
                                         oceanSpGEMMAlg_t alg,
                                         oceanSpGEMMDescr_t spgemmDescr,
                                         size_t *bufferSize1,
                                         void *externalBuffer1) OCEAN_NOEXCEPT;

/**
 * Whether such products are computed: types of values and indices, operations and algorithm. The same answer as that of
 * the first step, which refuses what is not by NOT_SUPPORTED. Does not touch the device.
 *
 * Only the types of matA, matB and matC are looked at, and sizes that 32-bit columns can't hold: they need no arrays, and
 * shapes may be any.
 *
 * @param[in]  handle, opA, opB, matA, matB, matC, computeType, alg  as for oceanSpGEMM_workEstimation.
 * @param[out] supported  host; 1 or 0, written only on success.
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE for NULLs and numbers that no enum has.
 */
oceanStatus_t oceanSpGEMM_isSupported(oceanHandle_t handle,
                                      oceanOperation_t opA,
                                      oceanOperation_t opB,
                                      oceanConstSpMatDescr_t matA,
                                      oceanConstSpMatDescr_t matB,
                                      oceanSpMatDescr_t matC,
                                      oceanDataType_t computeType,
                                      oceanSpGEMMAlg_t alg,
                                      int *supported) OCEAN_NOEXCEPT;

/**
 * Scalar products of A * B, exact in 64 bits. Does not touch the device.
 *
 * @param[in]  spgemmDescr  after oceanSpGEMM_workEstimation (or oceanSpGEMMreuse_workEstimation) with a buffer.
 * @param[out] num_prods    host; written only on success.
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE if a pointer is NULL or the step before is missing.
 */
oceanStatus_t oceanSpGEMM_getNumProducts(oceanSpGEMMDescr_t spgemmDescr,
                                         int64_t *num_prods) OCEAN_NOEXCEPT;

/**
 * For ALG2 and ALG3: says what compute needs, which compute with a NULL buffer says too.
 *
 * cuSPARSE holds a fraction of the products at a time. Here no product is held beyond its entry of C where rows are
 * counted; so a fraction below 1 has them counted, if they were only estimated, and compute's buffer is then as small as
 * C allows. oceanSpGEMM_setMemoryLimit goes below that.
 *
 * @param[in]     chunk_fraction   share of the products; any value from 1 on leaves the rows as they are.
 * @param[in,out] bufferSize3      host; bytes, written if externalBuffer3 is NULL; never 0.
 * @param[in]     externalBuffer3  device, or NULL; not used, and may be freed at once.
 * @param[out]    bufferSize2      host; bytes for compute, written if externalBuffer3 is not NULL.
 * @return as oceanSpGEMM_workEstimation; INVALID_VALUE if alg is neither ALG2 nor ALG3, or the step before is missing.
 */
oceanStatus_t oceanSpGEMM_estimateMemory(oceanHandle_t handle,
                                         oceanOperation_t opA,
                                         oceanOperation_t opB,
                                         const void *alpha,
                                         oceanConstSpMatDescr_t matA,
                                         oceanConstSpMatDescr_t matB,
                                         const void *beta,
                                         oceanSpMatDescr_t matC,
                                         oceanDataType_t computeType,
                                         oceanSpGEMMAlg_t alg,
                                         oceanSpGEMMDescr_t spgemmDescr,
                                         float chunk_fraction,
                                         size_t *bufferSize3,
                                         void *externalBuffer3,
                                         size_t *bufferSize2) OCEAN_NOEXCEPT;

/**
 * Second step: computes the product into the buffer and tells matC its nnz.
 *
 * With externalBuffer2 NULL only *bufferSize2 is written; never 0. With a buffer the step is done: it waits for the device
 * if rows were estimated or bounded, and once more for the first repeat; where oceanSpGEMM_workEstimation has counted them
 * (oceanSpGEMM_getPlan says "exact") it only queues work, and can be captured. C's arrays are not touched and may be NULL. It may be called again, with other values of A and B in
 * the same or other arrays and any buffer of that size: the patterns are taken to be those that
 * oceanSpGEMM_workEstimation saw, and only numbers are computed.
 * Cost: O(products). Rows that outgrow an estimate may take memory from the handle's allocator.
 *
 * @param[in]     handle           as before; stream and pointer mode may differ.
 * @param[in]     opA, opB, alpha, matA, matB, beta, matC, computeType, alg  as for oceanSpGEMM_workEstimation.
 * @param[in,out] spgemmDescr      keeps the result, and the buffer's address.
 * @param[in,out] bufferSize2      host; bytes: written in a query, else what externalBuffer2 has.
 * @param[in]     externalBuffer2  device, or NULL; needed until oceanSpGEMM_copy has run; of any alignment.
 * @return as oceanSpGEMM_workEstimation; INVALID_VALUE if the step before is missing, or patterns have changed: with the
 *         option check, on the host, and where rows were not counted; INSUFFICIENT_RESOURCES for a short buffer, after
 *         which it may be called again with a longer one; ALLOC_FAILED if the handle's allocator has no memory.
 */
oceanStatus_t oceanSpGEMM_compute(oceanHandle_t handle,
                                  oceanOperation_t opA,
                                  oceanOperation_t opB,
                                  const void *alpha,
                                  oceanConstSpMatDescr_t matA,
                                  oceanConstSpMatDescr_t matB,
                                  const void *beta,
                                  oceanSpMatDescr_t matC,
                                  oceanDataType_t computeType,
                                  oceanSpGEMMAlg_t alg,
                                  oceanSpGEMMDescr_t spgemmDescr,
                                  size_t *bufferSize2,
                                  void *externalBuffer2) OCEAN_NOEXCEPT;

/**
 * Last step: C = alpha * op(A) * op(B) + beta * C, entry by entry of the product's pattern, and C's offsets.
 *
 * Only queues work on the handle's stream (CUDA loads a kernel when it is first used in a process, and may wait
 * then). Reads neither A nor B nor the first buffer, but for oceanSpGEMM_setMemoryLimit. C's columns and offsets are written; with beta = 0 its values
 * are not read, else its p-th old value goes to the p-th entry of the product. May be repeated. Cost: O(nnz(C)).
 *
 * @param[in]     handle       as before; stream and pointer mode may differ.
 * @param[in]     alpha, beta  one value of computeType each, read now, in stream order in device pointer mode.
 * @param[in,out] matC         with arrays for the nnz that oceanSpMatGetSize tells.
 * @param[in]     opA, opB, matA, matB, computeType, alg, spgemmDescr  as for oceanSpGEMM_compute.
 * @return as oceanSpGEMM_compute; INVALID_VALUE if matC has NULL arrays or a smaller nnz;
 *         INSUFFICIENT_RESOURCES if C's row offsets can't count its entries.
 */
oceanStatus_t oceanSpGEMM_copy(oceanHandle_t handle,
                               oceanOperation_t opA,
                               oceanOperation_t opB,
                               const void *alpha,
                               oceanConstSpMatDescr_t matA,
                               oceanConstSpMatDescr_t matB,
                               const void *beta,
                               oceanSpMatDescr_t matC,
                               oceanDataType_t computeType,
                               oceanSpGEMMAlg_t alg,
                               oceanSpGEMMDescr_t spgemmDescr) OCEAN_NOEXCEPT;

/**
 * Sets what a product may take beyond A, B and C, before oceanSpGEMM_workEstimation asks for a size: both buffers
 * together with memory of the handle's allocator. The result has the same bits whatever is set.
 *
 * Under a limit rows are counted and never estimated. Where compute's buffer would be too large, the rows of op(A) are
 * multiplied a slice at a time, straight into C, by oceanSpGEMM_copy: compute's buffer is then of no size to speak of, and
 * **A, B and the first buffer must stay as they are until copy has run**; copy reads A's and B's values as they are then,
 * waits for the device a few times a slice, counts the rows again, and leaves C's arrays undefined if the patterns have
 * changed. oceanSpGEMM_getPlan tells how many slices there are.
 * oceanSpGEMMreuse_* takes no second copy of C, and pays no heed to the limit.
 *
 * @param[in] bytes  the limit; 0 for none, as at first. Below what a slice of one row needs, beside copies of A and B that
 *                   operations, 64-bit columns, 16-bit values or unsorted rows of B ask for, the steps end with
 *                   INSUFFICIENT_RESOURCES, and the message tells a limit that lets that step pass.
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
 */
oceanStatus_t oceanSpGEMM_setMemoryLimit(oceanSpGEMMDescr_t spgemmDescr,
                                         size_t bytes) OCEAN_NOEXCEPT;

/**
 * Sets how a product is computed, before oceanSpGEMM_workEstimation. The result has the same bits whatever is set.
 *
 * | name        | values                                | what it does                                            |
 * |-------------|---------------------------------------|---------------------------------------------------------|
 * | workflow    | auto, upper_bound, estimate, exact    | how rows of C get their room                            |
 * | registers   | auto, 16, 32, 64, 128                 | size of a HyperLogLog sketch                            |
 * | coefficient | auto, or a number above 0             | what estimates are multiplied by                        |
 * | accumulator | auto, hash, dense                     | how rows are summed                                     |
 * | ablation    | auto, v1, v2, v3, v4                  | the Ocean paper's versions; v4 is all, but by its table |
 * | sampling    | auto, or a number above 0, 1 at most  | share of the rows that is sampled                       |
 * | check       | off, full                             | check A and B in full, declared nnz included, at first  |
 * | profile     | off, on                               | time the calls for oceanSpGEMM_getProfile               |
 *
 * @param[in] name, value  text.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for a name or value that is not listed, which changes nothing.
 */
oceanStatus_t oceanSpGEMM_setOption(oceanSpGEMMDescr_t spgemmDescr,
                                    const char *name,
                                    const char *value) OCEAN_NOEXCEPT;

/**
 * What was found about A and B, what was decided, and why; after compute also what came of it.
 *
 * @param[in]     spgemmDescr  after oceanSpGEMM_workEstimation with a buffer.
 * @param[in]     format       lines for people, or one JSON object.
 * @param[out]    buffer       host, or NULL: then only *size is written.
 * @param[in,out] size         host; bytes with the NUL at the end.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs or a missing step; INSUFFICIENT_RESOURCES if *size is less
 *         than what is needed, which the message tells; nothing is written then.
 */
oceanStatus_t oceanSpGEMM_getPlan(oceanSpGEMMDescr_t spgemmDescr,
                                  oceanReportFormat_t format,
                                  char *buffer,
                                  size_t *size) OCEAN_NOEXCEPT;

/**
 * What the calls with a buffer have taken since oceanSpGEMM_workEstimation, and each of their steps: milliseconds in the
 * order of the stream, waits included. Asked for by the option profile; the last 64 calls. Waits until what it tells of is
 * done. Timing a call takes two events a step, and is not for streams under capture.
 *
 * @param[in]     spgemmDescr  with the option profile "on".
 * @param[in]     format       lines for people, or one JSON object: calls, each with call, ms and steps; steps with step,
 *                             times and ms.
 * @param[out]    buffer       host, or NULL: then only *size is written.
 * @param[in,out] size         host; bytes with the NUL at the end.
 * @return as oceanSpGEMM_getPlan; EXECUTION_FAILED if the device has failed.
 */
oceanStatus_t oceanSpGEMM_getProfile(oceanSpGEMMDescr_t spgemmDescr,
                                     oceanReportFormat_t format,
                                     char *buffer,
                                     size_t *size) OCEAN_NOEXCEPT;

/**
 * C = alpha * op(A) * op(B) + beta * D in one call, which allocates C's arrays with the handle's allocator, at their exact size.
 *
 * The arrays belong to matC: oceanCsrGet tells where they are, and they go back to the allocator by
 * oceanDestroySpMat, by oceanCsrSetPointers, or by the next oceanSpGEMM into matC, in stream order. Waits for the
 * device. Without values in A and B, C gets none either. Cost: O(products); no buffer as large as C is needed unless the
 * plan works with estimates or bounds.
 *
 * Every entry of the product and every entry of D is one of C, whatever beta is: alpha * sum + beta * d where both have
 * one, rounded as the type computes. D may be unsorted; its repeats are added one by one. That takes a sort of both, and
 * from the handle's allocator, for a while, 44 bytes and two values for each of their entries.
 *
 * @param[in]     handle       where to compute.
 * @param[in]     opA, opB     any; a factor is transposed into memory of the handle's allocator for the time of the call.
 * @param[in]     alpha        one value of computeType.
 * @param[in]     matA, matB   op(A) is m x k and op(B) is k x n, both with values or both without.
 * @param[in]     beta         one value of computeType; may be NULL while matD is NULL.
 * @param[in]     matD         m x n, of matC's type, with values if A and B have some; or NULL. May be matC.
 * @param[in,out] matC         m x n, with NULL arrays or those of an earlier call; on success its nnz and arrays are new.
 * @param[in]     computeType  the type of C's values, or what 16-bit ones are computed in.
 * @param[in]     alg          any.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, shapes that do not fit, broken matrices, or a matC with
 *         arrays of the caller; NOT_SUPPORTED by name; ALLOC_FAILED; INSUFFICIENT_RESOURCES if C's row offsets
 *         can't count its entries. On failure matC is as it was.
 */
oceanStatus_t oceanSpGEMM(oceanHandle_t handle,
                          oceanOperation_t opA,
                          oceanOperation_t opB,
                          const void *alpha,
                          oceanConstSpMatDescr_t matA,
                          oceanConstSpMatDescr_t matB,
                          const void *beta,
                          oceanConstSpMatDescr_t matD,
                          oceanSpMatDescr_t matC,
                          oceanDataType_t computeType,
                          oceanSpGEMMAlg_t alg) OCEAN_NOEXCEPT;

/**
 * First step of the reuse protocol: looks at the patterns of A and B.
 *
 * With externalBuffer1 NULL only *bufferSize1 is written; never 0. With a buffer the step is done and waits for the
 * device. Values are not read and may be NULL.
 *
 * @param[in]     handle, opA, opB, matA, matB, matC, alg  as for oceanSpGEMM_workEstimation.
 * @param[in,out] spgemmDescr      keeps the result, and the buffer's address.
 * @param[in,out] bufferSize1      host; bytes. With a buffer it may be NULL or 0, which states no size.
 * @param[in]     externalBuffer1  device, or NULL; needed until oceanSpGEMMreuse_nnz has run.
 * @return as oceanSpGEMM_workEstimation.
 */
oceanStatus_t oceanSpGEMMreuse_workEstimation(oceanHandle_t handle,
                                              oceanOperation_t opA,
                                              oceanOperation_t opB,
                                              oceanConstSpMatDescr_t matA,
                                              oceanConstSpMatDescr_t matB,
                                              oceanSpMatDescr_t matC,
                                              oceanSpGEMMAlg_t alg,
                                              oceanSpGEMMDescr_t spgemmDescr,
                                              size_t *bufferSize1,
                                              void *externalBuffer1) OCEAN_NOEXCEPT;

/**
 * Second step of the reuse protocol: counts C's entries and tells matC its nnz.
 *
 * With all three buffers NULL only the sizes are written; never 0. With all three the step is done and waits for
 * the device. C's arrays are not touched.
 *
 * @param[in]     handle, opA, opB, matA, matB, matC, alg  as before.
 * @param[in,out] spgemmDescr      keeps the result, and the buffers' addresses.
 * @param[in,out] bufferSize2      host; bytes.
 * @param[in]     externalBuffer2  device, or NULL; may be freed after this call.
 * @param[in,out] bufferSize3      host; bytes.
 * @param[in]     externalBuffer3  device, or NULL; may be freed after oceanSpGEMMreuse_copy.
 * @param[in,out] bufferSize4      host; bytes.
 * @param[in]     externalBuffer4  device, or NULL; needed until the last oceanSpGEMMreuse_compute.
 * @return as oceanSpGEMM_compute; INVALID_VALUE if some of the buffers are NULL and some are not.
 */
oceanStatus_t oceanSpGEMMreuse_nnz(oceanHandle_t handle,
                                   oceanOperation_t opA,
                                   oceanOperation_t opB,
                                   oceanConstSpMatDescr_t matA,
                                   oceanConstSpMatDescr_t matB,
                                   oceanSpMatDescr_t matC,
                                   oceanSpGEMMAlg_t alg,
                                   oceanSpGEMMDescr_t spgemmDescr,
                                   size_t *bufferSize2,
                                   void *externalBuffer2,
                                   size_t *bufferSize3,
                                   void *externalBuffer3,
                                   size_t *bufferSize4,
                                   void *externalBuffer4) OCEAN_NOEXCEPT;

/**
 * Third step of the reuse protocol: writes C's offsets and columns, not its values. May be repeated.
 *
 * With externalBuffer5 NULL only *bufferSize5 is written; never 0. With a buffer the step is done.
 *
 * @param[in]     handle, opA, opB, matA, matB, alg  as before.
 * @param[in,out] matC             with arrays for offsets and columns.
 * @param[in,out] spgemmDescr      as before.
 * @param[in,out] bufferSize5      host; bytes.
 * @param[in]     externalBuffer5  device, or NULL; keep it until the last oceanSpGEMMreuse_compute.
 * @return as oceanSpGEMM_copy.
 */
oceanStatus_t oceanSpGEMMreuse_copy(oceanHandle_t handle,
                                    oceanOperation_t opA,
                                    oceanOperation_t opB,
                                    oceanConstSpMatDescr_t matA,
                                    oceanConstSpMatDescr_t matB,
                                    oceanSpMatDescr_t matC,
                                    oceanSpGEMMAlg_t alg,
                                    oceanSpGEMMDescr_t spgemmDescr,
                                    size_t *bufferSize5,
                                    void *externalBuffer5) OCEAN_NOEXCEPT;

/**
 * Last step of the reuse protocol, any number of times: C's values = alpha * A * B + beta * C's values.
 *
 * Only queues work on the handle's stream (CUDA loads a kernel when it is first used in a process, and may wait
 * then). The patterns of A and B must be those of before; their arrays, and C's values, may be others. C's offsets
 * and columns are neither read nor written. Cost: O(products).
 *
 * @param[in]     handle, opA, opB, matA, matB, alg, spgemmDescr  as before.
 * @param[in]     alpha, beta  one value of computeType each, read now, in stream order in device pointer mode.
 * @param[in,out] matC         with its values.
 * @param[in]     computeType  the type of C's values, or what 16-bit ones are computed in.
 * @return as oceanSpGEMM_copy; INVALID_VALUE also if rows of the product have another length than was counted.
 */
oceanStatus_t oceanSpGEMMreuse_compute(oceanHandle_t handle,
                                       oceanOperation_t opA,
                                       oceanOperation_t opB,
                                       const void *alpha,
                                       oceanConstSpMatDescr_t matA,
                                       oceanConstSpMatDescr_t matB,
                                       const void *beta,
                                       oceanSpMatDescr_t matC,
                                       oceanDataType_t computeType,
                                       oceanSpGEMMAlg_t alg,
                                       oceanSpGEMMDescr_t spgemmDescr) OCEAN_NOEXCEPT;

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OCEAN_H */
