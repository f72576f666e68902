// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The analysis kernels against plain loops, with nothing of Rust around them: for sanitizers, and for kernels from
// which tests/emulator.rs has taken a barrier. Fails as soon as one number differs.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "ocean_kernels.h"

namespace {

struct Matrix {
  int64_t cols;
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;

  int64_t rows() const { return static_cast<int64_t>(offsets.size()) - 1; }
  OceanCsr described() const {
    return {rows(), cols, static_cast<int64_t>(columns.size()), offsets.data(), columns.data(), 8, 0};
  }
};

// Rows of up to `longest` ascending columns; some are empty, and one in twenty is ten times as long.
Matrix random_matrix(int64_t rows, int64_t cols, int64_t longest, std::mt19937& random) {
  Matrix m{cols};
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t length = random() % (longest + 1) * (random() % 20 == 0 ? 10 : 1);
    int64_t column = random() % 3;
    for (int64_t i = 0; i < length && column < cols; ++i, column += 1 + random() % 4) {
      m.columns.push_back(static_cast<int32_t>(column));
    }
    m.offsets.push_back(static_cast<int64_t>(m.columns.size()));
  }
  return m;
}

void expect(int64_t got, int64_t want, const char* what, int64_t where) {
  if (got == want) return;
  std::fprintf(stderr, "%s[%lld] is %lld, not %lld\n", what, static_cast<long long>(where), static_cast<long long>(got),
               static_cast<long long>(want));
  std::exit(1);
}

// Readied for an analysis.
OceanFacts begun() {
  OceanFacts facts;
  const OceanBeginAnalysis params = {&facts};
  expect(ocean_begin_analysis(&params, nullptr), 0, "launch", 0);
  return facts;
}

void check_products(const Matrix& a, const Matrix& b) {
  std::vector<int64_t> products(a.rows(), -1);
  std::vector<int32_t> spans(a.rows(), -1), scratch(a.rows(), -1);
  OceanFacts facts = begun();
  const OceanTotals& totals = facts.totals;
  const OceanRowProducts params = {
      a.described(), b.described(), products.data(), spans.data(), scratch.data(), &facts.totals, {}};
  expect(ocean_row_products(&params, nullptr), 0, "launch", 0);

  OceanTotals want = {};
  for (int64_t row = 0; row < a.rows(); ++row) {
    int64_t sum = 0, first = INT64_MAX, last = -1;
    for (int64_t e = a.offsets[row]; e < a.offsets[row + 1]; ++e) {
      for (int64_t f = b.offsets[a.columns[e]]; f < b.offsets[a.columns[e] + 1]; ++f, ++sum) {
        first = b.columns[f] < first ? b.columns[f] : first;
        last = b.columns[f] > last ? b.columns[f] : last;
      }
    }
    expect(products[row], sum, "products", row);
    expect(spans[row], sum == 0 ? 0 : last - first + 1, "spans", row);
    const int64_t length = a.offsets[row + 1] - a.offsets[row];
    want.products += sum;
    want.most_products = sum > want.most_products ? sum : want.most_products;
    want.longest_row = length > want.longest_row ? length : want.longest_row;
    want.empty_rows += sum == 0;
  }
  expect(totals.products, want.products, "total products", 0);
  expect(totals.most_products, want.most_products, "most products", 0);
  expect(totals.longest_row, want.longest_row, "longest row", 0);
  expect(totals.empty_rows, want.empty_rows, "empty rows", 0);
}

