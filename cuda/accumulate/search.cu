// SPDX-License-Identifier: MIT OR Apache-2.0
//
// search: long rows of C from a few rows of B each. A term's place among those of its row of C is its place in its own
// row of B and, in each other one, the place that its column would have: found by search, for all terms side by side.
//
// Of the terms of one column, that of A's first entry makes the sum of all, in A's order; the others are repeats, whose
// places are marked, so that those behind them move up.
//
// Reads   A's and B's rows for the listed rows of C; values once. Rows of A have at most kMost entries.
// Writes  the rows of C, in slots or in place; in slots, their lengths.
// Cost    O(products * entries of A's row * log(longest row of B)), without any step that waits for the one before but
//         within a search.
// Source  ours.
#include "accumulate/bitmap.cuh"
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "common/warp.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kMost = tuning::kSearchedRows;

// The rows of B of one row of C, in A's order.
template <class V>
struct Lists {
  int64_t from[kMost];
  V left[kMost];
  int32_t length[kMost];
};

// A term among those of its row of C.
struct Term {
  int list;
  int32_t at;  // in its list
};

template <class V>
class Searched {
  const Factors<V>& f_;
  const Lists<V>& lists_;
  const int count_;

  // The first entry of a list whose column is not below `column`.
  __device__ __forceinline__ int32_t first_at(int list, int32_t column) const {
    const int32_t* const columns = f_.b.columns + lists_.from[list];
    const int32_t stored = column + f_.b.base;
    int32_t begin = 0, end = lists_.length[list];
    while (begin < end) {
      const int32_t middle = begin + (end - begin) / 2;
      if (read_only(columns + middle) < stored) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

  __device__ __forceinline__ bool is_at(int list, int32_t at, int32_t column) const {
    return at < lists_.length[list] && f_.b.column(lists_.from[list] + at) == column;
  }

 public:
  __device__ __forceinline__ Searched(const Factors<V>& f, const Lists<V>& lists, int count)
      : f_(f), lists_(lists), count_(count) {}

  // The term that comes as number `index`, list after list.
  __device__ __forceinline__ Term term(int64_t index) const {
    int list = 0;
    while (index >= lists_.length[list]) index -= lists_.length[list++];
    return {list, static_cast<int32_t>(index)};
  }

  __device__ __forceinline__ int32_t column(Term term) const { return f_.b.column(lists_.from[term.list] + term.at); }

  // Adds to `place` what lies before a term in the lists before its own. Says whether its column is in one of them.
  __device__ __forceinline__ bool repeats(Term term, int32_t column, int64_t& place) const {
    bool repeat = false;
    for (int list = 0; list < term.list; ++list) {
      const int32_t at = first_at(list, column);
      const bool here = is_at(list, at, column);
      place += at + here;
      repeat = repeat || here;
    }
    return repeat;
  }

  // Adds to `place` what lies before a term in the lists after its own; calls `each(list, at)` for the terms there
  // of its column.
  template <class Each>
  __device__ __forceinline__ void look_on(Term term, int32_t column, int64_t& place, Each each) const {
    for (int list = term.list + 1; list < count_; ++list) {
      const int32_t at = first_at(list, column);
      place += at;
      if (is_at(list, at, column)) each(list, at);
    }
  }

  __device__ __forceinline__ V product(int list, int32_t at) const {
    return multiplied(lists_.left[list], read_only(f_.b_values + lists_.from[list] + at));
  }
};

template <class V, int kThreads>
__global__ void __launch_bounds__(kThreads) search(OceanAccumulate p) {
  constexpr int kWarps = kThreads / kWarp;
  OCN_DYNAMIC_SHARED(uint32_t, words);  // a bit for each place, then a running sum for each word
  OCN_SHARED(Lists<V>, lists, 1);
  OCN_SHARED(int32_t, of_warp, kWarps);
  OCN_SHARED(bool, any_repeats, 1);
  const Factors<V> f(p.factors);
  const Output<V> output(p);
  const Room room = output.room(blockIdx.x);
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t begin = f.a.begin(room.row);
  const int count = static_cast<int>(least(f.a.end(room.row) - begin, int64_t{kMost}));
  if (thread < count) {
    const int32_t row = f.a.column(begin + thread);
    lists->from[thread] = f.b.begin(row);
    lists->length[thread] = static_cast<int32_t>(f.b.end(row) - f.b.begin(row));
    lists->left[thread] = f.left(begin + thread);
  }
  const int all_words = p.capacity / kWordBits;
  __syncthreads();
  int64_t terms = 0;
  for (int list = 0; list < count; ++list) terms += lists->length[list];
  // No list is longer than the row, so the row is too long for its room.
  if (terms > p.capacity) {
    if (thread == 0) output.finish(room, INT64_MAX);
    return;  // the whole block leaves together
  }
  const int used_words = static_cast<int>((terms + kWordBits - 1) / kWordBits);
  for (int i = thread; i < used_words; i += kThreads) words[i] = 0;
  if (thread == 0) *any_repeats = false;
  __syncthreads();

  const Searched<V> searched(f, *lists, count);
  for (int64_t i = lists->length[0] + thread; i < terms; i += kThreads) {
    const Term term = searched.term(i);
    const int32_t column = searched.column(term);
    int64_t place = term.at;
    if (!searched.repeats(term, column, place)) continue;
    searched.look_on(term, column, place, [](int, int32_t) {});
    atomic_or(words + place / kWordBits, 1u << place % kWordBits);
    *any_repeats = true;
  }

  // Running sums of the repeats before each word.
  uint32_t* const before = words + all_words;
  int32_t repeats = 0;
  __syncthreads();
  if (*any_repeats) {
    for (int first = 0; first < used_words; first += kThreads) {
      const int32_t mine = first + thread < used_words ? __popc(words[first + thread]) : 0;
      const int32_t so_far = before_in_block<kWarps>(mine, of_warp, repeats);
      if (first + thread < used_words) before[first + thread] = static_cast<uint32_t>(so_far);
    }
    __syncthreads();  // threads read what others wrote
  }

  for (int64_t i = thread; i < terms; i += kThreads) {
    const Term term = searched.term(i);
    const int32_t column = searched.column(term);
    int64_t place = term.at;
    if (searched.repeats(term, column, place)) continue;
    V sum = searched.product(term.list, term.at);
    searched.look_on(term, column, place, [&](int list, int32_t at) { sum = added(sum, searched.product(list, at)); });
    if (repeats > 0) {
      const int word = static_cast<int>(place / kWordBits);
      place -= before[word] + __popc(words[word] & ((1u << place % kWordBits) - 1));
    }
    output.put(room, place, column, sum);
  }
  if (thread == 0) output.finish(room, terms - repeats);
}

template <class V, int kThreads>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  const size_t shared = 2 * p.capacity / 8;
  OCN_LAUNCH((search<V, kThreads>), blocks_for(p.count, 1), kThreads, shared, stream, p);
  return last_launch_error();
}

template <class V>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  // As many threads as find several terms each.
  constexpr int kFew = 8 * 512;
  return p.capacity <= kFew ? launch<V, tuning::kSearchThreads>(p, stream)
                            : launch<V, 4 * tuning::kSearchThreads>(p, stream);
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_accumulate_search(const OceanAccumulate* p, OceanStream stream) {
  using namespace ocean;
  return by_value(p->value_type, [&](auto value) { return launch<decltype(value)>(*p, stream); });
}
