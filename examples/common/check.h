/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Ends the program with the library's own words where a call fails. */
#ifndef EXAMPLES_CHECK_H
#define EXAMPLES_CHECK_H

#include <ocean.h>
#include <stdio.h>
#include <stdlib.h>

/* ANCHOR: check */
#define CHECK(call)                                                                                  \
  do {                                                                                               \
    oceanStatus_t status_ = (call);                                                                  \
    if (status_ != OCEAN_STATUS_SUCCESS) {                                                           \
      fprintf(stderr, "%s: %s: %s\n", #call, oceanGetErrorName(status_), oceanGetLastErrorString()); \
      exit(EXIT_FAILURE);                                                                            \
    }                                                                                                \
  } while (0)
/* ANCHOR_END: check */

#endif /* EXAMPLES_CHECK_H */
