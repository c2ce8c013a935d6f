"""Builds tests/cmake/cross for another machine and compares bits with a build for this one.

    cross_test.py aarch64|riscv64 PREFIX ROOT WICK

- aarch64: the installed package, given by wick_DIR, with its program of this machine.
- riscv64: the sources by FetchContent, with the wick in the PATH.

Then the same with the programs that print digests of all arithmetic and of all kernels
(tests/runtime/*/bits.cpp).
"""

import io
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from project import Project

# What the graph's code may ask of the C library, and of GCC's own where an instruction is missing;
# sqrt tells of negative operands through errno.
WANTED = {"memcpy", "memmove", "memset", "sqrt", "__clzdi2"}

FLAGS = ["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow",
         "-Wconversion", "-Wsign-conversion", "-Werror"]


def weights():
    file = io.BytesIO()
    values = (np.arange(660) * 37 % 101 - 50) / 32
    np.save(file, values.astype(np.float32).reshape(33, 20))
    return file.getvalue()


def has_fma():
    return " fma " in pathlib.Path("/proc/cpuinfo").read_text()


def native_run(program):
    """The command that runs a program built with -march=x86-64-v3 on this machine."""
    return [program] if has_fma() else ["qemu-x86_64", "-cpu", "max", program]


def bits_of_graph(preset, variables, environment):
    with Project("cross", preset, variables, environment) as project:
        project.write("weights.npy", weights())
        project.configure()
        project.build()
        extra = project.symbols("libeverything.a")[1] - WANTED
        if extra:
            sys.exit(f"the code for {preset} calls {extra}")
        program = project.binary / "app"
        if preset == "native":
            return project.run(*native_run(program))
        output = project.build("--target", "run")
        return output[output.index("exponential "):]


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
    path = {"PATH": f"{wick.parent}:{os.environ['PATH']}"}
    native = bits_of_graph("native", installed, {})
    if native.count("\n") != 28 or " nan" not in native:
        sys.exit(f"28 results with some NaN expected:\n{native}")
    if target == "aarch64":
        cross = bits_of_graph(target, installed, {})
    else:
        cross = bits_of_graph(target, {"WICK_SOURCE": root}, path)
    expect_equal("the graph", native, cross)


main()
