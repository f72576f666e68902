// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Misuse of the calls over many ranks: each is refused with a status and a message that names the argument and the
// numbers, on all ranks alike, writes nothing, and leaves the handle as good as before.
#include <stdlib.h>

#include "csr.h"
#include "dist/dist_csr.h"
#include "dist/mailbox.h"
#include "harness.h"

#define INVALID OCEAN_STATUS_INVALID_VALUE
#define CHECK_INVALID(call, ...) CHECK_REFUSED(call, INVALID, __VA_ARGS__)

static long long stranger[64];  // an address that the library never gave out

static void check_works(oceanDistHandle_t dist) {
  const Csr a = csr_random(12, 12, 0.3, 1), want = csr_multiply(&a, &a, CUDA_R_64F);
  oceanDistMat_t mat = put_rows(dist, &a, CUDA_R_64F, OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO),
                 c = NULL;
  CHECK_OK(oceanDistSpGEMM(dist, mat, mat, NULL, &c));
  check_rows(dist, c, &want, CUDA_R_64F, false);
  CHECK_OK(oceanDistDestroyMat(c));
  CHECK_OK(oceanDistDestroyMat(mat));
}

// What oceanDistCreateMatRows takes, right on every rank: 2 rows of 2 entries each, of 6 columns.
typedef struct {
  oceanDistMat_t* mat;
  int64_t rows, cols, first, local;
  const void *offsets, *columns, *values;
  oceanIndexType_t offset_type, col_type;
  oceanIndexBase_t base;
  oceanDataType_t type;
} Rows;

static const int32_t OFFSETS[] = {0, 2, 4}, COLUMNS[] = {0, 5, 1, 2};
static const double VALUES[] = {1, 2, 3, 4};

static Rows good_rows(oceanDistHandle_t dist, oceanDistMat_t* mat) {
  return (Rows){mat,
                2 * ranks_of(dist),
                6,
                2 * rank_of(dist),
                2,
                OFFSETS,
                COLUMNS,
                VALUES,
                OCEAN_INDEX_32I,
                OCEAN_INDEX_32I,
                OCEAN_INDEX_BASE_ZERO,
                CUDA_R_64F};
}

static oceanStatus_t create(oceanDistHandle_t dist, const Rows* rows) {
  return oceanDistCreateMatRows(dist, rows->mat, rows->rows, rows->cols, rows->first, rows->local, rows->offsets,
                                rows->columns, rows->values, rows->offset_type, rows->col_type, rows->base, rows->type);
}

// Rank 2 is wrong in one argument; every rank hears about it.
static void rows_of_one_rank_are_wrong(oceanDistHandle_t dist) {
  static const int32_t falling[] = {0, 3, 2}, late[] = {1, 3, 4}, outside[] = {0, 5, 6, 2}, below[] = {0, -1, 1, 2};
  static const char odd[64] __attribute__((aligned(8)));
  enum { CASES = 17 };
  static const char* const PARTS[CASES][3] = {
      {"mat", "NULL", ""},         {"firstRow", "-1", ""},        {"localRows", "-3", ""},
      {"firstRow", "7", "passes"}, {"firstRow", "3", "end at 4"}, {"rowOffsets", "NULL", ""},
      {"rowOffsets", "3", "2"},    {"rowOffsets", "1", "base 0"}, {"colInd", "6", "place 2"},
      {"colInd", "-1", "place 1"}, {"colInd", "NULL", "4"},       {"values", "NULL", "4"},
      {"values", "aligned", "8"},  {"offsetType", "77", ""},      {"idxBase", "77", ""},
      {"valueType", "77", ""},     {"localRows", "7", "8 rows"}};
  for (int i = 0; i < CASES; i++) {
    harness_case("case %d", i);
    oceanDistMat_t mat = (oceanDistMat_t)(void*)stranger;
    Rows rows = good_rows(dist, &mat);
    if (rank_of(dist) == 2) {
      switch (i) {
        case 0:
          rows.mat = NULL;
          break;
        case 1:
          rows.first = -1;
          break;
        case 2:
          rows.local = -3;
          break;
        case 3:
          rows.first = 7;
          break;
        case 4:
          rows.first = 3;
          break;
        case 5:
          rows.offsets = NULL;
          break;
        case 6:
          rows.offsets = falling;
          break;
        case 7:
          rows.offsets = late;
          break;
        case 8:
          rows.columns = outside;
          break;
        case 9:
          rows.columns = below;
          break;
        case 10:
          rows.columns = NULL;
          break;
        case 11:
          rows.values = NULL;
          break;
        case 12:
          rows.values = odd + 4;
          break;
        case 13:
          rows.offset_type = (oceanIndexType_t)77;
          break;
        case 14:
          rows.base = (oceanIndexBase_t)77;
          break;
        case 15:
          rows.type = (oceanDataType_t)77;
          break;
        default:
          break;
      }
    }
    // The last rank has a row too few.
    if (i == 16 && rank_of(dist) == 3) rows.local = 1;
    CHECK_INVALID(create(dist, &rows), i == 16 ? "rank 3: " : "rank 2: ", PARTS[i][0], PARTS[i][1], PARTS[i][2]);
    if (rows.mat != NULL) CHECK(mat == NULL);
  }
  oceanDistMat_t mat = NULL;
  Rows rows = good_rows(dist, &mat);
  rows.type = CUDA_R_16F;
  CHECK_REFUSED(create(dist, &rows), OCEAN_STATUS_NOT_SUPPORTED, "rank 0: ", "valueType", "R_16F");
  rows.type = rank_of(dist) == 1 ? CUDA_R_32F : CUDA_R_64F;
  CHECK_INVALID(create(dist, &rows), "rank 1: ", "differ from those of rank 0");
  rows = good_rows(dist, &mat);
  CHECK_OK(create(dist, &rows));
  CHECK_OK(oceanDistDestroyMat(mat));
  check_works(dist);
}

