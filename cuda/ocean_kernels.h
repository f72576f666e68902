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

/* Types of values, by CUDA's numbers. Those of 16 bits are stored, and computed in 32. */
#define OCEAN_R_32F 0
#define OCEAN_R_64F 1
#define OCEAN_R_16F 2
#define OCEAN_C_32F 4
#define OCEAN_C_64F 5
#define OCEAN_C_16F 6
#define OCEAN_R_16BF 14
#define OCEAN_C_16BF 15

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
  int64_t nnz;         /* where the last row ends, as its offset says */
  int64_t bad_row;     /* first row whose offsets fall, or lie outside the entries; or OCEAN_NONE */
  int64_t bad_entry;   /* first entry whose column lies outside the matrix, or OCEAN_NONE */
  int64_t disordered;  /* entries whose column is not above the one before them in their row; with a bad row, nothing */
  int64_t longest_row; /* its entries; with a bad row, nothing */
  int64_t repeats;     /* rows that look like the one before, by length and first and last column */
  int64_t shifts;      /* likewise with columns one higher */
} OceanOrder;

/* rows_ascend: fills in the order of each matrix, which begin_analysis has readied. */
typedef struct OceanRowsAscend {
  OceanCsr matrices[2];
  OceanOrder* orders; /* count */
  int32_t count;      /* 1 or 2 */
} OceanRowsAscend;

int32_t ocean_rows_ascend(const OceanRowsAscend* params, OceanStream stream);

/* The analysis of steps that are queued before the host has seen what rows_ascend found, so they see for themselves
 * whether they are wanted: row_products where A and B are sound and rows of C are not short, count_short where they are
 * short. */
typedef struct OceanAhead {
  const OceanOrder* of_a; /* NULL: the host has seen them, and wants the step */
  const OceanOrder* of_b;
  int64_t short_entries; /* rows of C are short if no row of A has more entries, */
  int64_t short_size;    /* and none of C more products; -1: they never are */
} OceanAhead;

/* first_unordered: the row of the first entry that rows_ascend counted as disordered, or OCEAN_NONE. */
typedef struct OceanFirstUnordered {
  OceanCsr matrix; /* without a bad row */
  int64_t* row;
} OceanFirstUnordered;

int32_t ocean_first_unordered(const OceanFirstUnordered* params, OceanStream stream);

/* How rows of C can be as long as others. */
#define OCEAN_ALIKE_NEIGHBOURS 0 /* A's row has the columns of the one before */
#define OCEAN_ALIKE_SHIFTED 1    /* it has them one higher, and so has each row of B that it names */
#define OCEAN_ALIKE_ANYWHERE 2   /* it has the columns of some other */

/* alike: for each row of C one that is as long; a row that stands for others stands for itself. Adds up the products of
 * the rows that stand for all others. */
typedef struct OceanAlike {
  OceanCsr a;
  OceanCsr b;
  int32_t likeness;
  int32_t* heads;          /* a.rows */
  uint32_t* shifted;       /* scratch of shifted: a bit for each row of B */
  int32_t* table;          /* scratch of anywhere: table_size */
  int64_t table_size;      /* a power of two */
  const int64_t* products; /* a.rows */
  int64_t* counted;        /* those of heads; readied by begin_analysis */
} OceanAlike;

int32_t ocean_alike(const OceanAlike* params, OceanStream stream);

/* alike_sizes: the size of each row that stands for others goes to them. */
typedef struct OceanAlikeSizes {
  const int32_t* heads; /* count */
  int64_t* sizes;       /* count */
  int64_t count;
} OceanAlikeSizes;

int32_t ocean_alike_sizes(const OceanAlikeSizes* params, OceanStream stream);

/* Sums over the rows of A * B. */
typedef struct OceanTotals {
  int64_t products;
  int64_t most_products; /* of one row */
  int64_t longest_row;   /* entries of a row of A */
  int64_t empty_rows;    /* rows without a product */
  int64_t widest;        /* span of a row */
} OceanTotals;

/* row_products: how many products each row of C = A * B takes, and how many columns it can touch at most. Every column
 * of A is a row of B, and the offsets of both ascend. */
typedef struct OceanRowProducts {
  OceanCsr a;
  OceanCsr b;
  int64_t* products;     /* a.rows */
  int32_t* spans;        /* a.rows; 0 for rows without products; means nothing unless the rows of B ascend */
  int32_t* last_columns; /* scratch, a.rows */
  OceanTotals* totals;   /* readied by begin_analysis */
  OceanAhead ahead;
} OceanRowProducts;

