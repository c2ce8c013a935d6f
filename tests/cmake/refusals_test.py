"""What CMake says when wick's package or wick_add_graph is used wrongly.

    refusals_test.py PREFIX
"""

import pathlib
import shutil
import sys
import tempfile

from project import Project

FIND = "find_package(wick REQUIRED)\n"

# The call, and what the message holds.
WRONG = [
    (FIND + "wick_add_graph(g)", "wick_add_graph(g): say which with GRAPH"),
    (FIND + "wick_add_graph(g GRAPH)", "wick_add_graph(g): no value for GRAPH"),
    (FIND + "wick_add_graph(g g.json)", "wick_add_graph(g): unexpected g.json"),
    (FIND + "wick_add_graph(g GRAPH a.json b.json NAME a)",
     "wick_add_graph(g): 2 graphs, but 1 values of NAME"),
    (FIND + "wick_add_graph(g GRAPH a.json)", "a.json; if the build makes it, give it a NAME"),
    (FIND + "wick_add_graph(g GRAPH a.json x/a.json NAME a a)",
     "wick_add_graph(g): two graphs of the name a"),
    (FIND + "add_custom_target(g)\nwick_add_graph(g GRAPH a.json)",
     "wick_add_graph(g): there is such a target already"),
    (FIND + "wick_add_graph(g GRAPH a.json NAME a)",
     "wick_add_graph(g): the project must enable the language CXX"),
    ("find_package(wick 7 REQUIRED)", 'compatible with requested version "7"'),
    ("find_package(wick REQUIRED COMPONENTS prorgam)",
     "wick's components are runtime and program, not prorgam"),
]

# Without a program there are no graphs, but the runtime is there.
WITHOUT_PROGRAM = [
    (FIND + "wick_add_graph(g GRAPH a.json)", "there is no program wick::wick: no wick program"),
    ("find_package(wick REQUIRED COMPONENTS program)", "set WICK_EXECUTABLE"),
    ("set(WICK_EXECUTABLE /bin/false)\n" + FIND + "wick_add_graph(g GRAPH a.json)",
     "/bin/false is no wick that runs on this machine"),
]


def words(text):
    """CMake wraps its messages."""
    return " ".join(text.split())


def check(prefix, call, message):
    variables = {"CMAKE_PREFIX_PATH": prefix}
    with Project("refusals", "refusals", variables, {"PATH": "/usr/bin:/bin"}) as project:
        project.write("call.cmake", call)
        output = project.configure(fails=message is not None)
        if message is not None and words(message) not in words(output):
            sys.exit(f"{call}\nshould say {message!r}:\n{output}")


def main():
    prefix = pathlib.Path(sys.argv[1])
    check(prefix, FIND, None)
    for call, message in WRONG:
        check(prefix, call, message)
    with tempfile.TemporaryDirectory() as folder:
        runtime = pathlib.Path(folder, "runtime only")
        shutil.copytree(prefix, runtime, ignore=shutil.ignore_patterns("bin"))
        check(runtime, FIND, None)
        check(runtime, "find_package(wick REQUIRED COMPONENTS runtime)", None)
        for call, message in WITHOUT_PROGRAM:
            check(runtime, call, message)


main()
