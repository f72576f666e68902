// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Faults planted in kernels, and kernels without faults: what the emulation has to catch, and what it has to get right.
// tests/emulator.rs compiles this for the host, runs it once for each case that it names, and says what must come.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "common/csr.cuh"
#include "common/warp.cuh"

namespace ocean {
namespace {

constexpr int kThreads = 128;

#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (false)

// Each thread hands a number to the thread opposite; right only if all have written before any reads.
template <bool barrier>
__global__ void reverse(int* out) {
  OCN_SHARED(int, box, kThreads);
  box[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (barrier) __syncthreads();
  out[threadIdx.x] = box[kThreads - 1 - threadIdx.x];
}

template <bool barrier>
void reversed() {
  std::vector<int> out(kThreads, -1);
  OCN_LAUNCH(reverse<barrier>, 3, kThreads, 0, nullptr, out.data());
  for (int i = 0; i < kThreads; ++i) CHECK(out[i] == kThreads - 1 - i);
}

// The same within a warp, and through dynamic shared memory.
template <bool barrier>
__global__ void rotate(int* out) {
  OCN_DYNAMIC_SHARED(int, box);
  box[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (barrier) __syncwarp();
  const int next = warp_in_block() * kWarp + (lane() + 1) % kWarp;
  out[threadIdx.x] = box[next];
}

template <bool barrier>
void rotated() {
  std::vector<int> out(kThreads, -1);
  OCN_LAUNCH(rotate<barrier>, 2, kThreads, kThreads * sizeof(int), nullptr, out.data());
  for (int i = 0; i < kThreads; ++i) CHECK(out[i] == i / kWarp * kWarp + (i + 1) % kWarp);
}

__global__ void two_collectives(int* out) {
  out[threadIdx.x] = lane() < 16 ? __shfl_sync(kAllLanes, 1, 0) : static_cast<int>(__ballot_sync(kAllLanes, 1));
}

__global__ void two_barriers() {
  if (threadIdx.x < 64) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

__global__ void barrier_against_collective() {
  if (lane() == 3) {
    __syncthreads();
  } else {
    __syncwarp();
  }
}

__global__ void foreign_mask() { __syncwarp(lane() < 16 ? 0xffffu : 0xffu << 8); }

__global__ void absent_lane(int* out) {
  if (lane() < 16) out[threadIdx.x] = __shfl_sync(0xffffu, 1, 20);
}

__global__ void static_overflow(int* out, int at) {
  OCN_SHARED(int, box, 8);
  box[threadIdx.x % 8] = 1;
  out[threadIdx.x] = box[at];
}

__global__ void dynamic_overflow(int* out, int at) {
  OCN_DYNAMIC_SHARED(int, box);
  out[threadIdx.x] = box[at];
}

__global__ void garbage(int* out) {
  OCN_SHARED(int, fixed, 1);
  OCN_DYNAMIC_SHARED(int, sized);
  out[blockIdx.x] = fixed[0] == sized[0] ? fixed[0] : 0;
  fixed[0] = sized[0] = 7;  // the next block must not see it
}

void shared_memory_starts_as_garbage() {
  int out[4] = {};
  OCN_LAUNCH(garbage, 4, 1, sizeof(int), nullptr, out);
  for (const int word : out) CHECK(word == static_cast<int>(0xA5A5A5A5));
}

// Threads that have returned are waited for by nobody.
__global__ void early_leavers(int* out) {
  if (threadIdx.x % 3 != 0) return;
  __syncthreads();
  out[threadIdx.x] = static_cast<int>(__ballot_sync(kAllLanes, 1));
}

void those_who_returned_are_not_waited_for() {
  std::vector<int> out(kThreads, 0);
  OCN_LAUNCH(early_leavers, 1, kThreads, 0, nullptr, out.data());
  for (int i = 0; i < kThreads; ++i) {
    unsigned present = 0;
    for (int l = 0; l < kWarp; ++l) present |= static_cast<unsigned>((i / kWarp * kWarp + l) % 3 == 0) << l;
    CHECK(out[i] == (i % 3 == 0 ? static_cast<int>(present) : 0));
  }
}

__global__ void words(int64_t* out) {
  const int me = lane();
  int64_t* mine = out + threadIdx.x * 8;
  mine[0] = __shfl_sync(kAllLanes, int64_t{me} << 40, 5);
  mine[1] = __shfl_up_sync(kAllLanes, me, 4, 8);
  mine[2] = __shfl_down_sync(kAllLanes, me, 4, 8);
  mine[3] = __shfl_xor_sync(kAllLanes, me, 3);
  mine[4] = __ballot_sync(kAllLanes, me % 2);
  mine[5] = warp_sum(int64_t{me});
  mine[6] = warp_most(me * 7 % 32);
  // The two halves of a warp may go different ways, with masks that say so.
  mine[7] = me < 16 ? __ballot_sync(0xffffu, me > 3) : __shfl_sync(0xffff0000u, me, 1, 16);
}

void words_mean_what_they_mean_in_cuda() {
  std::vector<int64_t> out(64 * 8);
  OCN_LAUNCH(words, 1, 64, 0, nullptr, out.data());
  for (int thread = 0; thread < 64; ++thread) {
    const int me = thread % kWarp, place = me % 8;
    const int64_t* mine = &out[thread * 8];
    CHECK(mine[0] == int64_t{5} << 40);
    CHECK(mine[1] == (place >= 4 ? me - 4 : me));
    CHECK(mine[2] == (place < 4 ? me + 4 : me));
    CHECK(mine[3] == (me ^ 3));
    CHECK(mine[4] == 0xAAAAAAAA);
    CHECK(mine[5] == 31 * 32 / 2);
    CHECK(mine[6] == 31);
    CHECK(mine[7] == (me < 16 ? 0xfff0 : 17));
  }
}

__global__ void segments(uint32_t heads, int* out) {
  const auto below = [](int value, int step) { return __shfl_up_sync(kAllLanes, value, step); };
  const auto sum = [](int a, int b) { return a + b; };
  out[lane()] = warp_segmented_scan(lane() + 1, (heads >> lane() & 1) != 0, sum, below);
}

void segmented_scans_restart_at_heads() {
  for (const uint32_t heads : {0u, 1u, 0x80000000u, 0xffffffffu, 0x00410010u, 0xdeadbeefu}) {
    int out[kWarp];
    OCN_LAUNCH(segments, 1, kWarp, 0, nullptr, heads, out);
    int sum = 0;
    for (int l = 0; l < kWarp; ++l) {
      sum = (heads >> l & 1) != 0 ? l + 1 : sum + l + 1;
      CHECK(out[l] == sum);
    }
  }
}

__global__ void find_rows(OceanCsr described, int64_t first, int64_t last, int64_t* out) {
  const Csr a(described);
  const RowRange rows = warp_rows_of(a, first, last);
  if (lane() == 0) out[0] = rows.first, out[1] = rows.last, out[2] = a.row_of(last, rows.first, rows.last);
}

void rows_of_entries_are_found_between_empty_rows() {
  for (const int64_t rows : {1, 2, 16, 17, 300, 5000}) {
    std::vector<int32_t> offsets = {1};  // base 1
    for (int64_t row = 0; row < rows; ++row) offsets.push_back(offsets.back() + (row % 7 == 3 || rows < 3 ? 2 : 0));
    const int64_t entries = offsets.back() - 1;
    const OceanCsr a = {rows, 1, entries, offsets.data(), nullptr, 4, 1};
    const auto row_of = [&](int64_t entry) {
      int64_t row = 0;
      while (offsets[row + 1] - 1 <= entry) ++row;
      return row;
    };
    for (int64_t first = 0; first < entries; first += 1 + entries / 40) {
      const int64_t last = first + (entries - 1 - first) / 2;
      int64_t out[3];
      OCN_LAUNCH(find_rows, 1, kWarp, 0, nullptr, a, first, last, out);
      CHECK(out[0] == row_of(first) && out[1] == row_of(last) && out[2] == row_of(last));
    }
  }
}

__global__ void count(int64_t* total) { atomic_add(total, int64_t{1}); }

void host_threads_can_launch_together() {
  std::vector<std::thread> threads;
  std::vector<int64_t> totals(4, 0);
  for (int64_t& total : totals) {
    threads.emplace_back([&total] {
      for (int i = 0; i < 20; ++i) {
        OCN_LAUNCH(count, 5, 64, 0, nullptr, &total);
        reversed<true>();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int64_t total : totals) CHECK(total == 20 * 5 * 64);
}

void impossible_launches_are_refused() {
  int64_t total = 0;
  const dim3 cases[][2] = {{0, 32}, {1, 0}, {1, 1025}, {dim3(1, 65536), 1}};
  for (const auto& [grid, block] : cases) {
    OCN_LAUNCH(count, grid, block, 0, nullptr, &total);
    CHECK(last_launch_error() == 9);
  }
  OCN_LAUNCH(count, 1, 1, 300 << 10, nullptr, &total);
  CHECK(last_launch_error() == 9 && last_launch_error() == 0 && total == 0);
}

int run(const char* name) {
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  std::vector<int> out(kThreads, 0);
  volatile int beyond = 9;  // a compiler that knew this would not let it pass
  if (is("right")) {
    reversed<true>();
    rotated<true>();
    shared_memory_starts_as_garbage();
    those_who_returned_are_not_waited_for();
    words_mean_what_they_mean_in_cuda();
    segmented_scans_restart_at_heads();
    rows_of_entries_are_found_between_empty_rows();
    host_threads_can_launch_together();
    impossible_launches_are_refused();
  } else if (is("missing barrier")) {
    reversed<false>();
  } else if (is("missing warp barrier")) {
    rotated<false>();
  } else if (is("divergent collective")) {
    OCN_LAUNCH(two_collectives, 1, kThreads, 0, nullptr, out.data());
  } else if (is("divergent barrier")) {
    OCN_LAUNCH(two_barriers, 1, kThreads, 0, nullptr);
  } else if (is("deadlock")) {
    OCN_LAUNCH(barrier_against_collective, 1, kThreads, 0, nullptr);
  } else if (is("foreign mask")) {
    OCN_LAUNCH(foreign_mask, 1, kThreads, 0, nullptr);
  } else if (is("absent lane")) {
    OCN_LAUNCH(absent_lane, 1, kThreads, 0, nullptr, out.data());
  } else if (is("static overflow")) {
    OCN_LAUNCH(static_overflow, 1, kThreads, 0, nullptr, out.data(), beyond);
  } else if (is("dynamic overflow")) {
    OCN_LAUNCH(dynamic_overflow, 1, kThreads, 9 * sizeof(int), nullptr, out.data(), beyond);
  } else if (is("read past an array")) {
    std::vector<int32_t> offsets = {0, 1};
    int64_t found[3];
    const OceanCsr a = {5, 1, 1, offsets.data(), nullptr, 4, 0};  // not so many rows
    OCN_LAUNCH(find_rows, 1, kWarp, 0, nullptr, a, 0, 0, found);
  } else {
    std::fprintf(stderr, "no such case: %s\n", name);
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace ocean

int main(int count, char** words) { return count == 2 ? ocean::run(words[1]) : 2; }
