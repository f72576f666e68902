#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# pkg_config.sh LIBDIR DATADIR WORK: builds the programs beside this file as a makefile would, by what pkg-config says
# of the package under LIBDIR, and runs them. Fortran where FC names a compiler.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
libdir=$1 datadir=$2 work=$3
mkdir -p "$work"
cd "$work"
export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"

pkg-config --print-errors --exists ocean
flags=$(pkg-config --cflags ocean)
libraries=$(pkg-config --libs ocean)
# shellcheck disable=SC2086 # flags are words
{
  ${CC:-cc} $flags "$here/multiply.c" -o multiply_c $libraries
  ${CXX:-c++} $flags "$here/multiply.cpp" -o multiply_cpp $libraries
  ./multiply_c
  ./multiply_cpp
  if [ -n "${FC:-}" ]; then
    "$FC" "$datadir/ocean/fortran/ocean.f90" "$here/multiply.f90" -o multiply_fortran $libraries
    ./multiply_fortran
  fi
}
