// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Rules and tests of the contract about the work buffers: their sizes, their addresses, how long they live.
#include "counting.h"
#include "device.h"
#include "harness.h"
#include "product.h"

static void R1_a_query_answers_the_same_on_repeat_and_changes_nothing(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(40, 30, 0.2, 1), b = csr_random(30, 50, 0.2, 2);
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    size_t first = 0, again = 0;
    CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &first, NULL));
    CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &again, NULL));
    CHECK_INT(again, first);
    plain_work_estimation(&p);
    CHECK_INT(p.size[1], first);
    if (needs_estimate(ALL_ALGS[i])) {
      CHECK_OK(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, &first, NULL, NULL));
      CHECK_OK(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, &again, NULL, NULL));
      CHECK_INT(again, first);
    }
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &first, NULL));
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &again, NULL));
    CHECK_INT(again, first);
    int64_t rows, cols, nnz;
    CHECK_OK(oceanSpMatGetSize(p.c, &rows, &cols, &nnz));
    CHECK_INT(nnz, 0);
    CHECK(device_all(p.c_offsets, DEVICE_FRESH));
    product_close(&p);
  }
  close_handle(handle);
}

static void R1_reuse_queries_answer_the_same_on_repeat(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(40, 30, 0.2, 1), b = csr_random(30, 50, 0.2, 2);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  size_t first[6] = {0}, again[6] = {0};
  CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE_LEADING(&p), &first[1], NULL));
  CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE_LEADING(&p), &again[1], NULL));
  reuse_work_estimation(&p);
  CHECK_OK(oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &first[2], NULL, &first[3], NULL, &first[4], NULL));
  CHECK_OK(oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &again[2], NULL, &again[3], NULL, &again[4], NULL));
  reuse_nnz(&p);
  product_allocate_c(&p);
  CHECK_OK(oceanSpGEMMreuse_copy(REUSE_LEADING(&p), &first[5], NULL));
  CHECK_OK(oceanSpGEMMreuse_copy(REUSE_LEADING(&p), &again[5], NULL));
  for (int i = 1; i <= 5; i++) CHECK_INT(again[i], first[i]);
  CHECK(device_all(p.c_offsets, DEVICE_FRESH));
  product_close(&p);
  close_handle(handle);
}

// 256 bytes, so that no pool rounds a request to nothing and every buffer can be aligned inside.
static void check_sizes_are_never_small(oceanHandle_t handle, const Csr* a, const Csr* b) {
  for (int i = 0; i < ALGS; i++) {
    harness_case("%d x %d x %d, alg %d", (int)a->rows, (int)a->cols, (int)b->cols, ALL_ALGS[i]);
    Product p = product_open(handle, a, b, with_alg(ALL_ALGS[i]));
    plain_all(&p);
    CHECK(p.size[1] >= 256);
    CHECK(p.size[2] >= 256);
    CHECK(p.size[3] >= 256 || !needs_estimate(ALL_ALGS[i]));
    product_close(&p);

    p = product_open(handle, a, b, with_alg(ALL_ALGS[i]));
    reuse_all(&p);
    for (int buffer = 1; buffer <= 5; buffer++) CHECK(p.size[buffer] >= 256);
    product_close(&p);
  }
}

static void R2_no_size_is_ever_zero(void) {
  oceanHandle_t handle = open_handle();
  const Csr one = csr_diagonal(1, 1), nothing = csr_empty(0, 0), empty = csr_empty(5, 5), full = csr_full(5, 5, 1);
  check_sizes_are_never_small(handle, &one, &one);
  check_sizes_are_never_small(handle, &nothing, &nothing);
  check_sizes_are_never_small(handle, &empty, &full);
  check_sizes_are_never_small(handle, &full, &empty);
  close_handle(handle);
}

// A buffer whose address is `off` bytes past an aligned one, and which ends where its guard zone begins.
static char* odd_buffer(size_t size, size_t off) { return (char*)device_alloc(off + size) + off; }

static void R4_buffers_at_odd_addresses_do(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(40, 30, 0.2, 1), b = csr_random(30, 50, 0.2, 2);
  const Csr expected = csr_multiply(&a, &b, CUDA_R_64F);
  for (size_t off = 1; off < 256; off = 2 * off + 1) {
    harness_case("%d bytes off", (int)off);
    Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
    size_t size1 = 0, size2 = 0;
    CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &size1, NULL));
    char* buffer1 = odd_buffer(size1, off);
    CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &size1, buffer1));
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &size2, NULL));
    char* buffer2 = odd_buffer(size2, off);
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &size2, buffer2));
    int64_t rows, cols;
    CHECK_OK(oceanSpMatGetSize(p.c, &rows, &cols, &p.c_nnz));
    product_allocate_c(&p);
    plain_copy(&p);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    device_free(buffer1 - off);
    device_free(buffer2 - off);
    product_close(&p);
  }
  close_handle(handle);
}

