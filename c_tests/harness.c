// SPDX-License-Identifier: MIT OR Apache-2.0
#include "harness.h"

#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

enum { FAILED = 1, SKIPPED = 2, SKIP_EXIT = 77 };

// Where a failed check returns to; each thread has its own.
static _Thread_local jmp_buf* escape;
static _Thread_local char current_case[256];
static bool muted;  // of all threads: a muted check may start some

void harness_case(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(current_case, sizeof current_case, format, arguments);
  va_end(arguments);
}

static _Noreturn void leave(int reason) {
  if (escape == NULL) exit(1);
  longjmp(*escape, reason);
}

void harness_fail(const char* file, int line, const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const bool named = current_case[0] != '\0';
  if (!muted) printf("  %s:%d: %s%s%s%s\n", file, line, text, named ? " [" : "", current_case, named ? "]" : "");
  leave(FAILED);
}

void harness_check_int(const char* file, int line, const char* actual_text, int64_t actual, const char* expected_text,
                       int64_t expected) {
  if (actual != expected) {
    harness_fail(file, line, "%s is %" PRId64 ", expected %s = %" PRId64, actual_text, actual, expected_text, expected);
  }
}

void harness_check_text(const char* file, int line, const char* actual_text, const char* actual, const char* expected) {
  if (actual == NULL || strcmp(actual, expected) != 0) {
    harness_fail(file, line, "%s is \"%s\", expected \"%s\"", actual_text, actual == NULL ? "NULL" : actual, expected);
  }
}

void harness_check_has(const char* file, int line, const char* text_text, const char* text, const char* part) {
  if (text == NULL || strstr(text, part) == NULL) {
    harness_fail(file, line, "%s lacks \"%s\": \"%s\"", text_text, part, text == NULL ? "NULL" : text);
  }
}

void harness_check_status(const char* file, int line, const char* call, oceanStatus_t actual, oceanStatus_t expected) {
  if (actual == expected) return;
  harness_fail(file, line, "%.200s gave %s, expected %s; last error: \"%s\"", call, oceanGetErrorName(actual),
               oceanGetErrorName(expected), oceanGetLastErrorString());
}

void harness_check_refused(const char* file, int line, const char* call, oceanStatus_t actual, oceanStatus_t expected,
                           const char* const* parts) {
  harness_check_status(file, line, call, actual, expected);
  for (; *parts != NULL; parts++) harness_check_has(file, line, "the message", oceanGetLastErrorString(), *parts);
}

void harness_note(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("  note: ");
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
}

void harness_skip(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("  skipped: ");
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
  leave(SKIPPED);
}

void harness_skip_without_gpu(const char* why) {
  const char* required = getenv("OCEAN_REQUIRE_GPU");
  if (required != NULL && strcmp(required, "1") == 0) {
    harness_fail(__FILE__, __LINE__, "OCEAN_REQUIRE_GPU=1, but this could not run: %s", why);
  }
  harness_skip("%s", why);
}

// --- memory of one test ---

typedef struct Block {
  struct Block *before, *after;
  _Alignas(16) unsigned char memory[];
} Block;

static pthread_mutex_t blocks_lock = PTHREAD_MUTEX_INITIALIZER;
static Block blocks = {&blocks, &blocks};

void* test_realloc(void* memory, size_t bytes) {
  Block* old = memory == NULL ? NULL : (Block*)((unsigned char*)memory - offsetof(Block, memory));
  pthread_mutex_lock(&blocks_lock);
  if (old != NULL) {
    old->before->after = old->after;
    old->after->before = old->before;
  }
  Block* block = realloc(old, sizeof(Block) + bytes);
  if (block == NULL) {
    fprintf(stderr, "test: no room for %zu bytes\n", bytes);
    exit(1);
  }
  block->before = &blocks;
  block->after = blocks.after;
  block->before->after = block;
  block->after->before = block;
  pthread_mutex_unlock(&blocks_lock);
  return block->memory;
}

void* test_alloc(size_t bytes) { return test_realloc(NULL, bytes); }

static void free_blocks(void) {
  while (blocks.after != &blocks) {
    Block* block = blocks.after;
    blocks.after = block->after;
    free(block);
  }
  blocks.before = &blocks;
}

// --- threads ---

typedef struct {
  void (*work)(int);
  int index;
  int reason;
} Thread;

static int run_protected(void (*work)(int), int index) {
  jmp_buf here;
  jmp_buf* const outside = escape;
  escape = &here;
  const int reason = setjmp(here);
  if (reason == 0) work(index);
  escape = outside;
  return reason;
}

