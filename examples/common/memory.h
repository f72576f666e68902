/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Memory where the handle computes: the GPU's if built with -DOCEAN_EXAMPLES_CUDA=ON, else the host's. */
#ifndef EXAMPLES_MEMORY_H
#define EXAMPLES_MEMORY_H

#include <ocean.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OCEAN_EXAMPLES_CUDA
#include <cuda_runtime_api.h>
static const oceanBackend_t BACKEND = OCEAN_BACKEND_CUDA;
#else
static const oceanBackend_t BACKEND = OCEAN_BACKEND_HOST;
#endif

static inline void memory_need(int done, size_t bytes) {
  if (done) return;
  fprintf(stderr, "memory: %lu bytes failed\n", (unsigned long)bytes);
  exit(EXIT_FAILURE);
}

/* Memory for `bytes`, never NULL. */
static inline void* device_allocate(size_t bytes) {
  void* pointer = NULL;
  if (bytes == 0) bytes = 1;
#ifdef OCEAN_EXAMPLES_CUDA
  memory_need(cudaMalloc(&pointer, bytes) == cudaSuccess, bytes);
#else
  pointer = malloc(bytes);
  memory_need(pointer != NULL, bytes);
#endif
  return pointer;
}

static inline void device_free(void* pointer) {
#ifdef OCEAN_EXAMPLES_CUDA
  cudaFree(pointer);
#else
  free(pointer);
#endif
}

/* Between the host's memory and the device's, either way. */
static inline void device_copy(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
#ifdef OCEAN_EXAMPLES_CUDA
  memory_need(cudaMemcpy(to, from, bytes, cudaMemcpyDefault) == cudaSuccess, bytes);
#else
  memcpy(to, from, bytes);
#endif
}

/* A copy of the host's `bytes` on the device. */
static inline void* device_copy_of(const void* host, size_t bytes) {
  void* pointer = device_allocate(bytes);
  device_copy(pointer, host, bytes);
  return pointer;
}

#endif /* EXAMPLES_MEMORY_H */
