// SPDX-License-Identifier: MIT OR Apache-2.0
//
// oceanSpGEMM_getPlan: what was found, what was decided and why, as text and as JSON; oceanSpGEMM_getProfile: what the
// calls took.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "harness.h"
#include "product.h"

typedef oceanStatus_t Report(oceanSpGEMMDescr_t descr, oceanReportFormat_t format, char* buffer, size_t* size);

// A report, in memory of the test.
static char* report_of(Report* report, oceanSpGEMMDescr_t descr, oceanReportFormat_t format) {
  size_t size = 0;
  CHECK_OK(report(descr, format, NULL, &size));
  CHECK(size > 1);
  char* text = test_alloc(size + 1);
  memset(text, 'x', size + 1);
  CHECK_OK(report(descr, format, text, &size));
  CHECK_INT(strlen(text), size - 1);
  CHECK(text[size] == 'x');
  return text;
}

static char* plan_of(oceanSpGEMMDescr_t descr, oceanReportFormat_t format) {
  return report_of(oceanSpGEMM_getPlan, descr, format);
}

// --- a JSON reader that only says where a value ends; NULL if it is none ---

static const char* skip_space(const char* at) {
  while (isspace((unsigned char)*at)) at++;
  return at;
}

static const char* skip_string(const char* at) {
  if (*at++ != '"') return NULL;
  for (; *at != '"'; at++) {
    if ((unsigned char)*at < 0x20) return NULL;
    if (*at == '\\' && *++at == '\0') return NULL;
  }
  return at + 1;
}

static const char* skip_value(const char* at);

static const char* skip_list(const char* at, char close, bool with_keys) {
  at = skip_space(at + 1);
  if (*at == close) return at + 1;
  for (;;) {
    if (with_keys) {
      at = skip_string(at);
      if (at == NULL) return NULL;
      at = skip_space(at);
      if (*at++ != ':') return NULL;
    }
    at = skip_value(at);
    if (at == NULL) return NULL;
    at = skip_space(at);
    if (*at == close) return at + 1;
    if (*at++ != ',') return NULL;
    at = skip_space(at);
  }
}

static const char* skip_value(const char* at) {
  at = skip_space(at);
  if (*at == '{') return skip_list(at, '}', true);
  if (*at == '[') return skip_list(at, ']', false);
  if (*at == '"') return skip_string(at);
  static const char* const words[] = {"true", "false", "null"};
  for (int i = 0; i < 3; i++) {
    if (strncmp(at, words[i], strlen(words[i])) == 0) return at + strlen(words[i]);
  }
  double number;
  int length = 0;
  if (sscanf(at, "%lf%n", &number, &length) != 1 || (*at != '-' && !isdigit((unsigned char)*at))) return NULL;
  return at + length;
}

static void check_is_json_object(const char* text) {
  const char* end = *skip_space(text) == '{' ? skip_value(text) : NULL;
  if (end == NULL || *skip_space(end) != '\0') harness_fail(__FILE__, __LINE__, "no JSON object: %s", text);
}

// What follows a key of the outermost object or of any inside it.
static const char* value_of(const char* json, const char* key) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\"", key);
  const char* at = strstr(json, quoted);
  if (at == NULL) harness_fail(__FILE__, __LINE__, "no %s in %s", quoted, json);
  at = skip_space(at + strlen(quoted));
  CHECK(*at == ':');
  return skip_space(at + 1);
}

static int64_t number_of(const char* json, const char* key) {
  int64_t number = -1;
  CHECK_INT(sscanf(value_of(json, key), "%" SCNd64, &number), 1);
  return number;
}

static void check_workflow(const char* json, const char* workflow) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\"", workflow);
  if (strncmp(value_of(json, "workflow"), quoted, strlen(quoted)) != 0) {
    harness_fail(__FILE__, __LINE__, "the workflow is not %s: %s", workflow, json);
  }
}

// --- tests ---

static void the_json_says_what_the_other_calls_say(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(80, 90, 0.2, 1), b = csr_random(90, 70, 0.2, 2);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_work_estimation(&p);
  int64_t products;
  CHECK_OK(oceanSpGEMM_getNumProducts(p.descr, &products));
  char* json = plan_of(p.descr, OCEAN_REPORT_JSON);
  check_is_json_object(json);
  CHECK_INT(number_of(json, "products"), products);
  CHECK(*value_of(json, "reasons") == '[' && skip_space(value_of(json, "reasons") + 1)[0] == '"');  // at least one
  plain_compute(&p);
  json = plan_of(p.descr, OCEAN_REPORT_JSON);
  check_is_json_object(json);
  CHECK_INT(number_of(json, "nnz"), p.c_nnz);
  product_close(&p);

  p = product_open(handle, &a, &b, DEFAULT_SETUP);
  reuse_work_estimation(&p);
  json = plan_of(p.descr, OCEAN_REPORT_JSON);
  check_is_json_object(json);
  CHECK_INT(number_of(json, "products"), products);
  product_close(&p);
  close_handle(handle);
}

