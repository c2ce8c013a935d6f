#!/usr/bin/env bash
# The main job on real data: installs what is missing, builds wick, turns graph.json into C++,
# compiles that with main.cpp and classifies 360 handwritten digits.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tests/setup.sh check
cmake --preset release > /dev/null
cmake --build --preset release --target wick_cli --parallel "$(nproc)"

sample=samples/digits
out=build/samples/digits
wick=build/release/frontend/cli/wick
# Where LLVM is missing, wick has no checker, and wants to be told that this is known.
check=()
if [[ $("$wick" --version) == *"without the checker"* ]]; then
  echo "wick was built without LLVM 19: what it emits is not checked" >&2
  check=(--no-check)
fi
"$wick" compile "$sample/graph.json" -o "$out" "${check[@]}"

${CXX:-c++} -std=c++17 -O2 -ffp-contract=off -fno-lto -I runtime -I "$out" \
  "$sample/main.cpp" "$out/digits.cpp" "$out/digits.weights.cpp" -o "$out/digits"
"$out/digits" "$sample/data"
