// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The terms of a row of C, in A's order, by a group of lanes: one row of B at a time, since the sums have one order;
// its columns side by side, since they are distinct.
#pragma once
#include "common/complex.cuh"
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

// Columns from `first` to before `end`.
struct Columns {
  int64_t first;
  int64_t end;
};

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

  // The parts of rows of B that lie in a cut: begins and ends in, likewise out. All rows are searched side by side.
  template <int kRows>
  __device__ __forceinline__ void cut(const int32_t (&rows)[kRows], int64_t (&begins)[kRows], int64_t (&ends)[kRows],
                                      Columns cut) const {
    // Of each row two places, from the lowest that it can be to the highest.
    int32_t low[2 * kRows], high[2 * kRows];
#pragma unroll
    for (int i = 0; i < 2 * kRows; ++i) {
      low[i] = 0;
      high[i] = static_cast<int32_t>(ends[i / 2] - begins[i / 2]);
      if (cuts.at && high[i] > 0) narrow(rows[i / 2], i % 2 == 0 ? cut.first : cut.end, low[i], high[i]);
    }
    bool any = true;
    while (any) {
      int32_t middle[2 * kRows], columns[2 * kRows];
#pragma unroll
      for (int i = 0; i < 2 * kRows; ++i) {
        middle[i] = low[i] + (high[i] - low[i]) / 2;
        columns[i] = low[i] < high[i] ? b.column(begins[i / 2] + middle[i]) : 0;
      }
      any = false;
#pragma unroll
      for (int i = 0; i < 2 * kRows; ++i) {
        const bool open = low[i] < high[i];
        const bool below = columns[i] < (i % 2 == 0 ? cut.first : cut.end);
        low[i] = open && below ? middle[i] + 1 : low[i];
        high[i] = open && !below ? middle[i] : high[i];
        any = any || low[i] < high[i];
      }
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      ends[i] = begins[i] + low[2 * i + 1];
      begins[i] += low[2 * i];
    }
  }

 private:
  // Where in a row of B to look for the first entry whose column is not below `column`, by the cuts that are known.
  __device__ __forceinline__ void narrow(int64_t row, int64_t column, int32_t& low, int32_t& high) const {
    const int64_t before = column >> cuts.shift;
    if (before >= cuts.count) {
      low = high;
      return;
    }
    const int32_t* const at = cuts.at + row * cuts.count + before;
    low = read_only(at);
    if (before << cuts.shift == column) {
      high = low;
    } else if (before + 1 < cuts.count) {
      high = read_only(at + 1);
    }
  }
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
template <class V, int kRows = 1, int kRoom = kWarp>
struct Stage {
  int64_t from[kRoom];  // first entry of B
  V left[kRows * kRoom];
  int32_t count[kRoom];  // of entries of B
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
// `kTwice`, as many again while those before are used. `stage` is the warp's own.
//
// Chunks of A's entries, one a lane, are looked up ahead, or `kChunks` at a time: where few have terms in the cut, it
// is their looking up that takes long.
//
// Neighbours of equal columns are gone through at once, kRows at most: then the call is `add(column, right, slot)`, and
// the term of row i is what `stage.left` has at i * kWarp + slot, times `right`.
template <int kLanes, int kAhead, bool kCut, bool kTwice = false, int kChunks = 1, int kRows, int kStage, class V,
          class Add>
__device__ __forceinline__ void for_each_term(const Factors<V>& f, int64_t begin, int64_t end, Columns cut,
                                              Stage<V, kRows, kStage>& stage, Add add, Neighbours neighbours = {}) {
  static_assert(kRows == 1 || kLanes == kWarp, "rows at once are a whole warp's");
  using G = Group<kLanes>;
  constexpr int kRoom = kStage * kLanes / kWarp;  // of a group
  static_assert(kChunks == 1 || kRoom >= 2 * kLanes, "a chunk fits beside what is put up");
  struct Entries {
    int32_t rows[kChunks];
    V lefts[kChunks];
  };
  struct Batch {  // as loaded: whatever is done to them waits for them
    int32_t columns[kAhead];
    V lefts[kAhead], rights[kAhead];
    int slots[kAhead];
  };
  const auto entries_at = [&](int64_t first) {
    Entries entries;
#pragma unroll
    for (int i = 0; i < kChunks; ++i) {
      const int64_t entry = first + i * kLanes + G::rank();
      const bool on = entry < end;
      entries.rows[i] = on ? f.a.column(entry) : -1;
      // Of several rows they would take too many registers.
      entries.lefts[i] = on && kRows == 1 ? f.left(entry) : V(0);
    }
    return entries;
  };
  const auto look_up = [&](const Entries& entries, int64_t(&from)[kChunks], int32_t(&count)[kChunks]) {
    int64_t to[kChunks];
#pragma unroll
    for (int i = 0; i < kChunks; ++i) {
      from[i] = to[i] = 0;
      if (entries.rows[i] >= 0) {
        from[i] = f.b.begin(entries.rows[i]);
        to[i] = f.b.end(entries.rows[i]);
      }
    }
    if constexpr (kCut) f.cut(entries.rows, from, to, cut);
#pragma unroll
    for (int i = 0; i < kChunks; ++i) count[i] = static_cast<int32_t>(to[i] - from[i]);
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
  const int mine = (lane() - G::rank()) / kLanes * kRoom;  // the group's part of the stage
  const int32_t* const b_columns = in_register(f.b.columns);
  const V* const b_values = in_register(f.b_values);
  const Shared<int64_t> stage_from(stage.from);
  const Shared<V> stage_left(stage.left);
  const Shared<int32_t> stage_count(stage.count);
  // Puts a chunk's entries that have terms where every lane finds them, after so many; returns how many there are now.
  const auto put_up = [&](int entries, int64_t chunk, int64_t first, int32_t terms, V left) {
    const unsigned here = G::ballot(terms > 0);
    if (terms > 0) {
      const int slot = mine + entries + G::before(here);
      stage_from.set(slot, first);
      stage_count.set(slot, terms);
      if constexpr (kRows == 1) {
        stage_left.set(slot, left);
      } else {
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
          stage_left.set(i * kRoom + slot, f.left(chunk + neighbours.shift(i) + G::rank()));
        }
      }
    }
    return entries + __popc(here);
  };
  const auto go_through = [&](int entries) {
    __syncwarp();  // the stage is written
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
          const int slot = mine + least(taken, kRoom - 1);
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
  };

  int64_t from[kChunks];
  int32_t count[kChunks];
  Entries found = entries_at(begin);
  if constexpr (kChunks == 1) {
    look_up(found, from, count);
    Entries next = entries_at(begin + kLanes);
    for (int64_t chunk = begin; G::any_in_warp(chunk < end); chunk += kLanes) {
      const int entries = put_up(0, chunk, from[0], count[0], found.lefts[0]);
      found = next;
      look_up(found, from, count);
      next = entries_at(chunk + 2 * kLanes);
      go_through(entries);
    }
  } else {
    for (int64_t chunk = begin; G::any_in_warp(chunk < end); chunk += kChunks * kLanes) {
      look_up(found, from, count);
      const Entries next = entries_at(chunk + kChunks * kLanes);
      int entries = 0;
#pragma unroll 1  // the code to go through them is long
      for (int i = 0; i < kChunks; ++i) {
        int64_t first = from[0];
        int32_t terms = count[0];
        V left = found.lefts[0];
#pragma unroll
        for (int j = 1; j < kChunks; ++j) {
          first = i == j ? from[j] : first;
          terms = i == j ? count[j] : terms;
          left = i == j ? found.lefts[j] : left;
        }
        entries = put_up(entries, chunk, first, terms, left);
        if (!G::any_in_warp(entries > (i + 1 < kChunks ? kRoom - kLanes : 0))) continue;
        go_through(entries);
        entries = 0;
      }
      found = next;
    }
  }
}

}  // namespace ocean
