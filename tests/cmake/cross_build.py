"""Building and running tests/cmake/cross for one machine, and reading what it prints."""

import io
import pathlib
import sys

import numpy as np

from project import Project

# What the graph's code may ask of the C library, and of GCC's own where an instruction is missing;
# sqrt tells of negative operands through errno.
WANTED = {"memcpy", "memmove", "memset", "sqrt", "__clzdi2"}
# Without an instruction for it.
WANTED_PLAIN = WANTED | {"fma"}

WEIGHTS = ((np.arange(660) * 37 % 101 - 50) / 32).astype(np.float32).reshape(33, 20)
RESULTS = 28


def native_run(program):
    """The command that runs a program built with -march=x86-64-v3 on this machine."""
    has_fma = " fma " in pathlib.Path("/proc/cpuinfo").read_text()
    return [program] if has_fma else ["qemu-x86_64", "-cpu", "max", program]


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
