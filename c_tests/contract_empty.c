// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Rule R3 and test T3 of the contract: a product without entries succeeds, with or without work buffers, and writes
// all of C's offsets.
#include "device.h"
#include "harness.h"
#include "product.h"

// T3: the eight empty shapes.
typedef struct {
  const char* name;
  Csr a, b;
} Shape;

enum { SHAPES = 8 };

static void empty_shapes(Shape* shapes) {
  const Csr diagonal = csr_dense(2, 2, (const double[]){0, 1, 0, 0});  // its square has no entry
  const Shape all[SHAPES] = {
      {"m = 0", csr_empty(0, 4), csr_full(4, 3, 1)},      {"n = 0", csr_full(3, 4, 1), csr_empty(4, 0)},
      {"k = 0", csr_empty(3, 0), csr_empty(0, 4)},        {"m = n = 0", csr_empty(0, 4), csr_empty(4, 0)},
      {"all 0", csr_empty(0, 0), csr_empty(0, 0)},        {"nnz(A) = 0", csr_empty(5, 4), csr_full(4, 3, 1)},
      {"nnz(B) = 0", csr_full(3, 4, 1), csr_empty(4, 5)}, {"no entry meets another", diagonal, diagonal},
  };
  for (int i = 0; i < SHAPES; i++) shapes[i] = all[i];
}

static void check_offsets_only(const Product* p) {
  int32_t* offsets = test_alloc(((size_t)p->a.host.rows + 1) * sizeof *offsets);
  device_download(offsets, p->c_offsets, ((size_t)p->a.host.rows + 1) * sizeof *offsets);
  for (int64_t i = 0; i <= p->a.host.rows; i++) CHECK_INT(offsets[i], p->setup.base_c);
  int64_t rows, cols, nnz = -1;
  CHECK_OK(oceanSpMatGetSize(p->c, &rows, &cols, &nnz));
  CHECK_INT(nnz, 0);
}

static void R3_T3_EM9_empty_products_need_no_buffers(void) {
  oceanHandle_t handle = open_handle();
  Shape shapes[SHAPES];
  empty_shapes(shapes);
  for (int i = 0; i < SHAPES * ALGS * 2; i++) {
    const Shape* shape = &shapes[i % SHAPES];
    Setup setup = with_alg(ALL_ALGS[i / SHAPES % ALGS]);
    setup.base_a = setup.base_b = setup.base_c = i / SHAPES / ALGS ? ONE_BASE : ZERO_BASE;
    harness_case("%s, alg %d, base %d", shape->name, setup.alg, setup.base_c);
    // NULL where the work buffer should be, as a client passes that takes no buffer for what it thinks is empty.
    Product p = product_open(handle, &shape->a, &shape->b, setup);
    CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], NULL));
    // Only a look at both patterns tells that nothing meets, so that one shape needs its first buffer.
    if (i % SHAPES == SHAPES - 1) p.buffer[1] = device_alloc(p.size[1]);
    CHECK_OK(oceanSpGEMM_workEstimation(LEADING(&p), &p.size[1], p.buffer[1]));
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &p.size[2], NULL));
    CHECK_OK(oceanSpGEMM_compute(LEADING(&p), &p.size[2], NULL));
    plain_copy(&p);
    check_offsets_only(&p);
    product_close(&p);
  }
  close_handle(handle);
}

static void R3_T3_empty_products_with_buffers(void) {
  oceanHandle_t handle = open_handle();
  Shape shapes[SHAPES];
  empty_shapes(shapes);
  for (int i = 0; i < SHAPES * ALGS * 2; i++) {
    const Shape* shape = &shapes[i % SHAPES];
    Setup setup = with_alg(ALL_ALGS[i / SHAPES % ALGS]);
    setup.base_a = setup.base_b = setup.base_c = i / SHAPES / ALGS ? ONE_BASE : ZERO_BASE;
    harness_case("%s, alg %d, base %d", shape->name, setup.alg, setup.base_c);
    Product p = product_open(handle, &shape->a, &shape->b, setup);
    plain_all(&p);
    check_offsets_only(&p);
    int64_t products = -1;
    CHECK_OK(oceanSpGEMM_getNumProducts(p.descr, &products));
    CHECK_INT(products, 0);
    product_close(&p);
    expect_one_call(handle, &shape->a, &shape->b, setup);
  }
  close_handle(handle);
}

static void R3_T3_empty_products_in_reuse(void) {
  oceanHandle_t handle = open_handle();
  Shape shapes[SHAPES];
  empty_shapes(shapes);
  for (int i = 0; i < SHAPES * 2; i++) {
    harness_case("%s, %s", shapes[i % SHAPES].name, i < SHAPES ? "buffers" : "no buffers");
    Product p = product_open(handle, &shapes[i % SHAPES].a, &shapes[i % SHAPES].b, DEFAULT_SETUP);
    if (i < SHAPES) {
      reuse_all(&p);
    } else if (i % SHAPES == SHAPES - 1) {
      reuse_work_estimation(&p);
      for (int twice = 0; twice < 2; twice++) {
        CHECK_OK(oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &p.size[2], NULL, &p.size[3], NULL, &p.size[4], NULL));
      }
      // Here nothing is known to be empty until a count has run, which needs its buffers.
      reuse_nnz(&p);
      reuse_copy(&p);
      reuse_compute(&p);
    } else {
      for (int twice = 0; twice < 2; twice++) {
        CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSE_LEADING(&p), &p.size[1], NULL));
      }
      for (int twice = 0; twice < 2; twice++) {
        CHECK_OK(oceanSpGEMMreuse_nnz(REUSE_LEADING(&p), &p.size[2], NULL, &p.size[3], NULL, &p.size[4], NULL));
      }
      for (int twice = 0; twice < 2; twice++) CHECK_OK(oceanSpGEMMreuse_copy(REUSE_LEADING(&p), &p.size[5], NULL));
      reuse_compute(&p);
    }
    check_offsets_only(&p);
    product_close(&p);
  }
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(R3_T3_EM9_empty_products_need_no_buffers),
      TEST(R3_T3_empty_products_with_buffers),
      TEST(R3_T3_empty_products_in_reuse),
  };
  return RUN(tests, argc, argv);
}
