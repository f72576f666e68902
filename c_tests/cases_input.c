// SPDX-License-Identifier: MIT OR Apache-2.0
//
// User cases about bad input, bases and aliasing (BI). Bad input is found by oceanSpMatCheck, and by the first step of
// a product whose descriptor has the option check = full. What creation refuses (BI15, BI17) is in
// status_matrices.c.
#include "device.h"
#include "harness.h"
#include "product.h"

#define INVALID OCEAN_STATUS_INVALID_VALUE

// A 2 x 2 matrix with arrays as given, broken or not.
typedef struct {
  oceanSpMatDescr_t descr;
  int32_t* offsets;
  int32_t* columns;
  double* values;
} Raw;

static Raw raw_matrix(const int32_t offsets[3], const int32_t columns[2], int64_t nnz, oceanIndexBase_t base) {
  Raw raw = {NULL, device_alloc(3 * sizeof(int32_t)), device_alloc(2 * sizeof(int32_t)),
             device_alloc(2 * sizeof(double))};
  device_upload(raw.offsets, offsets, 3 * sizeof *offsets);
  device_upload(raw.columns, columns, 2 * sizeof *columns);
  device_upload(raw.values, (const double[]){1, 1}, 2 * sizeof(double));
  CHECK_OK(oceanCreateCsr(&raw.descr, 2, 2, nnz, raw.offsets, raw.columns, raw.values, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                          base, CUDA_R_64F));
  return raw;
}

static void raw_close(Raw* raw) {
  CHECK_OK(oceanDestroySpMat(raw->descr));
  device_free(raw->offsets);
  device_free(raw->columns);
  device_free(raw->values);
}

// The matrix is refused in every way there is to look at it, and both messages have these parts.
static void check_bad(const Raw* bad, const char* part1, const char* part2) {
  oceanHandle_t handle = open_handle();
  const Csr identity = csr_diagonal(2, 1);
  CHECK_REFUSED(oceanSpMatCheck(handle, bad->descr, OCEAN_CHECK_STRUCTURE), INVALID, part1, part2);
  CHECK_REFUSED(oceanSpMatCheck(handle, bad->descr, OCEAN_CHECK_CANONICAL), INVALID, part1, part2);
  for (int as_b = 0; as_b < 2; as_b++) {
    harness_case("as mat%c", as_b ? 'B' : 'A');
    Setup setup = DEFAULT_SETUP;
    setup.options[0][0] = "check";
    setup.options[0][1] = "full";
    Product p = product_open(handle, &identity, &identity, setup);
    DeviceCsr* operand = as_b ? &p.b : &p.a;
    oceanSpMatDescr_t good = operand->descr;
    operand->descr = bad->descr;
    CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], NULL));
    p.buffer[1] = device_alloc(p.size[1]);
    CHECK_REFUSED(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], p.buffer[1]), INVALID, as_b ? "matB" : "matA",
                  part1, part2);
    CHECK_REFUSED(oceanSpGEMMreuse_workEstimation(REUSE_LEADING(&p), &p.size[1], p.buffer[1]), INVALID,
                  as_b ? "matB" : "matA", part1, part2);
    size_t size = 55;
    CHECK_STATUS(oceanSpGEMM_compute(LEADING(&p), &size, NULL), INVALID);
    CHECK_INT(size, 55);
    CHECK(device_all(p.c_offsets, DEVICE_FRESH));
    operand->descr = good;
    plain_all(&p);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &identity);
    product_close(&p);
  }
  check_handle_works(handle);
  close_handle(handle);
}

static void BI1_a_column_past_the_last(void) {
  Raw bad = raw_matrix((const int32_t[]){0, 1, 2}, (const int32_t[]){0, 2}, 2, ZERO_BASE);
  check_bad(&bad, "row 1", "column 2");
  raw_close(&bad);
  bad = raw_matrix((const int32_t[]){1, 2, 3}, (const int32_t[]){1, 3}, 2, ONE_BASE);
  check_bad(&bad, "row 1", "column");
  raw_close(&bad);
}

static void BI3_a_column_below_zero(void) {
  Raw bad = raw_matrix((const int32_t[]){0, 1, 2}, (const int32_t[]){0, -1}, 2, ZERO_BASE);
  check_bad(&bad, "row 1", "column -1");
  raw_close(&bad);
  bad = raw_matrix((const int32_t[]){1, 2, 3}, (const int32_t[]){0, 2}, 2, ONE_BASE);
  check_bad(&bad, "row 0", "column");
  raw_close(&bad);
}

static void BI5_an_nnz_that_the_offsets_do_not_reach(void) {
  Raw bad = raw_matrix((const int32_t[]){0, 1, 2}, (const int32_t[]){0, 1}, 3, ZERO_BASE);
  check_bad(&bad, "3", "2");
  raw_close(&bad);
}

