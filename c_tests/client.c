// SPDX-License-Identifier: MIT OR Apache-2.0
#include "client.h"

#include <math.h>
#include <string.h>

static const oceanDataType_t COMMON_TYPES[SDCZ] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};

Format format_of(int which, oceanIndexType_t index) { return (Format){COMMON_TYPES[which], index, index, ZERO_BASE}; }

// --- arrays ---

static size_t bytes_of_index(oceanIndexType_t index) {
  return index == OCEAN_INDEX_64I ? sizeof(int64_t) : sizeof(int32_t);
}
static int64_t base_of(Format format) { return format.base == ONE_BASE; }

static void* upload_indices(oceanIndexType_t type, const int64_t* from, int64_t count, int64_t base) {
  const size_t each = bytes_of_index(type), bytes = (size_t)count * each;
  char* host = test_alloc(bytes);
  for (int64_t i = 0; i < count; i++) {
    const int64_t wide = from[i] + base;
    const int32_t narrow = (int32_t)wide;
    memcpy(host + (size_t)i * each, type == OCEAN_INDEX_64I ? (const void*)&wide : &narrow, each);
  }
  void* array = device_alloc(bytes);
  device_upload(array, host, bytes);
  return array;
}

static int64_t* download_indices(oceanIndexType_t type, const void* from, int64_t count, int64_t base) {
  const size_t each = bytes_of_index(type), bytes = (size_t)count * each;
  char* host = test_alloc(bytes);
  int64_t* indices = test_alloc((size_t)(count + 1) * sizeof *indices);
  device_download(host, from, bytes);
  for (int64_t i = 0; i < count; i++) {
    int32_t narrow;
    if (type == OCEAN_INDEX_64I) {
      memcpy(&indices[i], host + (size_t)i * each, each);
    } else {
      memcpy(&narrow, host + (size_t)i * each, each);
      indices[i] = narrow;
    }
    indices[i] -= base;
  }
  return indices;
}

static void* upload_parts(Format format, const Csr* re, const double* im) {
  Number* numbers = test_alloc((size_t)(re->nnz + 1) * sizeof *numbers);
  for (int64_t e = 0; e < re->nnz; e++) numbers[e] = (Number){re->values[e], im[e]};
  return upload_numbers(kind_of(format.type), numbers, re->nnz);
}

Arrays arrays_upload(Format format, const Csr* re, const double* im) {
  Arrays arrays = {.re = csr_copy(re), .im = test_alloc((size_t)(re->nnz + 1) * sizeof(double))};
  memcpy(arrays.im, im, (size_t)re->nnz * sizeof(double));
  int64_t* columns = test_alloc((size_t)(re->nnz + 1) * sizeof *columns);
  for (int64_t e = 0; e < re->nnz; e++) columns[e] = re->columns[e];
  arrays.offsets = upload_indices(format.offsets, re->offsets, re->rows + 1, base_of(format));
  arrays.columns = upload_indices(format.columns, columns, re->nnz, base_of(format));
  arrays.values = upload_parts(format, re, im);
  return arrays;
}

void arrays_free(Arrays* arrays) {
  void* all[] = {arrays->offsets, arrays->columns, arrays->values};
  for (int i = 0; i < 3; i++) {
    device_poison(all[i]);
    device_free(all[i]);
  }
  arrays->offsets = arrays->columns = arrays->values = NULL;
}

static bool sums_are_exact(Format format) { return format.type != CUDA_R_32F && format.type != CUDA_R_64F; }

// 1 to 3 with either sign.
static double small_integer(uint64_t* state) {
  const double magnitude = 1 + floor(3 * csr_uniform(state));
  return csr_uniform(state) < 0.5 ? -magnitude : magnitude;
}

static void draw_values(Format format, Csr* re, double* im, uint64_t seed) {
  const bool is_complex = KINDS[kind_of(format.type)].is_complex;
  for (int64_t e = 0; e < re->nnz; e++) {
    re->values[e] = sums_are_exact(format) ? small_integer(&seed) : csr_round(format.type, 2 * csr_uniform(&seed) - 1);
    im[e] = is_complex ? small_integer(&seed) : 0;
  }
}

Arrays arrays_random(Format format, const Csr* pattern, uint64_t seed) {
  Csr re = csr_copy(pattern);
  double* im = test_alloc((size_t)(re.nnz + 1) * sizeof *im);
  draw_values(format, &re, im, seed);
  return arrays_upload(format, &re, im);
}

static Csr imaginary(const Arrays* arrays) {
  Csr im = arrays->re;
  im.values = arrays->im;
  return im;
}

