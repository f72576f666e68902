// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Every type of values through every form of the call, on numbers that all of them hold exactly; how 16-bit ones are
// rounded; and what computeType may be beside which values.
#include <string.h>

#include "device.h"
#include "harness.h"
#include "numbers.h"
#include "product.h"

static void check_numbers(int kind, const void* array, const Number* expected, int count) {
  Number* found = test_alloc((size_t)count * sizeof *found);
  download_numbers(kind, found, array, count);
  for (int i = 0; i < count; i++) {
    harness_case("%s, entry %d", KINDS[kind].name, i);
    CHECK(found[i].re == expected[i].re);
    CHECK(found[i].im == (KINDS[kind].is_complex ? expected[i].im : 0));
  }
}

// A small product in one type. A's repeats and B's unsorted row and repeats are on purpose.
enum { ENTRIES_A = 4, ENTRIES_B = 5, ENTRIES_C = 4 };
static const int OFFSETS_A[] = {0, 3, 4}, COLUMNS_A[] = {1, 0, 1, 0};
static const Number VALUES_A[] = {{1, 2}, {3, -1}, {-2, 1}, {0, 1}};
static const int OFFSETS_B[] = {0, 3, 5}, COLUMNS_B[] = {2, 0, 2, 2, 0};
static const Number VALUES_B[] = {{1, 1}, {2, -3}, {4, 0}, {-1, 2}, {5, 1}};
static const int32_t OFFSETS_C[] = {0, 2, 4}, COLUMNS_C[] = {0, 2, 0, 2};

