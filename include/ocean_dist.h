/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from src/ffi/dist by `cargo xtask header`; do not edit by hand. */

/**
 * ocean over many ranks: C = A * B for matrices that are spread over the processes of an MPI program, or of any other that
 * can send messages. No MPI header is needed, and the library links no MPI.
 *
 *   oceanDistCreate(&dist, NULL, &comm, sizeof comm, NULL);                      all ranks of comm
 *   oceanDistCreateMatRows(dist, &a, n, n, first, count, offsets, columns, values, ...);
 *   oceanDistSpGEMM_plan(dist, a, a, NULL, &plan);                               once a pattern
 *   oceanDistSpGEMM_execute(plan, a, a, &c);                                     once for every set of values
 *   oceanDistMatGetPointers(c, &offsets, &columns, &values);                     this rank's rows of C
 *
 * The conventions of ocean.h hold. Besides:
 *
 * Collective  What is marked so is called by all ranks, in the same order, with the same sizes and options. It ends the
 *             same way on all of them: with success, or with one status and one message, which begins with the rank where
 *             the trouble arose: "rank 3: colInd has 12 at place 4, of 10 that count from 0". The next call works. A rank
 *             whose own arguments are wrong fails all; only one whose handle or plan is NULL or dead fails alone, since
 *             nobody knows whom to tell, and the others wait for it, up to the timeout. A rank that does not come within
 *             that leaves the handle out of step: later calls with it are refused, with that word.
 * Memory      All arrays lie in host memory, and are read or written during the call: none of the caller's is kept.
 *             What a product gives belongs to its matrix. Products are computed on the host so far.
 * Sizes       Rows and columns are 64-bit. A rank's block of a matrix has fewer than 2^31 of each, and C, which comes back
 *             by rows, fewer than 2^31 columns: more are refused.
 * Threads     One call at a time with one dist and what was made with it, all from the thread that may call MPI. The
 *             library computes in threads of its own, which never call MPI.
 * Destroying  In any order. Matrices, plans and options are one rank's own; destroying dist is collective.
 */

#ifndef OCEAN_DIST_H
#define OCEAN_DIST_H

#include <stddef.h>
#include <stdint.h>
#include "ocean.h"

/** How a product is spread over ranks. See docs/distributed.md. */
typedef enum {
  /** What a model of the machine predicts to be fastest; oceanDistSpGEMM_explain() says why. */
  OCEAN_DIST_AUTO = 0,
  /** Two dimensions between nodes, one inside each: the algorithm of Trident (ICS 2026). */
  OCEAN_DIST_TRIDENT = 1,
  /** Sparse SUMMA on the squarest grid of ranks. */
  OCEAN_DIST_SUMMA = 2,
  /** By rows; each rank fetches the rows of B that its columns of A name. */
  OCEAN_DIST_ROWS = 3,
  /** By rows; each node fetches those rows once and shares them inside. */
  OCEAN_DIST_ROWS_PER_NODE = 4,
  /** Everything on rank 0. */
  OCEAN_DIST_SINGLE = 5,
} oceanDistAlgorithm_t;

/** The ranks of a communicator, behind oceanDistHandle_t. */
typedef struct oceanDistContext oceanDistContext;

/** A matrix spread over ranks, behind oceanDistMat_t. */
typedef struct oceanDistMat oceanDistMat;

/** What may be said of handles and products, behind oceanDistOptions_t. */
typedef struct oceanDistOptions oceanDistOptions;

/** A product that has been prepared, behind oceanDistPlan_t. */
typedef struct oceanDistPlan oceanDistPlan;

/** Options. NULL stands for the defaults wherever options are asked for; what is asked for them copies what it needs. */
typedef oceanDistOptions *oceanDistOptions_t;

/** One rank's hold on all ranks of a communicator. From oceanDistCreate() to oceanDistDestroy(). */
typedef oceanDistContext *oceanDistHandle_t;

/**
 * Begins to send bytes to rank `to`; they stay where they are, unchanged, until the request is done. Writes something
 * by which `test` knows the request.
 */
typedef int (*oceanDistSendFn_t)(void *user,
                                 int32_t to,
                                 int32_t tag,
                                 const void *data,
                                 size_t bytes,
                                 void **request);

