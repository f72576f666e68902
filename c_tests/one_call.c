// SPDX-License-Identifier: MIT OR Apache-2.0
//
// oceanSpGEMM: a product in one call, whose arrays belong to C's descriptor.
#include "counting.h"
#include "device.h"
#include "harness.h"
#include "product.h"

#define INVALID OCEAN_STATUS_INVALID_VALUE

static oceanSpMatDescr_t new_c(int64_t rows, int64_t cols, oceanDataType_t type) {
  oceanSpMatDescr_t c;
  CHECK_OK(oceanCreateCsr(&c, rows, cols, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE, type));
  return c;
}

static Csr read_c(oceanSpMatDescr_t c) {
  int64_t rows, cols, nnz;
  void *offsets, *columns, *values;
  oceanIndexType_t offset_type, column_type;
  oceanIndexBase_t base;
  oceanDataType_t type;
  CHECK_OK(oceanCsrGet(c, &rows, &cols, &nnz, &offsets, &columns, &values, &offset_type, &column_type, &base, &type));
  return download_csr(offsets, columns, values, rows, cols, nnz, base, type);
}

static void check_no_product(oceanSpMatDescr_t c) {
  int64_t rows, cols, nnz;
  void *offsets, *columns, *values;
  oceanIndexType_t offset_type, column_type;
  oceanIndexBase_t base;
  oceanDataType_t type;
  CHECK_OK(oceanCsrGet(c, &rows, &cols, &nnz, &offsets, &columns, &values, &offset_type, &column_type, &base, &type));
  CHECK(nnz == 0 && offsets == NULL && columns == NULL && values == NULL);
}

// The matrices of most tests here.
typedef struct {
  oceanHandle_t handle;
  DeviceCsr a, b;
  oceanSpMatDescr_t c;
  double alpha, beta;
} Call;

static Call call_open(void) {
  const Csr a = wr1_a(), b = wr1_b();
  Call call = {open_handle(),
               device_csr(&a, ZERO_BASE, CUDA_R_64F),
               device_csr(&b, ZERO_BASE, CUDA_R_64F),
               new_c(4, 4, CUDA_R_64F),
               1,
               0};
  return call;
}

static void call_close(Call* call) {
  device_csr_check_unchanged(&call->a);
  device_csr_check_unchanged(&call->b);
  device_csr_close(&call->a);
  device_csr_close(&call->b);
  CHECK_OK(oceanDestroySpMat(call->c));
  close_handle(call->handle);
}

#define MULTIPLY(x)                                                                                             \
  oceanSpGEMM((x).handle, OP_N, OP_N, &(x).alpha, (x).a.descr, (x).b.descr, &(x).beta, NULL, (x).c, CUDA_R_64F, \
              OCEAN_SPGEMM_DEFAULT)

static void every_alg_type_and_alpha(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(60, 50, 0.15, 1), b = csr_random(50, 70, 0.15, 2);
  for (int i = 0; i < 2 * ALGS; i++) {
    Setup setup = with_alg(ALL_ALGS[i / 2]);
    setup.type = i % 2 == 0 ? CUDA_R_32F : CUDA_R_64F;
    setup.alpha = i % 3 == 0 ? 1 : -0.3;
    harness_case("alg %d, type %d, alpha %g", setup.alg, setup.type, setup.alpha);
    expect_one_call(handle, &a, &b, setup);
    expect_full_call(handle, &a, &b, setup);
    expect_reuse_call(handle, &a, &b, setup);
  }
  close_handle(handle);
}

static void a_second_product_replaces_the_first(void) {
  Call call = call_open();
  Counting counting;
  counting_attach(&counting, call.handle);
  const Csr expected = wr1_c(), twice = csr_scale(&expected, 2);
  CHECK_OK(MULTIPLY(call));
  Csr c = read_c(call.c);
  CHECK_SAME(&c, &expected);
  const int live = counting.live;
  for (int i = 0; i < 10; i++) {
    call.alpha = i % 2 == 0 ? 2 : 1;
    CHECK_OK(MULTIPLY(call));
    c = read_c(call.c);
    CHECK_SAME(&c, i % 2 == 0 ? &twice : &expected);
    CHECK_INT(counting.live, live);
  }
  call_close(&call);
  counting_check(&counting);
}

