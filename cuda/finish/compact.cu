// SPDX-License-Identifier: MIT OR Apache-2.0
//
// compact: rows move out of their slots into C.
//
//   C(e) = alpha * slot(e) + beta * C(e) for every entry e, with one rounding each, and one to C's type; alpha = 0
//   hides the slot and beta = 0 the old value, whatever they hold, and what is hidden is not read
//
// Reads   the slots, C's offsets and the rows' starts; C's values if beta is not 0.
// Writes  C's columns and values; round, values alone, of sums that stand in C's order already.
// Cost    O(nnz(C)), both sides coalesced, balanced over entries and not rows (common/entries.cuh).
#include "common/entries.cuh"
#include "common/values.cuh"
#include "ocean_kernels.h"
#include "tuning.cuh"

namespace ocean {
namespace {

constexpr int kThreads = tuning::kStreamThreads;

// alpha * value + beta * old for entries of a type.
template <class V>
class Scale {
  V alpha_, beta_;

 public:
  __device__ __forceinline__ explicit Scale(const OceanScalars& s)
      : alpha_(scalar<V>(s.alpha, s.alpha_value, s.value_type)), beta_(scalar<V>(s.beta, s.beta_value, s.value_type)) {}

  // Writes the entry of `to`, an array of `type`, that `from` gives.
  __device__ __forceinline__ void put(const V* from, void* to, int64_t entry, int32_t type) const {
    V value = V(0);
    if (alpha_ != V(0)) value = scaled(alpha_, read_only(from));
    if (beta_ != V(0)) value = added(value, scaled(beta_, Stored<V>::load(to, entry, type)));
    Stored<V>::store(to, entry, type, value);
  }
};

template <class V>
__global__ void __launch_bounds__(kThreads) compact(OceanCompact p) {
  const Scale<V> scale(p.scalars);
  const Csr c(p.offsets);
  each_entry(c, [&](int64_t entry, int64_t row) {
    if (row < 0) return;
    const int64_t start = read_only(p.starts + row);
    const int piece = start >= p.first_piece;  // no row lies in both
    const int64_t from = start - (piece == 0 ? 0 : p.first_piece) + (entry - c.begin(row));
    const int32_t column = read_only((piece == 0 ? p.from_columns[0] : p.from_columns[1]) + from) + p.base;
    if (p.column_bytes == 8) {
      static_cast<int64_t*>(p.columns)[entry] = column;
    } else {
      static_cast<int32_t*>(p.columns)[entry] = column;
    }
    const V* const slots = static_cast<const V*>(piece == 0 ? p.from_values[0] : p.from_values[1]);
    if (p.values != nullptr) scale.put(slots + from, p.values, entry, p.value_type);
  });
}

template <class V>
__global__ void __launch_bounds__(kThreads) round(OceanRound p) {
  const Scale<V> scale(p.scalars);
  const V* const from = static_cast<const V*>(p.from);
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) scale.put(from + i, p.to, i, p.value_type);
}

template <class From, class To>
__global__ void __launch_bounds__(kThreads) move_offsets(OceanMoveOffsets p) {
  const From* const from = static_cast<const From*>(p.from);
  To* const to = static_cast<To*>(p.to);
  for (int64_t i = global_thread(); i < p.count; i += grid_threads()) {
    const int64_t offset = from == nullptr ? 0 : read_only(from + i);
    to[i] = static_cast<To>(offset + p.added);  // the driver refused products whose offsets do not fit
  }
}

template <class From>
int32_t move_from(const OceanMoveOffsets& p, OceanStream stream) {
  const unsigned blocks = blocks_for(p.count, kThreads, tuning::kStreamBlocks);
  if (p.to_bytes == 4) {
    OCN_LAUNCH((move_offsets<From, int32_t>), blocks, kThreads, 0, stream, p);
  } else {
    OCN_LAUNCH((move_offsets<From, int64_t>), blocks, kThreads, 0, stream, p);
  }
  return last_launch_error();
}

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_compact(const OceanCompact* p, OceanStream stream) {
  using namespace ocean;
  const unsigned blocks = blocks_for_entries(p->offsets.nnz, kThreads);
  return by_value(p->value_type, [&](auto value) {
    OCN_LAUNCH((compact<decltype(value)>), blocks, kThreads, 0, stream, *p);
    return last_launch_error();
  });
}

extern "C" int32_t ocean_round(const OceanRound* p, OceanStream stream) {
  using namespace ocean;
  const unsigned blocks = blocks_for(p->count, kThreads, tuning::kStreamBlocks);
  return by_value(p->value_type, [&](auto value) {
    OCN_LAUNCH((round<decltype(value)>), blocks, kThreads, 0, stream, *p);
    return last_launch_error();
  });
}

extern "C" int32_t ocean_move_offsets(const OceanMoveOffsets* p, OceanStream stream) {
  using namespace ocean;
  return p->from_bytes == 4 ? move_from<int32_t>(*p, stream) : move_from<int64_t>(*p, stream);
}
