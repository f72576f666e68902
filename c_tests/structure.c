// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Structure-only products: A, B and C without values.
#include <string.h>

#include "device.h"
#include "harness.h"
#include "product.h"

static void drop_values(Product* p) {
  CHECK_OK(oceanCsrSetPointers(p->a.descr, p->a.offsets, p->a.columns, NULL));
  CHECK_OK(oceanCsrSetPointers(p->b.descr, p->b.offsets, p->b.columns, NULL));
}

// Columns of C, but no values.
static void allocate_columns(Product* p) {
  product_allocate_c(p);
  CHECK_OK(oceanCsrSetPointers(p->c, p->c_offsets, p->c_columns, NULL));
}

static void check_pattern(const Product* p, const Csr* expected) {
  int32_t* offsets = test_alloc(((size_t)expected->rows + 1) * sizeof *offsets);
  int32_t* columns = test_alloc((size_t)expected->nnz * sizeof *columns);
  device_download(offsets, p->c_offsets, ((size_t)expected->rows + 1) * sizeof *offsets);
  device_download(columns, p->c_columns, (size_t)expected->nnz * sizeof *columns);
  for (int64_t i = 0; i <= expected->rows; i++) CHECK_INT(offsets[i], expected->offsets[i]);
  for (int64_t e = 0; e < expected->nnz; e++) CHECK_INT(columns[e], expected->columns[e]);
  CHECK(device_all(p->c_values, DEVICE_FRESH));
}

static void MA1_the_pattern_alone_in_each_form(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  drop_values(&p);
  plain_work_estimation(&p);
  plain_compute(&p);
  CHECK_INT(p.c_nnz, expected.nnz);
  allocate_columns(&p);
  plain_copy(&p);
  check_pattern(&p, &expected);
  product_close(&p);

  p = product_open(handle, &a, &b, DEFAULT_SETUP);
  drop_values(&p);
  reuse_work_estimation(&p);
  reuse_nnz(&p);
  allocate_columns(&p);
  reuse_copy(&p);
  reuse_compute(&p);  // there is nothing to compute
  check_pattern(&p, &expected);
  product_close(&p);

  p = product_open(handle, &a, &b, DEFAULT_SETUP);
  drop_values(&p);
  CHECK_OK(oceanCsrSetPointers(p.c, NULL, NULL, NULL));
  CHECK_OK(oceanSpGEMM(handle, OP_N, OP_N, &p.alpha, p.a.descr, p.b.descr, NULL, NULL, p.c, CUDA_R_64F,
                       OCEAN_SPGEMM_DEFAULT));
  int64_t rows, cols, nnz;
  void *offsets, *columns, *values;
  oceanIndexType_t offset_type, column_type;
  oceanIndexBase_t base;
  oceanDataType_t type;
  CHECK_OK(oceanCsrGet(p.c, &rows, &cols, &nnz, &offsets, &columns, &values, &offset_type, &column_type, &base, &type));
  CHECK_INT(nnz, expected.nnz);
  CHECK(values == NULL);
  p.c_nnz = nnz;
  int32_t* found = test_alloc((size_t)nnz * sizeof *found);
  device_download(found, columns, (size_t)nnz * sizeof *found);
  for (int64_t e = 0; e < nnz; e++) CHECK_INT(found[e], expected.columns[e]);
  product_close(&p);
  close_handle(handle);
}

static void values_in_some_matrices_but_not_in_others_are_refused(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_work_estimation(&p);
  plain_compute(&p);
  const oceanStatus_t invalid = OCEAN_STATUS_INVALID_VALUE;
  CHECK_OK(oceanCsrSetPointers(p.b.descr, p.b.offsets, p.b.columns, NULL));
  CHECK_REFUSED(oceanSpGEMM_compute(LEADING(&p), &p.size[2], p.buffer[2]), invalid, "matB", "NULL values");
  CHECK_OK(oceanCsrSetPointers(p.b.descr, p.b.offsets, p.b.columns, p.b.values));
  CHECK_OK(oceanCsrSetPointers(p.a.descr, p.a.offsets, p.a.columns, NULL));
  CHECK_REFUSED(oceanSpGEMM_compute(LEADING(&p), &p.size[2], p.buffer[2]), invalid, "matA", "NULL values");
  drop_values(&p);
  plain_compute(&p);
  product_allocate_c(&p);
  CHECK_REFUSED(oceanSpGEMM_copy(LEADING(&p)), invalid, "matC", "has values");
  CHECK(device_all(p.c_columns, DEVICE_FRESH));
  // With values everywhere it is a product like any other.
  CHECK_OK(oceanCsrSetPointers(p.a.descr, p.a.offsets, p.a.columns, p.a.values));
  CHECK_OK(oceanCsrSetPointers(p.b.descr, p.b.offsets, p.b.columns, p.b.values));
  plain_compute(&p);
  CHECK_OK(oceanCsrSetPointers(p.c, p.c_offsets, p.c_columns, NULL));
  CHECK_REFUSED(oceanSpGEMM_copy(LEADING(&p)), invalid, "matC", "NULL values");
  product_allocate_c(&p);
  plain_copy(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(MA1_the_pattern_alone_in_each_form),
      TEST(values_in_some_matrices_but_not_in_others_are_refused),
  };
  return RUN(tests, argc, argv);
}