static void a_product_is_an_operand_of_the_next_even_in_place(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr laplacian = csr_tridiagonal(100, -1, 2, -1);
  DeviceCsr a = device_csr(&laplacian, ZERO_BASE, CUDA_R_64F);
  oceanSpMatDescr_t c = new_c(100, 100, CUDA_R_64F);
  const double one = 1;
  const oceanDataType_t f64 = CUDA_R_64F;
  CHECK_OK(oceanSpGEMM(handle, OP_N, OP_N, &one, a.descr, a.descr, &one, NULL, c, f64, OCEAN_SPGEMM_DEFAULT));
  Csr expected = csr_multiply(&laplacian, &laplacian, f64);
  for (int power = 3; power < 6; power++) {
    CHECK_OK(oceanSpGEMM(handle, OP_N, OP_N, &one, c, a.descr, &one, NULL, c, f64, OCEAN_SPGEMM_DEFAULT));
    expected = csr_multiply(&expected, &laplacian, f64);
    const Csr got = read_c(c);
    CHECK_SAME(&got, &expected);
  }
  CHECK_OK(oceanDestroySpMat(c));
  device_csr_close(&a);
  close_handle(handle);
  counting_check(&counting);
}

static void C_outlives_its_handle(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  DeviceCsr left = device_csr(&a, ZERO_BASE, CUDA_R_64F), right = device_csr(&b, ZERO_BASE, CUDA_R_64F);
  oceanSpMatDescr_t c = new_c(4, 4, CUDA_R_64F);
  const double one = 1;
  CHECK_OK(
      oceanSpGEMM(handle, OP_N, OP_N, &one, left.descr, right.descr, &one, NULL, c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT));
  close_handle(handle);
  device_csr_close(&left);
  device_csr_close(&right);
  CHECK(counting.live > 0);
  const Csr got = read_c(c);
  CHECK_SAME(&got, &expected);
  CHECK_OK(oceanDestroySpMat(c));
  counting_check(&counting);
}

static void arrays_of_C_go_back_when_C_gets_others(void) {
  Call call = call_open();
  Counting counting;
  counting_attach(&counting, call.handle);
  CHECK_OK(MULTIPLY(call));
  CHECK(counting.live > 0);
  CHECK_OK(oceanCsrSetPointers(call.c, NULL, NULL, NULL));
  CHECK_INT(counting.live, 0);
  CHECK_OK(MULTIPLY(call));
  const Csr c = read_c(call.c), expected = wr1_c();
  CHECK_SAME(&c, &expected);
  call_close(&call);
  counting_check(&counting);
}

static void beta_is_for_a_D_that_is_not_there(void) {
  Call call = call_open();
  const Csr expected = wr1_c();
  CHECK_OK(oceanSpGEMM(call.handle, OP_N, OP_N, &call.alpha, call.a.descr, call.b.descr, NULL, NULL, call.c, CUDA_R_64F,
                       OCEAN_SPGEMM_DEFAULT));
  Csr c = read_c(call.c);
  CHECK_SAME(&c, &expected);
  call.beta = 5;
  CHECK_OK(MULTIPLY(call));
  c = read_c(call.c);
  CHECK_SAME(&c, &expected);
  call_close(&call);
}

static void D_is_added_whatever_its_pattern(void) {
  Call call = call_open();
  // Repeats and an unsorted row, inside and outside of the product's pattern.
  const Csr d = csr_arrays(4, 4, (const int[]){0, 3, 3, 4, 4}, (const int[]){3, 0, 3, 1}, (const double[]){1, 2, 4, 8});
  DeviceCsr matrix = device_csr(&d, ONE_BASE, CUDA_R_64F);
  call.alpha = 2;
  call.beta = -1;
#define ADD(of)                                                                                                     \
  oceanSpGEMM(call.handle, OP_N, OP_N, &call.alpha, call.a.descr, call.b.descr, &call.beta, of, call.c, CUDA_R_64F, \
              OCEAN_SPGEMM_DEFAULT)
  CHECK_OK(ADD(matrix.descr));
  Csr c = read_c(call.c), product = wr1_c();
  CHECK_INT(c.nnz, product.nnz);  // which is full
  CHECK(csr_at(&c, 0, 0) == 2 * csr_at(&product, 0, 0) - 2);
  CHECK(csr_at(&c, 0, 3) == 2 * csr_at(&product, 0, 3) - 5);
  CHECK(csr_at(&c, 2, 1) == 2 * csr_at(&product, 2, 1) - 8);
  CHECK(csr_at(&c, 3, 3) == 2 * csr_at(&product, 3, 3));
  // C itself may be what is added.
  call.beta = 1;
  const double before = csr_at(&c, 0, 3);
  CHECK_OK(ADD(call.c));
  c = read_c(call.c);
  CHECK(csr_at(&c, 0, 3) == 2 * csr_at(&product, 0, 3) + before);
  device_csr_check_unchanged(&matrix);
  device_csr_close(&matrix);
  call_close(&call);
}