static Number plus(Number a, Number b) { return (Number){a.re + b.re, a.im + b.im}; }
static Number times(Number a, Number b) { return (Number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static Number real_of(Number a) { return (Number){a.re, 0}; }

// alpha * A * B + beta * old: integers that every type holds.
static void expected_values(bool is_complex, Number alpha, Number beta, const Number* old, Number* expected) {
  Number a[ENTRIES_A], b[ENTRIES_B];
  for (int i = 0; i < ENTRIES_A; i++) a[i] = is_complex ? VALUES_A[i] : real_of(VALUES_A[i]);
  for (int i = 0; i < ENTRIES_B; i++) b[i] = is_complex ? VALUES_B[i] : real_of(VALUES_B[i]);
  const Number ones = plus(a[0], a[2]);  // both are A(0, 1)
  const Number b02 = plus(b[0], b[2]);
  const Number product[ENTRIES_C] = {plus(times(a[1], b[1]), times(ones, b[4])),
                                     plus(times(a[1], b02), times(ones, b[3])), times(a[3], b[1]), times(a[3], b02)};
  for (int i = 0; i < ENTRIES_C; i++) {
    expected[i] = plus(times(alpha, product[i]), times(beta, is_complex ? old[i] : real_of(old[i])));
  }
}

typedef struct {
  int kind;
  oceanDataType_t compute;
  oceanHandle_t handle;
  oceanSpMatDescr_t a, b, c;
  oceanSpGEMMDescr_t descr;
  void *arrays[9], *buffers[5];
  const void *alpha, *beta;
} Typed;

static oceanSpMatDescr_t typed_csr(int kind, int64_t rows, int64_t cols, int nnz, const int* offsets,
                                   const int* columns, const Number* values, void** arrays) {
  oceanSpMatDescr_t matrix;
  arrays[0] = device_alloc(((size_t)rows + 1) * sizeof(int32_t));
  arrays[1] = device_alloc((size_t)nnz * sizeof(int32_t));
  arrays[2] = upload_numbers(kind, values, nnz);
  device_upload(arrays[0], offsets, ((size_t)rows + 1) * sizeof(int32_t));
  device_upload(arrays[1], columns, (size_t)nnz * sizeof(int32_t));
  CHECK_OK(oceanCreateCsr(&matrix, rows, cols, nnz, arrays[0], arrays[1], arrays[2], OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                          ZERO_BASE, KINDS[kind].type));
  return matrix;
}

static Typed typed_open(oceanHandle_t handle, int kind, oceanDataType_t compute, const void* alpha, const void* beta) {
  Typed t = {.kind = kind, .compute = compute, .handle = handle, .alpha = alpha, .beta = beta};
  t.a = typed_csr(kind, 2, 2, ENTRIES_A, OFFSETS_A, COLUMNS_A, VALUES_A, t.arrays);
  t.b = typed_csr(kind, 2, 3, ENTRIES_B, OFFSETS_B, COLUMNS_B, VALUES_B, t.arrays + 3);
  CHECK_OK(
      oceanCreateCsr(&t.c, 2, 3, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE, KINDS[kind].type));
  CHECK_OK(oceanSpGEMM_createDescr(&t.descr));
  return t;
}

static void typed_close(Typed* t) {
  CHECK_OK(oceanSpGEMM_destroyDescr(t->descr));
  CHECK_OK(oceanDestroySpMat(t->a));
  CHECK_OK(oceanDestroySpMat(t->b));
  CHECK_OK(oceanDestroySpMat(t->c));
  for (int i = 0; i < 9; i++) device_free(t->arrays[i]);
  for (int i = 0; i < 5; i++) device_free(t->buffers[i]);
}

// Arrays for C, with these values.
static void typed_give_c(Typed* t, const Number* old) {
  t->arrays[6] = device_alloc(3 * sizeof(int32_t));
  t->arrays[7] = device_alloc(ENTRIES_C * sizeof(int32_t));
  t->arrays[8] = upload_numbers(t->kind, old, ENTRIES_C);
  CHECK_OK(oceanCsrSetPointers(t->c, t->arrays[6], t->arrays[7], t->arrays[8]));
}

static void check_c(const Typed* t, const void* offsets, const void* columns, const void* values,
                    const Number* expected) {
  int32_t found_offsets[3], found_columns[ENTRIES_C];
  int64_t rows, cols, nnz;
  CHECK_OK(oceanSpMatGetSize(t->c, &rows, &cols, &nnz));
  CHECK_INT(nnz, ENTRIES_C);
  device_download(found_offsets, offsets, sizeof found_offsets);
  device_download(found_columns, columns, sizeof found_columns);
  CHECK(memcmp(found_offsets, OFFSETS_C, sizeof found_offsets) == 0);
  CHECK(memcmp(found_columns, COLUMNS_C, sizeof found_columns) == 0);
  check_numbers(t->kind, values, expected, ENTRIES_C);
}

#define PLAIN(t) \
  (t)->handle, OP_N, OP_N, (t)->alpha, (t)->a, (t)->b, (t)->beta, (t)->c, (t)->compute, OCEAN_SPGEMM_DEFAULT, (t)->descr
#define REUSED(t) (t)->handle, OP_N, OP_N, (t)->a, (t)->b, (t)->c, OCEAN_SPGEMM_DEFAULT, (t)->descr

static void run_plain(Typed* t, const Number* old) {
  size_t one = 0, two = 0;
  CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(t), &one, NULL));
  t->buffers[0] = device_alloc(one);
  CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(t), &one, t->buffers[0]));
  CHECK_OK(oceanSpGEMM_compute(PLAIN(t), &two, NULL));
  t->buffers[1] = device_alloc(two);
  CHECK_OK(oceanSpGEMM_compute(PLAIN(t), &two, t->buffers[1]));
  typed_give_c(t, old);
  CHECK_OK(oceanSpGEMM_copy(PLAIN(t)));
}

static void run_reuse(Typed* t, const Number* old) {
  size_t bytes[5] = {0};
  CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSED(t), &bytes[0], NULL));
  t->buffers[0] = device_alloc(bytes[0]);
  CHECK_OK(oceanSpGEMMreuse_workEstimation(REUSED(t), &bytes[0], t->buffers[0]));
  CHECK_OK(oceanSpGEMMreuse_nnz(REUSED(t), &bytes[1], NULL, &bytes[2], NULL, &bytes[3], NULL));
  for (int i = 1; i < 4; i++) t->buffers[i] = device_alloc(bytes[i]);
  CHECK_OK(
      oceanSpGEMMreuse_nnz(REUSED(t), &bytes[1], t->buffers[1], &bytes[2], t->buffers[2], &bytes[3], t->buffers[3]));
  typed_give_c(t, old);
  CHECK_OK(oceanSpGEMMreuse_copy(REUSED(t), &bytes[4], NULL));
  t->buffers[4] = device_alloc(bytes[4]);
  CHECK_OK(oceanSpGEMMreuse_copy(REUSED(t), &bytes[4], t->buffers[4]));
  CHECK_OK(oceanSpGEMMreuse_compute(PLAIN(t)));
}

