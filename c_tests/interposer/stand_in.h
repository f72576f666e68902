// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the stand-in for cuSPARSE tells about itself, and the functions that take a sparse matrix. The latter are listed
// here a second time, beside the interposer's own table, so that each is judged by the other.
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stdbool.h>
#include <stdint.h>

#include "cusparse.h"

enum { MOST_ARGUMENTS = 16 };

// What a product of the stand-in comes to, whatever the factors.
enum { STAND_IN_NNZ = 7, STAND_IN_PRODUCTS = 77, STAND_IN_SIZE = 333 };

// A matrix as a function saw it.
typedef struct {
  int64_t nnz;
  const void *offsets, *columns, *values;
  int fill_mode;  // -1 where it was never set
  int batches;
} Seen;

// The last call of a function that takes a sparse matrix.
typedef struct {
  const char* name;
  intptr_t arguments[MOST_ARGUMENTS];
  Seen matrices[MOST_ARGUMENTS];  // of those arguments that are read
} Call;

const Call* stand_in_last_call(void);
// How often a function was called, under its own name.
int stand_in_calls(const char* name);
int stand_in_live_matrices(void);
int stand_in_live_products(void);

// X(name, number of arguments, which are matrices that it reads, which are matrices that it makes)
#define AT(position) (1 << (position))
#define CONSUMERS(X)                                 \
  X(cusparseSparseToDense_bufferSize, 5, AT(1), 0)   \
  X(cusparseSparseToDense, 5, AT(1), 0)              \
  X(cusparseDenseToSparse_analysis, 5, 0, AT(2))     \
  X(cusparseSpMV_bufferSize, 10, AT(3), 0)           \
  X(cusparseSpMV_preprocess, 10, AT(3), 0)           \
  X(cusparseSpMV, 10, AT(3), 0)                      \
  X(cusparseSpMVGeneric_bufferSize, 10, AT(2), 0)    \
  X(cusparseSpMVGeneric_preprocess, 9, AT(2), 0)     \
  X(cusparseSpMVGeneric, 9, AT(2), 0)                \
  X(cusparseSpMVOp_bufferSize, 9, AT(2), 0)          \
  X(cusparseSpMVOp_createDescr, 10, AT(3), 0)        \
  X(cusparseSpSV_bufferSize, 10, AT(3), 0)           \
  X(cusparseSpSV_analysis, 10, AT(3), 0)             \
  X(cusparseSpSV_solve, 9, AT(3), 0)                 \
  X(cusparseSpSM_bufferSize, 11, AT(4), 0)           \
  X(cusparseSpSM_analysis, 11, AT(4), 0)             \
  X(cusparseSpSM_solve, 10, AT(4), 0)                \
  X(cusparseSpMM_bufferSize, 11, AT(4), 0)           \
  X(cusparseSpMM_preprocess, 11, AT(4), 0)           \
  X(cusparseSpMM, 11, AT(4), 0)                      \
  X(cusparseSpMMOp_createPlan, 16, AT(4), 0)         \
  X(cusparseSDDMM_bufferSize, 11, AT(7), 0)          \
  X(cusparseSDDMM_preprocess, 11, AT(7), 0)          \
  X(cusparseSDDMM, 11, AT(7), 0)                     \
  X(cusparseSpGEAM_bufferSize, 12, AT(4) | AT(6), 0) \
  X(cusparseSpGEAM_nnz, 12, AT(4) | AT(6), AT(7))    \
  X(cusparseSpGEAM, 12, AT(4) | AT(6) | AT(7), 0)    \
  X(cusparseSpMatConvert_bufferSize, 8, AT(2), 0)    \
  X(cusparseSpMatConvert_analysis, 8, AT(2), AT(3))  \
  X(cusparseSpMatConvert, 8, AT(2) | AT(3), 0)

// Every argument as one that fills a register or a place on the stack; of enums the upper half says nothing.
#define A5 intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4
#define A8 A5, intptr_t a5, intptr_t a6, intptr_t a7
#define A9 A8, intptr_t a8
#define A10 A9, intptr_t a9
#define A11 A10, intptr_t a10
#define A12 A11, intptr_t a11
#define A16 A12, intptr_t a12, intptr_t a13, intptr_t a14, intptr_t a15
#define DECLARE(name, count, reads, makes) cusparseStatus_t name(A##count);
CONSUMERS(DECLARE)

#endif  // STAND_IN_H
