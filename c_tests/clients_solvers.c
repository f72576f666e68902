// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The calls of libraries of linear solvers: PETSc, hypre, Ginkgo, AmgX.
#include "client.h"

static void petsc_main_numeric(Client* x) {
  CHECK_OK(oceanSpGEMM_compute(PLAIN(x), &x->size[2], x->buffer[2]));
  CHECK_OK(oceanSpGEMM_copy(PLAIN(x)));
}

static void petsc_main_symbolic(Client* x) {
  x->mat_b = client_matrix(x, &x->b);
  client_begin_c(x);
  CHECK_OK(oceanSpGEMM_createDescr(&x->spgemm));
  client_work_estimation(x);
  client_compute(x);
  client_size_c(x);
  if (x->nnz > 0) client_point_c(x);
  CHECK_OK(oceanSpGEMM_copy(PLAIN(x)));
}

// C's own descriptor is the next product's A.
static void petsc_main_next(Client* x, uint64_t seed) {
  const Csr p = csr_random(50, 20, 0.2, seed);
  Client next;
  client_open(&next, x->format, x->alg, &x->a.re, &p);
  client_scalars(&next, OCEAN_POINTER_MODE_DEVICE, 1, 0);
  arrays_free(&next.a);
  arrays_multiply(x->format, &x->a, &x->b, &next.a.re, &next.a.im);
  next.mat_a = x->mat_c;
  petsc_main_symbolic(&next);
  client_check(&next);
  next.mat_a = NULL;
  client_close(&next);
}

static void petsc_main_product(Format format) {
  const Csr a = client_left(), b = client_right();
  Client x;
  client_open(&x, format, OCEAN_SPGEMM_DEFAULT, &a, &b);
  client_scalars(&x, OCEAN_POINTER_MODE_DEVICE, 1, 0);
  x.mat_a = client_matrix(&x, &x.a);
  petsc_main_symbolic(&x);
  client_check(&x);
  for (uint64_t seed = 10; seed < 13; seed++) {
    client_new_values(&x, seed);
    petsc_main_numeric(&x);
    client_check(&x);
    petsc_main_next(&x, seed);
  }
  client_close(&x);
}

// Symbolic with a whole cycle; numeric with compute and copy alone, on the descriptor and buffers of before; scalars on
// the device; C's descriptor goes into the next product.
static void petsc_main(void) {
  for (int i = 0; i < 2 * SDCZ; i++) petsc_main_product(format_of(i / 2, i % 2 ? OCEAN_INDEX_64I : OCEAN_INDEX_32I));
}

// Operands with entries whose product has none: C's arrays are not set before copy.
static void petsc_main_with_an_empty_product(void) {
  Csr a = csr_begin(3, 2), b = csr_begin(2, 4);
  for (int i = 0; i < 3; i++) {
    csr_push(&a, 0, 1);
    csr_end_row(&a);
  }
  csr_end_row(&b);
  csr_push(&b, 2, 1);
  csr_end_row(&b);
  Client x;
  client_open(&x, format_of(1, OCEAN_INDEX_32I), OCEAN_SPGEMM_DEFAULT, &a, &b);
  client_scalars(&x, OCEAN_POINTER_MODE_DEVICE, 1, 0);
  x.mat_a = client_matrix(&x, &x.a);
  petsc_main_symbolic(&x);
  CHECK_INT(x.nnz, 0);
  client_check(&x);
  petsc_main_numeric(&x);
  client_check(&x);
  client_close(&x);
}

// The reuse protocol, with buffers 4 and 5 kept; numeric with reuse_compute alone; scalars on the device.
static void petsc_3_24(void) {
  const Csr a = client_left(), b = client_right();
  for (int i = 0; i < SDCZ; i++) {
    Client x;
    client_open(&x, format_of(i, OCEAN_INDEX_32I), OCEAN_SPGEMM_DEFAULT, &a, &b);
    client_scalars(&x, OCEAN_POINTER_MODE_DEVICE, 1, 0);
    x.mat_a = client_matrix(&x, &x.a);
    x.mat_b = client_matrix(&x, &x.b);
    client_begin_c(&x);
    CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
    CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE(&x), &x.size[1], NULL));
    client_buffer(&x, 1);
    CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE(&x), &x.size[1], x.buffer[1]));
    CHECK_OK(oceanSpGEMMreuse_nnz(REUSE(&x), &x.size[2], NULL, &x.size[3], NULL, &x.size[4], NULL));
    for (int which = 2; which <= 4; which++) client_buffer(&x, which);
    CHECK_OK(
        oceanSpGEMMreuse_nnz(REUSE(&x), &x.size[2], x.buffer[2], &x.size[3], x.buffer[3], &x.size[4], x.buffer[4]));
    client_free(&x, 1);
    client_free(&x, 2);
    client_size_c(&x);
    client_point_c(&x);
    CHECK_OK(oceanSpGEMMreuse_copy(REUSE(&x), &x.size[5], NULL));
    client_buffer(&x, 5);
    CHECK_OK(oceanSpGEMMreuse_copy(REUSE(&x), &x.size[5], x.buffer[5]));
    client_free(&x, 3);
    for (uint64_t seed = 10; seed < 14; seed++) {
      CHECK_OK(oceanSpGEMMreuse_compute(PLAIN(&x)));
      client_check(&x);
      client_new_values(&x, seed);
    }
    client_close(&x);
  }
}

