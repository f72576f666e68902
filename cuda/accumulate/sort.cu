// SPDX-License-Identifier: MIT OR Apache-2.0
//
// sort: rows of C whose columns hardly repeat, over any span. All terms of a row are brought into the order of their
// columns, and those of a column stay in A's order; then each column's are summed.
//
// Rows of B ascend, so they are merged two by two, in rounds: a term's place in the merged run is its place in its own
// run and, in the other one, the place that its column would have, found by search, for all terms side by side.
//
// Reads   A's and B's rows for the listed rows of C; values once.
// Writes  the rows of C, in slots or in place; in slots, their lengths. Rows of more than `capacity` terms, or entries
// of
//         A, are left alone.
// Cost    O(products * log(entries of A's row) * log(products)) a row, in shared memory.
// Source  ours; Ocean (ICS 2026), sec. 3.4, sorts short rows.
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "accumulate/terms.cuh"
#include "common/warp.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

using Place = uint16_t;  // of a term, of which a block has room for less than 64 Ki

// Terms in order, and which they were before.
struct Terms {
  Shared<int32_t> columns;
  Place* number;
};

constexpr size_t bytes_of(int capacity) {
  return static_cast<size_t>(capacity) * 2 * (sizeof(int32_t) + sizeof(Place)) + (capacity + 1) * sizeof(Place);
}

// How many of the terms from `begin` to before `end` lie before `column`; with `kToo`, those of the column as well.
template <bool kToo>
__device__ __forceinline__ int terms_before(const Terms& terms, int begin, int end, int32_t column) {
  const int first = begin;
  while (begin < end) {
    const int middle = (begin + end) / 2;
    const int32_t there = terms.columns.get(middle);
    if (there < column || (kToo && there == column)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin - first;
}

template <class V, int kThreads>
__global__ void __launch_bounds__(kThreads) sort(OceanAccumulate p) {
  constexpr int kWarps = kThreads / kWarp;
  OCN_DYNAMIC_SHARED(int32_t, shared);
  OCN_SHARED(int32_t, of_warp, kWarps);
  OCN_SHARED(V, values, kThreads);
  OCN_SHARED(V, open_sum, 1);
  const Factors<V> f(p.factors);
  const Output<V> output(p);
  const Room room = output.room(blockIdx.x);
  const int64_t begin = f.a.begin(room.row), end = f.a.end(room.row);
  const int thread = static_cast<int>(threadIdx.x);
  const int capacity = p.capacity;
  if (end - begin > capacity) return;  // the whole block leaves together
  const int lists = static_cast<int>(end - begin);

  Place* const numbers = reinterpret_cast<Place*>(shared + 2 * capacity);
  Terms from = {Shared<int32_t>(shared), numbers}, to = {Shared<int32_t>(shared + capacity), numbers + capacity};
  Place* const starts = numbers + 2 * capacity;  // of each list, and the end of the last

  int32_t count = 0;
  for (int first = 0; first < lists; first += kThreads) {
    int64_t length = 0;
    if (first + thread < lists) {
      const int32_t row = f.a.column(begin + first + thread);
      length = f.b.end(row) - f.b.begin(row);
    }
    const int32_t before =
        before_in_block<kWarps>(static_cast<int32_t>(least(length, int64_t{capacity} + 1)), of_warp, count);
    if (count > capacity) return;  // the whole block leaves together
    if (first + thread < lists) starts[first + thread] = static_cast<Place>(before);
  }
  if (thread == 0) starts[lists] = static_cast<Place>(count);
  __syncthreads();

  // The last list that starts at or before a place; of those without terms none does.
  const auto list_of = [&](int place) {
    int low = 0, high = lists - 1;
    while (low < high) {
      const int middle = high - (high - low) / 2;
      if (starts[middle] <= place) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  };
  for (int i = thread; i < count; i += kThreads) {
    const int list = list_of(i);
    from.columns.set(i, f.b.column(f.b.begin(f.a.column(begin + list)) + i - starts[list]));
    from.number[i] = static_cast<Place>(i);
  }
  __syncthreads();
  for (int width = 1; width < lists; width *= 2) {
    for (int i = thread; i < count; i += kThreads) {
      const int left = list_of(i) / (2 * width) * (2 * width);  // first list of the pair of runs
      const int start = starts[left];
      const int middle = starts[least(left + width, lists)], stop = starts[least(left + 2 * width, lists)];
      const int32_t column = from.columns.get(i);
      const int place = i < middle ? i + terms_before<false>(from, middle, stop, column)
                                   : i - (middle - start) + terms_before<true>(from, start, middle, column);
      to.columns.set(place, column);
      to.number[place] = from.number[i];
    }
    __syncthreads();
    const Terms other = from;
    from = to;
    to = other;
  }

  const auto term = [&](int number) {
    const int list = list_of(number);
    const int64_t at = f.b.begin(f.a.column(begin + list)) + number - starts[list];
    return multiplied(f.left(begin + list), read_only(f.b_values + at));
  };
  // Each thread has a term of a stretch, and the first of each column adds up those that follow; the first of the
  // stretch goes on with the sum of the stretch before.
  int32_t length = 0;
  for (int first = 0; first < count; first += kThreads) {
    const int i = first + thread, stop = least(first + kThreads, count);
    const int32_t column = i < count ? from.columns.get(i) : 0;
    const bool heads = i < count && (i == 0 || from.columns.get(i - 1) != column);
    const V mine = i < count ? term(from.number[i]) : V(0);
    values[thread] = mine;
    const int32_t rank = before_in_block<kWarps>(heads, of_warp, length);
    const bool goes_on = thread == 0 && !heads;
    V sum = goes_on ? added(*open_sum, mine) : mine;
    __syncthreads();  // `open_sum` is read
    if (heads || goes_on) {
      int next = i + 1;
      for (; next < stop && from.columns.get(next) == column; ++next) sum = added(sum, values[next - first]);
      if (next == stop && stop < count && from.columns.get(stop) == column) {
        *open_sum = sum;
      } else {
        output.put(room, rank - goes_on, column, sum);
      }
    }
    __syncthreads();  // before the next stretch
  }
  if (thread == 0) output.finish(room, length);
}

template <class V, int kThreads>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  const size_t shared = bytes_of(p.capacity);
  if (const int32_t code = allow_shared(sort<V, kThreads>, shared)) return code;
  OCN_LAUNCH((sort<V, kThreads>), blocks_for(p.count, 1), kThreads, shared, stream, p);
  return last_launch_error();
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_accumulate_sort(const OceanAccumulate* p, OceanStream stream) {
  using namespace ocean;
  constexpr int kFew = 2048;  // terms, beside whose room several blocks fit an SM
  return by_value(p->value_type, [&](auto value) {
    using V = decltype(value);
    return p->capacity <= kFew ? launch<V, tuning::kSortThreads>(*p, stream)
                               : launch<V, tuning::kSortThreadsOfMany>(*p, stream);
  });
}
