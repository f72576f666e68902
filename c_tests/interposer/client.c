// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A program that knows cuSPARSE alone, linked to the stand-in for it. Its one argument names what it does; it ends with
// 0 if all of that came out as it should. Arrays lie in host memory (OCEAN_BACKEND=host).
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stand_in.h"

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                      \
    }                                                                               \
  } while (0)
#define OK(call) CHECK((call) == CUSPARSE_STATUS_SUCCESS)

static const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE;
static const cusparseIndexType_t I32 = CUSPARSE_INDEX_32I;
static const cusparseIndexBase_t ZERO = CUSPARSE_INDEX_BASE_ZERO;

// A function of the stand-in itself, whoever stands before it.
static void* real_function(const char* name) {
  void* library = dlopen("libcusparse.so.12", RTLD_NOLOAD | RTLD_LAZY);
  CHECK(library != NULL);
  void* function = dlsym(library, name);
  CHECK(function != NULL);
  return function;
}

typedef cusparseStatus_t (*GetSize)(cusparseConstSpMatDescr_t, int64_t*, int64_t*, int64_t*);
typedef cusparseStatus_t (*DestroySpMat)(cusparseConstSpMatDescr_t);

static int64_t nnz_of(cusparseSpMatDescr_t matrix) {
  int64_t rows, cols, nnz;
  OK(cusparseSpMatGetSize(matrix, &rows, &cols, &nnz));
  return nnz;
}

static int64_t real_nnz_of(cusparseSpMatDescr_t matrix) {
  GetSize get_size;
  *(void**)&get_size = real_function("cusparseSpMatGetSize");
  int64_t rows, cols, nnz;
  OK(get_size(matrix, &rows, &cols, &nnz));
  return nnz;
}

// How often the stand-in itself took a step of a product.
static int real_steps(void) {
  static const char* const names[] = {"cusparseSpGEMM_workEstimation",
                                      "cusparseSpGEMM_estimateMemory",
                                      "cusparseSpGEMM_compute",
                                      "cusparseSpGEMM_copy",
                                      "cusparseSpGEMMreuse_nnz",
                                      "cusparseSpGEMMreuse_copy",
                                      "cusparseSpGEMMreuse_workEstimation",
                                      "cusparseSpGEMMreuse_compute",
                                      "cusparseSpGEMM_getNumProducts"};
  int steps = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) steps += stand_in_calls(names[i]);
  return steps;
}

// --- one small product: A = 1, B = [1 2; 0 3] ---

static int A_OFFSETS[] = {0, 1, 2}, A_COLUMNS[] = {0, 1};
static int B_OFFSETS[] = {0, 2, 3}, B_COLUMNS[] = {0, 1, 1};
static float A_FLOATS[] = {1, 1}, B_FLOATS[] = {1, 2, 3};
static double A_DOUBLES[] = {1, 1}, B_DOUBLES[] = {1, 2, 3};
static char A_BYTES[] = {1, 1}, B_BYTES[] = {1, 2, 3};
enum { C_NNZ = 3, PRODUCTS = 3 };

typedef struct {
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a, b, c;
  cusparseSpGEMMDescr_t product;
  cudaDataType type;
  int offsets[3], columns[8];
  union {
    float floats[8];
    double doubles[8];
  } values;
  double scalars[2];
  void *buffer1, *buffer2, *buffer4;
} Problem;

static void csr(cusparseSpMatDescr_t* matrix, int64_t nnz, int* offsets, int* columns, void* values,
                cudaDataType type) {
  OK(cusparseCreateCsr(matrix, 2, 2, nnz, offsets, columns, values, I32, I32, ZERO, type));
}

static void set_scalars(Problem* p, double alpha, double beta) {
  if (p->type == CUDA_R_64F) {
    p->scalars[0] = alpha;
    p->scalars[1] = beta;
  } else {
    const float floats[] = {(float)alpha, (float)beta};
    memcpy(&p->scalars[0], &floats[0], sizeof floats[0]);
    memcpy(&p->scalars[1], &floats[1], sizeof floats[1]);
  }
}

