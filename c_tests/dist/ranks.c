// SPDX-License-Identifier: MIT OR Apache-2.0
//
// An MPI program of the library: products of rows and of entries over the ranks that mpirun starts, bit for bit those
// of one process, in the whole world and in halves of it; new values; clusters; one rank's error. Each rank that comes
// to its end leaves a file in the folder that is its argument.
#include <mpi.h>
#include <ocean_dist.h>
#include <ocean_dist_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 70 };

static int world_rank;

#define CHECK(condition)                          \
  do {                                            \
    if (!(condition)) fail(__LINE__, #condition); \
  } while (0)
#define CHECK_OK(call) CHECK((call) == OCEAN_STATUS_SUCCESS)

static void fail(int line, const char* what) {
  fprintf(stderr, "%s:%d: rank %d: %s does not hold; last error: %s\n", __FILE__, line, world_rank, what,
          oceanGetLastErrorString());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

typedef struct {
  int offsets[N + 1], columns[N * N];
  double values[N * N];
} Matrix;

static void make(Matrix* a, double scale) {
  int nnz = 0;
  for (int i = 0; i < N; i++) {
    a->offsets[i] = nnz;
    for (int j = 0; j < N; j++) {
      if ((i * i + 3 * j) % 11 > 1 && i != j) continue;
      a->columns[nnz] = j;
      a->values[nnz++] = scale / (1 + (i + 5 * j) % 13);
    }
  }
  a->offsets[N] = nnz;
}

// Each entry one chain over A's row by ascending column, each operation rounded: compiled without contraction.
static void multiply(const Matrix* a, Matrix* c) {
  int nnz = 0;
  for (int i = 0; i < N; i++) {
    double sum[N];
    int there[N] = {0};
    for (int e = a->offsets[i]; e < a->offsets[i + 1]; e++) {
      const int k = a->columns[e];
      for (int f = a->offsets[k]; f < a->offsets[k + 1]; f++) {
        const int j = a->columns[f];
        const double product = a->values[e] * a->values[f];
        sum[j] = there[j] ? sum[j] + product : product;
        there[j] = 1;
      }
    }
    c->offsets[i] = nnz;
    for (int j = 0; j < N; j++) {
      if (!there[j]) continue;
      c->columns[nnz] = j;
      c->values[nnz++] = sum[j];
    }
  }
  c->offsets[N] = nnz;
}

static void check_product(oceanDistMat_t mat, const Matrix* want, int first, int count) {
  int64_t got_first, rows, nnz;
  CHECK_OK(oceanDistMatGetRows(mat, &got_first, &rows, &nnz));
  CHECK(got_first == first && rows == count);
  const int begin = want->offsets[first];
  CHECK(nnz == want->offsets[first + count] - begin);
  const int64_t* offsets;
  const int32_t* columns;
  const void* values;
  CHECK_OK(oceanDistMatGetPointers(mat, &offsets, &columns, &values));
  for (int i = 0; i <= count; i++) CHECK(offsets[i] == want->offsets[first + i] - begin);
  CHECK(memcmp(columns, want->columns + begin, (size_t)nnz * sizeof *columns) == 0);
  CHECK(memcmp(values, want->values + begin, (size_t)nnz * sizeof(double)) == 0);
}

static oceanDistMat_t put_rows(oceanDistHandle_t dist, const Matrix* a, int first, int count) {
  int* offsets = malloc(((size_t)count + 1) * sizeof *offsets);
  CHECK(offsets != NULL);
  const int begin = a->offsets[first];
  for (int i = 0; i <= count; i++) offsets[i] = a->offsets[first + i] - begin;
  oceanDistMat_t mat = NULL;
  CHECK_OK(oceanDistCreateMatRows(dist, &mat, N, N, first, count, offsets, a->columns + begin, a->values + begin,
                                  OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ZERO, CUDA_R_64F));
  free(offsets);  // nothing of the program's is kept
  return mat;
}

static void use(oceanDistHandle_t dist, const Matrix* a, const Matrix* other) {
  static Matrix want, of_other;
  int rank, ranks, per_node;
  CHECK_OK(oceanDistGetRank(dist, &rank, &ranks, &per_node));
  multiply(a, &want);
  multiply(other, &of_other);
  const int first = N * rank / ranks, count = N * (rank + 1) / ranks - first;
  oceanDistMat_t mat = put_rows(dist, a, first, count), c = NULL;

  for (int algorithm = OCEAN_DIST_AUTO; algorithm <= OCEAN_DIST_SINGLE; algorithm++) {
    oceanDistOptions_t options = NULL;
    oceanDistPlan_t plan = NULL;
    CHECK_OK(oceanDistCreateOptions(&options));
    CHECK_OK(oceanDistSetAlgorithm(options, (oceanDistAlgorithm_t)algorithm));
    CHECK_OK(oceanDistSpGEMM_plan(dist, mat, mat, options, &plan));
    CHECK_OK(oceanDistDestroyOptions(options));
    const int begin = a->offsets[first], nnz = a->offsets[first + count] - begin;
    for (int round = 0; round < 2; round++) {
      CHECK_OK(oceanDistMatSetValues(mat, nnz, (round == 0 ? other : a)->values + begin));
      CHECK_OK(oceanDistSpGEMM_execute(plan, mat, mat, &c));
      check_product(c, round == 0 ? &of_other : &want, first, count);
      CHECK_OK(oceanDistDestroyMat(c));
    }
    CHECK_OK(oceanDistDestroyPlan(plan));
  }

  // The last rank gives a column too many; all hear from it, and the next product is right.
  oceanDistMat_t bad = NULL;
  const int64_t row = 0, col = rank == ranks - 1 ? N : 0;
  const double one = 1;
  CHECK(oceanDistCreateMatCoo(dist, &bad, N, N, 1, &row, &col, &one, OCEAN_INDEX_64I, OCEAN_INDEX_BASE_ZERO,
                              CUDA_R_64F) == OCEAN_STATUS_INVALID_VALUE);
  char words[64];
  snprintf(words, sizeof words, "rank %d: colInd has %d at place 0, of %d", ranks - 1, N, N);
  CHECK(bad == NULL && strstr(oceanGetLastErrorString(), words) == oceanGetLastErrorString());
  CHECK_OK(oceanDistSpGEMM(dist, mat, mat, NULL, &c));
  check_product(c, &want, first, count);
  CHECK_OK(oceanDistDestroyMat(c));
  CHECK_OK(oceanDistDestroyMat(mat));
}

// Rings of ten nodes, whose closest are joined; the entries come from wherever.
static void cluster(oceanDistHandle_t dist) {
  int rank, ranks, per_node, count = 0, steps = 0;
  CHECK_OK(oceanDistGetRank(dist, &rank, &ranks, &per_node));
  int32_t rows[10 * N], columns[10 * N];
  float weights[10 * N];
  for (int edge = rank; edge < 10 * N; edge += ranks) {
    const int from = edge / 10, to = from / 10 * 10 + edge % 10;
    rows[count] = from + 1;
    columns[count] = to + 1;
    weights[count++] = 1;
  }
  oceanDistMat_t graph = NULL;
  CHECK_OK(oceanDistCreateMatCoo(dist, &graph, N, N, count, rows, columns, weights, OCEAN_INDEX_32I,
                                 OCEAN_INDEX_BASE_ONE, CUDA_R_32F));
  int64_t labels[N], clusters = 0;
  CHECK_OK(oceanDistMcl(dist, graph, NULL, labels, &clusters, &steps));
  CHECK(clusters == N / 10);
  const int first = N * rank / ranks, end = N * (rank + 1) / ranks;
  for (int node = first; node < end; node++) CHECK(labels[node - first] == node / 10);
  CHECK_OK(oceanDistDestroyMat(graph));
}

int main(int argc, char** argv) {
  int level, ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK(argc == 2);
  static Matrix a, other;
  make(&a, 1);
  make(&other, -7);

  oceanDistOptions_t options = NULL;
  oceanDistHandle_t dist = NULL, half = NULL, fortran = NULL;
  CHECK_OK(oceanDistCreateOptions(&options));
  CHECK_OK(oceanDistSetTimeout(options, 30));
  MPI_Comm comm = MPI_COMM_WORLD;
  CHECK_OK(oceanDistCreate(&dist, NULL, &comm, sizeof comm, options));
  use(dist, &a, &other);
  cluster(dist);

  // Ranks of one parity, in falling order, at the same time as the whole.
  MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, -world_rank, &comm);
  CHECK_OK(oceanDistSetRanksPerNode(options, 1));
  CHECK_OK(oceanDistCreateMPI(&half, NULL, comm, options));
  MPI_Comm_free(&comm);  // the library has its own
  use(half, &other, &a);
  CHECK_OK(oceanDistDestroy(half));

  CHECK_OK(oceanDistCreateFortran(&fortran, NULL, (int32_t)MPI_Comm_c2f(MPI_COMM_WORLD), options));
  use(fortran, &a, &other);
  CHECK_OK(oceanDistDestroyOptions(options));
  CHECK_OK(oceanDistDestroy(dist));
  MPI_Finalize();
  CHECK_OK(oceanDistDestroy(fortran));  // after MPI has ended, too

  char path[1024];
  snprintf(path, sizeof path, "%s/%d", argv[1], world_rank);
  FILE* file = fopen(path, "w");
  return file == NULL || fclose(file) != 0;
}