// Complex values are integers, so that their parts come from four real products.
void arrays_multiply(Format format, const Arrays* a, const Arrays* b, Csr* re, double** im) {
  const oceanDataType_t type = format.type == CUDA_R_32F ? CUDA_R_32F : CUDA_R_64F;
  const Csr a_im = imaginary(a), b_im = imaginary(b);
  *re = csr_multiply(&a->re, &b->re, type);
  *im = test_alloc((size_t)(re->nnz + 1) * sizeof **im);
  memset(*im, 0, (size_t)re->nnz * sizeof **im);
  if (!KINDS[kind_of(format.type)].is_complex) return;
  const Csr both_im = csr_multiply(&a_im, &b_im, type);
  const Csr left_im = csr_multiply(&a_im, &b->re, type), right_im = csr_multiply(&a->re, &b_im, type);
  for (int64_t e = 0; e < re->nnz; e++) {
    re->values[e] -= both_im.values[e];
    (*im)[e] = left_im.values[e] + right_im.values[e];
  }
}

// --- a client ---

void client_scalars(Client* x, oceanPointerMode_t mode, double alpha, double beta) {
  const Number both[] = {{alpha, 0}, {beta, 0}};
  const int kind = kind_of(x->compute);
  CHECK_OK(oceanSetPointerMode(x->handle, mode));
  x->alpha_is = alpha;
  x->beta_is = beta;
  device_free(x->on_device);
  x->on_device = NULL;
  if (mode == OCEAN_POINTER_MODE_DEVICE) {
    x->on_device = upload_numbers(kind, both, 2);
    x->alpha = x->on_device;
    x->beta = (const char*)x->on_device + bytes_of_kind(kind);
    return;
  }
  for (int i = 0; i < 2; i++) write_number(kind, x->on_host[i], both[i]);
  x->alpha = x->on_host[0];
  x->beta = x->on_host[1];
}

void client_open(Client* x, Format format, oceanSpGEMMAlg_t alg, const Csr* a, const Csr* b) {
  *x = (Client){
      .format = format, .kind = kind_of(format.type), .alg = alg, .compute = format.type, .handle = open_handle()};
  harness_case("%s, %d-bit indices, alg %d", KINDS[x->kind].name, 8 * (int)bytes_of_index(format.columns), alg);
  x->a = arrays_random(format, a, 1);
  x->b = arrays_random(format, b, 2);
  client_scalars(x, OCEAN_POINTER_MODE_HOST, 1, 0);
}

void client_close(Client* x) {
  CHECK_OK(oceanSpGEMM_destroyDescr(x->spgemm));
  CHECK_OK(oceanDestroySpMat(x->mat_a));
  CHECK_OK(oceanDestroySpMat(x->mat_b));
  CHECK_OK(oceanDestroySpMat(x->mat_c));
  for (int i = 0; i < 6; i++) client_free(x, i);
  arrays_free(&x->a);
  arrays_free(&x->b);
  arrays_free(&x->c);
  device_free(x->on_device);
  close_handle(x->handle);
}

static oceanSpMatDescr_t create(Format format, int64_t rows, int64_t cols, int64_t nnz, const Arrays* arrays) {
  oceanSpMatDescr_t matrix;
  CHECK_OK(oceanCreateCsr(&matrix, rows, cols, nnz, arrays->offsets, arrays->columns, arrays->values, format.offsets,
                          format.columns, format.base, format.type));
  return matrix;
}

oceanSpMatDescr_t arrays_matrix(Format format, const Arrays* arrays) {
  return create(format, arrays->re.rows, arrays->re.cols, arrays->re.nnz, arrays);
}

oceanSpMatDescr_t client_matrix(const Client* x, const Arrays* matrix) { return arrays_matrix(x->format, matrix); }

void client_begin_c(Client* x) {
  x->c.offsets = device_alloc(((size_t)x->a.re.rows + 1) * bytes_of_index(x->format.offsets));
  x->mat_c = create(x->format, x->a.re.rows, x->b.re.cols, 0, &x->c);
}

void client_size_c(Client* x) {
  int64_t rows, cols;
  CHECK_OK(oceanSpMatGetSize(x->mat_c, &rows, &cols, &x->nnz));
  CHECK_INT(rows, x->a.re.rows);
  CHECK_INT(cols, x->b.re.cols);
  device_free(x->c.columns);
  device_free(x->c.values);
  x->c.columns = device_alloc((size_t)x->nnz * bytes_of_index(x->format.columns));
  x->c.values = device_alloc((size_t)x->nnz * bytes_of_kind(x->kind));
}

