#!/usr/bin/env bash
# Sets up, builds and tests everything; the last line is `N passed, N failed`, counted in tests as
# ctest counts them. A test that was skipped or could not be started has failed.
#
#   tests/run.sh [--quick] [arguments of ctest…]
#
#   --quick   leaves out the tests that are labelled slow
#
# Examples: tests/run.sh -R architecture      tests/run.sh --quick --rerun-failed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

ctest_arguments=()
for argument in "$@"; do
  case $argument in
    --quick) ctest_arguments+=(--label-exclude '^slow$') ;;
    -h | --help)
      sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
      exit 0
      ;;
    *) ctest_arguments+=("$argument") ;;
  esac
done

jobs=$(nproc)

# Whatever ends the run early has failed, and the last line says so.
give_up() {
  echo "tests/run.sh: $1 failed" >&2
  echo "0 passed, 1 failed"
  exit 1
}

./tests/setup.sh test || give_up "setting up"
cmake --preset ci || give_up "configuring"
cmake --build --preset ci --parallel "$jobs" || give_up "building"

if [[ -t 1 ]]; then
  ctest_arguments+=(--progress)
fi
results=build/ci/results.xml
rm -f "$results"
status=0
ctest --preset ci --parallel "$jobs" --no-tests=error --output-junit "$PWD/$results" \
  "${ctest_arguments[@]}" || status=$?
[[ -s $results ]] || give_up "ctest"

# The exit code joins ctest's verdict with ours, so that neither can hide a failure.
/usr/bin/python3 tests/support/summary.py "$results" || status=1
exit "$status"
