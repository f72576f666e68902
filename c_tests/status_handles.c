// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Handles, SpGEMM descriptors and the texts of the statuses: NULL for every pointer of every function, destroyed and
// foreign objects, wrong enums.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "product.h"

#define INVALID OCEAN_STATUS_INVALID_VALUE
#define CHECK_INVALID(call, ...) CHECK_REFUSED(call, INVALID, __VA_ARGS__)

static long long stranger[64];  // an address that the library never gave out

static void handle_functions_refuse_what_is_no_handle(void) {
  oceanHandle_t live = open_handle(), dead = open_handle();
  close_handle(dead);
  const oceanHandle_t bad[] = {NULL, dead, (oceanHandle_t)(void*)stranger};
  for (int i = 0; i < 3; i++) {
    harness_case("%s", i == 0 ? "NULL" : i == 1 ? "destroyed" : "foreign");
    oceanHandle_t handle = bad[i];
    cudaStream_t stream = (cudaStream_t)(void*)stranger;
    oceanPointerMode_t mode = (oceanPointerMode_t)55;
    oceanBackend_t backend = (oceanBackend_t)55;
    int version = 55;
    CHECK_INVALID(oceanSetStream(handle, NULL), "handle");
    CHECK_INVALID(oceanGetStream(handle, &stream), "handle");
    CHECK_INVALID(oceanSetPointerMode(handle, OCEAN_POINTER_MODE_HOST), "handle");
    CHECK_INVALID(oceanGetPointerMode(handle, &mode), "handle");
    CHECK_INVALID(oceanGetVersion(handle, &version), "handle");
    CHECK_INVALID(oceanGetBackend(handle, &backend), "handle");
    CHECK_INVALID(oceanSetAllocator(handle, NULL, NULL, NULL), "handle");
    CHECK(stream == (cudaStream_t)(void*)stranger && mode == 55 && version == 55 && backend == 55);
  }
  CHECK_OK(oceanDestroy(NULL));
  CHECK_INVALID(oceanDestroy(dead), "handle");
  CHECK_INVALID(oceanDestroy((oceanHandle_t)(void*)stranger), "handle");
  check_handle_works(live);
  close_handle(live);
}

static void handle_functions_refuse_NULL_outputs(void) {
  oceanHandle_t handle = open_handle();
  CHECK_INVALID(oceanCreate(NULL), "handle");
  CHECK_INVALID(oceanCreateWithBackend(NULL, OCEAN_BACKEND_HOST), "handle");
  CHECK_STATUS(oceanGetStream(handle, NULL), INVALID);
  CHECK_HAS(oceanGetLastErrorString(), "stream");
  CHECK_INVALID(oceanGetPointerMode(handle, NULL), "mode");
  CHECK_INVALID(oceanGetVersion(handle, NULL), "version");
  CHECK_INVALID(oceanGetProperty(MAJOR_VERSION, NULL), "value");
  CHECK_INVALID(oceanGetBackend(handle, NULL), "backend");
  close_handle(handle);
}

static void handle_functions_refuse_unknown_enums(void) {
  oceanHandle_t handle = open_handle(), none = NULL;
  int value = 55;
  CHECK_INVALID(oceanSetPointerMode(handle, (oceanPointerMode_t)77), "mode", "77");
  CHECK_INVALID(oceanGetProperty((oceanPropertyType_t)77, &value), "type", "77");
  CHECK_INT(value, 55);
  CHECK_INVALID(oceanCreateWithBackend(&none, (oceanBackend_t)77), "backend", "77");
  CHECK(none == NULL);
  oceanPointerMode_t mode;
  CHECK_OK(oceanGetPointerMode(handle, &mode));
  CHECK_INT(mode, OCEAN_POINTER_MODE_HOST);
  close_handle(handle);
}