static const Number OLD[ENTRIES_C] = {{8, -4}, {2, 6}, {-10, 12}, {0, 2}};

// Both protocols and the one call, with alpha and beta of this type, on the host or on the device.
static void check_forms(oceanHandle_t handle, int kind, oceanDataType_t compute) {
  const int scalar_kind = kind_of(compute);
  const Number alpha = {2, KINDS[kind].is_complex ? -1 : 0}, beta = {0.5, 0}, none = {0, 0};
  Number both[ENTRIES_C], product[ENTRIES_C];
  expected_values(KINDS[kind].is_complex, alpha, beta, OLD, both);
  expected_values(KINDS[kind].is_complex, alpha, none, OLD, product);
  char on_host[2][16];
  write_number(scalar_kind, on_host[0], alpha);
  write_number(scalar_kind, on_host[1], beta);
  void* on_device = upload_numbers(scalar_kind, (const Number[]){alpha, beta}, 2);
  for (int device = 0; device < 2; device++) {
    CHECK_OK(oceanSetPointerMode(handle, device ? OCEAN_POINTER_MODE_DEVICE : OCEAN_POINTER_MODE_HOST));
    const void* alpha_at = device ? on_device : on_host[0];
    const void* beta_at = device ? (const char*)on_device + bytes_of_kind(scalar_kind) : on_host[1];
    harness_case("%s, scalars on the %s", KINDS[kind].name, device ? "device" : "host");
    Typed t = typed_open(handle, kind, compute, alpha_at, beta_at);
    run_plain(&t, OLD);
    check_c(&t, t.arrays[6], t.arrays[7], t.arrays[8], both);
    typed_close(&t);

    t = typed_open(handle, kind, compute, alpha_at, beta_at);
    run_reuse(&t, OLD);
    check_c(&t, t.arrays[6], t.arrays[7], t.arrays[8], both);
    // Again, with what is there now as the old values.
    Number again[ENTRIES_C];
    expected_values(KINDS[kind].is_complex, alpha, beta, both, again);
    CHECK_OK(oceanSpGEMMreuse_compute(PLAIN(&t)));
    check_c(&t, t.arrays[6], t.arrays[7], t.arrays[8], again);
    typed_close(&t);

    t = typed_open(handle, kind, compute, alpha_at, beta_at);
    CHECK_OK(oceanSpGEMM(handle, OP_N, OP_N, alpha_at, t.a, t.b, NULL, NULL, t.c, compute, OCEAN_SPGEMM_DEFAULT));
    int64_t rows, cols, nnz;
    void *offsets, *columns, *values;
    oceanIndexType_t offset_type, column_type;
    oceanIndexBase_t base;
    oceanDataType_t type;
    CHECK_OK(
        oceanCsrGet(t.c, &rows, &cols, &nnz, &offsets, &columns, &values, &offset_type, &column_type, &base, &type));
    CHECK_INT(type, KINDS[kind].type);
    check_c(&t, offsets, columns, values, product);
    typed_close(&t);
  }
  device_free(on_device);
}

static void R16_T2_each_type_in_each_form(void) {
  oceanHandle_t handle = open_handle();
  for (int kind = 0; kind < TYPES; kind++) check_forms(handle, kind, KINDS[kind].type);
  close_handle(handle);
}

static void R16_sixteen_bits_with_a_computation_in_32(void) {
  oceanHandle_t handle = open_handle();
  for (int kind = 0; kind < TYPES; kind++) check_forms(handle, kind, KINDS[kind].wide);
  close_handle(handle);
}

