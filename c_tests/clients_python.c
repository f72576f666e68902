// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The calls of packages for Python: PyTorch, CuPy, DGL.
#include "client.h"

// The six types, the 16-bit ones too.
static const oceanDataType_t PYTORCH_TYPES[] = {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F,
                                                CUDA_R_64F, CUDA_C_32F,  CUDA_C_64F};
enum { PYTORCH = 6 };

static Format narrow(oceanDataType_t type) { return (Format){type, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE}; }

// The stream is set with each use of the handle, and buffers go right after copy.
static void pytorch(void) {
  const Csr a = client_left(), b = client_right();
  for (int i = 0; i < PYTORCH; i++) {
    Client x;
    client_open(&x, narrow(PYTORCH_TYPES[i]), OCEAN_SPGEMM_DEFAULT, &a, &b);
    CHECK_OK(oceanSetStream(x.handle, NULL));
    CHECK_OK(oceanSetPointerMode(x.handle, OCEAN_POINTER_MODE_HOST));
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
    CHECK_OK(oceanSpGEMM_destroyDescr(x.spgemm));
    x.spgemm = NULL;
    client_check(&x);
    client_close(&x);
  }
}

// addmm of matrices: C is there already, in the pattern of the product, with alpha and beta of the user.
static void pytorch_addmm(void) {
  const Csr a = client_left(), b = client_right();
  for (int i = 0; i < PYTORCH; i++) {
    Client x;
    client_open(&x, narrow(PYTORCH_TYPES[i]), OCEAN_SPGEMM_DEFAULT, &a, &b);
    Csr pattern;
    double* im;
    arrays_multiply(x.format, &x.a, &x.b, &pattern, &im);
    x.c = arrays_random(x.format, &pattern, 3);
    const Arrays old = x.c;
    client_scalars(&x, OCEAN_POINTER_MODE_HOST, 2, -3);
    x.mat_a = client_matrix(&x, &x.a);
    x.mat_b = client_matrix(&x, &x.b);
    x.mat_c = client_matrix(&x, &x.c);
    CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
    client_work_estimation(&x);
    client_compute(&x);
    int64_t rows, cols;
    CHECK_OK(oceanSpMatGetSize(x.mat_c, &rows, &cols, &x.nnz));
    CHECK_INT(x.nnz, pattern.nnz);  // so C keeps its arrays
    client_point_c(&x);
    CHECK_OK(oceanSpGEMM_copy(PLAIN(&x)));
    client_free(&x, 1);
    client_free(&x, 2);
    client_check_with(&x, &old);
    client_close(&x);
  }
}

// C's row offsets are zeros before.
static void cupy_begin(Client* x, Format format, const Csr* a, const Csr* b) {
  client_open(x, format, OCEAN_SPGEMM_DEFAULT, a, b);
  x->mat_a = client_matrix(x, &x->a);
  x->mat_b = client_matrix(x, &x->b);
  client_begin_c(x);
  device_fill(x->c.offsets, 0, device_bytes(x->c.offsets));
  CHECK_OK(oceanSpGEMM_createDescr(&x->spgemm));
}

static void cupy_end(Client* x) {
  client_compute(x);
  client_size_c(x);
  client_point_c(x);
  CHECK_OK(oceanSpGEMM_copy(PLAIN(x)));
  client_check(x);
  client_close(x);
}

static void cupy(void) {
  const Csr a = client_left(), b = client_right();
  for (int i = 0; i < 2 * SDCZ; i++) {
    Client x;
    cupy_begin(&x, format_of(i / 2, i % 2 ? OCEAN_INDEX_64I : OCEAN_INDEX_32I), &a, &b);
    client_work_estimation(&x);
    cupy_end(&x);
  }
}

// After any error of workEstimation: the second algorithm on the same descriptor, and no estimateMemory. A buffer that
// is said to be short makes the error here.
static void cupy_fallback(void) {
  const Csr a = client_left(), b = client_right();
  for (int i = 0; i < 2 * SDCZ; i++) {
    Client x;
    cupy_begin(&x, format_of(i / 2, i % 2 ? OCEAN_INDEX_64I : OCEAN_INDEX_32I), &a, &b);
    CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(&x), &x.size[1], NULL));
    client_buffer(&x, 1);
    size_t short_size = 1;
    CHECK_STATUS(oceanSpGEMM_workEstimation(PLAIN(&x), &short_size, x.buffer[1]), OCEAN_STATUS_INSUFFICIENT_RESOURCES);
    x.alg = OCEAN_SPGEMM_ALG2;
    client_work_estimation(&x);
    cupy_end(&x);
  }
}

// Which way DGL goes depends on the number of products: more than some, the second algorithm, many more, the third.
static void dgl_product(oceanDataType_t type, oceanSpGEMMAlg_t alg, float chunk_fraction, bool failing) {
  const Csr a = client_left(), b = client_right();
  Client x;
  client_open(&x, narrow(type), OCEAN_SPGEMM_DEFAULT, &a, &b);
  x.mat_a = client_matrix(&x, &x.a);
  x.mat_b = client_matrix(&x, &x.b);
  client_begin_c(&x);
  CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
  CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(&x), &x.size[1], NULL));
  client_buffer(&x, 1);
  if (failing) {
    size_t short_size = 1;
    CHECK_STATUS(oceanSpGEMM_workEstimation(PLAIN(&x), &short_size, x.buffer[1]), OCEAN_STATUS_INSUFFICIENT_RESOURCES);
    x.alg = OCEAN_SPGEMM_ALG2;
  }
  CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(&x), &x.size[1], x.buffer[1]));
  int64_t products, expected = 0;
  CHECK_OK(oceanSpGEMM_getNumProducts(x.spgemm, &products));
  for (int64_t e = 0; e < a.nnz; e++) expected += b.offsets[a.columns[e] + 1] - b.offsets[a.columns[e]];
  CHECK_INT(products, expected);
  x.alg = alg;
  if (alg == OCEAN_SPGEMM_DEFAULT) {
    client_compute(&x);
  } else {
    CHECK_OK(oceanSpGEMM_estimateMemory(PLAIN(&x), chunk_fraction, &x.size[3], NULL, NULL));
    client_buffer(&x, 3);
    CHECK_OK(oceanSpGEMM_estimateMemory(PLAIN(&x), chunk_fraction, &x.size[3], x.buffer[3], &x.size[2]));
    client_free(&x, 3);
    client_buffer(&x, 2);
    CHECK_OK(oceanSpGEMM_compute(PLAIN(&x), &x.size[2], x.buffer[2]));
  }
  client_size_c(&x);
  client_point_c(&x);
  CHECK_OK(oceanSpGEMM_copy(PLAIN(&x)));
  client_free(&x, 1);
  client_free(&x, 2);
  client_check(&x);
  client_close(&x);
}

static void dgl(void) {
  const oceanDataType_t types[] = {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_64F};
  for (int i = 0; i < 4; i++) {
    dgl_product(types[i], OCEAN_SPGEMM_DEFAULT, 0, false);
    dgl_product(types[i], OCEAN_SPGEMM_ALG2, 0.15f, false);
    dgl_product(types[i], OCEAN_SPGEMM_ALG3, 0.05f, false);
    dgl_product(types[i], OCEAN_SPGEMM_ALG2, 0.15f, true);
    dgl_product(types[i], OCEAN_SPGEMM_ALG3, 0.05f, true);
  }
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(pytorch), TEST(pytorch_addmm), TEST(cupy), TEST(cupy_fallback), TEST(dgl),
  };
  return RUN(tests, argc, argv);
}
