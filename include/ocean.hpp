// SPDX-License-Identifier: MIT OR Apache-2.0
//
// ocean for C++11 and later: what ocean.h creates as objects that end by themselves, and failures as exceptions. Header
// only, and thin: every object converts to its C type, so that any function of ocean.h takes it.
#ifndef OCEAN_HPP
#define OCEAN_HPP

#include <ocean.h>

#include <complex>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace ocean {

// A call that failed: its status, and in what() the library's own words.
class Error : public std::runtime_error {
 public:
  Error(oceanStatus_t status, const std::string& message)
      : std::runtime_error(std::string(oceanGetErrorName(status)) + ": " + message), status_(status) {}

  oceanStatus_t status() const noexcept { return status_; }

 private:
  oceanStatus_t status_;
};

// Throws Error unless the call succeeded: ocean::check(oceanSetStream(handle, stream)).
inline void check(oceanStatus_t status) {
  if (status != OCEAN_STATUS_SUCCESS) throw Error(status, oceanGetLastErrorString());
}

// The number of a C++ type in the C interface. For 16-bit values specialise it for the type that holds them.
template <class Value>
struct DataType;
template <>
struct DataType<float> {
  static constexpr oceanDataType_t value = CUDA_R_32F;
};
template <>
struct DataType<double> {
  static constexpr oceanDataType_t value = CUDA_R_64F;
};
template <>
struct DataType<std::complex<float>> {
  static constexpr oceanDataType_t value = CUDA_C_32F;
};
template <>
struct DataType<std::complex<double>> {
  static constexpr oceanDataType_t value = CUDA_C_64F;
};

// The same for row offsets and columns.
template <class Index>
struct IndexType;
template <>
struct IndexType<std::int32_t> {
  static constexpr oceanIndexType_t value = OCEAN_INDEX_32I;
};
template <>
struct IndexType<std::int64_t> {
  static constexpr oceanIndexType_t value = OCEAN_INDEX_64I;
};

namespace detail {
struct End {
  void operator()(oceanContext* handle) const noexcept { oceanDestroy(handle); }
  void operator()(const oceanSpMatDescr* matrix) const noexcept { oceanDestroySpMat(matrix); }
  void operator()(oceanSpGEMMDescr* product) const noexcept { oceanSpGEMM_destroyDescr(product); }
};
}  // namespace detail

// A library context.
class Handle {
 public:
  explicit Handle(oceanBackend_t backend = OCEAN_BACKEND_AUTO) {
    oceanHandle_t handle = nullptr;
    check(oceanCreateWithBackend(&handle, backend));
    handle_.reset(handle);
  }

  operator oceanHandle_t() const noexcept { return handle_.get(); }

  oceanBackend_t backend() const {
    oceanBackend_t backend;
    check(oceanGetBackend(handle_.get(), &backend));
    return backend;
  }

 private:
  std::unique_ptr<oceanContext, detail::End> handle_;
};

struct Size {
  std::int64_t rows, cols, nnz;
};

inline Size size(oceanConstSpMatDescr_t matrix) {
  Size size;
  check(oceanSpMatGetSize(matrix, &size.rows, &size.cols, &size.nnz));
  return size;
}

// The arrays of a matrix, where its handle's backend works.
template <class Value, class Offset = std::int32_t, class Column = std::int32_t>
struct Csr {
  std::int64_t rows, cols, nnz;
  Offset* offsets;
  Column* columns;
  Value* values;
  oceanIndexBase_t base;
};

// A CSR matrix. The caller's arrays are not copied and must live as long as it; arrays that the library allocated end
// with it.
class Matrix {
 public:
  // Any array may be nullptr until a call needs it; values stay so for a pattern.
  template <class Value, class Offset, class Column>
  static Matrix csr(std::int64_t rows, std::int64_t cols, std::int64_t nnz, Offset* offsets, Column* columns,
                    Value* values, oceanIndexBase_t base = OCEAN_INDEX_BASE_ZERO) {
    oceanSpMatDescr_t matrix = nullptr;
    check(oceanCreateCsr(&matrix, rows, cols, nnz, offsets, columns, values, IndexType<Offset>::value,
                         IndexType<Column>::value, base, DataType<Value>::value));
    return Matrix(matrix);
  }

  // A shape and types without arrays: what a product is written to.
  template <class Value, class Offset = std::int32_t, class Column = std::int32_t>
  static Matrix empty(std::int64_t rows, std::int64_t cols, oceanIndexBase_t base = OCEAN_INDEX_BASE_ZERO) {
    return csr<Value, Offset, Column>(rows, cols, 0, nullptr, nullptr, nullptr, base);
  }

  operator oceanSpMatDescr_t() const noexcept { return matrix_.get(); }

  Size size() const { return ocean::size(matrix_.get()); }

