#!/usr/bin/env bash
# Builds the kernels' fuzzers and runs each for some seconds.
# usage: run-fuzz.sh MODULE_DIR [SECONDS [SEED]]
set -euo pipefail
[ "${SKIP_TESTS:-false}" = true ] && exit 0
module=$1
seconds=${2:-8}
seed=${3:-$(date +%s)}

build="$module/target/native-fuzz"
mkdir -p "$build"
log="$build/build.log"
if ! { cmake -S "$module/src/main/c" -B "$build" -DCMAKE_BUILD_TYPE=Release -DSPW_FUZZ=ON >"$log" 2>&1 &&
       cmake --build "$build" --parallel 2 >>"$log" 2>&1; }; then
  cat "$log" >&2
  exit 1
fi
if grep -q "WITHOUT sanitizers" "$log"; then
  echo "spw_fuzz: this compiler has no sanitizer libraries, so it runs WITHOUT sanitizers; see $log" >&2
fi
for fuzzer in spw_fuzz spw_fuzz_release; do
  "$build/$fuzzer" "$seconds" "$seed"
done
