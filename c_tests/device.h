// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Memory of the device, for tests: the one place that knows where it lies. With a host handle it is ordinary
// memory; with OCEAN_TEST_CUDA it is the GPU's, through the CUDA runtime. Every array has a guard zone on
// either side, starts out as DEVICE_FRESH bytes (so that nothing can count on zeros), and is counted.
#ifndef OCEAN_TEST_DEVICE_H
#define OCEAN_TEST_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#ifdef OCEAN_TEST_CUDA
#include <cuda_runtime_api.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define DEVICE_FRESH 0xCD  // what a new array holds
#define DEVICE_DEAD 0xFF   // what device_poison leaves: NaN, index -1

// NULL for 0 bytes, as the CUDA runtime does. Ends the program when memory runs out. Aligned to 256 bytes.
void* device_alloc(size_t bytes);
// NULL when memory runs out, so that a test can say that it had to skip.
void* device_try_alloc(size_t bytes);
// NULL is fine. Remembers damage to the guard zones, and a pointer that is not a live array.
void device_free(void* array);
void device_upload(void* to, const void* from, size_t bytes);
void device_download(void* to, const void* from, size_t bytes);
void device_fill(void* to, unsigned char byte, size_t bytes);
// Overwrites a whole array: its contents are not needed any more. NULL is fine.
void device_poison(void* array);
// Whether every byte of an array is this one.
bool device_all(const void* array, unsigned char byte);
size_t device_bytes(const void* array);  // of one live array

size_t device_live_arrays(void);
size_t device_live_bytes(void);
size_t device_peak_bytes(void);  // since the last device_reset_peak
void device_reset_peak(void);
// What went wrong since the last call, or NULL: a damaged guard zone of a live or freed array, a bad free, a
// pending CUDA error.
const char* device_trouble(void);
// Frees every array, after a test that failed half way.
void device_reset(void);

#ifdef __cplusplus
}
#endif

// The samples speak the CUDA runtime's language; without it these stand in.
#ifndef OCEAN_TEST_CUDA
typedef enum { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 } cudaError_t;
typedef enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 } cudaMemcpyKind;

static inline cudaError_t cudaMalloc(void** array, size_t bytes) {
  *array = device_try_alloc(bytes);
  return *array != NULL || bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaFree(void* array) {
  device_free(array);
  return device_trouble() == NULL ? cudaSuccess : cudaErrorInvalidValue;
}

static inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyHostToDevice) device_upload(to, from, bytes);
  if (kind == cudaMemcpyDeviceToHost) device_download(to, from, bytes);
  return cudaSuccess;
}

static inline cudaError_t cudaMemset(void* to, int byte, size_t bytes) {
  device_fill(to, (unsigned char)byte, bytes);
  return cudaSuccess;
}

static inline const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "no error" : error == cudaErrorMemoryAllocation ? "out of memory" : "invalid value";
}
#endif

#endif  // OCEAN_TEST_DEVICE_H