static void rows_that_are_wrong_on_one_rank_fail_all(void) { on_ranks(4, 2, rows_of_one_rank_are_wrong); }

static void entries_of_one_rank_are_wrong(oceanDistHandle_t dist) {
  const int32_t good[] = {1, 6}, bad[] = {1, 7};
  const double values[] = {1, 2};
  const bool wrong = rank_of(dist) == 1;
  oceanDistMat_t mat = (oceanDistMat_t)(void*)stranger;
  CHECK_INVALID(oceanDistCreateMatCoo(dist, &mat, 6, 6, 2, wrong ? bad : good, good, values, OCEAN_INDEX_32I,
                                      OCEAN_INDEX_BASE_ONE, CUDA_R_64F),
                "rank 1: rowInd", "7", "place 1", "6");
  CHECK(mat == NULL);
  CHECK_INVALID(oceanDistCreateMatCoo(dist, &mat, 6, 6, wrong ? -2 : 2, good, good, values, OCEAN_INDEX_32I,
                                      OCEAN_INDEX_BASE_ONE, CUDA_R_64F),
                "rank 1: localNnz", "-2");
  CHECK_INVALID(oceanDistCreateMatCoo(dist, &mat, wrong ? 7 : 6, 6, 2, good, good, values, OCEAN_INDEX_32I,
                                      OCEAN_INDEX_BASE_ONE, CUDA_R_64F),
                "rank 1: ", "differ from those of rank 0");
  check_works(dist);
}

static void entries_that_are_wrong_on_one_rank_fail_all(void) { on_ranks(3, 1, entries_of_one_rank_are_wrong); }

static oceanDistMat_t any_matrix(oceanDistHandle_t dist, int64_t rows, int64_t cols, oceanDataType_t type) {
  const Csr a = csr_random(rows, cols, 0.3, (uint64_t)(rows + 100 * cols));
  return put_rows(dist, &a, type, OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO);
}

