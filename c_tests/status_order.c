// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Steps out of order are INVALID_VALUE, and the message names the step that is missing (RU5, section 8 of the
// contract). Nothing is written, and a whole product on the same descriptor works afterwards. Then buffers and
// arrays that a step can't do without.
#include "device.h"
#include "harness.h"
#include "product.h"

enum { UNTOUCHED = 987654321 };

#define CHECK_ORDER(call, missing) CHECK_REFUSED(call, OCEAN_STATUS_INVALID_VALUE, missing)

// C is as it was, and the descriptor still does a product of either kind.
static void check_then_finish(Product* p) {
  const Csr expected = wr1_c();
  int64_t rows, cols, nnz = -1;
  CHECK_OK(oceanSpMatGetSize(p->c, &rows, &cols, &nnz));
  CHECK_INT(nnz, 0);
  CHECK(device_all(p->c_offsets, DEVICE_FRESH));
  plain_all(p);
  Csr c = product_read(p);
  CHECK_SAME(&c, &expected);
  product_close(p);
}

static void RU5_nothing_goes_before_work_estimation(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b();
  const char* missing = "oceanSpGEMM_workEstimation";
  for (int i = 0; i < 2 * ALGS; i++) {
    const oceanSpGEMMAlg_t alg = ALL_ALGS[i / 2];
    const bool queried = i % 2 == 1;
    harness_case("alg %d, size %squeried", alg, queried ? "" : "not ");
    Product p = product_open(handle, &a, &b, with_alg(alg));
    // A query alone is not the step.
    if (queried) CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], NULL));
    void* buffer = device_alloc(4096);
    size_t size = UNTOUCHED;
    int64_t products = UNTOUCHED;
    CHECK_ORDER(oceanSpGEMM_getNumProducts(p.descr, &products), missing);
    CHECK_INT(products, UNTOUCHED);
    CHECK_ORDER(oceanSpGEMM_compute(LEADING(&p), &size, NULL), missing);
    CHECK_ORDER(oceanSpGEMM_compute(LEADING(&p), &size, buffer), missing);
    if (needs_estimate(alg)) {
      size_t size2 = UNTOUCHED;
      CHECK_ORDER(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, &size, NULL, NULL), missing);
      CHECK_ORDER(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, &size, buffer, &size2), missing);
      CHECK_INT(size2, UNTOUCHED);
    }
    CHECK_INT(size, UNTOUCHED);
    int32_t* columns = device_alloc(16 * sizeof *columns);
    double* values = device_alloc(16 * sizeof *values);
    CHECK_OK(oceanCsrSetPointers(p.c, p.c_offsets, columns, values));
    CHECK_STATUS(oceanSpGEMM_copy(LEADING(&p)), OCEAN_STATUS_INVALID_VALUE);
    CHECK(device_all(columns, DEVICE_FRESH) && device_all(values, DEVICE_FRESH) && device_all(buffer, DEVICE_FRESH));
    device_free(columns);
    device_free(values);
    device_free(buffer);
    check_then_finish(&p);
  }
  close_handle(handle);
}

static void RU5_copy_needs_compute(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b();
  for (int i = 0; i < ALGS; i++) {
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    plain_work_estimation(&p);
    CHECK_ORDER(oceanSpGEMM_copy(LEADING(&p)), "oceanSpGEMM_compute");
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &p.size[2], NULL));
    CHECK_ORDER(oceanSpGEMM_copy(LEADING(&p)), "oceanSpGEMM_compute");
    check_then_finish(&p);
  }
  close_handle(handle);
}

