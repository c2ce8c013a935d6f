"""Builds samples/build_systems with an installed wick, and changes what it is made of.

    build_systems_test.py make|meson PREFIX ROOT
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CONSTANTS = "digits/mlp.safetensors"
SCORE = "357 of 360 images read right"


class Sample:
    def __init__(self, folder, prefix):
        self.folder = folder
        self._environment = dict(os.environ, PKG_CONFIG_PATH=f"{prefix}/share/pkgconfig")

    def run(self, command):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], text=True,
                              cwd=self.folder / "build_systems", env=self._environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=240)
        if done.returncode != 0:
            sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}")
        return done.stdout

    def touch(self, name):
        (self.folder / name).touch()

    def change_constants(self):
        """Flips the lowest bit of the last number."""
        path = self.folder / CONSTANTS
        content = bytearray(path.read_bytes())
        content[-4] ^= 1
        path.write_bytes(content)


# How to build, what a build does in words, and how to run what it built.
SYSTEMS = {
    "make": {
        "first": "make",
        "build": "make",
        "graph": r"wick compile",
        "units": {"main": r"-o build/make/main\.o", "weights": r"-o build/make/digits\.weights\.o",
                  "code": r"-o build/make/digits\.o", "link": r"-o build/make/classify"},
        "run": "make run",
    },
    "meson": {
        "first": "meson setup build/meson && ninja -C build/meson",
        "build": "ninja -C build/meson",
        "graph": r"Generating digits",
        "units": {"main": r"Compiling .*main\.cpp", "weights": r"Generating weights",
                  "code": r"Compiling .*digits\.cpp", "link": r"Linking target classify"},
        "run": "ninja -C build/meson test > /dev/null && ./build/meson/classify ../digits/data",
    },
}


def expect(what, output, system, graph, units):
    """The build compiled the graph or not, and exactly these units."""
    done = {name for name, pattern in system["units"].items() if re.search(pattern, output)}
    if bool(re.search(system["graph"], output)) != graph or done != set(units):
        sys.exit(f"{what}: expected {sorted(units)}\n{output}")


def main():
    system = SYSTEMS[sys.argv[1]]
    prefix, root = sys.argv[2], pathlib.Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        for name in ("build_systems", "digits"):
            shutil.copytree(root / "samples" / name, pathlib.Path(folder, name),
                            ignore=shutil.ignore_patterns("build"))
        # pkg-config hands out paths for a shell, with any space escaped, and Meson uses none.
        link = pathlib.Path(folder, "installed")
        link.symlink_to(prefix)
        sample = Sample(pathlib.Path(folder), link)
        expect("the first build", sample.run(system["first"]), system, True, system["units"])
        if SCORE not in sample.run(system["run"]):
            sys.exit("the score is another")
        expect("without a change", sample.run(system["build"]), system, False, [])
        sample.touch("digits/graph.json")
        expect("a touched graph", sample.run(system["build"]), system, True, [])
        expect("after that", sample.run(system["build"]), system, False, [])
        sample.change_constants()
        expect("changed constants", sample.run(system["build"]), system, True, ["weights", "link"])
        if SCORE not in sample.run(system["run"]):
            sys.exit("the score is another after one bit")


main()