// Past the declared nnz there is nothing to read, so this is refused without any option.
static void BI5_offsets_past_the_declared_nnz(void) {
  oceanHandle_t handle = open_handle();
  Raw bad = raw_matrix((const int32_t[]){0, 1, 77}, (const int32_t[]){0, 1}, 2, ZERO_BASE);
  check_bad(&bad, "77", "2");
  const Csr identity = csr_diagonal(2, 1);
  Product p = product_open(handle, &identity, &identity, DEFAULT_SETUP);
  oceanSpMatDescr_t good = p.a.descr;
  p.a.descr = bad.descr;
  CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], NULL));
  p.buffer[1] = device_alloc(p.size[1]);
  CHECK_REFUSED(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], p.buffer[1]), INVALID, "matA", "77", "2");
  p.a.descr = good;
  product_close(&p);
  raw_close(&bad);
  check_handle_works(handle);
  close_handle(handle);
}

static void BI6_base_one_arrays_declared_base_zero(void) {
  Raw bad = raw_matrix((const int32_t[]){1, 2, 3}, (const int32_t[]){1, 2}, 2, ZERO_BASE);
  check_bad(&bad, "1", "0");
  raw_close(&bad);
  bad = raw_matrix((const int32_t[]){0, 1, 2}, (const int32_t[]){0, 1}, 2, ONE_BASE);
  check_bad(&bad, "0", "1");
  raw_close(&bad);
}

static void BI_offsets_that_fall(void) {
  Raw bad = raw_matrix((const int32_t[]){0, 3, 2}, (const int32_t[]){0, 1}, 2, ZERO_BASE);
  check_bad(&bad, "row", "3");
  raw_close(&bad);
  bad = raw_matrix((const int32_t[]){0, -5, 2}, (const int32_t[]){0, 1}, 2, ZERO_BASE);
  check_bad(&bad, "row 0", "-5");
  raw_close(&bad);
}

static void BI7_one_bad_column_in_the_last_of_16_million_rows(void) {
  oceanHandle_t handle = open_handle();
  const int64_t m = 16777217;
  Csr a = csr_begin(m, 3);
  for (int64_t i = 0; i < m; i++) {
    csr_push(&a, i + 1 < m ? 0 : 3, 1);
    csr_end_row(&a);
  }
  DeviceCsr matrix = device_csr(&a, ZERO_BASE, CUDA_R_32F);
  CHECK_REFUSED(oceanSpMatCheck(handle, matrix.descr, OCEAN_CHECK_STRUCTURE), INVALID, "row 16777216", "column 3");
  device_csr_close(&matrix);
  check_handle_works(handle);
  close_handle(handle);
}

static void check_accepts_what_is_right(void) {
  oceanHandle_t handle = open_handle();
  const Csr sorted = csr_random(50, 60, 0.2, 1), empty = csr_empty(7, 3), nothing = csr_empty(0, 0);
  const Csr unsorted = csr_shuffle_rows(&sorted, 2), repeated = csr_repeat(&sorted);
  const Csr* all[] = {&sorted, &empty, &nothing, &unsorted, &repeated};
  for (int i = 0; i < 10; i++) {
    harness_case("matrix %d, base %d", i / 2, i % 2);
    DeviceCsr matrix = device_csr(all[i / 2], i % 2 ? ONE_BASE : ZERO_BASE, i % 2 ? CUDA_R_32F : CUDA_R_64F);
    CHECK_OK(oceanSpMatCheck(handle, matrix.descr, OCEAN_CHECK_STRUCTURE));
    if (i / 2 < 3) {
      CHECK_OK(oceanSpMatCheck(handle, matrix.descr, OCEAN_CHECK_CANONICAL));
    } else {
      CHECK_REFUSED(oceanSpMatCheck(handle, matrix.descr, OCEAN_CHECK_CANONICAL), INVALID, "row", "ascend");
    }
    device_csr_check_unchanged(&matrix);
    device_csr_close(&matrix);
  }
  close_handle(handle);
}

static void check_names_the_first_unsorted_row(void) {
  oceanHandle_t handle = open_handle();
  Csr a = csr_diagonal(1000, 1);
  csr_push(&a, 0, 1);  // one more row, of a repeated column
  csr_push(&a, 0, 1);
  a.rows++;
  int64_t* offsets = test_alloc(1002 * sizeof *offsets);
  for (int i = 0; i <= 1000; i++) offsets[i] = i;
  offsets[1001] = 1002;
  a.offsets = offsets;
  DeviceCsr matrix = device_csr(&a, ZERO_BASE, CUDA_R_64F);
  CHECK_OK(oceanSpMatCheck(handle, matrix.descr, OCEAN_CHECK_STRUCTURE));
  CHECK_REFUSED(oceanSpMatCheck(handle, matrix.descr, OCEAN_CHECK_CANONICAL), INVALID, "row 1000");
  device_csr_close(&matrix);
  close_handle(handle);
}

