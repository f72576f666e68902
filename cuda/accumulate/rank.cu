// SPDX-License-Identifier: MIT OR Apache-2.0
//
// rank: rows of C of some thousand entries over a wide span. A bitmap of the row's columns gives each of them its rank,
// so sums lie packed and in order, whatever the span: no search for slots, and no sort.
//
// A block owns a row. Where few columns have more than one term, the others are stored in any order, and those few are
// added up afterwards, a list in A's order for each; where many have, the block takes one entry of A at a time.
//
// Reads   A's and B's rows for the listed rows of C twice, values once. Rows of A have at most kSumBlock entries.
// Writes  the rows of C, in slots or in place; in slots, their lengths. A row of more than `capacity` entries says that
//         it has overflowed.
// Cost    O(products + span / 32) a row.
// Source  Ocean (ICS 2026), sec. 3.3, for the bitmap; ranks and lists are ours.
#include "accumulate/bitmap.cuh"
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "accumulate/sums.cuh"
#include "common/warp.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kRankThreads;
constexpr int kWarps = kThreads / kWarp;
constexpr int kPairBits = 2 * kWordBits;  // columns that share a rank
constexpr int kMostAgain = 128;           // terms of columns that have more than one, in a list, but for the first
static_assert(kThreads >= 2 * kMostAgain, "each of them is a thread's");

// Shared memory of a row, as far as its size is known at launch only.
template <class V>
struct Row {
  Shared<V> sums;           // of each rank
  Shared<uint32_t> bits;    // of the columns
  Shared<int32_t> columns;  // of each rank
  Shared<uint32_t> again;   // a bit for each rank that has more than one term
  uint16_t* ranks;          // of each pair of words: entries before it

  __device__ Row(V* start, int capacity, int words)
      : sums(start),
        bits(reinterpret_cast<uint32_t*>(start + capacity)),
        columns(reinterpret_cast<int32_t*>(start + capacity) + words),
        again(reinterpret_cast<uint32_t*>(start + capacity) + words + capacity),
        ranks(reinterpret_cast<uint16_t*>(reinterpret_cast<uint32_t*>(start + capacity) + words + capacity +
                                          (capacity + kWordBits - 1) / kWordBits)) {}

  __device__ __forceinline__ int rank(uint32_t place) const {
    const int word = static_cast<int>(place / kWordBits);
    const int before = word % 2 == 0 ? 0 : __popc(bits.get(word - 1));
    return ranks[word / 2] + before + __popc(bits.get(word) & ((1u << place % kWordBits) - 1));
  }
};

template <class V>
size_t shared_bytes(int capacity, int words) {
  const size_t of_words = words + capacity + (capacity + kWordBits - 1) / kWordBits;
  return capacity * sizeof(V) + of_words * sizeof(uint32_t) + words / 2 * sizeof(uint16_t);
}

// Fills the ranks of so many pairs; returns all entries. Every thread of the block calls.
template <class V>
__device__ __forceinline__ int count_ranks(const Row<V>& row, int pairs, int32_t* of_warp) {
  // Each warp has neighbouring pairs, and its lanes take neighbours, so that few of them meet in a bank.
  const int share = (pairs + kThreads - 1) / kThreads * kWarp;
  const int first = warp_in_block() * share, end = least(first + share, pairs);
  int before = 0;
  for (int i = first; i < end; i += kWarp) {
    const int pair = i + lane();
    const int mine = pair < end ? __popc(row.bits.get(2 * pair)) + __popc(row.bits.get(2 * pair + 1)) : 0;
    const int sum = warp_running_sum(mine);
    if (pair < end) row.ranks[pair] = static_cast<uint16_t>(before + sum - mine);
    before += __shfl_sync(kAllLanes, sum, kWarp - 1);
  }
  if (lane() == 0) of_warp[warp_in_block()] = before;
  __syncthreads();
  int others = 0, all = 0;
  for (int warp = 0; warp < kWarps; ++warp) {
    if (warp < warp_in_block()) others += of_warp[warp];
    all += of_warp[warp];
  }
  for (int pair = first + lane(); pair < end; pair += kWarp) row.ranks[pair] += static_cast<uint16_t>(others);
  __syncthreads();
  return all;
}

