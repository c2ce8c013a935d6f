"""Writes what NumPy gives for many calls of every operation: `expected.py FILE`.

The cases are read by conformance_test.cpp, which holds the records' reference against them.
Floating point is computed in 80-bit long double, straight from the definition, and rounded once;
integers by NumPy where it has wick's semantics, else by Python's own integers. Nothing here knows
how wick computes.

A case is a few lines; tensors are `dtype rank extents… bytes`, the bytes little-endian in hex:

    case exp special values
    attribute axis integer 1
    dtype f32
    shape 2 3
    operand f32 2 2 3 0000803f…
    result f32 …
    ulps 1 4
    end

`ulps` allows so many units in the last place of each result, of the operation as a whole and after
it has been expanded into others.
"""

import sys
import warnings

import numpy as np

import expected_elementwise
import expected_movement
import expected_reductions
import expected_windows

DTYPE_NAMES = {
    np.dtype(np.float32): "f32", np.dtype(np.float64): "f64", np.dtype(np.int8): "i8",
    np.dtype(np.uint8): "u8", np.dtype(np.int32): "i32", np.dtype(np.int64): "i64",
    np.dtype(np.bool_): "bool",
}


def tensor_text(array):
    array = np.asarray(array)
    extents = " ".join(str(extent) for extent in array.shape)
    data = np.ascontiguousarray(array).tobytes().hex() or "-"
    return f"{DTYPE_NAMES[array.dtype]} {array.ndim} {extents} {data}"


def range_text(entry):
    start, stop, step = (list(entry) + [None] * 3)[:3] if entry is not None else [None] * 3
    return " ".join("null" if end is None else str(end) for end in (start, stop, step))


def attribute_text(value):
    if isinstance(value, bool):
        return f"flag {int(value)}"
    if isinstance(value, int):
        return f"integer {value}"
    if isinstance(value, float):
        return f"number {value.hex() if np.isfinite(value) else value}"
    if isinstance(value, str):
        return f"text {value}"
    if isinstance(value, tuple):  # ranges, so that they differ from a list of pairs
        return f"ranges {len(value)} " + " ".join(range_text(entry) for entry in value)
    if value and isinstance(value[0], list):
        return f"pairs {len(value)} " + " ".join(f"{a} {b}" for a, b in value)
    return f"integers {len(value)} " + " ".join(str(number) for number in value)


class Cases:
    """A file of cases under construction."""

    def __init__(self, file):
        self.file = file

    def add(self, op, note, operands, results, attributes=None, dtype=None, shape=None, ulps=0,
            expanded_ulps=None):
        lines = [f"case {op} {note}"]
        for name, value in (attributes or {}).items():
            lines.append(f"attribute {name} {attribute_text(value)}")
        if dtype is not None:
            lines.append(f"dtype {DTYPE_NAMES[np.dtype(dtype)]}")
        if shape is not None:
            lines.append("shape " + " ".join(str(number) for number in [len(shape), *shape]))
        lines += ["operand " + tensor_text(operand) for operand in operands]
        lines += ["result " + tensor_text(result) for result in results]
        lines.append(f"ulps {ulps} {ulps if expanded_ulps is None else expanded_ulps}")
        lines.append("end")
        self.file.write("\n".join(lines) + "\n")


def main():
    warnings.simplefilter("ignore")  # of means of nothing and NaN, which are asked for
    with open(sys.argv[1], "w", encoding="ascii") as file, np.errstate(all="ignore"):
        cases = Cases(file)
        expected_elementwise.write(cases)
        expected_movement.write(cases)
        expected_reductions.write(cases)
        expected_windows.write(cases)


if __name__ == "__main__":
    main()
