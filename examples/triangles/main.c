/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counts the triangles of a graph by a product of patterns: no values anywhere.
 *
 * L has an entry (w, u) for each edge with u < w, and E one for each edge and each of its two ends, an edge a column.
 * Row w, column e of L * E stands for a w that is joined to an end of e and comes after it. Where w is joined to both
 * ends, two scalar products meet in one entry, so
 *
 *   triangles = scalar products - entries of L * E
 *
 * with ends ordered so that each triangle is met once, at its last vertex. */
#include "../common/check.h"
#include "../common/memory.h"

/* Wheel: a hub, vertex 0, joined to a ring of vertices 1 to RIM. It has RIM triangles. */
enum { RIM = 50, VERTICES = RIM + 1, EDGES = 2 * RIM };

static oceanSpMatDescr_t pattern(int rows, int cols, int* offsets, int* columns) {
  oceanSpMatDescr_t matrix;
  const int entries = offsets[rows];
  CHECK(oceanCreateCsr(&matrix, rows, cols, entries, device_copy_of(offsets, ((size_t)rows + 1) * sizeof(int)),
                       device_copy_of(columns, (size_t)entries * sizeof(int)), NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                       OCEAN_INDEX_BASE_ZERO, CUDA_R_32F));
  return matrix;
}

static void destroy(oceanSpMatDescr_t matrix) {
  int64_t rows, cols, nnz;
  void *offsets, *columns, *values;
  oceanIndexType_t offset_type, column_type;
  oceanIndexBase_t base;
  oceanDataType_t type;
  CHECK(oceanCsrGet(matrix, &rows, &cols, &nnz, &offsets, &columns, &values, &offset_type, &column_type, &base, &type));
  CHECK(oceanDestroySpMat(matrix));
  device_free(offsets);
  device_free(columns);
}

/* Edges of the wheel, smaller end first. */
static void wheel(int edges[EDGES][2]) {
  for (int i = 1; i <= RIM; i++) {
    const int next = i % RIM + 1;
    edges[2 * i - 2][0] = 0;
    edges[2 * i - 2][1] = i;
    edges[2 * i - 1][0] = i < next ? i : next;
    edges[2 * i - 1][1] = i < next ? next : i;
  }
}

int main(void) {
  const oceanOperation_t N = OCEAN_OPERATION_NON_TRANSPOSE;
  int edges[EDGES][2], lower_offsets[VERTICES + 1] = {0}, lower[EDGES], end_offsets[VERTICES + 1] = {0},
                                                ends[2 * EDGES];
  int in_lower = 0, in_ends = 0;
  wheel(edges);
  for (int vertex = 0; vertex < VERTICES; vertex++) {
    for (int edge = 0; edge < EDGES; edge++) {
      if (edges[edge][1] == vertex) lower[in_lower++] = edges[edge][0];
      if (edges[edge][0] == vertex || edges[edge][1] == vertex) ends[in_ends++] = edge;
    }
    lower_offsets[vertex + 1] = in_lower;
    end_offsets[vertex + 1] = in_ends;
  }

  oceanHandle_t handle;
  oceanSpGEMMDescr_t product;
  oceanSpMatDescr_t c;
  CHECK(oceanCreateWithBackend(&handle, BACKEND));
  oceanSpMatDescr_t l = pattern(VERTICES, VERTICES, lower_offsets, lower);
  oceanSpMatDescr_t e = pattern(VERTICES, EDGES, end_offsets, ends);
  CHECK(oceanCreateCsr(&c, VERTICES, EDGES, 0, NULL, NULL, NULL, OCEAN_INDEX_32I, OCEAN_INDEX_32I,
                       OCEAN_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(oceanSpGEMM_createDescr(&product));

  /* Of the reuse protocol the first two steps: they look at patterns alone, and count. */
  size_t bytes = 0, bytes2 = 0, bytes3 = 0, bytes4 = 0;
  CHECK(oceanSpGEMMreuse_workEstimation(handle, N, N, l, e, c, OCEAN_SPGEMM_DEFAULT, product, &bytes, NULL));
  void* buffer = device_allocate(bytes);
  CHECK(oceanSpGEMMreuse_workEstimation(handle, N, N, l, e, c, OCEAN_SPGEMM_DEFAULT, product, &bytes, buffer));
  CHECK(oceanSpGEMMreuse_nnz(handle, N, N, l, e, c, OCEAN_SPGEMM_DEFAULT, product, &bytes2, NULL, &bytes3, NULL,
                             &bytes4, NULL));
  void *buffer2 = device_allocate(bytes2), *buffer3 = device_allocate(bytes3), *buffer4 = device_allocate(bytes4);
  CHECK(oceanSpGEMMreuse_nnz(handle, N, N, l, e, c, OCEAN_SPGEMM_DEFAULT, product, &bytes2, buffer2, &bytes3, buffer3,
                             &bytes4, buffer4));

  int64_t rows, cols, entries, products;
  CHECK(oceanSpGEMM_getNumProducts(product, &products));
  CHECK(oceanSpMatGetSize(c, &rows, &cols, &entries));
  const int triangles = (int)(products - entries);
  printf("%d triangles in a wheel of %d spokes\n", triangles, RIM);

  CHECK(oceanSpGEMM_destroyDescr(product));
  device_free(buffer);
  device_free(buffer2);
  device_free(buffer3);
  device_free(buffer4);
  CHECK(oceanDestroySpMat(c));
  destroy(e);
  destroy(l);
  CHECK(oceanDestroy(handle));
  return triangles == RIM ? EXIT_SUCCESS : EXIT_FAILURE;
}
