// SPDX-License-Identifier: MIT OR Apache-2.0
#include "product.h"

#include "device.h"
#include "harness.h"

const oceanSpGEMMAlg_t ALL_ALGS[ALGS] = {
    OCEAN_SPGEMM_DEFAULT,
    OCEAN_SPGEMM_CSR_ALG_DETERMINITIC,
    OCEAN_SPGEMM_CSR_ALG_NONDETERMINITIC,
    OCEAN_SPGEMM_ALG1,
    OCEAN_SPGEMM_ALG2,
    OCEAN_SPGEMM_ALG3,
};

const Setup DEFAULT_SETUP = {
    .type = CUDA_R_64F,
    .alg = OCEAN_SPGEMM_DEFAULT,
    .op_a = OP_N,
    .op_b = OP_N,
    .base_a = OCEAN_INDEX_BASE_ZERO,
    .base_b = OCEAN_INDEX_BASE_ZERO,
    .base_c = OCEAN_INDEX_BASE_ZERO,
    .alpha = 1,
    .beta = 0,
    .chunk_fraction = 0.2f,
};

Setup with_alg(oceanSpGEMMAlg_t alg) {
  Setup setup = DEFAULT_SETUP;
  setup.alg = alg;
  return setup;
}

bool needs_estimate(oceanSpGEMMAlg_t alg) { return alg == OCEAN_SPGEMM_ALG2 || alg == OCEAN_SPGEMM_ALG3; }

Scalar scalar_of(oceanDataType_t type, double value) {
  Scalar scalar = {.f64 = value};
  if (type == CUDA_R_32F) scalar.f32 = (float)value;
  return scalar;
}

Csr csr_under(const Csr* matrix, oceanOperation_t operation) {
  return operation == OP_N ? csr_copy(matrix) : csr_transpose(matrix);
}

static int64_t rows_under(const Csr* matrix, oceanOperation_t op) { return op == OP_N ? matrix->rows : matrix->cols; }
static int64_t cols_under(const Csr* matrix, oceanOperation_t op) { return op == OP_N ? matrix->cols : matrix->rows; }

// --- a product's own things ---

Product product_open(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup) {
  Product p = {.setup = setup, .handle = handle};
  p.a = device_csr(a, setup.base_a, setup.type);
  p.b = device_csr(b, setup.base_b, setup.type);
  const int64_t rows = rows_under(a, setup.op_a), cols = cols_under(b, setup.op_b);
  p.c_offsets = device_alloc(((size_t)rows + 1) * sizeof *p.c_offsets);
  CHECK_OK(oceanCreateCsr(&p.c, rows, cols, 0, p.c_offsets, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, setup.base_c,
                          setup.type));
  CHECK_OK(oceanSpGEMM_createDescr(&p.descr));
  for (int i = 0; i < OPTIONS; i++) {
    if (setup.options[i][0] != NULL) {
      CHECK_OK(oceanSpGEMM_setOption(p.descr, setup.options[i][0], setup.options[i][1]));
    }
  }
  product_set_scalars(&p, setup.alpha, setup.beta);
  return p;
}

void product_free_buffer(Product* p, int which) {
  device_poison(p->buffer[which]);
  device_free(p->buffer[which]);
  p->buffer[which] = NULL;
}

void product_close(Product* p) {
  device_csr_check_unchanged(&p->a);
  device_csr_check_unchanged(&p->b);
  CHECK_OK(oceanSpGEMM_destroyDescr(p->descr));
  for (int i = 0; i < 6; i++) product_free_buffer(p, i);
  device_csr_close(&p->a);
  device_csr_close(&p->b);
  CHECK_OK(oceanDestroySpMat(p->c));
  device_free(p->c_offsets);
  device_free(p->c_columns);
  device_free(p->c_values);
}

void product_set_scalars(Product* p, double alpha, double beta) {
  p->alpha = scalar_of(p->setup.type, alpha);
  p->beta = scalar_of(p->setup.type, beta);
}

