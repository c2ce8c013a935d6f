#!/usr/bin/env bash
# Runs the checks of .clang-tidy over the sources of one folder.
#
#   tidy.sh BUILD FOLDER    BUILD holds compile_commands.json; FOLDER is relative to the root, and
#                           the folders in it do not count
#
# Files that the build does not compile (the checker on a machine without Clang) are left out, but a
# folder without a single compiled file is an error.
set -euo pipefail
build=$1
folder=$2
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

mapfile -t files < <(find "$folder" -maxdepth 1 -name '*.cpp' | sort)
compiled=()
for file in "${files[@]}"; do
  if grep -qF "\"file\": \"$PWD/$file\"" "$build/compile_commands.json"; then
    compiled+=("$file")
  fi
done
if ((${#compiled[@]} == 0)); then
  echo "tidy.sh: nothing in $folder is compiled in $build" >&2
  exit 1
fi
# The database is of GCC, some of whose warnings Clang does not know; libstdc++ 12 calls a function
# in its own headers that it has deprecated.
exec clang-tidy-19 --quiet -p "$build" --extra-arg=-Wno-deprecated-declarations \
  --extra-arg=-Wno-unknown-warning-option "${compiled[@]}"
