// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Rules and tests of the contract about alpha, beta, structure, and the same bits every time.
#include <math.h>

#include "device.h"
#include "harness.h"
#include "product.h"

static void R8_T6_alpha_takes_effect_in_copy(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), once = wr1_c(), expected = csr_scale(&once, 3);
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    product_set_scalars(&p, 5, 7);
    plain_work_estimation(&p);
    product_set_scalars(&p, 2, 6);
    plain_compute(&p);
    product_allocate_c(&p);
    product_set_scalars(&p, 3, 0);
    plain_copy(&p);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
  }
  close_handle(handle);
}

static void R8_beta_zero_never_reads_C(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_work_estimation(&p);
  plain_compute(&p);
  product_allocate_c(&p);
  device_poison(p.c_values);  // NaN
  plain_copy(&p);
  Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);

  p = product_open(handle, &a, &b, DEFAULT_SETUP);
  reuse_all(&p);
  device_poison(p.c_values);
  reuse_compute(&p);
  c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void R8_T7_scalars_may_lie_on_the_device(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), once = wr1_c(), expected = csr_scale(&once, 2.5);
  CHECK_OK(oceanSetPointerMode(handle, OCEAN_POINTER_MODE_DEVICE));
  double* scalars = device_alloc(2 * sizeof *scalars);
  const double* alpha = scalars;
  const double* beta = scalars + 1;
  upload_values(scalars, (const double[]){2, 0.5}, 2, CUDA_R_64F);
#define ON_DEVICE(p) \
  handle, OP_N, OP_N, alpha, (p).a.descr, (p).b.descr, beta, (p).c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT, (p).descr
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  CHECK_OK(oceanSpGEMM_workEstimation(ON_DEVICE(p), &p.size[1], NULL));
  p.buffer[1] = device_alloc(p.size[1]);
  CHECK_OK(oceanSpGEMM_workEstimation(ON_DEVICE(p), &p.size[1], p.buffer[1]));
  CHECK_OK(oceanSpGEMM_compute(ON_DEVICE(p), &p.size[2], NULL));
  p.buffer[2] = device_alloc(p.size[2]);
  CHECK_OK(oceanSpGEMM_compute(ON_DEVICE(p), &p.size[2], p.buffer[2]));
  p.c_nnz = once.nnz;
  product_allocate_c(&p);
  upload_values(p.c_values, once.values, once.nnz, CUDA_R_64F);
  CHECK_OK(oceanSpGEMM_copy(ON_DEVICE(p)));
#undef ON_DEVICE
  Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);

  p = product_open(handle, &a, &b, DEFAULT_SETUP);
  reuse_work_estimation(&p);
  reuse_nnz(&p);
  product_allocate_c(&p);
  reuse_copy(&p);
  upload_values(p.c_values, once.values, once.nnz, CUDA_R_64F);
  CHECK_OK(oceanSpGEMMreuse_compute(handle, OP_N, OP_N, alpha, p.a.descr, p.b.descr, beta, p.c, CUDA_R_64F,
                                    OCEAN_SPGEMM_DEFAULT, p.descr));
  c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  device_free(scalars);
  close_handle(handle);
}

static void R8_alpha_zero_keeps_the_pattern_and_lets_no_NaN_through(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_full(2, 2, NAN), b = csr_full(2, 3, 1);
  Setup setup = DEFAULT_SETUP;
  setup.alpha = 0;
  const Csr staged = full_call(handle, &a, &b, setup), reused = reuse_call(handle, &a, &b, setup);
  const Csr expected = csr_full(2, 3, 0);
  CHECK_SAME(&staged, &expected);
  CHECK_SAME(&reused, &expected);
  close_handle(handle);
}

static void T8_beta_goes_by_position_on_the_arrays_that_were_set(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), once = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_work_estimation(&p);
  plain_compute(&p);
  product_allocate_c(&p);
  Csr old = csr_copy(&once), expected = csr_copy(&once);
  for (int64_t e = 0; e < once.nnz; e++) {
    old.values[e] = (double)(100 * e);
    expected.values[e] = 2 * once.values[e] + 0.5 * old.values[e];
  }
  upload_values(p.c_values, old.values, old.nnz, CUDA_R_64F);
  product_set_scalars(&p, 2, 0.5);
  plain_copy(&p);  // the old columns are nonsense, and overwritten
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void R22_T8_a_filled_C_is_updated_in_place(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), once = wr1_c(), expected = csr_scale(&once, 3);
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    DeviceCsr filled = device_csr(&once, ZERO_BASE, CUDA_R_64F);  // nnz and all pointers from the start
    oceanSpMatDescr_t empty = p.c;
    p.c = filled.descr;
    plain_work_estimation(&p);
    plain_compute(&p);
    product_set_scalars(&p, 1, 2);
    plain_copy(&p);
    p.c = empty;
    const Csr c = download_csr(filled.offsets, filled.columns, filled.values, 4, 4, once.nnz, ZERO_BASE, CUDA_R_64F);
    CHECK_SAME(&c, &expected);
    device_csr_close(&filled);
    product_close(&p);
  }
  close_handle(handle);
}