// A term whose column has others.
template <class V>
struct Term {
  int64_t entry;
  V value;
  int32_t rank;
};

// Sums of a row in which few columns have more than one term, whose places are in `again`.
template <class V>
__device__ __forceinline__ void sum_in_any_order(const Factors<V>& f, int64_t begin, int64_t end, Columns cut,
                                                 int lanes, const Row<V>& row, int entries, const uint32_t* again,
                                                 int again_count, Term<V>* terms, int32_t* term_count) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < (entries + kWordBits - 1) / kWordBits; i += kThreads) row.again.set(i, 0);
  if (thread == 0) *term_count = 0;
  __syncthreads();
  for (int i = thread; i < again_count; i += kThreads) {
    const int rank = row.rank(again[i]);
    row.again.atomic_or(rank / kWordBits, 1u << rank % kWordBits);
  }
  __syncthreads();
  for_each_place_of_block<kThreads, false>(f.a, f.b, begin, end, cut, lanes,
                                           [&](uint32_t place, int64_t entry, int64_t at) {
                                             const V term = multiplied(f.left(entry), read_only(f.b_values + at));
                                             const int rank = row.rank(place);
                                             row.columns.set(rank, static_cast<int32_t>(cut.first + place));
                                             if ((row.again.get(rank / kWordBits) >> rank % kWordBits & 1) == 0) {
                                               row.sums.set(rank, term);
                                             } else {
                                               const int32_t index = atomic_take(term_count, 1);
                                               if (index < 2 * kMostAgain) terms[index] = {entry, term, rank};
                                             }
                                           });
  __syncthreads();
  // Terms of a column side by side, in A's order: each goes behind all that are less.
  const int count = *term_count;
  const bool on = thread < count;
  const Term<V> mine = on ? terms[thread] : Term<V>{};
  int place = 0;
  for (int i = 0; i < count; ++i) {
    const Term<V>& other = terms[i];
    place += other.rank < mine.rank || (other.rank == mine.rank && other.entry < mine.entry);
  }
  __syncthreads();
  if (on) terms[place] = mine;
  __syncthreads();
  if (on && (thread == 0 || terms[thread - 1].rank != terms[thread].rank)) {
    V sum = terms[thread].value;
    for (int i = thread + 1; i < count && terms[i].rank == terms[thread].rank; ++i) sum = added(sum, terms[i].value);
    row.sums.set(terms[thread].rank, sum);
  }
  __syncthreads();
}

// Entries of A, looked up by a block.
template <class V>
struct Turns {
  int64_t from[kThreads];
  V left[kThreads];
  int32_t count[kThreads];
};

// Sums of any row: one entry of A at a time, whose columns are distinct.
template <class V>
__device__ __forceinline__ void sum_in_turn(const Factors<V>& f, int64_t begin, int64_t end, Columns cut,
                                            const Row<V>& row, int entries, Turns<V>& turns) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < entries; i += kThreads) row.sums.set(i, nothing<V>());
  const int32_t first = static_cast<int32_t>(cut.first) + f.b.base;
  const int32_t* const columns = in_register(f.b.columns);
  const V* const values = in_register(f.b_values);
  const auto add = [&](int32_t column, V left, V right) {
    const uint32_t place = static_cast<uint32_t>(column - first);
    const int rank = row.rank(place);
    row.columns.set(rank, static_cast<int32_t>(cut.first + place));
    row.sums.set(rank, summed(row.sums.get(rank), multiplied(left, right)));
  };
  for (int64_t chunk = begin; chunk < end; chunk += kThreads) {
    const int turns_here = static_cast<int>(least<int64_t>(end - chunk, kThreads));
    if (thread < turns_here) {
      turns.count[thread] = part_of<false>(f.b, f.a.column(chunk + thread), cut, turns.from[thread]);
      turns.left[thread] = f.left(chunk + thread);
    }
    __syncthreads();
    // The first terms of the next entries are loaded while those of one are added.
    constexpr int kAhead = 4;
    int32_t ahead_columns[kAhead];
    V ahead_values[kAhead];
    const auto load = [&](int turn, int32_t& column, V& value) {
      if (turn < turns_here && thread < turns.count[turn]) {
        column = read_only(columns + turns.from[turn] + thread);
        value = read_only(values + turns.from[turn] + thread);
      }
    };
#pragma unroll
    for (int i = 0; i < kAhead; ++i) load(i, ahead_columns[i], ahead_values[i]);
    for (int turn = 0; turn < turns_here; turn += kAhead) {
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        if (turn + i >= turns_here) break;
        const int32_t count = turns.count[turn + i];
        const V left = turns.left[turn + i];
        if (thread < count) add(ahead_columns[i], left, ahead_values[i]);
        load(turn + i + kAhead, ahead_columns[i], ahead_values[i]);
        for (int32_t more = thread + kThreads; more < count; more += kThreads) {
          const int64_t at = turns.from[turn + i] + more;
          add(read_only(columns + at), left, read_only(values + at));
        }
        __syncthreads();  // before the next entry's terms
      }
    }
  }
}

