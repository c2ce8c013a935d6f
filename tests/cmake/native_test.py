"""Computes on this machine, with a fused multiply-add, what the tests of other machines compare.

    native_test.py PREFIX ROOT RESULTS    RESULTS is the file written
"""

import json
import pathlib
import sys

from cross_build import bits_of_graph, bits_of_runtime, installed_in

prefix, root, results = sys.argv[1:]
pathlib.Path(results).write_text(json.dumps({
    "math": bits_of_runtime(pathlib.Path(root), "math", "native"),
    "kernels": bits_of_runtime(pathlib.Path(root), "kernels", "native"),
    "graph": bits_of_graph("native", installed_in(prefix)),
}))
