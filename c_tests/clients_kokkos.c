// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The calls of KokkosKernels, by its versions, and of Tpetra through it.
#include <limits.h>

#include "client.h"

static void set_pointers(oceanSpMatDescr_t matrix, const Arrays* arrays) {
  CHECK_OK(oceanCsrSetPointers(matrix, arrays->offsets, arrays->columns, arrays->values));
}

// The columns stand in for values, which the symbolic phase is not given.
static oceanSpMatDescr_t with_columns_for_values(const Client* x, const Arrays* matrix) {
  Arrays fake = *matrix;
  fake.values = fake.columns;
  return client_matrix(x, &fake);
}

// Row offsets of C by a copy whose columns are thrown away.
static void reuse_symbolic(Client* x) {
  x->mat_a = with_columns_for_values(x, &x->a);
  x->mat_b = with_columns_for_values(x, &x->b);
  client_begin_c(x);
  CHECK_OK(oceanSpGEMM_createDescr(&x->spgemm));
  CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE(x), &x->size[1], NULL));
  client_buffer(x, 1);
  CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE(x), &x->size[1], x->buffer[1]));
  CHECK_OK(oceanSpGEMMreuse_nnz(REUSE(x), &x->size[2], NULL, &x->size[3], NULL, &x->size[4], NULL));
  for (int i = 2; i <= 4; i++) client_buffer(x, i);
  CHECK_OK(
      oceanSpGEMMreuse_nnz(REUSE(x), &x->size[2], x->buffer[2], &x->size[3], x->buffer[3], &x->size[4], x->buffer[4]));
  client_free(x, 1);
  client_free(x, 2);
  client_size_c(x);
  CHECK(x->nnz <= INT_MAX);
  CHECK_OK(oceanSpGEMMreuse_copy(REUSE(x), &x->size[5], NULL));
  client_buffer(x, 5);
  client_point_c(x);
  CHECK_OK(oceanSpGEMMreuse_copy(REUSE(x), &x->size[5], x->buffer[5]));
  device_poison(x->c.columns);
  device_poison(x->c.values);
  client_size_c(x);  // others in their place
}

// Pointer mode host for this one call. The real columns of C come with the first of them.
static void reuse_numeric(Client* x, bool first) {
  set_pointers(x->mat_a, &x->a);
  set_pointers(x->mat_b, &x->b);
  client_point_c(x);
  if (first) CHECK_OK(oceanSpGEMMreuse_copy(REUSE(x), &x->size[5], x->buffer[5]));
  oceanPointerMode_t before;
  CHECK_OK(oceanGetPointerMode(x->handle, &before));
  CHECK_OK(oceanSetPointerMode(x->handle, OCEAN_POINTER_MODE_HOST));
  CHECK_OK(oceanSpGEMMreuse_compute(PLAIN(x)));
  CHECK_OK(oceanSetPointerMode(x->handle, before));
}

static void kokkoskernels_2025(void) {
  const Csr a = client_left(), b = client_right();
  for (int i = 0; i < SDCZ; i++) {
    Client x;
    client_open(&x, format_of(i, OCEAN_INDEX_32I), OCEAN_SPGEMM_DEFAULT, &a, &b);
    CHECK_OK(oceanSetPointerMode(x.handle, OCEAN_POINTER_MODE_DEVICE));
    reuse_symbolic(&x);
    for (uint64_t round = 0; round < 4; round++) {
      reuse_numeric(&x, round == 0);
      client_check(&x);
      client_new_values(&x, 10 + round);
      client_move(&x, &x.a);
      client_move(&x, &x.b);
    }
    client_close(&x);
  }
}

// Compute runs once more, between SetPointers and copy.
static void kokkoskernels_2025_without_reuse(void) {
  const Csr a = client_left(), b = client_right();
  for (int i = 0; i < SDCZ; i++) {
    Client x;
    client_open(&x, format_of(i, OCEAN_INDEX_32I), OCEAN_SPGEMM_DEFAULT, &a, &b);
    x.mat_a = client_matrix(&x, &x.a);
    x.mat_b = client_matrix(&x, &x.b);
    client_begin_c(&x);
    CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
    client_work_estimation(&x);
    client_compute(&x);
    client_size_c(&x);
    CHECK(x.nnz <= INT_MAX);
    client_point_c(&x);
    CHECK_OK(oceanSpGEMM_compute(PLAIN(&x), &x.size[2], x.buffer[2]));
    CHECK_OK(oceanSpGEMM_copy(PLAIN(&x)));
    client_check(&x);
    client_close(&x);
  }
}

