"""Cases of the elementwise operations."""

import math

import numpy as np

from samples import (BROADCASTS, DTYPES, FLOATS, INTEGERS, NUMBERS, SHAPES, name, pairs, rounded,
                     some, special, wide)

PI = np.longdouble("3.14159265358979323846264338327950288")


def each(function, *arrays):
    """A function of Python numbers, element by element, in long double."""
    result = [function(*(x.item() for x in xs)) for xs in zip(*(a.ravel() for a in arrays))]
    return np.array(result, dtype=np.longdouble).reshape(arrays[0].shape)


# ---- One operand --------------------------------------------------------------------------------


def unary(cases, op, function, dtypes=FLOATS, ulps=0, attributes=None, values=None, widen=True):
    """`function` takes long double (integers, and all if not to widen: themselves) and is applied
    to special values or those given, random ones, and every shape."""
    for dtype in dtypes:
        inputs = [("special", special(dtype) if values is None else values.astype(dtype))]
        inputs += [("shape %s" % (shape,), some(shape, dtype)) for shape in SHAPES]
        if dtype in FLOATS and values is None:
            inputs.append(("large", some((50,), dtype, 1, 80.0)))
            inputs.append(("small", some((50,), dtype, 2, 1e-3)))
        for note, x in inputs:
            y = function(wide(x) if widen and dtype in FLOATS else x)
            cases.add(op, f"{name(dtype)} {note}", [x], [rounded(y, dtype)], attributes, ulps=ulps)


def sigmoid(x):
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))


def gelu_erf(x):
    limit = np.where(np.isneginf(x), np.longdouble(-0.0), x)
    product = limit * each(lambda v: math.erfc(-v / math.sqrt(2)) / 2, x)
    return np.where(np.isneginf(x), np.longdouble(-0.0), product)


def gelu_tanh(x):
    y = x * sigmoid(2 * np.sqrt(2 / PI) * (x + np.longdouble("0.044715") * x**3))
    return np.where(np.isneginf(x), np.longdouble(-0.0), y)


def softplus(x):
    return np.where(x > 0, x + np.log1p(np.exp(-x)), np.log1p(np.exp(np.minimum(x, 0))) + 0 * x) \
        if np.all(np.isfinite(x)) else np.where(np.isneginf(x), 0, np.logaddexp(0, x))


def clamp(low, high):
    return lambda x: np.minimum(np.maximum(x, low), high)


def write_unary(cases):
    unary(cases, "neg", np.negative, NUMBERS)
    unary(cases, "abs", np.abs, NUMBERS)
    unary(cases, "sign", np.sign, NUMBERS)
    unary(cases, "relu", lambda x: np.maximum(x, x.dtype.type(0)), NUMBERS)
    unary(cases, "clamp", clamp(-2, 3), FLOATS + (np.int8, np.int32, np.int64),
          attributes={"min": -2.0, "max": 3.0})
    unary(cases, "clamp", clamp(2, 7), INTEGERS, attributes={"min": 2.0, "max": 7.0})
    unary(cases, "clamp", lambda x: np.maximum(x, 1), NUMBERS, attributes={"min": 1.0})
    unary(cases, "clamp", lambda x: 0 * x + 1 if x.dtype.kind == "i" else clamp(3, 1)(x),
          (np.int32,) + FLOATS, attributes={"min": 3.0, "max": 1.0})
    for op in ("sqrt", "reciprocal", "floor", "ceil", "trunc"):
        unary(cases, op, getattr(np, op), widen=False)
    unary(cases, "round", np.rint, widen=False)
    for op in ("exp", "expm1", "log", "log2", "log1p", "sin", "cos", "tanh"):
        unary(cases, op, getattr(np, op), ulps=1)
    unary(cases, "rsqrt", lambda x: 1 / np.sqrt(x), ulps=1)
    unary(cases, "erf", lambda x: each(math.erf, x), ulps=1)
    unary(cases, "sigmoid", sigmoid, ulps=1)
    unary(cases, "silu", lambda x: np.where(np.isneginf(x), np.longdouble(-0.0), x * sigmoid(x)),
          ulps=1)
    unary(cases, "softplus", softplus, ulps=1)
    unary(cases, "leaky_relu", lambda x: np.where(x > 0, x, x / 4), attributes={"alpha": 0.25})
    unary(cases, "elu", lambda x: np.where(x > 0, x, np.expm1(x)), ulps=1)
    unary(cases, "elu", lambda x: np.where(x > 0, x, 2 * np.expm1(x)), ulps=1,
          attributes={"alpha": 2.0})
    # erfc(-x / sqrt(2)) magnifies the rounding of its argument by x^2.
    unary(cases, "gelu", gelu_erf, (np.float32,), ulps=1)
    near = np.linspace(-3, 3, 25)
    unary(cases, "gelu", gelu_erf, (np.float64,), ulps=16, attributes={"approximate": "none"},
          values=np.concatenate([near, [0.0, -0.0, np.inf, -np.inf, np.nan]]))
    unary(cases, "gelu", gelu_tanh, ulps=1, attributes={"approximate": "tanh"})
    unary(cases, "gelu_tanh", gelu_tanh, ulps=1)


