// SPDX-License-Identifier: MIT OR Apache-2.0
//
// emulation_fiber: a stack of its own, and the switch to it. For emulation.cpp alone.
//
// On x86-64 the switch is 15 instructions; elsewhere it is ucontext's, ten times slower. Address sanitizer is told of
// every switch, since it keeps books on stacks.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#define OCN_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OCN_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef OCN_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// OCEAN_EMU_UCONTEXT takes the portable switch on x86-64 too, so that it can be tested there.
#if defined(__x86_64__) && !defined(OCEAN_EMU_UCONTEXT)
#define OCN_OWN_SWITCH 1
// Saves what a function has to keep and the stack pointer in *save, and takes up the stack `load`.
extern "C" void ocean_emulation_switch(void** save, void* load);
asm(R"(
.text
.type ocean_emulation_switch, @function
ocean_emulation_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size ocean_emulation_switch, .-ocean_emulation_switch
)");
#else
#include <ucontext.h>
#endif

namespace ocean::emulation {

// A thread of control that runs only when switched to. A default one stands for whoever switches away first.
class Fiber {
#ifdef OCN_ADDRESS_SANITIZER
  static constexpr size_t kStackBytes = 256 << 10;  // guarded frames are larger
  static constexpr size_t kRedZoneBytes = 4 << 10;  // more than the frame of switch_to has below its frame pointer
#else
  static constexpr size_t kStackBytes = 64 << 10;
#endif
  unsigned char* stack_ = nullptr;  // its lowest byte, above the guard page
  void (*body_)() = nullptr;
#ifdef OCN_OWN_SWITCH
  void* stack_pointer_ = nullptr;
#else
  ucontext_t context_{};
#endif
#ifdef OCN_ADDRESS_SANITIZER
  void* fake_stack_ = nullptr;
  const void* sanitizer_bottom_ = nullptr;
  size_t sanitizer_bytes_ = 0;
  unsigned char* frames_ = nullptr;  // the lowest frame when this fiber was left last
#endif

  static size_t page() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

  // An overflow of the stack ends the program instead of another fiber's data.
  void allocate() {
    void* memory = mmap(nullptr, page() + kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, page(), PROT_NONE) != 0) {
      std::perror("emulation: no memory for a fiber's stack");
      std::abort();
    }
    stack_ = static_cast<unsigned char*>(memory) + page();
  }

  // Where every fiber begins: the fiber that is being entered, since nothing else tells it who it is.
  static Fiber*& entering() {
    static thread_local Fiber* fiber = nullptr;
    return fiber;
  }
  static void enter() {
    Fiber* me = entering();
    me->arrived();
    me->body_();
    std::abort();  // the body ends by switching away for good
  }

  void arrived() {
#ifdef OCN_ADDRESS_SANITIZER
    Fiber* from = left();
    __sanitizer_finish_switch_fiber(fake_stack_, &from->sanitizer_bottom_, &from->sanitizer_bytes_);
    fake_stack_ = nullptr;
#endif
  }
#ifdef OCN_ADDRESS_SANITIZER
  static Fiber*& left() {
    static thread_local Fiber* fiber = nullptr;
    return fiber;
  }
#endif

 public:
  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber() {
    if (stack_ != nullptr) munmap(stack_ - page(), page() + kStackBytes);
  }

  // The next switch to this fiber calls `body`, on an empty stack.
  void start(void (*body)()) {
    if (stack_ == nullptr) allocate();
    body_ = body;
#ifdef OCN_ADDRESS_SANITIZER
    // The last body never returned from its frames, so they are still guarded.
    if (frames_ != nullptr) __asan_unpoison_memory_region(frames_, stack_ + kStackBytes - frames_);
    fake_stack_ = nullptr;
    sanitizer_bottom_ = stack_;
    sanitizer_bytes_ = kStackBytes;
#endif
#ifdef OCN_OWN_SWITCH
    void** top = reinterpret_cast<void**>(stack_ + kStackBytes);
    *--top = nullptr;  // where `enter` would return to; also aligns its frame
    *--top = reinterpret_cast<void*>(&enter);
    for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
    stack_pointer_ = top;
#else
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_;
    context_.uc_stack.ss_size = kStackBytes;
    context_.uc_link = nullptr;
    makecontext(&context_, &enter, 0);
#endif
  }

  // Leaves this fiber, which must be the one that runs, for `to`. With `for_good` it never comes back.
  void switch_to(Fiber& to, bool for_good) {
    entering() = &to;
#ifdef OCN_ADDRESS_SANITIZER
    left() = this;
    frames_ = static_cast<unsigned char*>(__builtin_frame_address(0)) - kRedZoneBytes;
    __sanitizer_start_switch_fiber(for_good ? nullptr : &fake_stack_, to.sanitizer_bottom_, to.sanitizer_bytes_);
#else
    (void)for_good;
#endif
#ifdef OCN_OWN_SWITCH
    ocean_emulation_switch(&stack_pointer_, to.stack_pointer_);
#else
    swapcontext(&context_, &to.context_);
#endif
    arrived();
  }
};

}  // namespace ocean::emulation