static void products_are_wrong(oceanDistHandle_t dist) {
  oceanDistMat_t a = any_matrix(dist, 8, 8, CUDA_R_64F), tall = any_matrix(dist, 9, 8, CUDA_R_64F);
  oceanDistMat_t single = any_matrix(dist, 8, 8, CUDA_R_32F), dead = any_matrix(dist, 8, 8, CUDA_R_64F);
  CHECK_OK(oceanDistDestroyMat(dead));
  CHECK_INVALID(oceanDistDestroyMat(dead), "mat", "destroyed");
  const bool wrong = rank_of(dist) == 1;
  oceanDistPlan_t plan = (oceanDistPlan_t)(void*)stranger;
  CHECK_INVALID(oceanDistSpGEMM_plan(dist, wrong ? NULL : a, a, NULL, &plan), "rank 1: matA is NULL");
  CHECK(plan == NULL);
  CHECK_INVALID(oceanDistSpGEMM_plan(dist, a, wrong ? dead : a, NULL, &plan), "rank 1: matB", "destroyed");
  CHECK_INVALID(oceanDistSpGEMM_plan(dist, a, tall, NULL, &plan), "rank 0: matA has 8 columns but matB has 9 rows");
  CHECK_REFUSED(oceanDistSpGEMM_plan(dist, a, single, NULL, &plan), OCEAN_STATUS_NOT_SUPPORTED, "rank 0: matB", "F32");
  CHECK_INVALID(oceanDistSpGEMM_plan(dist, a, a, NULL, wrong ? NULL : &plan), "rank 1: plan is NULL");
  CHECK_INVALID(oceanDistSpGEMM_plan(dist, a, a, wrong ? (oceanDistOptions_t)(void*)stranger : NULL, &plan),
                "rank 1: options");

  oceanDistOptions_t options = NULL;
  CHECK_OK(oceanDistCreateOptions(&options));
  CHECK_OK(oceanDistSetAlgorithm(options, wrong ? OCEAN_DIST_SUMMA : OCEAN_DIST_TRIDENT));
  CHECK_INVALID(oceanDistSpGEMM_plan(dist, a, a, options, &plan), "rank 1: ", "differ from those of rank 0");
  CHECK_OK(oceanDistSetGrid(options, 5, 1, 1, 1));
  CHECK_INVALID(oceanDistSpGEMM_plan(dist, a, a, options, &plan), "grid has 5 ranks");
  CHECK_OK(oceanDistSetAlgorithm(options, OCEAN_DIST_AUTO));
  CHECK_OK(oceanDistSetMemoryLimit(options, 10));
  CHECK_INVALID(oceanDistSpGEMM_plan(dist, a, a, options, &plan), "memoryLimit is 10 bytes");
  CHECK(plan == NULL);
  CHECK_OK(oceanDistDestroyOptions(options));

  // A plan and another call at once: said, not waited for.
  oceanDistMat_t c = NULL;
  const oceanStatus_t status =
      wrong ? oceanDistSpGEMM(dist, a, a, NULL, &c) : oceanDistSpGEMM_plan(dist, a, a, NULL, &plan);
  CHECK_REFUSED(status, INVALID, "rank 1: ", "differ from those of rank 0");

  CHECK_OK(oceanDistSpGEMM_plan(dist, a, a, NULL, &plan));
  CHECK_REFUSED(oceanDistSpGEMM_execute(plan, a, a, wrong ? NULL : &c), INVALID, "rank 1: matC is NULL");
  CHECK_REFUSED(oceanDistSpGEMM_execute(plan, a, tall, &c), INVALID, "rank 0: ");
  CHECK_REFUSED(oceanDistSpGEMM_execute(plan, single, single, &c), INVALID, "rank 0: matA", "F32", "F64");
  CHECK(c == NULL);
  CHECK_OK(oceanDistSpGEMM_execute(plan, a, a, &c));

  int64_t first = 55, rows = 55, nnz = 55;
  CHECK_INVALID(oceanDistMatGetRows(a, &first, &rows, &nnz), "mat", "only products");
  CHECK_INVALID(oceanDistMatGetRows(c, &first, NULL, &nnz), "localRows is NULL");
  CHECK(first == 55 && rows == 55 && nnz == 55);
  CHECK_INVALID(oceanDistMatSetValues(c, 0, NULL), "mat is a product");
  CHECK_INVALID(oceanDistMatSetValues(a, -1, NULL), "localNnz is -1");
  CHECK_INVALID(
      oceanDistMatCopyRows(c, NULL, NULL, (char*)stranger + 1, OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO),
      "values", "not aligned");

  int64_t labels[9], clusters = 55;
  int steps = 55;
  CHECK_INVALID(oceanDistMcl(dist, tall, NULL, labels, &clusters, &steps), "rank 0: graph is 9 x 8");
  CHECK_INVALID(oceanDistMcl(dist, a, NULL, labels, &clusters, &steps), "graph has weight -", "not 0 or more");
  CHECK_INVALID(oceanDistMcl(dist, a, NULL, labels, wrong ? NULL : &clusters, &steps), "rank 1: clusters is NULL");
  CHECK(clusters == 55 && steps == 55);

  CHECK_OK(oceanDistDestroyMat(c));
  CHECK_OK(oceanDistDestroyPlan(plan));
  CHECK_INVALID(oceanDistDestroyPlan(plan), "plan", "destroyed");
  CHECK_OK(oceanDistDestroyMat(a));
  CHECK_OK(oceanDistDestroyMat(tall));
  CHECK_OK(oceanDistDestroyMat(single));
  check_works(dist);
}

