// SPDX-License-Identifier: MIT OR Apache-2.0
//
// User cases about memory (ME) and about limits at 2^31 (OV).
#include "counting.h"
#include "device.h"
#include "harness.h"
#include "product.h"

static const size_t MIB = (size_t)1 << 20;

// Beyond A, B and C a product may take this much, whatever the number of products.
static size_t extra_bound(int64_t rows) { return 64 * MIB + 32 * (size_t)rows; }

static size_t bytes_of_csr(const Csr* c, oceanDataType_t type) {
  return ((size_t)c->rows + 1) * sizeof(int32_t) + (size_t)c->nnz * (sizeof(int32_t) + bytes_of(type));
}

static void ME1_a_full_product_takes_little_more_than_its_result(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr ones = csr_full(600, 600, 1), expected = csr_full(600, 600, 600);
  Product p = product_open(handle, &ones, &ones, DEFAULT_SETUP);
  plain_all(&p);
  int64_t products;
  CHECK_OK(oceanSpGEMM_getNumProducts(p.descr, &products));
  CHECK_INT(products, 216000000);
  // The staged calls hold the product twice: in buffer 2, where rows have room to spare, and in C.
  const size_t c_bytes = bytes_of_csr(&expected, CUDA_R_64F);
  CHECK(p.size[1] + p.size[2] + counting.peak_bytes <= 2 * c_bytes + extra_bound(600));
  Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);

  counting.peak_bytes = counting.live_bytes;
  c = one_call(handle, &ones, &ones, DEFAULT_SETUP);
  CHECK_SAME(&c, &expected);
  CHECK(counting.peak_bytes <= c_bytes + c_bytes * 15 / 100 + 64 * MIB);
  close_handle(handle);
  counting_check(&counting);
}

static Csr me3_a(void) {
  Csr a = csr_begin(10000, 10000);
  for (int64_t i = 0; i < 10000; i++) {
    for (int64_t t = 0; t < 100; t++) csr_push(&a, (37 * i + 101 * t) % 10000, 1);
    csr_end_row(&a);
  }
  return a;
}

static void check_me3(const Csr* c) {
  CHECK_INT(c->nnz, 1990000);
  double largest = 0;
  for (int64_t e = 0; e < c->nnz; e++) largest = c->values[e] > largest ? c->values[e] : largest;
  CHECK(largest == 100);
  CHECK(csr_sum(c) == 1e8);
}

static void ME3_SO4_a_banded_product_in_any_order_of_entries(void) {
  oceanHandle_t handle = open_handle();
  const Csr unsorted = me3_a(), b = csr_transpose(&unsorted), a = csr_transpose(&b);  // twice transposed is sorted
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_all(&p);
  const Csr c = product_read(&p);
  CHECK(p.size[1] + p.size[2] <= 2 * bytes_of_csr(&c, CUDA_R_64F) + extra_bound(10000));
  product_close(&p);
  check_me3(&c);
  for (uint64_t seed = 1; seed <= 2; seed++) {
    const Csr shuffled_a = csr_shuffle_rows(&a, seed), shuffled_b = csr_shuffle_rows(&b, seed + 10);
    const Csr again = full_call(handle, &shuffled_a, &shuffled_b, DEFAULT_SETUP);
    CHECK_SAME(&again, &c);
  }
  close_handle(handle);
}

// Sorted, the product fits under any of the limits; unsorted, a sorted copy of B has to fit too, which can't be split.
static void ME7_limits_of_1_GiB_64_MiB_and_8_MiB(void) {
  static const size_t limits[] = {1024, 64, 8};
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  const Csr unsorted = me3_a(), b = csr_transpose(&unsorted), a = csr_transpose(&b);
  const Csr shuffled = csr_shuffle_rows(&b, 3), expected = full_call(handle, &a, &b, DEFAULT_SETUP);
  check_me3(&expected);
  for (int i = 0; i < 6; i++) {
    const bool sorted = i % 2 == 0;
    const size_t limit = limits[i / 2] * MIB;
    Product p = product_open(handle, &a, sorted ? &b : &shuffled, DEFAULT_SETUP);
    counting.peak_bytes = counting.live_bytes;
    CHECK_OK(oceanSpGEMM_setMemoryLimit(p.descr, limit));
    if (!sorted && limit == 8 * MIB) {
      CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], NULL));
      p.buffer[1] = device_alloc(p.size[1]);
      CHECK_REFUSED(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], p.buffer[1]),
                    OCEAN_STATUS_INSUFFICIENT_RESOURCES, "memory limit of 8388608 bytes is too small", "or more");
      CHECK(p.size[1] + counting.peak_bytes <= limit);
    } else {
      plain_work_estimation(&p);
      CHECK(p.size[1] + counting.peak_bytes <= limit);
      counting.peak_bytes = counting.live_bytes;
      plain_compute(&p);
      product_allocate_c(&p);
      plain_copy(&p);
      const Csr c = product_read(&p);
      CHECK_SAME(&c, &expected);
      CHECK(p.size[1] + p.size[2] + counting.peak_bytes <= limit);
    }
    product_close(&p);
  }
  close_handle(handle);
  counting_check(&counting);
}

