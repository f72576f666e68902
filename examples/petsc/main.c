/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A solver that multiplies the same pattern again and again, with new values each time. */
#include "../common/check.h"
#include "../common/memory.h"
#include "product.h"

enum { ROWS = 1000, REPEATS = 3 };

/* The second difference on a line, times `scale`: scale * (-1, 2, -1). */
static int line_values(double scale, double* values) {
  int entry = 0;
  for (int row = 0; row < ROWS; row++) {
    if (row > 0) values[entry++] = -scale;
    values[entry++] = 2 * scale;
    if (row + 1 < ROWS) values[entry++] = -scale;
  }
  return entry;
}

static Matrix line(const double* values, int entries) {
  int offsets[ROWS + 1] = {0}, columns[3 * ROWS], entry = 0;
  Matrix a = {ROWS, ROWS, entries, NULL, NULL, NULL, NULL};
  for (int row = 0; row < ROWS; row++) {
    for (int column = row - 1; column <= row + 1; column++)
      if (column >= 0 && column < ROWS) columns[entry++] = column;
    offsets[row + 1] = entry;
  }
  a.offsets = device_copy_of(offsets, sizeof offsets);
  a.columns = device_copy_of(columns, (size_t)entry * sizeof(int));
  a.values = device_copy_of(values, (size_t)entry * sizeof(double));
  CHECK(oceanCreateCsr(&a.descriptor, ROWS, ROWS, entry, a.offsets, a.columns, a.values, OCEAN_INDEX_32I,
                       OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO, CUDA_R_64F));
  return a;
}

static void destroy(Matrix* matrix) {
  CHECK(oceanDestroySpMat(matrix->descriptor));
  device_free(matrix->offsets);
  device_free(matrix->columns);
  device_free(matrix->values);
}

/* Rows of A * A away from the ends are scale^2 * (1, -4, 6, -4, 1). */
static int is_right(const Matrix* c, double scale) {
  static const double expected[] = {1, -4, 6, -4, 1};
  const int row = ROWS / 2;
  int offsets[2];
  double values[5];
  device_copy(offsets, c->offsets + row, sizeof offsets);
  if (offsets[1] - offsets[0] != 5) return 0;
  device_copy(values, c->values + offsets[0], sizeof values);
  for (int i = 0; i < 5; i++)
    if (values[i] != scale * scale * expected[i]) return 0;
  return 1;
}

int main(void) {
  double values[3 * ROWS];
  oceanHandle_t handle;
  Matrix a, c = {0};
  Product product = {0};
  int right, entries = line_values(1, values);

  CHECK(oceanCreateWithBackend(&handle, BACKEND));
  a = line(values, entries);
  product_symbolic(handle, &a, &a, &c, &product);
  right = is_right(&c, 1);
  for (int repeat = 2; repeat < 2 + REPEATS; repeat++) {
    line_values(repeat, values);
    device_copy(a.values, values, (size_t)entries * sizeof(double));
    product_numeric(handle, &a, &a, &c, &product);
    right = right && is_right(&c, repeat);
  }
  printf("%d entries, %d repeats: %s\n", c.entries, REPEATS, right ? "right" : "WRONG");

  product_destroy(&product);
  destroy(&c);
  destroy(&a);
  CHECK(oceanDestroy(handle));
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