int32_t ocean_row_products(const OceanRowProducts* params, OceanStream stream);

/* Device-wide primitives (cuda/common/device_wide.cu). Each needs `temp_bytes` of scratch at `temp`; its ..._bytes says
 * how many, from the sizes alone, and returns a number as launchers do. */

/* scan: each value becomes the sum of those before it, so the last is the total of all others. */
typedef struct OceanScan {
  int64_t* values;
  int64_t count;
  void* temp;
  uint64_t temp_bytes;
} OceanScan;

int32_t ocean_scan(const OceanScan* params, OceanStream stream);
int32_t ocean_scan_bytes(int64_t count, uint64_t* temp_bytes);

/* cap: lowers each size to `most`. */
typedef struct OceanCap {
  int64_t* sizes;
  int64_t count;
  int64_t most;
} OceanCap;

int32_t ocean_cap(const OceanCap* params, OceanStream stream);

/* alpha and beta of one call. */
typedef struct OceanScalars {
  const void* alpha;     /* NULL: then it is alpha_value */
  const void* beta;      /* NULL: then it is beta_value */
  double alpha_value[2]; /* real and imaginary part; those of other types are exact here too */
  double beta_value[2];
  int32_t value_type; /* of what alpha and beta point to; 16-bit ones are for compact and round alone */
} OceanScalars;

/* compact: rows move out of their slots into C = alpha * slot + beta * C. */
typedef struct OceanCompact {
  OceanCsr offsets;               /* of C, 8 bytes each, from 0; no columns; nnz is at least where the last row ends */
  const int64_t* starts;          /* C's rows: where each begins in the slots */
  const int32_t* from_columns[2]; /* two pieces of slots; positions in the second follow those of the first */
  const void* from_values[2];
  int64_t first_piece; /* positions in the first */
  void* columns;       /* C's */
  void* values;        /* likewise; NULL: not written */
  OceanScalars scalars;
  int32_t value_type;   /* C's; slots have what it is computed in */
  int32_t column_bytes; /* 4 or 8 */
  int32_t base;         /* what C's columns are counted from */
} OceanCompact;

int32_t ocean_compact(const OceanCompact* params, OceanStream stream);

/* round: C = alpha * from + beta * C, in C's type. */
typedef struct OceanRound {
  const void* from; /* count, of what C's values are computed in */
  void* to;         /* count */
  int64_t count;
  OceanScalars scalars;
  int32_t value_type; /* C's */
} OceanRound;

int32_t ocean_round(const OceanRound* params, OceanStream stream);

/* move_offsets: offsets in the width and base of a matrix, after so many entries. */
typedef struct OceanMoveOffsets {
  const void* from; /* `count`; NULL: all are 0 */
  void* to;         /* `count` */
  int64_t count;
  int64_t added;      /* to each */
  int32_t from_bytes; /* 4 or 8 */
  int32_t to_bytes;   /* 4 or 8 */
} OceanMoveOffsets;

int32_t ocean_move_offsets(const OceanMoveOffsets* params, OceanStream stream);

/* sort_entries: `entries` by bits first_bit..end_bit of their keys; where those are equal they stay in the order of
 * before. */
typedef struct OceanSortEntries {
  const uint64_t* keys;
  uint64_t* sorted_keys;
  const int64_t* entries;
  int64_t* sorted_entries;
  int64_t count;
  void* temp;
  uint64_t temp_bytes;
  int32_t first_bit;
  int32_t end_bit;
} OceanSortEntries;

int32_t ocean_sort_entries(const OceanSortEntries* params, OceanStream stream);
int32_t ocean_sort_entries_bytes(int64_t count, int32_t first_bit, int32_t end_bit, uint64_t* temp_bytes);

/* entry_keys: keys that sort the entries of a matrix by row, then by column; or the other way round. */
typedef struct OceanEntryKeys {
  OceanCsr matrix;
  uint64_t* keys;    /* one for each entry: the row above `low_bits` bits of column, or its column above its row */
  int64_t* entries;  /* first, first + 1... */
  int64_t first;     /* where the matrix's keys and entries begin */
  int32_t low_bits;  /* that hold any column, or any row */
  int32_t by_column; /* 0, or 1 */
} OceanEntryKeys;

