// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Where rows of C go: slots with room for so many entries, or C itself.
#pragma once
#include "accumulate/sums.cuh"
#include "common/csr.cuh"
#include "common/values.cuh"

namespace ocean {

// The place of one row.
struct Room {
  int64_t row;
  int64_t start;
  int64_t size;
};

template <class V>
class Output {
  const OceanAccumulate& p_;
  V alpha_, beta_;

 public:
  __device__ __forceinline__ explicit Output(const OceanAccumulate& p)
      : p_(p),
        alpha_(scalar<V>(p.scalars.alpha, p.scalars.alpha_value)),
        beta_(scalar<V>(p.scalars.beta, p.scalars.beta_value)) {}

  // The room of the row that is listed at `index`; none past the end of the list.
  __device__ __forceinline__ Room room(int64_t index) const {
    if (index >= p_.count) return {-1, 0, 0};
    const int64_t row = p_.rows[index];
    if (p_.places) return {row, p_.places[2 * index], p_.places[2 * index + 1]};
    return of_row(row);
  }

  // The room of a row whose place is the one that `starts` says.
  __device__ __forceinline__ Room of_row(int64_t row) const {
    return {row, p_.starts[row], p_.starts[row + 1] - p_.starts[row]};
  }

  // Writes the entry at `rank` of its row, if the row has room for it.
  __device__ __forceinline__ void put(const Room& room, int64_t rank, int32_t column, V value) const {
    if (rank >= room.size) return;
    put_column(room, rank, column);
    put_value(room, rank, value);
  }

  __device__ __forceinline__ void put_column(const Room& room, int64_t rank, int32_t column) const {
    if (!p_.columns) return;
    const int64_t place = room.start + rank;
    int32_t* to = place < p_.pieces_at ? p_.columns + place : p_.more_columns + (place - p_.pieces_at);
    *to = column + p_.base;
  }

  // alpha * value + beta * what stands there, as BLAS means it: a scalar of 0 hides what it multiplies.
  __device__ __forceinline__ void put_value(const Room& room, int64_t rank, V value) const {
    if (!p_.values) return;
    V& to = *value_at(room, rank);
    V result = alpha_ == V(0) ? V(0) : scaled(alpha_, value);
    if (beta_ != V(0)) result = added(result, scaled(beta_, to));
    to = result;
  }

  __device__ __forceinline__ V* value_at(const Room& room, int64_t rank) const {
    const int64_t place = room.start + rank;
    return place < p_.pieces_at ? static_cast<V*>(p_.values) + place
                                : static_cast<V*>(p_.more_values) + (place - p_.pieces_at);
  }

  // Says how long the row is, or that it is too long for its slot. One thread calls.
  __device__ __forceinline__ void finish(const Room& room, int64_t length) const {
    if (p_.counts && room.row >= 0) p_.counts[room.row] = length <= room.size ? length : OCEAN_OVERFLOWED;
  }
};

}  // namespace ocean
