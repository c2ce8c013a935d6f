"""Installs wick by components and moves it, for the tests that use it from there.

    install_test.py BUILD RUNTIME_DIR PREFIX

PREFIX is made anew. The runtime is installed first and alone: it holds no program.
"""

import pathlib
import shutil
import subprocess
import sys

PACKAGE = ["WickAddGraph.cmake", "WickProgram.cmake", "wickConfig.cmake",
           "wickConfigVersion.cmake", "wickTargets.cmake"]


def install(build, prefix, component):
    subprocess.run(["cmake", "--install", build, "--prefix", prefix, "--component", component],
                   check=True, stdout=subprocess.DEVNULL)


def files(prefix):
    return sorted(str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file())


def expect_files(prefix, expected):
    found = files(prefix)
    if found != sorted(expected):
        sys.exit(f"installed {found}\nexpected {sorted(expected)}")


def expect_no_path(prefix, folders):
    """Nothing that is text tells where it was made."""
    for name in files(prefix):
        text = (prefix / name).read_bytes()
        for folder in folders:
            if not name.startswith("bin/") and bytes(folder) in text:
                sys.exit(f"{name} names {folder}")


def main():
    build, runtime, prefix = (pathlib.Path(argument) for argument in sys.argv[1:])
    stage = prefix.with_name(prefix.name + " before it moves")
    for folder in (stage, prefix):
        shutil.rmtree(folder, ignore_errors=True)

    headers = [f"include/wick/{path.name}" for path in (runtime / "wick").glob("*.h")]
    package = [f"share/cmake/wick/{name}" for name in PACKAGE]
    rest = ["share/pkgconfig/wick.pc", "share/doc/wick/LICENSE"]
    install(build, stage, "runtime")
    expect_files(stage, headers + package + rest)
    install(build, stage, "program")
    expect_files(stage, headers + package + rest + ["bin/wick"])
    expect_no_path(stage, [build, stage, runtime.parent])
    stage.rename(prefix)


main()