int32_t ocean_entry_keys(const OceanEntryKeys* params, OceanStream stream);

/* new_columns: which sorted entries do not repeat the row and column of the one before. */
typedef struct OceanNewColumns {
  const uint64_t* sorted_keys; /* count */
  int64_t count;
  int64_t* marks; /* count: 1, or 0 for repeats */
} OceanNewColumns;

int32_t ocean_new_columns(const OceanNewColumns* params, OceanStream stream);

/* merged_rows: a matrix with sorted rows in which repeats share an entry. */
typedef struct OceanMergedRows {
  const uint64_t* sorted_keys; /* count */
  const int64_t* places;       /* count + 1: the marks of new_columns, scanned */
  int64_t count;
  int64_t rows;
  int64_t* offsets; /* rows + 1 */
  int32_t* columns; /* places[count] */
  int64_t* runs;    /* one more: where the stored entries of each merged one begin */
  int32_t column_bits;
} OceanMergedRows;

int32_t ocean_merged_rows(const OceanMergedRows* params, OceanStream stream);

/* narrow_columns: 64-bit columns as 32-bit ones, as far as the offsets reach. What does not fit becomes INT32_MIN or
 * INT32_MAX. */
typedef struct OceanNarrowColumns {
  OceanCsr matrix;     /* without columns */
  const int64_t* from; /* matrix.nnz */
  int32_t* to;
} OceanNarrowColumns;

int32_t ocean_narrow_columns(const OceanNarrowColumns* params, OceanStream stream);

/* widen_columns: 32-bit columns as 64-bit ones. */
typedef struct OceanWidenColumns {
  const int32_t* from; /* count */
  int64_t* to;         /* count */
  int64_t count;
} OceanWidenColumns;

int32_t ocean_widen_columns(const OceanWidenColumns* params, OceanStream stream);

/* widen: 16-bit numbers as 32-bit ones, or real ones as complex ones. */
typedef struct OceanWiden {
  const void* from; /* count */
  void* to;         /* count, or twice as many */
  int64_t count;
  int32_t value_type;   /* a real one: complex numbers are two */
  int32_t into_complex; /* 1: a zero goes behind each */
} OceanWiden;

int32_t ocean_widen(const OceanWiden* params, OceanStream stream);

/* merged_values: sums of repeats, in stored order. */
typedef struct OceanMergedValues {
  const int64_t* entries; /* how many merged entries there are */
  const int64_t* runs;    /* entries + 1 */
  const int64_t* sources; /* stored entries, run by run */
  const void* stored;     /* values */
  void* values;           /* entries */
  int64_t most_entries;   /* for the launch */
  int32_t value_type;     /* one that is computed in */
} OceanMergedValues;

int32_t ocean_merged_values(const OceanMergedValues* params, OceanStream stream);

/* transposed_rows: offsets and columns of a transpose. */
typedef struct OceanTransposedRows {
  const uint64_t* sorted_keys; /* count: a column of the matrix above `low_bits` bits of its row */
  int64_t count;
  int64_t rows;     /* of the transpose */
  int64_t* offsets; /* rows + 1 */
  int32_t* columns; /* count */
  int32_t low_bits;
} OceanTransposedRows;

int32_t ocean_transposed_rows(const OceanTransposedRows* params, OceanStream stream);

/* gathered_values: values in another order. */
typedef struct OceanGatheredValues {
  const int64_t* sources; /* count */
  const void* stored;
  void* values; /* count */
  int64_t count;
  int32_t value_type; /* one that is computed in */
  int32_t conjugate;  /* 0, or 1 */
} OceanGatheredValues;

int32_t ocean_gathered_values(const OceanGatheredValues* params, OceanStream stream);

/* fingerprint: a number for each row, the same for the same columns in the same order. The matrix need not keep the
 * rules: from its first row with bad offsets on, numbers say little, and that row's own is that of no row. */
typedef struct OceanFingerprint {
  OceanCsr matrix;
  uint64_t* rows;
  int64_t* good_rows; /* scratch: 1 */
} OceanFingerprint;

int32_t ocean_fingerprint(const OceanFingerprint* params, OceanStream stream);

/* first_difference: the first place where two arrays differ, or OCEAN_NONE. */
typedef struct OceanFirstDifference {
  const uint64_t* one;
  const uint64_t* other;
  int64_t count;
  int64_t* place;
} OceanFirstDifference;

