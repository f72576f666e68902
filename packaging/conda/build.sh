#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
cmake -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
  -DOCEAN_CUDA="${OCEAN_CUDA:-OFF}"
cmake --build build
cmake --install build
