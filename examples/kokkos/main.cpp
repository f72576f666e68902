// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdio>
#include <cstdlib>

#include "spgemm.hpp"

namespace {

// Row i has entries in columns i and i + 1, the last in the first again: values x and 1.
constexpr int ROWS = 100;

std::vector<float> ring_values(float x) {
  std::vector<float> values;
  for (int row = 0; row < ROWS; row++) values.insert(values.end(), {x, 1});
  return values;
}

// The square of the ring has x^2, 2 x and 1 in columns i, i + 1 and i + 2.
bool is_right(const std::vector<float>& c, float x) {
  return c.size() == 3 * ROWS && c[0] == x * x && c[1] == 2 * x && c[2] == 1;
}

}  // namespace

int main() {
  std::vector<int> offsets(1, 0), columns;
  for (int row = 0; row < ROWS; row++) {
    columns.insert(columns.end(), {row, (row + 1) % ROWS});
    offsets.push_back(static_cast<int>(columns.size()));
  }
  try {
    ocean::Handle handle(BACKEND);
    Array<int> row_map_a(offsets), columns_a(columns), row_map_c, columns_c;
    Array<float> values_a(ring_values(2)), values_c;
    CrsMatrix<float> a{ROWS, ROWS, 2 * ROWS, row_map_a.get(), columns_a.get(), values_a.get()};

    SpGEMMHandle<float> spgemm(handle);
    spgemm.symbolic(a, a, row_map_c, columns_c, values_c);
    CrsMatrix<float> c{ROWS,          ROWS, static_cast<int>(values_c.length()), row_map_c.get(), columns_c.get(),
                       values_c.get()};
    bool right = true;
    for (float x : {2.0f, 3.0f, 5.0f}) {
      values_a = Array<float>(ring_values(x));
      a.values = values_a.get();
      spgemm.numeric(a, a, c);
      right = right && is_right(values_c.on_host(), x);
    }
    std::printf("%d entries, 3 numeric calls: %s\n", c.entries, right ? "right" : "WRONG");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const ocean::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
