// SPDX-License-Identifier: MIT OR Apache-2.0
//
// on_gpu [interposed]: a program of CUDA and cuSPARSE alone, for a machine with a GPU. It squares a tridiagonal matrix
// on a stream of its own, with scalars on the device, twice by one descriptor, and has cuSPARSE itself multiply the
// result by a vector. Ends with 0 if all is right; with "interposed", the current device and a pending CUDA error must
// have stayed too.
//
//   cc on_gpu.c -I$CUDA_HOME/include -L$CUDA_HOME/lib64 -lcusparse -lcudart -o on_gpu
//   LD_PRELOAD=libocean_cusparse.so OCEAN_STATS=1 ./on_gpu interposed
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                      \
    }                                                                               \
  } while (0)
#define CUDA(call) CHECK((call) == cudaSuccess)
#define OK(call) CHECK((call) == CUSPARSE_STATUS_SUCCESS)

enum { ROWS = 1000, A_NNZ = 3 * ROWS - 2, C_NNZ = 5 * ROWS - 6 };

static void* device_copy(const void* from, size_t bytes) {
  void* copy;
  CUDA(cudaMalloc(&copy, bytes));
  CUDA(cudaMemcpy(copy, from, bytes, cudaMemcpyHostToDevice));
  return copy;
}

// The entries |i - j| <= band of each row; values come from the product of ones for band 2.
static int fill(int band, int* offsets, int* columns, double* values) {
  int count = 0;
  for (int i = 0; i < ROWS; i++) {
    offsets[i] = count;
    for (int j = i - band; j <= i + band; j++) {
      if (j < 0 || j >= ROWS) continue;
      double terms = 0;
      for (int k = i - 1; k <= i + 1; k++) terms += k >= 0 && k < ROWS && abs(j - k) <= 1;
      columns[count] = j;
      values[count++] = band == 1 ? 1 : terms;
    }
  }
  offsets[ROWS] = count;
  return count;
}

