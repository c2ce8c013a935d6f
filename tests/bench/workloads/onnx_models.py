#!/usr/bin/python3
"""Writes a workload as an ONNX model (opset 17), for the peers that read one.

    onnx_models.py LISTINGS FOLDER NAME...

FOLDER gets NAME/model.onnx: the nodes of the neutral listing, whose operations bear ONNX's names
already, with the constants as initializers. Needs Debian's python3-onnx.
"""

import pathlib
import sys

import numpy
import onnx
from onnx import helper, numpy_helper

from translate import constant_data, read_listing

OPSET = 17
IR_VERSION = 8


def initializer(constant):
    if constant["dtype"] == "i64":
        data = numpy.asarray(constant["value"], dtype=numpy.int64)
    else:
        data = constant_data(constant)
    return numpy_helper.from_array(data, constant["name"])


def values(tensors):
    return [helper.make_tensor_value_info(tensor["name"], onnx.TensorProto.FLOAT, tensor["shape"])
            for tensor in tensors]


def model(listing):
    nodes = [helper.make_node(node["op"], node["in"], node["out"], **node["attr"])
             for node in listing["nodes"]]
    graph = helper.make_graph(nodes, listing["name"], values(listing["inputs"]),
                              values(listing["outputs"]),
                              [initializer(constant) for constant in listing.get("constants", [])])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    made.ir_version = IR_VERSION
    onnx.checker.check_model(made)
    return made


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    for name in sys.argv[3:]:
        path = pathlib.Path(sys.argv[2]) / name / "model.onnx"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(model(read_listing(sys.argv[1], name)).SerializeToString())


if __name__ == "__main__":
    main()
