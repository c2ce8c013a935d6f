"""Cases of the operations that only move elements: layout, joining, indexing."""

import itertools

import numpy as np

from samples import DTYPES, NUMBERS, SHAPES, distinct, name, some


# ---- Layout -------------------------------------------------------------------------------------


def write_layout(cases):
    for dtype in DTYPES:
        x = some((2, 3), dtype)
        for op in ("identity", "as_contiguous"):
            cases.add(op, name(dtype), [x], [x])
        cases.add("transpose", name(dtype), [x], [x.T])
    for shape in SHAPES:
        x = distinct(shape)
        cases.add("identity", f"{shape}", [x], [x])
        cases.add("as_contiguous", f"{shape}", [x], [x])
        cases.add("flatten", f"{shape}", [x], [x.reshape(-1)])
        cases.add("transpose", f"{shape}", [x], [np.transpose(x)])
        cases.add("flip", f"{shape} all", [x], [np.flip(x)])
        cases.add("squeeze", f"{shape} all", [x], [np.squeeze(x)])
    for shape, axes in (((2, 3, 4), [0]), ((2, 3, 4), [-1, 1]), ((2, 0), [0]), ((3,), [])):
        x = distinct(shape)
        cases.add("flip", f"{shape} {axes}", [x], [np.flip(x, axes)], {"axes": axes})
    for shape, axes in (((1, 3, 1), [0]), ((1, 3, 1), [-1]), ((1, 3, 1), [2, 0]), ((2,), [])):
        x = distinct(shape)
        cases.add("squeeze", f"{shape} {axes}", [x], [np.squeeze(x, tuple(axes))], {"axes": axes})
    for shape, axes in (((2, 3), [0]), ((2, 3), [-1]), ((2, 3), [1, -1]), ((), [0, 1]),
                        ((2, 0), [3, 0]), ((4,), [])):
        x = distinct(shape)
        cases.add("unsqueeze", f"{shape} {axes}", [x], [np.expand_dims(x, tuple(axes))],
                  {"axes": axes})
    for axes in itertools.permutations(range(3)):
        x = distinct((2, 3, 4))
        cases.add("transpose_axes", f"{axes}", [x], [np.transpose(x, axes)], {"axes": list(axes)})
    x = distinct((2, 1, 3, 2))
    cases.add("transpose_axes", "negative", [x], [np.transpose(x, (0, 2, 1, 3))],
              {"axes": [0, -2, 1, -1]})
    cases.add("transpose_axes", "scalar", [distinct(())], [distinct(())], {"axes": []})


def write_reshape(cases):
    for shape, wanted in (((2, 6), (3, 4)), ((2, 6), (-1,)), ((2, 6), (2, -1, 3)), ((), (1, 1)),
                          ((1, 1), ()), ((0, 4), (2, 0)), ((0, 4), (-1, 4)), ((6,), (6,)),
                          ((8,), (1, 2, 1, 2, 1, 2, 1, 1))):
        x = distinct(shape)
        for op in ("reshape", "view"):
            cases.add(op, f"{shape} to {wanted}", [x], [x.reshape(wanted)], shape=wanted)
    for shape, wanted in (((3,), (2, 3)), ((2, 1), (2, 4)), ((), (2, 2)), ((1, 3), (0, 3)),
                          ((2, 3), (2, 3)), ((1, 1), (1, 2, 1, 2, 1, 2, 1, 2))):
        x = distinct(shape)
        cases.add("broadcast_to", f"{shape} to {wanted}", [x], [np.broadcast_to(x, wanted)],
                  shape=wanted)


