#!/usr/bin/python3
"""Computes the bench's workloads with NumPy in float64, from the neutral listings.

    evaluate.py LISTINGS FOLDER NAME...

FOLDER gets NAME/INPUT.npy (f32) for each input and NAME/OUTPUT.expected.npy (f64) for each output.
Inputs are drawn as constants are, from the CRC of "WORKLOAD/INPUT", with scale 1. Nothing here
knows the graph language: the listings' operations are computed as the ONNX operator reference
(opset 17) defines them, every constant and input at its f32 value.
"""

import math
import pathlib
import sys
import zlib

import numpy

from translate import constant_data, read_listing


def elementwise(function):
    return lambda operands, _: function(*operands)


def reduction(function):
    def compute(operands, attributes):
        axes = operands[1].astype(int) if len(operands) > 1 else attributes["axes"]
        return function(operands[0], axis=tuple(axes), keepdims=bool(attributes["keepdims"]))
    return compute


def softmax(operands, attributes):
    x, axis = operands[0], attributes["axis"]
    e = numpy.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def layer_normalization(operands, attributes):
    # Over the last axis, the only case among the workloads.
    assert attributes["axis"] == -1
    x, scale, bias = operands
    centered = x - x.mean(-1, keepdims=True)
    variance = (centered * centered).mean(-1, keepdims=True)
    return centered / numpy.sqrt(variance + attributes["epsilon"]) * scale + bias


def gemm(operands, attributes):
    a, b, c = operands
    a = a.T if attributes.get("transA", 0) else a
    b = b.T if attributes.get("transB", 0) else b
    return attributes.get("alpha", 1) * (a @ b) + attributes.get("beta", 1) * c


def windows(x, sizes, attributes, filler):
    """[batch, channels, windows..., elements of a window...] of x with its padding."""
    # Windows without gaps, the only case among the workloads.
    assert all(number == 1 for number in attributes.get("dilations", []))
    before, after = numpy.reshape(attributes.get("pads", [0] * 2 * len(sizes)), (2, -1))
    padded = numpy.pad(x, [(0, 0), (0, 0), *zip(before, after)], constant_values=filler)
    every = numpy.lib.stride_tricks.sliding_window_view(padded, sizes, tuple(range(2, x.ndim)))
    return every[(slice(None), slice(None), *(slice(None, None, s) for s in attributes["strides"]))]


def conv(operands, attributes):
    x, w, bias = operands
    assert attributes.get("group", 1) == 1
    taken = windows(x, w.shape[2:], attributes, 0)
    return numpy.einsum("nchwij,ocij->nohw", taken, w) + bias[:, None, None]


def max_pool(operands, attributes):
    return windows(operands[0], attributes["kernel_shape"], attributes, -math.inf).max((-2, -1))


COMPUTE = {
    "Add": elementwise(numpy.add),
    "Sub": elementwise(numpy.subtract),
    "Mul": elementwise(numpy.multiply),
    "Div": elementwise(numpy.divide),
    "Neg": elementwise(numpy.negative),
    "Sqrt": elementwise(numpy.sqrt),
    "Pow": elementwise(numpy.power),
    "Exp": elementwise(numpy.exp),
    "Sigmoid": elementwise(lambda x: 1 / (1 + numpy.exp(-x))),
    "Tanh": elementwise(numpy.tanh),
    "Erf": elementwise(numpy.vectorize(math.erf, otypes=[float])),
    "Relu": elementwise(lambda x: numpy.maximum(x, 0)),
    "Softmax": softmax,
    "LayerNormalization": layer_normalization,
    "ReduceMean": reduction(numpy.mean),
    "ReduceMax": reduction(numpy.max),
    "ReduceSum": reduction(numpy.sum),
    "MatMul": elementwise(numpy.matmul),
    "Conv": conv,
    "MaxPool": max_pool,
    "Gemm": gemm,
    "Transpose": lambda operands, attributes: operands[0].transpose(attributes["perm"]),
    "Reshape": lambda operands, _: operands[0].reshape(operands[1].astype(int)),
    "Flatten": lambda operands, attributes: operands[0].reshape(
        math.prod(operands[0].shape[:attributes["axis"]]), -1),
}


def input_data(workload, tensor):
    random = numpy.random.RandomState(zlib.crc32(f"{workload}/{tensor['name']}".encode()))
    return random.standard_normal(tensor["shape"]).astype(numpy.float32)


def evaluate(listing, inputs):
    """Each output's values, by its name."""
    values = {name: data.astype(numpy.float64) for name, data in inputs.items()}
    for constant in listing.get("constants", []):
        values[constant["name"]] = constant_data(constant).astype(numpy.float64)
    for node in listing["nodes"]:
        operands = [values[name] for name in node["in"]]
        values[node["out"][0]] = COMPUTE[node["op"]](operands, node["attr"])
    return {output["name"]: values[output["name"]] for output in listing["outputs"]}


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    for name in sys.argv[3:]:
        listing = read_listing(sys.argv[1], name)
        folder = pathlib.Path(sys.argv[2]) / name
        folder.mkdir(parents=True, exist_ok=True)
        inputs = {tensor["name"]: input_data(name, tensor) for tensor in listing["inputs"]}
        for tensor, data in inputs.items():
            numpy.save(folder / f"{tensor}.npy", data)
        for tensor, data in evaluate(listing, inputs).items():
            numpy.save(folder / f"{tensor}.expected.npy", numpy.ascontiguousarray(data))


if __name__ == "__main__":
    main()