// 2048 + 1 + 1 in one chain, of which a sum of 16 bits would lose both ones; likewise beta's part.
static void PR10_sixteen_bits_are_rounded_once_when_C_is_written(void) {
  oceanHandle_t handle = open_handle();
  static const int offsets[] = {0, 3}, columns[] = {0, 1, 2}, down[] = {0, 1, 2, 3}, zeros[] = {0, 0, 0};
  for (int kind = 0; kind < TYPES; kind++) {
    if (KINDS[kind].part_bytes != 2) continue;
    const bool half = KINDS[kind].type == CUDA_R_16F || KINDS[kind].type == CUDA_C_16F;
    const double large = half ? 2048 : 256;
    const Number ones[] = {{1, 0}, {1, 0}, {1, 0}}, column[] = {{large, 0}, {1, 0}, {1, 0}}, old[] = {{1, 0}};
    const Number sum[] = {{large + 2, 0}}, with_old[] = {{large + 4, 0}};  // large + 3 is half way, and goes to even
    for (int form = 0; form < 3; form++) {
      harness_case("%s, form %d", KINDS[kind].name, form);
      char alpha[16], beta[16];
      write_number(kind, alpha, (Number){1, 0});
      write_number(kind, beta, (Number){form == 2 ? 1 : 0, 0});
      Typed t = {.kind = kind, .compute = KINDS[kind].type, .handle = handle, .alpha = alpha, .beta = beta};
      t.a = typed_csr(kind, 1, 3, 3, offsets, columns, ones, t.arrays);
      t.b = typed_csr(kind, 3, 1, 3, down, zeros, column, t.arrays + 3);
      CHECK_OK(oceanCreateCsr(&t.c, 1, 1, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE,
                              KINDS[kind].type));
      CHECK_OK(oceanSpGEMM_createDescr(&t.descr));
      if (form == 1) {
        run_reuse(&t, (const Number[ENTRIES_C]){{0, 0}});
      } else {
        run_plain(&t, (const Number[ENTRIES_C]){old[0]});
      }
      check_numbers(kind, t.arrays[8], form == 2 ? with_old : sum, 1);
      typed_close(&t);
    }
  }
  close_handle(handle);
}

static bool have_equal_parts(int kind, int other) {
  const bool half = KINDS[kind].type == CUDA_R_16F || KINDS[kind].type == CUDA_C_16F;
  const bool other_half = KINDS[other].type == CUDA_R_16F || KINDS[other].type == CUDA_C_16F;
  return KINDS[kind].part_bytes == KINDS[other].part_bytes && half == other_half;
}

static void R16_other_mixed_types_are_refused_by_name(void) {
  oceanHandle_t handle = open_handle();
  const double one[2] = {1, 0};
  size_t size = 77;
  for (int kind = 0; kind < TYPES; kind++) {
    for (int other = 0; other < TYPES; other++) {
      if (other == kind) continue;
      harness_case("%s and %s", KINDS[kind].name, KINDS[other].name);
      Typed t = typed_open(handle, kind, KINDS[other].type, one, one);
      if (KINDS[kind].wide != KINDS[other].type) {
        CHECK_REFUSED(oceanSpGEMM_workEstimation(PLAIN(&t), &size, NULL), OCEAN_STATUS_NOT_SUPPORTED, "computeType",
                      KINDS[kind].name, KINDS[other].name);
      }
      oceanSpMatDescr_t strange;
      CHECK_OK(oceanCreateCsr(&strange, 2, 3, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE,
                              KINDS[other].type));
      CHECK_REFUSED(oceanSpGEMM_workEstimation(handle, OP_N, OP_N, one, t.a, t.b, one, strange, KINDS[kind].type,
                                               OCEAN_SPGEMM_DEFAULT, t.descr, &size, NULL),
                    OCEAN_STATUS_NOT_SUPPORTED, "matC", KINDS[kind].name, KINDS[other].name);
      // A real factor beside a complex one of such parts is none of these, if C is complex.
      const bool is_whole = have_equal_parts(kind, other);
      if (!is_whole || !KINDS[kind].is_complex) {
        CHECK_REFUSED(oceanSpGEMM_workEstimation(handle, OP_N, OP_N, one, t.a, strange, one, t.c, KINDS[kind].type,
                                                 OCEAN_SPGEMM_DEFAULT, t.descr, &size, NULL),
                      OCEAN_STATUS_NOT_SUPPORTED, is_whole ? "matC" : "matB", KINDS[kind].name, KINDS[other].name);
      }
      CHECK_OK(oceanDestroySpMat(strange));
      typed_close(&t);
    }
  }
  CHECK_INT(size, 77);
  close_handle(handle);
}

