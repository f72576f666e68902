// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The calls of CUDA.jl, of cuOpt, of what MLIR's compiler emits, and of BCL.
#include <limits.h>
#include <string.h>

#include "client.h"

// gemm! updates a C that is there, with its nnz and arrays from the start: in base one, with alpha and beta, and
// without buffer 1 in copy.
static void cuda_jl_gemm_update(Format format, oceanSpGEMMAlg_t alg, double beta) {
  const Csr a = client_left(), b = client_right();
  Client x;
  client_open(&x, format, alg, &a, &b);
  Csr pattern;
  double* im;
  arrays_multiply(format, &x.a, &x.b, &pattern, &im);
  x.c = arrays_random(format, &pattern, 3);
  const Arrays old = x.c;
  client_scalars(&x, OCEAN_POINTER_MODE_HOST, 2, beta);
  x.mat_a = client_matrix(&x, &x.a);
  x.mat_b = client_matrix(&x, &x.b);
  x.mat_c = client_matrix(&x, &x.c);
  CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
  client_work_estimation(&x);
  if (alg == OCEAN_SPGEMM_ALG2 || alg == OCEAN_SPGEMM_ALG3) {
    CHECK_OK(oceanSpGEMM_estimateMemory(PLAIN(&x), 0.2f, &x.size[3], NULL, &x.size[2]));
    client_buffer(&x, 3);
    CHECK_OK(oceanSpGEMM_estimateMemory(PLAIN(&x), 0.2f, &x.size[3], x.buffer[3], &x.size[2]));
    client_free(&x, 3);
  } else {
    CHECK_OK(oceanSpGEMM_compute(PLAIN(&x), &x.size[2], NULL));
  }
  client_buffer(&x, 2);
  CHECK_OK(oceanSpGEMM_compute(PLAIN(&x), &x.size[2], x.buffer[2]));
  client_free(&x, 1);
  int64_t rows, cols;
  CHECK_OK(oceanSpMatGetSize(x.mat_c, &rows, &cols, &x.nnz));
  CHECK_INT(x.nnz, pattern.nnz);  // else it would set other arrays
  CHECK_OK(oceanSpGEMM_copy(PLAIN(&x)));
  client_check_with(&x, beta == 0 ? NULL : &old);
  client_close(&x);
}

static const oceanSpGEMMAlg_t PLAIN_ALGS[] = {OCEAN_SPGEMM_DEFAULT, OCEAN_SPGEMM_ALG1, OCEAN_SPGEMM_ALG2,
                                              OCEAN_SPGEMM_ALG3};

static void cuda_jl_gemm(void) {
  for (int i = 0; i < 4 * SDCZ; i++) {
    Format format = format_of(i / 4, OCEAN_INDEX_32I);
    format.base = ONE_BASE;
    cuda_jl_gemm_update(format, PLAIN_ALGS[i % 4], -3);
    cuda_jl_gemm_update(format, PLAIN_ALGS[i % 4], 0);
  }
}

// A product of CSC matrices: of the transposes, in the other order, in the same arrays.
static void cuda_jl_CSC(void) {
  const Csr a = client_left(), b = client_right(), a_columns = csr_transpose(&a), b_columns = csr_transpose(&b);
  for (int i = 0; i < SDCZ; i++) {
    Format format = format_of(i, OCEAN_INDEX_32I);
    format.base = ONE_BASE;
    Client x;
    client_open(&x, format, OCEAN_SPGEMM_DEFAULT, &b_columns, &a_columns);
    x.mat_a = client_matrix(&x, &x.a);
    x.mat_b = client_matrix(&x, &x.b);
    client_begin_c(&x);
    CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
    client_work_estimation(&x);
    client_compute(&x);
    client_free(&x, 1);
    client_size_c(&x);
    client_point_c(&x);
    CHECK_OK(oceanSpGEMM_copy(PLAIN(&x)));
    client_check(&x);
    client_close(&x);
  }
}

