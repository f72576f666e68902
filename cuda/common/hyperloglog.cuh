// SPDX-License-Identifier: MIT OR Apache-2.0
//
// HyperLogLog on the device: src/spgemm/hyperloglog.rs says what it is, and is what every number here must equal.
//
// A sketch is read and merged as words of four registers, the first in the lowest byte.
#pragma once
#include <cmath>

#include "common/warp.cuh"
#include "ocean_kernels.h"

namespace ocean {

constexpr int kHashBits = 32;
constexpr int kRegistersOfWord = 4;

// Bits of a hash that choose the register.
template <int kRegisters>
constexpr int kIndexBits = 1 + kIndexBits<kRegisters / 2>;
template <>
constexpr int kIndexBits<1> = 0;

__device__ __forceinline__ uint32_t hash_of(uint32_t column) {
  uint32_t h = column + 0x9e3779b9u;
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  return h ^ h >> 16;
}

// What a column does to a sketch: its word number `word` becomes at least `ranks`, byte by byte.
struct Raise {
  int word;
  uint32_t ranks;
};

template <int kRegisters>
__device__ __forceinline__ Raise raise_of(int32_t column) {
  const uint32_t hash = hash_of(static_cast<uint32_t>(column));
  const int place = static_cast<int>(hash % kRegisters);
  const int rank = __clz(static_cast<int>(hash >> kIndexBits<kRegisters>)) - kIndexBits<kRegisters> + 1;
  return {place / kRegistersOfWord, static_cast<uint32_t>(rank) << place % kRegistersOfWord * 8};
}

// Raises a word that other threads raise too.
__device__ __forceinline__ void raise_shared(uint32_t* word, uint32_t ranks) {
  uint32_t seen = read_fresh(word);
  for (;;) {
    const uint32_t wanted = __vmaxu4(seen, ranks);
    if (wanted == seen) return;  // nearly always, once a sketch has seen a few times as many columns as registers
    const uint32_t before = atomic_cas(word, seen, wanted);
    if (before == seen) return;
    seen = before;
  }
}

// All that an estimate needs to know of a sketch.
struct Ranks {
  double harmonic;  // sum of 2^-rank over the registers in use, with Ertl's correction for those that are full
  int empty;        // registers not in use
};

// (1 - x - sum over k of (1 - x^(2^-k))^2 2^-k) / 3.
__device__ inline double tau(double x) {
  if (x == 0.0 || x == 1.0) return 0.0;
  double y = 1.0, z = 1.0 - x;
  for (;;) {
    x = sqrt(x);
    const double before = z;
    y *= 0.5;
    const double rest = 1.0 - x;
    z = added(z, -multiplied(multiplied(rest, rest), y));
    if (z == before) return z / 3.0;
  }
}

// x + sum over k of x^(2^k) 2^(k-1); infinite at 1, where the sketch is empty.
__device__ inline double sigma(double x) {
  if (x == 1.0) return INFINITY;
  double y = 1.0, z = x;
  for (;;) {
    x = multiplied(x, x);
    const double before = z;
    z = added(z, multiplied(x, y));
    y = added(y, y);
    if (z == before) return z;
  }
}

// Of a sketch whose words the first lanes of a warp hold, one each.
template <int kRegisters>
__device__ __forceinline__ Ranks warp_ranks(uint32_t word) {
  constexpr int kFull = kHashBits - kIndexBits<kRegisters> + 1;  // the rank of a hash that is all zeros
  const bool holds = lane() < kRegisters / kRegistersOfWord;
  // Three counts in one sum: they need 36, 8 and 8 bits at most.
  constexpr int kEmptyAt = 40, kFullAt = 50;
  int64_t counts = 0;
#pragma unroll
  for (int i = 0; i < kRegistersOfWord; ++i) {
    const int rank = static_cast<int>(word >> i * 8 & 0xff);
    counts += int64_t{1} << (rank == 0 ? kEmptyAt : rank == kFull ? kFullAt : kFull - 1 - rank);
  }
  counts = warp_sum(holds ? counts : 0);
  const int64_t sum = counts & ((int64_t{1} << kEmptyAt) - 1);
  const int empty = static_cast<int>(counts >> kEmptyAt & 0xff), full = static_cast<int>(counts >> kFullAt);
  // Exact, as it is in the order in which the host adds: no sum of these has more than 36 bits.
  if (full == 0) return {static_cast<double>(sum) / (int64_t{1} << (kFull - 1)), empty};

  double z = multiplied(double{kRegisters}, tau(1.0 - static_cast<double>(full) / kRegisters));
  for (int rank = kFull - 1; rank >= 1; --rank) {
    int count = 0;
    for (int i = 0; i < kRegistersOfWord; ++i) count += static_cast<int>(word >> i * 8 & 0xff) == rank;
    z = 0.5 * added(z, static_cast<double>(warp_sum(holds ? count : 0)));
  }
  return {z, empty};
}

// How many distinct columns a sketch has seen.
template <int kRegisters>
__device__ __forceinline__ double estimate_of(Ranks ranks, double bias) {
  constexpr double kRegistersOf = kRegisters, kTwiceLn2 = 2.0 * 0.693147180559945309417232121458;
  const double empty = ranks.empty / kRegistersOf;
  const double z = added(ranks.harmonic, multiplied(kRegistersOf, sigma(empty)));
  const double estimate = kRegistersOf * kRegistersOf / multiplied(kTwiceLn2, z);
  return estimate / added(1.0, multiplied(bias / kRegistersOf, 1.0 - empty));
}

}  // namespace ocean
