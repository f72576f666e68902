// SPDX-License-Identifier: MIT OR Apache-2.0
//
// sorted_rows: a copy in which every row ascends strictly, of a B that is unsorted or repeats columns, or of several
// matrices as one.
//
// Entries are sorted by (row, column) in one stable sort of all (device_wide.cu), so that repeats stay in stored order
// and a long row costs no more than short ones. What differs from the entry before it begins a merged entry; a scan of
// those marks is where it goes.
//
// Reads   patterns, then values by the sorted entries.
// Writes  offsets, columns, runs and sources of the copy; then its values, each summed from the first in stored order.
// Cost    O(entries): the sort makes a pass over 32 bytes an entry for every 8 bits of row and column; O(log
//         entries) for every offset.
#include "common/entries.cuh"
#include "common/values.cuh"
#include "ocean_kernels.h"
#include "sort/keys.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;

__global__ void __launch_bounds__(kThreads) entry_keys(OceanEntryKeys p) {
  const Csr m(p.matrix);
  each_entry(m, [&](int64_t entry, int64_t row) {
    if (row < 0) return;
    const uint64_t column = static_cast<uint64_t>(m.column(entry));
    const uint64_t high = p.by_column ? column : static_cast<uint64_t>(row);
    p.keys[p.first + entry] = high << p.low_bits | (p.by_column ? static_cast<uint64_t>(row) : column);
    p.entries[p.first + entry] = p.first + entry;
  });
}

__device__ __forceinline__ bool is_new(const uint64_t* sorted_keys, int64_t i) {
  return i == 0 || read_only(sorted_keys + i) != read_only(sorted_keys + i - 1);
}

__global__ void __launch_bounds__(kThreads) new_columns(OceanNewColumns p) {
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) p.marks[i] = is_new(p.sorted_keys, i);
}

__global__ void __launch_bounds__(kThreads) merged_rows(OceanMergedRows p) {
  const uint64_t column_mask = (uint64_t{1} << p.column_bits) - 1;
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) {
    if (!is_new(p.sorted_keys, i)) continue;
    const int64_t place = read_only(p.places + i);
    p.columns[place] = static_cast<int32_t>(read_only(p.sorted_keys + i) & column_mask);
    p.runs[place] = i;
  }
  for (int64_t row = global_thread(); row <= p.rows; row += grid_threads()) {
    p.offsets[row] = read_only(p.places + first_at_or_past(p.sorted_keys, p.count, row, p.column_bits));
  }
  if (global_thread() == 0) p.runs[read_only(p.places + p.count)] = p.count;
}

template <class V>
__global__ void __launch_bounds__(kThreads) merged_values(OceanMergedValues p) {
  const V* const stored = static_cast<const V*>(p.stored);
  V* const values = static_cast<V*>(p.values);
  const int64_t entries = read_only(p.entries);
  for (int64_t i = global_thread(); i < entries; i += grid_threads()) {
    const int64_t begin = read_only(p.runs + i), end = read_only(p.runs + i + 1);
    V sum = read_only(stored + read_only(p.sources + begin));
    for (int64_t source = begin + 1; source < end; ++source) {
      sum = added(sum, read_only(stored + read_only(p.sources + source)));
    }
    values[i] = sum;
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_entry_keys(const OceanEntryKeys* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(entry_keys, blocks_for_entries(p->matrix.nnz, kThreads), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_new_columns(const OceanNewColumns* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(new_columns, blocks_for(p->count, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_merged_rows(const OceanMergedRows* p, OceanStream stream) {
  using namespace ocean;
  const int64_t work = p->count < p->rows ? p->rows : p->count;
  OCN_LAUNCH(merged_rows, blocks_for(work, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_merged_values(const OceanMergedValues* p, OceanStream stream) {
  using namespace ocean;
  const unsigned blocks = blocks_for(p->most_entries, kThreads, tuning::kStreamBlocks);
  return by_value(p->value_type, [&](auto value) {
    OCN_LAUNCH((merged_values<decltype(value)>), blocks, kThreads, 0, stream, *p);
    return last_launch_error();
  });
}