// i times 2 and 2 times i, in each form of the call.
static void TY6_R16_a_real_factor_beside_a_complex_one(void) {
  oceanHandle_t handle = open_handle();
  static const int offsets[] = {0, 1}, columns[] = {0};
  const Number i = {0, 1}, two = {2, 0}, twice_i = {0, 2}, old = {1, 1};
  for (int kind = 0; kind < TYPES; kind++) {
    for (int real = 0; real < TYPES; real++) {
      if (!KINDS[kind].is_complex || KINDS[real].is_complex || !have_equal_parts(kind, real)) continue;
      for (int form = 0; form < 6; form++) {
        const bool real_first = form % 2 == 0;
        harness_case("%s, real factor %s, form %d", KINDS[kind].name, real_first ? "first" : "second", form / 2);
        char one[16], none[16];
        write_number(kind, one, (Number){1, 0});
        write_number(kind, none, (Number){0, 0});
        Typed t = {.kind = kind, .compute = KINDS[kind].type, .handle = handle, .alpha = one, .beta = none};
        t.a = typed_csr(real_first ? real : kind, 1, 1, 1, offsets, columns, real_first ? &two : &i, t.arrays);
        t.b = typed_csr(real_first ? kind : real, 1, 1, 1, offsets, columns, real_first ? &i : &two, t.arrays + 3);
        CHECK_OK(oceanCreateCsr(&t.c, 1, 1, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE,
                                KINDS[kind].type));
        CHECK_OK(oceanSpGEMM_createDescr(&t.descr));
        if (form / 2 < 2) {
          (form / 2 == 0 ? run_plain : run_reuse)(&t, (const Number[ENTRIES_C]){old});
          check_numbers(kind, t.arrays[8], &twice_i, 1);
        } else {
          CHECK_OK(oceanSpGEMM(handle, OP_N, OP_N, one, t.a, t.b, NULL, NULL, t.c, t.compute, OCEAN_SPGEMM_DEFAULT));
          int64_t rows, cols, nnz;
          void *c_offsets, *c_columns, *c_values;
          oceanIndexType_t offset_type, column_type;
          oceanIndexBase_t base;
          oceanDataType_t type;
          CHECK_OK(oceanCsrGet(t.c, &rows, &cols, &nnz, &c_offsets, &c_columns, &c_values, &offset_type, &column_type,
                               &base, &type));
          check_numbers(kind, c_values, &twice_i, 1);
        }
        typed_close(&t);
      }
    }
  }
  close_handle(handle);
}

static oceanSpMatDescr_t described(int kind, oceanIndexType_t offsets, oceanIndexType_t columns) {
  oceanSpMatDescr_t matrix;
  CHECK_OK(oceanCreateCsr(&matrix, 0, 0, 0, NULL, NULL, NULL, offsets, columns, ZERO_BASE, KINDS[kind].type));
  return matrix;
}

