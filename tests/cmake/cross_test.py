"""Builds tests/cmake/cross for another machine and compares bits with a build for this one.

    cross_test.py aarch64|riscv64 PREFIX ROOT WICK NATIVE

- aarch64: the installed package, given by wick_DIR, with its program of this machine.
- riscv64: the sources by FetchContent, with the wick in the PATH.

Then the same with the programs that print digests of all arithmetic and of all kernels
(tests/runtime/*/bits.cpp). NATIVE is the file that native_test.py has written.
"""

import json
import os
import pathlib
import sys

from cross_build import bits_of_graph, bits_of_runtime, installed_in


def expect_equal(what, native, cross):
    if native == cross:
        return
    for here, there in zip(native.splitlines(), cross.splitlines()):
        if here != there:
            print(f"< {here}\n> {there}")
    sys.exit(f"{what}: the bits differ")


def main():
    target, prefix = sys.argv[1:3]
    root, wick, native = (pathlib.Path(argument) for argument in sys.argv[3:])
    bits = json.loads(native.read_text())
    for name in ("math", "kernels"):
        expect_equal(name, bits[name], bits_of_runtime(root, name, target))

    if target == "aarch64":
        cross = bits_of_graph(target, installed_in(prefix))
    else:
        path = {"PATH": f"{wick.parent}:{os.environ['PATH']}"}
        cross = bits_of_graph(target, {"WICK_SOURCE": root}, path)
    expect_equal("the graph", bits["graph"], cross)


main()
