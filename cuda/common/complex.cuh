// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Complex numbers, laid out as in C. Every operation on a part rounds once, in one order.
#pragma once
#include "common/device.cuh"

namespace ocean {

template <class R>
struct alignas(2 * sizeof(R)) Complex {
  R re, im;

  Complex() = default;  // trivial, as shared memory asks for
  __device__ __forceinline__ constexpr explicit Complex(R real, R imaginary = R(0)) : re(real), im(imaginary) {}
};

template <class R>
__device__ __forceinline__ bool operator==(Complex<R> a, Complex<R> b) {
  return a.re == b.re && a.im == b.im;
}
template <class R>
__device__ __forceinline__ bool operator!=(Complex<R> a, Complex<R> b) {
  return !(a == b);
}

template <class R>
__device__ __forceinline__ Complex<R> added(Complex<R> a, Complex<R> b) {
  return Complex<R>(added(a.re, b.re), added(a.im, b.im));
}

// A real number is its own conjugate.
template <class V>
__device__ __forceinline__ V conjugated(V value) {
  return value;
}
template <class R>
__device__ __forceinline__ Complex<R> conjugated(Complex<R> value) {
  return Complex<R>(value.re, -value.im);
}

// (ar br - ai bi, ar bi + ai br).
template <class R>
__device__ __forceinline__ Complex<R> multiplied(Complex<R> a, Complex<R> b) {
  return Complex<R>(added(multiplied(a.re, b.re), -multiplied(a.im, b.im)),
                    added(multiplied(a.re, b.im), multiplied(a.im, b.re)));
}

#ifndef OCEAN_EMU
__device__ __forceinline__ Complex<float> read_only(const Complex<float>* from) {
  const float2 value = __ldg(reinterpret_cast<const float2*>(from));
  return Complex<float>(value.x, value.y);
}
__device__ __forceinline__ Complex<double> read_only(const Complex<double>* from) {
  const double2 value = __ldg(reinterpret_cast<const double2*>(from));
  return Complex<double>(value.x, value.y);
}
#endif

// The neutral element of `added`, which keeps the sign of a zero too.
template <class V>
struct Neutral {
  __device__ __forceinline__ static V value() { return V(-0.0); }
};
template <class R>
struct Neutral<Complex<R>> {
  __device__ __forceinline__ static Complex<R> value() { return Complex<R>(R(-0.0), R(-0.0)); }
};

// A factor times a value: a one changes nothing, also of a complex number that is infinite.
template <class V>
__device__ __forceinline__ V scaled(V factor, V value) {
  return multiplied(factor, value);  // of real numbers that holds by itself
}
template <class R>
__device__ __forceinline__ Complex<R> scaled(Complex<R> factor, Complex<R> value) {
  return factor == Complex<R>(R(1)) ? value : multiplied(factor, value);
}

}  // namespace ocean
