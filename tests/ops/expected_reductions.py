"""Cases of reductions, products, compositions over rows, and sorting."""

import itertools

import numpy as np

from samples import FLOATS, INTEGERS, NUMBERS, distinct, name, rounded, some, special, wide


# ---- Reductions ---------------------------------------------------------------------------------

# Shapes with sets of axes; None is an absent attribute.
AXES = [((2, 3, 4), axes) for n in range(4) for axes in itertools.combinations(range(3), n)]
AXES += [((2, 3, 4), (-1,)), ((2, 3, 4), (-1, 0)), ((2, 3, 4), None), ((), None), ((), ()),
         ((5,), (0,)), ((0, 3), (1,)), ((1, 2, 1, 2, 1, 2, 1, 2), (1, 7, -3))]
EMPTY = [((0, 3), (0,)), ((2, 0), None), ((2, 0, 3), (1,))]


def attributes_of(axes, keepdims):
    attributes = {"keepdims": True} if keepdims else {}
    if axes is not None:
        attributes["axes"] = list(axes)
    return attributes


def every_reduction(cases, op, function, dtypes, ulps=0, empty=True, scale=4.0, expanded_ulps=None):
    """`function` takes an array, a tuple of axes (or None), and keepdims; floats are wide."""
    for dtype in dtypes:
        for shape, axes in AXES + (EMPTY if empty else []):
            for keepdims in (False, True):
                x = some(shape, dtype, 11, scale)
                operand = wide(x) if dtype in FLOATS else x
                y = np.asarray(function(operand, axes, keepdims))
                cases.add(op, f"{name(dtype)} {shape} {axes} {keepdims}", [x],
                          [rounded(y, dtype)], attributes_of(axes, keepdims), ulps=ulps,
                          expanded_ulps=expanded_ulps)


def in_dtype(function):
    """A NumPy reduction that keeps the dtype, so that integers wrap."""
    return lambda x, axes, keepdims: function(x, axis=axes, keepdims=keepdims, dtype=x.dtype)


def squares(x, axes, keepdims):
    return np.sum(x * x, axis=axes, keepdims=keepdims, dtype=x.dtype)


def write_reductions(cases):
    every_reduction(cases, "sum", in_dtype(np.sum), NUMBERS, ulps=1)
    every_reduction(cases, "prod", in_dtype(np.prod), NUMBERS, ulps=1)
    every_reduction(cases, "sum_of_squares", squares, NUMBERS, ulps=1)
    every_reduction(cases, "mean", in_dtype(np.mean), FLOATS, ulps=1)
    every_reduction(cases, "max", lambda x, a, k: np.max(x, axis=a, keepdims=k), NUMBERS,
                    empty=False)
    every_reduction(cases, "min", lambda x, a, k: np.min(x, axis=a, keepdims=k), NUMBERS,
                    empty=False)
    every_reduction(cases, "all", lambda x, a, k: np.all(x, axis=a, keepdims=k), (np.bool_,))
    every_reduction(cases, "any", lambda x, a, k: np.any(x, axis=a, keepdims=k), (np.bool_,))


def write_special_reductions(cases):
    nan, inf = np.nan, np.inf
    rows = np.array([[1, 2, nan], [-inf, -inf, -inf], [inf, 1, 2], [inf, -inf, 0],
                     [-0.0, -0.0, -0.0], [nan, inf, nan]])
    for dtype in FLOATS:
        x = rows.astype(dtype)
        for op, function in (("sum", np.sum), ("prod", np.prod), ("mean", np.mean), ("max", np.max),
                             ("min", np.min)):
            # A sum that starts from +0 gives +0 for a row of -0, as NumPy's does.
            y = function(wide(x), axis=1).astype(dtype)
            cases.add(op, f"{name(dtype)} special", [x], [y], {"axes": [1]})
        cases.add("argmax", f"{name(dtype)} special", [x], [np.argmax(x, axis=1)], {"axis": 1})
        cases.add("argmin", f"{name(dtype)} special", [x], [np.argmin(x, axis=1)], {"axis": -1})


# ---- Positions and running totals ---------------------------------------------------------------


