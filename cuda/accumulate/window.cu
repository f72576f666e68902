// SPDX-License-Identifier: MIT OR Apache-2.0
//
// window: rows of C whose columns lie close together, in an array of sums over their span.
//
// A group of lanes owns a row of C and takes one row of B at a time: plain load, multiply, add, store in shared memory,
// so the sums have the promised order and no atomic is needed. Ascending columns come out by themselves.
//
// Reads   A's and B's rows for the listed rows of C, with values.
// Writes  the rows of C, in slots or in place; in slots, their lengths.
// Cost    O(products + span) a row; bound by the shared-memory pipe. Rows with equal columns of A read B once.
// Source  Gustavson 1978, ACM TOMS 4(3), for the dense row; Ocean (ICS 2026), sec. 3.3, for the span.
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "accumulate/terms.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kWindowThreads;
constexpr int kAhead = 4;  // loads of 24 and more warps an SM then hide each other
template <int kRows>
constexpr int kAheadOfRows = kRows > 4 ? 4 : 8;  // few warps fit beside the windows of several rows

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

// Several rows by a warp: the listed one and, of the kRows - 1 after it, those with the same columns of A. They share
// the rows of B.
template <class V, int kRows>
__global__ void __launch_bounds__(kThreads) window_rows(OceanAccumulate p) {
  OCN_DYNAMIC_SHARED(V, windows);
  using Staged = Stage<V, kRows>;
  OCN_SHARED(Staged, stages, kThreads / kWarp);
  const Factors<V> f(p.factors);
  const Output<V> output(p);
  const Room room = output.room(global_warp());
  if (room.row < 0) return;  // the whole warp leaves together
  const int64_t begin = f.a.begin(room.row), end = f.a.end(room.row);
  const Columns span = span_of<kWarp>(f.a, f.b, begin, end);
  const int width = static_cast<int>(least(span.end - span.first, int64_t{p.capacity}));

  Neighbours neighbours = {1, end - begin};
  for (int i = 1; i < kRows && room.row + i < f.a.rows; ++i) {
    const int64_t row = room.row + i;
    const bool alike = p.heads[row] == p.heads[room.row] && f.a.end(row) - f.a.begin(row) == end - begin;
    if (!alike) break;
    neighbours.rows = i + 1;
  }

  const Shared<V> sums(windows + warp_in_block() * kRows * p.capacity);
  for (int i = lane(); i < width; i += kWarp) {
#pragma unroll
    for (int row = 0; row < kRows; ++row) sums.set(row * p.capacity + i, nothing<V>());
  }
  __syncwarp();

  const int32_t first = static_cast<int32_t>(span.first);
  Staged& stage = stages[warp_in_block()];
  const Shared<V> lefts(stage.left);
  for_each_term<kWarp, kAheadOfRows<kRows>, false>(
      f, begin, end, span, stage,
      [&](int32_t column, V right, int slot) {
        V sum[kRows];
#pragma unroll
        for (int row = 0; row < kRows; ++row) sum[row] = sums.get_if(column, row * p.capacity + column - first);
#pragma unroll
        for (int row = 0; row < kRows; ++row) {
          const V term = multiplied(lefts.get(row * kWarp + slot), right);
          sums.set_if(column, row * p.capacity + column - first, summed(sum[row], term));
        }
      },
      neighbours);

  int length = 0;
  for (int i = 0; i < width; i += kWarp) {
    const int at = i + lane();
    const bool here = at < width && !is_nothing(sums.get(at));
    const unsigned votes = __ballot_sync(kAllLanes, here);
    for (int row = 0; row < neighbours.rows; ++row) {
      const Room to = output.of_row(room.row + row);
      if (here) output.put(to, length + Group<kWarp>::before(votes), first + at, sums.get(row * p.capacity + at));
    }
    length += __popc(votes);
  }
  if (lane() < neighbours.rows) output.finish(output.of_row(room.row + lane()), length);
}

template <class V, int kLanes>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  const size_t shared = kThreads / kLanes * p.capacity * sizeof(V);
  if (const int32_t code = allow_shared(window<V, kLanes>, shared)) return code;
  OCN_LAUNCH((window<V, kLanes>), blocks_for(p.count * kLanes, kThreads), kThreads, shared, stream, p);
  return last_launch_error();
}

template <class V, int kRows>
int32_t launch_rows(const OceanAccumulate& p, OceanStream stream) {
  const size_t shared = kThreads / kWarp * kRows * p.capacity * sizeof(V);
  if (const int32_t code = allow_shared(window_rows<V, kRows>, shared)) return code;
  OCN_LAUNCH((window_rows<V, kRows>), blocks_for(p.count * kWarp, kThreads), kThreads, shared, stream, p);
  return last_launch_error();
}

template <class V>
int32_t launch_rows(const OceanAccumulate& p, OceanStream stream) {
  switch (p.at_once) {
    case 2:
      return launch_rows<V, 2>(p, stream);
    case 3:
      return launch_rows<V, 3>(p, stream);
    case 4:
      return launch_rows<V, 4>(p, stream);
    case 6:
      return launch_rows<V, 6>(p, stream);
    default:
      return launch_rows<V, 8>(p, stream);
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_accumulate_window(const OceanAccumulate* p, OceanStream stream) {
  using namespace ocean;
  if (p->at_once > 1)
    return by_value(p->value_type, [&](auto value) { return launch_rows<decltype(value)>(*p, stream); });
  return by_value_and_lanes(
      *p, [&](auto value, auto lanes) { return launch<decltype(value), decltype(lanes)::value>(*p, stream); });
}