int32_t ocean_first_difference(const OceanFirstDifference* params, OceanStream stream);

/* How distinct columns are counted: HyperLogLog. A sketch is `registers` bytes on a boundary of 4. */
typedef struct OceanHyperLogLog {
  int64_t registers; /* 16, 32, 64 or 128 */
  double bias;       /* estimates are 1 + bias / registers too high when all registers are in use */
} OceanHyperLogLog;

/* sketch: the columns of each row of B with at least SKETCHED_ROW entries; that of the row which begins at entry e is
 * sketch number e / SKETCHED_ROW. */
typedef struct OceanSketch {
  OceanCsr b;
  uint8_t* sketches;
  int64_t sketch_count;
  int64_t registers;
} OceanSketch;

int32_t ocean_sketch(const OceanSketch* params, OceanStream stream);

/* estimate: lowers sizes above BOUNDED_PRODUCTS to the estimated length of the row of C, times `coefficient`. */
typedef struct OceanEstimate {
  OceanCsr a;
  OceanCsr b;
  const uint8_t* sketches; /* of B */
  uint8_t* long_sketches;  /* scratch: a.nnz / ESTIMATE_TILE + 1 sketches, of long rows of C */
  int64_t* sizes;          /* a.rows */
  double coefficient;
  OceanHyperLogLog counter;
} OceanEstimate;

int32_t ocean_estimate(const OceanEstimate* params, OceanStream stream);

/* sample: products and estimated lengths of some rows of C. */
typedef struct OceanSample {
  OceanCsr a;
  OceanCsr b;
  const int32_t* rows; /* count */
  int64_t count;
  int64_t most_products;  /* of a row of C */
  uint8_t* sketches;      /* scratch: count */
  int64_t* products;      /* count */
  double* entries;        /* count; at most the products */
  const int64_t* counted; /* nothing is sampled where alike has counted */
  int64_t most_counted;   /* no more than this; NULL: in any case */
  OceanHyperLogLog counter;
} OceanSample;

int32_t ocean_sample(const OceanSample* params, OceanStream stream);

/* A and B with their values, of one type. */
typedef struct OceanFactors {
  OceanCsr a;
  OceanCsr b;
  const void* a_values; /* NULL for merge: no sums are wanted */
  const void* b_values; /* likewise */
} OceanFactors;

/* Where the columns 0, 1 << shift, 2 << shift... would stand in each row of a matrix, counted from the row's first
 * entry. */
typedef struct OceanCuts {
  int32_t* at;   /* count for each row, row by row; NULL: not known */
  int32_t count; /* of a row: they reach beyond the last column but one step */
  int32_t shift;
} OceanCuts;

/* cut_rows: finds them. */
typedef struct OceanCutRows {
  OceanCsr b;
  OceanCuts cuts;
} OceanCutRows;

int32_t ocean_cut_rows(const OceanCutRows* params, OceanStream stream);

/* A part of a row of C, in slices of `slice_columns`. */
typedef struct OceanTask {
  int32_t index; /* of the row in the list */
  int32_t first; /* slice */
  int32_t end;   /* the slice after its last */
  int32_t rank;  /* of its first entry in the row */
} OceanTask;

/* How many tasks there are of either kind, and which of them is next. */
typedef struct OceanQueue {
  int32_t crowded;
  int32_t sparse;
  int32_t next_crowded;
  int32_t next_sparse;
} OceanQueue;

/* The length of a row that did not fit its slot. */
#define OCEAN_OVERFLOWED (-1)

