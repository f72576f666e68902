#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# interposer_python.sh: PyTorch and CuPy, unmodified, without the interposer and with it; the two must agree. Leaves
# torch-*.json and cupy-*.json in $OUT, or beside this file.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
here=$PWD
unset OCEAN_BACKEND # the programs' arrays lie on the GPU
# Without what run.sh puts first: wheels bring their own CUDA libraries, which the toolkit's must not replace.
LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}
LD_LIBRARY_PATH=${LD_LIBRARY_PATH#"$here:/usr/local/cuda/lib64"}
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH#:}
out=${OUT:-$here}
passed=0 failed=0 skipped=0

for library in torch cupy; do
  if ! python3 -c "import $library" 2>/dev/null; then
    echo "skipped: $library is not here" && skipped=$((skipped + 1))
    continue
  fi
  script=interposer/${library}_products.py
  echo "--- $library alone"
  python3 "$script" --json "$out/$library-alone.json"
  echo "--- $library interposed"
  said=$(LD_PRELOAD="$here/libocean_cusparse.so" OCEAN_STATS=1 OCEAN_LOG=info \
    python3 "$script" --json "$out/$library-interposed.json" 2>&1)
  echo "$said"
  if python3 interposer/compare.py "$out/$library-alone.json" "$out/$library-interposed.json" &&
    grep -q "products served: [1-9]" <<<"$said"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
