// SPDX-License-Identifier: MIT OR Apache-2.0
//
// widen: 16-bit values as the 32-bit numbers that they are computed in.
//
// Reads   the values.
// Writes  as many of twice the bytes. Exact.
// Cost    O(count), coalesced.
#include "common/values.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;

__global__ void __launch_bounds__(kThreads) widen(OceanWiden p) {
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) {
    p.to[i] = Stored<float>::load(p.from, i, p.value_type);
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_widen(const OceanWiden* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(widen, blocks_for(p->count, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}
