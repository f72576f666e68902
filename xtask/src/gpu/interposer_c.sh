#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# interposer_c.sh: C programs of CUDA and cuSPARSE, compiled here with this machine's own headers, and run as they are,
# with the interposer preloaded, and linked to it before cuSPARSE. Each must be right, and served where it should be.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
here=$PWD
unset OCEAN_BACKEND # the programs' arrays lie on the GPU
cuda=${CUDA_HOME:-/usr/local/cuda}
if ! command -v cc >/dev/null || [ ! -f "$cuda/include/cusparse.h" ]; then
  echo "skipped: cc or $cuda/include/cusparse.h is not here"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# try NAME COMMAND...: whether it ends well; where NAME says so, ocean must have served a product.
try() {
  local name=$1
  shift
  if "$@" >"$work/out" 2>&1 && { [[ $name = *alone ]] || grep -q "products served: [1-9]" "$work/out"; }; then
    passed=$((passed + 1))
    echo "ok      $name"
    grep "^ocean:" "$work/out"
  else
    failed=$((failed + 1))
    echo "FAILED  $name"
    cat "$work/out"
  fi
}

for program in spgemm spgemm_mem spgemm_reuse on_gpu; do
  sources=(interposer/$program.c)
  [ $program = on_gpu ] || sources+=(interposer/device.c)
  compile=(cc -w -std=c11 -D_DEFAULT_SOURCE -DOCEAN_TEST_CUDA -Iinterposer "-I$cuda/include" "${sources[@]}")
  libraries=("-L$cuda/lib64" -lcusparse -lcudart -lpthread)
  if ! "${compile[@]}" -o "$work/$program" "${libraries[@]}" ||
    ! "${compile[@]}" -o "$work/relinked" "-L$here" -locean_cusparse "${libraries[@]}"; then
    failed=$((failed + 1))
    continue
  fi
  [ $program = on_gpu ] && interposed=interposed || interposed=
  # shellcheck disable=SC2086 # nothing is no word
  {
    try "$program alone" "$work/$program"
    try "$program preloaded" env OCEAN_STATS=1 "LD_PRELOAD=$here/libocean_cusparse.so" "$work/$program" $interposed
    try "$program relinked" env OCEAN_STATS=1 "LD_LIBRARY_PATH=$here:${LD_LIBRARY_PATH:-}" "$work/relinked" $interposed
  }
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