/**
 * Begins to receive the next message from rank `from` with this tag, of at most `bytes` bytes; longer ones are an error.
 * Nobody else touches `data` until the request is done. At most one receive for a rank and tag is open at a time.
 */
typedef int (*oceanDistReceiveFn_t)(void *user,
                                    int32_t from,
                                    int32_t tag,
                                    void *data,
                                    size_t bytes,
                                    void **request);

/**
 * Whether a request is done: writes 0 or 1 and, of a receive that is done, how many bytes came. A request that is done is
 * not asked about again, so that what belongs to it may go.
 */
typedef int (*oceanDistTestFn_t)(void *user,
                                 void *request,
                                 int32_t *done,
                                 size_t *bytes);

/** Ends the transport on this rank: the last call. Requests may be open still; their memory must not be touched any more. */
typedef void (*oceanDistReleaseFn_t)(void *user);

/**
 * How a rank sends messages to others and receives them, for programs without MPI. Functions return 0, or a number of
 * their own that stands in the error's text; none may wait, unwind or call the library. The library calls them from
 * the thread that called it. Between two ranks, messages of one tag arrive in the order in which they were sent; tags
 * are 0 to 2^31 - 1. Sends make progress although the other rank is not there yet, or at the latest when it tests.
 */
typedef struct {
  /** sizeof(oceanDistTransport_t). */
  size_t bytes;
  /** This rank, from 0. */
  int32_t rank;
  /** All ranks. */
  int32_t ranks;
  /** A number for each rank's node, so many as ranks; read during the call. NULL: each is a node of its own. */
  const int32_t *nodes;
  /** Not NULL. */
  oceanDistSendFn_t send;
  /** Not NULL. */
  oceanDistReceiveFn_t receive;
  /** Not NULL. */
  oceanDistTestFn_t test;
  /** May be NULL. */
  oceanDistReleaseFn_t release;
} oceanDistTransport_t;

/** One rank's share of a matrix. */
typedef oceanDistMat *oceanDistMat_t;

/** All that products of one pattern share. */
typedef oceanDistPlan *oceanDistPlan_t;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Makes options, with the defaults. Not collective; all ranks of a collective call must give the same.
 *
 * @param[out] options  NULL on failure. Ends with oceanDistDestroyOptions.
 * @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
 */
oceanStatus_t oceanDistCreateOptions(oceanDistOptions_t *options) OCEAN_NOEXCEPT;

/**
 * Ends options. What was made with them stays as it is.
 *
 * @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if these are no live options.
 */
oceanStatus_t oceanDistDestroyOptions(oceanDistOptions_t options) OCEAN_NOEXCEPT;

/**
 * How products are spread. Default: OCEAN_DIST_AUTO.
 *
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options or no such algorithm.
 */
oceanStatus_t oceanDistSetAlgorithm(oceanDistOptions_t options,
                                    oceanDistAlgorithm_t algorithm) OCEAN_NOEXCEPT;

/**
 * Trident on this grid: nodeRows x nodeCols nodes of inRows x inCols ranks each. OCEAN_DIST_TRIDENT itself takes the
 * squarest grid of nodes, and inCols = 1, as the paper does.
 *
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or a number below 1. Whether the ranks of a handle
 *         fill the grid is seen when a product is planned.
 */
oceanStatus_t oceanDistSetGrid(oceanDistOptions_t options,
                               int32_t nodeRows,
                               int32_t nodeCols,
                               int32_t inRows,
                               int32_t inCols) OCEAN_NOEXCEPT;

/**
 * In what order an entry of C is summed.
 *
 * 0, the default: in one chain over A's row by ascending column, as one process sums it: the same bits on any number of
 * ranks, but a rank computes only once all it needs is there. 1 or more: a chain for each so many rounds of the
 * algorithm, whose sums are added in ascending order: a rank computes while the next round travels, in less memory, and
 * the bits depend on the grid.
 *
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or rounds below 0.
 */
oceanStatus_t oceanDistSetSums(oceanDistOptions_t options,
                               int32_t rounds) OCEAN_NOEXCEPT;

/**
 * Whether rows, columns and the inner dimension are put in a random order while a product is computed, each by its size,
 * so that a square matrix is permuted symmetrically: spreads what is clustered. C comes back in the given order; sums
 * follow the random one. Default: no.
 *
 * @param[in] permute  0 for no.
 * @param[in] seed     which random order.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options.
 */
