! SPDX-License-Identifier: MIT OR Apache-2.0
! Generated from src/ffi/dist by `cargo xtask header`; do not edit by hand.
!
!> ocean's C interface to products over many ranks, for Fortran. include/ocean_dist.h has the conventions, and module
!> ocean what Fortran adds to them. Here, in addition: communicators are integers, as `use mpi` has them (comm%MPI_VAL with
!> mpi_f08); a table of functions for oceanDistCreateWithTransport is the address of one that was made in C.
module ocean_dist
  use ocean
  implicit none
  public

  !> How a product is spread over ranks. See docs/distributed.md.
  enum, bind(c)
    !> What a model of the machine predicts to be fastest; oceanDistSpGEMM_explain() says why.
    enumerator :: OCEAN_DIST_AUTO = 0
    !> Two dimensions between nodes, one inside each: the algorithm of Trident (ICS 2026).
    enumerator :: OCEAN_DIST_TRIDENT = 1
    !> Sparse SUMMA on the squarest grid of ranks.
    enumerator :: OCEAN_DIST_SUMMA = 2
    !> By rows; each rank fetches the rows of B that its columns of A name.
    enumerator :: OCEAN_DIST_ROWS = 3
    !> By rows; each node fetches those rows once and shares them inside.
    enumerator :: OCEAN_DIST_ROWS_PER_NODE = 4
    !> Everything on rank 0.
    enumerator :: OCEAN_DIST_SINGLE = 5
  end enum

  interface
    !> Makes options, with the defaults. Not collective; all ranks of a collective call must give the same.
    !>
    !> @param[out] options  NULL on failure. Ends with oceanDistDestroyOptions.
    !> @return OCEAN_STATUS_SUCCESS, or INVALID_VALUE.
    function oceanDistCreateOptions(options) bind(c, name="oceanDistCreateOptions")
      import
      type(c_ptr), intent(inout) :: options
      integer(c_int) :: oceanDistCreateOptions
    end function

    !> Ends options. What was made with them stays as it is.
    !>
    !> @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if these are no live options.
    function oceanDistDestroyOptions(options) bind(c, name="oceanDistDestroyOptions")
      import
      type(c_ptr), value :: options
      integer(c_int) :: oceanDistDestroyOptions
    end function

    !> How products are spread. Default: OCEAN_DIST_AUTO.
    !>
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options or no such algorithm.
    function oceanDistSetAlgorithm(options, algorithm) bind(c, name="oceanDistSetAlgorithm")
      import
      type(c_ptr), value :: options
      integer(c_int), value :: algorithm
      integer(c_int) :: oceanDistSetAlgorithm
    end function

    !> Trident on this grid: nodeRows x nodeCols nodes of inRows x inCols ranks each. OCEAN_DIST_TRIDENT itself takes the
    !> squarest grid of nodes, and inCols = 1, as the paper does.
    !>
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or a number below 1. Whether the ranks of a handle
    !> fill the grid is seen when a product is planned.
    function oceanDistSetGrid(options, nodeRows, nodeCols, inRows, inCols) bind(c, name="oceanDistSetGrid")
      import
      type(c_ptr), value :: options
      integer(c_int), value :: nodeRows
      integer(c_int), value :: nodeCols
      integer(c_int), value :: inRows
      integer(c_int), value :: inCols
      integer(c_int) :: oceanDistSetGrid
    end function

    !> In what order an entry of C is summed.
    !>
    !> 0, the default: in one chain over A's row by ascending column, as one process sums it: the same bits on any number of
    !> ranks, but a rank computes only once all it needs is there. 1 or more: a chain for each so many rounds of the
    !> algorithm, whose sums are added in ascending order: a rank computes while the next round travels, in less memory, and
    !> the bits depend on the grid.
    !>
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or rounds below 0.
    function oceanDistSetSums(options, rounds) bind(c, name="oceanDistSetSums")
      import
      type(c_ptr), value :: options
      integer(c_int), value :: rounds
      integer(c_int) :: oceanDistSetSums
    end function

    !> Whether rows, columns and the inner dimension are put in a random order while a product is computed, each by its size,
    !> so that a square matrix is permuted symmetrically: spreads what is clustered. C comes back in the given order; sums
    !> follow the random one. Default: no.
    !>
    !> @param[in] permute  0 for no.
    !> @param[in] seed     which random order.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options.
    function oceanDistSetPermutation(options, permute, seed) bind(c, name="oceanDistSetPermutation")
      import
      type(c_ptr), value :: options
      integer(c_int), value :: permute
      integer(c_int64_t), value :: seed
      integer(c_int) :: oceanDistSetPermutation
    end function

    !> Bytes that a rank may need for a product, by the estimate of OCEAN_DIST_AUTO. Default: 0, which is any.
    !>
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options. A product that no algorithm can do in so little is
    !> refused when it is planned.
    function oceanDistSetMemoryLimit(options, bytes) bind(c, name="oceanDistSetMemoryLimit")
      import
      type(c_ptr), value :: options
      integer(c_size_t), value :: bytes
      integer(c_int) :: oceanDistSetMemoryLimit
    end function

    !> What OCEAN_DIST_AUTO takes the machine for: of links between nodes and inside them the latency in seconds and the bytes
    !> per second that one rank receives, and the scalar products per second of one rank. The default stands in for the
    !> paper's machine, and was not measured.
    !>
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, a latency below 0, or a speed not above 0.
    function oceanDistSetMachine(options, latencyBetween, bytesPerSecondBetween, latencyInside, &
        bytesPerSecondInside, productsPerSecond) bind(c, name="oceanDistSetMachine")
      import
      type(c_ptr), value :: options
      real(c_double), value :: latencyBetween
      real(c_double), value :: bytesPerSecondBetween
      real(c_double), value :: latencyInside
      real(c_double), value :: bytesPerSecondInside
      real(c_double), value :: productsPerSecond
      integer(c_int) :: oceanDistSetMachine
    end function

    !> How long a rank waits while nothing moves before a call fails, on all ranks. Has to be longer than any rank's own
    !> computing. Default: 0, which is for ever. Of use to the functions that create an oceanDistHandle_t.
    !>
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or seconds that are not 0 or more, or above 1e9.
    function oceanDistSetTimeout(options, seconds) bind(c, name="oceanDistSetTimeout")
      import
      type(c_ptr), value :: options
      real(c_double), value :: seconds
      integer(c_int) :: oceanDistSetTimeout
    end function

    !> How many consecutive ranks are a node. Default: 0, which is those that share memory. Of use to the functions that
    !> create an oceanDistHandle_t.
    !>
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, or ranks below 0. Whether it divides the ranks is seen
    !> when a handle is created.
    function oceanDistSetRanksPerNode(options, ranks) bind(c, name="oceanDistSetRanksPerNode")
      import
      type(c_ptr), value :: options
      integer(c_int), value :: ranks
      integer(c_int) :: oceanDistSetRanksPerNode
    end function

    !> Where mpi/ocean_mpi.c lies, compiled with the program's MPI as a shared library. By default that is what the environment
    !> variable OCEAN_MPI_SHIM says, or libocean_mpi.so beside libocean.so, or what the loader finds by that name. Of use to
    !> oceanDistCreate() and oceanDistCreateFortran().
    !>
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options or a NULL path.
    function oceanDistSetShim(options, path) bind(c, name="oceanDistSetShim")
      import
      type(c_ptr), value :: options
      character(kind=c_char), dimension(*), intent(in) :: path
      integer(c_int) :: oceanDistSetShim
    end function

    !> The rules of oceanDistMcl(), which are those of the program `mcl`.
    !>
    !> @param[in] inflation  the power of each step; default 2. More gives smaller clusters.
    !> @param[in] prune      entries below 1 / prune are dropped; default 10000.
    !> @param[in] select     of more entries in a column than so many, the largest are kept; default 1100.
    !> @param[in] recover    where less than mass is left, so many of the largest are kept instead; default 1400.
    !> @param[in] mass       of 1; default 0.9.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, an inflation not above 1, prune not above 1, counts below 1 or
    !> a mass outside of 0 to 1.
    function oceanDistSetMclRules(options, inflation, prune, select, recover, mass) bind(c, &
        name="oceanDistSetMclRules")
      import
      type(c_ptr), value :: options
      real(c_double), value :: inflation
      real(c_double), value :: prune
      integer(c_int), value :: select
      integer(c_int), value :: recover
      real(c_double), value :: mass
      integer(c_int) :: oceanDistSetMclRules
    end function

    !> When oceanDistMcl() ends: once all distributions are flat to within chaos (default 1e-3), or after so many
    !> iterations (default 1000).
    !>
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for dead options, a chaos not above 0, or iterations below 1.
    function oceanDistSetMclEnd(options, chaos, iterations) bind(c, name="oceanDistSetMclEnd")
      import
      type(c_ptr), value :: options
      real(c_double), value :: chaos
      integer(c_int), value :: iterations
      integer(c_int) :: oceanDistSetMclEnd
    end function

    !> Joins the ranks of an MPI communicator. Collective over it.
    !>
    !> The communicator is duplicated, and errors on the duplicate return; MPI is neither started nor ended. MPI has to be
    !> there for MPI_THREAD_FUNNELED with all calls from the main thread, or MPI_THREAD_SERIALIZED. Needs mpi/ocean_mpi.c,
    !> compiled with the program's mpicc: see oceanDistSetShim().
    !>
    !> @param[out] dist       NULL on failure. Ends with oceanDistDestroy.
    !> @param[in]  local      where each rank computes: NULL, or a handle of OCEAN_BACKEND_HOST; not kept.
    !> @param[in]  comm       address of an MPI_Comm.
    !> @param[in]  commBytes  sizeof(MPI_Comm).
    !> @param[in]  options    ranks per node, timeout and shim are read; or NULL.
    !> @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead options, ranks per node that do
    !> not divide the ranks; NOT_SUPPORTED for a local handle on a GPU. A rank that cannot reach its communicator
    !> fails alone: no shim, an MPI_Comm of another size, MPI not running, too few threads (INVALID_VALUE), or
    !> what MPI refuses (EXECUTION_FAILED).
    function oceanDistCreate(dist, local, comm, commBytes, options) bind(c, name="oceanDistCreate")
      import
      type(c_ptr), intent(inout) :: dist
      type(c_ptr), value :: local
      type(c_ptr), value :: comm
      integer(c_size_t), value :: commBytes
      type(c_ptr), value :: options
      integer(c_int) :: oceanDistCreate
    end function

    !> As oceanDistCreate, for a communicator as Fortran has it: an INTEGER, or the MPI_VAL of a type(MPI_Comm).
    !>
    !> @param[out] dist     NULL on failure. Ends with oceanDistDestroy.
    !> @param[in]  local    as oceanDistCreate.
    !> @param[in]  comm     a live communicator.
    !> @param[in]  options  as oceanDistCreate.
    !> @return as oceanDistCreate.
    function oceanDistCreateFortran(dist, local, comm, options) bind(c, name="oceanDistCreateFortran")
      import
      type(c_ptr), intent(inout) :: dist
      type(c_ptr), value :: local
      integer(c_int), value :: comm
      type(c_ptr), value :: options
      integer(c_int) :: oceanDistCreateFortran
    end function

    !> Joins ranks that send each other messages by functions of the program's own. Collective over them.
    !>
    !> @param[out] dist     NULL on failure. Ends with oceanDistDestroy.
    !> @param[in]  local    as oceanDistCreate.
    !> @param[in]  table    this rank's functions; copied.
    !> @param[in]  user     given to every function; the program's, until release has been called.
    !> @param[in]  options  ranks per node and timeout are read; or NULL.
    !> @return OCEAN_STATUS_SUCCESS, on all ranks or on none, as oceanDistCreate; a rank whose table cannot be used, since it is
    !> NULL, of another size, without a function, or has no such rank, fails alone with INVALID_VALUE, and nothing
    !> in the table is called.
    function oceanDistCreateWithTransport(dist, local, table, user, options) bind(c, &
        name="oceanDistCreateWithTransport")
      import
      type(c_ptr), intent(inout) :: dist
      type(c_ptr), value :: local
      type(c_ptr), value :: table
      type(c_ptr), value :: user
      type(c_ptr), value :: options
      integer(c_int) :: oceanDistCreateWithTransport
    end function

    !> Leaves the ranks. Collective, unless MPI has ended before, which is fine too. Matrices stay; plans cannot be executed any
    !> more.
    !>
    !> @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live handle.
    function oceanDistDestroy(dist) bind(c, name="oceanDistDestroy")
      import
      type(c_ptr), value :: dist
      integer(c_int) :: oceanDistDestroy
    end function

    !> Which rank this is, of how many, and how many are a node. Not collective.
    !>
    !> @param[out] rank, ranks, perNode  all or none are written.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or dist is no live handle.
    function oceanDistGetRank(dist, rank, ranks, perNode) bind(c, name="oceanDistGetRank")
      import
      type(c_ptr), value :: dist
      integer(c_int), intent(inout) :: rank
      integer(c_int), intent(inout) :: ranks
      integer(c_int), intent(inout) :: perNode
      integer(c_int) :: oceanDistGetRank
    end function

    !> A matrix of which every rank gives consecutive rows, those of rank 0 first: the blocks of PETSc, hypre and Tpetra.
    !> Collective.
    !>
    !> The arrays are read during the call, copied, and not kept: 16 bytes and a value for each entry. Rows may be unsorted and
    !> may repeat columns. A rank may have no rows, and then NULL arrays and any firstRow. Products of this matrix on the
    !> left come back in the same rows.
    !>
    !> @param[in]  dist        the ranks.
    !> @param[out] mat         NULL on failure. Ends with oceanDistDestroyMat.
    !> @param[in]  rows, cols  of the whole matrix; the same on all ranks.
    !> @param[in]  firstRow    the first of this rank's rows, from 0, whatever the base.
    !> @param[in]  localRows   how many this rank has.
    !> @param[in]  rowOffsets  host, localRows + 1: where each row starts in the two other arrays, and where the last ends,
    !> counted from the base.
    !> @param[in]  colInd      host: columns of the whole matrix, counted from the base.
    !> @param[in]  values      host.
    !> @param[in]  offsetType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
    !> @param[in]  colType     OCEAN_INDEX_32I or OCEAN_INDEX_64I.
    !> @param[in]  idxBase     what offsets and columns count from.
    !> @param[in]  valueType   CUDA_R_32F, R_64F, C_32F or C_64F; the same on all ranks.
    !> @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, negative or different sizes, rows that do
    !> not follow those of the rank before, offsets that fall or do not start at the base, columns out of range,
    !> arrays that are not aligned to their elements; NOT_SUPPORTED for other types; ALLOC_FAILED.
    function oceanDistCreateMatRows(dist, mat, rows, cols, firstRow, localRows, rowOffsets, colInd, values, &
        offsetType, colType, idxBase, valueType) bind(c, name="oceanDistCreateMatRows")
      import
      type(c_ptr), value :: dist
      type(c_ptr), intent(inout) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: firstRow
      integer(c_int64_t), value :: localRows
      type(c_ptr), value :: rowOffsets
      type(c_ptr), value :: colInd
      type(c_ptr), value :: values
      integer(c_int), value :: offsetType
      integer(c_int), value :: colType
      integer(c_int), value :: idxBase
      integer(c_int), value :: valueType
      integer(c_int) :: oceanDistCreateMatRows
    end function

    !> A matrix of which every rank gives any entries, in any order. Collective.
    !>
    !> The arrays are read during the call, copied, and not kept: 16 bytes and a value for each entry. Entries at one place
    !> count as separate ones, in the order of ranks and of their places on each. Products of this matrix on the left come
    !> back in rows that are cut evenly: of m rows on p ranks, rank r gets those from floor(m r / p) on.
    !>
    !> @param[in]  dist           the ranks.
    !> @param[out] mat            NULL on failure. Ends with oceanDistDestroyMat.
    !> @param[in]  rows, cols     of the whole matrix; the same on all ranks.
    !> @param[in]  localNnz       how many entries this rank gives.
    !> @param[in]  rowInd, colInd host, localNnz: rows and columns of the whole matrix, counted from the base.
    !> @param[in]  values         host, localNnz.
    !> @param[in]  indexType      of rows and columns: OCEAN_INDEX_32I or OCEAN_INDEX_64I.
    !> @param[in]  idxBase        what rows and columns count from.
    !> @param[in]  valueType      as oceanDistCreateMatRows.
    !> @return as oceanDistCreateMatRows.
    function oceanDistCreateMatCoo(dist, mat, rows, cols, localNnz, rowInd, colInd, values, indexType, idxBase, &
        valueType) bind(c, name="oceanDistCreateMatCoo")
      import
      type(c_ptr), value :: dist
      type(c_ptr), intent(inout) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: localNnz
      type(c_ptr), value :: rowInd
      type(c_ptr), value :: colInd
      type(c_ptr), value :: values
      integer(c_int), value :: indexType
      integer(c_int), value :: idxBase
      integer(c_int), value :: valueType
      integer(c_int) :: oceanDistCreateMatCoo
    end function

    !> Ends one rank's share of a matrix. Not collective; plans that were made with it stay.
    !>
    !> @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live matrix.
    function oceanDistDestroyMat(mat) bind(c, name="oceanDistDestroyMat")
      import
      type(c_ptr), value :: mat
      integer(c_int) :: oceanDistDestroyMat
    end function

    !> Sizes of a matrix. Not collective.
    !>
    !> @param[out] rows, cols  of the whole matrix.
    !> @param[out] localNnz    entries that this rank gave, or has of a product. All or none are written.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or mat is no live matrix.
    function oceanDistMatGetSize(mat, rows, cols, localNnz) bind(c, name="oceanDistMatGetSize")
      import
      type(c_ptr), value :: mat
      integer(c_int64_t), intent(inout) :: rows
      integer(c_int64_t), intent(inout) :: cols
      integer(c_int64_t), intent(inout) :: localNnz
      integer(c_int) :: oceanDistMatGetSize
    end function

    !> Other values for the entries that this rank gave, in the same order. Not collective; the ranks that have entries
    !> should all do so before the next product. Cost: a copy.
    !>
    !> @param[in] mat       from oceanDistCreateMatRows or oceanDistCreateMatCoo.
    !> @param[in] localNnz  how many entries this rank gave.
    !> @param[in] values    host, localNnz, of the matrix's type; read during the call.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, a product, or another number of entries, after which the matrix
    !> is as it was.
    function oceanDistMatSetValues(mat, localNnz, values) bind(c, name="oceanDistMatSetValues")
      import
      type(c_ptr), value :: mat
      integer(c_int64_t), value :: localNnz
      type(c_ptr), value :: values
      integer(c_int) :: oceanDistMatSetValues
    end function

    !> Which rows of a product this rank has, and how many entries. Not collective.
    !>
    !> @param[in]  mat        a product.
    !> @param[out] firstRow   from 0.
    !> @param[out] localRows  consecutive ones.
    !> @param[out] localNnz   their entries. All or none are written.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or mat is no live product.
    function oceanDistMatGetRows(mat, firstRow, localRows, localNnz) bind(c, name="oceanDistMatGetRows")
      import
      type(c_ptr), value :: mat
      integer(c_int64_t), intent(inout) :: firstRow
      integer(c_int64_t), intent(inout) :: localRows
      integer(c_int64_t), intent(inout) :: localNnz
      integer(c_int) :: oceanDistMatGetRows
    end function

    !> Copies this rank's rows of a product. Not collective. Rows are sorted, without repeats.
    !>
    !> @param[in]  mat         a product.
    !> @param[out] rowOffsets  host, localRows + 1, or NULL for none: where each row starts, and where the last ends.
    !> @param[out] colInd      host, localNnz, or NULL for none: columns of the whole matrix.
    !> @param[out] values      host, localNnz, or NULL for none.
    !> @param[in]  offsetType  OCEAN_INDEX_32I or OCEAN_INDEX_64I.
    !> @param[in]  colType     OCEAN_INDEX_32I or OCEAN_INDEX_64I.
    !> @param[in]  idxBase     what offsets and columns shall count from.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if mat is no live product, for wrong enums, or arrays that are not aligned to
    !> their elements; INSUFFICIENT_RESOURCES if 32 bits are too few, after which nothing is written.
    function oceanDistMatCopyRows(mat, rowOffsets, colInd, values, offsetType, colType, idxBase) bind(c, &
        name="oceanDistMatCopyRows")
      import
      type(c_ptr), value :: mat
      type(c_ptr), value :: rowOffsets
      type(c_ptr), value :: colInd
      type(c_ptr), value :: values
      integer(c_int), value :: offsetType
      integer(c_int), value :: colType
      integer(c_int), value :: idxBase
      integer(c_int) :: oceanDistMatCopyRows
    end function

    !> Where this rank's rows of a product lie, to be read without a copy. Not collective. Offsets and columns count from 0.
    !> The arrays belong to mat and live as long as it does.
    !>
    !> @param[in]  mat         a product.
    !> @param[out] rowOffsets  host, localRows + 1.
    !> @param[out] colInd      host, localNnz.
    !> @param[out] values      host, localNnz. All or none are written.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE if any argument is NULL or mat is no live product.
    function oceanDistMatGetPointers(mat, rowOffsets, colInd, values) bind(c, name="oceanDistMatGetPointers")
      import
      type(c_ptr), value :: mat
      type(c_ptr), intent(inout) :: rowOffsets
      type(c_ptr), intent(inout) :: colInd
      type(c_ptr), intent(inout) :: values
      integer(c_int) :: oceanDistMatGetPointers
    end function

    !> Settles how C = A * B is computed for matrices of these patterns: which algorithm, where entries go, and what travels when.
    !> Collective.
    !>
    !> Where matA and matB are the same matrix, the product is A * A and takes one copy of it. The plan does not keep the
    !> matrices. Cost: every place of an entry travels once; a plan holds some 20 bytes for each entry of A and B on a rank.
    !> Source: for OCEAN_DIST_TRIDENT, "Trident", ICS 2026, section 3, and docs/distributed.md for what differs from it.
    !>
    !> @param[in]  dist        the ranks.
    !> @param[in]  matA, matB  m x k and k x n, made with dist, or products on it; of one type.
    !> @param[in]  options     algorithm, sums, permutation, memory limit and machine are read; or NULL.
    !> @param[out] plan        NULL on failure. Ends with oceanDistDestroyPlan.
    !> @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead matrices or options, sizes
    !> that do not fit, a grid that is not the ranks', options that differ between ranks, a memory limit too small;
    !> NOT_SUPPORTED for different types, or blocks with 2^31 rows or columns; ALLOC_FAILED; EXECUTION_FAILED for a
    !> rank that does not come within the timeout.
    function oceanDistSpGEMM_plan(dist, matA, matB, options, plan) bind(c, name="oceanDistSpGEMM_plan")
      import
      type(c_ptr), value :: dist
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: plan
      integer(c_int) :: oceanDistSpGEMM_plan
    end function

    !> Ends a plan. Not collective; products stay.
    !>
    !> @return OCEAN_STATUS_SUCCESS, also for NULL; INVALID_VALUE if it is no live plan.
    function oceanDistDestroyPlan(plan) bind(c, name="oceanDistDestroyPlan")
      import
      type(c_ptr), value :: plan
      integer(c_int) :: oceanDistDestroyPlan
    end function

    !> C = A * B, for any values of the patterns that were planned for. Collective.
    !>
    !> Only values travel, and the parts of A and B that the algorithm sends. The bits are those that oceanDistSetSums() says.
    !> C's rows come back to the ranks that have A's, if A was made from rows, or is a product; else evenly cut.
    !>
    !> @param[in]  plan        from oceanDistSpGEMM_plan; its handle must be alive.
    !> @param[in]  matA, matB  of the patterns of the plan: the same matrices with the same or other values, or others. For
    !> a plan of A * A, one matrix twice.
    !> @param[out] matC        m x n; NULL on failure. Ends with oceanDistDestroyMat.
    !> @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead matrices, or another pattern or type
    !> than planned for; ALLOC_FAILED; EXECUTION_FAILED for a rank that does not do its part within the timeout, or
    !> what the transport refuses. After each of these the plan may be executed again, unless the message says
    !> that the communicator is out of step.
    function oceanDistSpGEMM_execute(plan, matA, matB, matC) bind(c, name="oceanDistSpGEMM_execute")
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), intent(inout) :: matC
      integer(c_int) :: oceanDistSpGEMM_execute
    end function

    !> C = A * B in one call: plans, executes, and forgets the plan. Collective.
    !>
    !> @param[in]  dist        the ranks.
    !> @param[in]  matA, matB  as oceanDistSpGEMM_plan.
    !> @param[in]  options     as oceanDistSpGEMM_plan.
    !> @param[out] matC        as oceanDistSpGEMM_execute.
    !> @return as oceanDistSpGEMM_plan and oceanDistSpGEMM_execute.
    function oceanDistSpGEMM(dist, matA, matB, options, matC) bind(c, name="oceanDistSpGEMM")
      import
      type(c_ptr), value :: dist
      type(c_ptr), value :: matA
      type(c_ptr), value :: matB
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: matC
      integer(c_int) :: oceanDistSpGEMM
    end function

    !> How a plan's products are computed and, where the library has chosen, why so: the candidates with what they would move,
    !> hold and take, by the model. Not collective, and the same on all ranks.
    !>
    !> @param[in]     plan    from oceanDistSpGEMM_plan.
    !> @param[in]     format  lines for people, or one JSON object.
    !> @param[out]    buffer  host, or NULL: then only *size is written.
    !> @param[in,out] size    host; bytes with the NUL at the end.
    !> @return OCEAN_STATUS_SUCCESS; INVALID_VALUE for NULLs, a dead plan or no such format; INSUFFICIENT_RESOURCES if *size
    !> is less than what is needed, which the message tells; nothing is written then.
    function oceanDistSpGEMM_explain(plan, format, buffer, size) bind(c, name="oceanDistSpGEMM_explain")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: format
      type(c_ptr), value :: buffer
      integer(c_size_t), intent(inout) :: size
      integer(c_int) :: oceanDistSpGEMM_explain
    end function

    !> What the plan's last product took: parcels, entries and bytes received between nodes and inside, and seconds by phase, on
    !> this rank, and the least, the mean and the most of all ranks. Not collective.
    !>
    !> @param[in]     plan    after oceanDistSpGEMM_execute.
    !> @param[in]     format  lines for people, or one JSON object.
    !> @param[out]    buffer  host, or NULL: then only *size is written.
    !> @param[in,out] size    host; bytes with the NUL at the end.
    !> @return as oceanDistSpGEMM_explain; INVALID_VALUE too if nothing has been executed.
    function oceanDistSpGEMM_profile(plan, format, buffer, size) bind(c, name="oceanDistSpGEMM_profile")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: format
      type(c_ptr), value :: buffer
      integer(c_size_t), intent(inout) :: size
      integer(c_int) :: oceanDistSpGEMM_profile
    end function

    !> Markov clustering of a graph (van Dongen 2000), by the rules of the program `mcl`. Collective.
    !>
    !> Entry (i, j) is the weight of an edge between nodes i and j; of several between two nodes, in either direction, the
    !> heaviest counts, and loops do not. Every node gets a loop as heavy as its heaviest edge. Then distributions are
    !> expanded (a product), pruned and inflated until they are at rest. The clusters are the same on any number of
    !> ranks. Cost: a product for each iteration, some 20 to 60 of them; a rank holds its rows of the product before they are
    !> pruned. Source of the distribution: "Trident", ICS 2026, section 5.
    !>
    !> @param[in]  dist        the ranks.
    !> @param[in]  graph       square, with weights of CUDA_R_32F or R_64F, finite and not below 0.
    !> @param[in]  options     the rules, and how products are spread (sums and permutation are not asked); or NULL.
    !> @param[out] labels      host: for each row of this rank, as oceanDistCreateMatRows was given them or oceanDistCreateMatCoo
    !> says, the number of its cluster, from 0; larger clusters have smaller numbers. NULL if the rank has none.
    !> @param[out] clusters    how many there are in all.
    !> @param[out] iterations  how many steps it took. Nothing is written on failure.
    !> @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead objects, a graph that is not square,
    !> or a wrong weight; NOT_SUPPORTED for complex weights; what products return.
    function oceanDistMcl(dist, graph, options, labels, clusters, iterations) bind(c, name="oceanDistMcl")
      import
      type(c_ptr), value :: dist
      type(c_ptr), value :: graph
      type(c_ptr), value :: options
      integer(c_int64_t), intent(inout) :: labels
      integer(c_int64_t), intent(inout) :: clusters
      integer(c_int), intent(inout) :: iterations
      integer(c_int) :: oceanDistMcl
    end function

  end interface

end module ocean_dist
