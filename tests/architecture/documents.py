"""The commands that README.md and docs/ show: fenced blocks of the languages `sh` and `console`."""

import os
import re

_FENCE = re.compile(r"^( *)```(sh|console)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_SUBCOMMAND = re.compile(r'add_subcommand\(\s*"([a-z]+)"')

# Programs that a reader has or that tests/setup.sh installs.
_PROGRAMS = frozenset(
    "awk bash c++ cat cd clang++ cmake cp ctest diff echo export g++ gcc git grep head ls make"
    " meson mkdir ninja pkg-config python3 rm sed sudo tail time touch true valgrind"
    " apt-get".split())


def commands(text):
    """Yields (line, words) of each command; a backslash continues a line, `$ ` may precede it.

    In a console block the lines without `$ ` are output.
    """
    for fence in _FENCE.finditer(text):
        line = text.count("\n", 0, fence.start(3)) + 1
        body = fence.group(3)
        for match in re.finditer(r"(?:[^\n]*\\\n)*[^\n]*\n", body):
            words = re.sub(r"\\\n", " ", match.group()).strip()
            at = line + body.count("\n", 0, match.start())
            if fence.group(2) == "console":
                if not words.startswith("$ "):
                    continue
                words = words[2:]
            words = re.sub(r"(^|\s)#.*", "", words).strip()
            for command in re.split(r"\s*(?:&&|\|\||;|\|)\s*", words):
                if command:
                    yield at, command.split()


def _unknown_fences(text):
    """Yields (line, language) of each block of commands that goes by another name."""
    for match in re.finditer(r"^ *```(bash|shell|zsh|shell-session)\b", text, re.MULTILINE):
        yield text.count("\n", 0, match.start()) + 1, match.group(1)


def _subcommands(tree):
    found = set()
    for path in tree.under("frontend/cli"):
        found.update(_SUBCOMMAND.findall(tree.text(path)))
    return found


def _complaint(tree, words, subcommands):
    while words and re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    if not words:
        return None
    program = words[0]
    if program.startswith(("./", "tests/", ".ci/")):
        path = os.path.normpath(program)
        if path.startswith("build/"):
            return None
        if path not in tree.paths:
            return f"there is no {path}"
        if not os.access(tree.root / path, os.X_OK):
            return f"{path} is not executable"
        return None
    if program == "wick":
        word = words[1] if len(words) > 1 else "--help"
        if not word.startswith("-") and word not in subcommands:
            return f"wick has no command '{word}'"
        return None
    return None if program in _PROGRAMS else f"unknown command '{program}'"


def unknown_commands(tree):
    subcommands = _subcommands(tree)
    for path in tree.paths:
        if path.endswith(".md") and (path.startswith(("docs/", "samples/")) or path == "README.md"):
            for line, language in _unknown_fences(tree.text(path)):
                yield f"{path}:{line}: call the language sh or console, not {language}"
            for line, words in commands(tree.text(path)):
                complaint = _complaint(tree, words, subcommands)
                if complaint:
                    yield f"{path}:{line}: {complaint}"
