// SPDX-License-Identifier: MIT OR Apache-2.0
//
// widen: numbers as those that they are computed in: 16-bit ones in 32 bits, real ones as complex ones.
//
// Reads   the numbers.
// Writes  as many of 32 or 64 bits, and a zero behind each that becomes complex. Exact.
// Cost    O(count), coalesced.
#include "common/values.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;

template <class V>
__global__ void __launch_bounds__(kThreads) widen(OceanWiden p) {
  V* const to = static_cast<V*>(p.to);
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) {
    const V value = Stored<V>::load(p.from, i, p.value_type);
    if (p.into_complex) {
      to[2 * i] = value;
      to[2 * i + 1] = V(0);
    } else {
      to[i] = value;
    }
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_widen(const OceanWiden* p, OceanStream stream) {
  using namespace ocean;
  const unsigned blocks = blocks_for(p->count, kThreads, tuning::kStreamBlocks);
  if (p->value_type == OCEAN_R_64F) {
    OCN_LAUNCH(widen<double>, blocks, kThreads, 0, stream, *p);
  } else {
    OCN_LAUNCH(widen<float>, blocks, kThreads, 0, stream, *p);
  }
  return last_launch_error();
}
