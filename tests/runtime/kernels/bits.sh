#!/bin/sh
# bits.sh SOURCE_DIR COMPILER...: builds bits.cpp with every compiler for every instruction set that
# this machine runs, without a warning, and compares what they print. The -O levels take turns: a
# build at each level of each pair would take a minute more, and find what a neighbour finds.
set -eu

source=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

has() { grep -q -w "$1" /proc/cpuinfo 2>/dev/null; }
levels="-DWICK_NO_VECTORS"
if [ "$(uname -m)" = x86_64 ]; then
  levels="$levels -march=x86-64"
  if has avx2 && has fma; then levels="$levels -march=x86-64-v3"; fi
  if has avx512dq && has avx512vl && has avx512bw; then levels="$levels -march=x86-64-v4"; fi
else
  levels="$levels -g0"
fi

builds=0
check() {
  "$@" -std=c++17 -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
    -Wsign-conversion -Werror -I "$source/runtime" "$source/tests/runtime/kernels/bits.cpp" \
    -o "$work/bits"
  "$work/bits" > "$work/printed"
  if [ "$builds" = 0 ]; then cp "$work/printed" "$work/first"; first="$*"; fi
  if ! diff "$work/first" "$work/printed"; then
    echo "bits differ between '$first' (<) and '$*' (>)"
    exit 1
  fi
  builds=$((builds + 1))
}

turn=0
for compiler in "$@"; do
  for level in $levels; do
    case $((turn % 5)) in
      0) check "$compiler" -O2 "$level" ;;
      1) check "$compiler" -O3 "$level" ;;
      2) check "$compiler" -O1 "$level" ;;
      3) check "$compiler" -Os "$level" ;;
      4) check "$compiler" -O0 "$level" ;;
    esac
    turn=$((turn + 1))
  done
done

cat "$work/first"
echo "$builds builds print the same"
test "$builds" -ge 2