oceanStatus_t oceanDistSetPermutation(oceanDistOptions_t options,
                                      int32_t permute,
                                      int64_t seed) OCEAN_NOEXCEPT;

/**
 * Bytes that a rank may need for a product, by the estimate of OCEAN_DIST_AUTO. Default: 0, which is any.
 *
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options. A product that no algorithm can do in so little is
 *         refused when it is planned.
 */
oceanStatus_t oceanDistSetMemoryLimit(oceanDistOptions_t options,
                                      size_t bytes) OCEAN_NOEXCEPT;

/**
 * What OCEAN_DIST_AUTO takes the machine for: of links between nodes and inside them the latency in seconds and the bytes
 * per second that one rank receives, and the scalar products per second of one rank. The default stands in for the
 * paper's machine, and was not measured.
 *
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, a latency below 0, or a speed not above 0.
 */
oceanStatus_t oceanDistSetMachine(oceanDistOptions_t options,
                                  double latencyBetween,
                                  double bytesPerSecondBetween,
                                  double latencyInside,
                                  double bytesPerSecondInside,
                                  double productsPerSecond) OCEAN_NOEXCEPT;

/**
 * How long a rank waits while nothing moves before a call fails, on all ranks. Has to be longer than any rank's own
 * computing. Default: 0, which is for ever. Of use to the functions that create an oceanDistHandle_t.
 *
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or seconds that are not 0 or more, or above 1e9.
 */
oceanStatus_t oceanDistSetTimeout(oceanDistOptions_t options,
                                  double seconds) OCEAN_NOEXCEPT;

/**
 * How many consecutive ranks are a node. Default: 0, which is those that share memory. Of use to the functions that
 * create an oceanDistHandle_t.
 *
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or ranks below 0. Whether it divides the ranks is seen
 *         when a handle is created.
 */
oceanStatus_t oceanDistSetRanksPerNode(oceanDistOptions_t options,
                                       int32_t ranks) OCEAN_NOEXCEPT;

/**
 * Where mpi/ocean_mpi.c lies, compiled with the program's MPI as a shared library. By default that is what the environment
 * variable OCEAN_MPI_SHIM says, or libocean_mpi.so beside libocean.so, or what the loader finds by that name. Of use to
 * oceanDistCreate() and oceanDistCreateFortran().
 *
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options or a NULL path.
 */
oceanStatus_t oceanDistSetShim(oceanDistOptions_t options,
                               const char *path) OCEAN_NOEXCEPT;

/**
 * The rules of oceanDistMcl(), which are those of the program `mcl`.
 *
 * @param[in] inflation  the power of each step; default 2. More gives smaller clusters.
 * @param[in] prune      entries below 1 / prune are dropped; default 10000.
 * @param[in] select     of more entries in a column than so many, the largest are kept; default 1100.
 * @param[in] recover    where less than mass is left, so many of the largest are kept instead; default 1400.
 * @param[in] mass       of 1; default 0.9.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, an inflation not above 1, prune not above 1, counts below 1 or
 *         a mass outside of 0 to 1.
 */
oceanStatus_t oceanDistSetMclRules(oceanDistOptions_t options,
                                   double inflation,
                                   double prune,
                                   int32_t select,
                                   int32_t recover,
                                   double mass) OCEAN_NOEXCEPT;

/**
 * When oceanDistMcl() ends: once all distributions are flat to within chaos (default 1e-3), or after so many
 * iterations (default 1000).
 *
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, a chaos not above 0, or iterations below 1.
 */
oceanStatus_t oceanDistSetMclEnd(oceanDistOptions_t options,
                                 double chaos,
                                 int32_t iterations) OCEAN_NOEXCEPT;

/**
 * Joins the ranks of an MPI communicator. Collective over it.
 *
 * The communicator is duplicated, and errors on the duplicate return; MPI is neither started nor ended. MPI has to be
 * there for MPI_THREAD_FUNNELED with all calls from the main thread, or MPI_THREAD_SERIALIZED. Needs mpi/ocean_mpi.c,
 * compiled with the program's mpicc: see oceanDistSetShim().
 *
 * @param[out] dist       NULL on failure. Ends with oceanDistDestroy.
 * @param[in]  local      where each rank computes: NULL, or a handle of OCEAN_BACKEND_HOST; not kept.
 * @param[in]  comm       address of an MPI_Comm.
 * @param[in]  commBytes  sizeof(MPI_Comm).
 * @param[in]  options    ranks per node, timeout and shim are read; or NULL.
 * @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead options, ranks per node that do
 *         not divide the ranks; NOT_SUPPORTED for a local handle on a GPU. A rank that cannot reach its communicator
 *         fails alone: no shim, an MPI_Comm of another size, MPI not running, too few threads (INVALID_VALUE), or
 *         what MPI refuses (EXECUTION_FAILED).
 */
