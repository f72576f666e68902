// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The terms of a row of C, in A's order, by a group of lanes: one row of B at a time, since the sums have one order;
// its columns side by side, since they are distinct.
#pragma once
#include "common/csr.cuh"

namespace ocean {

// A warp's lanes in groups of `kLanes`. Every lane of the warp calls; each group gets its own answer.
template <int kLanes>
struct Group {
  static_assert(kWarp % kLanes == 0, "a warp is whole groups");
  static constexpr unsigned kAll = kLanes == kWarp ? kAllLanes : (1u << kLanes % kWarp) - 1;

  __device__ __forceinline__ static int rank() { return static_cast<int>(threadIdx.x % kLanes); }
  __device__ __forceinline__ static int in_block() { return static_cast<int>(threadIdx.x / kLanes); }
  __device__ __forceinline__ static int64_t global() { return global_thread() / kLanes; }

  __device__ __forceinline__ static unsigned ballot(bool vote) {
    return __ballot_sync(kAllLanes, vote) >> (lane() - rank()) & kAll;
  }
  // Whether any lane of the warp votes so: loops go on for all groups until none has work.
  __device__ __forceinline__ static bool any_in_warp(bool vote) {
    return kLanes == kWarp ? vote : __ballot_sync(kAllLanes, vote) != 0;  // a whole warp is of one mind
  }

  template <class T>
  __device__ __forceinline__ static T from(T value, int rank) {
    return __shfl_sync(kAllLanes, value, rank, kLanes);
  }

  // How many of the lanes before this one are in `votes`.
  __device__ __forceinline__ static int before(unsigned votes) { return __popc(votes & ((1u << rank()) - 1)); }

