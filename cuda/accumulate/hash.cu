// SPDX-License-Identifier: MIT OR Apache-2.0
//
// hash: rows of C of some hundred entries, spread wide, in a table each. As in window, a group of lanes takes one row
// of B at a time and adds without atomics: only a column that is new claims its place by compare-and-swap.
//
// Reads   A's and B's rows for the listed rows of C, with values.
// Writes  the rows of C, in slots or in place; in slots, their lengths. A row of more than `capacity` entries says that
//         it has overflowed.
// Cost    O(products + n log^2 n) a row of n entries.
// Source  Ocean (ICS 2026), sec. 3.3, for tables by size; the separate slots and the order are ours.
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "accumulate/table.cuh"
#include "accumulate/terms.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kHashThreads;
constexpr int kAhead = 2;

template <class V, int kLanes>
__global__ void __launch_bounds__(kThreads) hash(OceanAccumulate p) {
  using G = Group<kLanes>;
  OCN_DYNAMIC_SHARED(unsigned char, shared);
  OCN_SHARED(Stage<V>, stages, kThreads / kWarp);
  const Factors<V> f(p.factors);
  const Output<V> output(p);
  const Room room = output.room(G::global());
  const int64_t begin = room.row < 0 ? 0 : f.a.begin(room.row), end = room.row < 0 ? 0 : f.a.end(room.row);
  // Where B is wide, columns are counted from the row's first, so that they fit the table's words.
  const Columns span = f.b.cols <= tuning::kTableColumns ? Columns{0, 0} : span_of<kLanes>(f.a, f.b, begin, end);
  const int32_t first = static_cast<int32_t>(span.first);
  Table<V, kLanes> table(shared, p.capacity);
  table.clear();
  for_each_term<kLanes, kAhead, false>(f, begin, end, span, stages[warp_in_block()], [&](int32_t column, V term) {
    table.add(column, static_cast<uint32_t>(column - first), term);
  });
  const int length = table.used <= p.capacity ? table.used : 0;
  table.sort(length);
  for (int i = G::rank(); i < length; i += kLanes) {
    output.put(room, i, first + static_cast<int32_t>(table.column(i)), table.sum(i));
  }
  // More than fits is too long for the slot, whatever its room.
  if (G::rank() == 0) output.finish(room, table.used <= p.capacity ? int64_t{table.used} : INT64_MAX);
}

template <class V, int kLanes>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  const size_t shared = kThreads / kLanes * p.capacity * Table<V, kLanes>::kSlotBytes;
  if (const int32_t code = allow_shared(hash<V, kLanes>, shared)) return code;
  OCN_LAUNCH((hash<V, kLanes>), blocks_for(p.count * kLanes, kThreads), kThreads, shared, stream, p);
  return last_launch_error();
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_accumulate_hash(const OceanAccumulate* p, OceanStream stream) {
  using namespace ocean;
  return by_value_and_lanes(
      *p, [&](auto value, auto lanes) { return launch<decltype(value), decltype(lanes)::value>(*p, stream); });
}
