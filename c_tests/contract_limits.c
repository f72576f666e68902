// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Rules and tests of the contract about what is supported: types, bases, algorithms, sizes past 2^31.
#include "device.h"
#include "harness.h"
#include "product.h"

static void T1_every_alg_with_every_base_and_type(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(60, 50, 0.15, 1), b = csr_random(50, 70, 0.15, 2);
  for (int i = 0; i < 4 * ALGS; i++) {
    Setup setup = with_alg(ALL_ALGS[i / 4]);
    setup.type = i % 2 == 0 ? CUDA_R_32F : CUDA_R_64F;
    setup.base_a = setup.base_b = setup.base_c = i / 2 % 2 == 0 ? ZERO_BASE : ONE_BASE;
    harness_case("alg %d, type %d, base %d", setup.alg, setup.type, setup.base_a);
    expect_full_call(handle, &a, &b, setup);
    expect_reuse_call(handle, &a, &b, setup);
    expect_one_call(handle, &a, &b, setup);
  }
  close_handle(handle);
}

// The product of two empty 3 x 3 matrices of this kind is refused as not supported, when a descriptor is made or at
// the first call that sees it, and the message says `named`.
static void check_unsupported(oceanHandle_t handle, oceanIndexType_t offset_type, oceanIndexType_t column_type,
                              oceanDataType_t type, const char* named) {
  harness_case("offsets %d, columns %d, values %d", offset_type, column_type, type);
  oceanSpMatDescr_t matrix = NULL;
  oceanStatus_t status = oceanCreateCsr(&matrix, 3, 3, 0, NULL, NULL, NULL, offset_type, column_type, ZERO_BASE, type);
  if (status == OCEAN_STATUS_SUCCESS) {
    const Scalar one = {.f64 = 1}, zero = {.f64 = 0};
    oceanSpGEMMDescr_t descr;
    size_t size = 12345;
    CHECK_OK(oceanSpGEMM_createDescr(&descr));
    CHECK_REFUSED(oceanSpGEMM_workEstimation(handle, OP_N, OP_N, &one, matrix, matrix, &zero, matrix, type,
                                             OCEAN_SPGEMM_DEFAULT, descr, &size, NULL),
                  OCEAN_STATUS_NOT_SUPPORTED, named);
    CHECK_INT(size, 12345);
    CHECK_REFUSED(
        oceanSpGEMM(handle, OP_N, OP_N, &one, matrix, matrix, &zero, NULL, matrix, type, OCEAN_SPGEMM_DEFAULT),
        OCEAN_STATUS_NOT_SUPPORTED, named);
    CHECK_OK(oceanSpGEMM_destroyDescr(descr));
    CHECK_OK(oceanDestroySpMat(matrix));
  } else {
    CHECK_STATUS(status, OCEAN_STATUS_NOT_SUPPORTED);
    CHECK_HAS(oceanGetLastErrorString(), named);
    CHECK(matrix == NULL);
  }
}

static void R16_T2_other_types_are_refused_by_name(void) {
  oceanHandle_t handle = open_handle();
  static const struct {
    oceanDataType_t type;
    const char* name;
  } others[] = {
      {CUDA_R_8I, "R_8I"},   {CUDA_C_8I, "C_8I"},   {CUDA_R_8U, "R_8U"},   {CUDA_R_16I, "R_16I"},
      {CUDA_R_32I, "R_32I"}, {CUDA_C_32I, "C_32I"}, {CUDA_R_64I, "R_64I"}, {CUDA_R_64U, "R_64U"},
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    check_unsupported(handle, OCEAN_INDEX_32I, OCEAN_INDEX_32I, others[i].type, others[i].name);
  }
  check_handle_works(handle);
  close_handle(handle);
}

static void R16_T1_16_bit_indices_are_refused_by_name(void) {
  oceanHandle_t handle = open_handle();
  check_unsupported(handle, OCEAN_INDEX_16U, OCEAN_INDEX_16U, CUDA_R_64F, "16U");
  check_handle_works(handle);
  close_handle(handle);
}

