"""Building and running tests/cmake/cross for one machine, and reading what it prints."""

import io
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from project import Project

# What the graph's code may ask of the C library, and of GCC's own where an instruction is missing;
# sqrt tells of negative operands through errno.
WANTED = {"memcpy", "memmove", "memset", "sqrt", "__clzdi2"}
# Without an instruction for it.
WANTED_PLAIN = WANTED | {"fma"}

WEIGHTS = ((np.arange(660) * 37 % 101 - 50) / 32).astype(np.float32).reshape(33, 20)
RESULTS = 31

FLAGS = ["-std=c++20", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow",
         "-Wconversion", "-Wsign-conversion", "-Werror"]


def installed_in(prefix):
    """The variable by which a project finds the wick of a prefix."""
    return {"wick_DIR": f"{prefix}/share/cmake/wick"}


def native_run(program):
    """The command that runs a program built with -march=x86-64-v3 on this machine."""
    has_fma = " fma " in pathlib.Path("/proc/cpuinfo").read_text()
    return [program] if has_fma else ["qemu-x86_64", "-cpu", "max", program]


def bits_of_runtime(root, name, target):
    """What tests/runtime/NAME/bits.cpp prints, built for a machine."""
    sources = sorted((root / "tests/runtime" / name).glob("functions*.cpp"))
    sources.append(root / "tests/runtime" / name / "bits.cpp")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "bits")
        compiler = ["g++", "-march=x86-64-v3"] if target == "native" else [
            f"{target}-linux-gnu-g++", "-static"]
        subprocess.run([*compiler, *FLAGS, "-I", root, "-I", root / "runtime", *sources, "-o",
                        program], check=True)
        run = native_run(program) if target == "native" else [f"qemu-{target}", program]
        return subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout


def bits_of_graph(preset, variables, environment=None):
    """What the program prints: lines of a name and the bits of each element."""
    file = io.BytesIO()
    np.save(file, WEIGHTS)
    with Project("cross", preset, variables, environment) as project:
        project.write("weights.npy", file.getvalue())
        project.configure()
        project.build()
        wanted = project.symbols("libeverything.a")[1]
        extra = wanted - (WANTED_PLAIN if preset == "plain" else WANTED)
        if extra:
            sys.exit(f"the code for {preset} calls {extra}")
        if preset in ("native", "plain"):
            output = project.run(*native_run(project.binary / "app"))
        else:
            output = project.build("--target", "run")
            output = output[output.index("x "):]
    if output.count("\n") != RESULTS + 1 or " nan" not in output:
        sys.exit(f"{RESULTS} results with some NaN expected:\n{output}")
    return output