static void check_refuses_bad_arguments(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a();
  DeviceCsr matrix = device_csr(&a, ZERO_BASE, CUDA_R_64F);
  CHECK_REFUSED(oceanSpMatCheck(NULL, matrix.descr, OCEAN_CHECK_STRUCTURE), INVALID, "handle");
  CHECK_REFUSED(oceanSpMatCheck(handle, NULL, OCEAN_CHECK_STRUCTURE), INVALID, "mat");
  CHECK_REFUSED(oceanSpMatCheck(handle, matrix.descr, (oceanCheckLevel_t)77), INVALID, "level", "77");
  CHECK_OK(oceanCsrSetPointers(matrix.descr, NULL, matrix.columns, matrix.values));
  CHECK_REFUSED(oceanSpMatCheck(handle, matrix.descr, OCEAN_CHECK_STRUCTURE), INVALID, "offsets");
  CHECK_OK(oceanCsrSetPointers(matrix.descr, matrix.offsets, NULL, matrix.values));
  CHECK_REFUSED(oceanSpMatCheck(handle, matrix.descr, OCEAN_CHECK_STRUCTURE), INVALID, "columns");
  CHECK_OK(oceanCsrSetPointers(matrix.descr, matrix.offsets, matrix.columns, NULL));
  CHECK_OK(oceanSpMatCheck(handle, matrix.descr, OCEAN_CHECK_CANONICAL));  // values are not looked at
  device_csr_close(&matrix);
  close_handle(handle);
}

static void BI9_BI10_all_mixes_of_bases(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  for (int mix = 0; mix < 8 * ALGS; mix++) {
    Setup setup = with_alg(ALL_ALGS[mix / 8]);
    setup.base_a = mix & 1 ? ONE_BASE : ZERO_BASE;
    setup.base_b = mix & 2 ? ONE_BASE : ZERO_BASE;
    setup.base_c = mix & 4 ? ONE_BASE : ZERO_BASE;
    harness_case("bases %d %d %d, alg %d", setup.base_a, setup.base_b, setup.base_c, setup.alg);
    const Csr plain = full_call(handle, &a, &b, setup), reused = reuse_call(handle, &a, &b, setup);
    const Csr one = one_call(handle, &a, &b, setup);
    CHECK_SAME(&plain, &expected);
    CHECK_SAME(&reused, &expected);
    CHECK_SAME(&one, &expected);
  }
  close_handle(handle);
}

static void BI11_one_descriptor_as_A_and_as_B(void) {
  oceanHandle_t handle = open_handle();
  const Csr laplacian = csr_tridiagonal(1000, -1, 2, -1), expected = csr_multiply(&laplacian, &laplacian, CUDA_R_64F);
  CHECK_INT(expected.nnz, 4994);
  const double inner[] = {1, -4, 6, -4, 1};
  for (int j = 0; j < 5; j++) CHECK(csr_at(&expected, 500, 498 + j) == inner[j]);
  for (int reuse = 0; reuse < 2; reuse++) {
    Product p = product_open(handle, &laplacian, &laplacian, DEFAULT_SETUP);
    oceanSpMatDescr_t other = p.b.descr;
    p.b.descr = p.a.descr;
    if (reuse) {
      reuse_all(&p);
    } else {
      plain_all(&p);
    }
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    p.b.descr = other;
    product_close(&p);
  }
  close_handle(handle);
}

static void BI13_a_host_pointer_for_a_device_array(void) {
  harness_skip_without_gpu("not written yet: needs a GPU whose pointers differ from the host's");
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(BI1_a_column_past_the_last),
      TEST(BI3_a_column_below_zero),
      TEST(BI5_an_nnz_that_the_offsets_do_not_reach),
      TEST(BI5_offsets_past_the_declared_nnz),
      TEST(BI6_base_one_arrays_declared_base_zero),
      TEST(BI_offsets_that_fall),
      TEST(BI7_one_bad_column_in_the_last_of_16_million_rows),
      TEST(check_accepts_what_is_right),
      TEST(check_names_the_first_unsorted_row),
      TEST(check_refuses_bad_arguments),
      TEST(BI9_BI10_all_mixes_of_bases),
      TEST(BI11_one_descriptor_as_A_and_as_B),
      TEST(BI13_a_host_pointer_for_a_device_array),
  };
  return RUN(tests, argc, argv);
}
