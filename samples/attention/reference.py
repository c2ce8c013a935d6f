#!/usr/bin/python3
"""Writes x.npy and expected.npy: an input of the block and its result by NumPy in float64.

usage: reference.py FOLDER   (with weights.safetensors in it)
"""
import json
import math
import struct
import sys

import numpy as np

HEADS, WIDTH, ROWS = 4, 32, 16


def weights(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header, body = json.loads(data[8:8 + length]), data[8 + length:]
    return {name: np.frombuffer(body[entry["data_offsets"][0]:entry["data_offsets"][1]],
                                "<f4").reshape(entry["shape"]).astype(np.float64)
            for name, entry in header.items()}


def layer_norm(x, scale, shift):
    centered = x - x.mean(-1, keepdims=True)
    return centered / np.sqrt((centered**2).mean(-1, keepdims=True) + 1e-5) * scale + shift


def block(x, w):
    def heads(name):
        return (x @ w["w" + name] + w["b" + name]).reshape(ROWS, HEADS, -1).transpose(1, 0, 2)

    scores = heads("q") @ heads("k").transpose(0, 2, 1) * np.float64(np.float32(0.35355339))
    e = np.exp(scores - scores.max(-1, keepdims=True))
    context = (e / e.sum(-1, keepdims=True)) @ heads("v")
    joined = context.transpose(1, 0, 2).reshape(ROWS, WIDTH)
    norm1 = layer_norm(x + joined @ w["wo"] + w["bo"], w["scale1"], w["shift1"])
    hidden = norm1 @ w["w1"] + w["b1"]
    active = hidden * 0.5 * (1 + np.vectorize(math.erf)(hidden / math.sqrt(2)))
    return layer_norm(norm1 + active @ w["w2"] + w["b2"], w["scale2"], w["shift2"])


def main(folder):
    position, channel = np.mgrid[0:ROWS, 0:WIDTH]
    x = np.sin(0.7 * position + 0.3 * channel).astype(np.float32)
    np.save(folder + "/x.npy", x)
    expected = block(x.astype(np.float64), weights(folder + "/weights.safetensors"))
    np.save(folder + "/expected.npy", expected.astype(np.float32))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
