#!/usr/bin/python3
"""Writes weights.safetensors: made-up weights of one encoder block, the same on every machine.

Values come from a 64-bit linear congruential generator (Knuth, The Art of Computer Programming,
volume 2, 3.3.4, line 26), spread evenly over [-1, 1) and scaled by 1 / sqrt(rows).
"""
import json
import struct
import sys

WIDTH, INNER = 32, 64
SHAPES = [
    ("wq", [WIDTH, WIDTH]), ("bq", [WIDTH]),
    ("wk", [WIDTH, WIDTH]), ("bk", [WIDTH]),
    ("wv", [WIDTH, WIDTH]), ("bv", [WIDTH]),
    ("wo", [WIDTH, WIDTH]), ("bo", [WIDTH]),
    ("w1", [WIDTH, INNER]), ("b1", [INNER]),
    ("w2", [INNER, WIDTH]), ("b2", [WIDTH]),
    ("scale1", [WIDTH]), ("shift1", [WIDTH]),
    ("scale2", [WIDTH]), ("shift2", [WIDTH]),
]


def numbers(state):
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (state >> 40) / 2**23 - 1.0


def main(path):
    source = numbers(2024)
    header, data = {}, b""
    for name, shape in SHAPES:
        count = 1
        for extent in shape:
            count *= extent
        factor = shape[0] ** -0.5 if len(shape) == 2 else 0.1
        base = 1.0 if name.startswith("scale") else 0.0
        values = [base + factor * next(source) for _ in range(count)]
        packed = struct.pack(f"<{count}f", *values)
        header[name] = {"dtype": "F32", "shape": shape,
                        "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "weights.safetensors")
