/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A * A over the ranks of an MPI program, for the second differences on a line: every rank has some consecutive rows of
 * A and gets the same rows of C. Rows of A * A are 1 -4 6 -4 1, which each rank checks for itself. */
#include <mpi.h>
#include <ocean_dist_mpi.h>
#include <stdlib.h>

#include "../common/check.h"

int main(int argc, char** argv) {
  const int64_t n = argc > 1 ? strtoll(argv[1], NULL, 10) : 1000;
  int provided, rank, ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  /* This rank's rows; columns are numbered over all ranks. */
  const int64_t first = n * rank / ranks, count = n * (rank + 1) / ranks - first;
  int32_t* offsets = malloc(sizeof *offsets * (size_t)(count + 1));
  int64_t* columns = malloc(sizeof *columns * (size_t)(3 * count + 1));
  double* values = malloc(sizeof *values * (size_t)(3 * count + 1));
  if (offsets == NULL || columns == NULL || values == NULL) return EXIT_FAILURE;
  int32_t nnz = 0;
  for (int64_t i = 0; i < count; i++) {
    offsets[i] = nnz;
    for (int64_t j = first + i - 1; j <= first + i + 1; j++) {
      if (j < 0 || j >= n) continue;
      columns[nnz] = j;
      values[nnz++] = j == first + i ? 2 : -1;
    }
  }
  offsets[count] = nnz;

  /* ANCHOR: product */
  oceanDistHandle_t dist;
  oceanDistMat_t a, c;
  oceanDistPlan_t plan;
  CHECK(oceanDistCreateMPI(&dist, NULL, MPI_COMM_WORLD, NULL));
  CHECK(oceanDistCreateMatRows(dist, &a, n, n, first, count, offsets, columns, values, OCEAN_INDEX_32I, OCEAN_INDEX_64I,
                               OCEAN_INDEX_BASE_ZERO, CUDA_R_64F));
  CHECK(oceanDistSpGEMM_plan(dist, a, a, NULL, &plan)); /* once a pattern */
  CHECK(oceanDistSpGEMM_execute(plan, a, a, &c));       /* again after oceanDistMatSetValues(a, ...) */

  const int64_t* c_offsets; /* this rank's rows of C */
  const int32_t* c_columns;
  const void* c_values;
  CHECK(oceanDistMatGetPointers(c, &c_offsets, &c_columns, &c_values));
  /* ANCHOR_END: product */

  long long entries = c_offsets[count], all_entries;
  int wrong = 0, all_wrong;
  for (int64_t i = 0; i < count; i++) {
    if (first + i < 2 || first + i >= n - 2) continue; /* rows at the ends are shorter */
    const double row[] = {1, -4, 6, -4, 1}, *found = (const double*)c_values + c_offsets[i];
    wrong += c_offsets[i + 1] - c_offsets[i] != 5 || c_columns[c_offsets[i]] != first + i - 2;
    for (int k = 0; k < 5 && !wrong; k++) wrong += found[k] != row[k];
  }
  MPI_Allreduce(&entries, &all_entries, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks: C has %lld entries, %d of its rows are wrong\n", ranks, all_entries, all_wrong);

  CHECK(oceanDistDestroyMat(c));
  CHECK(oceanDistDestroyPlan(plan));
  CHECK(oceanDistDestroyMat(a));
  CHECK(oceanDistDestroy(dist));
  free(offsets);
  free(columns);
  free(values);
  MPI_Finalize();
  return all_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
