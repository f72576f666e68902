// SPDX-License-Identifier: MIT OR Apache-2.0
//
// CUDA's words for a C++17 compiler: every CUDA thread is a fiber of the host thread that launches, and blocks run one
// after another. A test tool, slow.
//
// It shows   what depends on the order of threads: a missing barrier reads what was not written yet. Fibers, and
//            blocks, run in another order every time they are resumed, drawn from OCEAN_EMU_SEED (0: ascending).
// It stops   with a message and an abort where hardware hangs or promises nothing: a barrier or a warp collective that
//            some threads never reach, lanes of one mask in different collectives, a lane outside its own mask, a
//            shuffle from a lane that takes no part.
// It shows not: memory ordering, data races between blocks, occupancy, speed.
// Shared memory starts as garbage. Host threads launch at the same time, each on a machine of its own.
// Works under -fsanitize=address,undefined: shared and device memory are then guarded like any other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __restrict__ __restrict

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
using cudaStream_t = struct CUstream_st*;

namespace ocean::emulation {

constexpr unsigned kLanes = 32;
constexpr unsigned char kGarbage = 0xA5;
constexpr int32_t kInvalidConfiguration = 9;  // cudaErrorInvalidConfiguration

// What a test makes one call of the device fail with; 0 at all others. To be asked once at each.
int32_t device_call();

// Where a thread is in the source: the line of the call itself, taken by default arguments.
struct Site {
  const char* call;
  const char* file;
  int line;
};

// What the running thread sees of its launch.
struct View {
  dim3 grid, block, block_index, thread_index;
  unsigned thread;     // within the block
  uint64_t block_run;  // counts blocks, for shared memory that is new in each
  unsigned char* dynamic_shared;
};
extern __thread View current;  // not thread_local, which would look for a constructor at every use
inline const View& view() { return current; }

void launch(dim3 grid, dim3 block, size_t shared_bytes, void (*kernel)(void*), void* arguments);
// The number that cudaGetLastError would give; the next call gives 0.
int32_t take_launch_error();

// Waits for every thread of the block that has not returned.
void block_barrier(Site site);

// What the lanes of one collective handed in.
struct Offers {
  unsigned lanes;             // those that took part
  const uint64_t* from_lane;  // 32, of which only those of `lanes` mean something
};
// Hands in a value, waits for every lane of the mask that has not returned, and tells what they handed in.
Offers warp_barrier(unsigned mask, uint64_t offer, Site site);

[[noreturn]] void fail(Site site, const char* format, ...);

template <class Call>
void launch(dim3 grid, dim3 block, size_t shared_bytes, Call call) {
  launch(grid, block, shared_bytes, [](void* call) { (*static_cast<Call*>(call))(); }, &call);
}

template <class T>
uint64_t to_bits(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(uint64_t), "a shuffle moves up to 8 bytes");
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

// The value that lane `source` of the caller's group of `width` lanes handed in.
template <class T>
T shuffle(unsigned mask, T value, unsigned source, unsigned width, Site site) {
  const unsigned lane = view().thread % kLanes;
  const unsigned from = lane / width * width + source % width;
  const Offers offers = warp_barrier(mask, to_bits(value), site);
  if (!(offers.lanes >> from & 1)) fail(site, "lane %u reads lane %u, which takes no part", lane, from);
  std::memcpy(&value, &offers.from_lane[from], sizeof value);
  return value;
}

// Static shared memory: one array for all threads of a block, garbage when the first of them comes by.
template <class T, size_t count>
class Shared {
  static_assert(std::is_trivially_copyable_v<T>, "shared memory runs no constructors");
  struct alignas(T) alignas(16) Bytes {
    unsigned char of[sizeof(T) * count];
  };
  uint64_t block_run_ = 0;
  std::unique_ptr<Bytes> bytes_;  // not here: memory of a thread's own is taken from its stack

 public:
  using Array = T[count];
  Array& array() {
    if (block_run_ != view().block_run) {
      block_run_ = view().block_run;
      if (bytes_ == nullptr) bytes_.reset(new Bytes);
      std::memset(bytes_->of, kGarbage, sizeof bytes_->of);
    }
    return *reinterpret_cast<Array*>(bytes_->of);
  }
};

}  // namespace ocean::emulation

#define threadIdx (ocean::emulation::view().thread_index)
#define blockIdx (ocean::emulation::view().block_index)
#define blockDim (ocean::emulation::view().block)
#define gridDim (ocean::emulation::view().grid)

#define OCN_LAUNCH(kernel, grid, block, shared_bytes, stream, ...) \
  ((void)(stream), ocean::emulation::launch(grid, block, shared_bytes, [&] { kernel(__VA_ARGS__); }))
#define OCN_SHARED(T, name, count)                                         \
  static thread_local ocean::emulation::Shared<T, (count)> name##_storage; \
  auto& name = name##_storage.array()
#define OCN_DYNAMIC_SHARED(T, name) T* name = reinterpret_cast<T*>(ocean::emulation::view().dynamic_shared)

// Parameters that take the caller's place in the source, and a Site made of them.
#define OCN_CALLER const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define OCN_SITE(call) (ocean::emulation::Site{call, file, line})

inline void __syncthreads(OCN_CALLER) { ocean::emulation::block_barrier(OCN_SITE("__syncthreads")); }

inline void __syncwarp(unsigned mask = ~0u, OCN_CALLER) {
  ocean::emulation::warp_barrier(mask, 0, OCN_SITE("__syncwarp"));
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, OCN_CALLER) {
  return ocean::emulation::shuffle(mask, value, unsigned(source), unsigned(width), OCN_SITE("__shfl_sync"));
}

// Lanes with nobody `delta` below them keep their own value.
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, OCN_CALLER) {
  const unsigned place = threadIdx.x % unsigned(width);
  const unsigned source = place >= delta ? place - delta : place;
  return ocean::emulation::shuffle(mask, value, source, unsigned(width), OCN_SITE("__shfl_up_sync"));
}

template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, OCN_CALLER) {
  const unsigned place = threadIdx.x % unsigned(width);
  const unsigned source = place + delta < unsigned(width) ? place + delta : place;
  return ocean::emulation::shuffle(mask, value, source, unsigned(width), OCN_SITE("__shfl_down_sync"));
}

template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, OCN_CALLER) {
  const unsigned source = threadIdx.x % unsigned(width) ^ unsigned(lanes);
  return ocean::emulation::shuffle(mask, value, source, unsigned(width), OCN_SITE("__shfl_xor_sync"));
}

inline unsigned __ballot_sync(unsigned mask, int predicate, OCN_CALLER) {
  const auto offers = ocean::emulation::warp_barrier(mask, predicate != 0, OCN_SITE("__ballot_sync"));
  unsigned set = 0;
  for (unsigned lane = 0; lane < ocean::emulation::kLanes; ++lane) {
    if (offers.lanes >> lane & 1) set |= unsigned(offers.from_lane[lane]) << lane;
  }
  return set;
}

inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __ffs(unsigned bits) { return __builtin_ffs(static_cast<int>(bits)); }
inline int __clz(int bits) { return bits == 0 ? 32 : __builtin_clz(unsigned(bits)); }

// The larger of each of four bytes.
inline unsigned __vmaxu4(unsigned a, unsigned b) {
  unsigned larger = 0;
  for (unsigned byte = 0xff; byte != 0; byte <<= 8) larger |= (a & byte) < (b & byte) ? b & byte : a & byte;
  return larger;
}
