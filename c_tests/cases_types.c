// SPDX-License-Identifier: MIT OR Apache-2.0
//
// User cases about types of values (TY) and of indices (IX).
#include <string.h>

#include "client.h"

static Arrays ones(Format format, int64_t rows, int64_t cols, double value) {
  const Csr full = csr_full(rows, cols, value);
  double* im = test_alloc((size_t)full.nnz * sizeof *im);
  memset(im, 0, (size_t)full.nnz * sizeof *im);
  return arrays_upload(format, &full, im);
}

static Arrays integers(Format format, const Csr* matrix) {
  double* im = test_alloc((size_t)(matrix->nnz + 1) * sizeof *im);
  memset(im, 0, (size_t)matrix->nnz * sizeof *im);
  return arrays_upload(format, matrix, im);
}

static void plain(Client* x) {
  CHECK_OK(oceanSpGEMM_createDescr(&x->spgemm));
  CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(x), &x->size[1], NULL));
  client_buffer(x, 1);
  CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(x), &x->size[1], x->buffer[1]));
  CHECK_OK(oceanSpGEMM_compute(PLAIN(x), &x->size[2], NULL));
  client_buffer(x, 2);
  CHECK_OK(oceanSpGEMM_compute(PLAIN(x), &x->size[2], x->buffer[2]));
  client_size_c(x);
  client_point_c(x);
  CHECK_OK(oceanSpGEMM_copy(PLAIN(x)));
}

static void reuse(Client* x) {
  CHECK_OK(oceanSpGEMM_createDescr(&x->spgemm));
  CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE(x), &x->size[1], NULL));
  client_buffer(x, 1);
  CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE(x), &x->size[1], x->buffer[1]));
  CHECK_OK(oceanSpGEMMreuse_nnz(REUSE(x), &x->size[2], NULL, &x->size[3], NULL, &x->size[4], NULL));
  for (int i = 2; i <= 4; i++) client_buffer(x, i);
  CHECK_OK(
      oceanSpGEMMreuse_nnz(REUSE(x), &x->size[2], x->buffer[2], &x->size[3], x->buffer[3], &x->size[4], x->buffer[4]));
  client_size_c(x);
  client_point_c(x);
  CHECK_OK(oceanSpGEMMreuse_copy(REUSE(x), &x->size[5], NULL));
  client_buffer(x, 5);
  CHECK_OK(oceanSpGEMMreuse_copy(REUSE(x), &x->size[5], x->buffer[5]));
  CHECK_OK(oceanSpGEMMreuse_compute(PLAIN(x)));
}

// A row of equal values times a column of them, in 16 bits, with sums of 32.
static void row_times_column(Client* x, oceanDataType_t type, int64_t count, double value) {
  const Format format = {type, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE};
  const Csr row = csr_full(1, count, 1), column = csr_full(count, 1, 1);
  client_open(x, format, OCEAN_SPGEMM_DEFAULT, &row, &column);
  arrays_free(&x->a);
  arrays_free(&x->b);
  x->a = ones(format, 1, count, value);
  x->b = ones(format, count, 1, value);
  x->compute = CUDA_R_32F;
  client_scalars(x, OCEAN_POINTER_MODE_HOST, 1, 0);
  x->mat_a = client_matrix(x, &x->a);
  x->mat_b = client_matrix(x, &x->b);
  client_begin_c(x);
}

static void TY1_sums_of_16_bit_values_do_not_stop_growing(void) {
  const oceanDataType_t types[] = {CUDA_R_16F, CUDA_R_16BF};
  for (int i = 0; i < 4; i++) {
    Client x;
    row_times_column(&x, types[i / 2], 4096, 1);
    if (i % 2) {
      reuse(&x);
    } else {
      plain(&x);
    }
    client_check(&x);  // 4096
    client_close(&x);
  }
}

