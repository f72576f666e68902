// SPDX-License-Identifier: MIT OR Apache-2.0
//
// by_name ours | real: a program that opens cuSPARSE by its name and asks for functions by theirs, as Julia does. The
// argument says whose functions it is to get.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                      \
    }                                                                               \
  } while (0)

// Which of two libraries that have this function comes after the first: their test of RTLD_NEXT.
int which_library(void);

static const char* file_of(void* address) {
  Dl_info info;
  CHECK(dladdr(address, &info) != 0);
  return info.dli_fname;
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  const char* expected = strcmp(argv[1], "ours") == 0 ? "libocean_cusparse.so" : "libcusparse.so.12";
  void* library = dlopen("libcusparse.so.12", RTLD_NOW | RTLD_LOCAL);
  CHECK(library != NULL);
  static const char* const names[] = {"cusparseSpGEMM_createDescr", "cusparseSpMatGetSize", "cusparseSpMV"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void* function = dlsym(library, names[i]);
    CHECK(function != NULL && strstr(file_of(function), expected) != NULL);
  }
  // Not ours to answer for, whoever is asked.
  CHECK(strstr(file_of(dlsym(library, "cusparseCreate")), "libcusparse.so.12") != NULL);
  CHECK(strstr(file_of(dlsym(library, "stand_in_calls")), "libcusparse.so.12") != NULL);
  // Ours has it, but the program's cuSPARSE does not.
  CHECK(dlsym(library, "cusparseSpMatSetPointers") == NULL);
  CHECK(dlsym(library, "cusparse_no_such_function") == NULL);
  CHECK(dlsym(RTLD_DEFAULT, "puts") != NULL);
  CHECK(which_library() == 2);
  return 0;
}
