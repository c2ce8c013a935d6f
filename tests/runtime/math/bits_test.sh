#!/bin/sh
# The bits of the arithmetic depend on the instruction set alone: for each of those given, every
# compiler at hand must print the same digests (bits.cpp), at -O3 and, for the first set,
# unoptimised or at -O1. Without vectors the bits are those of any set that lacks a fused
# multiply-add.
#
#   bits_test.sh SOURCE_DIR WORK_DIR "MARCH..." COMPILER...
set -eu

source=$1 work=$2 sets=$3
shift 3
here=$source/tests/runtime/math
mkdir -p "$work"

# build_and_compare SET LEVEL COMPILER [FLAG...]: against the first of the set.
build_and_compare() {
  set_name=$1 level=$2 compiler=$3
  shift 3
  echo "$set_name $level $compiler"
  "$compiler" -std=c++20 "$level" "$@" -ffp-contract=off \
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror \
    -I"$source" -I"$source/runtime" "$here/bits.cpp" "$here/functions.cpp" -o "$work/bits"
  "$work/bits" >"$work/found"
  if [ ! -e "$work/$set_name" ]; then
    mv "$work/found" "$work/$set_name"
  elif ! diff "$work/$set_name" "$work/found"; then
    echo "the bits differ" >&2
    exit 1
  fi
}

for set_name in $sets; do
  rm -f "$work/$set_name"
  for compiler in "$@"; do
    build_and_compare "$set_name" -O3 "$compiler" "-march=$set_name"
  done
done
# Other levels, for the first set alone; and without vectors for the last.
first=${sets%% *} last=${sets##* } level=-O0
for compiler in "$@"; do
  build_and_compare "$first" "$level" "$compiler" "-march=$first"
  level=-O1
done
build_and_compare "$last" -O2 "$1" "-march=$last" -DWICK_NO_VECTORS
