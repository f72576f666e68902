// SPDX-License-Identifier: MIT OR Apache-2.0
//
// User cases about wrong results (WR), the order of entries (SO), repeats (DU) and stored zeros (ZE).
#include <math.h>

#include "device.h"
#include "harness.h"
#include "product.h"

// Both ways to a product give exactly this.
static void expect_both(const Csr* a, const Csr* b, const Csr* expected) {
  oceanHandle_t handle = open_handle();
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    const Csr plain = full_call(handle, a, b, with_alg(ALL_ALGS[i]));
    CHECK_SAME(&plain, expected);
    const Csr reused = reuse_call(handle, a, b, with_alg(ALL_ALGS[i]));
    CHECK_SAME(&reused, expected);
  }
  const Csr one = one_call(handle, a, b, DEFAULT_SETUP);
  CHECK_SAME(&one, expected);
  close_handle(handle);
}

static void WR1_a_product_by_two_rules(void) {
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  expect_both(&a, &b, &expected);
}

static void WR2_C_has_the_rows_of_A_and_the_columns_of_B(void) {
  const Csr a = csr_full(2, 3, 1), b = csr_full(3, 5, 1), expected = csr_full(2, 5, 3);
  expect_both(&a, &b, &expected);
}

static void WR3_one_full_row_over_an_identity(void) {
  const int64_t n = 1000000;
  Csr a = csr_begin(n, n), expected = csr_begin(n, n);
  for (int64_t j = 0; j < n; j++) csr_push(&a, j, 1);
  for (int64_t j = 0; j < n; j++) csr_push(&expected, j, j == 0 ? 1 : 2);
  csr_end_row(&a);
  csr_end_row(&expected);
  for (int64_t i = 1; i < n; i++) {
    csr_push(&a, i, 1);
    csr_push(&expected, i, 1);
    csr_end_row(&a);
    csr_end_row(&expected);
  }
  CHECK_INT(expected.nnz, 1999999);
  oceanHandle_t handle = open_handle();
  const Csr c = full_call(handle, &a, &a, DEFAULT_SETUP);
  CHECK_SAME(&c, &expected);
  close_handle(handle);
}

static void WR5_columns_that_collide_in_tables_of_a_power_of_two(void) {
  const Csr a = csr_full(1, 64, 1);
  Csr b = csr_begin(64, (int64_t)1 << 26), expected = csr_begin(1, (int64_t)1 << 26);
  for (int64_t j = 0; j < 64; j++) {
    csr_push(&b, j << 20, 1);
    csr_end_row(&b);
    csr_push(&expected, j << 20, 1);
  }
  csr_end_row(&expected);
  expect_both(&a, &b, &expected);
}

static void WR8_nothing_past_the_last_entry_is_read(void) {
  oceanHandle_t handle = open_handle();
  const int offsets[] = {0, 3, 4, 7}, columns[] = {1, 2, 4, 0, 1, 3, 4};
  const Csr a = csr_arrays(3, 5, offsets, columns, (const double[]){1, 2, 3, 4, 5, 6, 7}), b = csr_diagonal(5, 1);
  const int32_t long_columns[] = {1, 2, 4, 0, 1, 3, 4, 99, 99, 99, 99, 99};
  const double long_values[] = {1, 2, 3, 4, 5, 6, 7, NAN, NAN, NAN, NAN, NAN};
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  device_free(p.a.columns);
  device_free(p.a.values);
  p.a.columns = device_alloc(sizeof long_columns);
  p.a.values = device_alloc(sizeof long_values);
  device_upload(p.a.columns, long_columns, sizeof long_columns);
  device_upload(p.a.values, long_values, sizeof long_values);
  CHECK_OK(oceanCsrSetPointers(p.a.descr, p.a.offsets, p.a.columns, p.a.values));
  plain_all(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &a);
  product_close(&p);
  close_handle(handle);
}

static void WR10_powers_of_a_laplacian_a_hundred_times(void) {
  oceanHandle_t handle = open_handle();
  const Csr laplacian = csr_tridiagonal(1000, -1, 2, -1);
  const Csr square = csr_multiply(&laplacian, &laplacian, CUDA_R_64F);
  const Csr cube = csr_multiply(&square, &laplacian, CUDA_R_64F);
  CHECK_INT(cube.nnz, 6988);
  const double inner[] = {-1, 6, -15, 20, -15, 6, -1};
  for (int j = 0; j < 7; j++) CHECK(csr_at(&cube, 500, 497 + j) == inner[j]);
  for (int round = 0; round < 100; round++) {
    harness_case("round %d", round);
    const Csr first = full_call(handle, &laplacian, &laplacian, DEFAULT_SETUP);
    CHECK_SAME(&first, &square);
    const Csr second = full_call(handle, &first, &laplacian, DEFAULT_SETUP);
    CHECK_SAME(&second, &cube);
  }
  close_handle(handle);
}