/* Rows of C to compute, and where they go. A row of C is counted from 0; `order` lists rows ascending. */
typedef struct OceanAccumulate {
  OceanFactors factors;
  const int32_t* rows; /* count */
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
  int64_t least_terms; /* rows of C with fewer products, and no more entries of A, are left alone by slices */
  OceanScalars scalars;
  OceanCuts cuts;          /* of B, for slices */
  OceanTask* tasks;        /* scratch of slices: as many as B has slices, for each listed row */
  int64_t task_room;       /* how many that are */
  OceanQueue* queue;       /* scratch of slices: 1 */
  const uint32_t* marks;   /* of mark: mark_words for each listed row; for slices or NULL, for blocks if parts > 1 */
  int64_t mark_words;      /* a bit for each column of B */
  int32_t slice_columns;   /* a power of two from 32 on; a segment has 128 slices at most */
  int32_t crowded_from;    /* a slice of more entries has a sum for each column */
  int32_t table_most;      /* slices share a table up to so many entries: at least crowded_from */
  int32_t parts;           /* blocks that share each listed row in blocks */
  int32_t base;            /* added to columns */
  int32_t value_type;      /* one that is computed in */
  int32_t capacity;        /* columns of a window or of a segment of slices, slots of a table, sums of rank, terms of
                            * search and of sort */
  int32_t columns_at_once; /* that rank has bits for: a multiple of 64 */
  int32_t lanes;           /* 4, 8, 16 or 32 share a row */
  int32_t bit_lanes;       /* 1, 8 or 32 share a row of B where the order of its columns makes no difference */
  int32_t longest_row;     /* of the listed rows of A, or more: for merge */
  int32_t at_once;         /* rows that window takes together: the listed one and those after it with the same head */
  const int32_t* heads;    /* rows of C, of alike; NULL: at_once is 1 */
} OceanAccumulate;

int32_t ocean_accumulate_merge(const OceanAccumulate* params, OceanStream stream);
int32_t ocean_accumulate_window(const OceanAccumulate* params, OceanStream stream);
int32_t ocean_accumulate_hash(const OceanAccumulate* params, OceanStream stream);
int32_t ocean_accumulate_rank(const OceanAccumulate* params, OceanStream stream);
int32_t ocean_accumulate_search(const OceanAccumulate* params, OceanStream stream);
int32_t ocean_accumulate_sort(const OceanAccumulate* params, OceanStream stream);
int32_t ocean_accumulate_slices(const OceanAccumulate* params, OceanStream stream);
int32_t ocean_accumulate_blocks(const OceanAccumulate* params, OceanStream stream);

/* Rows of A of more than SUM_BLOCK entries, as two products: blocks of entries by B, and ones by what comes of that. */
typedef struct OceanSplit {
  OceanCsr a;
  const int32_t* rows; /* count, ascending */
  int64_t count;
  int64_t* before;     /* count + 1: blocks of each listed row; for split, those before it, and all */
  int64_t most_blocks; /* that there is room for */
  int64_t* offsets;    /* most_blocks + count + 2: where each block begins in A, counted from A's base */
  int64_t* sizes;      /* as many: 0 */
  int32_t* blocks;     /* most_blocks: which rows of the first product they are; past the last, an empty row */
  int64_t* row_blocks; /* a.rows + 1: blocks before each row */
  void* ones;          /* most_blocks */
  int32_t value_type;  /* one that is computed in */
} OceanSplit;

int32_t ocean_split_blocks(const OceanSplit* params, OceanStream stream);
int32_t ocean_split(const OceanSplit* params, OceanStream stream);

/* mark: a bit for each column that a row of C has. */
typedef struct OceanMark {
  OceanCsr a;
  OceanCsr b;
  const int32_t* rows; /* count */
  int64_t count;
  uint32_t* marks;    /* mark_words for each listed row */
  int64_t mark_words; /* a bit for each column of B */
  int32_t blocks;     /* that share a row */
  int32_t lanes;      /* of a warp, for each row of B: 1, 8 or 32 */
} OceanMark;

int32_t ocean_mark(const OceanMark* params, OceanStream stream);

/* Rows of C to count. */
typedef struct OceanCount {
  OceanCsr a;
  OceanCsr b;
  const int32_t* rows; /* count */
  int64_t count;
  int64_t* sizes;        /* rows of C: their products before, their lengths after */
  int32_t capacity;      /* columns of a window or segment, products of a row with a table, or places of a
                          * block's: a power of two */
  int32_t lanes;         /* of a warp, for each row of B: 1, 8 or 32 */
  int32_t by_index;      /* sizes are those of the listed rows alone, in their order */
  int32_t search;        /* places of a block's table that are looked at for one column, at most */
  const uint32_t* marks; /* of mark, for blocks: mark_words for each listed row */
  int64_t mark_words;    /* a bit for each column of B */
} OceanCount;

int32_t ocean_count_merge(const OceanCount* params, OceanStream stream);
int32_t ocean_count_window(const OceanCount* params, OceanStream stream);
int32_t ocean_count_hash(const OceanCount* params, OceanStream stream);
int32_t ocean_count_table(const OceanCount* params, OceanStream stream);
int32_t ocean_count_slices(const OceanCount* params, OceanStream stream);
int32_t ocean_count_blocks(const OceanCount* params, OceanStream stream);

