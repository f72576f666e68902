// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The C ABI, written down a second time by hand: numbers of all enumerators, sizes of types, and the type of every
// function. Compiled as C99 to C17 and as C++11 to C++20; a change in ocean.h that programs could feel breaks the
// build here. Run, it looks at what only a program can see: every function is in the library.
#include <ocean.h>
#include <stdio.h>

#ifdef __cplusplus
#define LOCK(condition, name) static_assert(condition, name)
#else
// C99 has no _Static_assert: an array of size -1 does as well.
#define LOCK(condition, name) LOCK_LINE(condition, __LINE__)
#define LOCK_LINE(condition, line) LOCK_TYPE(condition, line)
#define LOCK_TYPE(condition, line) typedef char lock_of_line_##line[(condition) ? 1 : -1]
#endif
#define IS(enumerator, number) LOCK((int)(enumerator) == (number), #enumerator)

IS(OCEAN_STATUS_SUCCESS, 0);
IS(OCEAN_STATUS_NOT_INITIALIZED, 1);
IS(OCEAN_STATUS_ALLOC_FAILED, 2);
IS(OCEAN_STATUS_INVALID_VALUE, 3);
IS(OCEAN_STATUS_ARCH_MISMATCH, 4);
IS(OCEAN_STATUS_MAPPING_ERROR, 5);
IS(OCEAN_STATUS_EXECUTION_FAILED, 6);
IS(OCEAN_STATUS_INTERNAL_ERROR, 7);
IS(OCEAN_STATUS_MATRIX_TYPE_NOT_SUPPORTED, 8);
IS(OCEAN_STATUS_ZERO_PIVOT, 9);
IS(OCEAN_STATUS_NOT_SUPPORTED, 10);
IS(OCEAN_STATUS_INSUFFICIENT_RESOURCES, 11);

IS(OCEAN_POINTER_MODE_HOST, 0);
IS(OCEAN_POINTER_MODE_DEVICE, 1);

IS(OCEAN_OPERATION_NON_TRANSPOSE, 0);
IS(OCEAN_OPERATION_TRANSPOSE, 1);
IS(OCEAN_OPERATION_CONJUGATE_TRANSPOSE, 2);

IS(OCEAN_INDEX_BASE_ZERO, 0);
IS(OCEAN_INDEX_BASE_ONE, 1);

IS(OCEAN_INDEX_16U, 1);
IS(OCEAN_INDEX_32I, 2);
IS(OCEAN_INDEX_64I, 3);

IS(OCEAN_FORMAT_CSR, 1);
IS(OCEAN_FORMAT_CSC, 2);
IS(OCEAN_FORMAT_COO, 3);
IS(OCEAN_FORMAT_BLOCKED_ELL, 5);
IS(OCEAN_FORMAT_BSR, 6);
IS(OCEAN_FORMAT_SLICED_ELLPACK, 7);

IS(OCEAN_SPGEMM_DEFAULT, 0);
IS(OCEAN_SPGEMM_CSR_ALG_DETERMINITIC, 1);
IS(OCEAN_SPGEMM_CSR_ALG_DETERMINISTIC, 1);
IS(OCEAN_SPGEMM_CSR_ALG_NONDETERMINITIC, 2);
IS(OCEAN_SPGEMM_CSR_ALG_NONDETERMINISTIC, 2);
IS(OCEAN_SPGEMM_ALG1, 3);
IS(OCEAN_SPGEMM_ALG2, 4);
IS(OCEAN_SPGEMM_ALG3, 5);

IS(CUDA_R_32F, 0);
IS(CUDA_R_64F, 1);
IS(CUDA_R_16F, 2);
IS(CUDA_R_8I, 3);
IS(CUDA_C_32F, 4);
IS(CUDA_C_64F, 5);
IS(CUDA_C_16F, 6);
IS(CUDA_C_8I, 7);
IS(CUDA_R_8U, 8);
IS(CUDA_C_8U, 9);
IS(CUDA_R_32I, 10);
IS(CUDA_C_32I, 11);
IS(CUDA_R_32U, 12);
IS(CUDA_C_32U, 13);
IS(CUDA_R_16BF, 14);
IS(CUDA_C_16BF, 15);

IS(MAJOR_VERSION, 0);
IS(MINOR_VERSION, 1);
IS(PATCH_LEVEL, 2);

