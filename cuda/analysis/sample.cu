// SPDX-License-Identifier: MIT OR Apache-2.0
//
// sample: products and estimated lengths of some rows of C = A * B, which the plan is made from.
//
// Several warps share a row. They share out its batches of 32 entries of A where there are as many, and the products of
// a batch where there are fewer; within a warp, lanes take products one by one wherever rows of B begin and end among
// them. So neither a long row of A nor one of B waits for a single warp. All raise one sketch a row.
//
// Reads   A's sampled rows, and the rows of B that they name; no values.
// Writes  products and estimates.
// Cost    O(products of the sampled rows): a read of a column and of a word of the sketch each.
// Source  Li and Guidi, "Ocean", ICS 2026, sec. 4.3; see also src/spgemm/hyperloglog.rs.
#include "common/csr.cuh"
#include "common/hyperloglog.cuh"
#include "common/warp.cuh"
#include "ocean_kernels.h"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;
constexpr int kTeam = tuning::kSampleWarps;
constexpr int kFewRows = tuning::kSampleFewRows;
constexpr int kLargeTeam = tuning::kSampleWarpsOfFew;

__global__ void __launch_bounds__(kThreads) sample_begin(OceanSample p) {
  uint32_t* const words = reinterpret_cast<uint32_t*>(p.sketches);
  const int64_t count = p.count * p.counter.registers / kRegistersOfWord;
  for (int64_t i = global_thread(); i < count; i += grid_threads()) words[i] = 0;
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) p.products[i] = 0;
}

template <int kRegisters, int kTeam>
__global__ void __launch_bounds__(kThreads) sample(OceanSample p) {
  const int64_t sampled = global_warp() / kTeam;
  if (sampled >= p.count) return;  // the whole warp leaves together
  if (p.counted != nullptr && *p.counted <= p.most_counted) return;
  const Csr a(p.a), b(p.b);
  const int32_t row = read_only(p.rows + sampled);
  const int64_t from = a.begin(row), to = a.end(row);
  uint32_t* const words = reinterpret_cast<uint32_t*>(p.sketches) + sampled * (kRegisters / kRegistersOfWord);

  const int member = static_cast<int>(global_warp() % kTeam);
  const int64_t batches = (to - from + kWarp - 1) / kWarp;
  const int sharing = batches >= kTeam ? 1 : static_cast<int>(kTeam / most(batches, int64_t{1}));  // warps of one batch
  const int parts = kTeam / sharing;                                                               // batches at once
  const int part = member % sharing;
  for (int64_t batch = member / sharing; batch < batches && member / sharing < parts; batch += parts) {
    const int64_t entry = from + batch * kWarp + lane();
    int64_t begin = 0, length = 0;
    if (entry < to) {
      const int32_t named = a.column(entry);
      begin = b.begin(named);
      length = b.end(named) - begin;
    }
    const int64_t end = warp_running_sum(length);  // of this lane's row among the products of the batch
    const int64_t products = __shfl_sync(kAllLanes, end, kWarp - 1);
    const int64_t shift = begin - (end - length);  // from a product's place to its entry of B
    for (int64_t round = part * kWarp; round < products; round += sharing * kWarp) {
      const int64_t product = round + lane();
      int owner = 0;  // the first lane whose row ends past this product
      for (int step = kWarp / 2; step > 0; step /= 2) {
        if (__shfl_sync(kAllLanes, end, owner + step - 1) <= product) owner += step;
      }
      const int64_t moved = __shfl_sync(kAllLanes, shift, owner);
      if (product >= products) continue;
      const Raise raise = raise_of<kRegisters>(b.column(product + moved));
      raise_shared(words + raise.word, raise.ranks);
    }
    if (part == 0 && lane() == 0) atomic_add(p.products + sampled, products);
  }
}

template <int kRegisters>
__global__ void __launch_bounds__(kThreads) sample_estimates(OceanSample p) {
  constexpr int kWords = kRegisters / kRegistersOfWord;
  const int64_t sampled = global_warp();
  if (sampled >= p.count) return;  // the whole warp leaves together
  const uint32_t* const words = reinterpret_cast<const uint32_t*>(p.sketches) + sampled * kWords;
  const Ranks ranks = warp_ranks<kRegisters>(read_only(words + lane() % kWords));
  if (lane() != 0) return;
  const double products = static_cast<double>(read_only(p.products + sampled));
  p.entries[sampled] = least(estimate_of<kRegisters>(ranks, p.counter.bias), products);
}

template <int kRegisters>
void launch_sample(const OceanSample& p, OceanStream stream) {
  OCN_LAUNCH(sample_begin, blocks_for(p.count, kThreads, tuning::kStreamBlocks), kThreads, 0, stream, p);
  if (p.count <= kFewRows || p.most_products > tuning::kSampleLongRow) {
    OCN_LAUNCH((sample<kRegisters, kLargeTeam>), blocks_for(p.count * kLargeTeam * kWarp, kThreads), kThreads, 0,
               stream, p);
  } else {
    OCN_LAUNCH((sample<kRegisters, kTeam>), blocks_for(p.count * kTeam * kWarp, kThreads), kThreads, 0, stream, p);
  }
  OCN_LAUNCH(sample_estimates<kRegisters>, blocks_for(p.count * kWarp, kThreads), kThreads, 0, stream, p);
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_sample(const OceanSample* p, OceanStream stream) {
  using namespace ocean;
  switch (p->counter.registers) {
    case 16:
      launch_sample<16>(*p, stream);
      break;
    case 32:
      launch_sample<32>(*p, stream);
      break;
    case 64:
      launch_sample<64>(*p, stream);
      break;
    default:
      launch_sample<128>(*p, stream);
      break;
  }
  return last_launch_error();
}
