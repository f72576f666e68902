// SPDX-License-Identifier: MIT OR Apache-2.0
//
// sketch: estimates how many entries each row of C = A * B has, by a HyperLogLog sketch of each row of B, merged along
// each row of A.
//
//   sketches:  each entry of a row of B with at least SKETCHED_ROW of them raises one byte of the row's sketch
//   estimates: a warp merges the sketches that a row of A names, a few lanes side by side for each; rows of B without
//              one are inserted column by column. Rows of A longer than a tile are merged in parts by many warps.
//
// Reads   B's pattern, then A's pattern and B's sketches.
// Writes  sketches; sizes above BOUNDED_PRODUCTS.
// Cost    O(nnz(B) + nnz(A) * registers), bound by the scattered reads of sketches.
// Source  Li and Guidi, "Ocean", ICS 2026; see also src/spgemm/hyperloglog.rs.
#include "common/entries.cuh"
#include "common/hyperloglog.cuh"
#include "common/warp.cuh"
#include "ocean_kernels.h"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;
constexpr int64_t kSketchedRow = tuning::kSketchedRow;
constexpr int64_t kTile = tuning::kEstimateTile;
constexpr int kRows = tuning::kEstimateRows;
static_assert(kRows <= kWarp, "each row of a warp is finished by a lane of its own");
static_assert(kTile % kWarp == 0, "a tile is whole rounds");

__global__ void __launch_bounds__(kThreads) empty_sketches(uint32_t* words, int64_t count) {
  for (int64_t i = global_thread(); i < count; i += grid_threads()) words[i] = 0;
}

template <int kRegisters>
__global__ void __launch_bounds__(kThreads) sketch(OceanSketch p) {
  constexpr int kWords = kRegisters / kRegistersOfWord;
  const Csr b(p.b);
  uint32_t* const words = reinterpret_cast<uint32_t*>(p.sketches);
  each_entry(b, [&](int64_t entry, int64_t row) {
    if (row < 0) return;
    const int64_t begin = b.begin(row);
    if (b.end(row) - begin < kSketchedRow) return;
    const Raise raise = raise_of<kRegisters>(b.column(entry));
    raise_shared(words + begin / kSketchedRow * kWords + raise.word, raise.ranks);
  });
}

// The sketch of all rows of B that A's entries from..to name. Lane i of each group has word i of it.
template <int kRegisters>
__device__ __forceinline__ uint32_t warp_merged(const Csr& a, const Csr& b, const uint32_t* sketches, int64_t from,
                                                int64_t to) {
  constexpr int kWords = kRegisters / kRegistersOfWord;  // lanes of a group
  constexpr int kGroups = kWarp / kWords;
  const int group = lane() / kWords, mine = lane() % kWords;
  uint32_t word = 0;
  for (int64_t batch = from; batch < to; batch += kWarp) {
    // Every lane looks up a row of B of its own, so that the scattered reads are under way together.
    int64_t begin = 0;
    int length = 0;  // or -1: it has a sketch
    if (batch + lane() < to) {
      const int32_t row = a.column(batch + lane());
      begin = b.begin(row);
      const int64_t entries = b.end(row) - begin;
      length = entries >= kSketchedRow ? -1 : static_cast<int>(entries);
    }
    const int count = static_cast<int>(least(to - batch, int64_t{kWarp}));
    for (int first = 0; first < count; first += kGroups) {
      const int64_t row_begin = __shfl_sync(kAllLanes, begin, first + group);
      const int row_length = __shfl_sync(kAllLanes, length, first + group);
      if (row_length < 0) {
        word = __vmaxu4(word, read_only(sketches + row_begin / kSketchedRow * kWords + mine));
      }
      for (int i = 0; i < row_length; ++i) {
        const Raise raise = raise_of<kRegisters>(b.column(row_begin + i));
        if (raise.word == mine) word = __vmaxu4(word, raise.ranks);
      }
    }
  }
  for (int step = kWords; step < kWarp; step *= 2) word = __vmaxu4(word, __shfl_xor_sync(kAllLanes, word, step));
  return word;
}

// Where the sketch of a long row of C lies: long rows begin in different tiles.
template <int kRegisters>
__device__ __forceinline__ uint32_t* long_sketch(const OceanEstimate& p, int64_t begin) {
  return reinterpret_cast<uint32_t*>(p.long_sketches) + begin / kTile * (kRegisters / kRegistersOfWord);
}