void client_point_c(Client* x) { CHECK_OK(oceanCsrSetPointers(x->mat_c, x->c.offsets, x->c.columns, x->c.values)); }

void client_buffer(Client* x, int i) {
  CHECK(x->size[i] > 0);
  client_free(x, i);
  x->buffer[i] = device_alloc(x->size[i]);
}

void client_free(Client* x, int i) {
  device_poison(x->buffer[i]);
  device_free(x->buffer[i]);
  x->buffer[i] = NULL;
}

void client_new_values(Client* x, uint64_t seed) {
  Arrays* both[] = {&x->a, &x->b};
  for (int i = 0; i < 2; i++) {
    draw_values(x->format, &both[i]->re, both[i]->im, seed + (uint64_t)i);
    void* values = upload_parts(x->format, &both[i]->re, both[i]->im);
    char* host = test_alloc(device_bytes(values));
    device_download(host, values, device_bytes(values));
    device_upload(both[i]->values, host, device_bytes(values));
    device_free(values);
  }
}

void client_move(const Client* x, Arrays* matrix) {
  const Arrays moved = arrays_upload(x->format, &matrix->re, matrix->im);
  arrays_free(matrix);
  *matrix = moved;
}

// --- the judge ---

// Which of the two zeros came out of four real products is not what a complex one would give.
static void check_part(const Client* x, const Csr* pattern, double* actual, double* expected) {
  Csr found = *pattern, wanted = *pattern;
  found.values = actual;
  wanted.values = expected;
  for (int64_t e = 0; e < pattern->nnz && sums_are_exact(x->format); e++) {
    if (actual[e] == 0) actual[e] = 0;
    if (expected[e] == 0) expected[e] = 0;
  }
  CHECK_SAME(&found, &wanted);
}

static void check_values(const Client* x, const Csr* re, double* im) {
  Number* numbers = test_alloc((size_t)(re->nnz + 1) * sizeof *numbers);
  double* parts[2];
  for (int i = 0; i < 2; i++) parts[i] = test_alloc((size_t)(re->nnz + 1) * sizeof(double));
  download_numbers(x->kind, numbers, x->c.values, re->nnz);
  for (int64_t e = 0; e < re->nnz; e++) {
    parts[0][e] = numbers[e].re;
    parts[1][e] = numbers[e].im;
  }
  check_part(x, re, parts[0], re->values);
  check_part(x, re, parts[1], im);
}

void client_check_with(const Client* x, const Arrays* old) {
  Csr re;
  double* im;
  arrays_multiply(x->format, &x->a, &x->b, &re, &im);
  for (int64_t e = 0; e < re.nnz; e++) {
    const double old_re = old == NULL ? 0 : old->re.values[e], old_im = old == NULL ? 0 : old->im[e];
    re.values[e] = csr_round(x->format.type, x->alpha_is * re.values[e]);
    im[e] *= x->alpha_is;
    if (old == NULL) continue;
    re.values[e] = csr_round(x->format.type, re.values[e] + csr_round(x->format.type, x->beta_is * old_re));
    im[e] += x->beta_is * old_im;
  }
  CHECK_INT(x->nnz, re.nnz);
  const int64_t* offsets = download_indices(x->format.offsets, x->c.offsets, re.rows + 1, base_of(x->format));
  const int64_t* columns = download_indices(x->format.columns, x->c.columns, re.nnz, base_of(x->format));
  for (int64_t i = 0; i <= re.rows; i++) CHECK_INT(offsets[i], re.offsets[i]);
  for (int64_t e = 0; e < re.nnz; e++) CHECK_INT(columns[e], re.columns[e]);
  check_values(x, &re, im);
}

void client_check(const Client* x) { client_check_with(x, NULL); }

Csr client_left(void) { return csr_random(40, 30, 0.2, 1); }
Csr client_right(void) { return csr_random(30, 50, 0.2, 2); }

void client_work_estimation(Client* x) {
  CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(x), &x->size[1], NULL));
  client_buffer(x, 1);
  CHECK_OK(oceanSpGEMM_workEstimation(PLAIN(x), &x->size[1], x->buffer[1]));
}

void client_compute(Client* x) {
  CHECK_OK(oceanSpGEMM_compute(PLAIN(x), &x->size[2], NULL));
  client_buffer(x, 2);
  CHECK_OK(oceanSpGEMM_compute(PLAIN(x), &x->size[2], x->buffer[2]));
}