  template <class T, class Combine>
  __device__ __forceinline__ static T reduce(T value, Combine combine) {
    for (int step = kLanes / 2; step > 0; step /= 2) {
      value = combine(value, __shfl_xor_sync(kAllLanes, value, step, kLanes));
    }
    return value;
  }
};

// The first of the entries from `begin` to before `end` whose column is not below `column`.
__device__ __forceinline__ int64_t lower_bound(const Csr& m, int64_t begin, int64_t end, int64_t column) {
  while (begin < end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (m.column(middle) < column) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

// A and B with their values. Where `cuts` fall in rows of B, if it is known.
template <class V>
struct Factors {
  Csr a, b;
  const V* a_values;
  const V* b_values;
  OceanCuts cuts;

  __device__ __forceinline__ explicit Factors(const OceanFactors& f, const OceanCuts& known = {})
      : a(f.a),
        b(f.b),
        a_values(static_cast<const V*>(f.a_values)),
        b_values(static_cast<const V*>(f.b_values)),
        cuts(known) {}

  __device__ __forceinline__ V left(int64_t entry) const { return read_only(a_values + entry); }

  // The first entry of a row of B, which begins and ends so, whose column is not below `column`.
  __device__ __forceinline__ int64_t cut(int64_t row, int64_t begin, int64_t end, int64_t column) const {
    if (!cuts.at) return lower_bound(b, begin, end, column);
    const int64_t before = column >> cuts.shift;
    if (before >= cuts.count) return end;
    const int32_t* at = cuts.at + row * cuts.count + before;
    const int64_t from = begin + read_only(at);
    if (before << cuts.shift == column) return from;
    return lower_bound(b, from, before + 1 < cuts.count ? begin + read_only(at + 1) : end, column);
  }
};

// Columns from `first` to before `end`.
struct Columns {
  int64_t first;
  int64_t end;
};

// The columns that a row of C can have: between the ends of the rows of B that the entries of A name. Every lane of a
// warp calls.
template <int kLanes>
__device__ __forceinline__ Columns span_of(const Csr& a, const Csr& b, int64_t begin, int64_t end) {
  int32_t first = INT32_MAX, last = -1;
  for (int64_t entry = begin + Group<kLanes>::rank(); entry < end; entry += kLanes) {
    const int32_t row = a.column(entry);
    const int64_t from = b.begin(row), to = b.end(row);
    if (from == to) continue;
    first = least(first, b.column(from));
    last = most(last, b.column(to - 1));
  }
  first = Group<kLanes>::reduce(first, [](int32_t x, int32_t y) { return least(x, y); });
  last = Group<kLanes>::reduce(last, [](int32_t x, int32_t y) { return most(x, y); });
  return {first, last < first ? int64_t{first} : int64_t{last} + 1};
}

// The entries of A that a warp is at, where every lane finds them: a part for each group. Rows of equal columns have
// their values one after another.
template <class V, int kRows = 1>
struct Stage {
  int64_t from[kWarp];  // first entry of B
  V left[kRows * kWarp];
  int32_t count[kWarp];  // of entries of B
};

// Rows of A of one length, side by side.
struct Neighbours {
  int rows = 1;
  int64_t length = 0;

  // How many entries a row begins after the first one; rows past the last are the first again.
  __device__ __forceinline__ int64_t shift(int row) const { return row < rows ? row * length : 0; }
};

// Calls `add(column, term)` for the terms of A's entries from `begin` to before `end`, by all lanes of the warp at
// once, with a negative column for those that have none; after each call the lanes see what the others wrote. With
// `kCut`, only the terms whose columns lie in `cut`. `kAhead` terms are loaded before the first of them is used; with
// `kTwice`, as many again while those before are used. Of A, two chunks are looked up ahead. `stage` is the warp's own.
//
// Neighbours of equal columns are gone through at once, kRows at most: then the call is `add(column, right, slot)`, and
// the term of row i is what `stage.left` has at i * kWarp + slot, times `right`.
template <int kLanes, int kAhead, bool kCut, bool kTwice = false, int kRows, class V, class Add>
__device__ __forceinline__ void for_each_term(const Factors<V>& f, int64_t begin, int64_t end, Columns cut,
                                              Stage<V, kRows>& stage, Add add, Neighbours neighbours = {}) {
  static_assert(kRows == 1 || kLanes == kWarp, "rows at once are a whole warp's");
  using G = Group<kLanes>;
  struct Entry {
    int32_t row = -1;
    V left = V(0);
  };
  struct Batch {  // as loaded: whatever is done to them waits for them
    int32_t columns[kAhead];
    V lefts[kAhead], rights[kAhead];
    int slots[kAhead];
  };
  const auto entry_at = [&](int64_t chunk) {
    Entry entry;
    if (chunk + G::rank() < end) {
      entry.row = f.a.column(chunk + G::rank());
      if (kRows == 1) entry.left = f.left(chunk + G::rank());  // of several rows they would take too many registers
    }
    return entry;
  };
  const auto part_of = [&](int32_t row, int64_t& from) {
    from = f.b.begin(row);
    int64_t to = f.b.end(row);
    if (kCut) {
      const int64_t first = f.cut(row, from, to, cut.first);
      to = f.cut(row, from, to, cut.end);
      from = first;
    }
    return static_cast<int32_t>(to - from);
  };
  const auto use = [&](const Batch& batch) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int32_t column = batch.columns[i] - f.b.base;
      if constexpr (kRows == 1) {
        add(column, multiplied(batch.lefts[i], batch.rights[i]));
      } else {
        add(column, batch.rights[i], batch.slots[i]);
      }
      __syncwarp();
    }
  };
  const int mine = lane() - G::rank();  // the group's part of the stage
  const int32_t* const b_columns = in_register(f.b.columns);
  const V* const b_values = in_register(f.b_values);
  const Shared<int64_t> stage_from(stage.from);
  const Shared<V> stage_left(stage.left);
  const Shared<int32_t> stage_count(stage.count);
  Entry entry = entry_at(begin);
  int64_t from = 0;
  int32_t count = entry.row >= 0 ? part_of(entry.row, from) : 0;
  Entry next = entry_at(begin + kLanes);
  for (int64_t chunk = begin; G::any_in_warp(chunk < end); chunk += kLanes) {
    const unsigned here = G::ballot(count > 0);
    const int entries = __popc(here);
    if (count > 0) {
      const int slot = mine + G::before(here);
      stage_from.set(slot, from);
      if constexpr (kRows == 1) {
        stage_left.set(slot, entry.left);
      } else {
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
          stage_left.set(i * kWarp + slot, f.left(chunk + neighbours.shift(i) + G::rank()));
        }
      }
      stage_count.set(slot, count);
    }
    __syncwarp();
    entry = next;
    count = entry.row >= 0 ? part_of(entry.row, from) : 0;
    next = entry_at(chunk + 2 * kLanes);

    int taken = 0, left_over = 0, current = 0;
    int64_t at = 0;
    V x = V(0);
    const auto more = [&] { return G::any_in_warp(taken < entries || left_over > 0); };
    const auto load = [&](Batch& batch) {
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        // Groups of a whole warp branch as one; smaller ones look whether they need it or not.
        const bool fresh = left_over <= 0 && taken < entries;
        if (kLanes < kWarp || fresh) {
          const int slot = mine + least(taken, kLanes - 1);
          at = fresh ? stage_from.get(slot) + G::rank() : at;
          left_over = fresh ? stage_count.get(slot) : left_over;
          if constexpr (kRows == 1) {
            x = fresh ? stage_left.get(slot) : x;
          } else {
            current = fresh ? slot : current;
          }
          taken += fresh;
        }
        const bool on = G::rank() < left_over;
        batch.columns[i] = on ? read_only(b_columns + at) : -1;
        batch.rights[i] = on ? read_only(b_values + at) : V(0);
        batch.lefts[i] = x;
        batch.slots[i] = current;
        at += kLanes;
        left_over -= kLanes;
      }
    };
    Batch batch;
    if (!kTwice) {
      while (more()) {
        load(batch);
        use(batch);
      }
    } else if (more()) {
      load(batch);
      while (true) {
        Batch other;
        if (!more()) {
          use(batch);
          break;
        }
        load(other);
        use(batch);
        if (!more()) {
          use(other);
          break;
        }
        load(batch);
        use(other);
      }
    }
    __syncwarp();  // before the next entries take the stage
  }
}

}  // namespace ocean
