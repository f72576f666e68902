// SPDX-License-Identifier: MIT OR Apache-2.0
// A product in two calls that share a handle, as kernels of Trilinos are called: the symbolic one finds C's pattern,
// the numeric one fills in its values and is called again whenever those of A or B have changed. Both by the reuse
// protocol.
#ifndef EXAMPLES_SPGEMM_HPP
#define EXAMPLES_SPGEMM_HPP

#include <ocean.hpp>

#include "../common/array.hpp"

// Views of a CSR matrix in the memory where the handle computes. Values are looked at by the numeric call alone.
template <class Scalar>
struct CrsMatrix {
  int rows, cols, entries;
  int *row_map, *columns;
  Scalar* values;

  ocean::Matrix describe() const { return ocean::Matrix::csr(rows, cols, entries, row_map, columns, values); }
};

template <class Scalar>
class SpGEMMHandle {
 public:
  explicit SpGEMMHandle(oceanHandle_t handle) : handle_(handle) {}

  // C's row map is written; columns and values get their length, and the columns are written.
  void symbolic(const CrsMatrix<Scalar>& a, const CrsMatrix<Scalar>& b, Array<int>& row_map, Array<int>& columns,
                Array<Scalar>& values) {
    auto matrix_a = a.describe(), matrix_b = b.describe();
    row_map = Array<int>(static_cast<std::size_t>(a.rows) + 1);
    auto matrix_c = ocean::Matrix::csr<Scalar, int, int>(a.rows, b.cols, 0, row_map.get(), nullptr, nullptr);

    Array<char> scratch, more_scratch, for_copy;  // needed in here alone; kept_ until the last numeric call
    std::size_t bytes = 0, bytes2 = 0, bytes3 = 0, bytes4 = 0, bytes5 = 0;
    auto estimate = [&](void* buffer) {
      ocean::check(
          oceanSpGEMMreuse_workEstimation(handle_, N, N, matrix_a, matrix_b, matrix_c, ALG, product_, &bytes, buffer));
    };
    auto count = [&](void* buffer2, void* buffer3, void* buffer4) {
      ocean::check(oceanSpGEMMreuse_nnz(handle_, N, N, matrix_a, matrix_b, matrix_c, ALG, product_, &bytes2, buffer2,
                                        &bytes3, buffer3, &bytes4, buffer4));
    };
    auto copy = [&](void* buffer) {
      ocean::check(oceanSpGEMMreuse_copy(handle_, N, N, matrix_a, matrix_b, matrix_c, ALG, product_, &bytes5, buffer));
    };

    estimate(nullptr);
    scratch = Array<char>(bytes);
    estimate(scratch.get());
    count(nullptr, nullptr, nullptr);
    more_scratch = Array<char>(bytes2);
    for_copy = Array<char>(bytes3);
    kept_[0] = Array<char>(bytes4);
    count(more_scratch.get(), for_copy.get(), kept_[0].get());

    const auto entries = static_cast<std::size_t>(matrix_c.size().nnz);
    columns = Array<int>(entries);
    values = Array<Scalar>(entries);
    ocean::check(oceanCsrSetPointers(matrix_c, row_map.get(), columns.get(), values.get()));
    copy(nullptr);
    kept_[1] = Array<char>(bytes5);
    copy(kept_[1].get());
  }

  // C's values, for the pattern that symbolic has seen.
  void numeric(const CrsMatrix<Scalar>& a, const CrsMatrix<Scalar>& b, const CrsMatrix<Scalar>& c) {
    const Scalar one(1), zero(0);
    ocean::check(oceanSpGEMMreuse_compute(handle_, N, N, &one, a.describe(), b.describe(), &zero, c.describe(),
                                          ocean::DataType<Scalar>::value, ALG, product_));
  }

 private:
  static constexpr oceanOperation_t N = OCEAN_OPERATION_NON_TRANSPOSE;
  static constexpr oceanSpGEMMAlg_t ALG = OCEAN_SPGEMM_DEFAULT;
  oceanHandle_t handle_;
  ocean::Product product_;
  Array<char> kept_[2];
};

#endif  // EXAMPLES_SPGEMM_HPP
