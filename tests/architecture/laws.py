"""The laws of the design, each a function from a tree to its violations.

    laws.py LAW ROOT [--op-names PROGRAM]

Prints every violation as `file:line: message` and exits with 1 if there are any. Laws read files
that git knows or would add, so that a build folder or an editor's leavings do not count.
"""

import argparse
import ast
import os
import pathlib
import re
import subprocess
import sys

import cpp_source
import documents

LAWS = {}


def law(function):
    LAWS[function.__name__] = function
    return function


class Tree:
    """The files of a source tree, by their paths relative to its root."""

    def __init__(self, root, op_names=()):
        self.root = pathlib.Path(root)
        self.op_names = frozenset(op_names)
        self.paths = sorted(self._list())
        self._texts = {}

    def _list(self):
        listing = subprocess.run(
            ["git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z"],
            cwd=self.root, capture_output=True, check=False)
        if listing.returncode == 0 and (self.root / ".git").exists():
            names = [name.decode() for name in listing.stdout.split(b"\0") if name]
            return [name for name in names if (self.root / name).is_file()]
        return [
            os.path.relpath(os.path.join(folder, name), self.root)
            for folder, folders, names in os.walk(self.root)
            if not _skip(folders)
            for name in names
        ]

    def text(self, path):
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return self._texts[path]

    def under(self, *folders, suffixes=(".h", ".cpp")):
        return [
            path for path in self.paths
            if path.endswith(tuple(suffixes))
            and any(path.startswith(folder + "/") for folder in folders)
        ]

    def sources(self):
        """Every C++ file that a person wrote."""
        folders = ("compiler", "frontend", "runtime", "tests", "samples")
        return [path for path in self.under(*folders) if not is_emitted(path)]


def _skip(folders):
    folders[:] = [name for name in folders if name not in (".git", "build", "__pycache__")]
    return False


def is_emitted(path):
    """Whether wick wrote the file: all C++ of samples and golden cases but their main.cpp."""
    return path.startswith(("samples/", "tests/golden/")) and bool(
        re.search(r"/[^/]+/(?!main\.cpp$)[^/]+\.(h|cpp)$", path))


# ---- Names of operations -----------------------------------------------------------------------

# Words of the generated code's language that happen to be operations as well; see
# docs/generated-code.md. The emitter has to write them.
_EMITTED_WORDS = {"view", "cast"}


@law
def op_names(tree):
    """No operation is named in the compiler outside compiler/ops."""
    if not tree.op_names:
        yield "compiler/ops:1: the table has no operations, so this law proves nothing"
    for path in tree.under("compiler"):
        if path.startswith("compiler/ops/"):
            continue
        for line, contents in cpp_source.string_literals(tree.text(path)):
            word = contents.removeprefix("wick::").rstrip("<({ ")
            if path.startswith("compiler/emit/") and word != contents and word in _EMITTED_WORDS:
                continue
            if word in tree.op_names:
                yield f"{path}:{line}: the operation '{word}' as a string; ask its record's traits"
        for line, name in cpp_source.enumerators(tree.text(path)):
            if _snake_case(name) in tree.op_names:
                yield f"{path}:{line}: the operation '{_snake_case(name)}' as an enumerator {name}"


def _snake_case(name):
    name = re.sub(r"^k(?=[A-Z])", "", name)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


# ---- Includes ----------------------------------------------------------------------------------

_STANDARD = frozenset("""
    algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono
    cinttypes climits clocale cmath codecvt compare complex concepts condition_variable coroutine
    csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque
    exception execution filesystem forward_list fstream functional future initializer_list iomanip
    ios iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex
    new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore
    set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string
    string_view system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set
    utility valarray variant vector version
    """.split())

_RUNTIME = frozenset(["cstddef", "cstdint", "cstring", "type_traits", "limits"])

# Headers for callers of emitted code, which itself includes none of them; each may include more.
_FOR_CALLERS = {
    "runtime/wick/c_api.h": frozenset(["stdbool.h", "stddef.h", "stdint.h"]),
    "runtime/wick/weights_file.h": frozenset(["fcntl.h", "sys/mman.h", "sys/stat.h", "unistd.h"]),
}

