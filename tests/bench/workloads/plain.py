#!/usr/bin/python3
"""Writes a workload as plain nested loops, one nest for each node, over static buffers.

    plain.py LISTINGS NAME

This is what a straightforward generator of C makes of a model, and what wick's output is compared
with: as many static buffers as there are intermediate values, no fusion, no tiling, and everything
else left to the compiler (-O3 -march=native -ffast-math). Products run over i, k, j, the order
that compilers can vectorize. The function's parameter holds the inputs, then the constants with a
rank, in the order of the listing.
"""

import math
import sys

from translate import read_listing

SCALAR = {
    "Add": "{0} + {1}",
    "Sub": "{0} - {1}",
    "Mul": "{0} * {1}",
    "Div": "{0} / {1}",
    "Neg": "-{0}",
    "Sqrt": "std::sqrt({0})",
    "Pow": "std::pow({0}, {1})",
    "Exp": "std::exp({0})",
    "Sigmoid": "1.0f / (1.0f + std::exp(-{0}))",
    "Tanh": "std::tanh({0})",
    "Erf": "std::erf({0})",
    "Relu": "{0} > 0.0f ? {0} : 0.0f",
}


def tensor_operands(listing):
    """The names of the tensors that the function takes, in order."""
    return [tensor["name"] for tensor in listing["inputs"]] + [
        constant["name"] for constant in listing.get("constants", [])
        if constant["dtype"] == "f32" and constant["shape"]]


class Writer:
    """Collects the body of one function."""

    def __init__(self, listing):
        self.constants = {constant["name"]: constant for constant in listing.get("constants", [])}
        self.shapes = dict(listing["intermediate_shapes"])
        for tensor in listing["inputs"] + listing["outputs"] + listing.get("constants", []):
            self.shapes[tensor["name"]] = tensor["shape"]
        self.lines = []
        self.depth = 1

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def nest(self, extents, body, prefix="i"):
        """Loops over `extents`; the body gets the names of the indices."""
        indices = [f"{prefix}{n}" for n in range(len(extents))]
        for index, extent in zip(indices, extents):
            self.line(f"for (int {index} = 0; {index} < {extent}; ++{index}) {{")
            self.depth += 1
        body(indices)
        for _ in indices:
            self.depth -= 1
            self.line("}")

    def at(self, name, indices):
        """An element; indices are aligned at the right, extents of 1 are broadcast."""
        shape = self.shapes[name]
        if not shape:
            return f"{float(self.constants[name]['value'])!r}f"
        terms, stride = [], 1
        for extent, index in zip(reversed(shape), reversed(indices)):
            if extent != 1:
                terms.append(f"{index} * {stride}" if stride != 1 else index)
            stride *= extent
        return f"{name}[{' + '.join(reversed(terms)) or '0'}]"


def elementwise(w, node):
    out = node["out"][0]
    w.nest(w.shapes[out], lambda i: w.line(
        f"{w.at(out, i)} = {SCALAR[node['op']].format(*(w.at(x, i) for x in node['in']))};"))


def softmax(w, node):
    (x,), out = node["in"], node["out"][0]
    *rows, n = w.shapes[x]

    def body(i):
        a, y = w.at(x, i + ["j"]), w.at(out, i + ["j"])
        loop = f"for (int j = 0; j < {n}; ++j)"
        w.line(f"float peak = {w.at(x, i + ['0'])}, sum = 0.0f;")
        w.line(f"{loop} peak = {a} > peak ? {a} : peak;")
        w.line(f"{loop} sum += {y} = std::exp({a} - peak);")
        w.line(f"{loop} {y} /= sum;")
    w.nest(rows, body)


def layer_normalization(w, node):
    x, scale, bias = node["in"]
    out = node["out"][0]
    *rows, n = w.shapes[x]

    def body(i):
        a, loop = w.at(x, i + ["j"]), f"for (int j = 0; j < {n}; ++j)"
        w.line("float mean = 0.0f, variance = 0.0f;")
        w.line(f"{loop} mean += {a};")
        w.line(f"mean /= {n};")
        w.line(f"{loop} variance += ({a} - mean) * ({a} - mean);")
        w.line(f"const float factor = 1.0f / std::sqrt(variance / {n} + "
               f"{node['attr']['epsilon']!r}f);")
        w.line(f"{loop} {w.at(out, i + ['j'])} = ({a} - mean) * factor * {w.at(scale, ['j'])} + "
               f"{w.at(bias, ['j'])};")
    w.nest(rows, body)


def reduction(w, node):
    x, out = node["in"][0], node["out"][0]
    shape, kept = w.shapes[x], node["attr"]["keepdims"]
    (axis,) = (w.constants[node["in"][1]]["value"] if len(node["in"]) > 1
               else node["attr"]["axes"])
    axis %= len(shape)
    start = "std::numeric_limits<float>::lowest()" if node["op"] == "ReduceMax" else "0.0f"

    def result(i):
        return w.at(out, i if kept else i[:axis] + i[axis + 1:])

    def step(i):
        a, y = w.at(x, i), result(i)
        w.line(f"{y} = {a} > {y} ? {a} : {y};" if node["op"] == "ReduceMax" else f"{y} += {a};")
    w.nest(w.shapes[out], lambda i: w.line(f"{w.at(out, i)} = {start};"))
    w.nest(shape, step)
    if node["op"] == "ReduceMean":
        w.nest(w.shapes[out], lambda i: w.line(f"{w.at(out, i)} /= {shape[axis]};"))


