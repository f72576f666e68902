// SPDX-License-Identifier: MIT OR Apache-2.0
#include "device.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Four primitives are all that differs between the two kinds of memory.
#ifdef OCEAN_TEST_CUDA
static void* raw_alloc(size_t bytes) {
  void* memory = NULL;
  return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : NULL;
}
static void raw_free(void* memory) { cudaFree(memory); }
static void raw_copy(void* to, const void* from, size_t bytes) { cudaMemcpy(to, from, bytes, cudaMemcpyDefault); }
static void raw_fill(void* to, int byte, size_t bytes) { cudaMemset(to, byte, bytes); }
static const char* pending_error(void) {
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}
#else
static void* raw_alloc(size_t bytes) {
  const size_t alignment = 256;  // what cudaMalloc promises
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
static void raw_free(void* memory) { free(memory); }
static void raw_copy(void* to, const void* from, size_t bytes) { memcpy(to, from, bytes); }
static void raw_fill(void* to, int byte, size_t bytes) { memset(to, byte, bytes); }
static const char* pending_error(void) { return NULL; }
#endif

enum { GUARD_BYTES = 256, GUARD_BYTE = 0xA5 };

typedef struct Array {
  unsigned char* start;  // what the test sees; the guard zones lie around it
  size_t bytes;
  struct Array* next;
} Array;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Array* arrays;
static size_t live_arrays, live_bytes, peak_bytes;
static char trouble[256];

static void note(const char* what, const void* start, size_t bytes) {
  if (trouble[0] == '\0') snprintf(trouble, sizeof trouble, "%s (array %p of %zu bytes)", what, start, bytes);
}

static bool zone_is(const unsigned char* zone, unsigned char byte, size_t bytes) {
  unsigned char chunk[4096];
  for (size_t at = 0; at < bytes; at += sizeof chunk) {
    const size_t part = bytes - at < sizeof chunk ? bytes - at : sizeof chunk;
    raw_copy(chunk, zone + at, part);
    for (size_t i = 0; i < part; i++) {
      if (chunk[i] != byte) return false;
    }
  }
  return true;
}

static void check_guards(const Array* array) {
  if (!zone_is(array->start - GUARD_BYTES, GUARD_BYTE, GUARD_BYTES))
    note("written before its start", array->start, array->bytes);
  if (!zone_is(array->start + array->bytes, GUARD_BYTE, GUARD_BYTES))
    note("written past its end", array->start, array->bytes);
}

void* device_try_alloc(size_t bytes) {
  if (bytes == 0) return NULL;
  if (bytes > SIZE_MAX / 2) return NULL;
  unsigned char* memory = raw_alloc(bytes + 2 * GUARD_BYTES);
  Array* array = malloc(sizeof *array);
  if (memory == NULL || array == NULL) {
    if (memory != NULL) raw_free(memory);
    free(array);
    return NULL;
  }
  raw_fill(memory, GUARD_BYTE, GUARD_BYTES);
  raw_fill(memory + GUARD_BYTES, DEVICE_FRESH, bytes);
  raw_fill(memory + GUARD_BYTES + bytes, GUARD_BYTE, GUARD_BYTES);

  pthread_mutex_lock(&lock);
  *array = (Array){memory + GUARD_BYTES, bytes, arrays};
  arrays = array;
  live_arrays++;
  live_bytes += bytes;
  if (live_bytes > peak_bytes) peak_bytes = live_bytes;
  pthread_mutex_unlock(&lock);
  return array->start;
}

void* device_alloc(size_t bytes) {
  void* array = device_try_alloc(bytes);
  if (array == NULL && bytes > 0) {
    fprintf(stderr, "test: no room for an array of %zu bytes\n", bytes);
    exit(1);
  }
  return array;
}

void device_free(void* array) {
  if (array == NULL) return;
  pthread_mutex_lock(&lock);
  Array** link = &arrays;
  while (*link != NULL && (*link)->start != array) link = &(*link)->next;
  Array* found = *link;
  if (found == NULL) {
    note("freed, but not a live array", array, 0);
  } else {
    *link = found->next;
    live_arrays--;
    live_bytes -= found->bytes;
    check_guards(found);
  }
  pthread_mutex_unlock(&lock);
  if (found != NULL) {
    // Whoever still reads it finds nonsense, even where the allocator keeps the page.
    raw_fill(found->start, DEVICE_DEAD, found->bytes);
    raw_free(found->start - GUARD_BYTES);
    free(found);
  }
}

void device_upload(void* to, const void* from, size_t bytes) {
  if (bytes > 0) raw_copy(to, from, bytes);
}

void device_download(void* to, const void* from, size_t bytes) {
  if (bytes > 0) raw_copy(to, from, bytes);
}

void device_fill(void* to, unsigned char byte, size_t bytes) {
  if (bytes > 0) raw_fill(to, byte, bytes);
}

size_t device_bytes(const void* array) {
  size_t bytes = 0;
  pthread_mutex_lock(&lock);
  for (const Array* each = arrays; each != NULL; each = each->next) {
    if (each->start == array) bytes = each->bytes;
  }
  pthread_mutex_unlock(&lock);
  return bytes;
}

void device_poison(void* array) { device_fill(array, DEVICE_DEAD, device_bytes(array)); }

bool device_all(const void* array, unsigned char byte) { return zone_is(array, byte, device_bytes(array)); }

size_t device_live_arrays(void) { return live_arrays; }
size_t device_live_bytes(void) { return live_bytes; }
size_t device_peak_bytes(void) { return peak_bytes; }
void device_reset_peak(void) { peak_bytes = live_bytes; }

const char* device_trouble(void) {
  static _Thread_local char reported[sizeof trouble];
  pthread_mutex_lock(&lock);
  for (const Array* each = arrays; each != NULL; each = each->next) check_guards(each);
  const char* error = pending_error();
  if (error != NULL) note(error, NULL, 0);
  memcpy(reported, trouble, sizeof reported);
  trouble[0] = '\0';
  pthread_mutex_unlock(&lock);
  return reported[0] == '\0' ? NULL : reported;
}

void device_reset(void) {
  while (arrays != NULL) device_free(arrays->start);
  trouble[0] = '\0';
}