# What the operating system brings; not third-party, but only the frontend talks to it.
_SYSTEM = re.compile(r"(sys/\w+|fcntl|unistd|dlfcn|spawn|signal|poll|dirent|elf)\.h$")

_OWN_PACKAGES = {
    "frontend/json": ("nlohmann/",),
    "frontend/cli": ("CLI/",),
    "frontend/clang": ("clang/", "llvm/"),
}


def _folder(path):
    return "/".join(path.split("/")[:2])


def _is_own(include):
    return include.startswith(("compiler/", "frontend/", "wick/", "tests/"))


def _is_third_party(include):
    return not (_is_own(include) or include in _STANDARD or _SYSTEM.match(include))


def _included_elsewhere(tree):
    """The frontend's headers that files of another folder see, directly or through others."""
    edges = {
        path: [include for _, _, include in cpp_source.includes(tree.text(path))]
        for path in tree.under("compiler", "frontend", "runtime")
    }
    seen = {}
    for start in edges:
        stack = [start]
        visited = set()
        while stack:
            path = stack.pop()
            if path in visited:
                continue
            visited.add(path)
            if _folder(path) != _folder(start):
                seen.setdefault(path, start)
            stack.extend(edges.get(path, ()))
    return seen


@law
def third_party(tree):
    """Third-party headers stay in their folder, and out of headers that others include."""
    seen_by = _included_elsewhere(tree)
    for path in tree.under("compiler", "frontend"):
        allowed = _OWN_PACKAGES.get(_folder(path), ())
        for line, quote, include in cpp_source.includes(tree.text(path)):
            if path.startswith("compiler/") and _SYSTEM.match(include):
                yield f"{path}:{line}: <{include}>: the compiler uses only the standard library"
            if quote == '"' and not _is_own(include):
                yield f'{path}:{line}: "{include}": own headers are included by their rooted path'
            elif _is_third_party(include):
                if not include.startswith(allowed or ("\0",)):
                    yield f"{path}:{line}: <{include}> is third-party and not allowed here"
                elif path in seen_by:
                    yield f"{path}:{line}: <{include}> reaches {seen_by[path]}, another folder"


@law
def runtime_includes(tree):
    """What emitted code includes needs five headers of the standard library and nothing else."""
    for path in tree.under("runtime"):
        more = _FOR_CALLERS.get(path, frozenset())
        for line, _, include in cpp_source.includes(tree.text(path)):
            if include not in _RUNTIME | more and not include.startswith("wick/"):
                yield f"{path}:{line}: {include}: not among <{'> <'.join(sorted(_RUNTIME))}>"
            if f"runtime/{include}" in _FOR_CALLERS:
                yield f"{path}:{line}: {include} is for callers: no header of the runtime needs it"


# ---- Layers ------------------------------------------------------------------------------------

# A file sees its own layer's folder and the layers with a smaller number. Folders of one number do
# not see each other. The runtime stands beside the compiler: whoever emits or hashes may see it.
_LAYERS = {
    "runtime": 0,
    "compiler/support": 0,
    "compiler/tensor": 1,
    "compiler/ops": 2,
    "compiler/graph": 3,
    "compiler/reference": 4,
    "compiler/simplify": 4,
    "compiler/fuse": 4,
    "compiler/plan": 5,
    "compiler/emit": 6,
    "compiler": 7,
    "frontend/json": 8,
    "frontend/check": 8,
    "frontend/embed": 8,
    "frontend/clang": 9,
    "frontend/cli": 10,
}


def _layer(path):
    if path.startswith(("runtime/", "wick/")):
        return "runtime"
    parts = path.split("/")
    return parts[0] if parts[0] == "compiler" and len(parts) == 2 else "/".join(parts[:2])


