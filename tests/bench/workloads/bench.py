#!/usr/bin/python3
"""Measures the emitted code of the bench's workloads.

    bench.py --wick PROGRAM --build FOLDER [options] [NAME...]

Translates each workload, compiles it with wick and with g++, checks its values against NumPy's in
float64, and prints a Markdown table of medians on one core. FOLDER keeps what was made; a second
run compiles only what wick writes differently.

The columns "elsewhere" are ratios to medians that were measured on another machine
(elsewhere.json) and serve as orientation only: above 1 is faster than there. Ratios to the BLAS are
from this machine, samples taken in turn.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

import numpy

import evaluate
import translate

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LISTINGS = HERE / "listings"
# In this order; what elsewhere.json does not know is not measured.
ELSEWHERE = json.loads((HERE / "elsewhere.json").read_text())["rows"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--wick", required=True, help="the program")
    parser.add_argument("--build", required=True, type=pathlib.Path, help="a folder to work in")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--flags", default="-O3 -march=x86-64-v4 -ffp-contract=off")
    parser.add_argument("--blas", help="a shared library with cblas_sgemm, one thread")
    parser.add_argument("--core", default=str(min(os.sched_getaffinity(0))))
    parser.add_argument("--seconds", default="1", help="spent on each workload")
    parser.add_argument("--jobs", type=int, default=2, help="C++ compilers at once")
    parser.add_argument("names", nargs="*", metavar="NAME")
    return parser.parse_args()


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def write_if_other(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def make_graph(folder, name):
    """The graph, its constants, and the values that the measuring program reads."""
    done = folder / "done"
    sources = [HERE / "translate.py", HERE / "evaluate.py", LISTINGS / f"{name}.json"]
    if done.exists() and all(done.stat().st_mtime > path.stat().st_mtime for path in sources):
        return
    folder.mkdir(parents=True, exist_ok=True)
    listing = translate.read_listing(LISTINGS, name)
    graph, constants = translate.translated(listing)
    (folder / "graph.json").write_text(translate.graph_text(graph))
    for constant in listing.get("constants", []):
        if constant["name"] in constants:
            data = translate.constant_data(constant)
            numpy.save(folder / f"{constant['name']}.npy", data)
            data.tofile(folder / f"{constant['name']}.f32")
    inputs = {tensor["name"]: evaluate.input_data(name, tensor) for tensor in listing["inputs"]}
    for tensor, data in inputs.items():
        data.tofile(folder / f"{tensor}.f32")
    (output,) = evaluate.evaluate(listing, inputs).values()
    output.tofile(folder / "expected.f64")
    done.touch()


def call_source(name, inputs, arena):
    parameters = [f"inputs[{i}]" for i in range(len(inputs))] + ["output"] + ["arena"] * (arena > 0)
    return f"""#include "{name}.h"

void call_{name}(
    const float* const* inputs, float* output, [[maybe_unused]] std::byte* arena) {{
  {name}::run({", ".join(parameters)});
}}
"""


def table_source(rows):
    text = '#include "tests/bench/workloads/bench.h"\n\n'
    for row in rows:
        text += f"void call_{row['name']}(const float* const*, float*, std::byte*);\n"
    text += ("\nnamespace wick::workloads {\n\nconst std::vector<Workload>& workloads() {\n"
             "  static const std::vector<Workload> table = {\n")
    for row in rows:
        inputs = ", ".join(f'"{name}"' for name in row["inputs"])
        text += (f'      {{"{row["name"]}", call_{row["name"]}, {row["arena"]}, {{{inputs}}}, '
                 f'{row["extent"]}, "{row["right"]}"}},\n')
    return text + "  };\n  return table;\n}\n\n}  // namespace wick::workloads\n"


def describe(options, name):
    """Has wick emit the workload; what the table says about it."""
    emitted = options.build / "emitted"
    listing = translate.read_listing(LISTINGS, name)
    graph = options.build / "graphs" / name / "graph.json"
    report = json.loads(run(options.wick, "compile", graph, "-o", emitted, "--quiet",
                            "--report=json"))
    inputs = [tensor["name"] for tensor in listing["inputs"]]
    write_if_other(emitted / f"{name}.call.cpp", call_source(name, inputs, report["arena"]))
    product = name.startswith("matmul")
    return {"name": name, "inputs": inputs, "arena": report["arena"], "flops": listing["flops"],
            "bytes": listing["io_bytes"], "product": product,
            "extent": listing["inputs"][0]["shape"][0] if product else 0,
            "right": listing["nodes"][0]["in"][1] if product else ""}


def compile_source(options, source):
    """Compiles unless the object is newer than the source and all of wick's headers."""
    target = options.build / "objects" / (source.name + ".o")
    newest = max(path.stat().st_mtime for path in
                 [source, source.with_suffix("").with_suffix(".h"), HERE / "bench.h",
                  *(ROOT / "runtime/wick").glob("*.h")] if path.exists())
    if not target.exists() or target.stat().st_mtime < newest:
        standard = "c++20" if source.parent == HERE else "c++17"
        run(options.cxx, f"-std={standard}", *options.flags.split(), "-fno-lto", "-c", source, "-I",
            ROOT / "runtime", "-I", ROOT, "-I", options.build / "emitted", "-o", target)
    return target


def build(options, rows):
    emitted = options.build / "emitted"
    write_if_other(emitted / "table.cpp", table_source(rows))
    sources = [HERE / "bench.cpp", emitted / "table.cpp"]
    for row in rows:
        stem = row["name"]
        sources += [path for path in (emitted / f"{stem}.cpp", emitted / f"{stem}.call.cpp",
                                      emitted / f"{stem}.weights.cpp") if path.exists()]
    (options.build / "objects").mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        objects = list(pool.map(lambda source: compile_source(options, source), sources))
    program = options.build / "bench"
    run(options.cxx, *objects, "-ldl", "-o", program)
    return program


def time_text(microseconds):
    return f"{microseconds:,.0f}" if microseconds >= 1000 else f"{microseconds:#.3g}".rstrip(".")


def ratio(row, microseconds, column):
    """How many times as fast as elsewhere."""
    known = ELSEWHERE[row["name"]].get(column)
    if known is None:
        return ""
    if row["product"]:
        return f"{row['flops'] / microseconds * 1e-3 / known:.2f}"
    return f"{known / microseconds:.2f}"


def table_line(row, fields):
    error, median, least, *blas = fields[1:]
    median = float(median)
    if row["flops"] > row["bytes"]:
        rate = f"{row['flops'] / median * 1e-3:.1f} GFLOP/s"
    else:
        rate = f"{row['bytes'] / median * 1e-3:.1f} GB/s"
    cells = [row["name"], time_text(median), time_text(float(least)), rate,
             f"{float(blas[0]) / median:.2f}" if blas else "",
             ratio(row, median, "reachable"), ratio(row, median, "peer"), error]
    return "| " + " | ".join(cells) + " |"


def main():
    options = arguments()
    names = options.names or list(ELSEWHERE)
    rows = []
    for name in names:
        make_graph(options.build / "graphs" / name, name)
        rows.append(describe(options, name))
    command = [build(options, rows), options.build / "graphs", options.core, options.seconds]
    fields = [line.split("\t") for line in
              run(*command, *([options.blas] if options.blas else [])).splitlines()]
    print("| workload | median, µs | least, µs | rate | to the BLAS | elsewhere: reachable "
          "| elsewhere: best peer | error, 2^-24 |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for row, measured in zip(rows, fields):
        print(table_line(row, measured))


if __name__ == "__main__":
    main()
