// SPDX-License-Identifier: MIT OR Apache-2.0
//
// emulation: the scheduler. One block at a time, its threads in rounds: whoever can run does so until its next barrier,
// then barriers and warp collectives that are complete let their threads go. Only the emulated build compiles this.
#include "common/emulation.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "common/emulation_fiber.h"

namespace ocean::emulation {
namespace {

constexpr unsigned kMostThreads = 1024;
constexpr size_t kMostSharedBytes = 227 << 10;  // of one block on Hopper

enum class State { Running, Barrier, Collective, Returned };

struct Thread {
  Fiber fiber;
  State state;
  Site site;
  unsigned mask;       // of the collective it waits in, then of the lanes that took part
  uint64_t offer;      // what it hands in
  uint64_t published;  // its offer, once the collective is complete: nobody writes it before all have read
};

// Visits 0..n in an order that looks random: start anywhere, go on by a step prime to n.
class Order {
  uint64_t n_, at_ = 0, step_ = 1;

 public:
  Order(uint64_t n, std::mt19937* random) : n_(n) {
    if (random == nullptr || n < 2) return;
    at_ = (*random)() % n;
    do step_ = (*random)() % n;
    while (std::gcd(step_, n) != 1);
  }
  uint64_t next() {
    const uint64_t now = at_;
    at_ = (at_ + step_) % n_;
    return now;
  }
};

// One for each host thread.
struct Machine {
  std::vector<std::unique_ptr<Thread>> threads;  // grows; the first `count` are the block's
  unsigned count = 0;
  Fiber scheduler;
  void (*kernel)(void*) = nullptr;
  void* arguments = nullptr;
  std::mt19937 random;
  bool shuffled = false;
  uint64_t offers[kLanes];

  std::mt19937* dice() { return shuffled ? &random : nullptr; }
  Thread& me() { return *threads[current.thread]; }
};

thread_local Machine machine;

thread_local int32_t launch_error = 0;
thread_local int64_t launches = 0;

// Calls of the device so far, and the one that is to fail: all later ones too, if it is sticky.
struct Faults {
  int64_t calls = 0, fail_at = 0;
  int32_t code = 0;
  bool sticky = false;
};
thread_local Faults faults;

// Gives control back to the scheduler until the thread is let go.
void wait_in(State state, Site site) {
  Thread& me = machine.me();
  me.state = state;
  me.site = site;
  me.fiber.switch_to(machine.scheduler, state == State::Returned);
}

void thread_body() {
  machine.kernel(machine.arguments);
  wait_in(State::Returned, {"return", "", 0});
}

// Whether lane `of` waits where lane `like` does; says so if it is lost in another collective of the same lanes.
bool waits_like(const Thread& of, const Thread& like) {
  if (of.state != State::Collective || of.mask != like.mask) return false;
  if (of.site.line != like.site.line || std::strcmp(of.site.call, like.site.call) != 0 ||
      std::strcmp(of.site.file, like.site.file) != 0) {
    fail(like.site, "divergent collective: other lanes of mask %08x are in %s at %s:%d", like.mask, of.site.call,
         of.site.file, of.site.line);
  }
  return true;
}

// Lets the lanes of every complete collective of one warp go.
bool release_warp(Machine& m, unsigned first) {
  const unsigned lanes = std::min(kLanes, m.count - first);
  const auto thread = [&](unsigned lane) -> Thread& { return *m.threads[first + lane]; };
  bool any = false;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (thread(lane).state != State::Collective) continue;
    unsigned taking_part = 0;
    bool complete = true;
    for (unsigned other = 0; other < lanes && complete; ++other) {
      if (!(thread(lane).mask >> other & 1) || thread(other).state == State::Returned) continue;
      complete = waits_like(thread(other), thread(lane));
      taking_part |= 1u << other;
    }
    if (!complete) continue;
    for (unsigned other = 0; other < lanes; ++other) {
      if (!(taking_part >> other & 1)) continue;
      thread(other).published = thread(other).offer;
      thread(other).mask = taking_part;
      thread(other).state = State::Running;
    }
    any = true;
  }
  return any;
}

// Lets all go if all are at the barrier, and says so if they are at different ones.
bool release_block(Machine& m, unsigned waiting, unsigned returned) {
  if (waiting == 0 || waiting + returned != m.count) return false;
  const Thread* first = nullptr;
  for (unsigned i = 0; i < m.count; ++i) {
    Thread& thread = *m.threads[i];
    if (thread.state != State::Barrier) continue;
    if (first == nullptr) first = &thread;
    if (thread.site.line != first->site.line || std::strcmp(thread.site.file, first->site.file) != 0) {
      fail(first->site, "divergent barrier: other threads of the block are at %s:%d", thread.site.file,
           thread.site.line);
    }
    thread.state = State::Running;
  }
  return true;
}

[[noreturn]] void report_deadlock(const Machine& m, unsigned waiting, unsigned returned) {
  const Thread* stuck = nullptr;  // of those in a collective, else of those at the barrier
  for (unsigned i = 0; i < m.count; ++i) {
    const Thread& thread = *m.threads[i];
    if (thread.state == State::Collective || (thread.state == State::Barrier && stuck == nullptr)) stuck = &thread;
  }
  fail(
      stuck->site,
      "deadlock: %u threads wait at __syncthreads, %u in a warp collective (this one with mask %08x), %u have returned",
      waiting, m.count - waiting - returned, stuck->mask, returned);
}

void run_block(Machine& m) {
  ++current.block_run;
  for (unsigned i = 0; i < m.count; ++i) {
    m.threads[i]->state = State::Running;
    m.threads[i]->fiber.start(&thread_body);
  }
  for (;;) {
    Order order(m.count, m.dice());
    bool progress = false;
    for (unsigned i = 0; i < m.count; ++i) {
      const unsigned thread = unsigned(order.next());
      if (m.threads[thread]->state != State::Running) continue;
      const dim3& b = current.block;
      current.thread = thread;
      current.thread_index = dim3(thread % b.x, thread / b.x % b.y, thread / b.x / b.y);
      m.scheduler.switch_to(m.threads[thread]->fiber, false);
      progress = true;
    }
    for (unsigned first = 0; first < m.count; first += kLanes) progress |= release_warp(m, first);
    unsigned waiting = 0, returned = 0;
    for (unsigned i = 0; i < m.count; ++i) {
      waiting += m.threads[i]->state == State::Barrier;
      returned += m.threads[i]->state == State::Returned;
    }
    if (returned == m.count) return;
    progress |= release_block(m, waiting, returned);
    if (!progress) report_deadlock(m, waiting, returned);
  }
}

}  // namespace

