// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Products over ranks that are threads, through a transport of the test's own, against the serial product, bit for bit.
#include <stdlib.h>
#include <string.h>

#include "csr.h"
#include "dist/dist_csr.h"
#include "dist/mailbox.h"
#include "harness.h"

static const int WORLDS[][2] = {{1, 1}, {3, 1}, {4, 2}, {6, 2}};  // ranks, and ranks of a node
enum { WORLD_COUNT = 4 };

static const oceanDistAlgorithm_t ALGORITHMS[] = {OCEAN_DIST_AUTO, OCEAN_DIST_TRIDENT,       OCEAN_DIST_SUMMA,
                                                  OCEAN_DIST_ROWS, OCEAN_DIST_ROWS_PER_NODE, OCEAN_DIST_SINGLE};
enum { ALGORITHM_COUNT = 6 };

static void in_every_world(void (*work)(oceanDistHandle_t dist)) {
  for (int i = 0; i < WORLD_COUNT; i++) on_ranks(WORLDS[i][0], WORLDS[i][1], work);
}

static oceanDistOptions_t with_algorithm(oceanDistAlgorithm_t algorithm) {
  oceanDistOptions_t options = NULL;
  CHECK_OK(oceanDistCreateOptions(&options));
  CHECK_OK(oceanDistSetAlgorithm(options, algorithm));
  return options;
}

static void multiply_rows(oceanDistHandle_t dist) {
  const Csr a = csr_random(60, 45, 0.15, 1), b = csr_random(45, 50, 0.2, 2);
  for (int i = 0; i < 2; i++) {
    const oceanDataType_t type = i == 0 ? CUDA_R_64F : CUDA_R_32F;
    const Csr want = csr_multiply(&a, &b, type);
    const oceanIndexBase_t base = i == 0 ? OCEAN_INDEX_BASE_ZERO : OCEAN_INDEX_BASE_ONE;
    oceanDistMat_t left = put_rows(dist, &a, type, i == 0 ? OCEAN_INDEX_32I : OCEAN_INDEX_64I, OCEAN_INDEX_32I, base);
    oceanDistMat_t right = put_rows(dist, &b, type, OCEAN_INDEX_64I, OCEAN_INDEX_64I, base);
    for (int j = 0; j < ALGORITHM_COUNT; j++) {
      oceanDistOptions_t options = with_algorithm(ALGORITHMS[j]);
      oceanDistMat_t c = NULL;
      CHECK_OK(oceanDistSpGEMM(dist, left, right, options, &c));
      check_rows(dist, c, &want, type, false);
      CHECK_OK(oceanDistDestroyMat(c));
      CHECK_OK(oceanDistDestroyOptions(options));
    }
    CHECK_OK(oceanDistDestroyMat(left));
    CHECK_OK(oceanDistDestroyMat(right));
  }
}

static void every_algorithm_gives_the_serial_bits(void) { in_every_world(multiply_rows); }

static void multiply_entries(oceanDistHandle_t dist) {
  const Csr a = csr_random(40, 40, 0.2, 3), want = csr_multiply(&a, &a, CUDA_R_64F);
  oceanDistMat_t mat = put_entries(dist, &a, CUDA_R_64F, OCEAN_INDEX_BASE_ONE), c = NULL;
  CHECK_OK(oceanDistSpGEMM(dist, mat, mat, NULL, &c));
  check_rows(dist, c, &want, CUDA_R_64F, true);
  // The product is an operand of the next one.
  const Csr cube = csr_multiply(&want, &a, CUDA_R_64F);
  oceanDistMat_t d = NULL;
  CHECK_OK(oceanDistSpGEMM(dist, c, mat, NULL, &d));
  check_rows(dist, d, &cube, CUDA_R_64F, true);
  CHECK_OK(oceanDistDestroyMat(mat));
  CHECK_OK(oceanDistDestroyMat(c));
  CHECK_OK(oceanDistDestroyMat(d));
}

static void entries_come_in_any_order_and_products_follow_each_other(void) { in_every_world(multiply_entries); }

static void multiply_again(oceanDistHandle_t dist) {
  const Csr a = csr_random(50, 50, 0.1, 4), other = csr_scale(&a, -3);
  oceanDistMat_t mat = put_rows(dist, &a, CUDA_R_64F, OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO);
  oceanDistOptions_t options = with_algorithm(OCEAN_DIST_TRIDENT);
  oceanDistPlan_t plan = NULL;
  CHECK_OK(oceanDistSpGEMM_plan(dist, mat, mat, options, &plan));
  CHECK_OK(oceanDistDestroyOptions(options));
  for (int i = 0; i < 3; i++) {
    const Csr* now = i == 1 ? &other : &a;
    put_values(dist, mat, now);
    oceanDistMat_t c = NULL;
    CHECK_OK(oceanDistSpGEMM_execute(plan, mat, mat, &c));
    const Csr want = csr_multiply(now, now, CUDA_R_64F);
    check_rows(dist, c, &want, CUDA_R_64F, false);
    CHECK_OK(oceanDistDestroyMat(c));
  }
  // Another pattern on one rank is refused on all, and the plan still serves.
  const Csr denser = csr_random(50, 50, 0.2, 5);
  oceanDistMat_t wrong = put_rows(dist, &denser, CUDA_R_64F, OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO);
  oceanDistMat_t given = rank_of(dist) == ranks_of(dist) - 1 ? wrong : mat, c = (oceanDistMat_t)(void*)&given;
  char where[32] = "rank 0: ";
  where[5] = (char)('0' + ranks_of(dist) - 1);
  CHECK_REFUSED(oceanDistSpGEMM_execute(plan, given, given, &c), OCEAN_STATUS_INVALID_VALUE, where, "matA", "pattern");
  CHECK(c == NULL);
  CHECK_OK(oceanDistSpGEMM_execute(plan, mat, mat, &c));
  CHECK_OK(oceanDistDestroyMat(c));
  CHECK_OK(oceanDistDestroyMat(wrong));
  CHECK_OK(oceanDistDestroyMat(mat));
  CHECK_OK(oceanDistDestroyPlan(plan));
}

