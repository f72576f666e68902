// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Arrays of values by their run-time type: the one that is computed in, or the 16-bit one that is computed in it.
#pragma once
#ifndef OCEAN_EMU
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

#include "common/complex.cuh"
#include "ocean_kernels.h"

namespace ocean {

// To the nearest, ties to even; and back, which is exact.
#ifdef OCEAN_EMU
inline uint16_t rounded_to_bfloat(float value) {
  const uint32_t bits = bits_as<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;  // NaN
  return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

inline uint16_t rounded_to_half(float value) {
  const uint32_t bits = bits_as<uint32_t>(value), magnitude = bits & 0x7fffffffu;
  const uint32_t sign = bits >> 16 & 0x8000u;
  if (magnitude > 0x7f800000u) return 0x7fff;                                  // NaN
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);  // rounds to 2^16 or more
  if (magnitude < 0x38800000u) {
    // Subnormal: adding 0.5 leaves as many bits below the point as there are.
    const float shifted = bits_as<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (bits_as<uint32_t>(shifted) - bits_as<uint32_t>(0.5f)));
  }
  const uint32_t rebiased = magnitude - (112u << 23);
  return static_cast<uint16_t>(sign | ((rebiased + 0xfffu + (rebiased >> 13 & 1)) >> 13));
}

inline float widened_half(uint16_t bits) {
  const uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 0x1fu, fraction = bits & 0x3ffu;
  if (exponent == 0x1f) return bits_as<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent > 0) return bits_as<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return sign == 0 ? magnitude : -magnitude;
}
#else
__device__ __forceinline__ uint16_t rounded_to_bfloat(float value) {
  return __bfloat16_as_ushort(__float2bfloat16_rn(value));
}
__device__ __forceinline__ uint16_t rounded_to_half(float value) { return __half_as_ushort(__float2half_rn(value)); }
__device__ __forceinline__ float widened_half(uint16_t bits) { return __half2float(__ushort_as_half(bits)); }
#endif
__device__ __forceinline__ float widened_bfloat(uint16_t bits) { return bits_as<float>(uint32_t{bits} << 16); }

// How a type that is computed in takes numbers from arrays of `type` and gives them back. These are the types that
// have no other.
template <class V>
struct Stored {
  __device__ __forceinline__ static V load(const void* values, int64_t at, int32_t) {
    return static_cast<const V*>(values)[at];
  }
  __device__ __forceinline__ static void store(void* values, int64_t at, int32_t, V value) {
    static_cast<V*>(values)[at] = value;
  }
};

template <>
struct Stored<float> {
  __device__ __forceinline__ static float load(const void* values, int64_t at, int32_t type) {
    if (type == OCEAN_R_16F) return widened_half(static_cast<const uint16_t*>(values)[at]);
    if (type == OCEAN_R_16BF) return widened_bfloat(static_cast<const uint16_t*>(values)[at]);
    return static_cast<const float*>(values)[at];
  }
  __device__ __forceinline__ static void store(void* values, int64_t at, int32_t type, float value) {
    if (type == OCEAN_R_16F) {
      static_cast<uint16_t*>(values)[at] = rounded_to_half(value);
    } else if (type == OCEAN_R_16BF) {
      static_cast<uint16_t*>(values)[at] = rounded_to_bfloat(value);
    } else {
      static_cast<float*>(values)[at] = value;
    }
  }
};

template <>
struct Stored<Complex<float>> {
  using Parts = Stored<float>;

  __device__ __forceinline__ static int32_t of_parts(int32_t type) {
    return type == OCEAN_C_16F ? OCEAN_R_16F : OCEAN_R_16BF;
  }
  __device__ __forceinline__ static Complex<float> load(const void* values, int64_t at, int32_t type) {
    if (type == OCEAN_C_32F) return static_cast<const Complex<float>*>(values)[at];
    const int32_t of = of_parts(type);
    return Complex<float>(Parts::load(values, 2 * at, of), Parts::load(values, 2 * at + 1, of));
  }
  __device__ __forceinline__ static void store(void* values, int64_t at, int32_t type, Complex<float> value) {
    if (type == OCEAN_C_32F) {
      static_cast<Complex<float>*>(values)[at] = value;
      return;
    }
    const int32_t of = of_parts(type);
    Parts::store(values, 2 * at, of, value.re);
    Parts::store(values, 2 * at + 1, of, value.im);
  }
};

// A scalar of the type that is computed in.
template <class V>
struct Scalar {
  __device__ __forceinline__ static V of(const double* parts) { return static_cast<V>(parts[0]); }
  __device__ __forceinline__ static V at(const void* place) { return *static_cast<const V*>(place); }
};
template <class R>
struct Scalar<Complex<R>> {
  __device__ __forceinline__ static Complex<R> of(const double* parts) {
    return Complex<R>(static_cast<R>(parts[0]), static_cast<R>(parts[1]));
  }
  // Part by part, since callers align scalars as they like.
  __device__ __forceinline__ static Complex<R> at(const void* place) {
    const R* const parts = static_cast<const R*>(place);
    return Complex<R>(parts[0], parts[1]);
  }
};

template <class V>
__device__ __forceinline__ V scalar(const void* place, const double* parts) {
  return place == nullptr ? Scalar<V>::of(parts) : Scalar<V>::at(place);
}

// The same, if it may have a 16-bit type as well.
template <class V>
__device__ __forceinline__ V scalar(const void* place, const double* parts, int32_t type) {
  const bool narrow = type == OCEAN_R_16F || type == OCEAN_R_16BF || type == OCEAN_C_16F || type == OCEAN_C_16BF;
  return place != nullptr && narrow ? Stored<V>::load(place, 0, type) : scalar<V>(place, parts);
}

// Calls `launch` with a value of the type that values of `type` are computed in.
template <class Launch>
int32_t by_value(int32_t type, Launch launch) {
  switch (type) {
    case OCEAN_R_64F:
      return launch(double{});
    case OCEAN_C_32F:
    case OCEAN_C_16F:
    case OCEAN_C_16BF:
      return launch(Complex<float>{});
    case OCEAN_C_64F:
      return launch(Complex<double>{});
    default:
      return launch(float{});
  }
}

}  // namespace ocean
