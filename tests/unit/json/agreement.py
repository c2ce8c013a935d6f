"""The reader's structural stage and docs/graph.schema.json accept the same texts.

    agreement.py PROBE ROOT

Puts every graph of the tree, every error case and a few thousand mutants to both. An error case
says in its file `stage` which stage finds it: `structure` (both refuse) or `meaning` (both accept).
"""

import copy
import decimal
import json
import pathlib
import random
import struct
import subprocess
import sys

import jsonschema

MUTANTS = 3000
DEEPEST_NESTING = 64
LONGEST_NUMBER = 1077

# Every key and every form of value; mutants are made of this and of the tree's own small graphs.
COMPLETE = {
    "wick": 1, "name": "complete", "description": "all keys",
    "inputs": [
        {"name": "x", "dtype": "f32", "shape": [2, 3], "role": "parameter", "description": "d"},
        {"name": "y", "dtype": "i64", "shape": [], "donate": True},
    ],
    "constants": [
        {"name": "c", "dtype": "f64", "shape": [2], "values": [1.5, "inf"], "description": "d"},
        {"name": "b", "dtype": "bool", "shape": [1], "values": [True]},
        {"name": "n", "dtype": "u8", "shape": [4], "file": "n.npy"},
        {"name": "s", "dtype": "i32", "shape": [4], "file": "s.safetensors", "tensor": "t"},
    ],
    "nodes": [
        {"name": "a", "op": "add", "inputs": ["x", 2, True, "nan"], "dtype": "f32",
         "shape": [-1, 3], "cache": True, "description": "d"},
        {"op": "split", "inputs": ["x"], "axis": 1, "sizes": [1, 2], "outputs": ["p", "q"]},
        {"name": "t", "op": "slice", "inputs": ["x"], "mode": "edge", "alpha": 0.5,
         "ranges": [[0, 1], None, [None, -1, 2]], "keepdims": False},
    ],
    "outputs": ["a", "t"],
}

# What a mutant puts in the place of something else.
POOL = [
    None, True, False, 0, 1, -1, -2, 1.5, 2, 7, 1e300, 2**47, 2**47 + 1, 2**63 - 1, 2**63, -2**63,
    -2**63 - 1, "", "x", "inf", "-inf", "nan", "f32", "f16", "parameter", [], [1], [1, 2], [[]],
    [[1]], [[1, 2]], [[1, 2, 3]], [[1, 2, 3, 4]], [None], [[None, None]], [1, [1, 2]], [[1, 2], 1],
    [None, 1], [1, None], [1.5], ["a"], [True], [[1.5, 2]], [[[1, 2]]], {}, {"a": 1},
    [1] * 8, [1] * 9, list("abc"), [2**47], [2**47 + 1], [2**63 - 1], [2**63], [-2**63],
    [-2**63 - 1], [[2**63 - 1, 0]], [[0, 2**63]], [[0, -2**63 - 1]], [-1], [-2], [0],
]
KEYS = ["wick", "name", "inputs", "nodes", "outputs", "values", "file", "tensor", "shape", "dtype",
        "role", "donate", "cache", "op", "description", "axis", "Name", ""]
NUMBERS = ["1.0", "10e-1", "-0", "-0.0", "1e0", "1.00000000000000000000000000001", "1e-400",
           "1e400", "1e19", "9223372036854775807.0", "9223372036854775808", "1" * 300, "1" * 400,
           "01", "+1",
           "1.", ".5", "NaN", "Infinity", "-Infinity", "0." + "1" * 1075, "0." + "1" * 1076]


class NotJson(Exception):
    pass


def strict(text):
    """The value of a JSON text, under the same strictness about the text itself as the reader."""

    def pairs(items):
        keys = [key for key, _ in items]
        if len(set(keys)) < len(keys):
            raise NotJson("duplicate key")
        return dict(items)

    def number(written):
        if len(written) > LONGEST_NUMBER or abs(float(written)) == float("inf"):
            raise NotJson("number too long or too large")
        value = decimal.Decimal(written)
        return int(value) if value == value.to_integral_value() else value

    def constant(written):
        raise NotJson(written)

    def check(value, depth):
        if isinstance(value, (dict, list)) and depth > DEEPEST_NESTING:
            raise NotJson("too deep")
        for item in value if isinstance(value, list) else ():
            check(item, depth + 1)
        for key, item in value.items() if isinstance(value, dict) else ():
            key.encode()
            check(item, depth + 1)
        if isinstance(value, str):
            value.encode()  # a lone surrogate is no character

    decimal.getcontext().prec = 2 * LONGEST_NUMBER
    try:
        value = json.loads(text.decode("utf-8-sig"), object_pairs_hook=pairs, parse_float=number,
                           parse_int=number, parse_constant=constant)
        check(value, 1)
    except (ValueError, RecursionError) as error:
        raise NotJson(str(error)) from error
    return value


