// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Sums of products, each rounded by itself. A sum starts as its first product, so an empty one
// needs a mark that no product can be: a signalling NaN, which arithmetic never returns. Half of a
// double tells it.
#pragma once
#include "common/complex.cuh"

namespace ocean {

__device__ __forceinline__ bool is_nothing(double sum) { return bits_as<uint64_t>(sum) >> 32 == 0x7ff40000u; }
__device__ __forceinline__ bool is_nothing(float sum) { return bits_as<uint32_t>(sum) == 0x7f800001u; }
// The real part tells.
template <class R>
__device__ __forceinline__ bool is_nothing(Complex<R> sum) {
  return is_nothing(sum.re);
}

template <class V>
__device__ __forceinline__ V nothing();
template <>
__device__ __forceinline__ double nothing<double>() {
  return bits_as<double>(uint64_t{0x7ff4000000000000u});
}
template <>
__device__ __forceinline__ float nothing<float>() {
  return bits_as<float>(uint32_t{0x7f800001u});
}

template <>
__device__ __forceinline__ Complex<float> nothing<Complex<float>>() {
  return Complex<float>(nothing<float>());
}
template <>
__device__ __forceinline__ Complex<double> nothing<Complex<double>>() {
  return Complex<double>(nothing<double>());
}

template <class V>
__device__ __forceinline__ V summed(V sum, V term) {
  return is_nothing(sum) ? term : added(sum, term);
}

// Adds a term to a sum in shared memory, unless `sign` is negative.
template <class V>
__device__ __forceinline__ void add_to(const Shared<V>& sums, int32_t sign, int i, V term) {
  const V sum = sums.get_if(sign, i);
  sums.set_if(sign, i, summed(sum, term));
}

}  // namespace ocean