static void a_D_that_does_not_fit_is_refused(void) {
  Call call = call_open();
  const Csr small = csr_full(3, 4, 1), square = csr_full(4, 4, 1);
  const Csr broken =
      csr_arrays(4, 4, (const int[]){0, 1, 2, 3, 4}, (const int[]){0, 1, 4, 3}, (const double[]){1, 1, 1, 1});
  DeviceCsr three = device_csr(&small, ZERO_BASE, CUDA_R_64F), single = device_csr(&square, ZERO_BASE, CUDA_R_32F);
  DeviceCsr four = device_csr(&square, ZERO_BASE, CUDA_R_64F), bad = device_csr(&broken, ZERO_BASE, CUDA_R_64F);
  CHECK_REFUSED(ADD(three.descr), INVALID, "matD", "3 x 4", "4 x 4");
  CHECK_REFUSED(ADD(single.descr), OCEAN_STATUS_NOT_SUPPORTED, "matD", "R_32F");
  CHECK_REFUSED(ADD(bad.descr), INVALID, "matD", "row 2", "column 4");
  CHECK_OK(oceanSpMatSetValues(four.descr, NULL));
  CHECK_REFUSED(ADD(four.descr), INVALID, "matD", "NULL values");
  CHECK_REFUSED(oceanSpGEMM(call.handle, OP_N, OP_N, &call.alpha, call.a.descr, call.b.descr, NULL, four.descr, call.c,
                            CUDA_R_64F, OCEAN_SPGEMM_DEFAULT),
                INVALID, "beta");
  check_no_product(call.c);
  device_csr_close(&three);
  device_csr_close(&single);
  device_csr_close(&four);
  device_csr_close(&bad);
  CHECK_OK(MULTIPLY(call));
  call_close(&call);
}

static void a_C_with_arrays_of_the_caller_is_refused(void) {
  Call call = call_open();
  int32_t* offsets = device_alloc(5 * sizeof *offsets);
  CHECK_OK(oceanCsrSetPointers(call.c, offsets, NULL, NULL));
  CHECK_REFUSED(MULTIPLY(call), INVALID, "matC");
  CHECK(device_all(offsets, DEVICE_FRESH));
  CHECK_OK(oceanCsrSetPointers(call.c, NULL, NULL, NULL));
  CHECK_OK(MULTIPLY(call));
  device_free(offsets);
  call_close(&call);
}

static void device_scalars(void) {
  Call call = call_open();
  CHECK_OK(oceanSetPointerMode(call.handle, OCEAN_POINTER_MODE_DEVICE));
  double* alpha = device_alloc(sizeof *alpha);
  upload_values(alpha, (const double[]){3}, 1, CUDA_R_64F);
  CHECK_OK(oceanSpGEMM(call.handle, OP_N, OP_N, alpha, call.a.descr, call.b.descr, NULL, NULL, call.c, CUDA_R_64F,
                       OCEAN_SPGEMM_DEFAULT));
  const Csr c = read_c(call.c), once = wr1_c(), expected = csr_scale(&once, 3);
  CHECK_SAME(&c, &expected);
  device_free(alpha);
  call_close(&call);
}

static void OV3_an_nnz_past_32_bits_is_refused_with_the_number(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr column = csr_full(46341, 1, 1), row = csr_full(1, 46341, 1);
  DeviceCsr a = device_csr(&column, ZERO_BASE, CUDA_R_32F), b = device_csr(&row, ZERO_BASE, CUDA_R_32F);
  oceanSpMatDescr_t c = new_c(46341, 46341, CUDA_R_32F);
  const float one = 1;
  CHECK_REFUSED(
      oceanSpGEMM(handle, OP_N, OP_N, &one, a.descr, b.descr, NULL, NULL, c, CUDA_R_32F, OCEAN_SPGEMM_DEFAULT),
      OCEAN_STATUS_INSUFFICIENT_RESOURCES, "2147488281");
  check_no_product(c);
  CHECK_INT(counting.live, 0);
  CHECK(counting.peak_bytes < (size_t)64 << 20);
  CHECK_OK(oceanDestroySpMat(c));
  device_csr_close(&a);
  device_csr_close(&b);
  check_handle_works(handle);
  close_handle(handle);
  counting_check(&counting);
}

