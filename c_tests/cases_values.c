// SPDX-License-Identifier: MIT OR Apache-2.0
//
// User cases about alpha, beta and NaN (AB), and about repeatable results (DE).
#include <math.h>

#include "device.h"
#include "harness.h"
#include "product.h"

static Csr ab1_a(void) { return csr_diagonal(2, 1); }
static Csr ab1_b(void) { return csr_dense(2, 2, (const double[]){1, 2, 0, 3}); }

// A * B with C's values set between compute and copy.
static Csr with_old_values(const Csr* a, const Csr* b, double alpha, double beta, const double* old, int count) {
  oceanHandle_t handle = open_handle();
  Product p = product_open(handle, a, b, DEFAULT_SETUP);
  plain_work_estimation(&p);
  plain_compute(&p);
  CHECK_INT(p.c_nnz, count);
  product_allocate_c(&p);
  upload_values(p.c_values, old, count, CUDA_R_64F);
  product_set_scalars(&p, alpha, beta);
  plain_copy(&p);
  const Csr c = product_read(&p);
  product_close(&p);
  close_handle(handle);
  return c;
}

static void AB1_alpha_and_beta_mean_what_BLAS_means(void) {
  const Csr a = ab1_a(), b = ab1_b(), expected = csr_dense(2, 2, (const double[]){7, 14, 0, 21});
  const Csr c = with_old_values(&a, &b, 2, 0.5, (const double[]){10, 20, 30}, 3);
  CHECK_SAME(&c, &expected);
}

static void AB3_beta_zero_does_not_read_NaN(void) {
  const Csr a = ab1_a(), b = ab1_b();
  const Csr c = with_old_values(&a, &b, 1, 0, (const double[]){NAN, NAN, NAN}, 3);
  CHECK_SAME(&c, &b);
}

static void AB5_beta_is_applied_once(void) {
  const Csr one = csr_diagonal(1, 1), expected = csr_diagonal(1, 21);
  const Csr c = with_old_values(&one, &one, 1, 2, (const double[]){10}, 1);
  CHECK_SAME(&c, &expected);
}

static void AB6_NaN_stays_in_its_row(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_diagonal(2, 1), b = csr_dense(2, 1, (const double[]){NAN, 1});
  const Csr plain = full_call(handle, &a, &b, DEFAULT_SETUP), reused = reuse_call(handle, &a, &b, DEFAULT_SETUP);
  const Csr one = one_call(handle, &a, &b, DEFAULT_SETUP);
  CHECK_SAME(&plain, &b);
  CHECK_SAME(&reused, &b);
  CHECK_SAME(&one, &b);
  close_handle(handle);
}

static void AB7_device_scalars_are_read_by_copy(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = ab1_a(), b = ab1_b(), expected = csr_dense(2, 2, (const double[]){7, 14, 0, 21});
  CHECK_OK(oceanSetPointerMode(handle, OCEAN_POINTER_MODE_DEVICE));
  double* scalars = device_alloc(2 * sizeof *scalars);  // NaN until the phase that reads them
  device_poison(scalars);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
#define ON_DEVICE \
  handle, OP_N, OP_N, scalars, p.a.descr, p.b.descr, scalars + 1, p.c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT, p.descr
  CHECK_OK(oceanSpGEMM_workEstimation(ON_DEVICE, &p.size[1], NULL));
  p.buffer[1] = device_alloc(p.size[1]);
  CHECK_OK(oceanSpGEMM_workEstimation(ON_DEVICE, &p.size[1], p.buffer[1]));
  CHECK_OK(oceanSpGEMM_compute(ON_DEVICE, &p.size[2], NULL));
  p.buffer[2] = device_alloc(p.size[2]);
  CHECK_OK(oceanSpGEMM_compute(ON_DEVICE, &p.size[2], p.buffer[2]));
  p.c_nnz = 3;
  product_allocate_c(&p);
  upload_values(p.c_values, (const double[]){10, 20, 30}, 3, CUDA_R_64F);
  upload_values(scalars, (const double[]){2, 0.5}, 2, CUDA_R_64F);
  CHECK_OK(oceanSpGEMM_copy(ON_DEVICE));
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  device_free(scalars);
  close_handle(handle);
}

