// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Matrices of the tests in host memory, how to build them, and the serial product that judges the library's.
// Offsets and columns count from 0 and values are double here, whatever the device arrays will be. All memory
// goes away with the test.
#ifndef OCEAN_TEST_CSR_H
#define OCEAN_TEST_CSR_H

#include <ocean.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  int64_t rows, cols, nnz;
  int64_t* offsets;         // rows + 1
  int32_t* columns;         // nnz
  double* values;           // nnz
  int64_t rows_done, room;  // of a matrix that is being built
} Csr;

// Row by row: csr_begin, then for each row csr_push its entries and csr_end_row. Order and repeats stay as they are.
Csr csr_begin(int64_t rows, int64_t cols);
void csr_push(Csr* matrix, int64_t column, double value);
void csr_end_row(Csr* matrix);
// Rows that are missing are empty.
Csr csr_finish(Csr matrix);

Csr csr_dense(int64_t rows, int64_t cols, const double* table);  // stores what is not 0
Csr csr_full(int64_t rows, int64_t cols, double value);          // stores everything
Csr csr_diagonal(int64_t n, double value);
Csr csr_empty(int64_t rows, int64_t cols);
// As given, unsorted and with repeats if so.
Csr csr_arrays(int64_t rows, int64_t cols, const int* offsets, const int* columns, const double* values);
// Entry (i, j) where stored(i, j), with value(i, j).
Csr csr_rule(int64_t rows, int64_t cols, bool (*stored)(int64_t i, int64_t j), double (*value)(int64_t i, int64_t j));
// About fill * cols entries in every row, sorted, values in (-1, 1).
Csr csr_random(int64_t rows, int64_t cols, double fill, uint64_t seed);
Csr csr_tridiagonal(int64_t n, double below, double diagonal, double above);

Csr csr_copy(const Csr* matrix);
Csr csr_transpose(const Csr* matrix);
Csr csr_shuffle_rows(const Csr* matrix, uint64_t seed);  // the entries of each row in another order
// Each entry once more, with half the value each, the repeats behind the others.
Csr csr_repeat(const Csr* matrix);
Csr csr_scale(const Csr* matrix, double factor);

double csr_sum(const Csr* matrix);
// The value at (i, j), which must be stored.
double csr_at(const Csr* matrix, int64_t i, int64_t j);

// x as the type would keep it.
double csr_round(oceanDataType_t type, double x);
// A * B in the type's arithmetic, rows sorted, in the one order of sums that the library promises.
Csr csr_multiply(const Csr* a, const Csr* b, oceanDataType_t type);

// Same shape, same pattern, same bits; NaN equals NaN.
#define CHECK_SAME(actual, expected) csr_check_same(__FILE__, __LINE__, actual, expected)
void csr_check_same(const char* file, int line, const Csr* actual, const Csr* expected);

// The random numbers behind csr_random: uniform in [0, 1).
double csr_uniform(uint64_t* state);

// The matrices of case WR1 in the list of user cases, and their product.
Csr wr1_a(void);
Csr wr1_b(void);
Csr wr1_c(void);

#endif  // OCEAN_TEST_CSR_H
