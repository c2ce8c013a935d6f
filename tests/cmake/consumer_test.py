"""Builds tests/cmake/consumer as its users would, and changes what it is made of.

    consumer_test.py ninja|make WICK --installed PREFIX   against an installed wick
    consumer_test.py ninja|make WICK --source ROOT        from the sources

WICK is the program of the build that is tested; with --source it is the one that is called.
"""

import io
import re
import sys

import numpy as np

from project import Project

GRAPH = "graphs/scale.json"
FACTORS = "graphs/constants/factors of scale.npy"
# Two libraries hold this graph.
TWICE = 2 * ["^wick compile scale.json"]
WORK = re.compile(r"Building|Linking|Generating|wick compile")


def npy(factor):
    file = io.BytesIO()
    np.save(file, np.full(300, factor, dtype=np.float32))
    return file.getvalue()


def expect(what, condition, output):
    if not condition:
        sys.exit(f"{what}:\n{output}")


def work_of(output):
    """The steps that a build took, without how far it is."""
    return [re.sub(r"^\[[^]]*\] ", "", line) for line in output.splitlines() if WORK.search(line)]


def expect_work(project, what, *patterns):
    """The build takes exactly these steps."""
    output = project.build()
    steps = work_of(output)
    matched = len(steps) == len(patterns) and all(
        re.search(pattern, step) for pattern, step in zip(patterns, sorted(steps)))
    expect(f"{what}: expected {patterns}", matched, output)


def printed(factor):
    return (f"scale {factor} {factor * 299}\n"
            f"outside {factor} {factor * 299}\n"
            "in C x of 1200 bytes\n"
            "blend 2 2.5 3 3.5\n"
            "mean 1 2 3 4\n"
            "low pass 0.1 0.2 0.3 0.4\n")


def run(project, factor):
    output = project.run(project.binary / "app")
    expect("the program prints something else", output == printed(factor), output)


def check_first_build(project, wick):
    project.write(FACTORS, npy(2))
    unchecked = "without the checker" in project.run(wick, "--version")
    output = project.configure()
    expect("whether there is a checker is told",
           ("graphs are compiled with --no-check" in output) == unchecked, output)
    output = project.build()
    expect("and again", ("wick compile scale.json (not checked" in output) == unchecked, output)
    expect("REPORT prints the memory", 'memory of "scale"' in output, output)
    expect("only where it is asked for", 'memory of "low pass"' not in output, output)
    run(project, 2)
    expect_work(project, "a build without a change")


def check_changes(project):
    project.touch(GRAPH)
    expect_work(project, "a touched graph", *TWICE)
    expect_work(project, "a build after that")
    project.touch(FACTORS)
    expect_work(project, "a touched file of constants", *TWICE)

    project.write(FACTORS, npy(3))
    output = project.build()
    expect("changed constants are assembled, nothing else of their library",
           "/scale.weights.cpp.o" in output and "/scale.cpp.o" not in output, output)
    expect("a file of constants that is loaded has another checksum",
           "/scale_outside.cpp.o" in output, output)
    run(project, 3)

    project.replace(GRAPH, '"op": "mul"', '"op": "div"')
    output = project.build()
    expect("a changed graph", "/scale.cpp.o" in output and "weights.cpp.o" not in output, output)
    output = project.run(project.binary / "app")
    expect("299 / 3", output.startswith("scale 0.333333 99.6667\n"), output)
    expect_work(project, "a build after all that")


def check_errors(project):
    project.replace(GRAPH, '"op": "div"', '"op": "dvi"')
    lines = (project.source / GRAPH).read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if '"dvi"' in text)
    column = lines[line - 1].index('"dvi"') + 1
    output = project.build(fails=True)
    place = f"{project.source / GRAPH}:{line}:{column}: error: "
    expect(f"the error stands at {place}", place in output, output)
    expect("the error stays", place in project.build(fails=True), "")
    project.replace(GRAPH, '"op": "dvi"', '"op": "div"')
    expect_work(project, "a mended graph", *TWICE)

    next(project.binary.rglob("scale.h")).unlink()
    project.build()
    expect_work(project, "a build after a deleted header came back")


def check_install(project):
    prefix = project.source / "installed"
    project.run("cmake", "--install", project.binary, "--prefix", prefix)
    headers = sorted(path.name for path in (prefix / "include").iterdir())
    expect("headers of all libraries", headers == [
        "blend.h", "low_pass.h", "mean.h", "scale.h", "scale_outside.h", "scale_outside_c.h"],
        headers)


def check_limits(project):
    """Freestanding code needs nothing but the memory functions that every compiler calls."""
    defined, wanted = project.symbols("libfilters.a")
    expect("there is no static arena", any("static_arena" in name for name in defined), defined)
    extra = wanted - {"memcpy", "memmove", "memset"}
    expect("a library without a heap needs more", not extra, extra)


def main():
    preset, wick, how, where = sys.argv[1:]
    variables = {
        "--installed": {"CMAKE_PREFIX_PATH": where},
        "--source": {"WICK_SOURCE": where, "WICK_EXECUTABLE": wick},
    }[how]
    with Project("consumer", preset, variables) as project:
        check_first_build(project, wick)
        check_changes(project)
        check_errors(project)
        check_install(project)
        if preset == "ninja":
            check_limits(project)


main()
