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

/* A and B with their values, of one type. */
typedef struct OceanFactors {
  OceanCsr a;
  OceanCsr b;
  const void* a_values; /* NULL: all of them count as 1 */
  const void* b_values; /* likewise */
} OceanFactors;

/* alpha and beta: here, or where `..._at` points on the device. */
typedef struct OceanScalars {
  double alpha;
  double beta;
  const void* alpha_at;
  const void* beta_at;
} OceanScalars;

/* The length of a row that did not fit its slot. */
#define OCEAN_OVERFLOWED (-1)

/* Rows of C to compute, and where they go. A row of C is counted from 0; `order` lists rows ascending. */
typedef struct OceanAccumulate {
  OceanFactors factors;
  const int32_t* rows;   /* count */
  int64_t count;
  const int64_t* starts; /* rows of C + 1: where each row of C starts */
  const int64_t* places; /* or, if not NULL, start and room of each listed row */
  int32_t* columns;      /* NULL: not written */
  void* values;          /* NULL: not written */
  int64_t* counts;       /* rows of C: their lengths, or OCEAN_OVERFLOWED; NULL: not written */
  int64_t pieces_at;     /* starts from here on lie in more_columns and more_values */
  int32_t* more_columns;
  void* more_values;
  int64_t least_entries; /* rows of A with fewer, or more, are left alone */
  int64_t most_entries;
  OceanScalars scalars;
  int32_t base;        /* added to columns */
  int32_t value_bytes; /* 4 or 8 */
  int32_t capacity;    /* columns of a window, slots of a table */
  int32_t lanes;       /* 8, 16 or 32 share a row */
} OceanAccumulate;

int32_t ocean_accumulate_merge(const OceanAccumulate* params, OceanStream stream);
int32_t ocean_accumulate_window(const OceanAccumulate* params, OceanStream stream);
int32_t ocean_accumulate_hash(const OceanAccumulate* params, OceanStream stream);
int32_t ocean_accumulate_rank(const OceanAccumulate* params, OceanStream stream);
int32_t ocean_accumulate_slices(const OceanAccumulate* params, OceanStream stream);

/* Rows of C to count. */
typedef struct OceanCount {
  OceanCsr a;
  OceanCsr b;
  const int32_t* rows; /* count */
  int64_t count;
  int64_t* sizes;   /* rows of C: their products before, their lengths after */
  int32_t capacity; /* columns of a window, products of a row with a table: a power of two */
  int32_t by_index; /* sizes are those of the listed rows alone, in their order */
} OceanCount;

int32_t ocean_count_merge(const OceanCount* params, OceanStream stream);
int32_t ocean_count_window(const OceanCount* params, OceanStream stream);
int32_t ocean_count_hash(const OceanCount* params, OceanStream stream);
int32_t ocean_count_rank(const OceanCount* params, OceanStream stream);

/* Bins at most. */
#define OCEAN_MOST_BINS 12

/* What the rows of a bin are at most. */
typedef struct OceanMost {
  int64_t entries; /* of A's row */
  int64_t size;
  int64_t span;
} OceanMost;

/* Lists rows by bin: each goes to the first that holds it, or to the last. */
typedef struct OceanBin {
  OceanCsr a;
  const int64_t* sizes; /* a.rows, or offsets: one more */
  const int32_t* spans; /* a.rows */
  OceanMost bins[OCEAN_MOST_BINS];
  int32_t bin_count;
  int32_t are_offsets;
  int32_t* tallies; /* scratch: bin_count for every BIN_ROWS rows */
  int32_t* order;   /* a.rows */
  int32_t* starts;  /* bin_count: where each bin starts in order */
} OceanBin;

int32_t ocean_bin(const OceanBin* params, OceanStream stream);

/* Sets where single rows start. */
typedef struct OceanPlaceRows {
  const int32_t* rows;   /* count */
  const int64_t* places; /* start and room of each */
  int64_t count;
  int64_t* starts; /* rows of C */
} OceanPlaceRows;

int32_t ocean_place_rows(const OceanPlaceRows* params, OceanStream stream);

#ifdef __cplusplus
}
#endif

#endif /* OCEAN_KERNELS_H */
