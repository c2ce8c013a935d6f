#!/usr/bin/python3
"""Measures the emitted code of the bench's workloads beside other libraries.

    bench.py --wick PROGRAM --build FOLDER [options] [NAME...]

Translates each workload, compiles it with wick and with the C++ compiler, links it with the peers
that peers/install.sh brings, checks the values of everybody against NumPy's in float64, times all
in turn in one process pinned to one core, and prints Markdown. FOLDER keeps what was made; a second
run compiles only what has changed. Peers that are not there are named in the output.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

import figures as arithmetic
import plot
import program
import report
import translate
from peers import peers as peer_list


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--wick", required=True, help="the program")
    parser.add_argument("--build", required=True, type=pathlib.Path, help="a folder to work in")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--flags", default="-O3 -march=x86-64-v4 -ffp-contract=off",
                        help="what emitted code is compiled with")
    sources = [peer.source for peer in peer_list.PEERS]
    parser.add_argument("--peers", nargs="+", default=sources, choices=sources,
                        help="which to look for")
    parser.add_argument("--core", default=str(min(os.sched_getaffinity(0))))
    parser.add_argument("--seconds", default="1", help="spent on each workload in each run")
    parser.add_argument("--sample", default="500", help="microseconds that a sample takes at least")
    parser.add_argument("--runs", type=int, default=1, help="of the measuring program")
    parser.add_argument("--jobs", type=int, default=2, help="C++ compilers at once")
    parser.add_argument("--costs", action="store_true", help="measure compiling, too")
    parser.add_argument("--document", type=pathlib.Path, help="Markdown to put the figures into")
    parser.add_argument("--plot", type=pathlib.Path, help="an SVG file to draw the ratios into")
    parser.add_argument("--again", action="store_true",
                        help="report what the last run has measured")
    parser.add_argument("names", nargs="*", metavar="NAME", help="workloads, all without")
    return parser.parse_args()


def environment(options):
    """One thread for everybody, and the kernels for this core.

    OpenBLAS 0.3.21 takes recent AMD cores with AVX-512 for older ones without, at half the speed;
    whatever else the caller's environment tells it does not count.
    """
    found = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
                 WICK_BENCH_ONNX_RUNTIME=str((options.build / peer_list.ONNX_RUNTIME).resolve()))
    cpu = pathlib.Path("/proc/cpuinfo")
    if cpu.exists() and " avx512f " in cpu.read_text():
        found["OPENBLAS_CORETYPE"] = "SkylakeX"
    return found


def measure(options, binary):
    """The figures of all runs, and the load of the machine; kept in the folder for --again."""
    kept = options.build / "measured.json"
    if not options.again:
        command = [binary, options.build / "graphs", options.core, options.seconds, options.sample]
        outputs = []
        for _ in range(options.runs):
            done = subprocess.run([str(word) for word in command], env=environment(options),
                                  stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode not in (0, 1):
                sys.exit(done.returncode)
            outputs.append(done.stdout)
        kept.write_text(json.dumps({"load": os.getloadavg()[0], "outputs": outputs}))
    known = json.loads(kept.read_text())
    return arithmetic.parse(known["outputs"]), known["load"]


def measure_costs(options, rows):
    """Of the emitted file and of plain loops, by both compilers; kept for --again."""
    kept = options.build / "costs.json"
    if options.again and kept.exists():
        return json.loads(kept.read_text())
    if not options.costs:
        return []
    emitted, target = options.build / "emitted", options.build / "objects/cost.o"
    include = ["-I", program.ROOT / "runtime", "-I", emitted]
    found = []
    for row in rows:
        line = {"workload": row.name}
        for compiler in ("g++", "clang++-19"):
            sources = {compiler: (emitted / f"{row.name}.cpp", options.flags.split() + include),
                       f"loops, {compiler}": (program.write_plain(emitted, row),
                                              program.PLAIN_FLAGS)}
            for kind, (source, flags) in sources.items():
                if shutil.which(compiler):
                    line[kind] = json.loads(program.run(
                        "/usr/bin/python3", "-B", program.HERE / "costs.py", target, compiler,
                        "-std=c++17", *flags, "-c", source, "-o", target))
        found.append(line)
    kept.write_text(json.dumps(found))
    return found


def intro(options, names, runs, load):
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name")), "an unknown core")
    compiler = program.run(options.cxx, "--version").splitlines()[0]
    return (f"{model}; {compiler}, `{options.flags}`;\n{len(names)} workloads, medians of {runs} "
            f"runs. Load of the machine at their end: {load:.1f} on {os.cpu_count()} cores.\n")


def translated(names):
    """Those that the graph language can express, and messages about the others."""
    there, missing = [], []
    for name in names:
        try:
            translate.translated(translate.read_listing(program.LISTINGS, name))
            there.append(name)
        except translate.Unsupported as fault:
            missing.append(f"wick, {name}: the graph language has no {fault}")
    return there, missing


def main():
    options = arguments()
    names, missing = translated(options.names or list(arithmetic.ELSEWHERE))
    there, absent = peer_list.found(options.cxx, options.build, options.peers)
    rows = program.prepared(options, names, there)
    binary = None if options.again else program.build(options, rows, there)
    figures, load = measure(options, binary)
    listings = {row.name: row.listing for row in rows}
    arenas = {row.name: row.arena for row in rows}
    text = report.document(figures, listings, arenas, measure_costs(options, rows),
                           missing + absent, intro(options, names, figures.runs, load))
    print(text)
    if options.document:
        options.document.write_text(report.put(text, options.document.read_text()))
    if options.plot:
        plot.draw(figures, options.plot)
    if any("wrong" in complaint for complaint in figures.complaints):
        sys.exit("wrong values")


if __name__ == "__main__":
    main()
