// SPDX-License-Identifier: MIT OR Apache-2.0
#include "dist_csr.h"

#include <string.h>

#include "../harness.h"

int rank_of(oceanDistHandle_t dist) {
  int rank, ranks, per_node;
  CHECK_OK(oceanDistGetRank(dist, &rank, &ranks, &per_node));
  return rank;
}

int ranks_of(oceanDistHandle_t dist) {
  int rank, ranks, per_node;
  CHECK_OK(oceanDistGetRank(dist, &rank, &ranks, &per_node));
  return ranks;
}

int64_t first_row(int64_t rows, int rank, int ranks) {
  if (ranks >= 3 && rank == 1) rank = 2;
  return rows * rank * rank / ((int64_t)ranks * ranks);
}

static void* index_array(const int64_t* numbers, size_t count, oceanIndexType_t type) {
  const size_t bytes = type == OCEAN_INDEX_32I ? 4 : 8;
  char* array = test_alloc((count + 1) * bytes);
  for (size_t i = 0; i < count; i++) {
    const int32_t narrow = (int32_t)numbers[i];
    memcpy(array + i * bytes, bytes == 4 ? (const void*)&narrow : (const void*)&numbers[i], bytes);
  }
  return array;
}

static void* value_array(const double* values, size_t count, oceanDataType_t type) {
  const size_t bytes = type == CUDA_R_32F ? 4 : 8;
  char* array = test_alloc((count + 1) * bytes);
  for (size_t i = 0; i < count; i++) {
    const float narrow = (float)values[i];
    memcpy(array + i * bytes, bytes == 4 ? (const void*)&narrow : (const void*)&values[i], bytes);
  }
  return array;
}

oceanDistMat_t put_rows(oceanDistHandle_t dist, const Csr* matrix, oceanDataType_t type, oceanIndexType_t offset_type,
                        oceanIndexType_t col_type, oceanIndexBase_t base) {
  const int rank = rank_of(dist), ranks = ranks_of(dist);
  const int64_t first = first_row(matrix->rows, rank, ranks), end = first_row(matrix->rows, rank + 1, ranks);
  const int64_t begin = matrix->offsets[first], nnz = matrix->offsets[end] - begin;
  int64_t* offsets = test_alloc((size_t)(end - first + 1) * sizeof *offsets);
  int64_t* columns = test_alloc((size_t)(nnz + 1) * sizeof *columns);
  for (int64_t i = first; i <= end; i++) offsets[i - first] = matrix->offsets[i] - begin + (int64_t)base;
  for (int64_t e = 0; e < nnz; e++) columns[e] = matrix->columns[begin + e] + (int64_t)base;
  oceanDistMat_t mat = NULL;
  const bool none = first == end;
  CHECK_OK(oceanDistCreateMatRows(dist, &mat, matrix->rows, matrix->cols, first, end - first,
                                  none ? NULL : index_array(offsets, (size_t)(end - first + 1), offset_type),
                                  none ? NULL : index_array(columns, (size_t)nnz, col_type),
                                  none ? NULL : value_array(matrix->values + begin, (size_t)nnz, type), offset_type,
                                  col_type, base, type));
  int64_t rows, cols, local;
  CHECK_OK(oceanDistMatGetSize(mat, &rows, &cols, &local));
  CHECK_INT(rows, matrix->rows);
  CHECK_INT(cols, matrix->cols);
  CHECK_INT(local, nnz);
  return mat;
}

void put_values(oceanDistHandle_t dist, oceanDistMat_t mat, const Csr* matrix) {
  const int rank = rank_of(dist), ranks = ranks_of(dist);
  const int64_t begin = matrix->offsets[first_row(matrix->rows, rank, ranks)];
  const int64_t end = matrix->offsets[first_row(matrix->rows, rank + 1, ranks)];
  CHECK_OK(oceanDistMatSetValues(mat, end - begin, matrix->values + begin));
}

oceanDistMat_t put_entries(oceanDistHandle_t dist, const Csr* matrix, oceanDataType_t type, oceanIndexBase_t base) {
  const int rank = rank_of(dist), ranks = ranks_of(dist);
  int64_t* rows = test_alloc((size_t)(matrix->nnz + 1) * sizeof *rows);
  int64_t* columns = test_alloc((size_t)(matrix->nnz + 1) * sizeof *columns);
  double* values = test_alloc((size_t)(matrix->nnz + 1) * sizeof *values);
  size_t count = 0;
  for (int64_t i = matrix->rows - 1; i >= 0; i--) {
    for (int64_t e = matrix->offsets[i + 1] - 1; e >= matrix->offsets[i]; e--) {
      if (e % ranks != rank) continue;
      rows[count] = i + (int64_t)base;
      columns[count] = matrix->columns[e] + (int64_t)base;
      values[count++] = matrix->values[e];
    }
  }
  oceanDistMat_t mat = NULL;
  CHECK_OK(oceanDistCreateMatCoo(
      dist, &mat, matrix->rows, matrix->cols, (int64_t)count, index_array(rows, count, OCEAN_INDEX_32I),
      index_array(columns, count, OCEAN_INDEX_32I), value_array(values, count, type), OCEAN_INDEX_32I, base, type));
  return mat;
}

void check_rows(oceanDistHandle_t dist, oceanDistMat_t mat, const Csr* want, oceanDataType_t type, bool even) {
  const int rank = rank_of(dist), ranks = ranks_of(dist);
  int64_t first = -1, rows = -1, nnz = -1;
  CHECK_OK(oceanDistMatGetRows(mat, &first, &rows, &nnz));
  CHECK_INT(first, even ? want->rows * rank / ranks : first_row(want->rows, rank, ranks));
  CHECK_INT(first + rows, even ? want->rows * (rank + 1) / ranks : first_row(want->rows, rank + 1, ranks));
  const int64_t begin = want->offsets[first];
  CHECK_INT(nnz, want->offsets[first + rows] - begin);

  int32_t* offsets = test_alloc((size_t)(rows + 1) * sizeof *offsets);
  int64_t* columns = test_alloc((size_t)(nnz + 1) * sizeof *columns);
  void* values = test_alloc((size_t)(nnz + 1) * 8);
  CHECK_OK(oceanDistMatCopyRows(mat, offsets, columns, values, OCEAN_INDEX_32I, OCEAN_INDEX_64I, OCEAN_INDEX_BASE_ONE));
  const int64_t* lent_offsets = NULL;
  const int32_t* lent_columns = NULL;
  const void* lent_values = NULL;
  CHECK_OK(oceanDistMatGetPointers(mat, &lent_offsets, &lent_columns, &lent_values));
  for (int64_t i = 0; i <= rows; i++) {
    CHECK_INT(lent_offsets[i], want->offsets[first + i] - begin);
    CHECK_INT(offsets[i], lent_offsets[i] + 1);
  }
  const double* expected = want->values + begin;
  for (int64_t e = 0; e < nnz; e++) {
    CHECK_INT(lent_columns[e], want->columns[begin + e]);
    CHECK_INT(columns[e], lent_columns[e] + 1);
    const float narrow = (float)expected[e];
    const void* wanted = type == CUDA_R_32F ? (const void*)&narrow : (const void*)&expected[e];
    const size_t bytes = type == CUDA_R_32F ? 4 : 8;
    CHECK(memcmp((const char*)lent_values + (size_t)e * bytes, wanted, bytes) == 0);
    CHECK(memcmp((const char*)values + (size_t)e * bytes, wanted, bytes) == 0);
  }
}
