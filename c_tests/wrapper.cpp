// SPDX-License-Identifier: MIT OR Apache-2.0
// ocean.hpp: what it makes ends once, moves, converts to C's types, and throws what the library says.
#include <cstdio>
#include <cstdlib>
#include <ocean.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

#define REQUIRE(condition)                                             \
  do {                                                                 \
    if (!(condition)) {                                                \
      std::fprintf(stderr, "line %d: not %s\n", __LINE__, #condition); \
      std::exit(EXIT_FAILURE);                                         \
    }                                                                  \
  } while (0)

template <class Action>
oceanStatus_t status_of(Action action) {
  try {
    action();
  } catch (const ocean::Error& error) {
    return error.status();
  }
  return OCEAN_STATUS_SUCCESS;
}

const std::vector<std::int32_t> OFFSETS{0, 2, 3}, COLUMNS{0, 1, 1};

// The square of [2 1; 0 3], in any type.
template <class Value>
void squares(oceanHandle_t handle) {
  const std::vector<Value> values{Value(2), Value(1), Value(3)};
  const auto a = ocean::ConstMatrix::csr(2, 2, 3, OFFSETS.data(), COLUMNS.data(), values.data());
  const auto c = ocean::multiply<Value, std::int64_t>(handle, a, a, Value(10));
  const auto arrays = c.template arrays<Value, std::int64_t>();
  REQUIRE(arrays.rows == 2 && arrays.cols == 2 && arrays.nnz == 3 && c.size().nnz == 3);
  REQUIRE(arrays.offsets[0] == 0 && arrays.offsets[1] == 2 && arrays.offsets[2] == 3);
  REQUIRE(arrays.columns[0] == 0 && arrays.columns[1] == 1 && arrays.columns[2] == 1);
  REQUIRE(arrays.values[0] == Value(40) && arrays.values[1] == Value(50) && arrays.values[2] == Value(90));
  REQUIRE(status_of([&] { (void)c.template arrays<Value>(); }) == OCEAN_STATUS_INVALID_VALUE);  // 64-bit offsets
}

// A pattern needs values as little as its product has some.
void patterns(oceanHandle_t handle) {
  const auto a = ocean::ConstMatrix::csr<float>(2, 2, 3, OFFSETS.data(), COLUMNS.data(), nullptr);
  const auto c = ocean::multiply<float>(handle, a, a);
  REQUIRE(c.arrays<float>().nnz == 3 && c.arrays<float>().values == nullptr);
}

void failures(oceanHandle_t handle) {
  const std::vector<double> values{2, 1, 3};
  const auto a = ocean::ConstMatrix::csr(2, 2, 3, OFFSETS.data(), COLUMNS.data(), values.data());
  const auto narrow = ocean::Matrix::empty<double>(1, 1);
  try {
    (void)ocean::multiply<double>(handle, a, narrow);
    REQUIRE(!"two columns do not meet one row");
  } catch (const ocean::Error& error) {
    REQUIRE(error.status() == OCEAN_STATUS_INVALID_VALUE);
    REQUIRE(std::string(error.what()).find("OCEAN_STATUS_INVALID_VALUE: ") == 0);
    REQUIRE(std::string(error.what()).find(oceanGetLastErrorString()) != std::string::npos);
  }
  REQUIRE(status_of([] { (void)ocean::Matrix::empty<double>(-1, 1); }) == OCEAN_STATUS_INVALID_VALUE);
}

void moves() {
  ocean::Handle first(OCEAN_BACKEND_HOST);
  const oceanHandle_t raw = first;
  ocean::Handle second(std::move(first));
  REQUIRE(static_cast<oceanHandle_t>(second) == raw && static_cast<oceanHandle_t>(first) == nullptr);
  REQUIRE(second.backend() == OCEAN_BACKEND_HOST);
  second = ocean::Handle(OCEAN_BACKEND_HOST);  // ends the one before
  REQUIRE(!std::is_copy_constructible<ocean::Handle>::value && !std::is_copy_constructible<ocean::Matrix>::value);
}

void products(oceanHandle_t handle) {
  const std::vector<double> values{2, 1, 3};
  const double one = 1, zero = 0;
  const auto N = OCEAN_OPERATION_NON_TRANSPOSE;
  const auto a = ocean::ConstMatrix::csr(2, 2, 3, OFFSETS.data(), COLUMNS.data(), values.data());
  const auto c = ocean::Matrix::empty<double>(2, 2);
  ocean::Product product;
  product.set_option("workflow", "exact");
  product.set_option("profile", "on");
  product.set_memory_limit(std::size_t(1) << 30);
  REQUIRE(status_of([&] { product.set_option("workflow", "none"); }) == OCEAN_STATUS_INVALID_VALUE);
  REQUIRE(status_of([&] { (void)product.products(); }) == OCEAN_STATUS_INVALID_VALUE);  // a step is missing
  std::size_t bytes = 0;
  ocean::check(oceanSpGEMM_workEstimation(handle, N, N, &one, a, a, &zero, c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT, product,
                                          &bytes, nullptr));
  std::vector<char> buffer(bytes);
  ocean::check(oceanSpGEMM_workEstimation(handle, N, N, &one, a, a, &zero, c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT, product,
                                          &bytes, buffer.data()));
  REQUIRE(product.products() == 4);
  REQUIRE(product.plan().find("exact") != std::string::npos);
  REQUIRE(product.profile().find("oceanSpGEMM_workEstimation") != std::string::npos);
  const std::string json = product.plan(OCEAN_REPORT_JSON);
  REQUIRE(json.front() == '{' && json.find('\0') == std::string::npos);
}

}  // namespace

int main() {
  const ocean::Handle handle(OCEAN_BACKEND_HOST);
  squares<float>(handle);
  squares<double>(handle);
  squares<std::complex<float>>(handle);
  squares<std::complex<double>>(handle);
  patterns(handle);
  failures(handle);
  moves();
  products(handle);
  std::puts("ocean.hpp: all held");
}
