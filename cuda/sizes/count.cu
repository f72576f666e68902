// SPDX-License-Identifier: MIT OR Apache-2.0
//
// count: how many entries each listed row of C has.
//
// Five ways, by what is known of a row beforehand: one thread merges a few rows of B; a warp sets bits over the row's
// span, or claims places in a table; a block sets bits over one part of the span after another; or the bits are there
// (mark.cu).
//
// Reads   A's and B's rows for the listed rows of C; no values.
// Writes  sizes of the listed rows, which said their products before.
// Cost    O(products + span / 32) a row.
// Source  Gustavson 1978, ACM TOMS 4(3), for the symbolic product; Ocean (ICS 2026), sec. 3.3, for bitmaps and tables.
#include "accumulate/bitmap.cuh"
#include "accumulate/cursors.cuh"
#include "accumulate/table.cuh"
#include "analysis/ahead.cuh"
#include "common/warp.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kCountThreads;
constexpr int kBlockThreads = tuning::kSlicePlanThreads;
constexpr int kBlockWarps = kBlockThreads / kWarp;

// The row that is listed at `index`, and its entries in A; none past the end of the list.
struct Row {
  int64_t row = -1;
  int64_t begin = 0;
  int64_t end = 0;
  int64_t place = 0;  // in sizes

  __device__ Row(const OceanCount& p, const Csr& a, int64_t index) {
    if (index >= p.count) return;
    row = p.rows[index];
    place = p.by_index ? index : row;
    begin = a.begin(row);
    end = a.end(row);
  }

  __device__ void set(const OceanCount& p, int64_t length) const { p.sizes[place] = length; }
};

__global__ void __launch_bounds__(kThreads) count_merge(OceanCount p) {
  const Factors<float> f({p.a, p.b, nullptr, nullptr});
  const Row row(p, f.a, global_thread());
  int64_t length = 0;
  merge_by_longest<kMostCursors, false, int64_t>(f, row.begin, static_cast<int>(row.end - row.begin),
                                                 [&](int32_t, float) { ++length; });
  if (row.row >= 0) row.set(p, length);
}

