// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Built twice, as the first and the second of two libraries with one function (LIBRARY=1, 2). The first asks the loader
// for whose comes next, which depends on who asks.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

int which_library(void) {
  int (*next)(void);
  *(void**)&next = LIBRARY == 1 ? dlsym(RTLD_NEXT, "which_library") : NULL;
  return next == NULL || next == which_library ? LIBRARY : next();
}