// compute takes values that nobody has written.
static void plain_symbolic(Client* x) {
  Arrays fake_a = x->a, fake_b = x->b;
  fake_a.values = device_alloc(device_bytes(x->a.values));
  fake_b.values = device_alloc(device_bytes(x->b.values));
  device_poison(fake_a.values);
  x->mat_a = client_matrix(x, &fake_a);
  x->mat_b = client_matrix(x, &fake_b);
  client_begin_c(x);
  CHECK_OK(oceanSpGEMM_createDescr(&x->spgemm));
  client_work_estimation(x);
  if (x->alg == OCEAN_SPGEMM_ALG2 || x->alg == OCEAN_SPGEMM_ALG3) {
    CHECK_OK(oceanSpGEMM_estimateMemory(PLAIN(x), 0.2f, &x->size[3], NULL, NULL));
    client_buffer(x, 3);
    CHECK_OK(oceanSpGEMM_estimateMemory(PLAIN(x), 0.2f, &x->size[3], x->buffer[3], &x->size[2]));
    client_free(x, 3);
  } else {
    CHECK_OK(oceanSpGEMM_compute(PLAIN(x), &x->size[2], NULL));
  }
  client_buffer(x, 2);
  CHECK_OK(oceanSpGEMM_compute(PLAIN(x), &x->size[2], x->buffer[2]));
  client_size_c(x);
  CHECK(x->nnz <= INT_MAX);
  client_point_c(x);
  CHECK_OK(oceanSpGEMM_copy(PLAIN(x)));  // for the row offsets
  device_free(fake_a.values);
  device_free(fake_b.values);
  client_size_c(x);
}

static void plain_numeric(Client* x) {
  set_pointers(x->mat_a, &x->a);
  set_pointers(x->mat_b, &x->b);
  client_point_c(x);
  CHECK_OK(oceanSpGEMM_compute(PLAIN(x), &x->size[2], x->buffer[2]));
  CHECK_OK(oceanSpGEMM_copy(PLAIN(x)));
}

static void kokkoskernels_2026(void) {
  const oceanSpGEMMAlg_t algs[] = {OCEAN_SPGEMM_DEFAULT, OCEAN_SPGEMM_ALG1, OCEAN_SPGEMM_ALG2, OCEAN_SPGEMM_ALG3};
  const Csr a = client_left(), b = client_right();
  for (int i = 0; i < 4 * SDCZ; i++) {
    Client x;
    client_open(&x, format_of(i / 4, OCEAN_INDEX_32I), algs[i % 4], &a, &b);
    plain_symbolic(&x);
    for (uint64_t round = 0; round < 3; round++) {
      plain_numeric(&x);
      client_check(&x);
      client_new_values(&x, 10 + round);
      client_move(&x, &x.a);
      client_move(&x, &x.b);
    }
    client_close(&x);
  }
}

// A's rows over those of B that are here and those that came from elsewhere, merged and sorted. Row offsets are copied
// to 32 bits for each phase, and the copies go after it.
static void tpetra(void) {
  const Csr a = client_left(), b = client_right();
  for (int i = 0; i < SDCZ; i++) {
    Client x;
    client_open(&x, format_of(i, OCEAN_INDEX_32I), OCEAN_SPGEMM_DEFAULT, &a, &b);
    reuse_symbolic(&x);
    for (uint64_t round = 0; round < 3; round++) {
      client_move(&x, &x.a);
      client_move(&x, &x.b);
      reuse_numeric(&x, round == 0);
      client_check(&x);
      client_new_values(&x, 20 + round);
    }
    client_close(&x);
  }
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(kokkoskernels_2025),
      TEST(kokkoskernels_2025_without_reuse),
      TEST(kokkoskernels_2026),
      TEST(tpetra),
  };
  return RUN(tests, argc, argv);
}
