"""A project that is configured, built and run in a folder of its own.

    with Project("consumer", "ninja", {"CMAKE_PREFIX_PATH": prefix}) as project:
        project.configure()
        print(project.build())
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


class Project:
    """A copy of the folder `name` beside this file, below a path with spaces."""

    def __init__(self, name, preset, variables=None, environment=None):
        self._folder = tempfile.TemporaryDirectory(prefix="wick project ")
        self.source = pathlib.Path(self._folder.name, name)
        self.preset = preset
        self._variables = variables or {}
        self._environment = dict(os.environ, **(environment or {}))
        # The settings of whoever runs the tests take no part.
        for variable in ("CMAKE_GENERATOR", "CXXFLAGS", "LDFLAGS", "MAKEFLAGS", "NINJA_STATUS"):
            self._environment.pop(variable, None)
        shutil.copytree(HERE / name, self.source)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    @property
    def binary(self):
        return self.source / f"build of {self.preset}"

    def run(self, *command, fails=False):
        """What the command prints, both streams; it must succeed, or fail if that is expected."""
        done = subprocess.run([str(word) for word in command], cwd=self.source, text=True,
                              env=self._environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)
        if (done.returncode != 0) != fails:
            raise AssertionError(f"{command}: exit code {done.returncode}\n{done.stdout}")
        return done.stdout

    def configure(self, fails=False):
        variables = [f"-D{name}={value}" for name, value in self._variables.items()]
        return self.run("cmake", "--preset", self.preset, *variables, fails=fails)

    def build(self, *arguments, fails=False):
        return self.run("cmake", "--build", self.binary, *arguments, fails=fails)

    def symbols(self, library):
        """What a library in the binary folder defines, and what it wants from others."""
        lines = self.run("nm", self.binary / library)
        defined = set(re.findall(r"^\S+ [A-TV-Zb-tx-z] (\S+)$", lines, re.MULTILINE))
        wanted = set(re.findall(r"^ +[Uw] (\S+)$", lines, re.MULTILINE))
        return defined, wanted - defined

    def write(self, name, content):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def replace(self, name, old, new):
        text = (self.source / name).read_text()
        assert text.count(old) == 1, f"{name} holds {old!r} {text.count(old)} times"
        self.write(name, text.replace(old, new))

    def touch(self, name):
        (self.source / name).touch()