static void R17_T11_the_algorithm_may_change_on_one_descriptor(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  for (int i = 0; i < ALGS * ALGS; i++) {
    const oceanSpGEMMAlg_t first = ALL_ALGS[i / ALGS], second = ALL_ALGS[i % ALGS];
    harness_case("alg %d, then %d", first, second);
    for (int analyse_again = 0; analyse_again < 2; analyse_again++) {
      Product p = product_open(handle, &a, &b, with_alg(first));
      plain_work_estimation(&p);
      p.setup.alg = second;
      if (analyse_again) plain_work_estimation(&p);
      plain_compute(&p);
      product_allocate_c(&p);
      plain_copy(&p);
      const Csr c = product_read(&p);
      CHECK_SAME(&c, &expected);
      product_close(&p);
    }
  }
  close_handle(handle);
}

static void R17_a_descriptor_serves_again_after_a_failure_and_for_other_matrices(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c(), wrong = csr_full(5, 4, 1);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  DeviceCsr other = device_csr(&wrong, ZERO_BASE, CUDA_R_64F);
  size_t size = 0;
  CHECK_STATUS(oceanSpGEMM_workEstimation(handle, OP_N, OP_N, &p.alpha, p.a.descr, other.descr, &p.beta, p.c,
                                          CUDA_R_64F, OCEAN_SPGEMM_DEFAULT, p.descr, &size, NULL),
               OCEAN_STATUS_INVALID_VALUE);
  p.setup.alg = OCEAN_SPGEMM_ALG2;
  plain_all(&p);
  Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  device_csr_close(&other);

  // The same descriptor on another product.
  const Csr left = csr_random(30, 30, 0.3, 1), right = csr_random(30, 30, 0.3, 2);
  const Csr next = csr_multiply(&left, &right, CUDA_R_64F);
  Product q = product_open(handle, &left, &right, DEFAULT_SETUP);
  oceanSpGEMMDescr_t unused = q.descr;
  q.descr = p.descr;
  plain_all(&q);
  c = product_read(&q);
  CHECK_SAME(&c, &next);
  q.descr = unused;
  product_close(&q);
  product_close(&p);
  close_handle(handle);
}

static void R18_T16_products_are_counted_in_64_bits(void) {
  oceanHandle_t handle = open_handle();
  const Csr column = csr_full(60000, 1, 1), row = csr_full(1, 60000, 1);
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &column, &row, with_alg(ALL_ALGS[i]));
    plain_work_estimation(&p);
    int64_t products = 0;
    CHECK_OK(oceanSpGEMM_getNumProducts(p.descr, &products));
    CHECK_INT(products, 3600000000);
    product_close(&p);
  }
  check_handle_works(handle);
  close_handle(handle);
}

static void R19_an_nnz_past_32_bits_is_reported_by_compute_and_refused_by_copy(void) {
  oceanHandle_t handle = open_handle();
  const Csr column = csr_full(46341, 1, 1), row = csr_full(1, 46341, 1);
  Setup setup = DEFAULT_SETUP;
  setup.type = CUDA_R_32F;
  Product p = product_open(handle, &column, &row, setup);
  plain_work_estimation(&p);
  CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &p.size[2], NULL));
  const size_t limit = (size_t)2 << 30;
  if (p.size[2] > limit) {
    const size_t asked = p.size[2];
    product_close(&p);
    close_handle(handle);
    harness_skip("compute asks for %zu bytes for a product that 32-bit offsets can't hold; more than this test spends",
                 asked);
  }
  p.buffer[2] = device_alloc(p.size[2]);
  CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &p.size[2], p.buffer[2]));
  int64_t rows, cols, nnz;
  CHECK_OK(oceanSpMatGetSize(p.c, &rows, &cols, &nnz));
  CHECK_INT(nnz, 2147488281);
  int32_t* columns = device_alloc(1024);
  float* values = device_alloc(1024);
  CHECK_OK(oceanCsrSetPointers(p.c, p.c_offsets, columns, values));
  CHECK_REFUSED(oceanSpGEMM_copy(LEADING(&p)), OCEAN_STATUS_INSUFFICIENT_RESOURCES, "2147488281");
  CHECK(device_all(p.c_offsets, DEVICE_FRESH));
  CHECK(device_all(columns, DEVICE_FRESH));
  CHECK(device_all(values, DEVICE_FRESH));
  device_free(columns);
  device_free(values);
  product_close(&p);
  check_handle_works(handle);
  close_handle(handle);
}

