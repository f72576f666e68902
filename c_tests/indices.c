// SPDX-License-Identifier: MIT OR Apache-2.0
//
// 64-bit row offsets and columns, and where they are refused.
#include "device.h"
#include "harness.h"
#include "product.h"

static const oceanIndexType_t WIDE = OCEAN_INDEX_64I;

typedef struct {
  int64_t *offsets, *columns;
  double* values;
  oceanSpMatDescr_t descr;
} Wide;

static Wide wide_csr(const Csr* matrix) {
  Wide wide;
  const size_t rows = (size_t)matrix->rows + 1, nnz = (size_t)matrix->nnz;
  int64_t* columns = test_alloc((nnz + 1) * sizeof *columns);
  for (size_t e = 0; e < nnz; e++) columns[e] = matrix->columns[e];
  wide.offsets = device_alloc(rows * sizeof(int64_t));
  wide.columns = device_alloc(nnz * sizeof(int64_t));
  wide.values = device_alloc(nnz * sizeof(double));
  device_upload(wide.offsets, matrix->offsets, rows * sizeof(int64_t));
  device_upload(wide.columns, columns, nnz * sizeof(int64_t));
  device_upload(wide.values, matrix->values, nnz * sizeof(double));
  CHECK_OK(oceanCreateCsr(&wide.descr, matrix->rows, matrix->cols, matrix->nnz, wide.offsets, wide.columns, wide.values,
                          WIDE, WIDE, ZERO_BASE, CUDA_R_64F));
  return wide;
}

static void wide_close(Wide* wide) {
  CHECK_OK(oceanDestroySpMat(wide->descr));
  device_free(wide->offsets);
  device_free(wide->columns);
  device_free(wide->values);
}

static oceanSpMatDescr_t wide_result(int64_t rows, int64_t cols) {
  oceanSpMatDescr_t c;
  CHECK_OK(oceanCreateCsr(&c, rows, cols, 0, NULL, NULL, NULL, WIDE, WIDE, ZERO_BASE, CUDA_R_64F));
  return c;
}

static void R16_T1_a_product_in_64_bit_indices(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Wide left = wide_csr(&a), right = wide_csr(&b);
  oceanSpMatDescr_t c = wide_result(a.rows, b.cols);
  const double one = 1;
  CHECK_OK(oceanSpMatCheck(handle, left.descr, OCEAN_CHECK_STRUCTURE));
  CHECK_OK(
      oceanSpGEMM(handle, OP_N, OP_N, &one, left.descr, right.descr, NULL, NULL, c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT));
  int64_t rows, cols, nnz;
  void *offsets, *columns, *values;
  oceanIndexType_t offset_type, column_type;
  oceanIndexBase_t base;
  oceanDataType_t type;
  CHECK_OK(oceanCsrGet(c, &rows, &cols, &nnz, &offsets, &columns, &values, &offset_type, &column_type, &base, &type));
  CHECK_INT(offset_type, WIDE);
  CHECK_INT(column_type, WIDE);
  CHECK_INT(nnz, expected.nnz);
  int64_t* found_offsets = test_alloc(((size_t)rows + 1) * sizeof *found_offsets);
  int64_t* found_columns = test_alloc((size_t)nnz * sizeof *found_columns);
  double* found_values = test_alloc((size_t)nnz * sizeof *found_values);
  device_download(found_offsets, offsets, ((size_t)rows + 1) * sizeof *found_offsets);
  device_download(found_columns, columns, (size_t)nnz * sizeof *found_columns);
  device_download(found_values, values, (size_t)nnz * sizeof *found_values);
  for (int64_t i = 0; i <= rows; i++) CHECK_INT(found_offsets[i], expected.offsets[i]);
  for (int64_t e = 0; e < nnz; e++) {
    CHECK_INT(found_columns[e], expected.columns[e]);
    CHECK(found_values[e] == expected.values[e]);
  }
  CHECK_OK(oceanDestroySpMat(c));
  wide_close(&left);
  wide_close(&right);
  close_handle(handle);
}

static void OV8_two_to_the_31_columns_are_refused_with_their_number(void) {
  oceanHandle_t handle = open_handle();
  const double one = 1;
  const int64_t large = (int64_t)1 << 31;
  oceanSpMatDescr_t tall = wide_result(large, 2), broad = wide_result(2, large), square = wide_result(2, 2);
  const oceanStatus_t unsupported = OCEAN_STATUS_NOT_SUPPORTED;
#define MULTIPLY(a, b, c) oceanSpGEMM(handle, OP_N, OP_N, &one, a, b, NULL, NULL, c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT)
  CHECK_REFUSED(MULTIPLY(square, broad, broad), unsupported, "matB", "2147483648 columns");
  CHECK_REFUSED(MULTIPLY(broad, tall, square), unsupported, "matA", "2147483648 columns");
  CHECK_REFUSED(MULTIPLY(tall, square, tall), unsupported, "matA", "2147483648 rows");
  CHECK_REFUSED(MULTIPLY(square, square, tall), unsupported, "matC", "2147483648 rows");
  CHECK_OK(MULTIPLY(square, square, square));
  CHECK_OK(oceanDestroySpMat(tall));
  CHECK_OK(oceanDestroySpMat(broad));
  CHECK_OK(oceanDestroySpMat(square));
  check_handle_works(handle);
  close_handle(handle);
}

static void a_64_bit_column_outside_the_matrix_is_named(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b();
  Wide left = wide_csr(&a), right = wide_csr(&b);
  oceanSpMatDescr_t c = wide_result(a.rows, b.cols);
  const double one = 1;
  const int64_t far = (int64_t)1 << 40, below = -1;
  device_upload(left.columns, &far, sizeof far);
  CHECK_REFUSED(MULTIPLY(left.descr, right.descr, c), OCEAN_STATUS_INVALID_VALUE, "matA", "row 0",
                "2147483647 or above");
  CHECK_REFUSED(oceanSpMatCheck(handle, left.descr, OCEAN_CHECK_STRUCTURE), OCEAN_STATUS_INVALID_VALUE, "mat",
                "2147483647 or above");
  device_upload(left.columns, &below, sizeof below);
  CHECK_REFUSED(MULTIPLY(left.descr, right.descr, c), OCEAN_STATUS_INVALID_VALUE, "matA", "row 0", "column -1");
  CHECK_OK(oceanDestroySpMat(c));
  wide_close(&left);
  wide_close(&right);
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(R16_T1_a_product_in_64_bit_indices),
      TEST(OV8_two_to_the_31_columns_are_refused_with_their_number),
      TEST(a_64_bit_column_outside_the_matrix_is_named),
  };
  return RUN(tests, argc, argv);
}
