"""One emitted text, many machines: builds emitted code for every instruction set that wick serves,
with both families of compilers, at every -O level, without a warning, and compares its results.

    targets_test.py ROOT WICK [--all] [--markdown]

The code is that of tests/cmake/cross/everything.json (maps, casts, reductions, scans, products, row
programs, sorting, gathering, padding, convolution, pooling) and of the samples digits and
attention. Builds for one instruction set print the same bits, and so do all instruction sets with a
fused multiply-add, but for what AVX-512 makes of tables (docs/numerics.md). Without one, products
and approximations differ; here by at most 1e-5 in the samples, and tests/cmake (cross.plain) holds
everything.json to the bounds of its operations.
-ffast-math, under which none of this would hold, is refused by name.

The suite builds each instruction set with each compiler, and each compiler at each level. --all,
or WICK_TARGETS=all in the environment, is the full product, and adds every width that the compiler
may prefer for vectors. --markdown prints the table for docs/generated-code.md.
"""

import argparse
import io
import itertools
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy as np

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion",
            "-Werror"]
LEVELS = ["-O1", "-O2", "-O3", "-Os"]
WIDTHS = [f"-mprefer-vector-width={bits}" for bits in (128, 256, 512)]
CROSS = ("aarch64", "riscv64")
# The lines of output that rest on functions of f32 that AVX-512 makes of tables.
OF_TABLES = ("exponential", "activated", "bell", "shares", "probabilities", "attention")


class Target:
    """An instruction set: how to compile for it, and how to run what was compiled."""

    def __init__(self, name, march=None, fused=True, tables=False, needs=None):
        self.name = name
        self.march = march
        self.fused = fused
        self.tables = tables
        self.needs = needs

    def compiler(self, family):
        """The command of a compiler for this target, or None."""
        if self.march:
            return [family, f"-march={self.march}"] if shutil.which(family) else None
        if family.startswith("g++"):
            command = [f"{self.name}-linux-gnu-g++", "-static"]
        else:
            command = [family, f"--target={self.name}-linux-gnu", "-static"]
        have = all(map(shutil.which, (command[0], f"{self.name}-linux-gnu-g++")))
        return command if have else None

    def runner(self):
        """What stands before the program; None if this machine cannot run it."""
        cpu = pathlib.Path("/proc/cpuinfo").read_text().split()
        if self.march and (self.needs is None or self.needs in cpu):
            return []
        emulator = f"qemu-{'x86_64' if self.march else self.name}"
        if self.needs == "avx512dq" or not shutil.which(emulator):
            return None
        return [emulator, "-cpu", "max"] if self.march else [emulator]


# The names of the levels of x86-64 are those of their widest vectors: SSE2, AVX2 with FMA, AVX-512.
TARGETS = [
    Target("sse2", "x86-64", fused=False), Target("avx2", "x86-64-v3", needs="avx2"),
    Target("avx512", "x86-64-v4", tables=True, needs="avx512dq"),
    Target("aarch64"), Target("riscv64")]


def builds(everything):
    """Yields (target, family, flags)."""
    families = ("g++", "clang++-19")
    for row, target in enumerate(TARGETS):
        for column, family in enumerate(families):
            if not everything:
                yield target, family, [LEVELS[(row + 2 * column) % 4]]
                continue
            for level in LEVELS:
                yield target, family, [level]
            if target.name == "avx512":
                for width in WIDTHS:
                    yield target, family, ["-O2", width]
        if everything and target.march:
            yield target, "clang++-14", ["-O2"]


def write_models(root, wick, folder):
    """Emits everything.json; returns the sources of each program."""
    cross = root / "tests/cmake/cross"
    shutil.copy(cross / "everything.json", folder)
    weights = io.BytesIO()
    np.save(weights, ((np.arange(660) * 37 % 101 - 50) / 32).astype(np.float32).reshape(33, 20))
    (folder / "weights.npy").write_bytes(weights.getvalue())
    subprocess.run([wick, "compile", "--quiet", "everything.json", "-o", "."], cwd=folder,
                   check=True)
    samples = [root / "samples" / name for name in ("digits", "attention")]
    return [
        [cross / "main.cpp", *sorted(folder.glob("*.cpp"))],
        [root / "tests/targets/samples.cpp",
         *(file for sample in samples for file in sorted(sample.glob(f"{sample.name}*.cpp")))]]


