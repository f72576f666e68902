// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A stand-in for libcusparse.so.12: it keeps descriptors, counts calls and remembers what it was given, and computes
// nothing. Symbols have the version that the vendor's have (stand_in.map).
#include "stand_in.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Handle {
  cudaStream_t stream;
  cusparsePointerMode_t mode;
};

struct Matrix {
  cusparseFormat_t format;
  int64_t rows, cols, nnz;
  const void *offsets, *columns, *values;
  cusparseIndexType_t offset_type, column_type;
  cusparseIndexBase_t base;
  cudaDataType value_type;
  int batches, fill_mode;
  struct Matrix* next_free;
};

struct Product {
  int nothing;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// Destroyed ones come back first, so that a test can have the address of one again.
static struct Matrix* free_matrices;
static int live_matrices, live_products;
static Call last_call;
static struct {
  const char* name;
  int calls;
} tally[128];

static void count(const char* name) {
  pthread_mutex_lock(&lock);
  int i = 0;
  while (tally[i].name != NULL && strcmp(tally[i].name, name) != 0) i++;
  tally[i].name = name;
  tally[i].calls++;
  pthread_mutex_unlock(&lock);
}

#define COUNT() count(__func__)
#define REFUSE_IF(condition) \
  if (condition) return CUSPARSE_STATUS_INVALID_VALUE

int stand_in_calls(const char* name) {
  int calls = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; tally[i].name != NULL; i++) {
    if (strcmp(tally[i].name, name) == 0) calls = tally[i].calls;
  }
  pthread_mutex_unlock(&lock);
  return calls;
}

const Call* stand_in_last_call(void) { return &last_call; }
int stand_in_live_matrices(void) { return live_matrices; }
int stand_in_live_products(void) { return live_products; }

const char* cusparseGetErrorString(cusparseStatus_t status) { return status == 0 ? "success" : "an error"; }

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  *handle = calloc(1, sizeof **handle);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  COUNT();
  free(handle);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  REFUSE_IF(handle == NULL);
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  REFUSE_IF(handle == NULL);
  *stream = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  handle->mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  REFUSE_IF(handle == NULL);
  *mode = handle->mode;
  return CUSPARSE_STATUS_SUCCESS;
}

// --- matrices ---