// 40 entries a row, in other columns of 80 for each of 2^15 rows: a GPU counts rows that are alike once.
static Csr unlike_rows(int64_t rows) {
  Csr matrix = csr_begin(rows, 80);
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t t = 0; t < 40; t++) csr_push(&matrix, 2 * t + (i >> t % 15 & 1), 1);
    csr_end_row(&matrix);
  }
  return matrix;
}

static void the_text_names_the_workflow_and_the_reason(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = unlike_rows(17000), b = csr_full(80, 50, 2);
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  plain_work_estimation(&p);
  const char* text = plan_of(p.descr, OCEAN_REPORT_TEXT);
  CHECK_HAS(text, "estimate");
  CHECK_HAS(text, "because");
  CHECK_HAS(text, "34000000");
  CHECK(text[strlen(text) - 1] == '\n');
  product_close(&p);
  close_handle(handle);
}

static void the_workflow_follows_the_papers_thresholds(void) {
  oceanHandle_t handle = open_handle();
  const Csr short_rows = csr_random(5000, 5000, 0.0006, 3);  // 9 products a row, hardly any compression
  // Expansion and compression 40, and enough products that a GPU would not rather count them.
  const Csr tall = unlike_rows(21000), dense = csr_full(80, 40, 2);
  const Csr left = csr_random(500, 500, 0.05, 1), wide = csr_random(500, 100000, 0.0002, 2);  // hardly any compression
  const struct {
    const Csr *a, *b;
    const char* workflow;
  } cases[] = {{&short_rows, &short_rows, "upper_bound"}, {&tall, &dense, "estimate"}, {&left, &wide, "exact"}};
  for (int i = 0; i < 3; i++) {
    harness_case("%s", cases[i].workflow);
    Product p = product_open(handle, cases[i].a, cases[i].b, DEFAULT_SETUP);
    plain_work_estimation(&p);
    check_workflow(plan_of(p.descr, OCEAN_REPORT_JSON), cases[i].workflow);
    product_close(&p);
  }
  close_handle(handle);
}

static void a_forced_workflow_is_the_one_that_is_reported(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_full(100, 100, 1), expected = csr_multiply(&a, &a, CUDA_R_64F);
  static const char* const workflows[] = {"upper_bound", "estimate", "exact"};
  for (int i = 0; i < 3; i++) {
    harness_case("%s", workflows[i]);
    Setup setup = DEFAULT_SETUP;
    setup.options[0][0] = "workflow";
    setup.options[0][1] = workflows[i];
    Product p = product_open(handle, &a, &a, setup);
    plain_all(&p);
    check_workflow(plan_of(p.descr, OCEAN_REPORT_JSON), workflows[i]);
    const Csr c = product_read(&p);
    CHECK_SAME(&c, &expected);
    product_close(&p);
  }
  close_handle(handle);
}

static void empty_products_have_a_plan_too(void) {
  oceanHandle_t handle = open_handle();
  const Csr empty = csr_empty(4, 4), nothing = csr_empty(0, 0), off = csr_dense(2, 2, (const double[]){0, 1, 0, 0});
  const Csr* all[] = {&empty, &nothing, &off};
  for (int i = 0; i < 3; i++) {
    Product p = product_open(handle, all[i], all[i], DEFAULT_SETUP);
    plain_work_estimation(&p);
    const char* json = plan_of(p.descr, OCEAN_REPORT_JSON);
    check_is_json_object(json);
    CHECK_INT(number_of(json, "products"), 0);
    value_of(json, "workflow");
    plan_of(p.descr, OCEAN_REPORT_TEXT);
    product_close(&p);
  }
  close_handle(handle);
}

static void the_buffers_of_the_plan_are_those_of_the_queries(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(100, 100, 0.1, 1);
  Product p = product_open(handle, &a, &a, DEFAULT_SETUP);
  plain_work_estimation(&p);
  plain_compute(&p);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "[%zu,%zu]", p.size[1], p.size[2]);
  const char* value = value_of(plan_of(p.descr, OCEAN_REPORT_JSON), "buffer_bytes");
  CHECK(strncmp(value, sizes, strlen(sizes)) == 0);
  product_close(&p);
  close_handle(handle);
}