static void ME5_four_million_rows(void) {
  const int64_t n = 4194305;
  oceanHandle_t handle = open_handle();
  const Csr a = csr_tridiagonal(n, 0, 1, -1), b = csr_transpose(&a);
  Csr expected = csr_tridiagonal(n, -1, 2, -1);
  expected.values[expected.nnz - 1] = 1;
  CHECK_INT(expected.nnz, 12582913);
  const Csr c = full_call(handle, &a, &b, DEFAULT_SETUP);
  CHECK_SAME(&c, &expected);
  close_handle(handle);
}

static void OV1_three_billion_products_do_not_come_out_empty(void) {
  oceanHandle_t handle = open_handle();
  Csr x = csr_begin(50000, 5000);
  for (int64_t i = 0; i < 50000; i++) {
    for (int64_t t = 0; t < 250; t++) csr_push(&x, (7 * i + 20 * t) % 5000, 1);
    csr_end_row(&x);
  }
  const Csr a = csr_transpose(&x);
  Csr expected = csr_begin(5000, 5000);
  for (int64_t i = 0; i < 5000; i++) {
    for (int64_t j = i % 20; j < 5000; j += 20) csr_push(&expected, j, 2500);
    csr_end_row(&expected);
  }
  CHECK_INT(expected.nnz, 1250000);
  Setup setup = DEFAULT_SETUP;
  setup.type = CUDA_R_32F;
  Product p = product_open(handle, &a, &x, setup);
  plain_all(&p);
  int64_t products;
  CHECK_OK(oceanSpGEMM_getNumProducts(p.descr, &products));
  CHECK_INT(products, 3125000000);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void OV9_three_billion_products_in_one_row(void) {
  oceanHandle_t handle = open_handle();
  Csr a = csr_begin(1, 1);
  for (int i = 0; i < 100000; i++) csr_push(&a, 0, 1);
  csr_end_row(&a);
  const Csr b = csr_full(1, 30000, 1), expected = csr_full(1, 30000, 100000);
  const Csr c = full_call(handle, &a, &b, DEFAULT_SETUP);
  CHECK_SAME(&c, &expected);
  close_handle(handle);
}

static Csr cyclic(int64_t n, int64_t shift) {
  Csr matrix = csr_begin(n, n);
  for (int64_t i = 0; i < n; i++) {
    csr_push(&matrix, (i + shift) % n, 1);
    csr_end_row(&matrix);
  }
  return matrix;
}

static void OV10_nothing_is_sized_by_rows_times_columns(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = cyclic(62586, 1), expected = cyclic(62586, 2);
  Product p = product_open(handle, &a, &a, DEFAULT_SETUP);
  plain_all(&p);
  CHECK(p.size[1] + p.size[2] <= 2 * bytes_of_csr(&a, CUDA_R_64F) + extra_bound(62586));
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

// Few entries in many rows: nothing but the offsets grows.
static void PF6_ten_million_rows_of_which_a_thousand_have_an_entry(void) {
  const int64_t n = 10000000, step = 10000;
  oceanHandle_t handle = open_handle();
  Csr a = csr_begin(n, n);
  for (int64_t i = 0; i < n; i++) {
    if (i % step == 0) csr_push(&a, i, 3);
    csr_end_row(&a);
  }
  const Csr expected = csr_scale(&a, 3), c = full_call(handle, &a, &a, DEFAULT_SETUP);
  CHECK_INT(c.nnz, 1000);
  CHECK_SAME(&c, &expected);
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(ME1_a_full_product_takes_little_more_than_its_result),
      TEST(ME3_SO4_a_banded_product_in_any_order_of_entries),
      TEST(ME5_four_million_rows),
      TEST(ME7_limits_of_1_GiB_64_MiB_and_8_MiB),
      TEST(OV1_three_billion_products_do_not_come_out_empty),
      TEST(OV9_three_billion_products_in_one_row),
      TEST(OV10_nothing_is_sized_by_rows_times_columns),
      TEST(PF6_ten_million_rows_of_which_a_thousand_have_an_entry),
  };
  return RUN(tests, argc, argv);
}
