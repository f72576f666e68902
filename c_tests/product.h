// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One product through the C API, step by step or whole, with the checks that hold after every product:
// offsets start at the base and never fall, end at nnz(C), columns lie in range and rise strictly, A and B are as
// they were. (Guard zones and leaks are for the runner.)
#ifndef OCEAN_TEST_PRODUCT_H
#define OCEAN_TEST_PRODUCT_H

#include <ocean.h>
#include <stdbool.h>
#include <stdint.h>

#include "csr.h"
#include "device_csr.h"

#define OP_N OCEAN_OPERATION_NON_TRANSPOSE

// The algorithms: all that plain SpGEMM and SpGEMMreuse accept.
enum { ALGS = 6 };
extern const oceanSpGEMMAlg_t ALL_ALGS[ALGS];

enum { OPTIONS = 4 };

// What may differ from product to product. Start from DEFAULT_SETUP: f64, no operation, base 0, alpha 1, beta 0.
typedef struct {
  oceanDataType_t type;
  oceanSpGEMMAlg_t alg;
  oceanOperation_t op_a, op_b;
  oceanIndexBase_t base_a, base_b, base_c;
  double alpha, beta;
  float chunk_fraction;             // for the third algorithm
  const char* options[OPTIONS][2];  // names and values for oceanSpGEMM_setOption
} Setup;
extern const Setup DEFAULT_SETUP;
Setup with_alg(oceanSpGEMMAlg_t alg);  // otherwise the default
// Whether this algorithm has estimateMemory between workEstimation and compute.
bool needs_estimate(oceanSpGEMMAlg_t alg);

// A scalar, or room for one, in the type of the product.
typedef union {
  float f32;
  double f64;
} Scalar;
Scalar scalar_of(oceanDataType_t type, double value);
// The matrix after an operation; values are real here.
Csr csr_under(const Csr* matrix, oceanOperation_t operation);

// A product at work.
typedef struct {
  Setup setup;
  oceanHandle_t handle;
  oceanSpGEMMDescr_t descr;
  DeviceCsr a, b;
  oceanSpMatDescr_t c;
  int32_t* c_offsets;
  int32_t* c_columns;
  void* c_values;
  int64_t c_nnz;  // after compute or nnz
  Scalar alpha, beta;
  // Plain: 1, 2, 3 (estimateMemory). Reuse: 1 to 5.
  void* buffer[6];
  size_t size[6];
} Product;

#define LEADING(p)                                                                                            \
  (p)->handle, (p)->setup.op_a, (p)->setup.op_b, &(p)->alpha, (p)->a.descr, (p)->b.descr, &(p)->beta, (p)->c, \
      (p)->setup.type, (p)->setup.alg, (p)->descr
#define REUSE_LEADING(p) \
  (p)->handle, (p)->setup.op_a, (p)->setup.op_b, (p)->a.descr, (p)->b.descr, (p)->c, (p)->setup.alg, (p)->descr

// Descriptors: A, B, and C with offsets but neither columns nor values.
Product product_open(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup);
void product_close(Product* p);
void product_free_buffer(Product* p, int which);  // poisons it first
void product_set_scalars(Product* p, double alpha, double beta);
// Columns and values of C for c_nnz entries, and its pointers set. product_read needs them.
void product_allocate_c(Product* p);
// What C holds now, checked as above.
Csr product_read(const Product* p);

// The plain steps, each with its size query.
void plain_work_estimation(Product* p);
void plain_compute(Product* p);  // also after compute; keeps buffer 2 if it is large enough
void plain_copy(Product* p);
void plain_all(Product* p);  // the three, with product_allocate_c

// The reuse steps. Buffers are freed as soon as the contract allows.
void reuse_work_estimation(Product* p);
void reuse_nnz(Product* p);
void reuse_copy(Product* p);
void reuse_compute(Product* p);
void reuse_all(Product* p);

// A whole product: C, on the host.
Csr full_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup);
Csr reuse_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup);
Csr one_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup);
// The same, compared with the reference bit by bit.
void expect_full_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup);
void expect_reuse_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup);
void expect_one_call(oceanHandle_t handle, const Csr* a, const Csr* b, Setup setup);

// After a refused call: the handle still multiplies.
void check_handle_works(oceanHandle_t handle);

#endif  // OCEAN_TEST_PRODUCT_H