/* Sums over all rows of C. */
typedef struct OceanShortRows {
  int64_t products;
  int64_t empty_rows; /* rows without any */
  int64_t entries;
} OceanShortRows;

/* count_short: lengths of all rows of C, and of `totals` all but the entries; no row of A has more than MERGED_ROWS
 * entries. count_short_total: the entries, once `sizes` are offsets. */
typedef struct OceanCountShort {
  OceanCsr a;
  OceanCsr b;
  int64_t* sizes;         /* a.rows + 1; all 0 where it is not wanted */
  OceanShortRows* totals; /* readied by begin_analysis */
  OceanAhead ahead;
} OceanCountShort;

int32_t ocean_count_short(const OceanCountShort* params, OceanStream stream);
int32_t ocean_count_short_total(const OceanCountShort* params, OceanStream stream);

/* What the rows of a product came to. */
typedef struct OceanFound {
  int64_t overflowed; /* rows that have outgrown their slots */
  int64_t entries;    /* if there are none, those of C */
} OceanFound;

/* lengths_overflowed: how many lengths are OCEAN_OVERFLOWED. lengths_total: the entries, once lengths are offsets.
 * lengths_again: the lengths, from a copy of the offsets. */
typedef struct OceanLengths {
  int64_t* lengths; /* rows + 1 */
  const int64_t* offsets;
  int64_t rows;
  OceanFound* found;
} OceanLengths;

int32_t ocean_lengths_overflowed(const OceanLengths* params, OceanStream stream);
int32_t ocean_lengths_total(const OceanLengths* params, OceanStream stream);
int32_t ocean_lengths_again(const OceanLengths* params, OceanStream stream);

/* Bins at most. */
#define OCEAN_MOST_BINS 24

/* What the rows of a bin are at most. */
typedef struct OceanMost {
  int64_t entries; /* of A's row */
  int64_t size;
  int64_t span;
} OceanMost;

/* Where each bin starts in the list, and where the last one ends; and the room of all rows, if sizes are offsets. */
typedef struct OceanBinned {
  int64_t room;
  int32_t starts[OCEAN_MOST_BINS + 2];
} OceanBinned;

/* Lists rows by bin: each goes to the first that holds it, or to the last. */
typedef struct OceanBin {
  OceanCsr a;
  OceanCsr b;           /* of steps ahead alone */
  const int64_t* sizes; /* a.rows, or offsets: one more */
  const int32_t* spans; /* a.rows; NULL: all are 0 */
  OceanMost bins[OCEAN_MOST_BINS];
  int32_t at_once[OCEAN_MOST_BINS]; /* rows with the same head, side by side, of which the first is listed for all */
  const int32_t* heads;             /* a.rows, of alike; NULL: every row is listed, */
  const int64_t* counted;           /* and where alike has counted */
  int64_t most_counted;             /* more than this; NULL: heads are taken in any case */
  uint32_t distinct;                /* a bit for each bin that takes rows only if `sizes` are offsets and end above */
  int32_t rounds;                   /* of a block, whose threads take a row each */
  int64_t distinct_above;           /* this */
  int32_t bin_count;
  int32_t are_offsets;
  int32_t* tallies; /* scratch: bin_count for every block */
  int32_t* order;   /* a.rows */
  OceanBinned* binned;
  OceanAhead ahead; /* as for row_products */
} OceanBin;

int32_t ocean_bin(const OceanBin* params, OceanStream stream);

/* What an analysis finds. begin_analysis: readies it for the steps that fill it in. */
typedef struct OceanFacts {
  OceanOrder orders[2]; /* of A and B */
  OceanTotals totals;
  int64_t counted; /* by alike */
  OceanShortRows short_rows;
  OceanBinned binned;
} OceanFacts;

typedef struct OceanBeginAnalysis {
  OceanFacts* facts;
} OceanBeginAnalysis;

int32_t ocean_begin_analysis(const OceanBeginAnalysis* params, OceanStream stream);

/* Lists all rows in order. */
typedef struct OceanList {
  int32_t* order; /* rows */
  int64_t rows;
} OceanList;

int32_t ocean_list(const OceanList* params, OceanStream stream);

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
