// SPDX-License-Identifier: MIT OR Apache-2.0
//
// User cases about reuse and interleaved products (RU), also many small ones (PF5). Steps out of order (RU5) are in
// status_order.c.
#include "counting.h"
#include "device.h"
#include "harness.h"
#include "product.h"

static void RU1_new_values_in_place_give_the_new_product(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), once = wr1_c(), a_doubled = csr_scale(&a, 2), twice = csr_scale(&once, 2);
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    reuse_all(&p);
    Csr c = product_read(&p);
    CHECK_SAME(&c, &once);
    device_csr_set_values(&p.a, &a_doubled);
    reuse_compute(&p);
    c = product_read(&p);
    CHECK_SAME(&c, &twice);
    product_close(&p);
  }
  close_handle(handle);
}

static Setup checking(void) {
  Setup setup = DEFAULT_SETUP;
  setup.options[0][0] = "check";
  setup.options[0][1] = "full";
  return setup;
}

// After the analysis one entry of a diagonal moves: as many entries as before, another pattern.
static void RU3_a_changed_pattern_is_refused_in_checking_mode(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_diagonal(100, 2), expected = csr_diagonal(100, 4);
  for (int i = 0; i < 8; i++) {
    const bool reuse = i & 1, in_b = i & 2;
    const int32_t row = i & 4 ? 99 : 0, moved = 50;
    harness_case("%s, row %d of %s", reuse ? "reuse" : "plain", row, in_b ? "B" : "A");
    Product p = product_open(handle, &a, &a, checking());
    if (reuse) {
      reuse_all(&p);
    } else {
      plain_all(&p);
    }
    device_fill(p.c_values, DEVICE_FRESH, (size_t)p.c_nnz * sizeof(double));
    int32_t* place = (in_b ? p.b.columns : p.a.columns) + row;
    device_upload(place, &moved, sizeof moved);
    const oceanStatus_t status =
        reuse ? oceanSpGEMMreuse_compute(LEADING(&p)) : oceanSpGEMM_compute(LEADING(&p), &p.size[2], p.buffer[2]);
    CHECK_REFUSED(status, OCEAN_STATUS_INVALID_VALUE, in_b ? "matB" : "matA", row == 0 ? "row 0" : "row 99", "pattern");
    CHECK(device_all(p.c_values, DEVICE_FRESH));
    device_upload(place, &row, sizeof row);
    if (reuse) {
      reuse_compute(&p);
    } else {
      plain_compute(&p);
      plain_copy(&p);
    }
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
  }
  check_handle_works(handle);
  close_handle(handle);
}

static void RU3_checking_mode_lets_values_and_arrays_change(void) {
  oceanHandle_t handle = open_handle();
  const Csr sparse = csr_random(50, 50, 0.1, 1), twice = csr_repeat(&sparse);
  const Csr a = csr_shuffle_rows(&twice, 2), b = csr_shuffle_rows(&twice, 3);
  for (int reuse = 0; reuse < 2; reuse++) {
    Product p = product_open(handle, &a, &b, checking());
    if (reuse) {
      reuse_all(&p);
    } else {
      plain_all(&p);
    }
    for (int round = 2; round < 5; round++) {
      harness_case("%s, round %d", reuse ? "reuse" : "plain", round);
      const Csr new_a = csr_scale(&a, round), expected = csr_multiply(&new_a, &b, CUDA_R_64F);
      device_csr_set_values(&p.a, &new_a);
      device_csr_move(&p.a);
      device_csr_move(&p.b);
      if (reuse) {
        reuse_compute(&p);
      } else {
        plain_compute(&p);
        plain_copy(&p);
      }
      const Csr c = product_read(&p);
      CHECK_SAME(&c, &expected);
    }
    product_close(&p);
  }
  close_handle(handle);
}

// A row that outgrows the room it was given is noticed without any option: its entries have nowhere to go. On a GPU a
// compute of counted rows only enqueues, and can't say so.
static void RU3_a_longer_row_is_refused_where_nothing_waits_for_that(void) {
  oceanHandle_t handle = open_handle();
  oceanBackend_t backend;
  CHECK_OK(oceanGetBackend(handle, &backend));
  const Csr a = csr_diagonal(50, 1);
  Csr b = csr_begin(50, 50);
  for (int i = 0; i < 50; i++) {
    for (int j = 0; j < (i == 49 ? 50 : 1); j++) csr_push(&b, j, 1);
    csr_end_row(&b);
  }
  const int32_t long_row = 49, before = 7;
  for (int reuse = 0; reuse < 2; reuse++) {
    harness_case("%s", reuse ? "reuse" : "plain");
    Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
    if (reuse) {
      reuse_all(&p);
    } else {
      plain_all(&p);
    }
    device_upload(p.a.columns + before, &long_row, sizeof long_row);
    const oceanStatus_t status =
        reuse ? oceanSpGEMMreuse_compute(LEADING(&p)) : oceanSpGEMM_compute(LEADING(&p), &p.size[2], p.buffer[2]);
    if (backend == OCEAN_BACKEND_CUDA) {
      CHECK_OK(status);
    } else {
      CHECK_STATUS(status, OCEAN_STATUS_INVALID_VALUE);
      CHECK_HAS(oceanGetLastErrorString(), "pattern");
    }
    device_upload(p.a.columns + before, &before, sizeof before);
    product_close(&p);
  }
  check_handle_works(handle);
  close_handle(handle);
}