bool harness_fails(void (*work)(int index)) {
  muted = true;
  const int reason = run_protected(work, 0);
  muted = false;
  return reason == FAILED;
}

static void* run_thread(void* argument) {
  Thread* thread = argument;
  harness_case("thread %d", thread->index);
  thread->reason = run_protected(thread->work, thread->index);
  return NULL;
}

void harness_threads(int threads, void (*work)(int index)) {
  Thread* all = test_alloc((size_t)threads * sizeof *all);
  pthread_t* ids = test_alloc((size_t)threads * sizeof *ids);
  for (int i = 0; i < threads; i++) {
    all[i] = (Thread){work, i, 0};
    CHECK_INT(pthread_create(&ids[i], NULL, run_thread, &all[i]), 0);
  }
  int ended[3] = {0};
  for (int i = 0; i < threads; i++) {
    pthread_join(ids[i], NULL);
    ended[all[i].reason]++;
  }
  CHECK_INT(ended[FAILED], 0);
  if (ended[SKIPPED] > 0) leave(SKIPPED);
}

// --- handles ---

// A backend that can't multiply yet leaves nothing for these tests to look at.
static void skip_without_products(oceanHandle_t handle) {
  oceanSpMatDescr_t c = NULL;
  const float one = 1;
  CHECK_OK(oceanCreateCsr(&c, 0, 0, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO,
                          CUDA_R_32F));
  const oceanStatus_t status = oceanSpGEMM(handle, OCEAN_OPERATION_NON_TRANSPOSE, OCEAN_OPERATION_NON_TRANSPOSE, &one,
                                           c, c, NULL, NULL, c, CUDA_R_32F, OCEAN_SPGEMM_DEFAULT);
  oceanDestroySpMat(c);
  if (status == OCEAN_STATUS_NOT_SUPPORTED) {
    oceanDestroy(handle);
    harness_skip("this backend has no products: %s", oceanGetLastErrorString());
  }
}

oceanHandle_t open_handle(void) {
  oceanHandle_t handle = NULL;
#ifdef OCEAN_TEST_CUDA
  const bool ask = true;
#else
  const bool ask = getenv("OCEAN_BACKEND") != NULL;
#endif
  if (ask) {
    CHECK_OK(oceanCreate(&handle));
  } else {
    CHECK_OK(oceanCreateWithBackend(&handle, OCEAN_BACKEND_HOST));
  }
  CHECK(handle != NULL);
  oceanBackend_t backend;
  CHECK_OK(oceanGetBackend(handle, &backend));
  if (backend == OCEAN_BACKEND_CUDA) skip_without_products(handle);
  return handle;
}

void close_handle(oceanHandle_t handle) { CHECK_OK(oceanDestroy(handle)); }

// --- the runner ---

static void run_test(int index);
static const Test* running;

static void run_test(int index) {
  (void)index;
  running->run();
  harness_case("%s", "after the test");
  const char* trouble = device_trouble();
  if (trouble != NULL) harness_fail(running->name, 0, "device memory: %s", trouble);
  CHECK_INT(device_live_arrays(), 0);
}

static int run_one(const Test* test) {
  current_case[0] = '\0';
  running = test;
  printf("%s\n", test->name);
  fflush(stdout);
  const int reason = run_protected(run_test, 0);
  if (reason != 0) device_reset();
  free_blocks();
  if (reason == FAILED) printf("  FAILED %s\n", test->name);
  fflush(stdout);
  return reason;
}

static const Test* find(const Test* tests, size_t count, const char* name) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(tests[i].name, name) == 0) return &tests[i];
  }
  return NULL;
}

int harness_main(const Test* tests, size_t count, int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    for (size_t i = 0; i < count; i++) printf("%s\n", tests[i].name);
    return 0;
  }
  const size_t total = argc > 1 ? (size_t)argc - 1 : count;
  size_t tally[3] = {0};
  for (size_t i = 0; i < total; i++) {
    const Test* test = argc > 1 ? find(tests, count, argv[i + 1]) : &tests[i];
    if (test == NULL) {
      fprintf(stderr, "%s: no test is called %s; --list lists them\n", argv[0], argv[i + 1]);
      return 2;
    }
    tally[run_one(test)]++;
  }
  printf("%zu passed, %zu failed, %zu skipped\n", tally[0], tally[FAILED], tally[SKIPPED]);
  return tally[FAILED] > 0 || total == 0 ? 1 : tally[0] == 0 ? SKIP_EXIT : 0;
}
