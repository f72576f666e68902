// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Section 8 of the contract (R23, T18): every step of a product checks all of its arguments. Each mistake is tried at
// each step; the status and the message are right, nothing was written, and the right call afterwards finishes the
// product.
#include <inttypes.h>
#include <string.h>

#include "device.h"
#include "harness.h"
#include "product.h"

// The arguments that a mistake may change.
typedef struct {
  oceanHandle_t handle;
  oceanOperation_t op_a, op_b;
  const void* alpha;
  oceanConstSpMatDescr_t a, b;
  const void* beta;
  oceanSpMatDescr_t c;
  oceanDataType_t type;
  oceanSpGEMMAlg_t alg;
  oceanSpGEMMDescr_t descr;
  // Things of the wrong kind for mistakes to pick.
  oceanHandle_t dead_handle;
  oceanSpMatDescr_t dead_matrix, five_by_four, four_by_five, single;
  oceanSpGEMMDescr_t dead_descr;
} Arguments;

typedef struct {
  const char* name;
  void (*make)(Arguments*);
  oceanStatus_t status;
  const char* parts[3];  // of the message
  bool scalars;          // concerns alpha, beta or computeType, which not every reuse step has
} Mistake;

#define MAKE(name, statement) \
  static void name(Arguments* x) { statement; }

static long long stranger[64];  // an address that the library never gave out

MAKE(null_handle, x->handle = NULL)
MAKE(null_alpha, x->alpha = NULL)
MAKE(null_a, x->a = NULL)
MAKE(null_b, x->b = NULL)
MAKE(null_beta, x->beta = NULL)
MAKE(null_c, x->c = NULL)
MAKE(null_descr, x->descr = NULL)
MAKE(foreign_handle, x->handle = (oceanHandle_t)(void*)stranger)
MAKE(foreign_a, x->a = (oceanConstSpMatDescr_t)(void*)stranger)
MAKE(foreign_b, x->b = (oceanConstSpMatDescr_t)(void*)stranger)
MAKE(foreign_c, x->c = (oceanSpMatDescr_t)(void*)stranger)
MAKE(foreign_descr, x->descr = (oceanSpGEMMDescr_t)(void*)stranger)
MAKE(dead_handle, x->handle = x->dead_handle)
MAKE(dead_a, x->a = x->dead_matrix)
MAKE(dead_b, x->b = x->dead_matrix)
MAKE(dead_c, x->c = x->dead_matrix)
MAKE(dead_descr, x->descr = x->dead_descr)
MAKE(matrix_for_handle, x->handle = (oceanHandle_t)(void*)x->c)
MAKE(handle_for_matrix, x->a = (oceanConstSpMatDescr_t)(void*)x->handle)
MAKE(matrix_for_descr, x->descr = (oceanSpGEMMDescr_t)(void*)x->c)
MAKE(unknown_op_a, x->op_a = (oceanOperation_t)77)
MAKE(unknown_op_b, x->op_b = (oceanOperation_t)(-1))
MAKE(unknown_alg, x->alg = (oceanSpGEMMAlg_t)77)
MAKE(unknown_type, x->type = (oceanDataType_t)999)
MAKE(transposed_a, x->op_a = OCEAN_OPERATION_TRANSPOSE)
MAKE(transposed_b, x->op_b = OCEAN_OPERATION_TRANSPOSE)
MAKE(conjugated_a, x->op_a = OCEAN_OPERATION_CONJUGATE_TRANSPOSE)
MAKE(conjugated_b, x->op_b = OCEAN_OPERATION_CONJUGATE_TRANSPOSE)
MAKE(inner_mismatch, x->b = x->five_by_four)
MAKE(rows_mismatch, x->c = x->five_by_four)
MAKE(cols_mismatch, x->c = x->four_by_five)
MAKE(other_compute_type, x->type = CUDA_R_32F)
MAKE(unsupported_compute_type, x->type = CUDA_C_64F)
MAKE(other_type_of_c, x->c = x->single)

#define INVALID OCEAN_STATUS_INVALID_VALUE
#define UNSUPPORTED OCEAN_STATUS_NOT_SUPPORTED

