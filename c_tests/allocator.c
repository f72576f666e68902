// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Memory that the library takes: all of it through the caller's allocator, all of it given back, nothing lost when the
// allocator fails (LI1, LI3, LI5).
#include "counting.h"
#include "device.h"
#include "harness.h"
#include "product.h"

// Rows that outgrow their estimates by far, so that compute has to ask the allocator for more.
static Setup overflowing(void) {
  Setup setup = DEFAULT_SETUP;
  const char* const options[3][2] = {{"workflow", "estimate"}, {"registers", "16"}, {"coefficient", "0.01"}};
  for (int i = 0; i < 3; i++) {
    setup.options[i][0] = options[i][0];
    setup.options[i][1] = options[i][1];
  }
  return setup;
}

static void LI1_every_buffer_dies_at_the_earliest_moment(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    plain_work_estimation(&p);
    plain_compute(&p);
    product_free_buffer(&p, 1);
    product_allocate_c(&p);
    plain_copy(&p);
    product_free_buffer(&p, 2);
    Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
    c = reuse_call(handle, &a, &b, with_alg(ALL_ALGS[i]));  // does the same with its five
    CHECK_SAME(&c, &expected);
  }
  close_handle(handle);
}

static void LI3_a_thousand_products_leave_nothing_behind(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr a = csr_random(60, 60, 0.25, 1), expected = csr_multiply(&a, &a, CUDA_R_64F);
  const size_t arrays = device_live_arrays();
  for (int i = 0; i < 1000; i++) {
    const Setup setup = i % 2 == 0 ? DEFAULT_SETUP : overflowing();
    const Csr c = i % 4 == 3 ? one_call(handle, &a, &a, setup) : full_call(handle, &a, &a, setup);
    CHECK_SAME(&c, &expected);
    CHECK_INT(counting.live, 0);
    CHECK_INT(device_live_arrays(), arrays);
  }
  close_handle(handle);
  counting_check(&counting);
}

static void check_memory_is_the_callers(const Csr* a, const Csr* b) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr expected = csr_multiply(a, b, CUDA_R_64F);
  Csr c = full_call(handle, a, b, DEFAULT_SETUP);
  CHECK_SAME(&c, &expected);
  CHECK_INT(counting.live, 0);
  c = reuse_call(handle, a, b, DEFAULT_SETUP);
  CHECK_SAME(&c, &expected);
  CHECK_INT(counting.live, 0);
  const int before = counting.calls;
  c = one_call(handle, a, b, DEFAULT_SETUP);  // here guard zones lie around what the library allocated, too
  CHECK_SAME(&c, &expected);
  CHECK(counting.calls >= before + 3);  // C's arrays
  CHECK_INT(counting.live, 0);
  close_handle(handle);
  counting_check(&counting);
}

static void LI5_all_memory_comes_from_the_callers_allocator(void) {
  const Csr a = wr1_a(), b = wr1_b();
  check_memory_is_the_callers(&a, &b);
}

static void LI5_ME1_so_it_does_for_many_products(void) {
  const Csr ones = csr_full(600, 600, 1);
  check_memory_is_the_callers(&ones, &ones);
}

static void overflowed_rows_take_memory_and_give_it_back(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr a = csr_random(300, 300, 0.3, 1), b = csr_random(300, 3000, 0.1, 2);
  const Csr expected = csr_multiply(&a, &b, CUDA_R_64F);
  Product p = product_open(handle, &a, &b, overflowing());
  plain_work_estimation(&p);
  plain_compute(&p);
  CHECK(counting.calls > 0 && counting.live > 0);  // the test is about this memory
  product_allocate_c(&p);
  plain_copy(&p);
  Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  plain_compute(&p);  // again: the old memory must go
  plain_copy(&p);
  c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  CHECK_INT(counting.live, 0);
  close_handle(handle);
  counting_check(&counting);
}

