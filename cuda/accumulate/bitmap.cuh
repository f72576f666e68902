// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Which columns a row of C has, as bits: set by a warp, a block or many blocks, in any order.
#pragma once
#include "accumulate/terms.cuh"

namespace ocean {

constexpr int kWordBits = 32;

// Sets the bits of the columns in `cut` that A's entries from `begin` to before `end` give; `workers` groups of `lanes`
// take the entries in turn, of which the caller's is number `worker`; each lane of a group takes a column. With
// `kSearch`, rows of B may reach out of the cut.
template <bool kSearch>
__device__ __forceinline__ void set_bits(const Csr& a, const Csr& b, int64_t begin, int64_t end, Columns cut,
                                         int worker, int workers, uint32_t* bits, int lanes = kWarp) {
  for (int64_t entry = begin + worker; entry < end; entry += workers) {
    const int32_t row = a.column(entry);
    int64_t from = b.begin(row), to = b.end(row);
    if (kSearch) {
      from = lower_bound(b, from, to, cut.first);
      to = lower_bound(b, from, to, cut.end);
    }
#pragma unroll 4
    for (int64_t at = from + static_cast<int>(threadIdx.x % lanes); at < to; at += lanes) {
      const uint32_t place = static_cast<uint32_t>(b.column(at) - cut.first);
      const uint32_t bit = 1u << place % kWordBits;
      uint32_t* word = bits + place / kWordBits;
      // Most columns of a dense row are there already, and a look costs less than an atomic in vain.
      if ((*word & bit) == 0) atomic_or(word, bit);
    }
  }
}

}  // namespace ocean
