"""Checks the table of behaviours and faults in docs/planning.md against the tests.

Usage: behaviours_index.py SOURCE_DIR

Every behaviour (B1 to B24) and every kind of fault (F1 to F15) has a row; every test that a row
names exists, as a GoogleTest `Suite.Case` somewhere under tests/ or as a folder of tests/errors;
and every test of this folder that is named after a behaviour or a fault stands in its row.
"""

import pathlib
import re
import sys

_ROW = re.compile(r"^\| ([BF]\d+) \|(.*)\|$", re.MULTILINE)
_NAME = re.compile(r"`([A-Za-z]\w*\.\w+|tests/errors/\w+)`")
_TEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)", re.MULTILINE)
_BEHAVIOUR = re.compile(r"Behaviour(\d+)")
_FAULT = re.compile(r"ShippedFault\.(\d+)_")

EXPECTED = [f"B{i}" for i in range(1, 25)] + [f"F{i}" for i in range(1, 16)]


def tests_under(folder):
    """The names of all tests in the sources under `folder`."""
    found = set()
    for path in sorted(folder.rglob("*.cpp")):
        found.update(".".join(test) for test in _TEST.findall(path.read_text()))
    return found


def line_of(test):
    """The row that a test belongs in by its name, or None."""
    if match := _FAULT.search(test):
        return f"F{match.group(1)}"
    if match := _BEHAVIOUR.search(test):
        return f"B{match.group(1)}"
    return None


def complaints(root):
    text = (root / "docs/planning.md").read_text()
    rows = {}
    for line, cells in _ROW.findall(text):
        if line in rows:
            yield f"{line} has two rows"
        rows[line] = _NAME.findall(cells)
    for line in EXPECTED:
        if not rows.get(line):
            yield f"{line} has no row that names a test"
    for line in rows:
        if line not in EXPECTED:
            yield f"there is no {line}"
    known = tests_under(root / "tests")
    for line, names in rows.items():
        for name in names:
            is_folder = name.startswith("tests/")
            if not ((root / name / "graph.json").exists() if is_folder else name in known):
                yield f"{line} names {name}, which does not exist"
    for test in sorted(tests_under(root / "tests/unit/plan")):
        line = line_of(test)
        if line and test not in rows.get(line, []):
            yield f"{test} is missing in the row of {line}"


def main():
    found = list(complaints(pathlib.Path(sys.argv[1])))
    for complaint in found:
        print(f"docs/planning.md: {complaint}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
