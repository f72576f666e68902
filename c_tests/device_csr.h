// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Matrices of the tests on the device.
#ifndef OCEAN_TEST_DEVICE_CSR_H
#define OCEAN_TEST_DEVICE_CSR_H

#include <ocean.h>
#include <stddef.h>
#include <stdint.h>

#include "csr.h"

#define ZERO_BASE OCEAN_INDEX_BASE_ZERO
#define ONE_BASE OCEAN_INDEX_BASE_ONE

size_t bytes_of(oceanDataType_t type);

// A matrix on the device, with its descriptor.
typedef struct {
  oceanSpMatDescr_t descr;
  int32_t* offsets;
  int32_t* columns;
  void* values;
  oceanDataType_t type;
  oceanIndexBase_t base;
  Csr host;  // what was uploaded
} DeviceCsr;

DeviceCsr device_csr(const Csr* matrix, oceanIndexBase_t base, oceanDataType_t type);
void device_csr_close(DeviceCsr* matrix);
void device_csr_check_unchanged(const DeviceCsr* matrix);
// Into the arrays that are there: other values, the same pattern.
void device_csr_set_values(DeviceCsr* matrix, const Csr* values);
// Frees the arrays and lays the matrix in new ones; the descriptor follows.
void device_csr_move(DeviceCsr* matrix);

void upload_values(void* to, const double* values, int64_t count, oceanDataType_t type);
void download_values(double* to, const void* from, int64_t count, oceanDataType_t type);
// What arrays on the device hold: offsets that rise from the base to nnz, columns in range, strictly ascending in
// each row. Anything else fails the test.
Csr download_csr(const void* offsets, const void* columns, const void* values, int64_t rows, int64_t cols, int64_t nnz,
                 oceanIndexBase_t base, oceanDataType_t type);

#endif  // OCEAN_TEST_DEVICE_CSR_H