static void a_failing_allocator_fails_compute_and_loses_nothing(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr a = csr_random(300, 300, 0.3, 1), b = csr_random(300, 3000, 0.1, 2);
  const Csr expected = csr_multiply(&a, &b, CUDA_R_64F);
  int failures = 0;
  for (int fail_at = 1;; fail_at++) {
    harness_case("allocation %d fails", fail_at);
    Product p = product_open(handle, &a, &b, overflowing());
    plain_work_estimation(&p);
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &p.size[2], NULL));
    p.buffer[2] = device_alloc(p.size[2]);
    counting.fail_at = counting.calls + fail_at;
    const oceanStatus_t status = oceanSpGEMM_compute(LEADING(&p), &p.size[2], p.buffer[2]);
    counting.fail_at = 0;
    if (status != OCEAN_STATUS_SUCCESS) {
      failures++;
      CHECK_STATUS(status, OCEAN_STATUS_ALLOC_FAILED);
      CHECK_HAS(oceanGetLastErrorString(), "memory");
      CHECK_INT(counting.live, 0);
      CHECK_REFUSED(oceanSpGEMM_copy(LEADING(&p)), OCEAN_STATUS_INVALID_VALUE, "oceanSpGEMM_compute");
      int64_t rows, cols, nnz;
      CHECK_OK(oceanSpMatGetSize(p.c, &rows, &cols, &nnz));
      CHECK_INT(nnz, 0);
    }
    plain_compute(&p);  // the same descriptor, now with memory
    product_allocate_c(&p);
    plain_copy(&p);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
    if (status == OCEAN_STATUS_SUCCESS) break;
  }
  CHECK(failures > 0);
  close_handle(handle);
  counting_check(&counting);
}

static void a_failing_allocator_fails_the_one_call_and_loses_nothing(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  // Sorted, unsorted with repeats (a copy of B is made), and one for each workflow's allocations.
  const Csr tridiagonal = csr_tridiagonal(300, -1, 2, -1), full = csr_full(100, 100, 1);
  const Csr sparse = csr_random(100, 100, 0.3, 1), repeated = csr_repeat(&sparse),
            unsorted = csr_shuffle_rows(&repeated, 2);
  const Csr* operands[] = {&tridiagonal, &full, &sparse, &unsorted};
  const double one = 1;
  for (int i = 0; i < 4; i++) {
    const Csr expected = csr_multiply(operands[i], operands[i], CUDA_R_64F);
    DeviceCsr a = device_csr(operands[i], ZERO_BASE, CUDA_R_64F);
    oceanSpMatDescr_t c;
    CHECK_OK(oceanCreateCsr(&c, expected.rows, expected.cols, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                            ZERO_BASE, CUDA_R_64F));
    int fail_at = 1;
    for (oceanStatus_t status = OCEAN_STATUS_ALLOC_FAILED; status != OCEAN_STATUS_SUCCESS; fail_at++) {
      harness_case("matrix %d, allocation %d fails", i, fail_at);
      counting.fail_at = counting.calls + fail_at;
      status = oceanSpGEMM(handle, OP_N, OP_N, &one, a.descr, a.descr, &one, NULL, c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT);
      counting.fail_at = 0;
      if (status == OCEAN_STATUS_SUCCESS) break;
      CHECK_STATUS(status, OCEAN_STATUS_ALLOC_FAILED);
      CHECK_HAS(oceanGetLastErrorString(), "memory");
      CHECK_INT(counting.live, 0);
      int64_t rows, cols, nnz;
      CHECK_OK(oceanSpMatGetSize(c, &rows, &cols, &nnz));
      CHECK_INT(nnz, 0);
    }
    CHECK(fail_at > 3);  // each of C's arrays failed once
    CHECK_OK(oceanDestroySpMat(c));
    CHECK_INT(counting.live, 0);
    device_csr_close(&a);
    expect_one_call(handle, operands[i], operands[i], DEFAULT_SETUP);
  }
  close_handle(handle);
  counting_check(&counting);
}

