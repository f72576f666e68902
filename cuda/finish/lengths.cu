// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lengths: how many rows have outgrown their slots, asked together with what all rows come to. Where some have, the
// lengths are wanted back from the offsets that they were turned into.
//
// Reads   lengths, or offsets, of the rows.
// Writes  two numbers; or the lengths.
// Cost    O(rows).
#include "common/warp.cuh"
#include "ocean_kernels.h"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;

__global__ void lengths_begin(OceanLengths p) { *p.found = {}; }

__global__ void __launch_bounds__(kThreads) lengths_overflowed(OceanLengths p) {
  int64_t overflowed = 0;
  for (int64_t row = global_thread(); row < p.rows; row += grid_threads()) {
    overflowed += p.lengths[row] == OCEAN_OVERFLOWED;
  }
  overflowed = warp_sum(overflowed);
  if (lane() == 0 && overflowed > 0) atomic_add(&p.found->overflowed, overflowed);
}

__global__ void lengths_total(OceanLengths p) { p.found->entries = p.lengths[p.rows]; }

__global__ void __launch_bounds__(kThreads) lengths_again(OceanLengths p) {
  for (int64_t row = global_thread(); row < p.rows; row += grid_threads()) {
    p.lengths[row] = p.offsets[row + 1] - p.offsets[row];
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_lengths_overflowed(const OceanLengths* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(lengths_begin, 1, 1, 0, stream, *p);
  OCN_LAUNCH(lengths_overflowed, blocks_for(p->rows, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_lengths_total(const OceanLengths* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(lengths_total, 1, 1, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_lengths_again(const OceanLengths* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(lengths_again, blocks_for(p->rows, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}