__global__ void __launch_bounds__(kThreads) count_short(OceanCountShort p) {
  OCN_SHARED(int, products_of_warp, kThreads / kWarp);
  OCN_SHARED(int, empty_of_warp, kThreads / kWarp);
  const Factors<float> f({p.a, p.b, nullptr, nullptr});
  const int64_t row = global_thread();
  const bool on = row < f.a.rows;
  if (!wants_short(p.ahead, p.a, p.b)) {
    if (on) p.sizes[row] = 0;
    return;
  }
  const int64_t begin = on ? f.a.begin(row) : 0;
  const int entries = on ? static_cast<int>(f.a.end(row) - begin) : 0;
  int length = 0, products = 0;
  merge_by_longest<kMostCursors, false, int64_t>(f, begin, entries, [&](int32_t, float) { ++length; });
  for (int i = 0; i < entries; ++i) {
    const int32_t row_of_b = f.a.column(begin + i);
    products += static_cast<int>(f.b.end(row_of_b) - f.b.begin(row_of_b));
  }
  if (on) p.sizes[row] = length;
  const int products_here = warp_sum(products);
  const int empty_here = __popc(__ballot_sync(kAllLanes, on && length == 0));
  if (lane() == 0) {
    products_of_warp[warp_in_block()] = products_here;
    empty_of_warp[warp_in_block()] = empty_here;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  int64_t all_products = 0, all_empty = 0;
  for (int warp = 0; warp < kThreads / kWarp; ++warp) {
    all_products += products_of_warp[warp];
    all_empty += empty_of_warp[warp];
  }
  atomic_add(&p.totals->products, all_products);
  if (all_empty > 0) atomic_add(&p.totals->empty_rows, all_empty);
}

__global__ void short_total(OceanCountShort p) { p.totals->entries = p.sizes[p.a.rows]; }

__device__ __forceinline__ int count_bits(const Shared<uint32_t>& bits, int words, int thread, int threads) {
  int count = 0;
  for (int i = thread; i < words; i += threads) count += __popc(bits.get(i));
  return count;
}

__global__ void __launch_bounds__(kThreads) count_window(OceanCount p) {
  OCN_DYNAMIC_SHARED(uint32_t, windows);
  const Csr a(p.a), b(p.b);
  const Row row(p, a, global_warp());
  if (row.row < 0) return;  // the whole warp leaves together
  const int capacity = p.capacity / kWordBits;
  const Shared<uint32_t> bits(windows + warp_in_block() * capacity);
  const Columns span = span_of<kWarp>(a, b, row.begin, row.end);
  const int words = least(static_cast<int>((span.end - span.first + kWordBits - 1) / kWordBits), capacity);
  for (int i = lane(); i < words; i += kWarp) bits.set(i, 0);
  __syncwarp();
  if (p.lanes == kWarp) {
    for_each_place_of_warp<false>(a, b, row.begin, row.end, span, 0, 1, 0, INT32_MAX,
                                  [&](uint32_t place, int64_t, int64_t) { set_bit(bits, place); });
  } else {
    set_bits(a, b, row.begin, row.end, span, lane() / p.lanes, kWarp / p.lanes, bits, p.lanes);
  }
  __syncwarp();
  const int length = warp_sum(count_bits(bits, words, lane(), kWarp));
  if (lane() == 0) row.set(p, length);
}

__global__ void __launch_bounds__(kThreads) count_hash(OceanCount p) {
  OCN_DYNAMIC_SHARED(uint32_t, tables);
  const Csr a(p.a), b(p.b);
  const Row row(p, a, global_warp());
  if (row.row < 0) return;  // the whole warp leaves together
  const Places places(2 * p.capacity);
  uint32_t* table = tables + warp_in_block() * places.count;
  for (int i = lane(); i < places.count; i += kWarp) table[i] = kFree;
  __syncwarp();
  int length = 0;
  for (int64_t entry = row.begin + lane() / p.lanes; entry < row.end; entry += kWarp / p.lanes) {
    const int32_t row_of_b = a.column(entry);
    const int64_t end = b.end(row_of_b);
    for (int64_t at = b.begin(row_of_b) + lane() % p.lanes; at < end; at += p.lanes) {
      const uint32_t column = static_cast<uint32_t>(b.column(at));
      unsigned place = places.first(column);
      while (true) {
        const uint32_t found = atomic_cas(&table[place], kFree, column);
        length += found == kFree;
        if (found == kFree || found == column) break;
        place = places.next(place);
      }
    }
  }
  length = warp_sum(length);
  if (lane() == 0) row.set(p, length);
}

__global__ void __launch_bounds__(kBlockThreads) count_slices(OceanCount p) {
  OCN_DYNAMIC_SHARED(uint32_t, words_of_block);
  OCN_SHARED(int, lengths, kBlockWarps);
  const Csr a(p.a), b(p.b);
  const Shared<uint32_t> bits(words_of_block);
  const Row row(p, a, blockIdx.x);
  int64_t length = 0;
  for_each_segment<kBlockThreads>(
      a, b, row.begin, row.end, p.capacity, kWordBits, p.lanes, nullptr, bits, [&](Columns cut) {
        const int words = static_cast<int>((cut.end - cut.first + kWordBits - 1) / kWordBits);
        const int mine = warp_sum(count_bits(bits, words, static_cast<int>(threadIdx.x), kBlockThreads));
        if (lane() == 0) lengths[warp_in_block()] = mine;
        __syncthreads();
        for (int warp = 0; warp < kBlockWarps; ++warp) length += lengths[warp];
      });
  if (threadIdx.x == 0) row.set(p, length);
}

__global__ void __launch_bounds__(kBlockThreads) count_marks(OceanCount p) {
  OCN_SHARED(int64_t, lengths, kBlockWarps);
  const Csr a(p.a);
  const Row row(p, a, blockIdx.x);
  const uint32_t* const marks = p.marks + int64_t{blockIdx.x} * p.mark_words;
  int64_t mine = 0;
  for (int64_t i = threadIdx.x; i < p.mark_words; i += kBlockThreads) mine += __popc(read_only(marks + i));
  mine = warp_sum(mine);
  if (lane() == 0) lengths[warp_in_block()] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < kBlockWarps; ++warp) mine += lengths[warp];
  row.set(p, mine);
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_count_short(const OceanCountShort* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(count_short, blocks_for(p->a.rows, kThreads), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_count_short_total(const OceanCountShort* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(short_total, 1, 1, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_count_merge(const OceanCount* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(count_merge, blocks_for(p->count, kThreads), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_count_window(const OceanCount* p, OceanStream stream) {
  using namespace ocean;
  const size_t shared = kThreads / kWarp * p->capacity / 8;
  OCN_LAUNCH(count_window, blocks_for(p->count * kWarp, kThreads), kThreads, shared, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_count_hash(const OceanCount* p, OceanStream stream) {
  using namespace ocean;
  const size_t shared = kThreads / kWarp * 2 * p->capacity * sizeof(int32_t);
  OCN_LAUNCH(count_hash, blocks_for(p->count * kWarp, kThreads), kThreads, shared, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_count_slices(const OceanCount* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(count_slices, blocks_for(p->count, 1), kBlockThreads, p->capacity / 8, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_count_blocks(const OceanCount* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(count_marks, blocks_for(p->count, 1), kBlockThreads, 0, stream, *p);
  return last_launch_error();
}
