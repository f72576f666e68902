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

// Whatever is not transposed yet must say so, and not speak of sizes that do not match.
static void TR1_TR3_TR5_transposed_operands_are_refused_by_name(void) {
  oceanHandle_t handle = open_handle();
  const Csr j = csr_dense(5, 3, (const double[]){1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0, 5, 6, 7, 0});
  DeviceCsr matrix = device_csr(&j, ZERO_BASE, CUDA_R_64F);
  oceanSpMatDescr_t c;
  oceanSpGEMMDescr_t descr;
  CHECK_OK(oceanCreateCsr(&c, 3, 3, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE, CUDA_R_64F));
  CHECK_OK(oceanSpGEMM_createDescr(&descr));
  const double alpha = 1, beta = 0;
  const oceanOperation_t t = OCEAN_OPERATION_TRANSPOSE, h = OCEAN_OPERATION_CONJUGATE_TRANSPOSE;
  const oceanStatus_t unsupported = OCEAN_STATUS_NOT_SUPPORTED;
  const oceanSpGEMMAlg_t alg = OCEAN_SPGEMM_DEFAULT;
  size_t size = 55;
#define WORK(op_a, op_b)                                                                                               \
  oceanSpGEMM_workEstimation(handle, op_a, op_b, &alpha, matrix.descr, matrix.descr, &beta, c, CUDA_R_64F, alg, descr, \
                             &size, NULL)
#define ONE(op_a, op_b) \
  oceanSpGEMM(handle, op_a, op_b, &alpha, matrix.descr, matrix.descr, &beta, NULL, c, CUDA_R_64F, alg)
#define REUSE(op_a, op_b) \
  oceanSpGEMMreuse_workEstimation(handle, op_a, op_b, matrix.descr, matrix.descr, c, alg, descr, &size, NULL)
  CHECK_REFUSED(WORK(t, OP_N), unsupported, "opA", "TRANSPOSE");
  CHECK_REFUSED(WORK(h, OP_N), unsupported, "opA", "CONJUGATE_TRANSPOSE");
  CHECK_REFUSED(WORK(OP_N, t), unsupported, "opB", "TRANSPOSE");
  CHECK_REFUSED(ONE(t, OP_N), unsupported, "opA", "TRANSPOSE");
  CHECK_REFUSED(ONE(OP_N, h), unsupported, "opB", "CONJUGATE_TRANSPOSE");
  CHECK_REFUSED(REUSE(t, OP_N), unsupported, "opA", "TRANSPOSE");
  CHECK_REFUSED(REUSE(OP_N, t), unsupported, "opB", "TRANSPOSE");
  CHECK_INT(size, 55);
  CHECK_OK(oceanSpGEMM_destroyDescr(descr));
  CHECK_OK(oceanDestroySpMat(c));
  device_csr_close(&matrix);
  // TR3: a complex matrix, of which operation and type are both missing.
  oceanSpMatDescr_t complex;
  CHECK_OK(
      oceanCreateCsr(&complex, 2, 2, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE, CUDA_C_64F));
  CHECK_STATUS(oceanSpGEMM(handle, h, OP_N, &alpha, complex, complex, &beta, NULL, complex, CUDA_C_64F, alg),
               unsupported);
  CHECK_OK(oceanDestroySpMat(complex));

  // With the transpose formed by the caller it is a product like any other.
  const Csr transposed = csr_transpose(&j);
  const Csr expected = csr_dense(3, 3, (const double[]){53, 42, 2, 42, 58, 0, 2, 0, 29});
  const Csr product = full_call(handle, &transposed, &j, DEFAULT_SETUP);
  CHECK_SAME(&product, &expected);
  close_handle(handle);
}

static bool tr6_stored(int64_t i, int64_t j) { return (3 * i + 5 * j) % 97 == 0; }
static double tr6_value(int64_t i, int64_t j) { return (double)(1 + (i + j) % 3); }
static bool on_diagonal(int64_t i, int64_t j) { return i == j; }
static double tr6_weight(int64_t i, int64_t j) { return (double)(1 + (i + j) / 2 % 4); }

static void TR6_a_weighted_product_with_a_formed_transpose(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_rule(1000, 1000, tr6_stored, tr6_value), w = csr_rule(1000, 1000, on_diagonal, tr6_weight);
  CHECK_INT(a.nnz, 10310);
  const Csr transposed = csr_transpose(&a);
  const Csr weighted = full_call(handle, &a, &w, DEFAULT_SETUP);
  const Csr c = full_call(handle, &weighted, &transposed, DEFAULT_SETUP);
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
      TEST(TR1_TR3_TR5_transposed_operands_are_refused_by_name),
      TEST(TR6_a_weighted_product_with_a_formed_transpose),
      TEST(TR7_CSC_operands_as_CSR_of_the_transposes),
      TEST(OV8_columns_past_32_bits_are_refused_by_name),
  };
  return RUN(tests, argc, argv);
}
