/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A product of two CSR matrices on the device as PETSc's kinds of matrices need it: once the pattern, then the numbers
 * whenever the values of A or B have changed. */
#ifndef EXAMPLES_PRODUCT_H
#define EXAMPLES_PRODUCT_H

#include <ocean.h>

/* A CSR matrix whose arrays lie on the device. */
typedef struct {
  int rows, cols, entries;
  int *offsets, *columns;
  double* values;
  oceanSpMatDescr_t descriptor;
} Matrix;

/* What the product keeps between the pattern and the numbers. */
typedef struct {
  oceanSpGEMMDescr_t descriptor;
  void *buffer1, *buffer2;
  size_t bytes1, bytes2;
  double *one, *zero; /* on the device: the handle is in device pointer mode */
} Product;

/* C gets its arrays, and the first numbers. */
void product_symbolic(oceanHandle_t handle, const Matrix* a, const Matrix* b, Matrix* c, Product* product);

/* C's numbers again. Nothing is allocated; queues work on the handle's stream. */
void product_numeric(oceanHandle_t handle, const Matrix* a, const Matrix* b, Matrix* c, Product* product);

void product_destroy(Product* product);

#endif /* EXAMPLES_PRODUCT_H */
