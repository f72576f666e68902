// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdint>
#include <iostream>
#include <ocean.hpp>
#include <vector>

int main() {  // C = A * A for A = [2 1; 0 3]
  std::vector<std::int32_t> offsets{0, 2, 3}, columns{0, 1, 1};
  std::vector<double> values{2, 1, 3};
  try {
    ocean::Handle handle(OCEAN_BACKEND_HOST);
    auto a = ocean::Matrix::csr(2, 2, 3, offsets.data(), columns.data(), values.data());
    auto c = ocean::multiply<double>(handle, a, a);

    auto arrays = c.arrays<double>();
    for (std::int64_t i = 0; i < arrays.nnz; i++) std::cout << arrays.values[i] << ' ';  // 4 5 9
    std::cout << '\n';
  } catch (const ocean::Error& error) {
    std::cerr << error.what() << '\n';  // OCEAN_STATUS_..., and what was wrong
    return 1;
  }
}