static void open_problem(Problem* p, cudaDataType type) {
  *p = (Problem){.type = type};
  OK(cusparseCreate(&p->handle));
  csr(&p->a, 2, A_OFFSETS, A_COLUMNS,
      type == CUDA_R_32F   ? (void*)A_FLOATS
      : type == CUDA_R_64F ? (void*)A_DOUBLES
                           : (void*)A_BYTES,
      type);
  csr(&p->b, 3, B_OFFSETS, B_COLUMNS,
      type == CUDA_R_32F   ? (void*)B_FLOATS
      : type == CUDA_R_64F ? (void*)B_DOUBLES
                           : (void*)B_BYTES,
      type);
  csr(&p->c, 0, NULL, NULL, NULL, type);
  OK(cusparseSpGEMM_createDescr(&p->product));
  set_scalars(p, 1, 0);
}

static void close_problem(Problem* p) {
  OK(cusparseSpGEMM_destroyDescr(p->product));
  OK(cusparseDestroySpMat(p->a));
  OK(cusparseDestroySpMat(p->b));
  OK(cusparseDestroySpMat(p->c));
  OK(cusparseDestroy(p->handle));
  free(p->buffer1);
  free(p->buffer2);
  free(p->buffer4);
  CHECK(stand_in_live_products() == 0);
}

#define PLAIN_OF(p, alg) \
  (p)->handle, N, N, &(p)->scalars[0], (p)->a, (p)->b, &(p)->scalars[1], (p)->c, (p)->type, alg, (p)->product
#define REUSE_OF(p) (p)->handle, N, N, (p)->a, (p)->b, (p)->c, CUSPARSE_SPGEMM_DEFAULT, (p)->product

static void* room(size_t size) {
  CHECK(size > 0);
  void* buffer = malloc(size);
  CHECK(buffer != NULL);
  return buffer;
}

static void compute(Problem* p, cusparseSpGEMMAlg_t alg) {
  size_t size1 = 0, size2 = 0;
  OK(cusparseSpGEMM_workEstimation(PLAIN_OF(p, alg), &size1, NULL));
  p->buffer1 = room(size1);
  OK(cusparseSpGEMM_workEstimation(PLAIN_OF(p, alg), &size1, p->buffer1));
  OK(cusparseSpGEMM_compute(PLAIN_OF(p, alg), &size2, NULL));
  p->buffer2 = room(size2);
  OK(cusparseSpGEMM_compute(PLAIN_OF(p, alg), &size2, p->buffer2));
}

static void give_arrays(Problem* p) { OK(cusparseCsrSetPointers(p->c, p->offsets, p->columns, &p->values)); }

static void check_arrays(const Problem* p, double factor) {
  CHECK(memcmp(p->offsets, B_OFFSETS, sizeof B_OFFSETS) == 0);
  CHECK(memcmp(p->columns, B_COLUMNS, sizeof B_COLUMNS) == 0);
  for (int i = 0; i < C_NNZ; i++) {
    CHECK((p->type == CUDA_R_32F ? p->values.floats[i] : p->values.doubles[i]) == factor * (double)B_FLOATS[i]);
  }
}

static void multiply(Problem* p) {
  compute(p, CUSPARSE_SPGEMM_DEFAULT);
  give_arrays(p);
  OK(cusparseSpGEMM_copy(PLAIN_OF(p, CUSPARSE_SPGEMM_DEFAULT)));
}

// --- what ocean serves ---

static void plain(void) {
  for (int round = 0; round < 2; round++) {
    Problem p;
    open_problem(&p, round == 0 ? CUDA_R_32F : CUDA_R_64F);
    compute(&p, CUSPARSE_SPGEMM_DEFAULT);
    CHECK(nnz_of(p.c) == C_NNZ && real_nnz_of(p.c) == 0);
    int64_t count = 0;
    OK(cusparseSpGEMM_getNumProducts(p.product, &count));
    CHECK(count == PRODUCTS);
    give_arrays(&p);
    for (int i = 0; i < C_NNZ; i++) {
      if (round == 0) p.values.floats[i] = 10 * (float)(i + 1);
      if (round == 1) p.values.doubles[i] = 10 * (i + 1);
    }
    // The scalars of the last step count, and beta adds by position.
    set_scalars(&p, 2, 0.5);
    OK(cusparseSpGEMM_copy(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT)));
    check_arrays(&p, 7);
    // Once more with what is there: compute and copy alone.
    set_scalars(&p, 1, 0);
    size_t size2 = (size_t)1 << 20;
    free(p.buffer2);
    p.buffer2 = room(size2);
    OK(cusparseSpGEMM_compute(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size2, p.buffer2));
    OK(cusparseSpGEMM_copy(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT)));
    check_arrays(&p, 1);
    close_problem(&p);
  }
  CHECK(real_steps() == 0 && stand_in_live_matrices() == 0);
}

