// SPDX-License-Identifier: MIT OR Apache-2.0
//
// User cases about empty and degenerate shapes (EM), transposed operands (TR) and 64-bit columns (OV8).
#include "device.h"
#include "harness.h"
#include "product.h"

// All ways to the product give the reference's result, for both bases.
static void expect_all_ways(const Csr* a, const Csr* b) {
  oceanHandle_t handle = open_handle();
  for (int i = 0; i < 2 * ALGS; i++) {
    Setup setup = with_alg(ALL_ALGS[i / 2]);
    setup.base_a = setup.base_b = setup.base_c = i % 2 == 0 ? ZERO_BASE : ONE_BASE;
    harness_case("alg %d, base %d", setup.alg, setup.base_c);
    expect_full_call(handle, a, b, setup);
    expect_reuse_call(handle, a, b, setup);
    expect_one_call(handle, a, b, setup);
  }
  close_handle(handle);
}

static void EM1_no_rows(void) {
  const Csr a = csr_empty(0, 12), b = csr_random(12, 5, 0.4, 1);
  expect_all_ways(&a, &b);
}

static void EM3_no_columns(void) {
  const Csr a = csr_random(10, 10, 0.4, 1), b = csr_empty(10, 0);
  expect_all_ways(&a, &b);
}

static void EM4_an_operand_without_entries(void) {
  const Csr empty = csr_empty(3, 3), full = csr_full(3, 3, 1);  // an empty matrix has NULL columns and values
  expect_all_ways(&empty, &full);
  expect_all_ways(&full, &empty);
}

static void EM6_C_is_created_with_no_arrays_at_all(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    CHECK_OK(oceanDestroySpMat(p.c));
    CHECK_OK(oceanCreateCsr(&p.c, 4, 4, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE, CUDA_R_64F));
    plain_all(&p);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
  }
  close_handle(handle);
}

static void EM8_one_row_among_a_thousand(void) {
  Csr a = csr_begin(1000, 1000), expected = csr_begin(1000, 1000);
  for (int i = 0; i < 1000; i++) {
    if (i == 500) {
      for (int j = 0; j < 10; j++) csr_push(&a, j, 1);
      for (int j = 0; j < 10; j++) csr_push(&expected, j, 3);
      csr_push(&a, 500, 3);
      csr_push(&expected, 500, 9);
    }
    csr_end_row(&a);
    csr_end_row(&expected);
  }
  const Csr reference = csr_multiply(&a, &a, CUDA_R_64F);
  CHECK_SAME(&reference, &expected);
  expect_all_ways(&a, &a);
}

static void EM10_nothing_at_all_base_one(void) {
  const Csr nothing = csr_empty(0, 0);
  expect_all_ways(&nothing, &nothing);
}

static const double J[] = {1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0, 5, 6, 7, 0};

static void TR1_a_transpose_times_its_matrix(void) {
  oceanHandle_t handle = open_handle();
  const Csr j = csr_dense(5, 3, J);
  const Csr expected = csr_dense(3, 3, (const double[]){53, 42, 2, 42, 58, 0, 2, 0, 29});
  for (int i = 0; i < 2 * ALGS; i++) {
    Setup setup = with_alg(ALL_ALGS[i / 2]);
    setup.op_a = i % 2 == 0 ? OCEAN_OPERATION_TRANSPOSE : OCEAN_OPERATION_CONJUGATE_TRANSPOSE;
    setup.base_b = setup.base_c = i % 2 == 0 ? ZERO_BASE : ONE_BASE;
    harness_case("alg %d, operation %d", setup.alg, setup.op_a);
    const Csr c = full_call(handle, &j, &j, setup);
    CHECK_SAME(&c, &expected);
    expect_reuse_call(handle, &j, &j, setup);
    expect_one_call(handle, &j, &j, setup);
  }
  close_handle(handle);
}

// The numeric steps take the values that are there now, whatever was transposed.
static void TR1_other_values_in_a_transposed_matrix(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(40, 60, 0.2, 1), b = csr_random(50, 40, 0.2, 2), doubled = csr_scale(&a, 2);
  Setup setup = DEFAULT_SETUP;
  setup.op_a = setup.op_b = OCEAN_OPERATION_TRANSPOSE;
  const Csr left = csr_transpose(&doubled), right = csr_transpose(&b);
  const Csr expected = csr_multiply(&left, &right, CUDA_R_64F);
  for (int reuse = 0; reuse < 2; reuse++) {
    harness_case("reuse %d", reuse);
    Product p = product_open(handle, &a, &b, setup);
    (reuse ? reuse_all : plain_all)(&p);
    device_csr_set_values(&p.a, &doubled);
    device_csr_move(&p.b);
    if (reuse) {
      reuse_compute(&p);
    } else {
      plain_compute(&p);
      plain_copy(&p);
    }
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
  }
  close_handle(handle);
}

