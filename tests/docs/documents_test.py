"""Holds a Markdown file to what it shows.

    documents_test.py FILE ROOT WICK [PREFIX]

- Every block of `sh` runs without an error, in the order of the file, in a folder with copies of
  samples/, runtime/ and tests/golden/, with WICK first in the path. That folder is also the home of
  the user, whose `wick` is what is installed in PREFIX, and has the sources as third_party/wick. A
  block is left out if the line above it is `<!-- not run: reason -->`.
- In a `console` block, the lines that start with `$ ` are run, and the others are what they print,
  spaces aside.
- A block of `cmake` becomes CMakeLists.txt there, one of `make` Makefile, before the next commands
  run.
- A block of `text` is the form of a command: each line begins with `wick COMMAND`, which there is.
  Other text says above it why it is not run.
- A block of `cpp` or `json` is an excerpt: it stands, line for line, in a file below samples/,
  compiler/ops/ or runtime/.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"(?:^<!-- not run: (?P<reason>[^\n]+) -->\n)?"
                   r"^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
QUOTED = ("samples", "compiler/ops", "runtime")


def run(commands, folder, environment):
    """What the commands print; ends the test if they fail."""
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder,
                          env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=240)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}:\n{commands}\n{done.stdout}")
    return done.stdout


def check_console(body, folder, environment):
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        found = run(command, folder, environment)
        if found.split() != expected.split():
            sys.exit(f"$ {command}\nshown:\n{expected}\nprinted:\n{found}")


def check_forms(body, folder, environment):
    for line in body.splitlines():
        if not re.match(r"wick [a-z]+( |$)", line):
            sys.exit(f"neither a form of a command nor run: {line}")
        run(" ".join(line.split()[:2]) + " --help", folder, environment)


def check_excerpt(body, root):
    for place in QUOTED:
        for path in sorted((root / place).rglob("*")):
            if path.suffix in (".cpp", ".h", ".json") and body in path.read_text():
                return
    sys.exit(f"this stands in no file of {', '.join(QUOTED)}:\n{body}")


def furnish_home(folder, root, prefix, environment):
    (folder / "wick").symlink_to(prefix)
    (folder / "third_party").mkdir()
    (folder / "third_party/wick").symlink_to(root)
    environment["HOME"] = str(folder)


def without_checker(wick, folder):
    """A folder with a wick that compiles unchecked; what was built without LLVM insists on it."""
    version = subprocess.run([wick, "--version"], capture_output=True, text=True, check=True)
    if "without the checker" not in version.stdout:
        return wick.parent
    script = folder / "wick"
    script.write_text(f"""#!/bin/sh
command=$1
shift
case $command in compile) set -- --no-check "$@" ;; esac
exec '{wick}' "$command" "$@"
""")
    script.chmod(0o755)
    return folder


def main():
    document, root, wick, *prefix = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    blocks = list(FENCE.finditer(document.read_text()))
    if not blocks:
        sys.exit(f"{document} shows nothing")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
        wick_folder = without_checker(wick, pathlib.Path(programs))
        # NumPy belongs to Debian's Python.
        search = f"{wick_folder}:/usr/bin:{os.environ['PATH']}"
        environment = dict(os.environ, PATH=search, HOME=folder, XDG_CACHE_HOME="")
        for name in ("samples", "runtime", "tests/golden"):
            shutil.copytree(root / name, pathlib.Path(folder, name))
        if prefix:
            furnish_home(pathlib.Path(folder), root, prefix[0], environment)
        for block in blocks:
            body = block["body"]
            match block["language"]:
                case "sh":
                    if not block["reason"]:
                        run(body, folder, environment)
                case "console":
                    check_console(body, folder, environment)
                case "cmake":
                    pathlib.Path(folder, "CMakeLists.txt").write_text(body)
                case "make":
                    pathlib.Path(folder, "Makefile").write_text(body)
                case "text":
                    if not block["reason"]:
                        check_forms(body, folder, environment)
                case "cpp" | "json":
                    check_excerpt(body, root)
                case other:
                    sys.exit(f"a block of {other}: nobody checks it")


main()