static void getters(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  multiply(&p);
  int64_t rows = 0, cols = 0, nnz = 0;
  void *offsets, *columns, *values;
  const void *const_offsets, *const_columns, *const_values;
  cusparseIndexType_t offset_type, column_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  OK(cusparseCsrGet(p.c, &rows, &cols, &nnz, &offsets, &columns, &values, &offset_type, &column_type, &base, &type));
  CHECK(rows == 2 && cols == 2 && nnz == C_NNZ && offsets == p.offsets && columns == p.columns && values == &p.values);
  nnz = 0;
  OK(cusparseConstCsrGet(p.c, &rows, &cols, &nnz, &const_offsets, &const_columns, &const_values, &offset_type,
                         &column_type, &base, &type));
  CHECK(nnz == C_NNZ && const_values == &p.values && type == CUDA_R_32F && base == ZERO && offset_type == I32);
  cusparseSpMatSizes_t sizes;
  OK(cusparseSpMatGetSizes(p.c, &sizes));
  CHECK(sizes.numbers[0] == 2 && sizes.numbers[1] == 2 && sizes.numbers[2] == C_NNZ);
  OK(cusparseSpMatGetSizes(p.b, &sizes));
  CHECK(sizes.numbers[2] == 3);
  CHECK(cusparseSpMatGetSize(p.c, &rows, &cols, NULL) == CUSPARSE_STATUS_INVALID_VALUE);
  close_problem(&p);
}

static void reuse(void) {
  Problem p;
  open_problem(&p, CUDA_R_64F);
  size_t size1 = 0, size2 = 0, size3 = 0, size4 = 0, size5 = 0;
  OK(cusparseSpGEMMreuse_workEstimation(REUSE_OF(&p), &size1, NULL));
  p.buffer1 = room(size1);
  OK(cusparseSpGEMMreuse_workEstimation(REUSE_OF(&p), &size1, p.buffer1));
  OK(cusparseSpGEMMreuse_nnz(REUSE_OF(&p), &size2, NULL, &size3, NULL, &size4, NULL));
  void *buffer2 = room(size2), *buffer3 = room(size3);
  p.buffer4 = room(size4);
  OK(cusparseSpGEMMreuse_nnz(REUSE_OF(&p), &size2, buffer2, &size3, buffer3, &size4, p.buffer4));
  CHECK(nnz_of(p.c) == C_NNZ && real_nnz_of(p.c) == 0);
  give_arrays(&p);
  OK(cusparseSpGEMMreuse_copy(REUSE_OF(&p), &size5, NULL));
  void* buffer5 = room(size5);
  OK(cusparseSpGEMMreuse_copy(REUSE_OF(&p), &size5, buffer5));
  free(buffer2);
  free(buffer3);
  for (int round = 1; round < 3; round++) {
    set_scalars(&p, round, 0);
    OK(cusparseSpGEMMreuse_compute(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT)));
    check_arrays(&p, round);
  }
  free(buffer5);
  close_problem(&p);
  CHECK(real_steps() == 0);
}

// C serves as a factor of the next product, whose descriptor then takes another product in turn.
static void chained(void) {
  Problem p, q;
  open_problem(&p, CUDA_R_32F);
  multiply(&p);
  open_problem(&q, CUDA_R_32F);
  const cusparseSpMatDescr_t b = q.b;
  q.b = p.c;
  multiply(&q);
  check_arrays(&q, 1);
  q.b = b;
  close_problem(&q);
  close_problem(&p);
  CHECK(real_steps() == 0 && stand_in_live_matrices() == 0);
}

// A program that never calls estimateMemory for ALG2 gets its product; cuSPARSE leaves C empty.
static void alg2_without_estimate(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  compute(&p, CUSPARSE_SPGEMM_ALG2);
  CHECK(nnz_of(p.c) == C_NNZ);
  close_problem(&p);
}