@law
def layers(tree):
    """Includes point down: support < tensor < ops < graph < ... < frontend/cli."""
    for path in tree.under("compiler", "frontend", "runtime"):
        layer = _layer(path)
        if layer not in _LAYERS:
            yield f"{path}:1: {layer} is no layer of the design"
            continue
        for line, _, include in cpp_source.includes(tree.text(path)):
            other = _layer(include)
            if include.startswith("tests/"):
                yield f"{path}:{line}: {include}: the product does not include its tests"
            if not _is_own(include) or other == layer or other not in _LAYERS:
                continue
            if _LAYERS[other] >= _LAYERS[layer]:
                yield f"{path}:{line}: {layer} may not see {other} ({include})"
    for path in tree.paths:
        if path.startswith(("compiler/", "frontend/")) and path.endswith("/CMakeLists.txt"):
            yield from _link_violations(path, tree.text(path))


_TARGET_OF = {f"wick_{layer.split('/')[-1]}": layer for layer in _LAYERS} | {
    "wick_compile": "compiler"}


def _link_violations(path, text):
    """A target links against lower layers only, as its sources include."""
    for call in re.finditer(r"wick_add_(?:library|program)\(\s*(\w+)([^)]*)\)", text):
        layer = _TARGET_OF.get(call.group(1))
        if layer is None:
            continue
        for word in call.group(2).split():
            other = _TARGET_OF.get(word)
            if other is not None and _LAYERS[other] >= _LAYERS[layer]:
                line = cpp_source.line_of(text, call.start())
                yield f"{path}:{line}: {call.group(1)} may not link {word}"


_PLAN_JUDGE = (r"compiler/(support|tensor|ops|graph)/"
               r"|compiler/fuse/fused_graph\.h|compiler/plan/(plan|validate|judge\w*)\.h")

# What a judge may include of the compiler: the products it judges and the records, which are the
# specification; nothing of what made the products.
_JUDGES = {
    "compiler/reference/": r"compiler/(support|tensor|ops|graph|reference)/",
    "compiler/plan/validate": _PLAN_JUDGE,
    "compiler/plan/judge": _PLAN_JUDGE,
    # The hash is the one by which callers know a weights file.
    "frontend/check/":
        r"compiler/(support|tensor|ops|graph|reference)/|frontend/check/|wick/hash\.h",
    "frontend/clang/":
        r"compiler/(support|tensor|ops|graph|reference)/|frontend/(check|clang|embed)/",
}


@law
def judges(tree):
    """The reference, the plan validator and the checker share no code with what they judge."""
    for prefix, allowed in _JUDGES.items():
        for path in tree.paths:
            if not path.startswith(prefix) or not path.endswith((".h", ".cpp")):
                continue
            for line, _, include in cpp_source.includes(tree.text(path)):
                if _is_own(include) and not re.match(allowed, include):
                    yield f"{path}:{line}: a judge may not include {include}"


# ---- Sizes -------------------------------------------------------------------------------------

_FILE_LINES = 500
_FUNCTION_LINES = 60
_COLUMNS = 100
# In a comment at the head of a file, with a reason: lifts both limits for that file.
_LONG_BECAUSE = re.compile(r"(?://|#) Long because \S+ \S+ \S+")
_HEAD_LINES = 40


def _written(tree):
    """Every source and script that a person wrote."""
    scripts = (".py", ".sh", ".cmake", "CMakeLists.txt", ".ci/run")
    return tree.sources() + [path for path in tree.paths if path.endswith(scripts)]


@law
def columns(tree):
    """No line is wider than 100 columns: what the formatter cannot break, a person can."""
    for path in _written(tree):
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            if len(line) > _COLUMNS and "://" not in line:
                yield f"{path}:{number}: {len(line)} columns, at most {_COLUMNS}"


