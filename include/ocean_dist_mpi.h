/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/**
 * For programs that have mpi.h at hand: oceanDistCreate() with a communicator of the right type.
 */
#ifndef OCEAN_DIST_MPI_H
#define OCEAN_DIST_MPI_H

#include <mpi.h>

#include "ocean_dist.h"

/** As oceanDistCreate(). */
static inline oceanStatus_t oceanDistCreateMPI(oceanDistHandle_t *dist,
                                               oceanHandle_t local,
                                               MPI_Comm comm,
                                               oceanDistOptions_t options) {
  return oceanDistCreate(dist, local, &comm, sizeof comm, options);
}

#endif /* OCEAN_DIST_MPI_H */