void product_allocate_c(Product* p) {
  device_free(p->c_columns);
  device_free(p->c_values);
  p->c_columns = device_alloc((size_t)p->c_nnz * sizeof *p->c_columns);
  p->c_values = device_alloc((size_t)p->c_nnz * bytes_of(p->setup.type));
  CHECK_OK(oceanCsrSetPointers(p->c, p->c_offsets, p->c_columns, p->c_values));
}

Csr product_read(const Product* p) {
  int64_t rows, cols, nnz;
  CHECK_OK(oceanSpMatGetSize(p->c, &rows, &cols, &nnz));
  CHECK_INT(rows, rows_under(&p->a.host, p->setup.op_a));
  CHECK_INT(cols, cols_under(&p->b.host, p->setup.op_b));
  CHECK_INT(nnz, p->c_nnz);
  return download_csr(p->c_offsets, p->c_columns, p->c_values, rows, cols, nnz, p->setup.base_c, p->setup.type);
}

static void read_c_nnz(Product* p) {
  int64_t rows, cols;
  CHECK_OK(oceanSpMatGetSize(p->c, &rows, &cols, &p->c_nnz));
}

// Room for p->size[which] bytes; a buffer that is large enough stays.
static void provide_buffer(Product* p, int which) {
  CHECK(p->size[which] > 0);
  if (p->buffer[which] != NULL && device_bytes(p->buffer[which]) >= p->size[which]) return;
  device_free(p->buffer[which]);
  p->buffer[which] = device_alloc(p->size[which]);
}

// --- plain ---

void plain_work_estimation(Product* p) {
  CHECK_OK(oceanSpGEMM_workEstimation(LEADING(p), &p->size[1], NULL));
  provide_buffer(p, 1);
  CHECK_OK(oceanSpGEMM_workEstimation(LEADING(p), &p->size[1], p->buffer[1]));
}

void plain_compute(Product* p) {
  if (needs_estimate(p->setup.alg)) {
    const float fraction = p->setup.chunk_fraction;
    CHECK_OK(oceanSpGEMM_estimateMemory(LEADING(p), fraction, &p->size[3], NULL, NULL));
    provide_buffer(p, 3);
    CHECK_OK(oceanSpGEMM_estimateMemory(LEADING(p), fraction, &p->size[3], p->buffer[3], &p->size[2]));
    product_free_buffer(p, 3);
  } else {
    CHECK_OK(oceanSpGEMM_compute(LEADING(p), &p->size[2], NULL));
  }
  provide_buffer(p, 2);
  CHECK_OK(oceanSpGEMM_compute(LEADING(p), &p->size[2], p->buffer[2]));
  read_c_nnz(p);
}

void plain_copy(Product* p) { CHECK_OK(oceanSpGEMM_copy(LEADING(p))); }

void plain_all(Product* p) {
  plain_work_estimation(p);
  plain_compute(p);
  product_allocate_c(p);
  plain_copy(p);
}

// --- reuse ---

void reuse_work_estimation(Product* p) {
  CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE_LEADING(p), &p->size[1], NULL));
  provide_buffer(p, 1);
  CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE_LEADING(p), &p->size[1], p->buffer[1]));
}

void reuse_nnz(Product* p) {
  CHECK_OK(oceanSpGEMMreuse_nnz(REUSE_LEADING(p), &p->size[2], NULL, &p->size[3], NULL, &p->size[4], NULL));
  for (int i = 2; i <= 4; i++) provide_buffer(p, i);
  CHECK_OK(oceanSpGEMMreuse_nnz(REUSE_LEADING(p), &p->size[2], p->buffer[2], &p->size[3], p->buffer[3], &p->size[4],
                                p->buffer[4]));
  product_free_buffer(p, 1);
  product_free_buffer(p, 2);
  read_c_nnz(p);
}

