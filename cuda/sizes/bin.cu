// SPDX-License-Identifier: MIT OR Apache-2.0
//
// bin: lists rows by the bin that takes them, ascending within each; of rows that are taken together, the first.
//
// A block lists a stretch of rows. It tallies its bins; the tallies of all blocks, bin by bin, are summed into places;
// then each row goes to the place of its bin and stretch, in order.
//
// Reads   A's offsets, sizes (or offsets) and spans of the rows.
// Writes  order, and where each bin starts in it and the last one ends.
// Cost    O(rows), three launches.
#include "analysis/ahead.cuh"
#include "common/csr.cuh"
#include "common/warp.cuh"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;
constexpr int kWarps = kThreads / kWarp;
constexpr int kPlacesThreads = 1024;

__device__ __forceinline__ bool is_wanted(const OceanBin& p) { return wants_products(p.ahead, p.a, p.b); }

// Bins that take no row of this product.
__device__ __forceinline__ uint32_t closed(const OceanBin& p) {
  return p.are_offsets && p.sizes[p.a.rows] > p.distinct_above ? 0 : p.distinct;
}

// Rows that stand for others, if such are listed for all.
__device__ __forceinline__ const int32_t* heads_of(const OceanBin& p) {
  return p.counted == nullptr || *p.counted <= p.most_counted ? p.heads : nullptr;
}

// The bin that a row is listed in; -1 if another row is listed for it.
__device__ __forceinline__ int bin_of(const OceanBin& p, const Csr& a, const int32_t* heads, uint32_t closed,
                                      int64_t row) {
  const auto listed = [&](int bin) { return heads == nullptr || (row - heads[row]) % p.at_once[bin] == 0 ? bin : -1; };
  const int64_t entries = a.end(row) - a.begin(row);
  const int64_t size = p.are_offsets ? p.sizes[row + 1] - p.sizes[row] : p.sizes[row];
  const int64_t span = p.spans ? p.spans[row] : 0;
  for (int bin = 0; bin < p.bin_count - 1; ++bin) {
    const OceanMost& most = p.bins[bin];
    const bool open = (closed >> bin & 1) == 0;
    if (open && entries <= most.entries && size <= most.size && span <= most.span) return listed(bin);
  }
  return listed(p.bin_count - 1);
}

// Rows that a block lists.
__host__ __device__ __forceinline__ int stretch(const OceanBin& p) { return p.rounds * kThreads; }

__device__ __forceinline__ int64_t stretches(const OceanBin& p) { return (p.a.rows + stretch(p) - 1) / stretch(p); }

__global__ void __launch_bounds__(kThreads) bin_tally(OceanBin p) {
  OCN_SHARED(int32_t, tally, OCEAN_MOST_BINS);
  if (!is_wanted(p)) return;
  const Csr a(p.a);
  if (threadIdx.x < OCEAN_MOST_BINS) tally[threadIdx.x] = 0;
  __syncthreads();
  const uint32_t shut = closed(p);
  const int32_t* const heads = heads_of(p);
  const int64_t first = int64_t{blockIdx.x} * stretch(p);
  for (int i = static_cast<int>(threadIdx.x); i < stretch(p); i += kThreads) {
    const int mine = first + i < a.rows ? bin_of(p, a, heads, shut, first + i) : -1;
    for (int bin = 0; bin < p.bin_count; ++bin) {
      const unsigned votes = __ballot_sync(kAllLanes, mine == bin);
      if (lane() == 0 && votes != 0) atomic_add(&tally[bin], __popc(votes));
    }
  }
  __syncthreads();
  if (static_cast<int>(threadIdx.x) < p.bin_count)
    p.tallies[threadIdx.x * stretches(p) + blockIdx.x] = tally[threadIdx.x];
}

