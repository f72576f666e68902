// SPDX-License-Identifier: MIT OR Apache-2.0
//
// User cases about threads (TH): handles of their own, one shared handle, one shared matrix.
#include "device.h"
#include "harness.h"
#include "product.h"

enum { THREADS = 8, ROUNDS = 1000 };

// WR1 times this thread's number, so that no thread can pass with another's result.
static void multiply_as(oceanHandle_t handle, int index, int rounds) {
  const Csr once = wr1_a(), a = csr_scale(&once, index + 1), b = wr1_b();
  const Csr product = wr1_c(), expected = csr_scale(&product, index + 1);
  for (int round = 0; round < rounds; round++) {
    Setup setup = with_alg(ALL_ALGS[(round + index) % ALGS]);
    setup.type = round % 2 == 0 ? CUDA_R_64F : CUDA_R_32F;
    const Csr c = round % 3 == 0   ? reuse_call(handle, &a, &b, setup)
                  : round % 3 == 1 ? one_call(handle, &a, &b, setup)
                                   : full_call(handle, &a, &b, setup);
    CHECK_SAME(&c, &expected);
  }
}

static void with_own_handle(int index) {
  oceanHandle_t handle = open_handle();
  multiply_as(handle, index, ROUNDS);
  close_handle(handle);
}

static void TH1_a_handle_a_thread(void) { harness_threads(THREADS, with_own_handle); }

static oceanHandle_t shared_handle;

static void with_shared_handle(int index) { multiply_as(shared_handle, index, ROUNDS / 4); }

static void TH3_one_handle_for_all_threads(void) {
  shared_handle = open_handle();
  harness_threads(THREADS, with_shared_handle);
  close_handle(shared_handle);
}

static Csr large_a, large_b, large_c;

static void multiply_large(int index) {
  oceanHandle_t handle = open_handle();
  for (int round = 0; round < 3; round++) {
    const Csr c = full_call(handle, &large_a, &large_b, with_alg(ALL_ALGS[(index + round) % ALGS]));
    CHECK_SAME(&c, &large_c);
  }
  close_handle(handle);
}

static void TH1_products_large_enough_to_be_split(void) {
  large_a = csr_random(600, 600, 0.1, 1);
  large_b = csr_random(600, 600, 0.1, 2);
  large_c = csr_multiply(&large_a, &large_b, CUDA_R_64F);
  harness_threads(THREADS, multiply_large);
}

static DeviceCsr shared_a, shared_b;

// All threads read the same descriptors; each has its own C.
static void with_shared_matrices(int index) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  for (int round = 0; round < 50; round++) {
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[index % ALGS]));
    const DeviceCsr own_a = p.a, own_b = p.b;
    p.a = shared_a;
    p.b = shared_b;
    plain_all(&p);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    p.a = own_a;
    p.b = own_b;
    product_close(&p);
  }
  close_handle(handle);
}

static void TH_one_pair_of_matrices_for_all_threads(void) {
  const Csr a = wr1_a(), b = wr1_b();
  shared_a = device_csr(&a, ZERO_BASE, CUDA_R_64F);
  shared_b = device_csr(&b, ZERO_BASE, CUDA_R_64F);
  harness_threads(THREADS, with_shared_matrices);
  device_csr_check_unchanged(&shared_a);
  device_csr_check_unchanged(&shared_b);
  device_csr_close(&shared_a);
  device_csr_close(&shared_b);
}

// Objects come and go in all threads at once, and each keeps to its own.
static void churn(int index) {
  for (int round = 0; round < 300; round++) {
    oceanHandle_t handle = open_handle();
    oceanSpGEMMDescr_t descr;
    oceanSpMatDescr_t matrix;
    CHECK_OK(oceanSpGEMM_createDescr(&descr));
    CHECK_OK(oceanCreateCsr(&matrix, index + 1, round + 1, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                            ZERO_BASE, CUDA_R_64F));
    int64_t rows, cols, nnz;
    CHECK_OK(oceanSpMatGetSize(matrix, &rows, &cols, &nnz));
    CHECK(rows == index + 1 && cols == round + 1);
    CHECK_OK(oceanDestroySpMat(matrix));
    CHECK_OK(oceanSpGEMM_destroyDescr(descr));
    close_handle(handle);
  }
}

static void TH_objects_come_and_go_in_all_threads(void) { harness_threads(THREADS, churn); }

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(TH1_a_handle_a_thread),
      TEST(TH1_products_large_enough_to_be_split),
      TEST(TH3_one_handle_for_all_threads),
      TEST(TH_one_pair_of_matrices_for_all_threads),
      TEST(TH_objects_come_and_go_in_all_threads),
  };
  return RUN(tests, argc, argv);
}
