// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What an MPI program does around the library, for the test of ranks in Rust, which links no MPI itself.
#include <mpi.h>
#include <string.h>

// Starts MPI for one thread that calls it; `level` 0 for a program of one thread. Writes MPI_COMM_WORLD, or with
// `apart` the half of it that has this rank's parity, and returns its size in bytes.
int start_mpi(int level, int apart, void* comm) {
  int provided, rank;
  MPI_Init_thread(NULL, NULL, level ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE, &provided);
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (apart) MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &world);
  memcpy(comm, &world, sizeof world);
  return (int)sizeof world;
}

int world_in_fortran(void) { return (int)MPI_Comm_c2f(MPI_COMM_WORLD); }

void end_mpi(void) { MPI_Finalize(); }