void reuse_copy(Product* p) {
  CHECK_OK(oceanSpGEMMreuse_copy(REUSE_LEADING(p), &p->size[5], NULL));
  provide_buffer(p, 5);
  CHECK_OK(oceanSpGEMMreuse_copy(REUSE_LEADING(p), &p->size[5], p->buffer[5]));
}

void reuse_compute(Product* p) {
  CHECK_OK(oceanSpGEMMreuse_compute(p->handle, p->setup.op_a, p->setup.op_b, &p->alpha, p->a.descr, p->b.descr,
                                    &p->beta, p->c, p->setup.type, p->setup.alg, p->descr));
}

void reuse_all(Product* p) {
  reuse_work_estimation(p);
  reuse_nnz(p);
  product_allocate_c(p);
  reuse_copy(p);
  product_free_buffer(p, 3);
  reuse_compute(p);
}

// --- whole products ---

Csr full_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup) {
  Product p = product_open(handle, a, b, setup);
  plain_all(&p);
  Csr c = product_read(&p);
  product_close(&p);
  return c;
}

Csr reuse_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup) {
  Product p = product_open(handle, a, b, setup);
  reuse_all(&p);
  Csr c = product_read(&p);
  product_close(&p);
  return c;
}

Csr one_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup) {
  DeviceCsr left = device_csr(a, setup.base_a, setup.type), right = device_csr(b, setup.base_b, setup.type);
  const Scalar alpha = scalar_of(setup.type, setup.alpha), beta = scalar_of(setup.type, setup.beta);
  oceanSpMatDescr_t c;
  CHECK_OK(oceanCreateCsr(&c, rows_under(a, setup.op_a), cols_under(b, setup.op_b), 0, NULL, NULL, NULL,
                          OCEAN_INDEX_32I, OCEAN_INDEX_32I, setup.base_c, setup.type));
  CHECK_OK(oceanSpGEMM(handle, setup.op_a, setup.op_b, &alpha, left.descr, right.descr, &beta, NULL, c, setup.type,
                       setup.alg));

  int64_t rows, cols, nnz;
  void *offsets, *columns, *values;
  oceanIndexType_t offset_type, column_type;
  oceanIndexBase_t base;
  oceanDataType_t type;
  CHECK_OK(oceanCsrGet(c, &rows, &cols, &nnz, &offsets, &columns, &values, &offset_type, &column_type, &base, &type));
  CHECK_INT(rows, rows_under(a, setup.op_a));
  CHECK_INT(cols, cols_under(b, setup.op_b));
  CHECK_INT(base, setup.base_c);
  CHECK_INT(type, setup.type);
  Csr result = download_csr(offsets, columns, values, rows, cols, nnz, base, type);
  device_csr_check_unchanged(&left);
  device_csr_check_unchanged(&right);
  CHECK_OK(oceanDestroySpMat(c));
  device_csr_close(&left);
  device_csr_close(&right);
  return result;
}

static void expect(const Csr* c, const Csr* a, const Csr* b, Setup setup) {
  const Csr left = csr_under(a, setup.op_a), right = csr_under(b, setup.op_b);
  Csr expected = csr_multiply(&left, &right, setup.type);
  for (int64_t e = 0; e < expected.nnz; e++) {
    expected.values[e] = csr_round(setup.type, csr_round(setup.type, setup.alpha) * expected.values[e]);
  }
  CHECK_SAME(c, &expected);
}

void expect_full_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup) {
  const Csr c = full_call(handle, a, b, setup);
  expect(&c, a, b, setup);
}

void expect_reuse_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup) {
  const Csr c = reuse_call(handle, a, b, setup);
  expect(&c, a, b, setup);
}

void expect_one_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup) {
  const Csr c = one_call(handle, a, b, setup);
  expect(&c, a, b, setup);
}

void check_handle_works(oceanHandle_t handle) {
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  const Csr c = full_call(handle, &a, &b, DEFAULT_SETUP);
  CHECK_SAME(&c, &expected);
}