def write_slice(cases):
    ends = (None, 0, 1, 2, 4, 5, 9, -1, -2, -5, -6, -9)
    x = distinct((5,))
    for start, stop, step in itertools.product(ends, ends, (None, 1, 2, 7, -1, -2, -7)):
        if (ends.index(start) + ends.index(stop)) % 3 and step not in (1, -1):
            continue  # a third of the pairs for the rarer steps
        cases.add("slice", f"{start}:{stop}:{step}", [x], [x[start:stop:step]],
                  {"ranges": ((start, stop, 1 if step is None else step),)})
    huge = 2**62
    cases.add("slice", "huge ends", [x], [x[-huge:huge:huge]], {"ranges": ((-huge, huge, huge),)})
    cases.add("slice", "huge step back", [x], [x[::-huge]], {"ranges": ((None, None, -huge),)})
    y = distinct((4, 5, 3))
    cases.add("slice", "leading axes", [y], [y[1:3, ::-2]],
              {"ranges": ((1, 3), (None, None, -2))})
    cases.add("slice", "a whole axis", [y], [y[:, 1:2, ::2]],
              {"ranges": (None, (1, 2), (None, None, 2))})
    cases.add("slice", "no ranges", [y], [y], {"ranges": ()})
    cases.add("slice", "empty", [y], [y[:, 3:2]], {"ranges": (None, (3, 2))})
    cases.add("slice", "of no elements", [y[:0]], [y[:0][::-1]], {"ranges": ((None, None, -1),)})


# ---- Joining ------------------------------------------------------------------------------------


def write_joining(cases):
    for dtype in DTYPES:
        a, b = some((2, 3), dtype, 1), some((2, 1), dtype, 2)
        cases.add("concat", name(dtype), [a, b], [np.concatenate([a, b], 1)], {"axis": 1})
    a, b, c = distinct((2, 3)), distinct((1, 3)) + 10, distinct((0, 3))
    cases.add("concat", "default axis", [a, b, c], [np.concatenate([a, b, c])])
    cases.add("concat", "one", [a], [a], {"axis": -1})
    d = distinct((2, 2, 3))
    cases.add("concat", "middle", [d, d[:, :1]], [np.concatenate([d, d[:, :1]], -2)], {"axis": -2})
    cases.add("concat", "empty rows", [c, c], [np.concatenate([c, c], 1)], {"axis": 1})
    for axis in (0, 1, -1, -3):
        e, f = distinct((2, 3)), distinct((2, 3)) + 6
        cases.add("stack", f"{axis}", [e, f], [np.stack([e, f], axis)], {"axis": axis})
    cases.add("stack", "scalars", [distinct(()), np.ones((), np.float32)],
              [np.array([0, 1], np.float32)])
    cases.add("stack", "empty", [c, c], [np.stack([c, c])])
    x = distinct((2, 8))
    parts = np.split(x, [3, 5], 1)
    cases.add("split", "three", [x], parts, {"axis": 1, "sizes": [3, 2, 3]})
    cases.add("split", "negative axis", [x], parts, {"axis": -1, "sizes": [3, 2, 3]})
    cases.add("split", "one", [x], [x], {"sizes": [2]})
    cases.add("split", "an empty part", [x], [x[:0], x], {"sizes": [0, 2]})


def write_pad(cases):
    x = distinct((2, 3))
    for pairs in ([[0, 0], [1, 2]], [[1, 0], [2, 2]], [[1, 1]], [[0, 0]]):
        widths = pairs if len(pairs) == 2 else pairs * 2
        reach = [[min(a, 1), min(b, 1)] for a, b in widths[:1]] + widths[1:]
        cases.add("pad", f"constant {pairs}", [x], [np.pad(x, widths)], {"pad_width": pairs})
        cases.add("pad", f"7 {pairs}", [x], [np.pad(x, widths, constant_values=7)],
                  {"pad_width": pairs, "constant_values": 7.0, "mode": "constant"})
        for mode in ("edge", "reflect"):
            y = np.pad(x, reach, mode=mode)
            cases.add("pad", f"{mode} {pairs}", [x], [y], {"pad_width": reach, "mode": mode})
            cases.add(f"pad_{mode}", f"{pairs}", [x], [y], {"pad_width": reach})
    for dtype in DTYPES:
        z = some((3,), dtype)
        cases.add("pad", name(dtype), [z], [np.pad(z, [[2, 1]], constant_values=1)],
                  {"pad_width": [[2, 1]], "constant_values": 1.0})
    cases.add("pad", "of nothing", [x[:0]], [np.zeros((1, 3), np.float32)],
              {"pad_width": [[1, 0], [0, 0]]})
    cases.add("pad_edge", "of nothing", [x[:0]], [np.zeros((0, 5), np.float32)],
              {"pad_width": [[0, 0], [1, 1]]})
    cases.add("pad", "scalar", [distinct(())], [distinct(())], {"pad_width": []})