def position(function, x, axes, keepdims):
    """numpy.argmax over several axes: their elements side by side, in order."""
    axes = tuple(range(x.ndim)) if axes is None else tuple(sorted(a % x.ndim for a in axes))
    others = [axis for axis in range(x.ndim) if axis not in axes]
    count = int(np.prod([x.shape[axis] for axis in axes], dtype=np.int64))
    rows = np.transpose(x, others + list(axes)).reshape([x.shape[a] for a in others] + [count])
    y = np.asarray(function(rows, axis=-1))
    return np.expand_dims(y, axes) if keepdims else y


def write_positions(cases):
    for op, function in (("argmax", np.argmax), ("argmin", np.argmin)):
        for dtype in NUMBERS:
            for shape, axes in AXES:
                for keepdims in (False, True):
                    # Few different values, so that there are equals.
                    x = (some(shape, dtype, 12) % 3).astype(dtype) if dtype in INTEGERS \
                        else np.floor(some(shape, dtype, 12) / 3)
                    x = np.asarray(x, dtype=dtype)
                    if axes == ():
                        y = np.zeros(shape, np.int64)
                    else:
                        y = position(function, x, axes, keepdims)
                    cases.add(op, f"{name(dtype)} {shape} {axes} {keepdims}", [x],
                              [np.asarray(y, np.int64)], attributes_of(axes, keepdims))
        x = some((2, 3, 4), np.float32, 13)
        for axis in (0, 1, -1):
            cases.add(op, f"axis {axis}", [x], [function(x, axis=axis)], {"axis": axis})


def write_cumsum(cases):
    for dtype in NUMBERS:
        for shape, axis in (((5,), 0), ((2, 3, 4), 1), ((2, 3, 4), -1), ((2, 3, 4), 0), ((0, 2), 0),
                            ((2, 0), 0)):
            x = some(shape, dtype, 14)
            y = np.cumsum(wide(x) if dtype in FLOATS else x, axis=axis,
                          dtype=np.longdouble if dtype in FLOATS else dtype)
            cases.add("cumsum", f"{name(dtype)} {shape} {axis}", [x], [rounded(y, dtype)],
                      {"axis": axis}, ulps=1)


# ---- Products -----------------------------------------------------------------------------------

PRODUCTS = (((2, 3), (3, 4)), ((3,), (3, 4)), ((2, 3), (3,)), ((3,), (3,)), ((5, 2, 3), (3, 4)),
            ((5, 2, 3), (5, 3, 4)), ((2, 1, 2, 3), (4, 3, 2)), ((1, 2, 3), (5, 3, 1)),
            ((3,), (2, 3, 4)), ((2, 2, 3), (3,)), ((1, 1), (1, 1)), ((2, 0), (0, 3)),
            ((0, 3), (3, 2)), ((2, 3), (3, 0)), ((0, 2, 3), (1, 3, 2)),
            ((1, 2, 1, 1, 2, 1, 2, 3), (2, 1, 1, 3, 1, 1, 3, 2)))


def write_products(cases):
    for dtype in NUMBERS:
        for a_shape, b_shape in PRODUCTS:
            a, b = some(a_shape, dtype, 15), some(b_shape, dtype, 16)
            wider = wide if dtype in FLOATS else np.asarray
            y = rounded(np.matmul(wider(a), wider(b)), dtype)
            cases.add("matmul", f"{name(dtype)} {a_shape} {b_shape}", [a, b], [y], ulps=1)
    for dtype in (np.float64, np.int32, np.int64):
        # Small whole numbers: every order of every step is exact.
        a, b = distinct((2, 3), dtype) - 2, distinct((3, 4), dtype) - 5
        for c in (distinct((2, 4), dtype), distinct((4,), dtype) - 2, distinct((2, 1), dtype),
                  np.asarray(3, dtype)):
            for alpha, beta in ((1, 1), (2, 1), (1, -1), (-1, 1), (3, 2), (0, 1), (2, 0)):
                y = alpha * np.matmul(a, b) + beta * c
                cases.add("matmul", f"{name(dtype)} {alpha} {beta} {c.shape}", [a, b, c],
                          [y.astype(dtype)], {"alpha": float(alpha), "beta": float(beta)})
        cases.add("matmul", f"{name(dtype)} scaled", [a, b], [(2 * np.matmul(a, b)).astype(dtype)],
                  {"alpha": 2.0})
        x = distinct((2, 2, 3), dtype) - 4
        cases.add("linear", f"{name(dtype)}", [x, b], [np.matmul(x, b)])
        cases.add("linear", f"{name(dtype)} bias", [x, b, b[0]], [np.matmul(x, b) + b[0]])
        cases.add("linear", f"{name(dtype)} vector", [x[0, 0], b, b[0]], [x[0, 0] @ b + b[0]])


