#!/usr/bin/env bash
# Installs what is missing on Debian and its relatives, and says nothing when nothing is.
#
#   tests/setup.sh build   to build wick and run the samples
#   tests/setup.sh check   the same with LLVM, for the checker of emitted code
#   tests/setup.sh test    everything the test suite uses (the default)
#
# Packages that a release does not carry and wick can live without are left out with a message.
set -euo pipefail

set_name=${1:-test}

# Without these nothing works.
required=(g++ cmake ninja-build nlohmann-json3-dev libcli11-dev)
# Without these less works: the build finds out for itself what is there.
optional=(ccache)

checker=(clang-19 llvm-19-dev libclang-19-dev)

case $set_name in
  build) ;;
  check)
    optional+=("${checker[@]}")
    ;;
  test)
    required+=(git libgtest-dev libgmock-dev make pkg-config python3 python3-numpy
      python3-jsonschema)
    optional+=("${checker[@]}" libclang-rt-19-dev clang-format-19 clang-tidy-19 clang-14 meson
      libbenchmark-dev libmpfr-dev qemu-user g++-aarch64-linux-gnu g++-riscv64-linux-gnu)
    ;;
  *)
    echo "usage: $0 [build|check|test]" >&2
    exit 2
    ;;
esac

installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

available() {
  [[ $(apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[!\(]* ]]
}

# Prints the packages among its arguments that are not installed.
missing_of() {
  local package
  for package in "$@"; do
    installed "$package" || echo "$package"
  done
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "setup: needs root or sudo to run: $*" >&2
    exit 1
  fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@"
}

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; please see to it that these are installed:" >&2
  echo "  ${required[*]}" >&2
  echo "  and, where possible: ${optional[*]}" >&2
  exit 0
fi

mapfile -t missing_required < <(missing_of "${required[@]}")
mapfile -t missing_optional < <(missing_of "${optional[@]}")
missing=("${missing_required[@]}" "${missing_optional[@]}")
if ((${#missing[@]} == 0)); then
  exit 0
fi

# The package lists are fetched only if one of the packages is unknown: a release that lacks an
# optional one costs a fetch each time, a complete machine never does.
for package in "${missing[@]}"; do
  if ! available "$package"; then
    apt update || echo "setup: the package lists could not be updated" >&2
    break
  fi
done

wanted=("${missing_required[@]}")
for package in "${missing_optional[@]}"; do
  if available "$package"; then
    wanted+=("$package")
  else
    echo "setup: $package is not available here, going on without it" >&2
  fi
done

if ((${#wanted[@]} > 0)); then
  echo "setup: installing ${wanted[*]}" >&2
  log=$(mktemp)
  if ! apt install --yes --no-install-recommends "${wanted[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    echo "setup: the installation failed; its messages stand above" >&2
    exit 1
  fi
  rm -f "$log"
fi
