"""What wick's build asks for and leaves behind, by configuring it without building anything.

    settings_test.py ROOT

- In another project it adds settings named WICK_… alone, no tests, and nothing to install.
- Without the compiler it needs no package, LLVM least of all, and installs the runtime.
"""

import pathlib
import re
import sys
import tempfile

from project import Project

INSIDE = {
    "WICK_BUILD_COMPILER:BOOL": "ON",
    "WICK_BUILD_TESTS:BOOL": "OFF",
    "WICK_INSTALL:BOOL": "OFF",
    "WICK_WITH_CLANG:STRING": "AUTO",
}


def settings(project, folder):
    """The settings that a user is shown, but for those of CMake itself."""
    listing = project.run("cmake", "-L", "-N", folder)
    found = dict(re.findall(r"^(\w+:[A-Z]+)=(.*)$", listing, re.MULTILINE))
    return {name: value for name, value in found.items()
            if not name.startswith(("CMAKE_", "FETCHCONTENT_"))}


def expect_equal(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found}\nexpected: {expected}")


def check_inside(project):
    project.configure()
    found = settings(project, project.binary)
    packages = [name for name in found if name.endswith("_DIR:PATH")]
    expect_equal("settings inside another project",
                 {name: value for name, value in found.items() if name not in packages}, INSIDE)
    targets = project.run("cmake", "--build", project.binary, "--target", "help")
    expect_equal("tests", "_test:" in targets, False)
    expect_equal("the program", "wick_cli:" in targets, True)


def check_runtime_alone(project, root):
    build = project.source / "runtime build"
    prefix = project.source / "prefix"
    project.run("cmake", "-S", root, "-B", build, "-DWICK_BUILD_COMPILER=OFF")
    packages = [name for name in settings(project, build) if name.endswith("_DIR:PATH")]
    expect_equal("packages of the runtime", packages, [])
    project.run("cmake", "--install", build, "--prefix", prefix)
    for name in ("include/wick/runtime.h", "share/cmake/wick/wickConfig.cmake"):
        expect_equal(name, (prefix / name).is_file(), True)
    expect_equal("the program", (prefix / "bin").exists(), False)


def main():
    root = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as home:
        # No wick in the path.
        environment = {"PATH": "/usr/bin:/bin", "HOME": home}
        with Project("consumer", "ninja", {"WICK_SOURCE": root}, environment) as project:
            check_inside(project)
            check_runtime_alone(project, root)


main()
