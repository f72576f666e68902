/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The seam: what Rust knows of the kernels. src/cuda/kernels.rs says the same in Rust; the crate in seam/ checks that.
 *
 * A launcher takes one struct and a stream, queues its kernels, and returns the CUDA runtime's number for a launch that
 * was refused (0: none was). It allocates nothing, waits for nothing and decides nothing. All pointers in a struct are
 * device memory; the struct itself is read before the launcher returns.
 */
#ifndef OCEAN_KERNELS_H
#define OCEAN_KERNELS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* cudaStream_t under a name of our own, so that this header needs no other. */
typedef struct CUstream_st* OceanStream;

/* No row, no entry: larger than any, so that the smallest index wins. */
#define OCEAN_NONE INT64_MAX

/* The runtime's name for a number that a launcher returned. */
const char* ocean_launch_error_name(int32_t code);

/* A pattern in compressed sparse rows, as the caller described it. */
typedef struct OceanCsr {
  int64_t rows;
  int64_t cols;
  int64_t nnz;            /* as declared: at least where the last row ends */
  const void* offsets;    /* rows + 1 */
  const int32_t* columns; /* nnz */
  int32_t offset_bytes;   /* 4 or 8 */
  int32_t base;           /* 0 or 1: what offsets and columns are counted from */
} OceanCsr;

/* Whether a matrix keeps the rules. Rows and entries are counted from 0. */
typedef struct OceanOrder {
  int64_t nnz;        /* where the last row ends, as its offset says */
  int64_t bad_row;    /* first row whose offsets fall, or lie outside the entries; or OCEAN_NONE */
  int64_t bad_entry;  /* first entry whose column lies outside the matrix, or OCEAN_NONE */
  int64_t disordered; /* entries whose column is not above the one before them in their row; with a bad row, nothing */
} OceanOrder;

/* rows_ascend: fills in `order`. */
typedef struct OceanRowsAscend {
  OceanCsr matrix;
  OceanOrder* order;
} OceanRowsAscend;

int32_t ocean_rows_ascend(const OceanRowsAscend* params, OceanStream stream);

/* first_unordered: the row of the first entry that rows_ascend counted as disordered, or OCEAN_NONE. */
typedef struct OceanFirstUnordered {
  OceanCsr matrix; /* without a bad row */
  int64_t* row;
} OceanFirstUnordered;

int32_t ocean_first_unordered(const OceanFirstUnordered* params, OceanStream stream);

/* Sums over the rows of A * B. */
typedef struct OceanTotals {
  int64_t products;
  int64_t most_products; /* of one row */
  int64_t longest_row;   /* entries of a row of A */
  int64_t empty_rows;    /* rows without a product */
} OceanTotals;

/* row_products: how many products each row of C = A * B takes, and how many columns it can touch at most. Every column
 * of A is a row of B, and the offsets of both ascend. */
typedef struct OceanRowProducts {
  OceanCsr a;
  OceanCsr b;
  int64_t* products;     /* a.rows */
  int32_t* spans;        /* a.rows; 0 for rows without products; means nothing unless the rows of B ascend */
  int32_t* last_columns; /* scratch, a.rows */
  OceanTotals* totals;
} OceanRowProducts;

int32_t ocean_row_products(const OceanRowProducts* params, OceanStream stream);

#ifdef __cplusplus
}
#endif

#endif /* OCEAN_KERNELS_H */