static void RU6_two_products_on_one_handle_take_turns(void) {
  oceanHandle_t handle = open_handle();
  const Csr a1 = csr_random(40, 30, 0.2, 1), b1 = csr_random(30, 50, 0.2, 2);
  const Csr a2 = csr_random(70, 20, 0.3, 3), b2 = csr_random(20, 10, 0.5, 4);
  const Csr expected1 = csr_multiply(&a1, &b1, CUDA_R_64F), expected2 = csr_multiply(&a2, &b2, CUDA_R_64F);
  Product p = product_open(handle, &a1, &b1, DEFAULT_SETUP), q = product_open(handle, &a2, &b2, DEFAULT_SETUP);
  Product r = product_open(handle, &a2, &b2, with_alg(OCEAN_SPGEMM_ALG3));
  plain_work_estimation(&p);
  reuse_work_estimation(&q);
  plain_work_estimation(&r);
  plain_compute(&p);
  reuse_nnz(&q);
  plain_compute(&r);
  product_allocate_c(&r);
  product_allocate_c(&q);
  product_allocate_c(&p);
  plain_copy(&r);
  reuse_copy(&q);
  plain_copy(&p);
  reuse_compute(&q);
  Csr c = product_read(&p);
  CHECK_SAME(&c, &expected1);
  c = product_read(&q);
  CHECK_SAME(&c, &expected2);
  c = product_read(&r);
  CHECK_SAME(&c, &expected2);
  product_close(&q);
  product_close(&p);
  product_close(&r);
  close_handle(handle);
}

static void RU7_a_thousand_computes_allocate_nothing(void) {
  oceanHandle_t handle = open_handle();
  Counting counting;
  counting_attach(&counting, handle);
  Csr a = csr_begin(40000, 20000);
  for (int64_t i = 0; i < 40000; i++) {
    for (int64_t t = 0; t < 5; t++) csr_push(&a, (i + 2000 * t) % 20000, 1 + (double)((i + t) % 4));
    csr_end_row(&a);
  }
  const Csr b = csr_transpose(&a), expected = csr_multiply(&a, &b, CUDA_R_64F);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  reuse_all(&p);
  const int calls = counting.calls;
  const size_t bytes = device_live_bytes();
  for (int i = 0; i < 1000; i++) reuse_compute(&p);
  CHECK_INT(counting.calls, calls);
  CHECK_INT(device_live_bytes(), bytes);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
  counting_check(&counting);
}

static void a_result_is_an_operand_of_the_next_product(void) {
  oceanHandle_t handle = open_handle();
  const Csr laplacian = csr_tridiagonal(200, -1, 2, -1), square = csr_multiply(&laplacian, &laplacian, CUDA_R_64F);
  const Csr expected = csr_multiply(&square, &laplacian, CUDA_R_64F);
  Product p = product_open(handle, &laplacian, &laplacian, DEFAULT_SETUP);
  plain_all(&p);
  for (int reuse = 0; reuse < 2; reuse++) {
    Product q = product_open(handle, &square, &laplacian, DEFAULT_SETUP);
    oceanSpMatDescr_t own = q.a.descr;
    q.a.descr = p.c;  // C's descriptor, as compute and CsrSetPointers left it
    if (reuse) {
      reuse_all(&q);
    } else {
      plain_all(&q);
    }
    const Csr c = product_read(&q);
    CHECK_SAME(&c, &expected);
    q.a.descr = own;
    product_close(&q);
  }
  product_close(&p);
  close_handle(handle);
}

// How fast they are is for a benchmark to say.
static void PF5_ten_thousand_computes_of_a_tiny_product_stay_right(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), once = wr1_c(), a_doubled = csr_scale(&a, 2), twice = csr_scale(&once, 2);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  reuse_all(&p);
  for (int i = 0; i < 10000; i++) {
    if (i % 1000 == 0) device_csr_set_values(&p.a, i % 2000 == 0 ? &a_doubled : &a);
    reuse_compute(&p);
    if (i % 1000 != 999) continue;
    const Csr c = product_read(&p);
    CHECK_SAME(&c, i % 2000 == 999 ? &twice : &once);
  }
  product_close(&p);
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(RU1_new_values_in_place_give_the_new_product),
      TEST(RU3_a_changed_pattern_is_refused_in_checking_mode),
      TEST(RU3_checking_mode_lets_values_and_arrays_change),
      TEST(RU3_a_longer_row_is_refused_where_nothing_waits_for_that),
      TEST(RU6_two_products_on_one_handle_take_turns),
      TEST(RU7_a_thousand_computes_allocate_nothing),
      TEST(a_result_is_an_operand_of_the_next_product),
      TEST(PF5_ten_thousand_computes_of_a_tiny_product_stay_right),
  };
  return RUN(tests, argc, argv);
}
