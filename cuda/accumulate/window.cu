// SPDX-License-Identifier: MIT OR Apache-2.0
//
// window: rows of C whose columns lie close together, in an array of sums over their span.
//
// A group of lanes owns a row of C and takes one row of B at a time: plain load, multiply, add, store in shared memory,
// so the sums have the promised order and no atomic is needed. Ascending columns come out by themselves.
//
// Reads   A's and B's rows for the listed rows of C, with values.
// Writes  the rows of C, in slots or in place; in slots, their lengths.
// Cost    O(products + span) a row; bound by the shared-memory pipe.
// Source  Gustavson 1978, ACM TOMS 4(3), for the dense row; Ocean (ICS 2026), sec. 3.3, for the span.
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "accumulate/terms.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kWindowThreads;
constexpr int kAhead = 4;  // loads of 24 and more warps an SM then hide each other

template <class V, int kLanes>
__global__ void __launch_bounds__(kThreads) window(OceanAccumulate p) {
  using G = Group<kLanes>;
  OCN_DYNAMIC_SHARED(V, windows);
  OCN_SHARED(Stage<V>, stages, kThreads / kWarp);
  const Factors<V> f(p.factors);
  const Output<V> output(p);
  const Room room = output.room(G::global());
  const int64_t begin = room.row < 0 ? 0 : f.a.begin(room.row), end = room.row < 0 ? 0 : f.a.end(room.row);
  const Columns span = span_of<kLanes>(f.a, f.b, begin, end);
  const int width = static_cast<int>(least(span.end - span.first, int64_t{p.capacity}));
  const Shared<V> sums(windows + G::in_block() * p.capacity);
  for (int i = G::rank(); i < width; i += kLanes) sums.set(i, nothing<V>());
  __syncwarp();

  const int32_t first = static_cast<int32_t>(span.first);
  for_each_term<kLanes, kAhead, false>(f, begin, end, span, stages[warp_in_block()],
                                       [&](int32_t column, V term) { add_to(sums, column, column - first, term); });

  int length = 0;
  for (int i = 0; G::any_in_warp(i < width); i += kLanes) {
    const int at = i + G::rank();
    const V sum = at < width ? sums.get(at) : nothing<V>();
    const bool here = !is_nothing(sum);
    const unsigned votes = G::ballot(here);
    if (here) output.put(room, length + G::before(votes), first + at, sum);
    length += __popc(votes);
  }
  if (G::rank() == 0) output.finish(room, length);
}

template <class V, int kLanes>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  const size_t shared = kThreads / kLanes * p.capacity * sizeof(V);
  if (const int32_t code = allow_shared(window<V, kLanes>, shared)) return code;
  OCN_LAUNCH((window<V, kLanes>), blocks_for(p.count * kLanes, kThreads), kThreads, shared, stream, p);
  return last_launch_error();
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_accumulate_window(const OceanAccumulate* p, OceanStream stream) {
  using namespace ocean;
  return by_value_and_lanes(
      *p, [&](auto value, auto lanes) { return launch<decltype(value), decltype(lanes)::value>(*p, stream); });
}
