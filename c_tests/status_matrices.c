// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Matrix descriptors: NULL for every pointer of every function, destroyed and foreign objects, wrong enums, and what
// creation refuses (BI15, BI17, LI6).
#include <limits.h>

#include "device.h"
#include "harness.h"
#include "product.h"

#define INVALID OCEAN_STATUS_INVALID_VALUE
#define CHECK_INVALID(call, ...) CHECK_REFUSED(call, INVALID, __VA_ARGS__)

static long long stranger[64];  // an address that the library never gave out

static void matrix_functions_refuse_what_is_no_matrix(void) {
  oceanSpMatDescr_t dead;
  CHECK_OK(oceanCreateCsr(&dead, 2, 2, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE, CUDA_R_64F));
  CHECK_OK(oceanDestroySpMat(dead));
  oceanHandle_t handle = open_handle();
  const oceanSpMatDescr_t bad[] = {NULL, dead, (oceanSpMatDescr_t)(void*)stranger};
  for (int i = 0; i < 3; i++) {
    harness_case("%s", i == 0 ? "NULL" : i == 1 ? "destroyed" : "foreign");
    oceanSpMatDescr_t matrix = bad[i];
    int64_t size[3] = {55, 55, 55};
    void* pointer = stranger;
    const void* const_pointer = stranger;
    oceanIndexType_t index = (oceanIndexType_t)55;
    oceanIndexBase_t base = (oceanIndexBase_t)55;
    oceanDataType_t type = (oceanDataType_t)55;
    oceanFormat_t format = (oceanFormat_t)55;
    CHECK_STATUS(oceanSpMatGetSize(matrix, &size[0], &size[1], &size[2]), INVALID);
    CHECK_STATUS(oceanSpMatGetFormat(matrix, &format), INVALID);
    CHECK_STATUS(oceanSpMatGetIndexBase(matrix, &base), INVALID);
    CHECK_STATUS(oceanSpMatGetValues(matrix, &pointer), INVALID);
    CHECK_STATUS(oceanSpMatSetValues(matrix, stranger), INVALID);
    CHECK_STATUS(oceanCsrSetPointers(matrix, NULL, NULL, NULL), INVALID);
    CHECK_STATUS(
        oceanCsrGet(matrix, &size[0], &size[1], &size[2], &pointer, &pointer, &pointer, &index, &index, &base, &type),
        INVALID);
    CHECK_STATUS(oceanConstCsrGet(matrix, &size[0], &size[1], &size[2], &const_pointer, &const_pointer, &const_pointer,
                                  &index, &index, &base, &type),
                 INVALID);
    CHECK_STATUS(oceanSpMatCheck(handle, matrix, OCEAN_CHECK_STRUCTURE), INVALID);
    CHECK(size[0] == 55 && size[1] == 55 && size[2] == 55 && pointer == stranger && const_pointer == stranger);
    CHECK(index == 55 && base == 55 && type == 55 && format == 55);
  }
  CHECK_OK(oceanDestroySpMat(NULL));
  CHECK_STATUS(oceanDestroySpMat(dead), INVALID);
  CHECK_STATUS(oceanDestroySpMat((oceanSpMatDescr_t)(void*)stranger), INVALID);
  check_handle_works(handle);
  close_handle(handle);
}

static void matrix_functions_refuse_NULL_outputs(void) {
  int32_t offsets[3] = {0, 1, 2}, columns[2] = {0, 1};
  double values[2] = {1, 2};
  oceanSpMatDescr_t matrix;
  CHECK_OK(oceanCreateCsr(&matrix, 2, 2, 2, offsets, columns, values, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE,
                          CUDA_R_64F));
  for (int missing = 0; missing < 10; missing++) {
    harness_case("output %d missing", missing);
    int64_t size[3] = {55, 55, 55};
    void* pointer[3] = {stranger, stranger, stranger};
    const void* const_pointer[3] = {stranger, stranger, stranger};
    oceanIndexType_t index[2] = {(oceanIndexType_t)55, (oceanIndexType_t)55};
    oceanIndexBase_t base = (oceanIndexBase_t)55;
    oceanDataType_t type = (oceanDataType_t)55;
#define UNLESS(n, pointer) (missing == (n) ? NULL : (pointer))
    CHECK_STATUS(oceanCsrGet(matrix, UNLESS(0, &size[0]), UNLESS(1, &size[1]), UNLESS(2, &size[2]),
                             UNLESS(3, &pointer[0]), UNLESS(4, &pointer[1]), UNLESS(5, &pointer[2]),
                             UNLESS(6, &index[0]), UNLESS(7, &index[1]), UNLESS(8, &base), UNLESS(9, &type)),
                 INVALID);
    CHECK_HAS(oceanGetLastErrorString(), "NULL");
    CHECK_STATUS(
        oceanConstCsrGet(matrix, UNLESS(0, &size[0]), UNLESS(1, &size[1]), UNLESS(2, &size[2]),
                         UNLESS(3, &const_pointer[0]), UNLESS(4, &const_pointer[1]), UNLESS(5, &const_pointer[2]),
                         UNLESS(6, &index[0]), UNLESS(7, &index[1]), UNLESS(8, &base), UNLESS(9, &type)),
        INVALID);
    if (missing < 3) {
      CHECK_STATUS(oceanSpMatGetSize(matrix, UNLESS(0, &size[0]), UNLESS(1, &size[1]), UNLESS(2, &size[2])), INVALID);
    }
    for (int i = 0; i < 3; i++) CHECK(size[i] == 55 && pointer[i] == stranger && const_pointer[i] == stranger);
    CHECK(index[0] == 55 && index[1] == 55 && base == 55 && type == 55);
  }
  CHECK_INVALID(oceanSpMatGetFormat(matrix, NULL), "format");
  CHECK_STATUS(oceanSpMatGetIndexBase(matrix, NULL), INVALID);
  CHECK_INVALID(oceanSpMatGetValues(matrix, NULL), "values");
  CHECK_OK(oceanDestroySpMat(matrix));
}

