// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Sorted keys of entries: a row above `low_bits` bits of column, or the other way round.
#pragma once
#include "common/device.cuh"

namespace ocean {

// The first of `count` sorted keys whose high part is `high` or more. Offsets are searched, not marked by the first
// entry of each row: a thread could have a million empty rows to fill then.
__device__ __forceinline__ int64_t first_at_or_past(const uint64_t* sorted_keys, int64_t count, int64_t high,
                                                    int low_bits) {
  const uint64_t least_key = static_cast<uint64_t>(high) << low_bits;
  int64_t first = 0;
  while (first < count) {
    const int64_t middle = first + (count - first) / 2;
    if (read_only(sorted_keys + middle) < least_key) {
      first = middle + 1;
    } else {
      count = middle;
    }
  }
  return first;
}

}  // namespace ocean
