// SPDX-License-Identifier: MIT OR Apache-2.0
//
// oceanSpGEMM_setOption: whatever is set, C has the same bits.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "harness.h"
#include "product.h"

static const char* const WORKFLOWS[] = {"auto", "upper_bound", "estimate", "exact"};
static const char* const ACCUMULATORS[] = {"auto", "hash", "dense"};
// The second and last coefficient make most rows outgrow their room.
static const char* const SKETCHES[][2] = {{"auto", "auto"}, {"16", "0.5"}, {"32", "1"}, {"64", "1.5"}, {"128", "0.01"}};

static Setup with_options(const char* workflow, const char* accumulator, const char* registers,
                          const char* coefficient) {
  Setup setup = DEFAULT_SETUP;
  const char* const options[OPTIONS][2] = {
      {"workflow", workflow}, {"accumulator", accumulator}, {"registers", registers}, {"coefficient", coefficient}};
  for (int i = 0; i < OPTIONS; i++) {
    setup.options[i][0] = options[i][0];
    setup.options[i][1] = options[i][1];
  }
  return setup;
}

// The product in every workflow with every accumulator and sketch, in both types, against the reference.
static void expect_same_bits_whatever_is_set(const Csr* a, const Csr* b) {
  oceanHandle_t handle = open_handle();
  for (int t = 0; t < 2; t++) {
    const oceanDataType_t type = t == 0 ? CUDA_R_32F : CUDA_R_64F;
    const Csr expected = csr_multiply(a, b, type);
    for (int w = 0; w < 4; w++) {
      for (int n = 0; n < 3; n++) {
        for (int s = 0; s < 5; s++) {
          if (w != 2 && s > 1) continue;  // sketches matter to the estimate; to others only through the sample
          Setup setup = with_options(WORKFLOWS[w], ACCUMULATORS[n], SKETCHES[s][0], SKETCHES[s][1]);
          setup.type = type;
          setup.alg = ALL_ALGS[(w + n + s) % ALGS];
          harness_case("%s, %s, %s registers, coefficient %s, type %d", WORKFLOWS[w], ACCUMULATORS[n], SKETCHES[s][0],
                       SKETCHES[s][1], type);
          const Csr plain = full_call(handle, a, b, setup);
          CHECK_SAME(&plain, &expected);
          if (s == 0) {
            const Csr reused = reuse_call(handle, a, b, setup);
            CHECK_SAME(&reused, &expected);
          }
        }
      }
    }
  }
  close_handle(handle);
}

static void same_bits_on_a_random_product(void) {
  const Csr a = csr_random(300, 200, 0.1, 1), b = csr_random(200, 400, 0.1, 2);
  expect_same_bits_whatever_is_set(&a, &b);
}

static void same_bits_on_unsorted_rows_with_repeats(void) {
  const Csr sparse = csr_random(150, 150, 0.2, 1), twice = csr_repeat(&sparse);
  const Csr a = csr_shuffle_rows(&twice, 2), b = csr_shuffle_rows(&twice, 3);
  expect_same_bits_whatever_is_set(&a, &b);
}

// Chains of A's row begin anew every 8,192 entries: rows just below, at, and above one and two blocks.
static void same_bits_on_rows_of_several_blocks(void) {
  static const int lengths[] = {8191, 8192, 8193, 16383, 16384, 16385, 20000, 1, 0};
  uint64_t seed = 7;
  Csr a = csr_begin(9, 20000);
  for (int i = 0; i < 9; i++) {
    for (int j = 0; j < lengths[i]; j++) csr_push(&a, j, 2 * csr_uniform(&seed) - 1);
    csr_end_row(&a);
  }
  const Csr b = csr_random(20000, 40, 0.1, 8);
  expect_same_bits_whatever_is_set(&a, &b);
}

// Rows of C with 1, 2, 3, .. entries, and three sizes around each power of two up to 2^14: every bin's edge.
static void same_bits_at_the_edge_of_every_bin(void) {
  enum { WIDTH = 17000, ROWS = 3 * 15 };
  uint64_t seed = 9;
  Csr a = csr_begin(ROWS, 2 * ROWS), b = csr_begin(2 * ROWS, WIDTH);
  for (int i = 0; i < ROWS; i++) {
    const int length = (1 << i / 3) + i % 3 - 1;
    csr_push(&a, 2 * i, 0.1 + csr_uniform(&seed));
    csr_push(&a, 2 * i + 1, 0.1 + csr_uniform(&seed));
    csr_end_row(&a);
    // Two rows of B with the same columns: the second half of the products meets the first.
    for (int twice = 0; twice < 2; twice++) {
      for (int j = 0; j < length; j++) csr_push(&b, (int64_t)j * WIDTH / (length + 1), csr_uniform(&seed));
      csr_end_row(&b);
    }
  }
  expect_same_bits_whatever_is_set(&a, &b);
}

static void same_bits_on_one_dense_row_and_one_dense_column(void) {
  const int n = 3000;
  Csr a = csr_begin(n, n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (i == 17 || j == 5 || i == j) csr_push(&a, j, 1.0 / (1 + i + 3 * j));
    }
    csr_end_row(&a);
  }
  expect_same_bits_whatever_is_set(&a, &a);
}

static void same_bits_on_a_few_rows_among_empty_ones(void) {
  Csr a = csr_begin(5000, 5000);
  for (int i = 0; i < 5000; i++) {
    if (i % 997 == 3) {
      for (int j = 0; j < 5000; j += 1 + i % 7) csr_push(&a, j, 1.0 / (1 + i + j));
    }
    csr_end_row(&a);
  }
  expect_same_bits_whatever_is_set(&a, &a);
}