static void a_matrix_tells_what_it_was_told(void) {
  int32_t offsets[3] = {1, 2, 3}, columns[2] = {1, 2};
  float values[2] = {1, 2};
  int64_t rows, cols, nnz;
  void *o, *c, *v;
  const void *const_o, *const_c, *const_v;
  oceanIndexType_t offset_type, column_type;
  oceanIndexBase_t base;
  oceanDataType_t type;
  oceanFormat_t format;
  for (int constant = 0; constant < 2; constant++) {
    oceanSpMatDescr_t matrix = NULL;
    oceanConstSpMatDescr_t const_matrix = NULL;
    if (constant) {
      CHECK_OK(oceanCreateConstCsr(&const_matrix, 2, 5, 2, offsets, columns, values, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                                   ONE_BASE, CUDA_R_32F));
      matrix = (oceanSpMatDescr_t)const_matrix;  // interchangeable at run time
    } else {
      CHECK_OK(oceanCreateCsr(&matrix, 2, 5, 2, offsets, columns, values, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ONE_BASE,
                              CUDA_R_32F));
      const_matrix = matrix;
    }
    CHECK_OK(oceanConstCsrGet(const_matrix, &rows, &cols, &nnz, &const_o, &const_c, &const_v, &offset_type,
                              &column_type, &base, &type));
    CHECK(rows == 2 && cols == 5 && nnz == 2 && const_o == offsets && const_c == columns && const_v == values);
    CHECK(offset_type == OCEAN_INDEX_32I && column_type == OCEAN_INDEX_32I && base == ONE_BASE && type == CUDA_R_32F);
    rows = cols = nnz = -1;
    CHECK_OK(oceanCsrGet(matrix, &rows, &cols, &nnz, &o, &c, &v, &offset_type, &column_type, &base, &type));
    CHECK(rows == 2 && cols == 5 && nnz == 2 && o == offsets && c == columns && v == values);
    CHECK_OK(oceanSpMatGetFormat(const_matrix, &format));
    CHECK_INT(format, OCEAN_FORMAT_CSR);
    base = (oceanIndexBase_t)55;
    CHECK_OK(oceanSpMatGetIndexBase(const_matrix, &base));
    CHECK_INT(base, ONE_BASE);
    // Any pointer may change to NULL, and nnz never does.
    CHECK_OK(oceanCsrSetPointers(matrix, NULL, NULL, NULL));
    CHECK_OK(oceanCsrGet(matrix, &rows, &cols, &nnz, &o, &c, &v, &offset_type, &column_type, &base, &type));
    CHECK(nnz == 2 && o == NULL && c == NULL && v == NULL);
    CHECK_OK(oceanSpMatSetValues(matrix, values));
    CHECK_OK(oceanSpMatGetValues(matrix, &v));
    CHECK(v == values);
    CHECK_OK(oceanDestroySpMat(const_matrix));
  }
}

#define CREATE(...) oceanCreateCsr(&matrix, __VA_ARGS__)
#define CREATE_CONST(...) oceanCreateConstCsr(&const_matrix, __VA_ARGS__)
// Both ways to create refuse, and leave a defined output (LI6): no descriptor.
#define CHECK_CREATION(part, ...)                    \
  do {                                               \
    matrix = (oceanSpMatDescr_t)(void*)stranger;     \
    const_matrix = (oceanConstSpMatDescr_t)stranger; \
    CHECK_INVALID(CREATE(__VA_ARGS__), part);        \
    CHECK_INVALID(CREATE_CONST(__VA_ARGS__), part);  \
    CHECK(matrix == NULL && const_matrix == NULL);   \
  } while (0)

