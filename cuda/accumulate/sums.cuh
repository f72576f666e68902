// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Sums of products, each rounded by itself. A sum starts as its first product, so an empty one
// needs a mark that no product can be: a signalling NaN, which arithmetic never returns.
#pragma once
#include "common/device.cuh"

namespace ocean {

#ifdef OCEAN_EMU
template <class To, class From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
inline bool is_nothing(double sum) { return bits_as<uint64_t>(sum) == 0x7ff0000000000001u; }
inline bool is_nothing(float sum) { return bits_as<uint32_t>(sum) == 0x7f800001u; }
template <class V>
V nothing();
template <>
inline double nothing<double>() {
  return bits_as<double>(uint64_t{0x7ff0000000000001u});
}
template <>
inline float nothing<float>() {
  return bits_as<float>(uint32_t{0x7f800001u});
}
#else
__device__ __forceinline__ bool is_nothing(double sum) { return __double_as_longlong(sum) == 0x7ff0000000000001ll; }
__device__ __forceinline__ bool is_nothing(float sum) { return __float_as_int(sum) == 0x7f800001; }
template <class V>
__device__ __forceinline__ V nothing();
template <>
__device__ __forceinline__ double nothing<double>() {
  return __longlong_as_double(0x7ff0000000000001ll);
}
template <>
__device__ __forceinline__ float nothing<float>() {
  return __int_as_float(0x7f800001);
}
#endif

template <class V>
__device__ __forceinline__ V summed(V sum, V term) {
  return is_nothing(sum) ? term : added(sum, term);
}

}  // namespace ocean