static void an_overflowing_estimate_still_gives_the_product(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(400, 400, 0.2, 1), b = csr_random(400, 2000, 0.1, 2);
  const Csr expected = csr_multiply(&a, &b, CUDA_R_64F);
  Product p = product_open(handle, &a, &b, with_options("estimate", "auto", "16", "0.5"));
  plain_all(&p);
  char json[65536];
  size_t size = sizeof json;
  CHECK_OK(oceanSpGEMM_getPlan(p.descr, OCEAN_REPORT_JSON, json, &size));
  CHECK_HAS(json, "\"overflowed\":");
  int overflowed = 0;
  const char* at = strstr(json, "\"overflowed\":");
  sscanf(at + strlen("\"overflowed\":"), "%d", &overflowed);
  CHECK(overflowed > 100);  // else this test is about nothing
  const Csr c = product_read(&p);
  CHECK_SAME(&c, &expected);
  product_close(&p);
  close_handle(handle);
}

static void unknown_names_and_values_are_refused_with_what_there_is(void) {
  oceanSpGEMMDescr_t descr;
  CHECK_OK(oceanSpGEMM_createDescr(&descr));
  const oceanStatus_t invalid = OCEAN_STATUS_INVALID_VALUE;
  CHECK_REFUSED(oceanSpGEMM_setOption(descr, "speed", "high"), invalid, "speed", "workflow", "registers", "coefficient",
                "accumulator", "ablation", "sampling", "check");
  CHECK_REFUSED(oceanSpGEMM_setOption(descr, "", "auto"), invalid, "workflow");
  CHECK_REFUSED(oceanSpGEMM_setOption(descr, "workflow", "fast"), invalid, "fast", "auto", "upper_bound", "estimate",
                "exact");
  CHECK_REFUSED(oceanSpGEMM_setOption(descr, "registers", "48"), invalid, "48", "auto", "16", "32", "64", "128");
  CHECK_REFUSED(oceanSpGEMM_setOption(descr, "accumulator", "tree"), invalid, "tree", "auto", "hash", "dense");
  CHECK_REFUSED(oceanSpGEMM_setOption(descr, "ablation", "v0"), invalid, "v0", "auto", "v1", "v2", "v3", "v4");
  CHECK_REFUSED(oceanSpGEMM_setOption(descr, "sampling", "2"), invalid, "2", "auto");
  CHECK_REFUSED(oceanSpGEMM_setOption(descr, "check", "some"), invalid, "some", "off", "full");
  static const char* const bad[] = {"0", "-1", "NaN", "inf", "much", "", " 1", "1,5"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    harness_case("coefficient \"%s\"", bad[i]);
    CHECK_REFUSED(oceanSpGEMM_setOption(descr, "coefficient", bad[i]), invalid, "coefficient", bad[i]);
  }
  CHECK_REFUSED(oceanSpGEMM_setOption(descr, "workflow", "\xff\xfe"), invalid, "workflow");  // no UTF-8
  CHECK_REFUSED(oceanSpGEMM_setOption(descr, "\xff\xfe", "auto"), invalid, "workflow");
  CHECK_OK(oceanSpGEMM_destroyDescr(descr));
}

static void every_listed_value_is_taken(void) {
  static const char* const good[][2] = {
      {"workflow", "auto"},    {"workflow", "upper_bound"}, {"workflow", "estimate"}, {"workflow", "exact"},
      {"registers", "auto"},   {"registers", "16"},         {"registers", "32"},      {"registers", "64"},
      {"registers", "128"},    {"coefficient", "auto"},     {"coefficient", "1.5"},   {"coefficient", "1e-3"},
      {"accumulator", "auto"}, {"accumulator", "hash"},     {"accumulator", "dense"}, {"check", "off"},
      {"check", "full"},       {"ablation", "auto"},        {"ablation", "v1"},       {"ablation", "v2"},
      {"ablation", "v3"},      {"ablation", "v4"},          {"sampling", "auto"},     {"sampling", "0.05"},
      {"sampling", "1"},
  };
  oceanSpGEMMDescr_t descr;
  CHECK_OK(oceanSpGEMM_createDescr(&descr));
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    CHECK_OK(oceanSpGEMM_setOption(descr, good[i][0], good[i][1]));
  CHECK_OK(oceanSpGEMM_destroyDescr(descr));
}

static void same_bits_on_special_values(void) {
  static const double special[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 1e-310, -1e-45, 3e38, 1e308, 0.1};
  uint64_t seed = 11;
  Csr a = csr_random(60, 60, 0.2, 1), b = csr_random(60, 80, 0.2, 2);
  Csr* both[] = {&a, &b};
  for (int m = 0; m < 2; m++) {
    for (int64_t e = 0; e < both[m]->nnz; e++) both[m]->values[e] = special[(int)(csr_uniform(&seed) * 12)];
  }
  expect_same_bits_whatever_is_set(&a, &b);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(same_bits_on_a_random_product),
      TEST(same_bits_on_unsorted_rows_with_repeats),
      TEST(same_bits_on_rows_of_several_blocks),
      TEST(same_bits_at_the_edge_of_every_bin),
      TEST(same_bits_on_one_dense_row_and_one_dense_column),
      TEST(same_bits_on_a_few_rows_among_empty_ones),
      TEST(an_overflowing_estimate_still_gives_the_product),
      TEST(unknown_names_and_values_are_refused_with_what_there_is),
      TEST(every_listed_value_is_taken),
      TEST(same_bits_on_special_values),
  };
  return RUN(tests, argc, argv);
}