static void DE1_a_random_square_gives_the_same_bits_every_time(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(1000, 1000, 0.25, 2024);
  Setup setup = DEFAULT_SETUP;
  setup.type = CUDA_R_32F;
  const Csr expected = csr_multiply(&a, &a, CUDA_R_32F);
  for (int run = 0; run < 50; run++) {
    harness_case("run %d", run);
    const Csr c = full_call(handle, &a, &a, setup);
    CHECK_SAME(&c, &expected);
  }
  close_handle(handle);
}

static void DE3_a_row_has_one_result_wherever_it_stands(void) {
  oceanHandle_t handle = open_handle();
  const int64_t k = 20000;
  Csr a = csr_begin(1001, k);
  for (int64_t i = 0; i < 1001; i++) {
    if (i == 0 || i == 7 || i == 1000) {
      csr_push(&a, 0, 1e8);
      csr_push(&a, 1, 1);
      csr_push(&a, 2, -1e8);
    }
    if (i == 8) {
      for (int64_t j = 0; j < k; j++) csr_push(&a, j, 1.0 / (double)(j + 1));
    }
    csr_end_row(&a);
  }
  const Csr b = csr_full(k, 1, 1);
  Setup setup = DEFAULT_SETUP;
  setup.type = CUDA_R_32F;
  const Csr expected = csr_multiply(&a, &b, CUDA_R_32F);
  CHECK(csr_at(&expected, 0, 0) == 0);  // 1e8 + 1 is 1e8 in f32
  for (int i = 0; i < ALGS; i++) {
    setup.alg = ALL_ALGS[i];
    harness_case("alg %d", setup.alg);
    const Csr plain = full_call(handle, &a, &b, setup), reused = reuse_call(handle, &a, &b, setup);
    CHECK_SAME(&plain, &expected);
    CHECK_SAME(&reused, &expected);
  }
  const Csr one = one_call(handle, &a, &b, setup);
  CHECK_SAME(&one, &expected);
  close_handle(handle);
}

static void DE4_a_row_of_a_million_entries(void) {
  oceanHandle_t handle = open_handle();
  const int64_t n = 1000000;
  Csr a = csr_begin(1, n);
  double exact = 0;
  for (int64_t k = n - 1; k >= 0; k--) exact += (double)(float)(1.0 / (double)(k + 1));
  for (int64_t k = 0; k < n; k++) csr_push(&a, k, 1.0 / (double)(k + 1));
  csr_end_row(&a);
  const Csr b = csr_full(n, 1, 1);
  Setup setup = DEFAULT_SETUP;
  setup.type = CUDA_R_32F;
  const Csr expected = csr_multiply(&a, &b, CUDA_R_32F);
  // Chains of at most 8,192 sums and one of 123: the classical bound, all terms being positive.
  const double bound = (8192 + 123) * 0x1p-24 * exact;
  CHECK(fabs(expected.values[0] - exact) <= bound);
  for (int run = 0; run < 100; run++) {
    harness_case("run %d", run);
    const Csr c = run % 2 == 0 ? full_call(handle, &a, &b, setup) : reuse_call(handle, &a, &b, setup);
    CHECK_SAME(&c, &expected);
  }
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(AB1_alpha_and_beta_mean_what_BLAS_means),
      TEST(AB3_beta_zero_does_not_read_NaN),
      TEST(AB5_beta_is_applied_once),
      TEST(AB6_NaN_stays_in_its_row),
      TEST(AB7_device_scalars_are_read_by_copy),
      TEST(DE1_a_random_square_gives_the_same_bits_every_time),
      TEST(DE3_a_row_has_one_result_wherever_it_stands),
      TEST(DE4_a_row_of_a_million_entries),
  };
  return RUN(tests, argc, argv);
}
