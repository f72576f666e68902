// SPDX-License-Identifier: MIT OR Apache-2.0
//
// slices: long rows of C over a wide span, cut into slices of columns. A slice of many entries has a sum for each
// column, as in window; neighbouring slices of few entries share a table, as in hash. Either is a task for one warp or
// less, of which a long row has as many as it takes to fill the GPU.
//
// First a block for each row sets a bit for each of its columns (or finds them set, by mark.cu), whose number in each
// slice says which tasks there are and where in the row their entries go. Then warps take tasks in turn, and only the
// terms between their cuts.
//
// Reads   A's and B's rows for the listed rows of C twice, values once. Rows of A have at most kSumBlock entries.
// Writes  the rows of C, in slots or in place; in slots, their lengths.
// Cost    O(products + entries of A * tasks + span / 32) a row, and for its tables O(n log^2 n) of n entries.
// Source  Ocean (ICS 2026), sec. 3.3, for several passes over a span that does not fit; tasks are ours.
#include "accumulate/bitmap.cuh"
#include "accumulate/launch.cuh"
#include "accumulate/output.cuh"
#include "accumulate/table.cuh"
#include "accumulate/terms.cuh"
#include "common/warp.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kWidth = tuning::kSliceColumns;  // of a slice at most
constexpr int kTable = tuning::kSliceTable;
constexpr int kPlanThreads = tuning::kSlicePlanThreads;
constexpr int kPlanWarps = kPlanThreads / kWarp;
constexpr int kMostSlices = tuning::kSegmentColumns / kWidth;  // of a segment, whose bits are in shared memory
constexpr int kCrowdedAhead = 8;  // few warps fit beside such windows, so each has more under way
constexpr int kSparseAhead = 4;
constexpr int kSparseChunks = 4;
template <class V>
using SliceStage = Stage<V, 1, 2 * kWarp>;
constexpr int kBlocks = 12;  // on an SM, as far as registers are concerned: windows of f64 let no more

__global__ void slices_begin(OceanAccumulate p) { *p.queue = {}; }

// Tasks of one row in one segment, in shared memory.
struct Tasks {
  OceanTask* crowded;
  OceanTask* sparse;
  int crowded_count = 0;
  int sparse_count = 0;
};

// What a segment came to, and where its tasks go.
struct Found {
  int entries;
  int crowded, sparse;
  int32_t crowded_place, sparse_place;
};

// Cuts slices of so many entries each into tasks, of which the first begins as `next` does; returns all entries. The
// whole warp calls.
__device__ __forceinline__ int cut_tasks(const OceanAccumulate& p, const int* counts, int slices, OceanTask next,
                                         Tasks& tasks) {
  const int32_t first_slice = next.first, first_rank = next.rank;
  int gathered = 0;  // entries of the slices from `next.first` on that share a table so far
  const auto close = [&](int end) {
    if (gathered == 0) return;
    next.end = first_slice + end;
    if (lane() == 0) tasks.sparse[tasks.sparse_count] = next;
    ++tasks.sparse_count;
    next.rank += gathered;
    gathered = 0;
  };
  for (int chunk = 0; chunk < slices; chunk += kWarp) {
    const int mine = chunk + lane() < slices ? counts[chunk + lane()] : 0;
    const int sum = warp_running_sum(mine);
    int done = 0, before = 0;  // slices of this chunk that are dealt with, and their entries
    while (true) {
      const bool stop = lane() >= done && (mine > p.crowded_from || gathered + sum - before > p.table_most);
      const unsigned stops = __ballot_sync(kAllLanes, stop);
      if (stops == 0) break;
      const int at = __ffs(stops) - 1;
      const int entries = __shfl_sync(kAllLanes, mine, at);
      const int until = __shfl_sync(kAllLanes, sum, at);
      gathered += until - entries - before;
      close(chunk + at);
      before = until - entries;
      done = at;
      next.first = first_slice + chunk + at;
      if (entries > p.crowded_from) {
        next.end = next.first + 1;
        if (lane() == 0) tasks.crowded[tasks.crowded_count] = next;
        ++tasks.crowded_count;
        next.rank += entries;
        next.first = next.end;
        before = until;
        done = at + 1;
      }
    }
    gathered += __shfl_sync(kAllLanes, sum, kWarp - 1) - before;
  }
  close(slices);
  return next.rank - first_rank;
}