static const Mistake MISTAKES[] = {
    {"handle NULL", null_handle, INVALID, {"handle"}, false},
    {"alpha NULL", null_alpha, INVALID, {"alpha"}, true},
    {"matA NULL", null_a, INVALID, {"matA"}, false},
    {"matB NULL", null_b, INVALID, {"matB"}, false},
    {"beta NULL", null_beta, INVALID, {"beta"}, true},
    {"matC NULL", null_c, INVALID, {"matC"}, false},
    {"spgemmDescr NULL", null_descr, INVALID, {"spgemmDescr"}, false},
    {"a foreign handle", foreign_handle, INVALID, {"handle"}, false},
    {"a foreign matA", foreign_a, INVALID, {"matA"}, false},
    {"a foreign matB", foreign_b, INVALID, {"matB"}, false},
    {"a foreign matC", foreign_c, INVALID, {"matC"}, false},
    {"a foreign spgemmDescr", foreign_descr, INVALID, {"spgemmDescr"}, false},
    {"a destroyed handle", dead_handle, INVALID, {"handle"}, false},
    {"a destroyed matA", dead_a, INVALID, {"matA"}, false},
    {"a destroyed matB", dead_b, INVALID, {"matB"}, false},
    {"a destroyed matC", dead_c, INVALID, {"matC"}, false},
    {"a destroyed spgemmDescr", dead_descr, INVALID, {"spgemmDescr"}, false},
    {"a matrix for a handle", matrix_for_handle, INVALID, {"handle"}, false},
    {"a handle for matA", handle_for_matrix, INVALID, {"matA"}, false},
    {"a matrix for spgemmDescr", matrix_for_descr, INVALID, {"spgemmDescr"}, false},
    {"opA = 77", unknown_op_a, INVALID, {"opA", "77"}, false},
    {"opB = -1", unknown_op_b, INVALID, {"opB", "-1"}, false},
    {"alg = 77", unknown_alg, INVALID, {"alg", "77"}, false},
    {"computeType = 999", unknown_type, INVALID, {"computeType", "999"}, true},
    {"opA = T", transposed_a, INVALID, {"matB", "4", "7"}, false},
    {"opB = T", transposed_b, INVALID, {"matB", "7", "4"}, false},
    {"opA = H", conjugated_a, INVALID, {"matB", "4", "7"}, false},
    {"opB = H", conjugated_b, INVALID, {"matB", "7", "4"}, false},
    {"A.cols is not B.rows", inner_mismatch, INVALID, {"matB", "7", "5"}, false},
    {"C.rows is not A.rows", rows_mismatch, INVALID, {"matC", "5", "4"}, false},
    {"C.cols is not B.cols", cols_mismatch, INVALID, {"matC", "5", "4"}, false},
    {"f32 for f64 matrices", other_compute_type, UNSUPPORTED, {"computeType", "R_32F", "R_64F"}, true},
    {"complex computeType", unsupported_compute_type, UNSUPPORTED, {"C_64F"}, true},
    {"an f32 matC", other_type_of_c, UNSUPPORTED, {"matC", "R_32F"}, false},
};

typedef enum {
  WORK_QUERY,
  WORK,
  ESTIMATE_QUERY,
  ESTIMATE,
  COMPUTE_QUERY,
  COMPUTE,
  COPY,
  REUSE_WORK_QUERY,
  REUSE_WORK,
  REUSE_NNZ_QUERY,
  REUSE_NNZ,
  REUSE_COPY_QUERY,
  REUSE_COPY,
  REUSE_COMPUTE,
  STEPS
} Step;

static const char* const STEP_NAMES[STEPS] = {
    "workEstimation query",
    "workEstimation",
    "estimateMemory query",
    "estimateMemory",
    "compute query",
    "compute",
    "copy",
    "reuse_workEstimation query",
    "reuse_workEstimation",
    "reuse_nnz query",
    "reuse_nnz",
    "reuse_copy query",
    "reuse_copy",
    "reuse_compute",
};

static bool has_scalars(Step step) { return step <= COPY || step == REUSE_COMPUTE; }

// All that comes before the step.
static void prepare(Product* p, Step step) {
  if (step == WORK) CHECK_OK(oceanSpGEMM_workEstimation(LEADING(p), &p->size[1], NULL));
  if (step == WORK) p->buffer[1] = device_alloc(p->size[1]);
  if (step >= ESTIMATE_QUERY && step <= COPY) plain_work_estimation(p);
  if (step == ESTIMATE) CHECK_OK(oceanSpGEMM_estimateMemory(LEADING(p), 0.2f, &p->size[3], NULL, NULL));
  if (step == ESTIMATE) p->buffer[3] = device_alloc(p->size[3]);
  if (step == COMPUTE) CHECK_OK(oceanSpGEMM_compute(LEADING(p), &p->size[2], NULL));
  if (step == COMPUTE) p->buffer[2] = device_alloc(p->size[2]);
  if (step == COPY) plain_compute(p);
  if (step == REUSE_WORK) CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE_LEADING(p), &p->size[1], NULL));
  if (step == REUSE_WORK) p->buffer[1] = device_alloc(p->size[1]);
  if (step >= REUSE_NNZ_QUERY) reuse_work_estimation(p);
  if (step == REUSE_NNZ) {
    CHECK_OK(oceanSpGEMMreuse_nnz(REUSE_LEADING(p), &p->size[2], NULL, &p->size[3], NULL, &p->size[4], NULL));
    for (int i = 2; i <= 4; i++) p->buffer[i] = device_alloc(p->size[i]);
  }
  if (step >= REUSE_COPY_QUERY) reuse_nnz(p);
  if (step == COPY || step >= REUSE_COPY_QUERY) product_allocate_c(p);
  if (step == REUSE_COPY) CHECK_OK(oceanSpGEMMreuse_copy(REUSE_LEADING(p), &p->size[5], NULL));
  if (step == REUSE_COPY) p->buffer[5] = device_alloc(p->size[5]);
  if (step == REUSE_COMPUTE) reuse_copy(p);
}