static void TR3_a_conjugate_transpose_times_its_matrix(void) {
  oceanHandle_t handle = open_handle();
  const int32_t offsets[] = {0, 1, 3}, columns[] = {0, 0, 1};
  const double values[] = {1, 1, 2, 0, 3, -1};  // [1+i 0; 2 3-i]
  void* arrays[] = {device_alloc(sizeof offsets), device_alloc(sizeof columns), device_alloc(sizeof values)};
  device_upload(arrays[0], offsets, sizeof offsets);
  device_upload(arrays[1], columns, sizeof columns);
  device_upload(arrays[2], values, sizeof values);
  oceanSpMatDescr_t a, c;
  const oceanIndexType_t i32 = OCEAN_INDEX_32I;
  CHECK_OK(oceanCreateCsr(&a, 2, 2, 3, arrays[0], arrays[1], arrays[2], i32, i32, ZERO_BASE, CUDA_C_64F));
  CHECK_OK(oceanCreateCsr(&c, 2, 2, 0, NULL, NULL, NULL, i32, i32, ZERO_BASE, CUDA_C_64F));
  const double one[] = {1, 0};
  CHECK_OK(oceanSpGEMM(handle, OCEAN_OPERATION_CONJUGATE_TRANSPOSE, OP_N, one, a, a, NULL, NULL, c, CUDA_C_64F,
                       OCEAN_SPGEMM_DEFAULT));
  int64_t rows, cols, nnz;
  CHECK_OK(oceanSpMatGetSize(c, &rows, &cols, &nnz));
  CHECK_INT(nnz, 4);
  void* result;
  CHECK_OK(oceanSpMatGetValues(c, &result));
  double got[8];
  device_download(got, result, sizeof got);
  const double expected[] = {6, 0, 6, -2, 6, 2, 10, 0};
  for (int i = 0; i < 8; i++) CHECK(got[i] == expected[i]);
  CHECK_OK(oceanDestroySpMat(c));
  CHECK_OK(oceanDestroySpMat(a));
  for (int i = 0; i < 3; i++) device_free(arrays[i]);
  close_handle(handle);
}

// Whatever a broken matrix would have done to its transpose, it is refused before, by the row it is stored in.
static void TR5_a_broken_matrix_is_not_transposed(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_arrays(3, 4, (const int[]){0, 1, 2, 3}, (const int[]){0, 4, 1}, (const double[]){1, 1, 1});
  const Csr b = csr_full(3, 2, 1);
  Setup setup = DEFAULT_SETUP;
  setup.op_a = OCEAN_OPERATION_TRANSPOSE;
  Product p = product_open(handle, &a, &b, setup);
  CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], NULL));
  p.buffer[1] = device_alloc(p.size[1]);
  CHECK_REFUSED(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], p.buffer[1]), OCEAN_STATUS_INVALID_VALUE, "matA",
                "row 1", "column 4");
  product_close(&p);
  check_handle_works(handle);
  close_handle(handle);
}

static bool tr6_stored(int64_t i, int64_t j) { return (3 * i + 5 * j) % 97 == 0; }
static double tr6_value(int64_t i, int64_t j) { return (double)(1 + (i + j) % 3); }
static bool on_diagonal(int64_t i, int64_t j) { return i == j; }
static double tr6_weight(int64_t i, int64_t j) { return (double)(1 + (i + j) / 2 % 4); }

static void TR6_a_weighted_product_with_a_transpose(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_rule(1000, 1000, tr6_stored, tr6_value), w = csr_rule(1000, 1000, on_diagonal, tr6_weight);
  CHECK_INT(a.nnz, 10310);
  const Csr weighted = full_call(handle, &a, &w, DEFAULT_SETUP);
  Setup setup = DEFAULT_SETUP;
  setup.op_b = OCEAN_OPERATION_TRANSPOSE;
  const Csr c = full_call(handle, &weighted, &a, setup);
  CHECK_INT(c.nnz, 10330);
  CHECK(csr_sum(&c) == 1067333);
  CHECK(csr_at(&c, 0, 0) == 104);
  close_handle(handle);
}

static void TR7_CSC_operands_as_CSR_of_the_transposes(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), once = wr1_c(), expected = csr_transpose(&once);
  const Csr a_csc = csr_transpose(&a), b_csc = csr_transpose(&b);
  const Csr c = full_call(handle, &b_csc, &a_csc, DEFAULT_SETUP);
  CHECK_SAME(&c, &expected);
  close_handle(handle);
}

static void OV8_columns_past_32_bits_are_refused_by_name(void) {
  oceanSpMatDescr_t wide = NULL;
  const int64_t cols = (int64_t)1 << 40;
  CHECK_REFUSED(
      oceanCreateCsr(&wide, 2, cols, 2, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE, CUDA_R_64F),
      OCEAN_STATUS_INVALID_VALUE, "cols", "1099511627776");
  CHECK(wide == NULL);
  // In 64-bit indices it can be described; the first product refuses it: indices.c.
  CHECK_OK(
      oceanCreateCsr(&wide, 2, cols, 2, NULL, NULL, NULL, OCEAN_INDEX_64I, OCEAN_INDEX_64I, ZERO_BASE, CUDA_R_64F));
  int64_t rows, told, nnz;
  CHECK_OK(oceanSpMatGetSize(wide, &rows, &told, &nnz));
  CHECK_INT(told, cols);
  CHECK_OK(oceanDestroySpMat(wide));
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(EM1_no_rows),
      TEST(EM3_no_columns),
      TEST(EM4_an_operand_without_entries),
      TEST(EM6_C_is_created_with_no_arrays_at_all),
      TEST(EM8_one_row_among_a_thousand),
      TEST(EM10_nothing_at_all_base_one),
      TEST(TR1_a_transpose_times_its_matrix),
      TEST(TR1_other_values_in_a_transposed_matrix),
      TEST(TR3_a_conjugate_transpose_times_its_matrix),
      TEST(TR5_a_broken_matrix_is_not_transposed),
      TEST(TR6_a_weighted_product_with_a_transpose),
      TEST(TR7_CSC_operands_as_CSR_of_the_transposes),
      TEST(OV8_columns_past_32_bits_are_refused_by_name),
  };
  return RUN(tests, argc, argv);
}
