/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "product.h"

#include "../common/check.h"
#include "../common/memory.h"

/* ANCHOR: symbolic */
static const oceanOperation_t N = OCEAN_OPERATION_NON_TRANSPOSE;
static const oceanSpGEMMAlg_t ALGORITHM = OCEAN_SPGEMM_DEFAULT;

void product_symbolic(oceanHandle_t handle, const Matrix* a, const Matrix* b, Matrix* c, Product* product) {
  const double one = 1, zero = 0;
  int64_t rows, cols, entries;
  product->one = device_copy_of(&one, sizeof one);
  product->zero = device_copy_of(&zero, sizeof zero);
  CHECK(oceanSetPointerMode(handle, OCEAN_POINTER_MODE_DEVICE));

  c->rows = a->rows;
  c->cols = b->cols;
  c->offsets = device_allocate(((size_t)c->rows + 1) * sizeof(int));
  CHECK(oceanCreateCsr(&c->descriptor, c->rows, c->cols, 0, c->offsets, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                       OCEAN_INDEX_BASE_ZERO, CUDA_R_64F));
  CHECK(oceanSpGEMM_createDescr(&product->descriptor));

  /* Each step is asked for its buffer's size first. */
  CHECK(oceanSpGEMM_workEstimation(handle, N, N, product->one, a->descriptor, b->descriptor, product->zero,
                                   c->descriptor, CUDA_R_64F, ALGORITHM, product->descriptor, &product->bytes1, NULL));
  product->buffer1 = device_allocate(product->bytes1);
  CHECK(oceanSpGEMM_workEstimation(handle, N, N, product->one, a->descriptor, b->descriptor, product->zero,
                                   c->descriptor, CUDA_R_64F, ALGORITHM, product->descriptor, &product->bytes1,
                                   product->buffer1));
  CHECK(oceanSpGEMM_compute(handle, N, N, product->one, a->descriptor, b->descriptor, product->zero, c->descriptor,
                            CUDA_R_64F, ALGORITHM, product->descriptor, &product->bytes2, NULL));
  product->buffer2 = device_allocate(product->bytes2);
  CHECK(oceanSpGEMM_compute(handle, N, N, product->one, a->descriptor, b->descriptor, product->zero, c->descriptor,
                            CUDA_R_64F, ALGORITHM, product->descriptor, &product->bytes2, product->buffer2));

  CHECK(oceanSpMatGetSize(c->descriptor, &rows, &cols, &entries));
  c->entries = (int)entries;
  c->columns = device_allocate((size_t)entries * sizeof(int));
  c->values = device_allocate((size_t)entries * sizeof(double));
  CHECK(oceanCsrSetPointers(c->descriptor, c->offsets, c->columns, c->values));
  CHECK(oceanSpGEMM_copy(handle, N, N, product->one, a->descriptor, b->descriptor, product->zero, c->descriptor,
                         CUDA_R_64F, ALGORITHM, product->descriptor));
}
/* ANCHOR_END: symbolic */

/* ANCHOR: numeric */
void product_numeric(oceanHandle_t handle, const Matrix* a, const Matrix* b, Matrix* c, Product* product) {
  CHECK(oceanSpGEMM_compute(handle, N, N, product->one, a->descriptor, b->descriptor, product->zero, c->descriptor,
                            CUDA_R_64F, ALGORITHM, product->descriptor, &product->bytes2, product->buffer2));
  CHECK(oceanSpGEMM_copy(handle, N, N, product->one, a->descriptor, b->descriptor, product->zero, c->descriptor,
                         CUDA_R_64F, ALGORITHM, product->descriptor));
}
/* ANCHOR_END: numeric */

void product_destroy(Product* product) {
  CHECK(oceanSpGEMM_destroyDescr(product->descriptor));
  device_free(product->buffer1);
  device_free(product->buffer2);
  device_free(product->one);
  device_free(product->zero);
}