static void bad_arguments_are_refused_by_name(void) {
  Call x = call_open();
  oceanSpMatDescr_t wrong = new_c(5, 4, CUDA_R_64F), single = new_c(4, 4, CUDA_R_32F);
  const oceanDataType_t f64 = CUDA_R_64F;
  const oceanSpGEMMAlg_t alg = OCEAN_SPGEMM_DEFAULT;
#define WITH(handle, op, alpha, a, b, c, type, alg) \
  oceanSpGEMM(handle, op, OP_N, alpha, a, b, &x.beta, NULL, c, type, alg)
  CHECK_REFUSED(WITH(NULL, OP_N, &x.alpha, x.a.descr, x.b.descr, x.c, f64, alg), INVALID, "handle");
  CHECK_REFUSED(WITH(x.handle, OP_N, NULL, x.a.descr, x.b.descr, x.c, f64, alg), INVALID, "alpha");
  CHECK_REFUSED(WITH(x.handle, OP_N, &x.alpha, NULL, x.b.descr, x.c, f64, alg), INVALID, "matA");
  CHECK_REFUSED(WITH(x.handle, OP_N, &x.alpha, x.a.descr, NULL, x.c, f64, alg), INVALID, "matB");
  CHECK_REFUSED(WITH(x.handle, OP_N, &x.alpha, x.a.descr, x.b.descr, NULL, f64, alg), INVALID, "matC");
  CHECK_REFUSED(WITH(x.handle, (oceanOperation_t)77, &x.alpha, x.a.descr, x.b.descr, x.c, f64, alg), INVALID, "opA",
                "77");
  CHECK_REFUSED(WITH(x.handle, OP_N, &x.alpha, x.a.descr, x.b.descr, x.c, (oceanDataType_t)999, alg), INVALID,
                "computeType", "999");
  CHECK_REFUSED(WITH(x.handle, OP_N, &x.alpha, x.a.descr, x.b.descr, x.c, f64, (oceanSpGEMMAlg_t)77), INVALID, "alg",
                "77");
  CHECK_REFUSED(WITH(x.handle, OP_N, &x.alpha, x.a.descr, wrong, x.c, f64, alg), INVALID, "matB", "7", "5");
  CHECK_REFUSED(WITH(x.handle, OP_N, &x.alpha, x.a.descr, x.b.descr, wrong, f64, alg), INVALID, "matC", "5", "4");
  CHECK_REFUSED(WITH(x.handle, OP_N, &x.alpha, x.a.descr, x.b.descr, single, f64, alg), OCEAN_STATUS_NOT_SUPPORTED,
                "matC", "R_32F");
  CHECK_OK(oceanSpMatSetValues(x.b.descr, NULL));
  CHECK_REFUSED(MULTIPLY(x), INVALID, "matB", "values");
  CHECK_OK(oceanSpMatSetValues(x.b.descr, x.b.values));
  check_no_product(x.c);
  check_no_product(wrong);
  CHECK_OK(MULTIPLY(x));
  const Csr c = read_c(x.c), expected = wr1_c();
  CHECK_SAME(&c, &expected);
  CHECK_OK(oceanDestroySpMat(wrong));
  CHECK_OK(oceanDestroySpMat(single));
  call_close(&x);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(every_alg_type_and_alpha),
      TEST(a_second_product_replaces_the_first),
      TEST(a_product_is_an_operand_of_the_next_even_in_place),
      TEST(C_outlives_its_handle),
      TEST(arrays_of_C_go_back_when_C_gets_others),
      TEST(beta_is_for_a_D_that_is_not_there),
      TEST(D_is_added_whatever_its_pattern),
      TEST(a_D_that_does_not_fit_is_refused),
      TEST(a_C_with_arrays_of_the_caller_is_refused),
      TEST(device_scalars),
      TEST(OV3_an_nnz_past_32_bits_is_refused_with_the_number),
      TEST(bad_arguments_are_refused_by_name),
  };
  return RUN(tests, argc, argv);
}
