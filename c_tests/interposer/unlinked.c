// SPDX-License-Identifier: MIT OR Apache-2.0
//
// unlinked STATUS [FILE]: a program that is linked to the interposer alone, which has to find cuSPARSE by itself. The
// first call is to end with this status, and to come from a library of this file.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cusparse.h"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  cusparseSpMatDescr_t matrix = NULL;
  const cusparseStatus_t status = cusparseCreateCsr(&matrix, 1, 1, 0, NULL, NULL, NULL, CUSPARSE_INDEX_32I,
                                                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  if (status != (cusparseStatus_t)atoi(argv[1])) {
    fprintf(stderr, "status %d\n", (int)status);
    return 1;
  }
  if (argc > 2 && dlopen(argv[2], RTLD_NOLOAD | RTLD_LAZY) == NULL) {
    fprintf(stderr, "%s is not loaded\n", argv[2]);
    return 1;
  }
  return 0;
}
