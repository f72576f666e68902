// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Real and complex numbers of the tests, and arrays of them on the device in each type that the library multiplies.
#ifndef OCEAN_TEST_NUMBERS_H
#define OCEAN_TEST_NUMBERS_H

#include <ocean.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  double re, im;
} Number;

typedef struct {
  oceanDataType_t type;
  oceanDataType_t wide;  // what it is computed in
  const char* name;
  size_t part_bytes;
  bool is_complex;
} Kind;

enum { TYPES = 8 };
extern const Kind KINDS[TYPES];

int kind_of(oceanDataType_t type);
size_t bytes_of_kind(int kind);
// One number of this kind in host memory. 16 bits take only what they hold exactly.
void write_number(int kind, char* to, Number number);
Number read_number(int kind, const char* from);
// An array on the device, to be freed by device_free.
void* upload_numbers(int kind, const Number* numbers, int64_t count);
void download_numbers(int kind, Number* to, const void* from, int64_t count);

#endif  // OCEAN_TEST_NUMBERS_H
