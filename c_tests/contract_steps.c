// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Rules and tests of the contract about what each step reads and writes, and about repeats.
#include <math.h>

#include "device.h"
#include "harness.h"
#include "product.h"

static void R6_T5_compute_and_copy_repeat_with_new_values_and_moved_arrays(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(60, 50, 0.1, 1), b = csr_random(50, 70, 0.1, 2);
  for (int i = 0; i < ALGS; i++) {
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    plain_work_estimation(&p);
    for (int round = 0; round < 4; round++) {
      harness_case("alg %d, round %d", ALL_ALGS[i], round);
      const Csr new_a = csr_scale(&a, round + 1.5), new_b = csr_scale(&b, 1.0 / (round + 3));
      device_csr_set_values(&p.a, &new_a);
      device_csr_set_values(&p.b, &new_b);
      if (round > 1) {
        device_csr_move(&p.a);
        device_csr_move(&p.b);
      }
      if (round > 0) product_free_buffer(&p, 2);  // the next one may lie elsewhere
      plain_compute(&p);
      product_allocate_c(&p);
      if (round == 3) plain_compute(&p);  // once more, with C's pointers set already
      plain_copy(&p);
      const Csr c = product_read(&p), expected = csr_multiply(&new_a, &new_b, CUDA_R_64F);
      CHECK_SAME(&c, &expected);
    }
    product_close(&p);
  }
  close_handle(handle);
}

static void R6_copy_repeats(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c(), triple = csr_scale(&expected, 3);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_all(&p);
  product_allocate_c(&p);
  device_poison(p.c_offsets);
  plain_copy(&p);
  Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_set_scalars(&p, 3, 0);
  p.setup.alg = OCEAN_SPGEMM_ALG3;  // need not be compute's
  plain_copy(&p);
  c = product_read(&p);
  CHECK_SAME(&c, &triple);
  product_close(&p);
  close_handle(handle);
}

static void R6_reuse_copy_runs_twice_first_into_columns_to_throw_away(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  reuse_work_estimation(&p);
  reuse_nnz(&p);
  product_allocate_c(&p);
  reuse_copy(&p);
  product_allocate_c(&p);
  device_poison(p.c_offsets);
  CHECK_OK(oceanSpGEMMreuse_copy(REUSE_LEADING(&p), &p.size[5], p.buffer[5]));
  product_free_buffer(&p, 3);
  device_csr_move(&p.a);
  device_csr_move(&p.b);
  reuse_compute(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void R7_values_may_be_missing_until_compute(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    CHECK_OK(oceanSpMatSetValues(p.a.descr, NULL));
    CHECK_OK(oceanSpMatSetValues(p.b.descr, NULL));
    plain_work_estimation(&p);
    if (needs_estimate(ALL_ALGS[i])) {
      CHECK_OK(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, &p.size[3], NULL, NULL));
      p.buffer[3] = device_alloc(p.size[3]);
      CHECK_OK(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, &p.size[3], p.buffer[3], &p.size[2]));
    }
    CHECK_OK(oceanSpMatSetValues(p.a.descr, p.a.values));
    CHECK_OK(oceanSpMatSetValues(p.b.descr, p.b.values));
    plain_compute(&p);
    product_allocate_c(&p);
    plain_copy(&p);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
  }
  close_handle(handle);
}

