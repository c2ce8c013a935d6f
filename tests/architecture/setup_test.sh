#!/usr/bin/env bash
# Runs tests/setup.sh on machines that are made up: scripts stand in for dpkg-query, apt-cache and
# apt-get, read what is installed and available from files, and write down what they are asked.
set -euo pipefail
setup=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/setup.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export FAKE=$folder
failures=0

fake() {
  printf '#!/bin/bash\n%s\n' "$2" >"$folder/bin/$1"
  chmod +x "$folder/bin/$1"
}
mkdir "$folder/bin"
fake dpkg-query 'grep -qxF "${!#}" "$FAKE/installed" && printf installed'
fake apt-cache 'if grep -qxF "$2" "$FAKE/available"; then echo "Candidate: 1.0"; else
  echo "Candidate: (none)"; fi'
fake apt-get 'words="$*"; echo "${words##*Timeout=300 }" >>"$FAKE/asked"
case "$words" in
  *update*) [[ -e $FAKE/updated ]] && cp "$FAKE/updated" "$FAKE/available"; exit 0 ;;
  *) [[ ! -e $FAKE/broken ]] || { echo "no space left"; exit 100; } ;;
esac'
fake sudo '"$@"'

essentials="g++ cmake ninja-build nlohmann-json3-dev libcli11-dev"

# machine INSTALLED AVAILABLE: what the next run finds.
machine() {
  rm -f "$folder"/{asked,updated,broken}
  touch "$folder/asked"
  tr ' ' '\n' <<<"$1" >"$folder/installed"
  tr ' ' '\n' <<<"$2" >"$folder/available"
}

run() {
  status=0
  output=$(PATH="$folder/bin:$PATH" "$setup" "$@" 2>&1) || status=$?
  asked=$(cat "$folder/asked")
}

# expect WHAT STATUS OUTPUT ASKED: the output as a pattern.
expect() {
  # shellcheck disable=SC2053
  if [[ $status != "$2" || $output != $3 || $asked != "$4" ]]; then
    failures=$((failures + 1))
    printf '%s: status %s, output {%s}, asked {%s}\n' "$1" "$status" "$output" "$asked"
  fi
}

machine "$essentials ccache" ""
run build
expect "a complete machine is left alone, silently" 0 "" ""

machine "g++ ninja-build nlohmann-json3-dev ccache" "cmake libcli11-dev"
run build
expect "only what is missing is installed" 0 "setup: installing cmake libcli11-dev" \
  "install --yes --no-install-recommends cmake libcli11-dev"

machine "$essentials" ""
cp <(echo ccache) "$folder/updated"
run build
expect "lists are fetched when a package is unknown" 0 "setup: installing ccache" \
  $'update\ninstall --yes --no-install-recommends ccache'

machine "$essentials ccache" "llvm-19-dev"
run check
expect "optional packages that do not exist are named and left out" 0 \
  "setup: clang-19 is not available*setup: libclang-19-dev is not*setup: installing llvm-19-dev" \
  $'update\ninstall --yes --no-install-recommends llvm-19-dev'

machine "ccache" "$essentials"
touch "$folder/broken"
run build
expect "a failed installation fails and shows why" 1 "*no space left*the installation failed*" \
  "install --yes --no-install-recommends $essentials"

machine "" ""
run everything
expect "an unknown set is a wrong use" 2 "usage:*" ""

echo "$failures failures"
((failures == 0))