# ---- Compositions over rows ---------------------------------------------------------------------


def softmax(x, axis):
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)


def log_softmax(x, axis):
    return x - np.log(np.sum(np.exp(x), axis=axis, keepdims=True))


def logsumexp(x, axes, keepdims):
    return np.log(np.sum(np.exp(x), axis=axes, keepdims=keepdims))


def write_softmax(cases):
    for dtype in FLOATS:
        for shape, axis in (((6,), -1), ((2, 3, 4), 1), ((2, 3, 4), -1), ((2, 3, 4), 0),
                            ((0, 3), 1), ((3, 0), 1)):
            x = some(shape, dtype, 20)
            # A logarithm near 0 keeps few of the places of the two numbers whose difference it is.
            for op, function, expanded_ulps in (("softmax", softmax, 24),
                                                ("log_softmax", log_softmax, 1024)):
                cases.add(op, f"{name(dtype)} {shape} {axis}", [x],
                          [rounded(function(wide(x), axis), dtype)], {"axis": axis}, ulps=2,
                          expanded_ulps=expanded_ulps)
        alone = some((2, 1), dtype, 20)
        cases.add("softmax", f"{name(dtype)} one element", [alone], [np.ones_like(alone)])
        cases.add("log_softmax", f"{name(dtype)} one element", [alone], [np.zeros_like(alone)])
        # Naive exponentials would overflow; in long double they do not.
        x = np.array([[1000, 1001, 1002], [-1000, -1000, -1002], [0, -np.inf, 0]], dtype)
        y = rounded(softmax(wide(x), 1), dtype)
        cases.add("softmax", f"{name(dtype)} large", [x], [y], ulps=2, expanded_ulps=24)
        y = np.array([logsumexp(wide(row), 0, False) for row in x]).astype(dtype)
        cases.add("logsumexp", f"{name(dtype)} large", [x], [y], {"axes": [-1]}, ulps=1,
                  expanded_ulps=4)
        rows = np.array([[-np.inf, -np.inf], [np.inf, 1], [np.inf, -np.inf], [np.nan, 1]], dtype)
        y = np.array([-np.inf, np.inf, np.inf, np.nan], dtype)
        cases.add("logsumexp", f"{name(dtype)} special", [rows], [y], {"axes": [1]})
        bad = np.array([[np.inf, 1], [-np.inf, -np.inf], [np.nan, 0]], dtype)
        cases.add("softmax", f"{name(dtype)} special", [bad], [np.full_like(bad, np.nan)])
        cases.add("log_softmax", f"{name(dtype)} special", [bad], [np.full_like(bad, np.nan)])
    # Results near 0 lose their last places to cancellation: positive operands keep away from it.
    every_reduction(cases, "logsumexp", lambda x, a, k: logsumexp(x + 0, a, k), FLOATS, ulps=1,
                    expanded_ulps=64)


def normalised(x, axes, epsilon):
    return x / np.sqrt(np.mean(x * x, axis=axes, keepdims=True) + epsilon)


def write_norms(cases):
    for dtype in FLOATS:
        epsilon = wide(dtype(1e-5))
        for shape, axes in (((3, 8), [-1]), ((2, 3, 4), [1, 2]), ((2, 3, 4), [0]), ((0, 4), [1])):
            x, scale, bias = some(shape, dtype, 21), some(shape[-1:], dtype, 22), \
                some(shape[-1:], dtype, 23)
            a = tuple(axes)
            centered = wide(x) - np.mean(wide(x), axis=a, keepdims=True)
            plain = normalised(centered, a, epsilon)
            rms = normalised(wide(x), a, epsilon)
            # What cancels cannot be right to the last places of a small result, least of all after
            # expansion, where every step is rounded.
            note = f"{name(dtype)} {shape} {axes}"
            given = {"axes": axes}
            for op, y, operands in (
                    ("layer_norm", plain, [x]), ("layer_norm", plain * wide(scale), [x, scale]),
                    ("rms_norm", rms, [x]), ("rms_norm", rms * wide(scale), [x, scale])):
                cases.add(op, f"{note} {len(operands)}", operands, [rounded(y, dtype)], given,
                          ulps=8, expanded_ulps=4096)
            y = plain * wide(scale) + wide(bias)
            cases.add("layer_norm", f"{note} 3", [x, scale, bias], [rounded(y, dtype)], given,
                      ulps=64, expanded_ulps=4096)
        constant = np.full((2, 4), 3, dtype)
        cases.add("layer_norm", f"{name(dtype)} constant rows", [constant], [0 * constant],
                  {"epsilon": 0.5})
        cases.add("rms_norm", f"{name(dtype)} exact", [constant * 0 + 2], [constant * 0 + 1],
                  {"epsilon": 0.0})


