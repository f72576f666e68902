// SPDX-License-Identifier: MIT OR Apache-2.0
// A product whose pattern is found once and whose numbers may be computed any number of times.
#ifndef EXAMPLES_REPEATED_HPP
#define EXAMPLES_REPEATED_HPP

#include "matrix.hpp"

class Repeated {
 public:
  // Keeps references to A and B. All steps are done once.
  Repeated(oceanHandle_t handle, const DeviceMatrix& a, const DeviceMatrix& b)
      : handle_(handle), a_(a), b_(b), c_(a.rows(), b.cols()) {
    estimate(nullptr);
    buffer1_ = Array<char>(bytes1_);
    estimate(buffer1_.get());
    compute_into(nullptr);
    buffer2_ = Array<char>(bytes2_);
    compute_into(buffer2_.get());
    c_.reserve(c_.entries());
    copy();
  }

  // The numbers again, for the values that A and B have now. No memory is taken.
  void compute() {
    compute_into(buffer2_.get());
    copy();
  }

  const DeviceMatrix& result() const { return c_; }

 private:
  void estimate(void* buffer) {
    ocean::check(oceanSpGEMM_workEstimation(handle_, N, N, &one_, a_, b_, &zero_, c_, CUDA_R_64F, ALG, product_,
                                            &bytes1_, buffer));
  }
  void compute_into(void* buffer) {
    ocean::check(
        oceanSpGEMM_compute(handle_, N, N, &one_, a_, b_, &zero_, c_, CUDA_R_64F, ALG, product_, &bytes2_, buffer));
  }
  void copy() { ocean::check(oceanSpGEMM_copy(handle_, N, N, &one_, a_, b_, &zero_, c_, CUDA_R_64F, ALG, product_)); }

  static constexpr oceanOperation_t N = OCEAN_OPERATION_NON_TRANSPOSE;
  static constexpr oceanSpGEMMAlg_t ALG = OCEAN_SPGEMM_DEFAULT;
  const double one_ = 1, zero_ = 0;
  oceanHandle_t handle_;
  const DeviceMatrix &a_, &b_;
  DeviceMatrix c_;
  ocean::Product product_;
  std::size_t bytes1_ = 0, bytes2_ = 0;
  Array<char> buffer1_, buffer2_;
};

#endif  // EXAMPLES_REPEATED_HPP