template <int kRegisters>
__global__ void __launch_bounds__(kThreads) estimate_long_rows(OceanEstimate p) {
  const Csr a(p.a), b(p.b);
  const int64_t first = global_warp() * kTile;
  const int64_t last = least(first + kTile, a.begin(a.rows));
  if (first >= last) return;  // the whole warp leaves together
  const RowRange rows = warp_rows_of(a, first, last - 1);
  // A row that is longer than a tile has its first or its last entry.
  for (int i = 0; i < (rows.first == rows.last ? 1 : 2); ++i) {
    const int64_t row = i == 0 ? rows.first : rows.last;
    const int64_t begin = a.begin(row), end = a.end(row);
    if (end - begin <= kTile || read_only(p.sizes + row) <= tuning::kBoundedProducts) continue;
    const uint32_t word = warp_merged<kRegisters>(a, b, reinterpret_cast<const uint32_t*>(p.sketches),
                                                  most(begin, first), least(end, last));
    if (lane() < kRegisters / kRegistersOfWord) raise_shared(long_sketch<kRegisters>(p, begin) + lane(), word);
  }
}

template <int kRegisters>
__global__ void __launch_bounds__(kThreads) estimate(OceanEstimate p) {
  constexpr int kWords = kRegisters / kRegistersOfWord;
  const Csr a(p.a), b(p.b);
  const int64_t first = global_warp() * kRows;
  const int64_t last = least(first + kRows, a.rows);
  Ranks ranks = {0.0, 0};
  int64_t size = 0;  // of the row that this lane finishes; 0: none
  for (int64_t row = first; row < last; ++row) {
    const int64_t products = p.sizes[row];
    if (products <= tuning::kBoundedProducts) continue;
    const int64_t begin = a.begin(row), end = a.end(row);
    const uint32_t word =
        end - begin > kTile ? read_only(long_sketch<kRegisters>(p, begin) + lane() % kWords)
                            : warp_merged<kRegisters>(a, b, reinterpret_cast<const uint32_t*>(p.sketches), begin, end);
    const Ranks found = warp_ranks<kRegisters>(word);
    if (lane() == row - first) {
      ranks = found;
      size = products;
    }
  }
  if (size == 0) return;
  const double room = ceil(multiplied(estimate_of<kRegisters>(ranks, p.counter.bias), p.coefficient));
  if (room < static_cast<double>(size)) p.sizes[first + lane()] = static_cast<int64_t>(room);
}

template <int kRegisters>
void launch_sketch(const OceanSketch& p, OceanStream stream) {
  uint32_t* const words = reinterpret_cast<uint32_t*>(p.sketches);
  const int64_t count = p.sketch_count * (kRegisters / kRegistersOfWord);
  OCN_LAUNCH(empty_sketches, blocks_for(count, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, words, count);
  OCN_LAUNCH(sketch<kRegisters>, blocks_for_entries(p.b.nnz, kThreads), kThreads, 0, stream, p);
}

template <int kRegisters>
void launch_estimate(const OceanEstimate& p, OceanStream stream) {
  const int64_t tiles = p.a.nnz / kTile + 1;
  uint32_t* const words = reinterpret_cast<uint32_t*>(p.long_sketches);
  const int64_t count = tiles * (kRegisters / kRegistersOfWord);
  OCN_LAUNCH(empty_sketches, blocks_for(count, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, words, count);
  OCN_LAUNCH(estimate_long_rows<kRegisters>, blocks_for(tiles * kWarp, kThreads), kThreads, 0, stream, p);
  const int64_t warps = (p.a.rows + kRows - 1) / kRows;
  OCN_LAUNCH(estimate<kRegisters>, blocks_for(warps * kWarp, kThreads), kThreads, 0, stream, p);
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_sketch(const OceanSketch* p, OceanStream stream) {
  using namespace ocean;
  switch (p->registers) {
    case 16:
      launch_sketch<16>(*p, stream);
      break;
    case 32:
      launch_sketch<32>(*p, stream);
      break;
    case 64:
      launch_sketch<64>(*p, stream);
      break;
    default:
      launch_sketch<128>(*p, stream);
      break;
  }
  return last_launch_error();
}

extern "C" int32_t ocean_estimate(const OceanEstimate* p, OceanStream stream) {
  using namespace ocean;
  switch (p->counter.registers) {
    case 16:
      launch_estimate<16>(*p, stream);
      break;
    case 32:
      launch_estimate<32>(*p, stream);
      break;
    case 64:
      launch_estimate<64>(*p, stream);
      break;
    default:
      launch_estimate<128>(*p, stream);
      break;
  }
  return last_launch_error();
}
