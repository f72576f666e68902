// SPDX-License-Identifier: MIT OR Apache-2.0
//
// hash: rows of C of some hundred entries, spread wide.
//
// A sparse table finds the slot of a column; sums and columns lie in slots by first touch, so little is probed and the
// list to sort is there already. As in window, a group of lanes takes one row of B at a time and adds without atomics:
// only a column that is new claims its place in the table by compare-and-swap.
//
// Reads   A's and B's rows for the listed rows of C, with values.
// Writes  the rows of C, in slots or in place; in slots, their lengths. A row of more than `capacity` entries says that
//         it has overflowed.
// Cost    O(products + n log^2 n) a row of n entries.
// Source  Ocean (ICS 2026), sec. 3.3, for tables by size; the separate slots and the order are ours.
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "accumulate/places.cuh"
#include "accumulate/terms.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kHashThreads;
constexpr int kAhead = 2;
constexpr int kPlaces = tuning::kHashPlaces;  // of the table, for each slot
constexpr uint64_t kLast = ~uint64_t{0};      // after any column

// One group's table and slots. The sort keys lie over the table, which is done with by then.
template <class V>
struct Table {
  int32_t* columns;  // kPlaces * capacity: the column that has a place, or kFree
  uint16_t* slots;   // as many: its slot
  int32_t* listed;   // capacity: the column of each slot
  V* sums;           // capacity

  static constexpr size_t kBytes = kPlaces * (sizeof(int32_t) + sizeof(uint16_t)) + sizeof(int32_t) + sizeof(V);
  static_assert(kPlaces * sizeof(int32_t) >= sizeof(uint64_t), "a sort key lies over the places of its slot");

  __device__ Table(unsigned char* shared, int capacity) {
    sums = reinterpret_cast<V*>(shared);
    columns = reinterpret_cast<int32_t*>(sums + capacity);
    listed = columns + kPlaces * capacity;
    slots = reinterpret_cast<uint16_t*>(listed + capacity);
  }
};

// Sorts `count` keys, a power of two, among the lanes of a group. Every lane of the warp calls.
template <int kLanes>
__device__ __forceinline__ void sort(uint64_t* keys, int count) {
  using G = Group<kLanes>;
  for (int size = 2; G::any_in_warp(size <= count); size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      for (int i = G::rank(); size <= count && i < count / 2; i += kLanes) {
        const int low = i / step * 2 * step + i % step;
        const bool ascends = (low & size) == 0;
        const uint64_t a = keys[low], b = keys[low + step];
        if ((b < a) == ascends) {
          keys[low] = b;
          keys[low + step] = a;
        }
      }
      __syncwarp();
    }
  }
}

template <class V, int kLanes>
__global__ void __launch_bounds__(kThreads) hash(OceanAccumulate p) {
  using G = Group<kLanes>;
  OCN_DYNAMIC_SHARED(unsigned char, shared);
  const Factors<V> f(p.factors);
  const Output<V> output(p);
  const Room room = output.room(G::global());
  const int64_t begin = room.row < 0 ? 0 : f.a.begin(room.row), end = room.row < 0 ? 0 : f.a.end(room.row);
  const Places places(kPlaces * p.capacity);
  Table<V> table(shared + G::in_block() * p.capacity * Table<V>::kBytes, p.capacity);
  for (int i = G::rank(); i < places.count; i += kLanes) table.columns[i] = kFree;
  __syncwarp();

  int used = 0;
  for_each_term<kLanes, kAhead, false>(f, begin, end, Columns{0, 0}, [&](bool on, int32_t column, V term) {
    // Past its slots a row is lost anyway; the table must not fill up, or a search would not end.
    on = on && used <= p.capacity;
    unsigned place = 0;
    bool is_new = false;
    if (on) {
      place = places.first(column);
      while (true) {
        int32_t found = table.columns[place];
        if (found == kFree) {
          found = atomic_cas(&table.columns[place], kFree, column);
          is_new = found == kFree;
        }
        if (is_new || found == column) break;
        place = places.next(place);
      }
    }
    const unsigned newcomers = G::ballot(is_new);
    const int slot = is_new ? used + G::before(newcomers) : on ? table.slots[place] : 0;
    if (is_new && slot < p.capacity) {
      table.slots[place] = static_cast<uint16_t>(slot);
      table.listed[slot] = column;
      table.sums[slot] = term;
    } else if (on && !is_new) {
      table.sums[slot] = added(table.sums[slot], term);
    }
    used += __popc(newcomers);
  });

  const int length = used <= p.capacity ? used : 0;
  uint64_t* keys = reinterpret_cast<uint64_t*>(table.columns);
  int padded = 1;
  while (padded < length) padded *= 2;
  for (int i = G::rank(); i < padded; i += kLanes) {
    keys[i] = i < length ? static_cast<uint64_t>(table.listed[i]) << 16 | static_cast<unsigned>(i) : kLast;
  }
  __syncwarp();
  sort<kLanes>(keys, padded);
  for (int i = G::rank(); i < length; i += kLanes) {
    output.put(room, i, static_cast<int32_t>(keys[i] >> 16), table.sums[keys[i] & 0xffff]);
  }
  // More than fits is too long for the slot, whatever its room.
  if (G::rank() == 0) output.finish(room, used <= p.capacity ? int64_t{used} : INT64_MAX);
}

template <class V, int kLanes>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  const size_t shared = kThreads / kLanes * p.capacity * Table<V>::kBytes;
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