static void R4_reuse_buffers_at_odd_addresses_do(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(40, 30, 0.2, 1), b = csr_random(30, 50, 0.2, 2);
  const Csr expected = csr_multiply(&a, &b, CUDA_R_64F);
  for (size_t off = 1; off < 256; off = 2 * off + 1) {
    harness_case("%d bytes off", (int)off);
    Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
    char* buffer[6];
    CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE_LEADING(&p), &p.size[1], NULL));
    buffer[1] = odd_buffer(p.size[1], off);
    CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE_LEADING(&p), &p.size[1], buffer[1]));
    CHECK_OK(oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &p.size[2], NULL, &p.size[3], NULL, &p.size[4], NULL));
    for (int i = 2; i <= 4; i++) buffer[i] = odd_buffer(p.size[i], off);
    CHECK_OK(
        oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &p.size[2], buffer[2], &p.size[3], buffer[3], &p.size[4], buffer[4]));
    p.c_nnz = expected.nnz;
    product_allocate_c(&p);
    CHECK_OK(oceanSpGEMMreuse_copy(REUSE_LEADING(&p), &p.size[5], NULL));
    buffer[5] = odd_buffer(p.size[5], off);
    CHECK_OK(oceanSpGEMMreuse_copy(REUSE_LEADING(&p), &p.size[5], buffer[5]));
    reuse_compute(&p);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    for (int i = 1; i <= 5; i++) device_free(buffer[i] - off);
    product_close(&p);
  }
  close_handle(handle);
}

static void R5_T4_buffer_1_and_the_offsets_of_C_are_dead_between_compute_and_copy(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(40, 30, 0.2, 1), b = csr_random(30, 50, 0.2, 2);
  const Csr expected = csr_multiply(&a, &b, CUDA_R_64F);
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    plain_work_estimation(&p);
    plain_compute(&p);  // frees buffer 3, poisoned, before compute
    product_free_buffer(&p, 1);
    device_poison(p.c_offsets);
    product_allocate_c(&p);
    plain_copy(&p);
    product_free_buffer(&p, 2);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
  }
  close_handle(handle);
}

static void R5_T4_reuse_keeps_only_buffers_4_and_5(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(40, 30, 0.2, 1), b = csr_random(30, 50, 0.2, 2);
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    reuse_all(&p);  // frees buffers 1 and 2 after nnz and 3 after copy, poisoned
    CHECK(p.buffer[1] == NULL && p.buffer[2] == NULL && p.buffer[3] == NULL);
    for (int round = 2; round < 5; round++) {
      const Csr new_a = csr_scale(&a, round), expected = csr_multiply(&new_a, &b, CUDA_R_64F);
      device_csr_set_values(&p.a, &new_a);
      reuse_compute(&p);
      const Csr c = product_read(&p);
      CHECK_SAME(&c, &expected);
    }
    product_close(&p);
  }
  close_handle(handle);
}

static void R9_T12_the_compute_query_is_always_enough(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(200, 200, 0.05, 1), b = csr_random(200, 200, 0.3, 2);
  const Csr expected = csr_multiply(&a, &b, CUDA_R_64F);
  for (int i = 0; i < 2 * ALGS; i++) {
    const oceanSpGEMMAlg_t alg = ALL_ALGS[i / 2];
    const bool estimate = i % 2 == 1;
    if (estimate && !needs_estimate(alg)) continue;
    harness_case("alg %d, %s estimateMemory", alg, estimate ? "with" : "without");
    Product p = product_open(handle, &a, &b, with_alg(alg));
    plain_work_estimation(&p);
    if (estimate) {
      CHECK_OK(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, &p.size[3], NULL, NULL));
      p.buffer[3] = device_alloc(p.size[3]);
      CHECK_OK(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, &p.size[3], p.buffer[3], &p.size[2]));
    }
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &p.size[2], NULL));
    p.buffer[2] = device_alloc(p.size[2]);
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &p.size[2], p.buffer[2]));
    int64_t rows, cols;
    CHECK_OK(oceanSpMatGetSize(p.c, &rows, &cols, &p.c_nnz));
    product_allocate_c(&p);
    plain_copy(&p);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
  }
  close_handle(handle);
}

static void R14_copy_and_reuse_compute_allocate_nothing(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr a = csr_random(100, 100, 0.1, 1), b = csr_random(100, 100, 0.1, 2);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_work_estimation(&p);
  plain_compute(&p);
  product_allocate_c(&p);
  int calls = counting.calls;
  plain_copy(&p);
  CHECK_INT(counting.calls, calls);
  product_close(&p);

  p = product_open(handle, &a, &b, DEFAULT_SETUP);
  reuse_all(&p);
  calls = counting.calls;
  for (int i = 0; i < 5; i++) reuse_compute(&p);
  CHECK_INT(counting.calls, calls);
  product_close(&p);
  close_handle(handle);
  counting_check(&counting);
}

static void R15_everything_may_go_right_after_copy(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_all(&p);
  CHECK_OK(oceanSpGEMM_destroyDescr(p.descr));
  CHECK_OK(oceanDestroySpMat(p.c));
  close_handle(handle);
  device_csr_close(&p.a);
  device_csr_close(&p.b);
  product_free_buffer(&p, 1);
  product_free_buffer(&p, 2);
  const Csr c = download_csr(p.c_offsets, p.c_columns, p.c_values, 4, 4, p.c_nnz, ZERO_BASE, CUDA_R_64F);
  CHECK_SAME(&c, &expected);
  device_free(p.c_offsets);
  device_free(p.c_columns);
  device_free(p.c_values);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(R1_a_query_answers_the_same_on_repeat_and_changes_nothing),
      TEST(R1_reuse_queries_answer_the_same_on_repeat),
      TEST(R2_no_size_is_ever_zero),
      TEST(R4_buffers_at_odd_addresses_do),
      TEST(R4_reuse_buffers_at_odd_addresses_do),
      TEST(R5_T4_buffer_1_and_the_offsets_of_C_are_dead_between_compute_and_copy),
      TEST(R5_T4_reuse_keeps_only_buffers_4_and_5),
      TEST(R9_T12_the_compute_query_is_always_enough),
      TEST(R14_copy_and_reuse_compute_allocate_nothing),
      TEST(R15_everything_may_go_right_after_copy),
  };
  return RUN(tests, argc, argv);
}