IS(OCEAN_BACKEND_AUTO, 0);
IS(OCEAN_BACKEND_CUDA, 1);
IS(OCEAN_BACKEND_HOST, 2);

IS(OCEAN_REPORT_TEXT, 0);
IS(OCEAN_REPORT_JSON, 1);

IS(OCEAN_CHECK_STRUCTURE, 0);
IS(OCEAN_CHECK_CANONICAL, 1);

// Enums travel as int, everything opaque as a pointer.
#define LIKE(type, other) LOCK(sizeof(type) == sizeof(other), #type)
LIKE(oceanStatus_t, int);
LIKE(oceanPointerMode_t, int);
LIKE(oceanOperation_t, int);
LIKE(oceanIndexBase_t, int);
LIKE(oceanIndexType_t, int);
LIKE(oceanFormat_t, int);
LIKE(oceanSpGEMMAlg_t, int);
LIKE(oceanDataType_t, int);
LIKE(oceanPropertyType_t, int);
LIKE(oceanBackend_t, int);
LIKE(oceanReportFormat_t, int);
LIKE(oceanCheckLevel_t, int);
LIKE(oceanHandle_t, void*);
LIKE(oceanSpMatDescr_t, void*);
LIKE(oceanConstSpMatDescr_t, void*);
LIKE(oceanSpGEMMDescr_t, void*);
LIKE(cudaStream_t, void*);

// The argument lists that several functions begin with.
#define LEADING                                                                                                   \
  oceanHandle_t, oceanOperation_t, oceanOperation_t, const void*, oceanConstSpMatDescr_t, oceanConstSpMatDescr_t, \
      const void*, oceanSpMatDescr_t, oceanDataType_t, oceanSpGEMMAlg_t, oceanSpGEMMDescr_t
#define REUSE_LEADING                                                                                \
  oceanHandle_t, oceanOperation_t, oceanOperation_t, oceanConstSpMatDescr_t, oceanConstSpMatDescr_t, \
      oceanSpMatDescr_t, oceanSpGEMMAlg_t, oceanSpGEMMDescr_t

typedef oceanStatus_t Status;

static const char* (*error_name)(Status) = oceanGetErrorName;
static const char* (*error_string)(Status) = oceanGetErrorString;
static const char* (*last_error_string)(void) = oceanGetLastErrorString;

static Status (*create)(oceanHandle_t*) = oceanCreate;
static Status (*create_with_backend)(oceanHandle_t*, oceanBackend_t) = oceanCreateWithBackend;
static Status (*destroy)(oceanHandle_t) = oceanDestroy;
static Status (*get_backend)(oceanHandle_t, oceanBackend_t*) = oceanGetBackend;
static Status (*set_stream)(oceanHandle_t, cudaStream_t) = oceanSetStream;
static Status (*get_stream)(oceanHandle_t, cudaStream_t*) = oceanGetStream;
static Status (*set_pointer_mode)(oceanHandle_t, oceanPointerMode_t) = oceanSetPointerMode;
static Status (*get_pointer_mode)(oceanHandle_t, oceanPointerMode_t*) = oceanGetPointerMode;
static Status (*get_version)(oceanHandle_t, int*) = oceanGetVersion;
static Status (*get_property)(oceanPropertyType_t, int*) = oceanGetProperty;
static void* (*alloc)(void*, size_t, cudaStream_t);
static void (*release)(void*, void*, size_t, cudaStream_t);
static oceanAllocFn_t* alloc_type = &alloc;
static oceanFreeFn_t* free_type = &release;
static Status (*set_allocator)(oceanHandle_t, oceanAllocFn_t, oceanFreeFn_t, void*) = oceanSetAllocator;

static Status (*create_csr)(oceanSpMatDescr_t*, int64_t, int64_t, int64_t, void*, void*, void*, oceanIndexType_t,
                            oceanIndexType_t, oceanIndexBase_t, oceanDataType_t) = oceanCreateCsr;
static Status (*create_const_csr)(oceanConstSpMatDescr_t*, int64_t, int64_t, int64_t, const void*, const void*,
                                  const void*, oceanIndexType_t, oceanIndexType_t, oceanIndexBase_t,
                                  oceanDataType_t) = oceanCreateConstCsr;
static Status (*csr_get)(oceanSpMatDescr_t, int64_t*, int64_t*, int64_t*, void**, void**, void**, oceanIndexType_t*,
                         oceanIndexType_t*, oceanIndexBase_t*, oceanDataType_t*) = oceanCsrGet;
