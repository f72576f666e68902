// SPDX-License-Identifier: MIT OR Apache-2.0
//
// count_table: how many entries each listed row of C has, by a hash table that a block has in shared memory.
//
// The symbolic step of the paper, in the sizes of its kernels: the table has a power of two of places, and the block a
// thread for every 16 of them. Where places are fewer than products, a row may have more columns than there are; it
// says so, and is left to others.
//
// Reads   A's and B's rows for the listed rows of C; no values.
// Writes  sizes of the listed rows; OCEAN_OVERFLOWED for a row that gave a search up.
// Cost    O(products + places) a row.
// Source  Ocean (ICS 2026), sec. 3.3 and 4.3.
#include "accumulate/launch.cuh"
#include "accumulate/table.cuh"
#include "common/warp.cuh"

namespace ocean {
namespace {

constexpr int kPlacesOfThread = 16;
constexpr int kMostThreads = 1024;

// Looks for the column, or a free place, in `search` places. Whether it was new; `lost`, if there is neither.
__device__ __forceinline__ bool claim(uint32_t* table, const Places& places, int search, uint32_t column, bool& lost) {
  unsigned place = places.first(column);
  for (int looked = 0; looked < search; ++looked) {
    const uint32_t found = atomic_cas(&table[place], kFree, column);
    if (found == kFree || found == column) return found == kFree;
    place = places.next(place);
  }
  lost = true;
  return false;
}

__global__ void __launch_bounds__(kMostThreads) count_table(OceanCount p) {
  OCN_DYNAMIC_SHARED(uint32_t, table);
  OCN_SHARED(int, lengths, kMostThreads / kWarp);
  const Csr a(p.a), b(p.b);
  const int threads = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x);
  const int64_t row = p.rows[blockIdx.x];
  const Places places(p.capacity);
  for (int i = thread; i < places.count; i += threads) table[i] = kFree;
  __syncthreads();
  int length = 0;
  bool lost = false;
  const int64_t last = a.end(row);
  for (int64_t entry = a.begin(row) + thread / p.lanes; entry < last && !lost; entry += threads / p.lanes) {
    const int32_t row_of_b = a.column(entry);
    const int64_t end = b.end(row_of_b);
    for (int64_t at = b.begin(row_of_b) + thread % p.lanes; at < end && !lost; at += p.lanes) {
      length += claim(table, places, p.search, static_cast<uint32_t>(b.column(at)), lost);
    }
  }
  __syncwarp();
  const bool any_lost = __ballot_sync(kAllLanes, lost) != 0;
  length = warp_sum(length);
  if (lane() == 0) lengths[warp_in_block()] = any_lost ? OCEAN_OVERFLOWED : length;
  __syncthreads();
  if (thread != 0) return;
  int64_t sum = 0;
  bool overflowed = false;
  for (int warp = 0; warp < threads / kWarp; ++warp) {
    overflowed = overflowed || lengths[warp] == OCEAN_OVERFLOWED;
    sum += lengths[warp];
  }
  p.sizes[p.by_index ? int64_t{blockIdx.x} : row] = overflowed ? OCEAN_OVERFLOWED : sum;
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_count_table(const OceanCount* p, OceanStream stream) {
  using namespace ocean;
  const size_t shared = p->capacity * sizeof(uint32_t);
  if (const int32_t code = allow_shared(count_table, shared); code != 0) return code;
  OCN_LAUNCH(count_table, blocks_for(p->count, 1), p->capacity / kPlacesOfThread, shared, stream, *p);
  return last_launch_error();
}
