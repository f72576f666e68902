// SPDX-License-Identifier: MIT OR Apache-2.0
//
// plugin_host PLUGIN NAME: opens a library, of which and of whose own libraries nobody else is to see anything (as
// Python opens extensions), and has it do what is called so.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* plugin = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (plugin == NULL) {
    fprintf(stderr, "%s\n", argc > 2 ? dlerror() : "two arguments are needed");
    return 2;
  }
  int (*run)(const char*);
  *(void**)&run = dlsym(plugin, "run");
  return run == NULL ? 2 : run(argv[2]);
}
