// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The kernel vocabulary, and its two homes: nvcc, or (OCEAN_EMU) a C++ compiler and emulation.h.
//
// Kernels say only what is here, in warp.cuh, and of CUDA's own words those that emulation.h has too. What only
// hardware can do goes behind #ifndef OCEAN_EMU, beside a plain twin.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef OCEAN_EMU
#include "common/emulation.h"
#else
#include <cuda_runtime.h>

// Queues a kernel, unless one before it was refused: what that should have written, this one may take for places to
// write to. Parentheses around `kernel` allow commas in template arguments.
#define OCN_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                        \
  do {                                                                                                    \
    if (cudaPeekAtLastError() == cudaSuccess) kernel<<<grid, block, shared_bytes, stream>>>(__VA_ARGS__); \
  } while (false)

// An array in shared memory. It starts as garbage, here as there.
#define OCN_SHARED(T, name, count) __shared__ T name[count]

// The shared memory whose size the launch says.
#define OCN_DYNAMIC_SHARED(T, name)                                   \
  extern __shared__ __align__(16) unsigned char ocn_dynamic_shared[]; \
  T* name = reinterpret_cast<T*>(ocn_dynamic_shared)
#endif

namespace ocean {

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = ~0u;

// Blocks have one dimension, and whole warps.
__device__ __forceinline__ int lane() { return static_cast<int>(threadIdx.x % kWarp); }
__device__ __forceinline__ int warp_in_block() { return static_cast<int>(threadIdx.x / kWarp); }
__device__ __forceinline__ int64_t global_thread() { return int64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ __forceinline__ int64_t global_warp() { return global_thread() / kWarp; }
__device__ __forceinline__ int64_t grid_threads() { return int64_t{gridDim.x} * blockDim.x; }

template <class T>
__device__ __forceinline__ T least(T a, T b) {
  return b < a ? b : a;
}

template <class T>
__device__ __forceinline__ T most(T a, T b) {
  return a < b ? b : a;
}

template <class To, class From>
__device__ __forceinline__ To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

#ifdef OCEAN_EMU
// One thread of a launch runs at a time, so plain memory is atomic.
template <class T>
T read_only(const T* from) {
  return *from;
}
template <class T>
void atomic_add(T* to, T value) {
  *to += value;
}
template <class T>
T atomic_take(T* from, T count) {
  const T first = *from;
  *from += count;
  return first;
}
template <class T>
void atomic_or(T* to, T value) {
  *to |= value;
}
template <class T>
T atomic_cas(T* to, T expected, T value) {
  const T found = *to;
  if (found == expected) *to = value;
  return found;
}
template <class T>
void atomic_least(T* to, T value) {
  *to = least(*to, value);
}
template <class T>
void atomic_most(T* to, T value) {
  *to = most(*to, value);
}

template <class T>
T read_fresh(const T* from) {
  return *from;
}
// The build forbids contraction (-ffp-contract=off).
template <class T>
T multiplied(T a, T b) {
  return a * b;
}
template <class T>
T added(T a, T b) {
  return a + b;
}

inline int32_t last_launch_error() { return emulation::take_launch_error(); }
#else
// A load of what no thread of this launch writes.
template <class T>
__device__ __forceinline__ T read_only(const T* from) {
  return __ldg(from);
}

// Integers alone: sums of numbers have one order (and atomics on them spin on some GPUs).
__device__ __forceinline__ void atomic_add(int64_t* to, int64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
}
__device__ __forceinline__ void atomic_least(int64_t* to, int64_t value) {
  atomicMin(reinterpret_cast<long long*>(to), static_cast<long long>(value));
}
__device__ __forceinline__ void atomic_most(int64_t* to, int64_t value) {
  atomicMax(reinterpret_cast<long long*>(to), static_cast<long long>(value));
}
__device__ __forceinline__ void atomic_add(int32_t* to, int32_t value) { atomicAdd(to, value); }
// Takes the next `count` numbers; returns the first of them.
__device__ __forceinline__ int32_t atomic_take(int32_t* from, int32_t count) { return atomicAdd(from, count); }
__device__ __forceinline__ void atomic_or(uint32_t* to, uint32_t value) { atomicOr(to, value); }
// Stores `value` over `expected`; returns what was there before.
__device__ __forceinline__ int32_t atomic_cas(int32_t* to, int32_t expected, int32_t value) {
  return atomicCAS(to, expected, value);
}
__device__ __forceinline__ void atomic_least(int32_t* to, int32_t value) { atomicMin(to, value); }
__device__ __forceinline__ void atomic_most(int32_t* to, int32_t value) { atomicMax(to, value); }
__device__ __forceinline__ void atomic_add(uint64_t* to, uint64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
}

// A load of what other threads of this launch may have written: past the first cache, which does not hear of it.
template <class T>
__device__ __forceinline__ T read_fresh(const T* from) {
  return __ldcg(from);
}
__device__ __forceinline__ uint32_t atomic_cas(uint32_t* to, uint32_t expected, uint32_t value) {
  return atomicCAS(to, expected, value);
}

// One rounding each, whatever the compiler may do to * and +.
__device__ __forceinline__ float multiplied(float a, float b) { return __fmul_rn(a, b); }
__device__ __forceinline__ double multiplied(double a, double b) { return __dmul_rn(a, b); }
__device__ __forceinline__ float added(float a, float b) { return __fadd_rn(a, b); }
__device__ __forceinline__ double added(double a, double b) { return __dadd_rn(a, b); }

// Why the launch just queued was refused, 0 if it was not. Takes the error, so that it sticks to nothing.
inline int32_t last_launch_error() { return static_cast<int32_t>(cudaGetLastError()); }
#endif

// An array in shared memory, whose place stays in a register: with a plain pointer the compiler works it out anew at
// every access. Whatever else reads or writes it keeps its place among these accesses.
#ifdef OCEAN_EMU
template <class T>
class Shared {
  T* at_;

 public:
  explicit Shared(T* at) : at_(at) {}
  T get(int i) const { return at_[i]; }
  void set(int i, T value) const { at_[i] = value; }
  T get_if(int32_t sign, int i) const { return sign >= 0 ? at_[i] : T{}; }
  void set_if(int32_t sign, int i, T value) const {
    if (sign >= 0) at_[i] = value;
  }
  void atomic_or(int i, uint32_t bits) const { at_[i] |= bits; }
  uint32_t atomic_or_take(int i, uint32_t bits) const {
    const uint32_t before = at_[i];
    at_[i] |= bits;
    return before;
  }
};

template <class T>
T* in_register(T* pointer) {
  return pointer;
}
#else
template <class T>
class Shared {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "one register, two or four");
  struct Pair {
    uint64_t one, other;
  };
  uint32_t at_;

  __device__ __forceinline__ uint32_t place(int i) const { return at_ + static_cast<uint32_t>(i) * sizeof(T); }

 public:
  __device__ __forceinline__ explicit Shared(T* at) : at_(static_cast<uint32_t>(__cvta_generic_to_shared(at))) {
    asm volatile("" : "+r"(at_));
  }
  __device__ __forceinline__ T get(int i) const { return get_if(0, i); }
  __device__ __forceinline__ void set(int i, T value) const { set_if(0, i, value); }

  __device__ __forceinline__ void atomic_or(int i, uint32_t bits) const {
    asm volatile("red.shared.or.b32 [%0], %1;" ::"r"(place(i)), "r"(bits) : "memory");
  }

  // The same; returns what was there before.
  __device__ __forceinline__ uint32_t atomic_or_take(int i, uint32_t bits) const {
    uint32_t before;
    asm volatile("atom.shared.or.b32 %0, [%1], %2;" : "=r"(before) : "r"(place(i)), "r"(bits) : "memory");
    return before;
  }

  // Anything, where `sign` is negative. No branch: a warp's other lanes need not wait for it.
  __device__ __forceinline__ T get_if(int32_t sign, int i) const {
    if constexpr (sizeof(T) == 8) {
      uint64_t bits;
      asm volatile("{ .reg .pred p; setp.ge.s32 p, %2, 0; @p ld.shared.b64 %0, [%1]; }"
                   : "=l"(bits)
                   : "r"(place(i)), "r"(sign)
                   : "memory");
      return bits_as<T>(bits);
    } else if constexpr (sizeof(T) == 16) {
      Pair bits;
      asm volatile("{ .reg .pred p; setp.ge.s32 p, %3, 0; @p ld.shared.v2.b64 {%0, %1}, [%2]; }"
                   : "=l"(bits.one), "=l"(bits.other)
                   : "r"(place(i)), "r"(sign)
                   : "memory");
      return bits_as<T>(bits);
    } else {
      uint32_t bits;
      asm volatile("{ .reg .pred p; setp.ge.s32 p, %2, 0; @p ld.shared.b32 %0, [%1]; }"
                   : "=r"(bits)
                   : "r"(place(i)), "r"(sign)
                   : "memory");
      return bits_as<T>(bits);
    }
  }
  __device__ __forceinline__ void set_if(int32_t sign, int i, T value) const {
    if constexpr (sizeof(T) == 8) {
      asm volatile("{ .reg .pred p; setp.ge.s32 p, %2, 0; @p st.shared.b64 [%0], %1; }" ::"r"(place(i)),
                   "l"(bits_as<uint64_t>(value)), "r"(sign)
                   : "memory");
    } else if constexpr (sizeof(T) == 16) {
      const Pair bits = bits_as<Pair>(value);
      asm volatile("{ .reg .pred p; setp.ge.s32 p, %3, 0; @p st.shared.v2.b64 [%0], {%1, %2}; }" ::"r"(place(i)),
                   "l"(bits.one), "l"(bits.other), "r"(sign)
                   : "memory");
    } else {
      asm volatile("{ .reg .pred p; setp.ge.s32 p, %2, 0; @p st.shared.b32 [%0], %1; }" ::"r"(place(i)),
                   "r"(bits_as<uint32_t>(value)), "r"(sign)
                   : "memory");
    }
  }
};

// A pointer that would be read from the launch's parameters anew at every use.
template <class T>
__device__ __forceinline__ T* in_register(T* pointer) {
  asm("" : "+l"(pointer));
  return pointer;
}
#endif

// Blocks for so many threads, at most `limit`; never 0, which CUDA refuses.
__host__ __device__ inline unsigned blocks_for(int64_t threads, unsigned block, int64_t limit = INT32_MAX) {
  const int64_t blocks = (threads + block - 1) / block;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks > limit ? limit : blocks);
}

}  // namespace ocean