# ---- Two operands -------------------------------------------------------------------------------


def truncated_quotient(a, b):
    if b == 0:
        return 0
    return -(-a // b) if (a < 0) != (b < 0) else a // b


def floored_remainder(a, b):
    return 0 if b == 0 else a % b


def integer_power(a, b):
    if b >= 0:
        return pow(a, b, 1 << 64)
    return {1: 1, -1: 1 if b % 2 == 0 else -1}.get(a, 0)


def by_integers(function):
    """A function of Python's integers, wrapped to the dtype."""
    def apply(a, b):
        a, b = np.broadcast_arrays(a, b)
        bits = 8 * a.dtype.itemsize
        wrapped = [function(int(x), int(y)) % (1 << bits) for x, y in zip(a.ravel(), b.ravel())]
        unsigned = np.array(wrapped, dtype=np.uint64).astype(f"u{a.dtype.itemsize}")
        return unsigned.view(a.dtype).reshape(a.shape)
    return apply


def binary(cases, op, on_floats, on_integers=None, dtypes=NUMBERS, ulps=0, result=None):
    """`on_floats` takes long double, or the dtype itself where a single rounding is asked for."""
    for dtype in dtypes:
        a, b = pairs(special(dtype))
        inputs = [("special", a, b)]
        inputs += [("%s with %s" % shapes, some(shapes[0], dtype, 3), some(shapes[1], dtype, 4))
                   for shapes in BROADCASTS]
        for note, a, b in inputs:
            y = (on_integers or on_floats)(a, b) if dtype in INTEGERS + (np.bool_,) \
                else on_floats(a, b)
            cases.add(op, f"{name(dtype)} {note}", [a, b],
                      [rounded(y, dtype if result is None else result)], ulps=ulps)


def in_long_double(function):
    return lambda a, b: function(wide(a), wide(b))


def write_binary(cases):
    binary(cases, "add", np.add)
    binary(cases, "sub", np.subtract)
    binary(cases, "mul", np.multiply)
    binary(cases, "div", np.divide, by_integers(truncated_quotient))
    binary(cases, "mod", np.mod, by_integers(floored_remainder))
    binary(cases, "pow", in_long_double(np.power), by_integers(integer_power), ulps=1)
    binary(cases, "minimum", np.minimum)
    binary(cases, "maximum", np.maximum)
    binary(cases, "atan2", in_long_double(np.arctan2), dtypes=FLOATS, ulps=1)
    for op, function in (("eq", np.equal), ("ne", np.not_equal)):
        binary(cases, op, function, dtypes=DTYPES, result=np.bool_)
    for op, function in (("lt", np.less), ("le", np.less_equal), ("gt", np.greater),
                         ("ge", np.greater_equal)):
        binary(cases, op, function, result=np.bool_)
    for op in ("logical_and", "logical_or", "logical_xor"):
        binary(cases, op, getattr(np, op), dtypes=(np.bool_,), result=np.bool_)


# ---- The others ---------------------------------------------------------------------------------


def write_tests(cases):
    for dtype in FLOATS:
        for shape in SHAPES:
            x = some(shape, dtype)
            cases.add("isnan", f"{name(dtype)} {shape}", [x], [np.isnan(x)])
            cases.add("isinf", f"{name(dtype)} {shape}", [x], [np.isinf(x)])
        x = special(dtype)
        cases.add("isnan", f"{name(dtype)} special", [x], [np.isnan(x)])
        cases.add("isinf", f"{name(dtype)} special", [x], [np.isinf(x)])
    for shape in SHAPES:
        x = some(shape, np.bool_)
        cases.add("logical_not", f"{shape}", [x], [np.logical_not(x)])


def write_where(cases):
    shapes = (((2, 3), (3,), (2, 1)), ((), (2,), (2,)), ((4,), (), ()), ((0, 1), (1, 2), (2,)),
              ((1, 2, 1, 2, 1, 2, 1, 2), (1,), (2, 1, 2, 1, 2, 1, 2, 1)))
    for dtype in DTYPES:
        for c, a, b in shapes:
            operands = [some(c, np.bool_, 5), some(a, dtype, 6), some(b, dtype, 7)]
            cases.add("where", f"{name(dtype)} {c} {a} {b}", operands, [np.where(*operands)])


def fused(a, b, c):
    """a * b + c of f32: the product is exact in long double, and rounding the sum to odd there
    makes the second rounding harmless."""
    product = wide(a) * wide(b)
    total = product + wide(c)
    # The error of the sum, exactly (Knuth's two-sum), says on which side of the true value it lies.
    virtual = total - product
    error = (product - (total - virtual)) + (wide(c) - virtual)
    toward = np.where(error > 0, np.inf, -np.inf).astype(np.longdouble)
    mantissa = np.frexp(np.where(np.isfinite(total), total, 1))[0]
    odd = np.mod(np.ldexp(mantissa, 64), 2) != 0
    adjust = np.isfinite(total) & (error != 0) & ~odd
    return rounded(np.where(adjust, np.nextafter(total, toward), total), np.float32)


def write_fma(cases):
    values = np.array([0, -0.0, 1, -1, 3, 1e-20, 1 + 2.0**-23, 1 - 2.0**-24, 16777215, np.inf,
                       np.nan], dtype=np.float32)
    a, b, c = (x.ravel() for x in np.meshgrid(values, values, values))
    cases.add("fma", "f32 special", [a, b, c], [fused(a, b, c)])
    for shapes in (((2, 3), (3,), (2, 1)), ((), (), ()), ((0, 2), (2,), (1, 1))):
        operands = [some(shape, np.float32, seed) for seed, shape in enumerate(shapes)]
        cases.add("fma", f"f32 {shapes}", operands, [fused(*operands)])
    # Where only a single rounding keeps the low half of the product: (1 + e)^2 - 1 = 2e + e^2.
    e = 2.0**-30
    a = np.array([1 + e, 1 - e, 3.0])
    expected = np.array([2 * e + e * e, -2 * e + e * e, 8.0])
    cases.add("fma", "f64 cancellation", [a, a, np.array([-1.0])], [expected])


def cast(x, dtype):
    """Element by element in Python: truncated and saturated, NaN is 0, integers wrap."""
    if dtype == np.bool_:
        return x != 0
    if np.issubdtype(dtype, np.floating):
        return x.astype(dtype)
    info = np.iinfo(dtype)
    result = []
    for value in x.ravel():
        if x.dtype.kind == "f":
            if np.isnan(value):
                number = 0
            elif np.isinf(value):
                number = info.max if value > 0 else info.min
            else:
                number = min(max(int(value), info.min), info.max)
        else:
            number = (int(value) - info.min) % (info.max - info.min + 1) + info.min
        result.append(number)
    return np.array(result, dtype=dtype).reshape(x.shape)


def write_cast(cases):
    for source in DTYPES:
        for target in DTYPES:
            for note, x in (("special", special(source)), ("random", some((2, 5), source, 8, 300)),
                            ("scalar", some((), source, 9)), ("empty", some((0, 2), source))):
                cases.add("cast", f"{name(source)} to {name(target)} {note}", [x],
                          [cast(x, target)], dtype=target)


def write(cases):
    write_unary(cases)
    write_binary(cases)
    write_tests(cases)
    write_where(cases)
    write_fma(cases)
    write_cast(cases)
