#!/usr/bin/python3
"""Translates the bench's workloads into the graph language.

    translate.py LISTINGS FOLDER [NAME...]

LISTINGS holds one neutral listing for each workload: inputs, constants, and nodes under ONNX's
names for operations (opset 17). FOLDER gets NAME/graph.json and, beside it, the constants as .npy.
A workload that uses an operation which the graph language does not have is left out with a message
on stderr; the last line on stdout tells how many there are.

What stays as it is: the nodes, their order, their names. What becomes of an operation's operands
and attributes stands in RULES. Constants that are numbers (rank 0) become numbers where they are
used; those that only tell a shape or axes become attributes.
"""

import json
import math
import pathlib
import sys
import zlib

import numpy


class Unsupported(Exception):
    """The graph language has no such operation."""


class Translation:
    """One graph under translation; a rule appends nodes to it."""

    def __init__(self, listing):
        self.listing = listing
        self.constants = {constant["name"]: constant for constant in listing.get("constants", [])}
        self.shapes = dict(listing["intermediate_shapes"])
        for tensor in listing["inputs"] + listing["outputs"] + listing.get("constants", []):
            self.shapes[tensor["name"]] = tensor["shape"]
        self.nodes = []
        self.used = []  # constants that stay tensors, in the order of their first use

    def operand(self, name):
        """The name of a tensor, or the number that a constant of rank 0 is."""
        constant = self.constants.get(name)
        if constant is None:
            return name
        if constant["dtype"] == "f32" and constant["shape"] == []:
            return shortest(constant["value"])
        if name not in self.used:
            self.used.append(name)
        return name

    def integers(self, name):
        """The values of a constant that tells a shape or axes."""
        return self.constants[name]["value"]

    def add(self, name, op, operands, **attributes):
        self.nodes.append({"name": name, "op": op, "inputs": operands, **attributes})

    def graph(self):
        inputs = [{"name": t["name"], "dtype": t["dtype"], "shape": t["shape"]}
                  for t in self.listing["inputs"]]
        constants = [{"name": name, "dtype": "f32", "shape": self.shapes[name],
                      "file": name + ".npy"} for name in self.used]
        graph = {"wick": 1, "name": self.listing["name"], "inputs": inputs}
        if constants:
            graph["constants"] = constants
        graph["nodes"] = self.nodes
        graph["outputs"] = [output["name"] for output in self.listing["outputs"]]
        return graph


def shortest(value):
    """The shortest decimal that is read back as the same f32; whole numbers without a point."""
    number = float(str(numpy.float32(value)))
    return int(number) if number == math.floor(number) else number


# ---- Rules: (translation, operands, name of the result, attributes) -> nodes --------------------


def elementwise(op):
    def rule(t, operands, name, _):
        t.add(name, op, [t.operand(operand) for operand in operands])
    return rule


def softmax(t, operands, name, attributes):
    t.add(name, "softmax", [t.operand(operands[0])], axis=attributes["axis"])


def layer_normalization(t, operands, name, attributes):
    # ONNX normalises over all axes from `axis` on.
    axis, rank = attributes["axis"], len(t.shapes[operands[0]])
    axes = list(range(axis, 0)) if axis < 0 else list(range(axis, rank))
    t.add(name, "layer_norm", [t.operand(operand) for operand in operands], axes=axes,
          epsilon=shortest(attributes["epsilon"]))


def reduction(op):
    # The axes are an attribute, or since opset 13 (ReduceSum) an operand.
    def rule(t, operands, name, attributes):
        axes = t.integers(operands[1]) if len(operands) > 1 else attributes["axes"]
        t.add(name, op, [t.operand(operands[0])], axes=axes,
              keepdims=bool(attributes["keepdims"]))
    return rule


def gemm(t, operands, name, attributes):
    # alpha * op(a) @ op(b) + beta * c, as matmul has it; a transposed operand is a node of its own.
    factors = []
    for operand, key in zip(operands, ("transA", "transB")):
        factor = t.operand(operand)
        if attributes.get(key, 0):
            t.add(f"{operand}_transposed", "transpose", [factor])
            factor = f"{operand}_transposed"
        factors.append(factor)
    scales = {key: attributes[key] for key in ("alpha", "beta") if attributes.get(key, 1) != 1}
    t.add(name, "matmul", factors + [t.operand(operand) for operand in operands[2:]], **scales)


