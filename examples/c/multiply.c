/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <ocean.h>
#include <stdint.h>
#include <stdio.h>

int main(void) { /* C = A * A for A = [2 1; 0 3] */
  int32_t offsets[] = {0, 2, 3}, columns[] = {0, 1, 1};
  double values[] = {2, 1, 3}, one = 1;
  const oceanOperation_t N = OCEAN_OPERATION_NON_TRANSPOSE;
  const oceanIndexType_t I = OCEAN_INDEX_32I;
  oceanHandle_t handle;
  oceanSpMatDescr_t a, c;
  oceanCreateWithBackend(&handle, OCEAN_BACKEND_HOST);
  oceanCreateCsr(&a, 2, 2, 3, offsets, columns, values, I, I, OCEAN_INDEX_BASE_ZERO, CUDA_R_64F);
  oceanCreateCsr(&c, 2, 2, 0, NULL, NULL, NULL, I, I, OCEAN_INDEX_BASE_ZERO, CUDA_R_64F);
  if (oceanSpGEMM(handle, N, N, &one, a, a, NULL, NULL, c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT) != OCEAN_STATUS_SUCCESS) {
    fprintf(stderr, "%s\n", oceanGetLastErrorString());
    return 1;
  }
  int64_t rows, cols, nnz;
  void* result;
  oceanSpMatGetSize(c, &rows, &cols, &nnz);
  oceanSpMatGetValues(c, &result);
  for (int64_t i = 0; i < nnz; i++) printf("%g ", ((double*)result)[i]); /* 4 5 9 */
  printf("\n");
  oceanDestroySpMat(c); /* gives C's arrays back */
  oceanDestroySpMat(a);
  oceanDestroy(handle);
  return 0;
}
