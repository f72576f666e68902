// SPDX-License-Identifier: MIT OR Apache-2.0
//
// cap: no row of C is longer than C is wide.
//
// Reads   sizes.
// Writes  those that are too large.
// Cost    O(rows), one pass.
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

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_cap(const OceanCap* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(cap, blocks_for(p->count, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}
