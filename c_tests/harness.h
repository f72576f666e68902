// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A small test runner: checks that print what they saw, a table of named tests, memory that goes away with the test.
//
//   static void rows_come_out_sorted(void) { CHECK(...); }
//   int main(int argc, char** argv) {
//     static const Test tests[] = {
//         TEST(rows_come_out_sorted),
//     };
//     return RUN(tests, argc, argv);
//   }
//
// With no argument a program runs all of its tests, else those named; --list lists them. It ends with 0, with 1
// when one failed, or with 77 when all were skipped. Each test must leave no device array behind.
// CMake reads the table's lines, so that every test is also one of CTest's.
#ifndef OCEAN_TEST_HARNESS_H
#define OCEAN_TEST_HARNESS_H

#include <ocean.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char* name;
  void (*run)(void);
} Test;

#define TEST(name) {#name, name}
#define RUN(tests, argc, argv) harness_main(tests, sizeof(tests) / sizeof *(tests), argc, argv)
int harness_main(const Test* tests, size_t count, int argc, char** argv);

// Each ends the test (or the thread's part of it) when it does not hold.
#define CHECK(condition) ((condition) ? (void)0 : harness_fail(__FILE__, __LINE__, "%s does not hold", #condition))
#define CHECK_INT(actual, expected) \
  harness_check_int(__FILE__, __LINE__, #actual, (int64_t)(actual), #expected, (int64_t)(expected))
#define CHECK_TEXT(actual, expected) harness_check_text(__FILE__, __LINE__, #actual, actual, expected)
#define CHECK_HAS(text, part) harness_check_has(__FILE__, __LINE__, #text, text, part)
#define CHECK_STATUS(call, expected) harness_check_status(__FILE__, __LINE__, #call, call, expected)
#define CHECK_OK(call) CHECK_STATUS(call, OCEAN_STATUS_SUCCESS)
// The call is refused with this status, and its message has each of these parts.
#define CHECK_REFUSED(call, expected, ...) \
  harness_check_refused(__FILE__, __LINE__, #call, call, expected, (const char* const[]){__VA_ARGS__, NULL})

void harness_fail(const char* file, int line, const char* format, ...) __attribute__((noreturn, format(printf, 3, 4)));
void harness_check_int(const char* file, int line, const char* actual_text, int64_t actual, const char* expected_text,
                       int64_t expected);
void harness_check_text(const char* file, int line, const char* actual_text, const char* actual, const char* expected);
void harness_check_has(const char* file, int line, const char* text_text, const char* text, const char* part);
void harness_check_status(const char* file, int line, const char* call, oceanStatus_t actual, oceanStatus_t expected);
void harness_check_refused(const char* file, int line, const char* call, oceanStatus_t actual, oceanStatus_t expected,
                           const char* const* parts);

// Says which of many cases is at work; printed with a failure. Per thread.
void harness_case(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Ends the test as not run. Counted and printed.
void harness_skip(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));
// The same, but a failure where OCEAN_REQUIRE_GPU=1 asks for a GPU.
void harness_skip_without_gpu(const char* why) __attribute__((noreturn));
// Says what a test had to leave out, and goes on.
void harness_note(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Host memory that is freed when the test ends, however it ends.
void* test_alloc(size_t bytes);
void* test_realloc(void* memory, size_t bytes);

// Runs work(0) .. work(threads - 1), each in a thread of its own; fails when one of them failed.
void harness_threads(int threads, void (*work)(int index));

// Whether a check in work fails; says nothing about it. For tests of the checks themselves.
bool harness_fails(void (*work)(int index));

// A handle on the backend under test: the one OCEAN_BACKEND names; without it, the host's, unless this build
// has its arrays in the GPU's memory.
oceanHandle_t open_handle(void);
void close_handle(oceanHandle_t handle);

#endif  // OCEAN_TEST_HARNESS_H
