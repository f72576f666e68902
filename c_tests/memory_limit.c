// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Promise PR1: a byte limit that the caller sets is kept, and the product has the same bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "device.h"
#include "harness.h"
#include "product.h"

// Rows of B are long, so that C is far larger than A, B and what is kept for a row.
static Csr left(void) {
  Csr a = csr_begin(800, 60);
  for (int64_t i = 0; i < 800; i++) {
    for (int64_t t = 0; t < 5; t++) csr_push(&a, (11 * i + 7 * t) % 60, (double)(i % 9) + 0.25);
    csr_end_row(&a);
  }
  return a;
}

static Csr right(void) {
  Csr b = csr_begin(60, 900);
  for (int64_t i = 0; i < 60; i++) {
    for (int64_t t = 0; t < 100; t++) csr_push(&b, i % 3 + 9 * t, 1.0 / (double)(i + t + 1));
    csr_end_row(&b);
  }
  return b;
}

static void PR1_a_limit_is_kept_down_to_the_least_that_works(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr a = left(), b = right(), expected = full_call(handle, &a, &b, DEFAULT_SETUP);
  const size_t c_bytes = (size_t)expected.nnz * 12;
  const size_t limits[] = {8 * c_bytes, c_bytes, c_bytes / 4, c_bytes / 16};
  for (int i = 0; i < 4; i++) {
    counting.peak_bytes = counting.live_bytes;
    Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
    CHECK_OK(oceanSpGEMM_setMemoryLimit(p.descr, limits[i]));
    plain_all(&p);
    CHECK(p.size[1] + p.size[2] + counting.peak_bytes <= limits[i]);
    CHECK(limits[i] > 2 * c_bytes || p.size[2] < c_bytes);  // no second copy of C
    Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    // Another compute and copy, on top of what is there.
    plain_compute(&p);
    product_set_scalars(&p, 1, 1);
    plain_copy(&p);
    CHECK(p.size[1] + p.size[2] + counting.peak_bytes <= limits[i]);
    c = product_read(&p);
    const Csr twice = csr_scale(&expected, 2);
    CHECK_SAME(&c, &twice);
    product_close(&p);
  }
  close_handle(handle);
  counting_check(&counting);
}

static void PR1_a_limit_that_is_too_small_tells_one_that_works(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = left(), unsorted = right(), b = csr_shuffle_rows(&unsorted, 5);
  const Csr expected = full_call(handle, &a, &b, DEFAULT_SETUP);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  size_t limit = 1000;
  for (int tries = 0;; tries++) {
    CHECK(tries < 16);  // each step tells what it lacks, and the GPU takes scratch for more of them
    CHECK_OK(oceanSpGEMM_setMemoryLimit(p.descr, limit));
    CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], NULL));
    void* const buffer = device_alloc(p.size[1]);
    const oceanStatus_t status = oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], buffer);
    device_free(buffer);
    if (status == OCEAN_STATUS_SUCCESS) break;
    CHECK_STATUS(status, OCEAN_STATUS_INSUFFICIENT_RESOURCES);
    const char* const message = oceanGetLastErrorString();
    char said[64];
    snprintf(said, sizeof said, "memory limit of %zu bytes is too small", limit);
    CHECK_HAS(message, said);
    const char* const needs = strstr(message, "needs one of ");
    CHECK(needs != NULL);
    const size_t next = strtoull(needs + strlen("needs one of "), NULL, 10);
    CHECK(next > limit);
    limit = next;
    // A step that failed leaves nothing to go on with.
    CHECK_REFUSED(oceanSpGEMM_compute(LEADING(&p), &p.size[2], NULL), OCEAN_STATUS_INVALID_VALUE, "workEstimation");
  }
  plain_all(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  // Without a limit again.
  CHECK_OK(oceanSpGEMM_setMemoryLimit(p.descr, 0));
  plain_all(&p);
  CHECK(p.size[2] > (size_t)expected.nnz * 12);
  product_close(&p);
  close_handle(handle);
}

static void a_chunk_fraction_below_one_has_rows_counted(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = left(), b = right();
  size_t bytes[2];
  for (int i = 0; i < 2; i++) {
    Setup setup = with_alg(OCEAN_SPGEMM_ALG3);
    setup.options[0][0] = "workflow";
    setup.options[0][1] = "upper_bound";
    setup.chunk_fraction = i == 0 ? 1 : 0.5f;
    Product p = product_open(handle, &a, &b, setup);
    plain_all(&p);
    bytes[i] = p.size[2];
    const Csr c = product_read(&p), expected = full_call(handle, &a, &b, DEFAULT_SETUP);
    CHECK_SAME(&c, &expected);
    product_close(&p);
  }
  CHECK(bytes[1] < bytes[0]);
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(PR1_a_limit_is_kept_down_to_the_least_that_works),
      TEST(PR1_a_limit_that_is_too_small_tells_one_that_works),
      TEST(a_chunk_fraction_below_one_has_rows_counted),
  };
  return RUN(tests, argc, argv);
}
