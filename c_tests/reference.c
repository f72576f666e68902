// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The judge: A * B, serial and plain. An entry of C is a chain over the entries of A's row in their order: it
// starts as the first product, then each rounded product is added and the sum rounded. Every BLOCK entries of
// A's row the chain starts anew, and the sums of the blocks are added in order. Repeats inside a row of B are
// summed first, in their order.
#include <stdlib.h>

#include "csr.h"
#include "harness.h"

enum { BLOCK = 8192 };

// Rounding a double to float after each operation gives float arithmetic: double has more than twice the bits.
double csr_round(oceanDataType_t type, double x) { return type == CUDA_R_32F ? (double)(float)x : x; }

// One cell for each column of C.
typedef struct {
  double* total;         // the blocks that are done
  double* chain;         // the block at work
  int64_t* total_row;    // the row that total belongs to, -1 for none
  int64_t* chain_block;  // likewise the block, counted over all rows
} Cells;

static Cells cells_new(int64_t cols) {
  const size_t n = (size_t)(cols > 0 ? cols : 1);
  Cells cells = {test_alloc(n * sizeof(double)), test_alloc(n * sizeof(double)), test_alloc(n * sizeof(int64_t)),
                 test_alloc(n * sizeof(int64_t))};
  for (int64_t j = 0; j < cols; j++) cells.total_row[j] = cells.chain_block[j] = -1;
  return cells;
}

static Csr sum_repeats(const Csr* b, oceanDataType_t type) {
  int64_t* place = test_alloc((size_t)(b->cols > 0 ? b->cols : 1) * sizeof *place);
  for (int64_t j = 0; j < b->cols; j++) place[j] = -1;
  Csr merged = csr_begin(b->rows, b->cols);
  for (int64_t k = 0; k < b->rows; k++) {
    const int64_t start = merged.nnz;
    for (int64_t e = b->offsets[k]; e < b->offsets[k + 1]; e++) {
      const int32_t j = b->columns[e];
      const double value = csr_round(type, b->values[e]);
      if (place[j] >= start) {
        merged.values[place[j]] = csr_round(type, merged.values[place[j]] + value);
      } else {
        place[j] = merged.nnz;
        csr_push(&merged, j, value);
      }
    }
    csr_end_row(&merged);
  }
  return merged;
}

static int ascending(const void* left, const void* right) {
  const int32_t a = *(const int32_t*)left, b = *(const int32_t*)right;
  return (a > b) - (a < b);
}

// Ends the chain of column j: it becomes the total, or is added to it. Returns whether the column is new in row i.
static bool end_chain(Cells* cells, int64_t i, int32_t j, oceanDataType_t type) {
  const bool first = cells->total_row[j] != i;
  cells->total[j] = first ? cells->chain[j] : csr_round(type, cells->total[j] + cells->chain[j]);
  cells->total_row[j] = i;
  cells->chain_block[j] = -1;
  return first;
}

Csr csr_multiply(const Csr* a, const Csr* b, oceanDataType_t type) {
  const Csr merged = sum_repeats(b, type);
  Cells cells = cells_new(b->cols);
  const size_t width = (size_t)(b->cols > 0 ? b->cols : 1);
  int32_t* in_block = test_alloc(width * sizeof *in_block);
  int32_t* in_row = test_alloc(width * sizeof *in_row);
  int64_t block = 0;

  Csr c = csr_begin(a->rows, b->cols);
  for (int64_t i = 0; i < a->rows; i++) {
    int64_t row_nnz = 0;
    for (int64_t start = a->offsets[i]; start < a->offsets[i + 1]; start += BLOCK, block++) {
      const int64_t end = start + BLOCK < a->offsets[i + 1] ? start + BLOCK : a->offsets[i + 1];
      int64_t block_nnz = 0;
      for (int64_t e = start; e < end; e++) {
        const double factor = csr_round(type, a->values[e]);
        const int32_t k = a->columns[e];
        for (int64_t f = merged.offsets[k]; f < merged.offsets[k + 1]; f++) {
          const int32_t j = merged.columns[f];
          const double product = csr_round(type, factor * merged.values[f]);
          if (cells.chain_block[j] == block) {
            cells.chain[j] = csr_round(type, cells.chain[j] + product);
          } else {
            cells.chain_block[j] = block;
            cells.chain[j] = product;
            in_block[block_nnz++] = j;
          }
        }
      }
      for (int64_t n = 0; n < block_nnz; n++) {
        if (end_chain(&cells, i, in_block[n], type)) in_row[row_nnz++] = in_block[n];
      }
    }
    qsort(in_row, (size_t)row_nnz, sizeof *in_row, ascending);
    for (int64_t n = 0; n < row_nnz; n++) csr_push(&c, in_row[n], cells.total[in_row[n]]);
    csr_end_row(&c);
  }
  return c;
}