def places(value, path=()):
    """The paths of all values within a value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(
        value if isinstance(value, list) else ())
    for key, item in items:
        yield from places(item, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def replacements(graph):
    """Every value of the graph replaced by every value of the pool, in turn."""
    for path in list(places(graph))[1:]:
        owner, key = at(graph, path[:-1]), path[-1]
        kept = owner[key]
        for value in POOL:
            owner[key] = value
            yield f"{path} = {value!r}", json.dumps(graph).encode()
        owner[key] = kept


def key_counts(graph):
    """Nodes of as many keys as are allowed, and of one more."""
    for count in (64, 65):
        mutant = copy.deepcopy(graph)
        node = mutant["nodes"][0]
        node.update({f"k{i}": i for i in range(count - len(node))})
        yield f"{count} keys", json.dumps(mutant).encode()


def value_mutant(graph, rng):
    graph = copy.deepcopy(graph)
    path = rng.choice(list(places(graph))[1:])
    owner, key = at(graph, path[:-1]), path[-1]
    action = rng.randrange(6)
    if action == 0:
        del owner[key]
    elif action == 1 and isinstance(owner, dict):
        owner[rng.choice(KEYS)] = owner.pop(key)
    elif action == 2 and isinstance(owner, dict):
        owner[rng.choice(KEYS)] = rng.choice(POOL)
    elif action == 3 and isinstance(owner, list):
        owner.insert(key, rng.choice(POOL))
    else:
        owner[key] = rng.choice(POOL)
    return json.dumps(graph).encode()


def number_mutant(graph, rng):
    """Numbers in forms that the JSON writer would not use."""
    graph = copy.deepcopy(graph)
    path = rng.choice([p for p in places(graph) if type(at(graph, p)) in (int, float)])
    at(graph, path[:-1])[path[-1]] = "@"
    return json.dumps(graph).replace('"@"', rng.choice(NUMBERS)).encode()


def byte_mutant(text, rng):
    text = bytearray(text)
    for _ in range(rng.randrange(1, 4)):
        spot = rng.randrange(len(text))
        action = rng.randrange(4)
        if action == 0:
            del text[spot]
        elif action == 1:
            text.insert(spot, rng.choice(b'[]{},:"\\ 0123456789.-+eEtfn\x00\x1f\x80\xff\t\n'))
        elif action == 2:
            text[spot] = rng.randrange(256)
        else:
            end = min(len(text), spot + rng.randrange(1, 12))
            text[spot:spot] = text[spot:end]
    return bytes(text)


def mutants(graphs):
    rng = random.Random(20261130)
    for index in range(MUTANTS):
        text, graph = rng.choice(graphs)
        kind = index % 3
        if kind == 0:
            yield f"mutant {index}", value_mutant(graph, rng)
        elif kind == 1:
            yield f"mutant {index}", number_mutant(graph, rng)
        else:
            yield f"mutant {index}", byte_mutant(text, rng)


def collect(root):
    """All cases, (name, text), and what error cases expect."""
    cases, stages, seeds = [], {}, [(json.dumps(COMPLETE).encode(), COMPLETE)]
    for folder in ("tests/golden", "samples", "tests/errors"):
        for path in sorted(root.glob(f"{folder}/*/graph.json")):
            name, text = str(path.relative_to(root)), path.read_bytes()
            cases.append((name, text))
            stages[name] = "none"
            if folder == "tests/errors":
                stages[name] = (path.parent / "stage").read_text().strip()
            elif len(text) < 10000:
                seeds.append((text, json.loads(text)))
    cases.append(("the complete graph", seeds[0][0]))
    cases.extend(replacements(copy.deepcopy(COMPLETE)))
    cases.extend(key_counts(COMPLETE))
    cases.extend((f"nested {depth} deep",
                  b'{"wick": 1, "name": "g", "nodes": [], "outputs": ["x"], "description": '
                  + b"[" * depth + b"]" * depth + b"}") for depth in (63, 64, 100000))
    cases.extend(mutants(seeds))
    return cases, stages


def main():
    probe, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads((root / "docs/graph.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)

    def accepts(text):
        try:
            return validator.is_valid(strict(text))
        except NotJson:
            return False

    cases, stages = collect(root)
    stream = b"".join(struct.pack("<Q", len(text)) + text for _, text in cases)
    answers = subprocess.run([probe], input=stream, capture_output=True, check=True)
    answers = answers.stdout.decode().split()
    assert len(answers) == len(cases), f"{len(answers)} answers to {len(cases)} texts"

    faults = accepted = 0
    for (name, text), answer in zip(cases, answers):
        schema_says = "accepted" if accepts(text) else "refused"
        accepted += answer == "accepted"
        expected = {"structure": "refused", "meaning": "accepted", "none": "accepted"}.get(
            stages.get(name), answer)
        if not schema_says == answer == expected:
            faults += 1
            print(f"{name}: schema: {schema_says}, reader: {answer}, expected: {expected}: "
                  f"{text[:600]!r}")
    print(f"{len(cases)} texts, {accepted} accepted, {faults} faults")
    if not len(cases) * 0.1 < accepted < len(cases) * 0.9:
        print("the texts do not try both verdicts enough")
        faults += 1
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