static void R7_copy_does_not_look_at_A_and_B(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_work_estimation(&p);
  plain_compute(&p);
  product_allocate_c(&p);
  DeviceCsr* operands[] = {&p.a, &p.b};
  for (int i = 0; i < 2; i++) {
    device_poison(operands[i]->offsets);
    device_poison(operands[i]->columns);
    device_poison(operands[i]->values);
  }
  plain_copy(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  for (int i = 0; i < 2; i++) device_csr_move(operands[i]);  // restores them
  product_close(&p);
  close_handle(handle);
}

static void R7_reuse_takes_values_only_in_compute(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  CHECK_OK(oceanSpMatSetValues(p.a.descr, NULL));
  CHECK_OK(oceanSpMatSetValues(p.b.descr, NULL));
  reuse_work_estimation(&p);
  reuse_nnz(&p);
  product_allocate_c(&p);
  CHECK_OK(oceanSpMatSetValues(p.c, NULL));
  reuse_copy(&p);
  CHECK(device_all(p.c_values, DEVICE_FRESH));
  CHECK_OK(oceanSpMatSetValues(p.a.descr, p.a.values));
  CHECK_OK(oceanSpMatSetValues(p.b.descr, p.b.values));
  CHECK_OK(oceanSpMatSetValues(p.c, p.c_values));
  reuse_compute(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void R10_compute_sets_the_nnz_of_C_and_copy_its_arrays(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  // C with another nnz and with none of its arrays.
  CHECK_OK(oceanDestroySpMat(p.c));
  CHECK_OK(oceanCreateCsr(&p.c, 4, 4, 7, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE, CUDA_R_64F));
  int64_t rows, cols, nnz;
  plain_work_estimation(&p);
  CHECK_OK(oceanSpMatGetSize(p.c, &rows, &cols, &nnz));
  CHECK_INT(nnz, 7);
  plain_compute(&p);
  CHECK_INT(p.c_nnz, 16);
  product_allocate_c(&p);
  CHECK(device_all(p.c_offsets, DEVICE_FRESH));
  CHECK(device_all(p.c_columns, DEVICE_FRESH));
  CHECK(device_all(p.c_values, DEVICE_FRESH));
  plain_copy(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void R11_row_extents_come_from_the_offsets(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  for (int extra = 1; extra <= 12; extra += 11) {
    Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
    CHECK_OK(oceanDestroySpMat(p.a.descr));
    CHECK_OK(oceanDestroySpMat(p.b.descr));
    // nnz as a capacity. The arrays end where the offsets say: what the guard zones hold would be odd columns.
    CHECK_OK(oceanCreateCsr(&p.a.descr, 4, 7, a.nnz + extra, p.a.offsets, p.a.columns, p.a.values, OCEAN_INDEX_32I,
                            OCEAN_INDEX_32I, ZERO_BASE, CUDA_R_64F));
    CHECK_OK(oceanCreateCsr(&p.b.descr, 7, 4, b.nnz + extra, p.b.offsets, p.b.columns, p.b.values, OCEAN_INDEX_32I,
                            OCEAN_INDEX_32I, ZERO_BASE, CUDA_R_64F));
    plain_all(&p);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
  }
  close_handle(handle);
}

static void R12_rows_come_out_sorted_unique_and_structural(void) {
  oceanHandle_t handle = open_handle();
  // Half of B cancels the other half, and A has stored zeros: every entry is 0, none goes.
  Csr a = csr_full(3, 10, 1), b = csr_full(10, 40, 1);
  for (int64_t e = b.nnz / 2; e < b.nnz; e++) b.values[e] = -1;
  for (int64_t j = 0; j < 10; j++) a.values[j] = 0;
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    const Csr c = full_call(handle, &a, &b, with_alg(ALL_ALGS[i]));
    CHECK_INT(c.nnz, 120);
    for (int64_t e = 0; e < c.nnz; e++) CHECK(c.values[e] == 0);
    expect_full_call(handle, &a, &b, with_alg(ALL_ALGS[i]));
    expect_reuse_call(handle, &a, &b, with_alg(ALL_ALGS[i]));
  }
  close_handle(handle);
}

static void R13_T9_rows_of_A_and_B_may_be_unsorted_and_repeat_columns(void) {
  oceanHandle_t handle = open_handle();
  const Csr sorted_a = csr_random(50, 60, 0.2, 1), sorted_b = csr_random(60, 300, 0.2, 2);
  const Csr twice_a = csr_repeat(&sorted_a), twice_b = csr_repeat(&sorted_b);
  const Csr a = csr_shuffle_rows(&twice_a, 3), b = csr_shuffle_rows(&twice_b, 4);
  for (int i = 0; i < 2 * ALGS; i++) {
    Setup setup = with_alg(ALL_ALGS[i / 2]);
    setup.type = i % 2 == 0 ? CUDA_R_32F : CUDA_R_64F;
    harness_case("alg %d, type %d", setup.alg, setup.type);
    expect_full_call(handle, &a, &b, setup);
    expect_reuse_call(handle, &a, &b, setup);
    expect_one_call(handle, &a, &b, setup);
  }
  close_handle(handle);
}

static void R7_C_may_lie_in_the_arrays_of_A(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_diagonal(50, 3), b = csr_diagonal(50, 5), expected = csr_diagonal(50, 15);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_work_estimation(&p);
  plain_compute(&p);
  CHECK_OK(oceanCsrSetPointers(p.c, p.a.offsets, p.a.columns, p.a.values));
  plain_copy(&p);
  const Csr c = download_csr(p.a.offsets, p.a.columns, p.a.values, 50, 50, p.c_nnz, ZERO_BASE, CUDA_R_64F);
  CHECK_SAME(&c, &expected);
  device_csr_move(&p.a);  // as it was, for the checks on closing
  product_close(&p);
  close_handle(handle);
}

static void R12_rows_of_58000_entries_come_out_sorted(void) {
  oceanHandle_t handle = open_handle();
  const Csr wide = csr_full(3, 58000, 1), unsorted = csr_shuffle_rows(&wide, 5);
  const Csr a = csr_dense(2, 3, (const double[]){1, 0, 2, 0, 4, 0});
  expect_full_call(handle, &a, &unsorted, DEFAULT_SETUP);
  expect_reuse_call(handle, &a, &unsorted, DEFAULT_SETUP);
  close_handle(handle);
}

static void any_chunk_fraction_will_do(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(60, 60, 0.2, 1), b = csr_random(60, 60, 0.2, 2);
  const float fractions[] = {1, 0.05f, 0, -1, 7, NAN};
  for (int i = 0; i < 6; i++) {
    harness_case("fraction %g", fractions[i]);
    Setup setup = with_alg(OCEAN_SPGEMM_ALG3);
    setup.chunk_fraction = fractions[i];
    expect_full_call(handle, &a, &b, setup);
  }
  // The query may come with a place for the second size, as one client's does.
  Product p = product_open(handle, &a, &b, with_alg(OCEAN_SPGEMM_ALG2));
  plain_work_estimation(&p);
  size_t size2 = 0;
  CHECK_OK(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, &p.size[3], NULL, &size2));
  plain_compute(&p);
  product_close(&p);
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(R6_T5_compute_and_copy_repeat_with_new_values_and_moved_arrays),
      TEST(R6_copy_repeats),
      TEST(R6_reuse_copy_runs_twice_first_into_columns_to_throw_away),
      TEST(R7_values_may_be_missing_until_compute),
      TEST(R7_copy_does_not_look_at_A_and_B),
      TEST(R7_reuse_takes_values_only_in_compute),
      TEST(R10_compute_sets_the_nnz_of_C_and_copy_its_arrays),
      TEST(R11_row_extents_come_from_the_offsets),
      TEST(R12_rows_come_out_sorted_unique_and_structural),
      TEST(R13_T9_rows_of_A_and_B_may_be_unsorted_and_repeat_columns),
      TEST(R7_C_may_lie_in_the_arrays_of_A),
      TEST(R12_rows_of_58000_entries_come_out_sorted),
      TEST(any_chunk_fraction_will_do),
  };
  return RUN(tests, argc, argv);
}