oceanStatus_t oceanDistCreate(oceanDistHandle_t *dist,
                              oceanHandle_t local,
                              const void *comm,
                              size_t commBytes,
                              oceanDistOptions_t options) OCEAN_NOEXCEPT;

/**
 * As oceanDistCreate, for a communicator as Fortran has it: an INTEGER, or the MPI_VAL of a type(MPI_Comm).
 *
 * @param[out] dist     NULL on failure. Ends with oceanDistDestroy.
 * @param[in]  local    as oceanDistCreate.
 * @param[in]  comm     a live communicator.
 * @param[in]  options  as oceanDistCreate.
 * @return as oceanDistCreate.
 */
oceanStatus_t oceanDistCreateFortran(oceanDistHandle_t *dist,
                                     oceanHandle_t local,
                                     int32_t comm,
                                     oceanDistOptions_t options) OCEAN_NOEXCEPT;

/**
 * Joins ranks that send each other messages by functions of the program's own. Collective over them.
 *
 * @param[out] dist     NULL on failure. Ends with oceanDistDestroy.
 * @param[in]  local    as oceanDistCreate.
 * @param[in]  table    this rank's functions; copied.
 * @param[in]  user     given to every function; the program's, until release has been called.
 * @param[in]  options  ranks per node and timeout are read; or NULL.
 * @return OCEAN_STATUS_SUCCESS, on all ranks or on none, as oceanDistCreate; a rank whose table cannot be used, since it is
 *         NULL, of another size, without a function, or has no such rank, fails alone with INVALID_VALUE, and nothing
 *         in the table is called.
 */
oceanStatus_t oceanDistCreateWithTransport(oceanDistHandle_t *dist,
                                           oceanHandle_t local,
                                           const oceanDistTransport_t *table,
                                           void *user,
                                           oceanDistOptions_t options) OCEAN_NOEXCEPT;

/**
 * Leaves the ranks. Collective, unless MPI has ended before, which is fine too. Matrices stay; plans cannot be executed any
 * more.
 *
 * @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live handle.
 */
oceanStatus_t oceanDistDestroy(oceanDistHandle_t dist) OCEAN_NOEXCEPT;

/**
 * Which rank this is, of how many, and how many are a node. Not collective.
 *
 * @param[out] rank, ranks, perNode  all or none are written.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or dist is no live handle.
 */
oceanStatus_t oceanDistGetRank(oceanDistHandle_t dist,
                               int32_t *rank,
                               int32_t *ranks,
                               int32_t *perNode) OCEAN_NOEXCEPT;

/**
 * A matrix of which every rank gives consecutive rows, those of rank 0 first: the blocks of PETSc, hypre and Tpetra.
 * Collective.
 *
 * The arrays are read during the call, copied, and not kept: 16 bytes and a value for each entry. Rows may be unsorted and
 * may repeat columns. A rank may have no rows, and then NULL arrays and any firstRow. Products of this matrix on the
 * left come back in the same rows.
 *
 * @param[in]  dist        the ranks.
 * @param[out] mat         NULL on failure. Ends with oceanDistDestroyMat.
 * @param[in]  rows, cols  of the whole matrix; the same on all ranks.
 * @param[in]  firstRow    the first of this rank's rows, from 0, whatever the base.
 * @param[in]  localRows   how many this rank has.
 * @param[in]  rowOffsets  host, localRows + 1: where each row starts in the two other arrays, and where the last ends,
 *                         counted from the base.
 * @param[in]  colInd      host: columns of the whole matrix, counted from the base.
 * @param[in]  values      host.
 * @param[in]  offsetType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
 * @param[in]  colType     OCEAN_INDEX_32I or OCEAN_INDEX_64I.
 * @param[in]  idxBase     what offsets and columns count from.
 * @param[in]  valueType   CUDA_R_32F, R_64F, C_32F or C_64F; the same on all ranks.
 * @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, negative or different sizes, rows that do
 *         not follow those of the rank before, offsets that fall or do not start at the base, columns out of range,
 *         arrays that are not aligned to their elements; NOT_SUPPORTED for other types; ALLOC_FAILED.
 */
