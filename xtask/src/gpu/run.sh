#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# run.sh [test NAME...]: runs the packed tests on this machine's GPU and writes gpu-tests.json into $OUT, or beside
# this file. Without names: every test, then those marked gpu under compute-sanitizer. Ends with 0 if all held.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
here=$PWD
out=${OUT:-$here}
[ "${1:-}" = test ] && shift

# C tests keep their matrices in host memory; what is marked gpu asks for the device itself.
export OCEAN_BACKEND=host
[ -f matrices/MANIFEST.tsv ] && export OCEAN_TEST_DATA=$here/matrices
# OCEAN_GPU_TOOLS names the sanitizers to run, where not all: those left out are null in the report.
# One test program, or one tool over it, may take this long; a hang must not eat the others' time. Only
# interposer_python.sh, which starts Python four times, may want more.
seconds=${OCEAN_GPU_SECONDS:-180}
# Where the CUDA toolkit's own libraries usually lie.
export LD_LIBRARY_PATH=$here:/usr/local/cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
passed=0 failed=0 skipped=0
log=$out/gpu-tests.log
: >"$log"

# wanted NAME [ONLY...]: whether NAME is to run.
wanted() {
  [ $# -eq 1 ] && return 0
  local name=$1 each
  shift
  for each in "$@"; do [ "$each" = "$name" ] && return 0; done
  return 1
}

# libtest: "test result: ok. 12 passed; 0 failed; 1 ignored"; ours: "12 passed, 0 failed, 1 skipped".
count() {
  local kind=$1 status=$2 output=$3 p f s said
  if [ "$kind" = rust ]; then
    read -r p f s < <(awk '/^test result:/ {p += $4; f += $6; s += $8} END {print p + 0, f + 0, s + 0}' "$output")
    said=$(grep -cE '(^| \.\.\. )skipped: ' "$output")
    p=$((p - said)) s=$((s + said))
  else
    read -r p f s < <(awk '/^[0-9]+ passed, [0-9]+ failed/ {p = $1; f = $3; s = $5} END {print p + 0, f + 0, s + 0}' "$output")
    [ "$status" -eq 0 ] && [ $((p + f + s)) -eq 0 ] && p=1
    [ "$status" -eq 77 ] && [ "$s" -eq 0 ] && s=1
  fi
  [ "$status" -ne 0 ] && [ "$status" -ne 77 ] && [ "$f" -eq 0 ] && f=1
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  echo "    $p passed, $f failed, $s skipped" | tee -a "$log"
}

# command_of KIND FILE ARGUMENTS [RUST_ARGUMENTS]: how a test program is started.
command_of() {
  local arguments=$3
  [ "$arguments" = - ] && arguments=
  [ "$1" = rust ] && arguments=${4:-}
  echo "./$2 $arguments"
}

# A line of tests.tsv: program, kind (rust or program), marks, variables as NAME=VALUE words, arguments; - is none.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while IFS=$'\t' read -r name kind marks settings arguments; do
  wanted "$name" "$@" || continue
  [ "$settings" = - ] && settings=
  echo "=== $name ($marks)" | tee -a "$log"
  started=$SECONDS
  # Tests for the GPU may not skip here; others may have none to use.
  case ",$marks," in *,gpu,*) require=OCEAN_REQUIRE_GPU=1 ;; *) require= ;; esac
  # shellcheck disable=SC2046,SC2086 # words are meant
  env $settings $require timeout "$seconds" $(command_of "$kind" "$name" "$arguments") >"$work/output" 2>&1 </dev/null
  status=$?
  cat "$work/output" >>"$log"
  [ "$status" -eq 0 ] || tail -n 30 "$work/output"
  count "$kind" "$status" "$work/output"
  echo "    exit $status, $((SECONDS - started)) s" | tee -a "$log"
done <tests.tsv

# "ERROR SUMMARY: 3 errors" for each program; a tool that can't run counts as one error, since nothing was shown.
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | tail -n 1)
declare -A errors
for tool in memcheck initcheck synccheck racecheck; do
  errors[$tool]=null
  # shellcheck disable=SC2086 # words are meant
  wanted "$tool" ${OCEAN_GPU_TOOLS:-} || continue
  [ -n "$sanitizer" ] || continue
  # It takes a hundred times as long as the kernels themselves.
  [ "$tool" = racecheck ] && few=OCEAN_TEST_CASES=6 || few=
  while IFS=$'\t' read -r name kind marks settings arguments; do
    wanted "$name" "$@" || continue
    [ "$settings" = - ] && settings=
    [ "$marks" = gpu ] || continue
    echo "=== $tool $name" | tee -a "$log"
    # shellcheck disable=SC2046,SC2086 # words are meant
    env $settings $few OCEAN_REQUIRE_GPU=1 timeout "$seconds" "$sanitizer" --tool "$tool" --error-exitcode 99 --target-processes all \
      $(command_of "$kind" "$name" "$arguments" --test-threads=1) >"$work/output" 2>&1 </dev/null
    status=$?
    found=$(awk '/ERROR SUMMARY:/ {n += $4} /RACECHECK SUMMARY:/ {n += $4} END {print n + 0}' "$work/output")
    [ "$status" -ne 0 ] && [ "$status" -ne 77 ] && [ "$found" -eq 0 ] && found=1
    errors[$tool]=$((${errors[$tool]/null/0} + found))
    cat "$work/output" >>"$log"
    [ "$found" -eq 0 ] || { tail -n 30 "$work/output"; failed=$((failed + 1)); }
    echo "    $found errors, exit $status" | tee -a "$log"
  done <tests.tsv
done
[ -n "$sanitizer" ] || echo "skipped: compute-sanitizer is not here"

gpu() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }
cat >"$out/gpu-tests.json" <<JSON
{"commit": "$(cat commit)", "device": "$(gpu name)", "driver": "$(gpu driver_version)", "date": "$(date -u +%Y-%m-%d)",
 "passed": $passed, "failed": $failed, "skipped": $skipped,
 "sanitizer": {"memcheck": ${errors[memcheck]}, "racecheck": ${errors[racecheck]}, "initcheck": ${errors[initcheck]}, "synccheck": ${errors[synccheck]}}}
JSON
cat "$out/gpu-tests.json"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
