// SPDX-License-Identifier: MIT OR Apache-2.0
#include "counting.h"

#include "device.h"
#include "harness.h"

static void note(Counting* counting, const char* mistake) {
  if (counting->mistake == NULL) counting->mistake = mistake;
}

static void* count_alloc(void* user, size_t bytes, cudaStream_t stream) {
  Counting* counting = user;
  pthread_mutex_lock(&counting->lock);
  counting->calls++;
  if (bytes == 0) note(counting, "0 bytes asked for");
  if (stream != counting->stream) note(counting, "alloc got another stream than the handle's");
  void* array = NULL;
  if (counting->fail_at == 0 || counting->calls < counting->fail_at) array = device_try_alloc(bytes);
  if (array != NULL) {
    counting->live++;
    counting->live_bytes += bytes;
    if (counting->live_bytes > counting->peak_bytes) counting->peak_bytes = counting->live_bytes;
  }
  pthread_mutex_unlock(&counting->lock);
  return array;
}

static void count_free(void* user, void* pointer, size_t bytes, cudaStream_t stream) {
  Counting* counting = user;
  pthread_mutex_lock(&counting->lock);
  if (pointer == NULL) note(counting, "NULL given back");
  if (device_bytes(pointer) != bytes) note(counting, "given back with another size, or twice");
  if (stream != counting->stream) note(counting, "free got another stream than the handle's");
  counting->live--;
  counting->live_bytes -= bytes;
  device_free(pointer);
  pthread_mutex_unlock(&counting->lock);
}

void counting_attach(Counting* counting, oceanHandle_t handle) {
  *counting = (Counting){.lock = PTHREAD_MUTEX_INITIALIZER};
  CHECK_OK(oceanGetStream(handle, &counting->stream));
  CHECK_OK(oceanSetAllocator(handle, count_alloc, count_free, counting));
}

void counting_check(const Counting* counting) {
  if (counting->mistake != NULL)
    harness_fail(__FILE__, __LINE__, "the library used the allocator wrongly: %s", counting->mistake);
  CHECK_INT(counting->live, 0);
  CHECK_INT(counting->live_bytes, 0);
}
