// SPDX-License-Identifier: MIT OR Apache-2.0
//
// merge: short rows of C from a few rows of B each. One thread merges a row: no sort, no keys, no shuffles.
//
// Rows leave through shared memory where a block's rows fit it, so that the stores of a warp lie side by side; else
// each thread stores for itself.
//
// Reads   A's and B's rows for the listed rows of C, with values. Rows of A have at most kMostCursors entries.
// Writes  the rows of C, in slots or in place; in slots, their lengths.
// Cost    O(entries of A's row) for each entry of C's row.
// Source  ours; Ocean (ICS 2026), sec. 3.4, sorts such rows.
#include "accumulate/cursors.cuh"
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "common/warp.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kMergeThreads;

// A row whose entries are gathered from `place` on.
struct Gathered {
  int64_t start;  // in C
  int32_t place;
  int32_t length;
};

template <class V, bool kValues, int kMost, class At>
__global__ void __launch_bounds__(kThreads) merge(OceanAccumulate p) {
  OCN_DYNAMIC_SHARED(V, staged_sums);
  OCN_SHARED(Gathered, rows, kThreads);
  OCN_SHARED(int32_t, of_warp, kThreads / kWarp);
  const Shared<V> sums(staged_sums);
  const Shared<int32_t> columns(reinterpret_cast<int32_t*>(staged_sums + p.capacity));
  const Factors<V> f(p.factors);
  const Output<V> output(p);
  const int64_t first_index = int64_t{blockIdx.x} * kThreads;
  const int64_t last_index = least(first_index + kThreads, p.count) - 1;
  const Room first = output.room(first_index), last = output.room(last_index);
  const Room room = output.room(global_thread());
  // Rows are listed in ascending order, so as many as there are numbers are neighbours.
  const int64_t staged = last.start + last.size - first.start;
  const bool together = last.row - first.row == last_index - first_index && !p.places && staged <= p.capacity;

  const int64_t begin = room.row < 0 ? 0 : f.a.begin(room.row);
  const int entries = room.row < 0 ? 0 : static_cast<int>(f.a.end(room.row) - begin);
  int length = 0;
  // Where the row's entries are gathered, if rows are not neighbours.
  int32_t gathered = 0, first_place = 0;
  if (!together) {
    const auto size = static_cast<int32_t>(least(room.size, int64_t{p.capacity} + 1));
    first_place = before_in_block<kThreads / kWarp>(size, of_warp, gathered);
  }
  if (together) {
    const int place = static_cast<int>(room.start - first.start);
    merge_by_longest<kMost, kValues, At>(f, begin, entries, [&](int32_t column, V sum) {
      if (length < room.size) {
        columns.set(place + length, column);
        sums.set(place + length, sum);
      }
      ++length;
    });
    for (int i = length; i < room.size; ++i) columns.set(place + i, -1);
    __syncthreads();  // threads store what others merged
    for (int i = static_cast<int>(threadIdx.x); i < staged; i += kThreads) {
      const int32_t column = columns.get(i);
      if (column >= 0) output.put({first.row, first.start, staged}, i, column, sums.get(i));
    }
  } else if (gathered <= p.capacity) {
    // Rows lie apart in C, but each row's entries side by side.
    merge_by_longest<kMost, kValues, At>(f, begin, entries, [&](int32_t column, V sum) {
      if (length < room.size) {
        columns.set(first_place + length, column);
        sums.set(first_place + length, sum);
      }
      ++length;
    });
    rows[threadIdx.x] = {room.start, first_place, static_cast<int32_t>(least(int64_t{length}, room.size))};
    __syncthreads();  // threads store what others merged
    for (int i = static_cast<int>(threadIdx.x); i < gathered; i += kThreads) {
      int row = 0;  // the last one that starts at or before this place
#pragma unroll
      for (int step = kThreads / 2; step > 0; step /= 2) {
        if (rows[row + step].place <= i) row += step;
      }
      const int rank = i - rows[row].place;
      if (rank < rows[row].length) output.put({0, rows[row].start, rank + 1}, rank, columns.get(i), sums.get(i));
    }
  } else {
    merge_by_longest<kMost, kValues, At>(f, begin, entries,
                                         [&](int32_t column, V sum) { output.put(room, length++, column, sum); });
  }
  output.finish(room, length);
}

template <class V, bool kValues, int kMost, class At = int32_t>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  const size_t shared = p.capacity * (sizeof(V) + sizeof(int32_t));
  constexpr size_t kPercent = (228 << 10) / 100;  // of what an SM of Hopper has
  const auto wanted = static_cast<unsigned>(tuning::kMergeBlocks * shared / kPercent);
  const unsigned percent = wanted < tuning::kMergeCarveOut       ? tuning::kMergeCarveOut
                           : wanted > tuning::kMergeCarveOutMost ? tuning::kMergeCarveOutMost
                                                                 : wanted;
  if (const int32_t code = prefer_shared(merge<V, kValues, kMost, At>, percent)) return code;
  OCN_LAUNCH((merge<V, kValues, kMost, At>), blocks_for(p.count, kThreads), kThreads, shared, stream, p);
  return last_launch_error();
}

template <class V>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  if (!p.factors.a_values) return launch<V, false, kMostCursors, int64_t>(p, stream);
  if (p.factors.b.nnz > INT32_MAX) return launch<V, true, kMostCursors, int64_t>(p, stream);
  if (p.longest_row <= 4) return launch<V, true, 4>(p, stream);
  if (p.longest_row <= 5) return launch<V, true, 5>(p, stream);
  if (p.longest_row <= 7) return launch<V, true, 7>(p, stream);
  return launch<V, true, kMostCursors>(p, stream);
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_accumulate_merge(const OceanAccumulate* p, OceanStream stream) {
  using namespace ocean;
  return by_value(p->value_type, [&](auto value) { return launch<decltype(value)>(*p, stream); });
}