int main(int argc, char** argv) {
  const int interposed = argc > 1 && strcmp(argv[1], "interposed") == 0;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    printf("skipped: no GPU\n");
    return 77;
  }
  const int chosen = devices - 1;
  CUDA(cudaSetDevice(chosen));
  static int offsets[ROWS + 1], columns[C_NNZ], c_offsets_is[ROWS + 1], c_columns_is[C_NNZ];
  static double values[C_NNZ], c_values_is[C_NNZ], y_is[ROWS];
  CHECK(fill(1, offsets, columns, values) == A_NNZ);
  int* a_offsets = device_copy(offsets, sizeof offsets);
  int* a_columns = device_copy(columns, A_NNZ * sizeof *columns);
  double* a_values = device_copy(values, A_NNZ * sizeof *values);
  const double host_scalars[] = {1, 0};
  double* scalars = device_copy(host_scalars, sizeof host_scalars);
  CHECK(fill(2, offsets, columns, values) == C_NNZ);

  cudaStream_t stream;
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cusparseHandle_t handle;
  OK(cusparseCreate(&handle));
  OK(cusparseSetStream(handle, stream));
  OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  cusparseSpMatDescr_t a, c;
  cusparseSpGEMMDescr_t product;
  int *c_offsets, *c_columns;
  double* c_values;
  CUDA(cudaMalloc((void**)&c_offsets, sizeof offsets));
  OK(cusparseCreateCsr(&a, ROWS, ROWS, A_NNZ, a_offsets, a_columns, a_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                       CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  OK(cusparseCreateCsr(&c, ROWS, ROWS, 0, c_offsets, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                       CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  OK(cusparseSpGEMM_createDescr(&product));

  // An error that the program has not looked at yet.
  void* too_much;
  CHECK(cudaMalloc(&too_much, (size_t)1 << 50) == cudaErrorMemoryAllocation);

#define PRODUCT                                                                                                  \
  handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &scalars[0], a, a, &scalars[1], c, \
      CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, product
  size_t size1 = 0, size2 = 0;
  void *buffer1, *buffer2;
  OK(cusparseSpGEMM_workEstimation(PRODUCT, &size1, NULL));
  CUDA(cudaMalloc(&buffer1, size1));
  OK(cusparseSpGEMM_workEstimation(PRODUCT, &size1, buffer1));
  OK(cusparseSpGEMM_compute(PRODUCT, &size2, NULL));
  CUDA(cudaMalloc(&buffer2, size2));
  for (int round = 0; round < 2; round++) {
    OK(cusparseSpGEMM_compute(PRODUCT, &size2, buffer2));
    int64_t rows, cols, nnz;
    OK(cusparseSpMatGetSize(c, &rows, &cols, &nnz));
    CHECK(rows == ROWS && cols == ROWS && nnz == C_NNZ);
    if (round == 0) {
      CUDA(cudaMalloc((void**)&c_columns, C_NNZ * sizeof *c_columns));
      CUDA(cudaMalloc((void**)&c_values, C_NNZ * sizeof *c_values));
      OK(cusparseCsrSetPointers(c, c_offsets, c_columns, c_values));
    }
    OK(cusparseSpGEMM_copy(PRODUCT));
  }
  int device = -1;
  CUDA(cudaGetDevice(&device));
  if (interposed) CHECK(device == chosen && cudaPeekAtLastError() == cudaErrorMemoryAllocation);
  (void)cudaGetLastError();
  OK(cusparseSpGEMM_destroyDescr(product));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaFree(buffer1));
  CUDA(cudaFree(buffer2));
  CUDA(cudaMemcpy(c_offsets_is, c_offsets, sizeof offsets, cudaMemcpyDeviceToHost));
  CUDA(cudaMemcpy(c_columns_is, c_columns, sizeof columns, cudaMemcpyDeviceToHost));
  CUDA(cudaMemcpy(c_values_is, c_values, sizeof values, cudaMemcpyDeviceToHost));
  CHECK(memcmp(c_offsets_is, offsets, sizeof offsets) == 0);
  CHECK(memcmp(c_columns_is, columns, sizeof columns) == 0);
  CHECK(memcmp(c_values_is, values, sizeof values) == 0);

  // y = C x for ones: cuSPARSE itself reads C, and has to know how many entries it has.
  static double ones[ROWS];
  for (int i = 0; i < ROWS; i++) ones[i] = 1;
  double *x = device_copy(ones, sizeof ones), *y = device_copy(ones, sizeof ones);
  cusparseDnVecDescr_t x_descr, y_descr;
  OK(cusparseCreateDnVec(&x_descr, ROWS, x, CUDA_R_64F));
  OK(cusparseCreateDnVec(&y_descr, ROWS, y, CUDA_R_64F));
#define VECTOR                                                                                         \
  handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &scalars[0], c, x_descr, &scalars[1], y_descr, CUDA_R_64F, \
      CUSPARSE_SPMV_ALG_DEFAULT
  size_t size = 0;
  void* buffer = NULL;
  OK(cusparseSpMV_bufferSize(VECTOR, &size));
  CUDA(cudaMalloc(&buffer, size));
  OK(cusparseSpMV(VECTOR, buffer));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaMemcpy(y_is, y, sizeof y_is, cudaMemcpyDeviceToHost));
  for (int i = 0; i < ROWS; i++) {
    double sum = 0;
    for (int e = offsets[i]; e < offsets[i + 1]; e++) sum += values[e];
    CHECK(y_is[i] == sum);
  }
  OK(cusparseDestroyDnVec(x_descr));
  OK(cusparseDestroyDnVec(y_descr));
  OK(cusparseDestroySpMat(a));
  OK(cusparseDestroySpMat(c));
  OK(cusparseDestroy(handle));
  CUDA(cudaStreamDestroy(stream));
  printf("on_gpu test PASSED\n");
  return 0;
}
