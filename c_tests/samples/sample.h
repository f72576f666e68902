// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The input and expected output that the three samples share, in cuSPARSE spelling like the samples: the build
// turns these files into ocean's with
//
//   sed 's/cusparse/ocean/g; s/CUSPARSE/OCEAN/g'
//
// and compiles the result as C and as C++. B is declared with one entry more than its offsets hold, as in the
// vendor's samples: row extents come from the offsets.
#ifndef SAMPLE_H
#define SAMPLE_H

#include <cusparse.h>
#include <stdio.h>
#include <stdlib.h>

#include "device.h"

#define CHECK_CUDA(call)                                                                          \
  do {                                                                                            \
    const cudaError_t error = (call);                                                             \
    if (error != cudaSuccess) {                                                                   \
      printf("line %d: CUDA failed: %s (%d)\n", __LINE__, cudaGetErrorString(error), (int)error); \
      return EXIT_FAILURE;                                                                        \
    }                                                                                             \
  } while (0)

#define CHECK_CUSPARSE(call)                                                                                \
  do {                                                                                                      \
    const cusparseStatus_t status = (call);                                                                 \
    if (status != CUSPARSE_STATUS_SUCCESS) {                                                                \
      printf("line %d: cusparse failed: %s (%d)\n", __LINE__, cusparseGetErrorString(status), (int)status); \
      return EXIT_FAILURE;                                                                                  \
    }                                                                                                       \
  } while (0)

enum { ROWS = 4, A_NNZ = 9, B_NNZ = 8, B_DECLARED_NNZ = 9, C_NNZ = 12, PRODUCTS = 17 };

static const int A_OFFSETS[] = {0, 3, 4, 7, 9};
static const int A_COLUMNS[] = {0, 2, 3, 1, 0, 2, 3, 1, 3};
static const float A_VALUES[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static const int B_OFFSETS[] = {0, 2, 4, 7, 8};
static const int B_COLUMNS[] = {0, 3, 1, 3, 0, 1, 2, 1, 99};  // the ninth is past the end
static const float B_VALUES[] = {1, 2, 3, 4, 5, 6, 7, 8, -1e30f};
static const int C_OFFSETS[] = {0, 4, 6, 10, 12};
static const int C_COLUMNS[] = {0, 1, 2, 3, 1, 3, 0, 1, 2, 3, 1, 3};
static const float C_VALUES[] = {11, 36, 14, 2, 12, 16, 35, 92, 42, 10, 96, 32};

// 0 if C is exactly as expected, else 1; prints the first difference.
static int compare(const int* offsets, const int* columns, const float* values) {
  for (int i = 0; i <= ROWS; i++) {
    if (offsets[i] != C_OFFSETS[i]) {
      printf("offset %d is %d, expected %d\n", i, offsets[i], C_OFFSETS[i]);
      return 1;
    }
  }
  for (int e = 0; e < C_NNZ; e++) {
    if (columns[e] != C_COLUMNS[e] || values[e] != C_VALUES[e]) {
      printf("entry %d is (%d, %g), expected (%d, %g)\n", e, columns[e], values[e], C_COLUMNS[e], C_VALUES[e]);
      return 1;
    }
  }
  return 0;
}

#endif  // SAMPLE_H
