// SPDX-License-Identifier: MIT OR Apache-2.0
//
// bin: which accumulator builds which rows, by the room that each row has and the columns that it spans; and the bound
// of that room.
//
// Rows are sorted by their bins (device_wide.cu), so they ascend within a bin, and a warp's neighbours are neighbours
// in memory. Where a bin ends shows in the sorted bins: no counter, no atomic.
//
// Reads   sizes or offsets, and spans, as streams.
// Writes  bins, and the list to be sorted; where each bin ends.
// Cost    O(rows): 13 bytes read and 5 written for each, and the sort's one pass over 5 bytes.
#include "common/device.cuh"
#include "ocean_kernels.h"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;

__global__ void __launch_bounds__(kThreads) cap(OceanCap p) {
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) {
    if (p.sizes[i] > p.most) p.sizes[i] = p.most;
  }
}

__device__ __forceinline__ bool is_narrow(const OceanBinOfRows& p, int64_t size, int32_t span) {
  // Rows of so many entries are narrow whatever they span, and the product below cannot overflow.
  return span <= p.dense_columns || size >= INT32_MAX || span <= size * p.dense_span_per_entry;
}

__global__ void __launch_bounds__(kThreads) bin_of_rows(OceanBinOfRows p) {
  for (int64_t row = global_thread(); row < p.rows; row += grid_threads()) {
    const int64_t size = read_only(p.offsets + row + 1) - read_only(p.offsets + row);
    const bool narrow = is_narrow(p, size, read_only(p.spans + row));
    int bin = OCEAN_BINS;
#pragma unroll
    for (int i = OCEAN_BINS - 1; i >= 0; --i) {
      if (size <= (narrow ? p.takes_narrow[i] : p.takes_wide[i])) bin = i;
    }
    p.bins[row] = static_cast<uint8_t>(bin);
    p.list[row] = static_cast<int32_t>(row);
  }
}

__global__ void __launch_bounds__(kThreads) bin_ends(OceanBinEnds p) {
  for (int64_t i = global_thread(); i < p.rows; i += grid_threads()) {
    const int bin = read_only(p.sorted_bins + i);
    const int next = i + 1 < p.rows ? read_only(p.sorted_bins + i + 1) : OCEAN_BINS;
    for (int ends = bin; ends < next; ++ends) p.ends[ends] = i + 1;
    if (i > 0) continue;
    for (int empty = 0; empty < bin; ++empty) p.ends[empty] = 0;
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_cap(const OceanCap* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(cap, blocks_for(p->count, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_bin_of_rows(const OceanBinOfRows* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(bin_of_rows, blocks_for(p->rows, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_bin_ends(const OceanBinEnds* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(bin_ends, blocks_for(p->rows, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}