static void a_plan_serves_new_values_and_no_other_pattern(void) { in_every_world(multiply_again); }

static char* report(oceanStatus_t (*get)(oceanDistPlan_t, oceanReportFormat_t, char*, size_t*), oceanDistPlan_t plan,
                    oceanReportFormat_t format) {
  size_t size = 0;
  CHECK_OK(get(plan, format, NULL, &size));
  char* text = test_alloc(size);
  size_t small = size - 1;
  CHECK_STATUS(get(plan, format, text, &small), OCEAN_STATUS_INSUFFICIENT_RESOURCES);
  CHECK_INT(small, size - 1);
  CHECK_OK(get(plan, format, text, &size));
  CHECK_INT(strlen(text) + 1, size);
  return text;
}

static void explain(oceanDistHandle_t dist) {
  const Csr a = csr_random(50, 50, 0.1, 6);
  oceanDistMat_t mat = put_rows(dist, &a, CUDA_R_64F, OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO),
                 c = NULL;
  oceanDistPlan_t plan = NULL;
  CHECK_OK(oceanDistSpGEMM_plan(dist, mat, mat, NULL, &plan));
  size_t size = 0;
  CHECK_REFUSED(oceanDistSpGEMM_profile(plan, OCEAN_REPORT_TEXT, NULL, &size), OCEAN_STATUS_INVALID_VALUE,
                "oceanDistSpGEMM_execute");
  CHECK_HAS(report(oceanDistSpGEMM_explain, plan, OCEAN_REPORT_TEXT), "why not");
  CHECK_HAS(report(oceanDistSpGEMM_explain, plan, OCEAN_REPORT_JSON), "\"candidates\":[");
  CHECK_OK(oceanDistSpGEMM_execute(plan, mat, mat, &c));
  CHECK_HAS(report(oceanDistSpGEMM_profile, plan, OCEAN_REPORT_TEXT), "multiply_seconds");
  CHECK_HAS(report(oceanDistSpGEMM_profile, plan, OCEAN_REPORT_JSON), "\"between_nodes_bytes\":{");
  CHECK_OK(oceanDistDestroyMat(c));
  CHECK_OK(oceanDistDestroyMat(mat));
  CHECK_OK(oceanDistDestroyPlan(plan));
}

static void plans_explain_themselves_and_products_are_counted(void) { in_every_world(explain); }

// Two triangles and a node apart, joined by one light edge; given by half of each edge.
static void cluster(oceanDistHandle_t dist) {
  const int offsets[] = {0, 3, 4, 5, 7, 8, 8, 8}, columns[] = {1, 2, 2, 2, 3, 4, 5, 5};
  const double weights[] = {1, 1, 0.5, 1, 0.1, 1, 1, 1};
  const int64_t want[] = {0, 0, 0, 1, 1, 1, 2};
  const Csr graph = csr_arrays(7, 7, offsets, columns, weights);
  oceanDistMat_t mat = put_rows(dist, &graph, CUDA_R_32F, OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO);
  int64_t labels[7], clusters = -1;
  int steps = -1;
  CHECK_OK(oceanDistMcl(dist, mat, NULL, labels, &clusters, &steps));
  CHECK_INT(clusters, 3);
  CHECK(steps > 1);
  const int64_t first = first_row(7, rank_of(dist), ranks_of(dist));
  const int64_t end = first_row(7, rank_of(dist) + 1, ranks_of(dist));
  for (int64_t i = first; i < end; i++) CHECK_INT(labels[i - first], want[i]);
  CHECK_OK(oceanDistDestroyMat(mat));
}

static void clusters_are_the_same_on_any_ranks(void) { in_every_world(cluster); }

static void outlive(oceanDistHandle_t dist) {
  const Csr a = csr_random(20, 20, 0.2, 8);
  oceanDistMat_t mat = put_entries(dist, &a, CUDA_R_64F, OCEAN_INDEX_BASE_ZERO), c = NULL;
  oceanDistPlan_t plan = NULL;
  CHECK_OK(oceanDistSpGEMM_plan(dist, mat, mat, NULL, &plan));
  CHECK_OK(oceanDistSpGEMM_execute(plan, mat, mat, &c));
  CHECK_OK(oceanDistDestroyPlan(plan));
  CHECK_REFUSED(oceanDistSpGEMM_execute(plan, mat, mat, &c), OCEAN_STATUS_INVALID_VALUE, "plan");
  CHECK_OK(oceanDistDestroyMat(mat));
  int64_t first, rows, nnz;
  CHECK_OK(oceanDistMatGetRows(c, &first, &rows, &nnz));
  CHECK_OK(oceanDistDestroyMat(c));
}

static void what_is_made_of_a_plan_outlives_it(void) { in_every_world(outlive); }

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(every_algorithm_gives_the_serial_bits),
      TEST(entries_come_in_any_order_and_products_follow_each_other),
      TEST(a_plan_serves_new_values_and_no_other_pattern),
      TEST(plans_explain_themselves_and_products_are_counted),
      TEST(clusters_are_the_same_on_any_ranks),
      TEST(what_is_made_of_a_plan_outlives_it),
  };
  return RUN(tests, argc, argv);
}