oceanStatus_t oceanDistCreateMatRows(oceanDistHandle_t dist,
                                     oceanDistMat_t *mat,
                                     int64_t rows,
                                     int64_t cols,
                                     int64_t firstRow,
                                     int64_t localRows,
                                     const void *rowOffsets,
                                     const void *colInd,
                                     const void *values,
                                     oceanIndexType_t offsetType,
                                     oceanIndexType_t colType,
                                     oceanIndexBase_t idxBase,
                                     oceanDataType_t valueType) OCEAN_NOEXCEPT;

/**
 * A matrix of which every rank gives any entries, in any order. Collective.
 *
 * The arrays are read during the call, copied, and not kept: 16 bytes and a value for each entry. Entries at one place
 * count as separate ones, in the order of ranks and of their places on each. Products of this matrix on the left come
 * back in rows that are cut evenly: of m rows on p ranks, rank r gets those from floor(m r / p) on.
 *
 * @param[in]  dist           the ranks.
 * @param[out] mat            NULL on failure. Ends with oceanDistDestroyMat.
 * @param[in]  rows, cols     of the whole matrix; the same on all ranks.
 * @param[in]  localNnz       how many entries this rank gives.
 * @param[in]  rowInd, colInd host, localNnz: rows and columns of the whole matrix, counted from the base.
 * @param[in]  values         host, localNnz.
 * @param[in]  indexType      of rows and columns: OCEAN_INDEX_32I or OCEAN_INDEX_64I.
 * @param[in]  idxBase        what rows and columns count from.
 * @param[in]  valueType      as oceanDistCreateMatRows.
 * @return as oceanDistCreateMatRows.
 */
oceanStatus_t oceanDistCreateMatCoo(oceanDistHandle_t dist,
                                    oceanDistMat_t *mat,
                                    int64_t rows,
                                    int64_t cols,
                                    int64_t localNnz,
                                    const void *rowInd,
                                    const void *colInd,
                                    const void *values,
                                    oceanIndexType_t indexType,
                                    oceanIndexBase_t idxBase,
                                    oceanDataType_t valueType) OCEAN_NOEXCEPT;

/**
 * Ends one rank's share of a matrix. Not collective; plans that were made with it stay.
 *
 * @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live matrix.
 */
oceanStatus_t oceanDistDestroyMat(oceanDistMat_t mat) OCEAN_NOEXCEPT;

/**
 * Sizes of a matrix. Not collective.
 *
 * @param[out] rows, cols  of the whole matrix.
 * @param[out] localNnz    entries that this rank gave, or has of a product. All or none are written.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or mat is no live matrix.
 */
oceanStatus_t oceanDistMatGetSize(oceanDistMat_t mat,
                                  int64_t *rows,
                                  int64_t *cols,
                                  int64_t *localNnz) OCEAN_NOEXCEPT;

/**
 * Other values for the entries that this rank gave, in the same order. Not collective; the ranks that have entries
 * should all do so before the next product. Cost: a copy.
 *
 * @param[in] mat       from oceanDistCreateMatRows or oceanDistCreateMatCoo.
 * @param[in] localNnz  how many entries this rank gave.
 * @param[in] values    host, localNnz, of the matrix's type; read during the call.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, a product, or another number of entries, after which the matrix
 *         is as it was.
 */
oceanStatus_t oceanDistMatSetValues(oceanDistMat_t mat,
                                    int64_t localNnz,
                                    const void *values) OCEAN_NOEXCEPT;

/**
 * Which rows of a product this rank has, and how many entries. Not collective.
 *
 * @param[in]  mat        a product.
 * @param[out] firstRow   from 0.
 * @param[out] localRows  consecutive ones.
 * @param[out] localNnz   their entries. All or none are written.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or mat is no live product.
 */
oceanStatus_t oceanDistMatGetRows(oceanDistMat_t mat,
                                  int64_t *firstRow,
                                  int64_t *localRows,
                                  int64_t *localNnz) OCEAN_NOEXCEPT;