static void R22_beta_one_accumulates_in_reuse_compute(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), once = wr1_c(), expected = csr_scale(&once, 4);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  reuse_all(&p);
  product_set_scalars(&p, 1, 1);
  for (int i = 0; i < 3; i++) reuse_compute(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void T10_an_entry_that_cancels_stays(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_dense(1, 2, (const double[]){1, -1}), b = csr_dense(2, 2, (const double[]){5, 6, 5, 0});
  const int offsets[] = {0, 2}, columns[] = {0, 1};
  const Csr expected = csr_arrays(1, 2, offsets, columns, (const double[]){0, 6});
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    const Csr c = full_call(handle, &a, &b, with_alg(ALL_ALGS[i]));
    CHECK_SAME(&c, &expected);
    const Csr again = reuse_call(handle, &a, &b, with_alg(ALL_ALGS[i]));
    CHECK_SAME(&again, &expected);
  }
  close_handle(handle);
}

static void R21_every_alg_and_every_run_gives_the_same_bits(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(150, 400, 0.3, 1), b = csr_random(400, 500, 0.1, 2);
  Setup setup = DEFAULT_SETUP;
  for (setup.type = CUDA_R_32F; setup.type <= CUDA_R_64F; setup.type = (oceanDataType_t)(setup.type + 1)) {
    const Csr expected = csr_multiply(&a, &b, setup.type);
    for (int i = 0; i < 4 * ALGS; i++) {
      setup.alg = ALL_ALGS[i % ALGS];
      harness_case("type %d, alg %d, run %d", setup.type, setup.alg, i / ALGS);
      const Csr plain = full_call(handle, &a, &b, setup), reused = reuse_call(handle, &a, &b, setup);
      CHECK_SAME(&plain, &expected);
      CHECK_SAME(&reused, &expected);
    }
  }
  close_handle(handle);
}

static void alpha_and_beta_round_the_same_in_copy_and_in_reuse(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(40, 40, 0.3, 1), b = csr_random(40, 40, 0.3, 2);
  for (int t = 0; t < 2; t++) {
    Setup setup = DEFAULT_SETUP;
    setup.type = t == 0 ? CUDA_R_32F : CUDA_R_64F;
    const double alpha = csr_round(setup.type, -0.3), beta = csr_round(setup.type, 0.7);
    const Csr product = csr_multiply(&a, &b, setup.type);
    Csr old = csr_copy(&product), expected = csr_copy(&product);
    uint64_t seed = 3;
    for (int64_t e = 0; e < old.nnz; e++) {
      // Three rounded operations: alpha times the sum, beta times the old value, and their sum.
      old.values[e] = csr_round(setup.type, csr_uniform(&seed));
      const double scaled = csr_round(setup.type, alpha * product.values[e]);
      expected.values[e] = csr_round(setup.type, scaled + csr_round(setup.type, beta * old.values[e]));
    }
    for (int reuse = 0; reuse < 2; reuse++) {
      harness_case("type %d, %s", setup.type, reuse ? "reuse" : "plain");
      Product p = product_open(handle, &a, &b, setup);
      if (reuse) {
        reuse_all(&p);
      } else {
        plain_all(&p);
      }
      upload_values(p.c_values, old.values, old.nnz, setup.type);
      product_set_scalars(&p, -0.3, 0.7);
      if (reuse) {
        reuse_compute(&p);
      } else {
        plain_copy(&p);
      }
      const Csr c = product_read(&p);
      CHECK_SAME(&c, &expected);
      product_close(&p);
    }
  }
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(R8_T6_alpha_takes_effect_in_copy),
      TEST(R8_beta_zero_never_reads_C),
      TEST(R8_T7_scalars_may_lie_on_the_device),
      TEST(R8_alpha_zero_keeps_the_pattern_and_lets_no_NaN_through),
      TEST(T8_beta_goes_by_position_on_the_arrays_that_were_set),
      TEST(R22_T8_a_filled_C_is_updated_in_place),
      TEST(R22_beta_one_accumulates_in_reuse_compute),
      TEST(T10_an_entry_that_cancels_stays),
      TEST(R21_every_alg_and_every_run_gives_the_same_bits),
      TEST(alpha_and_beta_round_the_same_in_copy_and_in_reuse),
  };
  return RUN(tests, argc, argv);
}