static void products_that_are_wrong_on_one_rank_fail_all(void) { on_ranks(3, 1, products_are_wrong); }

static void open_wrongly(const oceanDistTransport_t* table, void* user) {
  const bool wrong = table->rank == 1;
  oceanDistHandle_t dist = (oceanDistHandle_t)(void*)stranger;
  // One rank alone: nobody can be told, and nobody is asked.
  oceanDistTransport_t bad = *table;
  bad.bytes = 8;
  CHECK_INVALID(oceanDistCreateWithTransport(&dist, NULL, &bad, user, NULL), "table", "8 bytes");
  CHECK(dist == NULL);
  bad = *table;
  bad.send = NULL;
  CHECK_INVALID(oceanDistCreateWithTransport(&dist, NULL, &bad, user, NULL), "table", "NULL for send");
  bad = *table;
  bad.rank = bad.ranks;
  CHECK_INVALID(oceanDistCreateWithTransport(&dist, NULL, &bad, user, NULL), "table", "rank 3 of 3");
  CHECK_INVALID(oceanDistCreateWithTransport(&dist, NULL, NULL, user, NULL), "table is NULL");
  // All together.
  CHECK_INVALID(oceanDistCreateWithTransport(wrong ? NULL : &dist, NULL, table, user, NULL), "rank 1: dist is NULL");
  CHECK(wrong || dist == NULL);
  CHECK_INVALID(oceanDistCreateWithTransport(&dist, wrong ? (oceanHandle_t)(void*)stranger : NULL, table, user, NULL),
                "rank 1: handle");
  oceanDistOptions_t options = NULL;
  CHECK_OK(oceanDistCreateOptions(&options));
  CHECK_OK(oceanDistSetTimeout(options, 20));
  CHECK_OK(oceanDistSetRanksPerNode(options, 2));
  CHECK_INVALID(oceanDistCreateWithTransport(&dist, NULL, table, user, options), "rank 0: ", "3");
  CHECK_OK(oceanDistSetRanksPerNode(options, 0));
  oceanHandle_t local = NULL;
  CHECK_OK(oceanCreateWithBackend(&local, OCEAN_BACKEND_HOST));
  CHECK_OK(oceanDistCreateWithTransport(&dist, local, table, user, options));
  CHECK_OK(oceanDestroy(local));
  CHECK_OK(oceanDistDestroyOptions(options));
  check_works(dist);
  CHECK_OK(oceanDistDestroy(dist));
  CHECK_INVALID(oceanDistDestroy(dist), "dist", "destroyed");
}

static void handles_that_are_wrong_on_one_rank_fail_all(void) { on_tables(3, open_wrongly); }

static void mpi_is_not_there(void) {
  const int comm = 0;
  oceanDistHandle_t dist = (oceanDistHandle_t)(void*)stranger;
  oceanDistOptions_t options = NULL;
  CHECK_OK(oceanDistCreateOptions(&options));
  CHECK_OK(oceanDistSetShim(options, "/nowhere/libocean_mpi.so"));
  CHECK_INVALID(oceanDistCreate(&dist, NULL, &comm, sizeof comm, options), "MPI shim /nowhere/libocean_mpi.so");
  CHECK(dist == NULL);
  CHECK_INVALID(oceanDistCreateFortran(&dist, NULL, 0, options), "MPI shim /nowhere/libocean_mpi.so");
  CHECK_INVALID(oceanDistCreate(&dist, NULL, NULL, 8, options), "comm is NULL");
  CHECK_INVALID(oceanDistCreate(&dist, NULL, &comm, 0, options), "commBytes", "0");
  CHECK_INVALID(oceanDistSetShim(options, NULL), "path is NULL");
  CHECK_OK(oceanDistDestroyOptions(options));
}

