// SPDX-License-Identifier: MIT OR Apache-2.0
//
// ocean_mpi: what ocean asks of MPI, compiled against the MPI that a program uses.
//
//   mpicc -O2 -fPIC -shared -o libocean_mpi.so ocean_mpi.c
//
// The library loads it at run time, so that one build of ocean serves every MPI, whose handles differ in size and
// meaning. Handles travel as 16 opaque bytes. Every function returns MPI's code, 0 for success; none starts or ends
// MPI.
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  unsigned char bytes[16];
} ocean_mpi_handle;

_Static_assert(sizeof(MPI_Comm) <= sizeof(ocean_mpi_handle), "a communicator fits");
_Static_assert(sizeof(MPI_Request) <= sizeof(ocean_mpi_handle), "a request fits");

// In the order of `Table` in src/dist/comm/mpi.rs; a change there or here needs another `version`.
typedef struct {
  int32_t version;
  int32_t comm_bytes;
  int (*state)(int32_t* running, int32_t* level, int32_t* on_main);
  int (*duplicate)(const void* comm, ocean_mpi_handle* copy);
  int (*duplicate_fortran)(int32_t comm, ocean_mpi_handle* copy);
  int (*release)(ocean_mpi_handle* comm);
  int (*place)(const ocean_mpi_handle* comm, int32_t* rank, int32_t* size, int32_t* largest_tag);
  int (*nodes)(const ocean_mpi_handle* comm, int32_t* nodes);
  int (*send)(const ocean_mpi_handle* comm, const void* bytes, int32_t count, int32_t to, int32_t tag,
              ocean_mpi_handle* request);
  int (*receive)(const ocean_mpi_handle* comm, void* bytes, int32_t count, int32_t from, int32_t tag,
                 ocean_mpi_handle* request);
  int (*test)(ocean_mpi_handle* request, int32_t* done, int32_t* count);
  void (*describe)(int code, char* text, size_t bytes);
} ocean_mpi_table;

static MPI_Comm comm_of(const ocean_mpi_handle* handle) {
  MPI_Comm comm;
  memcpy(&comm, handle->bytes, sizeof comm);
  return comm;
}

static int state(int32_t* running, int32_t* level, int32_t* on_main) {
  int started, ended, provided = MPI_THREAD_SINGLE, main_thread = 0;
  int code = MPI_Initialized(&started);
  if (code == MPI_SUCCESS) code = MPI_Finalized(&ended);
  if (code != MPI_SUCCESS) return code;
  *running = started && !ended;
  if (*running) {
    code = MPI_Query_thread(&provided);
    if (code == MPI_SUCCESS) code = MPI_Is_thread_main(&main_thread);
  }
  *level = provided >= MPI_THREAD_SERIALIZED ? 2 : provided >= MPI_THREAD_FUNNELED ? 1 : 0;
  *on_main = main_thread;
  return code;
}

static int keep_copy(MPI_Comm comm, ocean_mpi_handle* copy) {
  MPI_Comm own;
  int code = MPI_Comm_dup(comm, &own);
  if (code != MPI_SUCCESS) return code;
  code = MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS) {
    memcpy(copy->bytes, &own, sizeof own);
  } else {
    MPI_Comm_free(&own);
  }
  return code;
}

static int duplicate(const void* comm, ocean_mpi_handle* copy) {
  MPI_Comm theirs;
  memcpy(&theirs, comm, sizeof theirs);
  return keep_copy(theirs, copy);
}

static int duplicate_fortran(int32_t comm, ocean_mpi_handle* copy) {
  return keep_copy(MPI_Comm_f2c((MPI_Fint)comm), copy);
}

static int release(ocean_mpi_handle* handle) {
  MPI_Comm comm = comm_of(handle);
  return MPI_Comm_free(&comm);
}

static int place(const ocean_mpi_handle* handle, int32_t* rank, int32_t* size, int32_t* largest_tag) {
  MPI_Comm comm = comm_of(handle);
  int own, all, found = 0, *tag = NULL;
  int code = MPI_Comm_rank(comm, &own);
  if (code == MPI_SUCCESS) code = MPI_Comm_size(comm, &all);
  if (code == MPI_SUCCESS) code = MPI_Comm_get_attr(comm, MPI_TAG_UB, &tag, &found);
  if (code != MPI_SUCCESS) return code;
  *rank = own;
  *size = all;
  *largest_tag = found ? *tag : 32767;  // what every MPI has at least
  return code;
}

// nodes[r]: the lowest rank of those that share memory with rank r.
static int nodes(const ocean_mpi_handle* handle, int32_t* nodes) {
  MPI_Comm comm = comm_of(handle), shared;
  int rank, code = MPI_Comm_rank(comm, &rank);
  if (code == MPI_SUCCESS) code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);
  if (code != MPI_SUCCESS) return code;
  int32_t first = rank;
  code = MPI_Bcast(&first, 1, MPI_INT32_T, 0, shared);
  int freed = MPI_Comm_free(&shared);
  if (code == MPI_SUCCESS) code = MPI_Allgather(&first, 1, MPI_INT32_T, nodes, 1, MPI_INT32_T, comm);
  return code == MPI_SUCCESS ? freed : code;
}

static int send(const ocean_mpi_handle* comm, const void* bytes, int32_t count, int32_t to, int32_t tag,
                ocean_mpi_handle* request) {
  MPI_Request own;
  int code = MPI_Isend(bytes, count, MPI_BYTE, to, tag, comm_of(comm), &own);
  if (code == MPI_SUCCESS) memcpy(request->bytes, &own, sizeof own);
  return code;
}

static int receive(const ocean_mpi_handle* comm, void* bytes, int32_t count, int32_t from, int32_t tag,
                   ocean_mpi_handle* request) {
  MPI_Request own;
  int code = MPI_Irecv(bytes, count, MPI_BYTE, from, tag, comm_of(comm), &own);
  if (code == MPI_SUCCESS) memcpy(request->bytes, &own, sizeof own);
  return code;
}

static int test(ocean_mpi_handle* request, int32_t* done, int32_t* count) {
  MPI_Request own;
  MPI_Status status;
  int flag = 0, received = 0;
  memcpy(&own, request->bytes, sizeof own);
  int code = MPI_Test(&own, &flag, &status);
  if (code == MPI_SUCCESS && flag) code = MPI_Get_count(&status, MPI_BYTE, &received);
  memcpy(request->bytes, &own, sizeof own);
  *done = flag;
  *count = received;
  return code;
}

static void describe(int code, char* text, size_t bytes) {
  char full[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (bytes == 0) return;
  if (MPI_Error_string(code, full, &length) != MPI_SUCCESS) length = 0;
  size_t kept = (size_t)length < bytes - 1 ? (size_t)length : bytes - 1;
  memcpy(text, full, kept);
  text[kept] = '\0';
}

__attribute__((visibility("default"))) const ocean_mpi_table* ocean_mpi(void) {
  static const ocean_mpi_table table = {
      1, sizeof(MPI_Comm), state, duplicate, duplicate_fortran, release, place, nodes, send, receive, test, describe};
  return &table;
}
