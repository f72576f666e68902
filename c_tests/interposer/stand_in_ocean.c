// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A stand-in for libocean.so.0 that computes nothing, and tells how its handle was made and used. With
// STAND_IN_OCEAN_STATUS set it makes no handle and answers that. Enums are ints here, and descriptors are all alike.
#include <stdint.h>
#include <stdlib.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 10, SIZE = 512 };

static int backend, pointer_mode, live_handles;
static void* stream;
static int64_t nnz;
static char object;

int stand_in_ocean_backend(void) { return backend; }
int stand_in_ocean_pointer_mode(void) { return pointer_mode; }
void* stand_in_ocean_stream(void) { return stream; }
int stand_in_ocean_live_handles(void) { return live_handles; }

const char* oceanGetLastErrorString(void) { return "the stand-in refuses"; }

int oceanCreateWithBackend(void** handle, int wanted) {
  const char* status = getenv("STAND_IN_OCEAN_STATUS");
  if (status != NULL) return atoi(status);
  backend = wanted;
  live_handles++;
  *handle = &object;
  return SUCCESS;
}

int oceanDestroy(void* handle) {
  live_handles -= handle == &object;
  return SUCCESS;
}

int oceanSetStream(void* handle, void* wanted) {
  stream = wanted;
  return handle == &object ? SUCCESS : NOT_SUPPORTED;
}

int oceanSetPointerMode(void* handle, int wanted) {
  pointer_mode = wanted;
  return handle == &object ? SUCCESS : NOT_SUPPORTED;
}

int oceanCreateCsr(void** matrix, int64_t rows, int64_t cols, int64_t entries) {
  (void)rows, (void)cols;
  nnz = entries;
  *matrix = &object;
  return SUCCESS;
}

int oceanDestroySpMat(void* matrix) { return matrix == &object ? SUCCESS : NOT_SUPPORTED; }

// Of the matrix described last, which is C.
int oceanSpMatGetSize(void* matrix, int64_t* rows, int64_t* cols, int64_t* entries) {
  *rows = *cols = 0;
  *entries = nnz;
  return matrix == &object ? SUCCESS : NOT_SUPPORTED;
}

int oceanSpGEMM_createDescr(void** product) {
  *product = &object;
  return SUCCESS;
}

int oceanSpGEMM_destroyDescr(void* product) { return product == &object ? SUCCESS : NOT_SUPPORTED; }

int oceanSpGEMM_workEstimation(void* handle, int op_a, int op_b, const void* alpha, void* a, void* b, const void* beta,
                               void* c, int type, int alg, void* product, size_t* size, void* buffer) {
  (void)handle, (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)beta, (void)c;
  (void)type, (void)alg, (void)product;
  if (buffer == NULL) *size = SIZE;
  return SUCCESS;
}

// Steps that no test takes here; the interposer wants them to be there.
#define MISSING(name) \
  int name(void) { return NOT_SUPPORTED; }
MISSING(oceanSpGEMM_getNumProducts)
MISSING(oceanSpGEMM_estimateMemory)
MISSING(oceanSpGEMM_compute)
MISSING(oceanSpGEMM_copy)
MISSING(oceanSpGEMMreuse_workEstimation)
MISSING(oceanSpGEMMreuse_nnz)
MISSING(oceanSpGEMMreuse_copy)
MISSING(oceanSpGEMMreuse_compute)