// An interior point method: the third algorithm is set up once, and every iteration computes, sizes C and copies.
// Scalars on the device; B's declared nnz is what its arrays can hold, and C has arrays before it has entries.
static void cuopt(void) {
  const Csr a = client_left(), b = client_right();
  enum { SPARE = 7 };
  Client x;
  client_open(&x, format_of(1, OCEAN_INDEX_32I), OCEAN_SPGEMM_ALG3, &a, &b);
  client_scalars(&x, OCEAN_POINTER_MODE_DEVICE, 1, 0);
  void* columns = device_alloc(((size_t)b.nnz + SPARE) * sizeof(int32_t));
  void* values = device_alloc(((size_t)b.nnz + SPARE) * sizeof(double));
  device_poison(columns);
  device_poison(values);
  device_upload(columns, b.columns, (size_t)b.nnz * sizeof(int32_t));
  device_upload(values, x.b.re.values, (size_t)b.nnz * sizeof(double));
  device_free(x.b.columns);
  device_free(x.b.values);
  x.b.columns = columns;
  x.b.values = values;
  x.mat_a = client_matrix(&x, &x.a);
  CHECK_OK(oceanCreateCsr(&x.mat_b, b.rows, b.cols, b.nnz + SPARE, x.b.offsets, columns, values, OCEAN_INDEX_32I,
                          OCEAN_INDEX_32I, ZERO_BASE, CUDA_R_64F));
  x.c.offsets = device_alloc(((size_t)a.rows + 1) * sizeof(int32_t));
  x.c.columns = device_alloc(sizeof(int32_t));
  x.c.values = device_alloc(sizeof(double));
  CHECK_OK(oceanCreateCsr(&x.mat_c, a.rows, b.cols, 0, x.c.offsets, x.c.columns, x.c.values, OCEAN_INDEX_32I,
                          OCEAN_INDEX_32I, ZERO_BASE, CUDA_R_64F));
  CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
  client_work_estimation(&x);
  int64_t products;
  CHECK_OK(oceanSpGEMM_getNumProducts(x.spgemm, &products));
  CHECK_OK(oceanSpGEMM_estimateMemory(PLAIN(&x), 0.15f, &x.size[3], NULL, NULL));
  client_buffer(&x, 3);
  CHECK_OK(oceanSpGEMM_estimateMemory(PLAIN(&x), 0.15f, &x.size[3], x.buffer[3], &x.size[2]));
  client_free(&x, 3);
  client_buffer(&x, 2);
  for (uint64_t seed = 10; seed < 15; seed++) {
    CHECK_OK(oceanSpGEMM_compute(PLAIN(&x), &x.size[2], x.buffer[2]));
    client_size_c(&x);
    CHECK(x.nnz <= INT_MAX);
    client_point_c(&x);
    CHECK_OK(oceanSpGEMM_copy(PLAIN(&x)));
    client_check(&x);
    client_new_values(&x, seed);
  }
  client_close(&x);
}

// One function for each call: a size goes in and comes out, with or without a buffer.
static size_t mlir_work_estimation(Client* x, size_t size, void* buffer) {
  CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(x), &size, buffer));
  return size;
}

static size_t mlir_compute(Client* x, size_t size, void* buffer) {
  CHECK_OK(oceanSpGEMM_compute(PLAIN(x), &size, buffer));
  return size;
}

static void mlir_product(Format format) {
  const Csr a = client_left(), b = client_right();
  Client x;
  client_open(&x, format, OCEAN_SPGEMM_DEFAULT, &a, &b);
  x.mat_a = client_matrix(&x, &x.a);
  x.mat_b = client_matrix(&x, &x.b);
  client_begin_c(&x);
  CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
  x.size[1] = mlir_work_estimation(&x, 0, NULL);
  client_buffer(&x, 1);
  CHECK_INT(mlir_work_estimation(&x, x.size[1], x.buffer[1]), x.size[1]);
  x.size[2] = mlir_compute(&x, 0, NULL);
  client_buffer(&x, 2);
  CHECK_INT(mlir_compute(&x, x.size[2], x.buffer[2]), x.size[2]);
  client_size_c(&x);
  client_point_c(&x);
  CHECK_OK(oceanSpGEMM_copy(PLAIN(&x)));
  CHECK_OK(oceanSpGEMM_destroyDescr(x.spgemm));
  x.spgemm = NULL;
  client_check(&x);
  client_close(&x);
}

static void mlir(void) {
  for (int i = 0; i < 2 * TYPES; i++) {
    const oceanIndexType_t index = i % 2 ? OCEAN_INDEX_64I : OCEAN_INDEX_32I;
    mlir_product((Format){KINDS[i / 2].type, index, index, ZERO_BASE});
  }
}

// Blocks of a distributed matrix: a product after another, each with everything of its own.
static void bcl(void) {
  const Csr a = client_left(), b = client_right();
  for (int block = 0; block < 4; block++) {
    Client x;
    client_open(&x, format_of(0, OCEAN_INDEX_32I), OCEAN_SPGEMM_DEFAULT, &a, &b);
    client_new_values(&x, (uint64_t)block);
    x.mat_a = client_matrix(&x, &x.a);
    x.mat_b = client_matrix(&x, &x.b);
    client_begin_c(&x);
    CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
    client_work_estimation(&x);
    client_compute(&x);
    client_size_c(&x);
    client_point_c(&x);
    CHECK_OK(oceanSpGEMM_copy(PLAIN(&x)));
    client_free(&x, 1);
    client_free(&x, 2);
    client_check(&x);
    client_close(&x);
  }
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(cuda_jl_gemm), TEST(cuda_jl_CSC), TEST(cuopt), TEST(mlir), TEST(bcl),
  };
  return RUN(tests, argc, argv);
}