// What remains after the step was prepared for; ends with C in its arrays.
static void finish(Product* p, Step step) {
  if (step <= WORK) plain_work_estimation(p);
  if (step <= COMPUTE) {
    plain_compute(p);
    product_allocate_c(p);
  }
  if (step <= COPY) plain_copy(p);
  if (step > COPY && step <= REUSE_WORK) reuse_work_estimation(p);
  if (step > COPY && step <= REUSE_NNZ) {
    reuse_nnz(p);
    product_allocate_c(p);
  }
  if (step > COPY && step <= REUSE_COPY) reuse_copy(p);
  if (step > COPY) reuse_compute(p);
}

#define PLAIN x->handle, x->op_a, x->op_b, x->alpha, x->a, x->b, x->beta, x->c, x->type, x->alg, x->descr
#define REUSE x->handle, x->op_a, x->op_b, x->a, x->b, x->c, x->alg, x->descr

static oceanStatus_t call(Step step, const Arguments* x, const Product* p, size_t* size) {
  switch (step) {
    case WORK_QUERY:
      return oceanSpGEMM_workEstimation(PLAIN, &size[1], NULL);
    case WORK:
      return oceanSpGEMM_workEstimation(PLAIN, &size[1], p->buffer[1]);
    case ESTIMATE_QUERY:
      return oceanSpGEMM_estimateMemory(PLAIN, 0.2f, &size[3], NULL, NULL);
    case ESTIMATE:
      return oceanSpGEMM_estimateMemory(PLAIN, 0.2f, &size[3], p->buffer[3], &size[2]);
    case COMPUTE_QUERY:
      return oceanSpGEMM_compute(PLAIN, &size[2], NULL);
    case COMPUTE:
      return oceanSpGEMM_compute(PLAIN, &size[2], p->buffer[2]);
    case COPY:
      return oceanSpGEMM_copy(PLAIN);
    case REUSE_WORK_QUERY:
      return oceanSpGEMMreuse_workEstimation(REUSE, &size[1], NULL);
    case REUSE_WORK:
      return oceanSpGEMMreuse_workEstimation(REUSE, &size[1], p->buffer[1]);
    case REUSE_NNZ_QUERY:
      return oceanSpGEMMreuse_nnz(REUSE, &size[2], NULL, &size[3], NULL, &size[4], NULL);
    case REUSE_NNZ:
      return oceanSpGEMMreuse_nnz(REUSE, &size[2], p->buffer[2], &size[3], p->buffer[3], &size[4], p->buffer[4]);
    case REUSE_COPY_QUERY:
      return oceanSpGEMMreuse_copy(REUSE, &size[5], NULL);
    case REUSE_COPY:
      return oceanSpGEMMreuse_copy(REUSE, &size[5], p->buffer[5]);
    case REUSE_COMPUTE:
      return oceanSpGEMMreuse_compute(PLAIN);
    default:
      harness_fail(__FILE__, __LINE__, "no such step: %d", step);
  }
}

static Arguments right_arguments(const Product* p) {
  Arguments x = {p->handle,    OP_N,     OP_N, &p->alpha, p->a.descr, p->b.descr, &p->beta, p->c, p->setup.type,
                 p->setup.alg, p->descr, NULL, NULL,      NULL,       NULL,       NULL,     NULL};
  return x;
}

static oceanSpMatDescr_t spare_matrix(int64_t rows, int64_t cols, oceanDataType_t type) {
  oceanSpMatDescr_t matrix;
  CHECK_OK(oceanCreateCsr(&matrix, rows, cols, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE, type));
  return matrix;
}

// C as it was: fresh bytes in its arrays (before reuse_copy, for the pattern's), and its nnz.
static void check_c_untouched(const Product* p, bool has_pattern) {
  CHECK(device_all(p->c_offsets, DEVICE_FRESH) == !has_pattern);
  CHECK(device_all(p->c_columns, DEVICE_FRESH) || has_pattern);
  CHECK(device_all(p->c_values, DEVICE_FRESH));
  int64_t rows, cols, nnz;
  CHECK_OK(oceanSpMatGetSize(p->c, &rows, &cols, &nnz));
  CHECK_INT(nnz, p->c_nnz);
}