static void a_plan_needs_an_analysis_and_room(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = wr1_a(), b = wr1_b();
  Product p = product_open(handle, &a, &b, DEFAULT_SETUP);
  const oceanStatus_t invalid = OCEAN_STATUS_INVALID_VALUE;
  char text[16] = "untouched";
  size_t size = sizeof text;
  CHECK_REFUSED(oceanSpGEMM_getPlan(p.descr, OCEAN_REPORT_TEXT, NULL, &size), invalid, "oceanSpGEMM_workEstimation");
  CHECK_INT(size, sizeof text);
  plain_work_estimation(&p);
  size_t needed = 0;
  CHECK_OK(oceanSpGEMM_getPlan(p.descr, OCEAN_REPORT_TEXT, NULL, &needed));
  CHECK_REFUSED(oceanSpGEMM_getPlan(p.descr, OCEAN_REPORT_TEXT, text, &size), OCEAN_STATUS_INSUFFICIENT_RESOURCES,
                "16");
  CHECK_TEXT(text, "untouched");
  CHECK_INT(size, sizeof text);
  CHECK_REFUSED(oceanSpGEMM_getPlan(p.descr, (oceanReportFormat_t)77, NULL, &size), invalid, "format", "77");
  CHECK_REFUSED(oceanSpGEMM_getPlan(p.descr, OCEAN_REPORT_TEXT, text, NULL), invalid, "size");
  // One byte short is short.
  char* almost = test_alloc(needed);
  size = needed - 1;
  CHECK_STATUS(oceanSpGEMM_getPlan(p.descr, OCEAN_REPORT_TEXT, almost, &size), OCEAN_STATUS_INSUFFICIENT_RESOURCES);
  product_close(&p);
  close_handle(handle);
}

static int times_in(const char* text, const char* part) {
  int times = 0;
  while ((text = strstr(text, part)) != NULL) text += strlen(part), times++;
  return times;
}

static void a_profile_has_every_call_and_its_steps(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(200, 200, 0.05, 3);
  Setup setup = DEFAULT_SETUP;
  setup.options[0][0] = "profile";
  setup.options[0][1] = "on";
  setup.options[1][0] = "workflow";
  setup.options[1][1] = "upper_bound";
  Product p = product_open(handle, &a, &a, setup);
  plain_all(&p);
  plain_compute(&p);
  plain_copy(&p);
  const char* json = report_of(oceanSpGEMM_getProfile, p.descr, OCEAN_REPORT_JSON);
  check_is_json_object(json);
  CHECK_INT(times_in(json, "\"call\":\"oceanSpGEMM_workEstimation\",\"ms\":"), 1);
  CHECK_INT(times_in(json, "\"call\":\"oceanSpGEMM_compute\",\"ms\":"), 2);
  CHECK_INT(times_in(json, "\"call\":\"oceanSpGEMM_copy\",\"ms\":"), 2);
  CHECK_INT(times_in(json, "\"step\":\"accumulate_all\",\"times\":1,\"ms\":"), 2);
  CHECK_INT(times_in(json, "\"step\":\"compact\",\"times\":1,\"ms\":"), 2);
  const char* text = report_of(oceanSpGEMM_getProfile, p.descr, OCEAN_REPORT_TEXT);
  CHECK_HAS(text, "oceanSpGEMM_copy");
  CHECK_HAS(text, "write_offsets");
  // Another product begins another profile.
  plain_work_estimation(&p);
  json = report_of(oceanSpGEMM_getProfile, p.descr, OCEAN_REPORT_JSON);
  CHECK_INT(times_in(json, "\"call\""), 1);
  product_close(&p);

  p = product_open(handle, &a, &a, setup);
  reuse_all(&p);
  json = report_of(oceanSpGEMM_getProfile, p.descr, OCEAN_REPORT_JSON);
  CHECK_INT(times_in(json, "\"call\":\"oceanSpGEMMreuse_compute\""), 1);
  product_close(&p);
  close_handle(handle);
}

static void a_profile_has_to_be_asked_for(void) {
  oceanHandle_t handle = open_handle();
  const Csr a = csr_random(20, 20, 0.2, 4);
  Product p = product_open(handle, &a, &a, DEFAULT_SETUP);
  plain_all(&p);
  size_t size = 0;
  CHECK_REFUSED(oceanSpGEMM_getProfile(p.descr, OCEAN_REPORT_TEXT, NULL, &size), OCEAN_STATUS_INVALID_VALUE, "profile",
                "on");
  CHECK_OK(oceanSpGEMM_setOption(p.descr, "profile", "on"));
  CHECK_REFUSED(oceanSpGEMM_getProfile(p.descr, OCEAN_REPORT_TEXT, NULL, NULL), OCEAN_STATUS_INVALID_VALUE, "size");
  CHECK_REFUSED(oceanSpGEMM_getProfile(p.descr, (oceanReportFormat_t)9, NULL, &size), OCEAN_STATUS_INVALID_VALUE,
                "format");
  product_close(&p);
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(the_json_says_what_the_other_calls_say),
      TEST(the_text_names_the_workflow_and_the_reason),
      TEST(the_workflow_follows_the_papers_thresholds),
      TEST(a_forced_workflow_is_the_one_that_is_reported),
      TEST(empty_products_have_a_plan_too),
      TEST(the_buffers_of_the_plan_are_those_of_the_queries),
      TEST(a_plan_needs_an_analysis_and_room),
      TEST(a_profile_has_every_call_and_its_steps),
      TEST(a_profile_has_to_be_asked_for),
  };
  return RUN(tests, argc, argv);
}