static void RU5_a_new_work_estimation_makes_the_old_product_stale(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_all(&p);
  plain_work_estimation(&p);
  device_fill(p.c_offsets, DEVICE_FRESH, 5 * sizeof *p.c_offsets);
  CHECK_ORDER(oceanSpGEMM_copy(LEADING(&p)), "oceanSpGEMM_compute");
  CHECK(device_all(p.c_offsets, DEVICE_FRESH));
  plain_compute(&p);
  plain_copy(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void RU5_reuse_steps_need_the_ones_before(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  size_t size = UNTOUCHED;
  void* buffer = device_alloc(4096);
#define NNZ_QUERY oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &size, NULL, &size, NULL, &size, NULL)
#define NNZ oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &size, buffer, &size, buffer, &size, buffer)
#define COPY_QUERY oceanSpGEMMreuse_copy(REUSE_LEADING(&p), &size, NULL)
#define COPY oceanSpGEMMreuse_copy(REUSE_LEADING(&p), &size, buffer)
#define COMPUTE oceanSpGEMMreuse_compute(LEADING(&p))
  CHECK_ORDER(NNZ_QUERY, "oceanSpGEMMreuse_workEstimation");
  CHECK_ORDER(NNZ, "oceanSpGEMMreuse_workEstimation");
  CHECK_ORDER(COPY_QUERY, "oceanSpGEMMreuse_");
  CHECK_ORDER(COPY, "oceanSpGEMMreuse_");
  CHECK_ORDER(COMPUTE, "oceanSpGEMMreuse_");
  CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE_LEADING(&p), &p.size[1], NULL));
  CHECK_ORDER(NNZ, "oceanSpGEMMreuse_workEstimation");
  reuse_work_estimation(&p);
  CHECK_ORDER(COPY_QUERY, "oceanSpGEMMreuse_nnz");
  CHECK_ORDER(COPY, "oceanSpGEMMreuse_nnz");
  CHECK_ORDER(COMPUTE, "oceanSpGEMMreuse_");
  reuse_nnz(&p);
  product_allocate_c(&p);
  CHECK_ORDER(COMPUTE, "oceanSpGEMMreuse_copy");
  CHECK_INT(size, UNTOUCHED);
  CHECK(device_all(buffer, DEVICE_FRESH));
  CHECK(device_all(p.c_offsets, DEVICE_FRESH) && device_all(p.c_columns, DEVICE_FRESH));
  CHECK(device_all(p.c_values, DEVICE_FRESH));
  reuse_copy(&p);
  reuse_compute(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  device_free(buffer);
  product_close(&p);
  close_handle(handle);
}

static void RU5_plain_and_reuse_steps_do_not_mix(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b();
  size_t size = UNTOUCHED;
  void* buffer = device_alloc(4096);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  reuse_work_estimation(&p);
  CHECK_ORDER(oceanSpGEMM_compute(LEADING(&p), &size, NULL), "oceanSpGEMM_workEstimation");
  CHECK_ORDER(oceanSpGEMM_compute(LEADING(&p), &size, buffer), "oceanSpGEMM_workEstimation");
  CHECK_STATUS(oceanSpGEMM_copy(LEADING(&p)), OCEAN_STATUS_INVALID_VALUE);
  check_then_finish(&p);

  p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_work_estimation(&p);
  CHECK_ORDER(NNZ_QUERY, "oceanSpGEMMreuse_workEstimation");
  CHECK_ORDER(NNZ, "oceanSpGEMMreuse_workEstimation");
  plain_compute(&p);
  CHECK_STATUS(COPY_QUERY, OCEAN_STATUS_INVALID_VALUE);
  CHECK_STATUS(COMPUTE, OCEAN_STATUS_INVALID_VALUE);
  CHECK_INT(size, UNTOUCHED);
  device_free(buffer);
  product_allocate_c(&p);
  plain_copy(&p);
  const Csr c = product_read(&p), expected = wr1_c();
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void T18_estimate_memory_is_for_algorithms_2_and_3(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b();
  for (int i = 0; i < ALGS; i++) {
    if (needs_estimate(ALL_ALGS[i])) continue;
    harness_case("alg %d", ALL_ALGS[i]);
    Product p = product_open(handle, &a, &b, with_alg(ALL_ALGS[i]));
    plain_work_estimation(&p);
    size_t size = UNTOUCHED;
    CHECK_REFUSED(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, &size, NULL, NULL), OCEAN_STATUS_INVALID_VALUE, "alg");
    CHECK_INT(size, UNTOUCHED);
    check_then_finish(&p);
  }
  close_handle(handle);
}

static void T18_sizes_must_not_be_NULL(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  const oceanStatus_t invalid = OCEAN_STATUS_INVALID_VALUE;
  size_t size = UNTOUCHED;
  void* buffer = device_alloc(4096);
  Product p = product_open(handle, &a, &b, with_alg(OCEAN_SPGEMM_ALG2));
  CHECK_REFUSED(oceanSpGEMM_workEstimation(LEADING(&p), NULL, NULL), invalid, "bufferSize1");
  plain_work_estimation(&p);
  CHECK_REFUSED(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, NULL, NULL, NULL), invalid, "bufferSize3");
  CHECK_REFUSED(oceanSpGEMM_estimateMemory(LEADING(&p), 0.2f, &size, buffer, NULL), invalid, "bufferSize2");
  CHECK_REFUSED(oceanSpGEMM_compute(LEADING(&p), NULL, NULL), invalid, "bufferSize2");
  CHECK_REFUSED(oceanSpGEMM_compute(LEADING(&p), NULL, buffer), invalid, "bufferSize2");
  CHECK_REFUSED(oceanSpGEMM_getNumProducts(p.descr, NULL), invalid, "num_prods");
  check_then_finish(&p);

  p = product_open(handle, &a, &b, DEFAULT_SETUP);
  CHECK_REFUSED(oceanSpGEMMreuse_workEstimation(REUSE_LEADING(&p), NULL, NULL), invalid, "bufferSize1");
  reuse_work_estimation(&p);
  CHECK_REFUSED(oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), NULL, NULL, &size, NULL, &size, NULL), invalid, "bufferSize2");
  CHECK_REFUSED(oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &size, NULL, NULL, NULL, &size, NULL), invalid, "bufferSize3");
  CHECK_REFUSED(oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &size, NULL, &size, NULL, NULL, NULL), invalid, "bufferSize4");
  reuse_nnz(&p);
  product_allocate_c(&p);
  CHECK_REFUSED(oceanSpGEMMreuse_copy(REUSE_LEADING(&p), NULL, NULL), invalid, "bufferSize5");
  CHECK_INT(size, UNTOUCHED);
  reuse_copy(&p);
  reuse_compute(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  device_free(buffer);
  close_handle(handle);
}

