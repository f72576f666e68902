// SPDX-License-Identifier: MIT OR Apache-2.0
//
// columns: 64-bit columns as the 32-bit ones that kernels compute with, and back.
//
// Reads   offsets' end and the columns; or columns.
// Writes  as many. What 32 bits cannot hold becomes the nearest number that they can, which is no column of a matrix.
// Cost    O(nnz), coalesced.
#include "common/csr.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;

__global__ void __launch_bounds__(kThreads) narrow_columns(OceanNarrowColumns p) {
  const Csr m(p.matrix);
  // The offsets were not looked at yet, and may say anything.
  const int64_t entries = least(m.begin(m.rows), m.nnz);
  for (int64_t i = global_thread(); i < entries; i += grid_threads()) {
    const int64_t column = read_only(p.from + i);
    p.to[i] = static_cast<int32_t>(most(int64_t{INT32_MIN}, least(int64_t{INT32_MAX}, column)));
  }
}

__global__ void __launch_bounds__(kThreads) widen_columns(OceanWidenColumns p) {
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) p.to[i] = read_only(p.from + i);
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_narrow_columns(const OceanNarrowColumns* p, OceanStream stream) {
  using namespace ocean;
  const unsigned blocks = blocks_for(p->matrix.nnz, kThreads, tuning::kStreamBlocks);
  OCN_LAUNCH(narrow_columns, blocks, kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_widen_columns(const OceanWidenColumns* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(widen_columns, blocks_for(p->count, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}
