// SPDX-License-Identifier: MIT OR Apache-2.0
// The coarse operator of algebraic multigrid, R * A * P as two products, set up once and then repeated with new
// numbers, as in a time loop whose coefficients change and whose mesh does not.
#include <cstdio>
#include <cstdlib>

#include "matrix.hpp"
#include "repeated.hpp"

namespace {

constexpr int SIDE = 24, BLOCK = 2, COARSE = SIDE / BLOCK;

// -div(k grad u) on SIDE x SIDE points, k the same everywhere; the pattern does not depend on k.
Matrix diffusion(double k) {
  Matrix a(SIDE * SIDE, SIDE * SIDE);
  for (int y = 0; y < SIDE; y++) {
    for (int x = 0; x < SIDE; x++) {
      auto add = [&](int dx, int dy, double value) {
        if (x + dx < 0 || x + dx >= SIDE || y + dy < 0 || y + dy >= SIDE) return;
        a.append((y + dy) * SIDE + x + dx, value);
      };
      add(0, -1, -k), add(-1, 0, -k), add(0, 0, 4 * k), add(1, 0, -k), add(0, 1, -k);
      a.end_row();
    }
  }
  return a;
}

// Each point belongs to the block of BLOCK x BLOCK points around it.
int block_of(int point) { return point / SIDE / BLOCK * COARSE + point % SIDE / BLOCK; }

Matrix prolongation() {
  Matrix p(SIDE * SIDE, COARSE * COARSE);
  for (int point = 0; point < SIDE * SIDE; point++) p.append(block_of(point), 1), p.end_row();
  return p;
}

// An entry of R * A * P is the sum of A's entries between two blocks.
bool is_right(const Matrix& coarse, const Matrix& fine) {
  std::vector<double> expected(COARSE * COARSE * COARSE * COARSE, 0.0), found(expected);
  fine.for_each([&](int i, int j, double v) { expected[block_of(i) * COARSE * COARSE + block_of(j)] += v; });
  coarse.for_each([&](int i, int j, double v) { found[i * COARSE * COARSE + j] += v; });
  return found == expected;  // small whole numbers: every order of sums gives the same
}

}  // namespace

int main() {
  try {
    ocean::Handle handle(BACKEND);
    Matrix fine = diffusion(1), p = prolongation();
    DeviceMatrix a(fine), b(p), r(p.transposed());

    Repeated ap(handle, a, b), rap(handle, r, ap.result());
    bool right = is_right(rap.result().on_host(), fine);
    for (double k : {2.0, 3.0, 8.0}) {
      fine = diffusion(k);
      a.set_values(fine.values);
      ap.compute();
      rap.compute();
      right = right && is_right(rap.result().on_host(), fine);
    }
    std::printf("%d x %d with %d entries from %d x %d, 3 repeats: %s\n", COARSE * COARSE, COARSE * COARSE,
                rap.result().entries(), SIDE * SIDE, SIDE * SIDE, right ? "right" : "WRONG");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const ocean::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
