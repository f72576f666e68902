// SPDX-License-Identifier: MIT OR Apache-2.0
#include "numbers.h"

#include <math.h>
#include <string.h>

#include "device.h"
#include "harness.h"

const Kind KINDS[TYPES] = {
    {CUDA_R_32F, CUDA_R_32F, "R_32F", 4, false}, {CUDA_R_64F, CUDA_R_64F, "R_64F", 8, false},
    {CUDA_R_16F, CUDA_R_32F, "R_16F", 2, false}, {CUDA_R_16BF, CUDA_R_32F, "R_16BF", 2, false},
    {CUDA_C_32F, CUDA_C_32F, "C_32F", 4, true},  {CUDA_C_64F, CUDA_C_64F, "C_64F", 8, true},
    {CUDA_C_16F, CUDA_C_32F, "C_16F", 2, true},  {CUDA_C_16BF, CUDA_C_32F, "C_16BF", 2, true},
};

int kind_of(oceanDataType_t type) {
  int kind = 0;
  while (KINDS[kind].type != type) kind++;
  return kind;
}

size_t bytes_of_kind(int kind) { return KINDS[kind].part_bytes * (KINDS[kind].is_complex ? 2 : 1); }

// An integer that the type holds exactly, as 16 bits.
static uint16_t half_bits(double value) {
  int exponent;
  const double fraction = frexp(fabs(value), &exponent);  // in [0.5, 1)
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  if (value == 0) return sign;
  return (uint16_t)(sign | (exponent + 14) << 10 | ((int)ldexp(fraction, 11) & 0x3ff));
}

static double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const double magnitude = exponent == 0 ? ldexp(bits & 0x3ff, -24) : ldexp(0x400 | (bits & 0x3ff), exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

static void write_part(int kind, void* to, double value) {
  const float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  uint16_t half =
      KINDS[kind].type == CUDA_R_16F || KINDS[kind].type == CUDA_C_16F ? half_bits(value) : (uint16_t)(bits >> 16);
  switch (KINDS[kind].part_bytes) {
    case 2:
      memcpy(to, &half, sizeof half);
      break;
    case 4:
      memcpy(to, &narrow, sizeof narrow);
      break;
    default:
      memcpy(to, &value, sizeof value);
      break;
  }
}

static double read_part(int kind, const void* from) {
  uint16_t half;
  float narrow;
  double value;
  switch (KINDS[kind].part_bytes) {
    case 2:
      memcpy(&half, from, sizeof half);
      if (KINDS[kind].type == CUDA_R_16F || KINDS[kind].type == CUDA_C_16F) return half_value(half);
      const uint32_t bits = (uint32_t)half << 16;
      memcpy(&narrow, &bits, sizeof narrow);
      return narrow;
    case 4:
      memcpy(&narrow, from, sizeof narrow);
      return narrow;
    default:
      memcpy(&value, from, sizeof value);
      return value;
  }
}

void write_number(int kind, char* to, Number number) {
  write_part(kind, to, number.re);
  if (KINDS[kind].is_complex) write_part(kind, to + KINDS[kind].part_bytes, number.im);
}

Number read_number(int kind, const char* from) {
  Number number = {read_part(kind, from), 0};
  if (KINDS[kind].is_complex) number.im = read_part(kind, from + KINDS[kind].part_bytes);
  return number;
}

void* upload_numbers(int kind, const Number* numbers, int64_t count) {
  const size_t each = bytes_of_kind(kind), bytes = (size_t)count * each;
  char* host = test_alloc(bytes);
  for (int64_t i = 0; i < count; i++) write_number(kind, host + (size_t)i * each, numbers[i]);
  void* array = device_alloc(bytes);
  device_upload(array, host, bytes);
  return array;
}

void download_numbers(int kind, Number* to, const void* from, int64_t count) {
  const size_t each = bytes_of_kind(kind), bytes = (size_t)count * each;
  char* host = test_alloc(bytes);
  device_download(host, from, bytes);
  for (int64_t i = 0; i < count; i++) to[i] = read_number(kind, host + (size_t)i * each);
}
