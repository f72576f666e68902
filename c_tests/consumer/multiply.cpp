// SPDX-License-Identifier: MIT OR Apache-2.0
// C = A * B by the one-call form; the library allocates C.
#include <ocean.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(oceanStatus_t status, const char* what) {
  if (status == OCEAN_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: %s: %s\n", what, oceanGetErrorName(status), oceanGetLastErrorString());
  std::exit(EXIT_FAILURE);
}

struct Matrix {
  std::vector<int32_t> offsets, columns;
  std::vector<double> values;

  oceanSpMatDescr_t descriptor() {
    oceanSpMatDescr_t result = nullptr;
    const int64_t rows = static_cast<int64_t>(offsets.size()) - 1;
    check(oceanCreateCsr(&result, rows, rows, static_cast<int64_t>(values.size()), offsets.data(), columns.data(),
                         values.data(), OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO, CUDA_R_64F),
          "oceanCreateCsr");
    return result;
  }
};

}  // namespace

int main() {
  Matrix a{{0, 3, 4, 7, 9}, {0, 2, 3, 1, 0, 2, 3, 1, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  Matrix b{{0, 2, 4, 7, 8}, {0, 3, 1, 3, 0, 1, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8}};
  const Matrix expected{
      {0, 4, 6, 10, 12}, {0, 1, 2, 3, 1, 3, 0, 1, 2, 3, 1, 3}, {11, 36, 14, 2, 12, 16, 35, 92, 42, 10, 96, 32}};

  oceanHandle_t handle = nullptr;
  check(oceanCreateWithBackend(&handle, OCEAN_BACKEND_HOST), "oceanCreateWithBackend");
  oceanSpMatDescr_t descr_a = a.descriptor(), descr_b = b.descriptor(), descr_c = nullptr;
  check(oceanCreateCsr(&descr_c, 4, 4, 0, nullptr, nullptr, nullptr, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                       OCEAN_INDEX_BASE_ZERO, CUDA_R_64F),
        "oceanCreateCsr");

  const double one = 1, zero = 0;
  check(oceanSpGEMM(handle, OCEAN_OPERATION_NON_TRANSPOSE, OCEAN_OPERATION_NON_TRANSPOSE, &one, descr_a, descr_b, &zero,
                    nullptr, descr_c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT),
        "oceanSpGEMM");

  int64_t rows = 0, columns = 0, entries = 0;
  void *offset_array = nullptr, *column_array = nullptr, *value_array = nullptr;
  oceanIndexType_t offset_type, column_type;
  oceanIndexBase_t base;
  oceanDataType_t value_type;
  check(oceanCsrGet(descr_c, &rows, &columns, &entries, &offset_array, &column_array, &value_array, &offset_type,
                    &column_type, &base, &value_type),
        "oceanCsrGet");
  const int32_t* c_offsets = static_cast<int32_t*>(offset_array);
  const int32_t* c_columns = static_cast<int32_t*>(column_array);
  const double* c_values = static_cast<double*>(value_array);
  const bool right = entries == 12 && std::vector<int32_t>(c_offsets, c_offsets + rows + 1) == expected.offsets &&
                     std::vector<int32_t>(c_columns, c_columns + entries) == expected.columns &&
                     std::vector<double>(c_values, c_values + entries) == expected.values;

  check(oceanDestroySpMat(descr_c), "oceanDestroySpMat");  // C's arrays go with it
  check(oceanDestroySpMat(descr_b), "oceanDestroySpMat");
  check(oceanDestroySpMat(descr_a), "oceanDestroySpMat");
  check(oceanDestroy(handle), "oceanDestroy");
  std::puts(right ? "C++: multiplied" : "C++: C is wrong");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
