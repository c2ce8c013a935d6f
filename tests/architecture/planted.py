"""Proves that each law can fail: plants violations in small trees and wants every one reported.

    planted.py LAW

A case is a tree and the start of the one report wanted; a case without one is a tree that keeps
the law and looks as if it did not.
"""

import pathlib
import sys
import tempfile

import laws

_OP_NAMES = ("abs", "minimum", "matmul", "gather_elements", "view", "cast")
_LONG_FUNCTION = "int f() {\n" + "  g();\n" * 59 + "}\n"  # 61 lines
_OPEN_FENCE = "```sh\n"

CASES = {
    "op_names": [
        ({"compiler/plan/a.cpp": 'void f() {\n  if (name == "abs") g();\n}\n'},
         "compiler/plan/a.cpp:2: the operation 'abs' as a string"),
        ({"compiler/emit/a.h": "enum class Kind { kNone,\n kGatherElements = 3 };\n"},
         "compiler/emit/a.h:2: the operation 'gather_elements' as an enumerator"),
        ({"compiler/emit/a.cpp": 'auto a = "wick::matmul(";\n'},
         "compiler/emit/a.cpp:1: the operation 'matmul' as a string"),
        ({"compiler/fuse/a.cpp": 'auto a = R"x(minimum)x";\n'},
         "compiler/fuse/a.cpp:1: the operation 'minimum' as a string"),
        ({"compiler/compile.cpp": 'auto a = u8"view";\n'},
         "compiler/compile.cpp:1: the operation 'view' as a string"),
        ({"compiler/ops/a.cpp": 'auto a = "abs";\n',
          "compiler/plan/a.cpp": '// "abs"\nauto a = "absolute"; enum E { kPlan };\n',
          "compiler/emit/a.cpp": 'auto a = "wick::view<"; auto b = "wick::cast<";\n',
          "frontend/clang/a.cpp": 'auto a = "abs";\n'}, None),
    ],
    "third_party": [
        ({"compiler/plan/a.cpp": "#include <nlohmann/json.hpp>\n"},
         "compiler/plan/a.cpp:1: <nlohmann/json.hpp> is third-party"),
        ({"compiler/plan/a.cpp": "#include <sys/mman.h>\n"},
         "compiler/plan/a.cpp:1: <sys/mman.h>: the compiler uses only"),
        ({"frontend/cli/a.cpp": "\n#include <nlohmann/json.hpp>\n"},
         "frontend/cli/a.cpp:2: <nlohmann/json.hpp> is third-party"),
        ({"frontend/json/a.cpp": "#include <CLI/CLI.hpp>\n"},
         "frontend/json/a.cpp:1: <CLI/CLI.hpp> is third-party"),
        ({"frontend/json/a.cpp": '#include "reader.h"\n'},
         'frontend/json/a.cpp:1: "reader.h": own headers are included by their rooted path'),
        ({"frontend/json/inner.h": "#include <nlohmann/json.hpp>\n",
          "frontend/json/outer.h": '#include "frontend/json/inner.h"\n',
          "frontend/cli/a.cpp": '#include "frontend/json/outer.h"\n'},
         "frontend/json/inner.h:1: <nlohmann/json.hpp> reaches frontend/cli/a.cpp"),
        ({"frontend/json/a.h": "#include <nlohmann/json.hpp>\n",
          "frontend/json/a.cpp": '#include <fcntl.h>\n#include "frontend/json/a.h"\n',
          "frontend/clang/a.cpp": '#include <clang/AST/AST.h>\n#include "llvm/Support/Error.h"\n'},
         'frontend/clang/a.cpp:2: "llvm/Support/Error.h": own headers'),
        ({"frontend/json/a.h": "#include <nlohmann/json.hpp>\n",
          "frontend/json/a.cpp": '#include <fcntl.h>\n#include "frontend/json/a.h"\n',
          "compiler/a.cpp": "// #include <CLI/CLI.hpp>\n#include <vector>\n"}, None),
    ],
    "layers": [
        ({"compiler/plan/a.h": '#include "compiler/emit/a.h"\n'},
         "compiler/plan/a.h:1: compiler/plan may not see compiler/emit"),
        ({"compiler/simplify/a.cpp": '#include "compiler/reference/a.h"\n'},
         "compiler/simplify/a.cpp:1: compiler/simplify may not see compiler/reference"),
        ({"compiler/emit/a.cpp": '#include "compiler/compile.h"\n'},
         "compiler/emit/a.cpp:1: compiler/emit may not see compiler (compiler/compile.h)"),
        ({"frontend/json/a.cpp": '#include "frontend/clang/a.h"\n'},
         "frontend/json/a.cpp:1: frontend/json may not see frontend/clang"),
        ({"runtime/wick/a.h": '#include "compiler/support/ids.h"\n'},
         "runtime/wick/a.h:1: runtime may not see compiler/support"),
        ({"compiler/ops/a.cpp": '#include "tests/support/a.h"\n'},
         "compiler/ops/a.cpp:1: tests/support/a.h: the product does not include its tests"),
        ({"compiler/fuse/CMakeLists.txt": "wick_add_library(wick_fuse\n  DEPENDS wick_plan)\n"},
         "compiler/fuse/CMakeLists.txt:1: wick_fuse may not link wick_plan"),
        ({"compiler/util/a.cpp": ""}, "compiler/util/a.cpp:1: compiler/util is no layer"),
        ({"compiler/emit/a.cpp": '#include "wick/hash.h"\n#include "compiler/plan/plan.h"\n',
          "compiler/compile.cpp": '#include "compiler/compile.h"\n'
                                  '#include "compiler/emit/emit.h"\n',
          "compiler/CMakeLists.txt": "wick_add_library(wick_compile DEPENDS wick_emit)\n",
          "frontend/cli/a.cpp": '#include "frontend/json/a.h"\n'}, None),
    ],
    "judges": [
        ({"compiler/reference/a.cpp": '#include "wick/lanes.h"\n'},
         "compiler/reference/a.cpp:1: a judge may not include wick/lanes.h"),
        ({"compiler/plan/validate.cpp": '#include "compiler/plan/alias.h"\n'},
         "compiler/plan/validate.cpp:1: a judge may not include compiler/plan/alias.h"),
        ({"compiler/plan/judge_bytes.cpp": '#include "compiler/plan/lifetimes.h"\n'},
         "compiler/plan/judge_bytes.cpp:1: a judge may not include compiler/plan/lifetimes.h"),
        ({"frontend/clang/a.cpp": '#include "compiler/fuse/fused_graph.h"\n'},
         "frontend/clang/a.cpp:1: a judge may not include compiler/fuse/fused_graph.h"),
        ({"compiler/reference/a.cpp": '#include "compiler/ops/record.h"\n',
          "compiler/plan/validate.cpp": '#include "compiler/plan/plan.h"\n'
                                        '#include "compiler/plan/judge.h"\n',
          "compiler/plan/assign.cpp": '#include "compiler/plan/alias.h"\n'}, None),
    ],
    "runtime_includes": [
        ({"runtime/wick/a.h": "#include <cmath>\n"}, "runtime/wick/a.h:1: cmath: not among"),
        ({"runtime/wick/a.h": "#include <immintrin.h>\n"}, "runtime/wick/a.h:1: immintrin.h"),
        ({"runtime/wick/a.h": "#include <fcntl.h>\n"}, "runtime/wick/a.h:1: fcntl.h: not among"),
        ({"runtime/wick/c_api.h": "#include <fcntl.h>\n"},
         "runtime/wick/c_api.h:1: fcntl.h: not among"),
        ({"runtime/wick/a.h": '#include "wick/c_api.h"\n'},
         "runtime/wick/a.h:1: wick/c_api.h is for callers"),
        ({"runtime/wick/weights_file.h": '#include <fcntl.h>\n#include "wick/hash.h"\n'}, None),
        ({"runtime/wick/a.h": '#include <cstddef>\n#include "wick/lanes.h"\n'}, None),
    ],
    "sizes": [
        ({"compiler/plan/a.h": "\n" * 501}, "compiler/plan/a.h:500: 501 lines"),
        ({"tests/a.sh": "\n" * 501}, "tests/a.sh:500: 501 lines"),
        ({"compiler/plan/a.cpp": "\n" + _LONG_FUNCTION}, "compiler/plan/a.cpp:2: 61 lines"),
        ({"tests/a.cpp": "namespace {\n\nTEST(A, B) {\n" + "  g();\n" * 60 + "}\n}\n"},
         "tests/a.cpp:3: 62 lines"),
        ({"compiler/a.cpp": "struct A {\n  int f() const {\n" + "  g({});\n" * 60 + "  }\n};\n"},
         "compiler/a.cpp:2: 62 lines"),
        ({"compiler/a.cpp": "const T t = {\n  .f = [](int a) -> int {\n" + "x;\n" * 60 + "}};\n"},
         "compiler/a.cpp:2: 62 lines"),
        ({"tests/a.py": "def f():\n" + "    g()\n" * 60}, "tests/a.py:1: 61 lines"),
        ({"compiler/plan/a.h": "// Long because it is one table.\n" + "\n" * 500,
          "compiler/plan/a.cpp": "// Long because each step needs the last.\n" + _LONG_FUNCTION,
          "compiler/plan/b.cpp": "const int kTable[] = {\n" + "  1,\n" * 99 + "};\n",
          "compiler/plan/c.cpp": "struct S {\n" + "  int a;\n" * 99 + "};\n",
          "compiler/plan/d.cpp": _LONG_FUNCTION.replace("  g();\n", "  // }\n", 1)
                                               .replace("  g();\n", "", 1),
          "samples/digits/model.cpp": "\n" * 900}, None),
    ],
    "columns": [
        ({"compiler/a.h": "\n// " + "-" * 98 + "\n"}, "compiler/a.h:2: 101 columns"),
        ({"tests/CMakeLists.txt": "# " + "a " * 50 + "\n"}, "tests/CMakeLists.txt:1: 102 columns"),
        ({"compiler/a.h": "// " + "\u2026" * 97 + "\n// https://" + "a" * 99 + "\n",
          "samples/digits/model.cpp": "// " + "-" * 98 + "\n"}, None),
    ],
    "leftovers": [
        ({"compiler/a.cpp": "int a;  // TO" "DO: b\n"}, "compiler/a.cpp:1: TO" "DO"),
        ({"docs/a.md": "\nFIX" "ME\n"}, "docs/a.md:2: FIX" "ME"),
        ({"tests/run.sh": "mktemp a.XX" "XXXX\n"}, None),
    ],
    "using_declarations": [
        ({"compiler/a.cpp": "// pair\nusing std::pair;\nauto a = \"pair\";\n"},
         "compiler/a.cpp:2: pair is not used"),
        ({"compiler/a.cpp": "using std::pair;\npair<int, int> a;\n",
          "compiler/a.h": "using std::pair;\n"}, None),
    ],
    "machine_paths": [
        ({"docs/a.md": "cd /ho" "me/me/wick\n"}, "docs/a.md:1: /ho" "me/"),
        ({"tests/a.cpp": 'f("/wo' 'rk/main");\n'}, "tests/a.cpp:1: /wo" "rk/"),
        ({"tests/a.sh": "cp $PREFIX/work/a /usr/bin/x ~/home/b\n"}, None),
    ],
    "top_level": [
        ({"scripts/a.sh": ""}, "scripts:1: not among"),
        ({"NOTES.md": ""}, "NOTES.md:1: not among"),
        ({"README.md": "", ".clang-format": "", "samples/a/graph.json": ""}, None),
    ],
    "commands": [
        ({"README.md": "# wick\n\n" + _OPEN_FENCE + "./tests/go.sh\n```\n"},
         "README.md:4: there is no tests/go.sh"),
        ({"README.md": _OPEN_FENCE + "./run.sh\n```\n", "run.sh": ""},
         "README.md:2: run.sh is not executable"),
        ({"docs/a.md": "```bash\nls\n```\n"}, "docs/a.md:1: call the language sh or console"),
        ({"docs/a.md": _OPEN_FENCE + "cmake -B build && frobnicate\n```\n"},
         "docs/a.md:2: unknown command 'frobnicate'"),
        ({"docs/a.md": "```console\n$ wick compiel a.json\nwick: hm\n```\n",
          "frontend/cli/a.cpp": 'app.add_subcommand("compile");\n'},
         "docs/a.md:2: wick has no command 'compiel'"),
        ({"docs/a.md": "```console\n$ wick compile a.json \\\n    -o b  # c\nerror: d\n```\n"
                       + _OPEN_FENCE + "A=1 cmake -B build; wick --version\n```\n\n    blah\n",
          "frontend/cli/a.cpp": 'app.add_subcommand("compile");\n'}, None),
    ],
    "formatting": [
        ({"compiler/a.cpp": "int  a;\n"}, "compiler/a.cpp:1: not formatted"),
        ({"tests/a.h": "int a;\n\n\nvoid f(){}\n"}, "tests/a.h:"),
        ({"compiler/a.cpp": "int a;\n", "samples/digits/model.cpp": "int  a;\n"}, None),
    ],
}


def reports(law, files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return list(laws.LAWS[law](laws.Tree(folder, _OP_NAMES)))


def main():
    law = sys.argv[1]
    failures = 0
    for files, expected in CASES[law]:
        found = reports(law, files)
        if expected is None:
            as_wanted = not found
        else:
            as_wanted = len(found) == 1 and found[0].startswith(expected)
        if not as_wanted:
            failures += 1
            print(f"planted {sorted(files)}: wanted {expected}, reported {found}")
    print(f"{len(CASES[law])} trees, {failures} judged wrongly")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
