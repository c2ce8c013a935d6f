#!/bin/sh
# The bits of the arithmetic depend on the instruction set alone: bits.cpp is compiled for one by
# every compiler at hand, at two -O levels each, and must print one digest.
#
#   bits_test.sh RUNTIME_DIR WORK_DIR MARCH COMPILER...
set -eu

runtime=$1 work=$2 march=$3
shift 3
here=$(dirname "$0")
mkdir -p "$work"
expected=
for compiler in "$@"; do
  for level in -O0 -O3; do
    program=$work/bits
    "$compiler" -std=c++17 "$level" "-march=$march" -ffp-contract=off \
      -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror \
      -I"$runtime" "$here/bits.cpp" -o "$program"
    digest=$("$program")
    echo "$digest  $compiler $level -march=$march"
    expected=${expected:-$digest}
    if [ "$digest" != "$expected" ]; then
      echo "the bits differ" >&2
      exit 1
    fi
  done
done