static void BI15_BI17_LI6_what_creation_refuses(void) {
  const oceanIndexType_t i32 = OCEAN_INDEX_32I;
  const oceanDataType_t f64 = CUDA_R_64F, f32 = CUDA_R_32F;
  oceanSpMatDescr_t matrix;
  oceanConstSpMatDescr_t const_matrix;
  char* array = device_alloc(64);
  CHECK_INVALID(oceanCreateCsr(NULL, 2, 2, 0, NULL, NULL, NULL, i32, i32, ZERO_BASE, f64), "NULL");
  CHECK_INVALID(oceanCreateConstCsr(NULL, 2, 2, 0, NULL, NULL, NULL, i32, i32, ZERO_BASE, f64), "NULL");
  CHECK_CREATION("rows", -1, 2, 0, NULL, NULL, NULL, i32, i32, ZERO_BASE, f64);
  CHECK_HAS(oceanGetLastErrorString(), "-1");
  CHECK_CREATION("cols", 2, -1, 0, NULL, NULL, NULL, i32, i32, ZERO_BASE, f64);
  CHECK_CREATION("nnz", 2, 2, -1, NULL, NULL, NULL, i32, i32, ZERO_BASE, f64);
  CHECK_CREATION("rows", INT64_MIN, 2, 0, NULL, NULL, NULL, i32, i32, ZERO_BASE, f64);
  // Past what 32-bit indices hold, the base included.
  CHECK_CREATION("2147483648", 2147483648, 2, 0, NULL, NULL, NULL, i32, i32, ZERO_BASE, f64);
  CHECK_CREATION("2147483648", 2, 2147483648, 0, NULL, NULL, NULL, i32, i32, ZERO_BASE, f64);
  CHECK_CREATION("2147483648", INT_MAX, INT_MAX, 2147483648, NULL, NULL, NULL, i32, i32, ZERO_BASE, f64);
  CHECK_CREATION("nnz", INT_MAX - 1, INT_MAX - 1, INT_MAX, NULL, NULL, NULL, i32, i32, ONE_BASE, f64);
  // Natural alignment, and no more (BI15).
  CHECK_CREATION("align", 2, 2, 2, array, array + 16, array + 2, i32, i32, ZERO_BASE, f32);
  CHECK_CREATION("align", 2, 2, 2, array, array + 16, array + 4, i32, i32, ZERO_BASE, f64);
  CHECK_CREATION("align", 2, 2, 2, array + 1, array + 16, array + 32, i32, i32, ZERO_BASE, f64);
  CHECK_CREATION("align", 2, 2, 2, array, array + 18, array + 32, i32, i32, ZERO_BASE, f64);
  // Enums.
  CHECK_CREATION("77", 2, 2, 0, NULL, NULL, NULL, (oceanIndexType_t)77, i32, ZERO_BASE, f64);
  CHECK_CREATION("77", 2, 2, 0, NULL, NULL, NULL, i32, (oceanIndexType_t)77, ZERO_BASE, f64);
  CHECK_CREATION("77", 2, 2, 0, NULL, NULL, NULL, i32, i32, (oceanIndexBase_t)77, f64);
  CHECK_CREATION("777", 2, 2, 0, NULL, NULL, NULL, i32, i32, ZERO_BASE, (oceanDataType_t)777);
  device_free(array);
}

static void CsrSetPointers_wants_natural_alignment_too(void) {
  oceanSpMatDescr_t matrix;
  char* array = device_alloc(64);
  CHECK_OK(oceanCreateCsr(&matrix, 2, 2, 2, array, array + 16, array + 32, OCEAN_INDEX_32I, OCEAN_INDEX_32I, ZERO_BASE,
                          CUDA_R_64F));
  CHECK_INVALID(oceanCsrSetPointers(matrix, array + 2, array + 16, array + 32), "align");
  CHECK_INVALID(oceanCsrSetPointers(matrix, array, array + 17, array + 32), "align");
  CHECK_INVALID(oceanCsrSetPointers(matrix, array, array + 16, array + 36), "align");
  CHECK_INVALID(oceanSpMatSetValues(matrix, array + 33), "align");
  void* values;
  CHECK_OK(oceanSpMatGetValues(matrix, &values));
  CHECK(values == array + 32);
  CHECK_OK(oceanDestroySpMat(matrix));
  device_free(array);
}

static void what_creation_accepts(void) {
  oceanSpMatDescr_t matrix;
  static const struct {
    int64_t rows, cols, nnz;
  } shapes[] = {
      {0, 0, 0},
      {0, 7, 0},
      {7, 0, 0},
      {2, 2, 3},    // arrays may come later, or never
      {1, 1, 100},  // repeats: nnz past rows * cols is legal
      {INT_MAX - 1, INT_MAX - 1, INT_MAX - 1},
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    harness_case("shape %d", (int)i);
    CHECK_OK(oceanCreateCsr(&matrix, shapes[i].rows, shapes[i].cols, shapes[i].nnz, NULL, NULL, NULL, OCEAN_INDEX_32I,
                            OCEAN_INDEX_32I, ONE_BASE, CUDA_R_64F));
    CHECK_OK(oceanDestroySpMat(matrix));
  }
}

int main(int argc, char** argv) {
  static const Test tests[] = {
      TEST(matrix_functions_refuse_what_is_no_matrix),
      TEST(matrix_functions_refuse_NULL_outputs),
      TEST(a_matrix_tells_what_it_was_told),
      TEST(BI15_BI17_LI6_what_creation_refuses),
      TEST(CsrSetPointers_wants_natural_alignment_too),
      TEST(what_creation_accepts),
  };
  return RUN(tests, argc, argv);
}