  // Where the arrays are. Throws if they have other types.
  template <class Value, class Offset = std::int32_t, class Column = std::int32_t>
  Csr<Value, Offset, Column> arrays() const {
    Csr<Value, Offset, Column> result;
    void *offsets = nullptr, *columns = nullptr, *values = nullptr;
    oceanIndexType_t offset_type, column_type;
    oceanDataType_t value_type;
    check(oceanCsrGet(matrix_.get(), &result.rows, &result.cols, &result.nnz, &offsets, &columns, &values, &offset_type,
                      &column_type, &result.base, &value_type));
    if (offset_type != IndexType<Offset>::value || column_type != IndexType<Column>::value ||
        value_type != DataType<Value>::value)
      throw Error(OCEAN_STATUS_INVALID_VALUE, "the matrix has arrays of other types");
    result.offsets = static_cast<Offset*>(offsets);
    result.columns = static_cast<Column*>(columns);
    result.values = static_cast<Value*>(values);
    return result;
  }

 private:
  explicit Matrix(oceanSpMatDescr_t matrix) : matrix_(matrix) {}
  std::unique_ptr<oceanSpMatDescr, detail::End> matrix_;
};

// A CSR matrix that is only read.
class ConstMatrix {
 public:
  template <class Value, class Offset, class Column>
  static ConstMatrix csr(std::int64_t rows, std::int64_t cols, std::int64_t nnz, const Offset* offsets,
                         const Column* columns, const Value* values, oceanIndexBase_t base = OCEAN_INDEX_BASE_ZERO) {
    oceanConstSpMatDescr_t matrix = nullptr;
    check(oceanCreateConstCsr(&matrix, rows, cols, nnz, offsets, columns, values, IndexType<Offset>::value,
                              IndexType<Column>::value, base, DataType<Value>::value));
    return ConstMatrix(matrix);
  }

  operator oceanConstSpMatDescr_t() const noexcept { return matrix_.get(); }

  Size size() const { return ocean::size(matrix_.get()); }

 private:
  explicit ConstMatrix(oceanConstSpMatDescr_t matrix) : matrix_(matrix) {}
  std::unique_ptr<const oceanSpMatDescr, detail::End> matrix_;
};

// The state of a product by the staged calls, or by those of the reuse protocol.
class Product {
 public:
  Product() {
    oceanSpGEMMDescr_t product = nullptr;
    check(oceanSpGEMM_createDescr(&product));
    product_.reset(product);
  }

  operator oceanSpGEMMDescr_t() const noexcept { return product_.get(); }

  void set_option(const std::string& name, const std::string& value) {
    check(oceanSpGEMM_setOption(product_.get(), name.c_str(), value.c_str()));
  }

  // Bytes that buffers and memory of the handle's allocator may take together; 0 for no limit.
  void set_memory_limit(std::size_t bytes) { check(oceanSpGEMM_setMemoryLimit(product_.get(), bytes)); }

  // Scalar products, once the work is estimated.
  std::int64_t products() const {
    std::int64_t products = 0;
    check(oceanSpGEMM_getNumProducts(product_.get(), &products));
    return products;
  }

  // What was decided and why, once the work is estimated.
  std::string plan(oceanReportFormat_t format = OCEAN_REPORT_TEXT) const { return report(oceanSpGEMM_getPlan, format); }

  // What the calls have taken, step by step, with the option "profile" set to "on".
  std::string profile(oceanReportFormat_t format = OCEAN_REPORT_TEXT) const {
    return report(oceanSpGEMM_getProfile, format);
  }

 private:
  template <class Report>
  std::string report(Report* written, oceanReportFormat_t format) const {
    std::size_t bytes = 0;
    check(written(product_.get(), format, nullptr, &bytes));
    std::string text(bytes, '\0');
    check(written(product_.get(), format, &text[0], &bytes));
    text.resize(bytes > 0 ? bytes - 1 : 0);  // the NUL
    return text;
  }

  std::unique_ptr<oceanSpGEMMDescr, detail::End> product_;
};

// A * B, whose arrays the library allocates with the handle's allocator. Value is the type of the values, real or
// complex, of 32 or 64 bits. The handle's pointer mode must be HOST, as it is at first.
template <class Value, class Offset = std::int32_t, class Column = std::int32_t>
Matrix multiply(oceanHandle_t handle, oceanConstSpMatDescr_t a, oceanConstSpMatDescr_t b, Value alpha = Value(1)) {
  Matrix c = Matrix::empty<Value, Offset, Column>(size(a).rows, size(b).cols);
  check(oceanSpGEMM(handle, OCEAN_OPERATION_NON_TRANSPOSE, OCEAN_OPERATION_NON_TRANSPOSE, &alpha, a, b, nullptr,
                    nullptr, c, DataType<Value>::value, OCEAN_SPGEMM_DEFAULT));
  return c;
}

}  // namespace ocean

#endif  // OCEAN_HPP
