"""Which peers this machine can build and load."""

import dataclasses
import importlib.util
import subprocess

ONNX_RUNTIME = "libonnxruntime.so.1"


@dataclasses.dataclass(frozen=True)
class Peer:
    name: str
    source: str          # of peers/SOURCE.cpp and of the function prepare_SOURCE
    package: str         # what brings it
    headers: tuple = ()  # without these it is missing
    flags: tuple = ()
    libraries: tuple = ()


PEERS = (
    Peer("OpenBLAS", "blas", "Debian's libopenblas0-pthread"),
    Peer("oneDNN", "dnnl", "Debian's libdnnl-dev", ("dnnl.hpp",), (), ("-ldnnl",)),
    Peer("Eigen", "eigen", "Debian's libeigen3-dev", ("Eigen/Core",),
         ("-isystem", "/usr/include/eigen3", "-DNDEBUG")),
    Peer("XNNPACK", "xnnpack", "Debian's libxnnpack-dev", ("xnnpack.h",), (), ("-lXNNPACK",)),
    Peer("ONNX Runtime", "onnx_runtime", "npm's onnxruntime-node"),
    Peer("plain loops", "plain", "plain.py"),
)


def usable(cxx, peer):
    """Whether an empty program with its headers and libraries can be linked."""
    source = "".join(f"#include <{header}>\n" for header in peer.headers) + "int main() {}\n"
    done = subprocess.run(
        [cxx, "-std=c++20", *peer.flags, "-x", "c++", "-", "-o", "/dev/null", *peer.libraries],
        input=source, text=True, capture_output=True, check=False)
    return done.returncode == 0


def reason_against(cxx, folder, peer):
    """Why it cannot be used, or None. What is only loaded at run time may still be missed then."""
    if peer.source == "onnx_runtime":
        if not (folder / ONNX_RUNTIME).exists():
            return f"no {ONNX_RUNTIME} in the build folder"
        if importlib.util.find_spec("onnx") is None:
            return "no python3-onnx to write models with"
    return None if usable(cxx, peer) else "cannot be linked"


def found(cxx, folder, wanted):
    """The peers that can be linked, and messages about those that cannot.

    `wanted` holds names of sources; of others nothing is said.
    """
    there, missing = [], []
    for peer in PEERS:
        if peer.source in wanted:
            reason = reason_against(cxx, folder, peer)
            if reason is None:
                there.append(peer)
            else:
                missing.append(f"{peer.name}: {reason} ({peer.package})")
    return there, missing