@law
def sizes(tree):
    """Files of at most 500 lines, functions of at most 60, unless the head says why."""
    for path in _written(tree):
        text = tree.text(path)
        if _LONG_BECAUSE.search("\n".join(text.splitlines()[:_HEAD_LINES])):
            continue
        lines = text.count("\n")
        if lines > _FILE_LINES:
            yield f"{path}:{_FILE_LINES}: {lines} lines, at most {_FILE_LINES}"
        for first, last, head in _functions(path, text):
            if last - first + 1 > _FUNCTION_LINES:
                yield (f"{path}:{first}: {last - first + 1} lines, "
                       f"at most {_FUNCTION_LINES}: {head[:60]}")


def _functions(path, text):
    if path.endswith((".h", ".cpp")):
        yield from cpp_source.functions(text)
    elif path.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                yield node.lineno, node.end_lineno, node.name


# ---- Leftovers ---------------------------------------------------------------------------------

_LEFTOVER = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
# A machine's own folders. Names of places that every system has (/usr, /tmp, /proc) are fine.
_MACHINE = re.compile(r"(?<![\w.}~/])/(home|root|work|Users|workspace)/")


def _prose_and_code(tree):
    suffixes = (".h", ".cpp", ".c", ".py", ".sh", ".cmake", ".txt", ".md", ".json", ".yml")
    return [path for path in tree.paths if path.endswith(suffixes) or "." not in path]


def _matching_lines(tree, pattern, message):
    for path in _prose_and_code(tree):
        text = tree.text(path)
        for match in pattern.finditer(text):
            yield f"{path}:{cpp_source.line_of(text, match.start())}: {match.group()}: {message}"


@law
def leftovers(tree):
    """No notes to oneself: file an issue instead."""
    return _matching_lines(tree, _LEFTOVER, "file an issue instead")


_USING = re.compile(r"^ *using (?:\w+::)+(\w+);", re.MULTILINE)


@law
def using_declarations(tree):
    """A .cpp file uses each name that it takes from a namespace."""
    for path in tree.sources():
        if not path.endswith(".cpp"):
            continue
        code = cpp_source.without_comments_and_literals(tree.text(path))
        for match in _USING.finditer(code):
            if len(re.findall(rf"\b{match[1]}\b", code)) == 1:
                line = cpp_source.line_of(code, match.start(1))
                yield f"{path}:{line}: {match[1]} is not used"


@law
def machine_paths(tree):
    """No path of one person's machine."""
    return _matching_lines(tree, _MACHINE, "a path of one machine")


# ---- The house ---------------------------------------------------------------------------------

_TOP_LEVEL = frozenset([
    "compiler", "runtime", "frontend", "tests", "samples", "docs",
    "CMakeLists.txt", "README.md", "LICENSE", "CMakePresets.json"])


@law
def top_level(tree):
    """Nothing else stands at the root; dot-files may."""
    for name in sorted({path.split("/")[0] for path in tree.paths}):
        if name not in _TOP_LEVEL and not name.startswith("."):
            yield f"{name}:1: not among the design's top-level entries"


@law
def commands(tree):
    """Every command that the documents show exists."""
    return documents.unknown_commands(tree)


@law
def formatting(tree):
    """clang-format leaves every file as it is."""
    paths = tree.sources()
    if not paths:
        return
    result = subprocess.run(
        ["clang-format-19", "--dry-run", "--Werror", *paths],
        cwd=tree.root, capture_output=True, text=True, check=False)
    first_of = {}
    for match in re.finditer(r"^([^:\n]+):(\d+):\d+: error:", result.stderr, re.MULTILINE):
        first_of.setdefault(match.group(1), match.group(2))
    for path, line in first_of.items():
        yield f"{path}:{line}: not formatted; run clang-format-19 -i {path}"
    if result.returncode and not first_of:
        yield f"clang-format-19:1: {result.stderr.strip() or 'failed'}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("law", choices=sorted(LAWS))
    parser.add_argument("root")
    parser.add_argument("--op-names", help="a program that prints the name of every operation")
    arguments = parser.parse_args()
    names = ()
    if arguments.op_names:
        names = subprocess.run(
            [arguments.op_names], capture_output=True, text=True, check=True).stdout.split()
    violations = list(LAWS[arguments.law](Tree(arguments.root, names)))
    for violation in violations:
        print(violation)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