/**
 * Copies this rank's rows of a product. Not collective. Rows are sorted, without repeats.
 *
 * @param[in]  mat         a product.
 * @param[out] rowOffsets  host, localRows + 1, or NULL for none: where each row starts, and where the last ends.
 * @param[out] colInd      host, localNnz, or NULL for none: columns of the whole matrix.
 * @param[out] values      host, localNnz, or NULL for none.
 * @param[in]  offsetType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
 * @param[in]  colType     OCEAN_INDEX_32I or OCEAN_INDEX_64I.
 * @param[in]  idxBase     what offsets and columns shall count from.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if mat is no live product, for wrong enums, or arrays that are not aligned to
 *         their elements; INSUFFICIENT_RESOURCES if 32 bits are too few, after which nothing is written.
 */
oceanStatus_t oceanDistMatCopyRows(oceanDistMat_t mat,
                                   void *rowOffsets,
                                   void *colInd,
                                   void *values,
                                   oceanIndexType_t offsetType,
                                   oceanIndexType_t colType,
                                   oceanIndexBase_t idxBase) OCEAN_NOEXCEPT;

/**
 * Where this rank's rows of a product lie, to be read without a copy. Not collective. Offsets and columns count from 0.
 * The arrays belong to mat and live as long as it does.
 *
 * @param[in]  mat         a product.
 * @param[out] rowOffsets  host, localRows + 1.
 * @param[out] colInd      host, localNnz.
 * @param[out] values      host, localNnz. All or none are written.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or mat is no live product.
 */
oceanStatus_t oceanDistMatGetPointers(oceanDistMat_t mat,
                                      const int64_t **rowOffsets,
                                      const int32_t **colInd,
                                      const void **values) OCEAN_NOEXCEPT;

/**
 * Settles how C = A * B is computed for matrices of these patterns: which algorithm, where entries go, and what travels when.
 * Collective.
 *
 * Where matA and matB are the same matrix, the product is A * A and takes one copy of it. The plan does not keep the
 * matrices. Cost: every place of an entry travels once; a plan holds some 20 bytes for each entry of A and B on a rank.
 * Source: for OCEAN_DIST_TRIDENT, "Trident", ICS 2026, section 3, and docs/distributed.md for what differs from it.
 *
 * @param[in]  dist        the ranks.
 * @param[in]  matA, matB  m x k and k x n, made with dist, or products on it; of one type.
 * @param[in]  options     algorithm, sums, permutation, memory limit and machine are read; or NULL.
 * @param[out] plan        NULL on failure. Ends with oceanDistDestroyPlan.
 * @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead matrices or options, sizes
 *         that do not fit, a grid that is not the ranks', options that differ between ranks, a memory limit too small;
 *         NOT_SUPPORTED for different types, or blocks with 2^31 rows or columns; ALLOC_FAILED; EXECUTION_FAILED for a
 *         rank that does not come within the timeout.
 */
oceanStatus_t oceanDistSpGEMM_plan(oceanDistHandle_t dist,
                                   oceanDistMat_t matA,
                                   oceanDistMat_t matB,
                                   oceanDistOptions_t options,
                                   oceanDistPlan_t *plan) OCEAN_NOEXCEPT;

/**
 * Ends a plan. Not collective; products stay.
 *
 * @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live plan.
 */
oceanStatus_t oceanDistDestroyPlan(oceanDistPlan_t plan) OCEAN_NOEXCEPT;

/**
 * C = A * B, for any values of the patterns that were planned for. Collective.
 *
 * Only values travel, and the parts of A and B that the algorithm sends. The bits are those that oceanDistSetSums() says.
 * C's rows come back to the ranks that have A's, if A was made from rows, or is a product; else evenly cut.
 *
 * @param[in]  plan        from oceanDistSpGEMM_plan; its handle must be alive.
 * @param[in]  matA, matB  of the patterns of the plan: the same matrices with the same or other values, or others. For
 *                         a plan of A * A, one matrix twice.
 * @param[out] matC        m x n; NULL on failure. Ends with oceanDistDestroyMat.
 * @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead matrices, or another pattern or type
 *         than planned for; ALLOC_FAILED; EXECUTION_FAILED for a rank that does not do its part within the timeout, or
 *         what the transport refuses. After each of these the plan may be executed again, unless the message says
 *         that the communicator is out of step.
 */