def output_of(root, folder, programs, command, runner):
    includes = [root / "runtime", folder, root / "samples/digits", root / "samples/attention"]
    text = ""
    for sources in programs:
        program = folder / "program"
        subprocess.run([*command, "-std=c++17", "-ffp-contract=off", *WARNINGS,
                        *(f"-I{include}" for include in includes), *sources, "-o", program],
                       check=True)
        text += subprocess.run([*runner, program], check=True, stdout=subprocess.PIPE,
                               text=True).stdout
    return text


def are_close(here, there):
    """Whether the lines that samples.cpp prints are near each other, as f32."""
    for one, other in zip(here.splitlines()[-3:], there.splitlines()[-3:]):
        a, b = (np.array([struct.unpack("f", struct.pack("I", int(word, 16)))[0]
                          for word in line.split()[1:]]) for line in (one, other))
        if not np.all(np.abs(a - b) <= 1e-5 * np.maximum(1, np.abs(a))):
            return False
    return True


def differences(one, other, left_out=()):
    """The pairs of lines that differ, but for those left out by their first word."""
    words = [[word] for word in left_out]
    pairs = itertools.zip_longest(one.splitlines(), other.splitlines(), fillvalue="nothing")
    return [(a, b) for a, b in pairs if a != b and a.split()[:1] not in words]


def compare(results):
    """Prints what differs from the first result that it should equal; returns how many do."""
    wrong = 0
    first = {}
    for target, how, text in results:
        key = "fused" if target.fused else target.name
        expected = [(*first.setdefault(key, (how, text)), OF_TABLES if target.tables else ())]
        if target.tables:
            expected.append((*first.setdefault(target.name, (how, text)), ()))
        for start_how, start, left_out in expected:
            found = differences(start, text, left_out)
            if not found:
                continue
            wrong += 1
            print(f"the bits differ: '{start_how}' (<), '{how}' (>)")
            for one, other in found:
                print(f"< {one[:200]}\n> {other[:200]}")
    texts = [text for _, text in first.values()]
    if not all(are_close(texts[0], text) for text in texts):
        wrong += 1
        print("the samples' values depend on the instruction set by more than 1e-5")
    return wrong


def check_refusal_of_fast_math(root):
    for family in filter(shutil.which, ("g++", "clang++-19")):
        for flag in ("-ffast-math", "-Ofast"):
            done = subprocess.run(
                [family, "-std=c++17", flag, "-fsyntax-only", f"-I{root / 'runtime'}",
                 "-x", "c++", "-"],
                input='#include "wick/runtime.h"\n', capture_output=True, text=True, check=False)
            if done.returncode == 0 or "wick: -ffast-math breaks" not in done.stderr:
                sys.exit(f"{family} {flag} is not refused:\n{done.stderr}")


def print_markdown(results):
    print("| target | compiler | built and equal |\n|---|---|---|")
    rows = {}
    for target, how, _ in results:
        rows.setdefault((target.name, how.split()[0]), []).append(how.split(maxsplit=1)[1])
    for (target, family), flags in rows.items():
        print(f"| {target} | {family} | {', '.join(f'`{flag}`' for flag in flags)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("wick")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    check_refusal_of_fast_math(arguments.root)
    everything = arguments.all or os.environ.get("WICK_TARGETS") == "all"
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = write_models(arguments.root, arguments.wick, folder)
        for target, family, flags in builds(everything):
            command, runner = target.compiler(family), target.runner()
            how = " ".join((family, *flags))
            if command is None or runner is None:
                print(f"left out: {target.name}, {how}", flush=True)
                continue
            text = output_of(arguments.root, folder, programs, [*command, *flags], runner)
            results.append((target, how, text))
            words = len(text.split()) - text.count("\n")
            print(f"{target.name}, {how}: {words} values", flush=True)
    if len(results) < 2:
        sys.exit("fewer than two builds: nothing was compared")
    if compare(results):
        sys.exit(1)
    if arguments.markdown:
        print_markdown(results)


if __name__ == "__main__":
    main()
