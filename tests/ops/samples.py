"""Values and shapes that the cases are made of. Everything is fixed: the same on every run."""

import numpy as np

FLOATS = (np.float32, np.float64)
INTEGERS = (np.int8, np.uint8, np.int32, np.int64)
NUMBERS = FLOATS + INTEGERS
DTYPES = NUMBERS + (np.bool_,)

# Pairs of shapes that broadcast: a row, an outer product, a scalar, extents of 0, all eight axes.
BROADCASTS = (
    ((2, 3), (2, 3)), ((2, 3), (3,)), ((4, 1), (1, 5)), ((), (2, 2)), ((0, 3), (1, 3)),
    ((1,), (0,)), ((), ()), ((1, 2, 1, 1, 2, 1, 3, 1), (2, 1, 2, 1, 1, 1, 1, 2)))

# Shapes of one operand.
SHAPES = ((), (7,), (0,), (2, 0, 3), (3, 4), (1, 2, 1, 2, 1, 2, 1, 2))


def special_floats(dtype):
    """Zeros, infinities, NaN, denormals, halves, and the ends of the range."""
    info = np.finfo(dtype)
    positive = [0.0, info.smallest_subnormal, info.tiny, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 10.0,
                8388608.0, 8388609.0, float(info.max), np.inf]
    return np.array(positive + [-x for x in positive] + [np.nan], dtype=dtype)


def special_integers(dtype):
    info = np.iinfo(dtype)
    values = {info.min, info.min + 1, 0, 1, 2, 3, 7, info.max - 1, info.max}
    if info.min < 0:
        values |= {-1, -2, -3, -7}
    return np.array(sorted(values), dtype=dtype)


def special(dtype):
    if dtype == np.bool_:
        return np.array([False, True])
    if np.issubdtype(dtype, np.floating):
        return special_floats(dtype)
    return special_integers(dtype)


def pairs(values):
    """All pairs of the values, as two arrays."""
    return np.repeat(values, len(values)), np.tile(values, len(values))


def some(shape, dtype, seed=0, scale=4.0):
    """Random elements: floats around 0 within the scale, integers over their whole range."""
    generator = np.random.RandomState(seed + 17 * len(shape))
    if dtype == np.bool_:
        return np.asarray(generator.randint(0, 2, size=shape), dtype=np.bool_)
    if np.issubdtype(dtype, np.floating):
        return np.asarray(generator.uniform(-scale, scale, size=shape), dtype=dtype)
    info = np.iinfo(dtype)
    return np.asarray(generator.randint(info.min, info.max, size=shape, dtype=dtype), dtype=dtype)


def distinct(shape, dtype=np.float32):
    """0, 1, 2, …: every element tells where it came from."""
    count = int(np.prod(shape, dtype=np.int64))
    return np.asarray(np.arange(count).reshape(shape), dtype=dtype)


def name(dtype):
    return np.dtype(dtype).name


def wide(array):
    """In long double, exactly."""
    return np.asarray(array, dtype=np.longdouble)


def rounded(array, dtype):
    return np.asarray(array).astype(dtype)
