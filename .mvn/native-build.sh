#!/usr/bin/env bash
# Builds one module's C library with CMake and puts it where the jar takes it from.
# usage: native-build.sh MODULE_DIR OUTPUT_DIR
# The output folder gets io/spillway/native/<os>-<arch>/lib*.so
set -euo pipefail
module=$1
output=$2

missing=()
command -v cmake >/dev/null 2>&1 || missing+=(cmake)
command -v "${CC:-cc}" >/dev/null 2>&1 || missing+=("gcc (or clang)")
if [ ${#missing[@]} -gt 0 ]; then
  names=$(IFS=,; echo "${missing[*]}")
  echo "Spillway's C library needs ${names//,/ and }: install it (Debian: apt-get install gcc cmake make), or build the JVM-only jar with -Dnative.skip." >&2
  exit 1
fi

build="$module/target/native"
# CMake refuses a build folder that was made elsewhere, as in a copied tree.
if [ -f "$build/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(cd "$module" && pwd)/src/main/c" "$build/CMakeCache.txt"; then
  rm -rf "$build"
fi
mkdir -p "$build"
log="$build/build.log"
if ! { cmake -S "$module/src/main/c" -B "$build" -DCMAKE_BUILD_TYPE=Release -DJAVA_HOME="${JAVA_HOME:-}" >"$log" 2>&1 &&
       cmake --build "$build" --parallel 2 >>"$log" 2>&1; }; then
  cat "$log" >&2
  exit 1
fi
case "$(uname -m)" in
  x86_64 | amd64) arch=x86_64 ;;
  aarch64 | arm64) arch=aarch64 ;;
  *) arch=$(uname -m) ;;
esac
os=$(uname -s | tr '[:upper:]' '[:lower:]')
target="$output/io/spillway/native/$os-$arch"
mkdir -p "$target"
cp "$build"/lib*.so "$target/"