oceanStatus_t oceanDistSpGEMM_execute(oceanDistPlan_t plan,
                                      oceanDistMat_t matA,
                                      oceanDistMat_t matB,
                                      oceanDistMat_t *matC) OCEAN_NOEXCEPT;

/**
 * C = A * B in one call: plans, executes, and forgets the plan. Collective.
 *
 * @param[in]  dist        the ranks.
 * @param[in]  matA, matB  as oceanDistSpGEMM_plan.
 * @param[in]  options     as oceanDistSpGEMM_plan.
 * @param[out] matC        as oceanDistSpGEMM_execute.
 * @return as oceanDistSpGEMM_plan and oceanDistSpGEMM_execute.
 */
oceanStatus_t oceanDistSpGEMM(oceanDistHandle_t dist,
                              oceanDistMat_t matA,
                              oceanDistMat_t matB,
                              oceanDistOptions_t options,
                              oceanDistMat_t *matC) OCEAN_NOEXCEPT;

/**
 * How a plan's products are computed and, where the library has chosen, why so: the candidates with what they would move,
 * hold and take, by the model. Not collective, and the same on all ranks.
 *
 * @param[in]     plan    from oceanDistSpGEMM_plan.
 * @param[in]     format  lines for people, or one JSON object.
 * @param[out]    buffer  host, or NULL: then only *size is written.
 * @param[in,out] size    host; bytes with the NUL at the end.
 * @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, a dead plan or no such format; INSUFFICIENT_RESOURCES if *size
 *         is less than what is needed, which the message tells; nothing is written then.
 */
oceanStatus_t oceanDistSpGEMM_explain(oceanDistPlan_t plan,
                                      oceanReportFormat_t format,
                                      char *buffer,
                                      size_t *size) OCEAN_NOEXCEPT;

/**
 * What the plan's last product took: parcels, entries and bytes received between nodes and inside, and seconds by phase, on
 * this rank, and the least, the mean and the most of all ranks. Not collective.
 *
 * @param[in]     plan    after oceanDistSpGEMM_execute.
 * @param[in]     format  lines for people, or one JSON object.
 * @param[out]    buffer  host, or NULL: then only *size is written.
 * @param[in,out] size    host; bytes with the NUL at the end.
 * @return as oceanDistSpGEMM_explain; INVALID_VALUE too if nothing has been executed.
 */
oceanStatus_t oceanDistSpGEMM_profile(oceanDistPlan_t plan,
                                      oceanReportFormat_t format,
                                      char *buffer,
                                      size_t *size) OCEAN_NOEXCEPT;

/**
 * Markov clustering of a graph (van Dongen 2000), by the rules of the program `mcl`. Collective.
 *
 * Entry (i, j) is the weight of an edge between nodes i and j; of several between two nodes, in either direction, the
 * heaviest counts, and loops do not. Every node gets a loop as heavy as its heaviest edge. Then distributions are
 * expanded (a product), pruned and inflated until they are at rest. The clusters are the same on any number of
 * ranks. Cost: a product for each iteration, some 20 to 60 of them; a rank holds its rows of the product before they are
 * pruned. Source of the distribution: "Trident", ICS 2026, section 5.
 *
 * @param[in]  dist        the ranks.
 * @param[in]  graph       square, with weights of CUDA_R_32F or R_64F, finite and not below 0.
 * @param[in]  options     the rules, and how products are spread (sums and permutation are not asked); or NULL.
 * @param[out] labels      host: for each row of this rank, as oceanDistCreateMatRows was given them or oceanDistCreateMatCoo
 *                         says, the number of its cluster, from 0; larger clusters have smaller numbers. NULL if the rank has none.
 * @param[out] clusters    how many there are in all.
 * @param[out] iterations  how many steps it took. Nothing is written on failure.
 * @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead objects, a graph that is not square,
 *         or a wrong weight; NOT_SUPPORTED for complex weights; what products return.
 */
oceanStatus_t oceanDistMcl(oceanDistHandle_t dist,
                           oceanDistMat_t graph,
                           oceanDistOptions_t options,
                           int64_t *labels,
                           int64_t *clusters,
                           int32_t *iterations) OCEAN_NOEXCEPT;

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OCEAN_DIST_H */
