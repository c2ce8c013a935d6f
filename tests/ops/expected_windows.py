"""Cases of convolution and pooling: NumPy's sliding windows over a padded array."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from samples import FLOATS, INTEGERS, NUMBERS, distinct, name, rounded, some, wide


def for_all(numbers, spatial):
    """One entry stands for all spatial axes."""
    return list(numbers) * spatial if len(numbers) == 1 else list(numbers)


def windows(x, sizes, attributes, filler):
    """[batch, channels, windows..., elements of a window...] of x with its padding."""
    spatial = x.ndim - 2
    strides = for_all(attributes.get("strides", [1]), spatial)
    dilations = for_all(attributes.get("dilations", [1]), spatial)
    pads = for_all(attributes.get("pads", [[0, 0]]), spatial)
    padded = np.pad(x, [(0, 0), (0, 0), *map(tuple, pads)], constant_values=filler)
    spans = [d * (size - 1) + 1 for d, size in zip(dilations, sizes)]
    every = sliding_window_view(padded, spans, axis=tuple(range(2, x.ndim)))
    return every[(slice(None), slice(None), *(slice(None, None, s) for s in strides),
                  *(slice(None, None, d) for d in dilations))]


# ---- Convolution --------------------------------------------------------------------------------


def conv(x, w, attributes):
    groups = attributes.get("groups", 1)
    spatial = x.ndim - 2
    taken = windows(x, w.shape[2:], attributes, 0)
    channels, kernels = w.shape[1], w.shape[0] // groups
    axes = tuple(range(2 + spatial, 2 + 2 * spatial))
    parts = []
    for group in range(groups):
        of = taken[:, group * channels:(group + 1) * channels]
        by = w[group * kernels:(group + 1) * kernels]
        # [batch, windows..., kernels], then the kernels to the front.
        product = np.tensordot(of, by, axes=((1, *axes), tuple(range(1, 2 + spatial))))
        parts.append(np.moveaxis(product, -1, 1))
    return np.concatenate(parts, axis=1)


CONVOLUTIONS = (
    ((1, 1, 5), (1, 1, 3), {}),
    ((2, 3, 7), (4, 3, 3), {"strides": [2], "pads": [[1, 1]]}),
    ((1, 1, 9), (2, 1, 2), {"strides": [4]}),
    ((1, 2, 8), (2, 2, 3), {"dilations": [3], "pads": [[0, 4]]}),
    ((1, 2, 4, 5), (3, 2, 3, 3), {"pads": [[1, 1]]}),
    ((1, 2, 4, 5), (3, 2, 3, 2), {"strides": [2], "dilations": [1]}),
    ((2, 4, 6, 5), (6, 2, 2, 3),
     {"groups": 2, "strides": [2, 1], "dilations": [1, 2], "pads": [[0, 1], [2, 0]]}),
    ((1, 3, 5, 5), (3, 1, 3, 3), {"groups": 3, "pads": [[1, 1], [1, 1]]}),
    ((1, 2, 6), (4, 1, 2), {"groups": 2}),
    ((2, 3, 2, 2), (2, 3, 1, 1), {}),
    ((1, 2, 3, 3), (2, 2, 3, 3), {}),
    ((1, 1, 2, 2), (1, 1, 2, 2), {"pads": [[3, 2], [0, 5]]}),  # windows in the padding alone
    ((0, 2, 3), (1, 2, 3), {}),
    ((1, 0, 3), (2, 0, 2), {}),
    ((1, 2, 3), (0, 2, 2), {}),
    ((1, 1, 0), (2, 1, 2), {"pads": [[1, 1]]}),
)


def write_conv(cases):
    for dtype in NUMBERS:
        for x_shape, w_shape, attributes in CONVOLUTIONS:
            x, w = some(x_shape, dtype, 40), some(w_shape, dtype, 41)
            wider = wide if dtype in FLOATS else np.asarray
            y = rounded(conv(wider(x), wider(w), attributes), dtype)
            cases.add("conv", f"{name(dtype)} {x_shape} {w_shape}", [x, w], [y], attributes, ulps=1)
    for dtype in FLOATS + INTEGERS:
        # Small whole numbers: every order of every step is exact.
        for x_shape, w_shape, attributes in (((1, 2, 3), (3, 2, 2), {}),
                                             ((2, 2, 3, 2), (2, 1, 2, 2), {"groups": 2}),
                                             ((0, 1, 2), (2, 1, 2), {})):
            x, w = distinct(x_shape, dtype) % 5, distinct(w_shape, dtype) % 3
            bias = distinct(w_shape[:1], dtype) + 7
            y = conv(x, w, attributes) + bias.reshape([-1] + [1] * (len(x_shape) - 2))
            cases.add("conv", f"{name(dtype)} {x_shape} bias", [x, w, bias], [y.astype(dtype)],
                      attributes)
    for dtype in FLOATS:
        x = np.array([[[1, np.inf, 2, np.nan, 0, 3]]], dtype)
        w = np.array([[[2, 1]]], dtype)
        y = np.array([[[np.inf, np.inf, np.nan, np.nan, 3]]], dtype)
        cases.add("conv", f"{name(dtype)} special", [x, w], [y])
        # Padding is 0, and 0 times infinity is not a number.
        x, w = np.array([[[1, 2, 3]]], dtype), np.array([[[np.inf, 1]]], dtype)
        y = np.array([[[np.nan, np.inf, np.inf, np.inf]]], dtype)
        cases.add("conv", f"{name(dtype)} infinite weight", [x, w], [y], {"pads": [[1, 1]]})


# ---- Pooling ------------------------------------------------------------------------------------

POOLS = (
    ((1, 1, 5), {"kernel": [2]}),
    ((2, 3, 7), {"kernel": [3], "strides": [2], "pads": [[1, 1]]}),
    ((1, 2, 4, 5), {"kernel": [2, 2], "strides": [2, 2]}),
    ((1, 2, 5, 4), {"kernel": [3], "strides": [2], "pads": [[1, 1]]}),
    ((2, 1, 6, 5), {"kernel": [2, 3], "strides": [1, 2], "pads": [[0, 1], [2, 0]]}),
    ((1, 2, 3, 3), {"kernel": [3, 3]}),
    ((1, 3, 2, 2), {"kernel": [1, 1], "strides": [3]}),
    ((0, 2, 3), {"kernel": [2]}),
    ((2, 0, 3, 3), {"kernel": [2]}),
    ((1, 1, 1), {"kernel": [3], "pads": [[2, 2]]}),
)
DILATED = (
    ((1, 2, 8), {"kernel": [3], "dilations": [2]}),
    ((1, 1, 6, 7),
     {"kernel": [2, 3], "dilations": [3, 2], "strides": [2, 1], "pads": [[1, 3], [2, 0]]}),
)


def least(dtype):
    return -np.inf if dtype in FLOATS else np.iinfo(dtype).min


def over_windows(x):
    """The axes of the elements of windows."""
    return tuple(range(2 + (x.ndim - 2) // 2, x.ndim))


def write_max_pool(cases):
    for dtype in NUMBERS:
        for shape, attributes in POOLS + DILATED:
            x = some(shape, dtype, 42)
            sizes = for_all(attributes["kernel"], len(shape) - 2)
            taken = windows(x, sizes, attributes, least(dtype))
            cases.add("max_pool", f"{name(dtype)} {shape}", [x],
                      [np.max(taken, axis=over_windows(taken))], attributes)
    for dtype in FLOATS:
        x = np.array([[[1, np.nan, 2, -np.inf, -np.inf, np.inf, -0.0, 0.0]]], dtype)
        y = np.array([[[np.nan, np.nan, 2, -np.inf, np.inf, np.inf, 0.0]]], dtype)
        cases.add("max_pool", f"{name(dtype)} special", [x], [y], {"kernel": [2]})
        edge = np.array([[[-np.inf, -np.inf]]], dtype)
        cases.add("max_pool", f"{name(dtype)} edge", [edge[..., :1]], [edge],
                  {"kernel": [2], "pads": [[1, 1]]})


def write_avg_pool(cases):
    for dtype in FLOATS:
        for shape, attributes in POOLS:
            x = some(shape, dtype, 43)
            sizes = for_all(attributes["kernel"], len(shape) - 2)
            taken = windows(wide(x), sizes, attributes, 0)
            axes = over_windows(taken)
            total = np.sum(taken, axis=axes)
            count = np.sum(windows(wide(np.ones_like(x)), sizes, attributes, 0), axis=axes)
            note = f"{name(dtype)} {shape}"
            cases.add("avg_pool", note, [x], [rounded(total / count, dtype)], attributes, ulps=1)
            cases.add("avg_pool", f"{note} padding", [x],
                      [rounded(total / np.prod(sizes), dtype)],
                      {**attributes, "count_include_pad": True}, ulps=1)
        x = np.array([[[1, np.nan, 2, np.inf, np.inf, -np.inf]]], dtype)
        y = np.array([[[np.nan, np.nan, np.inf, np.inf, np.nan]]], dtype)
        cases.add("avg_pool", f"{name(dtype)} special", [x], [y], {"kernel": [2]})


def write(cases):
    write_conv(cases)
    write_max_pool(cases)
    write_avg_pool(cases)
