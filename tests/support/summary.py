"""Counts the results that `ctest --output-junit FILE` wrote and prints `N passed, N failed`.

A test has passed only if it was run to its end: one that was skipped, disabled or not found counts
as failed, and so does a run without tests. Those are named. Exits with 1 unless all have passed.
"""

import sys
import xml.etree.ElementTree


def count(path):
    """Returns (number of passed tests, names of the others with what became of them)."""
    passed = 0
    others = []
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        status = case.get("status")
        if status == "run" and not list(case.iter("failure")) and not list(case.iter("skipped")):
            passed += 1
        else:
            others.append(f"{case.get('name')} ({status})")
    return passed, others


def main():
    passed, others = count(sys.argv[1])
    for other in others:
        print(f"not passed: {other}")
    print(f"{passed} passed, {len(others)} failed")
    return 0 if passed and not others else 1


if __name__ == "__main__":
    sys.exit(main())
