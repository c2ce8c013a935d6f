"""tests/cmake/cross where there is no fused multiply-add, against a build where there is one.

    plain_test.py PREFIX WICK NATIVE    NATIVE is the file that native_test.py has written

What is rounded once, integers, casts and sums have the same bits. Approximations and products may
differ, each by as much as its bound (`wick ops`) allows either side.
"""

import json
import pathlib
import re
import subprocess
import sys

import numpy as np

from cross_build import WEIGHTS, bits_of_graph, installed_in

# The operation that gives a result, where it is approximated.
APPROXIMATED = {"exponential": "exp", "sine": "sin", "logarithm": "log1p", "bell": "gelu",
                "power": "pow", "wide_tanh": "tanh"}
# Products, and what is computed of one: how many rows, or images, precede the last, which holds
# infinities and NaN.
PRODUCTS = {"dots": 3, "activated": 3, "shares": 3, "rectified": 1}
COLUMN = np.array([*((-1) ** i * (i + 1.0) for i in range(17)),
                   *np.arange(1, 10) / 10, *np.arange(11, 18) / 10])
# What the products of a window are multiplied by, 12 for each of 4 channels, and what is added.
FILTERS, OFFSETS = (
    np.abs(np.array(constant["values"])).reshape(4, -1)
    for constant in json.loads(
        (pathlib.Path(__file__).parent / "cross/everything.json").read_text())["constants"]
    if constant["name"] in ("filters", "offsets"))


def results(output):
    return {name: words for name, *words in (line.split() for line in output.splitlines())}


def values(words, dtype):
    kind = {"f32": (np.uint32, np.float32), "f64": (np.uint64, np.float64)}[dtype]
    nan = {"f32": 0x7FC00000, "f64": 0x7FF8000000000000}[dtype]
    bits = [nan if word == "nan" else int(word, 16) for word in words]
    return np.array(bits, dtype=kind[0]).view(kind[1])


def ulps_of(wick, operation, dtype):
    text = subprocess.run([wick, "ops", operation], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    f32, f64 = re.search(r"accuracy: within ([\d.]+)(?: \(f64: ([\d.]+)\))? ulp", text).groups()
    return float(f64 if dtype == "f64" and f64 else f32)


def within_ulps(here, there, bound):
    with np.errstate(all="ignore"):
        distance = np.abs(here.astype(np.longdouble) - there.astype(np.longdouble))
        ulp = np.maximum(np.spacing(np.abs(here)), np.spacing(np.abs(there)))
        close = distance <= 2 * bound * ulp.astype(np.longdouble)
    return bool(np.all(close | (here == there) | (np.isnan(here) & np.isnan(there))))


def product_bounds(x):
    """What each product may differ by: twice gamma(k) * (|a| @ |b|), and 1 ulp of f32.

    Elements of the images are at most 16; the offset of a channel is one term more.
    """
    gamma = 33 * 2.0**-24 / (1 - 33 * 2.0**-24)
    matrix = np.abs(x[:3]) @ np.abs(WEIGHTS.astype(float))
    column = np.abs(x[:3]) @ np.abs(COLUMN)
    bound = 2 * (gamma * matrix + 2.0**-24 * matrix)
    window = 16 * FILTERS.sum(axis=1) + OFFSETS[:, 0]
    return {
        "dots": 2 * (gamma * column + 2.0**-24 * column),
        # The slope of a sigmoid is at most 1/4; a share changes by its exponents' errors.
        "activated": bound / 4 + 2.0**-22,
        "shares": np.exp(2 * bound.max(axis=1, keepdims=True)) - 1 + 2.0**-22 + 0 * bound,
        "rectified": np.repeat(2 * 14 * 2.0**-24 / (1 - 13 * 2.0**-24) * window, 3 * 8),
    }


def main():
    prefix, wick, native = sys.argv[1:]
    fused = results(json.loads(pathlib.Path(native).read_text())["graph"])
    plain = results(bits_of_graph("plain", installed_in(prefix)))
    x = values(plain["x"], "f32").reshape(4, 33).astype(float)
    bounds = product_bounds(x)
    for name, words in plain.items():
        dtype = "f64" if name.startswith("wide_") else "f32"
        if name in APPROXIMATED:
            bound = ulps_of(wick, APPROXIMATED[name], dtype)
            sound = within_ulps(values(words, dtype), values(fused[name], dtype), bound)
        elif name in PRODUCTS:
            parts = PRODUCTS[name]
            here, there = (values(which[name], dtype).reshape(parts + 1, -1)[:parts]
                           for which in (plain, fused))
            difference = np.abs(here.astype(float) - there.astype(float))
            sound = bool(np.all(difference <= bounds[name].reshape(parts, -1)))
        else:
            sound = words == fused[name]
        if not sound:
            sys.exit(f"{name}\nplain {words}\nfused {fused[name]}")
    if plain == fused:
        sys.exit("the two builds are one: this test compares nothing")


main()