__thread View current = {};

int32_t device_call() {
  const int64_t call = ++faults.calls;
  return call == faults.fail_at || (faults.sticky && call > faults.fail_at) ? faults.code : 0;
}

int32_t take_launch_error() {
  const int32_t error = launch_error;
  launch_error = 0;
  return error;
}

void block_barrier(Site site) { wait_in(State::Barrier, site); }

Offers warp_barrier(unsigned mask, uint64_t offer, Site site) {
  Machine& m = machine;
  const unsigned lane = current.thread % kLanes;
  if (!(mask >> lane & 1)) fail(site, "lane %u is not in its own mask %08x", lane, mask);
  Thread& me = m.me();
  me.mask = mask;
  me.offer = offer;
  wait_in(State::Collective, site);
  const unsigned first = current.thread - lane;
  for (unsigned other = 0; other < kLanes; ++other) {
    if (me.mask >> other & 1) m.offers[other] = m.threads[first + other]->published;
  }
  return {me.mask, m.offers};
}

void fail(Site site, const char* format, ...) {
  const dim3& block = current.block_index;
  std::fprintf(stderr, "emulation: %s:%d: %s, block (%u, %u, %u): ", site.file, site.line, site.call, block.x, block.y,
               block.z);
  va_list values;
  va_start(values, format);
  std::vfprintf(stderr, format, values);
  va_end(values);
  std::fputc('\n', stderr);
  std::abort();
}

void launch(dim3 grid, dim3 block, size_t shared_bytes, void (*kernel)(void*), void* arguments) {
  if (launch_error == 0) launch_error = device_call();
  if (launch_error != 0) return;  // as on a GPU: see OCN_LAUNCH in device.cuh
  Machine& m = machine;
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z, threads = uint64_t(block.x) * block.y * block.z;
  if (blocks == 0 || threads == 0 || threads > kMostThreads || shared_bytes > kMostSharedBytes || grid.x > INT32_MAX ||
      grid.y > 65535 || grid.z > 65535) {
    launch_error = kInvalidConfiguration;
    return;
  }
  const char* seed = std::getenv("OCEAN_EMU_SEED");
  const unsigned long number = seed == nullptr ? 1 : std::strtoul(seed, nullptr, 10);
  m.shuffled = number != 0;
  ++launches;
  m.random.seed(unsigned(number));
  m.kernel = kernel;
  m.arguments = arguments;
  m.count = unsigned(threads);
  while (m.threads.size() < m.count) m.threads.push_back(std::make_unique<Thread>());
  current.grid = grid;
  current.block = block;

  Order order(blocks, m.dice());
  for (uint64_t i = 0; i < blocks; ++i) {
    const uint64_t index = order.next();
    current.block_index =
        dim3(unsigned(index % grid.x), unsigned(index / grid.x % grid.y), unsigned(index / grid.x / grid.y));
    // Exactly as large as asked, and new for each block, so that a sanitizer sees every step outside.
    const std::unique_ptr<unsigned char[]> shared(new unsigned char[shared_bytes]);
    std::memset(shared.get(), kGarbage, shared_bytes);
    current.dynamic_shared = shared.get();
    run_block(m);
  }
}

}  // namespace ocean::emulation

// Kernels that this thread has launched so far.
extern "C" int64_t ocean_emulation_launches() { return ocean::emulation::launches; }

extern "C" int32_t ocean_emulation_device_call() { return ocean::emulation::device_call(); }

// This thread's `nth` call of the device from now on fails with `code`; none, if that is 0. Returns the calls so far.
extern "C" int64_t ocean_emulation_fail(int64_t nth, int32_t code, bool sticky) {
  auto& faults = ocean::emulation::faults;
  faults.fail_at = nth == 0 ? 0 : faults.calls + nth;
  faults.code = code;
  faults.sticky = sticky && nth != 0;
  return faults.calls;
}