static void options_are_checked_when_they_are_set(void) {
  oceanDistOptions_t options = NULL;
  CHECK_INVALID(oceanDistCreateOptions(NULL), "options is NULL");
  CHECK_OK(oceanDistCreateOptions(&options));
  CHECK_INVALID(oceanDistSetAlgorithm(options, (oceanDistAlgorithm_t)77), "algorithm", "77");
  CHECK_INVALID(oceanDistSetGrid(options, 2, 0, 1, 1), "nodeCols", "0");
  CHECK_INVALID(oceanDistSetSums(options, -1), "rounds", "-1");
  CHECK_INVALID(oceanDistSetTimeout(options, -0.5), "seconds", "-0.5");
  CHECK_INVALID(oceanDistSetTimeout(options, 1e300), "seconds");
  CHECK_INVALID(oceanDistSetRanksPerNode(options, -4), "ranks", "-4");
  CHECK_INVALID(oceanDistSetMachine(options, 1, 0, 1, 1, 1), "bytesPerSecondBetween", "0");
  CHECK_INVALID(oceanDistSetMclRules(options, 1, 1e4, 1, 1, 0.9), "inflation", "1");
  CHECK_INVALID(oceanDistSetMclRules(options, 2, 1e4, 0, 1, 0.9), "select", "0");
  CHECK_INVALID(oceanDistSetMclEnd(options, 0, 1), "chaos", "0");
  CHECK_OK(oceanDistSetMachine(options, 0, 1, 0, 1, 1));
  CHECK_OK(oceanDistSetPermutation(options, 1, -7));
  CHECK_OK(oceanDistDestroyOptions(options));
  CHECK_INVALID(oceanDistSetSums(options, 1), "options", "destroyed");
  CHECK_INVALID(oceanDistDestroyOptions(options), "options", "destroyed");
  CHECK_OK(oceanDistDestroyOptions(NULL));
  CHECK_OK(oceanDistDestroyMat(NULL));
  CHECK_OK(oceanDistDestroyPlan(NULL));
  CHECK_OK(oceanDistDestroy(NULL));
}

// A transport that fails once ends the call on all ranks with its number, and the next call works.
static void fail_to_send(const oceanDistTransport_t* table, void* user) {
  oceanDistHandle_t dist = NULL;
  oceanDistOptions_t options = NULL;
  CHECK_OK(oceanDistCreateOptions(&options));
  CHECK_OK(oceanDistSetTimeout(options, 0.5));
  CHECK_OK(oceanDistCreateWithTransport(&dist, NULL, table, user, options));
  CHECK_OK(oceanDistDestroyOptions(options));
  if (table->rank == 1) mailbox_fail_next_send(user, 42);
  const int32_t index = 0;
  const double value = 1;
  oceanDistMat_t mat = NULL;
  const oceanStatus_t status = oceanDistCreateMatCoo(dist, &mat, 3, 3, 1, &index, &index, &value, OCEAN_INDEX_32I,
                                                     OCEAN_INDEX_BASE_ZERO, CUDA_R_64F);
  CHECK_REFUSED(status, OCEAN_STATUS_EXECUTION_FAILED, "send failed: 42");
  CHECK_OK(oceanDistCreateMatCoo(dist, &mat, 3, 3, 1, &index, &index, &value, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO,
                                 CUDA_R_64F));
  CHECK_OK(oceanDistDestroyMat(mat));
  CHECK_OK(oceanDistDestroy(dist));
}

static void a_transport_that_fails_is_told_with_its_number(void) { on_tables(2, fail_to_send); }

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(rows_that_are_wrong_on_one_rank_fail_all),
      TEST(entries_that_are_wrong_on_one_rank_fail_all),
      TEST(products_that_are_wrong_on_one_rank_fail_all),
      TEST(handles_that_are_wrong_on_one_rank_fail_all),
      TEST(mpi_is_not_there),
      TEST(options_are_checked_when_they_are_set),
      TEST(a_transport_that_fails_is_told_with_its_number),
  };
  return RUN(tests, argc, argv);
}