static bool wr12_stored(int64_t i, int64_t j) { return (i + 2 * j) % 5 == 0; }
static double wr12_value(int64_t i, int64_t j) { return (double)(1 + (i + j) % 3); }

static void WR12_sizes_that_fill_a_last_block_in_part(void) {
  static const struct {
    int64_t n, nnz;
    double sum;
  } sizes[] = {{15, 45, 540}, {17, 59, 797}, {33, 219, 5750}, {1899, 721241, 1095709988}};
  oceanHandle_t handle = open_handle();
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    harness_case("n = %d", (int)sizes[i].n);
    const Csr a = csr_rule(sizes[i].n, sizes[i].n, wr12_stored, wr12_value), b = csr_transpose(&a);
    const Csr c = full_call(handle, &a, &b, DEFAULT_SETUP);
    CHECK_INT(c.nnz, sizes[i].nnz);
    CHECK(csr_sum(&c) == sizes[i].sum);
    if (sizes[i].n < 100) expect_reuse_call(handle, &a, &b, DEFAULT_SETUP);
  }
  close_handle(handle);
}

static void SO1_SO3_unsorted_rows_give_sorted_ones(void) {
  const int a_offsets[] = {0, 2, 3}, a_columns[] = {2, 0, 1};
  const int b_offsets[] = {0, 2, 3, 5}, b_columns[] = {2, 1, 0, 1, 0};
  const int c_offsets[] = {0, 3, 4}, c_columns[] = {0, 1, 2, 0};
  const Csr a = csr_arrays(2, 3, a_offsets, a_columns, (const double[]){5, 1, 3});
  const Csr b = csr_arrays(3, 3, b_offsets, b_columns, (const double[]){7, 4, 2, 6, 8});
  const Csr expected = csr_arrays(2, 3, c_offsets, c_columns, (const double[]){40, 34, 7, 6});
  expect_both(&a, &b, &expected);
}

static void DU1_repeats_in_A_are_summed(void) {
  const int offsets[] = {0, 2}, columns[] = {0, 0};
  const Csr a = csr_arrays(1, 1, offsets, columns, (const double[]){4, 3});
  const Csr b = csr_diagonal(1, 2), expected = csr_diagonal(1, 14);
  expect_both(&a, &b, &expected);
}

static void DU3_repeats_next_to_single_entries(void) {
  const int offsets[] = {0, 1, 2, 2, 4}, columns[] = {0, 1, 2, 2};
  const Csr a = csr_arrays(4, 3, offsets, columns, (const double[]){1, 2, 3, 10}), b = csr_diagonal(3, 1);
  const int c_offsets[] = {0, 1, 2, 2, 3}, c_columns[] = {0, 1, 2};
  const Csr expected = csr_arrays(4, 3, c_offsets, c_columns, (const double[]){1, 2, 13});
  expect_both(&a, &b, &expected);
}

static void DU4_repeats_in_B_are_summed(void) {
  const int offsets[] = {0, 2, 3}, columns[] = {0, 0, 0};
  const Csr a = csr_full(1, 2, 1), b = csr_arrays(2, 1, offsets, columns, (const double[]){1, 2, 4});
  const Csr expected = csr_full(1, 1, 7);
  expect_both(&a, &b, &expected);
}

static void ZE1_an_entry_that_cancels_is_a_stored_zero(void) {
  const Csr a = csr_full(1, 2, 1), b = csr_dense(2, 1, (const double[]){1, -1}), expected = csr_full(1, 1, 0.0);
  expect_both(&a, &b, &expected);
}

static void ZE3_an_entry_from_a_stored_zero_stays(void) {
  const int a_offsets[] = {0, 2, 3}, a_columns[] = {0, 1, 1}, c_columns[] = {0, 1, 0};
  const Csr a = csr_arrays(2, 2, a_offsets, a_columns, (const double[]){1, 0, 1});
  const Csr b = csr_dense(2, 2, (const double[]){0, 5, 7, 0});
  const Csr expected = csr_arrays(2, 2, a_offsets, c_columns, (const double[]){0, 5, 7});
  expect_both(&a, &b, &expected);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(WR1_a_product_by_two_rules),
      TEST(WR2_C_has_the_rows_of_A_and_the_columns_of_B),
      TEST(WR3_one_full_row_over_an_identity),
      TEST(WR5_columns_that_collide_in_tables_of_a_power_of_two),
      TEST(WR8_nothing_past_the_last_entry_is_read),
      TEST(WR10_powers_of_a_laplacian_a_hundred_times),
      TEST(WR12_sizes_that_fill_a_last_block_in_part),
      TEST(SO1_SO3_unsorted_rows_give_sorted_ones),
      TEST(DU1_repeats_in_A_are_summed),
      TEST(DU3_repeats_next_to_single_entries),
      TEST(DU4_repeats_in_B_are_summed),
      TEST(ZE1_an_entry_that_cancels_is_a_stored_zero),
      TEST(ZE3_an_entry_from_a_stored_zero_stays),
  };
  return RUN(tests, argc, argv);
}
