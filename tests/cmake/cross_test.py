"""Builds tests/cmake/cross for another machine and compares bits with a build for this one.

    cross_test.py aarch64|riscv64 PREFIX ROOT WICK

- aarch64: the installed package, given by wick_DIR, with its program of this machine.
- riscv64: the sources by FetchContent, with the wick in the PATH.

Then the same with the programs that print digests of all arithmetic and of all kernels
(tests/runtime/*/bits.cpp).
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from cross_build import bits_of_graph, native_run

FLAGS = ["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow",
         "-Wconversion", "-Wsign-conversion", "-Werror"]


def bits_of_runtime(root, name, target):
    source = root / "tests/runtime" / name / "bits.cpp"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "bits")
        compiler = ["g++", "-march=x86-64-v3"] if target == "native" else [
            f"{target}-linux-gnu-g++", "-static"]
        subprocess.run([*compiler, *FLAGS, "-I", root / "runtime", source, "-o", program],
                       check=True)
        run = native_run(program) if target == "native" else [f"qemu-{target}", program]
        return subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout


def expect_equal(what, native, cross):
    if native == cross:
        return
    for here, there in zip(native.splitlines(), cross.splitlines()):
        if here != there:
            print(f"< {here}\n> {there}")
    sys.exit(f"{what}: the bits differ")


def main():
    target, prefix = sys.argv[1:3]
    root, wick = (pathlib.Path(argument) for argument in sys.argv[3:])
    for name in ("math", "kernels"):
        expect_equal(name, *(bits_of_runtime(root, name, where) for where in ("native", target)))

    installed = {"wick_DIR": f"{prefix}/share/cmake/wick"}
    native = bits_of_graph("native", installed)
    if target == "aarch64":
        cross = bits_of_graph(target, installed)
    else:
        path = {"PATH": f"{wick.parent}:{os.environ['PATH']}"}
        cross = bits_of_graph(target, {"WICK_SOURCE": root}, path)
    expect_equal("the graph", native, cross)


main()
