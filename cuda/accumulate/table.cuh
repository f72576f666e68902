// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Hash tables of columns in shared memory: a power of two of places, probed in line.
#pragma once
#include "accumulate/sort.cuh"
#include "accumulate/sums.cuh"
#include "accumulate/terms.cuh"
#include "tuning.cuh"

namespace ocean {

constexpr uint32_t kFree = ~0u;  // no column, and after any

struct Places {
  int count;
  int shift;

  __device__ __forceinline__ explicit Places(int places) {
    count = places;
    shift = 32 - (__ffs(static_cast<unsigned>(places)) - 1);
  }

  // Fibonacci hashing: the high bits of the product are the well-mixed ones.
  __device__ __forceinline__ unsigned first(uint32_t column) const { return column * 0x9e3779b9u >> shift; }

  __device__ __forceinline__ unsigned next(unsigned place) const { return (place + 1) & (count - 1); }
};

// The table of one group of lanes, whose words pack a column, counted from `first`, with the slot of its sum. Slots go
// by first touch, so the table can be sparse and little is probed, and the list to sort is there already.
template <class V, int kLanes>
class Table {
  using G = Group<kLanes>;
  static constexpr int kSlotBits = tuning::kTableSlotBits;
  static constexpr int kPlaces = tuning::kTablePlaces;  // for each slot

  static constexpr int kMostKeys = 16;  // of each lane, to sort: tables have at most as many slots for each

  Places places_;
  int capacity_;
  V* start_;
  Shared<V> sums_;          // of each slot
  Shared<uint32_t> words_;  // of each place: column and slot, or kFree
  uint32_t* listed_;        // of each slot: its word

  __device__ __forceinline__ uint32_t* word(unsigned place) const {
    return reinterpret_cast<uint32_t*>(start_ + capacity_) + place;
  }

 public:
  static constexpr size_t kSlotBytes = sizeof(V) + (kPlaces + 1) * sizeof(uint32_t);
  int used = 0;  // columns met; past the capacity they have no slot

  // The group's part of the block's shared memory.
  __device__ __forceinline__ Table(unsigned char* shared, int capacity)
      : places_(kPlaces * capacity),
        capacity_(capacity),
        start_(reinterpret_cast<V*>(shared + G::in_block() * capacity * kSlotBytes)),
        sums_(start_),
        words_(word(0)),
        listed_(word(kPlaces * capacity)) {}

  __device__ __forceinline__ void clear() {
    used = 0;
    for (int i = G::rank(); i < places_.count; i += kLanes) words_.set(i, kFree);
    __syncwarp();
  }

  // Adds a term for each lane whose `sign` is not negative; the columns of a group are distinct. Every lane of the warp
  // calls.
  __device__ __forceinline__ void add(int32_t sign, uint32_t column, V term) {
    // Past its slots a row is lost anyway; the table must not fill up, or a search would not end.
    if (used > capacity_) sign = -1;
    unsigned place = places_.first(column);
    uint32_t found = words_.get_if(sign, place);
    bool is_new = false;
    if (sign >= 0 && found >> kSlotBits != column) {
      while (true) {
        if (found == kFree) {
          found = atomic_cas(word(place), kFree, column << kSlotBits);
          is_new = found == kFree;
        }
        if (is_new || found >> kSlotBits == column) break;
        place = places_.next(place);
        found = words_.get(place);
      }
    }
    const unsigned newcomers = G::ballot(is_new);
    const int slot = is_new ? used + G::before(newcomers) : static_cast<int>(found & ((1u << kSlotBits) - 1));
    if (is_new && slot < capacity_) {
      const uint32_t word = column << kSlotBits | static_cast<uint32_t>(slot);
      listed_[slot] = word;
      words_.set(place, word);
    }
    const V sum = sums_.get_if(is_new ? -1 : sign, slot);
    sums_.set_if(slot < capacity_ ? sign : -1, slot, is_new ? term : added(sum, term));
    used += __popc(newcomers);
  }

  // Brings the first `count` slots into the order of their columns. Every lane of the warp calls.
  __device__ __forceinline__ void sort(int count) { sort_keys<kLanes, kMostKeys>(listed_, count, kFree); }

  // After `sort`: the column and the sum at a rank.
  __device__ __forceinline__ uint32_t column(int rank) const { return listed_[rank] >> kSlotBits; }
  __device__ __forceinline__ V sum(int rank) const { return sums_.get(listed_[rank] & ((1u << kSlotBits) - 1)); }
};

}  // namespace ocean