static void a_handle_remembers_what_it_is_told(void) {
  oceanHandle_t handle = open_handle();
  cudaStream_t stream = (cudaStream_t)(void*)stranger;
  CHECK_OK(oceanGetStream(handle, &stream));
  CHECK(stream == NULL);
  oceanBackend_t backend;
  CHECK_OK(oceanGetBackend(handle, &backend));
  CHECK(backend == OCEAN_BACKEND_HOST || backend == OCEAN_BACKEND_CUDA);
  if (backend == OCEAN_BACKEND_HOST) {  // a host handle has no stream to misuse
    CHECK_OK(oceanSetStream(handle, (cudaStream_t)(void*)stranger));
    CHECK_OK(oceanGetStream(handle, &stream));
    CHECK(stream == (cudaStream_t)(void*)stranger);
    check_handle_works(handle);
  }
  oceanPointerMode_t mode;
  CHECK_OK(oceanSetPointerMode(handle, OCEAN_POINTER_MODE_DEVICE));
  CHECK_OK(oceanGetPointerMode(handle, &mode));
  CHECK_INT(mode, OCEAN_POINTER_MODE_DEVICE);
  int version, major, minor, patch;
  CHECK_OK(oceanGetVersion(handle, &version));
  CHECK_OK(oceanGetProperty(MAJOR_VERSION, &major));
  CHECK_OK(oceanGetProperty(MINOR_VERSION, &minor));
  CHECK_OK(oceanGetProperty(PATCH_LEVEL, &patch));
  CHECK(major >= 0 && minor >= 0 && patch >= 0 && version > 0);
  CHECK_INT(version, 1000 * major + 100 * minor + patch);
  close_handle(handle);
}

static void automatic_choice_gives_a_handle_on_any_machine(void) {
  if (getenv("OCEAN_BACKEND") != NULL) harness_skip("OCEAN_BACKEND decides here what AUTO becomes");
  oceanHandle_t plain = NULL, automatic = NULL;
  oceanBackend_t first, second;
  CHECK_OK(oceanCreate(&plain));
  CHECK_OK(oceanCreateWithBackend(&automatic, OCEAN_BACKEND_AUTO));
  CHECK_OK(oceanGetBackend(plain, &first));
  CHECK_OK(oceanGetBackend(automatic, &second));
  CHECK_INT(first, second);
  CHECK(first == OCEAN_BACKEND_HOST || first == OCEAN_BACKEND_CUDA);
  close_handle(plain);
  close_handle(automatic);
}

static void descriptor_functions_refuse_what_is_no_descriptor(void) {
  oceanSpGEMMDescr_t dead, live;
  CHECK_OK(oceanSpGEMM_createDescr(&dead));
  CHECK_OK(oceanSpGEMM_createDescr(&live));
  CHECK_OK(oceanSpGEMM_destroyDescr(dead));
  const oceanSpGEMMDescr_t bad[] = {NULL, dead, (oceanSpGEMMDescr_t)(void*)stranger};
  for (int i = 0; i < 3; i++) {
    int64_t products = 55;
    size_t size = 55;
    CHECK_STATUS(oceanSpGEMM_getNumProducts(bad[i], &products), INVALID);
    CHECK_STATUS(oceanSpGEMM_setOption(bad[i], "workflow", "auto"), INVALID);
    CHECK_STATUS(oceanSpGEMM_setMemoryLimit(bad[i], 1000), INVALID);
    CHECK_STATUS(oceanSpGEMM_getPlan(bad[i], OCEAN_REPORT_TEXT, NULL, &size), INVALID);
    CHECK_STATUS(oceanSpGEMM_getProfile(bad[i], OCEAN_REPORT_TEXT, NULL, &size), INVALID);
    CHECK(products == 55 && size == 55);
  }
  CHECK_INVALID(oceanSpGEMM_createDescr(NULL), "NULL");
  CHECK_INVALID(oceanSpGEMM_setOption(live, NULL, "auto"), "name");
  CHECK_INVALID(oceanSpGEMM_setOption(live, "workflow", NULL), "value");
  CHECK_INVALID(oceanSpGEMM_getPlan(live, OCEAN_REPORT_TEXT, NULL, NULL), "size");
  CHECK_OK(oceanSpGEMM_destroyDescr(NULL));
  CHECK_STATUS(oceanSpGEMM_destroyDescr(dead), INVALID);
  CHECK_STATUS(oceanSpGEMM_destroyDescr((oceanSpGEMMDescr_t)(void*)stranger), INVALID);
  CHECK_OK(oceanSpGEMM_destroyDescr(live));
}