def write_batch_norm(cases):
    for dtype in FLOATS:
        for shape, axis in (((2, 3, 4), 1), ((2, 3), -1), ((3, 2), 0), ((2, 3, 2, 2), 1),
                            ((0, 3), 1)):
            channels = shape[axis]
            x = distinct(shape, dtype)
            # Variances whose roots are exact, so that every step is.
            mean = distinct((channels,), dtype)
            variance = np.array([4.0, 1.0, 16.0][:channels], dtype)
            scale = np.array([2.0, 3.0, -8.0][:channels], dtype)
            bias = distinct((channels,), dtype) - 1
            over = [-1 if i == axis % len(shape) else 1 for i in range(len(shape))]
            m, r, s, b = (v.reshape(over) for v in (mean, np.sqrt(variance), scale, bias))
            given = {"axis": axis, "epsilon": 0.0}
            note = f"{name(dtype)} {shape} {axis}"
            cases.add("batch_norm", note, [x, mean, variance], [(x - m) / r], given)
            scaled = (x - m) / r * s
            cases.add("batch_norm", f"{note} 4", [x, mean, variance, scale], [scaled], given)
            cases.add("batch_norm", f"{note} 5", [x, mean, variance, scale, bias],
                      [scaled + b], given)


# ---- Sorting ------------------------------------------------------------------------------------


def order_of(row, descending):
    """Positions in order: Python's sort is stable, in reverse too; NaN counts as largest."""
    keys = [(1, 0) if x != x else (0, x.item()) for x in row]
    return sorted(range(len(row)), key=lambda i: keys[i], reverse=descending)


def order_along(x, axis, descending):
    moved = np.moveaxis(x, axis, -1)
    rows = [order_of(row, descending) for row in moved.reshape(-1, x.shape[axis])] \
        if x.size else []
    order = np.array(rows, np.int64).reshape(moved.shape)
    return np.moveaxis(order, -1, axis)


def write_sorting(cases):
    inputs = [(f"{name(dtype)} {shape} {axis}", some(shape, dtype, 30), axis)
              for dtype in NUMBERS
              for shape, axis in (((7,), -1), ((3, 4), 0), ((2, 3, 4), 1), ((0, 3), 1),
                                  ((3, 0), 1))]
    inputs += [(f"{name(dtype)} special", np.random.RandomState(1).permutation(special(dtype)), 0)
               for dtype in NUMBERS]
    inputs += [("ties", np.array([2, 1, 2, 0, 1, 2, 0], np.float32), 0),
               ("zeros and NaN", np.array([0.0, np.nan, -0.0, 1, np.nan, -1, 0.0], np.float64), 0)]
    for note, x, axis in inputs:
        for descending in (False, True):
            order = order_along(x, axis, descending)
            values = np.take_along_axis(x, order, axis)
            given = {"axis": axis, "descending": descending}
            note_here = f"{note} {descending}"
            cases.add("sort", note_here, [x], [values], given)
            cases.add("argsort", note_here, [x], [order], given)
            for k in {0, 1, x.shape[axis]} & set(range(x.shape[axis] + 1)):
                best = np.take(order, range(k), axis)
                cases.add("topk", f"{note_here} {k}", [x],
                          [np.take(values, range(k), axis), best], {**given, "k": k})
    x = np.array([3.0, 1.0, 2.0], np.float32)
    cases.add("sort", "defaults", [x], [np.array([1, 2, 3], np.float32)])
    cases.add("topk", "defaults", [x], [np.array([3, 2], np.float32), np.array([0, 2])], {"k": 2})


def write(cases):
    write_reductions(cases)
    write_special_reductions(cases)
    write_positions(cases)
    write_cumsum(cases)
    write_products(cases)
    write_softmax(cases)
    write_norms(cases)
    write_batch_norm(cases)
    write_sorting(cases)