__global__ void __launch_bounds__(kPlanThreads) slices_plan(OceanAccumulate p) {
  OCN_DYNAMIC_SHARED(uint32_t, words);
  const Shared<uint32_t> bits(words);
  OCN_SHARED(int, counts, kMostSlices);
  OCN_SHARED(OceanTask, crowded, kMostSlices);
  OCN_SHARED(OceanTask, sparse, kMostSlices);
  OCN_SHARED(Found, found, 1);
  const Csr a(p.factors.a), b(p.factors.b);
  const int64_t row = p.rows[blockIdx.x];
  const int64_t begin = a.begin(row), end = a.end(row);
  if (end - begin < p.least_entries || end - begin > p.most_entries) return;  // the whole block leaves together
  if (p.least_terms > end - begin && !has_terms<kPlanThreads>(a, b, begin, end, p.least_terms)) return;
  const int thread = static_cast<int>(threadIdx.x);

  const Output<float> output(p);
  const Room room = output.room(blockIdx.x);
  int64_t length = 0;
  const uint32_t* const marks = p.marks == nullptr ? nullptr : p.marks + int64_t{blockIdx.x} * p.mark_words;
  const int width = p.slice_columns, slice_words = width / kWordBits;
  for_each_segment<kPlanThreads>(a, b, begin, end, p.capacity, width, p.bit_lanes, marks, bits, [&](Columns cut) {
    const int slices = static_cast<int>((cut.end - cut.first + width - 1) / width);
    for (int slice = warp_in_block(); slice < slices; slice += kPlanWarps) {
      int mine = 0;
      for (int i = lane(); i < slice_words; i += kWarp) mine += __popc(bits.get(slice * slice_words + i));
      const int count = warp_sum(mine);
      if (lane() == 0) counts[slice] = count;
    }
    __syncthreads();
    if (warp_in_block() == 0) {
      Tasks tasks = {crowded, sparse};
      const OceanTask task = {static_cast<int32_t>(blockIdx.x), static_cast<int32_t>(cut.first / width), 0,
                              static_cast<int32_t>(length)};
      const int entries = cut_tasks(p, counts, slices, task, tasks);
      // A row that has outgrown its room is computed anew elsewhere; tasks have room by the rooms of their rows.
      if (length + entries > room.size) tasks.crowded_count = tasks.sparse_count = 0;
      if (lane() == 0) {
        *found = {entries, tasks.crowded_count, tasks.sparse_count, atomic_take(&p.queue->crowded, tasks.crowded_count),
                  atomic_take(&p.queue->sparse, tasks.sparse_count)};
      }
    }
    __syncthreads();
    for (int i = thread; i < found->crowded; i += kPlanThreads) p.tasks[found->crowded_place + i] = crowded[i];
    for (int i = thread; i < found->sparse; i += kPlanThreads) {
      p.tasks[p.task_room - 1 - found->sparse_place - i] = sparse[i];
    }
    length += found->entries;
  });
  if (thread == 0) output.finish(room, length);
}

// A task's terms: those between its cuts.
struct Piece {
  Room room;
  int64_t begin = 0;
  int64_t end = 0;
  Columns cut = {0, 0};
  int64_t rank = 0;

  template <class V>
  __device__ __forceinline__ Piece(const Factors<V>& f, const Output<V>& output, const OceanTask& task, int64_t width)
      : room(output.room(task.index)), rank(task.rank) {
    begin = f.a.begin(room.row);
    end = f.a.end(room.row);
    cut = {task.first * width, least(task.end * width, f.b.cols)};
  }
  __device__ __forceinline__ Piece() : room{-1, 0, 0} {}
};

// The next number of a queue of `count`, the same for each group of lanes; at least `count` past the end.
template <int kLanes>
__device__ __forceinline__ int32_t take(int32_t* next) {
  int32_t number = 0;
  if (Group<kLanes>::rank() == 0) number = atomic_take(next, 1);
  return Group<kLanes>::from(number, 0);
}

// A slice with a sum for each column, by a warp.
template <class V>
__device__ __forceinline__ void sum_crowded(const Factors<V>& f, const Output<V>& output, const Piece& piece,
                                            const Shared<V>& sums, SliceStage<V>& stage) {
  const int width = static_cast<int>(piece.cut.end - piece.cut.first);
  const int32_t first = static_cast<int32_t>(piece.cut.first);
  for (int i = lane(); i < width; i += kWarp) sums.set(i, nothing<V>());
  __syncwarp();
  for_each_term<kWarp, kCrowdedAhead, true, true>(
      f, piece.begin, piece.end, piece.cut, stage,
      [&](int32_t column, V term) { add_to(sums, column, column - first, term); });
  int64_t rank = piece.rank;
  for (int i = 0; i < width; i += kWarp) {
    const V sum = i + lane() < width ? sums.get(i + lane()) : nothing<V>();
    const bool here = !is_nothing(sum);
    const unsigned votes = __ballot_sync(kAllLanes, here);
    if (here) output.put(piece.room, rank + Group<kWarp>::before(votes), first + i + lane(), sum);
    rank += __popc(votes);
  }
  __syncwarp();  // before the next task takes the sums
}

