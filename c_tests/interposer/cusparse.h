// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the tests of the interposer need of cuSPARSE's interface, where the vendor's header is not to be had: names,
// argument orders and numbers of version 12, and what stand_in.c tells about itself.
#ifndef CUSPARSE_H
#define CUSPARSE_H

#include <stddef.h>
#include <stdint.h>

typedef struct Handle* cusparseHandle_t;
typedef struct Matrix* cusparseSpMatDescr_t;
typedef const struct Matrix* cusparseConstSpMatDescr_t;
typedef struct Product* cusparseSpGEMMDescr_t;
typedef struct Stream* cudaStream_t;

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum { CUSPARSE_OPERATION_NON_TRANSPOSE = 0 } cusparseOperation_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum { CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_COO = 3 } cusparseFormat_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE = 0 } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_SPGEMM_DEFAULT = 0, CUSPARSE_SPGEMM_ALG2 = 4, CUSPARSE_SPGEMM_ALG3 = 5 } cusparseSpGEMMAlg_t;
typedef enum { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_8I = 3 } cudaDataType;

typedef struct {
  cusparseFormat_t format;
  int64_t numbers[8];
} cusparseSpMatSizes_t;

#ifdef __cplusplus
extern "C" {
#endif

const char* cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode);

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz, void* offsets,
                                   void* columns, void* values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t column_type, cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                        const void* offsets, const void* columns, const void* values,
                                        cusparseIndexType_t offset_type, cusparseIndexType_t column_type,
                                        cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void* row_indices, void* columns, void* values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz);
cusparseStatus_t cusparseSpMatGetSizes(cusparseConstSpMatDescr_t matrix, cusparseSpMatSizes_t* sizes);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format);
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets_stride,
                                            int64_t entries_stride);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz, void** offsets,
                                void** columns, void** values, cusparseIndexType_t* offset_type,
                                cusparseIndexType_t* column_type, cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                     const void** offsets, const void** columns, const void** values,
                                     cusparseIndexType_t* offset_type, cusparseIndexType_t* column_type,
                                     cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* columns, void* values);

// The arguments that the steps of a protocol share.
#define PLAIN                                                                                             \
  cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,         \
      cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c, \
      cudaDataType compute_type, cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t product
#define REUSE                                                                                               \
  cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, cusparseConstSpMatDescr_t a, \
      cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t product

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* product);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t product);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t product, int64_t* count);
cusparseStatus_t cusparseSpGEMM_workEstimation(PLAIN, size_t* size1, void* buffer1);
cusparseStatus_t cusparseSpGEMM_estimateMemory(PLAIN, float chunk_fraction, size_t* size3, void* buffer3,
                                               size_t* size2);
cusparseStatus_t cusparseSpGEMM_compute(PLAIN, size_t* size2, void* buffer2);
cusparseStatus_t cusparseSpGEMM_copy(PLAIN);
cusparseStatus_t cusparseSpGEMMreuse_workEstimation(REUSE, size_t* size1, void* buffer1);
cusparseStatus_t cusparseSpGEMMreuse_nnz(REUSE, size_t* size2, void* buffer2, size_t* size3, void* buffer3,
                                         size_t* size4, void* buffer4);
cusparseStatus_t cusparseSpGEMMreuse_copy(REUSE, size_t* size5, void* buffer5);
cusparseStatus_t cusparseSpGEMMreuse_compute(PLAIN);

#ifdef __cplusplus
}
#endif

#endif  // CUSPARSE_H
