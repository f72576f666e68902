// SPDX-License-Identifier: MIT OR Apache-2.0
#include "csr.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

// --- building ---

Csr csr_begin(int64_t rows, int64_t cols) {
  Csr matrix = {.rows = rows, .cols = cols};
  matrix.offsets = test_alloc(((size_t)rows + 1) * sizeof *matrix.offsets);
  matrix.offsets[0] = 0;
  return matrix;
}

void csr_push(Csr* matrix, int64_t column, double value) {
  if (matrix->nnz == matrix->room) {
    matrix->room = matrix->room == 0 ? 16 : 2 * matrix->room;
    matrix->columns = test_realloc(matrix->columns, (size_t)matrix->room * sizeof *matrix->columns);
    matrix->values = test_realloc(matrix->values, (size_t)matrix->room * sizeof *matrix->values);
  }
  matrix->columns[matrix->nnz] = (int32_t)column;
  matrix->values[matrix->nnz] = value;
  matrix->nnz++;
}

void csr_end_row(Csr* matrix) { matrix->offsets[++matrix->rows_done] = matrix->nnz; }

Csr csr_finish(Csr matrix) {
  while (matrix.rows_done < matrix.rows) csr_end_row(&matrix);
  return matrix;
}

Csr csr_dense(int64_t rows, int64_t cols, const double* table) {
  Csr matrix = csr_begin(rows, cols);
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < cols; j++) {
      if (table[i * cols + j] != 0) csr_push(&matrix, j, table[i * cols + j]);
    }
    csr_end_row(&matrix);
  }
  return matrix;
}

Csr csr_full(int64_t rows, int64_t cols, double value) {
  Csr matrix = csr_begin(rows, cols);
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < cols; j++) csr_push(&matrix, j, value);
    csr_end_row(&matrix);
  }
  return matrix;
}

Csr csr_diagonal(int64_t n, double value) { return csr_tridiagonal(n, 0, value, 0); }

Csr csr_empty(int64_t rows, int64_t cols) { return csr_finish(csr_begin(rows, cols)); }

Csr csr_arrays(int64_t rows, int64_t cols, const int* offsets, const int* columns, const double* values) {
  Csr matrix = csr_begin(rows, cols);
  for (int64_t i = 0; i < rows; i++) {
    for (int e = offsets[i]; e < offsets[i + 1]; e++) csr_push(&matrix, columns[e], values[e]);
    csr_end_row(&matrix);
  }
  return matrix;
}

Csr csr_rule(int64_t rows, int64_t cols, bool (*stored)(int64_t, int64_t), double (*value)(int64_t, int64_t)) {
  Csr matrix = csr_begin(rows, cols);
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < cols; j++) {
      if (stored(i, j)) csr_push(&matrix, j, value(i, j));
    }
    csr_end_row(&matrix);
  }
  return matrix;
}

double csr_uniform(uint64_t* state) {
  // splitmix64: Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators".
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

Csr csr_random(int64_t rows, int64_t cols, double fill, uint64_t seed) {
  Csr matrix = csr_begin(rows, cols);
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < cols; j++) {
      if (csr_uniform(&seed) < fill) csr_push(&matrix, j, 2 * csr_uniform(&seed) - 1);
    }
    csr_end_row(&matrix);
  }
  return matrix;
}

Csr csr_tridiagonal(int64_t n, double below, double diagonal, double above) {
  Csr matrix = csr_begin(n, n);
  for (int64_t i = 0; i < n; i++) {
    if (i > 0 && below != 0) csr_push(&matrix, i - 1, below);
    csr_push(&matrix, i, diagonal);
    if (i + 1 < n && above != 0) csr_push(&matrix, i + 1, above);
    csr_end_row(&matrix);
  }
  return matrix;
}

// --- from one matrix to another ---

Csr csr_copy(const Csr* matrix) { return csr_scale(matrix, 1); }

Csr csr_scale(const Csr* matrix, double factor) {
  Csr copy = csr_begin(matrix->rows, matrix->cols);
  for (int64_t i = 0; i < matrix->rows; i++) {
    for (int64_t e = matrix->offsets[i]; e < matrix->offsets[i + 1]; e++) {
      csr_push(&copy, matrix->columns[e], factor * matrix->values[e]);
    }
    csr_end_row(&copy);
  }
  return copy;
}