void check_order(Matrix m, std::mt19937& random) {
  int64_t want_disordered = 0, want_row = OCEAN_NONE;
  for (int fault = 0; fault < 3 && !m.columns.empty(); ++fault) {
    m.columns[random() % m.columns.size()] = static_cast<int32_t>(random() % m.cols);
  }
  for (int64_t row = 0; row < m.rows(); ++row) {
    for (int64_t e = m.offsets[row] + 1; e < m.offsets[row + 1]; ++e) {
      if (m.columns[e] > m.columns[e - 1]) continue;
      want_disordered += 1;
      want_row = want_row == OCEAN_NONE ? row : want_row;
    }
  }
  OceanFacts facts = begun();
  const Matrix other{m.cols};
  int64_t row;
  const OceanRowsAscend params = {{other.described(), m.described()}, facts.orders, 2};
  const OceanFirstUnordered first = {m.described(), &row};
  expect(ocean_rows_ascend(&params, nullptr), 0, "launch", 0);
  expect(ocean_first_unordered(&first, nullptr), 0, "launch", 0);
  expect(facts.orders[0].nnz, 0, "nnz of the other", 0);
  const OceanOrder& order = facts.orders[1];
  expect(order.nnz, static_cast<int64_t>(m.columns.size()), "nnz", 0);
  expect(order.bad_row, OCEAN_NONE, "bad row", 0);
  expect(order.bad_entry, OCEAN_NONE, "bad entry", 0);
  expect(order.disordered, want_disordered, "disordered", 0);
  expect(row, want_row, "first unordered row", 0);
}

// A square matrix whose rows are often the one before, or that moved by one column.
Matrix alike_matrix(int64_t rows, std::mt19937& random) {
  Matrix m{rows};
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t end = m.offsets[row], begin = row > 0 ? m.offsets[row - 1] : end;
    const unsigned kind = random() % 8;
    if (kind < 6 && begin < end && m.columns[end - 1] + 1 < rows) {
      for (int64_t i = begin; i < end; ++i) m.columns.push_back(m.columns[i] + (kind < 3));
    } else {
      int64_t column = random() % 3;
      for (unsigned i = random() % 20; i > 0 && column < rows; --i, column += 1 + random() % 4) {
        m.columns.push_back(static_cast<int32_t>(column));
      }
    }
    m.offsets.push_back(static_cast<int64_t>(m.columns.size()));
  }
  return m;
}

void check_alike(const Matrix& m, std::mt19937& random) {
  for (const int32_t likeness : {OCEAN_ALIKE_NEIGHBOURS, OCEAN_ALIKE_SHIFTED, OCEAN_ALIKE_ANYWHERE}) {
    std::vector<int32_t> heads(m.rows(), -1), table(4096, -7);
    std::vector<uint32_t> shifted(m.rows() / 32 + 1, 7);
    std::vector<int64_t> products(m.rows());
    for (int64_t& of_row : products) of_row = random() % 100;
    OceanFacts facts = begun();
    const OceanAlike params = {m.described(),
                               m.described(),
                               likeness,
                               heads.data(),
                               shifted.data(),
                               table.data(),
                               static_cast<int64_t>(table.size()),
                               products.data(),
                               &facts.counted};
    expect(ocean_alike(&params, nullptr), 0, "launch", 0);
    int64_t counted = 0;
    for (int64_t row = 0; row < m.rows(); ++row) {
      const int64_t head = heads[row], length = m.offsets[row + 1] - m.offsets[row];
      if (head < 0 || head >= m.rows()) expect(head, row, "head", row);
      expect(heads[head], head, "head of a head", row);
      expect(m.offsets[head + 1] - m.offsets[head], length, "length of a head", row);
      if (head == row) counted += products[row];
      const int64_t moved = likeness == OCEAN_ALIKE_SHIFTED ? row - head : 0;
      for (int64_t i = 0; i < length; ++i) {
        expect(m.columns[m.offsets[row] + i], m.columns[m.offsets[head] + i] + moved, "column after a head's", row);
      }
    }
    expect(facts.counted, counted, "counted", 0);
  }
}

}  // namespace

int main() {
  std::mt19937 random(2026);
  for (const int64_t size : {1, 3, 40, 300, 1000}) {
    for (const int64_t longest : {0, 2, 9, 60}) {
      const Matrix a = random_matrix(size, size + 7, longest, random);
      const Matrix b = random_matrix(size + 7, 5 * size, longest / 2, random);
      check_products(a, b);
      check_order(b, random);
    }
    check_alike(alike_matrix(size, random), random);
  }
}