def matmul(w, node):
    a, b = node["in"]
    out, inner = node["out"][0], w.shapes[node["in"][0]][-1]
    *outer, n = w.shapes[out]

    def body(i):
        w.line(f"for (int j = 0; j < {n}; ++j) {w.at(out, i + ['j'])} = 0.0f;")
        w.line(f"for (int k = 0; k < {inner}; ++k)")
        w.line(f"  for (int j = 0; j < {n}; ++j) {w.at(out, i + ['j'])} += "
               f"{w.at(a, i + ['k'])} * {w.at(b, i[:-1] + ['k', 'j'])};")
    w.nest(outer, body)


def gemm(w, node):
    # Only x * W^T + b occurs.
    assert node["attr"] == {"transB": 1}
    a, b, c = node["in"]
    out = node["out"][0]

    def body(i):
        row, column = i
        w.line(f"float sum = {w.at(c, [column])};")
        w.line(f"for (int k = 0; k < {w.shapes[a][1]}; ++k) sum += {w.at(a, [row, 'k'])} * "
               f"{w.at(b, [column, 'k'])};")
        w.line(f"{w.at(out, i)} = sum;")
    w.nest(w.shapes[out], body)


def transpose(w, node):
    (x,), out, axes = node["in"], node["out"][0], node["attr"]["perm"]

    def body(i):
        source = [i[axes.index(axis)] for axis in range(len(axes))]
        w.line(f"{w.at(out, i)} = {w.at(x, source)};")
    w.nest(w.shapes[out], body)


def reshape(w, node):
    x, out = node["in"][0], node["out"][0]
    w.nest([math.prod(w.shapes[x])], lambda i: w.line(f"{out}[{i[0]}] = {x}[{i[0]}];"))


def window(w, node):
    """Indices in the padded image, and whether they are inside; images are [1, C, H, W]."""
    pads = node["attr"].get("pads", [0, 0, 0, 0])
    (row_step, column_step), (height, width) = node["attr"]["strides"], w.shapes[node["in"][0]][2:]
    w.line(f"const int row = i2 * {row_step} + k0 - {pads[0]};")
    w.line(f"const int column = i3 * {column_step} + k1 - {pads[1]};")
    w.line(f"if (row < 0 || row >= {height} || column < 0 || column >= {width}) continue;")


def convolution(w, node):
    x, weights, bias = node["in"]
    out = node["out"][0]
    channels, *kernel = w.shapes[weights][1:]

    def body(i):
        def taps(k):
            window(w, node)
            w.line(f"for (int c = 0; c < {channels}; ++c) sum += "
                   f"{w.at(x, [i[0], 'c', 'row', 'column'])} * {w.at(weights, [i[1], 'c', *k])};")
        w.line(f"float sum = {w.at(bias, [i[1]])};")
        w.nest(kernel, taps, "k")
        w.line(f"{w.at(out, i)} = sum;")
    w.nest(w.shapes[out], body)


def max_pool(w, node):
    (x,), out = node["in"], node["out"][0]

    def body(i):
        def taps(_):
            window(w, node)
            a = w.at(x, [*i[:2], "row", "column"])
            w.line(f"peak = {a} > peak ? {a} : peak;")
        w.line("float peak = std::numeric_limits<float>::lowest();")
        w.nest(node["attr"]["kernel_shape"], taps, "k")
        w.line(f"{w.at(out, i)} = peak;")
    w.nest(w.shapes[out], body)


RULES = {op: elementwise for op in SCALAR} | {
    "Softmax": softmax,
    "LayerNormalization": layer_normalization,
    "ReduceMean": reduction,
    "ReduceMax": reduction,
    "ReduceSum": reduction,
    "MatMul": matmul,
    "Gemm": gemm,
    "Transpose": transpose,
    "Reshape": reshape,
    "Flatten": reshape,
    "Conv": convolution,
    "MaxPool": max_pool,
}


def source(listing):
    """A translation unit with the function plain_NAME(tensors, y)."""
    writer = Writer(listing)
    for node in listing["nodes"]:
        RULES[node["op"]](writer, node)
    buffers = "".join(f"static float {name}[{math.prod(shape)}];\n"
                      for name, shape in listing["intermediate_shapes"].items())
    operands = "".join(f"  const float* __restrict {name} = tensors[{n}];\n"
                       for n, name in enumerate(tensor_operands(listing)))
    return ("#include <cmath>\n#include <limits>\n\n"
            f"{buffers}\nvoid plain_{listing['name']}(const float* const* tensors, "
            "float* __restrict y) {\n" + operands + "\n".join(writer.lines) + "\n}\n")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.stdout.write(source(read_listing(sys.argv[1], sys.argv[2])))


if __name__ == "__main__":
    main()
