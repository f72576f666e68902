// SPDX-License-Identifier: MIT OR Apache-2.0
//
// device_wide: scans and sorts of whole arrays, by CUB; plain loops in the emulation. Only this unit knows of CUB.
//
// Reads   each array once or twice.
// Writes  its result; scratch that the caller provides.
// Cost    scan: one pass over the array. Sorts: one pass for every 8 bits of key.
// Source  Merrill and Garland 2016, "Single-pass parallel prefix scan with decoupled look-back", NVIDIA NVR-2016-002;
//         Adinets and Merrill 2022, "Onesweep: a faster least significant digit radix sort for GPUs".
#include "common/device.cuh"
#include "ocean_kernels.h"

#ifdef OCEAN_EMU
#include <algorithm>
#include <numeric>
#include <vector>
#else
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#endif

namespace ocean {
namespace {

#ifdef OCEAN_EMU
constexpr size_t kTempBytes = 1;  // not 0, so that callers go the way that they go on a GPU

int32_t scan(void* temp, size_t& temp_bytes, int64_t* values, int64_t count, cudaStream_t) {
  temp_bytes = kTempBytes;
  if (temp == nullptr) return 0;
  if (const int32_t error = emulation::device_call()) return error;
  uint64_t total = 0;  // unsigned: what lies past the last length may be anything
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t value = static_cast<uint64_t>(values[i]);
    values[i] = static_cast<int64_t>(total);
    total += value;
  }
  return 0;
}

template <class Key, class Value>
int32_t sort(void* temp, size_t& temp_bytes, const Key* keys, Key* sorted_keys, const Value* values,
             Value* sorted_values, int64_t count, int first_bit, int, cudaStream_t) {
  temp_bytes = kTempBytes;
  if (temp == nullptr) return 0;
  if (const int32_t error = emulation::device_call()) return error;
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t one, int64_t other) { return keys[one] >> first_bit < keys[other] >> first_bit; });
  for (int64_t i = 0; i < count; ++i) {
    sorted_keys[i] = keys[order[i]];
    sorted_values[i] = values[order[i]];
  }
  return 0;
}
#else
// CUB tells the scratch that it needs when it is given none.
int32_t scan(void* temp, size_t& temp_bytes, int64_t* values, int64_t count, cudaStream_t stream) {
  auto* const sums = reinterpret_cast<uint64_t*>(values);  // unsigned: what lies past the last length may be anything
  return static_cast<int32_t>(cub::DeviceScan::ExclusiveSum(temp, temp_bytes, sums, sums, count, stream));
}

template <class Key, class Value>
int32_t sort(void* temp, size_t& temp_bytes, const Key* keys, Key* sorted_keys, const Value* values,
             Value* sorted_values, int64_t count, int first_bit, int end_bit, cudaStream_t stream) {
  return static_cast<int32_t>(cub::DeviceRadixSort::SortPairs(temp, temp_bytes, keys, sorted_keys, values,
                                                              sorted_values, count, first_bit, end_bit, stream));
}
#endif

// CUB returns an error and leaves it behind as well, where the next launcher would take it for its own.
int32_t taken(int32_t error) {
  const int32_t left = last_launch_error();
  return error != 0 ? error : left;
}

// What lies past the last length is not summed, but it is read.
__global__ void scan_begin(OceanScan p) { p.values[p.count - 1] = 0; }

}  // namespace
}  // namespace ocean

extern "C" int32_t ocean_scan_bytes(int64_t count, uint64_t* temp_bytes) {
  size_t bytes = 0;
  const int32_t error = ocean::taken(ocean::scan(nullptr, bytes, nullptr, count, nullptr));
  *temp_bytes = bytes;
  return error;
}

extern "C" int32_t ocean_scan(const OceanScan* p, OceanStream stream) {
  size_t bytes = p->temp_bytes;
  OCN_LAUNCH(ocean::scan_begin, 1, 1, 0, stream, *p);
  if (const int32_t error = ocean::last_launch_error()) return error;
  return ocean::taken(ocean::scan(p->temp, bytes, p->values, p->count, stream));
}

extern "C" int32_t ocean_sort_entries_bytes(int64_t count, int32_t first_bit, int32_t end_bit, uint64_t* temp_bytes) {
  size_t bytes = 0;
  const OceanSortEntries none = {};
  const int32_t error = ocean::sort(nullptr, bytes, none.keys, none.sorted_keys, none.entries, none.sorted_entries,
                                    count, first_bit, end_bit, nullptr);
  *temp_bytes = bytes;
  return ocean::taken(error);
}

extern "C" int32_t ocean_sort_entries(const OceanSortEntries* p, OceanStream stream) {
  size_t bytes = p->temp_bytes;
  const int32_t error = ocean::sort(p->temp, bytes, p->keys, p->sorted_keys, p->entries, p->sorted_entries, p->count,
                                    p->first_bit, p->end_bit, stream);
  return ocean::taken(error);
}