static void statuses_have_names_and_texts(void) {
  static const char* const names[] = {
      "OCEAN_STATUS_SUCCESS",          "OCEAN_STATUS_NOT_INITIALIZED", "OCEAN_STATUS_ALLOC_FAILED",
      "OCEAN_STATUS_INVALID_VALUE",    "OCEAN_STATUS_ARCH_MISMATCH",   "OCEAN_STATUS_MAPPING_ERROR",
      "OCEAN_STATUS_EXECUTION_FAILED", "OCEAN_STATUS_INTERNAL_ERROR",  "OCEAN_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
      "OCEAN_STATUS_ZERO_PIVOT",       "OCEAN_STATUS_NOT_SUPPORTED",   "OCEAN_STATUS_INSUFFICIENT_RESOURCES",
  };
  static const char* const texts[] = {
      "success",
      "initialization error",
      "out of memory",
      "invalid value",
      "architecture mismatch",
      "texture memory mapping error",
      "kernel launch failure",
      "internal error",
      "matrix type not supported",
      "zero pivot",
      "operation not supported",
      "insufficient resources",
  };
  for (int i = 0; i < 12; i++) {
    CHECK_TEXT(oceanGetErrorName((oceanStatus_t)i), names[i]);
    CHECK_TEXT(oceanGetErrorString((oceanStatus_t)i), texts[i]);
  }
  CHECK_TEXT(oceanGetErrorName((oceanStatus_t)12), "unrecognized error code");
  CHECK_TEXT(oceanGetErrorString((oceanStatus_t)(-1)), "unrecognized error code");
}

static void check_fresh_thread(int index) {
  (void)index;
  CHECK(oceanGetLastErrorString() != NULL);
  CHECK_TEXT(oceanGetLastErrorString(), "");
  CHECK_INVALID(oceanGetVersion(NULL, NULL), "handle");
}

static void the_last_error_is_per_thread_and_outlives_success(void) {
  CHECK(oceanGetLastErrorString() != NULL);
  oceanSpGEMMDescr_t descr;
  CHECK_INVALID(oceanSpGEMM_createDescr(NULL), "NULL");
  char* before = test_alloc(strlen(oceanGetLastErrorString()) + 1);
  strcpy(before, oceanGetLastErrorString());
  CHECK_OK(oceanSpGEMM_createDescr(&descr));
  CHECK_TEXT(oceanGetLastErrorString(), before);
  harness_threads(4, check_fresh_thread);
  CHECK_TEXT(oceanGetLastErrorString(), before);
  CHECK_OK(oceanSpGEMM_destroyDescr(descr));
}

static void the_environment_decides_what_AUTO_becomes(void) {
  const char* before = getenv("OCEAN_BACKEND");
  char kept[64] = "";
  if (before != NULL) strncpy(kept, before, sizeof kept - 1);
  oceanHandle_t handle = NULL;
  oceanBackend_t backend;
  setenv("OCEAN_BACKEND", "host", 1);
  CHECK_OK(oceanCreate(&handle));
  CHECK_OK(oceanGetBackend(handle, &backend));
  CHECK_INT(backend, OCEAN_BACKEND_HOST);
  CHECK_OK(oceanDestroy(handle));
  setenv("OCEAN_BACKEND", "abacus", 1);
  handle = NULL;
  CHECK_INVALID(oceanCreate(&handle), "OCEAN_BACKEND", "abacus");
  CHECK(handle == NULL);
  CHECK_OK(oceanCreateWithBackend(&handle, OCEAN_BACKEND_HOST));  // asked for by name: the environment has no say
  CHECK_OK(oceanDestroy(handle));
  if (before != NULL) {
    setenv("OCEAN_BACKEND", kept, 1);
  } else {
    unsetenv("OCEAN_BACKEND");
  }
}

static void a_backend_that_is_not_there_is_refused_by_name(void) {
  oceanHandle_t handle = NULL;
  const oceanStatus_t status = oceanCreateWithBackend(&handle, OCEAN_BACKEND_CUDA);
  if (status == OCEAN_STATUS_SUCCESS) {
    close_handle(handle);
    harness_skip("there is a CUDA backend here");
  }
  CHECK(status == OCEAN_STATUS_NOT_SUPPORTED || status == OCEAN_STATUS_NOT_INITIALIZED);
  CHECK_HAS(oceanGetLastErrorString(), "CUDA");
  CHECK(handle == NULL);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(handle_functions_refuse_what_is_no_handle),
      TEST(handle_functions_refuse_NULL_outputs),
      TEST(handle_functions_refuse_unknown_enums),
      TEST(a_handle_remembers_what_it_is_told),
      TEST(automatic_choice_gives_a_handle_on_any_machine),
      TEST(descriptor_functions_refuse_what_is_no_descriptor),
      TEST(statuses_have_names_and_texts),
      TEST(the_last_error_is_per_thread_and_outlives_success),
      TEST(the_environment_decides_what_AUTO_becomes),
      TEST(a_backend_that_is_not_there_is_refused_by_name),
  };
  return RUN(tests, argc, argv);
}