static void R20_T13_a_short_buffer_2_can_be_tried_again(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(100, 100, 0.1, 1), b = csr_random(100, 100, 0.1, 2);
  const Csr expected = csr_multiply(&a, &b, CUDA_R_64F);
  static const oceanSpGEMMAlg_t sized[] = {OCEAN_SPGEMM_DEFAULT, OCEAN_SPGEMM_ALG1};
  for (int i = 0; i < 2; i++) {
    Product p = product_open(handle, &a, &b, with_alg(sized[i]));
    plain_work_estimation(&p);
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &p.size[2], NULL));
    void* little = device_alloc(1024);
    for (size_t size = 0; size <= 1024; size += 512) {
      harness_case("alg %d, %d bytes", sized[i], (int)size);
      size_t told = size;
      CHECK_REFUSED(oceanSpGEMM_compute(LEADING(&p), &told, little), OCEAN_STATUS_INSUFFICIENT_RESOURCES,
                    "bufferSize2");
      CHECK_INT(told, size);
      int64_t rows, cols, nnz;
      CHECK_OK(oceanSpMatGetSize(p.c, &rows, &cols, &nnz));
      CHECK_INT(nnz, 0);
    }
    CHECK(device_all(little, DEVICE_FRESH));
    device_free(little);
    plain_compute(&p);
    product_allocate_c(&p);
    plain_copy(&p);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
  }
  close_handle(handle);
}

static void T17_a_dense_product_of_3_billion_products(void) {
  oceanHandle_t handle = open_handle();
  const Csr ones = csr_full(1500, 1500, 1), expected = csr_full(1500, 1500, 1500);
  Setup setup = DEFAULT_SETUP;
  setup.type = CUDA_R_32F;
  Product p = product_open(handle, &ones, &ones, setup);
  plain_all(&p);
  int64_t products;
  CHECK_OK(oceanSpGEMM_getNumProducts(p.descr, &products));
  CHECK_INT(products, 3375000000);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void T14_R14_calls_that_must_not_block_do_not(void) {
  harness_skip_without_gpu("needs a stream of a GPU that is kept busy: tests/gpu_streams.rs has one");
}

static void T15_copy_and_reuse_compute_can_be_captured(void) {
  harness_skip_without_gpu("needs a CUDA graph: tests/gpu_streams.rs has one");
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(T1_every_alg_with_every_base_and_type),
      TEST(R16_T2_other_types_are_refused_by_name),
      TEST(R16_T1_16_bit_indices_are_refused_by_name),
      TEST(R17_T11_the_algorithm_may_change_on_one_descriptor),
      TEST(R17_a_descriptor_serves_again_after_a_failure_and_for_other_matrices),
      TEST(R18_T16_products_are_counted_in_64_bits),
      TEST(R19_an_nnz_past_32_bits_is_reported_by_compute_and_refused_by_copy),
      TEST(R20_T13_a_short_buffer_2_can_be_tried_again),
      TEST(T17_a_dense_product_of_3_billion_products),
      TEST(T14_R14_calls_that_must_not_block_do_not),
      TEST(T15_copy_and_reuse_compute_can_be_captured),
  };
  return RUN(tests, argc, argv);
}