// One block: running sums over all tallies, of which each thread has some that lie side by side.
__global__ void __launch_bounds__(kPlacesThreads) bin_places(OceanBin p) {
  constexpr int kPlacesWarps = kPlacesThreads / kWarp;
  constexpr int kOfThread = 4;
  OCN_SHARED(int32_t, of_warp, kPlacesWarps);
  if (!is_wanted(p)) return;
  const int64_t all = p.bin_count * stretches(p);
  int32_t before = 0;
  if (threadIdx.x == 0) p.binned->room = p.are_offsets ? p.sizes[p.a.rows] : 0;
  for (int64_t first = 0; first < all; first += kPlacesThreads * kOfThread) {
    const int64_t begin = first + int64_t{threadIdx.x} * kOfThread;
    int32_t tallies[kOfThread];
    int32_t mine = 0;
#pragma unroll
    for (int i = 0; i < kOfThread; ++i) {
      tallies[i] = begin + i < all ? p.tallies[begin + i] : 0;
      mine += tallies[i];
    }
    const int32_t sum = warp_running_sum(mine);
    if (lane() == kWarp - 1) of_warp[warp_in_block()] = sum;
    __syncthreads();
    const int32_t of_mine = lane() < kPlacesWarps ? of_warp[lane()] : 0;
    const int32_t of_warps = warp_running_sum(of_mine);
    int32_t place = before + sum - mine + __shfl_sync(kAllLanes, of_warps - of_mine, warp_in_block());
    before += __shfl_sync(kAllLanes, of_warps, kPlacesWarps - 1);
#pragma unroll
    for (int i = 0; i < kOfThread; ++i) {
      if (begin + i >= all) break;
      p.tallies[begin + i] = place;
      if ((begin + i) % stretches(p) == 0) p.binned->starts[(begin + i) / stretches(p)] = place;
      place += tallies[i];
      if (begin + i != all - 1) continue;
      // The host reads them all, whether there are as many bins or not.
      for (int bin = p.bin_count; bin < OCEAN_MOST_BINS + 2; ++bin) p.binned->starts[bin] = place;
    }
    __syncthreads();  // before the next round's sums
  }
}

__global__ void __launch_bounds__(kThreads) bin_list(OceanBin p) {
  OCN_SHARED(int32_t, next, OCEAN_MOST_BINS);
  OCN_SHARED(int32_t, votes_of, kWarps* OCEAN_MOST_BINS);
  if (!is_wanted(p)) return;
  const Csr a(p.a);
  if (static_cast<int>(threadIdx.x) < p.bin_count)
    next[threadIdx.x] = p.tallies[threadIdx.x * stretches(p) + blockIdx.x];
  const uint32_t shut = closed(p);
  const int32_t* const heads = heads_of(p);
  const int64_t first = int64_t{blockIdx.x} * stretch(p);
  for (int i = static_cast<int>(threadIdx.x); i < stretch(p); i += kThreads) {
    const int64_t row = first + i;
    const int mine = row < a.rows ? bin_of(p, a, heads, shut, row) : -1;
    unsigned mine_votes = 0;
    for (int bin = 0; bin < p.bin_count; ++bin) {
      const unsigned votes = __ballot_sync(kAllLanes, mine == bin);
      if (mine == bin) mine_votes = votes;
      if (lane() == 0) votes_of[warp_in_block() * OCEAN_MOST_BINS + bin] = __popc(votes);
    }
    __syncthreads();
    if (mine >= 0) {
      int place = next[mine] + __popc(mine_votes & ((1u << lane()) - 1));
      for (int warp = 0; warp < warp_in_block(); ++warp) place += votes_of[warp * OCEAN_MOST_BINS + mine];
      p.order[place] = static_cast<int32_t>(row);
    }
    __syncthreads();  // `next` is read
    if (static_cast<int>(threadIdx.x) < p.bin_count) {
      for (int warp = 0; warp < kWarps; ++warp) next[threadIdx.x] += votes_of[warp * OCEAN_MOST_BINS + threadIdx.x];
    }
    __syncthreads();  // before the next round's votes
  }
}

__global__ void __launch_bounds__(kThreads) list(OceanList p) {
  for (int64_t row = global_thread(); row < p.rows; row += grid_threads()) p.order[row] = static_cast<int32_t>(row);
}

__global__ void __launch_bounds__(kThreads) place_rows(OceanPlaceRows p) {
  const int64_t i = global_thread();
  if (i < p.count) p.starts[p.rows[i]] = p.places[2 * i];
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_bin(const OceanBin* p, OceanStream stream) {
  using namespace ocean;
  const unsigned blocks = blocks_for(p->a.rows, stretch(*p));
  OCN_LAUNCH(bin_tally, blocks, kThreads, 0, stream, *p);
  OCN_LAUNCH(bin_places, 1, kPlacesThreads, 0, stream, *p);
  OCN_LAUNCH(bin_list, blocks, kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_list(const OceanList* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(list, blocks_for(p->rows, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, *p);
  return last_launch_error();
}

extern "C" int32_t ocean_place_rows(const OceanPlaceRows* p, OceanStream stream) {
  using namespace ocean;
  OCN_LAUNCH(place_rows, blocks_for(p->count, kThreads), kThreads, 0, stream, *p);
  return last_launch_error();
}