static struct Matrix* new_matrix(struct Matrix contents) {
  pthread_mutex_lock(&lock);
  struct Matrix* matrix = free_matrices;
  if (matrix != NULL) {
    free_matrices = matrix->next_free;
  } else {
    matrix = malloc(sizeof *matrix);
  }
  live_matrices++;
  pthread_mutex_unlock(&lock);
  contents.batches = 1;
  contents.fill_mode = -1;
  *matrix = contents;
  return matrix;
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz, void* offsets,
                                   void* columns, void* values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t column_type, cusparseIndexBase_t base, cudaDataType value_type) {
  REFUSE_IF(matrix == NULL || rows < 0 || cols < 0 || nnz < 0);
  *matrix = new_matrix((struct Matrix){CUSPARSE_FORMAT_CSR, rows, cols, nnz, offsets, columns, values, offset_type,
                                       column_type, base, value_type, 0, 0, NULL});
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                        const void* offsets, const void* columns, const void* values,
                                        cusparseIndexType_t offset_type, cusparseIndexType_t column_type,
                                        cusparseIndexBase_t base, cudaDataType value_type) {
  REFUSE_IF(matrix == NULL || rows < 0 || cols < 0 || nnz < 0);
  *matrix = new_matrix((struct Matrix){CUSPARSE_FORMAT_CSR, rows, cols, nnz, offsets, columns, values, offset_type,
                                       column_type, base, value_type, 0, 0, NULL});
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void* row_indices, void* columns, void* values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType value_type) {
  *matrix = new_matrix((struct Matrix){CUSPARSE_FORMAT_COO, rows, cols, nnz, row_indices, columns, values, index_type,
                                       index_type, base, value_type, 0, 0, NULL});
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  COUNT();
  if (matrix == NULL) return CUSPARSE_STATUS_SUCCESS;
  pthread_mutex_lock(&lock);
  struct Matrix* freed = (struct Matrix*)(uintptr_t)matrix;
  freed->next_free = free_matrices;
  free_matrices = freed;
  live_matrices--;
  pthread_mutex_unlock(&lock);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz) {
  REFUSE_IF(matrix == NULL || rows == NULL || cols == NULL || nnz == NULL);
  *rows = matrix->rows;
  *cols = matrix->cols;
  *nnz = matrix->nnz;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetSizes(cusparseConstSpMatDescr_t matrix, cusparseSpMatSizes_t* sizes) {
  REFUSE_IF(matrix == NULL || sizes == NULL);
  *sizes = (cusparseSpMatSizes_t){matrix->format, {matrix->rows, matrix->cols, matrix->nnz}};
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format) {
  REFUSE_IF(matrix == NULL || format == NULL);
  *format = matrix->format;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* batches) {
  REFUSE_IF(matrix == NULL || batches == NULL);
  *batches = matrix->batches;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int batches, int64_t offsets_stride,
                                            int64_t entries_stride) {
  (void)offsets_stride;
  (void)entries_stride;
  REFUSE_IF(matrix == NULL);
  matrix->batches = batches;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  REFUSE_IF(matrix == NULL);
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes) {
  REFUSE_IF(matrix == NULL || attribute != CUSPARSE_SPMAT_FILL_MODE || data == NULL || bytes != sizeof(int));
  matrix->fill_mode = *(const int*)data;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                     const void** offsets, const void** columns, const void** values,
                                     cusparseIndexType_t* offset_type, cusparseIndexType_t* column_type,
                                     cusparseIndexBase_t* base, cudaDataType* value_type) {
  REFUSE_IF(matrix == NULL || matrix->format != CUSPARSE_FORMAT_CSR);
  *rows = matrix->rows;
  *cols = matrix->cols;
  *nnz = matrix->nnz;
  *offsets = matrix->offsets;
  *columns = matrix->columns;
  *values = matrix->values;
  *offset_type = matrix->offset_type;
  *column_type = matrix->column_type;
  *base = matrix->base;
  *value_type = matrix->value_type;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz, void** offsets,
                                void** columns, void** values, cusparseIndexType_t* offset_type,
                                cusparseIndexType_t* column_type, cusparseIndexBase_t* base, cudaDataType* value_type) {
  return cusparseConstCsrGet(matrix, rows, cols, nnz, (const void**)offsets, (const void**)columns,
                             (const void**)values, offset_type, column_type, base, value_type);
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* columns, void* values) {
  REFUSE_IF(matrix == NULL);
  matrix->offsets = offsets;
  matrix->columns = columns;
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

// --- products ---

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* product) {
  COUNT();
  REFUSE_IF(product == NULL);
  *product = calloc(1, sizeof **product);
  pthread_mutex_lock(&lock);
  live_products++;
  pthread_mutex_unlock(&lock);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t product) {
  COUNT();
  pthread_mutex_lock(&lock);
  live_products -= product != NULL;
  pthread_mutex_unlock(&lock);
  free(product);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t product, int64_t* products) {
  COUNT();
  REFUSE_IF(product == NULL || products == NULL);
  *products = STAND_IN_PRODUCTS;
  return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t step(const void* const* pointers, size_t* size, const void* buffer) {
  for (int i = 0; i < 5; i++) REFUSE_IF(pointers[i] == NULL);
  if (size != NULL && buffer == NULL) *size = STAND_IN_SIZE;
  return CUSPARSE_STATUS_SUCCESS;
}

#define STEP(size, buffer) step((const void* const[]){handle, a, b, c, product}, size, buffer)
#define UNUSED_PLAIN() ((void)op_a, (void)op_b, (void)alpha, (void)beta, (void)compute_type, (void)alg)
#define UNUSED_REUSE() ((void)op_a, (void)op_b, (void)alg)

cusparseStatus_t cusparseSpGEMM_workEstimation(PLAIN, size_t* size1, void* buffer1) {
  COUNT();
  UNUSED_PLAIN();
  return STEP(size1, buffer1);
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(PLAIN, float chunk_fraction, size_t* size3, void* buffer3,
                                               size_t* size2) {
  COUNT();
  UNUSED_PLAIN();
  REFUSE_IF(chunk_fraction != 0.25f);  // what the test gives: a float goes by another way than the rest
  if (size2 != NULL) *size2 = STAND_IN_SIZE;
  return STEP(size3, buffer3);
}

cusparseStatus_t cusparseSpGEMM_compute(PLAIN, size_t* size2, void* buffer2) {
  COUNT();
  UNUSED_PLAIN();
  if (buffer2 != NULL) c->nnz = STAND_IN_NNZ;
  return STEP(size2, buffer2);
}

cusparseStatus_t cusparseSpGEMM_copy(PLAIN) {
  COUNT();
  UNUSED_PLAIN();
  return STEP(NULL, NULL);
}

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(REUSE, size_t* size1, void* buffer1) {
  COUNT();
  UNUSED_REUSE();
  return STEP(size1, buffer1);
}

cusparseStatus_t cusparseSpGEMMreuse_nnz(REUSE, size_t* size2, void* buffer2, size_t* size3, void* buffer3,
                                         size_t* size4, void* buffer4) {
  COUNT();
  UNUSED_REUSE();
  if (buffer2 != NULL) c->nnz = STAND_IN_NNZ;
  STEP(size3, buffer3);
  STEP(size4, buffer4);
  return STEP(size2, buffer2);
}

cusparseStatus_t cusparseSpGEMMreuse_copy(REUSE, size_t* size5, void* buffer5) {
  COUNT();
  UNUSED_REUSE();
  return STEP(size5, buffer5);
}

cusparseStatus_t cusparseSpGEMMreuse_compute(PLAIN) {
  COUNT();
  UNUSED_PLAIN();
  return STEP(NULL, NULL);
}

// --- functions that take a sparse matrix ---

static cusparseStatus_t remember(const char* name, int count_of, int reads, int makes, const intptr_t* arguments) {
  count(name);
  last_call = (Call){name, {0}, {{0}}};
  for (int i = 0; i < count_of; i++) {
    last_call.arguments[i] = arguments[i];
    if (reads & AT(i)) {
      const struct Matrix* seen = (const struct Matrix*)arguments[i];
      last_call.matrices[i] =
          (Seen){seen->nnz, seen->offsets, seen->columns, seen->values, seen->fill_mode, seen->batches};
    }
    if (makes & AT(i)) ((struct Matrix*)arguments[i])->nnz = STAND_IN_NNZ;
  }
  return CUSPARSE_STATUS_SUCCESS;
}

#define V5 a0, a1, a2, a3, a4
#define V8 V5, a5, a6, a7
#define V9 V8, a8
#define V10 V9, a9
#define V11 V10, a10
#define V12 V11, a11
#define V16 V12, a12, a13, a14, a15
#define DEFINE(name, count, reads, makes) \
  cusparseStatus_t name(A##count) { return remember(#name, count, reads, makes, (const intptr_t[]){V##count}); }
CONSUMERS(DEFINE)