// The size is for the query; workEstimation itself takes a buffer of that size on trust, as clients expect.
/* cuSPARSE ignores the size; a size that is stated and too short is refused here, before anything is written. */
static void T18_work_estimation_needs_no_size_next_to_a_buffer_but_refuses_a_short_one(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b();
  for (int i = 0; i < 2; i++) {
    Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
    size_t size = 0;
    CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &size, NULL));
    void* buffer = device_alloc(size);
    size_t shorter = size - 1;
    CHECK_REFUSED(oceanSpGEMM_workEstimation(LEADING(&p), &shorter, buffer), OCEAN_STATUS_INSUFFICIENT_RESOURCES,
                  "bufferSize1");
    size_t none = 0;
    CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), i == 1 ? NULL : &none, buffer));
    CHECK_INT(none, 0);
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &p.size[2], NULL));
    device_free(buffer);
    check_then_finish(&p);
  }
  close_handle(handle);
}

static void T18_reuse_nnz_wants_all_its_buffers_or_none(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  reuse_work_estimation(&p);
  CHECK_OK(oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &p.size[2], NULL, &p.size[3], NULL, &p.size[4], NULL));
  for (int mix = 1; mix < 7; mix++) {
    harness_case("mix %d", mix);
    void* buffer[3];
    for (int i = 0; i < 3; i++) buffer[i] = mix >> i & 1 ? device_alloc(p.size[2 + i]) : NULL;
    const oceanStatus_t status =
        oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &p.size[2], buffer[0], &p.size[3], buffer[1], &p.size[4], buffer[2]);
    CHECK(status == OCEAN_STATUS_INVALID_VALUE || status == OCEAN_STATUS_INTERNAL_ERROR);
    CHECK_HAS(oceanGetLastErrorString(), "externalBuffer");
    for (int i = 0; i < 3; i++) device_free(buffer[i]);
  }
  reuse_nnz(&p);
  product_allocate_c(&p);
  reuse_copy(&p);
  reuse_compute(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void T18_arrays_that_a_step_reads_or_writes_must_be_there(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b(), expected = wr1_c();
  const oceanStatus_t invalid = OCEAN_STATUS_INVALID_VALUE;
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  DeviceCsr* operands[] = {&p.a, &p.b};
  const char* names[] = {"matA", "matB"};
  size_t size = UNTOUCHED;
  for (int i = 0; i < 2; i++) {
    DeviceCsr* x = operands[i];
    harness_case("%s", names[i]);
    CHECK_OK(oceanCsrSetPointers(x->descr, NULL, x->columns, x->values));
    CHECK_REFUSED(oceanSpGEMM_workEstimation(LEADING(&p), &size, NULL), invalid, names[i]);
    CHECK_OK(oceanCsrSetPointers(x->descr, x->offsets, NULL, x->values));
    CHECK_REFUSED(oceanSpGEMM_workEstimation(LEADING(&p), &size, NULL), invalid, names[i]);
    CHECK_OK(oceanCsrSetPointers(x->descr, x->offsets, x->columns, x->values));
  }
  CHECK_INT(size, UNTOUCHED);
  plain_work_estimation(&p);
  CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &p.size[2], NULL));
  p.buffer[2] = device_alloc(p.size[2]);
  for (int i = 0; i < 2; i++) {
    CHECK_OK(oceanSpMatSetValues(operands[i]->descr, NULL));
    CHECK_REFUSED(oceanSpGEMM_compute(LEADING(&p), &p.size[2], p.buffer[2]), invalid, names[i], "values");
    CHECK_OK(oceanSpMatSetValues(operands[i]->descr, operands[i]->values));
  }
  plain_compute(&p);
  // copy with one of C's arrays missing
  product_allocate_c(&p);
  for (int missing = 0; missing < 3; missing++) {
    harness_case("matC without array %d", missing);
    CHECK_OK(oceanCsrSetPointers(p.c, missing == 0 ? NULL : p.c_offsets, missing == 1 ? NULL : p.c_columns,
                                 missing == 2 ? NULL : p.c_values));
    CHECK_REFUSED(oceanSpGEMM_copy(LEADING(&p)), invalid, "matC");
    CHECK(device_all(p.c_offsets, DEVICE_FRESH) && device_all(p.c_columns, DEVICE_FRESH));
    CHECK(device_all(p.c_values, DEVICE_FRESH));
  }
  CHECK_OK(oceanCsrSetPointers(p.c, p.c_offsets, p.c_columns, p.c_values));
  plain_copy(&p);
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(RU5_nothing_goes_before_work_estimation),
      TEST(RU5_copy_needs_compute),
      TEST(RU5_a_new_work_estimation_makes_the_old_product_stale),
      TEST(RU5_reuse_steps_need_the_ones_before),
      TEST(RU5_plain_and_reuse_steps_do_not_mix),
      TEST(T18_estimate_memory_is_for_algorithms_2_and_3),
      TEST(T18_sizes_must_not_be_NULL),
      TEST(T18_work_estimation_needs_no_size_next_to_a_buffer_but_refuses_a_short_one),
      TEST(T18_reuse_nnz_wants_all_its_buffers_or_none),
      TEST(T18_arrays_that_a_step_reads_or_writes_must_be_there),
  };
  return RUN(tests, argc, argv);
}
