// SPDX-License-Identifier: MIT OR Apache-2.0
//
// transposed: a factor by columns, for products of A^T and A^H.
//
// Entries are sorted by column in one stable sort of all (device_wide.cu), with their rows in the low bits of the keys.
//
// Reads   the sorted keys; then the values, scattered, by the sorted entries.
// Writes  offsets and columns of the transpose; then its values, conjugated if asked for.
// Cost    O(nnz): the sort makes a pass over 32 bytes an entry for every 8 bits of column; O(log nnz) for every offset.
#include "common/entries.cuh"
#include "common/values.cuh"
#include "ocean_kernels.h"
#include "sort/keys.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;

__global__ void __launch_bounds__(kThreads) transposed_rows(OceanTransposedRows p) {
  const uint64_t mask = (uint64_t{1} << p.low_bits) - 1;
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) {
    p.columns[i] = static_cast<int32_t>(read_only(p.sorted_keys + i) & mask);
  }
  for (int64_t row = global_thread(); row <= p.rows; row += grid_threads()) {
    p.offsets[row] = first_at_or_past(p.sorted_keys, p.count, row, p.low_bits);
  }
}

template <class V>
__global__ void __launch_bounds__(kThreads) gathered_values(OceanGatheredValues p) {
  const V* const stored = static_cast<const V*>(p.stored);
  V* const values = static_cast<V*>(p.values);
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) {
    const V value = read_only(stored + read_only(p.sources + i));
    values[i] = p.conjugate ? conjugated(value) : value;
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_transposed_rows(const OceanTransposedRows* p, OceanStream stream) {
  using namespace ocean;
  const int64_t work = p->count < p->rows + 1 ? p->rows + 1 : p->count;
  OCN_LAUNCH(transposed_rows, blocks_for(work, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_gathered_values(const OceanGatheredValues* p, OceanStream stream) {
  using namespace ocean;
  const unsigned blocks = blocks_for(p->count, kThreads, tuning::kStreamBlocks);
  return by_value(p->value_type, [&](auto value) {
    OCN_LAUNCH((gathered_values<decltype(value)>), blocks, kThreads, 0, stream, *p);
    return last_launch_error();
  });
}
