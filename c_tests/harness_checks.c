// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Tests of the tests: the checks notice what they are for, and the reference gives results worked out by hand.
#include <math.h>
#include <string.h>

#include "client.h"
#include "device.h"
#include "harness.h"
#include "product.h"

static void fail_a_condition(int index) { CHECK(index == 1); }
static void fail_a_number(int index) { CHECK_INT(index, 1); }
static void fail_a_text(int index) { CHECK_TEXT(index == 0 ? "zero" : "one", "one"); }
static void fail_a_part(int index) { CHECK_HAS(index == 0 ? "zero" : "one", "on"); }
static void fail_a_status(int index) { CHECK_STATUS((oceanStatus_t)index, OCEAN_STATUS_INVALID_VALUE); }
static void fail_a_message(int index) {
  (void)index;
  CHECK_REFUSED(oceanSpGEMM_createDescr(NULL), OCEAN_STATUS_INVALID_VALUE, "no message has this");
}
static void fail_a_thread(int index) { harness_threads(2, index == 0 ? fail_a_condition : NULL); }
static void fail_nothing(int index) {
  CHECK(index == 0);
  CHECK_INT(index, 0);
  CHECK_TEXT("one", "one");
  CHECK_HAS("one", "ne");
  CHECK_REFUSED(oceanSpGEMM_createDescr(NULL), OCEAN_STATUS_INVALID_VALUE, "descr", "NULL");
}

static void checks_fail_when_they_should(void) {
  CHECK(harness_fails(fail_a_condition));
  CHECK(harness_fails(fail_a_number));
  CHECK(harness_fails(fail_a_text));
  CHECK(harness_fails(fail_a_part));
  CHECK(harness_fails(fail_a_status));
  CHECK(harness_fails(fail_a_message));
  CHECK(!harness_fails(fail_nothing));
}

static void a_failure_in_a_thread_fails_the_test(void) { CHECK(harness_fails(fail_a_thread)); }

static void guard_zones_notice_a_byte_outside(void) {
  for (int before = 0; before < 2; before++) {
    unsigned char* array = device_alloc(100);
    const unsigned char odd = 1, guard = 0xA5;
    unsigned char* outside = before ? array - 1 : array + 100;
    device_upload(outside, &odd, 1);
    CHECK_HAS(device_trouble(), before ? "before its start" : "past its end");
    device_upload(outside, &guard, 1);
    CHECK(device_trouble() == NULL);
    device_free(array);
  }
  int no_array;
  device_free(&no_array);
  CHECK_HAS(device_trouble(), "not a live array");
  CHECK(device_trouble() == NULL);
}

static void arrays_are_counted(void) {
  const size_t arrays = device_live_arrays(), bytes = device_live_bytes();
  void* array = device_alloc(1000);
  CHECK_INT(device_live_arrays(), arrays + 1);
  CHECK_INT(device_live_bytes(), bytes + 1000);
  CHECK_INT(device_bytes(array), 1000);
  CHECK(device_all(array, DEVICE_FRESH));
  device_poison(array);
  CHECK(device_all(array, DEVICE_DEAD) && !device_all(array, DEVICE_FRESH));
  device_free(array);
  CHECK_INT(device_live_arrays(), arrays);
  CHECK(device_alloc(0) == NULL && device_try_alloc(SIZE_MAX) == NULL);
}

// What compare_with compares a matrix of this test with.
static Csr changed;

static void compare_with_changed(int index) {
  (void)index;
  const Csr original = wr1_c();
  CHECK_SAME(&original, &changed);
}

static void a_difference_of_one_bit_is_a_difference(void) {
  changed = wr1_c();
  CHECK(!harness_fails(compare_with_changed));
  changed.values[7] = nextafter(changed.values[7], 100);
  CHECK(harness_fails(compare_with_changed));
  changed = wr1_c();
  changed.columns[3] = 2;
  CHECK(harness_fails(compare_with_changed));
  changed = wr1_c();
  changed.offsets[2]--;
  CHECK(harness_fails(compare_with_changed));
  changed = wr1_c();
  changed.cols++;
  CHECK(harness_fails(compare_with_changed));
}

// Arrays that download_csr must refuse, each broken in another way.
static const int32_t BROKEN[][2][3] = {
    {{0, 1, 2}, {0, 2, 0}},   // a column past the last
    {{0, 1, 2}, {-1, 1, 0}},  // one before the first
    {{0, 2, 2}, {1, 0, 0}},   // not sorted
    {{0, 2, 2}, {1, 1, 0}},   // repeated
    {{1, 1, 2}, {0, 1, 0}},   // the wrong base
    {{0, 1, 1}, {0, 1, 0}},   // the end before nnz
    {{0, 3, 2}, {0, 1, 0}},   // falling
};
static int broken_case;