static void TY3_a_sum_past_the_largest_16_bit_value_is_infinite(void) {
  Client x;
  row_times_column(&x, CUDA_R_16F, 2, 300);
  plain(&x);
  uint16_t bits;
  device_download(&bits, x.c.values, sizeof bits);
  CHECK_INT(bits, 0x7c00);
  client_close(&x);

  // Wider values in C are not offered.
  row_times_column(&x, CUDA_R_16F, 2, 300);
  CHECK_OK(oceanDestroySpMat(x.mat_c));
  x.format.type = CUDA_R_32F;
  x.mat_c = NULL;
  CHECK_OK(oceanCreateCsr(&x.mat_c, 1, 1, 0, x.c.offsets, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE,
                          CUDA_R_32F));
  CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
  CHECK_REFUSED(oceanSpGEMM_workEstimation(PLAIN(&x), &x.size[1], NULL), OCEAN_STATUS_NOT_SUPPORTED, "matC", "R_32F");
  client_close(&x);
}

static void refuse_types(oceanDataType_t type_a, oceanDataType_t type_b, const char* name_a, const char* name_b) {
  Format format = {type_a, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE};
  const Csr identity = csr_diagonal(2, 1);
  Client x;
  client_open(&x, format, OCEAN_SPGEMM_DEFAULT, &identity, &identity);
  x.mat_a = client_matrix(&x, &x.a);
  client_begin_c(&x);
  format.type = type_b;
  arrays_free(&x.b);
  x.b = integers(format, &identity);
  x.mat_b = arrays_matrix(format, &x.b);
  CHECK_OK(oceanSpGEMM_createDescr(&x.spgemm));
  CHECK_REFUSED(oceanSpGEMM_workEstimation(PLAIN(&x), &x.size[1], NULL), OCEAN_STATUS_NOT_SUPPORTED, "matB", name_a,
                name_b);
  CHECK_INT(x.size[1], 0);
  client_close(&x);
}

static void TY5_single_times_double_is_refused_by_name(void) {
  refuse_types(CUDA_R_32F, CUDA_R_64F, "R_32F", "R_64F");
  refuse_types(CUDA_R_64F, CUDA_R_32F, "R_64F", "R_32F");
}

enum { WIDTHS = 3 };
static const oceanIndexType_t OFFSETS[WIDTHS] = {OCEAN_INDEX_32I, OCEAN_INDEX_64I, OCEAN_INDEX_64I};
static const oceanIndexType_t COLUMNS[WIDTHS] = {OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_64I};

// WR1 with A, B and C in these widths, in both protocols.
static void multiply_in_widths(int in_a, int in_b, int in_c) {
  const Csr a = wr1_a(), b = wr1_b();
  const int widths[] = {in_a, in_b, in_c};
  Format formats[3];
  for (int i = 0; i < 3; i++) formats[i] = (Format){CUDA_R_64F, OFFSETS[widths[i]], COLUMNS[widths[i]], ZERO_BASE};
  for (int reused = 0; reused < 2; reused++) {
    Client x;
    client_open(&x, formats[2], OCEAN_SPGEMM_DEFAULT, &a, &b);
    arrays_free(&x.a);
    arrays_free(&x.b);
    x.a = integers(formats[0], &a);
    x.b = integers(formats[1], &b);
    x.mat_a = arrays_matrix(formats[0], &x.a);
    x.mat_b = arrays_matrix(formats[1], &x.b);
    client_begin_c(&x);
    harness_case("widths %d, %d, %d, %s", in_a, in_b, in_c, reused ? "reuse" : "plain");
    if (reused) {
      reuse(&x);
    } else {
      plain(&x);
    }
    client_check(&x);
    client_close(&x);
  }
}

static void IX1_64_bit_indices_everywhere(void) { multiply_in_widths(2, 2, 2); }

static void IX2_64_bit_offsets_over_32_bit_columns(void) { multiply_in_widths(1, 1, 1); }

static void IX3_every_mix_of_widths(void) {
  for (int mix = 0; mix < WIDTHS * WIDTHS * WIDTHS; mix++) {
    multiply_in_widths(mix % WIDTHS, mix / WIDTHS % WIDTHS, mix / WIDTHS / WIDTHS);
  }
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(TY1_sums_of_16_bit_values_do_not_stop_growing), TEST(TY3_a_sum_past_the_largest_16_bit_value_is_infinite),
      TEST(TY5_single_times_double_is_refused_by_name),    TEST(IX1_64_bit_indices_everywhere),
      TEST(IX2_64_bit_offsets_over_32_bit_columns),        TEST(IX3_every_mix_of_widths),
  };
  return RUN(tests, argc, argv);
}
