/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* C = A * B by the staged calls, as a program written for cuSPARSE makes them; here with memory of the host. */
#include <ocean.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                                  \
  do {                                                                                               \
    oceanStatus_t status_ = (call);                                                                  \
    if (status_ != OCEAN_STATUS_SUCCESS) {                                                           \
      fprintf(stderr, "%s: %s: %s\n", #call, oceanGetErrorName(status_), oceanGetLastErrorString()); \
      return EXIT_FAILURE;                                                                           \
    }                                                                                                \
  } while (0)

int main(void) {
  int a_offsets[] = {0, 3, 4, 7, 9};
  int a_columns[] = {0, 2, 3, 1, 0, 2, 3, 1, 3};
  float a_values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  int b_offsets[] = {0, 2, 4, 7, 8};
  int b_columns[] = {0, 3, 1, 3, 0, 1, 2, 1};
  float b_values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const int expected_offsets[] = {0, 4, 6, 10, 12};
  const int expected_columns[] = {0, 1, 2, 3, 1, 3, 0, 1, 2, 3, 1, 3};
  const float expected_values[] = {11, 36, 14, 2, 12, 16, 35, 92, 42, 10, 96, 32};

  const oceanOperation_t plain = OCEAN_OPERATION_NON_TRANSPOSE;
  const oceanSpGEMMAlg_t algorithm = OCEAN_SPGEMM_DEFAULT;
  const float one = 1, zero = 0;
  oceanHandle_t handle = NULL;
  oceanSpMatDescr_t a = NULL, b = NULL, c = NULL;
  oceanSpGEMMDescr_t product = NULL;
  size_t bytes1 = 0, bytes2 = 0;
  void *buffer1 = NULL, *buffer2 = NULL;
  int64_t rows = 0, columns = 0, entries = 0;
  int c_offsets[5];
  int* c_columns = NULL;
  float* c_values = NULL;

  CHECK(oceanCreateWithBackend(&handle, OCEAN_BACKEND_HOST));
  CHECK(oceanCreateCsr(&a, 4, 4, 9, a_offsets, a_columns, a_values, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                       OCEAN_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(oceanCreateCsr(&b, 4, 4, 8, b_offsets, b_columns, b_values, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                       OCEAN_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(oceanCreateCsr(&c, 4, 4, 0, c_offsets, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO,
                       CUDA_R_32F));
  CHECK(oceanSpGEMM_createDescr(&product));

  CHECK(oceanSpGEMM_workEstimation(handle, plain, plain, &one, a, b, &zero, c, CUDA_R_32F, algorithm, product, &bytes1,
                                   NULL));
  buffer1 = malloc(bytes1);
  CHECK(oceanSpGEMM_workEstimation(handle, plain, plain, &one, a, b, &zero, c, CUDA_R_32F, algorithm, product, &bytes1,
                                   buffer1));
  CHECK(oceanSpGEMM_compute(handle, plain, plain, &one, a, b, &zero, c, CUDA_R_32F, algorithm, product, &bytes2, NULL));
  buffer2 = malloc(bytes2);
  CHECK(oceanSpGEMM_compute(handle, plain, plain, &one, a, b, &zero, c, CUDA_R_32F, algorithm, product, &bytes2,
                            buffer2));

  CHECK(oceanSpMatGetSize(c, &rows, &columns, &entries));
  if (rows != 4 || columns != 4 || entries != 12) {
    fprintf(stderr, "C is %d by %d with %d entries\n", (int)rows, (int)columns, (int)entries);
    return EXIT_FAILURE;
  }
  c_columns = malloc((size_t)entries * sizeof *c_columns);
  c_values = malloc((size_t)entries * sizeof *c_values);
  CHECK(oceanCsrSetPointers(c, c_offsets, c_columns, c_values));
  CHECK(oceanSpGEMM_copy(handle, plain, plain, &one, a, b, &zero, c, CUDA_R_32F, algorithm, product));

  if (memcmp(c_offsets, expected_offsets, sizeof expected_offsets) != 0 ||
      memcmp(c_columns, expected_columns, sizeof expected_columns) != 0 ||
      memcmp(c_values, expected_values, sizeof expected_values) != 0) {
    fprintf(stderr, "C is wrong\n");
    return EXIT_FAILURE;
  }

  CHECK(oceanSpGEMM_destroyDescr(product));
  CHECK(oceanDestroySpMat(a));
  CHECK(oceanDestroySpMat(b));
  CHECK(oceanDestroySpMat(c));
  CHECK(oceanDestroy(handle));
  free(buffer1);
  free(buffer2);
  free(c_columns);
  free(c_values);
  printf("C: ocean %d.%d multiplied\n", OCEAN_VER_MAJOR, OCEAN_VER_MINOR);
  return EXIT_SUCCESS;
}
