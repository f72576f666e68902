// SPDX-License-Identifier: MIT OR Apache-2.0
// Markov clustering in a few lines: flow spreads (the matrix times itself) and strong flow grows (powers of entries),
// until every vertex flows to one place. `ocean mcl` is the full program, with the pruning that large graphs need.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ocean.hpp>
#include <vector>

namespace {

constexpr int CLIQUE = 6, VERTICES = 2 * CLIQUE;
constexpr double INFLATION = 2, SMALLEST = 1e-5;

// A row of flow for each vertex, which sums to 1.
struct Flow {
  std::vector<std::int32_t> offsets, columns;
  std::vector<double> values;

  ocean::Matrix describe() {
    return ocean::Matrix::csr(VERTICES, VERTICES, offsets.back(), offsets.data(), columns.data(), values.data());
  }
};

// Two cliques and one edge between them; each vertex also has a loop.
Flow graph() {
  Flow flow;
  flow.offsets.push_back(0);
  for (int i = 0; i < VERTICES; i++) {
    for (int j = 0; j < VERTICES; j++)
      if (i / CLIQUE == j / CLIQUE || (i + j == VERTICES - 1 && std::abs(i - j) == 1)) flow.columns.push_back(j);
    const auto degree = static_cast<int>(flow.columns.size()) - flow.offsets.back();
    flow.values.resize(flow.columns.size(), 1.0 / degree);
    flow.offsets.push_back(static_cast<std::int32_t>(flow.columns.size()));
  }
  return flow;
}

// Powers of the entries, small ones left out, rows that sum to 1 again.
Flow inflate(const ocean::Csr<double>& spread) {
  Flow flow;
  flow.offsets.push_back(0);
  for (std::int64_t row = 0; row < spread.rows; row++) {
    const std::size_t first = flow.values.size();
    double sum = 0;
    for (int entry = spread.offsets[row]; entry < spread.offsets[row + 1]; entry++) {
      const double value = std::pow(spread.values[entry], INFLATION);
      if (value < SMALLEST) continue;
      flow.columns.push_back(spread.columns[entry]);
      flow.values.push_back(value);
      sum += value;
    }
    for (std::size_t entry = first; entry < flow.values.size(); entry++) flow.values[entry] /= sum;
    flow.offsets.push_back(static_cast<std::int32_t>(flow.values.size()));
  }
  return flow;
}

// Where the most of a vertex's flow goes.
int attractor(const Flow& flow, int vertex) {
  int best = flow.offsets[vertex];
  for (int entry = best; entry < flow.offsets[vertex + 1]; entry++)
    if (flow.values[entry] > flow.values[best] + 1e-9) best = entry;
  return flow.columns[best];
}

}  // namespace

int main() {
  try {
    ocean::Handle handle(OCEAN_BACKEND_HOST);
    Flow flow = graph();
    for (int step = 0; step < 30; step++) {
      auto matrix = flow.describe();
      auto spread = ocean::multiply<double>(handle, matrix, matrix);  // sorted rows, the same bits on every run
      flow = inflate(spread.arrays<double>());
    }
    bool right = attractor(flow, 0) != attractor(flow, VERTICES - 1);
    for (int vertex = 0; vertex < VERTICES; vertex++) {
      right = right && attractor(flow, vertex) / CLIQUE == vertex / CLIQUE;
      std::printf("%d -> %d\n", vertex, attractor(flow, vertex));
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const ocean::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