Csr csr_transpose(const Csr* matrix) {
  Csr result = csr_finish(csr_begin(matrix->cols, matrix->rows));
  result.nnz = result.room = matrix->nnz;
  result.columns = test_alloc((size_t)matrix->nnz * sizeof *result.columns);
  result.values = test_alloc((size_t)matrix->nnz * sizeof *result.values);
  for (int64_t e = 0; e < matrix->nnz; e++) result.offsets[matrix->columns[e] + 1]++;
  for (int64_t j = 0; j < result.rows; j++) result.offsets[j + 1] += result.offsets[j];

  int64_t* next = test_alloc(((size_t)result.rows + 1) * sizeof *next);
  memcpy(next, result.offsets, ((size_t)result.rows + 1) * sizeof *next);
  for (int64_t i = 0; i < matrix->rows; i++) {
    for (int64_t e = matrix->offsets[i]; e < matrix->offsets[i + 1]; e++) {
      const int64_t place = next[matrix->columns[e]]++;
      result.columns[place] = (int32_t)i;
      result.values[place] = matrix->values[e];
    }
  }
  return result;
}

Csr csr_shuffle_rows(const Csr* matrix, uint64_t seed) {
  Csr result = csr_copy(matrix);
  for (int64_t i = 0; i < matrix->rows; i++) {
    for (int64_t e = matrix->offsets[i + 1] - 1; e > matrix->offsets[i]; e--) {
      const int64_t other = matrix->offsets[i] + (int64_t)(csr_uniform(&seed) * (double)(e - matrix->offsets[i] + 1));
      const int32_t column = result.columns[e];
      const double value = result.values[e];
      result.columns[e] = result.columns[other];
      result.values[e] = result.values[other];
      result.columns[other] = column;
      result.values[other] = value;
    }
  }
  return result;
}

Csr csr_repeat(const Csr* matrix) {
  Csr result = csr_begin(matrix->rows, matrix->cols);
  for (int64_t i = 0; i < matrix->rows; i++) {
    for (int copy = 0; copy < 2; copy++) {
      for (int64_t e = matrix->offsets[i]; e < matrix->offsets[i + 1]; e++) {
        csr_push(&result, matrix->columns[e], matrix->values[e] / 2);
      }
    }
    csr_end_row(&result);
  }
  return result;
}

double csr_sum(const Csr* matrix) {
  double sum = 0;
  for (int64_t e = 0; e < matrix->nnz; e++) sum += matrix->values[e];
  return sum;
}

double csr_at(const Csr* matrix, int64_t i, int64_t j) {
  for (int64_t e = matrix->offsets[i]; e < matrix->offsets[i + 1]; e++) {
    if (matrix->columns[e] == j) return matrix->values[e];
  }
  harness_fail(__FILE__, __LINE__, "(%" PRId64 ", %" PRId64 ") is not stored", i, j);
}

// --- comparing ---

static bool same_bits(double a, double b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }

void csr_check_same(const char* file, int line, const Csr* actual, const Csr* expected) {
  harness_check_int(file, line, "rows", actual->rows, "rows", expected->rows);
  harness_check_int(file, line, "cols", actual->cols, "cols", expected->cols);
  harness_check_int(file, line, "nnz", actual->nnz, "nnz", expected->nnz);
  for (int64_t i = 0; i < actual->rows; i++) {
    if (actual->offsets[i + 1] != expected->offsets[i + 1]) {
      harness_fail(file, line, "row %" PRId64 " ends at %" PRId64 ", expected %" PRId64, i, actual->offsets[i + 1],
                   expected->offsets[i + 1]);
    }
    for (int64_t e = actual->offsets[i]; e < actual->offsets[i + 1]; e++) {
      if (actual->columns[e] != expected->columns[e] || !same_bits(actual->values[e], expected->values[e])) {
        harness_fail(
            file, line, "row %" PRId64 ", entry %" PRId64 ": column %d value %.17g, expected column %d value %.17g", i,
            e - actual->offsets[i], actual->columns[e], actual->values[e], expected->columns[e], expected->values[e]);
      }
    }
  }
}

// --- WR1 ---

static bool wr1_a_stored(int64_t i, int64_t j) { return (i + j) % 3 == 0; }
static double wr1_a_value(int64_t i, int64_t j) { return (double)(i - j); }
static bool wr1_b_stored(int64_t i, int64_t j) { return i * j % 2 == 0; }
static double wr1_b_value(int64_t i, int64_t j) { return (double)(1 + i + j); }

Csr wr1_a(void) { return csr_rule(4, 7, wr1_a_stored, wr1_a_value); }
Csr wr1_b(void) { return csr_rule(7, 4, wr1_b_stored, wr1_b_value); }
Csr wr1_c(void) {
  return csr_dense(4, 4, (const double[]){-54, -48, -72, -60, -27, -4, -37, -6, -8, -12, -10, -16, -18, -18, -18, -18});
}