static Status (*const_csr_get)(oceanConstSpMatDescr_t, int64_t*, int64_t*, int64_t*, const void**, const void**,
                               const void**, oceanIndexType_t*, oceanIndexType_t*, oceanIndexBase_t*,
                               oceanDataType_t*) = oceanConstCsrGet;
static Status (*csr_set_pointers)(oceanSpMatDescr_t, void*, void*, void*) = oceanCsrSetPointers;
static Status (*get_size)(oceanConstSpMatDescr_t, int64_t*, int64_t*, int64_t*) = oceanSpMatGetSize;
static Status (*get_format)(oceanConstSpMatDescr_t, oceanFormat_t*) = oceanSpMatGetFormat;
static Status (*get_index_base)(oceanConstSpMatDescr_t, oceanIndexBase_t*) = oceanSpMatGetIndexBase;
static Status (*get_values)(oceanSpMatDescr_t, void**) = oceanSpMatGetValues;
static Status (*set_values)(oceanSpMatDescr_t, void*) = oceanSpMatSetValues;
static Status (*destroy_spmat)(oceanConstSpMatDescr_t) = oceanDestroySpMat;
static Status (*check)(oceanHandle_t, oceanConstSpMatDescr_t, oceanCheckLevel_t) = oceanSpMatCheck;

static Status (*create_descr)(oceanSpGEMMDescr_t*) = oceanSpGEMM_createDescr;
static Status (*destroy_descr)(oceanSpGEMMDescr_t) = oceanSpGEMM_destroyDescr;
static Status (*work_estimation)(LEADING, size_t*, void*) = oceanSpGEMM_workEstimation;
static Status (*get_num_products)(oceanSpGEMMDescr_t, int64_t*) = oceanSpGEMM_getNumProducts;
static Status (*estimate_memory)(LEADING, float, size_t*, void*, size_t*) = oceanSpGEMM_estimateMemory;
static Status (*compute)(LEADING, size_t*, void*) = oceanSpGEMM_compute;
static Status (*copy)(LEADING) = oceanSpGEMM_copy;
static Status (*reuse_work_estimation)(REUSE_LEADING, size_t*, void*) = oceanSpGEMMreuse_workEstimation;
static Status (*reuse_nnz)(REUSE_LEADING, size_t*, void*, size_t*, void*, size_t*, void*) = oceanSpGEMMreuse_nnz;
static Status (*reuse_copy)(REUSE_LEADING, size_t*, void*) = oceanSpGEMMreuse_copy;
static Status (*reuse_compute)(LEADING) = oceanSpGEMMreuse_compute;
static Status (*multiply)(oceanHandle_t, oceanOperation_t, oceanOperation_t, const void*, oceanConstSpMatDescr_t,
                          oceanConstSpMatDescr_t, const void*, oceanConstSpMatDescr_t, oceanSpMatDescr_t,
                          oceanDataType_t, oceanSpGEMMAlg_t) = oceanSpGEMM;
static Status (*set_option)(oceanSpGEMMDescr_t, const char*, const char*) = oceanSpGEMM_setOption;
static Status (*get_plan)(oceanSpGEMMDescr_t, oceanReportFormat_t, char*, size_t*) = oceanSpGEMM_getPlan;

int main(void) {
  int found = error_name && error_string && last_error_string;
  found = found && create && create_with_backend && destroy && get_backend && set_stream && get_stream;
  found = found && set_pointer_mode && get_pointer_mode && get_version && get_property && set_allocator;
  found = found && create_csr && create_const_csr && csr_get && const_csr_get && csr_set_pointers && get_size;
  found = found && get_format && get_index_base && get_values && set_values && destroy_spmat && check;
  found = found && create_descr && destroy_descr && work_estimation && get_num_products && estimate_memory;
  found = found && compute && copy && reuse_work_estimation && reuse_nnz && reuse_copy && reuse_compute;
  found = found && multiply && set_option && get_plan;
  // A call through one of the pointers: right type and right calling convention.
  int major = -1;
  const int called = get_property(MAJOR_VERSION, &major) == OCEAN_STATUS_SUCCESS && major >= 0;
  const int typed = alloc_type == &alloc && free_type == &release;
  printf("the C ABI of ocean: %s\n", found && called && typed ? "as locked" : "FAILED");
  return found && called && typed ? 0 : 1;
}
