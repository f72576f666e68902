// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A program with a CUDA runtime of its own (shared) beside the library's (static): the library works on the device and
// stream that the program chose, leaves both and the runtime's error state alone, and can be opened and closed. Prints
// what the first and later calls cost. Needs a GPU; exits 77 without one.
//
//   cc c_tests/gpu/coexist.c -Iinclude -I$CUDA_HOME/include -L$CUDA_HOME/lib64 -lcudart -ldl -o coexist
//   ./coexist path/to/libocean.so.0
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <ocean.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                      \
    }                                                                               \
  } while (0)

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

// ISO C has no cast from an object pointer to a function pointer, POSIX promises the bits.
#define LOAD(library, function)                    \
  __typeof__(function)* p_##function;              \
  do {                                             \
    void* symbol = dlsym(library, #function);      \
    CHECK(symbol != NULL);                         \
    memcpy(&p_##function, &symbol, sizeof symbol); \
  } while (0)

enum { ROWS = 1000 };

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    printf("skipped: no GPU\n");
    return 77;
  }
  const int chosen = devices - 1;
  CHECK(cudaSetDevice(chosen) == cudaSuccess);
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);

  int host_offsets[ROWS + 1], host_columns[ROWS];
  for (int i = 0; i <= ROWS; i++) host_offsets[i] = i;
  for (int i = 0; i < ROWS; i++) host_columns[i] = (i + 1) % ROWS;
  int *offsets, *columns;
  CHECK(cudaMalloc((void**)&offsets, sizeof host_offsets) == cudaSuccess);
  CHECK(cudaMalloc((void**)&columns, sizeof host_columns) == cudaSuccess);
  CHECK(cudaMemcpyAsync(offsets, host_offsets, sizeof host_offsets, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(columns, host_columns, sizeof host_columns, cudaMemcpyHostToDevice, stream) == cudaSuccess);

  for (int round = 0; round < 2; round++) {
    void* library = dlopen(argc > 1 ? argv[1] : "libocean.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fprintf(stderr, "%s\n", dlerror());
    CHECK(library != NULL);
    LOAD(library, oceanCreateWithBackend);
    LOAD(library, oceanSetStream);
    LOAD(library, oceanCreateConstCsr);
    LOAD(library, oceanSpMatCheck);
    LOAD(library, oceanDestroySpMat);
    LOAD(library, oceanDestroy);
    LOAD(library, oceanGetLastErrorString);

    oceanHandle_t handle;
    oceanConstSpMatDescr_t good, bad;
    CHECK(p_oceanCreateWithBackend(&handle, OCEAN_BACKEND_CUDA) == OCEAN_STATUS_SUCCESS);
    CHECK(p_oceanSetStream(handle, stream) == OCEAN_STATUS_SUCCESS);
    CHECK(p_oceanCreateConstCsr(&good, ROWS, ROWS, ROWS, offsets, columns, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                                OCEAN_INDEX_BASE_ZERO, CUDA_R_64F) == OCEAN_STATUS_SUCCESS);
    CHECK(p_oceanCreateConstCsr(&bad, ROWS, ROWS - 1, ROWS, offsets, columns, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                                OCEAN_INDEX_BASE_ZERO, CUDA_R_64F) == OCEAN_STATUS_SUCCESS);
    for (int call = 0; call < 3; call++) {
      const double begin = milliseconds();
      const oceanStatus_t status = p_oceanSpMatCheck(handle, good, OCEAN_CHECK_CANONICAL);
      printf("round %d, call %d: %.3f ms\n", round, call, milliseconds() - begin);
      if (status != OCEAN_STATUS_SUCCESS) fprintf(stderr, "%s\n", p_oceanGetLastErrorString());
      CHECK(status == OCEAN_STATUS_SUCCESS);
    }
    CHECK(p_oceanSpMatCheck(handle, bad, OCEAN_CHECK_STRUCTURE) == OCEAN_STATUS_INVALID_VALUE);
    CHECK(strstr(p_oceanGetLastErrorString(), "row 998") != NULL);

    int device = -1;
    CHECK(cudaGetDevice(&device) == cudaSuccess && device == chosen);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(p_oceanDestroySpMat(good) == OCEAN_STATUS_SUCCESS && p_oceanDestroySpMat(bad) == OCEAN_STATUS_SUCCESS);
    CHECK(p_oceanDestroy(handle) == OCEAN_STATUS_SUCCESS);
    CHECK(dlclose(library) == 0);
  }
  CHECK(cudaFree(offsets) == cudaSuccess && cudaFree(columns) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  printf("coexist test PASSED on device %d of %d\n", chosen, devices);
  return 0;
}