static void try_mistakes_at(Step step) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  const Setup setup = with_alg(step == ESTIMATE_QUERY || step == ESTIMATE ? OCEAN_SPGEMM_ALG2 : OCEAN_SPGEMM_DEFAULT);
  Product p = product_open(handle, &a, &b, setup);
  prepare(&p, step);

  Arguments right = right_arguments(&p);
  right.five_by_four = spare_matrix(5, 4, CUDA_R_64F);
  right.four_by_five = spare_matrix(4, 5, CUDA_R_64F);
  right.single = spare_matrix(4, 4, CUDA_R_32F);
  right.dead_handle = open_handle();
  right.dead_matrix = spare_matrix(4, 4, CUDA_R_64F);
  CHECK_OK(oceanSpGEMM_createDescr(&right.dead_descr));
  close_handle(right.dead_handle);
  CHECK_OK(oceanDestroySpMat(right.dead_matrix));
  CHECK_OK(oceanSpGEMM_destroyDescr(right.dead_descr));

  for (size_t i = 0; i < sizeof MISTAKES / sizeof *MISTAKES; i++) {
    const Mistake* mistake = &MISTAKES[i];
    if (mistake->scalars && !has_scalars(step)) continue;
    harness_case("%s at %s", mistake->name, STEP_NAMES[step]);
    Arguments wrong = right;
    mistake->make(&wrong);
    size_t size[6], before[6];
    for (int s = 0; s < 6; s++) before[s] = p.size[s] + 5000000;
    memcpy(size, before, sizeof size);
    CHECK_STATUS(call(step, &wrong, &p, size), mistake->status);
    for (int part = 0; part < 3; part++) {
      if (mistake->parts[part] != NULL) CHECK_HAS(oceanGetLastErrorString(), mistake->parts[part]);
    }
    CHECK(memcmp(size, before, sizeof size) == 0);
    check_c_untouched(&p, step == REUSE_COMPUTE);
  }

  harness_case("the right call after all the wrong ones, from %s on", STEP_NAMES[step]);
  finish(&p, step);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  CHECK_OK(oceanDestroySpMat(right.five_by_four));
  CHECK_OK(oceanDestroySpMat(right.four_by_five));
  CHECK_OK(oceanDestroySpMat(right.single));
  product_close(&p);
  close_handle(handle);
}

#define AT(step) try_mistakes_at(step)
static void T18_mistakes_at_the_work_estimation_query(void) { AT(WORK_QUERY); }
static void T18_mistakes_at_work_estimation(void) { AT(WORK); }
static void T18_mistakes_at_the_estimate_memory_query(void) { AT(ESTIMATE_QUERY); }
static void T18_mistakes_at_estimate_memory(void) { AT(ESTIMATE); }
static void T18_mistakes_at_the_compute_query(void) { AT(COMPUTE_QUERY); }
static void T18_mistakes_at_compute(void) { AT(COMPUTE); }
static void T18_mistakes_at_copy(void) { AT(COPY); }
static void T18_mistakes_at_the_reuse_work_estimation_query(void) { AT(REUSE_WORK_QUERY); }
static void T18_mistakes_at_reuse_work_estimation(void) { AT(REUSE_WORK); }
static void T18_mistakes_at_the_reuse_nnz_query(void) { AT(REUSE_NNZ_QUERY); }
static void T18_mistakes_at_reuse_nnz(void) { AT(REUSE_NNZ); }
static void T18_mistakes_at_the_reuse_copy_query(void) { AT(REUSE_COPY_QUERY); }
static void T18_mistakes_at_reuse_copy(void) { AT(REUSE_COPY); }
static void T18_mistakes_at_reuse_compute(void) { AT(REUSE_COMPUTE); }

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(T18_mistakes_at_the_work_estimation_query),
      TEST(T18_mistakes_at_work_estimation),
      TEST(T18_mistakes_at_the_estimate_memory_query),
      TEST(T18_mistakes_at_estimate_memory),
      TEST(T18_mistakes_at_the_compute_query),
      TEST(T18_mistakes_at_compute),
      TEST(T18_mistakes_at_copy),
      TEST(T18_mistakes_at_the_reuse_work_estimation_query),
      TEST(T18_mistakes_at_reuse_work_estimation),
      TEST(T18_mistakes_at_the_reuse_nnz_query),
      TEST(T18_mistakes_at_reuse_nnz),
      TEST(T18_mistakes_at_the_reuse_copy_query),
      TEST(T18_mistakes_at_reuse_copy),
      TEST(T18_mistakes_at_reuse_compute),
  };
  return RUN(tests, argc, argv);
}