static void download_broken(int index) {
  (void)index;
  const double values[] = {1, 2};
  int32_t offsets[3], columns[3];
  memcpy(offsets, BROKEN[broken_case][0], sizeof offsets);
  memcpy(columns, BROKEN[broken_case][1], sizeof columns);
  void* arrays[] = {device_alloc(sizeof offsets), device_alloc(sizeof columns), device_alloc(sizeof values)};
  device_upload(arrays[0], offsets, sizeof offsets);
  device_upload(arrays[1], columns, sizeof columns);
  device_upload(arrays[2], values, sizeof values);
  download_csr(arrays[0], arrays[1], arrays[2], 2, 2, 2, ZERO_BASE, CUDA_R_64F);
}

static void broken_results_are_noticed(void) {
  for (broken_case = 0; broken_case < (int)(sizeof BROKEN / sizeof *BROKEN); broken_case++) {
    harness_case("case %d", broken_case);
    CHECK(harness_fails(download_broken));
    device_reset();
  }
}

static void the_reference_multiplies(void) {
  const Csr a = wr1_a(), b = wr1_b(), by_hand = wr1_c(), c = csr_multiply(&a, &b, CUDA_R_64F);
  CHECK_SAME(&c, &by_hand);
}

static void the_reference_starts_with_the_first_product(void) {
  const Csr a = csr_full(1, 1, 0.0), b = csr_full(1, 1, -1), c = csr_multiply(&a, &b, CUDA_R_64F);
  CHECK(signbit(c.values[0]));  // 0 + -0 would be 0
}

static void the_reference_begins_a_new_chain_every_8192_entries(void) {
  // 1, then zeros; then a block of 2^-25, each of which f32 would lose beside 1, and whose sum it would not.
  Csr a = csr_begin(1, 16384);
  for (int j = 0; j < 16384; j++) csr_push(&a, j, j == 0 ? 1 : j < 8192 ? 0 : 0x1p-25);
  csr_end_row(&a);
  const Csr b = csr_full(16384, 1, 1), c = csr_multiply(&a, &b, CUDA_R_32F);
  CHECK(c.values[0] == 1 + 0x1p-12);
  // One place earlier the first of them is still in the chain of 1.
  for (int j = 8191; j < 16384; j++) a.values[j] = 0x1p-25;
  const Csr same = csr_multiply(&a, &b, CUDA_R_32F);
  CHECK(same.values[0] == 1 + 0x1p-12);
}

static void the_reference_sums_repeats_of_B_first(void) {
  const int offsets[] = {0, 2}, columns[] = {0, 0};
  const Csr a = csr_full(1, 1, 3), b = csr_arrays(1, 1, offsets, columns, (const double[]){1, 0x1p-24});
  const Csr c = csr_multiply(&a, &b, CUDA_R_32F);
  CHECK(c.values[0] == 3);  // 1 + 2^-24 is 1 in f32; 3 + 3 * 2^-24 would be more than 3
}

static void the_reference_rounds_to_the_type(void) {
  const Csr a = csr_full(1, 1, 0.1), b = csr_full(1, 1, 0.1);
  const Csr single = csr_multiply(&a, &b, CUDA_R_32F), twice = csr_multiply(&a, &b, CUDA_R_64F);
  CHECK(single.values[0] == (double)(0.1f * 0.1f) && twice.values[0] == 0.1 * 0.1);
}

static Client spoilt;
static void judge_spoilt(int index) {
  (void)index;
  client_check(&spoilt);
}

// A product of complex integers whose C is spoilt in one place: an offset, a column, either part of a value.
static void the_judge_of_clients_sees_one_wrong_number(void) {
  const Csr a = csr_random(9, 7, 0.4, 1), b = csr_random(7, 8, 0.4, 2);
  for (int where = 0; where <= 4; where++) {
    client_open(&spoilt, format_of(3, OCEAN_INDEX_64I), OCEAN_SPGEMM_DEFAULT, &a, &b);
    Csr re;
    double* im;
    arrays_multiply(spoilt.format, &spoilt.a, &spoilt.b, &re, &im);
    spoilt.nnz = re.nnz;
    if (where == 1) re.offsets[4]++;
    if (where == 2) re.columns[3]++;
    if (where == 3) re.values[5]++;
    if (where == 4) im[6]++;
    spoilt.c = arrays_upload(spoilt.format, &re, im);
    CHECK(harness_fails(judge_spoilt) == (where > 0));
    client_close(&spoilt);
  }
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(checks_fail_when_they_should),
      TEST(a_failure_in_a_thread_fails_the_test),
      TEST(guard_zones_notice_a_byte_outside),
      TEST(arrays_are_counted),
      TEST(a_difference_of_one_bit_is_a_difference),
      TEST(broken_results_are_noticed),
      TEST(the_reference_multiplies),
      TEST(the_reference_starts_with_the_first_product),
      TEST(the_reference_begins_a_new_chain_every_8192_entries),
      TEST(the_reference_sums_repeats_of_B_first),
      TEST(the_reference_rounds_to_the_type),
      TEST(the_judge_of_clients_sees_one_wrong_number),
  };
  return RUN(tests, argc, argv);
}