// Slices that share a table, by a group of lanes; some of the warp's groups may have none.
template <class V, int kLanes>
__device__ __forceinline__ void sum_sparse(const Factors<V>& f, const Output<V>& output, const Piece& piece,
                                           Table<V, kLanes>& table, SliceStage<V>& stage) {
  const int32_t first = static_cast<int32_t>(piece.cut.first);
  table.clear();
  for_each_term<kLanes, kSparseAhead, true, false, kSparseChunks>(
      f, piece.begin, piece.end, piece.cut, stage,
      [&](int32_t column, V term) { table.add(column, static_cast<uint32_t>(column - first), term); });
  table.sort(table.used);
  for (int i = Group<kLanes>::rank(); i < table.used; i += kLanes) {
    output.put(piece.room, piece.rank + i, first + static_cast<int32_t>(table.column(i)), table.sum(i));
  }
  __syncwarp();  // before the next task takes the table
}

template <class V, int kLanes>
constexpr size_t kTableBytes = kWarp / kLanes * kTable * Table<V, kLanes>::kSlotBytes;

template <class V, int kLanes>
constexpr size_t kWarpBytes = kTableBytes<V, kLanes> > kWidth * sizeof(V) ? kTableBytes<V, kLanes> : kWidth * sizeof(V);

// A warp takes tasks while there are any; crowded ones first, which take longest, and of either kind those planned
// last, since it's the longest rows whose plans take longest.
template <class V, int kLanes>
__global__ void __launch_bounds__(kWarp, kBlocks) slices_sum(OceanAccumulate p) {
  using G = Group<kLanes>;
  OCN_SHARED(V, shared, (kWarpBytes<V, kLanes>) / sizeof(V));
  OCN_SHARED(SliceStage<V>, stage, 1);
  const Factors<V> f(p.factors, p.cuts);
  const Output<V> output(p);
  const int32_t crowded = p.queue->crowded, sparse = p.queue->sparse;
  const Shared<V> sums(shared);
  for (int32_t number = take<kWarp>(&p.queue->next_crowded); number < crowded;
       number = take<kWarp>(&p.queue->next_crowded)) {
    sum_crowded(f, output, Piece(f, output, p.tasks[crowded - 1 - number], p.slice_columns), sums, *stage);
  }
  Table<V, kLanes> table(reinterpret_cast<unsigned char*>(shared), kTable);
  while (true) {
    const int32_t number = take<kLanes>(&p.queue->next_sparse);
    if (!G::any_in_warp(number < sparse)) return;
    const Piece piece =
        number < sparse ? Piece(f, output, p.tasks[p.task_room - sparse + number], p.slice_columns) : Piece();
    sum_sparse(f, output, piece, table, *stage);
  }
}

template <class V>
int32_t launch(const OceanAccumulate& p, OceanStream stream) {
  OCN_LAUNCH(slices_begin, 1, 1, 0, stream, p);
  OCN_LAUNCH(slices_plan, blocks_for(p.count, 1), kPlanThreads, p.capacity / 8, stream, p);
  const unsigned blocks = blocks_for(p.task_room, 1, tuning::kSliceBlocks);
  if (p.marks == nullptr) {
    OCN_LAUNCH((slices_sum<V, tuning::kSliceLanes>), blocks, kWarp, 0, stream, p);
  } else {
    OCN_LAUNCH((slices_sum<V, tuning::kSliceLanesOfFew>), blocks, kWarp, 0, stream, p);
  }
  return last_launch_error();
}

// Where multiples of `columns` fall in each row of B.
__global__ void __launch_bounds__(tuning::kStreamThreads) cut_rows(OceanCutRows p) {
  const Csr b(p.b);
  for (int64_t i = global_thread(); i < b.rows * p.cuts.count; i += grid_threads()) {
    const int64_t row = i / p.cuts.count, cut = i % p.cuts.count;
    const int64_t begin = b.begin(row);
    const int64_t at = cut == 0 ? begin : lower_bound(b, begin, b.end(row), cut << p.cuts.shift);
    p.cuts.at[i] = static_cast<int32_t>(at - begin);
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_accumulate_slices(const OceanAccumulate* p, OceanStream stream) {
  using namespace ocean;
  return by_value(p->value_type, [&](auto value) { return launch<decltype(value)>(*p, stream); });
}

extern "C" int32_t ocean_cut_rows(const OceanCutRows* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(cut_rows, blocks_for(p->b.rows * p->cuts.count, tuning::kStreamThreads), tuning::kStreamThreads, 0, stream,
             *p);
  return last_launch_error();
}