def transpose(t, operands, name, attributes):
    t.add(name, "transpose_axes", [t.operand(operands[0])], axes=attributes["perm"])


def reshape(t, operands, name, _):
    t.add(name, "reshape", [t.operand(operands[0])], shape=t.integers(operands[1]))


def flatten(t, operands, name, attributes):
    # ONNX's has two axes: the ones before `axis`, and the rest.
    shape, axis = t.shapes[operands[0]], attributes["axis"]
    t.add(name, "reshape", [t.operand(operands[0])],
          shape=[math.prod(shape[:axis]), math.prod(shape[axis:])])


def pads(attributes):
    """[before, after] for each spatial axis; ONNX lists what stands before all, then after."""
    flat = attributes.get("pads", [])
    half = len(flat) // 2
    return {"pads": [list(pair) for pair in zip(flat[:half], flat[half:])]} if any(flat) else {}


def steps(attributes, *names):
    """What is 1 along every axis is left out."""
    return {name: attributes[name] for name in names
            if any(number != 1 for number in attributes.get(name, []))}


def conv(t, operands, name, attributes):
    groups = {"groups": attributes["group"]} if attributes.get("group", 1) != 1 else {}
    t.add(name, "conv", [t.operand(operand) for operand in operands],
          **steps(attributes, "strides", "dilations"), **pads(attributes), **groups)


def max_pool(t, operands, name, attributes):
    t.add(name, "max_pool", [t.operand(operands[0])], kernel=attributes["kernel_shape"],
          **steps(attributes, "strides", "dilations"), **pads(attributes))


RULES = {
    "Add": elementwise("add"),
    "Sub": elementwise("sub"),
    "Mul": elementwise("mul"),
    "Div": elementwise("div"),
    "Neg": elementwise("neg"),
    "Sqrt": elementwise("sqrt"),
    "Pow": elementwise("pow"),
    "Exp": elementwise("exp"),
    "Sigmoid": elementwise("sigmoid"),
    "Tanh": elementwise("tanh"),
    "Erf": elementwise("erf"),
    "Relu": elementwise("relu"),
    "Softmax": softmax,
    "LayerNormalization": layer_normalization,
    "ReduceMean": reduction("mean"),
    "ReduceMax": reduction("max"),
    "ReduceSum": reduction("sum"),
    "MatMul": elementwise("matmul"),
    "Gemm": gemm,
    "Conv": conv,
    "MaxPool": max_pool,
    "Transpose": transpose,
    "Reshape": reshape,
    "Flatten": flatten,
}


def translated(listing):
    """The graph and the names of the constants that it reads from files."""
    t = Translation(listing)
    for node in listing["nodes"]:
        if node["op"] not in RULES:
            raise Unsupported(node["op"])
        RULES[node["op"]](t, node["in"], node["out"][0], node["attr"])
    return t.graph(), t.used


def constant_data(constant):
    """The values of a constant: listed, or by the rule that all peers share."""
    if "value" in constant:
        return numpy.asarray(constant["value"], dtype=numpy.float32)
    random = numpy.random.RandomState(zlib.crc32(constant["name"].encode()))
    return (random.standard_normal(constant["shape"]) * constant["scale"]).astype(numpy.float32)


def graph_text(graph):
    """JSON with one line for each input, constant and node."""
    parts = []
    for key, value in graph.items():
        if isinstance(value, list) and isinstance(value[0], dict):
            rows = ",\n    ".join(json.dumps(row) for row in value)
            parts.append(f'  "{key}": [\n    {rows}\n  ]')
        else:
            parts.append(f'  "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read_listing(listings, name):
    return json.loads((pathlib.Path(listings) / f"{name}.json").read_text())


def names_in(listings):
    return sorted(path.stem for path in pathlib.Path(listings).glob("*.json"))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    listings, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    names = sys.argv[3:] or names_in(listings)
    count = 0
    for name in names:
        listing = read_listing(listings, name)
        try:
            graph, constants = translated(listing)
        except Unsupported as fault:
            print(f"{name}: left out, the graph language has no {fault}", file=sys.stderr)
            continue
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "graph.json").write_text(graph_text(graph))
        by_name = {constant["name"]: constant for constant in listing.get("constants", [])}
        for constant in constants:
            numpy.save(folder / name / f"{constant}.npy", constant_data(by_name[constant]))
        count += 1
    print(f"{count} of {len(names)} workloads translated")


if __name__ == "__main__":
    main()
