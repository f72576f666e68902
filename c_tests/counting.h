// SPDX-License-Identifier: MIT OR Apache-2.0
//
// An allocator for oceanSetAllocator that counts, checks what comes back, and fails on demand. What it gives out is
// a test's device array: guarded, poisoned, and missed by the runner when it stays behind.
#ifndef OCEAN_TEST_COUNTING_H
#define OCEAN_TEST_COUNTING_H

#include <ocean.h>
#include <pthread.h>
#include <stddef.h>

typedef struct {
  int calls;  // of alloc, the failed ones too
  int live;
  size_t live_bytes, peak_bytes;
  int fail_at;          // this call of alloc and all later ones get NULL; 0 for never
  cudaStream_t stream;  // that every call must carry
  const char* mistake;  // the first thing the library did wrong, or NULL
  pthread_mutex_t lock;
} Counting;

// Counts from zero, and makes this the allocator of the handle.
void counting_attach(Counting* counting, oceanHandle_t handle);
// All given back, nothing wrong.
void counting_check(const Counting* counting);

#endif  // OCEAN_TEST_COUNTING_H
