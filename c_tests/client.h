// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the tests in clients_*.c share: each makes the calls of one library or program that multiplies sparse matrices
// with this interface, in its order and with its habits. Here are the arrays, which each test gives to descriptors
// itself, and the judge of C.
#ifndef OCEAN_TEST_CLIENT_H
#define OCEAN_TEST_CLIENT_H

#include <ocean.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csr.h"
#include "device.h"
#include "device_csr.h"
#include "harness.h"
#include "numbers.h"
#include "product.h"

// How a client keeps its matrices.
typedef struct {
  oceanDataType_t type;
  oceanIndexType_t offsets, columns;
  oceanIndexBase_t base;
} Format;

// The types that most clients have: S, D, C, Z.
enum { SDCZ = 4 };
Format format_of(int which, oceanIndexType_t index);  // offsets and columns alike, base zero

// A matrix: its arrays on the device, and what they hold.
typedef struct {
  void *offsets, *columns, *values;
  Csr re;
  double* im;  // beside re's values; all 0 where the type is real
} Arrays;

typedef struct {
  Format format;
  int kind;
  oceanDataType_t compute;  // the format's type, unless set before the scalars
  oceanSpGEMMAlg_t alg;
  oceanHandle_t handle;
  Arrays a, b, c;
  oceanSpMatDescr_t mat_a, mat_b, mat_c;
  oceanSpGEMMDescr_t spgemm;
  const void *alpha, *beta;  // on the host or on the device
  double alpha_is, beta_is;
  void* on_device;      // the scalars, in device pointer mode
  char on_host[2][16];  // or here
  size_t size[6];
  void* buffer[6];
  int64_t nnz;  // of C
} Client;

// All leading arguments of the plain steps and of reuse_compute, and those of the other reuse steps.
#define PLAIN(x)                                                                                              \
  (x)->handle, OP_N, OP_N, (x)->alpha, (x)->mat_a, (x)->mat_b, (x)->beta, (x)->mat_c, (x)->compute, (x)->alg, \
      (x)->spgemm
#define REUSE(x) (x)->handle, OP_N, OP_N, (x)->mat_a, (x)->mat_b, (x)->mat_c, (x)->alg, (x)->spgemm

// A handle, A and B in arrays of their own with values by a seed, and alpha 1 and beta 0 on the host. No descriptors.
// Real values of 32 and 64 bits are any; all others are small integers, whose sums are exact.
void client_open(Client* x, Format format, oceanSpGEMMAlg_t alg, const Csr* a, const Csr* b);
// Frees what is left, poisoned first: arrays, buffers, descriptors, handle.
void client_close(Client* x);

// The matrices that most clients multiply.
Csr client_left(void);
Csr client_right(void);

// Sets the handle's pointer mode and puts the scalars there.
void client_scalars(Client* x, oceanPointerMode_t mode, double alpha, double beta);
// A descriptor of a whole matrix in the client's format.
oceanSpMatDescr_t client_matrix(const Client* x, const Arrays* matrix);
// Row offsets of C, and its descriptor without columns and values, which declares no entries.
void client_begin_c(Client* x);
// Reads C's nnz from its descriptor, and allocates columns and values for it; the descriptor is not told.
void client_size_c(Client* x);
void client_point_c(Client* x);  // tells it

// A buffer of size[i] bytes, which must not be 0; what was there before goes.
void client_buffer(Client* x, int i);
void client_free(Client* x, int i);  // poisoned first

// Plain steps as nearly all clients make them: how much, a buffer, and again.
void client_work_estimation(Client* x);
void client_compute(Client* x);

// Other values for A and B in the same arrays.
void client_new_values(Client* x, uint64_t seed);
// Other arrays with the same contents; the old ones are poisoned and freed. No descriptor is told.
void client_move(const Client* x, Arrays* matrix);

// C on the device is alpha * A * B, bit by bit; or, with old values, that and beta * old.
void client_check(const Client* x);
void client_check_with(const Client* x, const Arrays* old);

Arrays arrays_upload(Format format, const Csr* re, const double* im);
void arrays_free(Arrays* arrays);  // poisoned first
oceanSpMatDescr_t arrays_matrix(Format format, const Arrays* arrays);
// Random values by a seed for a pattern.
Arrays arrays_random(Format format, const Csr* pattern, uint64_t seed);
// The product of two of them.
void arrays_multiply(Format format, const Arrays* a, const Arrays* b, Csr* re, double** im);

#endif  // OCEAN_TEST_CLIENT_H
