// SPDX-License-Identifier: MIT OR Apache-2.0
// A CSR matrix on the host, built row by row, and one where the handle computes.
#ifndef EXAMPLES_MATRIX_HPP
#define EXAMPLES_MATRIX_HPP

#include <ocean.hpp>
#include <vector>

#include "../common/array.hpp"

struct Matrix {
  int rows, cols;
  std::vector<int> offsets, columns;
  std::vector<double> values;

  Matrix(int rows, int cols) : rows(rows), cols(cols), offsets(1, 0) {}

  void append(int column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { offsets.push_back(static_cast<int>(columns.size())); }

  template <class Visit>
  void for_each(Visit visit) const {
    for (int row = 0; row < rows; row++)
      for (int entry = offsets[row]; entry < offsets[row + 1]; entry++) visit(row, columns[entry], values[entry]);
  }

  Matrix transposed() const {
    std::vector<std::vector<int>> rows_of_column(cols);
    std::vector<std::vector<double>> values_of_column(cols);
    for_each([&](int row, int column, double value) {
      rows_of_column[column].push_back(row);
      values_of_column[column].push_back(value);
    });
    Matrix result(cols, rows);
    for (int column = 0; column < cols; column++) {
      for (std::size_t i = 0; i < rows_of_column[column].size(); i++)
        result.append(rows_of_column[column][i], values_of_column[column][i]);
      result.end_row();
    }
    return result;
  }
};

class DeviceMatrix {
 public:
  explicit DeviceMatrix(const Matrix& host)
      : rows_(host.rows),
        cols_(host.cols),
        offsets_(host.offsets),
        columns_(host.columns),
        values_(host.values),
        descriptor_(describe(host.offsets.back())) {}

  // An empty one, of which the row offsets alone have room.
  DeviceMatrix(int rows, int cols)
      : rows_(rows), cols_(cols), offsets_(static_cast<std::size_t>(rows) + 1), descriptor_(describe(0)) {}

  // Makes room for so many entries.
  void reserve(int entries) {
    columns_ = Array<int>(static_cast<std::size_t>(entries));
    values_ = Array<double>(static_cast<std::size_t>(entries));
    ocean::check(oceanCsrSetPointers(descriptor_, offsets_.get(), columns_.get(), values_.get()));
  }
  void set_values(const std::vector<double>& values) {
    device_copy(values_.get(), values.data(), values.size() * sizeof(double));
  }

  operator oceanSpMatDescr_t() const { return descriptor_; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int entries() const { return static_cast<int>(descriptor_.size().nnz); }

  Matrix on_host() const {
    Matrix host(rows_, cols_);
    host.offsets = offsets_.on_host();
    host.columns = columns_.on_host();
    host.values = values_.on_host();
    return host;
  }

 private:
  ocean::Matrix describe(int entries) const {
    return ocean::Matrix::csr(rows_, cols_, entries, offsets_.get(), columns_.get(), values_.get());
  }
  int rows_, cols_;
  Array<int> offsets_, columns_;
  Array<double> values_;
  ocean::Matrix descriptor_;
};

#endif  // EXAMPLES_MATRIX_HPP
