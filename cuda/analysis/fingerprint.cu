// SPDX-License-Identifier: MIT OR Apache-2.0
//
// fingerprint: a number for each row that tells in checking mode whether a pattern is still the one analysed.
//
//   rows[i] = mixed(length) + sum over the entries of row i of mixed(place in the row, column)
//
// A sum, so that any lane can add its part, in any order. Mixing is one to one in 64 bits.
//
// The offsets may be anything by now. Rows are read up to the first whose offsets fall or lie outside the entries; its
// own number is made of the offsets, so it differs from every good row's but for one chance in 2^64.
//
// Reads   offsets twice, columns once.
// Writes  rows; one number of scratch.
// Cost    O(rows + nnz), balanced over entries (common/entries.cuh); an atomic for each row in 32 entries.
// Source  Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators", OOPSLA, for the mixing (by
// Stafford).
#include "common/entries.cuh"
#include "common/warp.cuh"
#include "ocean_kernels.h"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;

__device__ __forceinline__ uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

__global__ void fingerprint_begin(OceanFingerprint p) { *p.good_rows = p.matrix.rows; }

__global__ void __launch_bounds__(kThreads) fingerprint_lengths(OceanFingerprint p) {
  const Csr m(p.matrix);
  for (int64_t row = global_thread(); row < m.rows; row += grid_threads()) {
    const int64_t begin = m.begin(row), end = m.end(row);
    const bool good = begin >= 0 && begin <= end && end <= m.nnz && (row > 0 || begin == 0);
    p.rows[row] = good ? mixed(static_cast<uint64_t>(end - begin))
                       : mixed(mixed(static_cast<uint64_t>(begin)) ^ static_cast<uint64_t>(end));
    if (!good) atomic_least(p.good_rows, row);
  }
}

__global__ void __launch_bounds__(kThreads) fingerprint_columns(OceanFingerprint p) {
  Csr m(p.matrix);
  m.rows = read_only(p.good_rows);
  if (m.rows == 0) return;  // its first offset may be anything too
  each_entry(m, [&](int64_t entry, int64_t row) {
    uint64_t part = 0;
    if (row >= 0) {
      const uint64_t place = static_cast<uint64_t>(entry - m.begin(row));
      part = mixed(mixed(place) ^ static_cast<uint32_t>(m.column(entry)));
    }
    const int64_t below = __shfl_up_sync(kAllLanes, row, 1), above = __shfl_down_sync(kAllLanes, row, 1);
    const bool starts = lane() == 0 || below != row, ends = lane() == kWarp - 1 || above != row;
    part = warp_segmented_scan(
        part, starts, [](uint64_t a, uint64_t b) { return a + b; },
        [](uint64_t value, int delta) { return __shfl_up_sync(kAllLanes, value, delta); });
    if (row >= 0 && ends) atomic_add(p.rows + row, part);
  });
}

__global__ void first_difference_begin(OceanFirstDifference p) { *p.place = OCEAN_NONE; }

__global__ void __launch_bounds__(kThreads) first_difference(OceanFirstDifference p) {
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) {
    if (read_only(p.one + i) == read_only(p.other + i)) continue;
    atomic_least(p.place, i);
    return;  // this thread's later places are no earlier
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_fingerprint(const OceanFingerprint* p, OceanStream stream) {
  using namespace ocean;
  const unsigned over_rows = blocks_for(p->matrix.rows, kThreads, tuning::kStreamBlocks);
  OCN_LAUNCH(fingerprint_begin, 1, 1, 0, stream, *p);
  OCN_LAUNCH(fingerprint_lengths, over_rows, kThreads, 0, stream, *p);
  OCN_LAUNCH(fingerprint_columns, blocks_for_entries(p->matrix.nnz, kThreads), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_first_difference(const OceanFirstDifference* p, OceanStream stream) {
  using namespace ocean;
  const unsigned blocks = blocks_for(p->count, kThreads, tuning::kStreamBlocks);
  OCN_LAUNCH(first_difference_begin, 1, 1, 0, stream, *p);
  OCN_LAUNCH(first_difference, blocks, kThreads, 0, stream, *p);
  return last_launch_error();
}