static void empty(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  OK(cusparseDestroySpMat(p.a));
  int none[] = {0, 0, 0};
  csr(&p.a, 0, none, NULL, NULL, CUDA_R_32F);
  size_t size = 0;
  OK(cusparseSpGEMM_workEstimation(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size, NULL));
  OK(cusparseSpGEMM_workEstimation(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size, NULL));
  OK(cusparseSpGEMM_compute(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size, NULL));
  OK(cusparseSpGEMM_compute(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size, NULL));
  CHECK(nnz_of(p.c) == 0);
  memset(p.offsets, 0x55, sizeof p.offsets);
  OK(cusparseCsrSetPointers(p.c, p.offsets, NULL, NULL));
  OK(cusparseSpGEMM_copy(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT)));
  CHECK(memcmp(p.offsets, none, sizeof none) == 0);
  close_problem(&p);
  CHECK(real_steps() == 0);
}

static void order(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  size_t size = 0;
  int64_t count;
  const cusparseStatus_t invalid = CUSPARSE_STATUS_INVALID_VALUE;
  CHECK(cusparseSpGEMM_compute(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size, NULL) == invalid);
  CHECK(cusparseSpGEMM_copy(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT)) == invalid);
  CHECK(cusparseSpGEMMreuse_copy(REUSE_OF(&p), &size, NULL) == invalid);
  CHECK(cusparseSpGEMM_getNumProducts(p.product, &count) == invalid);
  compute(&p, CUSPARSE_SPGEMM_DEFAULT);
  CHECK(cusparseSpGEMMreuse_copy(REUSE_OF(&p), &size, NULL) == invalid);
  // What is wrong with arguments is for the real library to say, and changes nothing.
  CHECK(cusparseSpGEMM_createDescr(NULL) == invalid);
  OK(cusparseSpGEMM_destroyDescr(NULL));
  const cusparseSpMatDescr_t a = p.a;
  p.a = NULL;
  CHECK(cusparseSpGEMM_workEstimation(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size, NULL) == invalid);
  CHECK(stand_in_calls("cusparseSpGEMM_workEstimation") == 1);
  p.a = a;
  const cusparseSpGEMMDescr_t product = p.product;
  p.product = NULL;
  CHECK(cusparseSpGEMM_compute(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size, NULL) == invalid);
  p.product = product;
  give_arrays(&p);
  OK(cusparseSpGEMM_copy(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT)));
  check_arrays(&p, 1);
  close_problem(&p);
}

// A first buffer that no query has sized: the real library's, unless it is long enough for ocean.
static void unasked_buffer(void) {
  for (int round = 0; round < 2; round++) {
    Problem p;
    open_problem(&p, CUDA_R_32F);
    size_t size = round == 0 ? 1 : (size_t)1 << 20;
    p.buffer1 = room((size_t)1 << 20);
    OK(cusparseSpGEMM_workEstimation(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size, p.buffer1));
    int64_t count;
    OK(cusparseSpGEMM_getNumProducts(p.product, &count));
    CHECK(count == (round == 0 ? STAND_IN_PRODUCTS : PRODUCTS));
    close_problem(&p);
  }
}

// --- what the real library does with ocean's products ---

#define ARGUMENTS_5 n[0], n[1], n[2], n[3], n[4]
#define ARGUMENTS_8 ARGUMENTS_5, n[5], n[6], n[7]
#define ARGUMENTS_9 ARGUMENTS_8, n[8]
#define ARGUMENTS_10 ARGUMENTS_9, n[9]
#define ARGUMENTS_11 ARGUMENTS_10, n[10]
#define ARGUMENTS_12 ARGUMENTS_11, n[11]
#define ARGUMENTS_16 ARGUMENTS_12, n[12], n[13], n[14], n[15]

static void check_call(const char* name, int count, int reads, int makes, const intptr_t* given, const Problem* p) {
  const Call* call = stand_in_last_call();
  CHECK(strcmp(call->name, name) == 0);
  for (int i = 0; i < count; i++) {
    const Seen* seen = &call->matrices[i];
    if (reads & AT(i)) {
      CHECK(seen->nnz == C_NNZ && seen->offsets == p->offsets && seen->columns == p->columns);
      CHECK(seen->values == &p->values && seen->fill_mode == -1 && seen->batches == 1);
    } else if (makes & AT(i)) {
      CHECK(call->arguments[i] == given[i]);
    } else {
      CHECK((int32_t)call->arguments[i] == (int32_t)given[i]);
    }
  }
}