static void a_failure_leaves_the_product_that_C_had(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  DeviceCsr left = device_csr(&a, ZERO_BASE, CUDA_R_64F), right = device_csr(&b, ZERO_BASE, CUDA_R_64F);
  oceanSpMatDescr_t c;
  const double one = 1;
  CHECK_OK(oceanCreateCsr(&c, 4, 4, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE, CUDA_R_64F));
#define MULTIPLY \
  oceanSpGEMM(handle, OP_N, OP_N, &one, left.descr, right.descr, &one, NULL, c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT)
  CHECK_OK(MULTIPLY);
  counting.fail_at = 1;
  CHECK_STATUS(MULTIPLY, OCEAN_STATUS_ALLOC_FAILED);
  counting.fail_at = 0;
  int64_t rows, cols, nnz;
  void *offsets, *columns, *values;
  oceanIndexType_t offset_type, column_type;
  oceanIndexBase_t base;
  oceanDataType_t type;
  CHECK_OK(oceanCsrGet(c, &rows, &cols, &nnz, &offsets, &columns, &values, &offset_type, &column_type, &base, &type));
  const Csr kept = download_csr(offsets, columns, values, rows, cols, nnz, base, type);
  CHECK_SAME(&kept, &expected);
  CHECK_OK(oceanDestroySpMat(c));
  device_csr_close(&left);
  device_csr_close(&right);
  close_handle(handle);
  counting_check(&counting);
}

static void* never(void* user, size_t bytes, cudaStream_t stream) {
  (void)bytes;
  (void)stream;
  ++*(int*)user;
  return NULL;
}

static void never_free(void* user, void* pointer, size_t bytes, cudaStream_t stream) {
  (void)pointer;
  (void)bytes;
  (void)stream;
  ++*(int*)user;
}

static void the_allocator_can_be_set_and_unset(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b();
  int calls = 0;
  CHECK_REFUSED(oceanSetAllocator(handle, never, NULL, &calls), OCEAN_STATUS_INVALID_VALUE, "free");
  CHECK_REFUSED(oceanSetAllocator(handle, NULL, never_free, &calls), OCEAN_STATUS_INVALID_VALUE, "alloc");
  expect_one_call(handle, &a, &b, DEFAULT_SETUP);  // still the default
  CHECK_OK(oceanSetAllocator(handle, never, never_free, &calls));
  CHECK_OK(oceanSetAllocator(handle, NULL, NULL, NULL));
  expect_one_call(handle, &a, &b, DEFAULT_SETUP);
  CHECK_INT(calls, 0);
  close_handle(handle);
}

static void the_stream_of_the_handle_reaches_the_allocator(void) {
  oceanHandle_t handle = open_handle();
  oceanBackend_t backend;
  CHECK_OK(oceanGetBackend(handle, &backend));
  if (backend == OCEAN_BACKEND_HOST) {  // which never follows it
    static int somewhere;
    CHECK_OK(oceanSetStream(handle, (cudaStream_t)(void*)&somewhere));
  }
  Counting counting;
  counting_attach(&counting, handle);
  const Csr a = wr1_a(), b = wr1_b();
  expect_one_call(handle, &a, &b, DEFAULT_SETUP);
  CHECK(counting.calls >= 3);
  close_handle(handle);
  counting_check(&counting);
}

static void overflowed_rows_outlive_the_handle(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr a = csr_random(300, 300, 0.3, 1), b = csr_random(300, 3000, 0.1, 2);
  Product p = product_open(handle, &a, &b, overflowing());
  plain_work_estimation(&p);
  plain_compute(&p);
  CHECK(counting.live > 0);
  close_handle(handle);
  p.handle = open_handle();  // copy on another handle, whose allocator has no part in it
  product_allocate_c(&p);
  plain_copy(&p);
  const Csr c = product_read(&p), expected = csr_multiply(&a, &b, CUDA_R_64F);
  CHECK_SAME(&c, &expected);
  close_handle(p.handle);
  product_close(&p);
  counting_check(&counting);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(LI1_every_buffer_dies_at_the_earliest_moment),
      TEST(LI3_a_thousand_products_leave_nothing_behind),
      TEST(LI5_all_memory_comes_from_the_callers_allocator),
      TEST(LI5_ME1_so_it_does_for_many_products),
      TEST(overflowed_rows_take_memory_and_give_it_back),
      TEST(a_failing_allocator_fails_compute_and_loses_nothing),
      TEST(a_failing_allocator_fails_the_one_call_and_loses_nothing),
      TEST(a_failure_leaves_the_product_that_C_had),
      TEST(the_allocator_can_be_set_and_unset),
      TEST(the_stream_of_the_handle_reaches_the_allocator),
      TEST(overflowed_rows_outlive_the_handle),
  };
  return RUN(tests, argc, argv);
}