static void PR25_IX5_the_query_and_the_call_agree(void) {
  oceanHandle_t handle = open_handle();
  const double one[2] = {1, 0};
  oceanSpGEMMDescr_t descr;
  CHECK_OK(oceanSpGEMM_createDescr(&descr));
  int answers[2] = {0, 0};
  for (int mix = 0; mix < TYPES * TYPES * TYPES * TYPES; mix++) {
    const int of_a = mix % TYPES, of_b = mix / 8 % TYPES, of_c = mix / 64 % TYPES, compute = mix / 512;
    const oceanIndexType_t narrow = OCEAN_INDEX_32I, wide = OCEAN_INDEX_64I;
    oceanSpMatDescr_t a = described(of_a, mix % 3 ? narrow : wide, mix % 5 ? narrow : wide);
    oceanSpMatDescr_t b = described(of_b, narrow, wide), c = described(of_c, wide, mix % 2 ? narrow : wide);
    const oceanOperation_t op_a = (oceanOperation_t)(mix % 3), op_b = (oceanOperation_t)(mix / 3 % 3);
    const oceanSpGEMMAlg_t alg = ALL_ALGS[mix % ALGS];
    int supported = 77;
    CHECK_OK(oceanSpGEMM_isSupported(handle, op_a, op_b, a, b, c, KINDS[compute].type, alg, &supported));
    size_t size = 0;
    const oceanStatus_t status =
        oceanSpGEMM_workEstimation(handle, op_a, op_b, one, a, b, one, c, KINDS[compute].type, alg, descr, &size, NULL);
    harness_case("%s %s %s in %s", KINDS[of_a].name, KINDS[of_b].name, KINDS[of_c].name, KINDS[compute].name);
    CHECK(supported == 0 || supported == 1);
    CHECK_STATUS(status, supported ? OCEAN_STATUS_SUCCESS : OCEAN_STATUS_NOT_SUPPORTED);
    answers[supported]++;
    CHECK_OK(oceanDestroySpMat(a));
    CHECK_OK(oceanDestroySpMat(b));
    CHECK_OK(oceanDestroySpMat(c));
  }
  // Each type alone, the four of 16 bits in 32, and for each complex type, 16-bit ones twice, a real factor on either
  // side.
  CHECK_INT(answers[1], 12 + 2 * 6);
  CHECK_OK(oceanSpGEMM_destroyDescr(descr));
  close_handle(handle);
}

static void PR25_the_query_checks_its_arguments(void) {
  oceanHandle_t handle = open_handle();
  oceanSpMatDescr_t m = described(0, OCEAN_INDEX_32I, OCEAN_INDEX_32I);
  const oceanSpGEMMAlg_t alg = OCEAN_SPGEMM_DEFAULT;
  const oceanStatus_t invalid = OCEAN_STATUS_INVALID_VALUE;
  int supported = 77;
#define ASK(handle, op, a, type, alg, out) oceanSpGEMM_isSupported(handle, op, OP_N, a, m, m, type, alg, out)
  CHECK_REFUSED(ASK(NULL, OP_N, m, CUDA_R_32F, alg, &supported), invalid, "handle");
  CHECK_REFUSED(ASK(handle, OP_N, NULL, CUDA_R_32F, alg, &supported), invalid, "matA");
  CHECK_REFUSED(ASK(handle, (oceanOperation_t)9, m, CUDA_R_32F, alg, &supported), invalid, "opA", "9");
  CHECK_REFUSED(ASK(handle, OP_N, m, (oceanDataType_t)999, alg, &supported), invalid, "computeType", "999");
  CHECK_REFUSED(ASK(handle, OP_N, m, CUDA_R_32F, (oceanSpGEMMAlg_t)99, &supported), invalid, "alg", "99");
  CHECK_REFUSED(ASK(handle, OP_N, m, CUDA_R_32F, alg, NULL), invalid, "supported");
  CHECK_INT(supported, 77);
  CHECK_OK(oceanDestroySpMat(m));
  close_handle(handle);
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(R16_T2_each_type_in_each_form),
      TEST(R16_sixteen_bits_with_a_computation_in_32),
      TEST(PR10_sixteen_bits_are_rounded_once_when_C_is_written),
      TEST(R16_other_mixed_types_are_refused_by_name),
      TEST(TY6_R16_a_real_factor_beside_a_complex_one),
      TEST(PR25_IX5_the_query_and_the_call_agree),
      TEST(PR25_the_query_checks_its_arguments),
  };
  return RUN(tests, argc, argv);
}
