// SPDX-License-Identifier: MIT OR Apache-2.0
//
// compact: rows move out of their slots into C.
//
//   C(e) = alpha * slot(e) + beta * C(e) for every entry e, with one rounding each; alpha = 0 hides the slot and
//   beta = 0 the old value, whatever they hold, and what is hidden is not read
//
// Reads   the slots, C's offsets and the rows' starts; C's values if beta is not 0.
// Writes  C's columns and values.
// Cost    O(nnz(C)), both sides coalesced, balanced over entries and not rows (common/entries.cuh).
#include "common/entries.cuh"
#include "ocean_kernels.h"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;

// alpha or beta: where the caller keeps it, or as read on the host.
template <class V>
__device__ __forceinline__ V scalar(const void* place, double value) {
  return place == nullptr ? static_cast<V>(value) : read_only(static_cast<const V*>(place));
}

template <class V>
__global__ void __launch_bounds__(kThreads) compact(OceanCompact p) {
  const V alpha = scalar<V>(p.scalars.alpha, p.scalars.alpha_value);
  const V beta = scalar<V>(p.scalars.beta, p.scalars.beta_value);
  const bool scales = !(alpha == V(1) && beta == V(0));
  V* const values = static_cast<V*>(p.values);
  const Csr c(p.offsets);
  each_entry(c, [&](int64_t entry, int64_t row) {
    if (row < 0) return;
    const int64_t start = read_only(p.starts + row);
    const int piece = start >= p.first_piece;  // no row lies in both
    const int64_t from = start - (piece == 0 ? 0 : p.first_piece) + (entry - c.begin(row));
    p.columns[entry] = read_only((piece == 0 ? p.from_columns[0] : p.from_columns[1]) + from) + p.base;
    const V* const slots = static_cast<const V*>(piece == 0 ? p.from_values[0] : p.from_values[1]);
    V value = V(0);
    if (alpha != V(0)) value = read_only(slots + from);
    if (scales) {
      if (alpha != V(0)) value = multiplied(alpha, value);
      if (beta != V(0)) value = added(value, multiplied(beta, values[entry]));
    }
    values[entry] = value;
  });
}

template <class Offset>
__global__ void __launch_bounds__(kThreads) write_offsets(OceanWriteOffsets p) {
  Offset* const to = static_cast<Offset*>(p.to);
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) {
    const int64_t offset = p.offsets == nullptr ? 0 : read_only(p.offsets + i);
    to[i] = static_cast<Offset>(offset + p.base);  // the driver refused products whose offsets do not fit
  }
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_compact(const OceanCompact* p, OceanStream stream) {
  using namespace ocean;
  const unsigned blocks = blocks_for_entries(p->offsets.nnz, kThreads);
  if (p->value_bytes == 4) {
    OCN_LAUNCH(compact<float>, blocks, kThreads, 0, stream, *p);
  } else {
    OCN_LAUNCH(compact<double>, blocks, kThreads, 0, stream, *p);
  }
  return last_launch_error();
}

extern "C" int32_t ocean_write_offsets(const OceanWriteOffsets* p, OceanStream stream) {
  using namespace ocean;
  const unsigned blocks = blocks_for(p->count, kThreads, tuning::kStreamBlocks);
  if (p->offset_bytes == 4) {
    OCN_LAUNCH(write_offsets<int32_t>, blocks, kThreads, 0, stream, *p);
  } else {
    OCN_LAUNCH(write_offsets<int64_t>, blocks, kThreads, 0, stream, *p);
  }
  return last_launch_error();
}