static void consumers(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  multiply(&p);
#define CONSUME(name, count, reads, makes)                                                    \
  {                                                                                           \
    Problem made;                                                                             \
    open_problem(&made, CUDA_R_32F);                                                          \
    multiply(&made);                                                                          \
    intptr_t n[MOST_ARGUMENTS];                                                               \
    for (int i = 0; i < count; i++) {                                                         \
      n[i] = (reads) & AT(i) ? (intptr_t)p.c : (makes) & AT(i) ? (intptr_t)made.c : 1000 + i; \
    }                                                                                         \
    OK(name(ARGUMENTS_##count));                                                              \
    check_call(#name, count, reads, makes, n, &p);                                            \
    CHECK(nnz_of(made.c) == ((makes) != 0 ? STAND_IN_NNZ : C_NNZ));                           \
    close_problem(&made);                                                                     \
  }
  CONSUMERS(CONSUME)
  close_problem(&p);
  CHECK(stand_in_live_matrices() == 0);
}

// What is set on a product's descriptor holds for what the real library reads in its place.
static void shadows(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  const int upper = 1;
  OK(cusparseSpMatSetAttribute(p.b, CUSPARSE_SPMAT_FILL_MODE, (void*)&upper, sizeof upper));
  OK(cusparseDestroySpMat(p.b));  // and with it the attribute, which bars no product of a matrix at its address
  csr(&p.b, 3, B_OFFSETS, B_COLUMNS, B_FLOATS, CUDA_R_32F);
  multiply(&p);
  CHECK(nnz_of(p.c) == C_NNZ);
#define SPMV() OK(cusparseSpMV(1, 0, 2, (intptr_t)p.c, 4, 5, 6, 7, 8, 9))
#define SEEN() (stand_in_last_call()->matrices[3])
  OK(cusparseSpMatSetAttribute(p.c, CUSPARSE_SPMAT_FILL_MODE, (void*)&upper, sizeof upper));
  SPMV();
  CHECK(SEEN().nnz == C_NNZ && SEEN().fill_mode == 1 && SEEN().values == &p.values);
  const intptr_t first = stand_in_last_call()->arguments[3];
  CHECK(first != (intptr_t)p.c);

  float others[C_NNZ];
  OK(cusparseSpMatSetValues(p.c, others));
  SPMV();
  CHECK(SEEN().values == others && SEEN().offsets == p.offsets);
  OK(cusparseCsrSetPointers(p.c, B_OFFSETS, B_COLUMNS, B_FLOATS));
  SPMV();
  CHECK(SEEN().values == B_FLOATS && SEEN().offsets == B_OFFSETS && SEEN().columns == B_COLUMNS);
  const int lower = 0;
  OK(cusparseSpMatSetAttribute(p.c, CUSPARSE_SPMAT_FILL_MODE, (void*)&lower, sizeof lower));
  OK(cusparseCsrSetStridedBatch(p.c, 2, 0, 0));
  SPMV();
  CHECK(SEEN().fill_mode == 0 && SEEN().batches == 2);
  // Solvers remember descriptors between calls.
  CHECK(stand_in_last_call()->arguments[3] == first);
  // A matrix that the real library knows in full goes as it is.
  OK(cusparseSpMV(1, 0, 2, (intptr_t)p.b, 4, 5, 6, 7, 8, 9));
  CHECK(stand_in_last_call()->arguments[3] == (intptr_t)p.b);
  close_problem(&p);
  CHECK(stand_in_live_matrices() == 0);
}

// A descriptor that was destroyed past the interposer, and whose address a new one has.
static void stale(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  multiply(&p);
  DestroySpMat destroy;
  *(void**)&destroy = real_function("cusparseDestroySpMat");
  const cusparseSpMatDescr_t old = p.c;
  OK(destroy(old));
  csr(&p.c, 2, A_OFFSETS, A_COLUMNS, A_FLOATS, CUDA_R_32F);
  CHECK(p.c == old && nnz_of(p.c) == 2);
  OK(destroy(old));
  cusparseConstSpMatDescr_t again;
  OK(cusparseCreateConstCsr(&again, 2, 2, 1, B_OFFSETS, B_COLUMNS, B_FLOATS, I32, I32, ZERO, CUDA_R_32F));
  CHECK(again == old && nnz_of(p.c) == 1);
  close_problem(&p);
}

// --- what goes to the real library ---

// All steps of a product that ocean leaves alone, by the real library's descriptor.
static void check_left(Problem* p) {
  size_t size1 = 0, size2 = 0, size3 = 0;
  OK(cusparseSpGEMM_workEstimation(PLAIN_OF(p, CUSPARSE_SPGEMM_ALG3), &size1, NULL));
  CHECK(size1 == STAND_IN_SIZE);
  char buffer[STAND_IN_SIZE];
  OK(cusparseSpGEMM_workEstimation(PLAIN_OF(p, CUSPARSE_SPGEMM_ALG3), &size1, buffer));
  int64_t count;
  OK(cusparseSpGEMM_getNumProducts(p->product, &count));
  CHECK(count == STAND_IN_PRODUCTS);
  OK(cusparseSpGEMM_estimateMemory(PLAIN_OF(p, CUSPARSE_SPGEMM_ALG3), 0.25f, &size3, buffer, &size2));
  CHECK(size2 == STAND_IN_SIZE);
  OK(cusparseSpGEMM_compute(PLAIN_OF(p, CUSPARSE_SPGEMM_ALG3), &size2, buffer));
  CHECK(nnz_of(p->c) == STAND_IN_NNZ);
  OK(cusparseSpGEMM_copy(PLAIN_OF(p, CUSPARSE_SPGEMM_ALG3)));
  CHECK(real_steps() == 6 && stand_in_live_products() == 1);
}

static void left_for_type(void) {
  Problem p;
  open_problem(&p, CUDA_R_8I);
  check_left(&p);
  close_problem(&p);
  CHECK(stand_in_live_matrices() == 0);
}

static void left_for_format(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  OK(cusparseDestroySpMat(p.a));
  OK(cusparseCreateCoo(&p.a, 2, 2, 2, A_COLUMNS, A_COLUMNS, A_FLOATS, I32, ZERO, CUDA_R_32F));
  check_left(&p);
  close_problem(&p);
}

static void left_for_batch(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  OK(cusparseCsrSetStridedBatch(p.b, 2, 0, 0));
  check_left(&p);
  close_problem(&p);
}

static void left_for_attribute(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  const int lower = 0;  // as a fresh matrix answers, too
  OK(cusparseSpMatSetAttribute(p.a, CUSPARSE_SPMAT_FILL_MODE, (void*)&lower, sizeof lower));
  check_left(&p);
  close_problem(&p);
}

static void left_reuse(void) {
  Problem p;
  open_problem(&p, CUDA_R_8I);
  size_t size1 = 0, size2 = 0, size3 = 0, size4 = 0, size5 = 0;
  char buffer[STAND_IN_SIZE];
  OK(cusparseSpGEMMreuse_workEstimation(REUSE_OF(&p), &size1, NULL));
  OK(cusparseSpGEMMreuse_workEstimation(REUSE_OF(&p), &size1, buffer));
  OK(cusparseSpGEMMreuse_nnz(REUSE_OF(&p), &size2, NULL, &size3, NULL, &size4, NULL));
  CHECK(size1 == STAND_IN_SIZE && size2 == STAND_IN_SIZE && size3 == STAND_IN_SIZE && size4 == STAND_IN_SIZE);
  OK(cusparseSpGEMMreuse_nnz(REUSE_OF(&p), &size2, buffer, &size3, buffer, &size4, buffer));
  CHECK(nnz_of(p.c) == STAND_IN_NNZ);
  OK(cusparseSpGEMMreuse_copy(REUSE_OF(&p), &size5, buffer));
  OK(cusparseSpGEMMreuse_compute(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT)));
  CHECK(real_steps() == 6);
  close_problem(&p);
}

// A product of ocean's is a factor of one that is left to the real library, and takes that one's result afterwards.
static void left_with_product(void) {
  Problem p, q;
  open_problem(&p, CUDA_R_32F);
  multiply(&p);
  open_problem(&q, CUDA_R_32F);
  OK(cusparseCsrSetStridedBatch(q.a, 2, 0, 0));
  const cusparseSpMatDescr_t c = q.c;
  q.c = p.c;
  check_left(&q);
  CHECK(nnz_of(p.c) == STAND_IN_NNZ && real_nnz_of(p.c) == STAND_IN_NNZ);
  q.c = c;
  close_problem(&q);
  close_problem(&p);
}

// Nothing of ocean's is there: every call reaches the real library, with its own descriptors.
static void disabled(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  CHECK(stand_in_live_products() == 1);
  check_left(&p);
  close_problem(&p);
  CHECK(dlopen("libocean.so.0", RTLD_NOLOAD | RTLD_LAZY) == NULL);
}

static void without_ocean(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  check_left(&p);
  close_problem(&p);
}

// --- how ocean's handle is used, as its own stand-in tells (stand_in_ocean.c) ---

static intptr_t ocean_says(const char* name) {
  void* library = dlopen("libocean.so.0", RTLD_NOLOAD | RTLD_LAZY);
  CHECK(library != NULL);
  intptr_t (*function)(void);
  *(void**)&function = dlsym(library, name);
  CHECK(function != NULL);
  return function();
}

static void following(void) {
  Problem p;
  open_problem(&p, CUDA_R_32F);
  size_t size = 0;
  OK(cusparseSpGEMM_workEstimation(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size, NULL));
  CHECK((int)ocean_says("stand_in_ocean_backend") == 1);  // CUDA, and never whatever is there
  CHECK(ocean_says("stand_in_ocean_stream") == 0 && (int)ocean_says("stand_in_ocean_pointer_mode") == 0);
  // Each call takes them as they are then.
  OK(cusparseSetStream(p.handle, (cudaStream_t)0x5eed));
  OK(cusparseSetPointerMode(p.handle, CUSPARSE_POINTER_MODE_DEVICE));
  p.buffer1 = room(size);
  OK(cusparseSpGEMM_workEstimation(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size, p.buffer1));
  CHECK(ocean_says("stand_in_ocean_stream") == 0x5eed && (int)ocean_says("stand_in_ocean_pointer_mode") == 1);
  // What a step of ocean's answers is what the program gets.
  CHECK(cusparseSpGEMM_compute(PLAIN_OF(&p, CUSPARSE_SPGEMM_DEFAULT), &size, NULL) == CUSPARSE_STATUS_NOT_SUPPORTED);
  CHECK((int)ocean_says("stand_in_ocean_live_handles") == 1);
  close_problem(&p);
  CHECK((int)ocean_says("stand_in_ocean_live_handles") == 0 && real_steps() == 0);
}

// --- many at once ---

static void* worker(void* argument) {
  (void)argument;
  for (int i = 0; i < 200; i++) {
    Problem p;
    p = (Problem){0};
    open_problem(&p, i % 2 == 0 ? CUDA_R_32F : CUDA_R_64F);
    multiply(&p);
    check_arrays(&p, 1);
    CHECK(nnz_of(p.c) == C_NNZ);
    OK(cusparseSpMV(1, 0, 2, (intptr_t)p.c, 4, 5, 6, 7, 8, 9));
    // Other threads have products of the real library's only where this test has none.
    close_problem(&p);
  }
  return NULL;
}

static void threads(void) {
  pthread_t ids[8];
  for (size_t i = 0; i < 8; i++) CHECK(pthread_create(&ids[i], NULL, worker, NULL) == 0);
  for (size_t i = 0; i < 8; i++) CHECK(pthread_join(ids[i], NULL) == 0);
  CHECK(real_steps() == 0 && stand_in_live_matrices() == 0);
}

static void nothing(void) { CHECK(dlopen("libocean.so.0", RTLD_NOLOAD | RTLD_LAZY) == NULL); }

static const struct {
  const char* name;
  void (*run)(void);
} all[] = {
#define SCENARIO(name) {#name, name}
    SCENARIO(plain),           SCENARIO(getters),        SCENARIO(reuse),
    SCENARIO(chained),         SCENARIO(empty),          SCENARIO(alg2_without_estimate),
    SCENARIO(order),           SCENARIO(unasked_buffer), SCENARIO(consumers),
    SCENARIO(shadows),         SCENARIO(stale),          SCENARIO(left_for_type),
    SCENARIO(left_for_format), SCENARIO(left_for_batch), SCENARIO(left_for_attribute),
    SCENARIO(left_reuse),      SCENARIO(disabled),       SCENARIO(left_with_product),
    SCENARIO(without_ocean),   SCENARIO(following),      SCENARIO(threads),
    SCENARIO(nothing),
};

int run(const char* name) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (strcmp(all[i].name, name) == 0) {
      all[i].run();
      return 0;
    }
  }
  fprintf(stderr, "nothing is called %s\n", name);
  return 2;
}

int main(int argc, char** argv) { return run(argc > 1 ? argv[1] : "nothing"); }
