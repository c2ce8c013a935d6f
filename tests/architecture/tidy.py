"""Runs the checks of .clang-tidy over the sources of one folder.

    tidy.py BUILD FOLDER    BUILD holds compile_commands.json; FOLDER is relative to the root of the
                            tree around this file, and the folders in it do not count

Nearly all the time of a lint goes into headers, so the files of a folder that are compiled alike
are read as one: a file that includes them all. Where two of them do not go together (a name of an
unnamed namespace that both have, an overload that the other's headers bring in), those that the
compiler complains of are read again, with such names told apart, and at last each alone: the
verdict is that of separate runs, only sooner.

Files that the build does not compile (the checker on a machine without Clang) are left out, but a
folder without a single compiled file is an error.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

_TOOL = "clang-tidy-19"
# The database is of GCC, some of whose warnings Clang does not know; libstdc++ 12 calls a function
# in its own headers that it has deprecated.
_MORE_FLAGS = ("-Wno-deprecated-declarations", "-Wno-unknown-warning-option")

_FINDING = re.compile(r"(?P<file>/.*?):\d+:\d+: (?:error|warning): .*\[(?P<check>\S+)\]")
_NOT_CODE = "clang-diagnostic-error"
_CLASH = re.compile(r"error: (?:redefinition of|reference to|call to) '(\w+)'")


def _flags_of(command):
    """What a compile command says besides the compiler, the source and the output."""
    words = shlex.split(command["command"])[1:]
    flags = []
    skip = False
    for word in words:
        if skip or word == "-c" or word == command["file"] or word.endswith("ccache"):
            skip = False
        elif word in ("-o", "-MF", "-MT"):
            skip = True
        elif word.startswith("-"):
            flags.append(word)
        elif flags and flags[-1] in ("-isystem", "-include", "-I", "-D"):
            flags.append(word)
    return tuple(flags)


def groups_of(build, root, folder):
    """The compiled sources of the folder by their flags, in the order of their names."""
    groups = {}
    seen = set()
    commands = json.loads((build / "compile_commands.json").read_text())
    for command in sorted(commands, key=lambda command: command["file"]):
        source = pathlib.Path(command["file"])
        # A source that tests compile again is read as the product compiles it.
        if source.parent != root / folder or source in seen or "GTEST" in command["command"]:
            continue
        seen.add(source)
        groups.setdefault(_flags_of(command), []).append(source)
    return groups


def _joined(files, clashes):
    """The text that includes all files, with the names that clash told apart."""
    lines = []
    for number, file in enumerate(files):
        text = file.read_text()
        own = [name for name in sorted(clashes) if re.search(rf"\b{name}\b", text)]
        lines += [f"#define {name} {name}{number}" for name in own]
        lines.append(f'#include "{file}"')
        lines += [f"#undef {name}" for name in own]
    return "\n".join(lines) + "\n"


def _read(root, file, flags):
    """Runs the tool; returns its findings as (file, check, text), and whether it is content."""
    done = subprocess.run(
        [_TOOL, "--quiet", f"--config-file={root}/.clang-tidy", str(file), "--", *flags,
         *_MORE_FLAGS],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    findings = []
    for line in done.stdout.splitlines(keepends=True):
        start = _FINDING.match(line)
        if start:
            findings.append([pathlib.Path(start["file"]), start["check"], line])
        elif findings:
            findings[-1][2] += line
    if done.returncode != 0 and not findings:
        findings.append([file, _NOT_CODE, done.stdout])
    return findings


def findings_in(root, files, flags, scratch):
    """The findings in all files, as text."""
    reports = []
    clashes = set()
    while len(files) > 1:
        scratch.parent.mkdir(parents=True, exist_ok=True)
        scratch.write_text(_joined(files, clashes))
        findings = _read(root, scratch, flags)
        broken = [finding for finding in findings if finding[1] == _NOT_CODE]
        again = [file for file in files if file in {finding[0] for finding in broken}]
        if broken and not again:  # in a header, or nowhere
            again = files
        reports += [text for file, check, text in findings
                    if check != _NOT_CODE and file not in again]
        names = {name for finding in broken for name in _CLASH.findall(finding[2])}
        stuck = len(again) == len(files) and names <= clashes
        clashes |= names
        files = again
        if stuck:
            break
    for file in files:
        reports += [text for _, _, text in _read(root, file, flags)]
    return reports


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    folder = sys.argv[2]
    root = pathlib.Path(__file__).resolve().parents[2]
    if len(sys.argv) > 3:
        root = pathlib.Path(sys.argv[3]).resolve()
    groups = groups_of(build, root, folder)
    if not groups:
        print(f"tidy.py: nothing in {folder} is compiled in {build}", file=sys.stderr)
        return 1
    reports = []
    for number, (flags, files) in enumerate(groups.items()):
        scratch = build / "tidy" / f"{folder.replace('/', '.')}.{number}.cpp"
        reports += findings_in(root, files, flags, scratch)
    print("".join(dict.fromkeys(reports)), end="")
    return 1 if reports else 0


if __name__ == "__main__":
    sys.exit(main())
