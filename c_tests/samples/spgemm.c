// SPDX-License-Identifier: MIT OR Apache-2.0
//
// C = A * B in three steps, each with its size query.
#include "sample.h"

int main(void) {
  const float alpha = 1.0f, beta = 0.0f;
  const cusparseOperation_t op_a = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseOperation_t op_b = CUSPARSE_OPERATION_NON_TRANSPOSE;

  // A and B on the device; of C only the row offsets, whose number is known.
  int *a_offsets, *a_columns, *b_offsets, *b_columns, *c_offsets, *c_columns;
  float *a_values, *b_values, *c_values;
  CHECK_CUDA(cudaMalloc((void**)&a_offsets, sizeof A_OFFSETS));
  CHECK_CUDA(cudaMalloc((void**)&a_columns, sizeof A_COLUMNS));
  CHECK_CUDA(cudaMalloc((void**)&a_values, sizeof A_VALUES));
  CHECK_CUDA(cudaMalloc((void**)&b_offsets, sizeof B_OFFSETS));
  CHECK_CUDA(cudaMalloc((void**)&b_columns, sizeof B_COLUMNS));
  CHECK_CUDA(cudaMalloc((void**)&b_values, sizeof B_VALUES));
  CHECK_CUDA(cudaMalloc((void**)&c_offsets, sizeof C_OFFSETS));
  CHECK_CUDA(cudaMemcpy(a_offsets, A_OFFSETS, sizeof A_OFFSETS, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(a_columns, A_COLUMNS, sizeof A_COLUMNS, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(a_values, A_VALUES, sizeof A_VALUES, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(b_offsets, B_OFFSETS, sizeof B_OFFSETS, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(b_columns, B_COLUMNS, sizeof B_COLUMNS, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(b_values, B_VALUES, sizeof B_VALUES, cudaMemcpyHostToDevice));

  cusparseHandle_t handle = NULL;
  cusparseSpMatDescr_t a, b, c;
  cusparseSpGEMMDescr_t descr;
  CHECK_CUSPARSE(cusparseCreate(&handle));
  CHECK_CUSPARSE(cusparseCreateCsr(&a, ROWS, ROWS, A_NNZ, a_offsets, a_columns, a_values, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK_CUSPARSE(cusparseCreateCsr(&b, ROWS, ROWS, B_DECLARED_NNZ, b_offsets, b_columns, b_values, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK_CUSPARSE(cusparseCreateCsr(&c, ROWS, ROWS, 0, c_offsets, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK_CUSPARSE(cusparseSpGEMM_createDescr(&descr));

  // Look at A and B.
  void *buffer1 = NULL, *buffer2 = NULL;
  size_t size1 = 0, size2 = 0;
  CHECK_CUSPARSE(cusparseSpGEMM_workEstimation(handle, op_a, op_b, &alpha, a, b, &beta, c, CUDA_R_32F,
                                               CUSPARSE_SPGEMM_DEFAULT, descr, &size1, NULL));
  CHECK_CUDA(cudaMalloc(&buffer1, size1));
  CHECK_CUSPARSE(cusparseSpGEMM_workEstimation(handle, op_a, op_b, &alpha, a, b, &beta, c, CUDA_R_32F,
                                               CUSPARSE_SPGEMM_DEFAULT, descr, &size1, buffer1));

  // Multiply into the second buffer.
  CHECK_CUSPARSE(cusparseSpGEMM_compute(handle, op_a, op_b, &alpha, a, b, &beta, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT,
                                        descr, &size2, NULL));
  CHECK_CUDA(cudaMalloc(&buffer2, size2));
  CHECK_CUSPARSE(cusparseSpGEMM_compute(handle, op_a, op_b, &alpha, a, b, &beta, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT,
                                        descr, &size2, buffer2));

  // Now the number of entries is known: make room, and have them copied there.
  int64_t rows, cols, nnz;
  CHECK_CUSPARSE(cusparseSpMatGetSize(c, &rows, &cols, &nnz));
  if (rows != ROWS || cols != ROWS || nnz != C_NNZ) {
    printf("C is %d x %d with %d entries\n", (int)rows, (int)cols, (int)nnz);
    return EXIT_FAILURE;
  }
  CHECK_CUDA(cudaMalloc((void**)&c_columns, (size_t)nnz * sizeof(int)));
  CHECK_CUDA(cudaMalloc((void**)&c_values, (size_t)nnz * sizeof(float)));
  CHECK_CUSPARSE(cusparseCsrSetPointers(c, c_offsets, c_columns, c_values));
  CHECK_CUSPARSE(
      cusparseSpGEMM_copy(handle, op_a, op_b, &alpha, a, b, &beta, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, descr));

  // Everything may go before the result is read.
  CHECK_CUSPARSE(cusparseSpGEMM_destroyDescr(descr));
  CHECK_CUSPARSE(cusparseDestroySpMat(a));
  CHECK_CUSPARSE(cusparseDestroySpMat(b));
  CHECK_CUSPARSE(cusparseDestroySpMat(c));
  CHECK_CUSPARSE(cusparseDestroy(handle));

  int offsets[ROWS + 1], columns[C_NNZ];
  float values[C_NNZ];
  CHECK_CUDA(cudaMemcpy(offsets, c_offsets, sizeof offsets, cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemcpy(columns, c_columns, sizeof columns, cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemcpy(values, c_values, sizeof values, cudaMemcpyDeviceToHost));
  const int wrong = compare(offsets, columns, values);
  printf("spgemm_example test %s\n", wrong ? "FAILED" : "PASSED");

  CHECK_CUDA(cudaFree(buffer1));
  CHECK_CUDA(cudaFree(buffer2));
  CHECK_CUDA(cudaFree(a_offsets));
  CHECK_CUDA(cudaFree(a_columns));
  CHECK_CUDA(cudaFree(a_values));
  CHECK_CUDA(cudaFree(b_offsets));
  CHECK_CUDA(cudaFree(b_columns));
  CHECK_CUDA(cudaFree(b_values));
  CHECK_CUDA(cudaFree(c_offsets));
  CHECK_CUDA(cudaFree(c_columns));
  CHECK_CUDA(cudaFree(c_values));
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
