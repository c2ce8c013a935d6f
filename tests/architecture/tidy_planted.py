"""Proves that tidy.py reports what separate runs over each file would, and nothing else.

    tidy_planted.py
"""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
from unittest import mock

import tidy

_CLEAN = "namespace wick {\nnamespace {\nconstexpr int kFirst = 1;\n}  // namespace\n" \
         "int first() { return kFirst; }\n}  // namespace wick\n"
_CLASHES = "namespace wick {\nnamespace {\nconstexpr int kFirst = 2;\n}  // namespace\n" \
           "int second() { return kFirst; }\n}  // namespace wick\n"

# The files of a tree; and the starts of the reports wanted, in any order.
CASES = [
    ({"a.cpp": _CLEAN, "b.cpp": _CLASHES}, []),
    ({"a.cpp": _CLEAN, "b.cpp": "int BadName() { return 0; }\n"},
     ["b.cpp:1:5: error: invalid case style for function 'BadName'"]),
    # One that clashes is read all the same, and so is a header.
    ({"a.cpp": _CLEAN, "b.cpp": "int* g() { return 0; }\n" + _CLASHES,
      "c.cpp": '#include "c.h"\n', "c.h": "#pragma once\nstruct bad {};\n"},
     ["b.cpp:1:19: error: use nullptr", "c.h:2:8: error: invalid case style for struct 'bad'"]),
    # What no other file can help is an error.
    ({"a.cpp": _CLEAN, "b.cpp": "int f() { return absent_thing; }\n"},
     ["b.cpp:1:18: error: use of undeclared identifier 'absent_thing'"]),
    # Flags keep files apart.
    ({"a.cpp": _CLEAN, "flagged.cpp": "int f() { return MORE; }\n"}, []),
]


def _reports(tree):
    """What tidy.py says of a folder with these files, line by line."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name).resolve()
        folder = root / "compiler" / "planted"
        folder.mkdir(parents=True)
        real = pathlib.Path(__file__).resolve().parents[2]
        (root / ".clang-tidy").write_bytes((real / ".clang-tidy").read_bytes())
        commands = []
        for file, text in tree.items():
            (folder / file).write_text(text)
            if file.endswith(".cpp"):
                more = " -DMORE=1" if file == "flagged.cpp" else ""
                source = str(folder / file)
                commands.append({"file": source, "directory": str(root),
                                 "command": f"c++ -std=c++20{more} -o x.o -c {source}"})
        (root / "compile_commands.json").write_text(json.dumps(commands))
        out = io.StringIO()
        with contextlib.redirect_stdout(out), mock.patch.object(
                sys, "argv", ["tidy.py", str(root), "compiler/planted", str(root)]):
            status = tidy.main()
        lines = [line.removeprefix(f"{folder}/") for line in out.getvalue().splitlines()]
        return status, [line for line in lines if ": error: " in line]


def main():
    failed = 0
    for number, (tree, wanted) in enumerate(CASES):
        status, found = _reports(tree)
        right = (status == (1 if wanted else 0) and len(found) == len(wanted)
                 and all(any(line.startswith(start) for line in found) for start in wanted))
        if not right:
            failed += 1
            print(f"case {number}: wanted {wanted}, found {status}: {found}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