// Once, as hypre and Ginkgo do; buffers live until copy has returned.
static void multiply_once(Client* x) {
  x->mat_a = client_matrix(x, &x->a);
  x->mat_b = client_matrix(x, &x->b);
  client_begin_c(x);
  CHECK_OK(oceanSpGEMM_createDescr(&x->spgemm));
  client_work_estimation(x);
  client_compute(x);
  client_size_c(x);
  client_point_c(x);
  CHECK_OK(oceanSpGEMM_copy(PLAIN(x)));
  client_free(x, 1);
  client_free(x, 2);
}

// One product, with 64-bit indices where they are large; the diagonal comes first in each row, so rows are unsorted.
static void hypre(void) {
  const Csr sorted = csr_tridiagonal(60, -1, 2, -1), a = csr_shuffle_rows(&sorted, 3);
  for (int i = 0; i < 4; i++) {
    Client x;
    client_open(&x, format_of(i / 2, i % 2 ? OCEAN_INDEX_64I : OCEAN_INDEX_32I), OCEAN_SPGEMM_DEFAULT, &a, &a);
    multiply_once(&x);
    client_check(&x);
    client_close(&x);
  }
}

// Arrays of no bytes are NULL, in empty matrices too; scalars are 1 and 0 on the host.
static void ginkgo(void) {
  const Csr a = client_left(), b = client_right(), no_entries = csr_empty(40, 30), nothing = csr_empty(0, 30);
  const Csr* lefts[] = {&a, &no_entries, &nothing};
  for (int i = 0; i < 2 * SDCZ; i++) {
    for (int k = 0; k < 3; k++) {
      Client x;
      client_open(&x, format_of(i / 2, i % 2 ? OCEAN_INDEX_64I : OCEAN_INDEX_32I), OCEAN_SPGEMM_DEFAULT, lefts[k], &b);
      multiply_once(&x);
      client_check(&x);
      client_close(&x);
    }
  }
}

static void* amgx_alloc(size_t bytes) { return bytes > 0 ? device_alloc(bytes) : NULL; }

// The second algorithm with estimateMemory; C has not even row offsets until all its arrays are set.
static void amgx_product(Format format, const Csr* a, const Csr* b) {
  Client x;
  client_open(&x, format, OCEAN_SPGEMM_ALG2, a, b);
  x.mat_a = client_matrix(&x, &x.a);
  x.mat_b = client_matrix(&x, &x.b);
  CHECK_OK(oceanCreateCsr(&x.mat_c, a->rows, b->cols, 0, NULL, NULL, NULL, format.offsets, format.columns, format.base,
                          format.type));
  CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
  CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(&x), &x.size[1], NULL));
  x.buffer[1] = amgx_alloc(x.size[1]);
  CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(&x), &x.size[1], x.buffer[1]));
  CHECK_OK(oceanSpGEMM_estimateMemory(PLAIN(&x), 0.5f, &x.size[3], NULL, NULL));
  x.buffer[3] = amgx_alloc(x.size[3]);
  CHECK_OK(oceanSpGEMM_estimateMemory(PLAIN(&x), 0.5f, &x.size[3], x.buffer[3], &x.size[2]));
  client_free(&x, 3);
  x.buffer[2] = amgx_alloc(x.size[2]);
  CHECK_OK(oceanSpGEMM_compute(PLAIN(&x), &x.size[2], x.buffer[2]));
  client_size_c(&x);
  x.c.offsets = device_alloc(((size_t)a->rows + 1) * sizeof(int32_t));
  client_point_c(&x);
  CHECK_OK(oceanSpGEMM_copy(PLAIN(&x)));
  client_free(&x, 1);
  client_free(&x, 2);
  client_check(&x);
  client_close(&x);
}

static void amgx(void) {
  const Csr a = client_left(), b = client_right(), no_entries = csr_empty(40, 30);
  for (int i = 0; i < SDCZ; i++) {
    amgx_product(format_of(i, OCEAN_INDEX_32I), &a, &b);
    amgx_product(format_of(i, OCEAN_INDEX_32I), &no_entries, &b);
  }
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(petsc_main), TEST(petsc_main_with_an_empty_product), TEST(petsc_3_24), TEST(hypre), TEST(ginkgo), TEST(amgx),
  };
  return RUN(tests, argc, argv);
}
