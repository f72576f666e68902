// SPDX-License-Identifier: MIT OR Apache-2.0
// An array in the memory where the handle computes.
#ifndef EXAMPLES_ARRAY_HPP
#define EXAMPLES_ARRAY_HPP

#include <cstddef>
#include <memory>
#include <vector>

#include "memory.h"

template <class T>
class Array {
 public:
  explicit Array(std::size_t length = 0) : length_(length), memory_(device_allocate(length * sizeof(T))) {}
  Array(const std::vector<T>& host) : Array(host.size()) { device_copy(get(), host.data(), host.size() * sizeof(T)); }

  T* get() const { return static_cast<T*>(memory_.get()); }
  std::size_t length() const { return length_; }

  std::vector<T> on_host() const {
    std::vector<T> host(length_);
    device_copy(host.data(), get(), length_ * sizeof(T));
    return host;
  }

 private:
  struct Free {
    void operator()(void* pointer) const { device_free(pointer); }
  };
  std::size_t length_;
  std::unique_ptr<void, Free> memory_;
};

#endif  // EXAMPLES_ARRAY_HPP
