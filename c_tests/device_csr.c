// SPDX-License-Identifier: MIT OR Apache-2.0
#include "device_csr.h"

#include "device.h"
#include "harness.h"

size_t bytes_of(oceanDataType_t type) { return type == CUDA_R_32F ? sizeof(float) : sizeof(double); }

void upload_values(void* to, const double* values, int64_t count, oceanDataType_t type) {
  if (type == CUDA_R_64F) {
    device_upload(to, values, (size_t)count * sizeof *values);
    return;
  }
  float* narrow = test_alloc((size_t)count * sizeof *narrow);
  for (int64_t i = 0; i < count; i++) narrow[i] = (float)values[i];
  device_upload(to, narrow, (size_t)count * sizeof *narrow);
}

void download_values(double* to, const void* from, int64_t count, oceanDataType_t type) {
  if (type == CUDA_R_64F) {
    device_download(to, from, (size_t)count * sizeof *to);
    return;
  }
  float* narrow = test_alloc((size_t)count * sizeof *narrow);
  device_download(narrow, from, (size_t)count * sizeof *narrow);
  for (int64_t i = 0; i < count; i++) to[i] = narrow[i];
}

static void upload_pattern(const DeviceCsr* matrix) {
  const Csr* host = &matrix->host;
  const int32_t base = matrix->base == ONE_BASE;
  int32_t* offsets = test_alloc(((size_t)host->rows + 1) * sizeof *offsets);
  int32_t* columns = test_alloc(((size_t)host->nnz + 1) * sizeof *columns);
  for (int64_t i = 0; i <= host->rows; i++) offsets[i] = (int32_t)host->offsets[i] + base;
  for (int64_t e = 0; e < host->nnz; e++) columns[e] = host->columns[e] + base;
  device_upload(matrix->offsets, offsets, ((size_t)host->rows + 1) * sizeof *offsets);
  device_upload(matrix->columns, columns, (size_t)host->nnz * sizeof *columns);
}

static void lay_out(DeviceCsr* matrix) {
  const size_t nnz = (size_t)matrix->host.nnz;
  matrix->offsets = device_alloc(((size_t)matrix->host.rows + 1) * sizeof *matrix->offsets);
  matrix->columns = device_alloc(nnz * sizeof *matrix->columns);
  matrix->values = device_alloc(nnz * bytes_of(matrix->type));
  upload_pattern(matrix);
  upload_values(matrix->values, matrix->host.values, matrix->host.nnz, matrix->type);
}

DeviceCsr device_csr(const Csr* matrix, oceanIndexBase_t base, oceanDataType_t type) {
  DeviceCsr device = {.type = type, .base = base, .host = *matrix};
  lay_out(&device);
  CHECK_OK(oceanCreateCsr(&device.descr, matrix->rows, matrix->cols, matrix->nnz, device.offsets, device.columns,
                          device.values, OCEAN_INDEX_32I, OCEAN_INDEX_32I, base, type));
  return device;
}

static void free_arrays(DeviceCsr* matrix) {
  device_free(matrix->offsets);
  device_free(matrix->columns);
  device_free(matrix->values);
}

void device_csr_close(DeviceCsr* matrix) {
  CHECK_OK(oceanDestroySpMat(matrix->descr));
  free_arrays(matrix);
}

void device_csr_set_values(DeviceCsr* matrix, const Csr* values) {
  matrix->host = *values;
  upload_values(matrix->values, values->values, values->nnz, matrix->type);
}

void device_csr_move(DeviceCsr* matrix) {
  DeviceCsr old = *matrix;
  lay_out(matrix);
  free_arrays(&old);
  CHECK_OK(oceanCsrSetPointers(matrix->descr, matrix->offsets, matrix->columns, matrix->values));
}

void device_csr_check_unchanged(const DeviceCsr* matrix) {
  const Csr* host = &matrix->host;
  const int32_t base = matrix->base == ONE_BASE;
  int32_t* offsets = test_alloc(((size_t)host->rows + 1) * sizeof *offsets);
  int32_t* columns = test_alloc(((size_t)host->nnz + 1) * sizeof *columns);
  double* values = test_alloc(((size_t)host->nnz + 1) * sizeof *values);
  device_download(offsets, matrix->offsets, ((size_t)host->rows + 1) * sizeof *offsets);
  device_download(columns, matrix->columns, (size_t)host->nnz * sizeof *columns);
  download_values(values, matrix->values, host->nnz, matrix->type);
  for (int64_t i = 0; i <= host->rows; i++) CHECK_INT(offsets[i] - base, host->offsets[i]);
  Csr seen = *host;
  seen.columns = columns;
  seen.values = values;
  Csr expected = csr_copy(host);
  for (int64_t e = 0; e < host->nnz; e++) {
    columns[e] -= base;
    expected.values[e] = csr_round(matrix->type, host->values[e]);
  }
  CHECK_SAME(&seen, &expected);
}

Csr download_csr(const void* offsets, const void* columns, const void* values, int64_t rows, int64_t cols, int64_t nnz,
                 oceanIndexBase_t index_base, oceanDataType_t type) {
  const int32_t base = index_base == ONE_BASE;
  int32_t* raw = test_alloc(((size_t)rows + 1) * sizeof *raw);
  device_download(raw, offsets, ((size_t)rows + 1) * sizeof *raw);
  Csr c = csr_finish(csr_begin(rows, cols));
  c.nnz = c.room = nnz;
  c.columns = test_alloc((size_t)nnz * sizeof *c.columns);
  c.values = test_alloc((size_t)nnz * sizeof *c.values);
  device_download(c.columns, columns, (size_t)nnz * sizeof *c.columns);
  download_values(c.values, values, nnz, type);

  CHECK_INT(raw[0], base);
  CHECK_INT(raw[rows] - base, nnz);
  for (int64_t i = 0; i < rows; i++) {
    CHECK(raw[i] <= raw[i + 1] && raw[i + 1] - base <= nnz);
    c.offsets[i + 1] = raw[i + 1] - base;
    for (int64_t e = c.offsets[i]; e < c.offsets[i + 1]; e++) {
      c.columns[e] -= base;
      CHECK(c.columns[e] >= 0 && c.columns[e] < cols);
      CHECK(e == c.offsets[i] || c.columns[e - 1] < c.columns[e]);
    }
  }
  return c;
}