template <class V>
__global__ void __launch_bounds__(kThreads) rank(OceanAccumulate p) {
  OCN_DYNAMIC_SHARED(V, start);
  OCN_SHARED(int32_t, of_warp, kWarps);
  OCN_SHARED(uint32_t, again, kMostAgain);
  OCN_SHARED(Term<V>, terms, 2 * kMostAgain);
  OCN_SHARED(Turns<V>, turns, 1);
  OCN_SHARED(int32_t, again_count, 1);
  OCN_SHARED(int32_t, term_count, 1);
  const Row<V> row(start, p.capacity, p.columns_at_once / kWordBits);
  const Factors<V> f(p.factors);
  const Output<V> output(p);
  const Room room = output.room(blockIdx.x);
  const int64_t begin = f.a.begin(room.row), end = f.a.end(room.row);
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) *again_count = 0;
  Columns cut = span_of_row<kThreads>(f.a, f.b, begin, end);
  if (cut.first >= cut.end) {
    if (thread == 0) output.finish(room, 0);
    return;  // the whole block leaves together
  }
  const int pairs = static_cast<int>((cut.end - cut.first + kPairBits - 1) / kPairBits);
  for (int i = thread; i < 2 * pairs; i += kThreads) row.bits.set(i, 0);
  __syncthreads();
  for_each_place_of_block<kThreads, false>(f.a, f.b, begin, end, cut, p.bit_lanes,
                                           [&](uint32_t place, int64_t, int64_t) {
                                             if (!set_new_bit(row.bits, place)) {
                                               const int32_t index = atomic_take(again_count, 1);
                                               if (index < kMostAgain) again[index] = place;
                                             }
                                           });
  __syncthreads();
  const int entries = count_ranks(row, pairs, of_warp);
  if (entries > p.capacity || entries > room.size) {
    if (thread == 0) output.finish(room, INT64_MAX);
    return;  // the whole block leaves together
  }
  if (*again_count <= kMostAgain) {
    sum_in_any_order(f, begin, end, cut, p.bit_lanes, row, entries, again, *again_count, terms, term_count);
  } else {
    sum_in_turn(f, begin, end, cut, row, entries, *turns);
  }
  for (int i = thread; i < entries; i += kThreads) output.put(room, i, row.columns.get(i), row.sums.get(i));
  if (thread == 0) output.finish(room, entries);
}

template <class V>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  const size_t shared = shared_bytes<V>(p.capacity, p.columns_at_once / kWordBits);
  if (const int32_t code = allow_shared(rank<V>, shared)) return code;
  OCN_LAUNCH((rank<V>), blocks_for(p.count, 1), kThreads, shared, stream, p);
  return last_launch_error();
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_accumulate_rank(const OceanAccumulate* p, OceanStream stream) {
  using namespace ocean;
  return by_value(p->value_type, [&](auto value) { return launch<decltype(value)>(*p, stream); });
}