def write_tile(cases):
    for shape, reps in (((3,), [2]), ((2, 3), [2, 2]), ((2, 3), [2]), ((3,), [2, 2]), ((), [3]),
                        ((2, 3), []), ((2, 3), [0, 1]), ((0, 3), [2, 2]), ((2, 1), [2, 1, 1, 3])):
        x = distinct(shape)
        cases.add("tile", f"{shape} {reps}", [x], [np.tile(x, reps)], {"reps": reps})


# ---- Indexing -----------------------------------------------------------------------------------


def in_range(indices, extent):
    return np.clip(np.where(indices < 0, indices + extent, indices), 0, extent - 1)


def write_gather(cases):
    x = distinct((4, 3, 2))
    for dtype in (np.int32, np.int64):
        for axis, extent in ((0, 4), (1, 3), (-1, 2)):
            for values in ([0, 1, -1], [[1, 0], [-2, 9]], 1, [-9], []):
                i = np.array(values, dtype=dtype)
                y = np.take(x, in_range(i, extent), axis)
                cases.add("gather", f"{name(dtype)} axis {axis} {values}", [x, i], [y],
                          {"axis": axis})
    for dtype in DTYPES:
        z, i = some((3, 2), dtype), np.array([2, 0], np.int64)
        cases.add("gather", name(dtype), [z, i], [z[i]])
    extreme = np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).max, -4, -5])
    cases.add("gather", "extreme indices", [x, extreme], [x[[0, 3, 0, 0]]])
    cases.add("gather", "from empty rows", [x[:, :0], np.array([1])], [x[1:2, :0]])
    for axis, shape in ((0, (5, 3)), (1, (4, 2)), (-1, (4, 6))):
        y = distinct((4, 3))
        i = np.random.RandomState(3).randint(-5, 5, size=shape)
        expected = np.take_along_axis(y, in_range(i, y.shape[axis]), axis)
        cases.add("gather_elements", f"{axis}", [y, i], [expected], {"axis": axis})
    y = distinct((0, 3))
    cases.add("gather_elements", "none", [y, np.zeros((0, 3), np.int32)], [y])


def write_made(cases):
    for dtype in DTYPES:
        for axis in (-1, 0, 1):
            i = np.array([[0, 2, -1], [3, 4, -5]], np.int32)
            position = np.where(i < 0, i + 4, i)
            hot = np.moveaxis(position[..., None] == np.arange(4), -1, axis).astype(dtype)
            cases.add("one_hot", f"{name(dtype)} {axis}", [i], [hot], {"depth": 4, "axis": axis},
                      dtype=dtype)
    cases.add("one_hot", "default", [np.array(1, np.int64)], [np.array([0, 1, 0], np.float32)],
              {"depth": 3})
    cases.add("one_hot", "no depth", [np.array([1, 2], np.int64)], [np.zeros((2, 0), np.float32)],
              {"depth": 0})
    for dtype in NUMBERS:
        for shape, axis in (((3,), 0), ((2, 3), 1), ((2, 3), -2), ((2, 0), 0), ((300,), 0)):
            inner = len(shape) - 1 - axis % len(shape)
            index = np.arange(shape[axis]).reshape([shape[axis]] + [1] * inner)
            values = np.broadcast_to(index, shape)
            cases.add("iota", f"{name(dtype)} {shape} {axis}", [], [values.astype(dtype)],
                      {"axis": axis}, dtype=dtype, shape=shape)


def write(cases):
    write_layout(cases)
    write_reshape(cases)
    write_slice(cases)
    write_joining(cases)
    write_pad(cases)
    write_tile(cases)
    write_gather(cases)
    write_made(cases)
